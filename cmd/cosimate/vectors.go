package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/pflag"

	"github.com/cosimate/cosimate/internal/cachedir"
	"github.com/cosimate/cosimate/rtl/blocks"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

// vectorsCommand is a subcommand of cosimate vectors.
type vectorsCommand struct {
	name, args, summary string
	run                 func(ctx context.Context, c *vectorsCommand, args []string) error
}

var vectorsCommands []vectorsCommand

func init() { // the commands use the list for their usage
	vectorsCommands = []vectorsCommand{
		{"run", "FILE|FOLDER|GLOB...", "play vectors to the model and the RTL, and compare", runVectors},
		{"check", "FILE|FOLDER|GLOB...", "find what is wrong with vectors, without a simulator", checkVectors},
		{"fmt", "FILE|FOLDER|GLOB...", "write vectors in the canonical way", fmtVectors},
		{"update", "FILE|FOLDER|GLOB...", "fill in what vectors expect, if model and simulators agree", updateVectors},
		{"shrink", "FILE", "reduce a vector that fails to its fewest rows and statements", shrinkVector},
		{"record", "DESIGN | FILE.txtar", "make a vector of random cycles, or of a Go test's failure", recordVector},
		{"new", "DESIGN | --rtl FILE...", "print a vector to begin with", newVector},
		{"watch", "FILE|FOLDER|GLOB...", "run vectors, and again when one is saved", watchVectors},
		{"export", "FILE", "write a vector as Verilog, CSV or a table for $readmemh", exportVector},
		{"import", "DESIGN|FILE.txtar FILE", "make a vector of CSV or a table for $readmemh", importVector},
		{"doc", "[DESIGN | FILE.txtar]", "list designs, or a design's or a vector's ports, names and statements", docVectors},
	}
}

// stdout is where commands write. An error of writing is reported when the program ends.
var stdout = &keptWriter{to: os.Stdout}

// keptWriter keeps its first error, and writes nothing after it.
type keptWriter struct {
	to  io.Writer
	err error
}

func (w *keptWriter) Write(b []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.to.Write(b)
	w.err = err
	return n, err
}

// runVectorsCommand is cosimate vectors.
func runVectorsCommand(ctx context.Context, args []string) error {
	usage := "usage: cosimate vectors <command> [flags]\n\nTest vectors: scenarios for a block of RTL, as text.\n\n"
	for _, c := range vectorsCommands {
		usage += fmt.Sprintf("  %-8s %s\n", c.name, c.summary)
	}
	usage += "\ncosimate vectors <command> --help tells about its flags; docs/vectors.md is the format.\n" +
		"exit status: 0 pass, 1 difference, 2 misuse or a vector that is wrong, 3 tool or simulator trouble, 130 interrupted\n"
	if len(args) == 0 {
		fmt.Fprint(os.Stderr, usage)
		return &misuse{"no command", "use one of those above"}
	}
	if args[0] == "--help" || args[0] == "-h" || args[0] == "help" {
		fmt.Fprint(stdout, usage)
		return nil
	}
	for i := range vectorsCommands {
		if c := &vectorsCommands[i]; c.name == args[0] {
			err := c.run(ctx, c, args[1:])
			if errors.Is(err, errHelp) {
				err = nil
			}
			return err
		}
	}
	return &misuse{fmt.Sprintf("unknown command %q", "vectors "+args[0]), "cosimate vectors --help lists the commands"}
}

// flags returns an empty set of flags for the command.
func (c *vectorsCommand) flags() *pflag.FlagSet {
	set := pflag.NewFlagSet("vectors "+c.name, pflag.ContinueOnError)
	set.SortFlags = false
	set.Usage = func() {}
	return set
}

