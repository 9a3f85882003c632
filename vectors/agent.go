package vectors

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cosimate/cosimate/sim/tb"
)

// This file is about agents: parts of a vector that speak a protocol at some of the design's ports,
// beside the vector's rows and statements.

// protocol is what an agent can speak. Each is in a file of its own, which has it as a variable;
// protocols lists them.
type protocol struct {
	name, about string
	options     []option
	signals     []string // names of signals, by which a port can be given that has another name
	paces       []string // which of gaps, busy, late and bound it takes
	// bind finds the ports. It is called when a vector is checked, with memory that nobody reads,
	// and again for each run.
	bind  func(a *agent, on tb.Pinned, reset *tb.Reset) (speaker, error)
	verbs []verb
}

// option is a word with a value in an agent's line.
type option struct {
	name, about string
	needed      bool
}

// verb is a statement of an agent: its name stands behind the agent's.
type verb struct {
	name, use, about string
	// check reads the words behind the verb. It returns nil if it has reported an error.
	check func(c *checker, o *orderLine) order
}

// order is what a statement of an agent does. It runs in the agent's process.
type order func(p *tb.Process, pl *rowPlayer, s speaker) error

// speaker is an agent that is bound to ports.
type speaker interface {
	// drives returns the names of the ports that it drives.
	drives() []string
	// start adds its processes to a bench. The names of these begin with the agent's.
	start(b *tb.Rows, a *agent)
	// left says what it has received and no statement has expected, or "".
	left() string
}

// protocols returns all of them, in the order of documentation.
func protocols() []*protocol {
	return []*protocol{&axiLite, &wishboneBus, &axiStream, &validReady, &uartLine}
}

// patience is the bound of the agents' own waits. Their checkers end a wait before, with the rule
// that is broken.
const patience = 1 << 30

// agent is a line agent.
type agent struct {
	name     string
	line     *Line
	word     Word // its name
	protocol *protocol
	options  map[string]Word
	gaps     float64 // the share of cycles before an item in which it waits
	busy     float64 // the share of cycles in which it is not ready
	late     bool    // it is ready only for what is offered
	bound    int     // cycles that the other side may take
	clock    string
	period   time.Duration // of the clock
	memory   *memoryPlan   // nil: its line says nothing of one
	speaker  speaker       // bound to memory that nobody reads
}

var agentStatement = rtlStatement{
	name: "agent", use: "agent NAME PROTOCOL [OPTION VALUE...]",
	about:    "something at the ports that speaks a protocol, whose rules are checked from the first cycle on",
	timeless: true,
	check:    (*checker).newAgent,
}

var startStatement = rtlStatement{
	name: "start", use: "start NAME ...", about: "a statement of an agent, which then goes on beside those that follow",
	check: func(c *checker, v *rtlStatement, s *step, l *Line, words []Word) bool {
		if len(words) < 3 {
			c.count(l, words, "start NAME ..., with a statement of an agent")
			return false
		}
		a := c.agent(words[1].Text)
		if a == nil {
			c.at(l.At, words[1], fmt.Sprintf("there is no agent %s", words[1].Text), c.agentHelp(words[1].Text))
			return false
		}
		c.order(s, l, a, words[1:], true)
		return false
	},
}

// agent returns the agent of a name, or nil.
func (c *checker) agent(name string) *agent {
	for _, a := range c.plan.agents {
		if a.name == name {
			return a
		}
	}
	return nil
}

func (c *checker) agentNames() (names []string) {
	for _, a := range c.plan.agents {
		names = append(names, a.name)
	}
	return names
}

func (c *checker) agentHelp(word string) string {
	if len(c.plan.agents) == 0 {
		return "agents are declared before: agent NAME PROTOCOL ..."
	}
	return choice(word, c.agentNames())
}

