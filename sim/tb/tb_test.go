package tb_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/tb"
)

var echo = sim.Design{Top: "echo", FS: os.DirFS("testdata"), Dir: "sim/tb/testdata", Files: []string{"echo.sv"}, Clock: "clk_i", Reset: "rst_i"}

type echoIn struct {
	Rst  bool
	Data uint8
}

type echoOut struct {
	DataQ uint8
	Diff  uint8
	Count uint8
	Slow  bool
}

type bench = *tb.Bench[echoIn, echoOut]

// forEach runs body on both simulators with the DUT just out of reset, and checks that no goroutine
// is left behind.
func forEach(t *testing.T, body func(t *testing.T, b bench)) {
	sim.ForEach(t, echo, func(t *testing.T, dut *sim.DUT[echoIn, echoOut]) {
		if err := dut.Reset(2); err != nil {
			t.Fatal(err)
		}
		defer leakCheck(t)()
		body(t, tb.New(dut))
	})
}

// leakCheck counts goroutines. The function that it returns fails the test if there are more then.
func leakCheck(t *testing.T) func() {
	before := runtime.NumGoroutine()
	return func() {
		for range 1000 {
			if runtime.NumGoroutine() <= before {
				return
			}
			time.Sleep(time.Millisecond) // goroutines that end need a moment
		}
		t.Errorf("%d goroutines before, %d after", before, runtime.NumGoroutine())
	}
}

func TestCycleContract(t *testing.T) {
	forEach(t, func(t *testing.T, b bench) {
		var seen []string
		b.Go("driver", func(p *tb.Process) {
			for i := range uint8(3) {
				b.In.Data = 10 + i
				p.Next()
			}
		})
		b.Monitor("monitor", func(p *tb.Process) {
			for p.Next() {
				seen = append(seen, fmt.Sprint(p.Cycle(), p.Time(), b.In.Data, b.Out.DataQ, b.Out.Diff))
			}
		})
		b.Check(t, 100)
		want := "2 35ns 10 0 10|3 45ns 11 10 1|4 55ns 12 11 7"
		if got := strings.Join(seen, "|"); got != want {
			t.Errorf("the monitor saw\n%s, want\n%s", got, want)
		}
	})
}

// Settle shows the outputs of a cycle before it is done, any number of times.
func TestSettle(t *testing.T) {
	forEach(t, func(t *testing.T, b bench) {
		b.Go("reacts", func(p *tb.Process) {
			b.In.Data = 0x0f
			p.Next()
			for i := range uint8(5) {
				b.In.Data = 0xf0 + i
				before := p.Cycle()
				p.Settle()
				b.In.Data = b.Out.Diff // its value in the coming cycle
				p.Settle()
				want := b.Out.DataQ ^ b.In.Data
				if b.Out.Diff != want || p.Cycle() != before {
					t.Errorf("settled to %#x in cycle %d, want %#x in %d", b.Out.Diff, p.Cycle(), want, before)
				}
				applied := b.In.Data
				p.Next()
				if b.Out.Diff != want || b.In.Data != applied {
					t.Errorf("the cycle had %#x, want %#x", b.Out.Diff, want)
				}
			}
		})
		b.Go("beside", func(p *tb.Process) { p.Settle(); p.Wait(8) })
		b.Check(t, 100)
	})
}

