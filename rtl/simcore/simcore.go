// Package simcore runs the move generator core in a simulator and gives its moves to a search, or
// to other software that is not a process of a bench.
//
//	c, err := simcore.Open(ctx, core.Design, sim.Verilator)
//	defer c.Close()
//	e, err := search.New(search.Options{
//		Features: search.AllFeatures,
//		Source: func() (search.Moves, error) { return c.Moves(moves.FIFO), nil },
//	})
//
// The simulation goes on only while the software waits for the core: clock cycles are those of the
// bus and of the core, and the software's own work takes none. The rules of the bus and of the
// stream are checked in every cycle.
package simcore

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/search"
	"github.com/cosimate/cosimate/rtl/core"
	"github.com/cosimate/cosimate/rtl/driver"
	"github.com/cosimate/cosimate/rtl/driver/moves"
	"github.com/cosimate/cosimate/rtl/simbus"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/axi"
	"github.com/cosimate/cosimate/sim/tb"
)

// Core is a core in a simulator. Its methods may be called by any goroutine, one at a time.
type Core struct {
	dut     *sim.DUT[core.In, core.Out]
	bus     *simbus.Bus
	driver  *driver.Core
	packets tb.Queue[[]byte] // from the stream

	calls chan call
	quit  chan struct{} // closed by Close
	ended chan struct{} // closed at the end of the simulation
	err   error         // why it ended; set before ended is closed
	once  sync.Once
}

// call is work for the software on the bus.
type call struct {
	do   func(*driver.Core) error
	done chan error
}

// patience is how many cycles a list may take, which is far more than any list does.
const patience = 1000

// ErrClosed is the error of calls after [Core.Close].
var ErrClosed = errors.New("the simulated core is closed")

// Counts are what was on the bus. Counts of a stretch of time are differences of two.
type Counts struct {
	Reads, Writes int
	Cycles        int // of the clock
}

// Open starts a simulation of the core, whose design is core.Design or one like it. The driver
// trusts the core: a command is one transfer. It ends with [Core.Close], or with the context.
func Open(ctx context.Context, design sim.Design, s sim.Simulator, opts ...sim.Option) (*Core, error) {
	d, err := sim.Open[core.In, core.Out](ctx, design, s, opts...)
	if err != nil {
		return nil, err
	}
	c := &Core{dut: d, calls: make(chan call), quit: make(chan struct{}), ended: make(chan struct{})}
	b := tb.New(d)
	if c.bus, err = simbus.New(b, &b.In.Rst, &b.Out.Irq); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	stream, err := axi.BindStream(b, "m_axis")
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	stream.Reset = c.bus.Reset
	b.Monitor("rules of AXI4-Stream", (&axi.StreamChecker{Stream: stream}).Run)
	b.Monitor("packets", (&axi.Packets{Stream: stream, Each: func(_ *tb.Process, packet []byte) { c.packets.Push(packet) }}).Run)
	b.Background("receiver", (&axi.Receiver{Stream: stream}).Run)
	c.bus.Go("software", func() (err error) {
		if c.driver, err = driver.OpenCore(c.bus); err != nil {
			return err
		}
		c.driver.Trusting = true
		for {
			select {
			case x := <-c.calls:
				x.done <- x.do(c.driver)
			case <-c.quit:
				return nil
			}
		}
	})
	go func() {
		err := b.Run(math.MaxInt)
		if err = errors.Join(err, d.Close()); err == nil {
			err = ErrClosed
		}
		c.err = err
		close(c.ended)
	}()
	return c, c.Do(func(*driver.Core) error { return nil }) // when the driver has found the core
}

// Close ends the simulation. Its error is what ended it before, if something did.
func (c *Core) Close() error {
	c.once.Do(func() { close(c.quit) })
	<-c.ended
	if errors.Is(c.err, ErrClosed) {
		return nil
	}
	return c.err
}

// Simulator returns in which simulator it runs.
func (c *Core) Simulator() sim.Simulator { return c.dut.Simulator() }

