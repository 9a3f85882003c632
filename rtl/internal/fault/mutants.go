package fault

import (
	"errors"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/sim"
)

// Mutants are faults that a testbench must find: in File, Old is replaced by New. The report must
// contain Message, which leads to what is broken.
type Mutants = []struct{ Rule, File, Old, New, Message string }

// FindAll plants one mutant after the other, each in a subtest of its rule's name. run must return
// a [sim.Difference] for each, and none without them.
func FindAll(t *testing.T, design sim.Design, mutants Mutants, run func(t *testing.T, d sim.Design) error) {
	t.Run("without fault", func(t *testing.T) {
		t.Parallel()
		if err := run(t, design); err != nil {
			t.Fatal(err)
		}
	})
	for _, m := range mutants {
		t.Run(m.Rule, func(t *testing.T) {
			t.Parallel()
			err := run(t, Plant(t, design, m.File, m.Old, m.New))
			var diff *sim.Difference
			if !errors.As(err, &diff) {
				t.Fatalf("the mutant survives: %v", err)
			}
			if report := diff.Error(); !strings.Contains(report, m.Message) {
				t.Errorf("the report does not say %q:\n%s", m.Message, report)
			}
		})
	}
}
