package live

import (
	"math/bits"
	"strings"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/link/message"
)

// Squares is a set of squares: bit 8*rank + file of each, a1 = bit 0. As text it is their names,
// such as "e2 e4".
type Squares uint64

func (q Squares) String() string {
	var names []string
	for n := range engine.Square(64) {
		if q>>n&1 != 0 {
			names = append(names, n.String())
		}
	}
	return strings.Join(names, " ")
}

// MarshalText makes JSON of the set.
func (q Squares) MarshalText() ([]byte, error) { return []byte(q.String()), nil }

// UnmarshalText reads the JSON of a set.
func (q *Squares) UnmarshalText(text []byte) error {
	*q = 0
	for _, name := range strings.Fields(string(text)) {
		s, err := engine.ParseSquare(name)
		if err != nil {
			return err
		}
		*q |= 1 << s
	}
	return nil
}

// onSquares is how many squares are occupied.
func onSquares(q message.Squares) int { return bits.OnesCount64(q.Code0 | q.Code1 | q.Code2) }
