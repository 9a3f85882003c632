package regress

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// tree returns a hash of the files below a folder, but for what is in out: of their names, sizes
// and times of change. Test binaries read RTL and vectors when they run, so that the same binary
// can do something else tomorrow. In a clone of git's, what git ignores is left out.
func tree(ctx context.Context, root, out string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = root
	text, err := cmd.Output()
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	var names []string
	if err == nil {
		for name := range bytes.SplitSeq(text, []byte{0}) {
			names = append(names, string(name))
		}
		slices.Sort(names)
	} else {
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if e.IsDir() {
				if path != root && strings.HasPrefix(e.Name(), ".") || path == out {
					return fs.SkipDir
				}
				return nil
			}
			rel, err := filepath.Rel(root, path)
			names = append(names, rel)
			return err
		})
		if err != nil {
			return "", err
		}
	}
	inside := out
	if real, err := filepath.EvalSymlinks(out); err == nil {
		inside = real
	}
	var all []byte
	for _, name := range names {
		path := filepath.Join(root, name)
		if strings.HasPrefix(path, inside+string(filepath.Separator)) {
			continue
		}
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		if info.Mode().IsRegular() {
			all = fmt.Appendf(all, "%q %d %d\n", name, info.Size(), info.ModTime().UnixNano())
		}
	}
	return hash(all), nil
}
