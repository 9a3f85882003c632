package perftcore_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/driver"
	"github.com/cosimate/cosimate/rtl/perftcore"
	"github.com/cosimate/cosimate/rtl/regmap"
	"github.com/cosimate/cosimate/rtl/simbus"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/tb"
	"github.com/cosimate/cosimate/vectors/perft"
)

type dut = sim.DUT[perftcore.In, perftcore.Out]

func seeded(n uint64) *rand.Rand { return rand.New(rand.NewPCG(sim.Seed(), n)) }

// pace is how much everybody takes their time: the share of cycles in which something is not there,
// and of those in which the reset is active.
type pace struct{ gap, busy, reset float64 }

var paces = []pace{{0, 0, 0}, {0.5, 0, 0.0005}, {0, 0.7, 0.001}, {0.4, 0.4, 0.005}, {0.9, 0.1, 0.001}}

// software is stimulus: a program that has the engine count, reads what it counts, and does all
// sorts of things besides, on a bus that keeps the rules. Writes and reads go on independently.
type software struct {
	r      *rand.Rand
	suite  []engine.EPD
	pace   pace
	model  *perftcore.Model
	set    bool // a position was written
	in     perftcore.In
	writes []access // that are to come
	sentA  bool     // the address of the first of them is out
	sentW  bool     // its data are
	reads  []uint32 // and after them what pickRead says
	tape   []perftcore.In
	out    perftcore.Out // of the cycle done last
	seen   map[string]int
}

type access struct {
	address, data uint32
	strobe        uint8
}

func newSoftware(t testing.TB, r *rand.Rand, p pace) *software {
	s := &software{r: r, suite: perft.Suites(), pace: p, model: perftcore.NewModel(), seen: map[string]int{}}
	for _, fen := range []string{ // of every fifth one: what is rare
		"4k2r/8/8/8/8/8/8/R3K3 b Qk - 0 1",
		"rnbqkbnr/pp1ppppp/8/8/2pPP3/5N2/PPP2PPP/RNBQKB1R b KQkq d3 0 3",
		"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
		"rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
	} {
		p, err := engine.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		for range len(perft.Suites()) / 16 {
			s.suite = append(s.suite, engine.EPD{Position: p, FEN: fen})
		}
	}
	return s
}

func (s *software) run(cycles int) []perftcore.In {
	for range cycles {
		s.cycle()
	}
	return s.tape
}

func (s *software) cycle() {
	i := &s.in
	if s.r.Float64() < s.pace.reset {
		s.seen["reset"]++
		s.writes, s.sentA, s.sentW, s.set = nil, false, false, false
		for _, rst := range []bool{true, false} { // and a cycle without requests: the bus' rule
			*i = perftcore.In{Rst: rst}
			s.tape = append(s.tape, *i)
			s.model.Step(*i)
		}
		return
	}
	for len(s.writes) == 0 {
		s.decide()
	}
	w := s.writes[0]
	if !i.Awvalid && !s.sentA && s.r.Float64() >= s.pace.gap {
		i.Awvalid, i.Awaddr = true, uint16(w.address)
	}
	if !i.Wvalid && !s.sentW && s.r.Float64() >= s.pace.gap {
		i.Wvalid, i.Wdata, i.Wstrb = true, w.data, w.strobe
	}
	if !i.Arvalid && s.r.Float64() >= s.pace.gap {
		i.Arvalid, i.Araddr = true, uint16(s.pickRead())
	}
	i.Bready, i.Rready = s.r.Float64() >= s.pace.busy, s.r.Float64() >= s.pace.busy
	s.tape = append(s.tape, *i)
	out := s.model.Step(*i)
	s.out = out
	if out.Rvalid && i.Rready {
		s.seen[fmt.Sprint("read answered ", out.Rresp)]++
	}
	if out.Bvalid && i.Bready {
		s.seen[fmt.Sprint("write answered ", out.Bresp)]++
	}
	if out.Irq {
		s.seen["interrupt"]++
	}
	if i.Awvalid && out.Awready {
		i.Awvalid, s.sentA = false, true
	}
	if i.Wvalid && out.Wready {
		i.Wvalid, s.sentW = false, true
	}
	if s.sentA && s.sentW {
		s.writes, s.sentA, s.sentW = s.writes[1:], false, false
	}
	if i.Arvalid && out.Arready {
		i.Arvalid = false
	}
}

