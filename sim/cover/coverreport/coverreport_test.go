package coverreport_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cosimate/cosimate/sim/cover/coverdb"
	"github.com/cosimate/cosimate/sim/cover/coverreport"
)

var update = flag.Bool("update", false, "write the golden files")

// fifo returns the report of testdata/fifo.coverage.
func fifo(t *testing.T) *coverreport.Report {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "fifo.coverage"))
	if err != nil {
		t.Fatal(err)
	}
	return report(t, string(text))
}

// report returns the report of a database's text.
func report(t *testing.T, text string) *coverreport.Report {
	t.Helper()
	d, err := coverdb.Parse("db", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := coverreport.New(d)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func source(name string) ([]byte, error) {
	if name != "rtl/fifo.sv" {
		return nil, errors.New("it is not here")
	}
	return os.ReadFile(filepath.Join("testdata", "fifo.sv"))
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(name, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got); go test -update writes it anew\n%s", name, diff)
	}
}

func TestLCOV(t *testing.T) { golden(t, "fifo.info", fifo(t).LCOV()) }

func TestHTML(t *testing.T) {
	page, err := fifo(t).HTML(source)
	if err != nil {
		t.Fatal(err)
	}
	style, err := os.ReadFile("../../internal/sourcepage/style.css")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "fifo.html", bytes.ReplaceAll(page, style, []byte("(style.css of package sourcepage)\n")))
	wellFormed(t, page)
}

// wellFormed checks that all elements of a page are closed, and that it loads and runs nothing.
func wellFormed(t interface {
	Helper()
	Errorf(string, ...any)
	Fatalf(string, ...any)
}, page []byte) {
	t.Helper()
	for _, foreign := range []string{"<script", "<link", "<img", "<iframe", "src=", "@import", "url(", "http:", "https:"} {
		if bytes.Contains(bytes.ToLower(page), []byte(foreign)) {
			t.Errorf("the page has %s", foreign)
		}
	}
	d := xml.NewDecoder(bytes.NewReader(page))
	d.Strict = false
	d.AutoClose = []string{"meta"}
	d.Entity = xml.HTMLEntity
	var open []string
	for {
		token, err := d.RawToken()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%v", err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			if e.Name.Local != "meta" {
				open = append(open, e.Name.Local)
			}
		case xml.EndElement:
			if len(open) == 0 || open[len(open)-1] != e.Name.Local {
				t.Fatalf("</%s> closes %q", e.Name.Local, open)
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		t.Errorf("not closed: %q", open)
	}
}

func TestRates(t *testing.T) {
	r := fifo(t)
	want := map[string]coverreport.Rate{"line": {7, 9}, "branch": {4, 6}, "toggle": {3, 4}, "user": {1, 2}, "expr": {0, 1}}
	if diff := cmp.Diff(want, r.Code); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	// level 2/3 and its cross 3/4 make 17/24; the other group is full.
	if f, bins := r.Functional(); fmt.Sprintf("%.6f", f) != fmt.Sprintf("%.6f", (17./24+1)/2) || bins != (coverreport.Rate{Hit: 6, All: 8}) {
		t.Errorf("functional: %v, %v", f, bins)
	}
	for kind, want := range map[string]string{
		"line":       "rtl/fifo.sv:10: not executed|rtl/fifo.sv:12: not executed",
		"branch":     "rtl/fifo.sv:9:5: elsif not taken|rtl/fifo.sv:12:7: case not taken",
		"toggle":     "rtl/fifo.sv:2:18: level_o[1]:1->0 does not toggle",
		"user":       "rtl/fifo.sv:15:3: user never_full not hit",
		"expr":       "rtl/fifo.sv:8:9: expr (a==1) => 1 not hit",
		"functional": `group "fifo", "level": bin "full" has 0 of 1 hits|group "fifo", "level x op": bin "<full,pop>" has 1 of 2 hits`,
	} {
		if got := strings.Join(r.Missing(kind), "|"); got != want {
			t.Errorf("%s: %s\nnot %s", kind, got, want)
		}
	}
}

