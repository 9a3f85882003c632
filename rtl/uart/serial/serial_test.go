package serial_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/cosimate/cosimate/rtl/uart/serial"
)

func Example() {
	to, from := serial.Sender{Divisor: 868}, serial.Listener{Divisor: 868}
	to.Send('h', 'i')
	for !to.Idle() {
		if b, ok := from.Listen(to.Line()); ok {
			fmt.Printf("%c\n", b)
		}
	}
	// Output:
	// h
	// i
}

// On the line 'A' is 0 1000 0010 1.
func TestFrame(t *testing.T) {
	if got, want := serial.Frame('A'), [10]bool{1: true, 7: true, 9: true}; got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Each byte arrives, at divisors from 1 on, after pauses and without.
func TestBytes(t *testing.T) {
	for _, divisor := range []int{1, 2, 3, 4, 5, 16, 868} {
		s, l := serial.Sender{Divisor: divisor}, serial.Listener{Divisor: divisor}
		var sent, got []byte
		cycles := 0
		listen := func() {
			if b, ok := l.Listen(s.Line()); ok {
				got = append(got, b)
			}
			cycles++
		}
		for b := range 256 {
			sent = append(sent, byte(b))
			s.Send(byte(b))
			if b%3 == 0 {
				for !s.Idle() {
					listen()
				}
				if want := len(sent) * 10 * divisor; cycles-b/3 != want {
					t.Fatalf("divisor %d: %d bytes took %d cycles, not %d", divisor, len(sent), cycles-b/3, want)
				}
				listen() // a pause of one cycle
			}
		}
		if !slices.Equal(got, sent) {
			t.Errorf("divisor %d: got %v", divisor, got)
		}
	}
}

// What is no frame is dropped, and bytes after it arrive.
func TestDropped(t *testing.T) {
	const divisor = 4
	hear := func(levels ...bool) (got []byte) {
		l := serial.Listener{Divisor: divisor}
		a := serial.Frame('A')
		for _, level := range slices.Concat(levels, a[:]) {
			for range divisor {
				if b, ok := l.Listen(level); ok {
					got = append(got, b)
				}
			}
		}
		return got
	}
	short := make([]bool, 10)
	for name, levels := range map[string][]bool{"idle": {true, true}, "no stop bit": append(short, true, true)} {
		if got := hear(levels...); string(got) != "A" {
			t.Errorf("%s: got %q", name, got)
		}
	}
	l := serial.Listener{Divisor: divisor}
	l.Listen(false) // a start bit of one cycle only
	for range 20 * divisor {
		if b, ok := l.Listen(true); ok {
			t.Errorf("a glitch is %#x", b)
		}
	}
}
