package lanes

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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
	done    literal   // the reset at the beginning is over

	model   *Model
	on      []string
	options MiterOptions
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
	l.a, l.done, l.model, l.on, l.options = x.a, done, m, on, o
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
	byLocalReset     = "no register and no output changes after the reset, which the registers depend on alone: not in one cycle from a state with the invariants of the design (abc scorr, ifraig)"
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
	if l.proved && len(l.of) > 0 {
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
// induction takes minutes or comes to no end. While the reset is held at the beginning, states are
// what they were at power-up. A fault may change something in one that is never reached later: then
// it is enough that it changes nothing when the reset is over, if that follows from the reset. The
// other faults stay.
func (l *Locals) step(ctx context.Context, limit time.Duration, proofs []LocalProof) error {
	always := make([]literal, len(l.outputs))
	for k, bad := range l.outputs {
		always[k] = l.a.and(bad, l.hints.not())
	}
	if err := l.settle(ctx, limit, proofs, byLocalStep, l.a.writeStep(always...)); err != nil || l.done == 1 || len(l.of) == 0 {
		return err
	}
	a, differs := l.afterReset()
	forgotten, err := neverOne(ctx, limit, a.write(differs...), len(differs))
	if err != nil || forgotten == nil {
		return err
	}
	later := make([]literal, len(l.outputs))
	for k, bad := range l.outputs {
		later[k] = 1 // a fault that the reset does not forget stays
		if forgotten[k] {
			later[k] = l.a.and(l.done, l.a.and(bad, l.hints.not()))
		}
	}
	return l.settle(ctx, limit, proofs, byLocalReset, l.a.writeStep(later...))
}

// settle notes of faults that they are proved whose outputs in a circuit are never 1.
func (l *Locals) settle(ctx context.Context, limit time.Duration, proofs []LocalProof, by string, circuit []byte) error {
	proved, err := neverOne(ctx, limit, circuit, len(l.of))
	if err != nil || proved == nil {
		return err
	}
	var of []int
	var outputs []literal
	for k := range proved {
		if proved[k] {
			proofs[l.of[k]] = LocalProof{true, false, by}
		} else {
			of, outputs = append(of, l.of[k]), append(outputs, l.outputs[k])
		}
	}
	l.of, l.outputs = of, outputs
	return nil
}

// afterReset returns a circuit without latches that plays the cycles in which the reset is held at
// the beginning. For each fault that is left an output says that a register is something else
// afterwards, or that something else was written to a memory.
func (l *Locals) afterReset() (*aig, []literal) {
	c, design := l.model.program.c, l.model.design
	a := &aig{known: map[[2]literal]literal{}}
	cycles := make([]*miter, l.options.Reset)
	planes := map[string]value{}
	for t := range cycles {
		x := &miter{c: c, a: a, made: &Miter{}, fixed: map[value]literal{}, on: -1, words: map[value]literal{}, other: map[value]literal{}}
		for _, p := range c.Inputs {
			for i, v := range p.Bits {
				switch {
				case p.Name == design.Reset && design.ResetActiveLow, slices.Contains(l.on, p.Name), slices.Contains(l.options.Off, p.Name):
					x.fixed[v] = 0
				case p.Name == design.Reset:
					x.fixed[v] = 1
				default:
					x.fixed[v] = x.input(p.Name, i)
				}
				planes[p.Name] = v
			}
		}
		x.others()
		if t == 0 {
			x.powerUp()
			for i, s := range c.States {
				if s.Initial >= 0 {
					x.now[0][i] = literal(s.Initial)
				}
			}
		}
		for side := range x.luts {
			x.luts[side], x.seen[side] = make([]literal, len(c.LUTs)), make([]bool, len(c.LUTs))
		}
		cycles[t] = x
	}
	become := func(t, side int) (next []literal) {
		for _, s := range c.States {
			next = append(next, cycles[t].value(side, s.Next))
		}
		return next
	}
	right := cycles[0].now[0]
	for t, x := range cycles {
		x.now[0] = right
		right = become(t, 0)
	}
	var all []literal
	for _, fault := range l.of {
		differs, wrong := literal(0), cycles[0].now[0]
		for t, x := range cycles {
			x.on, x.now[1] = planes[l.on[fault]], wrong
			clear(x.seen[1])
			differs = a.or(differs, x.writes())
			wrong = become(t, 1)
		}
		for i := range wrong {
			differs = a.or(differs, a.xor(right[i], wrong[i]))
		}
		all = append(all, differs)
	}
	return a, all
}

// neverOne reports of each output of a circuit without latches whether it is proved never to be 1. It
// returns nil if there was not enough time.
func neverOne(ctx context.Context, limit time.Duration, circuit []byte, outputs int) ([]bool, error) {
	a, err := (&Miter{AIGER: circuit}).newABC()
	if err != nil {
		return nil, err
	}
	defer a.close()
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
	left, err := aigerOutputs(text)
	if err != nil || len(left) != outputs {
		return nil, fmt.Errorf("abc has written %d outputs of %d: %v", len(left), outputs, err)
	}
	proved := make([]bool, outputs)
	for i := range left {
		proved[i] = left[i] == "0"
	}
	return proved, nil
}
