package lanes

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Locals are miters of many faults in one circuit, which share all registers: of each fault an
// output says that a register would become something else, or an output of the design.
type Locals struct {
	Same []bool // by fault: nothing depends on it

	aiger   []byte
	of      []int // the fault of each output of the circuit; there is one more if hinted
	hinted  bool  // the last output says that states are what they are taken never to be
	latches int
}

// Locals makes local miters of inputs that are each 0 in the first copy and 1 in the second. Where
// other options are zero they are as in [MiterOptions].
func (m *Model) Locals(on []string, o MiterOptions) (*Locals, error) {
	o.On, o.Local, o.Own = on[0], true, nil
	o.Off = append(on[1:len(on):len(on)], o.Off...)
	x, done, err := m.newMiter(o)
	if err != nil {
		return nil, err
	}
	planes := map[string]value{}
	for _, p := range x.c.Inputs {
		if len(p.Bits) == 1 {
			planes[p.Name] = p.Bits[0]
		}
	}
	for i := range x.c.States {
		x.next(0, i)
	}
	l := &Locals{Same: make([]bool, len(on))}
	var outputs []literal
	var hints literal
	if o.Play != nil {
		hints = x.hints(done, o.Play(x.made.Inputs))
	}
	for i, name := range on {
		v, ok := planes[name]
		if !ok {
			return nil, fmt.Errorf("lanes: module %s has no input %s", m.design.Top, name)
		}
		x.on = v
		clear(x.seen[1])
		bad := x.bad(o, done)
		if l.Same[i] = bad == 0; !l.Same[i] {
			outputs, l.of = append(outputs, bad), append(l.of, i)
		}
	}
	if l.hinted = hints != 0; l.hinted {
		outputs = append(outputs, hints)
	}
	l.aiger, l.latches = x.a.write(outputs...), len(x.a.latches)
	return l, nil
}

// mostHints is how many pairs of states are taken never to be something at once, at most.
const mostHints = 50_000

// hints returns what says that states after the reset are what they never were in some runs: one
// state, or two at once. Each of these has a node in the circuit, so that it is among the signals
// that are taken to be 0 until induction shows that they need not be.
func (x *miter) hints(done literal, runs [][][]bool) (any literal) {
	n := len(x.now[0])
	words := (n + 63) / 64
	var seen [2][][2][]uint64 // by the value of a state, by its number, by the value of the others
	for value := range seen {
		seen[value] = make([][2][]uint64, n)
		for i := range n {
			for other := range 2 {
				seen[value][i][other] = make([]uint64, words)
			}
		}
	}
	ones := make([]uint64, words)
	for _, run := range runs {
		x.a.play(run, func(is func(literal) bool) bool {
			if !is(done) {
				return false
			}
			clear(ones)
			for i, l := range x.now[0] {
				if is(l) {
					ones[i/64] |= 1 << (i % 64)
				}
			}
			for i := range n {
				s := &seen[ones[i/64]>>(i%64)&1][i]
				for w, bits := range ones {
					s[0][w] |= ^bits
					s[1][w] |= bits
				}
			}
			return false
		})
	}
	was := func(i, value, k, other int) bool { return seen[value][i][other][k/64]>>(k%64)&1 != 0 }
	is := func(i, value int) literal { return x.now[0][i] ^ literal(1-value) }
	var all []literal
	for i := range n {
		for value := range 2 {
			if !was(i, value, i, value) {
				all = append(all, is(i, value))
				continue
			}
			for k := range i {
				for other := range 2 {
					if was(k, other, k, other) && !was(i, value, k, other) {
						all = append(all, x.a.and(is(i, value), is(k, other)))
					}
				}
			}
		}
	}
	if len(all) > mostHints {
		return 0
	}
	for _, l := range all {
		any = x.a.or(any, x.a.and(done, l))
	}
	return any
}

// LocalProof is what was found out about a fault of [Locals].
type LocalProof struct {
	Equal   bool   // no register and no output ever changes
	Differs bool   // one does
	By      string // how that was proved
}

// How local miters are proved.
const (
	byLocalInduction = "no register and no output ever changes: induction over equal signals (abc scorr)"
	byLocalReach     = "no register and no output ever changes: property-directed reachability (abc pdr)"
)

