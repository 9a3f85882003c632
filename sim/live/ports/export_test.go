package ports

import (
	"testing"
	"time"
)

// ReplayWithin sets how long a saved simulation may take to be done again, until the test ends.
func ReplayWithin(t *testing.T, long time.Duration) {
	was := replayWithin
	replayWithin = long
	t.Cleanup(func() { replayWithin = was })
}
