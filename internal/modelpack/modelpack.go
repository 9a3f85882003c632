// Package modelpack makes compiled models of the cache travel: a folder that is asked before the
// cache, on a machine that may have neither the simulators nor a compiler. An entry's key depends
// on the programs that have made it, and so a pack says which they were.
package modelpack

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sync"
)

// Env is the environment variable with the name of a file, to which is appended what is used of the
// cache.
const Env = "COSIMATE_USED"

// PackEnv is the environment variable with the folder of a pack that is asked before the cache.
const PackEnv = "COSIMATE_MODELS"

// Use is a line of that file: an entry that was used, or one that begins to be made or has ended to
// be, with success or without.
type Use struct {
	Dir    string            `json:",omitempty"`
	Tools  map[string]string `json:",omitempty"` // that have made it: their identities by name
	Making string            `json:",omitempty"`
	Ended  string            `json:",omitempty"`
}

var noted sync.Map // entries

// Note notes a use if Env asks for it, that of an entry once in this process.
func Note(u Use) error {
	name := os.Getenv(Env)
	if name == "" {
		return nil
	}
	if u.Dir != "" {
		if _, before := noted.LoadOrStore([2]string{name, u.Dir}, true); before {
			return nil
		}
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
	Cache string            // what it was made from, and is asked before
	Root  string            // the folder of the entries there, which is in the keys of some
	Tools map[string]string // their identities by name
	dir   string
}

// Entry returns where the pack has an entry, if it has it.
func (p *Pack) Entry(name string) string { return filepath.Join(p.dir, entries, name) }

// A pack is file, which says what it is, and the folder entries, as of a cache.
const (
	file    = "pack.json"
	entries = "models"
)

// Write makes a pack of those entries of a cache that were used, according to a file of Note's.
// What the pack has already stays. It returns false if nothing was used.
func Write(used, cache, to string) (bool, error) {
	text, err := os.ReadFile(used)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	p := Pack{Cache: cache, Root: filepath.Join(cache, entries), Tools: map[string]string{}}
	done := map[string]bool{}
	for line := range bytes.Lines(text) {
		var u Use
		if err := json.Unmarshal(line, &u); err != nil {
			return false, fmt.Errorf("%s: %w", used, err)
		}
		if u.Dir == "" || filepath.Dir(u.Dir) != p.Root || done[u.Dir] { // tests have caches of their own
			continue
		}
		done[u.Dir] = true
		if err := copyEntry(u.Dir, filepath.Join(to, entries, filepath.Base(u.Dir))); err != nil {
			return false, err
		}
		maps.Copy(p.Tools, u.Tools)
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

// copyEntry copies the files of an entry. What is in folders below is what it was made of. The
// sizes of all are left out with that.
func copyEntry(from, to string) error {
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	files, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range files {
		if !e.Type().IsRegular() || e.Name() == "sizes.json" {
			continue
		}
		if err := copyFile(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// copyFile links a file, or copies it if it comes from another disk. Files of the cache are never
// changed.
func copyFile(from, to string) error {
	if err := os.Link(from, to); err == nil || errors.Is(err, fs.ErrExist) {
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
	out, err := os.CreateTemp(filepath.Dir(to), ".*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(out.Name())
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Chmod(info.Mode().Perm()), out.Sync(), out.Close()); err != nil {
		return err
	}
	return os.Rename(out.Name(), to)
}

var opened sync.Map // *Pack by folder

// Open returns the pack that is to be asked before the cache, or nil if none is.
func Open() (*Pack, error) {
	dir := os.Getenv(PackEnv)
	if dir == "" {
		return nil, nil
	}
	if p, ok := opened.Load(dir); ok {
		return p.(*Pack), nil
	}
	name := filepath.Join(dir, file)
	data, err := os.ReadFile(name)
	p := &Pack{dir: dir}
	if err == nil {
		err = json.Unmarshal(data, p)
	}
	if err != nil {
		return nil, fmt.Errorf("%s=%s, the compiled models of a run: %s: %w; run it anew with --fresh", PackEnv, dir, name, err)
	}
	opened.Store(dir, p)
	return p, nil
}
