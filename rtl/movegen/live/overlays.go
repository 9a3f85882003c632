package live

import (
	"fmt"
	"math/bits"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/sim"
)

// overlay is a bitboard of a stage, from the RTL's signals.
type overlay struct {
	id, name string
	stage    int // whose signals they are: they have the position so many cycles after it was taken
	signals  []string
	own      bool // only squares with a piece of the side to move
}

const safety = "u_analysis.u_safety."

// overlays are those that the page offers.
var overlays = []overlay{
	{"attacked", "attacked by the opponent", 1, []string{safety + "attacked"}, false},
	{"checkers", "pieces that give check", 1, []string{safety + "checkers"}, false},
	{"pinned", "pinned pieces", 1, []string{safety + "line_ns", safety + "line_ew", safety + "line_nesw", safety + "line_nwse"}, true},
	{"mask", "squares that answer a check, or all that are free", 1, []string{safety + "targets_d"}, false},
	{"king", "squares that the king may enter", 2, []string{safety + "king_to_q"}, false},
	{"pushers", "pawns that may be pushed", 2, []string{safety + "pushers_q"}, false},
	{"arrivals", "arrivals of all but knights", 3,
		[]string{"to_n_s3", "to_s_s3", "to_e_s3", "to_w_s3", "to_ne_s3", "to_sw_s3", "to_nw_s3", "to_se_s3"}, false},
	{"n", "arrivals northward", 3, []string{"to_n_s3"}, false},
	{"s", "arrivals southward", 3, []string{"to_s_s3"}, false},
	{"e", "arrivals eastward", 3, []string{"to_e_s3"}, false},
	{"w", "arrivals westward", 3, []string{"to_w_s3"}, false},
	{"ne", "arrivals to the north-east", 3, []string{"to_ne_s3"}, false},
	{"sw", "arrivals to the south-west", 3, []string{"to_sw_s3"}, false},
	{"nw", "arrivals to the north-west", 3, []string{"to_nw_s3"}, false},
	{"se", "arrivals to the south-east", 3, []string{"to_se_s3"}, false},
	{"knights", "knights that may move", 3, []string{"knights_s3"}, false},
}

// internals are all signals of the overlays.
func internals() (names []string) {
	seen := map[string]bool{}
	for _, o := range overlays {
		for _, s := range o.signals {
			if !seen[s] {
				names = append(names, s)
			}
			seen[s] = true
		}
	}
	return names
}

// read reads the overlay from the RTL, as squares of the board.
func (o *overlay) read(dut *sim.DUT[movegen.In, movegen.Out], p *engine.Position) (uint64, error) {
	var board uint64
	for _, name := range o.signals {
		v, err := dut.Peek(name)
		if err != nil {
			return 0, err
		}
		if !v.Known() {
			return 0, fmt.Errorf("%s is %v", name, v)
		}
		board |= v.Uint64()
	}
	// The RTL has the board in the view of the side to move.
	if p.SideToMove() == engine.Black {
		board = bits.ReverseBytes64(board)
	}
	if o.own {
		board &= p.Pieces(p.SideToMove())
	}
	return board, nil
}
