package lockstep

import (
	"bytes"
	"math/bits"
	"slices"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim/report"
)

// Difference is a cycle in which the simulators do not agree. Its columns are the simulators.
type Difference struct {
	report.Failure
	Names []string // the outputs that differ
}

// Error returns the report.
func (d *Difference) Error() string { return d.Text(false) }

// Causes says what makes simulators differ.
const Causes = "The simulators differ in state that no reset sets (X in icarus, at random by the seed in verilator),\n" +
	"in races between blocks, and in what is done with X: an if of X is an else."

// differs returns the first of n rows in which the simulators do not agree.
func (b *Bench) differs(n int) (row int, differ bool) {
	size := b.layout.OutSize
	first := b.sides[0]
	for _, s := range b.sides[1:] {
		if bytes.Equal(first.out[:n*size], s.out[:n*size]) {
			continue
		}
		for i := range n * size {
			x := first.out[i] ^ s.out[i]
			for _, u := range [][]byte{first.unknown, s.unknown} {
				if u != nil {
					x &^= u[i]
				}
			}
			if x != 0 && b.isOutput(i%size, x) {
				n, differ = i/size, true
				break
			}
		}
	}
	return n, differ
}

// isOutput reports whether some bits of a byte of a row belong to an output.
func (b *Bench) isOutput(at int, x byte) bool {
	for i := range b.layout.Outputs {
		p := &b.layout.Outputs[i]
		if at < p.Offset || at >= p.Offset+p.Size {
			continue
		}
		used := p.Width - 8*(at-p.Offset)
		return used > bits.TrailingZeros8(x)
	}
	return false
}

// difference returns the report of a row.
func (b *Bench) difference(row int) *Difference {
	d := &Difference{Failure: b.Report(row)}
	for i := range d.Ports {
		if p := &d.Ports[i]; differing(p) {
			d.Names = append(d.Names, p.Name)
		}
	}
	d.Note = Causes
	return d
}

func differing(p *report.Port) bool {
	for c := range p.Values {
		if p.Differ(c).Sign() != 0 {
			return true
		}
	}
	return false
}

// Report returns a report of a row of the last Play, with the simulators as columns. The bits that
// are unknown in one of them are those that are not compared. If the cycle is Cycle, the row is one
// that is not counted: that of a difference.
func (b *Bench) Report(row int) report.Failure {
	w := b.Wave()
	f := report.Failure{Top: b.model.design.Top, Seed: max(b.model.opts.Seed, 1), Wave: w}
	if n := len(w.Cycles); n > 0 {
		f.Cycle, f.At = w.Cycles[n-1], w.Times[n-1]
	}
	for i := range b.sides {
		f.Columns = append(f.Columns, string(b.sides[i].simulator))
	}
	for i := range b.layout.Outputs {
		p := &b.layout.Outputs[i]
		port := report.Port{Signal: signal(p)}
		for k := range b.sides {
			out, unknown := b.Outputs(k, row)
			v := Value(p, out, unknown)
			if v.Unknown != nil {
				port.Ignored = v.Unknown
			}
			port.Values = append(port.Values, v)
		}
		f.Ports = append(f.Ports, port)
	}
	return f
}

func signal(p *bridge.Port) report.Signal {
	return report.Signal{Name: p.Name, Width: p.Width, Dir: report.Direction(p.Dir)}
}

// Value returns a port's value in a row, with the row's unknown bits or nil.
func Value(p *bridge.Port, row, unknown []byte) report.Value {
	if unknown != nil {
		unknown = unknown[p.Offset : p.Offset+p.Size]
	}
	return report.Bytes(row[p.Offset:p.Offset+p.Size], unknown)
}

// Recall has [Bench.Wave] end with a row of the last Play that is not its last: the rows of in, of
// which the first was played as the cycle begin.
func (b *Bench) Recall(in []byte, begin uint64, row int) {
	b.past = slices.DeleteFunc(b.past, func(m moment) bool { return m.cycle >= begin })
	end := b.cycle
	b.cycle = begin
	b.keep(in, row+1)
	b.cycle = end
}

// keep remembers the last of n rows of the last run.
func (b *Bench) keep(in []byte, n int) {
	for row := max(0, n-shown); row < n; row++ {
		var m moment
		if len(b.past) == shown { // its memory serves again
			m = b.past[0]
			b.past = append(b.past[:0], b.past[1:]...)
		}
		m.cycle = b.cycle + uint64(row)
		m.in = append(m.in[:0], in[row*b.layout.InSize:(row+1)*b.layout.InSize]...)
		if m.outputs == nil {
			m.outputs = make([][2][]byte, len(b.sides))
		}
		for i := range b.sides {
			out, unknown := b.Outputs(i, row)
			m.outputs[i][0], m.outputs[i][1] = append(m.outputs[i][0][:0], out...), append(m.outputs[i][1][:0], unknown...)
		}
		b.past = append(b.past, m)
	}
}

// Wave returns the last cycles as a waveform: those of the first simulator, with the values of the
// others where they differ.
func (b *Bench) Wave() report.Wave { return b.WaveTo(1 << 62) }

// WaveTo is Wave up to a cycle.
func (b *Bench) WaveTo(cycle uint64) report.Wave {
	w := report.Wave{Column: string(b.sides[0].simulator)}
	past := b.past
	for len(past) > 0 && past[len(past)-1].cycle > cycle {
		past = past[:len(past)-1]
	}
	for i := range past { // cycles of a run that were not kept leave a gap
		if i > 0 && past[i].cycle != past[i-1].cycle+1 {
			past = past[i:]
			break
		}
	}
	for i := range past {
		w.Cycles = append(w.Cycles, past[i].cycle)
		w.Times = append(w.Times, bridge.NewSchedule(b.model.clocks).Instant(past[i].cycle))
	}
	if len(b.model.clocks) > 1 && len(past) > 0 {
		s := bridge.NewSchedule(b.model.clocks)
		for range past[0].cycle {
			s.Next()
		}
		rises := make([][]bool, len(b.model.clocks))
		for range past {
			_, mask := s.Next()
			for i := range rises {
				rises[i] = append(rises[i], mask>>i&1 != 0)
			}
		}
		for i, c := range b.model.clocks {
			w.Clocks = append(w.Clocks, report.Clock{Name: c.Port, Rises: rises[i]})
		}
	} else if c := b.model.clocks[0]; c.Port != "" {
		w.Clocks = []report.Clock{{Name: c.Port}}
	}
	for i := range b.layout.Inputs {
		p := &b.layout.Inputs[i]
		t := report.Trace{Signal: signal(p)}
		for k := range past {
			t.Values = append(t.Values, Value(p, past[k].in, nil))
		}
		w.Traces = append(w.Traces, t)
	}
	for i := range b.layout.Outputs {
		p := &b.layout.Outputs[i]
		t := report.Trace{Signal: signal(p)}
		for k := range past {
			o := past[k].outputs[0]
			t.Values = append(t.Values, Value(p, o[0], unknownOf(o[1])))
		}
		w.Traces = append(w.Traces, t)
	}
	return w
}

func unknownOf(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	return slices.Clone(b)
}
