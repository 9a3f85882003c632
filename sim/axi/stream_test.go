package axi_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/axi"
	"github.com/cosimate/cosimate/sim/score"
	"github.com/cosimate/cosimate/sim/tb"
)

var slice = sim.Design{Top: "axis_reg", FS: os.DirFS("testdata"), Dir: "sim/axi/testdata", Files: []string{"axis_reg.sv"}, Clock: "aclk"}

type sliceIn struct {
	Aresetn bool
	STvalid bool
	STdata  uint32
	STkeep  uint8
	STlast  bool
	MTready bool
}

type sliceOut struct {
	STready bool
	MTvalid bool
	MTdata  uint32
	MTkeep  uint8
	MTstrb  uint8
	MTlast  bool
}

// relay sends packets of all lengths through a register slice, with resets in between. It checks
// that they come out whole and in order, and the rules of both streams.
func relay(dut *sim.DUT[sliceIn, sliceOut], packets int, pace pace, late bool, seed uint64) error {
	b := tb.New(dut)
	b.SetSeed(seed)
	reset := &tb.Reset{Bit: &b.In.Aresetn, ActiveLow: true}
	from, err := axi.BindStream(b, "s")
	if err != nil {
		return err
	}
	to, err := axi.BindStream(b, "m")
	if err != nil {
		return err
	}
	from.Reset, to.Reset = reset, reset
	board := score.NewInOrder[[]byte](b, "packets")
	b.Monitor("sent", (&axi.Packets{Stream: from, Each: board.Expect}).Run)
	b.Monitor("received", (&axi.Packets{Stream: to, Each: board.Got}).Run)
	b.Monitor("rules in", (&axi.StreamChecker{Stream: from, Bound: 100, Packed: true}).Run)
	b.Monitor("rules out", (&axi.StreamChecker{Stream: to, Packed: true}).Run)
	b.Background("receiver", (&axi.Receiver{Stream: to, Busy: pace.busy, Late: late}).Run)
	source := &axi.Source{Stream: from, Gap: pace.gap}
	b.Go("source", func(p *tb.Process) {
		for range 2 {
			reset.Hold(p)
			for range packets / 2 {
				packet := make([]byte, 1+p.Rand().IntN(13))
				for i := range packet {
					packet[i] = byte(p.Rand().Uint32())
				}
				if !source.Send(p, packet) {
					p.Failf("a reset came in between")
				}
			}
			if !p.Within(100, func() bool { return board.Pending() == 0 }) {
				p.Failf("%d packets have not come", board.Pending())
			}
		}
	})
	return b.Run(200 * packets)
}

func TestStream(t *testing.T) {
	for _, late := range []bool{false, true} {
		for _, pace := range paces {
			t.Run(fmt.Sprintf("gap %v, busy %v, late %v", pace.gap, pace.busy, late), func(t *testing.T) {
				sim.ForEach(t, slice, func(t *testing.T, dut *sim.DUT[sliceIn, sliceOut]) {
					if err := relay(dut, 200, pace, late, sim.Seed()); err != nil {
						t.Fatal(err)
					}
				})
			})
		}
	}
}

func TestStreamFaultsAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: go test without -short runs it, as make nightly does")
	}
	text, err := os.ReadFile("testdata/axis_reg.sv")
	if err != nil {
		t.Fatal(err)
	}
	const move = "if (~m_tvalid | m_tready) begin"
	for _, fault := range []struct{ name, old, new, want string }{
		{"TVALID falls", move, "if (1'b1) begin", "TVALID fell before TREADY was 1; rule: IHI 0051A 2.2.1"},
		{"TDATA changes", "assign {m_tlast, m_tkeep, m_tdata} = out_q;", "assign {m_tlast, m_tkeep, m_tdata} = out_q ^ {36'd0, spare_valid_q};", "TDATA changed from 0x"},
		{"TLAST changes", "assign {m_tlast, m_tkeep, m_tdata} = out_q;", "assign {m_tlast, m_tkeep, m_tdata} = out_q ^ {spare_valid_q, 36'd0};", "TLAST changed from "},
		{"TVALID in reset", "      m_tvalid      <= 1'b0;", "      m_tvalid      <= 1'b1;", "TVALID is 1 in reset, or in the first cycle after it; rule: IHI 0051A 2.7.2"},
		{"TSTRB without TKEEP", "m_tstrb = m_tkeep", "m_tstrb = 4'hf", "is 1 for byte 1, TKEEP is 0; rule: IHI 0051A 2.4.3"},
		{"TKEEP out of order", "in = {s_tlast, s_tkeep, s_tdata}", "in = {s_tlast, {s_tkeep[0], s_tkeep[1], s_tkeep[2], s_tkeep[3]}, s_tdata}", "TKEEP is 0 for a byte before byte 3"},
		{"TKEEP in the middle", "in = {s_tlast, s_tkeep, s_tdata}", "in = {s_tlast, s_tkeep & {s_tlast, 3'b111}, s_tdata}", "TKEEP is 1 for 3 bytes only, and TLAST is 0"},
		{"TLAST lost", "in = {s_tlast, s_tkeep, s_tdata}", "in = {s_tlast & s_tkeep != 4'hf, s_tkeep, s_tdata}", `"packets"`},
		{"wrong byte", "in = {s_tlast, s_tkeep, s_tdata}", "in = {s_tlast, s_tkeep, s_tdata[31:8], s_tdata[7:0] & 8'hfe}", `"packets", item 0`},
		{"transfer lost", "spare_valid_q <= 1'b1;", "spare_valid_q <= ~s_tlast;", `"packets"`},
		{"never ready again", "assign s_tready = ~spare_valid_q;", "assign s_tready = ~spare_valid_q & s_tdata[7:0] != 8'h20;", "TREADY has been 0 for 101 cycles in which TVALID was 1"},
		{"waits for TREADY", move, "if (m_tready) begin", "TREADY has been 0 for 101 cycles in which TVALID was 1"},
		{"unknown TVALID", "spare_valid_q | s_tvalid;", "s_tdata == 32'd0 & ~s_tlast & ~spare_valid_q ? 1'bx : spare_valid_q | s_tvalid;", "TVALID is X or Z; rule: the testbench expects"},
	} {
		t.Run(fault.name, func(t *testing.T) {
			changed := strings.Replace(string(text), fault.old, fault.new, 1)
			if fault.name == "TVALID in reset" {
				// The fault goes into the last assignment, which is in the branch of the reset.
				at := strings.LastIndex(string(text), fault.old)
				changed = string(text[:at]) + fault.new + string(text[at+len(fault.old):])
			} else if n := strings.Count(string(text), fault.old); n != 1 {
				t.Fatalf("%q stands %d times in axis_reg.sv, not once", fault.old, n)
			}
			d := slice
			d.FS = fstest.MapFS{"axis_reg.sv": {Data: []byte(changed)}}
			var messages []string
			for _, pace := range paces {
				for _, late := range []bool{false, true} {
					dut := sim.OpenTest[sliceIn, sliceOut](t, d, sim.Icarus)
					if err := relay(dut, 200, pace, late, 1); err != nil {
						messages = append(messages, err.Error())
					}
				}
			}
			if all := strings.Join(messages, "\n"); !strings.Contains(all, fault.want) {
				t.Errorf("no report has %q:\n%s", fault.want, all)
			}
		})
	}
}

// Send returns false for a packet that a reset interrupts.
func TestStreamReset(t *testing.T) {
	sim.ForEach(t, slice, func(t *testing.T, dut *sim.DUT[sliceIn, sliceOut]) {
		b := tb.New(dut)
		reset := &tb.Reset{Bit: &b.In.Aresetn, ActiveLow: true}
		from, err := axi.BindStream(b, "s")
		if err != nil {
			t.Fatal(err)
		}
		from.Reset = reset
		b.Monitor("rules", (&axi.StreamChecker{Stream: from}).Run)
		var sent []bool
		b.Go("reset", func(p *tb.Process) {
			reset.Hold(p)
			p.Wait(10) // nobody is ready: the third transfer waits
			reset.Hold(p)
			p.Wait(5)
		})
		b.Background("source", func(p *tb.Process) {
			p.Next()
			source := &axi.Source{Stream: from}
			sent = append(sent, source.Send(p, make([]byte, 100)))
			sent = append(sent, source.Send(p, make([]byte, 3)))
		})
		b.Check(t, 100)
		if fmt.Sprint(sent) != "[false true]" {
			t.Errorf("sent %v, want the first cut short and the second whole", sent)
		}
	})
}
