package bridge

import (
	"fmt"
	"math/big"
	"strconv"
)

// Value is what an internal signal has: a register, a wire, or a word of a memory.
//
// Signals are named below the top module, "u_core.state_q", generate blocks and words of memories
// by index, "g_lane[2].u_fifo.mem[7]", with all indices that the memory has, "plane[3][0]". Bits
// and members are those of the value of the whole signal. Between runs they are those after the
// last clock edge, settled with the inputs of the last row. What is poked stays until the RTL
// assigns it again, what is forced until it is released; both take effect when the model settles
// next, in the next run.
//
// An input port of an instance is forced for this instance alone under Verilator. Icarus joins nets
// through ports: to write an input port is a *SignalError there (write what the port drives within
// the instance), and an instance whose output drives a wire that is forced reads the forced value
// if it reads its own output.
type Value struct {
	Width   int
	Bits    []uint64 // least significant word first; 0 for X and 1 for Z
	Unknown []uint64 // as long, or nil: no bit is X or Z
}

// Uint64 is a value of up to 64 bits; unknown bits as in Bits.
func (v Value) Uint64() uint64 {
	if len(v.Bits) == 0 {
		return 0
	}
	return v.Bits[0]
}

// Known tells whether no bit is X or Z.
func (v Value) Known() bool {
	for _, w := range v.Unknown {
		if w != 0 {
			return false
		}
	}
	return true
}

// Big is a value of any width.
func (v Value) Big() *big.Int {
	b := new(big.Int)
	for i := len(v.Bits) - 1; i >= 0; i-- {
		b.Lsh(b, 64).Or(b, new(big.Int).SetUint64(v.Bits[i]))
	}
	return b
}

// String is the value in hexadecimal as Verilog writes it, 12'h3xf; in binary where not all bits of
// a digit are alike in what is known of them.
func (v Value) String() string {
	bits := v.Big()
	unknown := Value{Width: v.Width, Bits: v.Unknown}.Big()
	digits := func(per int) (text string, mixed bool) {
		for at := (v.Width - 1) / per * per; at >= 0; at -= per {
			n := min(per, v.Width-at)
			value, x, z := uint(0), 0, 0
			for i := n - 1; i >= 0; i-- {
				value = value<<1 | bits.Bit(at+i)
				x += int(unknown.Bit(at+i) &^ bits.Bit(at+i))
				z += int(unknown.Bit(at+i) & bits.Bit(at+i))
			}
			switch {
			case x == n:
				text += "x"
			case z == n:
				text += "z"
			default:
				mixed = mixed || x+z > 0
				text += strconv.FormatUint(uint64(value), 16)
			}
		}
		return text, mixed
	}
	if text, mixed := digits(4); !mixed {
		return fmt.Sprintf("%d'h%s", v.Width, text)
	}
	text, _ := digits(1)
	return fmt.Sprintf("%d'b%s", v.Width, text)
}

// SignalError is a signal that cannot be reached.
type SignalError struct {
	Simulator string
	Top       string
	Name      string
	Reason    string // and what to do, with the nearest names that exist
}

func (e *SignalError) Error() string {
	return fmt.Sprintf("%s: signal %s of module %s: %s", e.Simulator, e.Name, e.Top, e.Reason)
}
