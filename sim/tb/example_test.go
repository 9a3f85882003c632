package tb_test

import (
	"context"
	"fmt"
	"os"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/tb"
)

// A driver, a monitor and a queue between them.
func Example() {
	dut, err := sim.Open[echoIn, echoOut](context.Background(), echo, sim.Verilator)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer dut.Close()

	b := tb.New(dut)
	b.SetTranscript(os.Stdout)
	var sent tb.Queue[uint8]
	b.Go("driver", func(p *tb.Process) {
		b.In.Rst = true
		p.Wait(2)
		b.In.Rst = false
		for _, v := range []uint8{5, 6} {
			b.In.Data = v
			sent.Push(v)
			p.Next()
		}
		p.Next()
	})
	b.Monitor("monitor", func(p *tb.Process) {
		for {
			v := sent.Pop(p) // returns after the cycle in which v is applied
			p.Next()
			p.Logf("%d has become %d", v, b.Out.DataQ)
		}
	})
	if err := b.Run(100); err != nil {
		fmt.Println(err)
	}
	// Output:
	//      3 monitor: 5 has become 5
	//      4 monitor: 6 has become 6
}

// The error of a bench that cannot go on says what each process waits for.
func ExampleStuckError() {
	dut, err := sim.Open[echoIn, echoOut](context.Background(), echo, sim.Verilator)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer dut.Close()

	b := tb.New(dut)
	var done tb.Event
	done.Name = "done"
	b.Go("waiter", func(p *tb.Process) { p.Await(&done) })
	b.Go("worker", func(p *tb.Process) { p.Wait(3) })
	fmt.Println(b.Run(100))
	// Output:
	// deadlock: every process waits for another, in cycle 2 (35ns) of echo on verilator; the processes wait:
	//   waiter  for event "done"
	//           at tb/example_test.go:62
}
