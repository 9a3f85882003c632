package uart_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/chromedp/chromedp"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/live/browser"
	"github.com/cosimate/cosimate/sim/score"
	"github.com/cosimate/cosimate/sim/tb"
	"github.com/cosimate/cosimate/sim/uart"
)

// failEnv makes TestFailHelper fail.
const failEnv = "COSIMATE_UART_FAIL"

// TestFailHelper fails in a byte whose bits come back in the wrong order, at 868 cycles a bit.
func TestFailHelper(t *testing.T) {
	if os.Getenv(failEnv) == "" {
		return
	}
	text, err := os.ReadFile("testdata/uart_loop.sv")
	if err != nil {
		t.Fatal(err)
	}
	d := withDivisor(868)
	d.FS = fstest.MapFS{"uart_loop.sv": {Data: []byte(strings.Replace(string(text), "{rx_q, rx_data_q[7:1]}", "{rx_data_q[6:0], rx_q}", 1))}}
	b := tb.New(sim.OpenTest[loopIn, loopOut](t, d, sim.Icarus))
	tx := uart.NewTransmitter(&b.In.Rx, 868)
	board := score.NewInOrder[uart.Frame](b, "bytes")
	b.Monitor("receive", (&uart.Receiver{Line: &b.Out.Tx, Divisor: 868, Each: board.Got}).Run)
	b.Go("send", func(p *tb.Process) {
		(&tb.Reset{Bit: &b.In.Rst}).Hold(p)
		for _, v := range []byte{0x00, 0xff, 0x42, 0x72, 0x18} { // all but 0x72 read the same backwards
			board.Expect(p, uart.Frame{Data: v})
			tx.Send(p, v)
			p.Wait(500)
		}
		p.Wait(12 * 868)
	})
	b.Check(t, 100_000)
}

// The page of a scoreboard's failure lists the last transactions. The waves show the slow frame as
// a whole, and a click on a transaction moves them there.
func TestFailurePage(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), exe, "-test.run=^TestFailHelper$", "-sim.keep="+dir)
	cmd.Env = append(os.Environ(), failEnv+"=1", "GITHUB_ACTIONS=")
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), `scoreboard "bytes", item 3`) {
		t.Fatalf("%v\n%s", err, out)
	}
	pages, err := filepath.Glob(filepath.Join(dir, "sim/uart/TestFailHelper/report.html"))
	if err != nil || len(pages) != 1 {
		t.Fatalf("%v, %v", pages, err)
	}

	ctx := browser.New(t)
	browser.Run(t, ctx, chromedp.Navigate("file://"+pages[0]))
	browser.Wait(t, ctx, `document.documentElement.dataset.waves == "ready"`)
	rows := browser.Eval[[][]string](t, ctx, `[...document.querySelectorAll(".transactions tbody tr")].map(r => [...r.children].map(c => c.textContent).concat(r.className))`)
	find := func(who, what string) []string {
		for _, r := range rows {
			if r[1] == who && r[2] == what {
				return r
			}
		}
		t.Fatalf("no line %q, %q in %q", who, what, rows)
		return nil
	}
	got := find("scoreboard bytes", "got 0x4e")
	if got[3] != "differs" {
		t.Errorf("the wrong item is not marked: %q", got)
	}
	find("scoreboard bytes", "expects 0x72")
	from, to, _ := strings.Cut(find("send", "sends 114 (0x72)")[0], "–")
	if r := find("receive", "received 0x4e"); !strings.Contains(r[0], "–"+got[0]) {
		t.Errorf("the frame was received in the cycles %s, the scoreboard got it in %s", r[0], got[0])
	}

	// The frame is seen from its start bit: tx_o falls in its first cycle.
	const view = `document.getElementById("waves").waves`
	if !browser.Eval[bool](t, ctx, `(() => {
		const w = `+view+`, from = w.shown.find(r => r.label == "receive").lane.spans.at(-1).from, tx = w.signals.get("uart_loop.tx_o");
		return w.view.from < from && w.a - from > 9 * 868 && w.view.from + w.view.seen > w.a &&
			w.traceOf(tx).at(from - 1).bits == 1n && w.traceOf(tx).at(from).bits == 0n;
	})()`) {
		t.Error("the waves do not begin before the frame, or the line does not fall where it begins")
	}
	browser.Axe(t, ctx)
	// A click shows what the driver sent before.
	browser.Run(t, ctx, chromedp.Click(chromedp.CSS(`.transactions button[data-from="`+from+`"]`)))
	if !browser.Eval[bool](t, ctx, `(() => {
		const w = `+view+`, from = `+from+`, to = `+to+`;
		return w.a == to && w.view.from <= from && w.view.from + w.view.seen >= to + 1 && w.view.seen < 2 * (to - from) && w.selected.label == "send";
	})()`) {
		t.Error("a click on a transaction does not show it")
	}
}
