package sim

import (
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/cosimate/cosimate/bridge"
)

// Difference is the first cycle in which the RTL and its model disagree. It is an
// error, and its text is the report: which outputs, which bits, and the last cycles
// as a waveform.
type Difference struct {
	Simulator Simulator
	Top       string
	Cycle     uint64        // counted from the start of the simulation, resets included
	At        time.Duration // simulated time of the cycle's rising edge
	Seed      uint64
	Ports     []PortDifference // all outputs, those that agree too
	Note      string           // what the testbench knows beyond the ports; printed after the table
	Reproduce string           // the command that runs into it again

	history history
}

// PortDifference is one output in the cycle of a [Difference].
type PortDifference struct {
	Name    string
	Width   int
	Want    *big.Int // the model's
	Got     *big.Int // the RTL's; X is 0 and Z is 1
	Unknown *big.Int // bits that are X or Z
	Ignored *big.Int // bits that the model does not care about
}

// Differ has the bits set in which a compared bit differs or is unknown.
func (p *PortDifference) Differ() *big.Int {
	x := new(big.Int).Xor(p.Want, p.Got)
	x.Or(x, p.Unknown)
	return x.AndNot(x, p.Ignored)
}

// Error is the report.
func (d *Difference) Error() string {
	var b strings.Builder
	differing := []string{}
	for i := range d.Ports {
		if d.Ports[i].Differ().Sign() != 0 {
			differing = append(differing, d.Ports[i].Name)
		}
	}
	fmt.Fprintf(&b, "%s differs from its model in cycle %d (%v) on %s: %s\n\n",
		d.Top, d.Cycle, d.At, d.Simulator, strings.Join(differing, ", "))
	d.table(&b)
	if d.Note != "" {
		fmt.Fprintf(&b, "\n%s\n", strings.TrimRight(d.Note, "\n"))
	}
	fmt.Fprintf(&b, "\n")
	d.history.waveform(&b)
	fmt.Fprintf(&b, "\nseed %d", d.Seed)
	if d.Reproduce != "" {
		fmt.Fprintf(&b, "; again: %s", d.Reproduce)
	}
	b.WriteByte('\n')
	return b.String()
}

// table prints a line per output: what was wanted, what came, and which bits
// differ. Outputs that agree are shown for context.
func (d *Difference) table(b *strings.Builder) {
	rows := [][4]string{{"output", "model", string(d.Simulator), "differing bits"}}
	for i := range d.Ports {
		p := &d.Ports[i]
		ignored := ""
		if p.Ignored.Sign() != 0 {
			ignored = "(don't care)"
		}
		if differ := p.Differ(); differ.Sign() != 0 {
			ignored = bitList(differ)
		}
		rows = append(rows, [4]string{p.Name, digits(p.Want, nil, p.Width), digits(p.Got, p.Unknown, p.Width), ignored})
	}
	var width [4]int
	for _, r := range rows {
		for i, c := range r {
			width[i] = max(width[i], len(c))
		}
	}
	for i, r := range rows {
		mark := ' '
		if i > 0 && d.Ports[i-1].Differ().Sign() != 0 {
			mark = '>'
		}
		line := fmt.Sprintf("%c %-*s  %*s  %*s  %s", mark, width[0], r[0], width[1], r[1], width[2], r[2], r[3])
		fmt.Fprintln(b, strings.TrimRight(line, " "))
	}
}

// digits writes a value in hexadecimal, with x for a digit that holds an unknown
// bit: 3xf. A single bit is 0, 1, x or z.
func digits(v, unknown *big.Int, width int) string {
	if width == 1 && unknown != nil && unknown.Sign() != 0 {
		return [2]string{"x", "z"}[v.Bit(0)]
	}
	n := (width + 3) / 4
	text := []byte(fmt.Sprintf("%0*x", n, v))
	for i := range text {
		low := 4 * (n - 1 - i)
		for bit := low; unknown != nil && bit < low+4; bit++ {
			if unknown.Bit(bit) != 0 {
				text[i] = 'x'
			}
		}
	}
	return string(text)
}

// bitList names bits, highest first, runs as ranges: "[63:60] [3]".
func bitList(v *big.Int) string {
	var parts []string
	for hi := v.BitLen() - 1; hi >= 0; hi-- {
		if v.Bit(hi) == 0 {
			continue
		}
		lo := hi
		for lo > 0 && v.Bit(lo-1) == 1 {
			lo--
		}
		if len(parts) == 8 {
			parts = append(parts, "...")
			break
		}
		if lo == hi {
			parts = append(parts, fmt.Sprintf("[%d]", hi))
		} else {
			parts = append(parts, fmt.Sprintf("[%d:%d]", hi, lo))
		}
		hi = lo
	}
	return strings.Join(parts, " ")
}

// portBits is a port's value in a row; a nil row is all zeros.
func portBits(row []byte, p bridge.Port) *big.Int {
	if row == nil {
		return new(big.Int)
	}
	bytes := make([]byte, p.Size)
	for i := range bytes {
		bytes[i] = row[p.Offset+p.Size-1-i]
	}
	return new(big.Int).SetBytes(bytes)
}
