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

// Ext is the extension of database files.
const Ext = ".coverage"

// NewName returns a name for a file of this process that no other process uses:
// program-pid-random.coverage.
func NewName() string {
	program := strings.TrimSuffix(filepath.Base(os.Args[0]), ".test")
	return fmt.Sprintf("%s-%d-%s%s", program, os.Getpid(), rand.Text()[:10], Ext)
}

// WriteFile writes the data to a file in a folder, which is made if it does not exist. A file of
// the same name is replaced. The file is never there in part.
func (d *Data) WriteFile(dir, name string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	// The name does not end in Ext, so that the file of a killed process is not read.
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

// ErrEmpty is the error of reading a folder without a database.
var ErrEmpty = errors.New("no coverage database (*" + Ext + ") is in it")

// Read merges all databases in the folders, and returns how many there are. The error is [ErrEmpty]
// if a folder has none, a *[ChangedError] if they are of different texts of a source file, and a
// *[ValuesError] if a bin has different values.
func Read(dirs ...string) (d *Data, files int, err error) {
	d = &Data{}
	from := map[string]string{} // the first database with each source file
	seen := map[string]bool{}   // databases read, as a folder may be named twice
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

// cause returns an error without the operation and the path.
func cause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}
