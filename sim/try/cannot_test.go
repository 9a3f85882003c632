package try

import (
	"strings"
	"testing"
	"time"

	"github.com/cosimate/cosimate/bridge/lanes"
)

// A design that lanes cannot do is searched in the simulators alone, and the report says why.
func TestLanesCannot(t *testing.T) {
	e := &explorer{trial: &trial{ctx: t.Context(), report: &Report{}}}
	why := &lanes.UnsupportedError{Top: "m", Where: "m.sv:3", Construct: "latch y_o", Reason: "it has no clock"}
	if going, err := e.begin(madeLanes{err: why}, time.Now()); !going || err != nil || e.lanes != nil {
		t.Fatal(going, err)
	}
	if text := e.report.Text(); !strings.Contains(text, "in the simulators alone") || !strings.Contains(text, "m.sv:3: latch y_o") || !e.report.OK() {
		t.Error(text)
	}
}
