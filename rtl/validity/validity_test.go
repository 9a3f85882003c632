package validity_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cosimate/cosimate/sim"
)

// act plays scenes on the board's model, where what comes of them must be what they say, and on the RTL,
// which must do the same in every cycle. Under Icarus only every so many-th.
func act(t *testing.T, all []scene, every int) {
	t.Helper()
	tables := make([]*table, len(all))
	var faults []error
	cycles := 0
	for i := range all {
		var err error
		if tables[i], err = all[i].play(times); err != nil {
			faults = append(faults, err)
		}
		cycles += len(tables[i].in)
	}
	if len(faults) > 0 {
		t.Fatal(errors.Join(faults...))
	}
	t.Logf("%d scenes, %d cycles", len(all), cycles)
	sim.ForEach(t, scaled, func(t *testing.T, d *dut) {
		for i, s := range all {
			if d.Simulator() == sim.Verilator || i%every == int(sim.Seed())%every {
				play(t, d, tables[i], fmt.Sprintf("%s:%d: %s", s.file, s.line, s.name))
			}
		}
	})
}

// All rules of handling.
func TestHandling(t *testing.T) { act(t, scenes(t, "handling.txt"), 8) }

// Every reason for a refusal, in every way it can come about.
func TestReasons(t *testing.T) { act(t, scenes(t, "reasons.txt"), 8) }

// Moves of a remote side.
func TestRemote(t *testing.T) { act(t, scenes(t, "remote.txt"), 8) }

// Every end of a game.
func TestEnds(t *testing.T) { act(t, scenes(t, "ends.txt"), 8) }
