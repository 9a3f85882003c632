package uart_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/score"
	"github.com/cosimate/cosimate/sim/tb"
	"github.com/cosimate/cosimate/sim/uart"
)

var loop = sim.Design{Top: "uart_loop", FS: os.DirFS("testdata"), Dir: "sim/uart/testdata", Files: []string{"uart_loop.sv"}, Clock: "clk_i", Reset: "rst_i"}

type loopIn struct{ Rst, Rx bool }

type loopOut struct{ Tx, FramingError, Wire bool }

// withDivisor returns the UART with another number of cycles a bit.
func withDivisor(divisor int) sim.Design {
	d := loop
	d.Params = map[string]string{"Divisor": fmt.Sprint(divisor)}
	return d
}

// echo sends bytes with framing errors, breaks and glitches between them, and compares the bytes
// that the design sends back.
func echo(dut *sim.DUT[loopIn, loopOut], divisor, bytes int, seed uint64) error {
	b := tb.New(dut)
	b.SetSeed(seed)
	tx := uart.NewTransmitter(&b.In.Rx, divisor)
	board := score.NewInOrder[uart.Frame](b, "bytes")
	b.Monitor("receive", (&uart.Receiver{
		Line: &b.Out.Tx, Divisor: divisor,
		Each:   board.Got,
		Glitch: func(p *tb.Process) { p.Failf("a start bit was too short") },
	}).Run)
	errors := 0
	b.Monitor("framing errors", func(p *tb.Process) {
		for {
			p.Until(math.MaxInt, func() bool { return b.Out.FramingError && !b.In.Rst })
			errors++
		}
	})
	b.Go("send", func(p *tb.Process) {
		(&tb.Reset{Bit: &b.In.Rst}).Hold(p)
		wrong := 0
		for i := range bytes {
			v := byte(p.Rand().Uint32())
			switch i % 8 {
			case 5:
				tx.SendFramingError(p, v)
				wrong++
			case 6:
				tx.SendBreak(p, 10+p.Rand().IntN(30))
				wrong++
				p.Wait(p.Rand().IntN(3 * divisor))
			case 7: // a glitch shorter than half a bit
				b.In.Rx = false
				p.Wait((divisor - 1) / 2)
				b.In.Rx = true
				p.Wait(divisor + p.Rand().IntN(3*divisor))
			default:
				board.Expect(p, uart.Frame{Data: v})
				tx.Send(p, v)
			}
		}
		for range bytes / 8 { // as fast as can be
			v := byte(p.Rand().Uint32())
			board.Expect(p, uart.Frame{Data: v})
			tx.Send(p, v)
		}
		if !p.Within(25*divisor, func() bool { return board.Pending() == 0 }) {
			p.Failf("%d bytes have not come back", board.Pending())
		}
		p.Wait(12 * divisor)
		if errors != wrong {
			p.Failf("%d framing errors reported, want %d", errors, wrong)
		}
	})
	return b.Run(60 * divisor * bytes)
}

