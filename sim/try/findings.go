package try

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim/cover/coverreport"
)

// agreement says whether the simulators agree.
func (t *trial) agreement() error {
	p := t.pair
	for _, s := range p.sides {
		var stop *bridge.StopError
		switch {
		case errors.As(s.err, &stop):
			t.report.add(Look, "the RTL ends the simulation", firstLines(s.err.Error(), 3)...)
		case s.err != nil:
			t.report.add(Wrong, fmt.Sprintf("%s cannot go on after %d cycles", s.simulator, s.done), firstLines(s.err.Error(), 4)...)
		}
	}
	if len(p.powerUp) > 0 {
		var more []string
		for _, name := range slices.Sorted(maps.Keys(p.powerUp)) {
			more = append(more, fmt.Sprintf("%s: from cycle %d on", name, p.powerUp[name]))
		}
		t.report.add(Look, "outputs that depend on what registers have at power-up, while Icarus has 0 or 1 for them",
			append(some(more, 6), "Verilator gives other values with another seed; Icarus takes if (X) as false, which hides it")...)
	}
	d := p.differs
	if d == nil {
		if len(p.sides) == 2 && t.report.Cycles > 0 && p.bits > 0 {
			t.report.add(Fine, fmt.Sprintf("both simulators agree in all outputs, %d cycles of random inputs (seed %d); %s of the bits could be compared",
				t.report.Cycles, t.opts.Seed, coverreport.Percent(float64(p.known)/float64(p.bits))))
		}
		return nil
	}
	t.report.Tape = p.tape[:(d.cycle+1)*p.layout.InSize]
	t.report.Cycles = d.cycle + 1 - p.reset
	t.report.Differs = true
	var more []string
	for i, name := range d.ports {
		more = append(more, fmt.Sprintf("%s: icarus %s, verilator %s", name, d.values[i][0], d.values[i][1]))
	}
	t.report.add(Wrong, fmt.Sprintf("the simulators differ in cycle %d", d.cycle), append(some(more, 6), t.reason(d))...)
	return nil
}

// reason says what a difference may come from.
func (t *trial) reason(d *difference) string {
	const open = "either the RTL leaves open what happens (a race between always blocks, an order of evaluation), or a simulator is wrong"
	instance, err := t.before(t.icarus, t.opts.Seed, d.cycle)
	if err != nil {
		return open
	}
	defer instance.Close()
	var names []string
	for _, name := range t.signals {
		if v, err := instance.Peek(name); err == nil && !v.Known() {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return open
	}
	return fmt.Sprintf("signals inside that are X in Icarus then, which it takes for false in an if: %d, such as %s", len(names), strings.Join(names[:min(len(names), 3)], ", "))
}

// dependsOnPowerUp reports whether one of the bits that differ is another with other values of
// registers at power-up.
func (t *trial) dependsOnPowerUp(d *difference) (bool, error) {
	var want []byte
	for seed := t.opts.Seed; seed < t.opts.Seed+12; seed++ {
		out, err := t.outputs(t.plain, seed, d.cycle)
		if err != nil {
			return false, err
		}
		for i, b := range d.bits {
			if want != nil && (want[i]^out[i])&b != 0 {
				return true, nil
			}
		}
		want = out
	}
	return false, nil
}

// messages says what the compilers and the RTL have printed.
func (t *trial) messages() error {
	var loops, latches, warnings []string
	var places []string // of errors, in the order of their first
	count, first := map[string]int{}, map[string]string{}
	for _, s := range t.pair.sides {
		for _, m := range s.messages {
			if m.Severity >= bridge.Error {
				if count[m.Where]++; count[m.Where] == 1 {
					places = append(places, m.Where)
					first[m.Where] = fmt.Sprintf("%s: %s", s.simulator, m)
				}
				continue
			}
			text, ok := strings.CutPrefix(m.Text, "compiler: ")
			if !ok {
				continue
			}
			if m.Where != "" {
				text = m.Where + ": " + text
			}
			switch {
			case strings.HasSuffix(text, "(UNOPTFLAT)"):
				loops = append(loops, text)
			case strings.HasSuffix(text, "(LATCH)"):
				latches = append(latches, text)
			default:
				warnings = append(warnings, text)
			}
		}
	}
	var errs []string
	for _, at := range places {
		text := first[at]
		if n := count[at]; n > 1 {
			text += fmt.Sprintf(" (%d times)", n)
		}
		errs = append(errs, text)
	}
	for _, c := range []struct {
		grade Grade
		what  string
		list  []string
	}{
		{Wrong, "latches where the code says combinational logic: %d", latches},
		{Wrong, "places where the RTL reports errors: %d", errs},
		{Look, "signals that may depend on themselves without a register between: %d", loops},
		{Look, "warnings of the compilers: %d", warnings},
	} {
		if len(c.list) > 0 {
			t.report.add(c.grade, fmt.Sprintf(c.what, len(c.list)), some(c.list, 4)...)
		}
	}
	return nil
}

// never says which outputs have not changed.
func (t *trial) never() error {
	if names := t.pair.unchanged(); len(names) > 0 && t.report.Cycles > 1 {
		t.report.add(Look, "outputs that never changed: "+strings.Join(names, ", "))
	}
	return nil
}

// speed says how fast the simulators are.
func (t *trial) speed() {
	var texts []string
	for _, s := range t.pair.sides {
		if s.spent > 0 && s.done > 0 {
			texts = append(texts, fmt.Sprintf("%s %s", s.simulator, perSecond(float64(s.done)/s.spent.Seconds())))
		}
	}
	t.report.add(Fine, "speed: "+strings.Join(texts, ", ")+" cycles/s")
}

// perSecond writes a speed with two digits.
func perSecond(v float64) string {
	switch {
	case v >= 1e6:
		return fmt.Sprintf("%.1f M", v/1e6)
	case v >= 1e4:
		return fmt.Sprintf("%.0f k", v/1e3)
	}
	return fmt.Sprintf("%.0f", v)
}

// firstLines returns the first lines of a text.
func firstLines(text string, n int) []string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) > n {
		lines = append(lines[:n], fmt.Sprintf("and %d lines more", len(lines)-n))
	}
	return lines
}

// some returns the first texts of a list, and how many there are more.
func some(list []string, n int) []string {
	if len(list) <= n {
		return list
	}
	return append(slices.Clip(list[:n]), fmt.Sprintf("and %d more", len(list)-n))
}
