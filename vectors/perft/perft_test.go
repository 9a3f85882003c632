package perft_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/rtl/movegen/perft"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

// suites are the files, and how deep their positions are walked: for each, to the greatest
// published count that is within the simulator's number of nodes, and to depth 1 at least.
var suites = map[string]map[sim.Simulator]uint64{
	"perft-known.epd":  {sim.Icarus: 300, sim.Verilator: 300_000},
	"perft-random.epd": {sim.Icarus: 1, sim.Verilator: 3000},
	"perft-start.epd":  {sim.Icarus: 1, sim.Verilator: 1}, // for lanes: its first counts are in perft-known.epd, too
}

// suite reads a file, and makes a case of each of its lines: the deepest count of at most so many
// nodes.
func suite(t *testing.T, name string, nodes uint64) (lines []engine.EPD, cases []perft.Case) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if lines, err = engine.ReadEPD(file, name); err != nil {
		t.Fatal(err)
	}
	for _, e := range lines {
		c := e.Counts[0]
		for _, d := range e.Counts {
			if d.Nodes <= nodes && d.Depth > c.Depth {
				c = d
			}
		}
		cases = append(cases, perft.Case{Position: e.Position, Depth: c.Depth, Published: &c.Nodes})
	}
	return lines, cases
}

// judge walks cases through the move generator and says of each what is wrong with it, or "".
func judge(t *testing.T, s sim.Simulator, cases []perft.Case, o perft.Options) (wrong []string) {
	t.Helper()
	o.Jobs = runtime.GOMAXPROCS(0)
	results, err := perft.Run(t.Context(), s, cases, o)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range results {
		reference, err := perft.Reference(t.Context(), cases[i], o.Jobs)
		if err != nil {
			t.Fatal(err)
		}
		verdict, why := perft.Judge(cases[i], reference, r)
		if verdict != perft.Pass {
			why = fmt.Sprintf("%s: %s", verdict, why)
		}
		wrong = append(wrong, why)
	}
	return wrong
}

// Every position of every file, in both simulators: the RTL's count is the published one, and every
// cycle what the model says. Each is a subtest, by the simulator, the file and its line.
func TestPositions(t *testing.T) {
	files, err := filepath.Glob("*.epd")
	if err != nil || len(files) != len(suites) {
		t.Fatalf("files: %q, %v", files, err)
	}
	sim.ForEachSimulator(t, func(t *testing.T, s sim.Simulator) {
		for _, name := range files {
			lines, cases := suite(t, name, suites[name][s])
			var walked uint64
			for i, wrong := range judge(t, s, cases, perft.Options{MaxFaults: 5}) {
				walked += *cases[i].Published
				t.Run(fmt.Sprintf("%s:%d", name, lines[i].Line), func(t *testing.T) {
					if wrong != "" {
						t.Errorf("%s:%d: %s", name, lines[i].Line, wrong)
					}
				})
			}
			t.Logf("%s: %d positions, %d nodes", name, len(lines), walked)
		}
	})
}

// A fault in the RTL is found, and so is a count that is wrong.
func TestMutants(t *testing.T) {
	_, cases := suite(t, "perft-known.epd", 300)
	cases = cases[:8]
	const file, old, fault = "movegen_count.sv", "(knights_i << 2) & movegen_pkg::NotFilesAB", "(knights_i << 2) & movegen_pkg::NotFileA"
	source, err := os.ReadFile(filepath.Join("../../rtl/movegen", file))
	if err != nil || strings.Count(string(source), old) != 1 {
		t.Fatalf("%q does not stand once in %s: %v", old, file, err)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, file), []byte(strings.Replace(string(source), old, fault, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	all := strings.Join(judge(t, sim.Verilator, cases, perft.Options{Design: vectors.Overlay(folder)(movegen.Design), MaxFaults: 1}), "")
	if !strings.Contains(all, "differs: ") || !strings.Contains(all, "count_o") {
		t.Errorf("a fault in the RTL is not found:\n%s", all)
	}
	count := *cases[0].Published + 1
	cases[0].Published = &count
	if wrong := judge(t, sim.Verilator, cases[:1], perft.Options{}); !strings.HasPrefix(wrong[0], fmt.Sprintf("published: published count %d ", count)) {
		t.Errorf("a wrong count is not found: %q", wrong[0])
	}
}