// newAgent reads "agent NAME PROTOCOL {OPTION VALUE}".
func (c *checker) newAgent(v *rtlStatement, s *step, l *Line, words []Word) bool {
	var names []string
	for _, p := range protocols() {
		names = append(names, p.name)
	}
	if len(words) < 3 {
		c.count(l, words, v.use+"; "+choice("", names))
		return false
	}
	a := &agent{name: words[1].Text, line: l, word: words[1], options: map[string]Word{}}
	switch {
	case !label.MatchString(a.name):
		c.at(l.At, words[1], fmt.Sprintf("%q cannot be the name of an agent", a.name), "a name has letters, digits and _, and does not begin with a digit")
		return false
	case slices.Contains(c.reserved, a.name):
		c.at(l.At, words[1], fmt.Sprintf("%s is a statement, and cannot be the name of an agent", a.name), "take another name: bus, rx, tx")
		return false
	case c.agent(a.name) != nil:
		c.at(l.At, words[1], fmt.Sprintf("there is an agent %s already, in line %d", a.name, c.agent(a.name).line.At), "take another name")
		return false
	}
	i := slices.IndexFunc(protocols(), func(p *protocol) bool { return p.name == words[2].Text })
	if i < 0 {
		c.at(l.At, words[2], fmt.Sprintf("there is no protocol %q", words[2].Text), choice(words[2].Text, names))
		return false
	}
	a.protocol = protocols()[i]
	if c.agentOptions(a, words[3:]) && c.memoryLine(a) && c.bindAgent(a, words[2]) {
		c.plan.agents = append(c.plan.agents, a)
	} else {
		c.lost = append(c.lost, a.name)
	}
	return false // it plays nothing
}

// optionError is an error about an option's value.
type optionError struct{ option, problem, help string }

func (e *optionError) Error() string { return e.problem }

// pinList has the ports of a design.
type pinList []tb.Pin

// Pins returns them.
func (l pinList) Pins() []tb.Pin { return l }

// bind binds the agent to ports, those first that its line names.
func (a *agent) bind(on tb.Pinned, reset *tb.Reset, resetName string) (speaker, error) {
	prefix := a.options["prefix"].Text
	var all, named pinList
	signals := map[string]string{} // by port
	for _, signal := range a.protocol.signals {
		if w, ok := a.options[signal]; ok {
			signals[w.Text] = signal
		}
	}
	for _, pin := range on.Pins() {
		signal, ok := signals[pin.Port]
		own := strings.TrimPrefix(pin.Name, prefix)
		_, replaced := a.options[own]
		switch {
		case ok:
			pin.Name = prefix + signal
			named = append(named, pin)
		case pin.Port == resetName && a.options["line"].Text != resetName || replaced && slices.Contains(a.protocol.signals, own):
		default:
			all = append(all, pin)
		}
	}
	return a.protocol.bind(a, append(all, named...), reset)
}

// prefixes returns what ports begin with that end as one of a protocol's signals does, for help.
func (c *checker) prefixes(p *protocol) (list []string) {
	for _, port := range portNames(c.plan.design) {
		name := tb.PlainName(port)
		if prefix, ok := strings.CutSuffix(strings.ToLower(name), p.signals[0]); ok && prefix != "" && !slices.Contains(list, name[:len(prefix)]) {
			list = append(list, name[:len(prefix)])
		}
	}
	return list
}

// driven reports ports that the vector drives although an agent does.
func (c *checker) driven() {
	by := map[string]*agent{}
	for _, a := range c.plan.agents {
		for _, name := range a.speaker.drives() {
			by[name] = a
		}
	}
	report := func(s *step, name string, w Word) {
		if a := by[name]; a != nil {
			c.at(s.line.At, w, fmt.Sprintf("%s is driven by agent %s", name, a.name), fmt.Sprintf("use the statements of %s, or leave the port out", a.name))
		}
	}
	for i := range c.plan.steps {
		s := &c.plan.steps[i]
		for _, d := range s.drive {
			report(s, d.port.Name, d.word)
		}
		for _, p := range s.drawn {
			k := slices.IndexFunc(s.line.Words, func(w Word) bool { return w.Text == p.Name })
			report(s, p.Name, s.line.Words[k])
		}
	}
}
