package perftengine_test

import (
	"testing"
	"time"

	"github.com/cosimate/cosimate/bridge/lanes"
	"github.com/cosimate/cosimate/rtl/perftengine"
	"github.com/cosimate/cosimate/sim"
)

// What is asserted of the lister holds in all states that there can be. No simulator reads it.
func TestAsserted(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: go test without -short runs it, as make nightly does")
	}
	m, err := lanes.Build(t.Context(), perftengine.Design, lanes.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if m.Assertions() < 10 {
		t.Errorf("%d assertions", m.Assertions())
	}
	const limit = time.Minute // of the processor
	unproved, err := m.Unproved(t.Context(), lanes.MiterOptions{Reset: sim.ResetRows(perftengine.Design)}, limit)
	if err != nil {
		t.Fatal(err)
	}
	for _, where := range unproved {
		t.Errorf("%s: not proved", where)
	}
}
