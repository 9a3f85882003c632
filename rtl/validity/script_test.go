package validity_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/validity"
)

// scene is a piece of a script in testdata: what is done on a board, and what must come of it.
//
//	# its name
//	position FEN                          (without it: the start position)
//	lift e2, place e4 -> move e2e4, turn
//
// A scene starts with the pieces set up. What is done is held until it is decided on. It is one of
//
//	lift SQUARES, place SQUARES           together; after "brief" only until it is believed
//	glitch SQUARES                        one scan reads them wrong
//	wait, wait long                       long enough for what may be half of castling
//	white remote, black remote, by hand   who moves how, from now on
//	remote MOVE, replay MOVE              MOVE is as e7e8q
//	choose PIECE, choose nothing          what a pawn becomes
//	resign, draw, claim, flag SIDE
//	load, reset                           the position given, or the start position, once more
//
// and what must come of it some of
//
//	move MOVE, accepted, answer REASON, refused     in this order, and no others
//	turn, moving, promotion, over RESULT by CAUSE
//	set-up SQUARES, illegal REASON: SQUARES         just these are to be restored
//	warning                                         only if it is there
//	shows WHAT SQUARE SQUARE, check, no check, offer SIDE, may claim CAUSE, at FEN
type scene struct {
	file, name string
	line       int
	position   engine.Position
	steps      []sceneStep
}

type sceneStep struct {
	line        int
	acts, wants []string
}

