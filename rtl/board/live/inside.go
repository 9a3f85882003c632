package live

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/validity"
	"github.com/cosimate/cosimate/sim/live"
	"github.com/cosimate/cosimate/sim/live/probe"
	"github.com/cosimate/cosimate/sim/wave"
)

// looks are how the board's signals are shown in the waves.
var looks = func() map[string]probe.Look {
	all := map[string]probe.Look{
		"state":  {Names: names[validity.State](int(validity.Over))},
		"show":   {Names: names[validity.Show](int(validity.ShowPromotion))},
		"reason": {Names: names[rules.Reason](int(rules.GameOver))},
	}
	for _, board := range []string{"restore", "white", "pawns", "knights", "bishops", "rooks", "queens", "kings", "occupied", "scanned"} {
		all[board] = probe.Look{Radix: wave.Board}
	}
	return all
}()

func names[T interface {
	~uint8
	String() string
}](last int) map[uint64]string {
	all := map[uint64]string{}
	for code := range last + 1 {
		all[uint64(code)] = T(code).String()
	}
	return all
}

// inside is what the page shows of the inside of the RTL: see package probe.
type inside struct {
	trigger  *probe.Trigger
	more     []string // signals that boards are built with
	adding   *adding
	instance int // boards that there were
	problem  string
	problems int
}

// adding is what is done beside the runner so that a signal can be watched: a board is compiled
// that has it, and does all that the present one has done. That one plays on meanwhile.
type adding struct {
	signal string
	more   []string
	ctx    context.Context // of the machine, too
	stop   context.CancelFunc
	ended  chan struct{} // closed when the goroutine has ended

	// What a goroutine leaves before it wakes the runner.
	machine *Machine
	err     error

	player player
	to     uint64 // the cycle up to which it plays; 0: it is still compiled
}

func (a *adding) doing() string {
	if a.to > 0 {
		return fmt.Sprintf("%d cycles are done again, to have %s from the beginning.", a.to, a.signal)
	}
	return fmt.Sprintf("The board is compiled with %s.", a.signal)
}

// insideState is what a viewer sees who looks inside.
type insideState struct {
	About    *probe.About    `json:"about,omitempty"`
	Watched  []probe.Watched `json:"watched"`
	Trigger  *probe.Trigger  `json:"trigger"`
	Busy     string          `json:"busy"`
	Problem  string          `json:"problem"`
	Problems int             `json:"problems"`
	Wave     *probe.Wave     `json:"wave,omitempty"`
}

// look returns the inside for a viewer, or nil if there is no board.
func (a *App) look(v *live.Viewer, has *sent) *insideState {
	m := a.machine
	if m == nil || a.fault != nil {
		return nil
	}
	if err := m.settle(); err != nil {
		a.fault = err
		return nil
	}
	s := &insideState{Watched: probe.Values(m, m.watched), Trigger: a.inside.trigger, Problem: a.inside.problem, Problems: a.inside.problems}
	if a.inside.adding != nil {
		s.Busy = a.inside.adding.doing()
	}
	if has.machine != a.inside.instance {
		has.machine, s.About = a.inside.instance, &m.about
	}
	s.Wave = m.history.Wave(m, m.watched, a.inside.instance, v.Running(), &has.wave)
	return s
}

// watch adds a signal to those that are looked at.
func (a *App) watch(name string) error {
	m := a.machine
	if m == nil {
		return errors.New("there is no board yet")
	}
	if slices.Contains(m.watched, name) {
		return nil
	}
	if len(m.watched) >= probe.Most {
		return fmt.Errorf("%d signals are watched already: remove one", probe.Most)
	}
	whole := probe.Whole(m.about.Signals, name)
	if slices.Contains(m.signals, whole) {
		if _, err := m.Peek(name); err != nil {
			return err
		}
		m.watched = append(slices.Clone(m.watched), name)
		return nil
	}
	if !slices.Contains(m.about.Signals, whole) {
		return fmt.Errorf("there is no signal %s: search finds those that there are", name)
	}
	if a.inside.adding != nil {
		return fmt.Errorf("one moment: %s is being added", a.inside.adding.signal)
	}
	if a.built != nil {
		return errors.New("one moment: a board is being built")
	}
	ctx, stop := context.WithCancel(a.ctx)
	n := &adding{signal: name, more: append(slices.Clone(a.inside.more), whole), ctx: ctx, stop: stop, ended: make(chan struct{})}
	a.inside.adding = n
	options, real := a.options, a.real
	go func() {
		n.machine, n.err = Build(ctx, options, real, n.more)
		close(n.ended)
		signal(a.waking)
	}()
	return nil
}

