package vectors

import (
	"fmt"
	"slices"
	"strings"
)

// rtlStatement is a statement of vectors whose header names RTL. Each kind is in a file of its own,
// which has the statement as a variable; rtlStatements lists them.
type rtlStatement struct {
	name, use, about string
	// check reads the words behind the name, and sets what the step does. It returns false if it
	// has reported an error.
	check func(c *checker, v *rtlStatement, s *step, l *Line, words []Word) bool
	// timeless statements play no cycle, so that within cannot bound them.
	timeless bool
	// inside statements reach into the RTL, which exports of a vector cannot.
	inside bool
}

// rtlStatements returns all of them, in the order of documentation.
func rtlStatements() []*rtlStatement {
	return []*rtlStatement{&randomStatement, &alwaysStatement, &peekStatement, &forceStatement, &releaseStatement, &loadStatement,
		&agentStatement, &startStatement}
}

// rtlStatement checks a statement of these, or of an agent. It returns false if there is none of
// this name.
func (c *checker) rtlStatement(s *step, l *Line, words []Word) bool {
	if a := c.agent(words[0].Text); a != nil {
		c.order(s, l, a, words, false)
		return true
	}
	if slices.Contains(c.lost, words[0].Text) { // the line of the agent has an error
		return true
	}
	all := rtlStatements()
	for _, b := range builtin {
		c.reserved = append(c.reserved, strings.Fields(b.use)[0])
	}
	for _, v := range all {
		c.reserved = append(c.reserved, v.name)
	}
	i := slices.IndexFunc(all, func(v *rtlStatement) bool { return v.name == words[0].Text })
	if i < 0 {
		return false
	}
	s.op, s.inside = "act", all[i].inside
	if s.cycles > 0 && all[i].timeless {
		c.at(l.At, words[0], fmt.Sprintf("%s has no bound", words[0].Text), "it takes no time; within is for expect")
		return true
	}
	if all[i].check(c, all[i], s, l, words) && s.act != nil {
		c.plan.steps = append(c.plan.steps, *s)
	}
	return true
}

// writable returns an error if a vector has a statement without which its cycles are others, and
// which is not a matter of ports.
func (p *plan) writable() error {
	for i := range p.steps {
		if s := &p.steps[i]; s.inside {
			return Errors{p.file.at(s.line.At, s.first.Column, len(s.first.Text), fmt.Sprintf("%s reaches into the RTL: the vector's cycles cannot be written as values of ports", s.first.Text))}
		}
	}
	return nil
}
