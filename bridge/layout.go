package bridge

import (
	"cmp"
	"fmt"
	"regexp"
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
	// Offset and Size place the port's value in a row: Size bytes, little endian, from byte Offset,
	// in any alignment. For ports up to 64 bits, Size is 1, 2, 4 or 8 and enough for Width. For
	// wider ports it is a multiple of 4: 32-bit words, least significant first.
	//
	// Bits above Width are 0, or copies of the sign if Signed. Outputs are written so. An input
	// whose bits above Width are anything else is an *InputError.
	Offset int
	Size   int
	Signed bool // as held in rows, whatever the RTL declares; up to 64 bits only
	// DeclaredSigned is set if the RTL declares the port as signed. Rows do not depend on it.
	// Verilator fills it in only with BuildOptions.Signs.
	DeclaredSigned bool
}

func (p Port) String() string {
	if p.Width == 1 {
		return fmt.Sprintf("%s %s", p.Dir, p.Name)
	}
	return fmt.Sprintf("%s [%d:0] %s", p.Dir, p.Width-1, p.Name)
}

// Layout is the shape of rows. Clocks have no place in it: the bridge drives them.
type Layout struct {
	Inputs  []Port // in any order
	Outputs []Port // in any order
	InSize  int    // bytes of a row of inputs
	OutSize int    // bytes of a row of outputs
}

// InputBits returns a row of inputs in which the bits of ports are set.
func (l *Layout) InputBits() []byte { return portBits(l.Inputs, l.InSize) }

// OutputBits returns a row of outputs in which the bits of ports are set.
func (l *Layout) OutputBits() []byte { return portBits(l.Outputs, l.OutSize) }

func portBits(ports []Port, size int) []byte {
	row := make([]byte, size)
	for _, p := range ports {
		for bit := range p.Width {
			row[p.Offset+bit/8] |= 1 << (bit % 8)
		}
	}
	return row
}

// plainName matches the names that need no backslash before them in Verilog.
var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_$]*$`)

// CheckPorts checks that ports can be driven from Go and that the clocks are among them, and
// returns them without the clocks.
func CheckPorts(ports []Port, clocks []Clock) ([]Port, error) {
	var data []Port
	missing := clockPorts(clocks)
	for _, p := range ports {
		switch {
		case p.Width < 1:
			return nil, fmt.Errorf("port %s has no width", p.Name)
		case !plainName.MatchString(p.Name):
			return nil, fmt.Errorf("port \\%s has an escaped name: only plain names (letters, digits, _ and $) can be driven from Go; "+
				"wrap the module in one that connects a port with another name to it: .\\%s (name)", p.Name, p.Name)
		case missing[p.Name]:
			if p.Dir != Input || p.Width != 1 {
				return nil, fmt.Errorf("the clock %s is %q: it must be a one-bit input", p.Name, p)
			}
			delete(missing, p.Name)
		case p.Dir == Input || p.Dir == Output:
			data = append(data, p)
		default:
			return nil, fmt.Errorf("port %s is %s: only input and output ports can be driven from Go; "+
				"wrap the module in one with an input and an output in its place, as in docs/guide/bring-your-own-rtl.md, \"Inout\"", p.Name, p.Dir)
		}
	}
	for _, c := range clocks {
		if missing[c.Port] {
			return nil, fmt.Errorf("there is no port %s to be the clock; the module has %s", c.Port, Names(ports))
		}
	}
	return data, nil
}

// ArrayPort is the error for a port that is an unpacked array. Each simulator hands these over in a
// way of its own.
func ArrayPort(name string, elements, width int) error {
	return fmt.Errorf("port %s is an unpacked array of %d times %d bits: only vectors of bits can be driven from Go; "+
		"wrap the module in one with the packed port logic [%d:0][%d:0] %s, which assigns it element by element",
		name, elements, width, elements-1, width-1, name)
}

// OtherPort is the error for a port of a type that has no bits: real, string.
func OtherPort(name, kind string) error {
	return fmt.Errorf("port %s is a %s: only vectors of bits can be driven from Go; "+
		"wrap the module in one with a vector in its place, which converts it ($bitstoreal, $realtobits)", name, kind)
}

// LayoutOf checks the ports of a compiled module and returns their layout. A nil shape means
// [NewLayout].
func LayoutOf(ports []Port, clocks []Clock, shape func([]Port) (*Layout, error)) (*Layout, error) {
	data, err := CheckPorts(ports, clocks)
	if err != nil {
		return nil, err
	}
	if shape == nil {
		return NewLayout(data), nil
	}
	return shape(data)
}

// NewLayout returns a layout in which ports are sorted by name, each aligned to its size, and rows
// are aligned to 8 bytes. The same set of ports always gives the same layout.
func NewLayout(ports []Port) *Layout {
	l := &Layout{}
	for _, p := range ports {
		if p.Dir == Input {
			l.Inputs = append(l.Inputs, p)
		} else {
			l.Outputs = append(l.Outputs, p)
		}
	}
	l.InSize = place(l.Inputs)
	l.OutSize = place(l.Outputs)
	return l
}

// Names returns the list of ports for an error that says which ports a module has.
func Names(ports []Port) string {
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

// MaxRows is the largest number of rows that a run should have. It keeps their memory within about
// 256 KiB, which fits into the processor's cache. It is at least 16, and at most 4096 so that a run
// answers Ctrl-C quickly.
func MaxRows(l *Layout) int {
	return min(max((256<<10)/max(l.InSize+2*l.OutSize, 1), 16), 4096)
}
