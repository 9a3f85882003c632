// Package modelpack makes compiled models of the cache travel: a folder that takes the cache's place on
// a machine that has neither the simulators nor a compiler. An entry's key depends on the programs
// that have made it, and so a pack says which they were.
package modelpack

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// Env is the environment variable with the name of a file, to which is appended what is used of the cache.
const Env = "COSIMATE_USED"

// Use is a line of that file: a program that was looked for, or an entry.
type Use struct {
	Tool string `json:",omitempty"`
	ID   string `json:",omitempty"`
	Dir  string `json:",omitempty"`
}

var noted sync.Map // of Use

// Note notes a use, once in this process, if Env asks for it.
func Note(u Use) error {
	name := os.Getenv(Env)
	if name == "" {
		return nil
	}
	if _, before := noted.LoadOrStore([2]any{name, u}, true); before {
		return nil
	}
	line, err := json.Marshal(u)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}

// Pack is what made the entries of a pack.
type Pack struct {
	Root  string            // the folder in which they were made
	Tools map[string]string // their identities by name
}

// file is in the folder that takes the cache's place, and the entries are in folder models, as in a cache.
const file = "pack.json"

// Write makes a pack of what was used, according to a file of Note's. It returns false if that is nothing.
func Write(used, to string) (bool, error) {
	text, err := os.ReadFile(used)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	p := Pack{Tools: map[string]string{}}
	done := map[string]bool{}
	for line := range bytes.Lines(text) {
		var u Use
		if err := json.Unmarshal(line, &u); err != nil {
			return false, fmt.Errorf("%s: %w", used, err)
		}
		switch {
		case u.Tool != "":
			p.Tools[u.Tool] = u.ID
		case !done[u.Dir]:
			done[u.Dir], p.Root = true, filepath.Dir(u.Dir)
			if err := copyEntry(u.Dir, filepath.Join(to, "models", filepath.Base(u.Dir))); err != nil {
				return false, err
			}
		}
	}
	if len(done) == 0 {
		return false, nil
	}
	data, err := json.Marshal(p)
	if err != nil {
		return false, err
	}
	return true, os.WriteFile(filepath.Join(to, file), data, 0o666)
}

// copyEntry copies the files of an entry. What is in folders below is what it was made of. The sizes of
// all are left out with that.
func copyEntry(from, to string) error {
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || e.Name() == "sizes.json" {
			continue
		}
		if err := copyFile(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// copyFile links a file, or copies it if it comes from another disk. Files of the cache are never changed.
func copyFile(from, to string) error {
	if os.Link(from, to) == nil {
		return nil
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, info.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}

var opened sync.Map // *Pack by folder, nil for a folder that is none

// Open returns the pack that takes the place of a cache, or nil if the folder is a cache.
func Open(cache string) (*Pack, error) {
	if p, ok := opened.Load(cache); ok {
		return p.(*Pack), nil
	}
	var p *Pack
	data, err := os.ReadFile(filepath.Join(cache, file))
	if err == nil {
		p = &Pack{}
		if err := json.Unmarshal(data, p); err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Join(cache, file), err)
		}
	} else if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, os.ErrPermission) {
		// A path through a file, or the like: the cache says what is wrong when it is used.
		return nil, nil
	}
	opened.Store(cache, p)
	return p, nil
}
