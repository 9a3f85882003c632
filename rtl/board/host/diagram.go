package host

import (
	"strings"

	"github.com/cosimate/cosimate/engine"
)

// diagram returns the board of a game as text: the squares of the last move in brackets, and
// White's side below unless the person at the console has Black. It has no newline at its end.
func diagram(g *Game, computer [2]bool) string {
	p := g.Position()
	plain := strings.Split(p.Board(), "\n")
	var marked [64]bool
	if n := len(g.Moves()); n > 0 {
		m := g.Moves()[n-1]
		marked[m.From], marked[m.To] = true, true
	}
	turn := 0 // what to change in a square's number
	if computer[engine.White] && !computer[engine.Black] {
		turn = 63
	}
	var s strings.Builder
	for rank := 7; rank >= 0; rank-- {
		s.WriteByte('1' + byte(rank^(turn&7)))
		left := false // the square to the left is marked
		for file := range 8 {
			square := engine.Square((rank<<3 + file) ^ turn)
			letter := plain[7-square>>3][2+2*(square&7)]
			between := " "
			switch {
			case left && marked[square]:
				between = "|"
			case left:
				between = "]"
			case marked[square]:
				between = "["
			}
			s.WriteString(between + string(letter))
			left = marked[square]
		}
		if left {
			s.WriteByte(']')
		}
		s.WriteByte('\n')
	}
	files := "  a b c d e f g h"
	if turn != 0 {
		files = "  h g f e d c b a"
	}
	s.WriteString(files)
	return s.String()
}
