package sim_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/sim"
)

// lapModel is the counter's model, and says how the counter came to where it differs.
type lapModel struct{ counterModel }

func (m *lapModel) Explain(x sim.Mismatch[counterIn, counterOut]) string {
	now := m.count
	enabled := 0
	m.Reset()
	for _, in := range x.Past {
		m.Step(in)
		if in.Enable {
			enabled++
		}
		if in.Rst {
			enabled = 0
		}
	}
	text := fmt.Sprintf("%d enabled cycles since the reset: the count is %d, not %d\n", enabled, now, x.Got.Count)
	alone, err := x.DUT.Reopen()
	if err != nil {
		return text + err.Error()
	}
	defer alone.Close()
	var out counterOut
	alone.Reset(alone.ResetCycles())
	for range 79 {
		out, _ = alone.Step(counterIn{Enable: true})
	}
	return text + fmt.Sprintf("another instance that counts 78 times shows %d\n", out.Count)
}

// once is a stimulus that must not be iterated a second time.
func once(t *testing.T, cycles int) func(yield func(counterIn) bool) {
	used := false
	return func(yield func(counterIn) bool) {
		if used {
			t.Error("the stimulus is iterated again")
		}
		used = true
		counterStimulus(cycles)(yield)
	}
}

// A difference is explained by the model that it is a difference from.
func TestExplain(t *testing.T) {
	sim.ForEachSimulator(t, func(t *testing.T, s sim.Simulator) {
		dut, err := sim.Open[counterIn, counterOut](t.Context(), slips(t), s)
		if err != nil {
			t.Fatal(err)
		}
		defer dut.Close()
		for range 2 { // the second one begins late in the DUT's life
			err := sim.Compare(dut, &lapModel{}, once(t, 10_000))
			diff, ok := errors.AsType[*sim.Difference](err)
			want := "78 enabled cycles since the reset: the count is 78, not 79\nanother instance that counts 78 times shows 79"
			if !ok || diff.Note != want {
				t.Errorf("the note is %q, not %q: %v", diff.Note, want, err)
			}
			if !strings.Contains(err.Error(), want) {
				t.Errorf("the report does not have the note:\n%v", err)
			}
		}
	})
}

// brokenModel panics when it is to explain.
type brokenModel struct{ counterModel }

func (brokenModel) Explain(x sim.Mismatch[counterIn, counterOut]) string {
	return fmt.Sprint(x.Past[len(x.Past)].Enable)
}

// An explanation that fails does not hide the difference.
func TestExplainPanics(t *testing.T) {
	dut, err := sim.Open[counterIn, counterOut](t.Context(), slips(t), sim.Verilator)
	if err != nil {
		t.Fatal(err)
	}
	defer dut.Close()
	err = sim.Compare(dut, &brokenModel{}, counterStimulus(10_000))
	if err == nil || !strings.Contains(err.Error(), "> count_o ") || !strings.Contains(err.Error(), "The model's Explain panicked: runtime error: index out of range") {
		t.Errorf("the error is %v", err)
	}
}

// wideModel is the counter's model, with inputs that are much to keep.
type wideModel struct{ counterModel }

type wideIn struct {
	Rst, Enable bool
	Page        [4096]byte `port:"-"`
}

func (m *wideModel) Step(in wideIn) counterOut {
	return m.counterModel.Step(counterIn{in.Rst, in.Enable})
}

func (*wideModel) Explain(x sim.Mismatch[wideIn, counterOut]) string {
	for i, in := range x.Past {
		if got := int(in.Page[0]) | int(in.Page[1])<<8; got != i {
			return fmt.Sprintf("cycle %d of the past has the inputs of cycle %d", i, got)
		}
	}
	return fmt.Sprintf("%d cycles", len(x.Past))
}

