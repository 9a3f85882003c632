package axi_test

import (
	"bytes"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/axi"
	"github.com/cosimate/cosimate/sim/score"
	"github.com/cosimate/cosimate/sim/tb"
)

// ends returns the streams into and out of a design.
func ends[I, O any](t *testing.T, b *tb.Bench[I, O]) (from, to *axi.Stream) {
	t.Helper()
	from, err := axi.BindStream(b, "s")
	if err != nil {
		t.Fatal(err)
	}
	if to, err = axi.BindStream(b, "m"); err != nil {
		t.Fatal(err)
	}
	return from, to
}

// The packets that the monitor assembles are compared with those that were sent. To compare two
// monitors would not find a fault that both have.
func TestPacketsAreThoseSent(t *testing.T) {
	sim.ForEach(t, slice, func(t *testing.T, dut *sim.DUT[sliceIn, sliceOut]) {
		b := tb.New(dut)
		from, to := ends(t, b)
		from.Reset = &tb.Reset{Bit: &b.In.Aresetn, ActiveLow: true}
		to.Reset = from.Reset
		var seen, came [][]byte
		b.Monitor("seen", (&axi.Packets{Stream: from, Each: func(_ *tb.Process, packet []byte) { seen = append(seen, packet) }}).Run)
		b.Monitor("came", (&axi.Packets{Stream: to, Each: func(_ *tb.Process, packet []byte) { came = append(came, packet) }}).Run)
		b.Background("receiver", (&axi.Receiver{Stream: to}).Run)
		sent := [][]byte{{1}, {2, 3}, {4, 5, 6}, {7, 8, 9, 10}, {11, 12, 13, 14, 15}, {16, 17, 18, 19, 20, 21, 22, 23}, {0}, {0, 0}}
		b.Go("source", func(p *tb.Process) {
			from.Reset.Hold(p)
			source := &axi.Source{Stream: from}
			for _, packet := range sent {
				source.Send(p, packet)
			}
			p.Wait(5)
		})
		b.Check(t, 100)
		if len(seen) != len(sent) || len(came) != len(sent) {
			t.Fatalf("of %d packets %d were seen and %d came", len(sent), len(seen), len(came))
		}
		for i, packet := range sent {
			if !bytes.Equal(seen[i], packet) || !bytes.Equal(came[i], packet) {
				t.Errorf("packet %d was sent as %v, seen as %v and came as %v", i, packet, seen[i], came[i])
			}
		}
	})
}

// The number of bytes in a transfer is that of the port, not of the wider field.
func TestStreamOfSixBytes(t *testing.T) {
	type in struct {
		STvalid bool
		STdata  uint64
		STkeep  uint8
		STlast  bool
		MTready bool
	}
	type out struct {
		STready bool
		MTvalid bool
		MTdata  uint64
		MTkeep  uint8
		MTlast  bool
	}
	d := sim.Design{Top: "six", Clock: "aclk", Files: []string{"six.sv"}, FS: fstest.MapFS{"six.sv": {Data: []byte(`
module six(
    input wire aclk, input wire s_tvalid, output wire s_tready, input wire [47:0] s_tdata, input wire [5:0] s_tkeep, input wire s_tlast,
    output wire m_tvalid, input wire m_tready, output wire [47:0] m_tdata, output wire [5:0] m_tkeep, output wire m_tlast);
  assign {m_tvalid, m_tdata, m_tkeep, m_tlast, s_tready} = {s_tvalid, s_tdata, s_tkeep, s_tlast, m_tready};
endmodule`)}}}
	sim.ForEach(t, d, func(t *testing.T, dut *sim.DUT[in, out]) {
		b := tb.New(dut)
		from, to := ends(t, b)
		if from.Width != 6 || to.Width != 6 {
			t.Errorf("48 bits are %d and %d bytes", from.Width, to.Width)
		}
		board := score.NewInOrder[[]byte](b, "packets")
		b.Monitor("received", (&axi.Packets{Stream: to, Each: board.Got}).Run)
		b.Monitor("rules", (&axi.StreamChecker{Stream: to, Packed: true}).Run)
		b.Background("receiver", (&axi.Receiver{Stream: to, Busy: 0.5}).Run)
		b.Go("source", func(p *tb.Process) {
			for n := range 20 {
				packet := make([]byte, 1+n)
				for i := range packet {
					packet[i] = byte(p.Rand().Uint32())
				}
				board.Expect(p, packet)
				(&axi.Source{Stream: from}).Send(p, packet)
			}
		})
		b.Check(t, 1000)
	})
}
