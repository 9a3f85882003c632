package lanes

import (
	"bytes"
	"fmt"
	"iter"
	"maps"
	"math/bits"
)

// literal is a node of an [aig], times two, plus one if it is inverted. 0 and 1 are constants.
type literal uint32

func (l literal) not() literal { return l ^ 1 }

// aig is a circuit of two-input ANDs and inverters: inputs, latches that begin with 0, and one
// output.
type aig struct {
	inputs  int
	latches []literal // what each becomes
	ands    [][2]literal
	known   map[[2]literal]literal
}

// input adds an input. All inputs come before the first latch, and all latches before the first
// and.
func (a *aig) input() literal {
	a.begun(len(a.latches) + len(a.ands))
	a.inputs++
	return literal(2 * a.inputs)
}

func (a *aig) latch() literal {
	a.begun(len(a.ands))
	a.latches = append(a.latches, 0)
	return literal(2 * (a.inputs + len(a.latches)))
}

// begun panics if there are nodes already whose numbers follow from how many there are before.
func (a *aig) begun(later int) {
	if later > 0 {
		panic("lanes: inputs and latches come first")
	}
}

// become says what a latch is in the next cycle.
func (a *aig) become(latch, next literal) { a.latches[int(latch/2)-a.inputs-1] = next }

func (a *aig) and(x, y literal) literal {
	if x > y {
		x, y = y, x
	}
	switch {
	case x == 0, x == y.not():
		return 0
	case x == 1, x == y:
		return y
	}
	if l, ok := a.known[[2]literal{x, y}]; ok {
		return l
	}
	a.ands = append(a.ands, [2]literal{x, y})
	l := literal(2 * (a.inputs + len(a.latches) + len(a.ands)))
	a.known[[2]literal{x, y}] = l
	return l
}

func (a *aig) or(x, y literal) literal { return a.and(x.not(), y.not()).not() }

// choose returns y where s is 1, and x elsewhere.
func (a *aig) choose(s, x, y literal) literal {
	if x == y {
		return x
	}
	return a.or(a.and(s.not(), x), a.and(s, y))
}

func (a *aig) xor(x, y literal) literal { return a.choose(x, y, y.not()) }

// table returns what a LUT gives for three literals.
func (a *aig) table(t uint8, in [3]literal) literal {
	side := func(t uint8) literal { // of the first two inputs
		low, high := bit2(t, in[0]), bit2(t>>2, in[0])
		return a.choose(in[1], low, high)
	}
	return a.choose(in[2], side(t), side(t>>4))
}

// bit2 returns what a LUT of one input gives.
func bit2(t uint8, in literal) literal {
	switch t & 3 {
	case 0:
		return 0
	case 1:
		return in.not()
	case 2:
		return in
	}
	return 1
}

// implied returns what inputs and latches are where a literal is 1: 0 or 1, by node, as far as it
// is an AND of them.
func (a *aig) implied(l literal) map[literal]literal {
	known, first := map[literal]literal{}, literal(1+a.inputs+len(a.latches))
	seen := map[literal]bool{}
	next := []literal{l}
	for len(next) > 0 {
		l := next[len(next)-1]
		next = next[:len(next)-1]
		switch n := l / 2; {
		case n < first:
			known[n] = 1 - l&1
		case l&1 == 0 && !seen[n]:
			seen[n] = true
			next = append(next, a.ands[n-first][0], a.ands[n-first][1])
		}
	}
	return known
}

// cases returns literals of which one is 1 where a literal is: it is an AND of others, and of those
// one after the other that is an OR makes two cases of each, up to so many.
func (a *aig) cases(l literal, most int) []literal {
	all, first := []literal{l}, literal(1+a.inputs+len(a.latches))
	seen := map[literal]bool{}
	next := []literal{l}
	for len(next) > 0 && 2*len(all) <= most {
		l := next[0]
		next = next[1:]
		if l/2 < first || seen[l] {
			continue
		}
		seen[l] = true
		in := a.ands[l/2-first]
		if l&1 == 0 {
			next = append(next, in[0], in[1])
			continue
		}
		var both []literal
		for _, x := range all {
			both = append(both, a.and(x, in[0].not()), a.and(x, in[1].not()))
		}
		all = both
	}
	return all
}

