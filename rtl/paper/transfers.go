package paper

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/core"
	"github.com/cosimate/cosimate/rtl/driver"
	"github.com/cosimate/cosimate/rtl/regmap"
	"github.com/cosimate/cosimate/rtl/simbus"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/axi"
	"github.com/cosimate/cosimate/sim/tb"
)

// Transfer is the cost of handing over a list, on a bus whose manager makes one transfer at a time,
// without pauses: 3 cycles a transfer.
type Transfer struct {
	Reads  int // number of register reads
	Cycles int // cycles from the write that begins the list to the last word
}

// Schemes are the ways in which rtl/core hands a list over, in the order of Position.Transfers.
var Schemes = []string{"published: two reads a move", "FIFO: one read a move", "stream: one clock a move"}

// rig is a core on a simulated bus, with software and a receiver on its stream that is always
// ready. The rules of the bus and the stream are checked.
type rig struct {
	*tb.Bench[core.In, core.Out]
	bus     *simbus.Bus
	core    *driver.Core
	packets tb.Queue[[]byte] // packets from the stream
}

func newRig(d *sim.DUT[core.In, core.Out]) (*rig, error) {
	r := &rig{Bench: tb.New(d)}
	var err error
	if r.bus, err = simbus.New(r.Bench, &r.In.Rst, &r.Out.Irq); err != nil {
		return nil, err
	}
	stream, err := axi.BindStream(r.Bench, "m_axis")
	if err != nil {
		return nil, err
	}
	stream.Reset = r.bus.Reset
	r.Monitor("rules of AXI4-Stream", (&axi.StreamChecker{Stream: stream}).Run)
	r.Monitor("packets", (&axi.Packets{Stream: stream, Each: func(_ *tb.Process, packet []byte) { r.packets.Push(packet) }}).Run)
	r.Background("receiver", (&axi.Receiver{Stream: stream}).Run)
	return r, nil
}

// handOver measures the core: each position's list in each scheme.
func handOver(ctx context.Context, design sim.Design, s sim.Simulator, o Options, positions []Position) error {
	d, err := sim.Open[core.In, core.Out](ctx, design, s, o.Sim...)
	if err != nil {
		return err
	}
	defer d.Close()
	r, err := newRig(d)
	if err != nil {
		return err
	}
	r.bus.Go("software", func() (err error) {
		if r.core, err = driver.OpenCore(r.bus); err != nil {
			return err
		}
		for i := range positions {
			p := &positions[i]
			if err := r.core.SetPosition(p.FEN()); err != nil {
				return err
			}
			for _, list := range []func() ([]engine.Move, error){r.published, r.fifo, r.stream} {
				if err := r.core.Abort(); err != nil {
					return err
				}
				reads, cycle := r.bus.Reads, r.bus.Cycle()
				moves, err := list()
				if err != nil {
					return err
				}
				p.Transfers = append(p.Transfers, Transfer{r.bus.Reads - reads, r.bus.Cycle() - cycle})
				if err := same(&p.Position, moves); err != nil {
					return fmt.Errorf("core on %s, %s: %w", s, Schemes[len(p.Transfers)-1], err)
				}
			}
			if err := r.bus.Write32(regmap.CoreList, 0); err != nil { // switches Auto off
				return err
			}
		}
		return nil
	})
	return r.Run(10_000 * len(positions))
}

func (r *rig) published() ([]engine.Move, error) {
	if err := r.core.Published(driver.All); err != nil {
		return nil, err
	}
	return r.core.PublishedMoves()
}

func (r *rig) fifo() ([]engine.Move, error) { return r.core.Moves(driver.Plain, driver.All) }

func (r *rig) stream() (moves []engine.Move, err error) {
	r.core.Trusting = true // no register is read: the list comes over the stream
	defer func() { r.core.Trusting = false }()
	if err := r.core.Stream(driver.Plain, driver.All); err != nil {
		return nil, err
	}
	for packet := r.packets.Pop(r.bus.Process()); len(packet) > 0; packet = packet[4:] {
		if m, ok := driver.Unpack(binary.LittleEndian.Uint32(packet)); ok {
			moves = append(moves, m)
		}
	}
	return moves, nil
}
