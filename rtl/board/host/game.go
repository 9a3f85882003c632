package host

import (
	"fmt"
	"strings"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/notation"
	"github.com/cosimate/cosimate/engine/rules"
)

// Game is a game in progress or at its end: its moves, its result by the FIDE Laws of Chess, offers
// of a draw, and clocks. Methods take the time of day from the caller; it must not go back.
type Game struct {
	Clock Clock

	record  notation.Game
	now     engine.Position
	places  map[rules.Key]int // how often each position has occurred
	offers  [2]bool           // of a draw, by side
	offered int               // moves made when a draw was offered last
	result  rules.Result
	cause   rules.Cause
}

// NewGame returns a game that begins at a position.
func NewGame(start engine.Position) *Game {
	g := &Game{record: notation.Game{Start: start}, now: start, places: map[rules.Key]int{}}
	g.record.SetTag("Event", "Casual game")
	g.judge()
	return g
}

// Position returns the position after all moves.
func (g *Game) Position() engine.Position { return g.now }

// Start returns the position before all moves.
func (g *Game) Start() engine.Position { return g.record.Start }

// Moves returns the moves made so far.
func (g *Game) Moves() []engine.Move { return g.record.Moves }

// Result returns how the game has ended: InPlay and NoCause if it goes on.
func (g *Game) Result() (rules.Result, rules.Cause) { return g.result, g.cause }

// Over reports whether the game has ended.
func (g *Game) Over() bool { return g.result != rules.InPlay }

// Offered reports whether a side's offer of a draw stands.
func (g *Game) Offered(side engine.Color) bool { return g.offers[side] }

// repeats reports whether after a legal move the position has occurred three times.
func (g *Game) repeats(m engine.Move) bool {
	next := g.now.Make(m)
	return g.places[rules.KeyOf(&next)] >= 2
}

// Claimable returns for what the side to move can claim a draw, or NoCause (FIDE 9.2, 9.3).
func (g *Game) Claimable() rules.Cause {
	threefold, fifty := rules.Claims(&g.now, g.places[rules.KeyOf(&g.now)])
	switch {
	case g.Over():
	case threefold:
		return rules.Threefold
	case fifty:
		return rules.Fifty
	}
	return rules.NoCause
}

// Outcome returns in words how the game has ended.
func (g *Game) Outcome() string { return fmt.Sprintf("%v, %s", g.result, g.cause.Words()) }

// Refusal is the error of what the rules forbid.
type Refusal struct {
	What   string       // what was refused, such as the move's text
	Reason rules.Reason // the board's code, or NoReason if it has none
	Why    string       // the reason in words, with the FIDE article
}

func (r *Refusal) Error() string { return r.What + ": " + r.Why }

// refuse returns a [Refusal] without a code.
func refuse(what, format string, args ...any) error {
	return &Refusal{What: what, Why: fmt.Sprintf(format, args...)}
}

// open returns a refusal if the game is over.
func (g *Game) open(what string) error {
	if g.Over() {
		return &Refusal{what, rules.GameOver, "the game is over: " + g.Outcome()}
	}
	return nil
}

// Play makes a move in any notation that [notation.Parse] reads. If the move is refused, the error
// is a [*Refusal].
func (g *Game) Play(text string, at time.Time) (engine.Move, error) {
	if g.Tick(at); g.Over() {
		return engine.Move{}, g.open(text)
	}
	m, err := notation.Parse(&g.now, text)
	if err != nil {
		return engine.Move{}, refusal(&g.now, err)
	}
	return m, g.Make(m, at)
}

// Make makes a legal move and presses the clock. If the game is over, the error is a [*Refusal].
func (g *Game) Make(m engine.Move, at time.Time) error {
	if g.Tick(at); g.Over() {
		return g.open(m.String())
	}
	side := g.now.SideToMove()
	g.record.Moves = append(g.record.Moves, m)
	g.now = g.now.Make(m)
	g.offers[side.Other()] = false // whoever moves rejects the opponent's offer (FIDE 9.1.2.1)
	g.judge()
	if g.Clock.press(side, at); g.Over() {
		g.Clock.Pause(at)
	}
	return nil
}

// judge ends the game if the position does.
func (g *Game) judge() {
	here := rules.KeyOf(&g.now)
	g.places[here]++
	if result, cause := rules.End(&g.now, g.places[here]); result != rules.InPlay {
		g.end(result, cause)
	}
}

func (g *Game) end(r rules.Result, c rules.Cause) {
	g.result, g.cause = r, c
	g.offers = [2]bool{}
}

