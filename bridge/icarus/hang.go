package icarus

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/internal/loops"
)

// How vvp prints the next event, and the lines that it prints around that: see shim/trouble.c.
var (
	eventLine  = regexp.MustCompile(`(?m)^\w+: (?:Resume thread|Step into event|Propagate|Force|Reap).*\n?`)
	netEvent   = regexp.MustCompile(`(?m)^\w+: (?:Step into event|Propagate)`)
	threadLine = regexp.MustCompile(`Resume thread scope=(\S+)`)
	stopLine   = regexp.MustCompile(`(?m)^(?:> )*\*\* (?:VVP Stop|Continue|Flushing output|Current simulation).*\n?|^(?:> )+\n?`)
)

// hung ends a vvp that does not answer, and returns an error that says what it is busy with.
func (c *instance) hung() error {
	c.output.collect(c.last())
	// Three times, for a loop may consist of several events; and on a busy machine until it
	// answers.
	for i := 0; i < 3 || i < 30 && c.output.size() == 0; i++ {
		c.cmd.Process.Signal(syscall.SIGUSR1)
		select {
		case <-c.exited:
		case <-time.After(30 * time.Millisecond):
		}
	}
	if c.opts.Wave.Path == "" {
		c.cmd.Process.Signal(syscall.SIGUSR2)
		select {
		case <-c.exited:
		case <-time.After(time.Second):
		}
	}
	c.end()
	var scopes []string
	logic := false
	c.output.filter(func(text string) string {
		for _, m := range threadLine.FindAllStringSubmatch(text, -1) {
			if !slices.Contains(scopes, m[1]) {
				scopes = append(scopes, m[1])
			}
		}
		logic = logic || netEvent.MatchString(text)
		return stopLine.ReplaceAllString(eventLine.ReplaceAllString(text, ""), "")
	})
	reason := fmt.Sprintf("vvp hung: no cycle was finished in %v: logic or a loop without delay that does not come to an end", c.opts.HangTimeout())
	if len(scopes) > 0 {
		reason += " in " + strings.Join(scopes, ", ")
	}
	if logic || len(scopes) == 0 {
		if f := feedback(c.program, 5); len(f) > 0 {
			reason += " (logic that depends on itself: " + strings.Join(f, ", ") + ")"
		}
	}
	if f := awaitedFunctions(c.program); len(f) > 0 {
		reason += " (perhaps as an always_comb calls " + strings.Join(f, " or ") +
			": as Icarus compiles it, it waits for the function's own variables too, which all callers share; an assign does not)"
	}
	if l := loopLines(c.design, 5); len(l) > 0 {
		reason += " (loops of the design: " + strings.Join(l, " | ") + ")"
	}
	return c.dead(reason)
}

// loopLines returns the first n lines of the design with loop statements, with their places.
func loopLines(d *bridge.Design, n int) (places []string) {
	for _, s := range loops.Of(d) {
		place := fmt.Sprintf("%s:%d: %s", s.File, s.Line, s.Text)
		if slices.Contains(places, place) {
			continue // it has two
		}
		if len(places) == n {
			return append(places, "...")
		}
		places = append(places, place)
	}
	return places
}
