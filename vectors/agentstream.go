package vectors

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/sim/axi"
	"github.com/cosimate/cosimate/sim/stream"
	"github.com/cosimate/cosimate/sim/tb"
)

var axiStream = protocol{
	name: "axi-stream", about: "AXI4-Stream: the agent sends packets of bytes into the design, or receives those that come out of it",
	options: []option{prefixOption}, paces: []string{"gaps", "busy", "late", "bound"},
	signals: []string{"tvalid", "tready", "tdata", "tkeep", "tstrb", "tlast", "tid", "tdest", "tuser"},
	verbs: []verb{
		{"send", "send DATA...", `a packet of bytes: texts "hello", numbers, ranges`, (*checker).packetSend},
		{"expect", "expect DATA... [within TIME]", "the next packet has these bytes", (*checker).packetExpect},
		{"drop", "drop", "packets that have come and were not expected do not matter", dropVerb},
	},
	bind: func(a *agent, on tb.Pinned, reset *tb.Reset) (speaker, error) {
		s, err := axi.BindStream(on, a.options["prefix"].Text)
		if err != nil {
			return nil, err
		}
		s.Reset = reset
		return &packetSpeaker{Stream: s, source: &axi.Source{Stream: s, Gap: a.gaps, Bound: patience}}, nil
	},
}

type packetSpeaker struct {
	*axi.Stream
	source *axi.Source
	received[string]
}

func (s *packetSpeaker) drives() []string { return s.Drives() }

func (s *packetSpeaker) start(b *tb.Rows, a *agent) {
	b.Monitor(a.name+" rules", on(a, (&axi.StreamChecker{Stream: s.Stream, Bound: a.bound}).Run))
	if s.Into() {
		return
	}
	b.Monitor(a.name+" packets", on(a, (&axi.Packets{Stream: s.Stream, Each: func(_ *tb.Process, packet []byte) { s.got = append(s.got, string(packet)) }}).Run))
	b.Background(a.name+" ready", on(a, (&axi.Receiver{Stream: s.Stream, Busy: a.busy, Late: a.late}).Run))
}

func (s *packetSpeaker) left() string {
	return s.unexpected(func(all []string) string { return packetText(all[0]) })
}

func packetText(packet string) string { return "a packet " + bytesText([]byte(packet)) }

// into reports whether a statement is for the direction of its agent's stream, or reports an error.
func (c *checker) into(o *orderLine, is, send bool) bool {
	if is == send {
		return true
	}
	direction := map[bool]string{true: "goes into the design: the agent sends", false: "comes out of the design: the agent receives"}
	c.at(o.line.At, o.at, fmt.Sprintf("the stream of agent %s %s", o.agent.name, direction[is]), "an agent is for one stream: write another one for the other direction")
	return false
}

func (c *checker) packetSend(o *orderLine) order {
	s := o.agent.speaker.(*packetSpeaker)
	if !c.into(o, s.Into(), true) {
		return nil
	}
	data, at := o.bytes(c)
	if data == nil {
		return nil
	}
	if problem := s.Sendable(len(data)); problem != "" {
		help := ""
		if strings.Contains(problem, "no TLAST") {
			help = fmt.Sprintf("where each transfer stands alone, take the protocol of valid and ready: agent %s stream %s", o.agent.name, plainPorts(o.agent))
		}
		c.at(o.line.At, at[0], problem, help)
		return nil
	}
	return func(p *tb.Process, pl *rowPlayer, s speaker) error {
		s.(*packetSpeaker).source.Send(p, data)
		return nil
	}
}

// plainPorts returns options with which the ports of an AXI4-Stream are found as valid and ready.
func plainPorts(a *agent) string {
	switch prefix := a.options["prefix"].Text; prefix {
	case "":
		return "valid PORT ready PORT data PORT"
	case strings.ToUpper(prefix):
		return "prefix " + prefix + "T"
	default:
		return "prefix " + prefix + "t"
	}
}

