package vectors

import (
	"slices"

	"github.com/cosimate/cosimate/sim/axi"
	"github.com/cosimate/cosimate/sim/tb"
)

var prefixOption = option{name: "prefix", about: "what the ports' names begin with"}

var axiLite = protocol{
	name: "axi-lite", about: "AXI4-Lite; if the design makes the requests, the agent is its memory",
	options: append([]option{prefixOption, {"early", "yes: an answer may come in the cycle in which its request is taken", false}}, memoryOptions...),
	paces:   []string{"gaps", "busy", "late", "bound"}, verbs: append(slices.Clip(busVerbs), memoryVerbs...),
	signals: []string{"awvalid", "awready", "awaddr", "awprot", "wvalid", "wready", "wdata", "wstrb", "bvalid", "bready", "bresp",
		"arvalid", "arready", "araddr", "arprot", "rvalid", "rready", "rdata", "rresp"},
	bind: func(a *agent, on tb.Pinned, reset *tb.Reset) (speaker, error) {
		bus, err := axi.BindLite(on, a.options["prefix"].Text)
		if err != nil {
			return nil, err
		}
		if w, ok := a.options["early"]; ok {
			if bus.SameCycle = w.Text == "yes"; w.Text != "yes" && w.Text != "no" {
				return nil, &optionError{"early", w.Text + " is neither yes nor no", "early yes: an answer may come in the cycle in which its request is taken"}
			}
		}
		bus.Reset, bus.AnyData = reset, true
		if bus.IsManager() {
			return liteMemory(a, bus)
		}
		if err := a.noMemory(); err != nil {
			return nil, err
		}
		if w, ok := a.options["late"]; ok {
			return nil, &optionError{"late", w.Text + " for what? An agent that makes requests is ready for answers as busy says", "delete late"}
		}
		return &liteSpeaker{Lite: bus, manager: &axi.Manager{Lite: bus, Gap: a.gaps, Busy: a.busy, Bound: patience}}, nil
	},
}

// managerError says that a design makes requests itself.
func managerError(a *agent) error {
	return &optionError{"", "the design makes the requests on this bus itself", "the agent is its memory: add memory FILE, words NUMBER, or shares AGENT; or name the ports of a bus on which the design answers"}
}

// noMemory returns an error if the line of an agent that makes requests speaks of a memory.
func (a *agent) noMemory() error {
	for _, o := range memoryOptions {
		if _, given := a.options[o.name]; given {
			return &optionError{o.name, "the design answers on this bus: the agent has no memory", "delete " + o.name + "; statement memory writes and reads that of the design"}
		}
	}
	return nil
}

// liteMemory returns the memory of a design that makes the requests.
func liteMemory(a *agent, bus *axi.Lite) (speaker, error) {
	if a.memory != nil && a.memory.unit == "" {
		a.memory.unit = "byte"
	}
	s := &memorySpeaker{drive: bus.Drives(), rules: (&axi.LiteChecker{Lite: bus, Bound: a.bound}).Run}
	s.address, s.width = bus.Widths()
	byName := map[string]axi.Resp{}
	for _, r := range bus.Responses() {
		s.can, byName[r.String()] = append(s.can, r.String()), r
	}
	s.run = (&axi.Subordinate{Lite: bus, Gap: a.gaps, Busy: a.busy, Late: a.late, Access: func(p *tb.Process, x axi.Access) (uint64, axi.Resp) {
		data, answer := s.access(p, request{write: x.Write, addr: x.Addr, data: x.Data, bytes: uint64(x.Strobe), unknown: x.Unknown})
		return data, byName[answer]
	}}).Run
	return newMemory(a, s)
}

type liteSpeaker struct {
	*axi.Lite
	manager *axi.Manager
	polled
}

func (s *liteSpeaker) drives() []string { return s.Drives() }
func (s *liteSpeaker) left() string     { return "" }

func (s *liteSpeaker) start(b *tb.Rows, a *agent) {
	b.Monitor(a.name+" rules", on(a, (&axi.LiteChecker{Lite: s.Lite, Bound: a.bound}).Run))
}

func (s *liteSpeaker) widths() (address, data, mask int) {
	address, data = s.Widths()
	return address, data, data / 8
}

func (s *liteSpeaker) word() uint64 {
	_, data := s.Widths()
	return uint64(data / 8)
}

func (s *liteSpeaker) answers() []string {
	return []string{axi.OKAY.String(), axi.SLVERR.String(), axi.DECERR.String()}
}

func (s *liteSpeaker) access(p *tb.Process, write bool, addr, data, mask uint64) (value, unknown uint64, answer string) {
	switch {
	case !write:
		value, resp := s.manager.Read(p, addr)
		return value, s.manager.Unknown, resp.String()
	case mask != 0:
		return 0, 0, s.manager.WriteStrobe(p, addr, data, uint8(mask)).String()
	}
	return 0, 0, s.manager.Write(p, addr, data).String()
}

// polled remembers what a read that is repeated has got.
type polled struct{ last string }

// knows returns the statements of agents that make requests.
func (s *polled) knows() []verb { return busVerbs }

func (s *polled) note(text string) { s.last = text }

func (s *polled) waits() string {
	if s.last == "" {
		return "no answer has come"
	}
	return s.last
}

// on returns a process that belongs to the agent's clock.
func on(a *agent, run func(*tb.Process)) func(*tb.Process) {
	if a.clock == "" {
		return run
	}
	return func(p *tb.Process) {
		p.On(a.clock)
		run(p)
	}
}
