package engine

import (
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"unicode"
)

// FENError says what is wrong with a FEN record, where, and how to mend it.
type FENError struct {
	Field   string // the field at fault, such as "castling rights"; "record" for the whole
	Offset  int    // of the fault in the record, in bytes from 0
	Problem string
	Mend    string
}

// Error returns the whole message on one line.
func (e *FENError) Error() string {
	return fmt.Sprintf("FEN %s, byte %d: %s; %s", e.Field, e.Offset, e.Problem, e.Mend)
}

// The fields of a FEN record, as errors name them.
var fenFields = [6]string{
	"piece placement", "side to move", "castling rights", "en passant square", "halfmove clock", "fullmove number",
}

// fenParser reads one record.
type fenParser struct {
	field [6]string
	start [6]int // byte offsets of the fields

	where map[Square]int // byte offsets of the pieces
	p     Position
}

func (f *fenParser) fault(field, offset int, mend, problem string, args ...any) *FENError {
	return &FENError{fenFields[field], f.start[field] + offset, fmt.Sprintf(problem, args...), mend}
}

// ParseFEN reads a position in Forsyth-Edwards notation: all six fields, one
// space between them. It accepts only what can be a chess position: what it
// refuses with a [*FENError] no game can reach. It does not find every such
// position.
func ParseFEN(s string) (Position, error) {
	loadTables()
	f := fenParser{where: make(map[Square]int, 32)}
	for _, step := range []func() *FENError{
		func() *FENError { return f.split(s) },
		f.placement, f.sideToMove, f.armies, f.castlingRights, f.enPassant, f.counters, f.checks,
	} {
		if err := step(); err != nil {
			return Position{}, err
		}
	}
	return f.p, nil
}

// split finds the six fields.
func (f *fenParser) split(s string) *FENError {
	fault := func(offset int, problem, mend string) *FENError {
		return &FENError{"record", offset, problem, mend}
	}
	if s == "" {
		return fault(0, "it is empty", "write "+fenForm)
	}
	if i := strings.IndexFunc(s, unicode.IsControl); i >= 0 {
		return fault(i, printable(s[i:])+" is in the record", "write one line with spaces only between the fields")
	}
	rest, offset := s, 0
	for i := range f.field {
		if rest == "" || rest[0] == ' ' {
			problem := fmt.Sprintf("the record ends before the %s (field %d of 6)", fenFields[i], i+1)
			if strings.Trim(rest, " ") != "" {
				problem = "there is a space too many"
			}
			return fault(offset, problem, "write "+fenForm)
		}
		end := strings.IndexByte(rest, ' ')
		if end < 0 {
			end = len(rest)
		}
		f.field[i], f.start[i] = rest[:end], offset
		offset += end
		if rest = rest[end:]; rest != "" && i < 5 {
			rest = rest[1:]
			offset++
		}
	}
	if rest != "" {
		return fault(offset, fmt.Sprintf("%.20q follows the sixth field", rest), "end the record after the fullmove number")
	}
	return nil
}

const fenForm = "the six fields: placement, side, castling, en passant, halfmove clock, fullmove number, one space between them"

// placement reads the board, in board coordinates.
func (f *fenParser) placement() *FENError {
	const mend = "make the pieces and digits of each rank add up to 8, ranks 8 to 1 with / between"
	rank, file := 7, 0
	text := f.field[0]
	for i := range len(text) {
		ch := text[i]
		tooLong := func() *FENError {
			return f.fault(0, i, mend, "rank %d has more than 8 squares", rank+1)
		}
		switch k := Piece(1 + strings.IndexByte("PNBRQK", ch&^0x20)); {
		case ch == '/':
			if file < 8 {
				return f.fault(0, i, mend, "rank %d has %d of 8 squares", rank+1, file)
			}
			if rank == 0 {
				return f.fault(0, i, mend, "there are more than 8 ranks")
			}
			rank, file = rank-1, 0
		case '1' <= ch && ch <= '8':
			if i > 0 && '1' <= text[i-1] && text[i-1] <= '8' {
				return f.fault(0, i, "write their sum as one digit", "digits %c and %c side by side", text[i-1], ch)
			}
			if file += int(ch - '0'); file > 8 {
				return tooLong()
			}
		case k == NoPiece:
			return f.fault(0, i, "use PNBRQK for White, pnbrqk for Black, 1 to 8 for empty squares and /", "%s is no piece", printable(text[i:]))
		case file == 8:
			return tooLong()
		default:
			c := White
			if ch >= 'a' {
				c = Black
			}
			sq := Square(rank<<3 + file)
			if k == Pawn && (rank == 0 || rank == 7) {
				return f.fault(0, i, "put pawns on ranks 2 to 7 only", "%s pawn on %s", c, sq)
			}
			f.where[sq] = i
			f.put(k, c, sq)
			file++
		}
	}
	if file < 8 {
		return f.fault(0, len(text), mend, "rank %d has %d of 8 squares", rank+1, file)
	}
	if rank > 0 {
		return f.fault(0, len(text), mend, "there are only %d ranks", 8-rank)
	}
	return nil
}

