package zedboard_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/axi3"
	"github.com/cosimate/cosimate/rtl/driver"
	"github.com/cosimate/cosimate/rtl/regmap"
	"github.com/cosimate/cosimate/rtl/zedboard"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/axi"
	"github.com/cosimate/cosimate/sim/tb"
)

// port is the processors' AXI3 port. It makes one burst at a time, with random pauses.
type port struct {
	in        *zedboard.In
	out       *zedboard.Out
	next      func() // plays a cycle
	fail      func(format string, a ...any)
	r         *rand.Rand
	gap, busy float64
	id        uint16
}

// bound is how many cycles a burst may take.
const bound = 2000

func (m *port) chance(f float64) bool { return f > 0 && m.r.Float64() < f }

// write writes a burst of words.
func (m *port) write(address uint32, strobe uint8, words ...uint32) axi.Resp {
	i, o := m.in, m.out
	m.id = (m.id + 1) & 0xfff
	sent, next := false, 0
	for range bound {
		if !sent && !i.Awvalid && !m.chance(m.gap) {
			i.Awvalid, i.Awid, i.Awaddr, i.Awlen, i.Awsize, i.Awburst = true, m.id, address, uint8(len(words)-1), 2, axi3.Incr
		}
		if next < len(words) && !i.Wvalid && !m.chance(m.gap) {
			i.Wvalid, i.Wdata, i.Wstrb = true, words[next], strobe
		}
		i.Bready = !m.chance(m.busy)
		m.next()
		if i.Awvalid && o.Awready {
			i.Awvalid, sent = false, true
		}
		if i.Wvalid && o.Wready {
			i.Wvalid = false
			next++
		}
		if o.Bvalid && i.Bready {
			i.Bready = false
			if o.Bid != m.id || !sent || next < len(words) {
				m.fail("a response to burst %#x, under way is %#x; the address was taken: %v, and %d of %d words", o.Bid, m.id, sent, next, len(words))
			}
			return axi.Resp(o.Bresp)
		}
	}
	m.fail("no response to the write at %#x", address)
	return axi.Aborted
}

// read reads a burst of words, and returns the worst response.
func (m *port) read(address uint32, n int) (words []uint32, worst axi.Resp) {
	i, o := m.in, m.out
	m.id = (m.id + 1) & 0xfff
	sent := false
	for range bound {
		if !sent && !i.Arvalid && !m.chance(m.gap) {
			i.Arvalid, i.Arid, i.Araddr, i.Arlen, i.Arsize, i.Arburst = true, m.id, address, uint8(n-1), 2, axi3.Incr
		}
		i.Rready = !m.chance(m.busy)
		m.next()
		if i.Arvalid && o.Arready {
			i.Arvalid, sent = false, true
		}
		if o.Rvalid && i.Rready {
			words, worst = append(words, o.Rdata), max(worst, axi.Resp(o.Rresp))
			if o.Rid != m.id || o.Rlast != (len(words) == n) {
				m.fail("word %d of %d has ID %#x and RLAST %v, under way is %#x", len(words), n, o.Rid, o.Rlast, m.id)
			}
			if o.Rlast {
				i.Rready = false
				return words, worst
			}
		}
	}
	m.fail("the read at %#x did not come to its end", address)
	return nil, axi.Aborted
}

// window is the registers of one core, as a driver.Bus.
type window struct {
	*port
	base uint32
	irq  uint8
}

func (w window) Read32(address uint32) (uint32, error) {
	words, resp := w.read(w.base+address, 1)
	if resp != axi.OKAY {
		return 0, fmt.Errorf("read at %#x: %v", w.base+address, resp)
	}
	return words[0], nil
}

func (w window) Write32(address, data uint32) error {
	if resp := w.write(w.base+address, 15, data); resp != axi.OKAY {
		return fmt.Errorf("write at %#x: %v", w.base+address, resp)
	}
	return nil
}

func (w window) WaitInterrupt(ctx context.Context) error {
	for range 100_000 {
		if w.next(); w.out.Irq&w.irq != 0 {
			return context.Cause(ctx)
		}
	}
	return fmt.Errorf("no interrupt %d in 100 000 cycles", w.irq)
}

