package mutate

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/lanes"
)

// valid finds out when outputs count, and returns that as [lanes.MiterOptions] have it. An output
// that is not always compared counts where another output is not 0, or where it is 0, if that was
// so in all that was recorded. If that output counts only now and then itself, it must count too.
//
// Of an output whose bits are not compared together, that is found out bit by bit: one that has
// words of several streams has the valid bit of each. The notes say what was not looked for.
func valid(all []*configuration) (result map[string]string, notes []string) {
	result = map[string]string{}
	for {
		more := validPorts(all, result)
		if len(more) == 0 {
			break
		}
		maps.Copy(result, more)
	}
	bits, notes := validBits(all, result)
	maps.Copy(result, bits)
	return result, notes
}

// validPorts finds out when outputs count of which said says nothing: where an output is not 0 or
// 0 that is always compared, or compared where said says. Outputs of one bit come before wider
// ones, such as the valid bits of several streams.
func validPorts(all []*configuration, said map[string]string) map[string]string {
	type column struct {
		cared, uncared [2]bool // by whether the candidate is not 0
		never          bool    // it does not say it
	}
	type pair struct{ port, by string }
	pairs := map[pair]*column{}
	width, open := map[string]int{}, map[string]bool{}
	always := map[string]bool{} // where said says that they are compared, all their bits are
	conditions := map[string][]lanes.Condition{}
	for port, when := range said {
		conditions[port] = lanes.ParseConditions(when)
	}
	eachExpected(all, func(l *bridge.Layout, want, care []byte, _ int) {
		for i := range l.Outputs {
			p := &l.Outputs[i]
			if _, seen := width[p.Name]; !seen {
				width[p.Name], always[p.Name] = p.Width, true
			}
			open[p.Name] = open[p.Name] || said[p.Name] == "" && !any1(bytesOf(p, care))
			always[p.Name] = always[p.Name] && (whole(p, care) || !holds(l, conditions[p.Name], want))
		}
	})
	eachExpected(all, func(l *bridge.Layout, want, care []byte, _ int) {
		for k := range l.Outputs {
			by := &l.Outputs[k]
			if !always[by.Name] {
				continue
			}
			value, counts := 0, holds(l, conditions[by.Name], want)
			if any1(bytesOf(by, want)) {
				value = 1
			}
			for i := range l.Outputs {
				p := &l.Outputs[i]
				if !open[p.Name] || p.Name == by.Name {
					continue
				}
				c := pairs[pair{p.Name, by.Name}]
				if c == nil {
					c = &column{}
					pairs[pair{p.Name, by.Name}] = c
				}
				switch cares := any1(bytesOf(p, care)); {
				case !counts:
					c.never = c.never || cares
				case cares:
					c.cared[value] = true
				default:
					c.uncared[value] = true
				}
			}
		}
	})
	result := map[string]string{}
	for port := range open {
		best, rank := "", []int{0, -1}
		for _, by := range slices.Sorted(maps.Keys(width)) {
			c := pairs[pair{port, by}]
			if c == nil || c.never {
				continue
			}
			for value, name := range []string{"!" + by, by} {
				if !c.cared[value] || c.uncared[value] || c.cared[1-value] || !c.uncared[1-value] {
					continue
				}
				now := []int{0, prefix(by, port)}
				if width[by] == 1 {
					now[0] = 1
				}
				if slices.Compare(now, rank) > 0 {
					if best, rank = name, now; said[by] != "" {
						best = said[by] + " & " + name
					}
				}
			}
		}
		if best != "" {
			result[port] = best
		}
	}
	return result
}

// mostCandidates is how many pairs of bits are looked at, at most, of which one might say when the
// other counts.
const mostCandidates = 1_000_000

// enough is in how many cycles a bit is compared, and in how many it is left open, for that to be
// found out. There are many bits: in a few cycles one of them has the right values by chance.
const enough = 16

// outputBit is a bit of an output.
type outputBit struct {
	port *bridge.Port
	bit  int
}

func (b outputBit) is(row []byte) bool { return row[b.port.Offset+b.bit/8]>>(b.bit%8)&1 != 0 }

