// Package score has scoreboards, which compare the items that come out of a design with those that
// are expected. The cycle does not matter. [InOrder] expects a given order, [ByKey] one for each
// key.
//
//	board := score.NewInOrder[uint8](b, "bytes")
//	b.Monitor("in", ...  board.Expect(p, v) ...)
//	b.Monitor("out", ... board.Got(p, v) ...)
//
// An item that differs from the expected one, or that is not expected, ends the bench with a
// *[Mismatch]: the difference as go-cmp prints it, with unsigned integers in hexadecimal, too. At
// the end of each run an item that has not come is an error (*[Leftover]), and so is a scoreboard
// that has compared nothing. If an item can come out in the cycle in which it goes in, start the
// monitor that calls Expect before the one that calls Got.
//
// A scoreboard cannot see bits that are X or Z: under Icarus they read as 0 or 1, and may pass for
// what is expected. Let a monitor look at tb.Bench.Unknown before it calls Got, as in the example.
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

// A Mismatch is the error for an item that came out wrong.
type Mismatch struct {
	Board    string
	Item     int // the number of the item that came, from 0
	Expected int // the cycle in which it was expected first, or -1 if it was not
	Text     string
}

func (m *Mismatch) Error() string {
	since := "unexpected"
	if m.Expected >= 0 {
		since = fmt.Sprintf("expected since cycle %d", m.Expected)
	}
	return fmt.Sprintf("scoreboard %q, item %d, %s: %s", m.Board, m.Item, since, m.Text)
}

// A Leftover is the error for items that have not come when a run ends.
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

func (e expected[T]) String() string {
	return fmt.Sprintf("%s since cycle %d", tb.Show(e.item), e.cycle)
}

// unsigned reports whether a value is an unsigned integer without a String method.
func unsigned(v any) bool {
	_, named := v.(fmt.Stringer)
	return !named && reflect.ValueOf(v).CanUint()
}

// compare returns the difference in words, with "-" for what was expected and "+" for what came. It
// returns "" if there is none.
func compare[T any](want, got T, opts []cmp.Option) string {
	if cmp.Equal(want, got, opts...) {
		return ""
	}
	diff := cmp.Diff(want, got, opts...)
	if unsigned(want) && reflect.TypeOf(want) == reflect.TypeOf(got) {
		diff = fmt.Sprintf("- %s\n+ %s\n", tb.Show(want), tb.Show(got))
	}
	return "(-want +got)\n" + diff
}

// note has the page of a failure show what a scoreboard expects or has got.
func note(p *tb.Process, who, what string, item any, wrong bool) {
	p.Note(tb.Item{Who: who, What: what, Value: item, From: p.Cycle(), Wrong: wrong})
}

// itemOf returns what messages call an item of a scoreboard.
func itemOf(board string) string { return fmt.Sprintf("an item that scoreboard %q expects", board) }

// atEnd is the check of a scoreboard at the end of a run without errors.
func atEnd(board string, compared int, left []string) error {
	if len(left) > 0 {
		return &Leftover{board, left}
	}
	if compared == 0 {
		return fmt.Errorf("scoreboard %q has compared nothing", board)
	}
	return nil
}

// InOrder compares items that must come in the order in which they are expected.
type InOrder[T any] struct {
	name     string
	who      string // for the page of a failure
	item     string // for messages
	opts     []cmp.Option
	pending  []expected[T]
	compared int
}

// NewInOrder adds a scoreboard to a bench and returns it. Items are compared by go-cmp with the
// options.
func NewInOrder[T any](b Bench, name string, opts ...cmp.Option) *InOrder[T] {
	s := &InOrder[T]{name: name, who: "scoreboard " + name, item: itemOf(name), opts: opts}
	b.AtEnd(func() error {
		var left []string
		for _, e := range s.pending {
			left = append(left, e.String())
		}
		return atEnd(s.name, s.compared, left)
	})
	return s
}