// Inputs are kept as long as they take little memory. Then the report says why nothing is
// explained.
func TestExplainKeepsInputsInBounds(t *testing.T) {
	for still, want := range map[int]string{
		1000:   "1078 cycles",
		20_000: "What it is about is not known: of the 20078 cycles between the reset and this one, the inputs take more than 64 MiB. If a shorter stimulus ends in the same difference, run that.",
	} {
		dut, err := sim.Open[wideIn, counterOut](t.Context(), slips(t), sim.Icarus)
		if err != nil {
			t.Fatal(err)
		}
		defer dut.Close()
		err = sim.Compare(dut, &wideModel{}, func(yield func(wideIn) bool) {
			for i := range still + 1000 {
				if !yield(wideIn{Enable: i >= still, Page: [4096]byte{byte(i), byte(i >> 8)}}) {
					return
				}
			}
		})
		if diff, ok := errors.AsType[*sim.Difference](err); !ok || diff.Note != want {
			t.Errorf("%d cycles without a count: the note is %q, not %q", still, diff.Note, want)
		}
	}
}

// fussyModel is no reference when it is to count beyond a limit.
type fussyModel struct {
	counterModel
	limit uint8
	wrong error
}

func (m *fussyModel) Step(in counterIn) counterOut {
	if in.Enable && m.count == m.limit && m.wrong == nil {
		m.wrong = fmt.Errorf("counted beyond %d", m.limit)
	}
	return m.counterModel.Step(in)
}

func (m *fussyModel) Err() error { return m.wrong }

// What a model is no reference for ends the comparison, unless the RTL differs before.
func TestFallible(t *testing.T) {
	sim.ForEach(t, slips(t), func(t *testing.T, dut *sim.DUT[counterIn, counterOut]) {
		stimulus := slices.Repeat([]counterIn{{Enable: true}}, 200)
		for limit, want := range map[uint8]string{
			60: "the model is no reference for the inputs of cycle 63: counted beyond 60",
			90: "counter differs from its model in cycle 81",
		} {
			d, err := dut.Reopen()
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			if err := sim.Compare(d, &fussyModel{limit: limit}, slices.Values(stimulus)); err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("beyond %d: the error is not %q: %v", limit, want, err)
			}
		}
	})
}

// explainedFIFO is the model of two clocks, with the methods that a model may have.
type explainedFIFO struct {
	fifoModel
	states []fifoModel // before each cycle
	resets int
}

func (m *explainedFIFO) Reset() { m.fifoModel.Reset(); m.resets++ }

func (m *explainedFIFO) Step(in fifoIn, rises uint16) fifoOut {
	if m.resets == 1 {
		m.states = append(m.states, m.fifoModel)
	}
	return m.fifoModel.Step(in, rises)
}

func (m *explainedFIFO) Err() error {
	if m.written == 50 {
		return errors.New("fifty words")
	}
	return nil
}

func (m *explainedFIFO) Explain(x sim.Mismatch[fifoIn, fifoOut]) string {
	if m.fifoModel != m.states[len(x.Past)] {
		return fmt.Sprintf("the state is %v, but was %v", m.fifoModel, m.states[len(x.Past)])
	}
	return fmt.Sprintf("%d words were written, %d read", m.written, m.read)
}

// A model of several clocks is brought to where it was, clocks and all.
func TestExplainOfSeveralClocks(t *testing.T) {
	words := func(yield func(fifoIn) bool) {
		for i := range 1000 {
			if !yield(fifoIn{WrValid: i%3 == 0, WrData: uint8(i), RdReady: true}) {
				return
			}
		}
	}
	open := func(d sim.Design) *sim.DUT[fifoIn, fifoOut] {
		dut, err := sim.Open[fifoIn, fifoOut](t.Context(), d, sim.Verilator)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { dut.Close() })
		for range 20 {
			if _, err := dut.Step(fifoIn{WrRst: true, RdRst: true}); err != nil {
				t.Fatal(err)
			}
		}
		return dut
	}
	broken := asyncFIFO
	broken.FS = patched(t, "async_fifo.sv", "wr_gray2_q <= rd_rst_i ? '0 : wr_gray1_q", "wr_gray2_q <= rd_rst_i ? '0 : wr_gray_q")
	err := sim.Compare(open(broken), sim.Clocked(&explainedFIFO{}), words)
	if diff, ok := errors.AsType[*sim.Difference](err); !ok || !strings.HasSuffix(diff.Note, " read") {
		t.Errorf("the error is %v", err)
	}
	if err := sim.Compare(open(asyncFIFO), sim.Clocked(&explainedFIFO{}), words); err == nil || !strings.HasSuffix(err.Error(), "fifty words") {
		t.Errorf("the error is %v", err)
	}
}