// cofactor returns a function that makes of a literal what it is where some inputs and latches are
// known. What two copies of a circuit have in common then is the same literal.
func (a *aig) cofactor(known map[literal]literal) func(l literal) literal {
	made, first := map[literal]literal{}, literal(1+a.inputs+len(a.latches))
	var of func(l literal) literal
	of = func(l literal) literal {
		n := l / 2
		if n < first {
			if v, ok := known[n]; ok && n > 0 {
				return v ^ l&1
			}
			return l
		}
		m, ok := made[n]
		if !ok {
			in := a.ands[n-first]
			m = a.and(of(in[0]), of(in[1]))
			made[n] = m
		}
		return m ^ l&1
	}
	return of
}

// given returns a function that makes of literals what they are where one is 1. What that implies
// of inputs and latches may tell what more it implies.
func (a *aig) given(l literal) func(literal) literal {
	known := map[literal]literal{}
	for rest := l; ; {
		implied := a.implied(rest)
		for n := range known {
			delete(implied, n)
		}
		if len(implied) == 0 {
			return a.cofactor(known)
		}
		maps.Copy(known, implied)
		rest = a.cofactor(known)(l)
	}
}

// write returns the circuit in the binary form of AIGER.
func (a *aig) write(outputs ...literal) []byte { return a.writeOpen(nil, outputs...) }

// writeStep returns one cycle of the circuit: its latches are inputs, and may be anything.
func (a *aig) writeStep(outputs ...literal) []byte {
	open := make([]bool, len(a.latches))
	for i := range open {
		open[i] = true
	}
	return a.writeOpen(open, outputs...)
}

// writeOpen returns the circuit with some latches as inputs, behind the others: they may be
// anything in each cycle. ANDs of no account are left out.
func (a *aig) writeOpen(open []bool, outputs ...literal) []byte {
	var as, latches []literal // of latches: which they are in the file, and what they become
	inputs := a.inputs
	for _, is := range open {
		if is {
			inputs++
		}
	}
	input := a.inputs
	for i, next := range a.latches {
		if open != nil && open[i] {
			input++
			as = append(as, literal(2*input))
		} else {
			latches = append(latches, next)
			as = append(as, literal(2*(inputs+len(latches))))
		}
	}
	first := a.inputs + len(a.latches) + 1
	used, ands := a.used(latches, outputs), 0
	for i := range a.ands { // as has them behind the latches
		as = append(as, literal(2*(first+ands)))
		if used[i] {
			ands++
		}
	}
	name := func(l literal) literal {
		if i := int(l/2) - a.inputs - 1; i >= 0 {
			return as[i] | l&1
		}
		return l
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "aig %d %d %d %d %d\n", first-1+ands, inputs, len(latches), len(outputs), ands)
	for _, next := range latches {
		fmt.Fprintf(&b, "%d\n", name(next))
	}
	for _, output := range outputs {
		fmt.Fprintf(&b, "%d\n", name(output))
	}
	number := func(n literal) {
		for ; n >= 0x80; n >>= 7 {
			b.WriteByte(byte(n) | 0x80)
		}
		b.WriteByte(byte(n))
	}
	for i, x := range a.ands {
		if !used[i] {
			continue
		}
		l := as[len(a.latches)+i]
		less, more := name(x[0]), name(x[1])
		if less > more {
			less, more = more, less
		}
		number(l - more)
		number(more - less)
	}
	return b.Bytes()
}

// used returns which ANDs any of these depend on.
func (a *aig) used(roots ...[]literal) []bool {
	first := a.inputs + len(a.latches) + 1
	used := make([]bool, len(a.ands))
	mark := func(l literal) {
		if i := int(l/2) - first; i >= 0 {
			used[i] = true
		}
	}
	for _, some := range roots {
		for _, l := range some {
			mark(l)
		}
	}
	for i := len(a.ands) - 1; i >= 0; i-- {
		if used[i] {
			mark(a.ands[i][0])
			mark(a.ands[i][1])
		}
	}
	return used
}

