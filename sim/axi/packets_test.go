package axi_test

import (
	"bytes"
	"testing"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/axi"
	"github.com/cosimate/cosimate/sim/tb"
)

// What the monitor puts together is what was sent, byte by byte: two monitors with the same fault would agree
// with each other.
func TestPacketsAreThoseSent(t *testing.T) {
	sim.ForEach(t, slice, func(t *testing.T, dut *sim.DUT[sliceIn, sliceOut]) {
		b := tb.New(dut)
		from, err := axi.BindStream(b, "s")
		if err != nil {
			t.Fatal(err)
		}
		to, err := axi.BindStream(b, "m")
		if err != nil {
			t.Fatal(err)
		}
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
