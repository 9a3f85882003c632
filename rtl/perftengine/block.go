package perftengine

import (
	"math/rand/v2"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/game"
	"github.com/cosimate/cosimate/rtl/internal/block"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

// Block describes the RTL to package vectors.
var Block = vectors.Block[In, Out]{
	Design: Design, About: "perft in hardware",
	Model: func(vectors.Params) sim.Model[In, Out] { return NewModel() },
	Names: []vectors.PortNames{
		block.Squares.At(block.Bitboards("job_", "own", "_i")...), block.Files.At("job_ep_i"), block.OwnRights.At("job_castling_i"),
		block.Square.At("div_from_o", "div_to_o"), block.Piece.At("div_promotion_o"),
	},
	Kinds:      []vectors.Kind{block.ArgFEN, block.ArgMove, block.ArgN, block.ArgDepth},
	Statements: statements,
	Complete:   complete,
	Random: func(r *rand.Rand, before In) In {
		p := block.RandomPosition(r)
		in := Job(&p, r.IntN(3), r.IntN(2) == 0)
		in.JobValid, in.DivReady, in.Abort = r.IntN(8) == 0, r.IntN(4) != 0, r.IntN(100) == 0
		return in
	},
}

// statements returns the statements about jobs and their counts.
func statements(s *vectors.Session[In, Out]) []vectors.Statement {
	var divide map[engine.Move]uint64
	var p engine.Position
	job := func(q *engine.Position, depth int, div bool) error {
		p = *q
		s.In = Job(&p, depth, div)
		s.In.DivReady = true
		if err := s.Until("job_ready_o stays 0", func(out Out) bool { return out.JobReady }); err != nil {
			return err
		}
		s.In = In{DivReady: true}
		return nil
	}
	done := func() error {
		divide = map[engine.Move]uint64{}
		return s.Until("the job is not done", func(out Out) bool {
			if out.DivValid {
				d := Decode(out, p.SideToMove())
				divide[d.Move] = d.Nodes
			}
			return out.Done
		})
	}
	counted := func(a any) error {
		if s.Out.Count != uint64(a.(int)) {
			return block.WrongArg(1, "%d sequences are counted", s.Out.Count)
		}
		return nil
	}
	run := func(div bool) func(a []any) error {
		return func(a []any) error {
			q := a[2].(engine.Position)
			if err := job(&q, a[0].(int), div); err != nil {
				return err
			}
			if err := done(); err != nil {
				return err
			}
			return counted(a[1])
		}
	}
	return []vectors.Statement{
		{Use: "perft DEPTH N FEN", About: "the number of sequences of moves", Do: run(false)},
		{Use: "divide DEPTH N FEN", About: "the same, also by first move: see root", Do: run(true)},
		{Use: "root MOVE N", About: "of the last divide: the count of a first move", Do: func(a []any) error {
			m := a[0].(engine.Move)
			n, ok := divide[m]
			if !ok {
				return block.WrongArg(0, "%v is not among the %d first moves", m, len(divide))
			}
			if n != uint64(a[1].(int)) {
				return block.WrongArg(1, "its count is %d", n)
			}
			return nil
		}},
		{Use: "begin DEPTH FEN", About: "hand over a job, and do not wait for its end", Do: func(a []any) error {
			q := a[1].(engine.Position)
			return job(&q, a[0].(int), false)
		}},
		{Use: "abort", About: "abort the job", Do: func([]any) error {
			s.In.Abort = true
			_, err := s.Step()
			s.In.Abort = false
			return err
		}},
		{Use: "idle", About: "wait until no job is under way", Do: func([]any) error {
			return s.Until("busy_o stays 1", func(out Out) bool { return !out.Busy })
		}},
	}
}

// complete takes the position from the job's ports.
func complete(in In) (In, error) {
	if !in.JobValid {
		return in, nil
	}
	p, err := game.Out{
		Own: in.JobOwn, Pawns: in.JobPawns, Knights: in.JobKnights, Bishops: in.JobBishops, Rooks: in.JobRooks, Queens: in.JobQueens,
		Kings: in.JobKings, Castling: in.JobCastling, Ep: in.JobEp,
	}.Position()
	if err != nil {
		return in, err
	}
	job := Job(&p, int(in.JobDepth), in.JobDivide)
	job.Rst, job.Abort, job.DivReady = in.Rst, in.Abort, in.DivReady
	return job, nil
}
