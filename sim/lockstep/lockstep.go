// Package lockstep runs a design whose ports are known only at run time, in several simulators at
// once, and compares their outputs in every cycle. There is no model: what the simulators do not
// agree on is wrong. Package vectors plays scenarios for anybody's RTL with it.
//
//	b, err := lockstep.Open(ctx, design, sim.Simulators, lockstep.Options{})
//	in := make([]byte, n*b.Layout().InSize)
//	done, err := b.Play(in, n)
//	if d, ok := errors.AsType[*lockstep.Difference](err); ok {
//		fmt.Println(d.Text(false))
//	}
//
// Bits that are X or Z in Icarus are not compared: Verilator has no unknown values.
package lockstep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"
	"golang.org/x/sync/errgroup"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/icarus"
	"github.com/cosimate/cosimate/bridge/verilator"
	"github.com/cosimate/cosimate/sim"
)

// Options are choices of a bench. The zero value is a good one.
type Options struct {
	Seed    uint64        // of power-up values under Verilator; 0 means 1
	Timeout time.Duration // of a cycle, as in [bridge.Options]
	// Logger is given what the RTL prints. Nil means hclog's default logger.
	Logger hclog.Logger
	// Coverage counts code coverage under Verilator.
	Coverage bool
	// Toggles makes Coverage count changes of each bit, too.
	Toggles bool
	// Waves has what is recorded in simulators. A model with waves serves one bench.
	Waves map[sim.Simulator]bridge.Wave
	// Errors has $error and failed assertions logged only. Without it they end a run.
	Errors bool
}

// Model is a design compiled in several simulators. Any number of benches can be made of it.
type Model struct {
	design sim.Design
	clocks []bridge.Clock
	opts   Options
	models []built

	mu     sync.Mutex
	warned map[string]bool // what the compilers warned of, and was logged
}

type built struct {
	simulator sim.Simulator
	model     bridge.Model
}

