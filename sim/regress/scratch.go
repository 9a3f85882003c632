package regress

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

const scratchPattern = "cosimate-regress-*"

// scratch makes a folder for what compilers and the processes of a span write, in the temporary
// folder of the machine, as the run's folder may be on another. It is locked until this process
// ends or removes it.
func scratch() (dir string, remove func(), err error) {
	sweep()
	for {
		if dir, err = os.MkdirTemp("", scratchPattern); err != nil {
			return "", nil, err
		}
		lock, err := os.Open(dir)
		if err == nil {
			err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX)
		}
		if err == nil {
			// A process that has just begun may have locked it before, and removed it.
			if _, err = os.Stat(dir); err == nil {
				return dir, func() { os.RemoveAll(dir); lock.Close() }, nil
			}
		}
		lock.Close()
		if !errors.Is(err, fs.ErrNotExist) {
			os.RemoveAll(dir)
			return "", nil, err
		}
	}
}

// sweep removes the folders of processes that were killed: nobody has them locked. Those of another
// user stay.
func sweep() {
	dirs, _ := filepath.Glob(filepath.Join(os.TempDir(), scratchPattern))
	for _, dir := range dirs {
		lock, err := os.Open(dir)
		if err != nil {
			continue
		}
		if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			os.RemoveAll(dir)
		}
		lock.Close()
	}
}
