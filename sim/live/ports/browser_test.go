package ports_test

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/live"
	"github.com/cosimate/cosimate/sim/live/browser"
	"github.com/cosimate/cosimate/sim/live/livetest"
	"github.com/cosimate/cosimate/sim/live/ports"
)

var shots = flag.String("live.shots", "", "folder for screenshots of the page")

// shot writes a screenshot, if they are wanted.
func shot(t *testing.T, ctx context.Context, name string) {
	if *shots != "" {
		browser.Screenshot(t, ctx, filepath.Join(*shots, name+".png"))
	}
}

// row is an expression for the value in the row of a table.
func row(table, name string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("#%s tr")].find(r => r.querySelector("th").firstChild.textContent === %q)?.querySelector(".value").textContent`, table, name)
}

// shows waits until an output shows a value.
func shows(t *testing.T, ctx context.Context, name, value string) {
	t.Helper()
	browser.Wait(t, ctx, row("outputs", name)+fmt.Sprintf(" === %q", value))
}

// focus moves the focus with the tabulator key to what a selector matches.
func focus(t *testing.T, ctx context.Context, selector string) {
	t.Helper()
	for range 100 {
		if browser.Eval[bool](t, ctx, fmt.Sprintf("document.activeElement.matches(%q)", selector)) {
			return
		}
		browser.Run(t, ctx, chromedp.KeyEvent("\t"))
	}
	t.Fatalf("the tabulator key does not lead to %s", selector)
}

func keys(t *testing.T, ctx context.Context, text string) {
	t.Helper()
	browser.Run(t, ctx, chromedp.KeyEvent(text))
}

// A person drives a design by keyboard alone, in both simulators.
func TestKeyboard(t *testing.T) {
	ctx := browser.New(t)
	each(t, func(t *testing.T, s sim.Simulator) {
		// The model with the signal is compiled before, as that takes as long as it takes.
		v := look(t, open(t, steps, s, ports.Options{}))
		v.must("watch", `{"name":"u_doubler.past_q"}`)
		v.settle()
		address, _ := livetest.Serve(t, open(t, steps, s, ports.Options{}), live.Options{Title: "steps"})
		browser.Run(t, ctx, chromedp.Navigate(address))
		shows(t, ctx, "count_o", "00")
		if s == sim.Icarus {
			shows(t, ctx, "never_o", "X")
		}
		focus(t, ctx, "[aria-labelledby=in-0]") // enable_i
		keys(t, ctx, " ")
		browser.Wait(t, ctx, `document.activeElement.getAttribute("aria-checked") === "true"`)
		browser.Run(t, ctx, chromedp.Evaluate[chromedp.Void]("document.activeElement.blur()"))
		keys(t, ctx, ".") // a step
		shows(t, ctx, "count_o", "01")
		shows(t, ctx, "odd_o", "1")
		focus(t, ctx, "#in-3") // value_i
		keys(t, ctx, "fx\r")
		browser.Wait(t, ctx, `document.activeElement.getAttribute("aria-invalid") && document.querySelector("#in-3-error").textContent.includes("X or Z")`)
		browser.Run(t, ctx, chromedp.Evaluate[chromedp.Void]("document.activeElement.select()"))
		keys(t, ctx, "0x1f0\r")
		browser.Wait(t, ctx, `document.querySelector("#in-3-error").textContent.includes("needs 9 bits")`)
		browser.Run(t, ctx, chromedp.Evaluate[chromedp.Void]("document.activeElement.select()"))
		keys(t, ctx, "f\r")
		browser.Wait(t, ctx, `document.activeElement.value === "0f" && !document.activeElement.getAttribute("aria-invalid")`)
		focus(t, ctx, `[aria-label="load_i for one cycle"]`)
		keys(t, ctx, "\r")
		shows(t, ctx, "count_o", "0f")
		shows(t, ctx, "never_o", "1")

		// A signal inside, by a part of its name.
		focus(t, ctx, "#query")
		keys(t, ctx, "past\r")
		browser.Wait(t, ctx, row("watched", "u_doubler.past_q"))

		// And with the trigger it pauses at a value.
		focus(t, ctx, "#trigger-name")
		keys(t, ctx, "u") // the one that begins with it
		focus(t, ctx, "#trigger-value")
		keys(t, ctx, "3\r")
		browser.Wait(t, ctx, `document.querySelector("#trigger-armed").textContent.includes("u_doubler.past_q gets 3")`)
		focus(t, ctx, ".run")
		keys(t, ctx, "\r")
		browser.Wait(t, ctx, `document.querySelector(".notice").textContent.includes("u_doubler.past_q is now 011")`)
		browser.Wait(t, ctx, row("watched", "u_doubler.past_q")+` === "3"`)
		shows(t, ctx, "count_o", "14")
		browser.Axe(t, ctx)
		if s == sim.Icarus {
			browser.Run(t, ctx, chromedp.Evaluate[chromedp.Void]("scrollTo(0, 0)"), screen(1280, 1080))
			browser.Wait(t, ctx, "innerHeight === 1080")
			browser.Picture(t, ctx, filepath.Join("..", "..", "..", "docs", "live-ports.png"))
		}
	})
}

// What a screen reader says.
func TestAccessibility(t *testing.T) {
	address, _ := livetest.Serve(t, open(t, steps, sim.Icarus, ports.Options{Notes: []string{"Clock: clk_i, by its name."}}), live.Options{Title: "steps"})
	ctx := browser.New(t)
	browser.Run(t, ctx, chromedp.Navigate(address))
	shows(t, ctx, "count_o", "00")
	// The waves come after the values.
	browser.Wait(t, ctx, `document.querySelector(".wave-names [role=option]")`)
	got := browser.Tree(t, ctx)
	want, err := os.ReadFile("testdata/tree.txt")
	if *update {
		err = os.WriteFile("testdata/tree.txt", []byte(got), 0o666)
	} else if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("the accessibility tree differs (-update writes it): %s", diff)
	}
	if err != nil {
		t.Fatal(err)
	}
	browser.Axe(t, ctx)
	browser.Run(t, ctx, browser.Dark(true))
	browser.Axe(t, ctx)
	browser.Run(t, ctx, browser.Dark(false))
	// It fits a phone.
	for _, width := range []int64{360, 800} {
		browser.Run(t, ctx, screen(width, 800))
		browser.Wait(t, ctx, fmt.Sprintf("innerWidth === %d", width))
		if wide := browser.Eval[int64](t, ctx, "document.documentElement.scrollWidth"); wide > width {
			t.Errorf("on a screen of %d pixels the page has %d", width, wide)
		}
		shot(t, ctx, fmt.Sprintf("ports-%d", width))
	}
	browser.Run(t, ctx, browser.Dark(true))
	shot(t, ctx, "ports-dark")
}

var update = flag.Bool("update", false, "write testdata")

// Two viewers see the same, and one has the hand.
func TestTwoTabs(t *testing.T) {
	address, _ := livetest.Serve(t, open(t, steps, sim.Icarus, ports.Options{}), live.Options{Title: "steps"})
	a := browser.New(t)
	browser.Run(t, a, chromedp.Navigate(address))
	shows(t, a, "count_o", "00")
	b := browser.Tab(t, a)
	browser.Run(t, b, chromedp.Navigate(address))
	browser.Wait(t, b, `document.querySelector(".who").textContent.includes("Another viewer has the hand")`)
	if !browser.Eval[bool](t, b, `document.querySelector(".run").disabled && document.querySelector("[role=switch]").disabled`) {
		t.Error("without the hand, buttons work")
	}
	browser.Run(t, a, chromedp.Click(chromedp.CSS("[aria-labelledby=in-0]")), chromedp.Click(chromedp.CSS(".group button:nth-of-type(2)")))
	shows(t, b, "count_o", "01")
	browser.Run(t, b, chromedp.Click(chromedp.CSS(".hand")))
	browser.Wait(t, a, `document.querySelector(".who").textContent.includes("Another viewer has the hand")`)
	browser.Wait(t, b, `!document.querySelector(".run").disabled`) // a click before is lost
	browser.Run(t, b, chromedp.Click(chromedp.CSS(".group button:nth-of-type(2)")))
	shows(t, a, "count_o", "02")
}

// A page of another site, which knows the address even, cannot drive the simulation, nor read the
// page, nor show it in a frame of its own.
func TestForeignPage(t *testing.T) {
	app := open(t, steps, sim.Icarus, ports.Options{})
	address, _ := livetest.Serve(t, app, live.Options{Title: "steps"})
	foreign := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<!doctype html><title>foreign</title>")
	}))
	defer foreign.Close()
	ctx := browser.New(t)
	browser.Tolerate(t, "")
	browser.Run(t, ctx, chromedp.Navigate(foreign.URL))
	for what, script := range map[string]string{
		"drives it":   "new Promise(done => { const s = new WebSocket(A.replace('http', 'ws') + 'ws'); s.onopen = () => { s.send('{\"id\":1,\"do\":\"step\",\"args\":{\"n\":7}}'); done(true) }; s.onclose = () => done(false) })",
		"reads it":    "fetch(A).then(r => r.text()).then(() => true, () => false)",
		"sends to it": "fetch(A + 'ws', {mode: 'no-cors'}).then(() => true, () => false)",
		"imports it":  "import(A + 'live.js').then(() => true, () => false)",
		"frames it":   "new Promise(done => { const f = document.createElement('iframe'); f.src = A; f.onload = () => { try { done(f.contentDocument !== null && f.contentDocument.title === 'steps') } catch { done(f.contentWindow.length > 0) } }; document.body.append(f) })",
	} {
		if browser.Eval[bool](t, ctx, fmt.Sprintf("(() => { const A = %q; return %s })()", address, script)) {
			t.Errorf("a foreign page %s", what)
		}
	}
	if cycles, _ := app.Time(); cycles != 2 {
		t.Errorf("%d cycles are done", cycles)
	}
}

// A server that is killed and started again finds its page, and the page finds it, in the state in
// which it was.
func TestKill(t *testing.T) {
	token, save := live.NewToken(), filepath.Join(t.TempDir(), "steps.json")
	at := "127.0.0.1:0"
	begin := func() (address string, kill func()) {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "PORTS_TEST_SERVE="+at+" "+token+" "+save)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		kill = func() {
			cmd.Process.Kill()
			cmd.Wait()
		}
		t.Cleanup(kill)
		if _, err := fmt.Fscanln(out, &address); err != nil {
			t.Fatal(err)
		}
		return address, kill
	}
	address, kill := begin()
	browser.Tolerate(t, "ERR_CONNECTION_REFUSED")
	ctx := browser.New(t)
	browser.Run(t, ctx, chromedp.Navigate(address))
	shows(t, ctx, "count_o", "00")
	browser.Run(t, ctx, chromedp.Click(chromedp.CSS("[aria-labelledby=in-0]")), chromedp.Click(chromedp.CSS(".group button:nth-of-type(2)")))
	shows(t, ctx, "count_o", "01")
	for data := ""; !strings.Contains(data, `"cycle":3`); {
		b, _ := os.ReadFile(save)
		data = string(b)
	}
	kill()
	browser.Wait(t, ctx, `document.querySelector(".connection").textContent.includes("The server is away")`)
	if !browser.Eval[bool](t, ctx, `document.querySelector(".run").disabled && document.querySelector("[role=switch]").disabled`) {
		t.Error("without a server, buttons work")
	}
	at = strings.Split(address, "/")[2]
	again, _ := begin()
	if again != address {
		t.Fatalf("the address was %s and is %s", address, again)
	}
	browser.Wait(t, ctx, `document.querySelector(".connection").textContent === "Connected"`)
	shows(t, ctx, "count_o", "01")
	browser.Run(t, ctx, chromedp.Click(chromedp.CSS(".group button:nth-of-type(2)")))
	shows(t, ctx, "count_o", "02")
}

func TestMain(m *testing.M) {
	var at, token, save string
	if n, _ := fmt.Sscan(os.Getenv("PORTS_TEST_SERVE"), &at, &token, &save); n == 3 {
		app, err := ports.Open(context.Background(), steps, sim.Icarus, ports.Options{})
		if err == nil {
			err = live.Serve(context.Background(), app, live.Options{Address: at, Token: token, Save: save, Ready: func(address string) { fmt.Println(address) }})
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// All that a page loads is small.
func TestSize(t *testing.T) { livetest.Size(t, open(t, steps, sim.Icarus, ports.Options{})) }

// screen is a step that gives the page a screen of a size.
func screen(width, height int64) browser.Step {
	return chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1})
		return err
	})
}

// BenchmarkPaint measures how long it takes from the address to the first paint, and to values that
// are shown.
func BenchmarkPaint(b *testing.B) {
	address, _ := livetest.Serve(b, open(b, steps, sim.Icarus, ports.Options{}), live.Options{Title: "steps"})
	ctx := browser.New(b)
	var paint, values float64
	for range b.N {
		browser.Run(b, ctx, chromedp.Navigate(address))
		browser.Wait(b, ctx, row("outputs", "count_o"))
		values += browser.Eval[float64](b, ctx, "performance.now()")
		paint += browser.Eval[float64](b, ctx, `performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? performance.now()`)
	}
	b.ReportMetric(paint/float64(b.N), "ms/paint")
	b.ReportMetric(values/float64(b.N), "ms/values")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkFrames measures how many frames a second the page has while a simulation runs as fast as
// it goes and all ports are in the waves.
func BenchmarkFrames(b *testing.B) {
	address, _ := livetest.Serve(b, open(b, steps, sim.Verilator, ports.Options{}), live.Options{Title: "steps"})
	ctx := browser.New(b)
	browser.Run(b, ctx, chromedp.Navigate(address), screen(1280, 1000))
	browser.Wait(b, ctx, row("outputs", "count_o"))
	browser.Run(b, ctx, chromedp.Click(chromedp.CSS("[aria-labelledby=in-0]")), chromedp.Click(chromedp.CSS(".run")))
	frames := 0.0
	for range b.N {
		frames += browser.Eval[float64](b, ctx, `new Promise(done => {
			let n = 0;
			const begin = performance.now();
			const frame = () => { n++; performance.now() - begin < 2000 ? requestAnimationFrame(frame) : done(n * 1000 / (performance.now() - begin)) };
			requestAnimationFrame(frame);
		})`)
	}
	b.ReportMetric(frames/float64(b.N), "frames/s")
	b.ReportMetric(0, "ns/op")
}
