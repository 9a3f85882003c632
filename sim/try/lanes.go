package try

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"time"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/lanes"
)

// laneSearch looks for inputs in 512 lanes. All of them play the inputs of a kept run, and then
// each its own. What a lane reaches is played again in the simulators, and kept. And what the
// simulators have played is played in lanes that differ in nothing but what registers have at
// power-up.
type laneSearch struct {
	model   *lanes.Model
	waiting []int           // points that no lane has reached
	failed  map[string]bool // assertions that have failed in a lane
	open    []byte          // bits of outputs that are not compared any more
	powerUp []string        // what was found
	synth   []string
	alone   []string // assertions that fail in lanes alone
}

// madeLanes is a model, or why there is none.
type madeLanes struct {
	model *lanes.Model
	err   error
}

// startLanes begins to make lanes of the design. finish must be called.
func (t *trial) startLanes() (made chan madeLanes, finish func()) {
	if t.opts.NoLanes || t.icarus == nil || t.plain == nil {
		return nil, func() {}
	}
	ctx, cancel := context.WithCancel(t.ctx)
	made = make(chan madeLanes, 1)
	done := make(chan struct{})
	go func() {
		defer close(done)
		m, err := lanes.Build(ctx, t.design, lanes.BuildOptions{Points: true, Shape: t.laneLayout})
		made <- madeLanes{m, err}
	}()
	return made, func() {
		cancel()
		<-done
	}
}

// laneLayout returns the layout of the simulators' rows, which has what Yosys does not say: which
// ports are signed.
func (t *trial) laneLayout(ports []bridge.Port) (*bridge.Layout, error) {
	l := t.pair.layout
	for _, p := range slices.Concat(l.Inputs, l.Outputs) {
		if !slices.ContainsFunc(ports, func(q bridge.Port) bool { return q.Name == p.Name && q.Width == p.Width && q.Dir == p.Dir }) {
			return nil, fmt.Errorf("port %s is another one for Yosys", p.Name)
		}
	}
	if len(ports) != len(l.Inputs)+len(l.Outputs) {
		return nil, fmt.Errorf("the simulators see %d ports, Yosys %d", len(l.Inputs)+len(l.Outputs), len(ports))
	}
	return l, nil
}

// begin begins to use lanes. They play what the simulators have played so far first, so that what
// is reached by that is not looked for.
func (e *explorer) begin(m madeLanes, end time.Time) (going bool, err error) {
	if m.err != nil {
		if e.ctx.Err() != nil {
			return false, context.Cause(e.ctx)
		}
		e.report.add(Fine, "the search was in the simulators alone, not in lanes", firstLines(m.err.Error(), 2)...)
		return true, nil
	}
	e.lanes = &laneSearch{model: m.model, failed: map[string]bool{}, open: make([]byte, e.pair.layout.OutSize)}
	for i := range m.model.Points() {
		e.lanes.waiting = append(e.lanes.waiting, i)
	}
	for _, s := range e.pair.sides {
		for _, message := range s.messages {
			if message.Severity >= bridge.Error {
				e.lanes.failed[message.Where] = true
			}
		}
	}
	for _, tape := range slices.Clone(e.kept) {
		if err := e.known(tape); err != nil {
			return false, err
		}
	}
	// The first again in the simulators, for what the outputs are.
	size := e.pair.layout.InSize
	p, going, err := e.play(&continued{tape: e.kept[0], size: size}, len(e.kept[0])/size, end)
	if err != nil || !going {
		return false, err
	}
	return true, e.golden(p)
}

// batch starts lanes that have done the reset, whose rows it returns.
func (e *explorer) batch(o lanes.Options) (*lanes.Batch, []byte, error) {
	b, err := e.lanes.model.Start(o)
	if err != nil {
		return nil, nil, err
	}
	size := e.pair.layout.InSize
	reset := make([]byte, e.pair.reset*size)
	s := newStimulus(e.pair.layout, &e.design, e.pair.reset, 0)
	for i := range e.pair.reset {
		s.next(reset[i*size:])
	}
	if _, err := b.Run(e.ctx, lanes.Rows{In: reset, Shared: true}, e.pair.reset); err != nil {
		return nil, nil, errors.Join(err, b.Close())
	}
	b.Forget()
	return b, reset, nil
}

// known strikes out the points that a tape reaches.
func (e *explorer) known(tape []byte) error {
	b, reset, err := e.batch(lanes.Options{Zeros: true})
	if err != nil {
		return err
	}
	defer b.Close()
	if err := b.Look(e.lanes.waiting); err != nil {
		return err
	}
	rest := tape[min(len(reset), len(tape)):]
	if _, err := b.Run(e.ctx, lanes.Rows{In: rest, Shared: true}, len(rest)/e.pair.layout.InSize); err != nil {
		return err
	}
	e.lanes.strike(b.Reached())
	return nil
}

func (l *laneSearch) strike(reached []lanes.Reached) {
	gone := map[int]bool{}
	for _, r := range reached {
		gone[r.Point] = true
	}
	l.waiting = slices.DeleteFunc(l.waiting, func(p int) bool { return gone[p] })
}

