package vectors

import (
	"fmt"
	"slices"

	"github.com/cosimate/cosimate/sim/tb"
	"github.com/cosimate/cosimate/sim/wishbone"
)

var wishboneBus = protocol{
	name: "wishbone", about: "Wishbone, pipelined if there is a STALL; if the design makes the requests, the agent is its memory",
	options: append([]option{prefixOption, {name: "mode", about: "classic or pipelined"}}, memoryOptions...),
	paces:   []string{"gaps", "busy", "bound"}, verbs: append(slices.Clip(busVerbs), memoryVerbs...),
	signals: []string{"cyc", "stb", "we", "adr", "sel", "dat_w", "dat_r", "ack", "err", "rty", "stall"},
	bind: func(a *agent, on tb.Pinned, reset *tb.Reset) (speaker, error) {
		bus, err := wishbone.Bind(on, a.options["prefix"].Text)
		if err != nil {
			return nil, err
		}
		if w, ok := a.options["mode"]; ok {
			if bus.Pipelined = w.Text == "pipelined"; w.Text != "pipelined" && w.Text != "classic" {
				return nil, &optionError{"mode", w.Text + " is not a mode of Wishbone", choice(w.Text, []string{"classic", "pipelined"})}
			}
		}
		bus.Reset, bus.AnyData = reset, true
		if bus.IsManager() {
			return wishboneMemory(a, bus)
		}
		if err := a.noMemory(); err != nil {
			return nil, err
		}
		if w, ok := a.options["busy"]; ok {
			return nil, &optionError{"busy", w.Text + " of what? An agent that makes requests has no STALL", "delete busy; gaps lets it wait before a request"}
		}
		return &wishboneSpeaker{Bus: bus, manager: &wishbone.Manager{Bus: bus, Gap: a.gaps, Bound: patience}}, nil
	},
}

// wishboneMemory returns the memory of a design that makes the requests.
func wishboneMemory(a *agent, bus *wishbone.Bus) (speaker, error) {
	s := &memorySpeaker{drive: bus.Drives(), rules: (&wishbone.Checker{Bus: bus, Bound: a.bound}).Run}
	var sel int
	s.address, s.width, sel = bus.Widths()
	switch w, given := a.options["busy"]; {
	case a.memory == nil:
		return nil, managerError(a)
	case given && !bus.HasStall():
		return nil, &optionError{"busy", w.Text + " of what? The bus has no STALL", "delete busy; gaps lets the answers wait"}
	case sel != 0 && sel*8 != s.width:
		return nil, fmt.Errorf("SEL has %d bits for data of %d bits: it is one for each byte", sel, s.width)
	case a.memory.unit == "" && s.width > 8:
		return nil, &optionError{"", "does an address count bytes or words?", "add unit byte or unit word: Wishbone has both"}
	}
	byName := map[string]wishbone.Answer{}
	for _, w := range bus.Answers() {
		s.can, byName[w.String()] = append(s.can, w.String()), w
	}
	s.run = (&wishbone.Subordinate{Bus: bus, Gap: a.gaps, Busy: a.busy, Access: func(p *tb.Process, x wishbone.Request) wishbone.Result {
		data, answer := s.access(p, request{write: x.Write, addr: x.Addr, data: x.Data, bytes: x.Sel, unknown: x.Unknown})
		return wishbone.Result{Answer: byName[answer], Data: data}
	}}).Run
	return newMemory(a, s)
}

type wishboneSpeaker struct {
	*wishbone.Bus
	manager *wishbone.Manager
	polled
}

func (s *wishboneSpeaker) drives() []string { return s.Drives() }
func (s *wishboneSpeaker) left() string     { return "" }
func (s *wishboneSpeaker) word() uint64     { return 1 }

func (s *wishboneSpeaker) start(b *tb.Rows, a *agent) {
	b.Monitor(a.name+" rules", on(a, (&wishbone.Checker{Bus: s.Bus, Bound: a.bound}).Run))
}

func (s *wishboneSpeaker) widths() (address, data, mask int) { return s.Widths() }

func (s *wishboneSpeaker) answers() []string {
	return []string{wishbone.ACK.String(), wishbone.ERR.String(), wishbone.RTY.String()}
}

func (s *wishboneSpeaker) access(p *tb.Process, write bool, addr, data, mask uint64) (value, unknown uint64, answer string) {
	r := wishbone.Request{Write: write, Addr: addr, Data: data, Sel: mask}
	if mask == 0 {
		r.Sel = wishbone.AllBytes
	}
	result := s.manager.Block(p, r)[0]
	return result.Data, result.Unknown, result.Answer.String()
}