// Expect appends an item to those that must come. The bench must be run after it, or the test
// fails.
func (s *InOrder[T]) Expect(p *tb.Process, item T) {
	p.ToRun(s.item)
	note(p, s.who, "expects", item, false)
	s.pending = append(s.pending, expected[T]{item, p.Cycle()})
}

// Got compares an item that came with the oldest that is expected. It cannot see unknown bits:
// check tb.Bench.Unknown before.
func (s *InOrder[T]) Got(p *tb.Process, item T) {
	if len(s.pending) == 0 {
		note(p, s.who, "got unexpected", item, true)
		p.Fail(&Mismatch{s.name, s.compared, -1, tb.Show(item)})
	}
	want := s.pending[0]
	diff := compare(want.item, item, s.opts)
	note(p, s.who, "got", item, diff != "")
	if diff != "" {
		p.Fail(&Mismatch{s.name, s.compared, want.cycle, diff})
	}
	s.pending = s.pending[1:]
	s.compared++
}

// Pending returns the number of items that have not come.
func (s *InOrder[T]) Pending() int { return len(s.pending) }

// Compared returns the number of items that have come.
func (s *InOrder[T]) Compared() int { return s.compared }

// ByKey compares items with keys. Items of the same key must come in the order in which they are
// expected; items of different keys may come in any order.
type ByKey[K comparable, T any] struct {
	name     string
	who      string // for the page of a failure
	item     string // for messages
	key      func(T) K
	opts     []cmp.Option
	pending  map[K][]expected[T]
	order    []K // of pending, oldest first
	compared int
}

// NewByKey adds a scoreboard to a bench and returns it. Items are compared by go-cmp with the
// options.
func NewByKey[K comparable, T any](b Bench, name string, key func(T) K, opts ...cmp.Option) *ByKey[K, T] {
	s := &ByKey[K, T]{name: name, who: "scoreboard " + name, item: itemOf(name), key: key, opts: opts, pending: map[K][]expected[T]{}}
	b.AtEnd(func() error { return atEnd(s.name, s.compared, s.left()) })
	return s
}

// left returns the items that have not come, those of the oldest key first.
func (s *ByKey[K, T]) left() (left []string) {
	for _, k := range s.order {
		for _, e := range s.pending[k] {
			left = append(left, e.String())
		}
	}
	return left
}

// Expect adds an item to those that must come. The bench must be run after it, or the test fails.
func (s *ByKey[K, T]) Expect(p *tb.Process, item T) {
	p.ToRun(s.item)
	note(p, s.who, "expects", item, false)
	k := s.key(item)
	if len(s.pending[k]) == 0 {
		s.order = append(s.order, k)
	}
	s.pending[k] = append(s.pending[k], expected[T]{item, p.Cycle()})
}

// Got compares an item that came with the oldest of its key that is expected. It cannot see unknown
// bits: check tb.Bench.Unknown before.
func (s *ByKey[K, T]) Got(p *tb.Process, item T) {
	k := s.key(item)
	same := s.pending[k]
	if len(same) == 0 {
		note(p, s.who, "got unexpected", item, true)
		p.Fail(&Mismatch{s.name, s.compared, -1, fmt.Sprintf("%s, key %s; expected are: %s", tb.Show(item), tb.Show(k), strings.Join(s.left(), ", "))})
	}
	diff := compare(same[0].item, item, s.opts)
	note(p, s.who, "got", item, diff != "")
	if diff != "" {
		p.Fail(&Mismatch{s.name, s.compared, same[0].cycle, fmt.Sprintf("key %s %s", tb.Show(k), diff)})
	}
	s.pending[k] = same[1:]
	if len(same) == 1 {
		delete(s.pending, k)
		s.order = slices.DeleteFunc(s.order, func(o K) bool { return o == k })
	}
	s.compared++
}

// Pending returns the number of items that have not come.
func (s *ByKey[K, T]) Pending() int { return len(s.left()) }

// Compared returns the number of items that have come.
func (s *ByKey[K, T]) Compared() int { return s.compared }
