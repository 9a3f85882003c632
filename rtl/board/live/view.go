package live

import (
	"math"
	"slices"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/validity"
)

// View is what a person sees of a [Session], as the page gets it.
type View struct {
	Pieces []Piece  `json:"pieces"`
	LEDs   [64]int  `json:"leds"` // for which share of the time each is lit, by the pins: 1000 if always
	Busy   bool     `json:"busy"` // a hand is at work
	Board  Board    `json:"board"`
	Rules  Verdict  `json:"rules"`
	Game   Game     `json:"game"`
	Clock  Clocks   `json:"clock"`
	PC     Computer `json:"pc"`
	Faults Faults   `json:"faults"`
	Times  string   `json:"times"`
}

// Board is the FPGA board: its lights, buttons and lines.
type Board struct {
	On        bool     `json:"on"`
	Upper     uint16   `json:"upper"`   // lights: squares a7 to h8
	Corners   uint8    `json:"corners"` // a1, h1
	Illegal   bool     `json:"illegal"`
	Warning   bool     `json:"warning"`
	Pressed   []Button `json:"pressed"`
	LinesPlay uint8    `json:"linesPlay"` // switches
	Lines     uint8    `json:"lines"`     // the seven parallel lines
}

// Game is the game as the PC knows it, and the RTL's position beside it.
type Game struct {
	Moves   []string `json:"moves"` // SAN
	Start   string   `json:"start"` // FEN
	FEN     string   `json:"fen"`
	RTL     string   `json:"rtl"`    // FEN of the RTL's position
	Agree   bool     `json:"agree"`  // both are the same
	Turn    string   `json:"turn"`   // white, black
	Result  string   `json:"result"` // 1-0, 0-1, 1/2-1/2 or *
	Outcome string   `json:"outcome"`
	Play    Play     `json:"play"`
}

// Clocks are the chess clock's times, as the RTL has them.
type Clocks struct {
	White string `json:"white"`
	Black string `json:"black"`
	State string `json:"state"`
	Turn  string `json:"turn"`
}

// Computer is what the PC's program says.
type Computer struct {
	Up   bool     `json:"up"`   // it hears the board
	Log  []string `json:"log"`  // the last lines
	Last int      `json:"last"` // number of the last line
}

// View returns what a person sees now.
func (s *Session) View() (View, error) {
	g, err := s.Signals()
	if err != nil {
		return View{}, err
	}
	game := s.pc.snapshot()
	p := game.position()
	v := View{
		Pieces: append([]Piece{}, s.pieces...), Busy: s.Busy(), Faults: s.faults, Times: s.Times().Name,
		Board: Board{
			On: !s.off && s.machine != nil, Upper: s.out.UpperRanks, Corners: s.out.Corners, Illegal: s.out.Illegal,
			Warning: s.out.Warning, Pressed: []Button{}, LinesPlay: s.in.LinesPlay, Lines: s.in.Lines,
		},
		Game: Game{
			Moves: game.names, Start: game.start.FEN(), FEN: p.FEN(), RTL: g.Position.FEN(), Agree: g.Position == p.Setup(),
			Turn: p.SideToMove().String(), Result: game.result.PGN(), Play: s.play,
		},
		Clock: Clocks{
			White: g.White.String(), Black: g.Black.String(), Turn: g.ClockTurn.String(),
			State: [...]string{"ready", "running", "paused", "over"}[g.ClockState&3],
		},
	}
	if v.Game.Agree && g.State != validity.SetUp {
		s.pc.agree()
	}
	if game.result != rules.InPlay {
		v.Game.Outcome = game.result.String() + ", " + game.cause.Words()
	}
	for n, d := range s.eye.duty() {
		v.LEDs[n] = int(math.Round(1000 * d))
	}
	for _, b := range Buttons {
		if s.pressed[b] {
			v.Board.Pressed = append(v.Board.Pressed, b)
		}
	}
	v.Rules = s.judge(&g, &p)
	v.PC.Log, v.PC.Last = s.pc.said()
	v.PC.Up = s.pc.up(s.cycle)
	return v, nil
}

// Heard returns what went over the serial lines after the n-th thing, as far as it is remembered.
func (s *Session) Heard(n int) []Heard {
	first := s.wires.n - len(s.wires.heard)
	return slices.Clone(s.wires.heard[min(max(n-first, 0), len(s.wires.heard)):])
}

// Reference returns the position of the PC's game.
func (s *Session) Reference() engine.Position {
	g := s.pc.snapshot()
	return g.position()
}
