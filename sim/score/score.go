// Package score compares what comes out of a design with what is expected to, item by item,
// whenever it comes: [InOrder] where the order is given, [ByKey] where it is not.
//
//	board := score.NewInOrder[uint8](b, "bytes")
//	b.Monitor("in", ...  board.Expect(p, v) ...)
//	b.Monitor("out", ... board.Got(p, v) ...)
//
// An item that differs, or that nobody expects, ends the bench with a difference as go-cmp prints
// it; items that are unsigned integers are in hexadecimal, too. At the end of each run, an item
// that has not come is an error, and so is a scoreboard that has compared nothing so far. Where an
// item can come out in the cycle in which it goes in, start the monitor that expects before the one
// that gets.
//
// A scoreboard sees numbers only. Bits that are X or Z under Icarus read as 0 and 1, and so may
// pass for what is expected: a monitor asks tb.Bench.Unknown before it hands on an output, as in
// the example.
package score

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/sim/tb"
)

// Bench is a tb.Bench with any ports.
type Bench interface{ AtEnd(check func() error) }

// A Mismatch is an item that came out wrong.
type Mismatch struct {
	Board    string
	Item     int // which one came, counted from 0
	Expected int // the cycle since which it was expected, or -1: it was not
	Text     string
}

func (m *Mismatch) Error() string {
	since := "unexpected"
	if m.Expected >= 0 {
		since = fmt.Sprintf("expected since cycle %d", m.Expected)
	}
	return fmt.Sprintf("scoreboard %q, item %d, %s: %s", m.Board, m.Item, since, m.Text)
}

// A Leftover is what was still expected at the end.
type Leftover struct {
	Board string
	Items []string // of the form "3 (0x3) since cycle 17", oldest first
}

func (l *Leftover) Error() string {
	const shown = 5
	items := strings.Join(l.Items[:min(shown, len(l.Items))], ", ")
	if len(l.Items) > shown {
		items += ", ..."
	}
	return fmt.Sprintf("scoreboard %q: %d left over: %s", l.Board, len(l.Items), items)
}

// expected is an item to come.
type expected[T any] struct {
	item  T
	cycle int
}

func (e expected[T]) String() string { return fmt.Sprintf("%s since cycle %d", show(e.item), e.cycle) }

// show is an item or a key in words. Unsigned integers are in hexadecimal, too, as in waveforms:
// "114 (0x72)".
func show(v any) string {
	if unsigned(v) {
		return fmt.Sprintf("%d (%#[1]x)", reflect.ValueOf(v).Uint())
	}
	return fmt.Sprint(v)
}

// unsigned tells whether a value is an unsigned integer, and none with names of its own.
func unsigned(v any) bool {
	_, named := v.(fmt.Stringer)
	return !named && reflect.ValueOf(v).CanUint()
}

// compare is a difference in words, with - what was expected and + what came, or "".
func compare[T any](want, got T, opts []cmp.Option) string {
	if cmp.Equal(want, got, opts...) {
		return ""
	}
	diff := cmp.Diff(want, got, opts...)
	if unsigned(want) && reflect.TypeOf(want) == reflect.TypeOf(got) {
		diff = fmt.Sprintf("- %s\n+ %s\n", show(want), show(got))
	}
	return "(-want +got)\n" + diff
}

// itemOf is what a scoreboard expects, for messages.
func itemOf(board string) string { return fmt.Sprintf("an item that scoreboard %q expects", board) }

// atEnd is the check that is made when the bench ends well.
func atEnd(board string, compared int, left []string) error {
	if len(left) > 0 {
		return &Leftover{board, left}
	}
	if compared == 0 {
		return fmt.Errorf("scoreboard %q has compared nothing", board)
	}
	return nil
}

// InOrder expects items in the order in which they come.
type InOrder[T any] struct {
	name     string
	item     string // for messages
	opts     []cmp.Option
	pending  []expected[T]
	compared int
}

