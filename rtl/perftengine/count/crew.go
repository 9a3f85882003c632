package count

import (
	"context"
	"errors"
	"fmt"

	"github.com/cosimate/cosimate/bridge/lanes"
	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/perftengine"
	"github.com/cosimate/cosimate/sim"
)

// pollCycles is after how many cycles lanes are looked at: few enough for a lane not to wait long
// for its next job, and looking takes as long as a hundredth of a cycle.
const pollCycles = 4

// lookCycles is after how many cycles lanes are looked for that take too long, and how long a lane
// has at least.
const lookCycles = 1 << 16

// job is what a lane does: it counts a tree, or lists the moves of its root.
type job struct {
	node  node
	list  bool
	moves []engine.Move // listed so far
	began uint64        // cycle
	limit uint64        // cycles that it may take; 0: not known yet
}

// crew is the RTL in 512 lanes, each of which has a job.
type crew struct {
	lanes *sim.Lanes[perftengine.In, perftengine.Out]
	work  *work
	jobs  [lanes.Count]job
	busy  lanes.Set
	lost  lanes.Set // lanes that do not become ready again
	look  uint64    // the cycle in which to look for lanes that take too long
}

func openCrew(ctx context.Context, w *work) (*crew, error) {
	l, err := sim.OpenLanes[perftengine.In, perftengine.Out](ctx, perftengine.RTL)
	if err != nil {
		return nil, err
	}
	c := &crew{lanes: l, work: w, look: lookCycles}
	err = c.reset(ctx)
	if err != nil {
		l.Close()
		return nil, err
	}
	return c, nil
}

func (c *crew) reset(ctx context.Context) error {
	for lane := range lanes.Count {
		if err := c.lanes.Set(lane, &perftengine.In{Rst: true}); err != nil {
			return err
		}
	}
	if err := c.lanes.Play(ctx, sim.ResetRows(perftengine.RTL)); err != nil {
		return err
	}
	return c.lanes.SetPort("rst_i", lanes.All(), 0)
}

// run gives lanes jobs until there are none.
func (c *crew) run(ctx context.Context) error {
	for {
		given, err := c.give(ctx)
		if err != nil {
			return err
		}
		if c.busy == (lanes.Set{}) {
			return nil
		}
		if err := c.play(ctx, given); err != nil {
			return err
		}
		if err := c.collect(ctx); err != nil {
			return err
		}
	}
}

// give gives the lanes that are free jobs. It waits for some if no lane has any.
func (c *crew) give(ctx context.Context) (given lanes.Set, err error) {
	free := lanes.All()
	for i := range free {
		free[i] &^= c.busy[i] | c.lost[i]
	}
	if free == (lanes.Set{}) {
		return given, nil
	}
	nodes, err := c.work.take(ctx, free.Len(), c.busy == (lanes.Set{}))
	if err != nil {
		return given, err
	}
	for lane := range free.Lanes() {
		if len(nodes) == 0 {
			break
		}
		j := &c.jobs[lane]
		*j = job{node: nodes[0], list: c.work.splits(&nodes[0]), began: c.lanes.Cycle(), moves: j.moves[:0]}
		nodes = nodes[1:]
		in := perftengine.Job(&j.node.position, j.node.depth, false)
		if j.list {
			in.JobDepth, in.JobDivide = 1, true
		}
		if err := c.lanes.Set(lane, &in); err != nil {
			return given, err
		}
		given.Add(lane)
		c.busy.Add(lane)
	}
	return given, nil
}

// play plays some cycles. In the first, jobs are taken, and moves that were seen in lists.
func (c *crew) play(ctx context.Context, given lanes.Set) error {
	seen, err := c.moves()
	if err != nil {
		return err
	}
	if err := c.lanes.SetPort("div_ready_i", seen, 1); err != nil {
		return err
	}
	if err := c.lanes.Play(ctx, 1); err != nil {
		return err
	}
	if err := c.lanes.SetPort("div_ready_i", seen, 0); err != nil {
		return err
	}
	if err := c.lanes.SetPort("job_valid_i", given, 0); err != nil {
		return err
	}
	return c.lanes.Play(ctx, pollCycles-1)
}

// moves reads the moves that lanes hand over, and returns which lanes do.
func (c *crew) moves() (seen lanes.Set, err error) {
	if c.lanes.Cycle() == 0 {
		return seen, nil
	}
	valid, err := c.lanes.High("div_valid_o")
	if err != nil {
		return seen, err
	}
	var out perftengine.Out
	for lane := range valid.Lanes() {
		j := &c.jobs[lane]
		if !c.busy.Has(lane) || !j.list {
			continue
		}
		if err := c.lanes.Get(lane, &out); err != nil {
			return seen, err
		}
		j.moves = append(j.moves, perftengine.Decode(out, j.node.position.SideToMove()).Move)
		seen.Add(lane)
	}
	return seen, nil
}

// collect hands in the jobs that are done.
func (c *crew) collect(ctx context.Context) error {
	ready, err := c.lanes.High("job_ready_o")
	if err != nil {
		return err
	}
	var out perftengine.Out
	for lane := range ready.Lanes() {
		if !c.busy.Has(lane) {
			continue
		}
		j := &c.jobs[lane]
		if err := c.lanes.Get(lane, &out); err != nil {
			return err
		}
		c.busy.Remove(lane)
		cycles := c.lanes.Cycle() - j.began
		if j.list {
			c.work.listed(&j.node, j.moves, cycles)
		} else {
			c.work.counted(&j.node, out.Count, cycles)
		}
	}
	if c.lanes.Cycle() < c.look {
		return nil
	}
	c.look = c.lanes.Cycle() + lookCycles
	return c.giveUp(ctx)
}

// giveUp ends the jobs that take longer than a right one can.
func (c *crew) giveUp(ctx context.Context) error {
	var late lanes.Set
	for lane := range c.busy.Lanes() {
		j := &c.jobs[lane]
		spent := c.lanes.Cycle() - j.began
		if spent < lookCycles {
			continue
		}
		if j.limit == 0 {
			j.limit = perftengine.Bound(&j.node.position, j.node.depth)
		}
		if spent < j.limit {
			continue
		}
		late.Add(lane)
		c.busy.Remove(lane)
		c.work.failed(&j.node, fmt.Sprintf("depth %d of %s is not done after %d cycles", j.node.depth, j.node.position.FEN(), spent))
	}
	if late == (lanes.Set{}) {
		return nil
	}
	if err := c.lanes.SetPort("abort_i", late, 1); err != nil {
		return err
	}
	if err := c.lanes.Play(ctx, 1); err != nil {
		return err
	}
	if err := c.lanes.SetPort("abort_i", late, 0); err != nil {
		return err
	}
	if err := c.lanes.Play(ctx, 1); err != nil {
		return err
	}
	ready, err := c.lanes.High("job_ready_o")
	if err != nil {
		return err
	}
	for lane := range late.Lanes() {
		if !ready.Has(lane) {
			c.lost.Add(lane)
		}
	}
	if c.lost == lanes.All() {
		return errors.New("perftengine in lanes: the RTL is wrong: no lane ends its job, and none does after abort_i")
	}
	return nil
}
