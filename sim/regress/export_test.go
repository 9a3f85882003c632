package regress

import "time"

// Idle sets after what time without a model the compiling of models ahead ends a test, and returns
// what it was.
func Idle(d time.Duration) (was time.Duration) {
	was, idle = idle, d
	return was
}