// Do runs software on the bus and returns its error, or why the simulation has ended.
func (c *Core) Do(software func(*driver.Core) error) error {
	x := call{software, make(chan error, 1)}
	select {
	case <-c.ended:
		return c.failed()
	default:
	}
	select {
	case c.calls <- x:
	case <-c.ended:
		return c.failed()
	}
	select {
	case err := <-x.done:
		return err
	case <-c.ended:
		return c.failed()
	}
}

// Write writes a register, beside the driver.
func (c *Core) Write(address, data uint32) error {
	return c.Do(func(*driver.Core) error { return c.bus.Write32(address, data) })
}

func (c *Core) failed() error { return fmt.Errorf("core on %s: %w", c.Simulator(), c.err) }

// Counts returns what was on the bus so far.
func (c *Core) Counts() (n Counts, err error) {
	err = c.Do(func(*driver.Core) error {
		n = Counts{c.bus.Reads, c.bus.Writes, c.bus.Cycle()}
		return nil
	})
	return n, err
}

// Moves returns the core as a source of moves, in a scheme. There is one game on the core: a
// source's Load ends that of the sources before it.
func (c *Core) Moves(s moves.Scheme) *Source { return &Source{c, c.game(s)} }

func (c *Core) game(s moves.Scheme) moves.Source {
	return moves.Source{Core: c.driver, Scheme: s, Receive: c.receive}
}

// Run runs a search, or other software, with a source of moves that only it may use. That is faster
// than Moves, whose calls each pass from the goroutine of the caller to that of the simulation and
// back.
func (c *Core) Run(s moves.Scheme, software func(*moves.Source) error) error {
	game := c.game(s)
	return c.Do(func(*driver.Core) error { return software(&game) })
}

// Player is a core of its own as a source of moves: closing it ends the simulation.
type Player struct {
	moves.Checked
	core *Core
}

// OpenPlayer starts a simulation of the core for a search that plays. Each list is compared with
// the reference's.
func OpenPlayer(ctx context.Context, s sim.Simulator, opts ...sim.Option) (*Player, error) {
	c, err := Open(ctx, core.Design, s, opts...)
	if err != nil {
		return nil, err
	}
	return &Player{moves.Checked{Moves: c.Moves(moves.FIFO), Scheme: moves.FIFO}, c}, nil
}

// Close ends the simulation.
func (p *Player) Close() error { return p.core.Close() }

// receive returns the words of the next packet of the stream, within the software's process.
func (c *Core) receive() ([]uint32, error) {
	c.bus.Process().Within(patience, func() bool { return c.packets.Len() > 0 })
	packet, ok := c.packets.TryPop()
	if !ok {
		return nil, fmt.Errorf("%w: no list came to its end on the stream within %d cycles", driver.ErrTimeout, patience)
	}
	words := make([]uint32, 0, len(packet)/4)
	for ; len(packet) >= 4; packet = packet[4:] {
		words = append(words, binary.LittleEndian.Uint32(packet))
	}
	return words, nil
}

// Source is a game on a simulated core.
type Source struct {
	core *Core
	game moves.Source
}

var _ search.Moves = (*Source)(nil)

// Load begins a game at a position.
func (s *Source) Load(p *engine.Position) error {
	return s.core.Do(func(*driver.Core) error { return s.game.Load(p) })
}

// Position returns the present position.
func (s *Source) Position() *engine.Position { return s.game.Position() }

// List appends the legal moves that pass the filter to dst, in the order.
func (s *Source) List(dst []engine.Move, o search.Order, f search.Filter) ([]engine.Move, error) {
	err := s.core.Do(func(*driver.Core) (err error) {
		dst, err = s.game.List(dst, o, f)
		return err
	})
	return dst, err
}

// Make makes a legal move.
func (s *Source) Make(m engine.Move) error {
	return s.core.Do(func(*driver.Core) error { return s.game.Make(m) })
}

// Null passes the turn.
func (s *Source) Null() error {
	return s.core.Do(func(*driver.Core) error { return s.game.Null() })
}

// Unmake takes back the last move or null move.
func (s *Source) Unmake() error {
	return s.core.Do(func(*driver.Core) error { return s.game.Unmake() })
}
