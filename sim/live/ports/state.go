package ports

import (
	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim/live"
	"github.com/cosimate/cosimate/sim/live/probe"
)

// seen is what a viewer has been sent.
type seen struct {
	about    bool
	messages int
	wave     probe.Seen
}

// about is what does not change.
type about struct {
	probe.About
	Simulator string   `json:"simulator"`
	Notes     []string `json:"notes"`
	Clocks    []string `json:"clocks"`
	Reset     string   `json:"reset"`
	ActiveLow bool     `json:"activeLow"`
}

// state is what a viewer sees. Values are in binary digits.
type state struct {
	About    *about          `json:"about,omitempty"`
	In       []string        `json:"in"` // in the order of about.Inputs
	Out      []string        `json:"out"`
	Watched  []probe.Watched `json:"watched"`
	Trigger  *probe.Trigger  `json:"trigger"`
	Busy     string          `json:"busy"`
	Ended    bool            `json:"ended"`
	Problem  string          `json:"problem"`
	Problems int             `json:"problems"`
	Messages []message       `json:"messages,omitempty"` // new ones
	Wave     *probe.Wave     `json:"wave,omitempty"`
}

type message struct {
	Severity string `json:"severity"`
	Cycle    uint64 `json:"cycle"`
	Text     string `json:"text"`
	Where    string `json:"where"`
}

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
	s := &state{In: []string{}, Out: []string{}, Watched: probe.Values(c, c.watched), Trigger: a.trigger, Ended: c.err != nil, Problem: a.problem, Problems: a.problems}
	if !had.about {
		s.About = a.about()
		had.about = true
	}
	for i := range c.layout.Inputs {
		p := &c.layout.Inputs[i]
		s.In = append(s.In, probe.Digits(p.Width, c.in[p.Offset:], nil))
	}
	_, row := c.Row()
	for i := range c.layout.Outputs {
		s.Out = append(s.Out, probe.Output(&c.layout.Outputs[i], &row))
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
	s.Wave = c.history.Wave(c, c.watched, a.begun, v.Running(), &had.wave)
	return s
}

func (a *App) about() *about {
	d := a.design
	b := &about{Simulator: string(a.simulator), Notes: a.opts.Notes, Reset: d.Reset, ActiveLow: d.ResetActiveLow, Clocks: []string{}}
	var clocks []bridge.Clock
	if a.Clocked() {
		clocks = a.machine.clocks
	}
	for _, c := range clocks {
		b.Clocks = append(b.Clocks, c.Port)
	}
	b.About = probe.NewAbout(d.Top, a.machine.layout, a.signals, clocks)
	return b
}
