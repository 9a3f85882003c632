package lanes

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// How faults are proved to change nothing in one cycle.
const (
	byStructure = "structure: no output depends on it"
	byStep      = "no register and no output ever changes: not in one cycle from a state with the invariants of the design (abc scorr, &fraig)"
)

// Step has abc prove that faults change no register and no output in any single cycle, from any
// state that has what is proved of those that are reached. That takes a second for hundreds of
// faults. It returns how each was proved, or "" for those that may change something. The faults are
// inputs that are each 0 in the first copy and 1 in the second, and share all registers. Where
// other options are zero they are as in [MiterOptions].
func (m *Model) Step(ctx context.Context, on []string, o MiterOptions, limit time.Duration) ([]string, error) {
	o.On, o.Local, o.Own, o.Open, o.Taken, o.step = on[0], true, nil, false, false, true
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
	var unreached literal
	if o.Hints != nil && o.Hints.proved != nil { // those that are not proved may be wrong
		unreached = o.Hints.add(x, done, 0)
	}
	by := make([]string, len(on))
	var of []int
	var outputs []literal
	for i, name := range on {
		v, ok := planes[name]
		if !ok {
			return nil, fmt.Errorf("lanes: module %s has no input %s", m.design.Top, name)
		}
		x.on = v
		clear(x.seen[1])
		bad := x.bad(o, done)
		if bad == 0 {
			by[i] = byStructure
			continue
		}
		of, outputs = append(of, i), append(outputs, x.a.and(bad, unreached.not()))
	}
	if len(of) == 0 {
		return by, nil
	}
	a, err := (&Miter{AIGER: x.a.writeStep(outputs...)}).newABC()
	if err != nil {
		return nil, err
	}
	defer a.close()
	left, err := a.sweep(ctx, limit, len(outputs))
	if err != nil {
		return nil, err
	}
	for k, output := range left {
		if output == "0" {
			by[of[k]] = byStep
		}
	}
	return by, nil
}

// sweep returns the outputs of a circuit without latches. Those that were proved never to be 1 are
// "0". It returns nil if there was not enough time. Of abc's sweeps this is the fastest: half a
// million gates, of 64 faults of the block game, take one second, and 20 with ifraig.
func (a *abcRun) sweep(ctx context.Context, limit time.Duration, want int) ([]string, error) {
	if _, err := a.run(ctx, limit, "read_aiger miter.aig; &get; &fraig -y -C 5000; &put; write_aiger swept.aig"); err != nil {
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