// printable quotes the first character of s.
func printable(s string) string {
	for _, r := range s {
		return strconv.QuoteRune(r)
	}
	return "nothing"
}

// put sets a piece. Until the side to move is known White is taken for it.
func (f *fenParser) put(k Piece, c Color, sq Square) {
	bit := uint64(1) << sq
	b := &f.p.board
	if c == White {
		b.own |= bit
	} else {
		b.opp |= bit
	}
	switch k {
	case Pawn:
		b.pawns |= bit
	case King:
		b.kings |= bit
	default:
		b.pawns |= bit // promote takes a pawn
		b.promote(bit, k)
	}
}

func (f *fenParser) sideToMove() *FENError {
	switch f.field[1] {
	case "w":
		return nil
	case "b":
		f.p.board = f.p.turned()
		f.p.side = Black
		return nil
	}
	return f.fault(1, 0, "write w or b", "%.20q is no side", f.field[1])
}

// last returns the byte offset of the piece written last among those in set.
func (f *fenParser) last(set uint64) (offset int) {
	for ; set != 0; set &= set - 1 {
		offset = max(offset, f.where[Square(bits.TrailingZeros64(set))])
	}
	return offset
}

// armies checks what each side has against what pawns can have become.
func (f *fenParser) armies() *FENError {
	const dark = 0xaa55aa55aa55aa55
	for c := range Color(2) {
		n := func(k Piece) int { return bits.OnesCount64(f.p.Bitboard(c, k)) }
		kings := f.p.Bitboard(c, King)
		if kings == 0 {
			return f.fault(0, len(f.field[0]), "give each side one king", "%s has no king", c)
		}
		if n(King) > 1 {
			return f.fault(0, f.last(kings), "give each side one king", "%s has %d kings", c, n(King))
		}
		if n(Pawn) > 8 {
			return f.fault(0, f.last(f.p.Bitboard(c, Pawn)), "a side has at most 8", "%s has %d pawns", c, n(Pawn))
		}
		if all := bits.OnesCount64(f.p.Pieces(c)); all > 16 {
			return f.fault(0, f.last(f.p.Pieces(c)), "a side has at most 16", "%s has %d pieces", c, all)
		}
		bishops := f.p.Bitboard(c, Bishop)
		promoted := max(0, n(Queen)-1) + max(0, n(Rook)-2) + max(0, n(Knight)-2) +
			max(0, bits.OnesCount64(bishops&dark)-1) + max(0, bits.OnesCount64(bishops&^dark)-1)
		if promoted > 8-n(Pawn) {
			return f.fault(0, f.last(f.p.Pieces(c)&^(f.p.Bitboard(c, Pawn)|kings)), "take away pieces or pawns",
				"%s has %d pawns and at least %d promoted pieces, more than its 8 pawns allow", c, n(Pawn), promoted)
		}
	}
	return nil
}

func (f *fenParser) castlingRights() *FENError {
	const order = "KQkq"
	text := f.field[2]
	if text == "-" {
		return nil
	}
	next := 0
	for i := range len(text) {
		right := strings.IndexByte(order, text[i])
		if right < 0 {
			return f.fault(2, i, "write - or some of KQkq, in this order", "%s is no castling right", printable(text[i:]))
		}
		if right < next {
			return f.fault(2, i, "write - or some of KQkq, in this order", "%q is repeated or out of order", text[i])
		}
		next = right + 1
		c := Color(right / 2)
		king := Square(4 + 56*c)
		rook := Square(7 + 56*c)
		if right%2 == 1 {
			rook = Square(56 * c)
		}
		if f.p.Bitboard(c, King)&(1<<king) == 0 {
			return f.fault(2, i, "drop the right or move the king", "%q needs the %s king on %s", text[i], c, king)
		}
		if f.p.Bitboard(c, Rook)&(1<<rook) == 0 {
			return f.fault(2, i, "drop the right or put the rook there", "%q needs a %s rook on %s", text[i], c, rook)
		}
		f.p.castling |= f.p.absolute(1 << rook)
	}
	return nil
}