// laneChunk is how many cycles are played at a time with inputs that differ by lane.
const laneChunk = 64

// mostReplays bounds how many lanes of a round are played again.
const mostReplays = 24

// round plays the inputs of a kept run and then other ones in each lane, plays what has reached
// something again, and reports whether to go on.
func (e *explorer) round(end time.Time) (going bool, err error) {
	size := e.pair.layout.InSize
	b, prefix, err := e.batch(lanes.Options{Zeros: true})
	if err != nil {
		return false, err
	}
	defer b.Close()
	if kept := e.prefix(); len(kept) > len(prefix) {
		rest := kept[len(prefix):]
		if _, err := b.Run(e.ctx, lanes.Rows{In: rest, Shared: true}, len(rest)/size); err != nil {
			return false, err
		}
		prefix = kept
	}
	if err := b.Look(e.lanes.waiting); err != nil {
		return false, err
	}
	begin := len(prefix) / size
	first := e.random.Uint64()
	var stimuli [lanes.Count]*stimulus
	for lane := range stimuli {
		stimuli[lane] = e.laneStimulus(prefix, first, lane)
	}
	failing := map[string]laneTape{}
	in := make([]byte, laneChunk*lanes.Count*size)
	for left := e.laneTail(); left > 0 && time.Now().Before(end); left -= laneChunk {
		n := min(left, laneChunk)
		for lane, s := range stimuli {
			for k := range n {
				s.next(in[(k*lanes.Count+lane)*size:][:size])
			}
		}
		if _, err := b.Run(e.ctx, lanes.Rows{In: in}, n); err != nil {
			return false, err
		}
		e.done.Lanes += n * lanes.Count
		for _, v := range b.Violations() {
			if !e.lanes.failed[v.Where] {
				e.lanes.failed[v.Where] = true
				for lane := range v.Lanes.Lanes() {
					failing[v.Where] = laneTape{lane: lane, cycles: int(b.Cycle()), lanes: v.Lanes.Len()}
					break
				}
			}
		}
	}
	for where, at := range failing {
		if going, err := e.confirmFailure(where, at, e.tapeOf(prefix, first, at)); !going || err != nil {
			return going, err
		}
	}
	var again []laneTape
	var struck []lanes.Reached
	for _, r := range b.Reached() {
		lane := -1
		for lane = range r.Lanes.Lanes() {
			if slices.ContainsFunc(again, func(t laneTape) bool { return t.lane == lane }) {
				break
			}
		}
		at := slices.IndexFunc(again, func(t laneTape) bool { return t.lane == lane })
		if at < 0 {
			if len(again) == mostReplays {
				continue // it is reached again
			}
			at = len(again)
			again = append(again, laneTape{lane: lane})
		}
		again[at].cycles = max(again[at].cycles, int(r.Cycle)+1, begin)
		again[at].reached = append(again[at].reached, int(r.Cycle)+1)
		struck = append(struck, r)
	}
	e.lanes.strike(struck)
	for _, t := range again {
		if going, err := e.replay(e.tapeOf(prefix, first, t), t.reached, end); !going || err != nil {
			return going, err
		}
	}
	return true, nil
}

// laneTail returns how many cycles of its own inputs a lane has in a round. 512 different next
// steps from a state are worth more than long walks, and cost less: half of the rounds are short.
func (e *explorer) laneTail() int {
	return 1 + e.random.IntN(4<<(2*min(bits.TrailingZeros64(e.random.Uint64()), 4)))
}

// laneTape is what a lane has played.
type laneTape struct {
	lane, cycles int
	lanes        int   // how many lanes there are like it
	reached      []int // after how many cycles it has reached something
}

// laneStimulus returns the random inputs of a lane behind a prefix.
func (e *explorer) laneStimulus(prefix []byte, first uint64, lane int) *stimulus {
	s := newStimulus(e.pair.layout, &e.design, 0, first+uint64(lane))
	if len(prefix) > 0 {
		copy(s.row, prefix[len(prefix)-e.pair.layout.InSize:])
	}
	return s
}

// tapeOf returns the inputs of a lane.
func (e *explorer) tapeOf(prefix []byte, first uint64, t laneTape) []byte {
	size := e.pair.layout.InSize
	tape := make([]byte, t.cycles*size)
	n := copy(tape, prefix)
	s := e.laneStimulus(prefix, first, t.lane)
	for ; n < len(tape); n += size {
		s.next(tape[n:])
	}
	return tape
}

// replay plays a tape in the simulators, keeps it up to where it has reached something, and plays
// it in lanes with other values at power-up. It reports whether to go on.
func (e *explorer) replay(tape []byte, reached []int, end time.Time) (going bool, err error) {
	size := e.pair.layout.InSize
	p, going, err := e.play(&continued{tape: tape, size: size}, len(tape)/size, end)
	if err != nil || !going {
		return false, err
	}
	slices.Sort(reached)
	for _, cycles := range slices.Compact(reached) {
		if cycles <= p.played() {
			e.kept = append(e.kept, p.tape[:cycles*size])
		}
	}
	if err := e.add(p); err != nil {
		return false, err
	}
	return true, e.golden(p)
}