func TestWaits(t *testing.T) {
	forEach(t, func(t *testing.T, b bench) {
		at := func(p *tb.Process, what string, cycle int) {
			t.Helper()
			if p.Cycle() != cycle {
				t.Errorf("%s came after cycle %d, want %d", what, p.Cycle(), cycle)
			}
		}
		b.Go("waits", func(p *tb.Process) { // count is cycle - 2
			at(p, "the start", 1)
			p.Wait(0)
			at(p, "no cycle", 1)
			p.Wait(3)
			at(p, "3 cycles", 4)
			p.Until(10, func() bool { return b.Out.Count == 5 })
			at(p, "count 5", 7)
			if p.Within(3, func() bool { return b.Out.Count == 5 }) {
				t.Error("what held before the wait has counted")
			}
			at(p, "nothing, within 3", 10)
			p.Rising(20, &b.Out.Slow)
			at(p, "the rising edge", 14)
			p.Falling(20, &b.Out.Slow)
			at(p, "the falling edge", 18)
			p.Falling(20, &b.Out.Slow)
			at(p, "the next falling edge", 26)
			p.Sleep(25 * time.Nanosecond)
			at(p, "25ns", 29)
			p.Sleep(20 * time.Nanosecond)
			at(p, "20ns", 31)
			p.Sleep(0)
			at(p, "no time", 31)
		})
		b.Check(t, 100)
	})
}

// Events, queues and ends wake processes in the same cycle, in whatever order these were started.
func TestSynchronization(t *testing.T) {
	forEach(t, func(t *testing.T, b bench) {
		var log []string
		note := func(p *tb.Process, what string) {
			log = append(log, fmt.Sprintf("%d %s %s", p.Cycle(), p.Name(), what))
		}
		start := tb.Event{Name: "start"}
		var queue tb.Queue[int]
		b.Go("early", func(p *tb.Process) { p.Await(&start); note(p, "started") })
		b.Go("firer", func(p *tb.Process) {
			p.Wait(2)
			start.Set()
			note(p, "fired")
			child := p.Go("child", func(p *tb.Process) {
				note(p, "born")
				p.Next()
				queue.Push(7)
				queue.Push(8)
				note(p, "pushed")
			})
			p.Join(child)
			note(p, "joined")
			p.Join(child)
			p.Await(&start)
			note(p, "again, at once")
		})
		b.Go("popper", func(p *tb.Process) {
			first, second := queue.Pop(p), queue.Pop(p)
			note(p, fmt.Sprintf("popped %d %d", first, second))
			if v, ok := queue.TryPop(); ok {
				t.Errorf("popped %d of an empty queue", v)
			}
		})
		b.Go("late", func(p *tb.Process) { p.Await(&start); note(p, "started") })
		b.Check(t, 100)
		want := "3 firer fired|3 early started|3 late started|3 child born|4 child pushed|4 popper popped 7 8|4 firer joined|4 firer again, at once"
		if got := strings.Join(log, "|"); got != want {
			t.Errorf("the order was\n%s, want\n%s", got, want)
		}
	})
}

func TestEventCleared(t *testing.T) {
	forEach(t, func(t *testing.T, b bench) {
		var e tb.Event
		rounds := 0
		b.Background("waiter", func(p *tb.Process) {
			for {
				p.Await(&e)
				rounds++
				p.Next()
			}
		})
		b.Go("pulses", func(p *tb.Process) {
			for range 3 {
				e.Set()
				e.Clear()
				p.Wait(2)
			}
			if e.IsSet() {
				t.Error("the event is set though cleared")
			}
		})
		b.Check(t, 100)
		if rounds != 3 {
			t.Errorf("%d rounds, want 3", rounds)
		}
	})
}

// An event wakes a process once. It does not wake it again while it waits for something else.
func TestEventForgetsThoseWoken(t *testing.T) {
	forEach(t, func(t *testing.T, b bench) {
		var e tb.Event
		b.Go("waiter", func(p *tb.Process) {
			p.Await(&e)
			before := p.Cycle()
			p.Wait(5)
			if p.Cycle() != before+5 {
				t.Errorf("5 cycles were %d", p.Cycle()-before)
			}
		})
		b.Go("setter", func(p *tb.Process) {
			for range 5 {
				e.Set()
				e.Clear()
				p.Next()
			}
		})
		b.Check(t, 100)
	})
}

