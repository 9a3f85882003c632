package link_test

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/cosimate/cosimate/rtl/internal/sources"
	"github.com/cosimate/cosimate/rtl/link"
	"github.com/cosimate/cosimate/rtl/uart"
	"github.com/cosimate/cosimate/sim"
)

// serialIn has the inputs of link_uart, which is the board's end with its UART.
type serialIn struct {
	Rst         bool         `port:"rst_i"`
	Rx          bool         `port:"rx_i"`
	SendValid   bool         `port:"send_valid_i"`
	SendType    uint8        `port:"send_type_i"`
	SendLength  uint8        `port:"send_length_i"`
	SendPayload link.Payload `port:"send_payload_i"`
	RecvReady   bool         `port:"recv_ready_i"`
}

type serialOut struct {
	Tx          bool         `port:"tx_o"`
	SendReady   bool         `port:"send_ready_o"`
	RecvValid   bool         `port:"recv_valid_o"`
	RecvType    uint8        `port:"recv_type_o"`
	RecvLength  uint8        `port:"recv_length_o"`
	RecvPayload link.Payload `port:"recv_payload_o"`
	Open        bool         `port:"open_o"`
	Opened      bool         `port:"opened_o"`
	Up          bool         `port:"up_o"`
	Damaged     bool         `port:"damaged_o"`
	Framing     bool         `port:"framing_o"`
	Break       bool         `port:"break_o"`
	Overrun     bool         `port:"overrun_o"`
}

// serial returns link_uart with these parameters.
func serial(u uart.Params, p link.Params) sim.Design {
	d := sources.Design("link_uart", "link/testdata/link_uart.list", os.DirFS("."), uart.Design, link.Design)
	d.Params = p.Design().Params
	d.Params["Divisor"] = u.Design().Params["Divisor"]
	return d
}

// cable is a board with its UART, the host's UART, and two wires between them that may be
// disturbed. Its ports are those of the board's link without UARTs: the host's bytes go in, and the
// bytes that reach the host come out.
type cable struct {
	step    func(serialIn) (serialOut, error)
	uart    *uart.Model // the host's UART
	bytes   []byte      // bytes of the host for its UART
	arrived []byte      // bytes that have reached the host
	disturb func(level bool) bool
	back    func(level bool) bool
	out     uart.Out  // of the last cycle
	board   serialOut // of the last cycle

	framing, breaks int
}

func newCable(step func(serialIn) (serialOut, error), u uart.Params, disturb, back func(bool) bool) *cable {
	return &cable{step: step, uart: uart.NewModel(u), disturb: disturb, back: back, out: uart.Out{Tx: true}, board: serialOut{Tx: true}}
}

func (c *cable) cycle(in link.In) (link.Out, error) {
	if in.RxValid {
		c.bytes = append(c.bytes, in.RxData)
	}
	host := uart.In{Rx: c.back(c.board.Tx), RxReady: true}
	if len(c.bytes) > 0 {
		host.TxValid, host.TxData = true, c.bytes[0]
	}
	board, err := c.step(serialIn{
		Rst: in.Rst, Rx: c.disturb(c.out.Tx), SendValid: in.SendValid, SendType: in.SendType, SendLength: in.SendLength,
		SendPayload: in.SendPayload, RecvReady: in.RecvReady,
	})
	if err != nil {
		return link.Out{}, err
	}
	if board.Framing {
		c.framing++
	}
	if board.Break && !c.board.Break {
		c.breaks++
	}
	c.out, c.board = c.uart.Step(host), board
	if host.TxValid && c.out.TxReady {
		c.bytes = c.bytes[1:]
	}
	if c.out.RxValid {
		c.arrived = append(c.arrived, c.out.RxData)
	}
	out := link.Out{
		SendReady: board.SendReady, RecvValid: board.RecvValid, RecvType: board.RecvType, RecvLength: board.RecvLength,
		RecvPayload: board.RecvPayload, Open: board.Open, Opened: board.Opened, Up: board.Up, Damaged: board.Damaged,
	}
	if in.TxReady && len(c.arrived) > 0 {
		out.TxValid, out.TxData = true, c.arrived[0]
		c.arrived = c.arrived[1:]
	}
	return out, nil
}

// wire returns a wire that is disturbed now and then. It is inverted, or held at a level, for a
// part of a bit up to some bytes. So bits change, bytes seem to begin, and bytes are cut off.
func wire(r *rand.Rand, p float64, divisor int, quiet *bool) func(bool) bool {
	left, kind := 0, 0
	return func(level bool) bool {
		if left == 0 && !*quiet && r.Float64() < p {
			kind = r.IntN(3)
			left = 1 + r.IntN([]int{divisor, 10 * divisor, 40 * divisor}[r.IntN(3)])
		}
		if left == 0 {
			return level
		}
		left--
		switch kind {
		case 0:
			return !level
		case 1:
			return false
		}
		return true
	}
}

// Conversations go over a serial line whose wires are disturbed, with a host whose UART is slower
// than the board's.
func TestSerialLine(t *testing.T) {
	// RetryCycles is longer than two long frames take.
	u, p := uart.Default, link.Params{RetryCycles: 50_000, SilenceCycles: 500_000}
	u.Divisor = 32
	slower := u
	slower.Divisor = 33
	sim.ForEach(t, serial(u, p), func(t *testing.T, d *sim.DUT[serialIn, serialOut]) {
		noises, messages := []float64{0, 0.00005, 0.0002}, 15
		if d.Simulator() == sim.Icarus {
			noises, messages = noises[2:], 2
		}
		for _, bad := range noises {
			if err := d.Reset(3); err != nil {
				t.Fatal(err)
			}
			plan := plan{p: p, pace: 10 * u.Divisor, messages: messages, gap: 0.01, busy: 0.2, toBoard: clean, toHost: clean, quiet: new(bool)}
			r := seeded(200)
			c := newCable(d.Step, slower, wire(r, bad, u.Divisor, plan.quiet), wire(r, bad, u.Divisor, plan.quiet))
			w := newWorld(r, plan)
			err := w.run(20_000_000, c.cycle)
			t.Logf("a disturbance in %v cycles: %d messages each way in %d cycles; at the board %d framing errors, %d breaks; %d damaged frames at the host",
				1/bad, plan.messages, w.cycle, c.framing, c.breaks, w.host.Damaged)
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}

// The same with the board's default parameters: 115 200 baud at 100 MHz, and at night also 100 ms
// until a message is repeated.
func TestRealTime(t *testing.T) {
	d := sim.OpenTest[serialIn, serialOut](t, serial(uart.Default, link.Default), sim.Verilator)
	if err := d.Reset(3); err != nil {
		t.Fatal(err)
	}
	straight := func(level bool) bool { return level }
	lost := func(b byte, after int) []byte {
		if after == 0 {
			return nil
		}
		return []byte{b}
	}
	toHost := clean
	if *rounds > 1 {
		toHost = at(20, lost)
	}
	c := newCable(d.Step, uart.Default, straight, straight)
	w := newWorld(seeded(201), plan{p: link.Default, pace: 8680, messages: 2, gap: 1, toBoard: clean, toHost: toHost})
	err := w.run(40_000_000, c.cycle)
	t.Logf("%d messages each way in %.1f ms", w.messages, float64(w.cycle)/100_000)
	if err != nil {
		t.Fatal(err)
	}
	if late := w.cycle >= link.Default.RetryCycles; late != (*rounds > 1) {
		t.Errorf("something was sent again: %v", late)
	}
}