// validBits finds out when single bits of outputs count of which valid says nothing: where a bit
// that is always compared is 1, or 0. Bits side by side with the same one are a field.
func validBits(all []*configuration, said map[string]string) (result map[string]string, notes []string) {
	type compared struct{ cared, uncared int } // cycles
	bits := map[string][]compared{}            // by port
	ports := map[string]*bridge.Port{}
	eachExpected(all, func(l *bridge.Layout, _, care []byte, n int) {
		for i := range l.Outputs {
			p := &l.Outputs[i]
			of := bits[p.Name]
			if of == nil {
				of = make([]compared, p.Width)
				bits[p.Name], ports[p.Name] = of, p
			}
			for b := range of {
				if (outputBit{p, b}).is(care) {
					of[b].cared += n
				} else {
					of[b].uncared += n
				}
			}
		}
	})
	type candidate struct {
		by  string
		bit int
		not bool
	}
	type open struct {
		port       string
		bit        int
		candidates []candidate
	}
	var some []*open
	n := 0
	for _, port := range slices.Sorted(maps.Keys(bits)) {
		for b, c := range bits[port] {
			if said[port] == "" && min(c.cared, c.uncared) >= enough {
				some = append(some, &open{port: port, bit: b})
			}
			if c.uncared == 0 {
				n++
			}
		}
	}
	if len(some)*n > mostCandidates {
		return nil, []string{fmt.Sprintf("%d bits of outputs are compared now and then; when each counts is not looked for, as there are %d others that might say so", len(some), n)}
	}
	for _, x := range some {
		for _, by := range slices.Sorted(maps.Keys(bits)) {
			for b, c := range bits[by] {
				if c.uncared == 0 {
					x.candidates = append(x.candidates, candidate{by, b, false}, candidate{by, b, true})
				}
			}
		}
		// Of several, one of the same port comes first, and of these the next.
		distance := func(c candidate) int {
			if d := c.bit - x.bit; c.by == x.port {
				return max(d, -d)
			}
			return math.MaxInt
		}
		slices.SortStableFunc(x.candidates, func(a, b candidate) int { return cmp.Compare(distance(a), distance(b)) })
	}
	named := map[*bridge.Layout]map[string]*bridge.Port{}
	eachExpected(all, func(l *bridge.Layout, want, care []byte, _ int) {
		now := named[l]
		if now == nil {
			now = map[string]*bridge.Port{}
			for i := range l.Outputs {
				now[l.Outputs[i].Name] = &l.Outputs[i]
			}
			named[l] = now
		}
		for _, x := range some {
			p := now[x.port]
			if p == nil {
				continue
			}
			cares := outputBit{p, x.bit}.is(care)
			x.candidates = slices.DeleteFunc(x.candidates, func(c candidate) bool {
				by := now[c.by]
				if by == nil {
					return false
				}
				says := outputBit{by, c.bit}.is(want) != c.not
				return says != cares
			})
		}
	})
	result = map[string]string{}
	for i := 0; i < len(some); {
		x := some[i]
		n := i + 1
		if len(x.candidates) == 0 {
			i = n
			continue
		}
		by := x.candidates[0]
		for ; n < len(some) && some[n].port == x.port && some[n].bit == x.bit+n-i && slices.Contains(some[n].candidates, by); n++ {
		}
		f := lanes.Field{Port: x.port, Low: x.bit, High: some[n-1].bit}
		name := lanes.Field{Port: by.by, Low: by.bit, High: by.bit}
		if ports[by.by].Width == 1 {
			name.High = -1
		}
		if result[f.String()] = name.String(); by.not {
			result[f.String()] = "!" + name.String()
		}
		i = n
	}
	return result, nil
}

// eachExpected calls see for each recorded row that is compared, and not in reset. Rows that are
// alike and follow one another are one, with their number.
func eachExpected(all []*configuration, see func(l *bridge.Layout, want, care []byte, n int)) {
	for _, c := range all {
		for _, x := range c.all {
			size := x.layout.OutSize
			for i := 0; i < x.cycles; {
				want, care, n := x.want[i*size:][:size], x.care[i*size:][:size], 1
				for i+n < x.cycles && bytes.Equal(want, x.want[(i+n)*size:][:size]) && bytes.Equal(care, x.care[(i+n)*size:][:size]) {
					n++
				}
				if any1(care) {
					see(x.layout, want, care, n)
				}
				i += n
			}
		}
	}
}

// whole reports whether all bits of a port are compared.
func whole(p *bridge.Port, care []byte) bool {
	for b := range p.Width {
		if care[p.Offset+b/8]>>(b%8)&1 == 0 {
			return false
		}
	}
	return true
}

// prefix is how many bytes two names begin alike with.
func prefix(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func any1(b []byte) bool { return slices.ContainsFunc(b, func(x byte) bool { return x != 0 }) }

// bytesOf returns what a row has of a port.
func bytesOf(q *bridge.Port, row []byte) []byte { return row[q.Offset : q.Offset+q.Size] }
