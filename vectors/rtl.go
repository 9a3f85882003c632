package vectors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/convention"
	"github.com/cosimate/cosimate/sim/lockstep"
)

// This file is about vectors whose header names the RTL itself (rtl: FILES) instead of a block.

// rtlKeys are the keys of the header of such a vector.
var rtlKeys = []string{"rtl", "top", "clock", "reset", "include", "define", "parameters", "verilator", "icarus", "model", "seed", "period"}

// listKeys are the keys that have several values.
var listKeys = []string{"rtl", "clock", "reset", "include", "define", "parameters", "verilator", "icarus", "model"}

// rtlHints say how a header gives what convention does not find.
var rtlHints = convention.Hints{
	Include: `A line "include: FOLDER"`, Top: `A line "top: NAME"`, Clock: `A line "clock: NAME"`, NoClock: `"clock: none"`,
	Reset: `A line "reset: NAME high" (or low)`, NoReset: `"reset: none"`,
}

// partKeys are the keys that what convention finds wrong is given with.
var partKeys = map[convention.Part]string{
	convention.Files: "rtl", convention.Include: "include", convention.TopPart: "top", convention.Clock: "clock", convention.Reset: "reset",
	convention.Param: "parameters",
}

// foreign is RTL that a header names.
type foreign struct {
	rtl     sim.Design
	signals []string // the internal signals, as one simulator names them
	notes   []string // what was taken for what
	clocks  []sim.Clock

	mu        sync.Mutex
	internals []string // that vectors name, sorted
	models    map[string]*compiled
}

// compiled is a model that was built, or is being built.
type compiled struct {
	once  sync.Once
	model *lockstep.Model
	err   error
}

// build compiles the RTL, once for all vectors that need the same.
func (f *foreign) build(ctx context.Context, rtl sim.Design, sims []sim.Simulator, o lockstep.Options) (*lockstep.Model, error) {
	key := fmt.Sprint(rtl.Period, sims, o.Seed, rtl.Internals, o.Waves)
	f.mu.Lock()
	c := f.models[key]
	if c == nil {
		c = &compiled{}
		if f.models == nil {
			f.models = map[string]*compiled{}
		}
		f.models[key] = c
	}
	f.mu.Unlock()
	c.once.Do(func() { c.model, c.err = lockstep.Build(ctx, rtl, sims, o) })
	return c.model, c.err
}

// use adds an internal signal to those that the model of the RTL must keep.
func (f *foreign) use(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if i, found := slices.BinarySearch(f.internals, name); !found {
		f.internals = slices.Insert(f.internals, i, name)
	}
}

// elaborated has the designs that headers name, so that vectors of the same RTL have it elaborated
// once. It is of one command: files change between commands.
type elaborated struct {
	ctx context.Context
	mu  sync.Mutex
	all map[string]*elaboration
}

type elaboration struct {
	once   sync.Once
	design *design
	err    error
}

// fresh returns the registry with nothing elaborated.
func (r *Registry) fresh(ctx context.Context) *Registry {
	return &Registry{r.designs, newElaborated(ctx)}
}

func newElaborated(ctx context.Context) *elaborated {
	return &elaborated{ctx: ctx, all: map[string]*elaboration{}}
}

// find returns the design of what a header gives.
func (e *elaborated) find(key string, g convention.Given) (*design, error) {
	e.mu.Lock()
	one := e.all[key]
	if one == nil {
		one = &elaboration{}
		e.all[key] = one
	}
	e.mu.Unlock()
	one.once.Do(func() { one.design, one.err = elaborate(e.ctx, key, g) })
	return one.design, one.err
}

