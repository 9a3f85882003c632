package live_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/cosimate/cosimate/engine"
	board "github.com/cosimate/cosimate/rtl/board/live"
	"github.com/cosimate/cosimate/sim/live"
	"github.com/cosimate/cosimate/sim/live/browser"
	"github.com/cosimate/cosimate/sim/live/livetest"
)

// The page as a screen reader has it, in the order of the focus; with the faults and switches of
// its tabs, on a phone too. A server that is killed and started again goes on with the game.
func TestPage(t *testing.T) {
	o := live.Options{Save: filepath.Join(t.TempDir(), "board.json"), Token: live.NewToken()}
	address, end := served(t, o, nil)
	h := sit(t, address)
	tree := browser.Tree(t, h.ctx)
	for _, want := range []string{
		`grid "Squares"`, `gridcell "e2, white pawn, LED off"`, `gridcell "e4, empty, LED off"`, `textbox "Move to carry out"`, `button "Move"`,
		`region "What the board says"`, `status`, `region "Chess clock"`, `tablist`, `tab "Game" selected`, `tab "Faults"`, `tabpanel "Game"`, `button "New game"`,
	} {
		if !strings.Contains(tree, want) {
			t.Errorf("a screen reader has no %s in\n%s", want, tree)
		}
	}
	var order []string
	for range 20 {
		h.key(kb.Tab)
		order = append(order, browser.Eval[string](t, h.ctx, "(e => e.dataset.square ?? e.ariaLabel ?? e.textContent)(document.activeElement)"))
	}
	got := strings.Join(order, ", ")
	if want := "e2, Move to carry out, Move, Keys and mouse, Game, "; !strings.Contains(got, want) {
		t.Errorf("the focus goes to %s, and should go to %s", got, want)
	}
	for _, dark := range []bool{true, false} {
		browser.Run(t, h.ctx, browser.Dark(dark))
		for _, name := range []string{"Hardware", "Lines", "Faults", "Set-up", "Game"} {
			h.tab(name)
			browser.Axe(t, h.ctx)
		}
	}

	h.carry("e4")
	h.tab("Faults")
	h.click("#square-a4")
	h.click("#panel-3 label:has(input):nth-of-type(2)") // always sees a piece
	h.state("illegal")
	h.wait(`document.querySelector("#mend").textContent == "a4 should be empty, and the sensor sees something"`)
	h.wait(`document.querySelector("#square-a4").ariaLabel.endsWith("sensor stuck")`)
	h.click("#panel-3 > .row:last-child button")
	h.state("turn")

	h.tab("Hardware")
	h.click("#power")
	h.state("off")
	h.click("#power")
	h.state("turn")
	h.wait("!document.querySelector('.agree.differs')")

	// Nothing is wider than a phone, and no piece of text lies over the edge.
	for _, width := range []int64{390, 320} {
		browser.Run(t, h.ctx, chromedp.EmulateViewport(width, 700))
		if wide := browser.Eval[int64](t, h.ctx, "document.documentElement.scrollWidth"); wide > width {
			t.Errorf("on a phone of %d the page is %d wide: %v", width, wide, browser.Eval[[]string](t, h.ctx,
				`[...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth).map(e => e.tagName + "#" + e.id + "." + e.className)`))
		}
	}
	browser.Run(t, h.ctx, chromedp.EmulateViewport(1280, 860))

	end()
	h.wait("document.body.classList.contains('away')")
	o.Address = strings.Split(address, "/")[2]
	served(t, o, nil)
	h.wait("!document.body.classList.contains('away')")
	h.state("turn")
	h.carry("d5")
	h.carry("exd5")
}

