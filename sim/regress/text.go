package regress

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// The most lines of a kind in the text; the page has all.
const mostLines = 20

// Title returns one line that says how the run ended.
func (r *Result) Title() string {
	what := "passed"
	switch {
	case r.Failed > 0:
		what = fmt.Sprintf("%d failed, in %s", r.Failed, plural(len(r.Buckets), "bucket"))
	case len(r.Below) > 0:
		what = "coverage is too low"
	case len(r.Flaky) > 0:
		what = plural(len(r.Flaky), "flaky test")
	}
	return fmt.Sprintf("%s: %s of %s: %s", r.Plan, plural(r.Units, "run"), plural(len(r.Jobs), "entry"), what)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if stem, ok := strings.CutSuffix(what, "y"); ok {
		return fmt.Sprintf("%d %sies", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Text returns what the run has found, for people. Times are not in it.
func (r *Result) Text() string {
	var b strings.Builder
	fmt.Fprintln(&b, r.Title())
	if len(r.Buckets) > 0 {
		fmt.Fprintln(&b)
	}
	for i, k := range r.Buckets {
		fmt.Fprintf(&b, "%d. %s\n", i+1, k.What())
		fmt.Fprintf(&b, "   %s\n", k.Message)
		where := ""
		if k.Shortest.Cycle > 0 {
			where = fmt.Sprintf(", in cycle %d", k.Shortest.Cycle)
		}
		fmt.Fprintf(&b, "   %s failed; the shortest is %d%s%s\n", plural(k.Seeds, "seed"), k.Shortest.Seed, where, k.since(r))
		fmt.Fprintf(&b, "   see it: %s\n", k.Shortest.Command)
		if k.Again != "" {
			fmt.Fprintf(&b, "   run again by itself, it %s; its files: %s\n", k.Again, k.Files)
		}
	}
	if len(r.Flaky) > 0 {
		fmt.Fprintf(&b, "\nflaky, two verdicts of one seed:\n")
		for _, f := range r.Flaky[:min(len(r.Flaky), mostLines)] {
			fmt.Fprintf(&b, "  %s, seed %d: %s\n", strings.TrimSpace(r.Jobs[f.Job].Name+" "+f.Test), f.Seed, f.How)
		}
		more(&b, len(r.Flaky))
	}
	if len(r.Coverage) > 0 {
		fmt.Fprintf(&b, "\ncoverage:")
		for _, k := range r.Coverage {
			fmt.Fprintf(&b, "  %s %s (%d/%d)", k.Kind, k.Percent, k.Hit, k.All)
		}
		fmt.Fprintln(&b)
		for _, s := range r.Below {
			fmt.Fprintf(&b, "  too low: %s\n", s)
		}
		fmt.Fprintf(&b, "%s for the same coverage:\n", plural(len(r.Ranked), "run"))
		for _, k := range r.Ranked[:min(len(r.Ranked), mostLines)] {
			fmt.Fprintf(&b, "  +%-6d %7d  %s seed %d\n", k.Added, k.All, r.Jobs[k.Job].Name, k.Seed)
		}
		more(&b, len(r.Ranked))
		if len(r.Holes) > 0 {
			fmt.Fprintln(&b, "not covered:")
		}
		for _, h := range r.Holes[:min(len(r.Holes), mostLines)] {
			fmt.Fprintf(&b, "  %5d  %s\n", h.Count, h.Where)
		}
		more(&b, len(r.Holes))
	}
	if c := r.Last; c != nil {
		fmt.Fprintf(&b, "\nthe last run, of %s: %s, %d failed\n", c.Run, plural(c.Units, "run"), c.Failed)
		for _, list := range []struct {
			what string
			all  []string
		}{{"new", c.New}, {"gone", c.Gone}, {"coverage", c.Coverage}} {
			for _, s := range list.all[:min(len(list.all), mostLines)] {
				fmt.Fprintf(&b, "  %s: %s\n", list.what, s)
			}
			more(&b, len(list.all))
		}
	}
	return b.String()
}

// since says since which run a bucket is known.
func (b *Bucket) since(r *Result) string {
	switch {
	case r.Last == nil:
		return ""
	case b.Since == "":
		return "; new"
	}
	return "; since the run of " + b.Since
}

func more(b *strings.Builder, n int) {
	if n > mostLines {
		fmt.Fprintf(b, "  and %d more\n", n-mostLines)
	}
}

// Text returns where the time went, the slowest first.
func (t *Times) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v, %v of tests\n", t.Wall.Round(10*time.Millisecond), t.Total.Round(10*time.Millisecond))
	for _, j := range t.slowest(10) {
		fmt.Fprintf(&b, "  %10v  %s, %s, the slowest %v (seed %d)\n", j.Total.Round(time.Millisecond), j.Name, plural(j.Units, "run"), j.Slowest.Round(time.Microsecond), j.Seed)
	}
	return b.String()
}

// slowest returns the jobs that took longest.
func (t *Times) slowest(n int) []JobSpent {
	jobs := slices.Clone(t.Jobs)
	slices.SortStableFunc(jobs, func(a, b JobSpent) int { return cmp.Compare(b.Total, a.Total) })
	return jobs[:min(n, len(jobs))]
}

// JSON returns the result for programs. What failing tests have printed is not in it, as it may
// have times and addresses.
func (r *Result) JSON() ([]byte, error) {
	document := *r
	document.Buckets = nil
	for _, b := range r.Buckets {
		quiet := *b
		quiet.Shortest.Text = ""
		document.Buckets = append(document.Buckets, &quiet)
	}
	text, err := json.MarshalIndent(document, "", "  ")
	return append(text, '\n'), err
}

// Annotations returns a line for each bucket that makes GitHub show it at its line. root is where
// the module lies in the workspace.
func (r *Result) Annotations() string {
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	text := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	var b strings.Builder
	for _, k := range r.Buckets {
		b.WriteString("::error ")
		if k.File != "" {
			fmt.Fprintf(&b, "file=%s,line=%d,", property.Replace(k.File), k.Line)
		}
		fmt.Fprintf(&b, "title=%s::%s\n", property.Replace(k.What()),
			text.Replace(fmt.Sprintf("%s\n%s failed; see it: %s", k.Message, plural(k.Seeds, "seed"), k.Shortest.Command)))
	}
	for _, f := range r.Flaky {
		fmt.Fprintf(&b, "::warning title=flaky::%s\n", text.Replace(fmt.Sprintf("%s seed %d: %s", r.Jobs[f.Job].Name, f.Seed, f.How)))
	}
	return b.String()
}

// LCOV returns the coverage as a tracefile.
func (r *Result) LCOV() []byte {
	if r.report == nil {
		return nil
	}
	return r.report.LCOV()
}

// CoveragePage returns the coverage as a page, with sources.
func (r *Result) CoveragePage(source func(name string) ([]byte, error)) ([]byte, error) {
	return r.report.HTML(source)
}
