package block

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/engine"
)

// SamePosition returns an error unless the ports show the position of a statement's first argument.
// What they show is a FEN record.
func SamePosition(want *engine.Position, shown string) error {
	if want := want.FEN(); shown != want {
		return WrongArg(0, "the ports show another position\nexpected %s\nshown    %s", want, shown)
	}
	return nil
}

// SameMoves returns an error unless the listed moves are those of a statement's arguments, in this
// order if ordered. It compares origins, destinations and promotions.
func SameMoves(listed []engine.Move, args []any, ordered bool) error {
	var got, want []engine.Move
	for _, m := range listed {
		got = append(got, engine.Move{From: m.From, To: m.To, Promotion: m.Promotion})
	}
	for i, a := range args {
		m := a.(engine.Move)
		if slices.Contains(want, m) {
			return WrongArg(i, "%v comes twice", m)
		}
		want = append(want, m)
	}
	for i, m := range want {
		at := slices.Index(got, m)
		if at < 0 {
			return WrongArg(i, "%v is not listed\nlisted: %s", m, format(got))
		}
		if ordered && at != i {
			return WrongArg(i, "%v is not number %d but %d\nlisted: %s", m, i+1, at+1, format(got))
		}
	}
	surplus := slices.DeleteFunc(got, func(m engine.Move) bool { return slices.Contains(want, m) })
	if len(surplus) > 0 {
		return fmt.Errorf("more is listed: %s", format(surplus))
	}
	return nil
}

func format(moves []engine.Move) string {
	var list []string
	for _, m := range moves {
		list = append(list, m.String())
	}
	return strings.Join(list, " ")
}

// RandomPosition returns the position after up to 79 random moves of a game.
func RandomPosition(r *rand.Rand) engine.Position {
	p := engine.StartPosition()
	for range r.IntN(80) {
		moves := p.AppendMoves(nil)
		if len(moves) == 0 {
			break
		}
		p = p.Make(moves[r.IntN(len(moves))])
	}
	return p
}

// RandomBoard returns a position with pieces anywhere, such as games hardly lead to. About half of
// all have a pawn that has just made a double step, and many have rights to castle. Some boards
// have queens beside what these need, and so many moves.
func RandomBoard(r *rand.Rand) engine.Position {
	for {
		s := engine.Setup{SideToMove: engine.Color(r.IntN(2)), Fullmove: 1}
		var taken uint64
		put := func(k engine.Piece, c engine.Color, square int) {
			if rank := square / 8; taken>>square&1 == 0 && (k != engine.Pawn || rank > 0 && rank < 7) {
				s.Put(k, c, engine.Square(square))
				taken |= 1 << square
			}
		}
		for _, c := range []engine.Color{engine.White, engine.Black} {
			if r.IntN(2) > 0 {
				put(engine.King, c, r.IntN(64))
				continue
			}
			home := 56 * int(c)
			put(engine.King, c, home+4)
			for right, file := range []int{7, 0} {
				if r.IntN(3) > 0 {
					put(engine.Rook, c, home+file)
					s.Castling |= 1 << (2*int(c) + right)
				}
			}
		}
		if r.IntN(2) > 0 { // after a double step
			file := r.IntN(8)
			at, behind, from := 32+file, 40+file, 48+file
			if s.SideToMove == engine.Black {
				at, behind, from = 24+file, 16+file, 8+file
			}
			put(engine.Pawn, s.SideToMove.Other(), at)
			taken |= 1<<behind | 1<<from
			put(engine.Pawn, s.SideToMove, at/8*8+r.IntN(8))
			s.EnPassant = 1 << behind
		}
		queens := r.IntN(8) == 0
		for range r.IntN(28) {
			k := engine.Pawn + engine.Piece(r.IntN(5))
			if queens {
				k = engine.Queen
			}
			put(k, engine.Color(r.IntN(2)), r.IntN(64))
		}
		if p, err := s.Position(); err == nil {
			return p
		}
	}
}
