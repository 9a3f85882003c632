package perft_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/rtl/movegen/perft"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

var update = flag.Bool("update", false, "write testdata/explained.txt")

// explainHelper is the environment variable that makes TestExplainHelper fail.
const explainHelper = "COSIMATE_EXPLAIN_HELPER"

// oneKnight is a position in which RTL with knightFault differs.
const oneKnight = "4k3/8/8/8/3N4/8/8/4K3 w - - 0 1"

// TestExplainHelper fails with a difference, in a process of TestExplained.
func TestExplainHelper(t *testing.T) {
	p := position(t, oneKnight)
	in := movegen.Encode(&p)
	in.PosValid, in.MoveReady = true, true
	stimulus := slices.Values(append([]movegen.In{in}, make([]movegen.In, 50)...))
	d := withFault(t, knightFault...)
	switch os.Getenv(explainHelper) {
	case "check":
		sim.Check(t, sim.OpenTest[movegen.In, movegen.Out](t, d, sim.Icarus), movegen.NewModel(), stimulus)
	case "lockstep":
		sim.Lockstep(t, d, movegen.NewModel(), stimulus)
	}
}

// failed returns the report that TestExplainHelper leaves, which must fail.
func failed(t *testing.T, how string) string {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), program, "-test.run=^TestExplainHelper$", "-sim.keep="+dir, "-sim.wave=off")
	cmd.Env = append(os.Environ(), explainHelper+"="+how, "GITHUB_ACTIONS=")
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Fatalf("%s passes:\n%s", how, out)
	}
	text, err := os.ReadFile(filepath.Join(dir, "rtl/movegen/perft/TestExplainHelper/report.txt"))
	if err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	return string(text)
}

// One difference is explained by sim.Check, sim.Lockstep, test vectors and perft in the same words.
func TestExplained(t *testing.T) {
	d := withFault(t, knightFault...)
	reports := []struct{ by, text string }{{"sim.Check", failed(t, "check")}, {"sim.Lockstep", failed(t, "lockstep")}}

	vector := filepath.Join(t.TempDir(), "knight.txtar")
	if err := os.WriteFile(vector, []byte("design: movegen\n\n-- script --\nposition "+oneKnight+"\ncount 13\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	result := vectors.NewRegistry(movegen.Block).Run(t.Context(), []string{vector}, vectors.Options{
		Simulators: []sim.Simulator{sim.Icarus}, RTL: func(sim.Design) sim.Design { return d },
	})[0]
	if result.Verdict != vectors.Differs {
		t.Fatalf("the vector's verdict is %s: %v", result.Verdict, result.Err)
	}
	reports = append(reports, struct{ by, text string }{"cosimate vectors run", strings.ReplaceAll(result.Err.Error(), vector, "knight.txtar")})

	c := perft.Case{Position: position(t, oneKnight), Depth: 1}
	results, err := perft.Run(t.Context(), sim.Icarus, []perft.Case{c}, perft.Options{Design: d})
	if err != nil {
		t.Fatal(err)
	}
	_, why := perft.Judge(c, perft.Result{}, results[0])
	reports = append(reports, struct{ by, text string }{"cosimate perft", why})

	// The explanation is the lines between the table of the outputs and the waveform.
	explanation := func(text string) string {
		_, text, _ = strings.Cut(text, "\n9 moves")
		text, _, _ = strings.Cut(text, "\n\ncycle ")
		return "9 moves" + text
	}
	var golden strings.Builder
	for _, r := range reports {
		if diff := cmp.Diff(explanation(reports[0].text), explanation(r.text)); diff != "" {
			t.Errorf("%s and %s explain the difference in other words:\n%s\n%s", reports[0].by, r.by, diff, r.text)
		}
		upTo, _, _ := strings.Cut(r.text, "\n\ncycle ")
		golden.WriteString("=== " + r.by + "\n")
		for line := range strings.Lines(upTo + "\n\n") {
			if !strings.HasSuffix(line, "(don't care)\n") { // Verilator's versions differ in these
				golden.WriteString(line)
			}
		}
	}
	const file = "testdata/explained.txt"
	if *update {
		if err := os.WriteFile(file, []byte(golden.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), golden.String()); diff != "" {
		t.Errorf("the reports are not those of %s; write it with -update:\n%s", file, diff)
	}
}
