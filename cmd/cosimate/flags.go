package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/hashicorp/go-hclog"
	"github.com/spf13/pflag"

	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/rtl/movegen/perft"
	"github.com/cosimate/cosimate/sim"
)

// reference is the name of the engine in budgets and results, where simulators have theirs.
const reference = "reference"

// perftFlags are the flags of cosimate perft.
type perftFlags struct {
	fens, epds  []string
	random      int // how many positions of random games
	seed        uint64
	depth       int // in plies; 0 if it was not given
	budgets     map[string]uint64
	divide      bool
	hardware    bool            // count with the perft engine in RTL
	published   bool            // compare with published counts, and count nothing with the reference
	keep        string          // file in which lanes keep what they have counted, or ""
	simulators  []sim.Simulator // empty for the reference alone
	jobs        int
	json        bool
	junit       *outputFile // nil if it was not asked for
	rtl         string
	design      sim.Design
	maxFailures int
	verbose     bool
	logger      hclog.Logger
}

// unlimited is a budget without a limit.
const unlimited = ^uint64(0)

// defaultBudgets are how many nodes of a position each of them can walk in about a second.
var defaultBudgets = map[string]uint64{string(sim.Icarus): 2_000, string(sim.Verilator): 200_000, reference: 10_000_000}

// hardwareBudgets are the same for --hardware.
var hardwareBudgets = map[string]uint64{string(sim.Icarus): 20_000, string(sim.Verilator): 20_000_000, string(inLanes): 200_000_000, reference: 10_000_000}

// inLanes is 512 copies of the perft engine at once, in the place of a simulator.
const inLanes sim.Simulator = "lanes"

const perftUsage = `usage: cosimate perft (--fen FEN | --epd FILE | --random COUNT)... [flags]

Walks the tree of legal moves of each position through the RTL move generator and
compares every output of every clock cycle with the reference; then compares the
totals, which are the RTL's own, with the reference's and the published ones. With --hardware
the tree is walked in RTL too, by the perft engine, of which the totals alone are compared; --sim lanes
then has 512 of them a core share the trees, each at work as soon as it is free.

`

const perftExamples = `
examples:
  cosimate perft --fen startpos --depth 4
  cosimate perft --fen startpos --depth 3 --divide --sim verilator
  cosimate perft --epd vectors/perft/perft-known.epd --nodes icarus=400,verilator=400000 --junit perft.xml
  cosimate perft --epd vectors/perft/perft-random.epd --depth 1 --sim verilator
  cosimate perft --fen startpos --depth 6 --hardware --sim verilator
  cosimate perft --fen startpos --depth 7 --hardware --sim lanes

exit status: 0 pass, 1 difference, 2 misuse, 3 tool or simulator trouble, 130 interrupted
`

// errHelp ends a command after it has printed its help.
var errHelp = errors.New("help")

