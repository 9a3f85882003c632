package lanes

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
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
	hints := o.Hints.add(x, done)
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
	outputs, err := a.reduce(ctx, limit, len(l.of), l.hinted)
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
