package host

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockFile takes a file for this program until it is closed, and reports whether another has it.
func lockFile(f *os.File) (taken bool, err error) {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err = windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return true, nil
	}
	return false, err
}

// syncFolder does nothing: Windows has no way to wait for the names in a folder.
func syncFolder(string) error { return nil }
