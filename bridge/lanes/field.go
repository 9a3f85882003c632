package lanes

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/cosimate/cosimate/bridge"
)

// Field is a port, or some of its bits.
type Field struct {
	Port string
	// Low and High are the bits, both of them included. High is -1 for all.
	Low, High int
}

// fieldName takes a field's name apart.
var fieldName = regexp.MustCompile(`^(.*?)(?:\[(\d+)(?::(\d+))?\])?$`)

// ParseField returns the field with a name: "move_o" for a port, "move_o[31]" for one of its bits,
// "move_o[30:0]" for some.
func ParseField(name string) Field {
	m := fieldName.FindStringSubmatch(name)
	f := Field{Port: m[1], High: -1}
	if m[2] != "" {
		f.High, _ = strconv.Atoi(m[2])
		f.Low = f.High
	}
	if m[3] != "" {
		f.Low, _ = strconv.Atoi(m[3])
	}
	return f
}

// String returns the name of a field.
func (f Field) String() string {
	switch {
	case f.High < 0:
		return f.Port
	case f.High == f.Low:
		return fmt.Sprintf("%s[%d]", f.Port, f.Low)
	}
	return fmt.Sprintf("%s[%d:%d]", f.Port, f.High, f.Low)
}

// Has reports whether a bit of its port is one of the field.
func (f Field) Has(bit int) bool { return f.High < 0 || f.Low <= bit && bit <= f.High }

// Wide reports whether a field of the port has several bits.
func (f Field) Wide(p *bridge.Port) bool { return f.High < 0 && p.Width > 1 || f.High > f.Low }

// Condition is what a field must be: 0 if Zero, or else not 0.
type Condition struct {
	Field
	Zero bool
}

// ParseConditions returns the conditions that a text names: "valid_o" says that the field is not 0,
// "!valid_o" that it is 0, "valid_o & !none_o" both.
func ParseConditions(text string) (all []Condition) {
	for _, name := range strings.Split(text, " & ") {
		name, zero := strings.CutPrefix(name, "!")
		all = append(all, Condition{ParseField(name), zero})
	}
	return all
}