func TestLoop(t *testing.T) {
	for _, divisor := range []int{4, 9, 868} {
		t.Run(fmt.Sprint(divisor), func(t *testing.T) {
			sim.ForEach(t, withDivisor(divisor), func(t *testing.T, dut *sim.DUT[loopIn, loopOut]) {
				n := 200
				if divisor > 100 {
					n = 8
				}
				if err := echo(dut, divisor, n, sim.Seed()); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

func TestFaultsAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: go test without -short runs it, as make nightly does")
	}
	text, err := os.ReadFile("testdata/uart_loop.sv")
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range []struct{ name, old, new, want string }{
		{"most significant bit first", "{rx_q, rx_data_q[7:1]}", "{rx_data_q[6:0], rx_q}", `scoreboard "bytes", item 0`},
		{"two stop bits", "tx_bit_q == 4'd9;", "tx_bit_q == 4'd10;", `bytes`},
		{"stop bit of 0", "tx_shift_q   <= {1'b1, next_q};", "tx_shift_q   <= {1'b0, next_q};", "FramingError"},
		{"start bit too short", "tx_count_q   <= Last;", "tx_count_q   <= Half - 16'd2;", "a start bit was too short"},
		{"too fast", "tx_count_q <= Last;\n      tx_bit_q   <= tx_bit_q", "tx_count_q <= Last - 16'd2;\n      tx_bit_q   <= tx_bit_q", `scoreboard "bytes"`},
		{"too slow", "tx_count_q <= Last;\n      tx_bit_q   <= tx_bit_q", "tx_count_q <= Last + 16'd1;\n      tx_bit_q   <= tx_bit_q", `scoreboard "bytes"`},
		{"samples at the edge", "rx_count_q <= Half;", "rx_count_q <= Last;", `scoreboard "bytes"`},
		{"framing error passes", "rx_valid_q      <= rx_q;", "rx_valid_q      <= 1'b1;", `scoreboard "bytes", item 5, `},
		{"glitch is a start", "rx_busy_q <= ~rx_q;", "rx_busy_q <= 1'b1;", `scoreboard "bytes"`},
		{"break repeats", "rx_qq & ~rx_q", "~rx_q", `scoreboard "bytes"`},
		{"a byte is lost", "next_valid_q <= 1'b1;", "next_valid_q <= ~next_valid_q & rx_data_q != 8'h1f;", "bytes"},
		{"idle low", "tx_o         <= ~next_valid_q;", "tx_o         <= 1'b0;", "scoreboard"},
	} {
		t.Run(fault.name, func(t *testing.T) {
			if n := strings.Count(string(text), fault.old); n != 1 {
				t.Fatalf("%q stands %d times in uart_loop.sv, not once", fault.old, n)
			}
			d := loop
			d.FS = fstest.MapFS{"uart_loop.sv": {Data: []byte(strings.Replace(string(text), fault.old, fault.new, 1))}}
			err := echo(sim.OpenTest[loopIn, loopOut](t, d, sim.Icarus), 8, 400, 1)
			if err == nil || !strings.Contains(err.Error(), fault.want) {
				t.Errorf("error %v\nwant %q in it", err, fault.want)
			}
		})
	}
}

// A receiver understands the transmitter at any divisor, also if it is 4 % too slow or too fast.
func TestDivisors(t *testing.T) {
	sim.ForEach(t, loop, func(t *testing.T, dut *sim.DUT[loopIn, loopOut]) {
		for _, c := range []struct{ tx, rx int }{{1, 1}, {2, 2}, {3, 3}, {4, 4}, {7, 7}, {16, 16}, {100, 96}, {100, 104}} {
			b := tb.New(dut)
			tx := uart.NewTransmitter(&b.In.Rx, c.tx)
			var got []string
			b.Monitor("receive", (&uart.Receiver{Line: &b.Out.Wire, Divisor: c.rx, Each: func(p *tb.Process, f uart.Frame) {
				got = append(got, f.String())
			}}).Run)
			b.Go("send", func(p *tb.Process) {
				p.Wait(2)
				tx.Send(p, 0x55, 0x00, 0xff)
				tx.SendFramingError(p, 0x81)
				tx.Send(p, 0x0f)
				tx.SendBreak(p, 37)
				p.Wait(c.tx)
				tx.Send(p, 0xf0)
				p.Wait(2)
			})
			b.Check(t, 200*c.tx)
			want := "[0x55 0x00 0xff 0x81 with framing error 0x0f break 0xf0]"
			if fmt.Sprint(got) != want {
				t.Errorf("sent at %d, read at %d: %v, want %s", c.tx, c.rx, got, want)
			}
		}
		b := tb.New(dut)
		b.Go("bad", func(p *tb.Process) { uart.NewTransmitter(&b.In.Rx, 0).Send(p, 1) })
		if err := b.Run(10); err == nil || !strings.Contains(err.Error(), "there must be one at least") {
			t.Errorf("error %v, want that a divisor of 0 cannot be", err)
		}
	})
}

func Example() {
	dut, err := sim.Open[loopIn, loopOut](context.Background(), loop, sim.Icarus)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer dut.Close()

	b := tb.New(dut)
	b.SetTranscript(os.Stdout)
	var frames tb.Queue[uart.Frame]
	b.Monitor("receive", (&uart.Receiver{Line: &b.Out.Tx, Divisor: 8, Each: func(p *tb.Process, f uart.Frame) { frames.Push(f) }}).Run)
	tx := uart.NewTransmitter(&b.In.Rx, 8)
	b.Go("test", func(p *tb.Process) {
		(&tb.Reset{Bit: &b.In.Rst}).Hold(p)
		tx.Send(p, 'h', 'i')
		for range 2 {
			p.Logf("%q came back", frames.Pop(p).Data)
		}
	})
	if err := b.Run(1000); err != nil {
		fmt.Println(err)
	}
	// Output:
	//    164 test: 'h' came back
	//    240 test: 'i' came back
}

// An X on the line is no 0.
func TestUnknownLine(t *testing.T) {
	text, err := os.ReadFile("testdata/uart_loop.sv")
	if err != nil {
		t.Fatal(err)
	}
	d := loop
	d.FS = fstest.MapFS{"uart_loop.sv": {Data: []byte(strings.Replace(string(text), "tx_o       <= tx_shift_q[0];", "tx_o       <= tx_bit_q == 4'd3 ? 1'bx : tx_shift_q[0];", 1))}}
	err = echo(sim.OpenTest[loopIn, loopOut](t, d, sim.Icarus), 8, 8, 1)
	if err == nil || !strings.Contains(err.Error(), "uart: the line is X or Z in the middle of a data bit") {
		t.Errorf("error %v, want that of the X", err)
	}
}
