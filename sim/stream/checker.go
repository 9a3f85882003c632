package stream

import (
	"fmt"
	"math/big"
	"reflect"
	"slices"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim/tb"
)

// Checker checks the rules of a valid/ready stream: once valid is 1, valid and the payload stay as
// they are until ready is 1. It checks streams into a design and out of it. A bit that becomes X or
// Z has changed, and so has one that becomes known. A valid or ready that is X or Z is an error.
type Checker struct {
	Name         string // of the stream, for messages
	Valid, Ready *bool
	Payload      []Signal

	// Optional:

	ValidName, ReadyName string // for messages; empty means "valid", "ready"
	// InReset reports whether the reset is active. If it is set, nothing is checked before the
	// design's first reset, and a reset ends a wait for ready. A design that has run cycles before
	// the checker's first (sim.DUT.Reset) is taken to have had its reset in them.
	InReset func() bool
	Bound   int   // cycles that valid may wait for ready; zero: any number
	Rules   Rules // zero means rules that cite no specification

	process *tb.Process // of this run
	reset   bool        // InReset in the last cycle
	started bool
	waiting int // cycles for which valid has waited
	seen    int // cycles of this run
	checked int // cycles of this run in which the rules were checked
}

// Rules are the texts with which a [Checker] cites a rule that is broken: the section of a
// specification, and what it demands. A rule whose text is empty is not checked.
type Rules struct {
	Hold    string // valid stays until ready
	Stable  string // the payload does not change until ready
	Unknown string // valid is 0 or 1, and so is ready while valid is 1
	Wait    string // ready comes within the bound
	Reset   string // valid is 0 in reset, and in the first cycle after it
}

var plainRules = Rules{
	Hold:    "valid must stay 1 until ready",
	Stable:  "the payload must not change while valid waits for ready",
	Unknown: "valid and ready must be 0 or 1",
	Wait:    "valid must not wait for longer",
}

// A Violation is the error for a broken rule.
type Violation struct {
	Stream string // the checker's Name
	Signal string
	Cycle  int    // index, as of tb.Process.Cycle
	What   string // what the signal did: "fell before ready was 1"
	Rule   string // the rule that this breaks
}

func (v *Violation) Error() string {
	return fmt.Sprintf("%s: cycle %d: %s %s; rule: %s", v.Stream, v.Cycle, v.Signal, v.What, v.Rule)
}

// Signal is part of a stream's payload: see [Field].
type Signal interface {
	name() string
	keep(*tb.Process)
	change(*tb.Process) string // what has changed since keep, or ""
}

// Keep has a signal's present value remembered, and Changed says how it differs from that: "changed
// from 0x1 to 0x2", or "". They are for checkers of other handshakes than valid and ready.
func Keep(s Signal, p *tb.Process)           { s.keep(p) }
func Changed(s Signal, p *tb.Process) string { return s.change(p) }

// NameOf returns a signal's name.
func NameOf(s Signal) string { return s.name() }

// Field returns a signal for a field of Bench.In or Bench.Out.
func Field[T comparable](name string, value *T) Signal {
	return &signal[T]{label: name, get: func() T { return *value }}
}

// Bytes returns a signal for bytes in Bench.In or Bench.Out, least significant first.
func Bytes(name string, value []byte) Signal {
	return &signal[memory]{label: name, get: func() memory { return memory(value) }}
}

// memory is a signal's bytes, least significant first.
type memory string

type signal[T comparable] struct {
	label string
	get   func() T
	kept  sample[T]
}

// sample is a value as sampled, and the same value with its unknown bits inverted.
type sample[T comparable] struct{ value, flipped T }

func (s *signal[T]) sample(p *tb.Process) sample[T] {
	v := s.get()
	now := sample[T]{v, v}
	p.Flipped(func() { now.flipped = s.get() })
	return now
}

func (s *signal[T]) name() string       { return s.label }
func (s *signal[T]) keep(p *tb.Process) { s.kept = s.sample(p) }
func (s *signal[T]) change(p *tb.Process) string {
	now := s.sample(p)
	if now == s.kept {
		return ""
	}
	return fmt.Sprintf("changed from %v to %v", s.kept, now)
}

// String returns the value for messages: numbers in hexadecimal, with x and z as in Verilog.
func (s sample[T]) String() string {
	value, bits := number(s.value)
	if s.value != s.flipped {
		if bits == 0 {
			return fmt.Sprintf("%v with X or Z in it", s.value)
		}
		flipped, _ := number(s.flipped)
		unknown := flipped.Xor(value, flipped)
		return bridge.Value{Width: bits, Bits: words(value, bits), Unknown: words(unknown, bits)}.String()
	}
	switch any(s.value).(type) {
	case uint8, uint16, uint32, uint64, memory:
		return fmt.Sprintf("%#x", value)
	}
	return fmt.Sprint(s.value)
}

