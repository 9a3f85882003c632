package blocks

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/axi3"
	"github.com/cosimate/cosimate/rtl/axil"
	"github.com/cosimate/cosimate/rtl/core"
	"github.com/cosimate/cosimate/rtl/internal/block"
	"github.com/cosimate/cosimate/rtl/link"
	"github.com/cosimate/cosimate/rtl/link/frame"
	"github.com/cosimate/cosimate/rtl/perftcore"
	"github.com/cosimate/cosimate/rtl/regmap"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

// bus are the blocks on a bus, and the board's link.
func bus(r *[]vectors.AnyBlock) {
	resp := vectors.Names{List: []string{"okay", "exokay", "slverr", "decerr"}}

	*r = append(*r, vectors.Block[axil.In, axil.Out]{
		Design: axil.Design, About: "AXI4-Lite transfers as single-cycle accesses to registers",
		Model: func(vectors.Params) sim.Model[axil.In, axil.Out] { return &axilModel{} },
		Names: named(nil, resp, "s_axil_bresp_o", "s_axil_rresp_o"),
	})

	*r = append(*r, vectors.Block[core.In, core.Out]{
		Design: core.Design, About: "the move generator core on AXI4-Lite",
		Params: []vectors.Param{
			{Name: "Plies", Default: core.Plies, Min: 1, Max: 255, About: "moves that can be taken back"},
			{Name: "Fifo", Default: core.Fifo, Min: 2, Max: 512, About: "moves that wait to be read, a power of two"},
		},
		Model: func(p vectors.Params) sim.Model[core.In, core.Out] {
			return fresh(func() *core.Model { return core.NewModel(p["Plies"], p["Fifo"]) })
		},
		Keeps: true, // the position that was written
		Names: named(nil, resp, "s_axil_bresp_o", "s_axil_rresp_o"),
		Kinds: append(slices.Clone(kinds), registers(&regmap.Core)),
		Statements: func(s *vectors.Session[core.In, core.Out]) []vectors.Statement {
			return manager(s, func(i *core.In) lite {
				return lite{&i.Awvalid, &i.Wvalid, &i.Bready, &i.Arvalid, &i.Rready, &i.Awaddr, &i.Araddr, &i.Wdata, &i.Wstrb}
			}, func(o *core.Out) liteOut {
				return liteOut{o.Awready, o.Wready, o.Bvalid, o.Arready, o.Rvalid, o.Bresp, o.Rresp, o.Rdata}
			}, true)
		},
	})

	*r = append(*r, vectors.Block[perftcore.In, perftcore.Out]{
		Design: perftcore.Design, About: "the perft engine on AXI4-Lite",
		Model: func(vectors.Params) sim.Model[perftcore.In, perftcore.Out] { return fresh(perftcore.NewModel) },
		Keeps: true, // the position that was written
		Names: named(nil, resp, "s_axil_bresp_o", "s_axil_rresp_o"),
		Kinds: append(slices.Clone(kinds), registers(&regmap.Perft)),
		Statements: func(s *vectors.Session[perftcore.In, perftcore.Out]) []vectors.Statement {
			return manager(s, func(i *perftcore.In) lite {
				return lite{&i.Awvalid, &i.Wvalid, &i.Bready, &i.Arvalid, &i.Rready, &i.Awaddr, &i.Araddr, &i.Wdata, &i.Wstrb}
			}, func(o *perftcore.Out) liteOut {
				return liteOut{o.Awready, o.Wready, o.Bvalid, o.Arready, o.Rvalid, o.Bresp, o.Rresp, o.Rdata}
			}, false)
		},
	})

	*r = append(*r, vectors.Block[axi3.In, axi3.Out]{
		Design: axi3.Design, About: "AXI3 bursts as AXI4-Lite transfers, for the Zedboard's processor",
		Model: func(vectors.Params) sim.Model[axi3.In, axi3.Out] {
			return fresh(func() *axi3.Model { return axi3.NewModel(2) })
		},
		Names: named(named(nil, resp, "s_axi_bresp_o", "s_axi_rresp_o"), vectors.Names{List: []string{"fixed", "incr", "wrap"}}, "s_axi_awburst_i", "s_axi_arburst_i"),
	})

	*r = append(*r, vectors.Block[link.In, link.Out]{
		Design: link.Design, About: "the board's end of its link to a host",
		Params: []vectors.Param{
			{Name: "RetryCycles", Default: link.Default.RetryCycles, Min: 1, Max: 1 << 30, About: "cycles until what is not acknowledged is sent again"},
			{Name: "SilenceCycles", Default: link.Default.SilenceCycles, Min: 1, Max: 1 << 30, About: "cycles of hearing nothing until the host counts as absent"},
		},
		Model: func(p vectors.Params) sim.Model[link.In, link.Out] {
			return link.NewModel(link.Params{RetryCycles: p["RetryCycles"], SilenceCycles: p["SilenceCycles"]})
		},
		Kinds: kinds, Statements: linkVerbs,
	})
}

