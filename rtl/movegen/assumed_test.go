package movegen_test

import (
	"strings"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/sim"
)

// What is no position fails a test that gives it to the RTL, which would answer something. What the
// ports hold while no position is offered does not matter.
func TestAssumed(t *testing.T) {
	p, err := engine.ParseFEN("4k3/8/8/3pP3/8/8/7P/4K2R w K d6 0 1")
	if err != nil {
		t.Fatal(err)
	}
	sound := movegen.Encode(&p)
	for name, change := range map[string]func(in *movegen.In){
		"two pieces on e5":          func(in *movegen.In) { in.PosQueens |= 1 << 36 },
		"an own piece on e3, empty": func(in *movegen.In) { in.PosOwn |= 1 << 20 },
		"a pawn on a8":              func(in *movegen.In) { in.PosPawns |= 1 << 56 },
		"two own kings":             func(in *movegen.In) { in.PosKings |= 1 << 5; in.PosOwn |= 1 << 5 },
		"two kings of the other":    func(in *movegen.In) { in.PosKings |= 1 << 61 },
		"no rook on a1":             func(in *movegen.In) { in.PosCastling |= 2 },
		"no king on e1":             func(in *movegen.In) { in.PosKings ^= 1<<4 | 1<<3; in.PosOwn ^= 1<<4 | 1<<3 },
		"no pawn on e5 to take":     func(in *movegen.In) { in.PosEp = 1 << 4 },
		"no pawn on c5":             func(in *movegen.In) { in.PosEp = 1 << 2 },
		"two pawns to take":         func(in *movegen.In) { in.PosPawns |= 1 << 32; in.PosEp |= 1 },
		"a piece behind the pawn":   func(in *movegen.In) { in.PosKnights |= 1 << 43 },
	} {
		t.Run(name, func(t *testing.T) {
			sim.ForEach(t, movegen.Design, func(t *testing.T, dut *sim.DUT[movegen.In, movegen.Out]) {
				none := sound
				change(&none)
				offered := func(in movegen.In, valid bool) movegen.In {
					in.PosValid = valid
					return in
				}
				out := make([]movegen.Out, 1)
				for _, in := range []movegen.In{{Rst: true}, offered(sound, true), offered(none, false), offered(sound, true)} {
					if err := dut.Run([]movegen.In{in.Ports()}, out); err != nil {
						t.Fatalf("a position: %v", err)
					}
				}
				err := dut.Run([]movegen.In{offered(none, true).Ports()}, out)
				if err == nil || !strings.Contains(err.Error(), "rtl/movegen/assumed/movegen_assumed.sv:") {
					t.Errorf("the error is %v", err)
				}
			})
		})
	}
}
