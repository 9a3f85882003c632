package validity

import (
	"fmt"
	"math/rand/v2"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/internal/block"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

// Block describes the RTL to package vectors.
var Block = vectors.Block[In, Out]{
	Design: Design, About: "what is played by hand on the sensing board, and whether it is legal",
	Params: []vectors.Param{
		{Name: "StableScans", Default: DefaultTimes.StableScans, Min: 1, Max: 255, About: "scans for which a reading must stay to be decided on"},
		{Name: "CastlingScans", Default: DefaultTimes.CastlingScans, Min: 1, Max: 255, About: "scans, if it may be half of castling; no fewer"},
		{Name: "QuestionCycles", Default: DefaultTimes.QuestionCycles, Min: 240, Max: 4096, About: "clocks for a question to the move generator"},
	},
	Model: func(p vectors.Params) sim.Model[In, Out] { return NewModel(timesOf(p)) },
	Names: []vectors.PortNames{
		block.Squares.At(append(block.Bitboards("load_", "white", "_i"), block.Bitboards("pos_", "white", "_o")...)...),
		block.Squares.At("occupied_i", "restore_o"),
		block.Files.At("load_ep_i", "pos_ep_o"), block.Rights.At("load_castling_i", "pos_castling_o"), block.Castling.At("move_castling_o"),
		block.Square.At("remote_from_i", "remote_to_i", "show_from_o", "show_to_o", "move_from_o", "move_to_o", "king_o"),
		block.Piece.At("remote_promotion_i", "promotion_i", "move_piece_o", "move_captured_o", "move_promotion_o"),
		block.Side.At("load_black_i", "pos_black_o", "move_black_o"),
		block.Sides.At("remote_i", "flag_i", "resign_i", "draw_i", "claim_i", "offer_o"),
	},
	Kinds:      []vectors.Kind{block.ArgFEN, block.ArgSquare, block.ArgMove, block.ArgPiece, block.ArgSide, block.ArgN, block.ArgReason},
	Statements: statements,
	Complete:   complete,
	Random:     random,
}

// timesOf returns the times of a vector.
func timesOf(p vectors.Params) Times {
	return Times{StableScans: p["StableScans"], CastlingScans: p["CastlingScans"], QuestionCycles: p["QuestionCycles"]}
}

// statements returns the statements about what a player does at the board and what comes of it.
func statements(s *vectors.Session[In, Out]) []vectors.Statement {
	t := timesOf(s.Params)
	var occupied uint64
	// what came of the last statement that did something
	var moved *engine.Move
	var answer *rules.Reason
	refused := false
	s.Watch(func(_ In, out Out) {
		if out.MoveValid {
			m := out.Move()
			moved = &m
		}
		if out.RemoteDone {
			r := out.RemoteReason
			answer = &r
		}
		refused = refused || out.ClaimRefused
	})
	// idle waits until nothing is under way.
	idle := func() error {
		for cycles := 0; cycles < 4; cycles++ {
			out, err := s.Step()
			if err != nil {
				return err
			}
			if out.Busy || !out.RemoteReady {
				cycles = 0
			}
		}
		return nil
	}
	scans := func(n int) error {
		for range n {
			if err := s.Until("busy_o stays 1", func(out Out) bool { return !out.Busy }); err != nil {
				return err
			}
			s.In.ScanValid, s.In.Occupied = true, occupied
			_, err := s.Step()
			s.In.ScanValid = false
			if err != nil {
				return err
			}
		}
		return idle()
	}
	// forget begins a statement that does something.
	forget := func() { moved, answer, refused = nil, nil, false }
	// A change counts when two scans have it, and is decided on when it has stayed.
	stable := 2 + t.StableScans
	// touch lifts or places pieces.
	touch := func(fill bool) func(a []any) error {
		return func(a []any) error {
			forget()
			for i, x := range a {
				bit := uint64(1) << x.(engine.Square)
				if occupied&bit != 0 == fill {
					return block.WrongArg(i, "%v is %s already", x, map[bool]string{true: "occupied", false: "empty"}[fill])
				}
				occupied ^= bit
			}
			return scans(stable)
		}
	}
	// pulse sets inputs for one cycle.
	pulse := func(set, clear func(in *In)) error {
		forget()
		set(&s.In)
		_, err := s.Step()
		clear(&s.In)
		if err != nil {
			return err
		}
		return idle()
	}
	remote := func(replay bool) func(a []any) error {
		return func(a []any) error {
			held := s.In
			return pulse(func(in *In) {
				r := Remote(a[0].(engine.Move), replay)
				in.RemoteValid, in.RemoteFrom, in.RemoteTo, in.RemotePromotion, in.RemoteReplay = true, r.RemoteFrom, r.RemoteTo, r.RemotePromotion, replay
			}, func(in *In) { *in = held })
		}
	}
	// ofSide is a statement that sets a side's bit of an input for one cycle.
	ofSide := func(use, about string, port func(in *In) *uint8) vectors.Statement {
		return vectors.Statement{Use: use, About: about, Do: func(a []any) error {
			return pulse(func(in *In) { *port(in) = 1 << a[0].(int) }, func(in *In) { *port(in) = 0 })
		}}
	}
	return []vectors.Statement{
		{Use: "position FEN", About: "load a position, and put the pieces so", Do: func(a []any) error {
			p := a[0].(engine.Position)
			held := s.In
			load := Load(&p)
			load.Remote, load.Promotion = held.Remote, held.Promotion
			s.In = load
			err := s.Until("load_ready_o stays 0", func(out Out) bool { return out.LoadReady })
			s.In = held
			if err != nil {
				return err
			}
			if err := idle(); err != nil {
				return err
			}
			occupied = p.Pieces(engine.White) | p.Pieces(engine.Black)
			err = scans(stable)
			forget()
			return err
		}},
		{Use: "lift SQUARE...", About: "take pieces off the board, and leave it so until it is decided on", Do: touch(false)},
		{Use: "place SQUARE...", About: "put pieces onto the board, and leave it so until it is decided on", Do: touch(true)},
		{Use: "scans N", About: "leave the board as it is for so many scans", Do: func(a []any) error { return scans(a[0].(int)) }},
		{Use: "settle", About: "leave the board as it is until what may be half of castling is decided on", Do: func([]any) error { return scans(2 + t.CastlingScans) }},
		{Use: "promote PIECE", About: "choose what the pawn becomes", Do: func(a []any) error {
			return pulse(func(in *In) { in.Promotion = uint8(a[0].(engine.Piece)) }, func(in *In) { in.Promotion = 0 })
		}},
		{Use: "remote MOVE", About: "a move of a remote side, to be carried out", Do: remote(false)},
		{Use: "replay MOVE", About: "a move that is made at once, with the pieces on the board left to be put so", Do: remote(true)},
		ofSide("resign SIDE", "a side resigns", func(in *In) *uint8 { return &in.Resign }),
		ofSide("draw SIDE", "a side offers a draw, or agrees", func(in *In) *uint8 { return &in.Draw }),
		ofSide("claim SIDE", "a side claims a draw", func(in *In) *uint8 { return &in.Claim }),
		ofSide("flag SIDE", "a side's time is over", func(in *In) *uint8 { return &in.Flag }),
		{Use: "moved MOVE", About: "the last statement brought about this move", Do: func(a []any) error {
			want := a[0].(engine.Move)
			if moved == nil {
				return block.WrongArg(0, "no move was made; the board is %v, reason: %v", s.Out.State, s.Out.Reason)
			}
			if moved.From != want.From || moved.To != want.To || moved.Promotion != want.Promotion {
				return block.WrongArg(0, "%v was made", moved)
			}
			return nil
		}},
		{Use: "unmoved", About: "the last statement brought about no move", Do: func([]any) error {
			if moved != nil {
				return fmt.Errorf("%v was made", moved)
			}
			return nil
		}},
		{Use: "illegal REASON", About: "the board is in the state illegal, for this reason", Do: func(a []any) error {
			want := rules.Reason(a[0].(int))
			if s.Out.State != Illegal || s.Out.Reason != want {
				return block.WrongArg(0, "the board is %v, reason: %v", s.Out.State, s.Out.Reason)
			}
			return nil
		}},
		{Use: "accepted", About: "the remote move was accepted", Do: func([]any) error {
			if answer == nil || *answer != rules.NoReason {
				return fmt.Errorf("it was not: %v", answer)
			}
			return nil
		}},
		{Use: "refused REASON", About: "the remote move was refused for this reason", Do: func(a []any) error {
			switch want := rules.Reason(a[0].(int)); {
			case answer == nil:
				return fmt.Errorf("there was no answer")
			case *answer != want:
				return block.WrongArg(0, "the answer was: %v", *answer)
			}
			return nil
		}},
		{Use: "claim-refused", About: "the last claim was refused", Do: func([]any) error {
			if !refused {
				return fmt.Errorf("it was not")
			}
			return nil
		}},
		{Use: "board FEN", About: "the position is this one", Do: func(a []any) error {
			p := a[0].(engine.Position)
			return block.SamePosition(&p, s.Out.FEN())
		}},
	}
}

// complete takes the position from the load ports.
func complete(in In) (In, error) {
	if !in.LoadValid {
		return in, nil
	}
	o := Out{
		White: in.LoadWhite, Pawns: in.LoadPawns, Knights: in.LoadKnights, Bishops: in.LoadBishops, Rooks: in.LoadRooks, Queens: in.LoadQueens,
		Kings: in.LoadKings, Castling: in.LoadCastling, Ep: in.LoadEp, Black: in.LoadBlack, Halfmove: in.LoadHalfmove, Fullmove: max(1, in.LoadFullmove),
	}
	p, err := o.Setup().Position()
	if err != nil {
		return in, fmt.Errorf("the ports hold no position: %w", err)
	}
	load := Load(&p)
	load.Rst, load.ScanValid, load.Occupied, load.Remote = in.Rst, in.ScanValid, in.Occupied, in.Remote
	load.RemoteValid, load.RemoteFrom, load.RemoteTo, load.RemotePromotion, load.RemoteReplay = in.RemoteValid, in.RemoteFrom, in.RemoteTo, in.RemotePromotion, in.RemoteReplay
	load.Promotion, load.Flag, load.Resign, load.Draw, load.Claim = in.Promotion, in.Flag, in.Resign, in.Draw, in.Claim
	return load, nil
}

// random is a board on which now and then a piece is lifted or placed.
func random(r *rand.Rand, before In) In {
	in := before
	in.ScanValid = r.IntN(4) == 0
	if in.Occupied == 0 {
		in.Occupied = 0xffff00000000ffff
	}
	if r.IntN(20) == 0 {
		in.Occupied ^= 1 << r.IntN(64)
	}
	in.RemoteValid, in.RemoteFrom, in.RemoteTo = r.IntN(50) == 0, uint8(r.IntN(64)), uint8(r.IntN(64))
	return in
}
