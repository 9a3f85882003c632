package mutate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/lanes"
	"github.com/cosimate/cosimate/sim/internal/tape"
)

// Source is a folder with a recording, and who it is of.
type Source struct {
	Dir     string
	Package string // the Go package whose tests were recorded, or "" for vectors
}

// stimulus is what a test puts into the design, as rows.
type stimulus struct {
	source         Source
	file           string
	id             string // what stands for all of it
	layout         *bridge.Layout
	tape           *tape.Tape
	cycles         int
	compared       int // rows of these that were compared with an expectation
	in, want, care []byte
	// seen has the bits of rows that the test got to see without comparing them here. What it does
	// later may follow from them. Nil if no row that is compared comes after such a row.
	seen  []byte
	pokes []poke // in the order of their cycles
}

// poke is that a test has written to an internal signal before a cycle.
type poke struct {
	cycle int
	name  string
	value bridge.Value
}

// configuration is a design with its parameters, and all that was recorded of it.
type configuration struct {
	key    string
	design bridge.Design
	all    []*stimulus
	rows   int
	pins   *lanes.Pins // with all mutants that are played
	// instances are where the design is in the target, if it is only a part of it: "u_rx.".
	instances []string
}

// recording is all that tests have put into designs with one top module.
type recording struct {
	configurations []*configuration // those with the most rows first
	notes          []string
}

// read reads recordings. The designs are those with this top module. With top "" it is the one
// that has the most rows.
func read(sources []Source, top string) (*recording, error) {
	r := &recording{}
	all, err := r.designs(sources, func(name string) bool { return top == "" || top == name })
	if err != nil {
		return nil, err
	}
	rows := map[string]int{}
	for _, c := range all {
		rows[c.design.Top] += c.rows
	}
	if top == "" {
		for name, n := range rows {
			if top == "" || n > rows[top] || n == rows[top] && name < top {
				top = name
			}
		}
	}
	r.configurations = slices.DeleteFunc(all, func(c *configuration) bool { return c.design.Top != top || c.rows == 0 })
	if len(r.configurations) == 0 {
		names := slices.Sorted(maps.Keys(rows))
		if len(names) == 0 {
			return nil, fmt.Errorf("the tests have put nothing into a design in Verilator: is there one among them with sim.ForEach or sim.OpenTest?")
		}
		return nil, fmt.Errorf("the tests have put nothing into a module %s, but into %s", top, strings.Join(names, ", "))
	}
	return r, nil
}

// designs returns all designs that were recorded, those with the most rows first. They have what
// was recorded of them if their top module is wanted.
func (r *recording) designs(sources []Source, wanted func(top string) bool) (all []*configuration, err error) {
	of := map[string]*configuration{}
	for _, s := range sources {
		names, err := tape.Tapes(s.Dir)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			t, err := tape.Read(s.Dir, name, func(h *tape.Header) (bool, error) {
				if !used(h) {
					return false, nil
				}
				c := of[h.Design]
				if c == nil {
					c = &configuration{key: h.Design}
					if c.design, err = tape.Design(s.Dir, h.Design); err != nil {
						return false, err
					}
					of[h.Design] = c
				}
				return wanted(c.design.Top), nil
			})
			if err != nil {
				return nil, err
			}
			if t == nil {
				continue
			}
			c := of[t.Design]
			if c == nil {
				continue // a process has died at once
			}
			x := newStimulus(s, name, t)
			if _, why := t.Cycles(); why != "" {
				r.note(fmt.Sprintf("%s: not played from cycle %d on: %s", t.At(x.cycles), x.cycles, why))
			}
			c.all = append(c.all, x)
			c.rows += x.cycles
		}
	}
	for _, key := range slices.Sorted(maps.Keys(of)) {
		c := of[key]
		// Short ones first: they find most, and what is found need not be played again.
		sort.SliceStable(c.all, func(i, j int) bool { return c.all[i].cycles < c.all[j].cycles })
		all = append(all, c)
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].rows > all[j].rows })
	return all, nil
}

// note adds a note, once.
func (r *recording) note(text string) {
	if !slices.Contains(r.notes, text) {
		r.notes = append(r.notes, text)
	}
}

// newStimulus puts the rows of a tape behind each other. The tape's parts are left without them:
// there may be gigabytes.
func newStimulus(s Source, name string, t *tape.Tape) *stimulus {
	x := &stimulus{source: s, file: name, layout: t.Layout, tape: t}
	bits, observed, mixed := t.Layout.OutputBits(), false, false
	rows, _ := t.Cycles()
	x.in = make([]byte, 0, rows*t.Layout.InSize)
	x.want, x.care = make([]byte, 0, rows*t.Layout.OutSize), make([]byte, 0, rows*t.Layout.OutSize)
	for k := range t.Parts {
		p := &t.Parts[k]
		if p.Kind == tape.Broken {
			break
		}
		for i := range p.Care {
			p.Care[i] &= bits[i%len(bits)]
		}
		x.in, x.want = append(x.in, p.In...), append(x.want, p.Want...)
		switch p.Kind {
		case tape.Poked:
			x.pokes = append(x.pokes, poke{x.cycles, p.Text, p.Value})
		case tape.Expected:
			x.care = append(x.care, p.Care...)
			if observed {
				x.seen = append(x.seen, make([]byte, len(p.Care))...)
			}
			if any1(p.Care) {
				x.compared += p.N
				mixed = mixed || observed
			}
		case tape.Observed:
			if !observed {
				x.seen = make([]byte, len(x.care), rows*t.Layout.OutSize)
			}
			x.care, x.seen = append(x.care, make([]byte, len(p.Care))...), append(x.seen, p.Care...)
			observed = true
		}
		x.cycles += p.N
		p.In, p.Want, p.Care = nil, nil, nil
	}
	if !mixed {
		x.seen = nil
	}
	x.id = x.sum()
	return x
}

