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

// The names of the files that [Write] writes.
const (
	textName = "report.txt"
	htmlName = "report.html"
	svgName  = "wave.svg"
	gtkwName = "wave.gtkw"
)

// Write writes the report into a folder, which it makes if need be: report.txt, report.html,
// wave.svg if there is a wave, and wave.gtkw if there is an FST, which must be complete. Files of
// an earlier report are replaced or removed; no file is ever there in part. Write returns the files
// that it has written. The last one is report.html, which links to all others. If a file cannot be
// written, the others are, and the error says what to do.
//
// In the files, paths are relative to the folder. Write does not change f. To name the new files in
// f's text, append them to f.Files.
func Write(dir string, f *Failure) ([]File, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, hint(dir, err)
	}
	var written []File
	var errs []error
	write := func(name, about string, wanted bool, make func() (string, error)) {
		path := filepath.Join(dir, name)
		err := os.Remove(path) // a file of an earlier report would be taken for one of this
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
	write(textName, "the report as text", true, func() (string, error) { return f.seenFrom(dir, written).text(palette{}, len(f.Transactions)), nil })
	write(htmlName, "the report as a page", true, func() (string, error) { return f.seenFrom(dir, written).html(f.waves()), nil })
	if len(errs) > 0 {
		return written, hint(dir, errors.Join(errs...))
	}
	return written, nil
}

// writeFile writes a file under another name and then renames it, so that it is never there in
// part.
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

// seenFrom returns the failure with more files, and with all paths relative to a folder.
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

// relative returns a path relative to a folder, or the path itself if that cannot be.
func relative(dir, path string) string {
	absDir, err1 := filepath.Abs(dir)
	absPath, err2 := filepath.Abs(path)
	rel, err := filepath.Rel(absDir, absPath)
	if errors.Join(err1, err2, err) != nil {
		return path
	}
	return rel
}

// hint adds to an error what the user can do about it.
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
