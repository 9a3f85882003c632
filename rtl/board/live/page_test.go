package live_test

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/notation"
	"github.com/cosimate/cosimate/engine/search"
	board "github.com/cosimate/cosimate/rtl/board/live"
	"github.com/cosimate/cosimate/rtl/board/touch"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/live"
	"github.com/cosimate/cosimate/sim/live/browser"
)

var update = flag.Bool("live.update", false, "write docs/live.png anew")

// player is a person at the page, who knows what the page shows and nothing else. The reference is
// the position that must come of what the person does.
type player struct {
	t     *testing.T
	ctx   context.Context
	p     engine.Position
	names []string // of the moves made
	// move takes the piece from a square to another, or to "beside"; promote chooses the queen.
	move    func(from, to string)
	promote func()
}

// served serves a page and opens it in a browser. prepare is called before.
func served(t *testing.T, o live.Options, prepare func(*board.App)) (address string, end func()) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	app := board.NewApp(ctx, board.Options{Seed: sim.Seed()})
	if prepare != nil {
		prepare(app)
	}
	ready, ended := make(chan string, 1), make(chan error, 1)
	o = app.Options(o)
	o.Ready = func(a string) { ready <- a }
	go func() { ended <- live.Serve(ctx, app, o) }()
	done := false
	end = func() {
		if done {
			return
		}
		done = true
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := app.Close(); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(end)
	select {
	case address = <-ready:
	case err := <-ended:
		t.Fatal(err)
	}
	return address, end
}

// sit opens the page.
func sit(t *testing.T, address string) *player {
	t.Helper()
	h := &player{t: t, ctx: browser.New(t), p: engine.StartPosition()}
	h.move = h.drag
	h.promote = func() { browser.Run(t, h.ctx, chromedp.Click(chromedp.CSS("#choose button:first-child"))) }
	browser.Run(t, h.ctx, chromedp.EmulateViewport(1280, 860), chromedp.Navigate(address))
	h.wait("document.body.dataset.state == 'turn'")
	return h
}

