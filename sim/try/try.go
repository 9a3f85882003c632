package try

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/cover/coverdb"
	"github.com/cosimate/cosimate/sim/cover/coverreport"
)

// Options bound a trial. The zero value is a good choice.
type Options struct {
	Cycles int           // after the reset; 0 means 5 000
	Seed   uint64        // of the inputs, and of power-up values under Verilator; 0 means 1
	Limit  time.Duration // of the simulation, not of the compilation; 0 means 5 s
	// Progress is called with the number of cycles done, from time to time. It may be nil.
	Progress func(cycles int)
	// Time is for how long the trial goes on behind its Cycles, with inputs that coverage guides,
	// until Stop is closed; 0: it does not.
	Time time.Duration
	Stop <-chan struct{}
	// NoLanes leaves that to the simulators alone.
	NoLanes bool
	// Explored is called from time to time meanwhile. It may be nil.
	Explored func(Explored)
}

// Grade is how bad a finding is.
type Grade string

// The grades.
const (
	Wrong Grade = "wrong" // the design, or a simulator, is at fault
	Look  Grade = "look"  // it may be meant so
	Fine  Grade = "ok"
)

// Finding is something that was found out.
type Finding struct {
	Grade Grade
	What  string   // one line
	More  []string // further lines
}

// Report is what was found out about a design.
type Report struct {
	Top      string
	Findings []Finding
	Cycles   int // done after the reset
	// Layout and Tape are the inputs of all cycles, a row each, up to the difference or the end,
	// those of the reset included.
	Layout  *bridge.Layout
	Tape    []byte
	Differs bool // the simulators differ in the last cycle of Tape
	// Failing are inputs as in Tape with which an assertion fails in both simulators. A lane has
	// found them; nil: none has.
	Failing []byte
	Reset   int // cycles of the reset at the beginning of Tape
}

// OK reports whether nothing is wrong.
func (r *Report) OK() bool {
	return !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Grade == Wrong })
}

// Text returns the findings, one a line, those that are wrong first.
func (r *Report) Text() string {
	var b strings.Builder
	for _, g := range []Grade{Wrong, Look, Fine} {
		for _, f := range r.Findings {
			if f.Grade != g {
				continue
			}
			fmt.Fprintf(&b, "%-6s %s\n", g, f.What)
			for _, m := range f.More {
				fmt.Fprintf(&b, "       %s\n", m)
			}
		}
	}
	return b.String()
}

func (r *Report) add(g Grade, what string, more ...string) {
	r.Findings = append(r.Findings, Finding{g, what, more})
}

// trial is a trial under way.
type trial struct {
	ctx     context.Context
	design  sim.Design
	opts    Options
	sources []bridge.Source
	signals []string
	named   bool         // Icarus can reach signals
	icarus  bridge.Model // nil if it does not take the design
	plain   bridge.Model // Verilator's, or nil
	counted bridge.Model // with coverage, or nil
	pair    *pair
	total   *coverdb.Data       // code coverage of all that was played; nil: not measured
	reached *coverreport.Report // nil: not measured
	report  *Report
}

// hang is how long a simulator may take for a cycle.
const hang = 5 * time.Second

// Run tries a design. Its clock and its reset must be set, if it has any. An error means that
// nothing can be said: no simulator takes the design, or one is missing.
func Run(ctx context.Context, d sim.Design, o Options) (*Report, error) {
	o.Cycles, o.Seed, o.Limit = cmp.Or(o.Cycles, 5000), cmp.Or(o.Seed, 1), cmp.Or(o.Limit, 5*time.Second)
	if o.Progress == nil {
		o.Progress = func(int) {}
	}
	sources, err := d.Sources()
	if err != nil {
		return nil, err
	}
	t := &trial{ctx: ctx, design: d, sources: sources, opts: o, report: &Report{Top: d.Top}}
	if err := t.build(); err != nil {
		return nil, err
	}
	if err := t.play(); err != nil {
		return nil, err
	}
	if err := t.explore(); err != nil {
		return nil, err
	}
	for _, look := range []func() error{t.reach, t.agreement, t.messages, t.unknown, t.never, t.coverage} {
		if err := look(); err != nil {
			return nil, err
		}
	}
	t.speed()
	return t.report, nil
}