// confirmFailure plays a tape with which an assertion fails in a lane in the simulators, and
// reports whether to go on.
func (e *explorer) confirmFailure(where string, at laneTape, tape []byte) (going bool, err error) {
	size := e.pair.layout.InSize
	p, going, err := e.play(&continued{tape: tape, size: size}, at.cycles, time.Now().Add(e.opts.Limit))
	if err != nil || !going {
		return false, err
	}
	for _, s := range p.sides {
		if slices.ContainsFunc(s.messages, func(m bridge.Message) bool { return m.Severity >= bridge.Error && m.Where == where }) {
			if e.report.Failing == nil {
				e.report.Failing = p.tape[:p.done*size]
			}
			e.done.Reached = append(e.done.Reached, where+" fails")
			return true, e.add(p)
		}
	}
	e.lanes.alone = append(e.lanes.alone, fmt.Sprintf("%s: in %d of %d lanes, by cycle %d", where, at.lanes, lanes.Count, at.cycles-1))
	return true, e.add(p)
}

// golden plays the tape of a run in lanes with other values at power-up, and compares their outputs
// with the simulators'.
func (e *explorer) golden(p *pair) error {
	l := p.layout
	n := len(p.want) / max(l.OutSize, 1)
	for i := range p.care {
		p.care[i] &^= e.lanes.open[i%l.OutSize]
	}
	o := lanes.Options{Seed: e.random.Uint64()}
	rest := lanes.Rows{In: p.tape[p.reset*l.InSize:], Shared: true, Want: p.want, Care: p.care}
	for {
		b, _, err := e.batch(o)
		if err != nil {
			return err
		}
		_, err = b.Run(e.ctx, rest, n)
		e.done.Lanes += n * lanes.Count
		differing := b.Differing()
		lane, cycle := -1, uint64(0)
		for k := range differing.Lanes() {
			if since := b.Since(k); lane < 0 || since < cycle {
				lane, cycle = k, since
			}
		}
		if err = errors.Join(err, b.Close()); err != nil || lane < 0 {
			return err
		}
		if err := e.explain(o, rest, int(cycle)-p.reset, lane); err != nil {
			return err
		}
		for i := range p.care {
			p.care[i] &^= e.lanes.open[i%l.OutSize]
		}
	}
}

// explain notes which outputs of a lane differ in a cycle behind the reset from those of the
// simulators, and that they are not compared any more.
func (e *explorer) explain(o lanes.Options, rows lanes.Rows, cycle, lane int) error {
	l := e.pair.layout
	b, _, err := e.batch(o)
	if err != nil {
		return err
	}
	defer b.Close()
	before := rows
	before.Want, before.Care = nil, nil
	if _, err := b.Run(e.ctx, before, cycle); err != nil {
		return err
	}
	b.Forget()
	at := cycle * l.OutSize
	now := lanes.Rows{In: rows.In[cycle*l.InSize:], Shared: true, Want: rows.Want[at:], Care: rows.Care[at:]}
	if _, err := b.Run(e.ctx, now, 1); err != nil {
		return err
	}
	n := b.Differing()
	out := make([]byte, l.OutSize)
	if err := b.Get(lane, out); err != nil {
		return err
	}
	for _, port := range l.Outputs {
		differ := 0
		for i := port.Offset; i < port.Offset+port.Size; i++ {
			differ += bits.OnesCount8((out[i] ^ now.Want[i]) & now.Care[i])
		}
		if differ == 0 {
			continue
		}
		for i := port.Offset; i < port.Offset+port.Size; i++ {
			e.lanes.open[i] = 0xff
		}
		text := fmt.Sprintf("%s: in cycle %d %s, simulators %s", port.Name, cycle+e.pair.reset, valueOf(port, out, nil), valueOf(port, now.Want, nil))
		if n.Len() == lanes.Count {
			e.lanes.synth = append(e.lanes.synth, text)
		} else {
			e.lanes.powerUp = append(e.lanes.powerUp, fmt.Sprintf("%s (%d of %d lanes)", text, n.Len(), lanes.Count))
		}
	}
	return nil
}

// laneFindings says what lanes have shown that the simulators have not.
func (e *explorer) laneFindings() {
	if e.lanes == nil {
		return
	}
	for _, f := range []struct {
		what, more string
		list       []string
	}{
		{"outputs that depend on what registers have at power-up, by lanes with other values there", "the simulators agree: Icarus takes if (X) as false, and Verilator's few runs had no such value", e.lanes.powerUp},
		{"outputs that are others in what Yosys synthesises than in both simulators", "a sensitivity list that is not complete, an X that is assigned, full_case or parallel_case, code under SYNTHESIS", e.lanes.synth},
		{"assertions that fail in lanes, and in no simulator", "registers are 0 at power-up there", e.lanes.alone},
	} {
		if len(f.list) > 0 {
			e.report.add(Look, f.what, append(some(f.list, 6), f.more)...)
		}
	}
}