// axilModel is the model of axil with the ports around it.
type axilModel struct{ axil.Model }

func (m *axilModel) Reset() { m.Model = axil.Model{} }

func (m *axilModel) Step(in axil.In) axil.Out {
	ready := axil.Ready{Write: in.WriteReady, Read: in.ReadReady}
	r, a := m.Response(), m.Access(ready)
	m.Model.Step(in.Rst, axil.Request{
		Awvalid: in.Awvalid, Wvalid: in.Wvalid, Bready: in.Bready, Arvalid: in.Arvalid, Rready: in.Rready,
		Awaddr: uint32(in.Awaddr), Wdata: in.Wdata, Araddr: uint32(in.Araddr), Wstrb: in.Wstrb,
	}, ready, axil.Answer{WriteError: in.WriteError, ReadData: in.ReadData, ReadError: in.ReadError})
	return axil.Out{
		Awready: r.Awready, Wready: r.Wready, Bresp: uint8(r.Bresp), Bvalid: r.Bvalid, Arready: r.Arready,
		Rdata: r.Rdata, Rresp: uint8(r.Rresp), Rvalid: r.Rvalid,
		Write: a.Write, WriteAddress: uint16(a.WriteAddress), WriteData: a.WriteData,
		Read: a.Read, ReadAddress: uint16(a.ReadAddress),
	}
}

// DontCare masks what has no meaning while its valid is 0.
func (m *axilModel) DontCare(want axil.Out) (mask axil.Out) {
	if !want.Bvalid {
		mask.Bresp = 3
	}
	if !want.Rvalid {
		mask.Rdata, mask.Rresp = 1<<32-1, 3
	}
	if !want.Write {
		mask.WriteAddress, mask.WriteData = 1<<10-1, 1<<32-1
	}
	if !want.Read {
		mask.ReadAddress = 1<<10 - 1
	}
	return mask
}

// registers are the kinds of arguments, with the registers of a map.
func registers(m *regmap.Map) vectors.Kind {
	addresses := map[string]int{}
	var names []string
	for _, r := range m.Registers {
		for i := range max(1, r.Count) {
			name := r.Name
			if r.Count > 1 {
				name = fmt.Sprintf("%s[%d]", r.Name, i)
			}
			addresses[name] = int(r.Address) + 4*i
			if i < 8 {
				names = append(names, name)
			}
		}
	}
	return vectors.Kind{Name: "REGISTER", About: "a register by its name, or an address", Names: names, Parse: func(s string) (any, error) {
		if a, ok := addresses[s]; ok {
			return a, nil
		}
		if a, err := strconv.ParseUint(s, 0, 12); err == nil {
			return int(a), nil
		}
		return nil, errors.New("there is none of this name")
	}}
}

// lite are a manager's pins of AXI4-Lite.
type lite struct {
	awvalid, wvalid, bready, arvalid, rready *bool
	awaddr, araddr                           *uint16
	wdata                                    *uint32
	wstrb                                    *uint8
}

type liteOut struct {
	awready, wready, bvalid, arready, rvalid bool
	bresp, rresp                             uint8
	rdata                                    uint32
}

