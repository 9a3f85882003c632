package search

import "time"

// Clock is what a player's clock shows. The zero Clock is none.
type Clock struct {
	Left      time.Duration
	Increment time.Duration // added after each move
	MovesToGo int           // to the next time control; 0: all moves of the game
	Overhead  time.Duration // between the decision and the press of the clock
}

// budget returns the time after which no new iteration begins, and the time after which the search
// ends in any case. Both are 0 without a clock.
func (c Clock) budget() (soft, hard time.Duration) {
	if c == (Clock{}) {
		return 0, 0
	}
	left := max(c.Left-c.Overhead, time.Millisecond)
	moves := time.Duration(c.MovesToGo)
	if moves == 0 || moves > 30 {
		moves = 30
	}
	share := left/moves + c.Increment*3/4
	// Half of the share is when an iteration is not begun any more: it would take longer than all
	// before it. One that is under way may take the double.
	soft = min(share*6/10, left*8/10)
	hard = min(share*3, left*8/10)
	if moves == 1 {
		hard = left * 9 / 10
	}
	return max(soft, time.Millisecond), max(hard, time.Millisecond)
}
