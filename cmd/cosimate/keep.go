package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/perftengine"
	"github.com/cosimate/cosimate/rtl/perftengine/count"
)

// kept is the file of --keep: a line for each part of a tree that was counted, with the moves that
// lead to it, its count and the cycles that lanes took. Another run goes on from there.
type kept struct {
	name  string
	file  *os.File // nil without --keep
	parts map[string][2]uint64
}

// openKept opens the file, or makes it. A line that a run could not finish is cut off.
func openKept(name string, t *task) (*kept, error) {
	k := &kept{name: name, parts: map[string][2]uint64{}}
	if name == "" {
		return k, nil
	}
	refuse := func(what any, hint string) (*kept, error) {
		k.close()
		return nil, &misuse{fmt.Sprintf("--keep %s: %v", name, what), hint}
	}
	rtl, err := hashOfRTL()
	if err != nil {
		return nil, err
	}
	head := fmt.Sprintf("# cosimate perft --keep: moves, count, cycles; depth %d of %s; RTL %s\n", t.walk.Depth, t.fen, rtl)
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return refuse(reason(err), "give a file that you can read and write")
	}
	text = text[:bytes.LastIndexByte(text, '\n')+1]
	if len(text) > 0 && !strings.HasPrefix(string(text), head) {
		return refuse("it is not of this position, depth and RTL", "remove it, or give another name")
	}
	for line := range strings.Lines(strings.TrimPrefix(string(text), head)) {
		var path string
		var n [2]uint64
		if fields, err := fmt.Sscanf(line, "%s %d %d\n", &path, &n[0], &n[1]); fields != 3 || err != nil {
			return refuse(fmt.Sprintf("the line %s cannot be read", quote(line)), "remove the line, or the file")
		}
		k.parts[path] = n
	}
	if k.file, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return refuse(reason(err), "give a file in a folder that exists and that you can write")
	}
	if len(text) == 0 {
		text = []byte(head)
		_, err = k.file.WriteAt(text, 0)
	}
	if err == nil {
		err = k.file.Truncate(int64(len(text)))
	}
	if err == nil {
		_, err = k.file.Seek(0, 2)
	}
	if err != nil {
		return refuse(reason(err), "")
	}
	return k, nil
}

// hashOfRTL stands for the text of the perft engine.
func hashOfRTL() (string, error) {
	sources, err := perftengine.RTL.Sources()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	for _, s := range sources {
		fmt.Fprintf(h, "%s %d\n%s", s.Name, len(s.Data), s.Data)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8]), nil
}

// known returns what is known of a part.
func (k *kept) known(_ int, path []engine.Move) (nodes, cycles uint64, ok bool) {
	n, ok := k.parts[pathName(path)]
	return n[0], n[1], ok
}

// add notes a part that was counted.
func (k *kept) add(p *count.Part) error {
	name := pathName(p.Path)
	if _, there := k.parts[name]; there || k.file == nil {
		return nil
	}
	if _, err := fmt.Fprintf(k.file, "%s %d %d\n", name, p.Nodes, p.Cycles); err != nil {
		return fmt.Errorf("--keep %s: %w", k.name, reason(err))
	}
	return nil
}

func (k *kept) close() {
	if k.file != nil {
		k.file.Close()
	}
}