func (s *software) write(address, data uint32) {
	s.writes = append(s.writes, access{address, data, 15})
}

// pause lets time pass: so many writes that do nothing.
func (s *software) pause(writes int) {
	for range writes {
		s.writes = append(s.writes, access{regmap.PerftError, 0, 0})
	}
}

// load writes a position, in any order.
func (s *software) load(p *engine.Position) {
	position, board := words(p)
	all := []access{{regmap.PerftPosition, position | s.r.Uint32()&0xffff0000, 15}}
	for rank, word := range board {
		all = append(all, access{regmap.PerftBoard + 4*uint32(rank), word, 15})
	}
	s.r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	s.writes = append(s.writes, all...)
}

// finish lets the writes that are to come be made, and then some reads.
func (s *software) finish(reads ...uint32) {
	for len(s.writes) > 0 {
		s.cycle()
	}
	s.reads = reads
	for len(s.reads) > 0 {
		s.pause(1)
		s.cycle()
	}
}

// check plays what was done to a DUT.
func (s *software) check(t *testing.T, d *dut) {
	t.Helper()
	if err := s.model.Err(); err != nil {
		t.Fatal(err)
	}
	sim.Check(t, d, perftcore.NewModel(), slices.Values(s.tape))
}

// decide is what is written next.
func (s *software) decide() {
	write := s.write
	job := func() {
		write(regmap.PerftInterruptStatus, s.r.Uint32()|s.r.Uint32())
		depth := []uint32{0, 1, 1, 2, 2, 3}[s.r.IntN(6)]
		write(regmap.PerftStart, s.r.Uint32()&^0x10f|depth|uint32(s.r.IntN(2))<<8)
		s.seen["start"]++
	}
	switch n := s.r.IntN(100); {
	case n < 20 || !s.set && n < 60:
		// The position of another job may be written while one is under way.
		s.load(&s.suite[s.r.IntN(len(s.suite))].Position)
		s.set = true
		job()
	case n < 25:
		if s.set {
			job() // of the same position, and most often while one is under way
		}
	case n < 27:
		s.seen["abort"]++
		write(regmap.PerftAbort, s.r.Uint32())
	case n < 32:
		write(regmap.PerftError, s.r.Uint32())
	case n < 38:
		write(regmap.PerftInterruptEnable, s.r.Uint32())
	case n < 45:
		write(regmap.PerftInterruptStatus, s.r.Uint32())
	case n < 57:
		address := simbus.Near(&regmap.Perft, s.r)
		if r := regmap.Perft.Find(address); r == nil || r.Access == regmap.ReadOnly {
			write(address, s.r.Uint32())
		}
	case n < 60:
		address := []uint32{regmap.PerftStart, regmap.PerftBoard, regmap.PerftPosition, regmap.PerftAbort}[s.r.IntN(4)]
		s.writes = append(s.writes, access{address, s.r.Uint32(), uint8(s.r.IntN(15))})
	default: // time passes
		s.pause(s.r.IntN(20))
	}
}

