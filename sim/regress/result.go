package regress

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cosimate/cosimate/sim/report"
)

// Failure is one thing that failed in a unit.
type Failure struct {
	Job  int
	Unit int
	Seed uint64
	// Kind is difference (of RTL and model), error (another error of a DUT), test (a test that
	// failed by itself), crash, limit (of time), killed (it kills its worker) or command.
	Kind    string
	Test    string
	Top     string   `json:",omitempty"`
	Ports   []string `json:",omitempty"`
	File    string   `json:",omitempty"` // seen from the module's root
	Line    int      `json:",omitempty"`
	Cycle   uint64   `json:",omitempty"`
	Message string
	Text    string `json:",omitempty"` // the end of what it printed
	Command string `json:",omitempty"` // repeats it
}

// ShardResult is what a worker has found, so far or in all.
type ShardResult struct {
	Shard    int
	Done     []Span // complete units
	Failures []Failure
	Failed   []Unit // in the order of Done
	Times    []JobTime
	Cover    []JobCover `json:",omitempty"`

	texts map[string]int // failures, by job and test
}

// Unit is a unit of a job.
type Unit struct{ Job, Unit int }

// JobTime is how long units took. Times are not part of what a run finds.
type JobTime struct {
	Job     int
	Units   int
	Total   int64 // nanoseconds
	Slowest int64
	Unit    int // the slowest
}

// add notes that a unit is done.
func (r *ShardResult) add(job, unit int, took int64) {
	if n := len(r.Done); n > 0 && r.Done[n-1].Job == job && r.Done[n-1].To == unit {
		r.Done[n-1].To++
	} else {
		r.Done = append(r.Done, Span{job, unit, unit + 1})
	}
	i := slices.IndexFunc(r.Times, func(t JobTime) bool { return t.Job == job })
	if i < 0 {
		r.Times = append(r.Times, JobTime{Job: job})
		i = len(r.Times) - 1
	}
	t := &r.Times[i]
	t.Units++
	t.Total += took
	if took > t.Slowest {
		t.Slowest, t.Unit = took, unit
	}
}

// The most failures of a test in a shard whose output is kept: if all of a million seeds fail, what
// they print is gigabytes.
const mostTexts = 5

// fail notes that a unit has failed.
func (r *ShardResult) fail(failures []Failure) {
	for i := range failures {
		if r.texts == nil {
			r.texts = map[string]int{}
		}
		key := fmt.Sprint(failures[i].Job, " ", failures[i].Test)
		if r.texts[key]++; r.texts[key] > mostTexts {
			failures[i].Text = ""
		}
	}
	r.Failures = append(r.Failures, failures...)
	r.Failed = append(r.Failed, Unit{failures[0].Job, failures[0].Unit})
}

// The most that is kept of what a failing unit prints.
const mostText = 4 << 10

var (
	failLine  = regexp.MustCompile(`^(\s*)--- FAIL: (\S+) \(`)
	placeLine = regexp.MustCompile(`^\s+([\w.+-]+\.go):(\d+): (.*)$`)
	frameLine = regexp.MustCompile(`^\t(/\S+\.go):(\d+)(?: \+0x[0-9a-f]+)?$`)
)

// records are what package sim writes of failures in a process. When a unit has ended, the
// next one may have written already.
type records struct {
	name string
	read int64 // bytes of the file
	rest []*report.Record
}

// of returns the records of a unit, by the test's name: the first one of each test with the unit's
// seed that was not returned before, as a seed may be run again.
func (r *records) of(seed uint64) (map[string]*report.Record, error) {
	text, err := readFrom(r.name, r.read)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	text = text[:bytes.LastIndexByte(text, '\n')+1]
	r.read += int64(len(text))
	for line := range bytes.Lines(text) {
		one := &report.Record{}
		if err := json.Unmarshal(line, one); err != nil {
			return nil, fmt.Errorf("%s: %w", r.name, err)
		}
		r.rest = append(r.rest, one)
	}
	known := map[string]*report.Record{}
	r.rest = slices.DeleteFunc(r.rest, func(one *report.Record) bool {
		if one.Seed != seed || known[one.Test] != nil {
			return false
		}
		known[one.Test] = one
		return true
	})
	return known, nil
}

