package live

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/notation"
	"github.com/cosimate/cosimate/rtl/board/touch"
)

// dwellScans is for how many scans, at least, a hand leaves things as they are: one for the sensor
// to come to rest, one that is under way, two that agree, and one to spare. A hand is much slower
// than that, but the simulation may be slower than a hand.
const dwellScans = 5

// touch has a hand do something to the sensors, when it has done what it was about to do.
func (s *Session) touch(do func()) {
	now := max(s.cycle, s.free)
	s.hands.add(now, 0, do)
	s.free = s.hands[len(s.hands)-1].at + uint64(dwellScans*s.Times().period())
}

// piece finds a piece.
func (s *Session) piece(id int) (*Piece, error) {
	for i := range s.pieces {
		if s.pieces[i].ID == id {
			return &s.pieces[i], nil
		}
	}
	return nil, fmt.Errorf("there is no piece %d: the page is out of date", id)
}

// On returns the piece on a square, or nil.
func (s *Session) On(sq engine.Square) *Piece {
	for i := range s.pieces {
		if s.pieces[i].At == Place(sq) {
			return &s.pieces[i]
		}
	}
	return nil
}

// held is how many pieces are in hand.
func (s *Session) held() (n int) {
	for i := range s.pieces {
		if s.pieces[i].At == Hand {
			n++
		}
	}
	return n
}

// errHands is for a third piece.
var errHands = errors.New("both hands are full: put a piece down first")

// Move has a hand take a piece to another place: to [Hand] lifts it. A piece that is on the square
// where it is put down is taken away first, and is beside the board then.
func (s *Session) Move(id int, to Place) error {
	p, err := s.piece(id)
	if err != nil {
		return err
	}
	if p.At == to && !p.Lying {
		return nil
	}
	if p.At != Hand && s.held() == 2 {
		return errHands
	}
	s.take(p)
	p.At = to
	square, ok := to.Square()
	if !ok {
		return nil
	}
	for i := range s.pieces {
		if other := &s.pieces[i]; other.At == to && other.ID != id {
			s.take(other)
			other.At = Beside
		}
	}
	s.touch(func() { s.sensors.Place(int(square)) })
	return nil
}

// take lifts a piece.
func (s *Session) take(p *Piece) {
	if square, ok := p.At.Square(); ok && !p.Lying {
		s.touch(func() { s.sensors.Lift(int(square)) })
	}
	p.Lying, p.At = false, Hand
}

// Knock knocks a piece over. It lies where it stood, and its sensor does not see it.
func (s *Session) Knock(id int) error {
	p, err := s.piece(id)
	if err != nil {
		return err
	}
	square, ok := p.At.Square()
	if !ok || p.Lying {
		return fmt.Errorf("the %s stands on no square: only a piece that stands can be knocked over", p.name())
	}
	p.Lying = true
	s.touch(func() { s.sensors.Lift(int(square)) })
	return nil
}

// Add takes another piece from the box, beside the board.
func (s *Session) Add(kind string) (Piece, error) {
	if len(kind) != 1 || !strings.Contains("PNBRQKpnbrqk", kind) {
		return Piece{}, fmt.Errorf("%q is no kind of piece: FEN's letters are PNBRQK and pnbrqk", kind)
	}
	if len(s.pieces) >= most {
		return Piece{}, fmt.Errorf("the box is empty: there are %d pieces already", most)
	}
	p := Piece{ID: s.nextID, Kind: kind, At: Beside}
	s.nextID++
	s.pieces = append(s.pieces, p)
	return p, nil
}

// Remove puts a piece back into the box. It must be off the board.
func (s *Session) Remove(id int) error {
	p, err := s.piece(id)
	if err != nil {
		return err
	}
	if _, on := p.At.Square(); on {
		return fmt.Errorf("the %s is on the board: take it off first", p.name())
	}
	s.pieces = slices.DeleteFunc(s.pieces, func(p Piece) bool { return p.ID == id })
	return nil
}