// Processes that wait for the same queue get values in the order in which they began to wait.
func TestQueueIsFair(t *testing.T) {
	forEach(t, func(t *testing.T, b bench) {
		var q tb.Queue[int]
		var served []string
		for _, name := range []string{"a", "b", "c"} {
			b.Background(name, func(p *tb.Process) {
				for {
					served = append(served, fmt.Sprint(name, q.Pop(p)))
				}
			})
		}
		b.Go("pusher", func(p *tb.Process) {
			for i := range 5 {
				p.Next()
				q.Push(i)
			}
			p.Next()
		})
		b.Check(t, 100)
		if got, want := fmt.Sprint(served), "[a0 b1 c2 a3 b4]"; got != want {
			t.Errorf("served %s, want %s", got, want)
		}
	})
}

func TestStop(t *testing.T) {
	forEach(t, func(t *testing.T, b bench) {
		var q tb.Queue[int]
		got, released := 0, false
		first := b.Background("first", func(p *tb.Process) {
			defer func() { released = true }()
			got += 100 * q.Pop(p)
		})
		b.Background("second", func(p *tb.Process) { got += q.Pop(p) })
		b.Go("stopper", func(p *tb.Process) {
			p.Next()
			q.Push(3) // wakes the first, which is stopped before it takes the value
			first.Stop()
			first.Stop()
			p.Join(first)
			if !released || !first.Ended() {
				t.Error("the stopped process has not run its deferred call, or has not ended")
			}
			p.Next()
		})
		b.Check(t, 10)
		if got != 3 {
			t.Errorf("got %d, want the value to reach the second process", got)
		}
	})
}

// Only the bench may step the DUT. It is an error if a process does.
func TestSteppedByAProcess(t *testing.T) {
	forEach(t, func(t *testing.T, b bench) {
		b.Go("meddler", func(p *tb.Process) {
			p.Wait(3)
			if _, err := b.DUT().Step(b.In); err != nil {
				t.Error(err)
			}
			p.Wait(3)
		})
		if err := b.Run(10); err == nil || !strings.Contains(err.Error(), "6 cycles of") || !strings.Contains(err.Error(), "but 5 by the bench") {
			t.Errorf("error %v, want that the bench did not do all cycles", err)
		}
	})
}

// Bench.Unknown has the bits that are X after cycles and after settling, and Flipped inverts them.
func TestUnknown(t *testing.T) {
	sim.ForEach(t, echo, func(t *testing.T, dut *sim.DUT[echoIn, echoOut]) {
		b := tb.New(dut)
		b.Go("body", func(p *tb.Process) {
			check := func(when string, unknown, other uint8) {
				out := b.Out.DataQ
				if flipped := p.Flipped(func() { out = b.Out.DataQ }); b.Unknown.DataQ != unknown || out != other || !flipped {
					t.Errorf("%s, unknown bits %#x, flipped %#x (%t); want %#x, %#x, true", when, b.Unknown.DataQ, out, flipped, unknown, other)
				}
			}
			if dut.Simulator() == sim.Verilator {
				p.Next()
				if p.Flipped(func() { t.Error("called though nothing is unknown") }) || b.Unknown != (echoOut{}) {
					t.Errorf("unknown under Verilator: %+v", b.Unknown)
				}
				return
			}
			b.In.Data = 0x5a
			p.Settle()
			check("settled before the first cycle", 0xff, 0xff)
			p.Next()
			check("after a cycle", 0xff, 0xff)
			p.Settle()
			check("settled again", 0, 0x5a)
			if b.Out.DataQ != 0x5a || b.Out.Count != 0 || b.Unknown.Count != 0xff {
				t.Errorf("after flipping, outputs %+v, unknown %+v", b.Out, b.Unknown)
			}
		})
		b.Check(t, 10)
	})
}

