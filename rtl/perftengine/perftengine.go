// Package perftengine is perft in hardware: a circuit that counts the sequences of
// legal moves of a chess position, in all and by first move, at about one clock for each
// position whose moves are counted. The package has what Go needs to drive it: the
// [Design], its ports [In] and [Out], [Model], a cycle-accurate reference for every
// output, and [Run], which plays a job to the RTL in a simulator and returns the
// counts. See README.md for ports and timing.
package perftengine

import (
	"embed"
	"errors"
	"fmt"
	"slices"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/game"
	"github.com/cosimate/cosimate/rtl/internal/sources"
	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/sim"
)

//go:embed *.sv files.list assumed/*.sv asserted/*.sv
var files embed.FS

// RTL is the RTL alone. Its clock and reset are clk_i and rst_i.
var RTL = sources.Design("perftengine", "perftengine/files.list", files, movegen.Design, game.Design)

// Design is the RTL with assumed/perftengine_assumed.sv bound to it: the position of a job must be
// one, or simulators report a failed assertion. In lanes, RTL is faster: nothing is looked at there
// that only proofs need.
var Design = bound(RTL)

// bound binds assumptions and assertions to the design, and the latter for provers alone. Blocks
// that perftengine is a part of have none of them.
func bound(d sim.Design) sim.Design {
	d.Files = append(slices.Clip(d.Files),
		"perftengine/assumed/perftengine_assumed.sv",
		"perftengine/asserted/perftengine_lister_asserted.sv")
	return d
}

// MaxDepth is the greatest depth of a job, in plies.
const MaxDepth = 15

// In holds the inputs of a cycle.
type In struct {
	Rst         bool   `port:"rst_i"`
	JobValid    bool   `port:"job_valid_i"`
	JobDepth    uint8  `port:"job_depth_i" bits:"4"`
	JobDivide   bool   `port:"job_divide_i"` // hand over the counts of the root moves
	JobOwn      uint64 `port:"job_own_i"`
	JobPawns    uint64 `port:"job_pawns_i"`
	JobKnights  uint64 `port:"job_knights_i"`
	JobBishops  uint64 `port:"job_bishops_i"`
	JobRooks    uint64 `port:"job_rooks_i"`
	JobQueens   uint64 `port:"job_queens_i"`
	JobKings    uint64 `port:"job_kings_i"`
	JobCastling uint8  `port:"job_castling_i" bits:"4"`
	JobEp       uint8  `port:"job_ep_i"`
	Abort       bool   `port:"abort_i"`
	DivReady    bool   `port:"div_ready_i"`

	// position is what Job was given: the model takes it from here, not from the ports, so that a
	// mistake in the encoding shows as a difference.
	position engine.Position `port:"-"`
}

// Out holds the outputs of a cycle. Squares are in the view of the job's side to move: see
// [Decode].
type Out struct {
	JobReady     bool   `port:"job_ready_o"`
	Busy         bool   `port:"busy_o"`
	Done         bool   `port:"done_o"`
	Count        uint64 `port:"count_o"` // so far
	DivValid     bool   `port:"div_valid_o"`
	DivFrom      uint8  `port:"div_from_o" bits:"6"`
	DivTo        uint8  `port:"div_to_o" bits:"6"`
	DivPromotion uint8  `port:"div_promotion_o" bits:"3"` // an engine.Piece
	DivCount     uint64 `port:"div_count_o"`
}

// Job is the inputs that offer a job: depth plies from p. They are to be held until job_ready_o is
// 1.
func Job(p *engine.Position, depth int, divide bool) In {
	g := game.Load(p)
	return In{
		JobValid: true, JobDepth: uint8(depth), JobDivide: divide,
		JobOwn: g.LoadOwn, JobPawns: g.LoadPawns, JobKnights: g.LoadKnights, JobBishops: g.LoadBishops,
		JobRooks: g.LoadRooks, JobQueens: g.LoadQueens, JobKings: g.LoadKings,
		JobCastling: g.LoadCastling, JobEp: g.LoadEp,
		position: *p,
	}
}

// Decode returns the root move that out holds and its count. Of the move origin, destination and
// promotion are set.
func Decode(out Out, side engine.Color) engine.RootCount {
	m := engine.Move{From: engine.Square(out.DivFrom), To: engine.Square(out.DivTo), Promotion: engine.Piece(out.DivPromotion)}
	if side == engine.Black {
		m.From, m.To = m.From^56, m.To^56
	}
	return engine.RootCount{Move: m, Nodes: out.DivCount}
}

// CheckJob says what is wrong with a job.
func CheckJob(p *engine.Position, depth int) error {
	if *p == (engine.Position{}) {
		return errors.New("perftengine: an empty board has no moves to count; get a position from engine.ParseFEN")
	}
	if depth < 0 || depth > MaxDepth {
		return fmt.Errorf("perftengine: depth %d: the engine counts from 0 to %d plies; the count of more can exceed its 64 bits", depth, MaxDepth)
	}
	return nil
}