// withPort runs software on the processors' port.
func withPort(t *testing.T, gap, busy float64, run func(m *port, core, perft window) error) {
	sim.ForEach(t, zedboard.System, func(t *testing.T, d *sim.DUT[zedboard.In, zedboard.Out]) {
		b := tb.New(d)
		reset := &tb.Reset{Bit: &b.In.Rst}
		m := &port{in: &b.In, out: &b.Out, gap: gap, busy: busy}
		b.Go("software", func(p *tb.Process) {
			m.next, m.fail, m.r = func() { p.Next() }, p.Failf, p.Rand()
			reset.Hold(p)
			if err := run(m, m.window(0), m.window(1)); err != nil {
				p.Fail(err)
			}
		})
		b.Check(t, 1_000_000)
	})
}

// window returns the registers of the core, which are the first ones, or of the perft engine.
func (m *port) window(n int) window {
	return window{m, zedboard.Base + uint32(n)*regmap.Window, 1 << n}
}

const kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

// The drivers of both cores work through the processors' port.
func TestDrivers(t *testing.T) {
	for _, pace := range []struct{ gap, busy float64 }{{0, 0}, {0.4, 0.4}} {
		t.Run(fmt.Sprintf("%+v", pace), func(t *testing.T) {
			withPort(t, pace.gap, pace.busy, func(m *port, core, perft window) error {
				c, err := driver.OpenCore(core)
				if err != nil {
					return err
				}
				e, err := driver.OpenPerft(perft)
				if err != nil {
					return err
				}
				if err := c.SetPosition(kiwipete); err != nil {
					return err
				}
				moves, err := c.Moves(driver.LeastAggressor, driver.All)
				if err != nil || len(moves) != 48 {
					return fmt.Errorf("%d moves, %w", len(moves), err)
				}
				if err := c.WaitListed(context.Background()); err != nil {
					return err
				}
				if err := c.Make(moves[0]); err != nil {
					return err
				}
				if _, err := c.ReadPosition(); err != nil {
					return err
				}
				r, err := e.Divide(context.Background(), kiwipete, 2)
				if err != nil || r.Nodes != 2039 || len(r.Divide) != 48 {
					return fmt.Errorf("%+v, %w", r, err)
				}
				return nil
			})
		})
	}
}

// How many bits the counters of the lights have in TestModel, so that they end.
const blinkBits, busyBits = 4, 3

// Software plays on both cores at once, at any pace, with bursts, errors and resets in between: all
// outputs in each cycle, the lights among them.
func TestModel(t *testing.T) {
	for n, pace := range []struct{ gap, busy float64 }{{0, 0}, {0.5, 0.3}, {0.1, 0.8}} {
		t.Run(fmt.Sprintf("%+v", pace), func(t *testing.T) {
			var in zedboard.In
			var out zedboard.Out
			var tape []zedboard.In
			model := zedboard.NewModel(blinkBits, busyBits)
			m := &port{in: &in, out: &out, gap: pace.gap, busy: pace.busy, r: rand.New(rand.NewPCG(sim.Seed(), uint64(n)))}
			m.next = func() { tape, out = append(tape, in), model.Step(in) }
			m.fail = t.Fatalf
			for range 3 {
				if err := m.play(5000); err != nil {
					t.Fatal(err)
				}
				for range 30 + m.r.IntN(8) { // LD3 goes out
					m.next()
				}
				in = zedboard.In{Rst: true}
				m.next()
				in = zedboard.In{}
				m.next()
			}
			if err := model.Err(); err != nil {
				t.Fatal(err)
			}
			design := zedboard.System
			design.Params = map[string]string{"BlinkBits": fmt.Sprint(blinkBits), "BusyBits": fmt.Sprint(busyBits)}
			sim.ForEach(t, design, func(t *testing.T, d *sim.DUT[zedboard.In, zedboard.Out]) {
				all := tape
				if d.Simulator() == sim.Icarus {
					all = all[:1500]
				}
				sim.Check(t, d, zedboard.NewModel(blinkBits, busyBits), slices.Values(all))
			})
		})
	}
}

