package engine

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// Setup describes a position piece by piece, as a FEN record or the ports of hardware do. It may
// describe what is no chess position: [Setup.Position] checks that. The zero Setup is an empty
// board. Setups are comparable.
type Setup struct {
	// Kinds are the squares of the pieces of each kind, of both sides. The index is a [Piece], as
	// hardware encodes it in three bits. NoPiece and 7 are no kinds: leave them 0.
	Kinds [8]uint64
	White uint64 // the squares of White's pieces

	SideToMove Color

	// Castling are the rights to castle: bit 0 is White's on the king side, bit 1 White's on the
	// queen side, bits 2 and 3 are Black's.
	Castling uint8

	// EnPassant is the square that a pawn passed over with the last move, a double step, as a
	// bitboard. It is 0 if there is none.
	EnPassant uint64

	Halfmove int // moves of either side since the last capture or pawn move: 0 to 65535
	Fullmove int // number of the move, which Black's moves advance: 1 to 65535
}

// SetupError says why a [Setup] is no chess position, and how to mend it.
type SetupError struct {
	Field   string // the field of a FEN record at fault, such as "castling rights"
	Problem string
	Mend    string

	field int    // its index in fenFields
	at    uint64 // the squares at fault, or the castling rights
}

// Error returns the whole message on one line.
func (e *SetupError) Error() string {
	return fmt.Sprintf("%s: %s; %s", e.Field, e.Problem, e.Mend)
}

func setupFault(field int, at uint64, mend, problem string, args ...any) *SetupError {
	return &SetupError{fenFields[field], fmt.Sprintf(problem, args...), mend, field, at}
}

// Put adds a piece on a square. It does not take away what stands there.
func (s *Setup) Put(k Piece, c Color, sq Square) {
	s.Kinds[k&7] |= 1 << sq
	if c == White {
		s.White |= 1 << sq
	}
}

// pieces returns the occupied squares.
func (s *Setup) pieces() (all uint64) {
	for _, squares := range s.Kinds {
		all |= squares
	}
	return all
}

// Mirror returns the setup with the sides and the ranks exchanged: White's pieces are Black's, and
// a1 is a8. The counters stay as they are. Hardware that sees the board from the side to move's
// point of view has Black's positions so.
func (s Setup) Mirror() Setup {
	m := s
	for k, squares := range s.Kinds {
		m.Kinds[k] = bits.ReverseBytes64(squares)
	}
	m.White = bits.ReverseBytes64(s.pieces() &^ s.White)
	m.SideToMove = s.SideToMove.Other()
	m.Castling = s.Castling>>2&3 | s.Castling&3<<2
	m.EnPassant = bits.ReverseBytes64(s.EnPassant)
	return m
}

// Setup returns the description of the position. [Setup.Position] is its inverse, but for the zero
// Position: that is no chess position.
func (p *Position) Setup() Setup {
	s := Setup{White: p.Pieces(White), SideToMove: p.side, EnPassant: p.absolute(p.ep),
		Halfmove: p.Halfmove(), Fullmove: p.Fullmove()}
	for k := Pawn; k <= King; k++ {
		s.Kinds[k] = p.absolute(p.kind(k))
	}
	for c := range Color(2) {
		kingSide, queenSide := p.Castling(c)
		if kingSide {
			s.Castling |= 1 << (2 * c)
		}
		if queenSide {
			s.Castling |= 2 << (2 * c)
		}
	}
	return s
}

// Position returns the position that the setup describes. It accepts and refuses the same as
// [ParseFEN]; the error is a [*SetupError].
func (s Setup) Position() (Position, error) {
	p, err := s.position()
	if err != nil {
		return Position{}, err
	}
	return p, nil
}

func (s *Setup) position() (p Position, err *SetupError) {
	loadTables()
	for _, step := range []func(*Position) *SetupError{
		s.placement, s.armies, s.castlingRights, s.enPassant, s.counters, s.checks,
	} {
		if err := step(&p); err != nil {
			return Position{}, err
		}
	}
	return p, nil
}

