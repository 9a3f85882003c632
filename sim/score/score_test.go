package score_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/score"
	"github.com/cosimate/cosimate/sim/tb"
)

// delay is a design that delays its input by one cycle.
var delay = sim.Design{Top: "delay", FS: os.DirFS("testdata"), Dir: "sim/score/testdata", Files: []string{"delay.sv"}, Clock: "clk_i"}

type in struct {
	Data uint8 `port:"data_i"`
}

type out struct {
	Data uint8 `port:"data_o"`
}

type answer struct {
	ID    int
	Value string
	Note  string
}

func key(a answer) int { return a.ID }

// on runs body in a process.
func on(t *testing.T, start func(b *tb.Bench[in, out]) func(p *tb.Process)) error {
	t.Helper()
	b := tb.New(sim.OpenTest[in, out](t, delay, sim.Verilator))
	b.Go("body", start(b))
	return b.Run(100)
}

func TestInOrder(t *testing.T) {
	for _, c := range []struct {
		name      string
		want, got []answer
		err       string // "": none
	}{
		{"all right", []answer{{1, "a", ""}, {2, "b", ""}}, []answer{{1, "a", "ignored"}, {2, "b", ""}}, ""},
		{"wrong", []answer{{1, "a", ""}, {2, "b", ""}}, []answer{{1, "a", ""}, {2, "c", ""}}, `scoreboard "board", item 1, expected since cycle 0: (-want +got)`},
		{"wrong order", []answer{{1, "a", ""}, {2, "b", ""}}, []answer{{2, "b", ""}, {1, "a", ""}}, `scoreboard "board", item 0, expected since cycle 0`},
		{"too many", []answer{{1, "a", ""}}, []answer{{1, "a", ""}, {1, "a", ""}}, `scoreboard "board", item 1, unexpected: {1 a }`},
		{"too few", []answer{{1, "a", ""}, {2, "b", ""}, {3, "c", ""}}, []answer{{1, "a", ""}}, `scoreboard "board": 2 left over: {2 b } since cycle 0, {3 c } since cycle 0`},
		{"nothing", nil, nil, `scoreboard "board" has compared nothing`},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := on(t, func(b *tb.Bench[in, out]) func(*tb.Process) {
				board := score.NewInOrder[answer](b, "board", cmpopts.IgnoreFields(answer{}, "Note"))
				return func(p *tb.Process) {
					p.Next()
					for _, a := range c.want {
						board.Expect(p, a)
					}
					p.Next()
					for _, a := range c.got {
						board.Got(p, a)
					}
					if board.Pending() != len(c.want)-len(c.got) || board.Compared() != len(c.got) {
						t.Errorf("%d pending, %d compared", board.Pending(), board.Compared())
					}
				}
			})
			checkError(t, err, c.err)
		})
	}
}

func TestByKey(t *testing.T) {
	want := []answer{{1, "a", ""}, {2, "b", ""}, {1, "c", ""}, {3, "d", ""}}
	for _, c := range []struct {
		name string
		got  []answer
		err  string // "": none
	}{
		{"any order", []answer{{3, "d", ""}, {1, "a", ""}, {1, "c", ""}, {2, "b", ""}}, ""},
		{"wrong value", []answer{{3, "e", ""}}, `scoreboard "board", item 0, expected since cycle 0: key 3 (-want +got)`},
		{"wrong order within a key", []answer{{1, "c", ""}}, `scoreboard "board", item 0, expected since cycle 0: key 1`},
		{"unknown key", []answer{{1, "a", ""}, {9, "x", ""}}, `scoreboard "board", item 1, unexpected: {9 x }, key 9; expected are: {1 c } since cycle 0, {2 b } since cycle 0, {3 d } since cycle 0`},
		{"twice", []answer{{2, "b", ""}, {2, "b", ""}}, `item 1, unexpected: {2 b }, key 2`},
		{"too few", []answer{{1, "a", ""}, {1, "c", ""}}, `scoreboard "board": 2 left over: {2 b } since cycle 0, {3 d } since cycle 0`},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := on(t, func(b *tb.Bench[in, out]) func(*tb.Process) {
				board := score.NewByKey(b, "board", key)
				return func(p *tb.Process) {
					p.Next()
					for _, a := range want {
						board.Expect(p, a)
					}
					for _, a := range c.got {
						board.Got(p, a)
					}
				}
			})
			checkError(t, err, c.err)
		})
	}
	err := on(t, func(b *tb.Bench[in, out]) func(*tb.Process) {
		score.NewByKey(b, "board", key, cmp.Comparer(func(a, b answer) bool { return a == b }))
		return func(p *tb.Process) { p.Next() }
	})
	checkError(t, err, "has compared nothing")
}

// An item that a stopped process expects in a deferred call must come, too.
func TestExpectedAtTheEnd(t *testing.T) {
	err := on(t, func(b *tb.Bench[in, out]) func(*tb.Process) {
		board := score.NewInOrder[uint8](b, "board")
		b.Background("late", func(p *tb.Process) {
			defer func() { board.Expect(p, 99) }()
			board.Expect(p, 1)
			board.Got(p, 1)
			p.Wait(50)
		})
		return func(p *tb.Process) { p.Wait(3) }
	})
	checkError(t, err, `scoreboard "board": 1 left over: 99 (0x63) since cycle 2`)
}

// unended is a test that records the functions for its end, and the errors.
type unended struct {
	testing.TB
	end    []func()
	errors []string
}

func (u *unended) Cleanup(f func()) { u.end = append(u.end, f) }
func (u *unended) Error(a ...any)   { u.errors = append(u.errors, fmt.Sprint(a...)) }

