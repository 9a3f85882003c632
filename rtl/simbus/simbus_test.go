package simbus_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/rtl/core"
	"github.com/cosimate/cosimate/rtl/regmap"
	"github.com/cosimate/cosimate/rtl/simbus"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/tb"
)

func open(t *testing.T, run func(bus *simbus.Bus) error) error {
	d := sim.OpenTest[core.In, core.Out](t, core.Design, sim.Icarus)
	b := tb.New(d)
	bus, err := simbus.New(b, &b.In.Rst, &b.Out.Irq)
	if err != nil {
		t.Fatal(err)
	}
	bus.Go("software", func() error { return run(bus) })
	return b.Run(5000)
}

// Transfers and cycles are counted, and errors of the bus and of the software are returned.
func TestBus(t *testing.T) {
	err := open(t, func(bus *simbus.Bus) error {
		begin := bus.Cycle()
		if err := bus.Write32(regmap.CoreInterruptEnable, 3); err != nil {
			return err
		}
		if word, err := bus.Read32(regmap.CoreInterruptEnable); err != nil || word != 3 {
			t.Errorf("%#x, %v", word, err)
		}
		if bus.Reads != 1 || bus.Writes != 1 || bus.Cycle()-begin != 6 {
			t.Errorf("%d reads and %d writes in %d cycles, want one of each in 6", bus.Reads, bus.Writes, bus.Cycle()-begin)
		}
		var wrong *simbus.Error
		if err := bus.Write32(0x7fc, 0); !errors.As(err, &wrong) || err.Error() != "simbus: write at 0x7fc was answered SLVERR" {
			t.Errorf("a write to where nothing is: %v", err)
		}
		ctx, cancel := context.WithCancelCause(context.Background())
		cancel(fmt.Errorf("enough"))
		if err := bus.WaitInterrupt(ctx); err == nil || !strings.Contains(err.Error(), "no interrupt: enough") {
			t.Errorf("a wait for what does not come: %v", err)
		}
		if err := bus.Write32(regmap.CoreUnmake, 0); err != nil { // the core refuses and interrupts
			return err
		}
		if err := bus.WaitInterrupt(context.Background()); err != nil {
			t.Error(err)
		}
		return errors.New("that is all")
	})
	if err == nil || !strings.Contains(err.Error(), "that is all") {
		t.Errorf("the software's error is not the bench's: %v", err)
	}
}
