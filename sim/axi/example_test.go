package axi_test

import (
	"context"
	"fmt"
	"os"
	"testing/fstest"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/axi"
	"github.com/cosimate/cosimate/sim/tb"
)

// Software writes and reads registers over AXI4-Lite, while the rules of the bus are checked.
func Example() {
	dut, err := sim.Open[regsIn, regsOut](context.Background(), regs, sim.Icarus)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer dut.Close()

	b := tb.New(dut)
	b.SetTranscript(os.Stdout)
	bus, err := axi.BindLite(b, "s_axil")
	if err != nil {
		fmt.Println(err)
		return
	}
	bus.Reset = &tb.Reset{Bit: &b.In.Aresetn, ActiveLow: true}
	b.Monitor("rules", (&axi.LiteChecker{Lite: bus}).Run)
	m := &axi.Manager{Lite: bus}
	b.Go("software", func(p *tb.Process) {
		bus.Reset.Hold(p)
		p.Logf("write: %v", m.Write(p, 0x4, 0xcafe1234))
		p.Logf("write one byte: %v", m.WriteStrobe(p, 0x4, 0xff00, 0b0010))
		data, resp := m.Read(p, 0x4)
		p.Logf("read: %#x, %v", data, resp)
		p.Logf("write a read-only register: %v", m.Write(p, 0xc, 1))
		_, resp = m.Read(p, 0x40)
		p.Logf("read where there is nothing: %v", resp)
	})
	if err := b.Run(1000); err != nil {
		fmt.Println(err)
	}
	// Output:
	//      7 software: write: OKAY
	//     10 software: write one byte: OKAY
	//     12 software: read: 0xcafeff34, OKAY
	//     15 software: write a read-only register: SLVERR
	//     17 software: read where there is nothing: DECERR
}

// Bytes over an AXI4-Stream, four in a transfer.
func ExampleSource() {
	dut, err := sim.Open[sliceIn, sliceOut](context.Background(), slice, sim.Icarus)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer dut.Close()

	b := tb.New(dut)
	b.SetTranscript(os.Stdout)
	reset := &tb.Reset{Bit: &b.In.Aresetn, ActiveLow: true}
	from, err := axi.BindStream(b, "s")
	if err != nil {
		fmt.Println(err)
		return
	}
	to, err := axi.BindStream(b, "m")
	if err != nil {
		fmt.Println(err)
		return
	}
	from.Reset, to.Reset = reset, reset
	var received tb.Event
	b.Monitor("packets", (&axi.Packets{Stream: to, Each: func(p *tb.Process, packet []byte) {
		p.Logf("%s", packet)
		received.Set()
	}}).Run)
	b.Background("receiver", (&axi.Receiver{Stream: to}).Run)
	b.Go("source", func(p *tb.Process) {
		reset.Hold(p)
		(&axi.Source{Stream: from}).Send(p, []byte("hello, hardware"))
		p.Await(&received)
	})
	if err := b.Run(1000); err != nil {
		fmt.Println(err)
	}
	// Output:
	//      9 packets: hello, hardware
}

// A response that is not held until it is taken breaks a rule of the specification.
func ExampleLiteChecker() {
	text, err := os.ReadFile("testdata/regs.sv")
	if err != nil {
		fmt.Println(err)
		return
	}
	faulty := regs
	faulty.FS = fstest.MapFS{"regs.sv": {Data: dropOneReady(text)}}
	dut, err := sim.Open[regsIn, regsOut](context.Background(), faulty, sim.Icarus)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer dut.Close()
	fmt.Println(exercise(dut, 300, pace{busy: 0.7}, 1))
	// Output:
	// process "rules" failed in cycle 7 (85ns) of regs on icarus: AXI4-Lite: cycle 7: RVALID fell before RREADY was 1; rule: IHI 0022E A3.2.1: VALID, once asserted, remains asserted until the handshake
}
