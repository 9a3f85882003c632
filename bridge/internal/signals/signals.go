// Package signals has what both simulators do with the names of internal signals.
package signals

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/bridge"
)

// Missing is the error for Design.Internals that the design does not have, given the names of all that it has; nil
// if there are none.
func Missing(simulator string, d *bridge.Design, all []string) error {
	var errs []error
	for _, name := range d.Internals {
		if slices.Contains(all, name) {
			continue
		}
		reason := "Design.Internals names it, and there is no such signal"
		if near := nearest(name, all, 5); len(near) > 0 {
			reason += "; the nearest are " + strings.Join(near, ", ")
		}
		errs = append(errs, &bridge.SignalError{Simulator: simulator, Top: d.Top, Name: name, Reason: reason})
	}
	return errors.Join(errs...)
}

// Unlisted is why a name that is not among Design.Internals cannot be reached.
func Unlisted(name string, internals []string) string {
	reason := "it is not among Design.Internals: add it there"
	if near := nearest(name, internals, 3); len(near) > 0 {
		reason += ", or did you mean " + strings.Join(near, ", ")
	}
	return reason
}

// nearest are the n names of a list that differ least from one.
func nearest(name string, all []string, n int) []string {
	type candidate struct {
		name     string
		distance int
	}
	candidates := make([]candidate, len(all))
	for i, s := range all {
		candidates[i] = candidate{s, distance(name, s)}
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

// distance is Levenshtein's: how many letters are to be changed, added or taken away.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
