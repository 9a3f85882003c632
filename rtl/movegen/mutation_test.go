package movegen_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/internal/fault"
	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/sim"
)

// mutant is the RTL with one fault: a text that stands in one of its files exactly once is
// replaced.
type mutant struct {
	rule     string // what it breaks
	file     string
	old, new string
	fen      string // a position that shows it; empty: any will do, see handshakes
	order    movegen.Order
	filter   movegen.Filter
	message  string // what the report of the difference must say: a move, or a port
}

// design is the mutant's RTL. The files on disk stay as they are.
func (m mutant) design(t testing.TB) sim.Design {
	t.Helper()
	return fault.Plant(t, movegen.Design, m.file, m.old, m.new)
}

// requests are the positions that are to show the mutant, each listed.
func (m mutant) requests(t testing.TB) []request {
	t.Helper()
	fens := handshakes
	if m.fen != "" {
		fens = []string{m.fen}
	}
	var requests []request
	for _, fen := range fens {
		p, err := engine.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		requests = append(requests, request{p, true, m.order, m.filter})
	}
	return requests
}

// compare gives the positions to the design: back to back; after a reset in the middle of the last
// list, one by one with time between them, to receivers that are more and more busy; then with all
// at random, resets too.
func compare(t testing.TB, d *dut, requests []request) error {
	t.Helper()
	in := collect(bench{r: seeded(300), afterward: movegen.MoveLatency + 1}, requests)
	in = append(in, movegen.In{Rst: true})
	for i, busy := range []float64{0, 0.3, 0.5, 0.7} {
		in = append(in, collect(bench{r: seeded(301 + uint64(i)), gap: 0.96, busy: busy, afterward: 60}, requests)...)
	}
	in = append(in, movegen.In{Rst: true})
	in = append(in, collect(bench{r: seeded(310), gap: 0.1, busy: 0.4, resets: 0.02, afterward: 60}, requests)...)
	return sim.Compare(d, movegen.NewModel(), slices.Values(in))
}

func collect(b bench, requests []request) (in []movegen.In) {
	for i := range b.stimulus(requests) {
		in = append(in, i)
	}
	return in
}

// Each mutant is found, and the report of the difference names the position and the move, or the
// cycle and the port.
func TestMutants(t *testing.T) {
	for _, m := range mutants {
		t.Run(m.rule, func(t *testing.T) {
			t.Parallel()
			d := sim.OpenTest[movegen.In, movegen.Out](t, m.design(t), sim.Icarus)
			err := compare(t, d, m.requests(t))
			var diff *sim.Difference
			if !errors.As(err, &diff) {
				t.Fatalf("the mutant survives: %v", err)
			}
			if report := diff.Error(); !strings.Contains(report, m.message) {
				t.Errorf("the report does not say %q:\n%s", m.message, report)
			}
		})
	}
}

// The RTL as it is passes where its mutants fail.
func TestMutantsWithoutFault(t *testing.T) {
	d := sim.OpenTest[movegen.In, movegen.Out](t, movegen.Design, sim.Icarus)
	seen := map[string]bool{}
	for _, m := range mutants {
		if seen[m.fen] {
			continue
		}
		seen[m.fen] = true
		if err := compare(t, d, m.requests(t)); err != nil {
			t.Errorf("%s: %v", m.rule, err)
		}
	}
}
