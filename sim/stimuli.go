package sim

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/bridge/lanes"
)

// Stimuli are many stimuli for one design, which [CheckLanes] plays 512 at a time. What the outputs
// should be, the model says, or the outputs of stimulus 0, or assertions in the RTL.
type Stimuli[I, O any] struct {
	Count int
	// Of returns stimulus n, the same in each call.
	Of func(n int) iter.Seq[I]
	// Model returns a reference for one stimulus. It is run for each, and so should be fast: a lane
	// takes some 10 to 50 ns a cycle.
	Model func() Model[I, O]
	// Golden compares the outputs of all stimuli with those of stimulus 0, as far as that goes:
	// stimuli that differ in what must not matter, or none, and power-up that must not.
	Golden bool
}

// LaneFault is a stimulus with which a design did in a lane what it should not.
type LaneFault struct {
	Stimulus int
	Cycle    uint64 // from power-up on, the reset included
	What     string // which outputs, or which assertion
}

func (f LaneFault) String() string {
	return fmt.Sprintf("stimulus %d, cycle %d: %s", f.Stimulus, f.Cycle, f.What)
}

// CompareLanes plays stimuli to lanes after a reset as in [Check], and returns the first fault of
// each that has one, by stimulus. Immediate assertions of the RTL count in any case. What lanes
// cannot do, package bridge/lanes says.
func CompareLanes[I, O any](ctx context.Context, d Design, s Stimuli[I, O]) ([]LaneFault, error) {
	faults, _, err := compareLanes(ctx, d, s)
	return faults, err
}

// CheckLanes is CompareLanes in a test. Each of the first three stimuli with a fault becomes a
// subtest, stimulus=N, that plays it in a simulator as [Check] does, and so leaves its report,
// waves, and the shrunk stimulus.
func CheckLanes[I, O any](t *testing.T, d Design, s Stimuli[I, O]) {
	t.Helper()
	faults, golden, err := compareLanes(t.Context(), d, s)
	if err != nil {
		t.Fatal(err)
	}
	if len(faults) == 0 {
		return
	}
	for _, f := range faults[:min(len(faults), 3)] {
		t.Run(fmt.Sprintf("stimulus=%d", f.Stimulus), func(t *testing.T) {
			on := chosen(t)[len(chosen(t))-1]
			dut := OpenTest[I, O](t, d, on)
			var m Model[I, O] = &recorded[I, O]{} // nothing is compared: the RTL's assertions are
			switch {
			case s.Model != nil:
				m = s.Model()
			case s.Golden:
				m = &recorded[I, O]{golden, 0}
			}
			if s.Model == nil && !s.Golden {
				playAll(t, dut, s.Of(f.Stimulus))
			} else {
				Check(t, dut, m, s.Of(f.Stimulus))
			}
			t.Errorf("stimulus %d passes on %s. In lanes, cycle %d: %s. Power-up is other there: does the design depend on it?", f.Stimulus, on, f.Cycle, f.What)
		})
	}
	t.Errorf("%d of %d stimuli fail in lanes, the first: %v", len(faults), s.Count, faults[0])
}

// playAll plays a stimulus after a reset, and fails the test if the RTL finds an error.
func playAll[I, O any](t *testing.T, dut *DUT[I, O], stimulus iter.Seq[I]) {
	t.Helper()
	if dut.device.reset >= 0 {
		if err := dut.Reset(dut.ResetCycles()); err != nil {
			dut.Fail(t, err)
		}
	}
	for in := range stimulus {
		if _, err := dut.Step(in); err != nil {
			dut.Fail(t, err)
		}
	}
}

// recorded is a model whose outputs are known: those of the golden lane.
type recorded[I, O any] struct {
	outputs []O
	at      int
}

func (r *recorded[I, O]) Reset() { r.at = 0 }

func (r *recorded[I, O]) Step(I) (out O) {
	if r.at < len(r.outputs) {
		out = r.outputs[r.at]
	}
	r.at++
	return out
}

// laneCycles is how many cycles are played at a time.
const laneCycles = 64

