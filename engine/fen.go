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

// castlingOrder are the letters of the castling rights. A right's place here is its bit in
// [Setup.Castling].
const castlingOrder = "KQkq"

// fenParser reads one record.
type fenParser struct {
	field [6]string
	start [6]int // byte offsets of the fields

	where [64]int // byte offsets of the pieces, by square
	setup Setup
}

func (f *fenParser) fault(field, offset int, mend, problem string, args ...any) *FENError {
	return &FENError{fenFields[field], f.start[field] + offset, fmt.Sprintf(problem, args...), mend}
}

// ParseFEN reads a position in Forsyth-Edwards notation: all six fields, one
// space between them. It accepts only what can be a chess position: what it
// refuses with a [*FENError] no game can reach. It does not find every such
// position.
func ParseFEN(s string) (Position, error) {
	var f fenParser
	for _, step := range []func() *FENError{
		func() *FENError { return f.split(s) },
		f.placement, f.sideToMove, f.castlingRights, f.enPassant, f.counters,
	} {
		if err := step(); err != nil {
			return Position{}, err
		}
	}
	p, err := f.setup.position()
	if err != nil {
		return Position{}, f.fault(err.field, f.offset(err), err.Mend, "%s", err.Problem)
	}
	return p, nil
}

// offset returns the byte of its field that a fault of the setup is at.
func (f *fenParser) offset(e *SetupError) (offset int) {
	switch e.field {
	case 0: // the last of the pieces at fault
		if e.at == 0 {
			return len(f.field[0])
		}
		for set := e.at; set != 0; set &= set - 1 {
			offset = max(offset, f.where[first(set)])
		}
	case 2:
		return strings.IndexByte(f.field[2], castlingOrder[bits.TrailingZeros64(e.at)])
	case 3: // the letter, or the digit if the rank is wrong
		if first(e.at)>>3 != Square(5-3*f.setup.SideToMove) {
			return 1
		}
	}
	return offset
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
			f.where[sq] = i
			f.setup.Put(k, c, sq)
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

func (f *fenParser) sideToMove() *FENError {
	switch f.field[1] {
	case "w":
		return nil
	case "b":
		f.setup.SideToMove = Black
		return nil
	}
	return f.fault(1, 0, "write w or b", "%.20q is no side", f.field[1])
}

func (f *fenParser) castlingRights() *FENError {
	text := f.field[2]
	if text == "-" {
		return nil
	}
	next := 0
	for i := range len(text) {
		right := strings.IndexByte(castlingOrder, text[i])
		if right < 0 {
			return f.fault(2, i, "write - or some of KQkq, in this order", "%s is no castling right", printable(text[i:]))
		}
		if right < next {
			return f.fault(2, i, "write - or some of KQkq, in this order", "%q is repeated or out of order", text[i])
		}
		next = right + 1
		f.setup.Castling |= 1 << right
	}
	return nil
}

func (f *fenParser) enPassant() *FENError {
	text := f.field[3]
	if text == "-" {
		return nil
	}
	sq, err := ParseSquare(text)
	if err != nil {
		return f.fault(3, 0, enPassantMend, "%.20q is no square", text)
	}
	f.setup.EnPassant = 1 << sq
	return nil
}

func (f *fenParser) counters() (fault *FENError) {
	if f.setup.Halfmove, fault = f.counter(4); fault != nil {
		return fault
	}
	f.setup.Fullmove, fault = f.counter(5)
	return fault
}

// counter reads a number. Whether it is too small is not looked at here.
func (f *fenParser) counter(field int) (int, *FENError) {
	text := f.field[field]
	n, err := strconv.ParseUint(text, 10, 16)
	switch {
	case errors.Is(err, strconv.ErrSyntax):
		return 0, f.fault(field, 0, counterMend(field), "%.20q is no such number", text)
	case err != nil:
		return 0, f.fault(field, 0, counterMend(field), "%.20s is out of range", text)
	case len(text) > 1 && text[0] == '0':
		return 0, f.fault(field, 0, counterMend(field), "%.20s has a leading zero", text)
	}
	return int(n), nil
}

// FEN returns the position in Forsyth-Edwards notation, six fields.
func (p *Position) FEN() string { return p.Setup().FEN() }