// words are what is written for a position, made of its FEN record.
func words(p *engine.Position) (position uint32, board [8]uint32) {
	f := strings.Fields(p.FEN())
	for n, row := range strings.Split(f[0], "/") {
		file := 0
		for _, c := range row {
			if '1' <= c && c <= '8' {
				file += int(c - '0')
				continue
			}
			board[7-n] |= uint32(strings.IndexRune(".PNBRQK..pnbrqk", c)) << (4 * file)
			file++
		}
	}
	for i, right := range "KQkq" {
		if strings.ContainsRune(f[2], right) {
			position |= 1 << i
		}
	}
	if f[1] == "b" {
		position |= 1 << 4
	}
	if f[3] != "-" {
		position |= 1 << (8 + f[3][0] - 'a')
	}
	return position, board
}

// pickRead is what is read next.
func (s *software) pickRead() uint32 {
	if len(s.reads) > 0 {
		address := s.reads[0]
		s.reads = s.reads[1:]
		return address
	}
	switch n := s.r.IntN(20); {
	case n < 2:
		return simbus.Near(&regmap.Perft, s.r)
	case n < 8:
		return 4 * uint32(s.r.IntN(16))
	default:
		return regmap.PerftCountLow + 4*uint32(s.r.IntN(7))
	}
}

// Jobs with everything on the bus at every pace, with resets and aborts: every output in every
// cycle.
func TestModel(t *testing.T) {
	seen := map[string]int{}
	for n, p := range paces {
		t.Run(fmt.Sprintf("%+v", p), func(t *testing.T) {
			s := newSoftware(t, seeded(uint64(n)), p)
			tape := s.run(20_000)
			if err := s.model.Err(); err != nil {
				t.Fatal(err)
			}
			for what, count := range s.seen {
				seen[what] += count
			}
			sim.ForEach(t, perftcore.Design, func(t *testing.T, d *dut) {
				in := tape
				if d.Simulator() == sim.Icarus {
					in = in[:2000]
				}
				sim.Check(t, d, perftcore.NewModel(), slices.Values(in))
			})
		})
	}
	for _, what := range []string{"start", "abort", "reset", "read answered 0", "read answered 2", "write answered 0", "write answered 2", "interrupt"} {
		if seen[what] < 3 {
			t.Errorf("%s: seen %d times", what, seen[what])
		}
	}
}

// All addresses are written that must do nothing, and all are read: while a job is under way and
// another one was refused. What comes of the next job shows whether its position was written.
func TestAddresses(t *testing.T) {
	sim.ForEach(t, perftcore.Design, func(t *testing.T, d *dut) {
		// Without pauses all takes an even number of cycles, and a register that a fault flips in
		// each cycle has its value again.
		s := newSoftware(t, seeded(200), pace{gap: 0.3})
		p, err := engine.ParseFEN("r3k2r/p7/8/8/8/8/8/R3K2R w KQkq - 0 1")
		if err != nil {
			t.Fatal(err)
		}
		s.load(&p)
		step := uint32(4)
		if d.Simulator() == sim.Icarus {
			step *= 64
		}
		for address := step / 4 * uint32(s.r.IntN(4)) &^ 3; address < regmap.Window; address += step {
			s.write(regmap.PerftInterruptEnable, s.r.Uint32())
			s.write(regmap.PerftStart, 2+uint32(s.r.IntN(14))|1<<8)
			s.write(regmap.PerftStart, s.r.Uint32())
			if r := regmap.Perft.Find(address); r == nil || r.Access == regmap.ReadOnly {
				s.write(address, s.r.Uint32())
				s.seen["written"]++
			}
			s.pause(5)
			s.finish(address, regmap.PerftError, regmap.PerftInterruptEnable, regmap.PerftInterruptStatus, regmap.PerftStart, regmap.PerftStatus)
			s.write(regmap.PerftAbort, 0)
			s.write(regmap.PerftError, 0)
			s.write(regmap.PerftInterruptStatus, 7)
			s.write(regmap.PerftStart, 1)
			s.pause(10)
			s.finish(address, regmap.PerftCountLow)
		}
		t.Logf("%d cycles, %d addresses written", len(s.tape), s.seen["written"])
		s.check(t, d)
	})
}

