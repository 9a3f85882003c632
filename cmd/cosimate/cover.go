package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/cosimate/cosimate/sim/cover/coverdb"
	"github.com/cosimate/cosimate/sim/cover/coverreport"
)

const coverUsage = `usage: cosimate cover [flags] DIR...

Merges the coverage that tests have written into folders with -sim.cover=DIR, prints a summary and writes reports.

`

const coverExamples = `
Kinds of coverage are line, branch, toggle, expr, user (SystemVerilog's cover properties) and functional (groups of
package sim/cover). In a tracefile of lcov's, which has records of lines and branches only, toggle, expr and user are branches of blocks
1, 2 and 3 of their lines. Remove DIR before a run whose coverage is not to be added to what is there, and whenever the RTL has
changed: counts of two versions of a file are refused. Sources for --html are
read from the present folder, as the design names them: run the command in the module's root.

examples:
  go test ./rtl/... -sim.cover=out/cover
  cosimate cover --html cover.html --lcov cover.info out/cover
  cosimate cover --fail-under line=90,branch=80,functional=100 out/cover

exit status: 0 pass, 1 below --fail-under, 2 misuse, 3 a report cannot be written, 130 interrupted
`

// threshold is the least percentage that --fail-under allows for a kind of coverage.
type threshold struct {
	kind    string
	percent float64
	text    string // the flag's value
}

// runCover is cosimate cover.
func runCover(ctx context.Context, args []string) error {
	var lcov, html string
	var failUnder []string
	set := pflag.NewFlagSet("cover", pflag.ContinueOnError)
	set.SortFlags = false
	set.Usage = func() {}
	set.StringVar(&html, "html", "", "write a page to this `file`: all files, groups and bins, with the source")
	set.StringVar(&lcov, "lcov", "", "write an lcov tracefile to this `file`: lines, and as branches all other kinds")
	set.StringArrayVar(&failUnder, "fail-under", nil, "fail, and list what is missing, if coverage is below these `percentages` by\nkind: line=90,functional=100")
	err := set.Parse(args)
	if errors.Is(err, pflag.ErrHelp) {
		fmt.Print(coverUsage + set.FlagUsages() + coverExamples)
		return nil
	}
	if err != nil {
		return &misuse{err.Error(), "cosimate cover --help lists the flags"}
	}
	if set.NArg() == 0 {
		return &misuse{"no folder", "name the one that was given to go test with -sim.cover"}
	}
	var thresholds []threshold
	if set.Changed("fail-under") {
		if thresholds, err = parseThresholds(strings.Join(failUnder, ",")); err != nil {
			return err
		}
	}
	outputs := map[string]*outputFile{}
	for flag, name := range map[string]string{"--html": html, "--lcov": lcov} {
		if set.Changed(flag[2:]) {
			if outputs[flag], err = newOutput(flag, name); err != nil {
				return err
			}
		}
	}

	data, files, err := coverdb.Read(set.Args()...)
	switch {
	case errors.Is(err, coverdb.ErrEmpty):
		return &misuse{err.Error(), "go test -sim.cover=DIR writes one for each package whose tests use sim or sim/cover"}
	case err != nil:
		return &misuse{err.Error(), ""}
	}
	report, err := coverreport.New(data)
	if err != nil {
		return &misuse{err.Error(), ""}
	}
	for _, t := range thresholds {
		if !slices.Contains(coverKinds, t.kind) && !slices.Contains(report.Kinds, t.kind) {
			return &misuse{fmt.Sprintf("--fail-under %s: unknown kind of coverage %q", t.text, t.kind), "use " + strings.Join(coverKinds, ", ")}
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}

	var failed error
	if out := outputs["--lcov"]; out != nil {
		if err := out.write(ctx, report.LCOV()); err != nil {
			failed = errors.Join(failed, fmt.Errorf("--lcov %s: %w", lcov, err))
		}
	}
	if out := outputs["--html"]; out != nil {
		text, err := report.HTML(readSource)
		if err == nil {
			err = out.write(ctx, text)
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("--html %s: %w", html, err))
		}
	}
	var out strings.Builder
	printCover(&out, report, files)
	below := printMissing(&out, report, thresholds)
	if _, err := io.WriteString(os.Stdout, visible(out.String())); err != nil {
		failed = errors.Join(failed, fmt.Errorf("standard output: %w", err))
	}
	if failed != nil {
		return failed
	}
	if below != nil {
		return &belowError{below}
	}
	return nil
}

