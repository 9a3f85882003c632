package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/internal/shell"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/convention"
	"github.com/cosimate/cosimate/sim/try"
	"github.com/cosimate/cosimate/vectors"
)

const tryUsage = `usage: cosimate try [flags] FILE.sv|LIST.f...

Finds out what can be said of a design that has no testbench: both simulators compile it, do the same cycles with random inputs,
and must have the same outputs. It says which outputs are unknown (X) and from which registers that comes, which never changed,
what errors the RTL reported, where there are latches and loops, which lines were not executed, and how fast it is.

`

const tryExamples = `
examples:
  cosimate try fifo.sv
  cosimate try --top uart --clock clk=10ns --reset '!nrst' rtl/*.v
  cosimate try --cycles 1000000 --limit 10m design.f
  cosimate try --minutes 30 design.f

exit status: 0 nothing is wrong, 1 something is, 2 misuse, 3 a simulator is missing, or neither compiles the design, 130 interrupted
`

// runTry is cosimate try.
func runTry(ctx context.Context, args []string) error {
	var design designFlags
	var o try.Options
	set := pflag.NewFlagSet("try", pflag.ContinueOnError)
	set.SortFlags = false
	set.Usage = func() {}
	design.add(set, true)
	set.IntVar(&o.Cycles, "cycles", 5000, "how many `cycles` to do after the reset")
	set.DurationVar(&o.Limit, "limit", 5*time.Second, "stop the simulation after this `time`; compilation does not count")
	set.Uint64Var(&o.Seed, "seed", 1, "seed of the random inputs, and of power-up values in Verilator")
	minutes := set.Float64("minutes", 0, "go on for so many `minutes`, in 512 lanes too, with inputs that coverage guides; Ctrl-C ends that earlier")
	err := set.Parse(args)
	if errors.Is(err, pflag.ErrHelp) {
		fmt.Fprint(stdout, tryUsage+set.FlagUsages()+tryExamples)
		return nil
	}
	if err != nil {
		return &misuse{err.Error(), "cosimate try --help lists the flags"}
	}
	if *minutes < 0 || *minutes > 60*24*365 {
		return &misuse{fmt.Sprintf("--minutes %v", *minutes), "a number of minutes: 0.5, 60"}
	}
	if o.Cycles < 1 || o.Limit <= 0 {
		return &misuse{fmt.Sprintf("--cycles %d --limit %v", o.Cycles, o.Limit), "at least one cycle, and some time"}
	}
	g, err := design.given(set.Args())
	if err != nil {
		return err
	}
	found, err := convention.Complete(ctx, g, sim.Icarus)
	if _, refused := errors.AsType[*bridge.CompileError](err); refused {
		found, err = convention.Complete(ctx, g, sim.Verilator)
	}
	if err != nil {
		return misused(err)
	}
	var taken []string
	for _, n := range found.Notes {
		taken = append(taken, n.Text)
	}
	fmt.Fprintf(stdout, "%s: %s\n", found.Design.Top, strings.Join(taken, " "))
	var progress *meter // begins when the design is compiled
	o.Progress = func(cycles int) {
		if progress == nil {
			progress = newMeter(found.Design.Top, uint64(o.Cycles), "cycles")
		}
		progress.update(uint64(cycles))
	}
	if o.Time = time.Duration(*minutes * float64(time.Minute)); o.Time > 0 {
		// The first Ctrl-C ends the time; what was found until then is reported.
		o.Stop = ctx.Done()
		ctx = context.WithoutCancel(ctx)
		say := exploring(time.Now())
		o.Explored = func(e try.Explored) {
			if progress != nil {
				progress.close()
				progress = nil
			}
			say(e)
		}
	}
	report, err := try.Run(ctx, found.Design, o)
	if progress != nil {
		progress.close()
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "\n%s", visible(report.Text()))
	switch title := "cosimate try has found these inputs for " + report.Top + "."; {
	case report.Differs:
		err = keepInputs(ctx, g, report, report.Tape, "The simulators differ: "+title, "the simulators agree")
	case report.Failing != nil:
		err = keepInputs(ctx, g, report, report.Failing, "An assertion fails: "+title, "no assertion fails")
	}
	if err != nil {
		return err
	}
	if !report.OK() {
		return errWrong
	}
	return nil
}

// exploring returns a function that says what a trial has newly reached, and every ten seconds how
// far it is.
func exploring(begin time.Time) func(try.Explored) {
	var last time.Time
	return func(e try.Explored) {
		if len(e.Reached) == 0 && time.Since(last) < 10*time.Second {
			return
		}
		last = time.Now()
		text := fmt.Sprintf("%v: %d runs, %d cycles", time.Since(begin).Round(time.Second), e.Runs, e.Cycles)
		if e.Lanes > 0 {
			text += fmt.Sprintf(", %d in lanes", e.Lanes)
		}
		if len(e.Reached) > 0 {
			text += fmt.Sprintf("; %s; reached %s", e.Coverage, strings.Join(e.Reached[:min(len(e.Reached), 3)], ", "))
		}
		fmt.Fprintln(os.Stderr, visible(text))
	}
}

// keepInputs writes inputs with which something is wrong as a vector into the present folder, as
// few of them as it takes, and runs it, which leaves the report and the waves. passes is what is so
// if nothing is wrong with these alone.
func keepInputs(ctx context.Context, g convention.Given, r *try.Report, tape []byte, title, passes string) error {
	name := r.Top + ".try.txtar"
	text, err := vectors.TapeRTL(ctx, g, ".", title, r.Layout, tape[r.Reset*r.Layout.InSize:])
	if err != nil {
		return err
	}
	if err := writeVector(ctx, name, []byte(text)); err != nil {
		return err
	}
	all := vectors.NewRegistry()
	if shrunk, _, err := all.Shrink(ctx, name, vectors.Options{}); err == nil {
		if err := writeVector(ctx, name, []byte(shrunk)); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	result := all.Run(ctx, []string{name}, vectors.Options{})[0]
	if result.Verdict == vectors.Pass {
		fmt.Fprintf(stdout, "\nthe inputs are kept in %s, with which alone %s\n", name, passes)
		return nil
	}
	fmt.Fprintf(stdout, "\n%s\n\nthe inputs are kept: cosimate vectors run %s\n", visible(result.Err.Error()), shell.Quote(name))
	return nil
}
