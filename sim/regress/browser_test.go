package regress_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/cosimate/cosimate/sim/live/browser"
	"github.com/cosimate/cosimate/sim/regress"
)

// example is a result with all that a page can show.
func example() (*regress.Result, *regress.Times) {
	long := strings.Repeat("a_port_with_a_long_name_o, ", 12) + "last_o"
	r := &regress.Result{
		Plan: "night.plan", Units: 12_000, Failed: 17,
		Jobs: []regress.JobResult{
			{Name: "./fifo -run=^TestFIFO$ -fifo.depth=16", Line: 1, First: 1, Units: 10_000, Failed: 16},
			{Name: "perft --epd vectors/perft/perft-known.epd --nodes icarus=200000,verilator=unlimited --junit out/nightly-known.xml", Line: 2, First: 1, Units: 2000, Failed: 1},
		},
		Flaky:    []regress.Flaky{{Job: 0, Test: "TestFIFO/icarus", Seed: 20261123000017, How: "passes when it is run by itself"}},
		Coverage: []regress.Kind{{Kind: "line", Hit: 90, All: 100, Percent: "90.0 %"}, {Kind: "functional", Hit: 9, All: 12, Percent: "75.0 %"}},
		Below:    []string{"line 90.0 % < 95%"},
		Ranked:   []regress.Ranked{{Job: 0, Unit: 4, Seed: 5, Added: 80, All: 80}, {Job: 1, Unit: 7, Seed: 8, Added: 10, All: 90}},
		Holes:    []regress.Hole{{Where: "rtl/fifo/fifo_with_a_long_name_of_its_own.sv", Count: 10, First: []string{"rtl/fifo/fifo_with_a_long_name_of_its_own.sv:17: branch else", "rtl/fifo/fifo_with_a_long_name_of_its_own.sv:21"}}},
		Last:     &regress.Compared{Run: "2026-11-22 22:00:01", Units: 12_000, Failed: 1, New: []string{"fifo · TestFIFO · " + long + " · difference"}, Gone: []string{"TestOld · test"}, Coverage: []string{"line 90/100, was 91/100"}},
	}
	for i, ports := range []string{"full_o, valid_o", long} {
		r.Buckets = append(r.Buckets, &regress.Bucket{
			Key: fmt.Sprint("00", i), Kind: "difference", Top: "fifo", Test: "TestFIFO", Ports: strings.Split(ports, ", "), File: "fifo/fifo_test.go", Line: 51,
			Message: "RTL and model differ <script>alert(1)</script>", Seeds: 8, Again: "fails", Files: "failures/00" + fmt.Sprint(i), Since: "2026-11-20 22:00:00",
			Shortest: regress.Failure{Seed: 20261123000017, Cycle: 1234567, Text: "    fifo_test.go:51: " + strings.Repeat("differs ", 40), Command: "go test ./fifo -run '^TestFIFO$/^verilator$' -sim.seed=20261123000017 -count=1 -fifo.depth=16"},
		})
	}
	t := &regress.Times{Wall: 754 * time.Second, Total: 1400 * time.Second, Jobs: []regress.JobSpent{
		{Name: r.Jobs[0].Name, Units: 10_000, Total: 1000 * time.Second, Slowest: 1234567 * time.Microsecond, Seed: 20261123004711},
		{Name: r.Jobs[1].Name, Units: 2000, Total: 400 * time.Second, Slowest: time.Second, Seed: 3},
	}}
	return r, t
}

// A page of all that can be is read on a desk and on a phone, by day and by night: nothing lies
// outside of the window, links lead to files, and what was printed is text.
func TestPage(t *testing.T) {
	dir := t.TempDir()
	res, times := example()
	for _, b := range res.Buckets {
		folder := filepath.Join(dir, b.Files, "TestFIFO-verilator")
		if err := os.MkdirAll(folder, 0o777); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"report.html", "a wave #1.fst"} {
			if err := os.WriteFile(filepath.Join(folder, name), nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	page, err := res.Page(times, dir)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "index.html")
	if err := os.WriteFile(path, []byte(page), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx := browser.New(t)
	for _, width := range []int64{1280, 390} {
		for _, dark := range []bool{false, true} {
			browser.Run(t, ctx, chromedp.EmulateViewport(width, 800), browser.Dark(dark), chromedp.Navigate("file://"+path))
			if wide := browser.Eval[[]string](t, ctx, `[...document.querySelectorAll("body *")].filter(e => !e.closest(".scroll, pre.reason") && e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 200))`); len(wide) > 0 {
				t.Errorf("%d wide: outside of the window is %s", width, wide[0])
			}
			browser.Axe(t, ctx)
		}
	}
	got := browser.Eval[[]string](t, ctx, `[...document.querySelectorAll("a")].map(a => decodeURI(a.getAttribute("href")))`)
	for _, want := range []string{"failures/000/TestFIFO-verilator/report.html", "failures/001/TestFIFO-verilator/a wave %231.fst", "coverage.html"} {
		if !strings.Contains("\n"+strings.Join(got, "\n")+"\n", "\n"+want+"\n") {
			t.Errorf("no link to %s, only %q", want, got)
		}
	}
	if text := browser.Eval[string](t, ctx, `document.querySelectorAll(".reason")[1].textContent`); !strings.HasPrefix(text, res.Buckets[0].Message) {
		t.Errorf("the first bucket says %q", text)
	}
}