// scenes reads a script.
func scenes(t testing.TB, file string) []scene {
	t.Helper()
	path := filepath.Join("testdata", file)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []scene
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		name, isName := strings.CutPrefix(text, "# ")
		fen, isPosition := strings.CutPrefix(text, "position ")
		switch {
		case text == "":
		case isName:
			all = append(all, scene{file: path, name: name, line: n, position: start})
		case len(all) == 0:
			t.Fatalf("%s:%d: a scene begins with # and its name", path, n)
		case isPosition:
			p, err := engine.ParseFEN(fen)
			if err != nil {
				t.Fatalf("%s:%d: %v", path, n, err)
			}
			all[len(all)-1].position = p
		default:
			acts, wants, ok := strings.Cut(text, "->")
			if !ok {
				t.Fatalf("%s:%d: want what is done -> what must come of it", path, n)
			}
			s := &all[len(all)-1]
			s.steps = append(s.steps, sceneStep{n, list(acts), list(wants)})
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

func list(text string) []string {
	var items []string
	for _, item := range strings.Split(text, ",") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}

// play acts a scene at a new bench. It is an error if something else comes of it than must.
func (s *scene) play(times validity.Times) (*bench, error) {
	b := newBench(times)
	b.setUp(&s.position)
	for _, step := range s.steps {
		b.events = nil
		for _, act := range step.acts {
			if err := s.act(b, act); err != nil {
				return b, fmt.Errorf("%s:%d: %s: %w", s.file, step.line, act, err)
			}
		}
		if err := s.check(b, step.wants); err != nil {
			return b, fmt.Errorf("%s:%d: %s, after %s:\n%w", s.file, step.line, s.name, strings.Join(step.acts, ", "), err)
		}
	}
	return b, nil
}

func (s *scene) act(b *bench, act string) error {
	word, rest, _ := strings.Cut(act, " ")
	scans := b.stable()
	if word == "brief" {
		scans = believed
		word, rest, _ = strings.Cut(rest, " ")
	}
	switch word {
	case "lift", "place":
		squares, err := parseSquares(rest)
		if err != nil {
			return err
		}
		if word == "lift" && squares&^b.occupied != 0 || word == "place" && squares&b.occupied != 0 {
			return fmt.Errorf("there is no piece to lift, or no place")
		}
		b.occupied ^= squares
		b.hold(scans)
	case "glitch":
		squares, err := parseSquares(rest)
		if err != nil {
			return err
		}
		b.scan(squares)
		b.hold(scans)
	case "wait":
		if rest == "long" {
			scans = b.settled()
		}
		b.hold(scans)
	case "remote", "replay":
		m, err := parseMove(rest)
		if err != nil {
			return err
		}
		b.remote(m, word == "replay")
		b.hold(1)
	case "white", "black", "by":
		switch act {
		case "white remote":
			b.levels.Remote |= 1
		case "black remote":
			b.levels.Remote |= 2
		default:
			b.levels.Remote = 0
		}
	case "choose":
		b.levels.Promotion = uint8(slices.Index(kinds, rest))
		b.hold(1)
	case "resign", "draw", "claim", "flag":
		side := uint8(1 + slices.Index([]string{"white", "black"}, rest))
		in := map[string]validity.In{"resign": {Resign: side}, "draw": {Draw: side}, "claim": {Claim: side}, "flag": {Flag: side}}[word]
		b.cycle(in)
		b.settle()
	case "load":
		b.load(&s.position)
		b.hold(b.stable())
	case "reset":
		b.cycle(validity.In{Rst: true})
		b.hold(scans)
	default:
		return fmt.Errorf("this is nothing to do")
	}
	return nil
}

var kinds = []string{"nothing", "pawn", "knight", "bishop", "rook", "queen", "king"}

// check compares what came of a step with what must.
func (s *scene) check(b *bench, wants []string) error {
	o := &b.out
	var due []string // what must happen
	warning := false
	for _, want := range wants {
		word, _, _ := strings.Cut(want, " ")
		got := want
		switch word {
		case "move", "accepted", "answer", "refused":
			due = append(due, want)
			continue
		case "warning":
			warning = true
		case "turn", "moving", "promotion":
			got = o.State.String()
		case "over":
			got = fmt.Sprintf("%v %v by %v", o.State, o.Result, o.Cause)
		case "set-up":
			got = fmt.Sprintf("%v %v", o.State, names(o.Restore))
		case "illegal":
			got = fmt.Sprintf("%v %v: %v", o.State, o.Reason, names(o.Restore))
		case "shows":
			got = fmt.Sprintf("shows %v", o.Show)
			switch o.Show {
			case validity.ShowMove:
				got += fmt.Sprintf(" %v %v", engine.Square(o.ShowFrom), engine.Square(o.ShowTo))
			case validity.ShowCheck, validity.ShowPromotion:
				got += fmt.Sprintf(" %v", engine.Square(o.ShowFrom))
			}
		case "check", "no":
			if got = "check"; !o.Check {
				got = "no check"
			}
		case "offer":
			got = "offer " + []string{"by nobody", "white", "black", "both"}[o.Offer]
		case "may":
			got = "may claim"
			if o.Threefold {
				got += " threefold repetition"
			}
			if o.Fifty {
				got += " fifty moves"
			}
			if !o.Threefold && !o.Fifty {
				got += " nothing"
			}
		case "at":
			got = "at " + o.FEN()
		default:
			return fmt.Errorf("%q cannot come of anything", want)
		}
		if got != want {
			return fmt.Errorf("%s, want %s\nit is %v\n%s", got, want, o.State, board(o))
		}
	}
	if got, want := strings.Join(b.events, ", "), strings.Join(due, ", "); got != want {
		return fmt.Errorf("happened: %q, want %q\nit is %v, %v\n%s", got, want, o.State, o.Reason, board(o))
	}
	if o.Warning != warning {
		return fmt.Errorf("warning is %v, want %v", o.Warning, warning)
	}
	return nil
}

// board is the position as a diagram.
func board(o *validity.Out) string {
	p, err := o.Setup().Position()
	if err != nil {
		return o.FEN()
	}
	return p.FEN() + "\n" + p.Board()
}

func parseSquares(text string) (squares uint64, err error) {
	for _, name := range strings.Fields(text) {
		s, err := engine.ParseSquare(name)
		if err != nil {
			return 0, err
		}
		squares |= 1 << s
	}
	return squares, nil
}

func names(squares uint64) string {
	var s []string
	for n := range engine.Square(64) {
		if squares>>n&1 != 0 {
			s = append(s, n.String())
		}
	}
	return strings.Join(s, " ")
}

// parseMove reads a move as "e7e8q".
func parseMove(text string) (m engine.Move, err error) {
	if len(text) < 4 {
		return m, fmt.Errorf("%q is no move", text)
	}
	if m.From, err = engine.ParseSquare(text[:2]); err != nil {
		return m, err
	}
	if m.To, err = engine.ParseSquare(text[2:4]); err != nil {
		return m, err
	}
	if text[4:] != "" {
		m.Promotion = engine.Piece(1 + strings.Index("pnbrqk", text[4:]))
	}
	return m, nil
}