// readFrom reads a file from a place on.
func readFrom(name string, at int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if _, err := f.Seek(at, io.SeekStart); err != nil {
		return nil, err
	}
	return io.ReadAll(f)
}

// failuresOf finds what failed in what the tests of a unit have printed, and in the records that
// package sim has written. root is the module's.
func failuresOf(root string, j *Job, base Failure, output string, known map[string]*report.Record, crashed bool) []Failure {
	lines := strings.Split(output, "\n")
	type failed struct {
		name  string
		depth int
		at    int // its line
	}
	var all []failed
	for i, line := range lines {
		if m := failLine.FindStringSubmatch(line); m != nil {
			all = append(all, failed{m[2], len(m[1]), i})
		}
	}
	var found []Failure
	for _, f := range all {
		leaf := !slices.ContainsFunc(all, func(o failed) bool { return strings.HasPrefix(o.name, f.name+"/") })
		r := known[f.name]
		if !leaf && r == nil || crashed {
			continue
		}
		x := base
		x.Test, x.Kind = f.name, "test"
		var text []string
		for i, line := range lines[f.at+1:] {
			if failLine.MatchString(line) || line == "FAIL" {
				break
			}
			if m := placeLine.FindStringSubmatch(line); m != nil && x.File == "" {
				x.File, x.Message = m[1], m[3]
				x.Line, _ = strconv.Atoi(m[2])
				if next := f.at + 2 + i; strings.HasSuffix(x.Message, ":") && next < len(lines) {
					x.Message += " " + strings.TrimSpace(lines[next])
				}
			}
			text = append(text, line)
		}
		if x.File != "" && j.Dir != "." {
			x.File = j.Dir + "/" + x.File
		}
		x.Text = last(strings.Join(text, "\n"))
		if r != nil {
			x.Top, x.Ports, x.Cycle, x.Message = r.Top, r.Ports, r.Cycle, r.Title
			x.File, x.Line = relative(root, r.File), r.Line
			if x.Kind = "difference"; len(r.Ports) == 0 || r.Reason != "" {
				x.Kind = "error"
			}
		}
		found = append(found, x)
	}
	if len(found) > 0 {
		return found
	}
	// It crashed, or ended in a way of its own.
	x := base
	x.Text = last(output)
	if len(all) > 0 {
		x.Test = all[len(all)-1].name
	}
	for i, line := range lines {
		message, panicked := strings.CutPrefix(line, "panic: ")
		if !panicked {
			if message, panicked = strings.CutPrefix(line, "fatal error: "); !panicked {
				continue
			}
		}
		x.Kind, x.Message = "crash", strings.TrimSuffix(message, " [recovered, repanicked]")
		if strings.HasPrefix(message, "test timed out after") {
			x.Kind = "limit"
			for _, line := range lines[i:] {
				if name, _, ok := strings.Cut(strings.TrimLeft(line, "\t"), " ("); ok && strings.HasPrefix(line, "\t\tTest") {
					x.Test = name
				}
			}
			break
		}
		for _, line := range lines[i:] {
			m := frameLine.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			if file := relative(root, m[1]); file != m[1] {
				x.File = file
				x.Line, _ = strconv.Atoi(m[2])
				break
			}
		}
		break
	}
	if x.Message == "" {
		x.Message = saysWhy(output)
	}
	return []Failure{x}
}

// last returns the end of a text.
func last(text string) string {
	text = strings.Trim(text, "\n")
	if len(text) > mostText {
		text = "..." + text[len(text)-mostText:]
	}
	return strings.ToValidUTF8(text, "?")
}

// saysWhy returns the line in which a program says why it fails: the first that begins with
// "error:", or the last one, but for our own on its exit status.
func saysWhy(text string) string {
	why := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(strings.ToLower(line), "error:") {
			why = line
			break
		}
		if line != "" && (why == "" || !strings.HasPrefix(line, "exit status ")) {
			why = line
		}
	}
	return strings.ToValidUTF8(why, "?")
}

// relative returns a path seen from the root, if it is below it.
func relative(root, path string) string {
	if rel, ok := strings.CutPrefix(path, root+"/"); ok {
		return rel
	}
	return path
}
