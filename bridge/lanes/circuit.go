package lanes

import (
	"fmt"

	"github.com/cosimate/cosimate/bridge"
)

// value is a bit of a circuit. Numbers from 0 on are, in this order: the constants 0 and 1, the
// planes (see [circuit]), and the results of the LUTs.
type value int32

const (
	zero  value = 0
	one   value = 1
	first value = 2 // the first plane
)

// circuit is a design as look-up tables, flip-flops and memories.
//
// A plane is one bit of all lanes, in memory. These planes can be read by LUTs, and are numbered in
// this order: inputs, clocks that rise, forces, states, data that memories read.
type circuit struct {
	Ports []bridge.Port // in no order, clocks among them

	// Inputs are the bits of the input ports. Clocks are not among them.
	Inputs []portBits
	// Outputs are the bits of the output ports, and what drives them.
	Outputs []portBits
	// Rises is how many planes say in which cycles clocks rise: one a clock, if there are several.
	Rises  int
	Forces []force
	States []state
	// Aliases are further names of registers: the number of the state that each bit is.
	Aliases map[string][]int `json:",omitempty"`
	LUTs    []lut
	Memory  []memory
	Checks  []check
	Points  []check // they fail where a point is reached

	// Planes is one more than the last value that is a plane.
	Planes int
}

// portBits are the bits of a port, least significant first. For an input these are the planes.
type portBits struct {
	Name string
	Bits []value
}

// force is an internal signal that can be read and forced.
type force struct {
	Name   string
	Driver []value // what the design drives
	Bits   []value // what all readers see
	Mask   []value // planes: whether the bit is forced
	Forced []value // planes: and to what
}

// state is a bit that is kept from cycle to cycle.
type state struct {
	// Next is the value after an edge. A state whose Next is itself is a bit that nothing drives.
	Next  value
	Clock int
	// Initial is the value at power-up: 0, 1, or -1 if it is any.
	Initial int8
	// Register is the name of the signal in the source that this is a bit of, or "".
	Register string `json:",omitempty"`
	Bit      int    `json:",omitempty"`
}

// lut is a look-up table of three inputs. Bit a + 2*b + 4*c of Table is the result for the values
// a, b and c of In. If it does not depend on an input, that is equal to another.
type lut struct {
	In    [3]value
	Table uint8
}

// memory is a memory, of which each lane has its own words.
type memory struct {
	Name                string
	Width, Size, Offset int    // bits, words, and the address of the first word
	Initial             string // of all words, the last first, in 0, 1 and x
	Reads               []readPort
	Writes              []writePort
}

// readPort reads a word in each cycle, as it is before the edge.
type readPort struct {
	Address []value
	Data    []value // planes
}

// writePort writes the bits of a word that are enabled, at an edge. Later ports win.
type writePort struct {
	Address, Data, Enable []value
	Clock                 int
}

// check is an assertion, or an assumption: it fails in a lane where Enable is 1 and Holds is 0.
type check struct {
	Where         string
	Enable, Holds value
	Assumed       bool `json:",omitempty"`
}

// buffer is the table of a LUT that gives its first input.
const buffer = 0b10101010

// chooser is the table of a LUT that gives its second input where the third is 1, and its first
// elsewhere.
const chooser = 0b11001010

// Tables of LUTs whose third input is of no account: both inputs, either, and the first without the
// second.
const (
	both    = 0b10001000
	either  = 0b11101110
	without = 0b00100010
)

// result returns the value of a LUT.
func (c *circuit) result(lut int) value { return value(c.Planes + lut) }

// lutOf returns the LUT that has a value, or -1 if it is a constant or a plane.
func (c *circuit) lutOf(v value) int { return max(int(v)-c.Planes, -1) }

// planeOf returns the number of the plane that a value is.
func planeOf(v value) int { return int(v - first) }

// add adds a LUT and returns its value.
func (c *circuit) add(l lut) value {
	c.LUTs = append(c.LUTs, l)
	return c.result(len(c.LUTs) - 1)
}

// firstState is the first plane of the states.
func (c *circuit) firstState() value {
	at := first + value(c.Rises)
	for _, p := range c.Inputs {
		at += value(len(p.Bits))
	}
	for _, f := range c.Forces {
		at += value(len(f.Mask) + len(f.Forced))
	}
	return at
}

// planes is how many planes a circuit has.
func (c *circuit) planes() int { return c.Planes - int(first) }

// String is a summary for people.
func (c *circuit) String() string {
	s := fmt.Sprintf("%d LUTs of three inputs, %d flip-flops", len(c.LUTs), len(c.States))
	switch n := len(c.Memory); n {
	case 0:
		return s
	case 1:
		return s + ", 1 memory"
	default:
		return fmt.Sprintf("%s, %d memories", s, n)
	}
}
