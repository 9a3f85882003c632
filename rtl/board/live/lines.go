package live

import (
	"context"
	"fmt"
	"io"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/board/host"
)

// lines are the published link: the seven parallel lines to the board, behind a microcontroller,
// and the bytes of moves from it. The computer may play over it instead of the framed link, with
// [host.Published] as its program. The framed link's program keeps the game then.
type lines struct {
	// Of the simulation's goroutine.
	levels  uint8  // of the lines
	value   value  // that is being put on them
	line    int    // the next that changes
	until   uint64 // when something is done next
	wanted  bool   // the program is to be started when board and PC have the same game
	bytes   chan byte
	cancel  context.CancelFunc
	ended   chan struct{}
	pending chan value
}

// value is something to be put on the lines.
type value struct {
	levels uint8
	done   chan struct{} // closed when the board must have taken it
}

// Set puts a value on the lines.
func (l *lines) Set(ctx context.Context, levels uint8) error {
	v := value{levels, make(chan struct{})}
	select {
	case l.pending <- v:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	select {
	case <-v.done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// step does the work of a cycle. The lines change one after the other, all within the time for
// which they must hold then.
func (l *lines) step(cycle uint64, hold int) {
	switch {
	case l.value.done == nil:
		if cycle%polls != 0 {
			return
		}
		select {
		case l.value = <-l.pending:
			l.line = 0
		default:
		}
	case cycle < l.until:
	case l.line < 7:
		l.levels = l.levels&^(1<<l.line) | l.value.levels&(1<<l.line)
		l.until = cycle + uint64(max(1, hold/10))
		if l.line++; l.line == 7 {
			l.until = cycle + uint64(2*hold)
		}
	default:
		close(l.value.done)
		l.value = value{}
	}
}

// moved takes a byte of the board's moves.
func (l *lines) moved(b byte) {
	select {
	case l.bytes <- b:
	default: // nobody reads
	}
}

// reader reads the bytes of the board's moves until the channel is closed.
type reader struct{ bytes chan byte }

func (r reader) Read(p []byte) (int, error) {
	b, ok := <-r.bytes
	if !ok {
		return 0, io.EOF
	}
	p[0] = b
	return 1, nil
}

// start starts the program with the game as it is.
func (l *lines) start(now game, p Play, log io.Writer) {
	l.stop()
	l.wanted = false
	g, err := host.ReadGame(now.pgn, "the game")
	if err != nil {
		fmt.Fprintf(log, "the published link: %v\n", err)
		return
	}
	side := engine.White
	if p.Computer == "black" {
		side = engine.Black
	}
	ctx, cancel := context.WithCancel(context.Background())
	l.cancel, l.ended, l.bytes = cancel, make(chan struct{}), make(chan byte, 256)
	l.pending, l.value = make(chan value), value{}
	program := host.Published{Game: g, Opponent: &host.Opponent{Level: p.Level, Seed: p.Seed, Nodes: p.Nodes}, Engine: side, Log: log}
	ended, bytes := l.ended, l.bytes
	setter := *l // its channels are this program's
	go func() {
		defer close(ended)
		if err := program.Run(ctx, reader{bytes}, &setter); err != nil && ctx.Err() == nil {
			fmt.Fprintf(log, "the published link's program has ended: %v\n", err)
		}
	}()
}

// stop ends the program.
func (l *lines) stop() {
	if l.cancel == nil {
		return
	}
	l.cancel()
	close(l.bytes)
	<-l.ended
	l.cancel, l.bytes, l.value = nil, nil, value{}
}
