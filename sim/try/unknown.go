package try

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/cosimate/cosimate/bridge"
)

// unknown says which outputs were X or Z, until when, and why.
func (t *trial) unknown() error {
	p := t.pair
	if t.icarus == nil {
		return nil
	}
	end := p.reset + t.report.Cycles - 1
	var always, last, first []portSeen
	for _, s := range p.ports {
		switch {
		case s.unknownN == 0:
		case s.never(p.firstX):
			always = append(always, s)
		case s.last >= end:
			last = append(last, s)
		default:
			first = append(first, s)
		}
	}
	grade, why := Wrong, ""
	if t.reached != nil && len(ranges(t.reached)) > 0 {
		grade, why = Look, ", and not all lines were executed"
	}
	for _, c := range []struct {
		grade Grade
		what  string
		list  []portSeen
	}{
		{grade, "outputs of which no bit ever had a value (X or Z in Icarus" + why + "): ", always},
		{Look, "outputs that were X or Z in Icarus to the end: ", last},
		{Look, "outputs that were X or Z in Icarus for a while after the reset: ", first},
	} {
		if len(c.list) == 0 {
			continue
		}
		var names, more []string
		for i, s := range c.list {
			names = append(names, s.port.Name)
			if i == 6 {
				more = append(more, fmt.Sprintf("and %d more", len(c.list)-i))
			}
			if i >= 6 {
				continue
			}
			text, err := t.origin(s)
			if err != nil {
				return err
			}
			more = append(more, text)
		}
		t.report.add(c.grade, c.what+strings.Join(some(names, 8), ", "), more...)
	}
	return nil
}

// origin says in which cycles an output was unknown, and from where that comes.
func (t *trial) origin(s portSeen) (string, error) {
	text := fmt.Sprintf("%s: in %d of %d cycles, from %d to %d", s.port.Name, s.unknownN, t.report.Cycles, s.first, s.last)
	if !t.named {
		return text, nil
	}
	l := t.pair.layout
	from := ""
	o, err := newOrigins(t.ctx, l, func() (bridge.Instance, error) { return t.before(t.icarus, t.opts.Seed, s.first) }, t.signals,
		t.pair.tape[s.first*l.InSize:(s.first+1)*l.InSize])
	if err == nil {
		o.declared = t.declared
		from, err = o.of(s.port)
		err = errors.Join(err, o.close())
	}
	switch {
	case errors.Is(err, errGivenUp):
		return text, nil
	case err != nil:
		return "", err
	case from == "":
		return text + "; no signal inside makes it so: it is a register itself, reads a memory, or has no driver", nil
	}
	return text + "; from " + from, nil
}

// declared returns the place of the declaration of a signal, or "" if its last name is not that of
// one variable in all of the design.
func (t *trial) declared(signal string) (place string) {
	name := signal[strings.LastIndexByte(signal, '.')+1:]
	declaration, err := regexp.Compile(`^[^/]*\b(?:reg|logic|bit|integer|int|enum|[a-z]\w*_[te])\b[^=;/]*\b` + regexp.QuoteMeta(name) + `\b`)
	if err != nil {
		return ""
	}
	for _, s := range t.sources {
		n := 0
		for line := range bytes.Lines(s.Data) {
			n++
			if !declaration.Match(line) {
				continue
			}
			if place != "" {
				return ""
			}
			place = fmt.Sprintf("%s:%d", s.Name, n)
		}
	}
	return place
}