// Two fingers lift two pieces at once: castling.
func TestPlayByTouch(t *testing.T) {
	address, _ := served(t, live.Options{}, func(a *board.App) {
		if err := a.NewGame(board.DefaultPlay, "4k3/8/8/8/8/8/8/4K2R w K - 0 1"); err != nil {
			t.Fatal(err)
		}
	})
	h := sit(t, address)
	browser.Run(t, h.ctx, chromedp.EmulateViewport(390, 800, chromedp.EmulateTouch, chromedp.EmulateMobile))
	var err error
	if h.p, err = engine.ParseFEN("4k3/8/8/8/8/8/8/4K2R w K - 0 1"); err != nil {
		t.Fatal(err)
	}
	touch := func(kind input.DispatchTouchEventType, squares ...string) {
		var points []*input.TouchPoint
		for i, square := range squares {
			x, y := h.point(place(square))
			points = append(points, &input.TouchPoint{X: x, Y: y, ID: new(float64(i))})
		}
		browser.Run(t, h.ctx, chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
			_, err := cdp.Call(ctx, tab, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points})
			return err
		}))
	}
	touch(input.DispatchTouchEventTypeTouchStart, "e1")
	touch(input.DispatchTouchEventTypeTouchStart, "e1", "h1")
	h.wait("document.querySelectorAll('#in-hand .loose').length == 2")
	touch(input.DispatchTouchEventTypeTouchMove, "g1", "f1")
	touch(input.DispatchTouchEventTypeTouchEnd)
	var castling engine.Move
	for _, m := range h.p.AppendMoves(nil) {
		if m.Castling {
			castling = m
		}
	}
	h.made(castling)
}

// A position is set up piece by piece from the box, and a game begins from it; then one against the
// computer by the dialog.
func TestSetUpPage(t *testing.T) {
	address, _ := served(t, live.Options{}, nil)
	h := sit(t, address)
	h.tab("Set-up")
	h.click("#panel-4 .row:nth-of-type(1) button:nth-of-type(2)") // clear
	h.wait("!document.querySelector('.square .piece')")
	for name, square := range map[string]string{"white king": "f6", "white queen": "a7", "black king": "h8"} {
		h.click(fmt.Sprintf("[aria-label='Take a %s from the box']", name))
		h.wait("document.querySelector('#in-hand .loose')")
		h.click(place(square))
		h.wait("!document.querySelector('#in-hand .loose')")
	}
	h.click("#panel-4 .row:nth-of-type(3) button:nth-of-type(1)") // White to move
	var err error
	if h.p, err = engine.ParseFEN("7k/Q7/5K2/8/8/8/8/8 w - - 0 1"); err != nil {
		t.Fatal(err)
	}
	h.wait(fmt.Sprintf("document.querySelector('.fen').textContent == %q", h.p.FEN()))
	h.state("turn")
	h.carry("Qg7#")
	h.state("over")

	// A new game by the dialog, against the computer as White, which is the first to move.
	h.tab("Game")
	h.click("#new")
	browser.Run(t, h.ctx, chromedp.SetValue(chromedp.CSS("#new-who"), "white"), chromedp.SetValue(chromedp.CSS("#new-level"), "800"),
		chromedp.SetValue(chromedp.CSS("#new-control"), "blitz"), chromedp.Click(chromedp.CSS("#new-game .primary")))
	h.wait("document.querySelector('#title').textContent.startsWith('Carry out') && document.querySelector('#title').textContent.endsWith('for White')")
	h.wait("document.querySelector('#clock-white .who').textContent == 'White · computer, 800' && document.querySelector('#clock-black .time').textContent == '05:00.0'")
	h.tab("Lines")
	h.wait("document.querySelector('.heard').textContent.includes('time: command 0')")
	h.tab("Game")
	h.click("#panel-0 .row button:nth-of-type(4)") // White resigns, whose turn it is
	h.wait("document.querySelector('.result').textContent == '0-1  black wins, resignation'")
}

// All that the page loads is small.
func TestSize(t *testing.T) {
	app := board.NewApp(t.Context(), board.Options{})
	defer app.Close()
	livetest.Size(t, app)
}