// A test fails if an item is expected after the last run, as it is never compared.
func TestExpectedAfterTheEnd(t *testing.T) {
	for name, expect := range map[string]func(b *tb.Bench[in, out]) func(p *tb.Process, v uint8){
		"in order": func(b *tb.Bench[in, out]) func(*tb.Process, uint8) { return both(score.NewInOrder[uint8](b, "board")) },
		"by key": func(b *tb.Bench[in, out]) func(*tb.Process, uint8) {
			return both(score.NewByKey(b, "board", func(v uint8) uint8 { return v }))
		},
	} {
		u := &unended{TB: t}
		b := tb.New(sim.OpenTest[in, out](u, delay, sim.Verilator))
		both := expect(b)
		p := b.Go("body", func(p *tb.Process) { both(p, 1); p.Next() })
		b.Check(t, 100)
		both(p, 2)
		for _, f := range slices.Backward(u.end) {
			f()
		}
		want := `the bench of delay on verilator was not run after an item that scoreboard "board" expects was added to it at score/score_test.go:`
		if len(u.errors) != 1 || !strings.HasPrefix(u.errors[0], want) {
			t.Errorf("%s: the errors are %q, want one with %q", name, u.errors, want)
		}
	}
}

// both expects an item and gets it.
func both(board interface {
	Expect(*tb.Process, uint8)
	Got(*tb.Process, uint8)
}) func(*tb.Process, uint8) {
	return func(p *tb.Process, v uint8) {
		board.Expect(p, v)
		board.Got(p, v)
	}
}

type colour uint8

func (c colour) String() string { return [...]string{"red", "green"}[c] }

// Unsigned integers are shown in hexadecimal, too, unless they have a String method.
func TestHexadecimal(t *testing.T) {
	for _, c := range []struct {
		name string
		use  func(b *tb.Bench[in, out], p *tb.Process)
		err  string
	}{
		{"differs", func(b *tb.Bench[in, out], p *tb.Process) {
			board := score.NewInOrder[uint8](b, "board")
			board.Expect(p, 114)
			board.Got(p, 5)
		}, "(-want +got)\n- 114 (0x72)\n+ 5 (0x5)\n"},
		{"unexpected", func(b *tb.Bench[in, out], p *tb.Process) {
			score.NewInOrder[uint64](b, "board").Got(p, 1<<63)
		}, "unexpected: 9223372036854775808 (0x8000000000000000)"},
		{"left over", func(b *tb.Bench[in, out], p *tb.Process) {
			score.NewInOrder[uint8](b, "board").Expect(p, 114)
		}, "1 left over: 114 (0x72) since cycle -1"},
		{"key", func(b *tb.Bench[in, out], p *tb.Process) {
			score.NewByKey(b, "board", func(v int) uint8 { return uint8(v) }).Got(p, 16)
		}, "unexpected: 16, key 16 (0x10); expected are: "},
		{"names", func(b *tb.Bench[in, out], p *tb.Process) {
			score.NewInOrder[colour](b, "board").Got(p, 1)
		}, "unexpected: green"},
		{"other types", func(b *tb.Bench[in, out], p *tb.Process) {
			board := score.NewInOrder[any](b, "board")
			board.Expect(p, uint8(1))
			board.Got(p, uint16(1))
		}, "uint16("},
		{"nil", func(b *tb.Bench[in, out], p *tb.Process) {
			score.NewInOrder[any](b, "board").Got(p, nil)
		}, "unexpected: <nil>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := on(t, func(b *tb.Bench[in, out]) func(*tb.Process) {
				return func(p *tb.Process) { c.use(b, p) }
			})
			checkError(t, err, c.err)
		})
	}
}

func checkError(t *testing.T, err error, want string) {
	t.Helper()
	if want == "" {
		if err != nil {
			t.Error(err)
		}
		return
	}
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v\nwant %q in it", err, want)
	}
}

// errors.As distinguishes the two kinds of error.
func TestErrorTypes(t *testing.T) {
	var m *score.Mismatch
	err := on(t, func(b *tb.Bench[in, out]) func(*tb.Process) {
		board := score.NewInOrder[int](b, "board")
		return func(p *tb.Process) { board.Got(p, 1) }
	})
	if !errors.As(err, &m) || m.Expected != -1 {
		t.Errorf("error %v is not a mismatch", err)
	}
	var l *score.Leftover
	err = on(t, func(b *tb.Bench[in, out]) func(*tb.Process) {
		board := score.NewInOrder[int](b, "board")
		return func(p *tb.Process) {
			for i := range 7 {
				board.Expect(p, i)
			}
		}
	})
	if !errors.As(err, &l) || len(l.Items) != 7 || !strings.HasSuffix(err.Error(), "4 since cycle -1, ...") {
		t.Errorf("error %v is not of 7 items left over", err)
	}
}

func Example() {
	dut, err := sim.Open[in, out](context.Background(), delay, sim.Verilator)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer dut.Close()
	b := tb.New(dut)
	board := score.NewInOrder[uint8](b, "delay")
	b.Go("bytes", func(p *tb.Process) {
		for v := range slices.Values([]uint8{3, 1, 4, 1}) {
			b.In.Data = v
			board.Expect(p, v)
			if p.Next(); p.Cycle() > 0 {
				if b.Unknown.Data != 0 { // X reads as 0: it is no value to compare
					p.Failf("data_o has unknown bits: %#x", b.Unknown.Data)
				}
				board.Got(p, b.Out.Data)
			}
		}
	})
	fmt.Println(b.Run(100))
	// Output:
	// at the end of delay on verilator, after cycle 3: scoreboard "delay": 1 left over: 1 (0x1) since cycle 2
}
