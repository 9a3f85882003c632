package paper

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cosimate/cosimate/rtl/published"
)

// Report has the figures of a block in a report of scripts/pnr.
type Report struct {
	Block     string
	Part      string  // the part on which it was placed
	MHz       float64 // the routed clock
	LUTs      int     // slice LUTs after routing
	SynthLUTs int     // LUT1 to LUT6 after synthesis
	FlipFlops int
	RAMs      int // block RAMs, LUT RAMs
}

// needed has the blocks whose clocks the tables need: of each row the first that has a report. A
// block with a bus comes before the same block without.
var needed = [][]string{listClock: {"core", "movegen"}, burstClock: {"burst"}, perftClock: {"perftcore", "perftengine"}}

// The rows of needed, which are also the first reports that [Reports] returns.
const (
	listClock = iota
	burstClock
	perftClock
)

// Reports reads the reports in a folder. The first three returned are those whose clocks the tables
// need: that of core (or if there is none, of movegen), of burst, and of perftcore (or if there is
// none, of perftengine). These must have been placed on the published part. Others may have been
// placed on another one. The error is a *[ReportError] if a report is missing or wrong.
func Reports(dir fs.FS) ([]Report, error) {
	names, err := fs.Glob(dir, "*.md")
	if err != nil {
		return nil, err
	}
	var blocks []string
	for _, choice := range needed {
		at := slices.IndexFunc(choice, func(block string) bool { return slices.Contains(names, block+".md") })
		blocks = append(blocks, choice[max(at, 0)])
	}
	for _, name := range names {
		if block := strings.TrimSuffix(name, ".md"); !slices.Contains(blocks, block) {
			blocks = append(blocks, block)
		}
	}
	var all []Report
	for _, block := range blocks {
		r, err := readReport(dir, block)
		if err != nil {
			return nil, err
		}
		if len(all) < len(needed) && r.Part != published.Part {
			return nil, &ReportError{block, fmt.Sprintf("%s.md:1: %s was placed on %s; the published figures are those of %s", block, block, r.Part, published.Part)}
		}
		all = append(all, r)
	}
	return all, nil
}

// ReportError is the error for a report that is missing or wrong.
type ReportError struct {
	Block string
	What  string // what is wrong, with the file and the line
}

func (e *ReportError) Error() string { return e.What }

var (
	title = regexp.MustCompile(`^# (\S+) on (\S+), placed and routed$`)
	row   = regexp.MustCompile(`^\| ([^|]+) \| \**([0-9.]+)(?: MHz)?\** \|$`)
)

func readReport(dir fs.FS, block string) (Report, error) {
	r := Report{Block: block}
	name := block + ".md"
	wrong := func(line int, format string, args ...any) (Report, error) {
		return r, &ReportError{block, fmt.Sprintf("%s:%d: ", name, line) + fmt.Sprintf(format, args...)}
	}
	text, err := fs.ReadFile(dir, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return r, &ReportError{block, path.Base(name) + ": there is no such report"}
	case err != nil:
		return r, &ReportError{block, err.Error()}
	}
	lines := strings.Split(string(text), "\n")
	t := title.FindStringSubmatch(lines[0])
	if t == nil || t[1] != block {
		return wrong(1, "the title of a report on %s is due", block)
	}
	r.Part = t[2]
	values := map[string]float64{}
	for i, line := range lines {
		if strings.HasPrefix(line, "## ") {
			break // the first table is over
		}
		if m := row.FindStringSubmatch(line); m != nil {
			if values[m[1]], err = strconv.ParseFloat(m[2], 64); err != nil {
				return wrong(i+1, "%s is not a number", m[2])
			}
		}
	}
	take := func(label string) float64 {
		v, ok := values[label]
		if !ok && err == nil {
			_, err = wrong(1, "the row %q is missing", label)
		}
		return v
	}
	r.MHz = take("routed clock")
	r.LUTs = int(take("slice LUTs after routing"))
	r.SynthLUTs = int(take("LUT1 to LUT6 after synthesis"))
	r.FlipFlops = int(take("flip-flops"))
	r.RAMs = int(take("block RAMs, LUT RAMs"))
	if err == nil && r.MHz <= 0 {
		return wrong(1, "the routed clock is %g MHz", r.MHz)
	}
	return r, err
}
