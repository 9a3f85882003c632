package burst

import (
	"math/rand/v2"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/internal/block"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

// Block describes the RTL to package vectors.
var Block = vectors.Block[In, Out]{
	Design: Design, About: "all legal moves at once, over 26 lanes",
	Model: func(vectors.Params) sim.Model[In, Out] { return NewModel() },
	Names: []vectors.PortNames{
		block.Squares.At(block.Bitboards("pos_", "own", "_i")...), block.Files.At("pos_ep_i"), block.Castling.At("pos_castling_i"),
	},
	Kinds:      []vectors.Kind{block.ArgFEN, block.ArgMove, block.ArgN},
	Statements: statements,
	Complete:   func(in In) (In, error) { return in.Ports(), nil },
	Random: func(r *rand.Rand, _ In) In {
		p := block.RandomPosition(r)
		in := Encode(&p)
		in.PosValid, in.BeatReady = r.IntN(2) == 0, r.IntN(4) != 0
		return in.Ports()
	},
}

// statements returns the statements about a position's moves.
func statements(s *vectors.Session[In, Out]) []vectors.Statement {
	var p *engine.Position
	beats := 0
	moves := func() (got []engine.Move, err error) {
		if p == nil {
			return nil, block.ErrNoPosition
		}
		s.In = Encode(p)
		s.In.PosValid, s.In.BeatReady = true, true
		if err := s.Until("pos_ready_o stays 0", func(out Out) bool { return out.PosReady }); err != nil {
			return nil, err
		}
		s.In = In{BeatReady: true}
		beats = 0
		err = s.Until("the list does not end", func(out Out) bool {
			if out.BeatValid {
				beats++
				for _, w := range out.Move {
					if m, ok := Decode(w, p.SideToMove()); ok {
						got = append(got, m)
					}
				}
			}
			return out.BeatValid && out.BeatLast
		})
		return got, err
	}
	return []vectors.Statement{
		{Use: "position FEN", About: "the position of the statements that follow", Do: func(a []any) error {
			q := a[0].(engine.Position)
			p = &q
			return nil
		}},
		{Use: "moves [MOVE...]", About: "the list has just these moves; without any: none", Do: func(a []any) error {
			got, err := moves()
			if err != nil {
				return err
			}
			return block.SameMoves(got, a, false)
		}},
		{Use: "count N", About: "the list has so many moves", Do: func(a []any) error {
			got, err := moves()
			if err == nil && len(got) != a[0].(int) {
				err = block.WrongArg(0, "%d moves are listed", len(got))
			}
			return err
		}},
		{Use: "beats N", About: "the last list came in so many beats", Do: func(a []any) error {
			if beats != a[0].(int) {
				return block.WrongArg(0, "it came in %d", beats)
			}
			return nil
		}},
	}
}
