package lanes

import (
	"context"
	"time"
)

// Unproved returns where those assertions are, as file and line, that are not proved to hold in all
// cycles after the reset, whatever the inputs are that the design's assumptions allow. It proves
// them together, by induction: an assertion may hold and yet not follow from what holds in the
// cycle before. If the time is not enough, it returns all.
func (m *Model) Unproved(ctx context.Context, o MiterOptions, limit time.Duration) (where []string, err error) {
	proved, err := m.proveAssertions(ctx, o, limit)
	if err != nil {
		return nil, err
	}
	i := 0
	for _, k := range m.program.c.Checks {
		if k.Assumed {
			continue
		}
		if !proved[i] {
			where = append(where, k.Where)
		}
		i++
	}
	return where, nil
}

// proveAssertions returns for each of the design's assertions whether it is proved to hold.
func (m *Model) proveAssertions(ctx context.Context, o MiterOptions, limit time.Duration) (proved []bool, err error) {
	o.Hints = nil
	x, done, err := m.afterReset(o)
	if err != nil {
		return nil, err
	}
	fails := (&Hints{}).each(x, done, 0)
	proved = make([]bool, len(fails))
	var outputs []literal
	var of []int
	for i, l := range fails {
		if proved[i] = l == 0; !proved[i] { // it may hold by itself
			outputs, of = append(outputs, l), append(of, i)
		}
	}
	if len(outputs) == 0 {
		return proved, nil
	}
	a, err := (&Miter{AIGER: x.a.write(outputs...)}).newABC()
	if err != nil {
		return nil, err
	}
	defer a.close()
	a.older = true
	constant, err := a.reduce(ctx, limit, len(outputs), 0)
	if err != nil || constant == nil {
		return proved, err
	}
	for k, i := range of {
		proved[i] = constant[k] == "0"
	}
	return proved, nil
}