// parse reads the flags, and checks that there are at least and at most so many arguments. If most
// is -1 there may be any number.
func (c *vectorsCommand) parse(set *pflag.FlagSet, args []string, least, most int) error {
	err := set.Parse(args)
	if errors.Is(err, pflag.ErrHelp) {
		text := fmt.Sprintf("usage: cosimate vectors %s [flags] %s\n\n%s%s.\n", c.name, c.args, strings.ToUpper(c.summary[:1]), c.summary[1:])
		if flags := set.FlagUsages(); flags != "" {
			text += "\n" + flags
		}
		fmt.Fprint(stdout, text)
		return errHelp
	}
	hint := fmt.Sprintf("cosimate vectors %s --help lists the flags", c.name)
	switch {
	case err != nil:
		return &misuse{err.Error(), hint}
	case set.NArg() < least:
		return &misuse{fmt.Sprintf("vectors %s: %s is missing", c.name, strings.Fields(c.args)[set.NArg()]), hint}
	case most >= 0 && set.NArg() > most:
		return &misuse{fmt.Sprintf("unexpected argument %s", quote(set.Arg(most))), hint}
	}
	return nil
}

// rtlFlags choose the RTL and who simulates it.
type rtlFlags struct {
	sim, rtl, logLevel string
	jobs               int
	allowModel         bool
}

const defaultSims = "icarus,verilator"

func (f *rtlFlags) add(set *pflag.FlagSet) {
	set.StringVar(&f.sim, "sim", defaultSims, "`simulators`, or none: the model alone")
	set.StringVar(&f.rtl, "rtl", "", "take files from this `folder`, where it has them, instead of the built-in RTL's")
	set.IntVar(&f.jobs, "jobs", runtime.GOMAXPROCS(0), "how `many` vectors run at a time")
	set.BoolVar(&f.allowModel, "allow-model", false, "run the command that a vector names as its reference model (model: COMMAND)")
	set.StringVar(&f.logLevel, "log-level", "warn", "trace, debug, info, warn, error or off; what the RTL prints is info")
}

// keepFlag is where failures leave files.
type keepFlag struct{ to string }

func (f *keepFlag) add(set *pflag.FlagSet) {
	set.StringVar(&f.to, "keep", "", "leave pages and waves of failures of any RTL in this `folder`, or none; by default in ~/.cache/cosimate/failures")
}

func (f *keepFlag) folder() (string, error) {
	switch f.to {
	case "none":
		return "", nil
	case "":
		cache, err := cachedir.Path()
		if err != nil {
			return "", &misuse{fmt.Sprintf("there is no folder for the files of failures: %v", err), "--keep FOLDER, or --keep none"}
		}
		return filepath.Join(cache, "failures", "vectors"), nil
	}
	return f.to, nil
}

func (f *rtlFlags) options() (o vectors.Options, err error) {
	if o.Simulators, err = parseSimulators(f.sim); err != nil {
		return o, err
	}
	if o.Simulators == nil {
		o.Simulators = []sim.Simulator{}
	}
	if f.jobs < 1 || f.jobs > maxJobs {
		return o, &misuse{fmt.Sprintf("--jobs %d is not between 1 and %d", f.jobs, maxJobs), "as many as there are cores is best"}
	}
	o.Jobs, o.AllowModel = f.jobs, f.allowModel
	level := hclog.LevelFromString(f.logLevel)
	if level == hclog.NoLevel {
		return o, &misuse{fmt.Sprintf("--log-level %q is not known", f.logLevel), "use trace, debug, info, warn, error or off"}
	}
	logger := hclog.New(&hclog.LoggerOptions{Name: "cosimate", Level: level, Output: visibleWriter{os.Stderr}, DisableTime: true})
	o.Sim = []sim.Option{sim.WithLogger(logger)}
	if f.rtl != "" {
		info, err := os.Stat(f.rtl)
		if err != nil || !info.IsDir() {
			return o, &misuse{fmt.Sprintf("--rtl %s: there is no such folder", f.rtl), "give a folder with edited copies of a block's *.sv files"}
		}
		if !slices.ContainsFunc(f.files(), takenFrom) {
			return o, &misuse{fmt.Sprintf("--rtl %s: no file in it is one of a design's: the built-in RTL would be tested", f.rtl), "put edited copies of a block's *.sv files there, under their own names"}
		}
		o.RTL = vectors.Overlay(f.rtl)
	}
	return o, nil
}

// takenFrom reports whether a file has the name of a file of some design.
func takenFrom(path string) bool {
	return slices.ContainsFunc(blocks.All().Names(), func(design string) bool {
		d, _ := blocks.All().RTL(design)
		return slices.ContainsFunc(d.Files, func(f string) bool { return filepath.Base(f) == filepath.Base(path) })
	})
}