// laneRun is lanes that play stimuli.
type laneRun[I, O any] struct {
	*Lanes[I, O]
	stimuli  *Stimuli[I, O]
	in       []I // of each cycle, a row for each lane
	out      []O
	playing  []playing[I, O] // by lane
	golden   []O             // outputs of stimulus 0
	faults   []LaneFault
	compared bool
}

// playing is a stimulus in a lane.
type playing[I, O any] struct {
	number   int
	next     func() (I, bool)
	model    Model[I, O]
	dontCare func(O) O
	rows     int // in this part of the run
	ended    bool
	faulty   bool
}

func compareLanes[I, O any](ctx context.Context, d Design, s Stimuli[I, O]) ([]LaneFault, []O, error) {
	switch {
	case s.Count < 1 || s.Of == nil:
		return nil, nil, errors.New("sim: there are no stimuli: set Count and Of")
	case s.Model != nil && s.Golden:
		return nil, nil, errors.New("sim: stimuli are compared with a model or with stimulus 0, not with both")
	case s.Golden && s.Count < 2:
		return nil, nil, errors.New("sim: a golden stimulus needs another one that is compared with it")
	}
	first, err := OpenLanes[I, O](ctx, d, WithSeed(Seed()))
	if err != nil {
		return nil, nil, err
	}
	defer first.Close()
	if s.Model == nil && !s.Golden && first.model.Assertions() == 0 {
		return nil, nil, fmt.Errorf("sim: nothing would be compared: module %s has no assertions, and there is neither a model nor a golden stimulus", d.Top)
	}
	r := &laneRun[I, O]{Lanes: first, stimuli: &s, in: make([]I, laneCycles*lanes.Count), out: make([]O, laneCycles*lanes.Count)}
	r.compared = s.Model == nil
	for n := 0; n < s.Count; {
		var numbers []int
		if s.Golden { // lane 0 is stimulus 0 in each round
			numbers, n = append(numbers, 0), max(n, 1)
		}
		for ; n < s.Count && len(numbers) < lanes.Count; n++ {
			numbers = append(numbers, n)
		}
		if err := r.round(ctx, numbers); err != nil {
			return nil, nil, err
		}
		if n < s.Count {
			if r.Batch, err = r.model.Start(lanes.Options{Seed: Seed() + uint64(n)}); err != nil {
				return nil, nil, err
			}
			defer r.Batch.Close()
		}
	}
	if !r.compared {
		return nil, nil, errAllIgnored
	}
	slices.SortFunc(r.faults, func(a, b LaneFault) int { return cmp.Compare(a.Stimulus, b.Stimulus) })
	return r.faults, r.golden, nil
}

// round plays up to 512 stimuli from power-up on.
func (r *laneRun[I, O]) round(ctx context.Context, numbers []int) error {
	r.playing, r.golden = nil, nil
	clocks, err := r.design.AllClocks()
	if err != nil {
		return err
	}
	for _, n := range numbers {
		next, stop := iter.Pull(r.stimuli.Of(n))
		defer stop()
		p := playing[I, O]{number: n, next: next}
		if r.stimuli.Model != nil {
			p.model = r.stimuli.Model()
			p.dontCare = dontCareOf(p.model)
		}
		r.playing = append(r.playing, p)
	}
	if err := r.resetAll(ctx); err != nil {
		return err
	}
	for i := range r.playing {
		if m := r.playing[i].model; m != nil {
			resetTo(m, clocks, r.Cycle())
		}
	}
	for {
		ends := r.fetch()
		if len(ends) == 0 {
			return nil
		}
		from := 0
		for _, to := range ends {
			if err := r.part(ctx, from, to); err != nil {
				return err
			}
			from = to
		}
	}
}

// resetAll holds the reset of all lanes as Check does.
func (r *laneRun[I, O]) resetAll(ctx context.Context) error {
	if r.reset >= 0 {
		var in I
		if !r.design.ResetActiveLow {
			rowOf(&in)[r.ports.in.fields[r.reset].port.Offset] = 1
		}
		for lane := range lanes.Count {
			if err := r.Set(lane, &in); err != nil {
				return err
			}
		}
		if err := r.Play(ctx, ResetRows(r.design)); err != nil {
			return err
		}
	}
	r.Forget()
	return nil
}

