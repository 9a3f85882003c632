package regress

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A Bucket is failures that look like one fault.
type Bucket struct {
	Key      string // the same in every run
	Kind     string
	Top      string   `json:",omitempty"`
	Test     string   // of the shortest, without the simulator
	Ports    []string `json:",omitempty"`
	File     string   `json:",omitempty"`
	Line     int      `json:",omitempty"`
	Message  string
	Seeds    int // that failed so
	Shortest Failure
	Since    string   `json:",omitempty"` // the run that had it first; "": this one
	Tests    []string // all that failed so
	// Again is what the shortest seed did when it was run once more, by itself: fails, passes, or
	// "" if it was not.
	Again string `json:",omitempty"`
	Files string `json:",omitempty"` // folder with its report and waveform, seen from the run's
}

// simulators are names of subtests that say where a test ran, not what it checks.
var simulators = regexp.MustCompile(`/(icarus|verilator)$`)

// numbers are what differs between two failures of one kind. Long words of capitals and digits are
// names drawn at random.
var numbers = regexp.MustCompile(`\b[A-Z0-9]{10,}\b|0x[0-9a-fA-F]+|\b[0-9a-fA-F]*[0-9][0-9a-fA-F]*\b|[0-9]+`)

// group is what failures of a bucket have in common, besides ports.
type group struct{ what, kind, top, test, file, message string }

func groupOf(jobs []*Job, f *Failure) group {
	j := jobs[f.Job]
	g := group{what: j.Package, kind: f.Kind, top: f.Top, test: simulators.ReplaceAllString(f.Test, ""), file: fmt.Sprintf("%s:%d", f.File, f.Line)}
	for _, flag := range j.Flags { // with another flag of their own, tests may test something else
		if !strings.HasPrefix(flag, "-sim.") && !strings.HasPrefix(flag, "-test.") {
			g.what += " " + flag
		}
	}
	if f.Kind == "difference" {
		return g // the ports say what failed
	}
	g.message = numbers.ReplaceAllString(f.Message, "N")
	if f.Test == "" {
		g.test = j.Name
	}
	return g
}

// bucketsOf divides failures into buckets. Failures of one design, check and line belong together
// if their ports do. A fault can show in several ports, in some seeds in all of them and in others
// in one. So a bucket is a set of ports that no other set of a failure is part of. A failure in
// more ports goes to the first bucket whose ports are all among its own. A fault that shows by
// itself in some seed is never hidden by another.
func bucketsOf(jobs []*Job, failures []Failure) (buckets []*Bucket) {
	groups := map[group][]*Failure{}
	var order []group
	for i := range failures {
		g := groupOf(jobs, &failures[i])
		if groups[g] == nil {
			order = append(order, g)
		}
		groups[g] = append(groups[g], &failures[i])
	}
	for _, g := range order {
		var sets [][]string
		for _, f := range groups[g] {
			if !slices.ContainsFunc(sets, func(s []string) bool { return slices.Equal(s, f.Ports) }) {
				sets = append(sets, f.Ports)
			}
		}
		var least [][]string
		for _, s := range sets {
			if !slices.ContainsFunc(sets, func(o []string) bool { return len(o) < len(s) && contains(s, o) }) {
				least = append(least, s)
			}
		}
		slices.SortFunc(least, func(a, b []string) int {
			return cmp.Or(cmp.Compare(len(a), len(b)), slices.Compare(a, b))
		})
		of := make([]*Bucket, len(least))
		seen := make([]map[Unit]bool, len(least))
		for _, f := range groups[g] {
			i := slices.IndexFunc(least, func(s []string) bool { return contains(f.Ports, s) })
			b := of[i]
			if b == nil {
				b = &Bucket{Kind: g.kind, Top: g.top, Ports: least[i], File: f.File, Line: f.Line, Shortest: *f}
				b.Key = hash(fmt.Append(nil, g, least[i]))
				of[i], seen[i] = b, map[Unit]bool{}
				buckets = append(buckets, b)
			}
			seen[i][Unit{f.Job, f.Unit}] = true
			b.Seeds = len(seen[i])
			if !slices.Contains(b.Tests, f.Test) {
				b.Tests = append(b.Tests, f.Test)
			}
			if shorter(f, &b.Shortest) {
				b.Shortest = *f
			}
		}
	}
	for _, b := range buckets {
		slices.Sort(b.Tests)
		b.Test, b.Message = simulators.ReplaceAllString(b.Shortest.Test, ""), b.Shortest.Message
	}
	slices.SortFunc(buckets, func(a, b *Bucket) int {
		return cmp.Or(cmp.Compare(a.Shortest.Job, b.Shortest.Job), cmp.Compare(b.Seeds, a.Seeds),
			cmp.Compare(a.Shortest.Unit, b.Shortest.Unit), cmp.Compare(a.Test, b.Test), cmp.Compare(a.Key, b.Key))
	})
	return buckets
}

// contains reports whether all of b are in a.
func contains(a, b []string) bool {
	for _, p := range b {
		if !slices.Contains(a, p) {
			return false
		}
	}
	return true
}

// shorter reports whether a failure is easier to look at than another.
func shorter(a, b *Failure) bool {
	return cmp.Or(cmp.Compare(a.Cycle, b.Cycle), cmp.Compare(a.Job, b.Job), cmp.Compare(a.Unit, b.Unit), cmp.Compare(a.Test, b.Test)) < 0
}

// What returns what failed, in a few words.
func (b *Bucket) What() string {
	var words []string
	if b.Top != "" {
		words = append(words, b.Top)
	}
	if b.Test != "" {
		words = append(words, b.Test)
	}
	if len(b.Ports) > 0 {
		words = append(words, strings.Join(b.Ports, ", "))
	}
	if b.File != "" {
		words = append(words, fmt.Sprintf("%s:%d", b.File, b.Line))
	}
	return strings.Join(append(words, b.Kind), " · ")
}