// coverKinds are the kinds of coverage that --fail-under always knows, collected or not.
var coverKinds = []string{coverreport.Line, coverreport.Branch, "toggle", "expr", "user", coverreport.Functional}

// parseThresholds reads --fail-under.
func parseThresholds(text string) (all []threshold, err error) {
	for part := range strings.SplitSeq(text, ",") {
		kind, number, ok := strings.Cut(part, "=")
		percent, err := strconv.ParseFloat(number, 64)
		if !ok || kind == "" || err != nil || !(percent >= 0 && percent <= 100) {
			return nil, &misuse{fmt.Sprintf("--fail-under %s: %q is not KIND=PERCENT", text, part), "for example --fail-under line=90,functional=100"}
		}
		if slices.ContainsFunc(all, func(t threshold) bool { return t.kind == kind }) {
			return nil, &misuse{fmt.Sprintf("--fail-under %s: %s is given twice", text, kind), ""}
		}
		all = append(all, threshold{kind, percent, text})
	}
	return all, nil
}

// belowError ends the command if coverage is too low. The exit status is that of a difference.
type belowError struct{ below []string }

func (e *belowError) Error() string {
	return "coverage is below --fail-under: " + strings.Join(e.below, ", ")
}

func (e *belowError) Is(target error) bool { return target == errDiffers }

// readSource reads a source file for the HTML page.
func readSource(name string) ([]byte, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("there is no such file in the folder where cosimate cover was run")
	}
	return text, err
}

// printCover prints a table of files, one of groups, and a line of totals.
func printCover(w io.Writer, r *coverreport.Report, files int) {
	rate := func(r coverreport.Rate) []string {
		if r.All == 0 {
			return []string{"-", ""}
		}
		return []string{coverreport.Percent(r.Fraction()), fmt.Sprintf("%d/%d", r.Hit, r.All)}
	}
	if len(r.Files) > 0 {
		t := &table{left: map[int]bool{0: true}}
		head, totals := []string{"file"}, []string{"all files"}
		for _, k := range r.Kinds {
			head = append(head, k, "")
			totals = append(totals, rate(r.Code[k])...)
		}
		t.add(head...)
		var unmeasured []string
		for _, f := range r.Files {
			if !f.Measured() {
				unmeasured = append(unmeasured, f.Name)
			}
			cells := []string{f.Name}
			for _, k := range r.Kinds {
				cells = append(cells, rate(f.Rates[k])...)
			}
			t.add(cells...)
		}
		t.add(totals...)
		t.print(w)
		if len(unmeasured) > 0 {
			fmt.Fprintf(w, "%s, in no total: %s\n", coverreport.NotMeasured, strings.Join(unmeasured, ", "))
		}
		fmt.Fprintln(w)
	}
	if len(r.Groups) > 0 {
		t := &table{left: map[int]bool{0: true, 1: true}}
		t.add("group", "point or cross", "coverage", "bins")
		for _, g := range r.Groups {
			for _, i := range g.Items {
				t.add(append([]string{g.Name, i.Name}, rate(i.Rate())...)...)
			}
			t.add(g.Name, "all", coverreport.Percent(g.Fraction()), fmt.Sprintf("%d/%d", g.Rate().Hit, g.Rate().All))
		}
		all, bins := r.Functional()
		t.add("all groups", "all", coverreport.Percent(all), fmt.Sprintf("%d/%d", bins.Hit, bins.All))
		t.print(w)
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "databases merged: %d\n", files)
}

// mostMissing is how many places of a kind are listed at most.
const mostMissing = 50

// printMissing lists the places that are not covered, for each kind of coverage that is too low. It
// returns a text for each of these kinds.
func printMissing(w io.Writer, r *coverreport.Report, thresholds []threshold) (below []string) {
	for _, t := range thresholds {
		fraction, known := r.Fraction(t.kind)
		if !known {
			below = append(below, t.kind+" has not been collected")
			continue
		}
		if fraction*100+1e-9 >= t.percent { // in floating point 0.29*100 is less than 29
			continue
		}
		below = append(below, fmt.Sprintf("%s %s < %v%%", t.kind, coverreport.Percent(fraction), t.percent))
		missing := r.Missing(t.kind)
		fmt.Fprintf(w, "\nmissing of %s coverage:\n", t.kind)
		for _, m := range missing[:min(len(missing), mostMissing)] {
			fmt.Fprintf(w, "  %s\n", m)
		}
		if len(missing) > mostMissing {
			fmt.Fprintf(w, "  and %d more: see --html\n", len(missing)-mostMissing)
		}
	}
	return below
}
