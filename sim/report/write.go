package report

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// Names of what [Write] writes.
const (
	textName = "report.txt"
	htmlName = "report.html"
	svgName  = "wave.svg"
	gtkwName = "wave.gtkw"
)

// Write writes the report into a folder, which it makes if need be: report.txt, report.html,
// wave.svg if there is a wave, and wave.gtkw if there is an FST, which must be complete. Files of
// an earlier report are replaced, each at once: there is never half a file. It returns the files
// that it has written, of which the last (report.html) has all. An error says what to do; the other
// files are written all the same.
//
// The files name each other, and those of f, as they are seen from the folder. f stays as it is:
// append what is returned to f.Files for a text that names all.
func Write(dir string, f *Failure) ([]File, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, hint(dir, err)
	}
	var written []File
	var errs []error
	write := func(name, about string, wanted bool, make func() (string, error)) {
		path := filepath.Join(dir, name)
		err := os.Remove(path) // an earlier report's, which must not be taken for this one's
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		if err == nil && wanted {
			var text string
			if text, err = make(); err == nil {
				if err = writeFile(dir, name, text); err == nil {
					written = append(written, File{path, about})
				}
			}
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", path, err))
		}
	}

	write(svgName, "the waveform as a picture", len(f.Wave.Cycles) > 0, func() (string, error) { return f.SVG(), nil })
	write(gtkwName, "open it with gtkwave", f.FST != "", func() (string, error) { return f.gtkw(dir) })
	write(textName, "the report as text", true, func() (string, error) { return f.seenFrom(dir, written).Text(false), nil })
	write(htmlName, "the report as a page", true, func() (string, error) { return f.seenFrom(dir, written).HTML(), nil })
	if len(errs) > 0 {
		return written, hint(dir, errors.Join(errs...))
	}
	return written, nil
}

// writeFile writes a file at once: under another name first.
func writeFile(dir, name, text string) (err error) {
	file, err := os.CreateTemp(dir, "."+name+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(file.Name())
		}
	}()
	_, err = file.WriteString(text)
	if err == nil {
		err = file.Chmod(0o644)
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), filepath.Join(dir, name))
}

// seenFrom is the failure with more files, and all as they are seen from a folder.
func (f *Failure) seenFrom(dir string, more []File) *Failure {
	seen := *f
	seen.Files = nil
	for _, file := range append(slices.Clone(more), f.Files...) {
		seen.Files = append(seen.Files, File{relative(dir, file.Path), file.About})
	}
	if f.FST != "" {
		seen.FST = relative(dir, f.FST)
	}
	return &seen
}

// relative is a path relative to a folder, if there is one.
func relative(dir, path string) string {
	absDir, err1 := filepath.Abs(dir)
	absPath, err2 := filepath.Abs(path)
	rel, err := filepath.Rel(absDir, absPath)
	if errors.Join(err1, err2, err) != nil {
		return path
	}
	return rel
}

// hint adds to an error what to do about it.
func hint(dir string, err error) error {
	what := ""
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		what = "\nhint: the disk is full: free some space, or have the report written to another disk"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		what = "\nhint: have the report written to a folder that you can write"
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		what = "\nhint: a file is in the way of the folder: move it, or have the report written elsewhere"
	}
	return fmt.Errorf("the report in %s is not complete: %w%s", dir, err, what)
}