// manager are the statements of a block with registers. Its inputs and outputs have the pins.
func manager[I, O comparable](s *vectors.Session[I, O], pins func(*I) lite, outs func(*O) liteOut, clocks bool) []vectors.Statement {
	write := func(address int, data uint32) (uint8, error) {
		p := pins(&s.In)
		*p.awvalid, *p.wvalid, *p.awaddr, *p.wdata, *p.wstrb = true, true, uint16(address), data, 15
		for *p.awvalid || *p.wvalid {
			o, err := s.Step()
			if err != nil {
				return 0, err
			}
			out := outs(&o)
			*p.awvalid, *p.wvalid = *p.awvalid && !out.awready, *p.wvalid && !out.wready
		}
		*p.bready = true
		err := s.Until("no response to the write", func(o O) bool { return outs(&o).bvalid })
		*p.bready = false
		return outs(&s.Out).bresp, err
	}
	read := func(address int) (data uint32, resp uint8, err error) {
		p := pins(&s.In)
		*p.arvalid, *p.araddr = true, uint16(address)
		err = s.Until("arready stays 0", func(o O) bool { return outs(&o).arready })
		*p.arvalid = false
		if err != nil {
			return 0, 0, err
		}
		*p.rready = true
		err = s.Until("no response to the read", func(o O) bool { return outs(&o).rvalid })
		*p.rready = false
		return outs(&s.Out).rdata, outs(&s.Out).rresp, err
	}
	answered := func(resp uint8, err error, okay bool) error {
		if err == nil && (resp == 0) != okay {
			return block.WrongArg(0, "the response is %d", resp)
		}
		return err
	}
	return []vectors.Statement{
		{Use: "write REGISTER N", About: "a write, which is answered OKAY", Do: func(a []any) error {
			resp, err := write(a[0].(int), uint32(a[1].(int)))
			return answered(resp, err, true)
		}},
		{Use: "write-refused REGISTER N", About: "a write, which is answered by an error", Do: func(a []any) error {
			resp, err := write(a[0].(int), uint32(a[1].(int)))
			return answered(resp, err, false)
		}},
		{Use: "read REGISTER N", About: "a read, which gives this value", Do: func(a []any) error {
			data, resp, err := read(a[0].(int))
			if err := answered(resp, err, true); err != nil {
				return err
			}
			if data != uint32(a[1].(int)) {
				return block.WrongArg(1, "%#x was read", data)
			}
			return nil
		}},
		{Use: "read-refused REGISTER", About: "a read, which is answered by an error", Do: func(a []any) error {
			_, resp, err := read(a[0].(int))
			return answered(resp, err, false)
		}},
		{Use: "poll REGISTER N", About: "reads until this value comes", Do: func(a []any) error {
			for {
				data, resp, err := read(a[0].(int))
				if err := answered(resp, err, true); err != nil || data == uint32(a[1].(int)) {
					return err
				}
			}
		}},
		{Use: "position FEN", About: "write a position to Position and Board (and Clocks)", Do: func(a []any) error {
			p := a[0].(engine.Position)
			for _, w := range positionWords(&p, clocks) {
				if resp, err := write(w.address, w.data); err != nil || resp != 0 {
					return errors.Join(err, answered(resp, nil, true))
				}
			}
			return nil
		}},
	}
}

type registerWord struct {
	address int
	data    uint32
}

// positionWords are a position as the registers have it, by their documentation.
func positionWords(p *engine.Position, clocks bool) (words []registerWord) {
	s := p.Setup()
	word := uint32(s.Castling) | uint32(s.SideToMove)<<4
	if q, ok := p.EnPassant(); ok {
		word |= 1 << (8 + q&7)
	}
	words = append(words, registerWord{0x38, word})
	for rank := range 8 {
		var w uint32
		for file := range 8 {
			piece, color := p.PieceAt(engine.Square(8*rank + file))
			code := uint32(piece)
			if color == engine.Black && piece != engine.NoPiece {
				code += 8
			}
			w |= code << (4 * file)
		}
		words = append(words, registerWord{0x40 + 4*rank, w})
	}
	if clocks {
		words = append(words, registerWord{0x3c, uint32(s.Halfmove | s.Fullmove<<16)})
	}
	return words
}

