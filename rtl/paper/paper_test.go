package paper

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/search"
	"github.com/cosimate/cosimate/rtl/burst"
	"github.com/cosimate/cosimate/rtl/core"
	"github.com/cosimate/cosimate/rtl/driver/moves"
	"github.com/cosimate/cosimate/rtl/internal/fault"
	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/rtl/published"
	"github.com/cosimate/cosimate/rtl/simcore"
	"github.com/cosimate/cosimate/sim"
)

func parse(t testing.TB, fen string) engine.Position {
	t.Helper()
	p, err := engine.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// forEach runs a test with each simulator, as sim.ForEach does.
func forEach(t *testing.T, test func(t *testing.T, s sim.Simulator)) {
	for _, s := range sim.Simulators {
		t.Run(string(s), func(t *testing.T) { test(t, s) })
	}
}

// The measured figures are those of the blocks' chapters, and the same in both simulators.
func TestMeasure(t *testing.T) {
	var first *Figures
	forEach(t, func(t *testing.T, s sim.Simulator) {
		var steps []string
		f, err := Measure(t.Context(), s, Options{
			Depth: 2, Suite: []engine.Position{engine.StartPosition(), parse(t, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")},
			Progress: func(what string) { steps = append(steps, what) },
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(steps) != 5 || f.Simulator != s {
			t.Errorf("steps %q on %s", steps, f.Simulator)
		}
		for _, p := range slices.Concat(f.Positions, f.Suite) {
			n := p.Count()
			if p.Legal != n || p.List != max(n, 1)+8 || p.Burst < burst.Latency || p.Burst >= p.List {
				t.Errorf("%s: %d legal moves, the last one listed in cycle %d, in a burst in %d", p.FEN(), p.Legal, p.List, p.Burst)
			}
		}
		for _, p := range f.Positions {
			n := p.Legal
			if p.Burst >= p.Published.Cycles {
				t.Errorf("%s: a burst of %d cycles, published are %d", p.name(), p.Burst, p.Published.Cycles)
			}
			t.Logf("%s: %+v", p.name(), p.Transfers)
			for i, most := range []Transfer{{2 * n, 6*n + 20}, {n, 3*n + 20}, {0, n + 20}} {
				if got := p.Transfers[i]; got.Reads != most.Reads || got.Cycles > most.Cycles || got.Cycles < n {
					t.Errorf("%s, %s: %+v, at most %+v are due", p.name(), Schemes[i], got, most)
				}
			}
			if p.Software <= 0 || p.Software > time.Second {
				t.Errorf("%s: the reference takes %v", p.name(), p.Software)
			}
		}
		for i, want := range []Perft{{"start position", 2, 400, 20, 0}, {"Kiwipete", 2, 2039, 48, 0}} {
			got := f.Perft[i]
			if got.Cycles < got.Counted || got.Cycles > got.Counted+30 {
				t.Errorf("perft of %s takes %d cycles for %d positions", got.Name, got.Cycles, got.Counted)
			}
			if got.Cycles = 0; got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
		}
		for i := range f.Positions {
			f.Positions[i].Software = 0
		}
		f.Simulator = ""
		if first == nil {
			first = f
		} else if a, b := fmt.Sprintf("%+v", first), fmt.Sprintf("%+v", f); a != b {
			t.Errorf("the simulators differ:\n%s\n%s", a, b)
		}
	})
}

// Searches with the hardware's moves have the nodes of those in software, in each scheme, and the
// same order gives the same search.
func TestSearches(t *testing.T) {
	positions := []Position{{Position: parse(t, "4r3/pkp4p/1p1b4/8/8/8/P1PR1BPP/5K2 b - - 0 33"), Published: published.Positions()[3]}}
	steps := 0
	err := searchAll(t.Context(), core.Design, sim.Verilator, Options{SearchDepth: 2, Progress: func(string) { steps++ }}, positions)
	if err != nil {
		t.Fatal(err)
	}
	p := &positions[0]
	if steps != len(searchWays()) || len(p.Searches) != steps || p.Program.Nodes == 0 || p.Program.Time <= 0 {
		t.Errorf("%d steps, %d searches, %+v", steps, len(p.Searches), p.Program)
	}
	for _, s := range p.Searches {
		t.Logf("%+v", s)
		like := p.search(moves.FIFO, s.Order, s.Own)
		if s.Nodes == 0 || s.Nodes != like.Nodes || s.Counts != like.Counts || s.Bus.Writes < 2*s.Counts.Makes || s.Bus.Cycles < transferCycles*s.transferred() {
			t.Errorf("%v: %+v, by FIFO %+v", &s, s, *like)
		}
		reads := map[moves.Scheme]int{moves.Published: 2, moves.FIFO: 1, moves.Stream: 0}[s.Scheme]
		// An empty list has a word that says so.
		if least := reads * s.Counts.Moves; s.Bus.Reads < least || s.Bus.Reads > least+reads*s.Counts.Lists {
			t.Errorf("%v: %d reads for %d moves in %d lists", &s, s.Bus.Reads, s.Counts.Moves, s.Counts.Lists)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := searchAll(ctx, core.Design, sim.Verilator, Options{SearchDepth: 2, Progress: func(string) {}}, positions); !errors.Is(err, context.Canceled) {
		t.Errorf("a search that was stopped: %v", err)
	}
}

// A fault of the RTL is an error that names the position, and gives no figure.
func TestMutants(t *testing.T) {
	kings := func(d sim.Design, file string) func(t *testing.T) sim.Design {
		return func(t *testing.T) sim.Design {
			return fault.Plant(t, d, file, "king_to_q <= ~attacked & ~own", "king_to_q <= ~own")
		}
	}
	listed := "e8d8 of 4k3/8/8/8/8/8/8/3RK3 b - - 0 1 is listed twice or is not legal"
	for _, c := range []struct {
		name    string
		design  func(t *testing.T) sim.Design
		measure func(ctx context.Context, d sim.Design, s sim.Simulator, o Options, p []Position) error
		message string
	}{
		{
			"burst", kings(burst.Design, "movegen_safety.sv"),
			func(ctx context.Context, d sim.Design, s sim.Simulator, o Options, p []Position) error {
				return bursts(ctx, d, s, o, p)
			}, listed,
		},
		{
			"list", kings(movegen.Design, "movegen_safety.sv"),
			func(ctx context.Context, d sim.Design, s sim.Simulator, o Options, p []Position) error {
				return lists(ctx, d, s, o, p)
			}, listed,
		},
		{
			"list without end", func(t *testing.T) sim.Design {
				return fault.Plant(t, movegen.Design, "movegen.sv", ".move_last_o(move_last_o), .move_none_o", ".move_last_o(), .move_none_o")
			},
			func(ctx context.Context, d sim.Design, s sim.Simulator, o Options, p []Position) error {
				return lists(ctx, d, s, o, p)
			}, "the list of 4k3/8/8/8/8/8/8/3RK3 b - - 0 1 does not end within 512 cycles",
		},
		{
			"search", kings(core.Design, "movegen_safety.sv"),
			func(ctx context.Context, d sim.Design, s sim.Simulator, o Options, p []Position) error {
				o.SearchDepth, o.Progress = 1, func(string) {}
				return searchAll(ctx, d, s, o, p)
			}, "at the node the root (4k3/8/8/8/8/8/8/3RK3 b - - 0 1), is wrong",
		},
		{"core", kings(core.Design, "movegen_safety.sv"), handOver, Schemes[0] + ": " + ErrDiffers.Error() + ": " + listed},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := []Position{{Position: parse(t, "4k3/8/8/8/8/8/8/3RK3 b - - 0 1")}}
			err := c.measure(t.Context(), c.design(t), sim.Icarus, Options{}, p)
			if !errors.Is(err, ErrDiffers) || !strings.Contains(err.Error(), c.message) {
				t.Errorf("the error is %v; want one that says %q", err, c.message)
			}
		})
	}
	p := engine.StartPosition()
	if err := sameCount(&p, 2, 401); !errors.Is(err, ErrDiffers) || !strings.Contains(err.Error(), "is 401, the reference counts 400") {
		t.Errorf("a wrong perft: %v", err)
	}
	moves := p.AppendMoves(nil)
	for what, list := range map[string][]engine.Move{"not listed": moves[1:], "listed twice": append(slices.Clone(moves), moves[3])} {
		if err := same(&p, list); !errors.Is(err, ErrDiffers) || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// reportText returns a report as scripts/pnr writes it.
func reportText(block, part, mhz string) string {
	return "# " + block + " on " + part + `, placed and routed

| | |
| --- | --: |
| routed clock | **` + mhz + ` MHz** |
| slice LUTs after routing | **1234** |
| LUT1 to LUT6 after synthesis | 2345 |
| flip-flops | 345 |
| block RAMs, LUT RAMs | 6 |

## By module

| module | LUT1 to LUT6 |
| flip-flops | 7 |
`
}

func reportFiles() fstest.MapFS {
	files := fstest.MapFS{}
	for block, mhz := range map[string]string{"core": "100", "burst": "50.5", "perftcore": "200", "adder": "300"} {
		files[block+".md"] = &fstest.MapFile{Data: []byte(reportText(block, published.Part, mhz))}
	}
	// The figures of the top of another board are not listed beside those of the published part.
	files["badge.md"] = &fstest.MapFile{Data: []byte(reportText("badge", "xc7a100tcsg324-1", "105"))}
	return files
}

func TestReports(t *testing.T) {
	got, err := Reports(reportFiles())
	if err != nil {
		t.Fatal(err)
	}
	report := func(block, part string, mhz float64) Report { return Report{block, part, mhz, 1234, 2345, 345, 6} }
	want := []Report{
		report("core", published.Part, 100), report("burst", published.Part, 50.5), report("perftcore", published.Part, 200),
		report("adder", published.Part, 300), report("badge", "xc7a100tcsg324-1", 105),
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	files := reportFiles()
	delete(files, "core.md")
	delete(files, "perftcore.md")
	files["movegen.md"] = &fstest.MapFile{Data: []byte(reportText("movegen", published.Part, "110"))}
	files["perftengine.md"] = &fstest.MapFile{Data: []byte(reportText("perftengine", published.Part, "120"))}
	if got, err = Reports(files); err != nil || len(got) != 5 || got[listClock].MHz != 110 || got[burstClock].MHz != 50.5 || got[perftClock].MHz != 120 {
		t.Errorf("without those with a bus: %+v, %v", got, err)
	}
	for _, c := range []struct{ block, old, new, message string }{
		{"burst", "", "", "burst.md: there is no such report"},
		{"core", "# core on", "# score on", "core.md:1: the title of a report on core is due"},
		{"core", "xc7z020", "xc7z010", "core.md:1: core was placed on xc7z010clg484-1; the published figures are those of xc7z020clg484-1"},
		{"perftcore", "| flip-flops | 345 |\n", "", `perftcore.md:1: the row "flip-flops" is missing`},
		{"adder", "**300 MHz**", "**3.0.0 MHz**", "adder.md:5: 3.0.0 is not a number"},
		{"adder", "**300 MHz**", "**0 MHz**", "adder.md:1: the routed clock is 0 MHz"},
	} {
		files := reportFiles()
		name := c.block + ".md"
		if files[name].Data = bytes.Replace(files[name].Data, []byte(c.old), []byte(c.new), 1); c.old == "" {
			delete(files, name)
		}
		_, err := Reports(files)
		var bad *ReportError
		if !errors.As(err, &bad) || bad.Block != c.block || err.Error() != c.message {
			t.Errorf("%q for %q in %s: %v, want %s", c.new, c.old, name, err, c.message)
		}
	}
}

// invented returns figures whose times are easy to compute.
func invented() *Figures {
	f := &Figures{Simulator: sim.Icarus, Depth: 6, Perft: []Perft{{"start position", 3, 8902, 400, 500}}}
	for i, p := range published.Positions() {
		f.Positions = append(f.Positions, Position{
			Published: p, Legal: 10 + i, List: 200, Burst: 101, Software: 3 * time.Microsecond,
			Transfers: []Transfer{{2 * p.Moves, 1500}, {p.Moves, 700}, {0, 250}},
		})
	}
	for i := range f.Positions {
		f.Positions[i].Program = Program{100, 7 * time.Millisecond}
		for _, s := range searchWays() {
			if s.Nodes = 40; !s.Own {
				s.Nodes = 80
			}
			if s.Order == search.Plain && !s.Own { // too many to be simulated
				s.Nodes = 2_000_000
			} else {
				s.Counts, s.Bus = moves.Counts{Lists: 5, Moves: 50}, simcore.Counts{Reads: 1000, Writes: 500, Cycles: 6000}
			}
			f.Positions[i].Searches = append(f.Positions[i].Searches, s)
		}
	}
	for n := range 11 {
		f.Suite = append(f.Suite, Position{List: n, Burst: 2 * n, Published: published.Position{Cycles: 3 * n}})
	}
	return f
}

func TestTables(t *testing.T) {
	reports, err := Reports(reportFiles())
	if err != nil {
		t.Fatal(err)
	}
	tables := Tables(invented(), reports)
	var all strings.Builder
	for _, table := range tables {
		fmt.Fprintln(&all, table.Title)
		for _, row := range append([][]string{table.Head}, table.Rows...) {
			if len(row) != len(table.Head) {
				t.Errorf("%s: a row of %d cells below a head of %d: %q", table.Title, len(row), len(table.Head), row)
			}
			fmt.Fprintln(&all, strings.Join(row, " | "))
		}
		if table.Title == "" || len(table.Notes) == 0 {
			t.Errorf("the table %q has %d notes", table.Title, len(table.Notes))
		}
	}
	if note := "badge is not listed: it was placed on another part, xc7a100tcsg324-1."; tables[0].Notes[1] != note || strings.Contains(all.String(), "\nbadge |") {
		t.Errorf("notes %q, %q is due, and no row", tables[0].Notes, note)
	}
	for _, row := range []string{
		"published | 83.3 | 14241 | - | 3962 | -\n",
		"burst | 50.5 | 1234 | 2345 | 345 | 6\n",
		// 200 cycles at 100 MHz; 101 at 50.5 MHz.
		"Petrovic | 218 | 10 | 197 | 2.36 | 200 | 2.00 | 101 | 2.00 | 27.5 | 3.00\n",
		"endgame (stand-in) | 35 | 13 | 18 | 0.216 | 200 | 2.00 | 101 | 2.00 | 6.29 | 3.00\n",
		// A read was (85.7 - 2.36) / 436 us: 2 + 83.34, 2 + 41.67.
		"Petrovic | 85.7 | 436 | 1500 | 15.0 | 85.3 | 218 | 700 | 7.00 | 43.7 | 0 | 250 | 2.50 | 2.50\n",
		// 8902 / 500 leaves a cycle at 200 MHz.
		"start position | 3 | 8902 | 500 | 1.25 | 17.8 | 3561\n",
		"burst | 10.0 | 0 | 2 | 10 | 18 | 20\n",
		// 6000 cycles at 100 and at 83.3 MHz; 1500 transfers of 3 cycles, and of 0.191 us.
		"Petrovic | published | 40 | 5 | 50 | 1000 | 500 | 6000 | 0.0600 | 0.0720 | 75.0 | 0.302 | 1484 | 681 | 7.00\n",
		"Petrovic | stream | 40 | 5 | 50 | 1000 | 500 | 6000 | 0.0600 | 0.0720 | 75.0 | 0.302 |  |  | \n",
		"Petrovic | plain | 2000000 | 1.00 | - | - | - | - | - | - | - | - | - | -\n",
		"Petrovic | MVV/LVA | 80 | 25000 | 5 | 1000 | 500 | 6000 | 0.0600 | 0.302 | 500 | 6000 | 0.0600 | 0.302\n",
		"endgame (stand-in) | by the program | 40 | 50000 | 5 | ",
	} {
		if !strings.Contains(all.String(), "\n"+row) {
			t.Errorf("there is no row %q in\n%s", row, all.String())
		}
	}
	f := invented()
	f.Suite = nil
	if n := len(Tables(f, reports)); n != len(tables)-1 {
		t.Errorf("%d tables without a suite, %d with one", n, len(tables))
	}
	f.Depth = 0
	without := Tables(f, reports)
	last := without[len(without)-1]
	if row := strings.Join(last.Rows[3], " "); len(without) != len(tables)-2 || row != "endgame 299 158" {
		t.Errorf("without searches there are %d tables, and in the last one %q", len(without), row)
	}
}

func TestPlot(t *testing.T) {
	reports, err := Reports(reportFiles())
	if err != nil {
		t.Fatal(err)
	}
	for format, begin := range map[string]string{"svg": "<?xml", "png": "\x89PNG", "pdf": "%PDF"} {
		image, err := Plot(invented(), reports, format)
		if err != nil || !bytes.HasPrefix(image, []byte(begin)) {
			t.Errorf("%s: %.20q, %v", format, image, err)
		}
		if format == "svg" {
			for _, text := range []string{"Petrovic", "middle game (stand-in)", "burst, 50 MHz", "published: generation", "microseconds"} {
				if !bytes.Contains(image, []byte(text)) {
					t.Errorf("the plot does not say %q", text)
				}
			}
		}
	}
	if _, err := Plot(invented(), reports, "bmp"); err == nil {
		t.Error("a plot as bmp")
	}
}