// sum returns what stands for a stimulus.
func (x *stimulus) sum() string {
	h := sha256.New()
	in := x.layout.InputBits()
	fmt.Fprintf(h, "%s %+v %d\n", x.tape.Design, *x.layout, x.cycles)
	row := make([]byte, len(in))
	for t := range x.cycles { // what lies between the ports is of no account
		for i, b := range in {
			row[i] = x.in[t*len(in)+i] & b
		}
		h.Write(row)
	}
	for i, b := range x.want { // nor what nobody looks at
		care := x.care[i]
		if x.seen != nil {
			care |= x.seen[i]
		}
		h.Write([]byte{b & care})
	}
	h.Write(x.care)
	h.Write(x.seen)
	for _, k := range x.pokes {
		fmt.Fprintf(h, "%d %q %v\n", k.cycle, k.name, k.value)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// cut takes the rows from a cycle on away.
func (x *stimulus) cut(cycle int) {
	x.cycles = cycle
	x.in, x.want, x.care = x.in[:cycle*x.layout.InSize], x.want[:cycle*x.layout.OutSize], x.care[:cycle*x.layout.OutSize]
	if x.seen != nil {
		x.seen = x.seen[:cycle*x.layout.OutSize]
	}
	x.pokes = slices.DeleteFunc(x.pokes, func(k poke) bool { return k.cycle >= cycle })
}

// check plays all rows to lanes without a mutant, some stimuli at a time. Rows are not used from
// where lanes do not do what was recorded: something else than inputs had a part in it. It tells
// progress how many cycles are done.
func (c *configuration) check(ctx context.Context, jobs int, progress func(done, of int)) (notes []string, err error) {
	models := map[string]*lanes.Model{}
	all := 0
	for _, x := range c.all {
		all += x.cycles
		shape := fmt.Sprintf("%+v", *x.layout)
		if models[shape] == nil {
			if models[shape], _, err = c.pins.Model(ctx, nil, lanes.BuildOptions{Shape: x.shape}); err != nil {
				return nil, err
			}
		}
	}
	var mu sync.Mutex
	done := 0
	add := func(cycles int) {
		mu.Lock()
		defer mu.Unlock()
		done += cycles
		progress(done, all)
	}
	texts := make([]string, len(c.all))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(jobs)
	for i, x := range c.all {
		group.Go(func() (err error) {
			texts[i], err = x.check(ctx, models[fmt.Sprintf("%+v", *x.layout)], add)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(texts, func(text string) bool { return text == "" }), nil
}

// check plays the rows to a model without a mutant, cuts them where it does something else, and
// says so. It tells add how many cycles were done since it was told last.
func (x *stimulus) check(ctx context.Context, m *lanes.Model, add func(cycles int)) (note string, err error) {
	b, err := m.Start(lanes.Options{Seed: 1})
	if err != nil {
		return "", err
	}
	defer b.Close()
	told := 0
	err = x.play(ctx, b, x.care, x.cycles, func(at int) bool {
		add(at - told)
		told = at
		return false
	})
	add(x.cycles - told)
	differing, first, why := b.Differing(), x.cycles, "without a mutant lanes do there what the test did not expect"
	for lane := range differing.Lanes() {
		first = min(first, int(b.Since(lane)))
	}
	if at := (*pokeError)(nil); errors.As(err, &at) {
		if err = nil; at.cycle <= first {
			first, why = at.cycle, at.Error()
		}
	}
	if err != nil || first == x.cycles {
		return "", err
	}
	note = fmt.Sprintf("%s: not played from cycle %d on: %s", x.tape.At(first), first, why)
	x.cut(first)
	return note, nil
}

// pokeError is that lanes cannot do what a test has done before a cycle.
type pokeError struct {
	cycle int
	err   error
}

func (e *pokeError) Error() string {
	return "the test writes to an internal signal there: " + e.err.Error()
}
func (e *pokeError) Unwrap() error { return e.err }

// play plays the first cycles, the same in all lanes, with what the test wrote to internal signals,
// until enough returns true. It is asked now and then, with how many are done. An error may be a
// *pokeError.
func (x *stimulus) play(ctx context.Context, b *lanes.Batch, care []byte, cycles int, enough func(done int) bool) error {
	const part = 2048
	in, out, pokes := x.layout.InSize, x.layout.OutSize, x.pokes
	for at := 0; at < cycles && !enough(at); {
		for ; len(pokes) > 0 && pokes[0].cycle <= at; pokes = pokes[1:] {
			if err := b.Poke(pokes[0].name, lanes.All(), pokes[0].value); err != nil {
				return &pokeError{at, err}
			}
		}
		end := min(at+part, cycles)
		if len(pokes) > 0 {
			end = min(end, pokes[0].cycle)
		}
		rows := lanes.Rows{In: x.in[at*in : end*in], Shared: true, Want: x.want[at*out : end*out], Care: care[at*out : end*out]}
		if _, err := b.Run(ctx, rows, end-at); err != nil {
			return err
		}
		at = end
	}
	return nil
}

// shape is the layout of the test's structs.
func (x *stimulus) shape([]bridge.Port) (*bridge.Layout, error) { return x.layout, nil }
