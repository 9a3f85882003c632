package lanes

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// alone proves outputs one by one. A sweep of all leaves some that take a tenth of a second by
// themselves: of 15 000 claims about movegen it leaves 174, of which 7 hold, and without those all
// that follows from them is lost. It returns the outputs that may be 1. Where one is, others often
// are as well: then they are not asked about.
func (x *miter) alone(ctx context.Context, outputs []literal, open []int, limit time.Duration) (refuted []int, took time.Duration, err error) {
	r := rand.New(rand.NewPCG(1, 25))
	for len(open) > 0 {
		k := open[0]
		open = open[1:]
		if took > limit {
			refuted = append(refuted, k)
			continue
		}
		a, err := (&Miter{AIGER: x.a.writeStep(outputs[k])}).newABC()
		if err != nil {
			return nil, took, err
		}
		proved, inputs, err := a.once(ctx)
		took += a.took
		a.close()
		if err != nil {
			return nil, took, err
		}
		if proved {
			continue
		}
		refuted = append(refuted, k)
		if inputs == nil {
			continue
		}
		is := x.a.near(inputs, r)
		open = slices.DeleteFunc(open, func(k int) bool {
			if is(outputs[k]) == 0 {
				return false
			}
			refuted = append(refuted, k)
			return true
		})
	}
	return refuted, took, nil
}

// aloneLimit is how long the proof of a single output may take, of a circuit without latches.
const aloneLimit = 2 * time.Second

// once has abc look for inputs at which the output of a circuit without latches is 1, and reports
// whether it has proved that there are none. inputs is nil if there was not enough time, too.
func (a *abcRun) once(ctx context.Context) (proved bool, inputs []bool, err error) {
	said, err := a.within(ctx, aloneLimit, "read_aiger miter.aig; strash; sat; print_status; write_cex inputs.txt")
	if err != nil || equal(said) || !strings.Contains(said, "Status = 0 ") {
		return equal(said), nil, err
	}
	text, err := os.ReadFile(filepath.Join(a.dir, "inputs.txt"))
	if err != nil {
		return false, nil, err
	}
	for _, c := range strings.TrimSpace(string(text)) {
		inputs = append(inputs, c == '1')
	}
	return false, inputs, nil
}

// near returns a function that says what literals are in one cycle: the lowest bit is with these
// inputs, among which are latches, and the others with some of them changed.
func (a *aig) near(inputs []bool, r *rand.Rand) func(literal) uint64 {
	first := a.inputs + len(a.latches) + 1
	nodes := make([]uint64, first+len(a.ands))
	is := func(l literal) uint64 { return nodes[l/2] ^ -uint64(l&1) }
	for i, one := range inputs {
		// One in 64 changes, in the upper half of the runs one in a thousand.
		some := r.Uint64() & r.Uint64() & r.Uint64() & r.Uint64() & r.Uint64() & r.Uint64()
		few := some & r.Uint64() & r.Uint64() & r.Uint64() & r.Uint64()
		changed := (some&(1<<32-1) | few&^(1<<32-1)) &^ 1
		if nodes[1+i] = changed; one {
			nodes[1+i] = ^changed
		}
	}
	for i, x := range a.ands {
		nodes[first+i] = is(x[0]) & is(x[1])
	}
	return is
}
