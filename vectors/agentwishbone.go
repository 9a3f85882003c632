package vectors

import (
	"github.com/cosimate/cosimate/sim/tb"
	"github.com/cosimate/cosimate/sim/wishbone"
)

var wishboneBus = protocol{
	name: "wishbone", about: "Wishbone, the manager's side; pipelined if there is a STALL",
	options: []option{prefixOption, {name: "mode", about: "classic or pipelined"}},
	paces:   []string{"gaps", "bound"}, verbs: busVerbs,
	signals: []string{"cyc", "stb", "we", "adr", "sel", "dat_w", "dat_r", "ack", "err", "rty", "stall"},
	bind: func(a *agent, on tb.Pinned, reset *tb.Reset) (speaker, error) {
		bus, err := wishbone.Bind(on, a.options["prefix"].Text)
		if err != nil {
			return nil, err
		}
		if bus.IsManager() {
			return nil, managerError(a)
		}
		if w, ok := a.options["mode"]; ok {
			if bus.Pipelined = w.Text == "pipelined"; w.Text != "pipelined" && w.Text != "classic" {
				return nil, &optionError{"mode", w.Text + " is not a mode of Wishbone", choice(w.Text, []string{"classic", "pipelined"})}
			}
		}
		bus.Reset, bus.AnyData = reset, true
		return &wishboneSpeaker{Bus: bus, manager: &wishbone.Manager{Bus: bus, Gap: a.gaps, Bound: patience}}, nil
	},
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