// Undo takes back the last moves, so many. A game that these have ended goes on, and one that was
// resigned or agreed to be drawn. Time that has been used stays used, but if no move is left it is
// as before the first.
func (g *Game) Undo(moves int, at time.Time) error {
	g.Tick(at)
	left := len(g.record.Moves) - moves
	switch {
	case left < 0:
		return refuse("undo", "no move has been made: make one first, as with e4")
	case g.cause == rules.Time || g.cause == rules.TimeNoMate:
		return refuse("undo", "the game ended on time: restart begins it anew")
	}
	again := NewGame(g.record.Start)
	for _, m := range g.record.Moves[:left] {
		again.record.Moves = append(again.record.Moves, m)
		again.now = again.now.Make(m)
		again.judge()
	}
	again.record.Tags, again.Clock = g.record.Tags, g.Clock
	switch {
	case left == 0:
		again.Clock.Set(g.Clock.Base, g.Clock.Increment)
	case g.Clock.Running():
		again.Clock.Run(again.now.SideToMove(), at)
	}
	*g = *again
	return nil
}

// Tick ends the game if a flag has fallen.
func (g *Game) Tick(at time.Time) {
	side, fallen := g.Clock.fallen(at)
	if g.Over() || !fallen {
		return
	}
	g.Clock.Pause(at)
	g.end(rules.FlagFall(&g.now, side))
}

// Resign ends the game: the side loses.
func (g *Game) Resign(side engine.Color, at time.Time) error {
	g.Tick(at)
	if err := g.open("resign"); err != nil {
		return err
	}
	g.Clock.Pause(at)
	g.end(rules.Win(side.Other()), rules.Resignation)
	return nil
}

// Draw asks for a draw on behalf of a side. It is a claim if the side is to move and can claim one,
// an acceptance if the opponent has offered one, and otherwise an offer. An offer stands until the
// opponent moves.
func (g *Game) Draw(side engine.Color, at time.Time) error {
	g.Tick(at)
	if err := g.open("draw"); err != nil {
		return err
	}
	claim := g.Claimable()
	switch {
	case claim != rules.NoCause && side == g.now.SideToMove():
		g.end(rules.Draw, claim)
	case g.offers[side.Other()]:
		g.end(rules.Draw, rules.Agreement)
	case g.offers[side]:
		return refuse("draw", "the offer of %v stands already", side)
	default:
		g.offers[side], g.offered = true, len(g.record.Moves)
		return nil
	}
	g.Clock.Pause(at)
	return nil
}

// Finish ends the game with the result that the board reports.
func (g *Game) Finish(r rules.Result, c rules.Cause, at time.Time) {
	if !g.Over() && r != rules.InPlay {
		g.Clock.Pause(at)
		g.end(r, c)
	}
}

// endingTag is the tag for what ended the game. The standard has none.
const endingTag = "Ending"

// PGN returns the game as it is saved. The clocks are in the tags TimeControl, WhiteClock and
// BlackClock; the cause of the end is in Ending.
func (g *Game) PGN(at time.Time) []byte {
	g.record.Result = g.result.PGN()
	g.record.SetTag(endingTag, g.cause.Words())
	termination := map[bool]string{true: "normal", false: "unterminated"}[g.Over()]
	if g.cause == rules.Time || g.cause == rules.TimeNoMate {
		termination = "time forfeit"
	}
	g.record.SetTag("Termination", termination)
	g.Clock.save(&g.record, at)
	return g.record.AppendPGN(nil)
}

// ReadGame reads a game from the content of a PGN file. The name is for errors. If the file has
// several games, it is the first. The clocks do not run.
func ReadGame(pgn []byte, name string) (*Game, error) {
	records, err := notation.ReadPGN(strings.NewReader(string(pgn)), name)
	if err != nil {
		return nil, err
	}
	r := records[0]
	g := NewGame(r.Start)
	g.record.Tags = r.Tags
	for i, m := range r.Moves {
		if g.Over() {
			return nil, fmt.Errorf("%s: the game goes on after move %d, with which it ends: %s", name, i, g.Outcome())
		}
		if err := g.Make(m, time.Time{}); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := g.Clock.load(&r); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if g.Over() {
		return g, nil
	}
	for result := rules.WhiteWins; result <= rules.Draw; result++ {
		if r.Result != result.PGN() {
			continue
		}
		cause, ok := rules.CauseOf(r.Tag(endingTag))
		switch {
		case ok:
		case result == rules.Draw: // another program's game; these causes are the likeliest
			cause = rules.Agreement
		default:
			cause = rules.Resignation
		}
		g.end(result, cause)
	}
	return g, nil
}
