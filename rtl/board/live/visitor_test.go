package live_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/notation"
	board "github.com/cosimate/cosimate/rtl/board/live"
	"github.com/cosimate/cosimate/rtl/board/touch"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/live"
	"github.com/cosimate/cosimate/sim/live/browser"
	"github.com/cosimate/cosimate/sim/live/livetest"
)

// player is a person at the page, who knows what the page shows and nothing else. The reference is
// the position that must come of what the person does.
type player struct {
	t     *testing.T
	ctx   context.Context
	p     engine.Position
	names []string // of the moves made
	// move takes the piece from a square to another, or to "beside"; promote chooses the queen;
	// focus goes to an element of the page, press presses a button, choose takes a choice of a
	// list. All by the mouse, or all by keys.
	move    func(from, to string)
	promote func()
	focus   func(id string)
	press   func(id string)
	choose  func(id, value string)
}

// served serves the page, until the test ends or end is called. prepare is called before.
func served(t testing.TB, o live.Options, prepare func(*board.App)) (address string, end func()) {
	t.Helper()
	built(t, false)
	app := board.NewApp(context.Background(), board.Options{Seed: sim.Seed()})
	closeApp := sync.OnceFunc(func() {
		if err := app.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(closeApp)
	if prepare != nil {
		prepare(app)
	}
	address, stop := livetest.Serve(t, app, app.Options(o))
	return address, func() {
		stop()
		closeApp()
	}
}

// sit opens the page.
func sit(t *testing.T, address string) *player {
	t.Helper()
	h := &player{t: t, ctx: browser.New(t), p: engine.StartPosition()}
	h.move = h.drag
	h.promote = func() { h.click("#choose button:first-child") }
	h.focus = func(id string) { h.click("#" + id) }
	h.press = h.focus
	h.choose = func(id, value string) {
		h.click("#" + id)
		h.arrows(id, value)
		h.key(kb.Enter) // the list is open
	}
	browser.Run(t, h.ctx, chromedp.EmulateViewport(1280, 860), chromedp.Navigate(address))
	h.wait("document.body.dataset.state == 'turn'")
	return h
}

// wait waits for a condition in the page. If that fails, the log has what the page says.
func (h *player) wait(condition string) {
	h.t.Helper()
	defer func() {
		if h.t.Failed() {
			h.t.Log(browser.Eval[string](h.t, h.ctx, "'the page is in ' + document.body.dataset.state + ' and says: ' + document.querySelector('#title').textContent + ': ' + document.querySelector('#text').textContent"))
		}
	}()
	browser.Wait(h.t, h.ctx, condition)
}

// state waits until the FSM is in a state.
func (h *player) state(name string) {
	h.t.Helper()
	h.wait("document.body.dataset.state == '" + name + "'")
}

// point returns the middle of an element in the window.
func (h *player) point(selector string) (x, y float64) {
	h.t.Helper()
	at := browser.Eval[[]float64](h.t, h.ctx, fmt.Sprintf("(() => { const r = document.querySelector(%q).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()", selector))
	return at[0], at[1]
}

func place(name string) string {
	if name == "beside" {
		return "#beside"
	}
	return "#square-" + name
}

func (h *player) mouse(kind input.DispatchMouseEventType, x, y float64, o ...chromedp.MouseOption) {
	h.t.Helper()
	browser.Run(h.t, h.ctx, chromedp.MouseEvent(kind, x, y, o...))
}

// drag moves a piece by the mouse.
func (h *player) drag(from, to string) {
	h.t.Helper()
	h.lift(from)
	h.drop(to)
}

func (h *player) lift(from string) {
	h.t.Helper()
	x, y := h.point(place(from))
	h.mouse(input.DispatchMouseEventTypeMouseMoved, x, y)
	h.mouse(input.DispatchMouseEventTypeMousePressed, x, y, chromedp.ButtonLeft, chromedp.ClickCount(1))
}

func (h *player) drop(to string, o ...chromedp.MouseOption) {
	h.t.Helper()
	x, y := h.point(place(to))
	h.mouse(input.DispatchMouseEventTypeMouseMoved, x, y, chromedp.ButtonLeft)
	h.mouse(input.DispatchMouseEventTypeMouseReleased, x, y, append(o, chromedp.ButtonLeft, chromedp.ClickCount(1))...)
}

// keys moves a piece by keys alone: over the squares, Enter, over the squares, Enter.
func (h *player) keys(from, to string) {
	h.t.Helper()
	h.walk(from)
	h.key(kb.Enter)
	if to == "beside" {
		h.key(kb.Delete)
		return
	}
	h.walk(to)
	h.key(kb.Enter)
}

func (h *player) key(keys string, held ...kb.Modifier) {
	h.t.Helper()
	browser.Run(h.t, h.ctx, browser.Keys(keys, held...))
}

// byKeys makes the person use the keys alone from now on.
func (h *player) byKeys() {
	h.move, h.promote, h.focus = h.keys, func() { h.key("q") }, h.tabTo
	h.press = func(id string) {
		h.tabTo(id)
		h.key(kb.Enter)
	}
	h.choose = func(id, value string) {
		h.tabTo(id)
		h.arrows(id, value)
	}
}

// tabTo goes to an element by Tab. "" is the board.
func (h *player) tabTo(id string) {
	h.t.Helper()
	for range 60 {
		at := browser.Eval[string](h.t, h.ctx, "(e => e.dataset.square !== undefined ? '' : e.id || '?')(document.activeElement)")
		if at == id {
			return
		}
		h.key(kb.Tab)
	}
	h.t.Fatalf("Tab does not lead to %q", id)
}

// arrows goes through the choices of a list.
func (h *player) arrows(id, value string) {
	h.t.Helper()
	steps := browser.Eval[int](h.t, h.ctx, fmt.Sprintf("(s => [...s.options].findIndex(o => o.value == %q) - s.selectedIndex)(document.getElementById(%q))", value, id))
	h.key(strings.Repeat(kb.ArrowDown, max(steps, 0)) + strings.Repeat(kb.ArrowUp, max(-steps, 0)))
}

// walk goes to a square by the arrow keys.
func (h *player) walk(to string) {
	h.t.Helper()
	h.tabTo("")
	at := browser.Eval[string](h.t, h.ctx, "document.activeElement.dataset.square")
	files, ranks := int(to[0])-int(at[0]), int(to[1])-int(at[1])
	keys := strings.Repeat(kb.ArrowRight, max(files, 0)) + strings.Repeat(kb.ArrowLeft, max(-files, 0)) +
		strings.Repeat(kb.ArrowUp, max(ranks, 0)) + strings.Repeat(kb.ArrowDown, max(-ranks, 0))
	h.key(keys)
}

// carry carries a legal move out by hand, as it is written.
func (h *player) carry(name string) {
	h.t.Helper()
	m, err := notation.Parse(&h.p, name)
	if err != nil {
		h.t.Fatal(err)
	}
	h.make(m)
}

// make carries a move out.
func (h *player) make(m engine.Move) {
	h.t.Helper()
	switch order := touch.Orders(m)[0]; {
	case m.Castling:
		h.move(order[0].Square.String(), order[1].Square.String())
		h.move(order[2].Square.String(), order[3].Square.String())
	case m.EnPassant:
		h.move(order[1].Square.String(), "beside")
		h.move(m.From.String(), m.To.String())
	default:
		h.move(m.From.String(), m.To.String())
	}
	if m.Promotion != engine.NoPiece {
		h.state("promotion")
		h.promote()
	}
	h.made(m)
}

// made waits until the move has been made, and compares the RTL's position with the reference.
func (h *player) made(m engine.Move) {
	h.t.Helper()
	h.names = append(h.names, notation.SAN(&h.p, m))
	h.p = h.p.Make(m)
	h.wait(fmt.Sprintf("document.querySelectorAll('.moves li span:not(:empty)').length == %d && !document.querySelector('.agree.differs')", len(h.names)))
	if rtl := browser.Eval[string](h.t, h.ctx, "document.querySelector('.fen').textContent"); rtl != h.p.FEN() {
		h.t.Fatalf("after %v the RTL is at %s, not at %s", h.names, rtl, h.p.FEN())
	}
	if moves := browser.Eval[string](h.t, h.ctx, "[...document.querySelectorAll('.moves li span')].map(s => s.textContent).join(' ').trim()"); moves != strings.Join(h.names, " ") {
		h.t.Fatalf("the page lists %s, not %v", moves, h.names)
	}
}

// lit is a condition: these LEDs are lit and no others.
func lit(squares string) string {
	return fmt.Sprintf("[...document.querySelectorAll('.square.lit')].map(s => s.dataset.square).sort().join(' ') == %q", squares)
}

func (h *player) click(selector string) {
	h.t.Helper()
	browser.Run(h.t, h.ctx, chromedp.Click(chromedp.CSS(selector)))
}

// tab opens a tab by its name.
func (h *player) tab(name string) {
	h.t.Helper()
	h.click(fmt.Sprintf("#tab-%d", browser.Eval[int](h.t, h.ctx, fmt.Sprintf("[...document.querySelectorAll('[role=tab]')].findIndex(t => t.textContent == %q)", name))))
}
