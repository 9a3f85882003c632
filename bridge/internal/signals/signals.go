// Package signals resolves the names of internal signals, alike for both simulators.
package signals

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/internal/spelling"
)

// Ranges are the ranges of a memory's indices, as declared. A signal that is no memory has none.
type Ranges [][2]int

func (r Ranges) String() string {
	s := ""
	for _, d := range r {
		s += fmt.Sprintf("[%d:%d]", d[0], d[1])
	}
	return s
}

// Words returns the number of words of a memory.
func (r Ranges) Words() int {
	n := 1
	for _, d := range r {
		n *= max(d[0]-d[1], d[1]-d[0]) + 1
	}
	return n
}

// Indices returns the indices of word n, such as "[3][1]". The last index counts fastest.
func (r Ranges) Indices(n int) string {
	s := ""
	for i := len(r) - 1; i >= 0; i-- {
		size := r[i : i+1].Words()
		s = fmt.Sprintf("[%d]", min(r[i][0], r[i][1])+n%size) + s
		n /= size
	}
	return s
}

// Missing returns the error for those of Design.Internals that cannot be reached, or nil if all
// can. It is given the names of all signals of the design and of its ports.
func Missing(simulator string, d *bridge.Design, all, ports []string) error {
	var errs []error
	for _, name := range d.Internals {
		known := slices.Contains(all, name)
		if known && !slices.Contains(ports, name) {
			continue
		}
		reason := "Design.Internals names it, and there is no such signal"
		if simulator == "icarus" {
			reason += " (Icarus leaves out what no logic uses)"
		}
		if known {
			reason = "Design.Internals names it, and it is a port: use a field of In or Out; " +
				"an output cannot be written from Go: keep its value in a register inside, and name that here"
		} else if whole := wholeOf(name, all); whole != "" {
			reason = "Design.Internals names it, and it is a part of " + whole + ": name that"
		} else if near := nearest(name, all, 5); len(near) > 0 {
			reason += "; the nearest are " + strings.Join(near, ", ")
		}
		errs = append(errs, &bridge.SignalError{Simulator: simulator, Top: d.Top, Name: name, Reason: reason})
	}
	return errors.Join(errs...)
}

var wordName = regexp.MustCompile(`^(.+?)((?:\[-?\d+\])+)$`)

// Find returns which of the names of Design.Internals a name refers to and, if that is a memory,
// which word, counted from 0. ranges returns the ranges of the memory with a given number. If the
// name refers to none, the reason says why, and what to do.
func Find(name string, internals []string, ranges func(i int) Ranges) (i, word int, reason string) {
	none := func(format string, args ...any) (int, int, string) { return 0, 0, fmt.Sprintf(format, args...) }
	if i := slices.Index(internals, name); i >= 0 {
		if r := ranges(i); len(r) > 0 {
			return none("it is a memory with indices %s: name a word, for example %s%s", r, name, r.Indices(min(3, r.Words()-1)))
		}
		return i, 0, ""
	}
	m := wordName.FindStringSubmatch(name)
	if m == nil || !slices.Contains(internals, m[1]) {
		if whole := wholeOf(name, internals); whole != "" {
			return none("it is a part of %s: name that, and take the bits of its value", whole)
		}
		reason := "it is not among Design.Internals: add it there"
		if m != nil {
			reason = fmt.Sprintf("%s is not among Design.Internals: add it there, without index if it is a memory", m[1])
		}
		if near := nearest(name, internals, 3); len(near) > 0 {
			reason += ", or did you mean " + strings.Join(near, ", ")
		}
		return none("%s", reason)
	}
	i = slices.Index(internals, m[1])
	r, indices := ranges(i), strings.Split(strings.Trim(m[2], "[]"), "][")
	if len(r) == 0 {
		return none("%s is not a memory: name the whole signal, and take the bits of its value", m[1])
	}
	if len(indices) != len(r) {
		return none("%s is a memory with indices %s: name a word with %d of them, for example %s%s", m[1], r, len(r), m[1], r.Indices(min(3, r.Words()-1)))
	}
	for k, d := range r {
		low := min(d[0], d[1])
		n, err := strconv.Atoi(indices[k])
		if err != nil || n < low || n > max(d[0], d[1]) {
			return none("the index %s is not within [%d:%d]", indices[k], d[0], d[1])
		}
		word = word*r[k:k+1].Words() + n - low
	}
	return i, word, ""
}

// wholeOf returns the signal of a list that has the named member or bits, or "" if none has.
func wholeOf(name string, list []string) string {
	for {
		at := strings.LastIndexAny(name, ".[")
		if at <= 0 {
			return ""
		}
		name = name[:at]
		if slices.Contains(list, name) {
			return name
		}
	}
}

// nearest are the n names of a list that differ least from one.
func nearest(name string, all []string, n int) []string {
	type candidate struct {
		name     string
		distance int
	}
	candidates := make([]candidate, len(all))
	for i, s := range all {
		candidates[i] = candidate{s, spelling.Distance(name, s, math.MaxInt)}
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
	})
	var names []string
	for _, c := range candidates[:min(n, len(candidates))] {
		names = append(names, c.name)
	}
	return names
}
