package live

import (
	"fmt"
	"math/bits"
	"regexp"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/validity"
)

// Verdict is what the validity FSM makes of the board, in words.
type Verdict struct {
	State   string   `json:"state"`   // of the FSM: turn, moving, illegal, ...
	Title   string   `json:"title"`   // what is to be done, in a few words
	Text    string   `json:"text"`    // more of it; the reason of a refusal, with the FIDE article
	Mend    []string `json:"mend"`    // what must be put right, a sentence for each square
	Squares Squares  `json:"squares"` // where
	Show    string   `json:"show"`    // what the LEDs are told to show
	Choose  bool     `json:"choose"`  // a button is to say what a pawn becomes
	Illegal bool     `json:"illegal"`
}

// judge says in words what the RTL's signals mean for the person. p is the game's position.
func (s *Session) judge(g *Signals, p *engine.Position) Verdict {
	v := Verdict{State: g.State.String(), Show: g.Show.String(), Mend: []string{}}
	if s.machine == nil || s.off {
		v.State, v.Title = "off", "The board is off"
		v.Text = "Without power it knows nothing. Switched on, it gets the game from the PC."
		if s.machine == nil {
			v.Title, v.Text = "The board is being built", "Its RTL is compiled, once for each version of it."
		}
		return v
	}
	side := title(p.SideToMove().String())
	switch g.State {
	case validity.SetUp:
		v.Title, v.Squares = "Set up the pieces", g.Restore
		v.Text = "The squares whose LEDs blink are not as the game has them."
	case validity.Turn:
		v.Title, v.Text = side+" to move", "Lift a piece and put it down."
		switch g.Show {
		case validity.ShowMove:
			v.Title = fmt.Sprintf("Carry out %v to %v for %s", g.ShowFrom, g.ShowTo, side)
			v.Text = "Its two squares blink in turn until it has been carried out."
		case validity.ShowCheck:
			v.Text = fmt.Sprintf("The king on %v is in check: its square is lit.", g.ShowFrom)
		}
	case validity.Moving:
		v.Title = side + " moves"
		v.Text = "Something is up. Nothing is decided until it rests."
		if g.Show == validity.ShowMove {
			v.Title = fmt.Sprintf("Carry out %v to %v for %s", g.ShowFrom, g.ShowTo, side)
		}
	case validity.Promotion:
		v.Title, v.Choose = fmt.Sprintf("The pawn on %v becomes what?", g.ShowFrom), true
		v.Text = "Press a button: up queen, right rook, left bishop, down knight."
	case validity.Illegal:
		v.Illegal, v.Squares = true, g.Restore
		v.Title, v.Text = s.refusal(g.Reason, p)
	case validity.Over:
		v.Title = title(g.Result.String())
		v.Text = title(g.Cause.Words()) + "."
	}
	if v.Squares != 0 {
		v.Mend = s.mends(v.Squares, p)
	}
	return v
}

// article finds the FIDE article in the words of a reason.
var article = regexp.MustCompile(`\(FIDE [^)]*\)`)

// refusal says why what was done is refused. Which piece was moved from where to where the board
// does not say, but a person who looks at it can tell.
func (s *Session) refusal(r rules.Reason, p *engine.Position) (short, long string) {
	short = "Illegal: " + r.String()
	if from, to, ok := s.attempt(p); ok {
		return short, title(r.Explain(p, from, to)) + "."
	}
	long = r.Explain(p, 0, 0)
	if where := article.FindString(long); where != "" {
		return short, title(r.String()) + " " + where + "."
	}
	return short, title(long) + "."
}

// attempt finds the piece that stands where the position has another one or none, and where it
// came from. The side to move goes first.
func (s *Session) attempt(p *engine.Position) (from, to engine.Square, ok bool) {
	for _, side := range []engine.Color{p.SideToMove(), p.SideToMove().Other()} {
		for i := range s.pieces {
			piece := &s.pieces[i]
			k, c := piece.kind()
			at, on := piece.At.Square()
			if !on || c != side || piece.Lying {
				continue
			}
			if here, color := p.PieceAt(at); here == k && color == c {
				continue
			}
			for n := range engine.Square(64) {
				if here, color := p.PieceAt(n); here == k && color == c && !s.has(n, k, c) {
					return n, at, true
				}
			}
		}
	}
	return 0, 0, false
}

// has reports whether such a piece stands on a square.
func (s *Session) has(n engine.Square, k engine.Piece, c engine.Color) bool {
	piece := s.On(n)
	if piece == nil || piece.Lying {
		return false
	}
	kind, color := piece.kind()
	return kind == k && color == c
}

// wrong returns the squares on which the pieces are not as a position has them.
func (s *Session) wrong(p *engine.Position) (squares []engine.Square) {
	for n := range engine.Square(64) {
		k, c := p.PieceAt(n)
		if k == engine.NoPiece && s.On(n) != nil || k != engine.NoPiece && !s.has(n, k, c) {
			squares = append(squares, n)
		}
	}
	return squares
}

// mends says for each of the squares what is to be done there.
func (s *Session) mends(squares Squares, p *engine.Position) (mends []string) {
	for ; squares != 0; squares &= squares - 1 {
		n := engine.Square(bits.TrailingZeros64(uint64(squares)))
		k, c := p.PieceAt(n)
		on := s.On(n)
		switch {
		case k != engine.NoPiece && on != nil && on.Lying && s.lies(n, k, c):
			mends = append(mends, fmt.Sprintf("Stand the %v %v on %v up", c, k, n))
		case k != engine.NoPiece && s.has(n, k, c):
			mends = append(mends, fmt.Sprintf("%v should hold its piece, and the sensor does not see it", n))
		case k != engine.NoPiece:
			mends = append(mends, fmt.Sprintf("Put the %v %v on %v", c, k, n))
		case on != nil:
			mends = append(mends, fmt.Sprintf("Take the %s off %v", on.name(), n))
		default:
			mends = append(mends, fmt.Sprintf("%v should be empty, and the sensor sees something", n))
		}
	}
	return mends
}

// lies reports whether such a piece is on a square, standing or not.
func (s *Session) lies(n engine.Square, k engine.Piece, c engine.Color) bool {
	kind, color := s.On(n).kind()
	return kind == k && color == c
}

// title begins a text with a capital.
func title(text string) string {
	if text == "" || text[0] < 'a' || text[0] > 'z' {
		return text
	}
	return string(text[0]-'a'+'A') + text[1:]
}