// enPassant is a position after a double step, with pawns beside it that could capture others in
// passing if these had made it.
func enPassant(r *rand.Rand) string {
	rank, file := []byte("........"), r.IntN(8)
	for i := range rank {
		rank[i] = "pPpPn"[r.IntN(5)]
	}
	rank[file] = 'p'
	if r.IntN(2) == 0 {
		return fmt.Sprintf("4k3/8/8/%s/8/8/8/4K3 w - %c6 0 1", rank, 'a'+file)
	}
	for i, c := range rank {
		rank[i] = c ^ 'p' ^ 'P' // the other case
	}
	return fmt.Sprintf("4k3/8/8/8/%s/8/8/4K3 b - %c3 0 1", rank, 'a'+file)
}

// Each right to castle, each file of en passant, and all that a fault could make of them: positions
// in which one right more or fewer, or another file, is another number of moves.
func TestRights(t *testing.T) {
	r := seeded(300)
	var fens []string
	for rights := range 32 {
		text := ""
		for i, right := range "KQkq" {
			if rights>>i&1 != 0 {
				text += string(right)
			}
		}
		if text == "" {
			text = "-"
		}
		fens = append(fens, fmt.Sprintf("r3k2r/8/8/8/8/8/8/R3K2R %c %s - 0 1", "wb"[rights>>4], text))
	}
	for range 600 {
		fens = append(fens, enPassant(r))
	}
	sim.ForEach(t, perftcore.Design, func(t *testing.T, d *dut) {
		s := newSoftware(t, seeded(301), pace{gap: 0.3}) // see TestAddresses
		s.write(regmap.PerftInterruptEnable, uint32(regmap.PerftInterruptsDone))
		for i, fen := range fens {
			if d.Simulator() == sim.Icarus && i%32 != int(sim.Seed()%32) {
				continue
			}
			p, err := engine.ParseFEN(fen)
			if err != nil {
				t.Fatal(err)
			}
			s.load(&p)
			s.write(regmap.PerftInterruptStatus, 7)
			s.write(regmap.PerftStart, 2)
			s.pause(30)
			s.finish(regmap.PerftCountLow)
			if !s.out.Irq {
				t.Fatalf("%s: the job is not done", fen)
			}
		}
		s.check(t, d)
	})
}

// withSoftware runs software on the engine, under the checkers of the bus.
func withSoftware(t *testing.T, cycles int, gap, busy float64, run func(bus *simbus.Bus, d *dut) error) {
	sim.ForEach(t, perftcore.Design, func(t *testing.T, d *dut) {
		b := tb.New(d)
		bus, err := simbus.New(b, &b.In.Rst, &b.Out.Irq)
		if err != nil {
			t.Fatal(err)
		}
		bus.Manager.Gap, bus.Manager.Busy = gap, busy
		bus.Go("software", func() error { return run(bus, d) })
		b.Check(t, cycles)
	})
}

// polled is a bus without its interrupt.
type polled struct{ driver.Bus }

// Published counts through the driver, by interrupt and by polling, with and without root moves.
func TestDriver(t *testing.T) {
	suite := perft.Suites()
	for _, p := range []pace{{0, 0, 0}, {0.3, 0.3, 0}} {
		t.Run(fmt.Sprintf("%+v", p), func(t *testing.T) {
			withSoftware(t, 10_000_000, p.gap, p.busy, func(bus *simbus.Bus, d *dut) error {
				jobs, nodes := 30, uint64(200_000)
				if d.Simulator() == sim.Icarus {
					jobs, nodes = 5, 3000
				}
				for n := range jobs {
					var on driver.Bus = bus
					if n%2 == 0 {
						on = polled{bus}
					}
					e, err := driver.OpenPerft(on)
					if err != nil {
						return err
					}
					entry := suite[bus.Process().Rand().IntN(len(suite))]
					for _, c := range entry.Counts {
						if c.Nodes > nodes {
							break
						}
						if err := counts(e, entry, c); err != nil {
							return err
						}
					}
				}
				return nil
			})
		})
	}
}

