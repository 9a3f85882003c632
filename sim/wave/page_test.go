package wave_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/sim/live/browser"
	"github.com/cosimate/cosimate/sim/wave"
)

// forTest lets a test reach the viewer.
const forTest = "	window.waves = waves;\n"

// visit opens a page with a set, from disk.
func visit(t testing.TB, ctx context.Context, s *wave.Set) {
	t.Helper()
	browser.Run(t, ctx, chromedp.Navigate(write(t, s, forTest)))
	browser.Wait(t, ctx, `document.documentElement.dataset.waves == "ready"`)
}

// painted waits until all that has changed is drawn.
func painted(t testing.TB, ctx context.Context) {
	t.Helper()
	browser.Eval[bool](t, ctx, "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
}

// state is what keys and mouse change.
type state struct {
	A, B     int // -1: none
	From     float64
	Scale    float64
	Selected string
	Radix    string
	Rows     int
}

func stateOf(t testing.TB, ctx context.Context) state {
	t.Helper()
	painted(t, ctx)
	text := browser.Eval[string](t, ctx, `JSON.stringify({A: waves.a ?? -1, B: waves.b ?? -1, From: waves.view.from, Scale: waves.view.scale,
		Selected: waves.selected?.path ?? "", Radix: waves.selected?.radix ?? "", Rows: waves.shown.length})`)
	var s state
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// A person reads and moves the waves of a page from disk.
func TestViewer(t *testing.T) {
	ctx := browser.New(t)
	for _, c := range []struct {
		name string
		test func(t *testing.T, ctx context.Context)
	}{
		{"values", testValues}, {"reading", testReading}, {"keys", testKeys}, {"mouse", testMouse}, {"colours", testColours}, {"live", testLive}, {"damaged", testDamaged},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, browser.Tab(t, ctx)) })
	}
}

