package host

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/notation"
	"github.com/cosimate/cosimate/engine/rules"
)

// refusal turns an error of [notation.Parse] into a [*Refusal] that names the rule.
func refusal(p *engine.Position, err error) error {
	e, ok := errors.AsType[*notation.Error](err)
	if !ok {
		return err
	}
	if e.NoForm {
		return unknown(e.Text)
	}
	if len(e.Illegal) == 0 {
		return &Refusal{What: e.Text, Why: e.Problem}
	}
	r := &Refusal{What: e.Text}
	var why []string
	for _, s := range e.Illegal {
		r.Reason = rules.Why(p, s.From, s.To)
		why = append(why, r.Reason.Explain(p, s.From, s.To))
	}
	// If several pieces can be meant, those that could go there but for some rule say most.
	if len(why) > 1 {
		var better []string
		for i, s := range e.Illegal {
			if c := rules.Why(p, s.From, s.To); c != rules.NotAMove {
				r.Reason = c
				better = append(better, why[i])
			}
		}
		if better == nil {
			piece, _ := p.PieceAt(e.Illegal[0].From)
			better = []string{fmt.Sprintf("no %s goes to %v (FIDE 3.2 to 3.8)", piece, e.Illegal[0].To)}
		}
		why = better
	}
	r.Why = strings.Join(why, "; ")
	return r
}
