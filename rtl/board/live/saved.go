package live

import (
	"encoding/json"
	"fmt"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/board/host"
)

// saved is a session in a file: what the PC has on its disk, and the wooden pieces. What the board
// knew is lost, as with a real one; it gets the game from the PC.
type saved struct {
	Version int     `json:"version"`
	Play    Play    `json:"play"`
	PGN     string  `json:"pgn"`
	Pieces  []Piece `json:"pieces"`
	Faults  Faults  `json:"faults"`
}

// savedVersion is that of the form.
const savedVersion = 1

// Save returns what [Session.Restore] needs.
func (s *Session) Save() ([]byte, error) {
	g := s.pc.snapshot()
	return json.MarshalIndent(saved{savedVersion, s.play, string(g.pgn), s.pieces, s.faults}, "", " ")
}

// Restore goes on with what another session has saved. If that is of no use, nothing changes.
func (s *Session) Restore(data []byte) error {
	var f saved
	if err := json.Unmarshal(data, &f); err != nil {
		return fmt.Errorf("the saved board cannot be read: %w", err)
	}
	if f.Version != savedVersion {
		return fmt.Errorf("the saved board has version %d, and this program reads %d", f.Version, savedVersion)
	}
	if _, err := f.Play.sides(); err != nil {
		return fmt.Errorf("the saved board: %w", err)
	}
	g, err := host.ReadGame([]byte(f.PGN), "the saved game")
	if err != nil {
		return err
	}
	if err := check(f.Pieces); err != nil {
		return fmt.Errorf("the saved board: %w", err)
	}
	s.Begin(g, f.Play)
	s.Arrange(f.Pieces)
	s.SetFaults(f.Faults)
	return nil
}

// check returns an error if pieces cannot be so.
func check(pieces []Piece) error {
	if len(pieces) > most {
		return fmt.Errorf("%d pieces are more than the box has", len(pieces))
	}
	ids, squares, held := map[int]bool{}, map[Place]bool{}, 0
	for i := range pieces {
		p := &pieces[i]
		k, _ := p.kind()
		switch square, on := p.At.Square(); {
		case len(p.Kind) != 1 || k < engine.Pawn || k > engine.King:
			return fmt.Errorf("%q is no kind of piece", p.Kind)
		case p.ID < 0 || p.ID > 1<<30 || ids[p.ID]:
			return fmt.Errorf("piece %d is there twice, or has no number", p.ID)
		case on && squares[p.At]:
			return fmt.Errorf("two pieces are on %v", square)
		case p.At == Hand:
			if held++; held > 2 {
				return errHands
			}
		}
		ids[p.ID], squares[p.At] = true, true
	}
	return nil
}