// vectorFiles returns the files that the arguments name.
func vectorFiles(args []string) ([]string, error) {
	files, err := vectors.Files(args...)
	if err != nil {
		return nil, &misuse{err.Error(), "name files, folders with *.txtar files, or globs in quotes"}
	}
	return files, nil
}

// runVectors is cosimate vectors run.
func runVectors(ctx context.Context, c *vectorsCommand, args []string) error {
	var rtl rtlFlags
	var asJSON, github, verbose bool
	var junit string
	var keep keepFlag
	set := c.flags()
	rtl.add(set)
	keep.add(set)
	set.BoolVar(&asJSON, "json", false, "print a JSON document instead of text")
	set.StringVar(&junit, "junit", "", "write a JUnit report to this `file`")
	set.BoolVar(&github, "github", os.Getenv("GITHUB_ACTIONS") == "true", "print annotations for GitHub")
	set.BoolVarP(&verbose, "verbose", "v", false, "a line for each vector")
	if err := c.parse(set, args, 1, -1); err != nil {
		return err
	}
	o, err := rtl.options()
	if err != nil {
		return err
	}
	files, err := vectorFiles(set.Args())
	if err != nil {
		return err
	}
	var to *outputFile
	if junit != "" {
		if to, err = newOutput("--junit", junit); err != nil {
			return err
		}
	}
	o.Command = rtl.command()
	if o.Keep, err = keep.folder(); err != nil {
		return err
	}
	begin := time.Now()
	var m *meter
	if len(files) > 10 { // a few vectors need no progress
		m = newMeter("vectors", uint64(len(files)), "vectors")
		done := uint64(0)
		o.Progress = func(vectors.Result) {
			done++
			m.update(done)
		}
	}
	results := blocks.All().Run(ctx, files, o)
	if m != nil {
		m.close()
	}
	if asJSON {
		err = vectorsJSON(stdout, results)
	} else {
		printVectors(stdout, results, verbose, time.Since(begin))
	}
	if github {
		for i := range results {
			fmt.Fprint(stdout, annotation(&results[i]))
		}
	}
	if to != nil {
		err = errors.Join(err, writeVectorsJUnit(ctx, to, results))
	}
	return errors.Join(err, rtl.overlaid(verdict(ctx, results)))
}

// verdict returns the error of the command for a list of results.
func verdict(ctx context.Context, results []vectors.Result) error {
	n := map[vectors.Verdict]int{}
	for _, r := range results {
		n[r.Verdict]++
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case n[vectors.Trouble] > 0:
		return troubled(results)
	case n[vectors.Differs] > 0:
		return fmt.Errorf("%w: %d of %d vectors fail", errDiffers, len(results)-n[vectors.Pass], len(results))
	case n[vectors.Invalid] > 0:
		return &misuse{fmt.Sprintf("%d of %d vectors are not understood", n[vectors.Invalid], len(results)), ""}
	}
	return nil
}

// troubled returns the first error of a tool in the results, or nil.
func troubled(results []vectors.Result) error {
	for _, r := range results {
		switch {
		case r.Verdict != vectors.Trouble:
		case strings.HasPrefix(r.Err.Error(), r.File+":"):
			return r.Err
		default:
			return fmt.Errorf("%s: %w", r.File, r.Err)
		}
	}
	return nil
}

// printVectors prints the vectors that are wrong, and a line with a summary.
func printVectors(w io.Writer, results []vectors.Result, verbose bool, spent time.Duration) {
	passed, cycles := 0, uint64(0)
	for i := range results {
		r := &results[i]
		cycles += r.Cycles
		if r.Verdict == vectors.Pass {
			passed++
		}
		if verbose {
			fmt.Fprintf(w, "%-8s %s  %s (%d cycles, %v)\n", r.Verdict, r.File, visible(r.Title), r.Cycles, r.Time.Round(time.Millisecond))
		}
		if r.Verdict == vectors.Differs || r.Verdict == vectors.Invalid {
			fmt.Fprintf(w, "%s\n\n", visible(r.Err.Error()))
		}
	}
	fmt.Fprintf(w, "%d of %d vectors pass (%d cycles, %v)\n", passed, len(results), cycles, spent.Round(time.Millisecond))
}

