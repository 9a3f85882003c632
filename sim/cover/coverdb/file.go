package coverdb

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Ext ends the names of database files.
const Ext = ".coverage"

// NewName is a name of a file for this process that no other has: program-pid-random.coverage.
func NewName() string {
	program := strings.TrimSuffix(filepath.Base(os.Args[0]), ".test")
	return fmt.Sprintf("%s-%d-%s%s", program, os.Getpid(), rand.Text()[:10], Ext)
}

// WriteFile writes the data to a file in a folder, which is made if it is not there. The file
// appears whole, or not at all; one of the same name is replaced.
func (d *Data) WriteFile(dir, name string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	// Not Ext at the end: what a killed process leaves behind is not read.
	f, err := os.CreateTemp(dir, "."+name+"-*.tmp")
	if err != nil {
		return err
	}
	_, err = f.Write(d.Text())
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, name))
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// ErrEmpty says that no database is in a folder.
var ErrEmpty = errors.New("no coverage database (*" + Ext + ") is in it")

// Read merges all databases in folders, and tells how many there are. A folder without any is an
// error, [ErrEmpty]; so are databases of different texts of a source file, a [ChangedError].
func Read(dirs ...string) (d *Data, files int, err error) {
	d = &Data{}
	from := map[string]string{} // the database that has first named a source file
	seen := map[string]bool{}   // a folder that is named twice counts once
	for _, dir := range dirs {
		real, err := filepath.EvalSymlinks(dir)
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", dir, cause(err))
		}
		if real, err = filepath.Abs(real); err != nil {
			return nil, 0, err
		}
		if seen[real] {
			continue
		}
		seen[real] = true
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", dir, cause(err))
		}
		here := 0
		for _, e := range entries {
			if filepath.Ext(e.Name()) != Ext || e.IsDir() {
				continue
			}
			name := filepath.Join(dir, e.Name())
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, 0, fmt.Errorf("%s: %w", name, cause(err))
			}
			part, err := Parse(name, text)
			if err != nil {
				return nil, 0, err
			}
			if err := d.Merge(part); err != nil {
				if changed, ok := errors.AsType[*ChangedError](err); ok {
					err = fmt.Errorf("%s and %s: %w", from[changed.File], name, err)
				} else {
					err = fmt.Errorf("%s: %w", name, err)
				}
				return nil, 0, err
			}
			for file := range part.Files {
				if from[file] == "" {
					from[file] = name
				}
			}
			here++
		}
		if here == 0 {
			return nil, 0, fmt.Errorf("%s: %w", dir, ErrEmpty)
		}
		files += here
	}
	return d, files, nil
}

// cause is an error without the operation and the path.
func cause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}