// elaborate has a simulator elaborate RTL: Icarus, which is quick, or Verilator if Icarus is not
// there or does not take the RTL.
func elaborate(ctx context.Context, key string, g convention.Given) (*design, error) {
	found, err := convention.Complete(ctx, g, sim.Icarus)
	if _, wrong := errors.AsType[*convention.Error](err); err != nil && !wrong && ctx.Err() == nil {
		again, other := convention.Complete(ctx, g, sim.Verilator)
		switch {
		case other == nil:
			found, err = again, nil
		case strings.Contains(other.Error(), "\nhint: "): // it says more than a syntax error
			err = other
		}
	}
	if err != nil {
		return nil, err
	}
	rtl := found.Design
	clocks, err := rtl.AllClocks()
	if err != nil {
		return nil, &convention.Error{Part: convention.Clock, Problem: err.Error()}
	}
	d := &design{
		name: rtl.Top, id: key, about: "the RTL of " + strings.Join(rtl.Files, " "), period: cmp.Or(clocks[0].Period, 10*time.Nanosecond),
		clock: rtl.Clock, reset: rtl.Reset, resetCycles: 3, resetActive: big.NewInt(1), keeps: true,
		foreign: &foreign{rtl: rtl, signals: found.Description.Signals, notes: convention.Texts(found.Notes)},
	}
	if len(rtl.Clocks) > 0 {
		d.foreign.clocks = clocks
	}
	if rtl.ResetActiveLow {
		d.resetActive = new(big.Int)
	}
	isClock := func(name string) bool {
		return name == rtl.Clock || slices.ContainsFunc(rtl.Clocks, func(c sim.Clock) bool { return c.Port == name })
	}
	for _, input := range []bool{true, false} {
		for _, p := range found.Description.Ports {
			if (p.Dir == bridge.Input) == input && !isClock(p.Name) {
				d.ports = append(d.ports, Port{Name: p.Name, Width: p.Width, Input: input, Signed: p.DeclaredSigned && p.Width > 1, field: len(d.ports)})
			}
		}
	}
	d.rtl = func(c config) sim.Design {
		rtl := rtl
		if len(rtl.Clocks) == 0 {
			rtl.Period = c.period
		}
		d.foreign.mu.Lock()
		rtl.Internals = slices.Clone(d.foreign.internals)
		d.foreign.mu.Unlock()
		if c.edit != nil {
			rtl = c.edit(rtl)
		}
		return rtl
	}
	d.open = func(ctx context.Context, c config, sims []sim.Simulator, opts ...sim.Option) (bench, error) {
		return newRowBench(ctx, d, c, sims, opts...)
	}
	return d, nil
}