// NewInOrder adds a scoreboard to a bench. Items are compared by go-cmp with the options.
func NewInOrder[T any](b Bench, name string, opts ...cmp.Option) *InOrder[T] {
	s := &InOrder[T]{name: name, item: itemOf(name), opts: opts}
	b.AtEnd(func() error {
		var left []string
		for _, e := range s.pending {
			left = append(left, e.String())
		}
		return atEnd(s.name, s.compared, left)
	})
	return s
}

// Expect appends an item to those that are to come. After the bench's last run, that fails the
// test.
func (s *InOrder[T]) Expect(p *tb.Process, item T) {
	p.ToRun(s.item)
	s.pending = append(s.pending, expected[T]{item, p.Cycle()})
}

// Got compares an item that came with the oldest expected. Whether it has unknown bits is for the
// caller to ask: tb.Bench.Unknown.
func (s *InOrder[T]) Got(p *tb.Process, item T) {
	if len(s.pending) == 0 {
		p.Fail(&Mismatch{s.name, s.compared, -1, show(item)})
	}
	want := s.pending[0]
	if diff := compare(want.item, item, s.opts); diff != "" {
		p.Fail(&Mismatch{s.name, s.compared, want.cycle, diff})
	}
	s.pending = s.pending[1:]
	s.compared++
}

// Pending is the number of items that have not come.
func (s *InOrder[T]) Pending() int { return len(s.pending) }

// Compared is the number of items that have come.
func (s *InOrder[T]) Compared() int { return s.compared }

// ByKey expects items with a key, in any order; those of the same key in the order in which
// they come.
type ByKey[K comparable, T any] struct {
	name     string
	item     string // for messages
	key      func(T) K
	opts     []cmp.Option
	pending  map[K][]expected[T]
	order    []K // of pending, oldest first
	compared int
}

// NewByKey adds a scoreboard to a bench. Items are compared by go-cmp with the options.
func NewByKey[K comparable, T any](b Bench, name string, key func(T) K, opts ...cmp.Option) *ByKey[K, T] {
	s := &ByKey[K, T]{name: name, item: itemOf(name), key: key, opts: opts, pending: map[K][]expected[T]{}}
	b.AtEnd(func() error { return atEnd(s.name, s.compared, s.left()) })
	return s
}

// left are the items that have not come, those of the oldest key first.
func (s *ByKey[K, T]) left() (left []string) {
	for _, k := range s.order {
		for _, e := range s.pending[k] {
			left = append(left, e.String())
		}
	}
	return left
}

// Expect adds an item to those that are to come. After the bench's last run, that fails the test.
func (s *ByKey[K, T]) Expect(p *tb.Process, item T) {
	p.ToRun(s.item)
	k := s.key(item)
	if len(s.pending[k]) == 0 {
		s.order = append(s.order, k)
	}
	s.pending[k] = append(s.pending[k], expected[T]{item, p.Cycle()})
}

// Got compares an item that came with the oldest expected of its key. Whether it has unknown bits
// is for the caller to ask: tb.Bench.Unknown.
func (s *ByKey[K, T]) Got(p *tb.Process, item T) {
	k := s.key(item)
	same := s.pending[k]
	if len(same) == 0 {
		p.Fail(&Mismatch{s.name, s.compared, -1, fmt.Sprintf("%s, key %s; expected are: %s", show(item), show(k), strings.Join(s.left(), ", "))})
	}
	if diff := compare(same[0].item, item, s.opts); diff != "" {
		p.Fail(&Mismatch{s.name, s.compared, same[0].cycle, fmt.Sprintf("key %s %s", show(k), diff)})
	}
	s.pending[k] = same[1:]
	if len(same) == 1 {
		delete(s.pending, k)
		s.order = slices.DeleteFunc(s.order, func(o K) bool { return o == k })
	}
	s.compared++
}

// Pending is the number of items that have not come.
func (s *ByKey[K, T]) Pending() int { return len(s.left()) }

// Compared is the number of items that have come.
func (s *ByKey[K, T]) Compared() int { return s.compared }
