package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"
)

const (
	piece   = 5 * time.Millisecond  // how long one call of App.Step should take
	publish = 40 * time.Millisecond // between two states
	saving  = 2 * time.Second       // between two saves while it runs
	maxStep = 100_000_000           // cycles that one step of a person may have
)

// runner owns the App.
type runner struct {
	app  App
	opts Options

	joins    chan *Viewer
	leaves   chan *Viewer
	requests chan request
	ended    chan struct{}
	viewers  visitors

	// All below is of the runner's goroutine.
	all     []*Viewer
	hand    *Viewer
	running bool
	left    int // cycles of a step that is being done
	speed   float64
	chunk   int // cycles of one call of App.Step
	notice  string
	fault   bool
	wall    time.Duration // in which it ran
	worked  time.Time     // until when that was counted
	meter   meter
	pace    pace
	unsaved bool
	saved   time.Time
}

func newRunner(app App, o Options) *runner {
	return &runner{app: app, opts: o, joins: make(chan *Viewer), leaves: make(chan *Viewer), requests: make(chan request), ended: make(chan struct{}),
		running: o.Running && !o.NoClock, speed: o.Speed, chunk: 1}
}

// run is the runner's goroutine.
func (r *runner) run(ctx context.Context) (err error) {
	defer close(r.ended)
	defer func() {
		for _, v := range r.all {
			r.app.Leave(v)
		}
	}()
	defer func() { err = errors.Join(err, r.save()) }()
	r.restore(ctx)
	tick := time.NewTicker(publish)
	defer tick.Stop()
	var wakes <-chan struct{}
	background, _ := r.app.(Background)
	if background != nil {
		wakes = background.Wakes()
	}
	r.began()
	for {
		var work <-chan time.Time
		if r.active() {
			work = r.due()
		}
		// A person's wish and the end go first: work is always ready at full speed.
		select {
		case <-ctx.Done():
			return nil
		case m := <-r.requests:
			r.handle(m)
			continue
		case <-tick.C:
			r.tick()
			continue
		default:
		}
		select {
		case <-ctx.Done():
			return nil
		case v := <-r.joins:
			r.join(v)
		case v := <-r.leaves:
			r.leave(v)
		case m := <-r.requests:
			r.handle(m)
		case <-wakes:
			background.Wake()
			r.changed()
		case <-tick.C:
			r.tick()
		case <-work:
			r.work(ctx)
		}
	}
}

func (r *runner) active() bool { return r.running || r.left > 0 }

// began notes that the simulation begins to run.
func (r *runner) began() {
	cycles, _ := r.app.Time()
	r.pace.begin(cycles)
	r.worked = time.Now()
	r.meter = meter{}
	r.meter.add(cycles)
}

var now = func() <-chan time.Time {
	c := make(chan time.Time)
	close(c)
	return c
}()

// due returns a channel that is ready when there is something to simulate.
func (r *runner) due() <-chan time.Time {
	if r.left > 0 || r.speed == 0 {
		return now
	}
	cycles, _ := r.app.Time()
	if wait := r.pace.wait(cycles, r.speed); wait > 0 {
		return time.After(wait)
	}
	return now
}

// work simulates for some milliseconds.
func (r *runner) work(ctx context.Context) {
	n := r.chunk
	if r.left > 0 {
		n = min(n, r.left)
	} else if r.speed > 0 {
		cycles, _ := r.app.Time()
		n = min(n, max(r.pace.owed(cycles, r.speed), 1))
	}
	begin := time.Now()
	done, err := r.app.Step(ctx, n)
	end := time.Now()
	spent := end.Sub(begin)
	r.wall += end.Sub(r.worked)
	r.worked = end
	if r.left > 0 {
		r.left = max(r.left-done, 0)
		if r.left == 0 {
			r.began()
		}
	}
	if done >= n && spent < piece/2 {
		r.chunk = min(2*r.chunk, 1<<20)
	} else if spent > 2*piece {
		r.chunk = max(r.chunk/2, 1)
	}
	if pause, ok := errors.AsType[*Pause](err); ok {
		r.stop(pause.Reason, false)
	} else if err != nil && ctx.Err() == nil {
		r.stop(err.Error(), true)
	}
	r.unsaved = true
	r.stale()
	if !r.active() {
		r.send()
	}
}

