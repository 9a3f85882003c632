package tb

import (
	"reflect"
	"strings"
	"unsafe"

	"github.com/cosimate/cosimate/bridge"
)

// Pin is a port of a bench's design, with the memory that holds its value.
type Pin struct {
	Port    string // its name in the RTL
	Name    string // of its field, or as in the RTL without _i, _o, i_ or o_
	Width   int    // bits
	Driven  bool   // by the bench: an input of the design
	Value   []byte // least significant byte first
	Unknown []byte // the bits of Value that are X or Z; nil if none can be
}

// Pinned are benches: a [Bench] or [Rows]. Ready-made processes find the ports of a bus in it.
type Pinned interface{ Pins() []Pin }

// Bit returns the pin's lowest bit.
func (p Pin) Bit() *bool { return (*bool)(unsafe.Pointer(&p.Value[0])) }

// Pins returns the ports of the design that have a field.
func (b *Bench[I, O]) Pins() (pins []Pin) {
	inputs, outputs := b.dut.Ports()
	pins = fields(reflect.ValueOf(&b.In).Elem(), reflect.Value{}, inputs)
	return append(pins, fields(reflect.ValueOf(&b.Out).Elem(), reflect.ValueOf(&b.Unknown).Elem(), outputs)...)
}

// fields returns the ports that are fields of a struct. A field's name is that in its tag, or its
// own.
func fields(v, unknown reflect.Value, ports []bridge.Port) (pins []Pin) {
	memory := func(f reflect.Value) []byte {
		return unsafe.Slice((*byte)(f.Addr().UnsafePointer()), f.Type().Size())
	}
	for _, p := range ports {
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if int(f.Offset) != p.Offset || f.Type.Size() == 0 {
				continue
			}
			pin := Pin{Port: p.Name, Name: f.Name, Width: p.Width, Driven: !unknown.IsValid(), Value: memory(v.Field(i))}
			if tag, _, _ := strings.Cut(f.Tag.Get("port"), ","); tag != "" {
				pin.Name = PlainName(tag)
			}
			if !pin.Driven {
				pin.Unknown = memory(unknown.Field(i))
			}
			pins = append(pins, pin)
		}
	}
	return pins
}

// PlainName returns a port's name without what says that it is an input or an output: _i or _o at
// its end, or i_ or o_ at its begin.
func PlainName(port string) string {
	for _, end := range []string{"_i", "_o"} {
		if name, ok := strings.CutSuffix(port, end); ok {
			return name
		}
	}
	for _, begin := range []string{"i_", "o_"} {
		if name, ok := strings.CutPrefix(port, begin); ok {
			return name
		}
	}
	return port
}
