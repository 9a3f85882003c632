package icarus

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/cosimate/cosimate/bridge"
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
	for range 3 { // a loop may consist of several events
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
	if l := loops(c.design, 5); len(l) > 0 {
		reason += " (loops of the design: " + strings.Join(l, " | ") + ")"
	}
	return c.dead(reason)
}

var loopStatement = regexp.MustCompile(`\b(?:while|forever|repeat|do|for)\b`)

// loops returns the first n statements of the design that look like loops, with their places. Loops
// of generate blocks end before the simulation begins. They are left out if genvar is in their
// line.
func loops(d *bridge.Design, n int) (places []string) {
	sources, err := d.Sources()
	if err != nil {
		return nil // they were there when the model was built, and are gone since
	}
	for _, s := range sources {
		number := 0
		for line := range strings.Lines(string(s.Data)) {
			number++
			code, _, _ := strings.Cut(line, "//")
			if !loopStatement.MatchString(code) || strings.Contains(code, "genvar") {
				continue
			}
			if len(places) == n {
				return append(places, "...")
			}
			places = append(places, fmt.Sprintf("%s:%d: %s", s.Name, number, strings.TrimSpace(code)))
		}
	}
	return places
}
