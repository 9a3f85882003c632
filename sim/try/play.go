package try

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
)

// newPair starts the simulators.
func (t *trial) newPair() (*pair, error) {
	l := cmp.Or(t.icarus, t.plain).Layout()
	p := &pair{layout: l, powerUp: map[string]int{}, ignored: make([]byte, l.OutSize), confirm: t.dependsOnPowerUp}
	start := func(list *[]*side, s sim.Simulator, m bridge.Model, seed uint64) error {
		one, err := newSide(s, m, seed, hang)
		if err == nil {
			*list = append(*list, one)
		}
		return err
	}
	var err error
	if t.icarus != nil {
		err = start(&p.sides, sim.Icarus, t.icarus, t.opts.Seed)
	}
	if t.plain != nil {
		err = errors.Join(err, start(&p.sides, sim.Verilator, t.plain, t.opts.Seed))
		for seed := range uint64(3) {
			err = errors.Join(err, start(&p.witnesses, sim.Verilator, t.plain, t.opts.Seed+1+seed))
		}
	}
	for _, port := range l.Outputs {
		p.ports = append(p.ports, portSeen{port: port})
	}
	if err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

// play runs the simulators side by side.
func (t *trial) play() error {
	var err error
	if t.pair, err = t.newPair(); err != nil {
		return err
	}
	l := t.pair.layout
	if t.icarus != nil && t.plain != nil {
		if diff := portsDiffer(t.icarus.Layout(), t.plain.Layout()); diff != "" {
			t.pair.close()
			return fmt.Errorf("the simulators have not the same ports of module %s: %s", t.design.Top, diff)
		}
	}
	clocks, err := t.design.AllClocks()
	if err != nil {
		return err
	}
	if t.design.Reset != "" {
		t.pair.reset = resetCycles(clocks)
	}
	in := newStimulus(l, &t.design, t.pair.reset, t.opts.Seed)
	err = t.pair.run(t.ctx, in, t.pair.reset+t.opts.Cycles, t.opts.Limit, t.opts.Progress)
	err = errors.Join(err, t.pair.close())
	t.report.Layout, t.report.Tape, t.report.Reset = l, t.pair.tape, t.pair.reset
	t.report.Cycles = max(t.pair.done-t.pair.reset, 0)
	return err
}

// resetCycles is how long the reset is held: until each clock has risen three times.
func resetCycles(clocks []bridge.Clock) int {
	if len(clocks) <= 1 {
		return 3
	}
	s := bridge.NewSchedule(clocks)
	risen := make([]int, len(clocks))
	for n := 0; ; n++ {
		if slices.Min(risen) >= 3 {
			return n
		}
		_, rises := s.Next()
		for i := range risen {
			risen[i] += int(rises >> i & 1)
		}
	}
}

// portsDiffer returns in which port two layouts differ.
func portsDiffer(a, b *bridge.Layout) string {
	all := func(l *bridge.Layout) (texts []string) {
		for _, p := range slices.Concat(l.Inputs, l.Outputs) {
			texts = append(texts, p.String())
		}
		return texts
	}
	x, y := all(a), all(b)
	for i := range max(len(x), len(y)) {
		if i >= len(x) || i >= len(y) || x[i] != y[i] {
			return fmt.Sprintf("Icarus %s; Verilator %s", strings.Join(x[i:], ", "), strings.Join(y[i:], ", "))
		}
	}
	return ""
}

// before returns a new instance that has done the cycles of the tape before one.
func (t *trial) before(m bridge.Model, seed uint64, cycle int) (bridge.Instance, error) {
	return t.after(m, seed, t.pair.tape, cycle)
}

// after returns a new instance that has done so many cycles of a tape.
func (t *trial) after(m bridge.Model, seed uint64, tape []byte, cycle int) (bridge.Instance, error) {
	s, err := newSide("", m, seed, hang)
	if err != nil {
		return nil, err
	}
	l := t.pair.layout
	most := bridge.MaxRows(l)
	for at := 0; at < cycle; {
		n := min(most, cycle-at)
		if s.play(t.ctx, l, tape[at*l.InSize:], n); s.err != nil {
			return nil, errors.Join(s.err, s.instance.Close())
		}
		at += n
	}
	return s.instance, nil
}

// outputs returns the outputs of a cycle in a new instance.
func (t *trial) outputs(m bridge.Model, seed uint64, cycle int) ([]byte, error) {
	instance, err := t.before(m, seed, cycle)
	if err != nil {
		return nil, err
	}
	l := t.pair.layout
	rows := bridge.Rows{In: t.pair.tape[cycle*l.InSize:], Out: make([]byte, l.OutSize)}
	_, err = instance.Run(t.ctx, &rows, 1)
	return rows.Out, errors.Join(err, instance.Close())
}
