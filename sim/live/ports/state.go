package ports

import (
	"slices"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim/live"
)

// seen is what a viewer has been sent.
type seen struct {
	about    bool
	instance int    // App.begun
	next     uint64 // of waves, the cycle to come
	whole    bool   // all of the history, from the beginning of what it shows
	messages int
	wave     []string // signals in its waves
}

// about is what does not change.
type about struct {
	Top       string   `json:"top"`
	Simulator string   `json:"simulator"`
	Notes     []string `json:"notes"`
	Inputs    []port   `json:"inputs"`
	Outputs   []port   `json:"outputs"`
	Clocks    []string `json:"clocks"`
	Reset     string   `json:"reset"`
	ActiveLow bool     `json:"activeLow"`
	Signals   []string `json:"signals"`
	Edge      float64  `json:"edge"`    // when the clock rises first, in ps
	Period    float64  `json:"period"`  // of the clock, in ps; 0 if there are several
	Unknown   bool     `json:"unknown"` // the simulator knows X
}

type port struct {
	Name  string `json:"name"`
	Width int    `json:"width"`
}

// state is what a viewer sees. Values are in binary digits.
type state struct {
	About    *about    `json:"about,omitempty"`
	In       []string  `json:"in"` // in the order of about.Inputs
	Out      []string  `json:"out"`
	Watched  []watch   `json:"watched"`
	Trigger  *trigger  `json:"trigger"`
	Busy     string    `json:"busy"`
	Ended    bool      `json:"ended"`
	Problem  string    `json:"problem"`
	Problems int       `json:"problems"`
	Messages []message `json:"messages,omitempty"` // new ones
	Wave     *wave     `json:"wave,omitempty"`
}

type watch struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type message struct {
	Severity string `json:"severity"`
	Cycle    uint64 `json:"cycle"`
	Text     string `json:"text"`
	Where    string `json:"where"`
}

// wave is what is new in the waves.
type wave struct {
	// Anew is set if what was sent before is not continued: it begins in cycle From.
	Anew    bool     `json:"anew"`
	From    uint64   `json:"from"`
	To      uint64   `json:"to"` // the cycle to come
	Signals []signal `json:"signals"`
}

type signal struct {
	Name    string `json:"name"`
	Width   int    `json:"width"`
	Kind    string `json:"kind"`    // input, output or signal
	Changes []any  `json:"changes"` // cycle, value, cycle, value ...
}

const (
	runningWave = 512 // cycles that a viewer sees of a simulation that is faster than it can follow
	shownPorts  = 40  // ports in the waves
)

// Join implements [live.App].
func (a *App) Join(v *live.Viewer) { v.Data = &seen{} }

// Leave implements [live.App].
func (a *App) Leave(*live.Viewer) {}

// State implements [live.App].
func (a *App) State(v *live.Viewer) any {
	had := v.Data.(*seen)
	c := a.machine
	if err := c.settle(a.ctx); err != nil && a.problem != err.Error() && a.ctx.Err() == nil {
		a.fail(err)
	}
	s := &state{In: []string{}, Out: []string{}, Watched: []watch{}, Trigger: a.trigger, Ended: c.err != nil, Problem: a.problem, Problems: a.problems}
	if !had.about {
		s.About = a.about()
		had.about = true
	}
	for i := range c.layout.Inputs {
		p := &c.layout.Inputs[i]
		s.In = append(s.In, digits(p.Width, c.in[p.Offset:], nil))
	}
	for i := range c.layout.Outputs {
		s.Out = append(s.Out, c.outputDigits(&c.layout.Outputs[i]))
	}
	for _, name := range c.watched {
		value, err := c.value(name)
		if err != nil {
			value = ""
		}
		s.Watched = append(s.Watched, watch{name, value})
	}
	if a.building != nil {
		s.Busy = a.building.doing()
	}
	new := min(a.said+c.said-had.messages, len(c.messages))
	for _, m := range c.messages[len(c.messages)-max(new, 0):] {
		s.Messages = append(s.Messages, message{m.Severity.String(), m.Cycle, m.Text, m.Where})
	}
	s.Messages = s.Messages[max(0, len(s.Messages)-keptMessages):]
	had.messages = a.said + c.said
	s.Wave = a.wave(v.Running(), had)
	return s
}

func (a *App) about() *about {
	d := a.design
	b := &about{Top: d.Top, Simulator: string(a.simulator), Notes: a.opts.Notes, Inputs: []port{}, Outputs: []port{}, Reset: d.Reset, ActiveLow: d.ResetActiveLow,
		Signals: slices.Concat([]string{}, a.signals), Unknown: a.machine.unknown != nil, Clocks: []string{}}
	if a.Clocked() {
		for _, c := range a.machine.clocks {
			b.Clocks = append(b.Clocks, c.Port)
		}
	}
	if len(b.Clocks) == 1 {
		period, _ := a.machine.clocks[0].Picoseconds()
		b.Period, b.Edge = float64(period), float64(bridge.NewSchedule(a.machine.clocks).Instant(0).Nanoseconds())*1000
	}
	for _, p := range a.machine.layout.Inputs {
		b.Inputs = append(b.Inputs, port{p.Name, p.Width})
	}
	for _, p := range a.machine.layout.Outputs {
		b.Outputs = append(b.Outputs, port{p.Name, p.Width})
	}
	return b
}

// wave returns what a viewer's waves lack, or nil.
func (a *App) wave(running bool, had *seen) *wave {
	c := a.machine
	h := c.history
	names := slices.Clone(c.watched)
	for _, side := range [][]bridge.Port{c.layout.Inputs, c.layout.Outputs} {
		for _, p := range side[:min(len(side), shownPorts)] {
			names = append(names, p.Name)
		}
	}
	w := &wave{From: had.next, To: h.next}
	switch {
	case had.instance != a.begun || !slices.Equal(names, had.wave) || !had.whole && !running || had.next < h.first():
		w.Anew, w.From = true, h.first()
	case h.next-had.next > runningWave && running:
		w.Anew, w.From = true, h.next-runningWave
	}
	if w.Anew && running && h.next-w.From > runningWave {
		w.From = h.next - runningWave
	}
	if w.From == w.To && !w.Anew {
		return nil
	}
	if w.Anew {
		had.whole = w.From == h.first() || !running
	}
	had.next, had.instance, had.wave = h.next, a.begun, names
	for _, name := range names {
		g := signal{Name: name, Changes: []any{}}
		switch in, out := c.input(name), c.output(name); {
		case in != nil:
			g.Width, g.Kind = in.Width, "input"
		case out != nil:
			g.Width, g.Kind = out.Width, "output"
		default:
			g.Kind, g.Width = "signal", 1
			if x := h.watched[name]; x != nil {
				g.Width = x.width
			} else if value, err := c.value(name); err == nil {
				g.Width = len(value)
			}
		}
		for _, p := range h.points(name, w.From) {
			g.Changes = append(g.Changes, p.cycle, p.value)
		}
		w.Signals = append(w.Signals, g)
	}
	return w
}