func linkVerbs(s *vectors.Session[link.In, link.Out]) []vectors.Statement {
	decoder := frame.Decoder{}
	var came []frame.Frame
	s.Watch(func(in link.In, out link.Out) {
		if out.TxValid && in.TxReady {
			if f, ok, _ := decoder.Byte(out.TxData); ok {
				came = append(came, f)
			}
		}
	})
	s.In.TxReady = true
	bytes := func(list []byte) error {
		for _, b := range list {
			s.In.RxValid, s.In.RxData = true, b
			_, err := s.Step()
			s.In.RxValid = false
			if err != nil {
				return err
			}
		}
		return nil
	}
	list := func(a []any) (b []byte) {
		for _, x := range a {
			b = append(b, byte(x.(int)))
		}
		return b
	}
	host := func(k frame.Kind) func(a []any) error {
		return func(a []any) error {
			f := frame.Frame{Kind: k, Session: uint16(a[0].(int))}
			if k == frame.Data || k == frame.Ack {
				f.Seq = uint8(a[1].(int))
			}
			if k == frame.Data {
				b := list(a[2:])
				f.Message = frame.Message{Type: b[0], Payload: b[1:]}
			}
			return bytes(f.Append(nil))
		}
	}
	answer := func(k frame.Kind) func(a []any) error {
		return func(a []any) error {
			if len(came) == 0 {
				if err := s.Until("no frame is sent", func(link.Out) bool { return len(came) > 0 }); err != nil {
					return err
				}
			}
			want := frame.Frame{FromBoard: true, Kind: k, Session: uint16(a[0].(int))}
			if k == frame.Data || k == frame.Ack {
				want.Seq = uint8(a[1].(int))
			}
			if k == frame.Data {
				b := list(a[2:])
				want.Message = frame.Message{Type: b[0], Payload: b[1:]}
			}
			got := came[0]
			came = came[1:]
			if got.String() != want.String() {
				return fmt.Errorf("the frame is %v", got)
			}
			return nil
		}
	}
	return []vectors.Statement{
		{Use: "host open N", About: "the host opens a session", Do: host(frame.Open)},
		{Use: "host ping N", About: "the host asks whether the session is there", Do: host(frame.Ping)},
		{Use: "host none N", About: "the host ends a session", Do: host(frame.None)},
		{Use: "host ack N SEQ", About: "the host acknowledges a message by its number", Do: host(frame.Ack)},
		{Use: "host data N SEQ BYTE...", About: "the host sends a message: session, number, type and payload", Do: host(frame.Data)},
		{Use: "bytes BYTE...", About: "any bytes come from the host", Do: func(a []any) error { return bytes(list(a)) }},
		{Use: "board open N", About: "the next frame of the board: the session has begun", Do: answer(frame.Open)},
		{Use: "board none N", About: "there is no such session", Do: answer(frame.None)},
		{Use: "board ack N SEQ", About: "the message of this number has arrived", Do: answer(frame.Ack)},
		{Use: "board data N SEQ BYTE...", About: "a message of the board", Do: answer(frame.Data)},
		{Use: "silent CYCLES", About: "so many cycles in which the board sends no frame", Do: func(a []any) error {
			came = nil
			if err := s.Wait(a[0].(int)); err != nil {
				return err
			}
			if len(came) > 0 {
				return fmt.Errorf("it sends %v", came[0])
			}
			return nil
		}},
		{Use: "give BYTE...", About: "a message of the board's logic for the host: type and payload", Do: func(a []any) error {
			b := list(a)
			s.In.Send(frame.Message{Type: b[0], Payload: b[1:]})
			err := s.Until("send_ready_o stays 0", func(out link.Out) bool { return out.SendReady })
			s.In.SendValid = false
			return err
		}},
		{Use: "take BYTE...", About: "a message from the host is there, this one, and is taken", Do: func(a []any) error {
			if err := s.Until("no message comes", func(out link.Out) bool { return out.RecvValid }); err != nil {
				return err
			}
			got := s.Out.Message()
			if all := append([]byte{got.Type}, got.Payload...); !slices.Equal(all, list(a)) {
				return block.WrongArg(0, "the message is %#02x", all)
			}
			s.In.RecvReady = true
			_, err := s.Step()
			s.In.RecvReady = false
			return err
		}},
	}
}