// play uses both cores for so many cycles at least.
func (m *port) play(cycles int) error {
	at := 0
	next := m.next
	m.next = func() { at++; next() }
	defer func() { m.next = next }()
	core, perft := m.window(0), m.window(1)
	positions := []string{
		kiwipete, "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
		"rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
	}
	for at < cycles {
		c, err := driver.OpenCore(core)
		if err != nil {
			return err
		}
		if err := c.SetPosition(positions[m.r.IntN(len(positions))]); err != nil {
			return err
		}
		p, err := engine.ParseFEN(positions[m.r.IntN(len(positions))])
		if err != nil {
			return err
		}
		if err := driver.WritePosition(perft, &regmap.Perft, &p); err != nil {
			return err
		}
		for range 40 {
			w, all := core, &regmap.Core
			if m.r.IntN(2) == 0 {
				w, all = perft, &regmap.Perft
			}
			switch m.r.IntN(8) {
			case 0: // begin, and look later
				m.write(perft.base+regmap.PerftStart, 15, uint32(1+m.r.IntN(2)))
			case 1: // to the FIFO, or to the stream, which nobody reads
				m.write(core.base+regmap.CoreList, 15, m.r.Uint32()&^uint32(regmap.CoreListAuto))
			case 2:
				m.write(core.base+regmap.CoreAbort, 15, 0)
			case 3: // any burst of reads
				m.read(w.base+4*m.r.Uint32N(2*regmap.Window/4), 1+m.r.IntN(16))
			case 4:
				m.write(w.base+4*uint32(m.r.IntN(4)), uint8(m.r.IntN(16)), m.r.Uint32(), m.r.Uint32())
			case 5:
				address := []uint32{regmap.CoreInterruptEnable, regmap.CoreInterruptStatus}[m.r.IntN(2)]
				if all == &regmap.Perft {
					address = []uint32{regmap.PerftInterruptEnable, regmap.PerftInterruptStatus}[m.r.IntN(2)]
				}
				m.write(w.base+address, 15, m.r.Uint32())
			case 6:
				m.read(w.base, 16)
			case 7:
				for range m.r.IntN(30) {
					m.next()
				}
			}
		}
	}
	return nil
}

// A list is read in bursts, of as many words as one instruction loads.
func TestBursts(t *testing.T) {
	withPort(t, 0.2, 0.2, func(m *port, core, perft window) error {
		c, err := driver.OpenCore(core)
		if err != nil {
			return err
		}
		start := engine.StartPosition()
		if err := c.SetPosition(start.FEN()); err != nil {
			return err
		}
		if err := core.Write32(regmap.CoreList, 0); err != nil {
			return err
		}
		var listed []string
		for len(listed) < 20 {
			words, resp := m.read(zedboard.Base+regmap.CoreMoves+4*uint32(len(listed)), 8)
			if resp != axi.OKAY {
				return fmt.Errorf("the burst was answered %v", resp)
			}
			for _, word := range words {
				if m, ok := driver.Unpack(word); ok {
					listed = append(listed, m.String())
				}
			}
		}
		const want = "[b1a3 a2a3 b2b3 b1c3 c2c3 d2d3 e2e3 g1f3 f2f3 g2g3 g1h3 h2h3 a2a4 b2b4 c2c4 d2d4 e2e4 f2f4 g2g4 h2h4]"
		if got := fmt.Sprint(listed); len(listed) != 20 || !sameMoves(got, want) {
			return fmt.Errorf("the list is %s, due are %s", got, want)
		}
		// The board is written in one burst, and read in one.
		board := []uint32{0x00000006, 0, 0, 0, 0, 0, 0, 0x000000e0}
		if resp := m.write(zedboard.Base+regmap.CoreBoard, 15, board...); resp != axi.OKAY {
			return fmt.Errorf("the burst of the board was answered %v", resp)
		}
		for _, w := range []struct{ address, data uint32 }{{regmap.CorePosition, 0}, {regmap.CoreClocks, 1 << 16}, {regmap.CoreLoad, 0}} {
			if err := core.Write32(w.address, w.data); err != nil {
				return err
			}
		}
		if words, resp := m.read(zedboard.Base+regmap.CoreBoard, 8); resp != axi.OKAY || fmt.Sprint(words) != fmt.Sprint(board) {
			return fmt.Errorf("the board reads as %#x, %v", words, resp)
		}
		return nil
	})
}

