package live_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	board "github.com/cosimate/cosimate/rtl/board/live"
	"github.com/cosimate/cosimate/sim/live"
	"github.com/cosimate/cosimate/sim/live/browser"
)

// built compiles a board before, as that takes as long as it takes.
func built(t testing.TB, real bool, more ...string) {
	t.Helper()
	m, err := board.Build(t.Context(), board.Options{}, real, more)
	if err == nil {
		err = m.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A person looks inside while playing, by keys: a signal deep in the RTL is added, is in the waves,
// and pauses the simulation.
func TestInsidePage(t *testing.T) {
	built(t, false, "u_leds.phase_q")
	address, _ := served(t, live.Options{}, nil)
	h := sit(t, address)
	if browser.Eval[bool](t, h.ctx, "document.querySelector('#inside').open || Boolean(document.querySelector('.wave'))") {
		t.Error("the inside is seen before anybody has asked for it")
	}
	browser.Run(t, h.ctx, chromedp.Evaluate[chromedp.Void]("document.querySelector('#inside summary').focus()"))
	h.key(kb.Enter)
	h.wait("document.querySelector('#query-label')?.textContent.startsWith('Find one of')")
	for _, name := range []string{"u_leds.phase_q", "state"} {
		browser.Run(t, h.ctx, chromedp.Evaluate[chromedp.Void]("document.querySelector('#query').focus()"))
		h.key(name + kb.Enter)
		h.wait(fmt.Sprintf("[...document.querySelectorAll('#watched th')].some(th => th.firstChild.textContent == %q)", name))
		h.wait(fmt.Sprintf("[...document.querySelectorAll('.wave-name')].some(n => n.textContent.includes(%q))", name))
	}
	browser.Run(t, h.ctx, chromedp.Evaluate[chromedp.Void]("document.querySelector('#trigger-name').value = 'state'; document.querySelector('#trigger-value').focus()"))
	h.key("2" + kb.Enter) // moving
	h.wait("document.querySelector('#trigger-armed').textContent.includes('state gets')")
	browser.Run(t, h.ctx, chromedp.Evaluate[chromedp.Void]("document.querySelector('#square-e2').focus()"))
	h.key(kb.Enter)
	h.wait("document.querySelector('.notice').textContent.includes('state is now 010') && document.querySelector('.run').textContent == 'Run'")
	// Paused, all cycles that are kept are there, and the value has its name.
	h.wait("document.querySelector('#waves').waves.view.end - document.querySelector('#waves').waves.view.first == 16384")
	browser.Run(t, h.ctx, chromedp.Evaluate[chromedp.Void]("document.querySelector('#waves').waves.select('board.state'); document.querySelector('.wave-canvas').focus()"))
	h.key(kb.End)
	h.wait("[...document.querySelectorAll('.wave-name')].find(n => n.textContent.startsWith('state')).textContent.includes('turn')")
	h.wait("document.querySelector('#watched tr:last-child .value').textContent == '2 moving'")
	h.click("#trigger-arm")
	h.click(".notice button")
	h.click(".run")
	browser.Run(t, h.ctx, chromedp.Evaluate[chromedp.Void]("document.querySelector('#square-e2').focus()"))
	h.walk("e4")
	h.key(kb.Enter)
	h.wait("document.querySelectorAll('.moves li').length == 1")
	for _, dark := range []bool{true, false} {
		browser.Run(t, h.ctx, browser.Dark(dark))
		browser.Axe(t, h.ctx)
	}
	browser.Run(t, h.ctx, chromedp.EmulateViewport(390, 700))
	if wide := browser.Eval[int64](t, h.ctx, "document.documentElement.scrollWidth"); wide > 390 {
		t.Errorf("on a phone the page is %d wide", wide)
	}
}

// The time constants are switched while a game is played: it goes on with either.
func TestTimesPage(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: go test without -short runs it, as make nightly does")
	}
	built(t, true)
	address, _ := served(t, live.Options{}, nil)
	h := sit(t, address)
	h.carry("e4")
	h.tab("Set-up")
	// How long the board's cycles take is seen in the times of its clock.
	advances := func(ns float64) {
		t.Helper()
		script := fmt.Sprintf(`new Promise(done => {
			const now = () => [...document.querySelectorAll(".figures dd")].slice(0, 2).map(d => parseFloat(d.textContent.replaceAll("\u202f", "")) * ({ms: 1e6, "µs": 1e3, s: 1e9}[d.textContent.split(" ")[1]] ?? 1));
			const [c, t] = now();
			setTimeout(() => { const [d, u] = now(); done(Math.abs((u - t) / (d - c) / %g - 1) < 0.2) }, 200);
		})`, ns)
		for begin := time.Now(); !browser.Eval[bool](t, h.ctx, script); {
			if time.Since(begin) > time.Minute {
				t.Fatalf("a cycle does not take %g ns", ns)
			}
		}
	}
	h.choose("times", "real")
	h.wait("document.querySelector('#live-speed').value == '0'")
	advances(10)
	h.byKeys()
	h.choose("times", "scaled")
	h.wait("document.querySelector('#live-speed').value == '100000'")
	advances(10_000)
	h.state("turn")
	h.carry("e5")
}
