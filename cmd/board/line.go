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
