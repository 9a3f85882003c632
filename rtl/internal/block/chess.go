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
