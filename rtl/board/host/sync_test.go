package host

import (
	"context"
	"io"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/link/frame"
	"github.com/cosimate/cosimate/rtl/link/message"
)

// script is a board that answers each request for its position with the next of some messages.
type script struct {
	answers [][]any
	inbox   []any
	sent    []any
	done    context.CancelFunc // when all has been read
}

func (s *script) Send(_ context.Context, m frame.Message) error {
	v, err := message.Decode(m)
	s.sent = append(s.sent, v)
	if _, ok := v.(message.Request); ok && len(s.answers) > 0 {
		s.inbox, s.answers = append(s.inbox, s.answers[0]...), s.answers[1:]
	}
	return err
}

func (s *script) Receive(ctx context.Context) (frame.Message, error) {
	if len(s.inbox) == 0 {
		s.done()
		return frame.Message{}, ctx.Err()
	}
	v := s.inbox[0]
	s.inbox = s.inbox[1:]
	return message.Encode(v), nil
}

// A person who moves between the two messages of a position keeps the move: the board is asked
// again, and does not get the game before it.
func TestSessionMoveBetween(t *testing.T) {
	before := engine.StartPosition()
	var move engine.Move
	for _, m := range before.AppendMoves(nil) {
		if m.String() == "e2e4" {
			move = m
		}
	}
	after := before.Make(move)
	stateBefore, _ := message.Position(&before)
	stateAfter, squares := message.Position(&after)
	stateAfter.Last = encode(&before, move)
	for _, first := range [][]any{{stateBefore, stateAfter.Last, squares}, {stateBefore, squares, stateAfter.Last}} {
		ctx, cancel := context.WithCancel(t.Context())
		board := &script{done: cancel, answers: [][]any{first, {stateAfter, squares}}}
		s := Session{Game: NewGame(before), Opponent: &Opponent{}, Log: io.Discard}
		changed := 0
		s.Changed = func(*Game) { changed++ }
		if err := s.Run(ctx, board); err != nil {
			t.Fatal(err)
		}
		if moves := s.Game.Moves(); len(moves) != 1 || moves[0] != move || changed != 1 {
			t.Errorf("the game has %v, changed %d times", moves, changed)
		}
		for _, v := range board.sent {
			if _, ok := v.(message.State); ok {
				t.Errorf("the board got another game: %v", board.sent)
			}
		}
	}
}