// RTLFiles returns the paths of the files that the headers of vectors name, and those that load
// and agents read. What is wrong in a vector is left out.
func (r *Registry) RTLFiles(names []string) (paths []string) {
	for _, name := range names {
		f, err := Load(name)
		if f == nil || err != nil || f.value("rtl") == nil {
			continue
		}
		c := &checker{faults: faults{file: f}, plan: &plan{file: f}}
		if d, _, err := convention.Read(c.given()); err == nil {
			paths = append(paths, convention.Paths(d)...)
		}
		for _, s := range f.Sections {
			for _, l := range s.Lines {
				if at := fileWord(s.Kind, l.Words); at >= 0 {
					paths = append(paths, beside(name, l.Words[at].Text))
				}
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// beside returns a path that a vector names, which is relative to the vector's folder.
func beside(vector, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(vector), path)
}

// rtlHeader reads the lines of a header that names RTL.
func (c *checker) rtlHeader(r *Registry) {
	p := c.plan
	g := c.given()
	if len(c.list) > 0 {
		return
	}
	var key strings.Builder
	fmt.Fprintf(&key, "%s\x00", g.Folder)
	for _, k := range rtlKeys {
		if !slices.Contains([]string{"seed", "model"}, k) {
			fmt.Fprintf(&key, "%s: %s\x00", k, strings.Join(c.words(k), " "))
		}
	}
	if r.elaborated == nil {
		r = r.fresh(context.Background())
	}
	d, err := r.elaborated.find(key.String(), g)
	if err != nil {
		c.refused(err)
		return
	}
	p.design, p.params, p.period = d, Params{}, d.period
	p.reset = d.resetCycles
	if d.reset == "" {
		p.reset = 0
	}
	c.model()
}

// given returns what the header says of its RTL.
func (c *checker) given() convention.Given {
	g := convention.Given{Folder: filepath.Dir(c.file.Name), Files: c.words("rtl"), Include: c.words("include"), How: rtlHints}
	if l := c.file.value("top"); l != nil && len(l.Words) > 0 {
		g.Top = l.Words[0].Text
		if !label.MatchString(g.Top) {
			c.at(l.At, l.Words[0], fmt.Sprintf("%q is not the name of a module", g.Top), "letters, digits and _")
		}
	}
	g.Defines, g.Params = c.assignments("define"), c.assignments("parameters")
	if _, err := (&bridge.Design{Params: g.Params}).Parameters(); err != nil {
		l := c.file.value("parameters")
		for _, w := range l.Words {
			name, value, _ := strings.Cut(w.Text, "=")
			if _, err := (&bridge.Design{Params: map[string]string{name: value}}).Parameters(); err != nil {
				c.at(l.At, Word{value, w.Column + len(name) + 1}, fmt.Sprintf("%s cannot be %s", name, value), `a literal of Verilog: 12, -3, 8'h1f, 2.5 or "text"; more than 32 bits need a size: 64'd1`)
			}
		}
	}
	c.clocks(&g)
	c.resetLine(&g)
	g.Verilator, g.Icarus = c.flags("verilator"), c.flags("icarus")
	return g
}

// refused reports what is wrong with the RTL that a header names.
func (c *checker) refused(err error) {
	e, ok := errors.AsType[*convention.Error](err)
	if !ok {
		c.tool = err
		return
	}
	key := partKeys[e.Part]
	l := c.file.value(key)
	if l == nil || len(l.Words) == 0 {
		l = c.file.value("rtl")
	}
	word := l.Words[0]
	for _, w := range l.Words {
		if name, _, _ := strings.Cut(w.Text, "="); w.Text == e.Name || name == e.Name {
			word = w
		}
	}
	c.at(l.At, word, e.Problem, e.Help)
}

// words returns the values of a key.
func (c *checker) words(key string) []string {
	if l := c.file.value(key); l != nil {
		return texts(l.Words)
	}
	return nil
}

// assignments returns the values NAME=VALUE of a key. For macros the value can be left out.
func (c *checker) assignments(key string) map[string]string {
	l := c.file.value(key)
	if l == nil {
		return nil
	}
	all := map[string]string{}
	for _, w := range l.Words {
		name, value, ok := strings.Cut(w.Text, "=")
		switch {
		case !label.MatchString(name) || !ok && key != "define" || ok && value == "":
			c.at(l.At, w, fmt.Sprintf("%q is not NAME=VALUE", w.Text), map[string]string{"define": "write NAME, or NAME=VALUE without blanks around =", "parameters": "write parameters without blanks around =: WIDTH=8"}[key])
			return all
		case all[name] != "":
			c.at(l.At, w, fmt.Sprintf("%s is given twice", name), "delete one of them")
		}
		all[name] = value
	}
	return all
}

// clocks reads the line clock: PORT or PORT=PERIOD, several of them, or none.
func (c *checker) clocks(g *convention.Given) {
	l := c.file.value("clock")
	if l == nil {
		return
	}
	for _, w := range l.Words {
		clock, none, err := convention.ParseClock(w.Text)
		switch {
		case err != nil || !none && !label.MatchString(clock.Port) || clock.Period != 0 && (clock.Period < 2*time.Nanosecond || clock.Period > time.Second):
			c.at(l.At, w, fmt.Sprintf("%q is not a clock", w.Text), "write the name of an input, NAME=PERIOD with a period from 2ns to 1s, or none")
		case none && len(l.Words) > 1:
			c.at(l.At, w, "none is not a clock beside others", "write none alone if there is no clock")
		case slices.ContainsFunc(g.Clocks, func(o sim.Clock) bool { return o.Port == clock.Port }):
			c.at(l.At, w, fmt.Sprintf("the clock %s is given twice", clock.Port), "delete one of them")
		case none:
			g.NoClock = true
		default:
			g.Clocks = append(g.Clocks, clock)
		}
	}
	if p := c.file.value("period"); p != nil && slices.ContainsFunc(g.Clocks, func(o sim.Clock) bool { return o.Period != 0 }) {
		c.at(p.At, *p.Label, fmt.Sprintf("the period is given twice, first in line %d", l.At), "delete this line")
	} else if p != nil && len(g.Clocks) > 1 {
		c.at(p.At, *p.Label, "there are several clocks: which has this period?", "write clock: NAME=PERIOD NAME=PERIOD")
	}
}

// resetLine reads the line reset: PORT [high|low] [CYCLES], none, or CYCLES.
func (c *checker) resetLine(g *convention.Given) {
	l := c.file.value("reset")
	if l == nil {
		return
	}
	const help = "write reset: NAME, high or low, and for how many cycles (rst_n low 5); each can be left out; none: there is no reset"
	level := false
	for i, w := range l.Words {
		_, err := strconv.Atoi(w.Text)
		switch {
		case err == nil && i == len(l.Words)-1: // header reads it
		case w.Text == "none" && len(l.Words) == 1:
			g.NoReset = true
		case i == 0 && label.MatchString(w.Text) && w.Text != "low" && w.Text != "high" && w.Text != "none":
			g.Reset = w.Text
		case i == 1 && g.Reset != "" && (w.Text == "low" || w.Text == "high"):
			g.ResetActiveLow, level = w.Text == "low", true
		default:
			c.at(l.At, w, fmt.Sprintf("%q is not understood here", w.Text), help)
			return
		}
	}
	g.ResetByUse = g.Reset != "" && !level
}

// flags reads flags for one simulator.
func (c *checker) flags(simulator string) []string {
	l := c.file.value(simulator)
	if l == nil {
		return nil
	}
	flags := texts(l.Words)
	if at, err := bridge.CheckFlags(simulator, flags); err != nil {
		problem, help, _ := strings.Cut(err.Error(), ": ")
		c.at(l.At, l.Words[at], problem, help)
	}
	return flags
}
