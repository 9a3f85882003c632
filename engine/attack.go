package engine

import (
	"math/bits"
	"slices"
	"sync"
)

//go:generate sh -c "go run ./internal/magics > magics.tmp && mv magics.tmp magics.go"

// Files and ranks of the side to move's view.
const (
	fileA = 0x0101010101010101
	fileH = fileA << 7
	rank1 = 0xff
	rank3 = rank1 << 16
	rank8 = rank1 << 56
)

// magic finds a slider's squares in a table: the occupation of the squares that
// matter, times a multiplier that brings those bits together at the top, is the
// index ("magic bitboards"). Every square has a part of the table of the same
// length, which costs 1.5 MB more than parts as long as needed, but spares two
// loads a look-up.
type magic struct {
	mask   uint64 // squares whose occupation matters: rays without their last square
	factor uint64
}

// Bits of an index: what the widest mask needs.
const (
	bishopBits = 9
	rookBits   = 12
)

// Tables of attacks. They never change once loadTables has filled them, which
// every way to get a Position does first: a program that only imports the
// package does not wait for them. Attacks, which needs no Position, does so too.
var (
	knightTable [64]uint64
	kingTable   [64]uint64
	bishopRays  [64]uint64 // on the empty board
	rookRays    [64]uint64
	betweens    [64][64]uint64                   // squares strictly between two on a line, else 0
	magics      [64]struct{ bishop, rook magic } // together: half a cache line a square
	bishopTable [64 << bishopBits]uint64
	rookTable   [64 << rookBits]uint64
)

func knightAttacks(sq int) uint64 { return knightTable[sq&63] }

func kingAttacks(sq int) uint64 { return kingTable[sq&63] }

// bishopAttacks returns the squares a bishop on sq reaches, blockers included.
// The compiler sees that the index is in bounds.
func bishopAttacks(sq int, occupied uint64) uint64 {
	m := &magics[sq&63].bishop
	return bishopTable[(sq&63)<<bishopBits|int(occupied&m.mask*m.factor>>(64-bishopBits))]
}

// rookAttacks returns the squares a rook on sq reaches, blockers included.
func rookAttacks(sq int, occupied uint64) uint64 {
	m := &magics[sq&63].rook
	return rookTable[(sq&63)<<rookBits|int(occupied&m.mask*m.factor>>(64-rookBits))]
}

// pawnAttacksUp returns the squares that pawns moving up the board attack.
func pawnAttacksUp(pawns uint64) uint64 {
	return pawns&^fileA<<7 | pawns&^fileH<<9
}

// pawnAttacksDown is the same for pawns moving down the board.
func pawnAttacksDown(pawns uint64) uint64 {
	return pawns&^fileA>>9 | pawns&^fileH>>7
}

// ray is a step in one of the eight directions: its files and ranks.
type ray struct{ files, ranks int }

var (
	diagonals   = []ray{{1, 1}, {-1, 1}, {1, -1}, {-1, -1}}
	orthogonals = []ray{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}
)

// walk yields to visit the squares from sq (excluded) in direction d, one after
// the other, until the board ends or visit returns false.
func (d ray) walk(sq int, visit func(sq int) bool) {
	for f, r := sq&7+d.files, sq>>3+d.ranks; f|r == (f|r)&7; f, r = f+d.files, r+d.ranks {
		if !visit(r<<3 | f) {
			return
		}
	}
}

// slide returns the squares reached from sq along rays, blockers included.
func slide(sq int, rays []ray, occupied uint64) (reach uint64) {
	for _, d := range rays {
		d.walk(sq, func(s int) bool {
			reach |= 1 << s
			return occupied>>s&1 == 0
		})
	}
	return reach
}

// loadTables fills the tables, once: a few milliseconds. Afterwards it costs a load.
func loadTables() { tables.Do(fillTables) }

var tables sync.Once

func fillTables() {
	for sq := range 64 {
		for f := -2; f <= 2; f++ {
			for r := -2; r <= 2; r++ {
				step := func(s int) bool {
					switch f*f + r*r {
					case 1, 2:
						kingTable[sq] |= 1 << s
					case 5:
						knightTable[sq] |= 1 << s
					}
					return false
				}
				ray{f, r}.walk(sq, step)
			}
		}
		for _, d := range slices.Concat(diagonals, orthogonals) {
			var passed uint64
			d.walk(sq, func(s int) bool {
				betweens[sq][s] = passed
				passed |= 1 << s
				return true
			})
		}
		bishopRays[sq] = slide(sq, diagonals, 0)
		rookRays[sq] = slide(sq, orthogonals, 0)
		magics[sq].bishop = fill(bishopTable[sq<<bishopBits:][:1<<bishopBits], sq, diagonals, bishopMagics[sq])
		magics[sq].rook = fill(rookTable[sq<<rookBits:][:1<<rookBits], sq, orthogonals, rookMagics[sq])
	}
}

// fill enters the attacks of a slider on sq into its part of a table, whose
// length is a power of two.
func fill(part []uint64, sq int, rays []ray, factor uint64) magic {
	var mask uint64
	for _, d := range rays {
		last := -1
		d.walk(sq, func(s int) bool {
			if last >= 0 {
				mask |= 1 << last
			}
			last = s
			return true
		})
	}
	shift := bits.LeadingZeros64(uint64(len(part))) + 1
	for occupied := uint64(0); ; {
		part[occupied*factor>>shift] = slide(sq, rays, occupied)
		if occupied = (occupied - mask) & mask; occupied == 0 {
			return magic{mask, factor}
		}
	}
}

// Attacks returns the squares that a knight, bishop, rook, queen or king on s attacks on a board
// occupied so, the first piece in its way included, in board coordinates. It is 0 for other kinds.
func Attacks(k Piece, s Square, occupied uint64) uint64 {
	loadTables()
	switch k {
	case Knight:
		return knightAttacks(int(s))
	case Bishop:
		return bishopAttacks(int(s), occupied)
	case Rook:
		return rookAttacks(int(s), occupied)
	case Queen:
		return bishopAttacks(int(s), occupied) | rookAttacks(int(s), occupied)
	case King:
		return kingAttacks(int(s))
	}
	return 0
}

// PawnAttacks returns the squares that pawns of side c attack, in board coordinates.
func PawnAttacks(c Color, pawns uint64) uint64 {
	if c == White {
		return pawnAttacksUp(pawns)
	}
	return pawnAttacksDown(pawns)
}
