package stream_test

import (
	"context"
	"fmt"
	"os"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/stream"
	"github.com/cosimate/cosimate/sim/tb"
)

// Three bytes through a FIFO whose receiver is busy two cycles out of three.
func Example() {
	dut, err := sim.Open[fifoIn, fifoOut](context.Background(), fifo, sim.Icarus)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer dut.Close()
	dut.Reset(2)

	b := tb.New(dut)
	b.SetSeed(1)
	b.SetTranscript(os.Stdout)
	var received tb.Queue[uint8]
	b.Monitor("out", (&stream.Monitor[uint8]{
		Valid: &b.Out.Valid, Ready: &b.In.Ready, Get: func() uint8 { return b.Out.Data },
		Each: func(p *tb.Process, v uint8) {
			p.Logf("%d", v)
			received.Push(v)
		},
	}).Run)
	b.Background("sink", (&stream.Sink{Valid: &b.Out.Valid, Ready: &b.In.Ready, Busy: 0.67}).Run)
	b.Go("source", func(p *tb.Process) {
		source := &stream.Driver[uint8]{Valid: &b.In.Valid, Ready: &b.Out.Ready, Put: func(v uint8) { b.In.Data = v }}
		for _, v := range []uint8{5, 6, 7} {
			source.Send(p, v)
		}
		for range 3 {
			received.Pop(p)
		}
	})
	if err := b.Run(100); err != nil {
		fmt.Println(err)
	}
	// Output:
	//     10 out: 5
	//     14 out: 6
	//     15 out: 7
}