func (h *player) wait(condition string) {
	h.t.Helper()
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

func (h *player) key(keys string, o ...chromedp.KeyOption) {
	h.t.Helper()
	browser.Run(h.t, h.ctx, chromedp.KeyEvent(keys, o...))
}

// walk goes to a square by the arrow keys.
func (h *player) walk(to string) {
	h.t.Helper()
	at := browser.Eval[string](h.t, h.ctx, "document.activeElement.dataset.square ?? ''")
	if at == "" {
		h.t.Fatal("the focus is on no square")
	}
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

// game is the shortest of two people that has castling, en passant, a promotion and a mate.
var game = strings.Fields("e4 f6 e5 d5 exd6 Kf7 dxc7 Kg6 cxd8=Q h6 Nf3 h5 Bd3+ Kh6 O-O g5 Qxf8#")

// wholeGame plays it, with what goes wrong on the way.
func (h *player) wholeGame(knock func(square string)) {
	h.t.Helper()
	for i, name := range game {
		switch i {
		case 3: // something illegal: the page says why, the LEDs what is to be put back
			h.move("d7", "d4")
			h.state("illegal")
			h.wait(lit("c3 c5 d4 e3 e5"))
			if text := browser.Eval[string](h.t, h.ctx, "document.querySelector('#text').textContent"); text != "A pawn does not go from d7 to d4 (FIDE 3.2 to 3.8)." {
				h.t.Errorf("the reason: %s", text)
			}
			h.picture("live.png")
			h.wait(lit("d4 d7"))
			h.move("d4", "d7")
			h.state("turn")
		case 7: // a piece falls over
			knock("g8")
			h.state("moving")
			h.move("g8", "g8")
			h.state("turn")
		}
		h.carry(name)
	}
	h.wait(lit("c1 d1 e1 f1 g1"))
	h.state("over")
	if text := browser.Eval[string](h.t, h.ctx, "document.querySelector('.result').textContent"); text != "1-0  white wins, checkmate" {
		h.t.Errorf("the result: %s", text)
	}
}

// picture writes a picture for the documents, if it is asked for.
func (h *player) picture(name string) {
	h.t.Helper()
	if *update {
		browser.Screenshot(h.t, h.ctx, filepath.Join("..", "..", "..", "docs", name))
	}
}

// A whole game by the mouse.
func TestPlayByMouse(t *testing.T) {
	address, _ := served(t, live.Options{}, nil)
	h := sit(t, address)
	// From the moment in which a piece is put down until an LED answers.
	browser.Eval[bool](t, h.ctx, `(() => {
		let put = 0;
		window.answers = [];
		const dark = () => !document.querySelector(".square.lit") && ["turn", "moving"].includes(document.body.dataset.state);
		addEventListener("pointerup", () => { put = dark() ? performance.now() : 0 }, true);
		new MutationObserver(() => {
			if (put && document.querySelector(".square.lit")) { answers.push(performance.now() - put); put = 0 }
		}).observe(document.querySelector("#board"), { subtree: true, attributes: true, attributeFilter: ["class"] });
		return true;
	})()`)
	h.wholeGame(func(square string) {
		x, y := h.point(place(square))
		h.mouse(input.DispatchMouseEventTypeMousePressed, x, y, chromedp.ButtonRight, chromedp.ClickCount(1))
		h.mouse(input.DispatchMouseEventTypeMouseReleased, x, y, chromedp.ButtonRight, chromedp.ClickCount(1))
	})
	t.Logf("from a piece put down to an LED that answers: %.0f ms", browser.Eval[[]float64](t, h.ctx, "answers"))
}

// The same by keys alone.
func TestPlayByKeys(t *testing.T) {
	address, _ := served(t, live.Options{}, nil)
	h := sit(t, address)
	h.move, h.promote = h.keys, func() { h.key("q") }
	for range 20 { // tab to the board
		h.key(kb.Tab)
		if browser.Eval[bool](t, h.ctx, "document.activeElement.dataset.square !== undefined") {
			break
		}
	}
	h.wholeGame(func(square string) {
		h.walk(square)
		h.key("k")
	})
}

// Against the computer: what it plays is read from the LEDs.
func TestPlayComputer(t *testing.T) {
	address, end := served(t, live.Options{Save: filepath.Join(t.TempDir(), "board.json")}, func(a *board.App) {
		if err := a.NewGame(board.Play{Computer: "black", Level: search.MinElo, Seed: 1, Nodes: 20}, ""); err != nil {
			t.Fatal(err)
		}
	})
	defer end()
	h := sit(t, address)
	for _, name := range []string{"e4", "Bc4", "Qh5", "Qxf7#"} {
		h.carry(name)
		if name == "Qxf7#" {
			break
		}
		squares := map[string]bool{}
		for len(squares) < 2 {
			h.wait("document.querySelectorAll('.square.lit').length == 1")
			if s := browser.Eval[string](t, h.ctx, "document.querySelector('.square.lit')?.dataset.square ?? ''"); s != "" {
				squares[s] = true
			}
		}
		var move engine.Move
		for _, m := range h.p.AppendMoves(nil) {
			if squares[m.From.String()] && squares[m.To.String()] {
				move = m
			}
		}
		if move == (engine.Move{}) {
			t.Fatalf("the LEDs show %v, which is no move", squares)
		}
		h.move(move.From.String(), move.To.String())
		h.made(move)
	}
	h.state("over")
}

// The page as a screen reader has it, in the order of the focus; with the faults and switches of its
// tabs, on a phone too. A server that is killed and started again goes on with the game.
func TestPage(t *testing.T) {
	o := live.Options{Save: filepath.Join(t.TempDir(), "board.json"), Token: live.NewToken()}
	address, end := served(t, o, nil)
	h := sit(t, address)
	tree := browser.Tree(t, h.ctx)
	browser.Axe(t, h.ctx)
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

func (h *player) click(selector string) {
	h.t.Helper()
	browser.Run(h.t, h.ctx, chromedp.Click(chromedp.CSS(selector)))
}

// tab opens a tab by its name.
func (h *player) tab(name string) {
	h.t.Helper()
	h.click(fmt.Sprintf("#tab-%d", browser.Eval[int](h.t, h.ctx, fmt.Sprintf("[...document.querySelectorAll('[role=tab]')].findIndex(t => t.textContent == %q)", name))))
}
