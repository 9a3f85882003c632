package core_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/core"
	"github.com/cosimate/cosimate/rtl/driver"
	"github.com/cosimate/cosimate/rtl/regmap"
	"github.com/cosimate/cosimate/rtl/simbus"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/axi"
	"github.com/cosimate/cosimate/sim/tb"
	"github.com/cosimate/cosimate/vectors/perft"
)

// rig is a core on a simulated bus, with a receiver on its stream. The rules of both are checked,
// and every output in every cycle is compared with the model.
type rig struct {
	*tb.Bench[core.In, core.Out]
	bus     *simbus.Bus
	busy    float64            // the share of cycles in which the stream's receiver is not ready
	held    bool               // nor ever, at the moment
	packets tb.Queue[[]uint32] // from the stream
}

func newRig(d *dut) (*rig, error) {
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
	r.Monitor("packets", (&axi.Packets{Stream: stream, Each: func(p *tb.Process, packet []byte) {
		var words []uint32
		for i := 0; i < len(packet); i += 4 {
			words = append(words, binary.LittleEndian.Uint32(packet[i:]))
		}
		r.packets.Push(words)
	}}).Run)
	r.Background("receiver", func(p *tb.Process) {
		for {
			r.In.Tready = !r.held && p.Rand().Float64() >= r.busy
			p.Next()
		}
	})
	return r, nil
}

// model compares with the model from the first reset on.
func (r *rig) model(plies, fifo int) {
	m := core.NewModel(plies, fifo)
	begun := false
	r.Monitor("model", func(p *tb.Process) {
		for p.Next() {
			want := m.Step(r.In)
			if begun {
				mask := m.DontCare(want)
				if got := masked(r.Out, mask); got != masked(want, mask) {
					p.Failf("the outputs are %+v, the model's %+v", got, masked(want, mask))
				}
				if err := m.Err(); err != nil {
					p.Fail(err)
				}
			}
			begun = begun || r.In.Rst
		}
	})
}

// masked is the outputs without what has no meaning.
func masked(o, mask core.Out) core.Out {
	o.Bresp &^= mask.Bresp
	o.Rdata &^= mask.Rdata
	o.Rresp &^= mask.Rresp
	o.Tdata &^= mask.Tdata
	o.Tlast = o.Tlast && !mask.Tlast
	return o
}

// Software plays games through the driver, lists moves in every way and compares all with the
// reference, and the hardware's game with its own after every step, while the bus and the receiver
// take their time.
func TestDriver(t *testing.T) {
	for _, p := range []pace{{0, 0, 0, 0}, {0.3, 0.3, 0.5, 0}} {
		t.Run(fmt.Sprintf("%+v", p), func(t *testing.T) {
			sim.ForEach(t, core.Design, func(t *testing.T, d *dut) {
				r, err := newRig(d)
				if err != nil {
					t.Fatal(err)
				}
				r.model(core.Plies, core.Fifo)
				r.bus.Manager.Gap, r.bus.Manager.Busy, r.busy = p.gap, p.busy, p.tbusy
				games := 40
				if d.Simulator() == sim.Icarus {
					games = 3
				}
				suite := perft.Positions()
				r.bus.Go("software", func() error { return r.play(t, suite, games) })
				r.Check(t, 10_000_000)
			})
		})
	}
}

