package zedboard

import (
	"errors"
	"strconv"
	"strings"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/axi3"
	"github.com/cosimate/cosimate/rtl/driver"
	"github.com/cosimate/cosimate/rtl/internal/block"
	"github.com/cosimate/cosimate/rtl/internal/registers"
	"github.com/cosimate/cosimate/rtl/regmap"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

// Block describes the [System] to package vectors.
var Block = vectors.Block[In, Out]{
	Design: System, About: "core and perft engine behind the processors' AXI3 port",
	Params: []vectors.Param{
		{Name: "BlinkBits", Default: 27, Min: 1, Max: 32, About: "bits of the counter of cycles whose highest is LD0"},
		{Name: "BusyBits", Default: 20, Min: 1, Max: 32, About: "LD3 lights for two to the power of this, less one, cycles after a transfer"},
	},
	Model: func(p vectors.Params) sim.Model[In, Out] { return NewModel(p["BlinkBits"], p["BusyBits"]) },
	Keeps: true, // the positions that were written
	Names: []vectors.PortNames{
		block.Response.At("s_axi_bresp_o", "s_axi_rresp_o"), block.Burst.At("s_axi_awburst_i", "s_axi_arburst_i"),
	},
	Kinds:      kinds(),
	Statements: statements,
}

// windows are the cores, in the order of their windows, and their registers.
var windows = []struct {
	name string
	m    *regmap.Map
}{{"core", &regmap.Core}, {"perft", &regmap.Perft}}

// kinds returns the kinds of arguments. A register is its physical address.
func kinds() []vectors.Kind {
	register := vectors.Kind{Name: "REGISTER", About: "a register, core.NAME or perft.NAME, or a physical address", Parse: parseRegister}
	for _, w := range windows {
		for _, n := range registers.Names(w.m) {
			register.Names = append(register.Names, w.name+"."+n)
		}
	}
	return []vectors.Kind{
		block.ArgN, block.ArgFEN, register,
		vectors.OneOf("WINDOW", "core or perft", windows[0].name, windows[1].name),
		vectors.OneOf("ERRORS", "slverr or decerr", "", "", block.Response.List[2], block.Response.List[3]), // the code
	}
}

func parseRegister(s string) (any, error) {
	for i, w := range windows {
		if name, ok := strings.CutPrefix(s, w.name+"."); ok {
			a, err := registers.Address(w.m, name)
			return base(i) + a, err
		}
	}
	a, err := strconv.ParseUint(s, 0, 32)
	if err != nil {
		return nil, errors.New("there is none of this name")
	}
	return uint32(a), nil
}

// base returns the physical address of a window.
func base(window int) uint32 { return Base + uint32(window)*regmap.Window }

// statements returns the statements for transfers of the processors.
func statements(s *vectors.Session[In, Out]) []vectors.Statement {
	port := port{s}
	words := func(a []any) (words []uint32, err error) {
		for _, x := range a {
			words = append(words, uint32(x.(int)))
		}
		if len(a) > 16 {
			return nil, block.WrongArg(0, "a burst has at most 16 words")
		}
		return words, nil
	}
	write := func(address any, a []any, want int) error {
		w, err := words(a)
		if err != nil {
			return err
		}
		resp, err := port.write(address.(uint32), w)
		return answered(resp, err, want)
	}
	return []vectors.Statement{
		{Use: "write REGISTER N...", About: "a burst of writes to this and the next addresses, which is answered OKAY", Do: func(a []any) error {
			return write(a[0], a[1:], 0)
		}},
		{Use: "write-refused REGISTER ERRORS N...", About: "a burst of writes, which is answered by this error", Do: func(a []any) error {
			return write(a[0], a[2:], a[1].(int))
		}},
		{Use: "read REGISTER N...", About: "a burst of reads of this and the next addresses, which gives these values", Do: func(a []any) error {
			want, err := words(a[1:])
			if err != nil {
				return err
			}
			got, resp, err := port.read(a[0].(uint32), len(want))
			if err := answered(resp, err, 0); err != nil {
				return err
			}
			for i := range want {
				if got[i] != want[i] {
					return block.WrongArg(i+1, "%#x was read", got[i])
				}
			}
			return nil
		}},
		{Use: "read-refused REGISTER ERRORS", About: "a read, which is answered by this error", Do: func(a []any) error {
			_, resp, err := port.read(a[0].(uint32), 1)
			return answered(resp, err, a[1].(int))
		}},
		{Use: "poll REGISTER N", About: "reads until this value comes", Do: func(a []any) error {
			for {
				got, err := bus{port, a[0].(uint32)}.Read32(0)
				if err != nil || got == uint32(a[1].(int)) {
					return err
				}
			}
		}},
		{Use: "position WINDOW FEN", About: "write a position to the core's or the perft engine's registers", Do: func(a []any) error {
			window, p := a[0].(int), a[1].(engine.Position)
			return driver.WritePosition(bus{port, base(window)}, windows[window].m, &p)
		}},
	}
}

// answered returns an error unless the response is the wanted one.
func answered(resp uint8, err error, want int) error {
	if err == nil && int(resp) != want {
		return block.WrongArg(0, "the response is %s", block.Response.List[resp&3])
	}
	return err
}

// port is the processors' port: it makes bursts of words.
type port struct{ s *vectors.Session[In, Out] }

// write writes to an address and those that follow, and returns the response.
func (p port) write(address uint32, words []uint32) (resp uint8, err error) {
	i := &p.s.In
	i.Awvalid, i.Awaddr, i.Awlen, i.Awsize, i.Awburst = true, address, uint8(len(words)-1), 2, axi3.Incr
	err = p.s.Until("awready stays 0", func(o Out) bool { return o.Awready })
	i.Awvalid = false
	for _, w := range words {
		if err != nil {
			return 0, err
		}
		i.Wvalid, i.Wdata, i.Wstrb = true, w, 15
		err = p.s.Until("wready stays 0", func(o Out) bool { return o.Wready })
		i.Wvalid = false
	}
	if err != nil {
		return 0, err
	}
	i.Bready = true
	err = p.s.Until("no response to the write", func(o Out) bool { return o.Bvalid })
	i.Bready = false
	return p.s.Out.Bresp, err
}

// read reads n words from an address on, and returns them and the worst response.
func (p port) read(address uint32, n int) (words []uint32, worst uint8, err error) {
	i := &p.s.In
	i.Arvalid, i.Araddr, i.Arlen, i.Arsize, i.Arburst = true, address, uint8(n-1), 2, axi3.Incr
	err = p.s.Until("arready stays 0", func(o Out) bool { return o.Arready })
	i.Arvalid, i.Rready = false, true
	for err == nil && len(words) < n {
		if err = p.s.Until("no response to the read", func(o Out) bool { return o.Rvalid }); err == nil {
			words, worst = append(words, p.s.Out.Rdata), max(worst, p.s.Out.Rresp)
		}
	}
	i.Rready = false
	return words, worst, err
}

// bus is a [driver.Bus]: single transfers to a window.
type bus struct {
	port
	base uint32
}

// Read32 reads a register.
func (b bus) Read32(address uint32) (uint32, error) {
	words, resp, err := b.read(b.base+address, 1)
	if err := answered(resp, err, 0); err != nil {
		return 0, err
	}
	return words[0], nil
}

// Write32 writes a register.
func (b bus) Write32(address, data uint32) error {
	resp, err := b.write(b.base+address, []uint32{data})
	return answered(resp, err, 0)
}