// The page from disk asks for nothing but itself, and has the values of the set.
func testValues(t *testing.T, ctx context.Context) {
	var requests []string
	err := chromedp.Listen(ctx, func(event any) {
		if e, ok := event.(*network.EventRequestWillBeSent); ok {
			requests = append(requests, e.Request.URL)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	s := small()
	visit(t, ctx, s)
	if len(requests) != 1 || !strings.HasPrefix(requests[0], "file:///") {
		t.Errorf("the page asks for %q", requests)
	}
	got := browser.Eval[map[string][]string](t, ctx, `Object.fromEntries([...waves.signals.values()].map(s => [s.path,
		Array.from({length: 60}, (_, i) => {
			const v = waves.traceOf(s).at(1000 + i);
			return v.bits.toString(16) + (v.unknown ? " " + v.unknown.toString(16) : "");
		})]))`)
	want := map[string][]string{}
	for name, f := range sources {
		for c := s.First; c < s.End; c++ {
			bits, unknown := f(c)
			text := fmt.Sprintf("%x", bits)
			if unknown != 0 {
				text += fmt.Sprintf(" %x", unknown)
			}
			want[name] = append(want[name], text)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-set +page)\n%s", diff)
	}
}

// What a person reads: values in each notation, times, the tree for screen readers, the table.
func testReading(t *testing.T, ctx context.Context) {
	visit(t, ctx, small())
	painted(t, ctx)
	for _, c := range [][2]string{
		{"board.count_o", "xf xxxx1111"}, {"board.u_fsm.state_q", "3 REPORT"}, {"board.data_i", "02 2 2 00000010 \\02"},
		{"board.u_fsm.occupied_q", "ffff00000100feff"},
	} {
		path, want := c[0], c[1]
		got := browser.Eval[[]string](t, ctx, fmt.Sprintf(`(waves.select(%q), waves.paint(), [...document.querySelectorAll(".wave-detail dd")].map(e => e.textContent))`, path))
		for _, word := range strings.Fields(want) {
			if !strings.Contains(" "+strings.Join(got, " ")+" ", " "+word+" ") {
				t.Errorf("%s in cycle 1040 is shown as %q, without %s", path, got, word)
			}
		}
	}
	if squares := browser.Eval[int](t, ctx, `document.querySelectorAll(".wave-board .s1").length`); squares != 32 {
		t.Errorf("the board has %d pieces", squares)
	}
	tree := browser.Tree(t, ctx)
	for _, want := range []string{
		`toolbar "waves"`, `button "zoom in"`, `textbox "go to cycle"`, `combobox "notation of the selected signal"`,
		`listbox "signals and their values at cursor A"`, `group "▾ outputs"`, `option "count_o[7:0] xf"`, `option "u_fsm.state_q[2:0] REPORT"`, `option "model 0e"`,
		`application "waves of 9 rows, cursor A in cycle 1040"`, `image "u_fsm.occupied_q at cursor A as a board"`,
	} {
		if strings.HasPrefix(want, "application") {
			browser.Wait(t, ctx, `document.querySelector("canvas").ariaLabel`)
			tree = browser.Tree(t, ctx)
		}
		if !strings.Contains(tree, want) {
			t.Errorf("a screen reader does not find %s in\n%s", want, tree)
		}
	}
	browser.Run(t, ctx, chromedp.Click(chromedp.CSS("details.wave-more > summary")))
	browser.Wait(t, ctx, `document.querySelector(".wave-more[open] tbody tr")`)
	table := browser.Eval[string](t, ctx, `document.querySelector(".wave-more table").innerText`)
	if !strings.Contains(table, "A: cycle 1040") || !strings.Contains(table, "board.u_fsm.state_q\tREPORT") {
		t.Errorf("the table is:\n%s", table)
	}
	browser.Eval[int](t, ctx, `(waves.find(), document.querySelectorAll("details").forEach(d => d.open = true), 0)`)
	for _, dark := range []bool{false, true} {
		browser.Run(t, ctx, browser.Dark(dark))
		painted(t, ctx)
		browser.Axe(t, ctx)
	}
}

func testKeys(t *testing.T, ctx context.Context) {
	visit(t, ctx, small())
	browser.Run(t, ctx, chromedp.Focus(chromedp.CSS("canvas")))
	before := stateOf(t, ctx)
	whole := before.Scale
	for _, c := range []struct {
		name  string
		step  browser.Step
		check func(before, after state) bool
	}{
		{"right", browser.Keys(kb.ArrowRight), func(b, a state) bool { return a.A == 1041 }},
		{"left", browser.Keys(kb.ArrowLeft), func(b, a state) bool { return a.A == 1040 }},
		{"B", browser.Keys("b"), func(b, a state) bool { return a.B == 1040 }},
		{"shift right", browser.Keys(kb.ArrowRight, chromedp.ModifierShift), func(b, a state) bool { return a.B == 1041 && a.A == 1040 }},
		{"B off", browser.Keys("b"), func(b, a state) bool { return a.B == -1 }},
		{"down", browser.Keys(kb.ArrowDown), func(b, a state) bool { return b.Selected == "board.count_o" && a.Selected == "model of count_o" }},
		{"down again", browser.Keys(kb.ArrowDown), func(b, a state) bool { return a.Selected == "board.line_o" }},
		{"next change", browser.Keys(kb.ArrowRight, chromedp.ModifierCtrl), func(b, a state) bool { return a.A == 1044 }},
		{"last change", browser.Keys(kb.ArrowLeft, chromedp.ModifierCtrl), func(b, a state) bool { return a.A == 1040 }},
		{"zoom in", browser.Keys("+"), func(b, a state) bool { return math.Abs(a.Scale/b.Scale-1.5) < 0.01 }},
		{"page up", browser.Keys(kb.PageUp), func(b, a state) bool { return a.From < b.From-10 }},
		{"page down", browser.Keys(kb.PageDown), func(b, a state) bool { return a.From > b.From+10 }},
		{"zoom out", browser.Keys("-"), func(b, a state) bool { return a.Scale < b.Scale }},
		{"zoom in", browser.Keys("+"), func(b, a state) bool { return a.Scale > b.Scale }},
		{"everything", browser.Keys("0"), func(b, a state) bool { return a.From == 1000 && a.Scale == whole }},
		{"end", browser.Keys(kb.End), func(b, a state) bool { return a.A == 1059 }},
		{"home", browser.Keys(kb.Home), func(b, a state) bool { return a.A == 1000 }},
		{"up", browser.Keys(kb.ArrowUp), func(b, a state) bool { return a.Selected == "model of count_o" }},
		{"up again", browser.Keys(kb.ArrowUp), func(b, a state) bool { return a.Selected == "board.count_o" && a.Radix == "hex" }},
		{"radix", browser.Keys("r"), func(b, a state) bool { return a.Radix == "unsigned" }},
		{"go to", chromedp.Steps(browser.Keys("g"), browser.Keys("1017"), browser.Keys(kb.Enter)), func(b, a state) bool { return a.A == 1017 }},
		{"search", chromedp.Steps(browser.Keys("/"), browser.Keys("fsm temp"), browser.Keys(kb.Enter)), func(b, a state) bool { return a.Rows == b.Rows+1 }},
		{"take off", chromedp.Steps(chromedp.Focus(chromedp.CSS("canvas")), browser.Keys(kb.Delete)), func(b, a state) bool { return a.Rows == b.Rows-1 && a.Selected == "model of count_o" }},
		{"move", browser.Keys(kb.ArrowDown, chromedp.ModifierAlt), func(b, a state) bool { return a.Selected == "model of count_o" && a.Rows == b.Rows }},
	} {
		browser.Run(t, ctx, c.step)
		after := stateOf(t, ctx)
		if !c.check(before, after) {
			t.Errorf("%s:\nbefore %+v\nafter  %+v", c.name, before, after)
		}
		before = after
	}
}

// mouse does something with the mouse at a place of the canvas.
func mouse(what input.DispatchMouseEventType, x, y float64, options ...chromedp.MouseOption) browser.Step {
	return chromedp.MouseEvent(what, x, y, options...)
}

func testMouse(t *testing.T, ctx context.Context) {
	visit(t, ctx, small())
	whole := stateOf(t, ctx)
	corner := browser.Eval[[]float64](t, ctx, `(r => [r.left, r.top])(document.querySelector("canvas").getBoundingClientRect())`)
	x := func(cycle float64) float64 {
		s := stateOf(t, ctx)
		return corner[0] + (cycle+0.5-s.From)*s.Scale
	}
	y := corner[1] + 100
	shift := func(p *input.DispatchMouseEventParams) { p.Modifiers = int64(chromedp.ModifierShift) }
	drag := func(fromX, toX, y float64) {
		browser.Run(t, ctx, mouse(chromedp.MouseMoved, fromX, y), mouse(chromedp.MousePressed, fromX, y, chromedp.ButtonLeft),
			mouse(chromedp.MouseMoved, (fromX+toX)/2, y, chromedp.ButtonLeft), mouse(chromedp.MouseMoved, toX, y, chromedp.ButtonLeft), mouse(chromedp.MouseReleased, toX, y, chromedp.ButtonLeft))
	}
	browser.Run(t, ctx, chromedp.MouseClickXY(x(1020), y))
	if s := stateOf(t, ctx); s.A != 1020 || s.Selected != "board.rst_i" && s.Selected != "board.valid_i" {
		t.Errorf("a click: %+v", s)
	}
	browser.Run(t, ctx, mouse(chromedp.MousePressed, x(1030), y, chromedp.ButtonLeft, shift), mouse(chromedp.MouseReleased, x(1030), y, chromedp.ButtonLeft, shift))
	if s := stateOf(t, ctx); s.A != 1020 || s.B != 1030 {
		t.Errorf("a click with shift: %+v", s)
	}
	if text := browser.Eval[string](t, ctx, `document.querySelector(".wave-cursors").innerText`); !strings.Contains(text, "B − A: 10 cycles, 100 ns") {
		t.Errorf("the cursors read %q", text)
	}
	drag(x(1020), x(1025), y)
	if s := stateOf(t, ctx); s.A != 1025 || s.From != whole.From {
		t.Errorf("cursor A is dragged: %+v", s)
	}
	drag(x(1008), x(1038), corner[1]+10)
	zoomed := stateOf(t, ctx)
	if zoomed.From < 1007 || zoomed.From > 1009 || zoomed.Scale < 1.9*whole.Scale {
		t.Errorf("a part of the axis is chosen: %+v", zoomed)
	}
	drag(x(1020), x(1015), y)
	if s := stateOf(t, ctx); math.Abs(s.From-zoomed.From-5) > 0.2 || s.A != 1025 {
		t.Errorf("after a drag: %+v, before %+v", s, zoomed)
	}
	before := stateOf(t, ctx)
	browser.Run(t, ctx, browser.Wheel(x(1025), y, 0, -120, chromedp.ModifierCtrl))
	if s := stateOf(t, ctx); s.Scale < 1.4*before.Scale {
		t.Errorf("the wheel with Ctrl: %+v, before %+v", s, before)
	}
	before = stateOf(t, ctx)
	browser.Run(t, ctx, browser.Wheel(x(1025), y, 0, 100, chromedp.ModifierShift))
	if s := stateOf(t, ctx); math.Abs((s.From-before.From)*s.Scale-100) > 1 {
		t.Errorf("the wheel with Shift: %+v, before %+v", s, before)
	}
}

// Unknown bits are seen in their colours, at any zoom.
func testColours(t *testing.T, ctx context.Context) {
	visit(t, ctx, small())
	painted(t, ctx)
	// has tells whether a colour is among the pixels of some cycles of a row.
	has := func(path, colour string, from, to int) bool {
		return browser.Eval[bool](t, ctx, fmt.Sprintf(`(() => {
			waves.paint();
			const c = waves.canvas.getContext("2d"), row = waves.rows.find(r => r.path == %q);
			c.fillStyle = waves.theme[%q];
			c.fillRect(0, 0, 1, 1);
			const want = c.getImageData(0, 0, 1, 1).data.join();
			const x = waves.view.x(%d), width = Math.max(waves.view.x(%d) - x, 1);
			const data = c.getImageData(Math.floor(x), row.offset, Math.ceil(width), row.height).data;
			for (let i = 0; i < data.length; i += 4) if (data.slice(i, i + 4).join() == want) return true;
			return false;
		})()`, path, colour, from, to))
	}
	for _, c := range []struct {
		colour   string
		from, to int
		want     bool
	}{
		{"unknown", 1000, 1002, true}, {"unknown", 1005, 1028, false}, {"bus", 1005, 1028, true},
		{"floating", 1031, 1033, true}, {"floating", 1005, 1028, false},
	} {
		if got := has("board.count_o", c.colour, c.from, c.to); got != c.want {
			t.Errorf("%s in the cycles %d to %d: %v", c.colour, c.from, c.to, got)
		}
	}
	// One X in 100 000 cycles is seen, though a pixel is 100 cycles.
	browser.Eval[int](t, ctx, `(() => {
		waves.addSignal({path: "far", width: 4, group: "inputs"});
		for (let c = 1000; c < 101000; c++) waves.append("far", c, c == 51234 ? "1x10" : c & 15);
		waves.whole();
		return 0;
	})()`)
	painted(t, ctx)
	if !has("far", "unknown", 51034, 51434) {
		t.Error("one X among many values is not seen")
	}
	if has("far", "unknown", 20000, 40000) {
		t.Error("one X among many values is seen where it is not")
	}
}

// A running simulation appends: the view follows, older changes are forgotten, and what a person
// shows or hides is told.
func testLive(t *testing.T, ctx context.Context) {
	visit(t, ctx, small())
	got := browser.Eval[string](t, ctx, `(() => {
		const place = document.createElement("div"), told = [];
		document.querySelector("main").append(place);
		const w = new waves.constructor(place, {limit: 1000, onshow: p => told.push("+" + p), onhide: p => told.push("-" + p)});
		w.addSignal({path: "top.a", width: 8});
		w.addSignal({path: "top.u.b", width: 1, group: "ports"});
		w.show("top.a", "more", true);
		for (let c = 0; c < 5000; c++) {
			w.append("top.a", c, c & 255);
			w.append("top.u.b", c, c % 2 ? "z" : "1");
			w.append("top.u.b", c, "x"); // again in this cycle
		}
		w.extend(6000);
		w.hide("top.a");
		const a = w.signals.get("top.a").trace, b = w.signals.get("top.u.b").trace;
		let refused = "";
		try { w.append("top.a", 17, 1); } catch (e) { refused = e.message; }
		return [told.join(), a.count <= 1000, a.at(4999).bits, a.at(5500).bits, a.at(10), b.count, b.at(3000).unknown, w.view.end, w.view.atEnd, refused].join("; ");
	})()`)
	if want := "+top.a,-top.a; true; 135; 135; ; 1; 1; 6000; true; a change in cycle 17 after one in 4999"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A page whose data are damaged says so.
func testDamaged(t *testing.T, ctx context.Context) {
	path := strings.TrimPrefix(write(t, small(), forTest), "file://")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, data, _ := strings.Cut(string(page), `type="application/octet-stream">`)
	if err := os.WriteFile(path, []byte(before+`type="application/octet-stream">AAAA`+data), 0o666); err != nil {
		t.Fatal(err)
	}
	tab, cancel := chromedp.NewContext(ctx) // in which errors do not fail the test
	defer cancel()
	if err := chromedp.Do(tab, chromedp.Navigate("file://"+path)); err != nil {
		t.Fatal(err)
	}
	browser.Wait(t, tab, `document.getElementById("waves").textContent.startsWith("This browser cannot draw the waves; they are in the files listed below.")`)
}

// BenchmarkPage reports the frames a second while the waves of a million changes scroll and zoom,
// and how long a page of 10 000 cycles of 500 signals takes from the start of its loading to the
// drawing.
func BenchmarkPage(b *testing.B) {
	ctx := browser.New(b)
	address := write(b, large(500, 10_000), forTest)
	info, err := os.Stat(strings.TrimPrefix(address, "file://"))
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("the page has %d bytes", info.Size())
	for b.Loop() {
		browser.Run(b, ctx, chromedp.Navigate(address))
		browser.Wait(b, ctx, `document.documentElement.dataset.waves == "ready"`)
		painted(b, ctx)
		b.ReportMetric(browser.Eval[float64](b, ctx, "performance.getEntriesByName('waves')[0].startTime"), "open-ms")
		b.ReportMetric(browser.Eval[float64](b, ctx, frames), "frames/s")
		b.ReportMetric(browser.Eval[float64](b, ctx, "performance.getEntriesByName('paint').map(e => e.duration).sort((a, b) => a - b).at(-1)"), "slowest-paint-ms")
	}
}

// frames is a script that adds a million changes, and returns how many frames a second there are
// while the view moves in each.
const frames = `(async () => {
	const w = waves;
	for (let s = 0; s < 10; s++) {
		const path = "million.s" + s;
		w.addSignal({path, width: [1, 8, 32][s % 3], group: "million"});
		for (let c = 0; c < 100000; c++) w.append(path, c, (c * 2654435761 >>> 7) & 0xff);
	}
	w.whole();
	const paint = w.paint.bind(w);
	w.paint = () => { const from = performance.now(); paint(); performance.measure("paint", {start: from}); };
	const count = 120, start = performance.now();
	for (let i = 0; i < count; i++) {
		if (i % 2) w.zoom(i < count / 2 ? 1.1 : 1 / 1.1, 300);
		w.pan(i % 40 < 20 ? 37 : -37);
		await new Promise(requestAnimationFrame);
	}
	return 1000 * count / (performance.now() - start);
})()`
