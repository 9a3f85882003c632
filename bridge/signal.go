package bridge

import (
	"fmt"
	"math/big"
	"strconv"
)

// Value is the value of an internal signal: a register, a wire, or a word of a memory.
//
// Signals are named below the top module, "u_core.state_q". Generate blocks and words of memories
// are named by index, "g_lane[2].u_fifo.mem[7]"; a word needs all indices of its memory,
// "plane[3][0]". Single bits and members of a structure have no names: take them from the value of
// the whole signal.
//
// Between runs a signal has its value after the last clock edge, settled with the inputs of the
// last row. A value that is poked stays until the RTL assigns the signal again. A value that is
// forced stays until it is released. Both take effect when the model settles next, in the next run.
//
// The simulators differ in the input ports of instances. Verilator forces such a port for this
// instance alone. Icarus makes one net of the port and what drives it, so writing the port is a
// *SignalError there: write what the port drives within the instance. For the same reason, an
// instance that reads its own output reads the forced value if the wire outside is forced.
type Value struct {
	Width   int
	Bits    []uint64 // least significant word first; a bit is 0 for X and 1 for Z
	Unknown []uint64 // as long as Bits, a bit is set for X and Z; nil if there are none
}

// Uint64 is a value of up to 64 bits. Unknown bits are as in Bits.
func (v Value) Uint64() uint64 {
	if len(v.Bits) == 0 {
		return 0
	}
	return v.Bits[0]
}

// Known reports whether no bit is X or Z.
func (v Value) Known() bool {
	for _, w := range v.Unknown {
		if w != 0 {
			return false
		}
	}
	return true
}

// number returns the bits of a value of any width.
func (v Value) number() *big.Int {
	b := new(big.Int)
	for i := len(v.Bits) - 1; i >= 0; i-- {
		b.Lsh(b, 64).Or(b, new(big.Int).SetUint64(v.Bits[i]))
	}
	return b
}

// String is the value as Verilog writes it, in hexadecimal: 12'h3xf. If the bits of one digit are
// unknown only in part, it is in binary.
func (v Value) String() string {
	bits := v.number()
	unknown := Value{Width: v.Width, Bits: v.Unknown}.number()
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