// unwatch removes a signal.
func (a *App) unwatch(name string) {
	if m := a.machine; m != nil {
		m.watched = slices.DeleteFunc(slices.Clone(m.watched), func(n string) bool { return n == name })
		m.history.Forget(m.watched)
	}
}

// arm sets the trigger; an empty name removes it.
func (a *App) arm(name, value string) error {
	if name == "" {
		a.inside.trigger = nil
		return nil
	}
	if a.machine == nil {
		return errors.New("there is no board yet")
	}
	if err := a.machine.settle(); err != nil {
		return err
	}
	t, err := probe.Arm(a.machine, name, value)
	if err == nil {
		a.inside.trigger = t
	}
	return err
}

// playTriggered is Step with a trigger.
func (a *App) playTriggered(n int) (int, error) {
	return a.inside.trigger.Run(a.machine, n, func() (uint64, error) {
		if err := a.Run(1); err != nil {
			return 0, err
		}
		return a.Cycles(), a.machine.settle()
	})
}

// atOnce is how many cycles may be done again while everybody waits.
const atOnce = 50_000

// added takes the next step with a signal that is being added.
func (a *App) added() {
	n := a.inside.adding
	if n == nil {
		return
	}
	select {
	case <-n.ended:
	default:
		return // it was something else that has woken the runner
	}
	old := a.machine
	var err error
	switch {
	case n.err != nil:
		err = fmt.Errorf("%s cannot be watched: %w", n.signal, n.err)
	case old.record.full:
		watched := append(slices.Clone(old.watched), n.signal)
		a.inside.adding, a.inside.more = nil, n.more
		n.machine.stop = n.stop
		a.plug(n.machine)
		a.machine.watched = watched
		a.tell(fmt.Errorf("the board was switched off and on to have %s: it had done more than can be done again", n.signal))
		return
	case old.dut.Cycle()-n.to > atOnce:
		n.to = old.dut.Cycle()
		n.player.parts = old.record.parts()
		n.ended = make(chan struct{})
		n.machine.watched = append(slices.Clone(old.watched), n.signal)
		go func() {
			n.err = n.machine.replay(n.ctx, &n.player, n.to)
			close(n.ended)
			signal(a.waking)
		}()
		return
	default:
		n.player.parts = old.record.parts()
		n.machine.watched = append(slices.Clone(old.watched), n.signal)
		if err = n.machine.replay(a.ctx, &n.player, old.dut.Cycle()); err == nil {
			err = n.machine.same(old)
		}
	}
	a.inside.adding = nil
	if err != nil {
		a.tell(err)
		if n.machine != nil {
			n.machine.Close()
		}
		n.stop()
		return
	}
	n.machine.record, n.machine.stop = old.record, n.stop
	a.inside.more = n.more
	a.machine = n.machine
	a.inside.instance++
	if err := old.Close(); err != nil {
		a.fault = err
	}
}

// tell shows an error to those who look inside.
func (a *App) tell(err error) {
	a.inside.problem = err.Error()
	a.inside.problems++
}

// same returns an error if another board that had the same inputs is in another state.
func (m *Machine) same(other *Machine) error {
	if err := errors.Join(m.settle(), other.settle()); err != nil {
		return err
	}
	if m.out != other.out {
		return fmt.Errorf("the board that has it does something else in cycle %d: %+v, and not %+v", m.dut.Cycle(), m.out[0], other.out[0])
	}
	return nil
}

// abandon ends what is being added, for the board is another one or the session ends.
func (a *App) abandon() {
	n := a.inside.adding
	if n == nil {
		return
	}
	n.stop()
	<-n.ended
	if n.machine != nil {
		n.machine.Close()
	}
	a.inside.adding = nil
}