// A line's count is the sum over instances, and for a decision the sum of its outcomes. So a branch
// is not taken more often than its line is executed.
func TestCounts(t *testing.T) {
	r := report(t, `cosimate coverage 1
file "a.sv"
code line 5:3 8 "block" "a.u[0]" 5
code line 5:3 8 "block" "a.u[1]" 5
code line 5:9 3 "block" "a.u[0]" 5
code line 6:5 3 "elsif" "a.u[0]" 6-7
code line 6:5 3 "elsif" "a.u[1]" 6-7
code branch 8:14 0 "if" "a.u[0]" 8
code branch 8:14 5 "if" "a.u[1]" 8
code branch 8:15 4 "else" "a.u[0]"
code branch 8:15 1 "else" "a.u[1]"
code branch 9:5 3 "if" "a.u[0]" 9
code branch 9:6 4 "else" "a.u[0]"
code branch 9:15 5 "if" "a.u[0]" 9
code branch 9:16 2 "else" "a.u[0]"
code branch 10:5 18446744073709551615 "if" "a.u[0]"
code branch 10:5 1 "if" "a.u[1]"
code branch 10:6 1 "else" "a.u[1]"
end 18
`)
	want := map[int]uint64{5: 16, 6: 6, 7: 6, 8: 10, 9: 7, 10: 1<<64 - 1}
	if diff := cmp.Diff(want, r.Files[0].Lines); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A page notes if a source file is not the text that was simulated. A file without points is not
// covered.
func TestSources(t *testing.T) {
	text := []byte("module a;\nendmodule\n")
	r := report(t, `cosimate coverage 1
file "a.sv" `+coverdb.Hash(text)+`
code line 1:1 1 "block" "a"
file "p.sv" `+coverdb.Hash(text)+`
end 4
`)
	const changed, unmeasured = "The source has changed since", `<td class="none" colspan="2">no points: not measured</td>`
	for _, c := range []struct {
		text string
		want bool
	}{{string(text), false}, {"\n" + string(text), true}} {
		page, err := r.HTML(func(string) ([]byte, error) { return []byte(c.text), nil })
		if err != nil {
			t.Fatal(err)
		}
		if got := bytes.Contains(page, []byte(changed)); got != c.want {
			t.Errorf("%q: the source has changed: %v\n%s", c.text, got, page)
		}
		if bytes.Count(page, []byte(unmeasured)) != 1 {
			t.Errorf("p.sv is not among what is not measured\n%s", page)
		}
	}
	if bytes.Contains(r.LCOV(), []byte("p.sv")) {
		t.Errorf("p.sv is in the tracefile\n%s", r.LCOV())
	}
}

// Percentages are rounded down, so that 100.0% means all.
func TestPercent(t *testing.T) {
	for _, c := range []struct {
		hit, all int
		want     string
	}{{0, 0, "100.0%"}, {0, 3, "0.0%"}, {2, 3, "66.6%"}, {9999, 10000, "99.9%"}, {29, 100, "29.0%"}, {7, 7, "100.0%"}} {
		if got := coverreport.Percent(coverreport.Rate{Hit: c.hit, All: c.all}.Fraction()); got != c.want {
			t.Errorf("%d of %d is %s, not %s", c.hit, c.all, got, c.want)
		}
	}
}

// With any names, the page is well-formed and the tracefile has the report's counts.
func TestAnyReport(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"a", "b", "</td><script>x</script>", "<a,b>", "<b,c>", "&amp;", "\"'", "if"})
		d := &coverdb.Data{}
		for range rapid.IntRange(0, 10).Draw(t, "points") {
			d.AddCode(coverdb.CodePoint{
				File: name.Draw(t, "file"), Line: rapid.IntRange(0, 9).Draw(t, "line"), Column: rapid.IntRange(0, 2).Draw(t, "column"),
				Kind: rapid.SampledFrom([]string{"line", "branch", "toggle", "user", "fsm_arc"}).Draw(t, "kind"), Comment: name.Draw(t, "comment"),
				Hierarchy: name.Draw(t, "hierarchy"), Lines: rapid.SampledFrom([]string{"", "3", "2,4-7"}).Draw(t, "lines"),
			}, rapid.SampledFrom([]uint64{0, 1, 1<<64 - 1}).Draw(t, "count"))
		}
		for range rapid.IntRange(0, 2).Draw(t, "files") {
			if err := d.AddFile(name.Draw(t, "file"), "0123456789abcdef"); err != nil {
				t.Fatal(err)
			}
		}
		for range rapid.IntRange(0, 10).Draw(t, "bins") {
			d.AddBin(coverdb.Bin{Group: name.Draw(t, "group"), Item: name.Draw(t, "item"), Cross: rapid.Bool().Draw(t, "cross"),
				Kind: rapid.SampledFrom([]coverdb.BinKind{coverdb.Goal, coverdb.Default, coverdb.Ignored, coverdb.Illegal}).Draw(t, "kind"), Name: name.Draw(t, "name")},
				coverdb.Hits{Count: rapid.Uint64Range(0, 2).Draw(t, "hits"), AtLeast: rapid.Uint64Range(0, 2).Draw(t, "goal")})
		}
		r, err := coverreport.New(d)
		if err != nil {
			t.Fatal(err)
		}
		page, err := r.HTML(func(name string) ([]byte, error) {
			if name == "a" {
				return []byte("one\n\ttwo <three>\r\nfour"), nil
			}
			return nil, os.ErrNotExist
		})
		if err != nil {
			t.Fatal(err)
		}
		wellFormed(t, page)
		for kind, rate := range r.Code {
			if missing := len(r.Missing(kind)); missing != rate.All-rate.Hit {
				t.Fatalf("%s: %d are missing, of %v", kind, missing, rate)
			}
		}
		if _, bins := r.Functional(); len(r.Missing("functional")) != bins.All-bins.Hit {
			t.Fatalf("functional: %v", bins)
		}
		checkLCOV(t, r)
	})
}