func (c *checker) packetExpect(o *orderLine) order {
	if !c.into(o, o.agent.speaker.(*packetSpeaker).Into(), false) {
		return nil
	}
	data, at := o.bytes(c)
	if data == nil {
		return nil
	}
	return func(p *tb.Process, pl *rowPlayer, s speaker) error {
		all := func([]string) string { return "" }
		return s.(*packetSpeaker).expect(p, pl, o.agent.name, []string{string(data)}, at[:1], packetText, all)
	}
}

var validReady = protocol{
	name: "stream", about: "valid and ready: the agent sends into the design, or receives what comes out of it",
	options: []option{prefixOption}, paces: []string{"gaps", "busy", "late", "bound"},
	signals: []string{"valid", "ready", "data"},
	verbs: []verb{
		{"send", "send VALUE...", "values and ranges, each in a transfer of its own", (*checker).streamSend},
		{"expect", "expect VALUE... [within TIME]", "the values that come next are these", (*checker).streamExpect},
		{"drop", "drop", "what has come and was not expected does not matter", dropVerb},
	},
	bind: bindStream,
}

type streamSpeaker struct {
	valid, ready, data tb.Pin
	gaps, busy         float64
	late               bool
	bound              int
	reset              *tb.Reset
	driver             *stream.Driver[item]
	received[item]
}

func bindStream(a *agent, on tb.Pinned, reset *tb.Reset) (speaker, error) {
	prefix := a.options["prefix"].Text
	find := func(signal string) (tb.Pin, error) {
		all := on.Pins()
		for i := range all { // those last that the line names
			p := all[len(all)-1-i]
			for _, name := range []string{p.Name, p.Port} {
				if rest, ok := strings.CutPrefix(name, prefix); ok && strings.EqualFold(strings.TrimPrefix(rest, "_"), signal) {
					return p, nil
				}
			}
		}
		return tb.Pin{}, fmt.Errorf("the stream with prefix %q has no %s", prefix, signal)
	}
	s := &streamSpeaker{gaps: a.gaps, busy: a.busy, late: a.late, bound: a.bound, reset: reset}
	for _, f := range []struct {
		name string
		pin  *tb.Pin
	}{{"valid", &s.valid}, {"ready", &s.ready}, {"data", &s.data}} {
		var err error
		if *f.pin, err = find(f.name); err != nil {
			return nil, err
		}
		if f.name != "data" && f.pin.Width != 1 {
			return nil, fmt.Errorf("%s has %d bits: %s is one", f.pin.Port, f.pin.Width, f.name)
		}
	}
	if s.valid.Driven == s.ready.Driven || s.valid.Driven != s.data.Driven {
		return nil, fmt.Errorf("%s, %s and %s are no stream: valid and data are inputs and ready is an output, or the other way round", s.valid.Port, s.ready.Port, s.data.Port)
	}
	s.driver = &stream.Driver[item]{Valid: s.valid.Bit(), Ready: s.ready.Bit(), Gap: a.gaps, Bound: patience, Put: func(v item) {
		clear(s.data.Value[copy(s.data.Value, v.bytes):])
	}}
	return s, nil
}

func (s *streamSpeaker) drives() []string {
	if s.valid.Driven {
		return []string{s.valid.Port, s.data.Port}
	}
	return []string{s.ready.Port}
}