// Build compiles a design in the simulators, or finds it compiled.
func Build(ctx context.Context, d sim.Design, sims []sim.Simulator, o Options) (*Model, error) {
	clocks, err := d.AllClocks()
	if err != nil {
		return nil, err
	}
	m := &Model{design: d, clocks: clocks, opts: o, models: make([]built, len(sims))}
	if len(sims) == 0 {
		return nil, errors.New("no simulator is named")
	}
	g, gctx := errgroup.WithContext(ctx)
	for i, s := range sims {
		g.Go(func() (err error) {
			m.models[i].simulator = s
			_, waves := o.Waves[s]
			switch s {
			case sim.Icarus:
				m.models[i].model, err = icarus.Build(gctx, d, bridge.BuildOptions{Wave: waves})
			case sim.Verilator:
				m.models[i].model, err = verilator.Build(gctx, d, bridge.BuildOptions{Coverage: o.Coverage, Toggles: o.Coverage && o.Toggles, Wave: waves})
			default:
				_, err = sim.ParseSimulator(string(s))
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	first := m.models[0].model.Layout()
	for _, b := range m.models[1:] {
		if l := b.model.Layout(); !slices.EqualFunc(l.Inputs, first.Inputs, samePort) || !slices.EqualFunc(l.Outputs, first.Outputs, samePort) {
			return nil, fmt.Errorf("the simulators do not agree on the ports of %s: %s sees %s, %s sees %s", d.Top, m.models[0].simulator, ports(first), b.simulator, ports(l))
		}
	}
	return m, nil
}

func samePort(a, b bridge.Port) bool { return a.Name == b.Name && a.Width == b.Width }

func ports(l *bridge.Layout) string { return bridge.Names(slices.Concat(l.Inputs, l.Outputs)) }

// Layout returns the shape of rows.
func (m *Model) Layout() *bridge.Layout { return m.models[0].model.Layout() }

// Bench is an instance of a design in each simulator. It is not safe for concurrent use.
type Bench struct {
	ctx    context.Context
	model  *Model
	layout *bridge.Layout
	sides  []*side
	cycle  uint64
	most   int
	past   []moment // the last cycles
}

// side is an instance in one simulator.
type side struct {
	simulator sim.Simulator
	instance  bridge.Instance
	out       []byte
	unknown   []byte // nil if there are no unknown values
	now, nowU []byte // as Settle has left it
	done      int    // rows of the last run
	logger    hclog.Logger
}

// moment is a cycle that was played.
type moment struct {
	cycle   uint64
	in      []byte
	outputs [][2][]byte // values and unknown bits, for each side
}

// shown is how many cycles the waveform of a report has.
const shown = 20

// Start makes a bench. The context bounds its life. Close must be called.
func (m *Model) Start(ctx context.Context) (*Bench, error) {
	l := m.Layout()
	b := &Bench{ctx: ctx, model: m, layout: l, most: bridge.MaxRows(l)}
	logger := m.opts.Logger
	if logger == nil {
		logger = hclog.Default()
	}
	for _, built := range m.models {
		i, err := built.model.Start(bridge.Options{Seed: cmp.Or(m.opts.Seed, 1), Timeout: m.opts.Timeout, Wave: m.opts.Waves[built.simulator]})
		if err != nil {
			b.Close()
			return nil, err
		}
		s := &side{simulator: built.simulator, instance: i, out: make([]byte, b.most*l.OutSize), now: make([]byte, l.OutSize), logger: logger.Named(string(built.simulator))}
		if built.simulator == sim.Icarus {
			s.unknown, s.nowU = make([]byte, b.most*l.OutSize), make([]byte, l.OutSize)
		}
		b.sides = append(b.sides, s)
	}
	return b, nil
}

// Open compiles a design and makes a bench.
func Open(ctx context.Context, d sim.Design, sims []sim.Simulator, o Options) (*Bench, error) {
	m, err := Build(ctx, d, sims, o)
	if err != nil {
		return nil, err
	}
	return m.Start(ctx)
}

// Close ends the simulations.
func (b *Bench) Close() error {
	var errs []error
	for _, s := range b.sides {
		errs = append(errs, s.instance.Close())
		b.log(s, s.instance.Messages())
	}
	return errors.Join(errs...)
}

// Layout returns the shape of rows.
func (b *Bench) Layout() *bridge.Layout { return b.layout }

// Most returns how many rows Play takes at most.
func (b *Bench) Most() int { return b.most }

// Cycle returns the number of cycles done.
func (b *Bench) Cycle() uint64 { return b.cycle }

// Simulators returns the simulators, in the order of columns.
func (b *Bench) Simulators() (names []sim.Simulator) {
	for _, s := range b.sides {
		names = append(names, s.simulator)
	}
	return names
}

// Instance returns a simulator's instance, for its coverage. It must not be run.
func (b *Bench) Instance(i int) bridge.Instance { return b.sides[i].instance }

// Outputs returns the outputs of a row of the last Play in a simulator, and their unknown bits, nil
// if it has none. They are valid until the next Play.
func (b *Bench) Outputs(i, row int) (out, unknown []byte) {
	s, n := b.sides[i], b.layout.OutSize
	if s.unknown != nil {
		unknown = s.unknown[row*n : (row+1)*n]
	}
	return s.out[row*n : (row+1)*n], unknown
}

// Play plays rows of inputs as cycles in all simulators at the same time, and returns how many were
// played in which the simulators agree. The error is a *[Difference] for the row after these, or
// what ended the run: a *[sim.MessageError] for $error and failed assertions, a
// *[bridge.StopError], or an error of a simulator. After a Difference or a MessageError the bench
// can go on only in [Bench.Wave] and Close.
func (b *Bench) Play(in []byte, n int) (int, error) {
	if n > b.most || len(in) < n*b.layout.InSize {
		return 0, fmt.Errorf("%d rows cannot be played: at most %d of %d bytes each", n, b.most, b.layout.InSize)
	}
	errs := make([]error, len(b.sides))
	if len(b.sides) == 1 || n == 1 {
		for i := range b.sides {
			errs[i] = b.run(i, in, n)
		}
	} else {
		var g errgroup.Group
		for i := range b.sides {
			g.Go(func() error { errs[i] = b.run(i, in, n); return nil })
		}
		g.Wait()
	}
	played, good := n, n // rows that all have sampled, and those before an error
	var err error
	for i, e := range errs {
		done := b.sides[i].done
		played = min(played, done)
		if at, ok := happened(e); ok {
			done = min(done, int(max(at, b.cycle)-b.cycle))
		}
		if e != nil && (err == nil || done < good) {
			err = e
		}
		good = min(good, done)
	}
	if row, differ := b.differs(min(played, good+1)); differ {
		good = row
		b.keep(in, row+1)
		err = b.difference(row)
	} else {
		b.keep(in, min(good+1, played))
	}
	b.cycle += uint64(good)
	return good, err
}

// run plays rows in one simulator.
func (b *Bench) run(i int, in []byte, n int) error {
	s := b.sides[i]
	var err error
	s.done, err = s.instance.Run(b.ctx, &bridge.Rows{In: in, Out: s.out, Unknown: s.unknown}, n)
	if said := b.log(s, s.instance.Messages()); said != nil {
		return said
	}
	return err
}

// log logs what the RTL has printed, and returns the first error in it.
func (b *Bench) log(s *side, messages []bridge.Message) error {
	var first error
	compiler := 0 // warnings of it
	for _, m := range messages {
		if m.Severity == bridge.Warning && m.Cycle == 0 && b.cycle == 0 {
			if !b.model.fresh(m.String()) {
				continue
			}
			if strings.HasPrefix(m.Text, "compiler: ") {
				if compiler++; compiler <= mostWarnings {
					s.logger.Warn(m.Text, "at", m.Where)
				}
				continue
			}
		}
		args := []any{"dut", b.model.design.Top, "cycle", m.Cycle}
		if m.Where != "" {
			args = append(args, "at", m.Where)
		}
		level := hclog.Info
		switch m.Severity {
		case bridge.Warning:
			level = hclog.Warn
		case bridge.Error, bridge.Fatal:
			level = hclog.Error
		}
		s.logger.Log(level, m.Text, args...)
		if m.Severity == bridge.Error && !b.model.opts.Errors && first == nil {
			first = &sim.MessageError{Simulator: s.simulator, Top: b.model.design.Top, Message: m}
		}
	}
	if compiler > mostWarnings {
		s.logger.Warn(fmt.Sprintf("compiler: and %d warnings more; a flag such as -Wno-WIDTH turns those of its kind off", compiler-mostWarnings))
	}
	return first
}

// mostWarnings are how many warnings of a compiler are logged one by one.
const mostWarnings = 3

// fresh reports whether a warning was not logged before. Each instance has those of the compiler
// again.
func (m *Model) fresh(warning string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.warned == nil {
		m.warned = map[string]bool{}
	}
	was := m.warned[warning]
	m.warned[warning] = true
	return !was
}

// happened returns the cycle of an error that the RTL reported.
func happened(err error) (cycle uint64, ok bool) {
	if m, ok := errors.AsType[*sim.MessageError](err); ok {
		return m.Message.Cycle, true
	}
	if s, ok := errors.AsType[*bridge.StopError](err); ok {
		return s.Cycle, true
	}
	return 0, false
}

// Settle applies inputs, lets combinational logic settle, and samples the outputs, in all
// simulators. No cycle is done. [Bench.Settled] has the outputs.
func (b *Bench) Settle(in []byte) error {
	for _, s := range b.sides {
		if err := s.instance.Settle(b.ctx, &bridge.Rows{In: in, Out: s.now, Unknown: s.nowU}); err != nil {
			return err
		}
	}
	return nil
}

// Settled returns the outputs as Settle has left them.
func (b *Bench) Settled(i int) (out, unknown []byte) { return b.sides[i].now, b.sides[i].nowU }
