package vectors

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cosimate/cosimate/bridge"
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
	if c.agentOptions(a, words[3:]) && c.bindAgent(a, words[2]) {
		c.plan.agents = append(c.plan.agents, a)
	} else {
		c.lost = append(c.lost, a.name)
	}
	return false // it plays nothing
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
		c.at(a.line.At, a.options[wrong.option], wrong.problem, wrong.help)
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

// orderLine is a statement of an agent that is being read.
type orderLine struct {
	agent *agent
	step  *step
	line  *Line
	verb  *verb
	at    Word   // the verb's
	words []Word // those behind the verb that were not read yet
	bound bool   // it is to be done within a time
	// started says that the vector does not wait for it.
	started bool
}

// order reads "NAME VERB ... [within TIME]".
func (c *checker) order(s *step, l *Line, a *agent, words []Word, start bool) {
	var names []string
	for _, v := range a.protocol.verbs {
		names = append(names, v.name)
	}
	if len(words) < 2 {
		c.span(l.At, l.end(), 1, fmt.Sprintf("%s what?", a.name), choice("", names))
		return
	}
	i := slices.Index(names, words[1].Text)
	if i < 0 {
		c.at(l.At, words[1], fmt.Sprintf("agent %s (%s) knows no %q", a.name, a.protocol.name, words[1].Text), choice(words[1].Text, names))
		return
	}
	o := &orderLine{agent: a, step: s, line: l, verb: &a.protocol.verbs[i], at: words[1], words: words[2:], started: start}
	if n := len(o.words); n >= 2 && o.words[n-2].Text == "within" {
		if s.cycles > 0 {
			c.at(l.At, o.words[n-2], "within is given twice", "delete one of them")
			return
		}
		s.cycles = c.duration(l.At, o.words[n-1])
		c.spend(l.At, o.words[n-1], s.cycles)
		o.words = o.words[:n-2]
	}
	o.bound = s.cycles > 0
	errors := len(c.list)
	do := o.verb.check(c, o)
	if do == nil || len(c.list) > errors {
		return
	}
	if len(o.words) > 0 {
		c.at(l.At, o.words[0], fmt.Sprintf("%q is more than %s takes", shorten(o.words[0].Text), o.verb.name), "it is written: "+a.name+" "+o.verb.use)
		return
	}
	s.op = "act"
	s.act = func(pl *rowPlayer) error { return pl.agents.order(a, do, start) }
	c.plan.steps = append(c.plan.steps, *s)
}

// lacks reports that words are missing.
func (o *orderLine) lacks(c *checker, what string) {
	c.span(o.line.At, o.line.end(), 1, fmt.Sprintf("%s %s lacks %s", o.agent.name, o.verb.name, what), "it is written: "+o.agent.name+" "+o.verb.use)
}

// next returns the next word. It returns false if there is none.
func (o *orderLine) next() (w Word, ok bool) {
	if len(o.words) == 0 {
		return w, false
	}
	w, o.words = o.words[0], o.words[1:]
	return w, true
}

// number reads a word as a number of so many bits.
func (o *orderLine) number(c *checker, w Word, what string, width int) (uint64, bool) {
	p := &Port{Name: what, Width: width}
	v, ok := c.value(o.line.At, w, p)
	if ok && (v.open || v.fill || v.care != nil || v.lo.Cmp(v.hi) != 0) {
		c.at(o.line.At, w, fmt.Sprintf("%s is not a value for %s", w.Text, what), "write one number: decimal, 0x or 0b")
		return 0, false
	}
	if !ok {
		return 0, false
	}
	return v.lo.Uint64(), true
}

// keyword reads a word, and returns the word behind it. It returns false if another word is next,
// or after an error.
func (o *orderLine) keyword(c *checker, key string) (w Word, ok bool) {
	if len(o.words) == 0 || o.words[0].Text != key {
		return w, false
	}
	at, _ := o.next()
	if w, ok = o.next(); !ok {
		c.at(o.line.At, at, fmt.Sprintf("%s what?", key), "it is written: "+o.agent.name+" "+o.verb.use)
	}
	return w, ok
}
