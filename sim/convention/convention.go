// Package convention makes a complete [sim.Design] of files that somebody names. What is not given
// it finds by convention: the top module, the clock and the reset, the folders of include files. It
// says in words what it has taken for what, and how to say otherwise.
//
//	found, err := convention.Complete(ctx, convention.Given{Files: []string{"rtl/*.sv"}}, sim.Icarus)
//	for _, n := range found.Notes {
//		fmt.Println(n)
//	}
//	app, err := ports.Open(ctx, found.Design, sim.Icarus, ports.Options{})
//
// The parts of Complete can be used by themselves: [Given.Files] are read by [Read], [Top] finds
// the top module, and [ClockAndReset] the clock and the reset.
package convention

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
)

// Given is what is said of a design. All but Files can be left out.
type Given struct {
	// Folder is the folder that names are relative to. "" is the present one.
	Folder string
	// Files are source files in the order of compilation, globs, and file lists (.f). Files of a
	// glob are in alphabetical order, but a file with a package is before those that use it. Names
	// in a list are relative to Folder, or to the list's own folder if they are not there.
	Files   []string
	Include []string // folders of include files
	Defines map[string]string
	Params  map[string]string // of the top module

	Top            string
	Clocks         []sim.Clock
	NoClock        bool // it is combinational
	Reset          string
	ResetActiveLow bool
	// ResetByUse says that ResetActiveLow is not given: a reset whose name does not say so is
	// active low if the sources use it so.
	ResetByUse bool
	NoReset    bool

	Verilator, Icarus []string // flags for one simulator, as in [sim.Design]

	// How says how to give what cannot be found. The zero value has the flags of commands.
	How Hints
}

// Part is what an [Error] or a [Note] is about.
type Part string

// The parts of what is given.
const (
	Files   Part = "files"
	Include Part = "include"
	TopPart Part = "top"
	Clock   Part = "clock"
	Reset   Part = "reset"
	Param   Part = "parameter"
)

// Hints say how something is given: "--top NAME".
type Hints struct{ Include, Top, Clock, NoClock, Reset, NoReset string }

// Flags are the hints of commands.
var Flags = Hints{"--include FOLDER", "--top NAME", "--clock NAME", "--clock none", "--reset NAME, with ! before it if it is active low,", "--reset none"}

// Note says what was taken for what.
type Note struct {
	Part Part
	Text string
	How  string // how to say otherwise
}

// String returns the text, and how to say otherwise.
func (n Note) String() string {
	if n.How == "" {
		return n.Text
	}
	return n.Text + " " + n.How
}

// Texts returns notes as texts.
func Texts(notes []Note) (texts []string) {
	for _, n := range notes {
		texts = append(texts, n.String())
	}
	return texts
}

// Error is something given that is wrong, or something that must be given.
type Error struct {
	Part    Part
	Name    string // what is wrong, as it was given; "" if something is missing
	Problem string
	Help    string
}

// Error returns the problem and the help.
func (e *Error) Error() string {
	if e.Help == "" {
		return e.Problem
	}
	return e.Problem + ": " + e.Help
}

// Found is a complete design.
type Found struct {
	Design      sim.Design
	Description *sim.Description // as the simulator that was asked sees it
	Notes       []Note
}

// Complete returns the complete design of what is given. It has the simulator elaborate the design,
// to know its ports.
func Complete(ctx context.Context, g Given, s sim.Simulator) (*Found, error) {
	f, err := Describe(ctx, g, s)
	if err != nil {
		return nil, err
	}
	notes, err := ClockAndReset(&f.Design, g, f.Description.Ports)
	f.add(notes...)
	return f, err
}

// Describe is like Complete, but does not look for the clock and the reset.
func Describe(ctx context.Context, g Given, s sim.Simulator) (*Found, error) {
	d, notes, err := Read(g)
	if err != nil {
		return nil, err
	}
	f := &Found{Design: d, Notes: notes}
	note, err := Top(&f.Design, g)
	if err != nil {
		return nil, err
	}
	f.add(note)
	if f.Description, err = sim.Describe(ctx, f.Design, s); err != nil {
		return nil, refused(&f.Design, g, err)
	}
	return f, nil
}

func (f *Found) add(notes ...Note) {
	for _, n := range notes {
		if n.Text != "" {
			f.Notes = append(f.Notes, n)
		}
	}
}

// noParameter matches what simulators say of a parameter that the top module does not have, and
// parameters what bridge adds.
var (
	noParameter = regexp.MustCompile("parameter `?(\\w+)'?`? not found in |Parameters from the command line were not found in the design: (\\w+)")
	parameters  = regexp.MustCompile(`(?m)^the module has (the parameters .*)`)
)

// refused returns the error for a top module that none of the files has, or for a parameter that it
// does not have, or else err, the error of the simulator.
func refused(d *sim.Design, g Given, err error) error {
	said, ok := errors.AsType[*bridge.CompileError](err)
	if !ok {
		return err
	}
	if m := noParameter.FindStringSubmatch(said.Output); m != nil {
		help := "delete it, or name one that it has"
		if has := parameters.FindStringSubmatch(said.Output); has != nil {
			help = "it has " + has[1]
		}
		return &Error{Param, m[1] + m[2], fmt.Sprintf("module %s has no parameter %s", d.Top, m[1]+m[2]), help}
	}
	names := Modules(*d)
	if len(names) == 0 || slices.Contains(names, d.Top) {
		return err
	}
	return &Error{TopPart, g.Top, "there is no module " + d.Top + " in the files", g.hints().Top + " takes another one; there are " + list(names)}
}

func (g *Given) hints() Hints {
	if g.How == (Hints{}) {
		return Flags
	}
	return g.How
}

// list returns names for a message.
func list(names []string) string {
	const most = 12
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// values returns the parts of a design that are given and need nothing found.
func (g *Given) values(d *sim.Design) {
	d.Top = g.Top
	d.Params = maps.Clone(g.Params)
	d.Verilator, d.Icarus = slices.Clone(g.Verilator), slices.Clone(g.Icarus)
	for k, v := range g.Defines {
		if d.Defines == nil {
			d.Defines = map[string]string{}
		}
		d.Defines[k] = v
	}
}
