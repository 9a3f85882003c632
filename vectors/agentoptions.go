package vectors

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim/tb"
)

// paceOptions are the options of which a protocol has those in its paces.
var paceOptions = []struct{ name, value, about string }{
	{"gaps", "PERCENT", "of the cycles, by the vector's seed: it waits before it offers something, gaps 30%"},
	{"busy", "PERCENT", "of the cycles, by the vector's seed: it is not ready"},
	{"late", "yes", "it is ready only after it has seen that something is offered"},
	{"bound", "TIME", "how long a request may wait, 1000 cycles by default"},
}

// agentOptions reads the options of an agent.
func (c *checker) agentOptions(a *agent, words []Word) bool {
	p, l := a.protocol, a.line
	keys := slices.Clone(p.paces)
	for _, o := range p.options {
		keys = append(keys, o.name)
	}
	keys = append(keys, "clock")
	all := slices.Concat(keys, p.signals)
	for i := 0; i < len(words); i += 2 {
		key := words[i]
		_, twice := a.options[key.Text]
		switch {
		case !slices.Contains(all, key.Text):
			c.at(l.At, key, fmt.Sprintf("%s has no option %s", p.name, key.Text), choice(key.Text, all))
			return false
		case i+1 == len(words):
			c.at(l.At, key, fmt.Sprintf("%s has no value", key.Text), "write it behind, with a blank")
			return false
		case twice:
			c.at(l.At, key, fmt.Sprintf("%s is given twice", key.Text), "delete one of them")
			return false
		}
		a.options[key.Text] = words[i+1]
		if slices.Contains(p.signals, key.Text) && c.plan.design.port(words[i+1].Text) == nil {
			c.at(l.At, words[i+1], fmt.Sprintf("%s has no port %s", c.plan.design.name, words[i+1].Text), choice(words[i+1].Text, portNames(c.plan.design)))
			return false
		}
	}
	for _, o := range p.options {
		if _, ok := a.options[o.name]; o.needed && !ok {
			c.span(l.At, l.end(), 1, fmt.Sprintf("%s needs %s: %s", p.name, o.name, o.about), c.protocolUse(p))
			return false
		}
	}
	ok := true
	share := func(key string) float64 {
		w, given := a.options[key]
		text, percent := strings.CutSuffix(w.Text, "%")
		n, err := strconv.Atoi(text)
		if given && (!percent || err != nil || n < 0 || n > 99) {
			c.at(l.At, w, fmt.Sprintf("%s is not a share of cycles", w.Text), "0% to 99%")
			ok = false
		}
		return float64(n) / 100
	}
	a.gaps, a.busy = share("gaps"), share("busy")
	a.bound = 1000
	if w, given := a.options["bound"]; given {
		a.bound = c.duration(l.At, w)
	}
	if w, given := a.options["late"]; given {
		if a.late = w.Text == "yes"; w.Text != "yes" && w.Text != "no" {
			c.at(l.At, w, fmt.Sprintf("%q is neither yes nor no", w.Text), "late yes: it is ready only after it has seen that something is offered")
			ok = false
		}
	}
	a.period = c.plan.period
	if w, given := a.options["clock"]; given {
		a.clock = w.Text
		for _, k := range c.plan.design.foreign.clocks {
			if k.Port == w.Text {
				a.period = k.Period
			}
		}
		if f := c.plan.design.foreign; !slices.ContainsFunc(f.clocks, func(k bridge.Clock) bool { return k.Port == w.Text }) && w.Text != c.plan.design.clock {
			var clocks []string
			for _, k := range f.clocks {
				clocks = append(clocks, k.Port)
			}
			if len(clocks) == 0 && c.plan.design.clock != "" {
				clocks = []string{c.plan.design.clock}
			}
			c.at(l.At, w, fmt.Sprintf("%s has no clock %s", c.plan.design.name, w.Text), choice(w.Text, clocks))
			ok = false
		}
	}
	return ok
}

// protocolUse is the line of an agent, with what it needs.
func (c *checker) protocolUse(p *protocol) string {
	use := "write agent NAME " + p.name
	for _, o := range p.options {
		if o.needed {
			use += " " + o.name + " " + strings.ToUpper(o.name)
		}
	}
	return use
}

// bindAgent finds the agent's ports.
func (c *checker) bindAgent(a *agent, at Word) bool {
	d := c.plan.design
	var ports []bridge.Port
	for _, p := range d.ports {
		ports = append(ports, bridge.Port{Name: p.Name, Width: p.Width, Dir: map[bool]bridge.Direction{true: bridge.Input, false: bridge.Output}[p.Input]})
	}
	layout := bridge.NewLayout(ports)
	pins := pinList(tb.PinsOf(layout, make([]byte, layout.InSize), make([]byte, layout.OutSize), nil))
	s, err := a.bind(pins, nil, d.reset)
	if wrong, ok := err.(*optionError); ok {
		if w, given := a.options[wrong.option]; given {
			at = w
		}
		c.at(a.line.At, at, wrong.problem, wrong.help)
		return false
	}
	if err != nil {
		problem, help, _ := strings.Cut(err.Error(), "; there are: ")
		if help != "" {
			help = "these begin so: " + help
		}
		if begin, none := strings.CutSuffix(problem, "; no port begins so"); none {
			begin, _, _ = strings.Cut(begin, ": ")
			problem = begin + ": no port begins so"
			if list := c.prefixes(a.protocol); list != nil {
				help = "did you mean prefix " + strings.Join(list, " or prefix ") + "?"
			}
		}
		if len(a.protocol.signals) > 0 {
			help = strings.TrimPrefix(help+"; a port of another name is given as SIGNAL PORT: "+strings.ToLower(a.protocol.signals[0])+" NAME", "; ")
		}
		c.at(a.line.At, at, problem, help)
		return false
	}
	for _, name := range s.drives() {
		for _, other := range c.plan.agents {
			if slices.Contains(other.speaker.drives(), name) {
				c.at(a.line.At, a.word, fmt.Sprintf("%s is driven by agent %s already", name, other.name), "two agents cannot drive a port")
				return false
			}
		}
		if name == d.reset {
			c.at(a.line.At, at, fmt.Sprintf("%s is the reset", name), "it is driven by the vector; give the agent other ports")
			return false
		}
	}
	a.speaker = s
	return true
}
