package main

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// openLine opens a serial line: 115 200 baud, 8N1, bytes as they are. It is opened without
// blocking, so that closing it ends a read that waits.
func openLine(device string) (*os.File, error) {
	fd, err := unix.Open(device, unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: device, Err: err}
	}
	t, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err == nil {
		*t = unix.Termios{Cflag: unix.CS8 | unix.CREAD | unix.CLOCAL | unix.B115200, Ispeed: unix.B115200, Ospeed: unix.B115200}
		t.Cc[unix.VMIN] = 1
		err = unix.IoctlSetTermios(fd, unix.TCSETS, t)
	}
	if err != nil {
		unix.Close(fd)
		return nil, fmt.Errorf("%s is no serial line: %w", device, err)
	}
	return os.NewFile(uintptr(fd), device), nil
}