// counts compares a count with what was published, and its root moves with the reference's.
func counts(e *driver.Perft, entry engine.EPD, c engine.DepthCount) error {
	ctx := context.Background()
	plain, err := e.Count(ctx, entry.FEN, c.Depth)
	if err != nil {
		return err
	}
	divided, err := e.Divide(ctx, entry.FEN, c.Depth)
	if err != nil {
		return err
	}
	if plain.Nodes != c.Nodes || divided.Nodes != c.Nodes || plain.Divide != nil || plain.Cycles == 0 {
		return fmt.Errorf("%s, depth %d: %+v, by root moves %d; published are %d", entry.FEN, c.Depth, plain, divided.Nodes, c.Nodes)
	}
	p := entry.Position
	want, err := engine.Divide(ctx, &p, c.Depth, 1)
	if err != nil {
		return err
	}
	if diff := cmp.Diff(byName(want), byName(divided.Divide)); diff != "" {
		return fmt.Errorf("%s, depth %d: root moves differ (- due, + counted):\n%s", entry.FEN, c.Depth, diff)
	}
	return nil
}

func byName(all []engine.RootCount) map[string]uint64 {
	named := map[string]uint64{}
	for _, r := range all {
		named[fmt.Sprintf("%+v", r.Move)] += r.Nodes
	}
	return named
}

// deadline is a context that ends in a cycle: unlike a time, it is the same in each run.
type deadline struct {
	context.Context
	bus   *simbus.Bus
	cycle int
}

func (d deadline) Err() error {
	if d.bus.Cycle() < d.cycle {
		return nil
	}
	return context.DeadlineExceeded
}

// What the driver must say when things go wrong, and that the engine goes on after it.
func TestDriverErrors(t *testing.T) {
	withSoftware(t, 1_000_000, 0, 0, func(bus *simbus.Bus, d *dut) error {
		if _, err := driver.OpenCore(bus); !errors.Is(err, driver.ErrWrongHardware) || !strings.Contains(err.Error(), `"PRFT"`) {
			t.Errorf("the engine opened as a core: %v", err)
		}
		e, err := driver.OpenPerft(bus)
		if err != nil {
			return err
		}
		ctx, start := context.Background(), engine.StartPosition()
		if _, err := e.Count(ctx, start.FEN(), 16); err == nil || !strings.Contains(err.Error(), "0 to 15 plies, not 16") {
			t.Errorf("depth 16: %v", err)
		}
		if _, err := e.Count(ctx, "nonsense", 1); err == nil {
			t.Error("nonsense was counted")
		}
		// A job that takes longer than its caller has: ended, by interrupt and by polling.
		for _, on := range []driver.Bus{bus, polled{bus}} {
			e, err := driver.OpenPerft(on)
			if err != nil {
				return err
			}
			_, err = e.Count(deadline{ctx, bus, bus.Cycle() + 1000}, start.FEN(), 15)
			if !errors.Is(err, driver.ErrTimeout) || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("15 plies in 1000 cycles: %v", err)
			}
			if r, err := e.Divide(ctx, start.FEN(), 1); err != nil || r.Nodes != 20 || len(r.Divide) != 20 {
				t.Errorf("after it: %+v, %v", r, err)
			}
		}
		// Somebody else's job.
		if err := bus.Write32(regmap.PerftStart, 15); err != nil {
			return err
		}
		if _, err := e.Count(ctx, start.FEN(), 1); !errors.Is(err, driver.ErrRefused) {
			t.Errorf("a job beside another: %v", err)
		}
		if err := e.Abort(); err != nil {
			return err
		}
		if r, err := e.Count(ctx, start.FEN(), 2); err != nil || r.Nodes != 400 {
			t.Errorf("after an abort: %+v, %v", r, err)
		}
		return nil
	})
}