// fetch gets the next rows of all stimuli. It returns after how many rows some end, and how many
// rows there are, in order. A lane whose stimulus has ended keeps its inputs.
func (r *laneRun[I, O]) fetch() (ends []int) {
	for lane := range r.playing {
		p := &r.playing[lane]
		p.rows = 0
		var last I
		if r.in != nil {
			last = r.in[(laneCycles-1)*lanes.Count+lane]
		}
		for k := range laneCycles {
			if !p.ended {
				if in, ok := p.next(); ok {
					last = in
					p.rows++
				} else {
					p.ended = true
				}
			}
			r.in[k*lanes.Count+lane] = last
		}
		if p.rows > 0 && !slices.Contains(ends, p.rows) {
			ends = append(ends, p.rows)
		}
	}
	slices.Sort(ends)
	return ends
}

// part plays rows, and compares.
func (r *laneRun[I, O]) part(ctx context.Context, from, to int) error {
	begin := r.Cycle()
	out := r.out[from*lanes.Count : to*lanes.Count]
	if _, err := r.Batch.Run(ctx, lanes.Rows{In: rowsOf(r.in[from*lanes.Count : to*lanes.Count]), Out: rowsOf(out)}, to-from); err != nil {
		if e, ok := errors.AsType[*lanes.RowError](err); ok && e.Lane >= 0 && e.Lane < len(r.playing) {
			return fmt.Errorf("stimulus %d: %w", r.playing[e.Lane].number, err)
		}
		return err
	}
	if r.stimuli.Golden {
		for k := from; k < min(to, r.playing[0].rows); k++ {
			r.golden = append(r.golden, r.out[k*lanes.Count])
		}
	}
	for lane := range r.playing {
		for k := from; k < min(to, r.playing[lane].rows); k++ {
			if err := r.compare(lane, k, begin+uint64(k-from)); err != nil {
				return err
			}
		}
	}
	for _, v := range r.Violations() {
		for lane := range v.Lanes.Lanes() {
			if lane < len(r.playing) && r.playing[lane].rows > from {
				r.fault(lane, v.Cycle, "the assertion at "+v.Where+" fails")
			}
		}
	}
	r.Forget()
	return nil
}

// compare compares a row of a lane.
func (r *laneRun[I, O]) compare(lane, k int, cycle uint64) error {
	p := &r.playing[lane]
	row := k*lanes.Count + lane
	var want O
	switch {
	case p.model != nil:
		want = p.model.Step(r.in[row])
		if f, ok := extra(p.model).(Fallible); ok && f.Err() != nil {
			return fmt.Errorf("stimulus %d: the model is no reference for the inputs of cycle %d: %w", p.number, cycle, f.Err())
		}
	case r.stimuli.Golden && k < r.playing[0].rows:
		want = r.out[k*lanes.Count]
	default:
		return nil
	}
	if p.faulty {
		return nil
	}
	var ignored []byte
	if p.dontCare != nil {
		mask := p.dontCare(want)
		ignored = r.ports.out.ignore(rowOf(&mask))
	}
	r.compared = r.compared || ignored == nil || !r.ports.out.maskedBy(ignored)
	if !r.ports.out.differ(rowOf(&want), rowOf(&r.out[row]), nil, ignored) {
		return nil
	}
	var words []string
	for _, f := range r.ports.out.fields {
		a, b := valueOf(f.port, rowOf(&want), nil), valueOf(f.port, rowOf(&r.out[row]), nil)
		if a.Bits.Cmp(b.Bits) != 0 {
			words = append(words, fmt.Sprintf("%s is %#x, not %#x", f.port.Name, b.Bits, a.Bits))
		}
	}
	r.fault(lane, cycle, strings.Join(words, ", "))
	return nil
}

// fault notes the first fault of a lane.
func (r *laneRun[I, O]) fault(lane int, cycle uint64, what string) {
	p := &r.playing[lane]
	if !p.faulty {
		p.faulty = true
		r.faults = append(r.faults, LaneFault{p.number, cycle, what})
	}
}
