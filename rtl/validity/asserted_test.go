package validity_test

import (
	"testing"
	"time"

	"github.com/cosimate/cosimate/bridge/lanes"
	"github.com/cosimate/cosimate/rtl/validity"
	"github.com/cosimate/cosimate/sim"
)

// What is asserted of a question and its answer holds in all states that there can be. No simulator
// reads it.
func TestAsserted(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: go test without -short runs it, as make nightly does")
	}
	m, err := lanes.Build(t.Context(), validity.Design, lanes.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if m.Assertions() < 20 {
		t.Errorf("%d assertions", m.Assertions())
	}
	const limit = time.Minute // of the processor
	unproved, err := m.Unproved(t.Context(), lanes.MiterOptions{Reset: sim.ResetRows(validity.Design)}, limit)
	if err != nil {
		t.Fatal(err)
	}
	for _, where := range unproved {
		t.Errorf("%s: not proved", where)
	}
}
