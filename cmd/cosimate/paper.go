package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/paper"
	"github.com/cosimate/cosimate/rtl/perftengine"
	"github.com/cosimate/cosimate/sim"
)

// paperFlags are the flags of cosimate paper.
type paperFlags struct {
	simulator sim.Simulator
	depth     int // of perft
	search    int // depth of searches
	most      bool
	reports   string
	epds      []string
	markdown  *outputFile // nil if it was not asked for
	plot      *outputFile // nil if it was not asked for
	format    string      // of the plot
}

const paperUsage = `usage: cosimate paper [flags]

Prints the figures of the published hardware move generator beside ours: clock cycles from the RTL, which is
run for this in a simulator, at the clocks of the kept place-and-route reports; lists over the bus in each scheme; perft
in hardware; full searches that the hardware lists the moves for. Below each table stands what is measured in it, and
what is modelled. The published searches are to depth 6: --search-depth 6 takes minutes.

`

const paperExamples = `
examples:
  cosimate paper
  cosimate paper --epd vectors/perft/perft-known.epd --markdown paper.md --plot paper.svg
  cosimate paper --search-depth 6
  cosimate paper --most-moves
  cosimate paper --sim icarus

exit status: 0 done, 1 the RTL lists or counts something else than the reference, 2 misuse or a report is missing,
3 tool or simulator trouble, 130 interrupted
`

// defaultDepths are depths of perft that take some seconds.
var defaultDepths = map[sim.Simulator]int{sim.Icarus: 3, sim.Verilator: 5}

// searchDepths are depths of searches that take some seconds, in Icarus none; mostSearch is the
// greatest.
var searchDepths = map[sim.Simulator]int{sim.Icarus: 0, sim.Verilator: 3}

const mostSearch = 10

