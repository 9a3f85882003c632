package spelling_test

import (
	"testing"

	"github.com/cosimate/cosimate/internal/spelling"
)

func TestDistance(t *testing.T) {
	const many = 1 << 30
	for _, test := range []struct {
		a, b        string
		limit, want int
	}{
		{"", "", many, 0},
		{"", "abc", many, 3},
		{"state_q", "state_q", many, 0},
		{"state_q", "state_d", many, 1},
		{"state_q", "stat_q", many, 1},
		{"state_q", "staate_q", many, 1},
		{"state_q", "satte_q", many, 1},
		{"ca", "abc", many, 3}, // a swapped pair of letters is not changed again
		{"kitten", "sitting", many, 3},
		{"größe", "grosse", many, 3},
		{"kitten", "sitting", 3, 3},
		{"kitten", "sitting", 2, 2},
		{"a", "abcdef", 2, 2},
	} {
		for _, pair := range [][2]string{{test.a, test.b}, {test.b, test.a}} {
			if got := spelling.Distance(pair[0], pair[1], test.limit); got != test.want {
				t.Errorf("Distance(%q, %q, %d) = %d, not %d", pair[0], pair[1], test.limit, got, test.want)
			}
		}
	}
}
