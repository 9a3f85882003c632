package stim_test

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/cosimate/cosimate/sim"
)

// These tests check properties with pgregory.net/rapid. It draws many short sequences instead of
// one long one. One DUT plays them all, with a reset before each (by sim.Compare). A failure is
// shrunk to a few steps. Package sim/shrink does that for a long sequence.

var fifo = sim.Design{Top: "fifo", FS: os.DirFS("../stream/testdata"), Dir: "sim/stream/testdata", Files: []string{"fifo.sv"}, Clock: "clk_i", Reset: "rst_i"}

type fifoIn struct {
	Rst, Valid bool
	Data       uint8 `port:"data_i"`
	Ready      bool
}

type fifoOut struct {
	Ready, Valid bool
	Data         uint8 `port:"data_o"`
}

// fifoModel is the reference model. It holds what is in the FIFO.
type fifoModel struct{ held []uint8 }

func (m *fifoModel) Reset() { m.held = nil }

func (m *fifoModel) Step(in fifoIn) fifoOut {
	out := fifoOut{Ready: len(m.held) < 4, Valid: len(m.held) > 0}
	if out.Valid {
		out.Data = m.held[0]
	}
	if out.Valid && in.Ready {
		m.held = m.held[1:]
	}
	if in.Valid && out.Ready {
		m.held = append(slices.Clone(m.held), in.Data)
	}
	if in.Rst {
		m.held = nil
	}
	return out
}

func (m *fifoModel) DontCare(want fifoOut) (mask fifoOut) {
	if !want.Valid {
		mask.Data = 0xff
	}
	return mask
}

// fifoSteps draws 1 to 64 cycles. Data are mostly small, so that they shrink well.
var fifoSteps = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) fifoIn {
	return fifoIn{
		Rst:   rapid.IntRange(0, 49).Draw(t, "rst") == 49,
		Valid: rapid.Bool().Draw(t, "valid"),
		Data:  rapid.Uint8().Draw(t, "data"),
		Ready: rapid.Bool().Draw(t, "ready"),
	}
}), 1, 64)

func TestFIFOProperty(t *testing.T) {
	sim.ForEach(t, fifo, func(t *testing.T, dut *sim.DUT[fifoIn, fifoOut]) {
		rapid.Check(t, func(t *rapid.T) {
			steps := fifoSteps.Draw(t, "steps")
			checkFIFO(t, dut, steps)
		})
	})
}

// checkFIFO plays steps from reset. The report of a difference is logged and is not the error: it
// names cycles, and rapid takes a shorter sequence for the same failure only if the error has the
// same text.
func checkFIFO(t *rapid.T, dut *sim.DUT[fifoIn, fifoOut], steps []fifoIn) {
	if err := sim.Compare(dut, &fifoModel{}, slices.Values(steps)); err != nil {
		t.Log(err)
		t.Fatal("RTL and model differ")
	}
}

// A planted fault is shrunk to the steps that it needs.
func TestFIFOPropertyShrinks(t *testing.T) {
	for _, fault := range []struct {
		name, old, new string
		want           []fifoIn
	}{
		{"a byte is lost", "if (push) begin", "if (push & ~(data_i == 8'd9)) begin", []fifoIn{{Valid: true, Data: 9}, {}}},
		{"never full", "level_q != 3'd4", "1'b1", []fifoIn{{Valid: true}, {Valid: true}, {Valid: true}, {Valid: true}, {}}},
		{"reads ahead", "read_q + 2'd1", "read_q + 2'd1 + {1'b0, level_q == 3'd2 & valid_i}", []fifoIn{{Valid: true}, {Valid: true}, {Valid: true, Data: 1, Ready: true}, {}}},
	} {
		t.Run(fault.name, func(t *testing.T) {
			text, err := os.ReadFile("../stream/testdata/fifo.sv")
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(text), fault.old); n != 1 {
				t.Fatalf("%q stands %d times in fifo.sv, not once", fault.old, n)
			}
			d := fifo
			d.FS = fstest.MapFS{"fifo.sv": {Data: []byte(strings.Replace(string(text), fault.old, fault.new, 1))}}
			dut := sim.OpenTest[fifoIn, fifoOut](t, d, sim.Verilator)

			setFlag(t, "rapid.seed", "1")
			setFlag(t, "rapid.nofailfile", "true")
			var shrunk []fifoIn
			report := expectFailure(t, func(t rapid.TB) {
				rapid.Check(t, func(t *rapid.T) {
					steps := fifoSteps.Draw(t, "steps")
					shrunk = steps // at the end rapid runs the smallest sequence that fails
					checkFIFO(t, dut, steps)
				})
			})
			if !strings.Contains(report, "fifo differs from its model") {
				t.Fatalf("the fault was not found: %s", report)
			}
			if !slices.Equal(shrunk, fault.want) {
				t.Errorf("shrunk to %d steps %+v, want %+v", len(shrunk), shrunk, fault.want)
			}
		})
	}
}

func setFlag(t *testing.T, name, value string) {
	t.Helper()
	old := flag.Lookup(name).Value.String()
	if err := flag.Set(name, value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { flag.Set(name, old) })
}

// expectFailure runs a test that must fail, and returns what it printed.
func expectFailure(t *testing.T, body func(rapid.TB)) string {
	t.Helper()
	tb := &quiet{TB: t}
	done := make(chan struct{})
	go func() { // as FailNow ends the goroutine
		defer close(done)
		body(tb)
	}()
	<-done
	if !tb.failed {
		t.Fatal("the property holds, in spite of the fault")
	}
	return tb.text.String()
}

// quiet is a rapid.TB that records its failure instead of failing the test.
type quiet struct {
	rapid.TB
	text   strings.Builder
	failed bool
}

func (q *quiet) Logf(format string, args ...any) { fmt.Fprintf(&q.text, format+"\n", args...) }
func (q *quiet) Log(args ...any)                 { fmt.Fprintln(&q.text, args...) }
func (q *quiet) Errorf(format string, args ...any) {
	q.Logf(format, args...)
	q.failed = true
}
func (q *quiet) Error(args ...any)                 { q.Log(args...); q.failed = true }
func (q *quiet) Fatalf(format string, args ...any) { q.Logf(format, args...); q.FailNow() }
func (q *quiet) Fatal(args ...any)                 { q.Log(args...); q.FailNow() }
func (q *quiet) Fail()                             { q.failed = true }
func (q *quiet) FailNow()                          { q.failed = true; runtime.Goexit() }
func (q *quiet) Failed() bool                      { return q.failed }
