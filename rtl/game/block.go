package game

import (
	"fmt"
	"math/rand/v2"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/internal/block"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

// Block describes the RTL to package vectors.
var Block = vectors.Block[In, Out]{
	Design: Design, About: "the state of a game: make, unmake, null moves",
	Params: []vectors.Param{{Name: "Plies", Default: Plies, Min: 1, Max: 255, About: "moves that can be taken back"}},
	Model:  func(p vectors.Params) sim.Model[In, Out] { return NewModel(p["Plies"]) },
	Names: []vectors.PortNames{
		block.Squares.At(append(block.Bitboards("load_", "own", "_i"), block.Bitboards("pos_", "own", "_o")...)...),
		block.Files.At("load_ep_i", "pos_ep_o"), block.OwnRights.At("load_castling_i", "pos_castling_o"),
		block.Side.At("load_black_i", "pos_black_o"), block.Square.At("move_from_i", "move_to_i"), block.Piece.At("move_promotion_i"),
		vectors.Names{List: []string{"load", "make", "null", "unmake"}}.At("cmd_i"),
	},
	Kinds: []vectors.Kind{
		block.ArgFEN, block.ArgMove, vectors.OneOf("ERROR", "why a command is refused", vectors.NamesOf[Error]().List...),
	},
	Statements: statements,
	Complete:   complete,
	Random:     random,
}

// statements returns the statements for the commands and what they do.
func statements(s *vectors.Session[In, Out]) []vectors.Statement {
	side := func() engine.Color {
		if s.Out.Black {
			return engine.Black
		}
		return engine.White
	}
	// command gives a command for a cycle, and leaves one to see what came of it.
	command := func(in In) error {
		s.In = in
		if _, err := s.Step(); err != nil {
			return err
		}
		s.In = In{}
		_, err := s.Step()
		return err
	}
	return []vectors.Statement{
		{Use: "position FEN", About: "load a position", Do: func(a []any) error {
			p := a[0].(engine.Position)
			return command(Load(&p))
		}},
		{Use: "make MOVE", About: "make a move, which may be refused: see error_o", Do: func(a []any) error {
			return command(Make(a[0].(engine.Move), side()))
		}},
		{Use: "null", About: "pass the turn", Do: func([]any) error { return command(Null()) }},
		{Use: "unmake", About: "take back the last move", Do: func([]any) error { return command(Unmake()) }},
		{Use: "board FEN", About: "one cycle, in which the position is this one", Do: func(a []any) error {
			out, err := s.Step()
			if err != nil {
				return err
			}
			p := a[0].(engine.Position)
			return block.SamePosition(&p, out.FEN())
		}},
		{Use: "refused ERROR", About: "the last command was refused for this reason", Do: func(a []any) error {
			if want := Error(a[0].(int)); s.Out.Error != want {
				return block.WrongArg(0, "error_o says: %v", s.Out.Error)
			}
			return nil
		}},
	}
}

// complete takes the position from the load ports.
func complete(in In) (In, error) {
	if !in.CmdValid || in.Cmd != CmdLoad {
		return in, nil
	}
	p, err := Out{
		Own: in.LoadOwn, Pawns: in.LoadPawns, Knights: in.LoadKnights, Bishops: in.LoadBishops, Rooks: in.LoadRooks, Queens: in.LoadQueens,
		Kings: in.LoadKings, Castling: in.LoadCastling, Ep: in.LoadEp, Black: in.LoadBlack, Halfmove: in.LoadHalfmove, Fullmove: in.LoadFullmove,
	}.Position()
	if err != nil {
		return in, err
	}
	load := Load(&p)
	load.Rst, load.From, load.To, load.Promotion = in.Rst, in.From, in.To, in.Promotion
	return load, nil
}

// Position reads the position off the ports. It is an error if they hold none.
func (o Out) Position() (engine.Position, error) {
	o.Fullmove = max(1, o.Fullmove)
	p, err := o.Setup().Position()
	if err != nil {
		return p, fmt.Errorf("the ports hold no position: %w", err)
	}
	return p, nil
}

// random is a position to be loaded, or a move to be taken back. Which moves are legal depends on
// the state, which is not known here.
func random(r *rand.Rand, _ In) In {
	p := block.RandomPosition(r)
	switch r.IntN(3) {
	case 0:
		return Load(&p)
	case 1:
		return Unmake()
	}
	return In{}
}
