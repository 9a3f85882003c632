package search

import (
	"math/bits"
	"math/rand/v2"

	"github.com/cosimate/cosimate/engine"
)

// Random numbers whose exclusive-or is a position's key (Zobrist hashing).
var (
	pieceKeys    [2][7][64]uint64
	castlingKeys [2][2]uint64 // by side, king side first
	epKeys       [8]uint64
	blackKey     uint64
)

func init() {
	r := rand.New(rand.NewPCG(0x434f53494d415445, 1))
	for c := range pieceKeys {
		for k := engine.Pawn; k <= engine.King; k++ {
			for s := range pieceKeys[c][k] {
				pieceKeys[c][k][s] = r.Uint64()
			}
		}
		castlingKeys[c] = [2]uint64{r.Uint64(), r.Uint64()}
	}
	for i := range epKeys {
		epKeys[i] = r.Uint64()
	}
	blackKey = r.Uint64()
}

// piecesKey is the part of a position's key that its pieces make.
func piecesKey(p *engine.Position) (key uint64) {
	for c := range engine.Color(2) {
		for k := engine.Pawn; k <= engine.King; k++ {
			for b := p.Bitboard(c, k); b != 0; b &= b - 1 {
				key ^= pieceKeys[c][k][bits.TrailingZeros64(b)]
			}
		}
	}
	return key
}

// moveKey is what a move of a side changes in the pieces' part of the key.
func moveKey(m engine.Move, side engine.Color) (key uint64) {
	own := &pieceKeys[side&1]
	key = own[m.Piece&7][m.From&63]
	if m.Promotion != engine.NoPiece {
		key ^= own[m.Promotion&7][m.To&63]
	} else {
		key ^= own[m.Piece&7][m.To&63]
	}
	switch {
	case m.EnPassant:
		key ^= pieceKeys[side&1^1][engine.Pawn][(m.To^8)&63]
	case m.Captured != engine.NoPiece:
		key ^= pieceKeys[side&1^1][m.Captured&7][m.To&63]
	case m.Castling && m.To > m.From:
		key ^= own[engine.Rook][m.To+1] ^ own[engine.Rook][m.To-1]
	case m.Castling:
		key ^= own[engine.Rook][m.To-2] ^ own[engine.Rook][m.To+1]
	}
	return key
}

// stateKey is the rest of a position's key: whose turn it is, what castling is left, and the file
// on which a pawn can be taken en passant. Two positions are the same in the sense of FIDE article
// 9.2.3 only if the same moves are possible, so the file counts only if such a capture is legal.
func stateKey(p *engine.Position) (key uint64) {
	side := p.SideToMove()
	if side == engine.Black {
		key = blackKey
	}
	for c := range engine.Color(2) {
		king, queen := p.Castling(c)
		if king {
			key ^= castlingKeys[c][0]
		}
		if queen {
			key ^= castlingKeys[c][1]
		}
	}
	if s, ok := p.EnPassant(); ok && engine.PawnAttacks(side.Other(), 1<<s)&p.Bitboard(side, engine.Pawn) != 0 {
		var buf [256]engine.Move
		for _, m := range p.AppendCaptures(buf[:0]) {
			if m.EnPassant {
				return key ^ epKeys[s&7]
			}
		}
	}
	return key
}

// Key returns the position's key for transposition tables and repetitions: positions with the same
// pieces, side to move and possible moves have the same, others hardly ever.
func Key(p *engine.Position) uint64 { return piecesKey(p) ^ stateKey(p) }