// placement sets the pieces and the side to move.
func (s *Setup) placement(p *Position) *SetupError {
	all := s.pieces()
	if none := s.Kinds[NoPiece] | s.Kinds[7]; none != 0 {
		return setupFault(0, none, "use the codes 1 to 6, pawn to king", "the piece on %s is of no kind", first(none))
	}
	for set := all; set != 0; set &= set - 1 {
		sq := Square(bits.TrailingZeros64(set))
		var here []string
		for k, squares := range s.Kinds {
			if squares>>sq&1 != 0 {
				here = append(here, Piece(k).String())
			}
		}
		if len(here) > 1 {
			return setupFault(0, 1<<sq, "put one piece on a square", "%s has a %s", sq, strings.Join(here, " and a "))
		}
	}
	if none := s.White &^ all; none != 0 {
		return setupFault(0, none, "give each of White's pieces a kind", "%s is White's, and no piece stands there", first(none))
	}
	if bad := s.Kinds[Pawn] & (rank8 | rank8>>56); bad != 0 {
		if upper := bad & rank8; upper != 0 {
			bad = upper
		}
		bad &= -bad
		c := Black
		if s.White&bad != 0 {
			c = White
		}
		return setupFault(0, bad, "put pawns on ranks 2 to 7 only", "%s pawn on %s", c, first(bad))
	}
	p.board = board{
		own: s.White, opp: all &^ s.White,
		pawns:   s.Kinds[Pawn],
		knights: s.Kinds[Knight],
		diag:    s.Kinds[Bishop] | s.Kinds[Queen],
		orth:    s.Kinds[Rook] | s.Kinds[Queen],
		kings:   s.Kinds[King],
	}
	if s.SideToMove == Black {
		p.board = p.turned()
		p.side = Black
	}
	return nil
}

// first returns the lowest square of a set.
func first(set uint64) Square { return Square(bits.TrailingZeros64(set)) }

// armies checks what each side has against what pawns can have become.
func (s *Setup) armies(p *Position) *SetupError {
	const dark = 0xaa55aa55aa55aa55
	for c := range Color(2) {
		n := func(k Piece) int { return bits.OnesCount64(p.Bitboard(c, k)) }
		kings := p.Bitboard(c, King)
		if kings == 0 {
			return setupFault(0, 0, "give each side one king", "%s has no king", c)
		}
		if n(King) > 1 {
			return setupFault(0, kings, "give each side one king", "%s has %d kings", c, n(King))
		}
		if n(Pawn) > 8 {
			return setupFault(0, p.Bitboard(c, Pawn), "a side has at most 8", "%s has %d pawns", c, n(Pawn))
		}
		if all := bits.OnesCount64(p.Pieces(c)); all > 16 {
			return setupFault(0, p.Pieces(c), "a side has at most 16", "%s has %d pieces", c, all)
		}
		bishops := p.Bitboard(c, Bishop)
		promoted := max(0, n(Queen)-1) + max(0, n(Rook)-2) + max(0, n(Knight)-2) +
			max(0, bits.OnesCount64(bishops&dark)-1) + max(0, bits.OnesCount64(bishops&^dark)-1)
		if promoted > 8-n(Pawn) {
			return setupFault(0, p.Pieces(c)&^(p.Bitboard(c, Pawn)|kings), "take away pieces or pawns",
				"%s has %d pawns and at least %d promoted pieces, more than its 8 pawns allow", c, n(Pawn), promoted)
		}
	}
	return nil
}

// castlingRights sets the rights to castle.
func (s *Setup) castlingRights(p *Position) *SetupError {
	if s.Castling > 15 {
		return setupFault(2, 0, "use bits 0 to 3", "%#b is no set of castling rights", s.Castling)
	}
	for right := range len(castlingOrder) {
		if s.Castling>>right&1 == 0 {
			continue
		}
		letter := castlingOrder[right]
		c := Color(right / 2)
		king := Square(4 + 56*c)
		rook := Square(7 + 56*c)
		if right%2 == 1 {
			rook = Square(56 * c)
		}
		if p.Bitboard(c, King)&(1<<king) == 0 {
			return setupFault(2, 1<<right, "drop the right or move the king", "%q needs the %s king on %s", letter, c, king)
		}
		if p.Bitboard(c, Rook)&(1<<rook) == 0 {
			return setupFault(2, 1<<right, "drop the right or put the rook there", "%q needs a %s rook on %s", letter, c, rook)
		}
		p.castling |= p.absolute(1 << rook)
	}
	return nil
}

const enPassantMend = "write - unless a pawn has just made a double step over the square"