// asserted finds the outputs that abc has found a way to, and how many it could not decide.
var (
	asserted  = regexp.MustCompile(`Output +(\d+) +was asserted`)
	undecided = regexp.MustCompile(`Undecided = (\d+)\.`)
)

// Prove has abc prove that faults never change a register or an output. All share what is found
// out about the states that are reached. For what limit leaves open the proof says neither.
func (l *Locals) Prove(ctx context.Context, limit time.Duration) ([]LocalProof, error) {
	proofs := make([]LocalProof, len(l.Same))
	for i, same := range l.Same {
		if same {
			proofs[i] = LocalProof{true, false, "structure: no output depends on it"}
		}
	}
	if len(l.of) == 0 {
		return proofs, nil
	}
	a, err := (&Miter{AIGER: l.aiger}).newABC()
	if err != nil {
		return nil, err
	}
	defer a.close()
	const reduce = "read_aiger miter.aig; scorr; dc2; write_aiger reduced.aig"
	if _, err := a.run(ctx, limit, reduce); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(a.dir, "reduced.aig"))
	if os.IsNotExist(err) {
		return proofs, nil // there was no time for it
	}
	if err != nil {
		return nil, err
	}
	outputs, err := aigerOutputs(text)
	want := len(l.of)
	if l.hinted {
		want++
	}
	if err != nil || len(outputs) != want {
		return nil, fmt.Errorf("abc has written %d outputs of %d: %v", len(outputs), want, err)
	}
	if l.hinted {
		outputs = outputs[:len(l.of)]
		if err := os.WriteFile(filepath.Join(a.dir, "reduced.aig"), withoutLast(text), 0o666); err != nil {
			return nil, err
		}
	}
	var open []int // outputs
	for k, output := range outputs {
		if output == "0" {
			proofs[l.of[k]] = LocalProof{true, false, byLocalInduction}
		} else {
			open = append(open, k)
		}
	}
	if len(open) == 0 || l.latches <= fewest {
		return proofs, nil // all states that are reached are better tried
	}
	// Outputs that were proved are constant, and are no work.
	seconds := max(int(limit/time.Second), 1)
	said, err := a.run(ctx, limit, fmt.Sprintf("read_aiger reduced.aig; pdr -a -T %d", seconds))
	if err != nil {
		return nil, err
	}
	for _, m := range asserted.FindAllStringSubmatch(said, -1) {
		if k, _ := strconv.Atoi(m[1]); k < len(l.of) {
			proofs[l.of[k]].Differs = true
		}
	}
	all := undecided.FindStringSubmatch(said)
	if all == nil || all[1] != "0" {
		return proofs, nil
	}
	for _, k := range open {
		if p := &proofs[l.of[k]]; !p.Differs {
			p.Equal, p.By = true, byLocalReach
		}
	}
	return proofs, nil
}

// withoutLast returns a circuit in AIGER's binary form without its last output.
func withoutLast(text []byte) []byte {
	var m, i, l, o, a int
	fmt.Sscanf(string(text[:min(len(text), 100)]), "aig %d %d %d %d %d", &m, &i, &l, &o, &a)
	at, rest := 0, text
	for range 1 + l + o - 1 {
		n := bytes.IndexByte(rest, '\n') + 1
		at, rest = at+n, rest[n:]
	}
	header := bytes.IndexByte(text, '\n') + 1
	return slices.Concat(fmt.Appendf(nil, "aig %d %d %d %d %d\n", m, i, l, o-1, a), text[header:at], rest[bytes.IndexByte(rest, '\n')+1:])
}

// aigerOutputs returns the outputs of a circuit in AIGER's binary form.
func aigerOutputs(text []byte) ([]string, error) {
	lines := bytes.Split(text[:min(len(text), 1<<24)], []byte("\n"))
	var m, i, l, o, a int
	if _, err := fmt.Sscanf(string(lines[0]), "aig %d %d %d %d %d", &m, &i, &l, &o, &a); err != nil {
		return nil, err
	}
	if len(lines) < 1+l+o {
		return nil, fmt.Errorf("a circuit with %d latches and %d outputs has %d lines", l, o, len(lines))
	}
	var all []string
	for _, line := range lines[1+l:][:o] {
		all = append(all, strings.TrimSpace(string(line)))
	}
	return all, nil
}