// checkLCOV reads a tracefile as genhtml does. Sums agree with records, and each line and branch
// comes once. The line of a branch is counted, and executed at least as often.
func checkLCOV(t *rapid.T, r *coverreport.Report) {
	var lines, linesHit, branches, branchesHit int
	counts, branchCounts := map[int]uint64{}, map[[3]int]uint64{}
	var total, totalBranches coverreport.Rate
	for line := range strings.Lines(string(r.LCOV())) {
		line = strings.TrimSuffix(line, "\n")
		key, value, _ := strings.Cut(line, ":")
		switch key {
		case "TN", "SF":
		case "DA":
			var n int
			var c uint64
			if k, err := fmt.Sscanf(value, "%d,%d", &n, &c); k != 2 || err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			if _, ok := counts[n]; ok {
				t.Fatalf("%s comes twice", line)
			}
			counts[n] = c
		case "BRDA":
			var at [3]int
			var c uint64
			if k, err := fmt.Sscanf(value, "%d,%d,%d,%d", &at[0], &at[1], &at[2], &c); k != 4 || err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			if _, ok := branchCounts[at]; ok {
				t.Fatalf("%s comes twice", line)
			}
			branchCounts[at] = c
		case "LF":
			fmt.Sscan(value, &lines)
		case "LH":
			fmt.Sscan(value, &linesHit)
		case "BRF":
			fmt.Sscan(value, &branches)
		case "BRH":
			fmt.Sscan(value, &branchesHit)
		case "end_of_record":
			var l, b coverreport.Rate
			for _, c := range counts {
				l.All++
				if c > 0 {
					l.Hit++
				}
			}
			for at, c := range branchCounts {
				b.All++
				if c > 0 {
					b.Hit++
				}
				if executed, ok := counts[at[0]]; !ok || c > 0 && executed == 0 {
					t.Fatalf("a branch of line %d is taken %d times, but the line is executed %d times (%v)", at[0], c, executed, ok)
				}
			}
			if got := (coverreport.Rate{Hit: linesHit, All: lines}); got != l {
				t.Fatalf("LF, LH: %v, not %v", got, l)
			}
			if got := (coverreport.Rate{Hit: branchesHit, All: branches}); got != b {
				t.Fatalf("BRF, BRH: %v, not %v", got, b)
			}
			total.Hit, total.All = total.Hit+l.Hit, total.All+l.All
			totalBranches.Hit, totalBranches.All = totalBranches.Hit+b.Hit, totalBranches.All+b.All
			lines, linesHit, branches, branchesHit = 0, 0, 0, 0
			clear(counts)
			clear(branchCounts)
		default:
			t.Fatalf("%q is no record", line)
		}
	}
	// All kinds but lines are branches. Their lines are counted, even without code.
	var want coverreport.Rate
	for kind, rate := range r.Code {
		if kind != coverreport.Line {
			want.Hit, want.All = want.Hit+rate.Hit, want.All+rate.All
		}
	}
	if code := r.Code[coverreport.Line]; totalBranches != want || total.All < code.All || total.Hit < code.Hit {
		t.Fatalf("lines %v and branches %v, not %v", total, totalBranches, r.Code)
	}
}