func (r *rig) play(t testing.TB, suite []engine.Position, games int) error {
	c, err := driver.OpenCore(r.bus)
	if err != nil {
		return err
	}
	rng := r.bus.Process().Rand()
	for n := range games {
		p := suite[rng.IntN(len(suite))]
		if n%2 == 0 {
			p = parse(t, special[n/2%len(special)])
		}
		if err := c.SetPosition(p.FEN()); err != nil {
			return err
		}
		var made []engine.Move // the zero move: a null move
		published := false
		for range 12 {
			moves, err := r.everyList(c, published)
			if err != nil {
				return err
			}
			published = false
			position, err := c.Position()
			if err != nil {
				return err
			}
			switch x := rng.IntN(10); {
			case len(moves) == 0 || x < 2 && len(made) > 0:
				if len(made) == 0 {
					continue
				}
				last := made[len(made)-1]
				made = made[:len(made)-1]
				if x == 0 && last != (engine.Move{}) {
					err = c.PublishedUnmake(last)
				} else {
					err = c.Unmake()
				}
			case x < 4 && !position.InCheck():
				made = append(made, engine.Move{})
				err = c.Null()
			case x < 6:
				if err := c.Published(driver.All); err != nil {
					return err
				}
				m := moves[rng.IntN(len(moves))]
				made, published = append(made, m), true
				err = c.PublishedMake(m)
			default:
				m := moves[rng.IntN(len(moves))]
				made = append(made, m)
				err = c.Make(m)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// everyList lists the position in some order through every filter, by the registers and on the
// stream, and as published records if those are under way, and returns all moves.
func (r *rig) everyList(c *driver.Core, published bool) ([]engine.Move, error) {
	p, err := c.Position()
	if err != nil {
		return nil, err
	}
	if published {
		moves, err := c.PublishedMoves()
		if err != nil {
			return nil, err
		}
		if err := same("published records", &p, moves, driver.All); err != nil {
			return nil, err
		}
	}
	if _, err := c.ReadPosition(); err != nil {
		return nil, err
	}
	order := driver.Order(r.bus.Process().Rand().IntN(4))
	for _, f := range []driver.Filter{driver.Captures, driver.Checks, driver.All} {
		moves, err := c.Moves(order, f)
		if err != nil {
			return nil, err
		}
		if err := same("FIFO", &p, moves, f); err != nil {
			return nil, err
		}
		n, check, err := c.Legal()
		if err != nil {
			return nil, err
		}
		if n != p.Count() || check != p.InCheck() {
			return nil, fmt.Errorf("%s: Count is %d, check %v", p.FEN(), n, check)
		}
		if err := c.Stream(order, f); err != nil {
			return nil, err
		}
		words := r.packets.Pop(r.bus.Process())
		streamed := []engine.Move{}
		for i, word := range words {
			if m, ok := driver.Unpack(word); ok {
				streamed = append(streamed, m)
			}
			if last := i == len(words)-1; regmap.CoreMoveLast.Is(word) != last {
				return nil, fmt.Errorf("%s: word %d of %d on the stream is %#08x", p.FEN(), i, len(words), word)
			}
		}
		if diff := cmp.Diff(moves, streamed); diff != "" {
			return nil, fmt.Errorf("%s: stream and FIFO differ:\n%s", p.FEN(), diff)
		}
		if f == driver.All {
			return moves, nil
		}
	}
	return nil, nil
}

// same tells how a list differs from the legal moves that pass a filter.
func same(by string, p *engine.Position, moves []engine.Move, f driver.Filter) error {
	words := func(moves []engine.Move) (all []string) {
		for _, m := range moves {
			all = append(all, fmt.Sprintf("%+v", m))
		}
		slices.Sort(all)
		return all
	}
	due := slices.DeleteFunc(p.AppendMoves(nil), func(m engine.Move) bool {
		next := p.Make(m)
		return f == driver.Captures && m.Captured == engine.NoPiece && m.Promotion == engine.NoPiece || f == driver.Checks && !next.InCheck()
	})
	if diff := cmp.Diff(words(due), words(moves)); diff != "" {
		return fmt.Errorf("%s: the list by way of the %s differs (- due, + listed):\n%s", p.FEN(), by, diff)
	}
	return nil
}

// withSoftware runs software on a rig without model, under the checkers.
func withSoftware(t *testing.T, design sim.Design, cycles int, run func(r *rig) error) {
	sim.ForEach(t, design, func(t *testing.T, d *dut) {
		r, err := newRig(d)
		if err != nil {
			t.Fatal(err)
		}
		r.bus.Go("software", func() error { return run(r) })
		r.Check(t, cycles)
	})
}

// What the driver must say when things go wrong.
func TestDriverErrors(t *testing.T) {
	withSoftware(t, core.Design, 100_000, func(r *rig) error {
		c, err := driver.OpenCore(r.bus)
		if err != nil {
			return err
		}
		if _, err := driver.OpenPerft(r.bus); !errors.Is(err, driver.ErrWrongHardware) || !strings.Contains(err.Error(), `"MOVE"`) {
			t.Errorf("the core opened as a perft engine: %v", err)
		}
		if err := c.Make(engine.Move{}); !errors.Is(err, driver.ErrNoPosition) {
			t.Errorf("a move without position: %v", err)
		}
		if _, err := c.Moves(driver.Plain, driver.All); !errors.Is(err, driver.ErrNoPosition) {
			t.Errorf("a list without position: %v", err)
		}
		if err := c.SetPosition("8/8/8/8/8/8/8/8 w - - 0 1"); err == nil {
			t.Error("an empty board is no position")
		}
		if _, _, err := c.Legal(); !errors.Is(err, driver.ErrTimeout) {
			t.Errorf("a count without list: %v", err)
		}
		start := engine.StartPosition()
		if err := c.SetPosition(start.FEN()); err != nil {
			return err
		}
		if err := c.Make(engine.Move{From: 4, To: 36}); !errors.Is(err, driver.ErrIllegal) || !strings.Contains(err.Error(), "e1e5 is illegal in rnbq") {
			t.Errorf("e1e5: %v", err)
		}
		if err := c.Unmake(); !errors.Is(err, driver.ErrRefused) {
			t.Errorf("unmake of nothing: %v", err)
		}
		for range c.Plies() {
			if err := c.Null(); err != nil {
				return err
			}
		}
		if err := c.Null(); !errors.Is(err, driver.ErrRefused) || !strings.Contains(err.Error(), "64 moves have been made") {
			t.Errorf("a null move too many: %v", err)
		}
		if _, err := c.ReadPosition(); err != nil {
			t.Error(err)
		}
		// Behind the driver's back.
		if err := r.bus.Write32(regmap.CoreUnmake, 0); err != nil {
			return err
		}
		if _, err := c.ReadPosition(); !errors.Is(err, driver.ErrMismatch) {
			t.Errorf("the hardware's game went on, and ReadPosition says: %v", err)
		}
		if err := r.bus.Write32(regmap.CoreNull, 0); err != nil {
			return err
		}
		if err := r.bus.Write32(regmap.CoreNull, 0); err != nil { // refused: the stack is full
			return err
		}
		if err := c.Unmake(); !errors.Is(err, driver.ErrRefused) || !strings.Contains(err.Error(), "no more moves can be taken back") {
			t.Errorf("after a command that the hardware refused: %v", err)
		}
		// Accesses that are none.
		var wrong *simbus.Error
		if _, err := r.bus.Read32(regmap.CoreMake); !errors.As(err, &wrong) || wrong.Resp != axi.SLVERR || !strings.Contains(err.Error(), "(Make of core: W)") {
			t.Errorf("a read of a register to be written: %v", err)
		}
		if err := r.bus.Write32(regmap.CoreStatus, 0); !errors.As(err, &wrong) || !wrong.Write {
			t.Errorf("a write of a register to be read: %v", err)
		}
		return nil
	})
}

// A list on the stream that nobody takes: another is refused, commands go on, abort ends the
// packet.
func TestStreamHeld(t *testing.T) {
	withSoftware(t, core.Design, 100_000, func(r *rig) error {
		c, err := driver.OpenCore(r.bus)
		if err != nil {
			return err
		}
		p := parse(t, special[0])
		if err := c.SetPosition(p.FEN()); err != nil {
			return err
		}
		r.held = true
		if err := c.Stream(driver.Plain, driver.All); err != nil {
			return err
		}
		if err := c.Stream(driver.Plain, driver.All); !errors.Is(err, driver.ErrRefused) || !strings.Contains(err.Error(), "on its way to the stream") {
			t.Errorf("a list while one is on the stream: %v", err)
		}
		if err := c.Null(); err != nil {
			t.Error(err)
		}
		if _, err := c.ReadPosition(); err != nil {
			t.Error(err)
		}
		if err := c.Abort(); err != nil {
			return err
		}
		r.held = false
		words := r.packets.Pop(r.bus.Process())
		last := words[len(words)-1]
		if len(words) > 4 || !regmap.CoreMoveNone.Is(last) || !regmap.CoreMoveLast.Is(last) {
			t.Errorf("the aborted packet is %#x", words)
		}
		if _, err := r.everyList(c, false); err != nil {
			t.Error(err)
		}
		return nil
	})
}

// Positions that are none do not keep the core from working on: whatever a list of theirs is, it
// comes to its end or can be aborted, and the next position is right.
func TestGarbage(t *testing.T) {
	withSoftware(t, core.Design, 1_000_000, func(r *rig) error {
		rng := r.bus.Process().Rand()
		good := parse(t, special[1])
		games := 30
		if r.DUT().Simulator() == sim.Icarus {
			games = 4
		}
		for n := range games {
			for i := range uint32(8) {
				board := rng.Uint32()
				if n == 0 {
					board = 0
				}
				if err := r.bus.Write32(regmap.CoreBoard+4*i, board); err != nil {
					return err
				}
			}
			for _, register := range []uint32{regmap.CorePosition, regmap.CoreClocks, regmap.CoreLoad, regmap.CoreMake, regmap.CoreNull} {
				if err := r.bus.Write32(register, rng.Uint32()); err != nil {
					return err
				}
			}
			if err := r.bus.Write32(regmap.CoreList, rng.Uint32()&^uint32(regmap.CoreListAuto)); err != nil {
				return err
			}
			for range rng.IntN(300) {
				if _, err := r.bus.Read32(regmap.CoreMoves); err != nil {
					return err
				}
			}
			c, err := driver.OpenCore(r.bus) // aborts
			if err != nil {
				return err
			}
			if err := c.SetPosition(good.FEN()); err != nil {
				return err
			}
			for {
				status, err := r.bus.Read32(regmap.CoreStatus)
				if err != nil {
					return err
				}
				if !regmap.CoreStatusListing.Is(status) {
					break
				}
			}
			moves, err := c.Quiescence()
			if err != nil {
				return err
			}
			if err := same("FIFO after garbage", &good, moves, driver.Captures); err != nil {
				return err
			}
		}
		return nil
	})
}

// A generator that never sends its word, by whatever fault: reads that wait for it end, and the
// driver says what is wrong.
func TestSilence(t *testing.T) {
	design := core.Design
	design.Internals = []string{"u_list.move_valid", "u_list.count_valid"}
	sim.ForEach(t, design, func(t *testing.T, d *dut) {
		r, err := newRig(d)
		if err != nil {
			t.Fatal(err)
		}
		r.bus.Go("software", func() error {
			c, err := driver.OpenCore(r.bus)
			if err != nil {
				return err
			}
			start := engine.StartPosition()
			if err := c.SetPosition(start.FEN()); err != nil {
				return err
			}
			if err := d.Force("u_list.move_valid", sim.Bits(1, 0)); err != nil {
				return err
			}
			if err := d.Force("u_list.count_valid", sim.Bits(1, 0)); err != nil {
				return err
			}
			if _, err := c.Moves(driver.Plain, driver.All); !errors.Is(err, driver.ErrTimeout) {
				t.Errorf("a list that does not come: %v", err)
			}
			before := r.bus.Cycle()
			if err := r.bus.Write32(regmap.CoreList, 0); err != nil {
				return err
			}
			if word, err := r.bus.Read32(regmap.CoreMoves); err != nil || word != 0 {
				t.Errorf("Moves reads as %#x, %v", word, err)
			}
			if took := r.bus.Cycle() - before; took < 32 || took > 45 {
				t.Errorf("the read waited until %d cycles after the list began", took)
			}
			if _, _, err := c.Legal(); !errors.Is(err, driver.ErrTimeout) {
				t.Errorf("a count that does not come: %v", err)
			}
			return nil
		})
		r.Check(t, 10_000)
	})
}
