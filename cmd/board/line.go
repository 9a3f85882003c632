package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/cosimate/cosimate/rtl/board/host"
	"github.com/cosimate/cosimate/rtl/link/frame"
)

// atBoard plays over a serial line.
func atBoard(ctx context.Context, device string, s *host.Session) (err error) {
	line, err := openLine(device)
	if err != nil {
		return err
	}
	dial, cancel := context.WithTimeoutCause(ctx, 10*time.Second, errors.New("nothing but silence for 10 s"))
	defer cancel()
	conn, err := frame.Dial(dial, line, frame.Options{})
	if err != nil {
		return fmt.Errorf("%s: %w", device, err)
	}
	fmt.Printf("a board answers on %s\n", device)
	err = s.Run(ctx, conn)
	return errors.Join(err, conn.Close())
}

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
