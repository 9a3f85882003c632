package live_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing/fstest"
)

// planted is files with a text replaced.
type planted struct {
	fs.FS
	old, new string
}

func (p planted) Open(name string) (fs.File, error) {
	data, err := fs.ReadFile(p.FS, name)
	if err != nil {
		return p.FS.Open(name)
	}
	return fstest.MapFS{name: {Data: []byte(strings.ReplaceAll(string(data), p.old, p.new))}}.Open(name)
}

func (p planted) ReadFile(name string) ([]byte, error) {
	data, err := fs.ReadFile(p.FS, name)
	if err != nil {
		return nil, fmt.Errorf("planted: %w", err)
	}
	return []byte(strings.ReplaceAll(string(data), p.old, p.new)), nil
}
