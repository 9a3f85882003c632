package sim_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/score"
	"github.com/cosimate/cosimate/sim/tb"
)

// RTL that calls Go, through the macros of cosim.svh: a source asks what to send (COSIM_ASK), a
// monitor reports what goes in and out (COSIM_EVENT), which a scoreboard compares, and complains
// (COSIM_LOG).

var fifoBench = sim.Design{
	Top: "fifo_bench", FS: os.DirFS("."), Dir: "sim", Files: []string{"stream/testdata/fifo.sv", "testdata/fifo_bench.sv"},
	Clock: "clk_i", Reset: "rst_i",
}

type fifoBenchIn struct{ Rst, Ready bool }

type fifoBenchOut struct {
	Valid bool
	Data  uint8
}

// traffic is what the RTL of one DUT asks and reports.
type traffic struct {
	left   int         // bytes still to be sent
	next   uint64      // the byte to be sent next
	events []sim.Event // of the cycle just done
	full   bool        // the FIFO has been full
}

// answer is called in the middle of a cycle, while the RTL waits.
func (x *traffic) answer(sim.Event) (uint64, error) {
	if x.left == 0 {
		return 0, nil
	}
	x.left--
	x.next += 37
	return 1<<8 | x.next&0xff, nil
}

func checkFIFOBench(t *testing.T, d sim.Design, check func(t *testing.T, err error)) {
	const bytes = 300
	sim.ForEachSimulator(t, func(t *testing.T, s sim.Simulator) {
		x := traffic{left: bytes}
		dut := sim.OpenTest[fifoBenchIn, fifoBenchOut](t, d, s, sim.WithAnswers(x.answer), sim.WithEvents(func(e sim.Event) { x.events = append(x.events, e) }))
		if err := dut.Reset(2); err != nil {
			t.Fatal(err)
		}
		b := tb.New(dut)
		board := score.NewInOrder[uint64](b, "bytes")
		b.Monitor("rtl's monitor", func(p *tb.Process) {
			for p.Next() {
				for _, e := range x.events {
					switch e.Name {
					case "push":
						board.Expect(p, e.Values[0])
						x.full = x.full || e.Values[1] == 3
					case "pop":
						board.Got(p, e.Values[0])
					}
				}
				x.events = nil
			}
		})
		b.Go("sink", func(p *tb.Process) {
			for board.Compared() < bytes {
				b.In.Ready = p.Rand().IntN(3) == 0
				p.Next()
			}
		})
		err := b.Run(2000)
		check(t, err)
		if err == nil && !x.full { // one that fails may end before
			t.Error("the FIFO was never full")
		}
	})
}

func TestRTLMonitor(t *testing.T) {
	checkFIFOBench(t, fifoBench, func(t *testing.T, err error) {
		if err != nil {
			t.Fatal(err)
		}
	})
}

// Faults are found by the scoreboard, or by the monitor itself: then with its line, cycle and
// instance.
func TestRTLMonitorFindsFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: go test without -short runs it, as make nightly does")
	}
	for _, fault := range []struct{ name, old, new, message string }{
		{"a byte is not written", "mem[write_q] <= data_i", "if (data_i != 8'h25) mem[write_q] <= data_i", `scoreboard "bytes", item`},
		{"never full", "assign ready_o = level_q != 3'd4", "assign ready_o = 1'b1", "fifo_bench.u_monitor: more bytes than there is room for"},
	} {
		t.Run(fault.name, func(t *testing.T) {
			d := fifoBench
			d.FS = patchedFiles(t, d, "stream/testdata/fifo.sv", fault.old, fault.new)
			checkFIFOBench(t, d, func(t *testing.T, err error) {
				if err == nil || !strings.Contains(err.Error(), fault.message) {
					t.Errorf("the error is to have %q: %v", fault.message, err)
				}
			})
		})
	}
}

// patchedFiles is the files of a design with one text in one of them replaced, which must occur
// once.
func patchedFiles(t *testing.T, d sim.Design, name, old, new string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	for _, f := range d.Files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if f == name {
			if n := strings.Count(string(text), old); n != 1 {
				t.Fatalf("%q occurs %d times in %s, not once", old, n, name)
			}
			text = []byte(strings.Replace(string(text), old, new, 1))
		}
		files[f] = &fstest.MapFile{Data: text}
	}
	return files
}
