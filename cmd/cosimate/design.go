package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/cosimate/cosimate/sim/convention"
)

// designFlags are the flags with which commands name RTL that they do not know.
type designFlags struct {
	top                       string
	params, defines, includes []string
	clocks                    []string
	reset                     string
}

// add adds the flags to a set. Commands that run the design need its clocks and its reset, too.
func (f *designFlags) add(set *pflag.FlagSet, runs bool) {
	set.StringVar(&f.top, "top", "", "the top `module`; by default the one that no other instantiates")
	if runs {
		set.StringArrayVar(&f.clocks, "clock", nil, "a clock's `port`, or PORT=PERIOD such as clk_i=8ns, or none; by default by its name; may be given again")
		set.StringVar(&f.reset, "reset", "", "the reset's `port`, with ! before it if it is active low, or none; by default by its name")
	}
	set.StringArrayVar(&f.params, "param", nil, "set a parameter of the module: `NAME=VALUE`; may be given again")
	set.StringArrayVar(&f.defines, "define", nil, "define a macro: `NAME=VALUE`; may be given again")
	set.StringArrayVar(&f.includes, "include", nil, "a `folder` of include files; may be given again")
}

// given returns what the flags say of a design of these files.
func (f *designFlags) given(files []string) (g convention.Given, err error) {
	if len(files) == 0 {
		return g, &misuse{"no file", "name the SystemVerilog files, packages first, or a file list (.f)"}
	}
	g = convention.Given{Files: files, Include: f.includes, Top: f.top}
	if g.Params, err = assignments("--param", f.params); err != nil {
		return g, err
	}
	if g.Defines, err = assignments("--define", f.defines); err != nil {
		return g, err
	}
	for _, text := range f.clocks {
		c, none, err := convention.ParseClock(text)
		if err != nil {
			return g, &misuse{"--clock " + err.Error(), "for example --clock clk_i=8ns"}
		}
		if none {
			g.NoClock = true
		} else {
			g.Clocks = append(g.Clocks, c)
		}
	}
	g.Reset, g.ResetActiveLow, g.NoReset = convention.ParseReset(f.reset)
	return g, nil
}

// assignments returns NAME=VALUE texts as a map.
func assignments(flag string, texts []string) (map[string]string, error) {
	var to map[string]string
	for _, text := range texts {
		name, value, ok := strings.Cut(text, "=")
		if name == "" || !ok && flag == "--param" {
			return nil, &misuse{fmt.Sprintf("%s %s is not NAME=VALUE", flag, text), ""}
		}
		if to == nil {
			to = map[string]string{}
		}
		to[name] = value
	}
	return to, nil
}

// misused returns the error of a command for what is wrong with a design that was named.
func misused(err error) error {
	if e, ok := errors.AsType[*convention.Error](err); ok {
		return &misuse{e.Problem, e.Help}
	}
	return err
}