// Runs are up to 64 runs of a circuit, which are played at once: each has a bit of a word.
type Runs struct {
	words [][]uint64 // of each cycle, one for each input
	going []uint64   // of each cycle: which runs have not ended
}

// NewRuns makes runs of so many inputs, in the order of a miter's. A run has for each cycle its
// inputs as [Pack] packs them. There are 64 runs at most.
func NewRuns(inputs int, runs [][][]uint64) *Runs {
	cycles := 0
	for _, run := range runs {
		cycles = max(cycles, len(run))
	}
	r := &Runs{words: make([][]uint64, cycles), going: make([]uint64, cycles)}
	all := make([]uint64, cycles*inputs)
	var block [64]uint64
	for t := range cycles {
		r.words[t] = all[t*inputs:][:inputs:inputs]
		for k, run := range runs {
			if t < len(run) {
				r.going[t] |= 1 << k
			}
		}
		for i := 0; i < inputs; i += 64 {
			clear(block[:])
			for k, run := range runs {
				if t < len(run) {
					block[k] = run[t][i/64]
				}
			}
			transpose(&block)
			copy(r.words[t][i:], block[:])
		}
	}
	return r
}

// Pack packs the inputs of a cycle: the one of number i is bit i%64 of word i/64.
func Pack(inputs []bool) []uint64 {
	packed := make([]uint64, (len(inputs)+63)/64)
	for i, is := range inputs {
		if is {
			packed[i/64] |= 1 << (i % 64)
		}
	}
	return packed
}

// transpose swaps bit j of word i with bit i of word j, for all of them: first in blocks of 32 by
// 32 bits, then in each of these, down to single bits (Hacker's Delight, section 7-3).
func transpose(words *[64]uint64) {
	mask := uint64(1)<<32 - 1
	for n := 32; n > 0; n /= 2 {
		for i := 0; i < 64; i = (i + n + 1) &^ n {
			swap := (words[i]>>n ^ words[i+n]) & mask
			words[i] ^= swap << n
			words[i+n] ^= swap
		}
		mask ^= mask << (n / 2)
	}
}

// run returns the first cycles of a run.
func (r *Runs) run(k, cycles int) (run [][]bool) {
	for _, words := range r.words[:cycles] {
		inputs := make([]bool, len(words))
		for i, w := range words {
			inputs[i] = w>>k&1 != 0
		}
		run = append(run, inputs)
	}
	return run
}

// spread returns which of these runs to look at in their n-th cycle. In the first half of the
// cycles it takes as many as in the second, and no more than most in all. It counts them in taken.
func (r *Runs) spread(these uint64, n, most int, taken *int) iter.Seq[int] {
	return func(yield func(run int) bool) {
		for left := bits.RotateLeft64(these, n); left != 0 && *taken*len(r.words) < most*n; left &= left - 1 {
			*taken++
			if !yield((bits.TrailingZeros64(left) - n) & 63) {
				return
			}
		}
	}
}

// play plays runs until until returns true. until has a function that returns what a literal is in
// the cycle, and which runs have not ended. Latches begin with 0. It returns how many cycles were
// played.
func (a *aig) play(r *Runs, until func(is func(literal) uint64, going uint64) bool) (cycles int) {
	first := a.inputs + len(a.latches) + 1
	nodes := make([]uint64, first+len(a.ands))
	is := func(l literal) uint64 { return nodes[l/2] ^ -uint64(l&1) }
	next := make([]uint64, len(a.latches))
	for t, inputs := range r.words {
		copy(nodes[1:], inputs)
		copy(nodes[1+a.inputs:], next)
		for i, x := range a.ands {
			nodes[first+i] = is(x[0]) & is(x[1])
		}
		if until(is, r.going[t]) {
			return t + 1
		}
		for i, l := range a.latches {
			next[i] = is(l)
		}
	}
	return len(r.words)
}