func (s *streamSpeaker) start(b *tb.Rows, a *agent) {
	var inReset func() bool
	if s.reset != nil {
		inReset = s.reset.Active
	}
	b.Monitor(a.name+" rules", on(a, (&stream.Checker{
		Name: a.name, Valid: s.valid.Bit(), Ready: s.ready.Bit(), ValidName: s.valid.Port, ReadyName: s.ready.Port,
		Payload: []stream.Signal{stream.Bytes(s.data.Port, s.data.Value)}, InReset: inReset, Bound: s.bound,
	}).Run))
	if s.valid.Driven {
		return
	}
	b.Monitor(a.name+" items", on(a, (&stream.Monitor[item]{
		Valid: s.valid.Bit(), Ready: s.ready.Bit(), InReset: inReset,
		Get: func() item { return item{string(s.data.Value), s.data.Width} }, Each: func(_ *tb.Process, v item) { s.got = append(s.got, v) },
	}).Run))
	b.Background(a.name+" ready", on(a, (&stream.Sink{Valid: s.valid.Bit(), Ready: s.ready.Bit(), Busy: s.busy, Late: s.late}).Run))
}

// item is a value: its bytes, least significant first.
type item struct {
	bytes string
	width int
}

// String returns the value as a vector has it.
func (i item) String() string {
	b := []byte(i.bytes)
	slices.Reverse(b)
	return (&Port{Width: i.width}).text(new(big.Int).SetBytes(b))
}

func itemsText(all []item) string {
	var texts []string
	for _, v := range all[:min(len(all), 8)] {
		texts = append(texts, v.String())
	}
	if len(all) > 8 {
		texts = append(texts, fmt.Sprintf("... (%d)", len(all)))
	}
	return strings.Join(texts, " ")
}

func (s *streamSpeaker) left() string { return s.unexpected(itemsText) }

// values reads the values of a statement.
func (o *orderLine) values(c *checker) (items []item, at []Word) {
	s := o.agent.speaker.(*streamSpeaker)
	for {
		w, ok := o.next()
		if !ok {
			if len(items) == 0 {
				o.lacks(c, "its values")
			}
			return items, at
		}
		if strings.HasPrefix(w.Text, `"`) {
			text := o.text(c, w)
			if text != "" && s.data.Width != 8 {
				c.at(o.line.At, w, fmt.Sprintf("%s has %d bits: an item is no character", s.data.Port, s.data.Width), "write numbers")
				return nil, nil
			}
			for i := range len(text) {
				items, at = append(items, item{text[i : i+1], 8}), append(at, w)
			}
			continue
		}
		p := &Port{Name: s.data.Port, Width: s.data.Width}
		v, ok := c.value(o.line.At, w, p)
		switch {
		case !ok:
			return nil, nil
		case v.open || v.fill || v.care != nil:
			c.at(o.line.At, w, fmt.Sprintf("%s is not a value of an item", w.Text), "write numbers, or a range: 1..9 is nine of them")
			return nil, nil
		}
		n := new(big.Int).Sub(v.hi, v.lo)
		if !n.IsInt64() || n.Int64() > 1e6 {
			c.at(o.line.At, w, fmt.Sprintf("%s is more than a million items", w.Text), "write a smaller range")
			return nil, nil
		}
		for i := range n.Int64() + 1 {
			b := make([]byte, len(s.data.Value))
			new(big.Int).Add(v.lo, big.NewInt(i)).FillBytes(b)
			slices.Reverse(b)
			items, at = append(items, item{string(b), s.data.Width}), append(at, w)
		}
	}
}

func (c *checker) streamSend(o *orderLine) order {
	if !c.into(o, o.agent.speaker.(*streamSpeaker).valid.Driven, true) {
		return nil
	}
	items, _ := o.values(c)
	return func(p *tb.Process, pl *rowPlayer, s speaker) error {
		d := s.(*streamSpeaker)
		for !d.reset.Over(p) {
			p.Next()
		}
		for _, v := range items {
			d.driver.Send(p, v)
		}
		return nil
	}
}

func (c *checker) streamExpect(o *orderLine) order {
	if !c.into(o, o.agent.speaker.(*streamSpeaker).valid.Driven, false) {
		return nil
	}
	items, at := o.values(c)
	return func(p *tb.Process, pl *rowPlayer, s speaker) error {
		d := s.(*streamSpeaker)
		return d.expect(p, pl, o.agent.name, items, at, item.String, itemsText)
	}
}
