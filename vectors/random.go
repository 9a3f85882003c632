package vectors

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/cosimate/cosimate/sim"
)

var randomStatement = rtlStatement{
	name:  "random",
	use:   "random N PORT VALUES [when PORT VALUE [and PORT VALUE...]] ...",
	about: "N cycles, each with random values of inputs",
	check: (*checker).random,
}

// drawn is an input that random draws.
type drawn struct {
	port    *Port
	choices []value // one of them is taken; a range counts once for each of its values; nil: any
	percent int     // of cycles in which a bit is 1; -1: it has choices
	when    []cell  // what must hold, so that it is drawn; otherwise it stays as it was
	total   *big.Int
}

// random reads "random N {PORT VALUES [when PORT VALUE {and PORT VALUE}]}". VALUES is any, a value,
// a range, several of these with commas between them, or N% for a bit.
func (c *checker) random(v *rtlStatement, s *step, l *Line, words []Word) bool {
	if len(words) < 4 {
		c.count(l, words, v.use)
		return false
	}
	n, err := strconv.Atoi(strings.ReplaceAll(words[1].Text, "_", ""))
	if err != nil || n < 1 {
		c.at(l.At, words[1], fmt.Sprintf("%q is not a number of cycles", words[1].Text), "1 or more: "+v.use)
		return false
	}
	c.spend(l.At, words[1], min(n, 2*MaxCycles))
	var all []drawn
	seen := map[string]bool{}
	for rest := words[2:]; len(rest) > 0; {
		if len(rest) < 2 {
			c.at(l.At, rest[0], fmt.Sprintf("%s has no values", rest[0].Text), "any, 3, 0..9, 1,2,7, or 20% for a bit")
			return false
		}
		p := c.sided(l.At, rest[0], true)
		if p == nil {
			return false
		}
		if seen[p.Name] {
			c.at(l.At, rest[0], fmt.Sprintf("%s is drawn twice", p.Name), "several values are written with commas: 0..3,7")
			return false
		}
		seen[p.Name] = true
		d, ok := c.choices(l.At, rest[1], p)
		if !ok {
			return false
		}
		rest = rest[2:]
		for word := "when"; len(rest) > 0 && rest[0].Text == word; word = "and" {
			if len(rest) < 3 {
				c.at(l.At, rest[0], fmt.Sprintf("%s what?", word), "when PORT VALUE: an input as it is in this cycle, or an output as it was in the last")
				return false
			}
			q := c.plan.design.port(rest[1].Text)
			if q == nil {
				c.at(l.At, rest[1], fmt.Sprintf("%s has no port %s", c.plan.design.name, rest[1].Text), choice(rest[1].Text, portNames(c.plan.design)))
				return false
			}
			v, ok := c.value(l.At, rest[2], q)
			if !ok {
				return false
			}
			if v.open || v.fill || v.unknowns() {
				c.at(l.At, rest[2], fmt.Sprintf("%s is no value to compare with", rest[2].Text), "a number or a range; - is a digit that does not matter")
				return false
			}
			d.when = append(d.when, cell{q, rest[1], v})
			rest = rest[3:]
		}
		all = append(all, d)
	}
	line := uint64(l.At)
	s.repeat, s.random = n, true
	for i := range all {
		s.drawn = append(s.drawn, all[i].port)
	}
	s.act = func(pl *rowPlayer) error { return pl.random(line, n, all) }
	return true
}

// sided returns the port of a name, if it is an input or not as needed.
func (c *checker) sided(line int, w Word, input bool) *Port {
	d := c.plan.design
	p := d.port(w.Text)
	if p != nil && p.Input == input {
		return p
	}
	side := map[bool]string{true: "input", false: "output"}
	problem := fmt.Sprintf("%s has no %s %s", d.name, side[input], w.Text)
	if p != nil {
		problem = fmt.Sprintf("%s is an %s", w.Text, side[p.Input])
	}
	c.at(line, w, problem, choice(w.Text, d.names(input)))
	return nil
}

// choices reads the values that an input is drawn from.
func (c *checker) choices(line int, w Word, p *Port) (drawn, bool) {
	d := drawn{port: p, percent: -1}
	if w.Text == "any" {
		return d, true
	}
	if text, ok := strings.CutSuffix(w.Text, "%"); ok {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > 100 {
			c.at(line, w, fmt.Sprintf("%s is not a share of cycles", w.Text), "0% to 100%")
			return d, false
		}
		if p.Width != 1 {
			c.at(line, w, fmt.Sprintf("%s has %d bits: it cannot be 1 in %s of cycles", p.span(), p.Width, w.Text), "a share is for a port of one bit")
			return d, false
		}
		d.percent = n
		return d, true
	}
	column := w.Column
	d.total = new(big.Int)
	for part := range strings.SplitSeq(w.Text, ",") {
		at := Word{part, column}
		column += len(part) + 1
		v, ok := c.value(line, at, p)
		if !ok {
			return d, false
		}
		if v.open {
			c.at(line, at, "- is not a value to draw", "leave the port out: it stays as it is")
			return d, false
		}
		if !c.drives(line, at, p, v) {
			return d, false
		}
		d.choices = append(d.choices, v)
		d.total.Add(d.total, new(big.Int).Sub(v.hi, v.lo)).Add(d.total, one)
	}
	return d, true
}

// draw returns a value.
func (d *drawn) draw(r *rand.Rand) *big.Int {
	switch {
	case d.percent >= 0:
		return big.NewInt(int64(map[bool]int{true: 1}[r.IntN(100) < d.percent]))
	case d.choices == nil:
		return randomBits(r, d.port.Width)
	}
	// More bits than needed make the rest of a division as good as uniform.
	k := randomBits(r, d.total.BitLen()+64)
	k.Mod(k, d.total)
	for _, v := range d.choices {
		n := new(big.Int).Sub(v.hi, v.lo)
		n.Add(n, one)
		if k.Cmp(n) < 0 {
			return k.Add(k, v.lo)
		}
		k.Sub(k, n)
	}
	panic("the sum of the ranges is wrong")
}

// random plays cycles with random inputs. What is drawn depends on the vector's seed and on the
// statement's line only.
func (pl *rowPlayer) random(line uint64, n int, all []drawn) error {
	r := rand.New(rand.NewPCG(pl.p.seed, line))
	reacts := slices.ContainsFunc(all, func(d drawn) bool { return slices.ContainsFunc(d.when, func(c cell) bool { return !c.port.Input }) })
	for range n {
		if reacts {
			if err := pl.flush(); err != nil {
				return err
			}
		}
		for i := range all {
			// A value is drawn in any case, so that a condition does not change what comes later.
			if v := all[i].draw(r); pl.holds(all[i].when) {
				pl.set(all[i].port, v)
			}
		}
		if err := pl.play1(nil); err != nil {
			return err
		}
		pl.rep++
	}
	return nil
}

// holds reports whether inputs are so in the coming cycle, and outputs were so in the last one, in
// all simulators.
func (pl *rowPlayer) holds(when []cell) bool {
	for i := range when {
		c := &when[i]
		if c.port.Input {
			if !c.value.holds(c.port, pl.input(c.port), nil) {
				return false
			}
			continue
		}
		if pl.bench.Cycle() == 0 {
			return false // there was no cycle
		}
		for k, s := range pl.bench.Simulators() {
			bits, unknown := pl.output(c.port, k)
			if unknown == nil && s == sim.Icarus {
				unknown = new(big.Int)
			}
			if !c.value.holds(c.port, bits, unknown) {
				return false
			}
		}
	}
	return true
}
