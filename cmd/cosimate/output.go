package main

// Files that the program is asked to write. A regular file appears when it is complete, or not at
// all: nobody reads a part of it, and an old file stays until the new one is complete. A device, a
// pipe or the program's own output cannot be replaced. They are written to directly.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// outputFile is a file that will be written.
type outputFile struct {
	name string // as the user gave it
	// path is where it is written. For a regular file, all symbolic links are followed.
	path   string
	direct bool     // path is a device or a pipe
	open   *os.File // if not nil, it is this: standard output or standard error
}

// temporary is the pattern of the names under which regular files are written.
const temporary = ".cosimate-*.tmp"

// newOutput checks that a file can be written later. option is the flag that names the file.
func newOutput(option, name string) (*outputFile, error) {
	refuse := func(why any, hint string) (*outputFile, error) {
		return nil, &misuse{fmt.Sprintf("%s %s: %v", option, name, why), hint}
	}
	if name == "" {
		return refuse("the name is empty", "give the name of a file")
	}
	info, err := os.Stat(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return refuse(reason(err), "give the name of a file that you can write")
	}
	if err == nil {
		// If standard output is redirected to this file and it were opened again, each would
		// overwrite what the other has written.
		for _, f := range []*os.File{os.Stdout, os.Stderr} {
			if own, err := f.Stat(); err == nil && os.SameFile(own, info) {
				return &outputFile{name: name, open: f}, nil
			}
		}
		switch mode := info.Mode(); {
		case mode.IsDir():
			return refuse("it is a folder", "give the name of a file")
		case mode&fs.ModeSocket != 0:
			return refuse("it is a socket", "give the name of a file")
		case !mode.IsRegular():
			const writing = 2 // W_OK
			if err := syscall.Access(name, writing); err != nil {
				return refuse(err, "give the name of a file that you can write")
			}
			return &outputFile{name: name, path: name, direct: true}, nil
		}
	}
	path, err := followLinks(name)
	if err == nil {
		var f *os.File
		if f, err = createBeside(path); err == nil {
			f.Close()
			os.Remove(f.Name())
		}
	}
	if err != nil {
		return refuse(reason(err), "give a file in a folder that exists and that you can write")
	}
	return &outputFile{name: name, path: path}, nil
}

// followLinks returns the path that symbolic links lead to, which need not exist.
func followLinks(path string) (string, error) {
	for range 40 { // Linux follows as many
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return path, nil
		}
		if err != nil {
			return "", err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			return path, nil
		}
		to, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			dir, _ := filepath.Split(path) // not cleaned: link/.. need not be the link's folder
			to = dir + to
		}
		path = to
	}
	return "", syscall.ELOOP
}

func createBeside(path string) (*os.File, error) {
	dir, _ := filepath.Split(path)
	return os.CreateTemp(cmp.Or(dir, "."), temporary)
}

// reason returns an error of the operating system without the operation and the path.
func reason(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

// write writes the file. The context ends only the wait for a pipe's reader.
func (o *outputFile) write(ctx context.Context, data []byte) error {
	switch {
	case os.Getenv("COSIMATE_COMPILE") == "only": // and so nothing is known
		return nil
	case o.open != nil:
		_, err := o.open.Write(data)
		return err
	case o.direct:
		f, err := openDirect(ctx, o.path)
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		return errors.Join(err, f.Close())
	}
	f, err := createBeside(o.path)
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // after the renaming there is none
	_, err = f.Write(data)
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), o.path)
}

// openDirect opens a device or a pipe. It waits for a pipe's reader until the context ends.
func openDirect(ctx context.Context, path string) (*os.File, error) {
	for {
		f, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		if !errors.Is(err, syscall.ENXIO) {
			return f, err
		}
		if info, serr := os.Stat(path); serr != nil || info.Mode()&fs.ModeNamedPipe == 0 {
			return nil, err
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return nil, errors.New("nothing reads from this pipe")
		}
	}
}