// number returns v as a number and the bits of its type. For other types bits is 0.
func number(v any) (value *big.Int, bits int) {
	if m, ok := v.(memory); ok {
		b := []byte(m)
		slices.Reverse(b)
		return new(big.Int).SetBytes(b), 8 * len(b)
	}
	switch v := reflect.ValueOf(v); v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return big.NewInt(1), 1
		}
		return new(big.Int), 1
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return new(big.Int).SetUint64(v.Uint()), v.Type().Bits()
	}
	return nil, 0
}

// words returns v as words of 64 bits, least significant first.
func words(v *big.Int, bits int) (all []uint64) {
	for at := 0; at < bits; at += 64 {
		all = append(all, new(big.Int).Rsh(v, uint(at)).Uint64())
	}
	return all
}

// Run is a process for Bench.Monitor.
func (c *Checker) Run(p *tb.Process) {
	var err error
	p.Until(forever, func() bool {
		err = c.Check(p)
		return err != nil
	})
	p.Fail(err)
}

// Started reports whether the rules are checked already: from the second cycle of the first reset
// on, or from the checker's first cycle on if the design has run before it.
func (c *Checker) Started() bool { return c.InReset == nil || c.started }

// Check checks the cycle just done, and returns nil or a *[Violation]. It is for checkers that
// contain this one, and must be called once in each cycle. If no cycle of a run was checked,
// because no reset was seen or the reset was always active, the run ends with an error.
func (c *Checker) Check(p *tb.Process) error {
	cycle := p.Cycle()
	if c.process != p {
		c.process, c.seen, c.checked = p, 0, 0
		c.started = c.started || cycle > 0
		p.AtEnd(c.idle)
	}
	c.seen++
	if c.Rules == (Rules{}) {
		c.Rules = plainRules
	}
	valid, ready := c.ValidName, c.ReadyName
	if valid == "" {
		valid = "valid"
	}
	if ready == "" {
		ready = "ready"
	}
	violation := func(signal, rule, format string, args ...any) error {
		return &Violation{c.Name, signal, cycle, fmt.Sprintf(format, args...), rule}
	}

	before := c.waiting
	c.waiting = 0
	if c.InReset != nil {
		inReset, was := c.InReset(), c.reset
		c.reset = inReset
		c.started = c.started || was
		// In the first cycle of a reset the outputs may still be those from before it.
		if was && *c.Valid && c.Rules.Reset != "" {
			return violation(valid, c.Rules.Reset, "is 1 in reset, or in the first cycle after it")
		}
		if inReset || !c.started {
			return nil
		}
	}
	c.checked++
	if c.Rules.Unknown != "" {
		isValid, isReady, validX, readyX := *c.Valid, *c.Ready, false, false
		p.Flipped(func() { validX, readyX = *c.Valid != isValid, *c.Ready != isReady })
		if validX {
			return violation(valid, c.Rules.Unknown, "is X or Z")
		}
		if readyX && *c.Valid {
			return violation(ready, c.Rules.Unknown, "is X or Z while %s is 1", valid)
		}
	}
	if before > 0 {
		if !*c.Valid && c.Rules.Hold != "" {
			return violation(valid, c.Rules.Hold, "fell before %s was 1", ready)
		}
		if *c.Valid && c.Rules.Stable != "" {
			for _, s := range c.Payload {
				if change := s.change(p); change != "" {
					return violation(s.name(), c.Rules.Stable, "%s while %s waited for %s", change, valid, ready)
				}
			}
		}
	}
	if *c.Valid && !*c.Ready {
		c.waiting = before + 1
		if c.Bound > 0 && c.waiting > c.Bound && c.Rules.Wait != "" {
			return violation(ready, c.Rules.Wait, "has been 0 for %d cycles in which %s was 1", c.waiting, valid)
		}
		for _, s := range c.Payload {
			s.keep(p)
		}
	}
	return nil
}

// idle returns an error if nothing was checked.
func (c *Checker) idle() error {
	if c.checked > 0 {
		return nil
	}
	reason := "the reset was active in all %d cycles: end the run after some without it"
	if !c.started && !c.reset {
		reason = "the reset was not active in any of the %d cycles, nor had the design run before: hold it first " +
			"(tb.Reset.Hold, sim.DUT.Reset), or do without it in the checker"
	}
	return fmt.Errorf("%s: checked nothing: "+reason, c.Name, c.seen)
}
