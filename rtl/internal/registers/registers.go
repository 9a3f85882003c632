// Package registers has the statements for vectors of blocks that have registers on the bus s_axil,
// an AXI4-Lite. They access registers by their names.
package registers

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/driver"
	"github.com/cosimate/cosimate/rtl/internal/block"
	"github.com/cosimate/cosimate/rtl/regmap"
	"github.com/cosimate/cosimate/vectors"
)

// Kinds returns the kinds of arguments of [Statements].
func Kinds(m *regmap.Map) []vectors.Kind {
	return []vectors.Kind{block.ArgN, block.ArgFEN, {
		Name: "REGISTER", About: "a register by its name, or an address", Names: Names(m),
		Parse: func(s string) (any, error) { return Address(m, s) },
	}}
}

// Names returns the names of the registers of a map. Of registers side by side it has the first
// eight.
func Names(m *regmap.Map) (names []string) {
	for i := range m.Registers {
		r := &m.Registers[i]
		for k := range min(8, max(1, r.Count)) {
			names = append(names, name(r, k))
		}
	}
	return names
}

// Address returns the address of a register. The text is its name, or the address as a number of 12
// bits.
func Address(m *regmap.Map, text string) (uint32, error) {
	for i := range m.Registers {
		r := &m.Registers[i]
		for k := range max(1, r.Count) {
			if name(r, k) == text {
				return r.Address + 4*uint32(k), nil
			}
		}
	}
	a, err := strconv.ParseUint(text, 0, 12)
	if err != nil {
		return 0, errors.New("there is none of this name")
	}
	return uint32(a), nil
}

// name returns the name of a register, or of number k of several side by side.
func name(r *regmap.Register, k int) string {
	if r.Count > 1 {
		return fmt.Sprintf("%s[%d]", r.Name, k)
	}
	return r.Name
}

// Statements returns the statements that access the registers of a map.
func Statements[I, O comparable](s *vectors.Session[I, O], m *regmap.Map) []vectors.Statement {
	bus := newManager(s)
	return []vectors.Statement{
		{Use: "write REGISTER N", About: "a write, which is answered OKAY", Do: func(a []any) error {
			return bus.Write32(a[0].(uint32), uint32(a[1].(int)))
		}},
		{Use: "write-refused REGISTER N", About: "a write, which is answered by an error", Do: func(a []any) error {
			return refused(bus.Write32(a[0].(uint32), uint32(a[1].(int))))
		}},
		{Use: "read REGISTER N", About: "a read, which gives this value", Do: func(a []any) error {
			data, err := bus.Read32(a[0].(uint32))
			if err == nil && data != uint32(a[1].(int)) {
				err = block.WrongArg(1, "%#x was read", data)
			}
			return err
		}},
		{Use: "read-refused REGISTER", About: "a read, which is answered by an error", Do: func(a []any) error {
			_, err := bus.Read32(a[0].(uint32))
			return refused(err)
		}},
		{Use: "poll REGISTER N", About: "reads until this value comes", Do: func(a []any) error {
			for {
				if data, err := bus.Read32(a[0].(uint32)); err != nil || data == uint32(a[1].(int)) {
					return err
				}
			}
		}},
		{Use: "position FEN", About: "write a position to Position and Board (and Clocks)", Do: func(a []any) error {
			p := a[0].(engine.Position)
			return driver.WritePosition(bus, m, &p)
		}},
	}
}

// refused returns nil if an access was answered by an error, and an error if it was not.
func refused(err error) error {
	var answer *response
	switch {
	case errors.As(err, &answer):
		return nil
	case err == nil:
		return block.WrongArg(0, "the response is 0")
	}
	return err
}

// response is the error of an access that was not answered OKAY.
type response struct{ code uint8 }

func (r *response) Error() string { return fmt.Sprintf("the response is %d", r.code) }

// answered returns an error unless the answer is OKAY.
func answered(code uint8) error {
	if code == 0 {
		return nil
	}
	return &vectors.WordError{Arg: 0, Err: &response{code}}
}

// manager makes transfers on the bus of a session. It is a [driver.Bus]. The signals point to the
// fields of the session.
type manager struct {
	step  func() error
	until func(what string, signal *bool) error

	awvalid, wvalid, bready, arvalid, rready *bool
	awready, wready, bvalid, arready, rvalid *bool
	awaddr, araddr                           *uint16
	wdata, rdata                             *uint32
	wstrb, bresp, rresp                      *uint8
}

func newManager[I, O comparable](s *vectors.Session[I, O]) *manager {
	in, out := reflect.ValueOf(&s.In).Elem(), reflect.ValueOf(&s.Out).Elem()
	return &manager{
		step:  func() error { _, err := s.Step(); return err },
		until: func(what string, signal *bool) error { return s.Until(what, func(O) bool { return *signal }) },

		awvalid: pin[bool](in, "awvalid_i"), awaddr: pin[uint16](in, "awaddr_i"), awready: pin[bool](out, "awready_o"),
		wvalid: pin[bool](in, "wvalid_i"), wdata: pin[uint32](in, "wdata_i"), wstrb: pin[uint8](in, "wstrb_i"), wready: pin[bool](out, "wready_o"),
		bready: pin[bool](in, "bready_i"), bvalid: pin[bool](out, "bvalid_o"), bresp: pin[uint8](out, "bresp_o"),
		arvalid: pin[bool](in, "arvalid_i"), araddr: pin[uint16](in, "araddr_i"), arready: pin[bool](out, "arready_o"),
		rready: pin[bool](in, "rready_i"), rvalid: pin[bool](out, "rvalid_o"), rdata: pin[uint32](out, "rdata_o"), rresp: pin[uint8](out, "rresp_o"),
	}
}

// pin returns the field of a signal of the bus.
func pin[T any](v reflect.Value, signal string) *T {
	i := slices.IndexFunc(reflect.VisibleFields(v.Type()), func(f reflect.StructField) bool {
		return f.Tag.Get("port") == "s_axil_"+signal
	})
	if i < 0 {
		panic(fmt.Sprintf("registers: %s has no field for s_axil_%s", v.Type(), signal))
	}
	return v.Field(i).Addr().Interface().(*T)
}

// Write32 writes a register.
func (m *manager) Write32(address, data uint32) error {
	*m.awvalid, *m.wvalid, *m.awaddr, *m.wdata, *m.wstrb = true, true, uint16(address), data, 15
	for *m.awvalid || *m.wvalid {
		if err := m.step(); err != nil {
			return err
		}
		*m.awvalid, *m.wvalid = *m.awvalid && !*m.awready, *m.wvalid && !*m.wready
	}
	*m.bready = true
	err := m.until("no response to the write", m.bvalid)
	*m.bready = false
	if err != nil {
		return err
	}
	return answered(*m.bresp)
}

// Read32 reads a register.
func (m *manager) Read32(address uint32) (uint32, error) {
	*m.arvalid, *m.araddr = true, uint16(address)
	err := m.until("arready stays 0", m.arready)
	*m.arvalid = false
	if err != nil {
		return 0, err
	}
	*m.rready = true
	err = m.until("no response to the read", m.rvalid)
	*m.rready = false
	if err != nil {
		return 0, err
	}
	return *m.rdata, answered(*m.rresp)
}