// sameMoves reports whether two lists have the same moves.
func sameMoves(a, b string) bool {
	count := map[string]int{}
	for _, m := range strings.Fields(strings.Trim(a, "[]")) {
		count[m]++
	}
	for _, m := range strings.Fields(strings.Trim(b, "[]")) {
		count[m]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

// Accesses to addresses without a register, and writes of parts of registers, are answered with
// errors. Accesses after them still work.
func TestErrors(t *testing.T) {
	withPort(t, 0, 0, func(m *port, core, perft window) error {
		for _, c := range []struct {
			what string
			got  axi.Resp
			want axi.Resp
		}{
			{"a write beyond the windows", m.write(zedboard.Base+2*regmap.Window, 15, 1, 2, 3), axi.DECERR},
			{"a write to Identity", m.write(zedboard.Base+regmap.CoreIdentity, 15, 0), axi.SLVERR},
			{"a write of one byte", m.write(zedboard.Base+regmap.CoreClocks, 1, 0), axi.SLVERR},
			{"a burst of which one word is for no register", m.write(zedboard.Base+regmap.CorePublishedCommand-4, 15, 0, 1<<27, 0, 0), axi.SLVERR},
		} {
			if c.got != c.want {
				t.Errorf("%s was answered %v, want %v", c.what, c.got, c.want)
			}
		}
		if words, resp := m.read(zedboard.Base+15*regmap.Window, 4); resp != axi.DECERR || len(words) != 4 {
			t.Errorf("a read beyond the windows gave %#x, %v", words, resp)
		}
		if words, resp := m.read(zedboard.Base+regmap.CoreLoad, 2); resp != axi.SLVERR || len(words) != 2 {
			t.Errorf("a read of Load and Make gave %#x, %v", words, resp)
		}
		if _, err := driver.OpenPerft(core); !errors.Is(err, driver.ErrWrongHardware) {
			t.Errorf("the core opened as a perft engine: %v", err)
		}
		_, err := driver.OpenPerft(perft)
		return err
	})
}

// overlay is a file system with one file replaced.
type overlay struct {
	fs.FS
	name, path string
}

func (o overlay) Open(name string) (fs.File, error) {
	if name == o.name {
		return os.Open(o.path)
	}
	return o.FS.Open(name)
}

// The wires of the top are right: a program in the place of the processors works on both cores. LD1
// shows the core's interrupt, LD2 the perft engine's, and LD3 transfers.
func TestTop(t *testing.T) {
	design := zedboard.Design
	design.FS = overlay{design.FS, "zedboard/ps7_blackbox.sv", filepath.Join("testdata", "ps7_program.sv")}
	design.Internals = []string{"u_ps7.core_identity_q", "u_ps7.perft_identity_q", "u_ps7.irq_q", "u_ps7.wrong_q", "u_ps7.step_q"}
	type out struct {
		Led uint8 `port:"led_o"`
	}
	sim.ForEach(t, design, func(t *testing.T, d *sim.DUT[struct{}, out]) {
		var last out
		for range 600 {
			var err error
			if last, err = d.Step(struct{}{}); err != nil {
				t.Fatal(err)
			}
		}
		for name, want := range map[string]uint64{
			"core_identity_q": regmap.CoreIdentityValue, "perft_identity_q": regmap.PerftIdentityValue,
			"irq_q": 3, "wrong_q": 0, "step_q": 8,
		} {
			if v, err := d.Peek("u_ps7." + name); err != nil || v.Uint64() != want {
				t.Errorf("%s is %#x, %v; want %#x", name, v.Uint64(), err, want)
			}
		}
		if last.Led != 0b1110 {
			t.Errorf("the lights are %08b, want 00001110", last.Led)
		}
	})
}

// Every pin of the top has its location and its I/O standard in the constraints, once.
func TestConstraints(t *testing.T) {
	text, err := os.ReadFile("zedboard.xdc")
	if err != nil {
		t.Fatal(err)
	}
	pins := []string{"clk_i"}
	for n := range 8 {
		pins = append(pins, fmt.Sprintf("led_o[%d]", n))
	}
	places := map[string]bool{}
	for _, pin := range pins {
		loc := regexp.MustCompile(`set_property LOC (\w+) \[get_ports `+regexp.QuoteMeta(pin)+`\]`).FindAllStringSubmatch(string(text), -1)
		standard := strings.Count(string(text), "set_property IOSTANDARD LVCMOS33 [get_ports "+pin+"]")
		if len(loc) != 1 || standard != 1 || places[loc[0][1]] {
			t.Errorf("%s has the places %q and %d standards", pin, loc, standard)
			continue
		}
		places[loc[0][1]] = true
	}
}
