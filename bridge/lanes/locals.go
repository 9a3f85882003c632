package lanes

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

// Locals are miters of many faults in one circuit, which share all registers: of each fault an
// output says that a register would become something else, or an output of the design.
type Locals struct {
	Same []bool // by fault: nothing depends on it

	a       *aig
	of      []int     // the fault of each output
	outputs []literal // a register or an output of the design becomes something else
	hints   literal   // states are what they are taken never to be
	proved  bool      // they never are
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
	l.hints, l.proved = o.Hints.add(x, done), o.Hints != nil && o.Hints.proved != nil
	for i, name := range on {
		v, ok := planes[name]
		if !ok {
			return nil, fmt.Errorf("lanes: module %s has no input %s", m.design.Top, name)
		}
		x.on = v
		clear(x.seen[1])
		bad := x.bad(o, done)
		if l.Same[i] = bad == 0; !l.Same[i] {
			l.outputs, l.of = append(l.outputs, bad), append(l.of, i)
		}
	}
	l.a = x.a
	return l, nil
}

// LocalProof is what was found out about a fault of [Locals].
type LocalProof struct {
	Equal   bool   // no register and no output ever changes
	Differs bool   // one does
	By      string // how that was proved
}

// How local miters are proved.
const (
	byLocalStep      = "no register and no output ever changes: not in one cycle from a state with the invariants of the design (abc scorr, ifraig)"
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
	if l.proved {
		if err := l.step(ctx, limit, proofs); err != nil {
			return nil, err
		}
	}
	if len(l.of) == 0 {
		return proofs, nil
	}
	all, hinted := l.outputs, l.hints != 0
	if hinted {
		all = append(all[:len(all):len(all)], l.hints)
	}
	a, err := (&Miter{AIGER: l.a.write(all...)}).newABC()
	if err != nil {
		return nil, err
	}
	defer a.close()
	outputs, err := a.reduce(ctx, limit, len(l.of), hinted)
	if err != nil || outputs == nil {
		return proofs, err
	}
	var open []int // outputs
	for k, output := range outputs {
		if output == "0" {
			proofs[l.of[k]] = LocalProof{true, false, byLocalInduction}
		} else {
			open = append(open, k)
		}
	}
	if len(open) == 0 || len(l.a.latches) <= fewest {
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
	if left := undecided.FindStringSubmatch(said); left == nil || left[1] != "0" {
		return proofs, nil
	}
	for _, k := range open {
		if p := &proofs[l.of[k]]; !p.Differs {
			p.Equal, p.By = true, byLocalReach
		}
	}
	return proofs, nil
}

// step proves of faults that they change nothing in any single cycle, from any state that has what
// is proved of those that are reached. That takes a second for hundreds of faults, of which
// induction takes minutes or comes to no end. The others stay.
func (l *Locals) step(ctx context.Context, limit time.Duration, proofs []LocalProof) error {
	if len(l.of) == 0 {
		return nil
	}
	var outputs []literal
	for _, bad := range l.outputs {
		outputs = append(outputs, l.a.and(bad, l.hints.not()))
	}
	a, err := (&Miter{AIGER: l.a.writeStep(outputs...)}).newABC()
	if err != nil {
		return err
	}
	defer a.close()
	left, err := a.sweep(ctx, limit, len(outputs))
	if err != nil || left == nil {
		return err
	}
	var of []int
	outputs = nil
	for k, output := range left {
		if output == "0" {
			proofs[l.of[k]] = LocalProof{true, false, byLocalStep}
		} else {
			of, outputs = append(of, l.of[k]), append(outputs, l.outputs[k])
		}
	}
	l.of, l.outputs = of, outputs
	return nil
}

// sweep returns the outputs of a circuit without latches, of which those that were proved never to
// be 1 are "0", or nil if there was not enough time.
func (a *abcRun) sweep(ctx context.Context, limit time.Duration, want int) ([]string, error) {
	if _, err := a.run(ctx, limit, "read_aiger miter.aig; ifraig -C 5000; write_aiger swept.aig"); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(a.dir, "swept.aig"))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	outputs, err := aigerOutputs(text)
	if err != nil || len(outputs) != want {
		return nil, fmt.Errorf("abc has written %d outputs of %d: %v", len(outputs), want, err)
	}
	return outputs, nil
}
