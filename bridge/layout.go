package bridge

import (
	"cmp"
	"fmt"
	"slices"
)

// Direction is a port's direction, seen from the module.
type Direction string

const (
	Input  Direction = "input"
	Output Direction = "output"
)

// Port is one port of a top module.
type Port struct {
	Name  string
	Dir   Direction
	Width int // bits, at least 1
	// Offset and Size place the port's value in a row: Size bytes, little
	// endian, from byte Offset. Size is 1, 2, 4 or 8 for ports up to 64 bits
	// and a multiple of 4 (32-bit words, least significant first) for wider
	// ones, as Verilator lays them out. Bits above Width are 0.
	Offset int
	Size   int
}

func (p Port) String() string {
	if p.Width == 1 {
		return fmt.Sprintf("%s %s", p.Dir, p.Name)
	}
	return fmt.Sprintf("%s [%d:0] %s", p.Dir, p.Width-1, p.Name)
}

// Layout is the shape of the rows of a tape. Clocks have no place in it: the
// bridge drives them.
type Layout struct {
	Inputs  []Port // sorted by name
	Outputs []Port // sorted by name
	InSize  int    // bytes of a row of inputs, a multiple of 8
	OutSize int    // bytes of a row of outputs, a multiple of 8
}

// NewLayout places ports in rows. It takes any order of ports and always gives
// the same layout for the same set, whichever simulator reported them. The ports
// of the clocks are checked to be one-bit inputs and left out.
func NewLayout(ports []Port, clocks []Clock) (*Layout, error) {
	l := &Layout{}
	missing := clockPorts(clocks)
	for _, p := range ports {
		if p.Width < 1 {
			return nil, fmt.Errorf("port %s has no width", p.Name)
		}
		switch {
		case missing[p.Name]:
			if p.Dir != Input || p.Width != 1 {
				return nil, fmt.Errorf("the clock %s is %q: it must be a one-bit input", p.Name, p)
			}
			delete(missing, p.Name)
		case p.Dir == Input:
			l.Inputs = append(l.Inputs, p)
		case p.Dir == Output:
			l.Outputs = append(l.Outputs, p)
		default:
			return nil, fmt.Errorf("port %s is %s: only input and output ports can be driven from Go", p.Name, p.Dir)
		}
	}
	for _, c := range clocks {
		if missing[c.Port] {
			return nil, fmt.Errorf("there is no port %s to be the clock; the module has %s", c.Port, names(ports))
		}
	}
	l.InSize = place(l.Inputs)
	l.OutSize = place(l.Outputs)
	return l, nil
}

func names(ports []Port) string {
	if len(ports) == 0 {
		return "no ports"
	}
	s := ""
	for i, p := range ports {
		if i > 0 {
			s += ", "
		}
		s += p.String()
	}
	return s
}

func place(ports []Port) int {
	slices.SortFunc(ports, func(a, b Port) int { return cmp.Compare(a.Name, b.Name) })
	offset := 0
	for i := range ports {
		p := &ports[i]
		p.Size = size(p.Width)
		align := min(p.Size, 8)
		if p.Width > 64 {
			align = 8
		}
		offset = (offset + align - 1) &^ (align - 1)
		p.Offset = offset
		offset += p.Size
	}
	return (offset + 7) &^ 7
}

// size is the number of bytes of a value of the given width, as in Verilator's
// CData, SData, IData, QData and arrays of EData.
func size(width int) int {
	switch {
	case width <= 8:
		return 1
	case width <= 16:
		return 2
	case width <= 32:
		return 4
	case width <= 64:
		return 8
	default:
		return (width + 31) / 32 * 4
	}
}

// Tape is the port memory of an instance: Rows rows of inputs and as many of
// outputs, a row per clock cycle.
type Tape struct {
	Rows int
	In   []byte // Rows * Layout.InSize, written by Go
	Out  []byte // Rows * Layout.OutSize, written by the simulator
	// Unknown has the shape of Out: a bit is 1 where the output was X or Z, and
	// then Out has 0 for X and 1 for Z. It is nil under Verilator, which has no
	// unknowns.
	Unknown []byte
}

// TapeRows is the number of rows that instances give their tapes: as many as
// keep a tape within about 256 KiB, so that it stays in cache, at least 16 and at
// most 4096, so that a run answers Ctrl-C quickly.
func TapeRows(l *Layout) int {
	return min(max((256<<10)/max(l.InSize+2*l.OutSize, 1), 16), 4096)
}