// annotation returns a text that makes GitHub show a failure at its line.
func annotation(r *vectors.Result) string {
	if r.Err == nil {
		return ""
	}
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	return fmt.Sprintf("::error file=%s,line=%d,title=%s::%s\n", property.Replace(filepath.ToSlash(r.File)), max(1, r.Line()), property.Replace(r.Title), data.Replace(visible(r.Err.Error())))
}

// vectorsJSON prints results as a document: version 1, status, and a list of them.
func vectorsJSON(w io.Writer, results []vectors.Result) error {
	type result struct {
		File    string          `json:"file"`
		Line    int             `json:"line,omitempty"`
		Design  string          `json:"design"`
		Title   string          `json:"title"`
		Verdict vectors.Verdict `json:"verdict"`
		Cycles  uint64          `json:"cycles"`
		Seconds float64         `json:"seconds"`
		Cycle   *uint64         `json:"cycle,omitempty"`
		Ports   []string        `json:"ports,omitempty"`
		RTL     bool            `json:"rtl,omitempty"`
		Report  string          `json:"report,omitempty"`
	}
	doc := struct {
		Version int      `json:"version"`
		Status  string   `json:"status"`
		Results []result `json:"results"`
	}{1, "pass", []result{}}
	for i := range results {
		r := &results[i]
		j := result{File: r.File, Line: r.Line(), Design: r.Design, Title: r.Title, Verdict: r.Verdict, Cycles: r.Cycles, Seconds: r.Time.Seconds()}
		if r.Err != nil {
			doc.Status, j.Report = "fail", r.Err.Error()
		}
		if f, ok := errors.AsType[*vectors.Failure](r.Err); ok {
			j.Cycle, j.Ports, j.RTL = &f.Cycle, f.Ports, f.RTL
		}
		doc.Results = append(doc.Results, j)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(doc)
}

// writeVectorsJUnit writes a suite for each design, a case for each vector.
func writeVectorsJUnit(ctx context.Context, to *outputFile, results []vectors.Result) error {
	doc := junitSuites{Name: "cosimate vectors"}
	suites := map[string]*junitSuite{}
	var order []string
	total := 0.0
	for i := range results {
		r := &results[i]
		name := r.Design
		if name == "" {
			name = "unknown design"
		}
		if suites[name] == nil {
			suites[name] = &junitSuite{Name: name}
			order = append(order, name)
		}
		c := junitCase{Class: "vectors." + name, Name: r.File, File: r.File, Line: r.Line(), Time: fmt.Sprintf("%.3f", r.Time.Seconds())}
		if r.Err != nil {
			text := visible(r.Err.Error())
			reason := &junitReason{Message: firstLine(text), Text: text}
			switch r.Verdict {
			case vectors.Differs:
				c.Failure = reason
			case vectors.NotRun:
				c.Skipped = reason
			default:
				c.Error = reason
			}
		}
		total += r.Time.Seconds()
		suites[name].Cases = append(suites[name].Cases, c)
	}
	for _, name := range order {
		s := suites[name]
		s.Time = "0"
		doc.add(*s)
	}
	return doc.write(ctx, to, total)
}

// checkVectors is cosimate vectors check.
func checkVectors(ctx context.Context, c *vectorsCommand, args []string) error {
	set := c.flags()
	if err := c.parse(set, args, 1, -1); err != nil {
		return err
	}
	files, err := vectorFiles(set.Args())
	if err != nil {
		return err
	}
	wrong := 0
	for i, err := range blocks.All().CheckFiles(ctx, files) {
		if _, ok := errors.AsType[*vectors.ToolError](err); ok {
			return fmt.Errorf("%s: %w", files[i], err)
		}
		if err != nil {
			wrong++
			fmt.Fprintf(stdout, "%s\n\n", visible(err.Error()))
		}
	}
	if wrong > 0 {
		return &misuse{fmt.Sprintf("%d of %d vectors are not understood", wrong, len(files)), ""}
	}
	return nil
}

// fmtVectors is cosimate vectors fmt.
func fmtVectors(ctx context.Context, c *vectorsCommand, args []string) error {
	var list, show bool
	set := c.flags()
	set.BoolVarP(&list, "list", "l", false, "only name the files that would change, and fail if there are any")
	set.BoolVarP(&show, "diff", "d", false, "only show what would change")
	if err := c.parse(set, args, 1, -1); err != nil {
		return err
	}
	files, err := vectorFiles(set.Args())
	if err != nil {
		return err
	}
	changed := 0
	for _, name := range files {
		data, err := vectors.Read(name)
		if err != nil {
			return vectorError(ctx, err)
		}
		text, err := vectors.Fmt(name, data)
		if err != nil {
			fmt.Fprintf(stdout, "%s\n\n", visible(err.Error()))
			return &misuse{fmt.Sprintf("%s is not understood: it stays as it is", name), ""}
		}
		if bytes.Equal(text, data) {
			continue
		}
		changed++
		switch {
		case show:
			stdout.Write(diff.Diff(name, data, name, text))
		case list:
			fmt.Fprintln(stdout, name)
		default:
			if err := writeVector(ctx, name, text); err != nil {
				return err
			}
		}
	}
	if (list || show) && changed > 0 {
		return fmt.Errorf("%w: %d of %d vectors are not in canonical form", errDiffers, changed, len(files))
	}
	return nil
}

// updateVectors is cosimate vectors update.
func updateVectors(ctx context.Context, c *vectorsCommand, args []string) error {
	var rtl rtlFlags
	var show, all bool
	set := c.flags()
	rtl.add(set)
	set.BoolVar(&all, "all", false, "put right what differs, too, not only what is written ?")
	set.BoolVarP(&show, "diff", "d", false, "only show what would change")
	if err := c.parse(set, args, 1, -1); err != nil {
		return err
	}
	o, err := rtl.options()
	if err != nil {
		return err
	}
	if len(o.Simulators) < len(sim.Simulators) {
		return &misuse{"update fills in what model and both simulators agree on", "leave --sim out"}
	}
	files, err := vectorFiles(set.Args())
	if err != nil {
		return err
	}
	refused := 0
	for _, name := range files {
		old, err := vectors.Read(name)
		if err != nil {
			return vectorError(ctx, err)
		}
		text, err := blocks.All().Update(ctx, name, all, o)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if _, ok := errors.AsType[*vectors.ToolError](err); ok {
			return rtl.overlaid(fmt.Errorf("%s: %w", name, err))
		}
		if err != nil {
			refused++
			fmt.Fprintf(stdout, "%s\n\n", visible(err.Error()))
			continue
		}
		stdout.Write(diff.Diff(name, old, name, []byte(text)))
		if !show && text != string(old) {
			if err := writeVector(ctx, name, []byte(text)); err != nil {
				return err
			}
		}
	}
	if refused > 0 {
		return fmt.Errorf("%w: %d of %d vectors stay as they are", errDiffers, refused, len(files))
	}
	return nil
}

// writeVector writes a file completely, or not at all.
func writeVector(ctx context.Context, name string, text []byte) error {
	to, err := newOutput("writing", name)
	if err != nil {
		return err
	}
	if err := to.write(ctx, text); err != nil {
		// The error's own path is that of a temporary file.
		return fmt.Errorf("%s: %w", name, reason(err))
	}
	return nil
}

// docVectors is cosimate vectors doc.
func docVectors(ctx context.Context, c *vectorsCommand, args []string) error {
	set := c.flags()
	if err := c.parse(set, args, 0, 1); err != nil {
		return err
	}
	if name := set.Arg(0); filepath.Ext(name) == ".txtar" {
		text, err := blocks.All().DocFile(ctx, name)
		if err != nil {
			return vectorError(ctx, err)
		}
		fmt.Fprint(stdout, text)
		return nil
	}
	text, err := blocks.All().Doc(set.Arg(0))
	if err != nil {
		return &misuse{err.Error(), "cosimate vectors doc lists the designs"}
	}
	fmt.Fprint(stdout, text)
	return nil
}