// stop ends the run for a reason that people are told.
func (r *runner) stop(reason string, fault bool) {
	r.running, r.left, r.notice, r.fault = false, 0, reason, fault
}

// stale notes that there is news for all viewers.
func (r *runner) stale() {
	for _, v := range r.all {
		v.stale = true
	}
}

// changed is stale after something that people should see at once.
func (r *runner) changed() {
	r.stale()
	r.send()
}

// tick does what is done from time to time.
func (r *runner) tick() {
	if r.active() {
		cycles, _ := r.app.Time()
		r.meter.add(cycles)
	}
	r.send()
	if r.unsaved && (!r.active() || time.Since(r.saved) > saving) {
		if err := r.save(); err != nil {
			r.stop(err.Error(), true)
			r.changed()
		}
	}
}

// send sends the state to the viewers that have not seen it and can take it.
func (r *runner) send() {
	for _, v := range r.all {
		if !v.stale || v.unseen >= inFlight || len(v.states) > 0 {
			continue
		}
		data, err := json.Marshal(struct {
			State any    `json:"state"`
			Live  Status `json:"live"`
		}{r.app.State(v), r.status(v)})
		if err != nil {
			r.stop(fmt.Sprintf("the page's state cannot be sent: %v", err), true)
			continue
		}
		v.states <- data
		v.unseen++
		v.stale = false
	}
}

func (r *runner) status(v *Viewer) Status {
	cycles, simulated := r.app.Time()
	hand := "nobody"
	if r.hand == v {
		hand = "you"
	} else if r.hand != nil {
		hand = "other"
	}
	rate := 0.0
	if r.active() {
		rate = r.meter.rate()
	}
	return Status{
		Running: r.active(), Speed: r.speed, Rate: rate, Cycles: cycles, Simulated: simulated.Seconds(), Wall: r.wall.Seconds(),
		Hand: hand, Viewers: len(r.all), Notice: r.notice, Fault: r.fault,
		Title: r.opts.Title, Units: r.opts.Units, Speeds: r.opts.Speeds, Clock: !r.opts.NoClock,
	}
}

func (r *runner) join(v *Viewer) {
	if len(r.all) >= maxViewers {
		v.drop()
		return
	}
	r.all = append(r.all, v)
	if r.hand == nil && (v.held || len(r.all) == 1) {
		r.hand = v
	}
	r.app.Join(v)
	r.changed()
}

func (r *runner) leave(v *Viewer) {
	for i, x := range r.all {
		if x != v {
			continue
		}
		r.all = append(r.all[:i:i], r.all[i+1:]...)
		if r.hand == v {
			r.hand = nil
		}
		r.app.Leave(v)
		r.changed()
	}
}

// pace says when cycles are due at a speed.
type pace struct {
	at     time.Time
	cycles uint64
}

func (p *pace) begin(cycles uint64) { p.at, p.cycles = time.Now(), cycles }

// owed returns how many cycles are due. A simulator that cannot follow does not have to catch up.
func (p *pace) owed(cycles uint64, speed float64) int {
	due := time.Since(p.at).Seconds() * speed
	done := float64(cycles - p.cycles)
	if due-done > max(speed/4, 1) {
		p.begin(cycles)
		return int(math.Ceil(max(speed/100, 1)))
	}
	return int(due - done)
}

// wait returns how long it is until the next cycle is due. Waits shorter than a piece are not worth
// waking up for.
func (p *pace) wait(cycles uint64, speed float64) time.Duration {
	next := time.Duration((float64(cycles-p.cycles) + 1) / speed * float64(time.Second))
	return max(next-time.Since(p.at), min(piece, next))
}

// meter measures the speed over the last second.
type meter struct {
	at     [26]time.Time
	cycles [26]uint64
	n      int
}

func (m *meter) add(cycles uint64) {
	i := m.n % len(m.at)
	m.at[i], m.cycles[i] = time.Now(), cycles
	m.n++
}

func (m *meter) rate() float64 {
	if m.n < 2 {
		return 0
	}
	last, first := (m.n-1)%len(m.at), max(0, m.n-len(m.at))%len(m.at)
	seconds := m.at[last].Sub(m.at[first]).Seconds()
	if seconds <= 0 || m.cycles[last] < m.cycles[first] {
		return 0
	}
	return float64(m.cycles[last]-m.cycles[first]) / seconds
}
