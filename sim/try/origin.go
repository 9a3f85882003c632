package try

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/bridge"
)

// origins finds out from which registers unknown outputs come. It does not read the RTL but asks
// Icarus: in the cycle in which an output is unknown, an unknown signal is set to 0. If the output
// becomes known by that, the signal is on the way to it. A signal on the way that stays unknown
// whatever others are set to is where it begins.
type origins struct {
	ctx      context.Context
	layout   *bridge.Layout
	open     func() (bridge.Instance, error) // an instance that stands before the cycle
	declared func(signal string) string      // the place of its declaration, or ""
	opened   int
	instance bridge.Instance
	in       []byte // the inputs of the cycle
	out, x   []byte

	names  []string       // of unknown signals
	values []bridge.Value // what they have
}

// mostUnknown bounds the signals that are tried one by one, each of which settles the design once
// or twice.
const mostUnknown = 2000

// mostOpened bounds how many instances are used for one output.
const mostOpened = 40

// errGivenUp says that the origin cannot be found with so few instances.
var errGivenUp = errors.New("given up")

// newOrigins returns the origins in a cycle with these inputs, given the names of all signals.
// Close must be called.
func newOrigins(ctx context.Context, l *bridge.Layout, open func() (bridge.Instance, error), signals []string, in []byte) (*origins, error) {
	o := &origins{ctx: ctx, layout: l, open: open, in: in, out: make([]byte, l.OutSize), x: make([]byte, l.OutSize)}
	if err := o.anew(); err != nil {
		return nil, err
	}
	for _, name := range signals {
		v, err := o.instance.Peek(name)
		if err != nil || v.Known() {
			continue // a memory, or a kind of signal that cannot be read
		}
		if o.instance.Poke(name, v) != nil {
			continue // what drives it has a name of its own
		}
		if o.names, o.values = append(o.names, name), append(o.values, v); len(o.names) == mostUnknown {
			break
		}
	}
	return o, o.anew()
}

// anew begins with another instance.
func (o *origins) anew() (err error) {
	if err := o.close(); err != nil {
		return err
	}
	if o.opened++; o.opened > mostOpened {
		return errGivenUp
	}
	if o.instance, err = o.open(); err != nil {
		return err
	}
	return o.settle()
}

func (o *origins) close() (err error) {
	if o.instance != nil {
		err = o.instance.Close()
		o.instance = nil
	}
	return err
}

func (o *origins) settle() error {
	return o.instance.Settle(o.ctx, &bridge.Rows{In: o.in, Out: o.out, Unknown: o.x})
}

// set sets signals to 0 where they are unknown.
func (o *origins) set(signals []int) error {
	for _, s := range signals {
		v := o.values[s]
		known := bridge.Value{Width: v.Width, Bits: slices.Clone(v.Bits)}
		for i := range known.Bits {
			known.Bits[i] &^= v.Unknown[i]
		}
		if err := o.instance.Poke(o.names[s], known); err != nil {
			return err
		}
	}
	return o.settle()
}

// restore makes signals unknown again. In an always block with case (X), which keeps what it had,
// values may stay that were not there before. If unknown does not report true then, another
// instance takes the place of this one.
func (o *origins) restore(signals []int, unknown func() (bool, error)) error {
	for _, s := range signals {
		if err := o.instance.Poke(o.names[s], o.values[s]); err != nil {
			return err
		}
	}
	if err := o.settle(); err != nil {
		return err
	}
	if as, err := unknown(); err != nil || as {
		return err
	}
	return o.anew()
}

// of returns the signals from which an output's unknown bits come, in words, or "" if that cannot
// be found.
func (o *origins) of(p bridge.Port) (string, error) {
	all := make([]int, len(o.names))
	for i := range all {
		all[i] = i
	}
	knows := func(set []int) (known bool, err error) {
		if err := o.set(set); err != nil {
			return false, err
		}
		known = valueOf(p, o.out, o.x).Known()
		return known, o.restore(set, func() (bool, error) { return !valueOf(p, o.out, o.x).Known(), nil })
	}
	if known, err := knows(all); err != nil || !known {
		return "", err
	}
	// The fewest signals that make it known, from the end so that those deep in the hierarchy,
	// whose names come later, stay.
	needed := all
	for size := max(len(all)/2, 1); ; size /= 2 {
		for at := 0; at < len(needed); {
			rest := slices.Concat(needed[:at], needed[min(at+size, len(needed)):])
			known, err := knows(rest)
			if err != nil {
				return "", err
			}
			if known && len(rest) > 0 {
				needed = rest
			} else {
				at += size
			}
		}
		if size <= 1 {
			break
		}
	}
	var roots []string
	for _, s := range needed {
		root, err := o.root(s)
		if err != nil {
			return "", err
		}
		text := fmt.Sprintf("%s (%s)", o.names[root], o.values[root])
		if at := o.declared(o.names[root]); at != "" {
			text = fmt.Sprintf("%s (%s, %s)", o.names[root], o.values[root], at)
		}
		if !slices.Contains(roots, text) {
			roots = append(roots, text)
		}
	}
	if len(roots) > 4 {
		roots = append(roots[:4], fmt.Sprintf("%d more", len(roots)-4))
	}
	return strings.Join(roots, ", "), nil
}

// root returns the signal at the beginning of the way to a signal: one that makes it known, and
// that no other makes known.
func (o *origins) root(s int) (int, error) {
	for range len(o.names) {
		before := -1
		for c := range o.names {
			if c == s {
				continue
			}
			makes, err := o.makesKnown(c, s)
			if err != nil {
				return s, err
			}
			if !makes {
				continue
			}
			back, err := o.makesKnown(s, c)
			if err != nil {
				return s, err
			}
			if !back {
				before = c
				break
			}
		}
		if before < 0 {
			return s, nil
		}
		s = before
	}
	return s, nil
}

// makesKnown reports whether setting signal c makes signal s known.
func (o *origins) makesKnown(c, s int) (bool, error) {
	if err := o.set([]int{c}); err != nil {
		return false, err
	}
	v, err := o.instance.Peek(o.names[s])
	if err == nil {
		err = o.restore([]int{c}, func() (bool, error) {
			now, err := o.instance.Peek(o.names[s])
			return !now.Known(), err
		})
	}
	return err == nil && v.Known(), err
}
