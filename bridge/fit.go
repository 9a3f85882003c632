package bridge

import (
	"encoding/binary"
	"fmt"
)

// InputError is an input with a value that its port cannot hold. Its row was not played. The rows
// before it were, and the instance can go on.
type InputError struct {
	Simulator string
	Top       string
	Row       int // within the run
	Port      Port
	Fault     string // what is wrong: "0x10 does not fit"
}

func (e *InputError) Error() string {
	return fmt.Sprintf("%s: %s: row %d: %s port %s", e.Simulator, e.Top, e.Row, e.Fault, e.Port)
}

// Fitting finds the first of n rows of inputs that has a value its port cannot hold. It returns the
// number of rows before it and the error, or n and nil if all rows fit.
func (l *Layout) Fitting(rows []byte, n int) (int, *InputError) {
	for row := range n {
		for i := range l.Inputs {
			p := &l.Inputs[i]
			if fault := p.Misfit(rows[row*l.InSize:]); fault != "" {
				return row, &InputError{Row: row, Port: *p, Fault: fault}
			}
		}
	}
	return n, nil
}

// Misfit returns why the port cannot hold its value in a row ("0x10 does not fit"), or "" if it
// can.
func (p *Port) Misfit(row []byte) string {
	if p.Width == 8*p.Size {
		return ""
	}
	value := row[p.Offset:][:p.Size]
	if p.Width > 64 {
		for bit := p.Width; bit < 8*p.Size; bit++ {
			if value[bit/8]>>(bit%8)&1 != 0 {
				return fmt.Sprintf("bit %d is set, which is beyond", bit)
			}
		}
		return ""
	}
	var word [8]byte
	copy(word[:], value)
	v := binary.LittleEndian.Uint64(word[:])
	if p.Signed {
		above := 64 - 8*p.Size
		s := int64(v<<above) >> above
		if top := s >> (p.Width - 1); top != 0 && top != -1 {
			end := int64(1) << (p.Width - 1)
			return fmt.Sprintf("%d, which is not in %d to %d, does not fit", s, -end, end-1)
		}
		return ""
	}
	if v>>p.Width != 0 {
		return fmt.Sprintf("%#x does not fit", v)
	}
	return ""
}