// parsePerft reads the flags of cosimate perft.
func parsePerft(args []string) (*perftFlags, error) {
	f := &perftFlags{}
	var simulators, nodes, junit, logLevel string
	set := pflag.NewFlagSet("perft", pflag.ContinueOnError)
	set.SortFlags = false
	set.Usage = func() {}
	set.StringArrayVar(&f.fens, "fen", nil, "position in `FEN`, or startpos; may be given again")
	set.StringArrayVar(&f.epds, "epd", nil, "`file` of positions with published counts (FEN ;D1 20 ;D2 400); may be given again")
	set.IntVar(&f.random, "random", 0, "so `many` positions of random games instead, which begin with those given, or the start")
	set.Uint64Var(&f.seed, "seed", 1, "the `number` that the random games follow from")
	set.IntVar(&f.depth, "depth", 0, fmt.Sprintf("depth in `plies`, 1 to %d; with --epd at most this depth", perft.MaxDepth))
	set.StringVar(&nodes, "nodes", "", "the deepest `count` a position: as deep as given and not above this (but at least to the\n"+
		"lowest depth given); for all, or by simulator: icarus=400,verilator=400000; or unlimited\n(default "+
		fmt.Sprintf("icarus=%d,verilator=%d,reference=%d", defaultBudgets["icarus"], defaultBudgets["verilator"], defaultBudgets[reference])+"; with --depth: unlimited)")
	set.BoolVar(&f.divide, "divide", false, "count by first move; for one position")
	set.BoolVar(&f.hardware, "hardware", false, "let the hardware perft engine walk the trees: far faster (default budgets are\n"+
		fmt.Sprintf("icarus=%d,verilator=%d,lanes=%d then)", hardwareBudgets["icarus"], hardwareBudgets["verilator"], hardwareBudgets["lanes"]))
	set.StringVar(&simulators, "sim", "icarus,verilator", "`simulators`, or none: the reference alone; with --hardware also lanes: 512 copies at once")
	set.BoolVar(&f.published, "published", false, "with --sim lanes: compare with the published counts, and count nothing with the\nreference, which takes longer than the lanes")
	set.StringVar(&f.keep, "keep", "", "with --sim lanes, for one position: note in this `file` what is counted, and go on from there")
	set.IntVar(&f.jobs, "jobs", runtime.GOMAXPROCS(0), "how `many` instances of the RTL share the work")
	set.BoolVar(&f.json, "json", false, "print a JSON document instead of tables; see cosimate help json")
	set.StringVar(&junit, "junit", "", "write a JUnit report to this `file`")
	set.StringVar(&f.rtl, "rtl", "", "take the RTL from the *.sv files of this `folder` instead of the built-in one")
	set.IntVar(&f.maxFailures, "max-failures", 10, "stop after this `many` failing positions of a simulator; 0: never")
	set.BoolVarP(&f.verbose, "verbose", "v", false, "a table row for every position, however many")
	set.StringVar(&logLevel, "log-level", "info", "trace, debug, info, warn, error or off; what the RTL prints is info")
	err := set.Parse(args)
	if errors.Is(err, pflag.ErrHelp) {
		fmt.Fprint(stdout, perftUsage+set.FlagUsages()+perftExamples)
		return nil, errHelp
	}
	if err != nil {
		what, _, _ := strings.Cut(err.Error(), ": strconv.")
		return nil, &misuse{what, "cosimate perft --help lists the flags"}
	}
	if set.NArg() > 0 {
		return nil, &misuse{"unexpected argument " + quote(set.Arg(0)), "positions are given with --fen or --epd; a FEN needs quotes around it"}
	}
	if f.random < 0 {
		return nil, &misuse{fmt.Sprintf("--random %d is negative", f.random), ""}
	}
	if f.random > 0 && len(f.fens)+len(f.epds) == 0 {
		f.fens = []string{"startpos"}
	}
	if len(f.fens)+len(f.epds) == 0 {
		return nil, &misuse{"no position to walk", "give one with --fen (--fen startpos) or a file of them with --epd"}
	}
	if set.Changed("depth") && (f.depth < 1 || f.depth > perft.MaxDepth) {
		return nil, &misuse{fmt.Sprintf("--depth %d is not between 1 and %d", f.depth, perft.MaxDepth),
			"depth 1 counts the position's own moves; no tree of more than " + strconv.Itoa(perft.MaxDepth) + " plies can be walked in a lifetime"}
	}
	if f.jobs < 1 || f.jobs > maxJobs {
		return nil, &misuse{fmt.Sprintf("--jobs %d is not between 1 and %d", f.jobs, maxJobs), "as many as there are cores is best"}
	}
	if f.maxFailures < 0 {
		return nil, &misuse{fmt.Sprintf("--max-failures %d is negative", f.maxFailures), "0 means: never stop"}
	}
	if f.divide && (f.random > 1 || len(f.fens) > 1 || len(f.epds) > 1 || len(f.fens)+len(f.epds) > 1) {
		return nil, errDivideMany
	}
	if f.simulators, err = parseSimulators(simulators); err != nil {
		return nil, err
	}
	if i := slices.Index(f.simulators, inLanes); i >= 0 && !f.hardware {
		return nil, &misuse{fmt.Sprintf("--sim %s: lanes are for the perft engine", simulators), "add --hardware: with it, a tree is walked in RTL, and nothing else has to keep up with 512 copies"}
	}
	if onlyLanes := slices.Equal(f.simulators, []sim.Simulator{inLanes}); !onlyLanes && (f.published || set.Changed("keep")) {
		return nil, &misuse{"--published and --keep are for --sim lanes alone", "add --hardware --sim lanes"}
	}
	if set.Changed("keep") && (f.keep == "" || f.random > 1 || len(f.fens)+len(f.epds) > 1) {
		return nil, &misuse{fmt.Sprintf("--keep %s: one position is kept in a file", f.keep), "give one --fen, or an --epd file with one position"}
	}
	if f.hardware && set.Changed("rtl") {
		return nil, &misuse{"--rtl is of no use with --hardware", "to try RTL of the perft engine, edit rtl/perftengine and build cosimate anew"}
	}
	budgets := defaultBudgets
	if f.hardware {
		budgets = hardwareBudgets
	}
	if f.budgets, err = parseBudgets(nodes, budgets); err != nil {
		return nil, err
	}
	if nodes == "" && f.depth > 0 {
		for name := range f.budgets {
			f.budgets[name] = unlimited
		}
	}
	level := hclog.LevelFromString(logLevel)
	if level == hclog.NoLevel {
		return nil, &misuse{fmt.Sprintf("--log-level %q is not known", logLevel), "use trace, debug, info, warn, error or off"}
	}
	f.logger = hclog.New(&hclog.LoggerOptions{Name: "cosimate", Level: level, Output: visibleWriter{os.Stderr}, DisableTime: true})
	f.design = movegen.Design
	if set.Changed("rtl") {
		if f.design, err = designFrom(f.rtl); err != nil {
			return nil, err
		}
	}
	if set.Changed("junit") {
		if f.junit, err = newOutput("--junit", junit); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// maxJobs is the largest number of jobs: a mistyped number must not start a million processes.
const maxJobs = 1024

var errDivideMany = &misuse{"--divide is for one position", "give one --fen, or an --epd file with one position"}

func parseSimulators(list string) ([]sim.Simulator, error) {
	if list == "none" {
		return nil, nil
	}
	var simulators []sim.Simulator
	for name := range strings.SplitSeq(list, ",") {
		s, err := sim.ParseSimulator(name)
		if name == string(inLanes) {
			s, err = inLanes, nil
		}
		if err != nil {
			return nil, &misuse{fmt.Sprintf("--sim %s: unknown simulator %q", list, name), "use icarus, verilator, icarus,verilator or none (the reference alone)"}
		}
		if slices.Contains(simulators, s) {
			return nil, &misuse{fmt.Sprintf("--sim %s: %s is given twice", list, s), ""}
		}
		simulators = append(simulators, s)
	}
	return simulators, nil
}

// parseBudgets reads --nodes: a number, or numbers by simulator.
func parseBudgets(text string, defaults map[string]uint64) (map[string]uint64, error) {
	budgets := maps.Clone(defaults)
	if text == "" {
		return budgets, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		name, number, named := strings.Cut(part, "=")
		if !named {
			name, number = "", part
		}
		n, err := parseNodes(number)
		if err != nil || n == 0 {
			return nil, &misuse{fmt.Sprintf("--nodes %s: %q is not a number of nodes", text, number), "use --nodes 10000, or --nodes icarus=400,verilator=400000, or unlimited"}
		}
		switch _, known := budgets[name]; {
		case known:
			budgets[name] = n
		case named:
			return nil, &misuse{fmt.Sprintf("--nodes %s: unknown simulator %q", text, name), "use icarus, verilator or reference"}
		default:
			for k := range budgets {
				budgets[k] = n
			}
		}
	}
	return budgets, nil
}

// parseNodes reads "unlimited", or a number in which single underscores may separate digits.
func parseNodes(number string) (uint64, error) {
	if number == "unlimited" {
		return unlimited, nil
	}
	for digits := range strings.SplitSeq(number, "_") {
		if digits == "" {
			return 0, strconv.ErrSyntax
		}
	}
	return strconv.ParseUint(strings.ReplaceAll(number, "_", ""), 10, 64)
}

// designFrom returns the move generator with the files of a folder. Files of the built-in design
// are in its order. Any others come before them, since packages must come first.
func designFrom(dir string) (sim.Design, error) {
	d := movegen.Design
	entries, err := os.ReadDir(dir)
	here := map[string]bool{}
	for _, e := range entries {
		if path.Ext(e.Name()) == ".sv" && !e.IsDir() {
			here[e.Name()] = true
		}
	}
	switch {
	case dir == "":
		err = errors.New("the name is empty")
	case errors.Is(err, fs.ErrNotExist):
		err = errors.New("there is no such folder")
	case errors.Is(err, syscall.ENOTDIR):
		err = errors.New("it is not a folder")
	case err == nil && len(here) == 0:
		err = errors.New("no .sv file is in it")
	}
	if err != nil {
		return d, &misuse{fmt.Sprintf("--rtl %s: %v", dir, reason(err)), "give a folder with a copy of rtl/movegen/*.sv"}
	}
	d.Files = nil
	for _, name := range movegen.Design.Files {
		if name = path.Base(name); here[name] {
			d.Files = append(d.Files, name)
			delete(here, name)
		}
	}
	d.Files = append(slices.Sorted(maps.Keys(here)), d.Files...)
	d.FS = os.DirFS(dir)
	// Messages name the files as the user did, if possible.
	d.Dir = filepath.ToSlash(filepath.Clean(dir))
	if !filepath.IsLocal(dir) {
		d.Dir = path.Base(d.Dir)
	}
	if !filepath.IsLocal(d.Dir) {
		d.Dir = ""
	}
	return d, nil
}