// enPassant sets the square that a pawn passed over.
func (s *Setup) enPassant(p *Position) *SetupError {
	if s.EnPassant == 0 {
		return nil
	}
	fault := func(problem string, args ...any) *SetupError {
		return setupFault(3, s.EnPassant, enPassantMend, problem, args...)
	}
	if n := bits.OnesCount64(s.EnPassant); n > 1 {
		return fault("there are %d squares, and only one can be", n)
	}
	sq, ep := first(s.EnPassant), p.absolute(s.EnPassant)
	mover := p.side.Other()
	if ep&(rank8>>16) == 0 {
		return fault("with %s to move the square is on rank %d, not %d", p.side, 6-3*p.side, sq>>3+1)
	}
	at := func(view uint64) Square { return first(view) ^ p.flip() }
	behind, front := ep<<8, ep>>8
	if p.opp&p.pawns&front == 0 {
		return fault("no %s pawn on %s can have passed over %s", mover, at(front), sq)
	}
	if occupied := (ep | behind) & (p.own | p.opp); occupied != 0 {
		return fault("the %s pawn on %s came through %s, which is occupied", mover, at(front), at(occupied&-occupied))
	}
	// That the side to move was in check before the double step would be a fault
	// too, but published perft suites have such positions.
	p.ep = ep
	return nil
}

// counterMend says what the counter in a field of a FEN record can be.
func counterMend(field int) string {
	return fmt.Sprintf("write a number from %d to %d", field-4, maxCounter)
}

// counters sets the halfmove clock and the fullmove number.
func (s *Setup) counters(p *Position) *SetupError {
	if s.Halfmove < 0 || s.Halfmove > maxCounter {
		return setupFault(4, 0, counterMend(4), "%d is out of range", s.Halfmove)
	}
	if s.Fullmove < 1 || s.Fullmove > maxCounter {
		return setupFault(5, 0, counterMend(5), "%d is out of range", s.Fullmove)
	}
	p.half, p.full = uint16(s.Halfmove), uint16(s.Fullmove)
	if p.ep != 0 && p.half != 0 {
		return setupFault(4, 0, "write 0, or - as the en passant square", "the clock is at %d just after a pawn's double step", p.half)
	}
	return nil
}

// checks looks for checks that no move can have left behind.
func (s *Setup) checks(p *Position) *SetupError {
	turned := p.turned()
	if c := turned.checkers(); c != 0 {
		return setupFault(1, 0, "give the move to the side in check, or end the check",
			"%s is to move but %s is in check from %s", p.side, p.side.Other(), first(c)^p.flip()^56)
	}
	if c := p.checkers(); bits.OnesCount64(c) > 2 {
		return setupFault(0, p.absolute(c), "a move gives check with two at most",
			"%d pieces give check to the %s king", bits.OnesCount64(c), p.side)
	}
	return nil
}

// FEN returns the setup in Forsyth-Edwards notation, six fields, whether or not it is a chess
// position. A piece of no kind is written as ?, and of several pieces on a square the one of the
// greatest code. Several en passant squares follow each other.
func (s Setup) FEN() string {
	var b []byte
	for rank := 7; rank >= 0; rank-- {
		empty := byte(0)
		for file := range 8 {
			sq := Square(rank<<3 + file)
			letter := byte(0)
			for k, squares := range s.Kinds {
				if squares>>sq&1 != 0 {
					letter = Piece(k).letter(Color(^s.White >> sq & 1))
				}
			}
			if letter == 0 {
				empty++
				continue
			}
			if empty > 0 {
				b = append(b, '0'+empty)
				empty = 0
			}
			b = append(b, letter)
		}
		if empty > 0 {
			b = append(b, '0'+empty)
		}
		if rank > 0 {
			b = append(b, '/')
		}
	}
	b = append(b, ' ', "wb"[s.SideToMove&1], ' ')
	rights := len(b)
	for right := range len(castlingOrder) {
		if s.Castling>>right&1 != 0 {
			b = append(b, castlingOrder[right])
		}
	}
	if len(b) == rights {
		b = append(b, '-')
	}
	b = append(b, ' ')
	if s.EnPassant == 0 {
		b = append(b, '-')
	}
	for set := s.EnPassant; set != 0; set &= set - 1 {
		b = append(b, first(set).String()...)
	}
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(s.Halfmove), 10)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(s.Fullmove), 10)
	return string(b)
}
