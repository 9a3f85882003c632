package notation

import (
	"fmt"

	"github.com/cosimate/cosimate/engine"
)

// letters are those of the pieces (FIDE C.2, PGN 8.2.3.2); pawns have none.
var letters = [...]string{engine.Knight: "N", engine.Bishop: "B", engine.Rook: "R", engine.Queen: "Q", engine.King: "K"}

// SAN returns a legal move of p in standard algebraic notation (PGN 8.2.3), such as "Nbd7",
// "exd8=Q+" or "O-O#". The origin is the shortest that tells the move from all other legal ones.
func SAN(p *engine.Position, m engine.Move) string {
	if m.Castling {
		return castling(m) + suffix(p, m)
	}
	s := letters[m.Piece] + origin(p, m)
	if m.Captured != engine.NoPiece {
		s += "x"
	}
	return s + m.To.String() + promotion(m) + suffix(p, m)
}

// Long returns a legal move of p in long algebraic notation (FIDE C.13), such as "Ng1-f3" or
// "e7xd8=Q+".
func Long(p *engine.Position, m engine.Move) string {
	if m.Castling {
		return castling(m) + suffix(p, m)
	}
	between := "-"
	if m.Captured != engine.NoPiece {
		between = "x"
	}
	return fmt.Sprint(letters[m.Piece], m.From, between, m.To, promotion(m), suffix(p, m))
}

func castling(m engine.Move) string {
	if m.To > m.From {
		return "O-O"
	}
	return "O-O-O"
}

func promotion(m engine.Move) string {
	if m.Promotion == engine.NoPiece {
		return ""
	}
	return "=" + letters[m.Promotion]
}

// origin returns as much of the origin as SAN needs: nothing, the file, the rank or both (PGN
// 8.2.3.4). A pawn that captures always has its file.
func origin(p *engine.Position, m engine.Move) string {
	name := m.From.String()
	if m.Piece == engine.Pawn {
		if m.Captured == engine.NoPiece {
			return ""
		}
		return name[:1]
	}
	// whether another such piece that can go there is on the same file, on the same rank
	others, file, rank := false, false, false
	for _, o := range p.AppendMoves(nil) {
		if o.Piece == m.Piece && o.To == m.To && o.From != m.From {
			others = true
			file = file || o.From&7 == m.From&7
			rank = rank || o.From>>3 == m.From>>3
		}
	}
	switch {
	case !others:
		return ""
	case !file:
		return name[:1]
	case !rank:
		return name[1:]
	}
	return name
}

// suffix returns the mark of check or mate.
func suffix(p *engine.Position, m engine.Move) string {
	next := p.Make(m)
	switch {
	case !next.InCheck():
		return ""
	case next.Count() == 0:
		return "#"
	}
	return "+"
}
