// Package simbus lets drivers work on a simulated core. It has a [driver.Bus] for a bench whose
// design has AXI4-Lite registers and an interrupt. The rules of the bus are checked, and transfers
// are counted.
//
//	b := tb.New(dut)
//	bus, err := simbus.New(b, &b.In.Rst, &b.Out.Irq)
//	bus.Go("software", func() error {
//		core, err := driver.OpenCore(bus)
//		...
//	})
//	err = b.Run(100_000)
package simbus

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/cosimate/cosimate/rtl/driver"
	"github.com/cosimate/cosimate/rtl/regmap"
	"github.com/cosimate/cosimate/sim/axi"
	"github.com/cosimate/cosimate/sim/tb"
)

// Bus is a simulated bus. Only the function that was given to [Bus.Go] may call its methods.
type Bus struct {
	Manager *axi.Manager // makes the transfers; its pauses can be set
	Reset   *tb.Reset

	Reads, Writes int // transfers so far

	irq     *bool
	start   func(name string, body func(*tb.Process)) *tb.Process
	process *tb.Process
}

var (
	_ driver.Bus         = (*Bus)(nil)
	_ driver.Interrupter = (*Bus)(nil)
)

// New returns the bus s_axil of a bench, with the interrupt line irq, and checks the rules of the
// bus. The error says which signals are missing.
func New[I, O any](b *tb.Bench[I, O], reset, irq *bool) (*Bus, error) {
	lite, err := axi.BindLite(b, "s_axil")
	if err != nil {
		return nil, err
	}
	lite.Reset = &tb.Reset{Bit: reset}
	b.Monitor("rules of AXI4-Lite", (&axi.LiteChecker{Lite: lite}).Run)
	return &Bus{Manager: &axi.Manager{Lite: lite}, Reset: lite.Reset, irq: irq, start: b.Go}, nil
}

// Go runs software after a reset, as a process of the bench. Its error ends the bench.
func (b *Bus) Go(name string, software func() error) {
	b.start(name, func(p *tb.Process) {
		b.process = p
		b.Reset.Hold(p)
		if err := software(); err != nil {
			p.Fail(err)
		}
	})
}

// Cycle returns the index of the cycle done last.
func (b *Bus) Cycle() int { return b.process.Cycle() }

// Process returns the process in which the software runs.
func (b *Bus) Process() *tb.Process { return b.process }

// Error is the error of an access that was not answered with OKAY.
type Error struct {
	Write   bool
	Address uint32
	Resp    axi.Resp
}

func (e *Error) Error() string {
	what := "read"
	if e.Write {
		what = "write"
	}
	for _, m := range regmap.Maps() {
		if r := m.Find(e.Address); r != nil {
			what += fmt.Sprintf(" of %#03x (%s of %s: %s)", e.Address, r.Name, m.Name, r.Access)
		}
	}
	return fmt.Sprintf("simbus: %s at %#03x was answered %v", what, e.Address, e.Resp)
}

// Read32 reads a register.
func (b *Bus) Read32(address uint32) (uint32, error) {
	b.Reads++
	data, resp := b.Manager.Read(b.process, uint64(address))
	if resp != axi.OKAY {
		return 0, &Error{false, address, resp}
	}
	return uint32(data), nil
}

// Write32 writes a register.
func (b *Bus) Write32(address, data uint32) error {
	b.Writes++
	if resp := b.Manager.Write(b.process, uint64(address), uint64(data)); resp != axi.OKAY {
		return &Error{true, address, resp}
	}
	return nil
}

// WaitInterrupt waits until the interrupt line is 1, or the context is done.
func (b *Bus) WaitInterrupt(ctx context.Context) error {
	for !*b.irq {
		if err := context.Cause(ctx); err != nil {
			return fmt.Errorf("simbus: no interrupt: %w", err)
		}
		b.process.Within(1000, func() bool { return *b.irq })
	}
	return nil
}

// Near returns an address that differs from that of one of a map's registers in one bit. There may
// be another register. Software that accesses such addresses shows whether all bits are decoded.
func Near(m *regmap.Map, r *rand.Rand) uint32 {
	register := &m.Registers[r.IntN(len(m.Registers))]
	return (register.Address + 4*uint32(r.IntN(max(register.Count, 1)))) ^ 4<<r.IntN(10)
}