// A run ends with the processes of Go, and does not wait for those of Background and Monitor.
func TestEnd(t *testing.T) {
	forEach(t, func(t *testing.T, b bench) {
		cleaned := 0
		b.Background("endless", func(p *tb.Process) {
			defer func() { cleaned++ }()
			for p.Next() {
			}
		})
		b.Go("short", func(p *tb.Process) {
			p.AtEnd(func() error { cleaned += 100; return nil })
			p.Wait(5)
		})
		b.AtEnd(func() error {
			if cleaned == 0 {
				t.Error("the check at the end comes before the deferred calls of a process that is stopped")
			}
			cleaned += 10
			return nil
		})
		b.Check(t, 100)
		if b.Cycle() != 6 || cleaned != 111 {
			t.Errorf("ended after cycle %d, cleaned %d; want 6, 111", b.Cycle(), cleaned)
		}
		// In a second run the bench's check at the end is made again, that of the process is not.
		if err := b.DUT().Reset(3); err != nil {
			t.Fatal(err)
		}
		b.Go("more", func(p *tb.Process) { p.Wait(2) })
		b.Check(t, 2)
		if b.Cycle() != 11 || b.Time() != 125*time.Nanosecond || cleaned != 121 {
			t.Errorf("the second run ended after cycle %d at %v, cleaned %d; want 11, 125ns, 121", b.Cycle(), b.Time(), cleaned)
		}
		b.Go("leaves something", func(p *tb.Process) { p.Next() })
		b.AtEnd(func() error { return errors.New("3 left over") })
		if err := b.Run(5); err == nil || !strings.Contains(err.Error(), "3 left over") {
			t.Errorf("error %v, want that of the check at the end", err)
		}
	})
}

// transcript returns what a bench with random waits writes.
func transcript(t *testing.T, b bench, seed uint64, more bool) string {
	var out bytes.Buffer
	b.SetSeed(seed)
	b.SetTranscript(&out)
	var q tb.Queue[uint8]
	for i := range 5 {
		b.Go(fmt.Sprint("source", i), func(p *tb.Process) {
			for range 20 {
				p.Wait(p.Rand().IntN(6))
				v := uint8(p.Rand().Uint32())
				b.In.Data = v
				q.Push(v)
				p.Logf("pushes %d, sees %d", v, b.Out.Diff)
			}
		})
	}
	b.Background("sink", func(p *tb.Process) {
		for {
			v := q.Pop(p)
			p.Logf("pops %d", v)
			if v%7 == 0 {
				p.Wait(p.Rand().IntN(3))
			}
		}
	})
	if more {
		b.Background("bystander", func(p *tb.Process) {
			for p.Next() {
				p.Wait(p.Rand().IntN(3))
			}
		})
	}
	b.Go("waits for the sink", func(p *tb.Process) { p.Until(1000, func() bool { return q.Len() == 0 && p.Cycle() > 300 }) })
	b.Check(t, 1000)
	return out.String()
}

// One seed gives one transcript, byte for byte, on both simulators. Another process does not change
// it.
func TestDeterminism(t *testing.T) {
	texts := map[uint64]string{}
	for _, seed := range []uint64{1, 1, 2} {
		for _, more := range []bool{false, true} {
			forEach(t, func(t *testing.T, b bench) {
				text := transcript(t, b, seed, more)
				if before, ok := texts[seed]; !ok {
					texts[seed] = text
				} else if before != text {
					t.Errorf("seed %d gives two transcripts:\n%s\nand\n%s", seed, before, text)
				}
			})
		}
	}
	if texts[1] == texts[2] || strings.Count(texts[1], "pops") != 100 {
		t.Errorf("transcripts of different seeds are alike, or not complete:\n%s", texts[1])
	}
	// It is the same on every machine and with every version of the simulators.
	const golden = "testdata/transcript.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(texts[1]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), texts[1]); diff != "" {
		t.Errorf("the transcript of seed 1 is not that of %s (-update writes it):\n%s", golden, diff)
	}
}

var update = flag.Bool("update", false, "write testdata/transcript.txt")
