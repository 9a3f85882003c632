package guide

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/score"
	"github.com/cosimate/cosimate/sim/stream"
	"github.com/cosimate/cosimate/sim/tb"
)

// What from-cocotb.md says in its right column, in tests that run.

var design = sim.Design{
	Top: "fifo", FS: os.DirFS("../../sim/stream/testdata"), Files: []string{"fifo.sv"},
	Clock: "clk_i", Period: 10 * time.Nanosecond,
	Reset:     "rst_i",
	Internals: []string{"level_q", "mem"},
}

type In struct {
	Rst, Valid bool
	Data       uint8 `port:"data_i"`
	Ready      bool
}

type Out struct {
	Ready, Valid bool
	Data         uint8 `port:"data_o"`
}

func TestFIFO(t *testing.T) {
	sim.ForEach(t, design, func(t *testing.T, dut *sim.DUT[In, Out]) {
		b := tb.New(dut)
		b.Go("test", func(p *tb.Process) {
			b.In.Rst = true
			p.Wait(3)
			b.In.Rst = false
			b.In.Data = 7
			b.In.Valid = true
			p.Next()
			b.In.Valid = false
			p.Rising(100, &b.Out.Valid)
			if b.Out.Data != 7 {
				p.Failf("data_o is %d, not 7", b.Out.Data)
			}
		})
		b.Check(t, 1000)
	})
}

func TestRest(t *testing.T) {
	for _, n := range []int{1, 50} {
		t.Run(fmt.Sprintf("bytes=%d", n), func(t *testing.T) {
			sim.ForEach(t, design, func(t *testing.T, dut *sim.DUT[In, Out]) { rest(t, dut, n) })
		})
	}
}

func rest(t *testing.T, dut *sim.DUT[In, Out], n int) {
	b := tb.New(dut)
	source := &stream.Driver[uint8]{Valid: &b.In.Valid, Ready: &b.Out.Ready, Put: func(v uint8) { b.In.Data = v }, Gap: 0.3}
	sink := &stream.Sink{Valid: &b.Out.Valid, Ready: &b.In.Ready, Busy: 0.5}
	board := score.NewInOrder[uint8](b, "bytes")
	b.Monitor("in", (&stream.Monitor[uint8]{Valid: &b.In.Valid, Ready: &b.Out.Ready, Get: func() uint8 { return b.In.Data }, Each: board.Expect}).Run)
	b.Monitor("out", (&stream.Monitor[uint8]{Valid: &b.Out.Valid, Ready: &b.In.Ready, Get: func() uint8 { return b.Out.Data }, Each: board.Got}).Run)
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	b.Go("test", func(p *tb.Process) {
		(&tb.Reset{Bit: &b.In.Rst}).Hold(p)
		var started tb.Event
		var queue tb.Queue[uint8]
		helper := p.Background("sink", sink.Run)
		task := p.Go("driver", func(p *tb.Process) {
			started.Set()
			for range n {
				source.Send(p, queue.Pop(p))
			}
		})
		p.Await(&started)
		for range n {
			queue.Push(uint8(p.Rand().IntN(256)))
		}
		p.Join(task)
		if !p.Within(100, func() bool { return board.Pending() == 0 }) {
			p.Failf("not all has come")
		}
		helper.Stop()
		p.Logf("%d bytes in %v", n, p.Time())

		b.In.Ready = false
		b.In.Valid = true
		p.Settle()
		if !b.Out.Ready {
			p.Failf("empty, and not ready")
		}
		b.In.Valid = false
		p.Sleep(time.Microsecond)
		if b.Unknown.Valid {
			p.Failf("valid_o is X")
		}

		level, err := dut.Peek("level_q")
		check(err)
		if level.Uint64() != 0 {
			p.Failf("level_q is %d", level.Uint64())
		}
		check(dut.Poke("mem[3]", sim.Bits(8, 0xff)))
		check(dut.Force("level_q", sim.Bits(3, 4)))
		p.Next()
		p.Next()
		if b.Out.Ready {
			p.Failf("full, and ready")
		}
		check(dut.Release("level_q"))
	})
	b.Check(t, 10_000)
}

// Tests nothing: it is the table's line on how to skip a test.
func TestSkipped(t *testing.T) {
	t.Parallel()
	t.Skip("the other FIFO is not built yet")
}

// Each line of Go of the table, and of the other guides' blocks without a file's name, is in a test
// that runs.
func TestSnippetsCompile(t *testing.T) {
	words := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	var code string
	for _, name := range []string{"cocotb_test.go", "../../sim/async_fifo_test.go", "../../sim/example_unknown_test.go", "../../sim/example_monitor_test.go", "../../sim/example_internals_test.go", "../../sim/example_lockstep_test.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		code += words(string(text)) + "\n"
	}
	snippets := 0
	has := func(where, snippet string) {
		snippets++
		if !strings.Contains(code, words(snippet)) {
			t.Errorf("%s: this is in no test:\n%s", where, snippet)
		}
	}
	for _, guide := range []string{"from-cocotb.md", "bring-your-own-rtl.md", "cycle.md", "debugging.md"} {
		text, err := os.ReadFile(guide)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		for _, b := range blocks(lines) {
			if b.kind == "go" && b.name == "" {
				has(guide, strings.Join(lines[b.first+1:b.last], "\n"))
			}
		}
		for i, line := range lines {
			cells := strings.Split(line, " | ")
			if guide != "from-cocotb.md" || len(cells) != 2 || !strings.HasPrefix(line, "| `") {
				continue
			}
			for j, span := range strings.Split(cells[1], "`") {
				if j%2 == 1 && !strings.HasPrefix(span, "-sim.") && !strings.HasPrefix(span, "go ") {
					has(fmt.Sprintf("%s:%d", guide, i+1), span)
				}
			}
		}
	}
	if snippets < 30 {
		t.Errorf("only %d snippets were looked at: have the guides another form now?", snippets)
	}
}