// parsePaper reads the flags of cosimate paper.
func parsePaper(args []string) (*paperFlags, error) {
	f := &paperFlags{}
	var simulator, markdown, plot string
	set := pflag.NewFlagSet("paper", pflag.ContinueOnError)
	set.SortFlags = false
	set.Usage = func() {}
	set.StringVar(&simulator, "sim", string(sim.Verilator), "`simulator`, icarus or verilator")
	set.IntVar(&f.depth, "depth", 0, fmt.Sprintf("depth of perft in `plies`, 1 to %d (default icarus %d, verilator %d)",
		perftengine.MaxDepth, defaultDepths[sim.Icarus], defaultDepths[sim.Verilator]))
	set.IntVar(&f.search, "search-depth", 0, fmt.Sprintf("depth of searches in `plies`, 0 (none) to %d (default icarus %d, verilator %d)",
		mostSearch, searchDepths[sim.Icarus], searchDepths[sim.Verilator]))
	set.BoolVar(&f.most, "most-moves", false, "search for the most moves that the pieces of each kind can have: minutes")
	set.StringVar(&f.reports, "pnr", "docs/pnr", "`folder` of the place-and-route reports")
	set.StringArrayVar(&f.epds, "epd", nil, "`file` of positions for a table of clock cycles, beside the published timing's model; may be given again")
	set.StringVar(&markdown, "markdown", "", "write the tables as Markdown to this `file` too")
	set.StringVar(&plot, "plot", "", "draw the times to this `file`: "+strings.Join(paper.Formats, ", ")+" by its ending")
	err := set.Parse(args)
	if errors.Is(err, pflag.ErrHelp) {
		fmt.Fprint(stdout, paperUsage+set.FlagUsages()+paperExamples)
		return nil, errHelp
	}
	if err != nil {
		what, _, _ := strings.Cut(err.Error(), ": strconv.")
		return nil, &misuse{what, "cosimate paper --help lists the flags"}
	}
	if set.NArg() > 0 {
		return nil, &misuse{"unexpected argument " + quote(set.Arg(0)), "cosimate paper --help lists the flags"}
	}
	if f.simulator, err = sim.ParseSimulator(simulator); err != nil {
		return nil, &misuse{fmt.Sprintf("--sim %s: unknown simulator %q", simulator, simulator), "use icarus or verilator"}
	}
	if !set.Changed("depth") {
		f.depth = defaultDepths[f.simulator]
	}
	if f.depth < 1 || f.depth > perftengine.MaxDepth {
		return nil, &misuse{fmt.Sprintf("--depth %d is not between 1 and %d", f.depth, perftengine.MaxDepth), "a ply more takes some thirty times as long"}
	}
	if !set.Changed("search-depth") {
		f.search = searchDepths[f.simulator]
	}
	if f.search < 0 || f.search > mostSearch {
		return nil, &misuse{fmt.Sprintf("--search-depth %d is not between 0 and %d", f.search, mostSearch), "a ply more takes some four times as long"}
	}
	if set.Changed("markdown") {
		if f.markdown, err = newOutput("--markdown", markdown); err != nil {
			return nil, err
		}
	}
	if set.Changed("plot") {
		f.format = strings.TrimPrefix(path.Ext(plot), ".")
		if !slices.Contains(paper.Formats, f.format) {
			return nil, &misuse{fmt.Sprintf("--plot %s: the ending says no format", plot), "end the name with one of ." + strings.Join(paper.Formats, ", .")}
		}
		if f.plot, err = newOutput("--plot", plot); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// runPaper is cosimate paper.
func runPaper(ctx context.Context, args []string) error {
	flags, err := parsePaper(args)
	if errors.Is(err, errHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	reports, err := readReports(flags.reports)
	if err != nil {
		return err
	}
	options := paper.Options{Depth: flags.depth, SearchDepth: flags.search, Progress: func(what string) { fmt.Fprintf(os.Stderr, "%s: %s\n", flags.simulator, what) }}
	if flags.most {
		options.MostMoves = []engine.Piece{engine.Pawn, engine.Rook, engine.Knight, engine.Bishop, engine.Queen, engine.King}
	}
	for _, name := range flags.epds {
		suite, err := readEPD(name)
		if err != nil {
			return err
		}
		for _, e := range suite {
			options.Suite = append(options.Suite, e.Position)
		}
	}
	figures, err := paper.Measure(ctx, flags.simulator, options)
	if errors.Is(err, paper.ErrDiffers) {
		return fmt.Errorf("%w: %w", errDiffers, err)
	}
	if err != nil {
		return err
	}
	tables := paper.Tables(figures, reports)
	var out strings.Builder
	for i, t := range tables {
		if i > 0 {
			fmt.Fprintln(&out)
		}
		printPaper(&out, t)
	}
	if _, err := io.WriteString(os.Stdout, visible(out.String())); err != nil {
		return fmt.Errorf("standard output: %w", err)
	}
	if flags.markdown != nil {
		if err := flags.markdown.write(ctx, paperMarkdown(tables)); err != nil {
			return fmt.Errorf("--markdown %s: %w", flags.markdown.name, reason(err))
		}
	}
	if flags.plot != nil {
		image, err := paper.Plot(figures, reports, flags.format)
		if err != nil {
			return err
		}
		if err := flags.plot.write(ctx, image); err != nil {
			return fmt.Errorf("--plot %s: %w", flags.plot.name, reason(err))
		}
	}
	return nil
}

// readReports reads the place-and-route reports of a folder.
func readReports(dir string) ([]paper.Report, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		if err == nil {
			err = errors.New("it is not a folder")
		} else if errors.Is(err, fs.ErrNotExist) {
			err = errors.New("there is no such folder")
		}
		return nil, &misuse{fmt.Sprintf("--pnr %s: %v", dir, reason(err)), "run it where Cosimate's sources are, or give their docs/pnr"}
	}
	reports, err := paper.Reports(os.DirFS(dir))
	if bad, ok := errors.AsType[*paper.ReportError](err); ok {
		return nil, &misuse{fmt.Sprintf("%s/%v", filepath.ToSlash(filepath.Clean(dir)), bad), "scripts/pnr " + bad.Block + " writes it"}
	}
	return reports, err
}

// paperWidth is how many characters a line of the notes has at most.
const paperWidth = 120

func printPaper(w io.Writer, t paper.Table) {
	fmt.Fprintf(w, "%s\n\n", t.Title)
	tb := &table{left: map[int]bool{0: true}}
	tb.add(t.Head...)
	for _, r := range t.Rows {
		tb.add(r...)
	}
	tb.print(w)
	for _, n := range t.Notes {
		line := ""
		fmt.Fprintln(w)
		for word := range strings.FieldsSeq(n) {
			if line != "" && utf8.RuneCountInString(line+" "+word) > paperWidth {
				fmt.Fprintln(w, line)
				line = ""
			}
			line = strings.TrimLeft(line+" "+word, " ")
		}
		fmt.Fprintln(w, line)
	}
}

// paperMarkdown returns the tables in Markdown.
func paperMarkdown(tables []paper.Table) []byte {
	var b strings.Builder
	b.WriteString("# The published move generator and ours\n\nWritten by `cosimate paper`; do not edit.\n")
	row := func(cells []string) {
		b.WriteString("|")
		for _, c := range cells {
			b.WriteString(" " + strings.ReplaceAll(c, "|", `\|`) + " |")
		}
		b.WriteString("\n")
	}
	for _, t := range tables {
		b.WriteString("\n## " + t.Title + "\n\n")
		row(t.Head)
		b.WriteString("| --- |" + strings.Repeat(" --: |", len(t.Head)-1) + "\n")
		for _, r := range t.Rows {
			row(r)
		}
		for _, n := range t.Notes {
			b.WriteString("\n" + n + "\n")
		}
	}
	return []byte(b.String())
}
