package regress_test

import (
	"errors"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/sim/regress"
)

var keys = regexp.MustCompile(`failures/[0-9a-f]{16}`)

var today = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

func TestPlan(t *testing.T) {
	plan, err := regress.ParsePlan("a.plan", `# what runs at night
test ./fifo seeds=5..14 repeat=2 -sim.only=verilator
test ./a ./b weight=3 limit=90s compile=worker -race
  -run='^Test(A|B)$' name="both of them" # a comment
test ./c -depth=$seed seeds=today+20
command limit=1h scripts/lint all=1
vectors name=scenarios x.txtar
perft --depth 3
seeds 90 from=today
cover line=90 functional=100
`, today)
	if err != nil {
		t.Fatal(err)
	}
	const m = time.Minute
	want := []*regress.Entry{
		{Line: 2, Kind: "test", Name: "./fifo -sim.only=verilator", Packages: []string{"./fifo"}, Flags: []string{"-sim.only=verilator"}, Seeds: regress.Seeds{First: 5, Count: 10}, Given: true, Repeat: 2, Weight: 1, Limit: 10 * m},
		{Line: 3, Kind: "test", Name: "both of them", Named: true, Packages: []string{"./a", "./b"}, Build: []string{"-race"}, Flags: []string{"-test.run=^Test(A|B)$"}, Seeds: regress.Seeds{First: 20261123000000, Count: 90}, Given: true, Repeat: 1, Weight: 3, Limit: 90 * time.Second, Compile: true},
		{Line: 5, Kind: "test", Name: "./c -depth=$seed", Packages: []string{"./c"}, Flags: []string{"-depth=$seed"}, Seeds: regress.Seeds{First: 20261123000000, Count: 20}, Given: true, Repeat: 1, Weight: 1, Limit: 10 * m},
		{Line: 6, Kind: "command", Name: "scripts/lint all=1", Words: []string{"scripts/lint", "all=1"}, Seeds: regress.Seeds{First: 1, Count: 1}, Repeat: 1, Weight: 1, Limit: time.Hour},
		{Line: 7, Kind: "command", Name: "scenarios", Named: true, Words: []string{"cosimate", "vectors", "run", "x.txtar"}, Seeds: regress.Seeds{First: 1, Count: 1}, Repeat: 1, Weight: 1, Limit: 10 * m},
		{Line: 8, Kind: "command", Name: "cosimate perft --depth 3", Words: []string{"cosimate", "perft", "--depth", "3"}, Seeds: regress.Seeds{First: 1, Count: 1}, Repeat: 1, Weight: 1, Limit: 10 * m},
	}
	if diff := cmp.Diff(want, plan.Entries); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"line=90", "functional=100"}, plan.Cover); diff != "" || !plan.Count {
		t.Errorf("cover: %s, %v", diff, plan.Count)
	}
}

// Mistakes are told with their place and what to do.
func TestPlanErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       "p:1:1: the plan runs nothing (a line such as: test ./... seeds=1..100)",
		"tests ./a":                              `p:1:1: "tests" is no statement (there are test, command, vectors, perft, seeds and cover)`,
		"\n  ./a":                                "p:2:3: this line continues nothing (a statement begins in column 1)",
		"test":                                   "p:1:1: test of what? (name packages: test ./...)",
		"test ./a seeds=9..1":                    `p:1:10: seeds="9..1" is not understood (the first is above the last: use 1..9)`,
		"test ./a seeds=1..900000000":            `p:1:10: seeds="1..900000000" is not understood (use at most 100000000 seeds)`,
		"test ./a\n seeds=x":                     `p:2:2: seeds="x" is not understood (use A..B, one seed, today, or today+N for N seeds)`,
		"test ./a seeds=0..18446744073709551615": `p:1:10: seeds="0..18446744073709551615" is not understood (use at most 100000000 seeds)`,
		"test ./a sedes=1":                       `p:1:10: "sedes" is no option (there are seeds, repeat, weight, limit, name and compile)`,
		"test ./a limit=-1s":                     `p:1:10: limit="-1s" is not understood (use a duration such as 30s or 2h)`,
		"test ./a weight=Inf":                    `p:1:10: weight="Inf" is not understood (use a number above 0)`,
		"test ./a repeat=0":                      `p:1:10: repeat="0" is not understood (use a number from 1 to 1000000)`,
		"test ./a -sim.seed=3":                   "p:1:10: -sim.seed is the plan's own (use seeds=A..B)",
		"test ./a -count=3":                      "p:1:10: -count is not for a plan (use repeat=N)",
		"test ./a -run X":                        "p:1:10: -run without a value (write -run=REGEXP, without a space)",
		"test ./a 'x":                            "p:1:10: the ' has no end in this line (add one)",
		"test ./a\ntest ./a":                     "p:2:1: line 1 runs the same, or has the same name: ./a (give one of them another name=, or more seeds to one)",
		"test ./a seeds=1\nseeds 5":              "p:1:1: seeds are to be shared, but each test has its own (take the statement seeds out, or seeds= of a test)",
		"test ./a\nseeds many":                   `p:2:7: "many" is no number of seeds (use 1 to 100000000)`,
		"test ./a\ncover line":                   `p:2:7: "line" is not KIND=PERCENT (for example line=90 functional=100)`,
		"vectors limit=2s":                       "p:1:1: vectors of what? (the words of a command line follow)",
	} {
		_, err := regress.ParsePlan("p", text, today)
		p, ok := errors.AsType[*regress.PlanError](err)
		if !ok {
			t.Errorf("%q: %v", text, err)
		} else if got := p.Error() + " (" + p.Hint + ")"; got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
}

// No text makes ParsePlan panic.
func FuzzPlan(f *testing.F) {
	f.Add("test ./a seeds=1..2 'x y' -run=Z\n more=1 # c\ncover line=9\nseeds 4")
	f.Fuzz(func(t *testing.T, text string) {
		plan, err := regress.ParsePlan("p", text, today)
		if (plan == nil) == (err == nil) {
			t.Errorf("%v and %v", plan, err)
		}
	})
}