func (f *fenParser) enPassant() *FENError {
	text := f.field[3]
	if text == "-" {
		return nil
	}
	const mend = "write - unless a pawn has just made a double step over the square"
	sq, err := ParseSquare(text)
	if err != nil {
		return f.fault(3, 0, mend, "%.20q is no square", text)
	}
	mover := f.p.side.Other()
	if bit := f.p.absolute(1 << sq); bit&(rank8>>16) == 0 {
		return f.fault(3, 1, mend, "with %s to move the square is on rank %d, not %d", f.p.side, 6-3*f.p.side, sq>>3+1)
	}
	at := func(view uint64) Square { return Square(bits.TrailingZeros64(view)) ^ f.p.flip() }
	ep := f.p.absolute(1 << sq)
	behind, front := ep<<8, ep>>8
	if f.p.opp&f.p.pawns&front == 0 {
		return f.fault(3, 0, mend, "no %s pawn on %s can have passed over %s", mover, at(front), sq)
	}
	if occupied := (ep | behind) & (f.p.own | f.p.opp); occupied != 0 {
		return f.fault(3, 0, mend, "the %s pawn on %s came through %s, which is occupied", mover, at(front), at(occupied&-occupied))
	}
	// That the side to move was in check before the double step would be a fault
	// too, but published perft suites have such positions.
	f.p.ep = ep
	return nil
}

func (f *fenParser) counters() *FENError {
	var fault *FENError
	if f.p.half, fault = f.counter(4, 0); fault != nil {
		return fault
	}
	if f.p.full, fault = f.counter(5, 1); fault != nil {
		return fault
	}
	if f.p.ep != 0 && f.p.half != 0 {
		return f.fault(4, 0, "write 0, or - as the en passant square", "the clock is at %d just after a pawn's double step", f.p.half)
	}
	return nil
}

func (f *fenParser) counter(field int, least uint64) (uint16, *FENError) {
	text := f.field[field]
	mend := fmt.Sprintf("write a number from %d to %d", least, maxCounter)
	n, err := strconv.ParseUint(text, 10, 16)
	switch {
	case errors.Is(err, strconv.ErrSyntax):
		return 0, f.fault(field, 0, mend, "%.20q is no such number", text)
	case err != nil || n < least:
		return 0, f.fault(field, 0, mend, "%.20s is out of range", text)
	case len(text) > 1 && text[0] == '0':
		return 0, f.fault(field, 0, mend, "%.20s has a leading zero", text)
	}
	return uint16(n), nil
}

// checks looks for checks that no move can have left behind.
func (f *fenParser) checks() *FENError {
	first := func(view uint64, flip Square) Square {
		return Square(bits.TrailingZeros64(view)) ^ flip
	}
	turned := f.p.turned()
	if c := turned.checkers(); c != 0 {
		return f.fault(1, 0, "give the move to the side in check, or end the check",
			"%s is to move but %s is in check from %s", f.p.side, f.p.side.Other(), first(c, f.p.flip()^56))
	}
	if c := f.p.checkers(); bits.OnesCount64(c) > 2 {
		return f.fault(0, f.last(f.p.absolute(c)), "a move gives check with two at most",
			"%d pieces give check to the %s king", bits.OnesCount64(c), f.p.side)
	}
	return nil
}

// FEN returns the position in Forsyth-Edwards notation, six fields.
func (p *Position) FEN() string {
	var s []byte
	for rank := 7; rank >= 0; rank-- {
		empty := byte(0)
		for file := range 8 {
			k, c := p.PieceAt(Square(rank<<3 + file))
			if k == NoPiece {
				empty++
				continue
			}
			if empty > 0 {
				s = append(s, '0'+empty)
				empty = 0
			}
			s = append(s, k.letter(c))
		}
		if empty > 0 {
			s = append(s, '0'+empty)
		}
		if rank > 0 {
			s = append(s, '/')
		}
	}
	s = append(s, ' ', "wb"[p.side&1], ' ')
	rights := len(s)
	for c := range Color(2) {
		kingSide, queenSide := p.Castling(c)
		if kingSide {
			s = append(s, King.letter(c))
		}
		if queenSide {
			s = append(s, Queen.letter(c))
		}
	}
	if len(s) == rights {
		s = append(s, '-')
	}
	s = append(s, ' ')
	if sq, ok := p.EnPassant(); ok {
		s = append(s, sq.String()...)
	} else {
		s = append(s, '-')
	}
	s = append(s, ' ')
	s = strconv.AppendUint(s, uint64(p.half), 10)
	s = append(s, ' ')
	s = strconv.AppendUint(s, uint64(p.full), 10)
	return string(s)
}
