package main

import (
	"context"
	"errors"
	"fmt"
	"time"

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

// atPublished plays over the published link: moves come from one serial line, and a microcontroller
// at the end of another, or of the same, puts each byte that it gets on the seven parallel lines.
func atPublished(ctx context.Context, device, lines string, s *host.Published) (err error) {
	in, err := openLine(device)
	if err != nil {
		return err
	}
	defer in.Close() // also ends a read that waits
	out := in
	if lines != "" && lines != device {
		if out, err = openLine(lines); err != nil {
			return err
		}
		defer out.Close()
	}
	if err := s.Run(ctx, in, host.SerialLines{Port: out}); err != nil {
		return fmt.Errorf("%s: %w", device, err)
	}
	return nil
}