// Carry has the hand carry out a move that is written down. A legal move is carried out in full:
// with the rook in castling, and with the button for what a pawn becomes. Anything else is from one
// square to another, "e2e5", and is done as it is written.
func (s *Session) Carry(text string) error {
	text = strings.TrimSpace(text)
	game := s.pc.snapshot()
	p := game.position()
	m, err := notation.Parse(&p, text)
	if err == nil {
		return s.carry(m)
	}
	if len(text) == 4 {
		from, bad := engine.ParseSquare(text[:2])
		to, bad2 := engine.ParseSquare(text[2:])
		if bad == nil && bad2 == nil {
			piece := s.On(from)
			if piece == nil {
				return fmt.Errorf("no piece is on %v", from)
			}
			return s.Move(piece.ID, Place(to))
		}
	}
	return fmt.Errorf("%w; to do it nevertheless, write both squares, as in e2e5", err)
}

// carry carries out a legal move, in the first of its orders.
func (s *Session) carry(m engine.Move) error {
	order := touch.Orders(m)[0]
	for _, a := range order {
		if !a.Place && s.On(a.Square) == nil {
			return fmt.Errorf("no piece is on %v: the board does not stand as the game does", a.Square)
		}
	}
	if s.held() > 0 {
		return errors.New("a piece is in hand: put it down first")
	}
	var held []*Piece
	for _, a := range order {
		at := Place(a.Square)
		if !a.Place {
			p := s.On(a.Square)
			s.take(p)
			held = append(held, p)
			continue
		}
		// What was lifted first is the own piece; a captured one stays beside the board.
		p := held[0]
		if m.Castling && at != Place(m.To) {
			p = held[len(held)-1]
		}
		held = slices.DeleteFunc(held, func(h *Piece) bool { return h == p })
		if err := s.Move(p.ID, at); err != nil {
			return err
		}
	}
	for _, p := range held {
		p.At = Beside
	}
	if button, ok := buttonFor(m.Promotion); ok {
		// The board asks when the pawn rests.
		rest := uint64((dwellScans + s.Times().Params.StableScans + 4) * s.Times().period())
		s.hands.add(s.cycle, rest, func() { s.Press(button) })
	}
	return nil
}

// Button is one of the buttons of the FPGA board.
type Button string

// The buttons.
const (
	ClockButton  Button = "clock"
	QueenButton  Button = "queen"
	RookButton   Button = "rook"
	BishopButton Button = "bishop"
	KnightButton Button = "knight"
	ResetButton  Button = "reset"
)

// Buttons are all of them.
var Buttons = []Button{ClockButton, QueenButton, RookButton, BishopButton, KnightButton, ResetButton}

// buttonFor returns the button that says what a pawn becomes.
func buttonFor(k engine.Piece) (Button, bool) {
	b, ok := map[engine.Piece]Button{engine.Queen: QueenButton, engine.Rook: RookButton, engine.Bishop: BishopButton, engine.Knight: KnightButton}[k]
	return b, ok
}

// Press has a finger press a button for twice the time that the board wants, and release it for as
// long.
func (s *Session) Press(b Button) error {
	if !slices.Contains(Buttons, b) {
		return fmt.Errorf("there is no button %q: there are %v", b, Buttons)
	}
	if b == ResetButton {
		s.reset(uint64(s.Times().period()))
		return nil
	}
	hold := uint64(2 * s.Times().Params.ButtonCycles)
	s.finger(0, func() { s.pressed[b] = true })
	s.finger(hold, func() { s.pressed[b] = false })
	s.finger(hold, func() {})
	return nil
}

// finger has a finger do something so long after what it does before, and sets the pins.
func (s *Session) finger(wait uint64, do func()) {
	s.fingers.add(s.cycle, wait, func() { do(); s.push() })
}

// push sets the pins of the buttons.
func (s *Session) push() {
	s.in.Clock = s.pressed[ClockButton]
	s.in.Promotion = 0
	for i, b := range []Button{QueenButton, RookButton, BishopButton, KnightButton} {
		if s.pressed[b] {
			s.in.Promotion |= 1 << i
		}
	}
	s.in.RstN = !s.pressed[ResetButton] && !s.off
}

// reset holds the reset button for so many cycles.
func (s *Session) reset(cycles uint64) {
	s.finger(0, func() { s.pressed[ResetButton] = true })
	s.finger(cycles, func() { s.pressed[ResetButton] = false })
}

// Switch sets a switch: the moves of a side come over the parallel lines.
func (s *Session) Switch(side engine.Color, on bool) {
	s.in.LinesPlay &^= 1 << side
	if on {
		s.in.LinesPlay |= 1 << side
	}
}
