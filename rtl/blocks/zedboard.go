package blocks

import (
	"errors"
	"slices"
	"strconv"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/axi3"
	"github.com/cosimate/cosimate/rtl/core"
	"github.com/cosimate/cosimate/rtl/internal/block"
	"github.com/cosimate/cosimate/rtl/perftcore"
	"github.com/cosimate/cosimate/rtl/regmap"
	"github.com/cosimate/cosimate/rtl/zedboard"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

// responses are AXI's.
var responses = []string{"okay", "exokay", "slverr", "decerr"}

// zed is what is on the Zedboard beside the processors.
func zed(r *[]vectors.AnyBlock) {
	burst := vectors.Names{List: []string{"fixed", "incr", "wrap"}}
	*r = append(*r, vectors.Block[zedboard.In, zedboard.Out]{
		Design: zedboard.System, About: "core and perft engine behind the processors' AXI3 port",
		Params: []vectors.Param{
			{Name: "BlinkBits", Default: 27, Min: 1, Max: 32, About: "bits of the counter of cycles whose highest is LD0"},
			{Name: "BusyBits", Default: 20, Min: 1, Max: 32, About: "LD3 lights for two to the power of this, less one, cycles after a transfer"},
		},
		Model: func(p vectors.Params) sim.Model[zedboard.In, zedboard.Out] {
			return fresh(func() *zedModel {
				return &zedModel{
					bridge: *axi3.NewModel(2), core: core.NewModel(core.Plies, core.Fifo), perft: perftcore.NewModel(),
					blinkBits: p["BlinkBits"], busyBits: p["BusyBits"],
				}
			})
		},
		Keeps: true, // the positions that were written
		Names: named(named(nil, vectors.Names{List: responses}, "s_axi_bresp_o", "s_axi_rresp_o"), burst, "s_axi_awburst_i", "s_axi_arburst_i"),
		Kinds: zedKinds(), Statements: zedStatements,
	})
}

// zedModel are the models of the blocks, connected as the blocks are, and the lights.
type zedModel struct {
	bridge              axi3.Model
	core                *core.Model
	perft               *perftcore.Model
	blinkBits, busyBits int
	blink, busy         uint64
	led                 uint8
}

// Err tells of what the blocks trust not to be done.
func (m *zedModel) Err() error { return errors.Join(m.core.Err(), m.perft.Err()) }

// both are a bit of each window.
func both(core, perft bool) (bits uint8) {
	if core {
		bits |= 1
	}
	if perft {
		bits |= 2
	}
	return bits
}

func (m *zedModel) Step(in zedboard.In) zedboard.Out {
	probe := m.bridge // what it drives depends on its state alone
	b := probe.Step(axi3.In{})
	c := m.core.Step(core.In{
		Rst: in.Rst, Awaddr: b.LiteAwaddr, Awvalid: b.LiteAwvalid&1 != 0, Wdata: b.LiteWdata, Wstrb: b.LiteWstrb, Wvalid: b.LiteWvalid&1 != 0,
		Bready: b.LiteBready&1 != 0, Araddr: b.LiteAraddr, Arvalid: b.LiteArvalid&1 != 0, Rready: b.LiteRready&1 != 0,
	})
	p := m.perft.Step(perftcore.In{
		Rst: in.Rst, Awaddr: b.LiteAwaddr, Awvalid: b.LiteAwvalid&2 != 0, Wdata: b.LiteWdata, Wstrb: b.LiteWstrb, Wvalid: b.LiteWvalid&2 != 0,
		Bready: b.LiteBready&2 != 0, Araddr: b.LiteAraddr, Arvalid: b.LiteArvalid&2 != 0, Rready: b.LiteRready&2 != 0,
	})
	b = m.bridge.Step(axi3.In{
		Rst: in.Rst, Awid: in.Awid, Awaddr: in.Awaddr, Awlen: in.Awlen, Awsize: in.Awsize, Awburst: in.Awburst, Awvalid: in.Awvalid,
		Wdata: in.Wdata, Wstrb: in.Wstrb, Wvalid: in.Wvalid, Bready: in.Bready,
		Arid: in.Arid, Araddr: in.Araddr, Arlen: in.Arlen, Arsize: in.Arsize, Arburst: in.Arburst, Arvalid: in.Arvalid, Rready: in.Rready,
		LiteAwready: both(c.Awready, p.Awready), LiteWready: both(c.Wready, p.Wready),
		LiteBresp: c.Bresp | p.Bresp<<2, LiteBvalid: both(c.Bvalid, p.Bvalid), LiteArready: both(c.Arready, p.Arready),
		LiteRdata: uint64(c.Rdata) | uint64(p.Rdata)<<32, LiteRresp: c.Rresp | p.Rresp<<2, LiteRvalid: both(c.Rvalid, p.Rvalid),
	})
	out := zedboard.Out{
		Awready: b.Awready, Wready: b.Wready, Bid: b.Bid, Bresp: b.Bresp, Bvalid: b.Bvalid,
		Arready: b.Arready, Rid: b.Rid, Rdata: b.Rdata, Rresp: b.Rresp, Rlast: b.Rlast, Rvalid: b.Rvalid,
		Irq: both(c.Irq, p.Irq), Led: m.led,
	}
	if in.Rst {
		m.blink, m.busy, m.led = 0, 0, 0
		return out
	}
	m.led = out.Irq<<1 | uint8(m.blink>>(m.blinkBits-1))
	if m.busy > 0 {
		m.led |= 8
		m.busy--
	}
	m.blink = (m.blink + 1) & (1<<m.blinkBits - 1)
	if b.Rvalid && in.Rready || b.Bvalid && in.Bready {
		m.busy = 1<<m.busyBits - 1
	}
	return out
}

// DontCare masks what has no meaning while its valid is 0.
func (m *zedModel) DontCare(want zedboard.Out) (mask zedboard.Out) {
	b := m.bridge.DontCare(axi3.Out{Bvalid: want.Bvalid, Rvalid: want.Rvalid})
	return zedboard.Out{Bid: b.Bid, Bresp: b.Bresp, Rid: b.Rid, Rdata: b.Rdata, Rresp: b.Rresp, Rlast: b.Rlast}
}

// zedKinds are the kinds of arguments: the registers of both windows are core.NAME and perft.NAME.
func zedKinds() []vectors.Kind {
	windows := []string{"core", "perft"}
	inner := []vectors.Kind{registers(&regmap.Core), registers(&regmap.Perft)}
	var names []string
	for i, w := range windows {
		for _, n := range inner[i].Names {
			names = append(names, w+"."+n)
		}
	}
	k := append(slices.Clone(kinds), vectors.Kind{Name: "REGISTER", About: "a register, core.NAME or perft.NAME, or a physical address", Names: names, Parse: func(s string) (any, error) {
		for i, w := range windows {
			if len(s) > len(w) && s[:len(w)+1] == w+"." {
				a, err := inner[i].Parse(s[len(w)+1:])
				if err != nil {
					return nil, err
				}
				return zedboard.Base + i*regmap.Window + a.(int), nil
			}
		}
		a, err := strconv.ParseUint(s, 0, 32)
		if err != nil {
			return nil, errors.New("there is none of this name")
		}
		return int(a), nil
	}}, vectors.OneOf("WINDOW", "core or perft", windows...), vectors.OneOf("ERRORS", "slverr or decerr", "", "", "slverr", "decerr"))
	return k
}

// zedStatements are the processors: bursts of words on their port.
func zedStatements(s *vectors.Session[zedboard.In, zedboard.Out]) []vectors.Statement {
	write := func(address int, words []uint32) (uint8, error) {
		i := &s.In
		i.Awvalid, i.Awaddr, i.Awlen, i.Awsize, i.Awburst = true, uint32(address), uint8(len(words)-1), 2, axi3.Incr
		err := s.Until("awready stays 0", func(o zedboard.Out) bool { return o.Awready })
		i.Awvalid = false
		for _, w := range words {
			if err != nil {
				return 0, err
			}
			i.Wvalid, i.Wdata, i.Wstrb = true, w, 15
			err = s.Until("wready stays 0", func(o zedboard.Out) bool { return o.Wready })
			i.Wvalid = false
		}
		if err != nil {
			return 0, err
		}
		i.Bready = true
		err = s.Until("no response to the write", func(o zedboard.Out) bool { return o.Bvalid })
		i.Bready = false
		return s.Out.Bresp, err
	}
	// A burst's words, and the worst response.
	read := func(address, n int) (words []uint32, worst uint8, err error) {
		i := &s.In
		i.Arvalid, i.Araddr, i.Arlen, i.Arsize, i.Arburst = true, uint32(address), uint8(n-1), 2, axi3.Incr
		err = s.Until("arready stays 0", func(o zedboard.Out) bool { return o.Arready })
		i.Arvalid, i.Rready = false, true
		for err == nil && len(words) < n {
			if err = s.Until("no response to the read", func(o zedboard.Out) bool { return o.Rvalid }); err == nil {
				words, worst = append(words, s.Out.Rdata), max(worst, s.Out.Rresp)
			}
		}
		i.Rready = false
		return words, worst, err
	}
	answered := func(resp uint8, err error, want int) error {
		if err == nil && int(resp) != want {
			return block.WrongArg(0, "the response is %s", responses[resp&3])
		}
		return err
	}
	list := func(a []any) (words []uint32) {
		for _, x := range a {
			words = append(words, uint32(x.(int)))
		}
		return words
	}
	short := func(a []any) error {
		if len(a) > 16 {
			return &vectors.WordError{Arg: 0, Err: errors.New("a burst has at most 16 words")}
		}
		return nil
	}
	return []vectors.Statement{
		{Use: "write REGISTER N...", About: "a burst of writes to this and the next addresses, which is answered OKAY", Do: func(a []any) error {
			if err := short(a[1:]); err != nil {
				return err
			}
			resp, err := write(a[0].(int), list(a[1:]))
			return answered(resp, err, 0)
		}},
		{Use: "write-refused REGISTER ERRORS N...", About: "a burst of writes, which is answered by this error", Do: func(a []any) error {
			if err := short(a[2:]); err != nil {
				return err
			}
			resp, err := write(a[0].(int), list(a[2:]))
			return answered(resp, err, a[1].(int))
		}},
		{Use: "read REGISTER N...", About: "a burst of reads of this and the next addresses, which gives these values", Do: func(a []any) error {
			if err := short(a[1:]); err != nil {
				return err
			}
			words, resp, err := read(a[0].(int), len(a)-1)
			if err := answered(resp, err, 0); err != nil {
				return err
			}
			for i, want := range list(a[1:]) {
				if words[i] != want {
					return block.WrongArg(i+1, "%#x was read", words[i])
				}
			}
			return nil
		}},
		{Use: "read-refused REGISTER ERRORS", About: "a read, which is answered by this error", Do: func(a []any) error {
			_, resp, err := read(a[0].(int), 1)
			return answered(resp, err, a[1].(int))
		}},
		{Use: "poll REGISTER N", About: "reads until this value comes", Do: func(a []any) error {
			for {
				words, resp, err := read(a[0].(int), 1)
				if err := answered(resp, err, 0); err != nil || words[0] == uint32(a[1].(int)) {
					return err
				}
			}
		}},
		{Use: "position WINDOW FEN", About: "write a position to the core's or the perft engine's registers", Do: func(a []any) error {
			window, p := a[0].(int), a[1].(engine.Position)
			for _, w := range positionWords(&p, window == 0) {
				resp, err := write(zedboard.Base+window*regmap.Window+w.address, []uint32{w.data})
				if err := answered(resp, err, 0); err != nil {
					return err
				}
			}
			return nil
		}},
	}
}
