package movegen

import (
	"errors"
	"math/rand/v2"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/internal/block"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

// Block describes the RTL to package vectors.
var Block = vectors.Block[In, Out]{
	Design: Design, About: "all legal moves: their number, and a list in order",
	Model: func(vectors.Params) sim.Model[In, Out] { return NewModel() },
	Names: []vectors.PortNames{
		block.Squares.At(block.Bitboards("pos_", "own", "_i")...), block.Files.At("pos_ep_i"), block.Castling.At("pos_castling_i", "move_castling_o"),
		block.Square.At("move_from_o", "move_to_o"), block.Piece.At("move_piece_o", "move_captured_o", "move_promotion_o"),
	},
	Kinds: []vectors.Kind{
		block.ArgFEN, block.ArgMove, block.ArgN, block.ArgDepth,
		vectors.OneOf("ORDER", "an order of a list", "plain", "captures-first", "mvv/lva", "mvv/mva"),
		vectors.OneOf("FILTER", "which moves a list has", "all-moves", "captures-and-promotions", "checks"),
	},
	Statements: statements,
	Complete:   func(in In) (In, error) { return in.Ports(), nil },
	Random: func(r *rand.Rand, _ In) In {
		p := block.RandomPosition(r)
		in := Encode(&p)
		in.PosValid, in.PosList, in.MoveReady = r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(4) != 0
		in.PosOrder = Orders[r.IntN(len(Orders))]
		return in.Ports()
	},
}

// statements returns the statements about a position's moves.
func statements(s *vectors.Session[In, Out]) []vectors.Statement {
	var p *engine.Position
	var order Order
	var filter Filter
	// offer hands the position over.
	offer := func(list bool) error {
		if p == nil {
			return block.ErrNoPosition
		}
		in := Encode(p)
		in.PosValid, in.PosList, in.PosOrder, in.PosFilter, in.MoveReady = true, list, order, filter, true
		s.In = in
		err := s.Until("pos_ready_o stays 0", func(out Out) bool { return out.PosReady })
		s.In = In{MoveReady: true}
		return err
	}
	count := func() (int, error) {
		if err := offer(false); err != nil {
			return 0, err
		}
		err := s.Until("no count comes", func(out Out) bool { return out.CountValid })
		return int(s.Out.Count), err
	}
	moves := func() (got []engine.Move, err error) {
		if err := offer(true); err != nil {
			return nil, err
		}
		err = s.Until("the list does not end", func(out Out) bool {
			if out.MoveValid && !out.MoveNone {
				got = append(got, Decode(out, p.SideToMove()))
			}
			return out.MoveValid && (out.MoveLast || out.MoveNone)
		})
		return got, err
	}
	return []vectors.Statement{
		{Use: "position FEN", About: "the position of the statements that follow", Do: func(a []any) error {
			q := a[0].(engine.Position)
			p, order, filter = &q, Plain, All
			return nil
		}},
		{Use: "order ORDER", About: "of the lists that follow", Do: func(a []any) error { order = Order(a[0].(int)); return nil }},
		{Use: "filter FILTER", About: "of the lists that follow", Do: func(a []any) error { filter = Filter(a[0].(int)); return nil }},
		{Use: "count N", About: "the number of legal moves", Do: func(a []any) error {
			n, err := count()
			if err == nil && n != a[0].(int) {
				err = block.WrongArg(0, "%d moves are counted", n)
			}
			return err
		}},
		{Use: "check", About: "the side to move is in check, as the count says", Do: func([]any) error {
			_, err := count()
			if err == nil && !s.Out.CountCheck {
				err = errors.New("the side to move is not in check")
			}
			return err
		}},
		{Use: "moves [MOVE...]", About: "the list has just these moves; without any: none", Do: func(a []any) error {
			got, err := moves()
			if err != nil {
				return err
			}
			return block.SameMoves(got, a, false)
		}},
		{Use: "in-order [MOVE...]", About: "the list begins with these moves", Do: func(a []any) error {
			got, err := moves()
			if err != nil {
				return err
			}
			return block.SameMoves(got[:min(len(a), len(got))], a, true)
		}},
		{Use: "perft DEPTH N FEN", About: "the number of sequences of moves", Do: func(a []any) error {
			q := a[2].(engine.Position)
			n, err := walk(s, &q, a[0].(int))
			if err == nil && n != a[1].(int) {
				err = block.WrongArg(1, "%d sequences are counted", n)
			}
			return err
		}},
	}
}

// walk gives all positions before the last ply to the RTL, one a clock, and sums the counts.
func walk(s *vectors.Session[In, Out], p *engine.Position, depth int) (sum int, err error) {
	offered, counted := 0, 0
	take := func() {
		if s.Out.CountValid {
			counted++
			sum += int(s.Out.Count)
		}
	}
	var visit func(p *engine.Position, depth int) error
	visit = func(p *engine.Position, depth int) error {
		if depth > 1 {
			for _, m := range p.AppendMoves(nil) {
				next := p.Make(m)
				if err := visit(&next, depth-1); err != nil {
					return err
				}
			}
			return nil
		}
		s.In = Encode(p)
		s.In.PosValid, s.In.MoveReady = true, true
		offered++
		err := s.Until("pos_ready_o stays 0", func(out Out) bool { take(); return out.PosReady })
		s.In = In{MoveReady: true}
		return err
	}
	if err := visit(p, depth); err != nil {
		return 0, err
	}
	for counted < offered {
		if _, err := s.Step(); err != nil {
			return 0, err
		}
		take()
	}
	return sum, nil
}
