package live_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/notation"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/engine/search"
	"github.com/cosimate/cosimate/rtl/board/host"
	"github.com/cosimate/cosimate/sim/live"
	"github.com/cosimate/cosimate/sim/live/browser"
)

// A game against the computer that has all of castling, en passant, promotion and mate. The
// computer answers the same moves with the same, as its level and its seed are given.
const computerSeed = 183

var ownMoves = strings.Fields("e4 e5 Bc4 Nh3 O-O exd6 dxc7 cxd8=Q+ Qf3 Ng5 Qxc6 Nxf7#")

var find = flag.Duration("live.find", 0, "search for a game for the browser tests for so long, and print the shortest")

// events are what the game must have.
type events struct{ castling, enPassant, promotion bool }

func (e events) all() bool { return e == events{true, true, true} }

func (e *events) add(m engine.Move) {
	e.castling = e.castling || m.Castling
	e.enPassant = e.enPassant || m.EnPassant
	e.promotion = e.promotion || m.Promotion != engine.NoPiece
}

// against plays a game with own moves and those of the computer, until it ends, own has no move or
// the computer wants something other than a move. events are those of the own moves.
func against(t *testing.T, seed uint64, own func(g *host.Game, e events) (engine.Move, bool)) (g *host.Game, e events) {
	t.Helper()
	g = host.NewGame(engine.StartPosition())
	computer := host.Opponent{Level: search.MinElo, Seed: seed}
	for !g.Over() {
		p := g.Position()
		var m engine.Move
		if p.SideToMove() == engine.White {
			var ok bool
			if m, ok = own(g, e); !ok {
				return g, e
			}
			e.add(m)
		} else {
			d, err := computer.Decide(t.Context(), g, search.Clock{})
			if err != nil {
				t.Fatal(err)
			}
			if d.Offer || d.Draw || d.Resign {
				return g, e
			}
			m = d.Move
		}
		if err := g.Make(m, time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	return g, e
}

// wins reports whether it is a game for the tests.
func wins(g *host.Game, e events) bool {
	result, cause := g.Result()
	return result == rules.WhiteWins && cause == rules.Mate && e.all()
}

// The computer answers as the game in the browser needs it. With -live.find, another game is looked
// for, which is needed when the computer plays otherwise.
func TestComputersGame(t *testing.T) {
	if *find > 0 {
		findGame(t, *find)
		return
	}
	g, e := against(t, computerSeed, func(g *host.Game, _ events) (engine.Move, bool) {
		p := g.Position()
		i := len(g.Moves()) / 2
		if i >= len(ownMoves) {
			return engine.Move{}, false
		}
		m, err := notation.Parse(&p, ownMoves[i])
		return m, err == nil
	})
	if !wins(g, e) {
		t.Errorf("the computer plays otherwise than when this game was found: find another by\ngo test ./rtl/board/live -run TestComputersGame -v -live.find=5m\n%s", g.PGN(time.Time{}))
	}
}

// findGame prints shorter and shorter games. The own moves are those that lead to what the game
// must have, or else those of a search.
func findGame(t *testing.T, long time.Duration) {
	openings := []string{"e2e4 e4e5 d2d4 g1f3", "d2d4 d4d5 e2e4 e4e5", "e2e4 g1f3 f1c4 e4e5", "e2e4 e4e5 g1f3 f1c4", "e2e4 e4e5 f1c4 g1h3"}
	best := 60
	begin := time.Now()
	for n := 0; time.Since(begin) < long; n++ {
		seed, opening := uint64(n/len(openings)+1), strings.Fields(openings[n%len(openings)])
		player, err := search.New(search.Options{Features: search.AllFeatures, Hash: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		g, e := against(t, seed, func(g *host.Game, e events) (m engine.Move, ok bool) {
			ply := len(g.Moves())
			if ply >= best {
				return m, false
			}
			p := g.Position()
			moves := p.AppendMoves(nil)
			take := func(wanted func(m engine.Move) bool) bool {
				i := slices.IndexFunc(moves, wanted)
				if i >= 0 {
					m = moves[i]
				}
				return i >= 0
			}
			if !e.enPassant && take(func(m engine.Move) bool { return m.EnPassant }) ||
				!e.castling && take(func(m engine.Move) bool { return m.Castling }) ||
				!e.promotion && take(func(m engine.Move) bool { return m.Promotion == engine.Queen }) ||
				!e.enPassant && ply/2 < len(opening) && take(func(m engine.Move) bool { return m.From.String()+m.To.String() == opening[ply/2] }) {
				return m, true
			}
			nodes := uint64(300)
			if e.all() {
				nodes = 4000
			}
			r, err := player.Search(t.Context(), search.Game{Start: g.Start(), Moves: g.Moves()}, search.Limits{Nodes: nodes}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if search.MateIn(r.Lines[0].Value) > 0 && !e.all() { // too early
				take(func(m engine.Move) bool { return m != r.Moves[0] })
				return m, true
			}
			return r.Moves[0], true
		})
		if wins(g, e) {
			best = len(g.Moves())
			t.Logf("seed %d, %d half-moves:\n%s", seed, best, g.PGN(time.Time{}))
		}
	}
}

// wholeGame begins it by the dialog and plays it, with what goes wrong on the way. On it, the
// documents' picture may be compared.
func (h *player) wholeGame(picture bool, knock func(square string)) {
	h.t.Helper()
	h.press("new")
	h.choose("new-who", "black")
	h.choose("new-level", fmt.Sprint(search.MinElo))
	h.focus("new-seed")
	h.key("a", chromedp.ModifierCtrl)
	h.key(fmt.Sprint(computerSeed))
	h.press("new-begin")
	h.wait("document.querySelector('#clock-black .who').textContent == 'Black · computer, 800'")
	h.state("turn")
	for i, name := range ownMoves {
		switch i {
		case 2: // something illegal: the page says why, the LEDs what is to be put back
			h.move("f1", "d4")
			h.state("illegal")
			h.wait(lit("c3 c5 d4 e3 e5"))
			h.says("A bishop does not go from f1 to d4 (FIDE 3.2 to 3.8).")
			if picture {
				browser.Picture(h.t, h.ctx, filepath.Join("..", "..", "..", "docs", "live.png"))
			}
			h.recover()
		case 4: // a piece falls over
			knock("d1")
			h.state("moving")
			h.move("d1", "d1")
			h.state("turn")
		}
		h.carry(name)
		if i == len(ownMoves)-1 {
			break
		}
		m := h.shown()
		if i == 4 { // another move than the computer's
			h.move("d7", "d6")
			h.state("illegal")
			h.says("It is not the move that is shown.")
			h.recover()
		}
		h.make(m)
	}
	h.wait(lit("c1 d1 e1 f1 g1"))
	h.state("over")
	if text := browser.Eval[string](h.t, h.ctx, "document.querySelector('.result').textContent"); text != "1-0  white wins, checkmate" {
		h.t.Errorf("the result: %s", text)
	}
}

// says compares what the page says.
func (h *player) says(want string) {
	h.t.Helper()
	if text := browser.Eval[string](h.t, h.ctx, "document.querySelector('#text').textContent"); text != want {
		h.t.Errorf("the page says: %s\nwant: %s", text, want)
	}
}

// recover puts a piece back as the LEDs ask for it: they show the square where one stands that
// should not, and the one that should have it.
func (h *player) recover() {
	h.t.Helper()
	h.wait("document.querySelectorAll('.square.lit').length == 2 && document.querySelectorAll('.square.lit.occupied').length == 1")
	at := browser.Eval[[]string](h.t, h.ctx, "['.square.lit.occupied', '.square.lit:not(.occupied)'].map(s => document.querySelector(s).dataset.square)")
	h.move(at[0], at[1])
	h.state("turn")
}

// shown returns the move that the LEDs show: its two squares blink in turn.
func (h *player) shown() engine.Move {
	h.t.Helper()
	h.wait("document.querySelector('#title').textContent.startsWith('Carry out')")
	var seen []string
	// Two squares in turn, and again: what was lit before may still be among the first.
	turns := func() bool {
		n := len(seen)
		return n >= 4 && seen[n-1] == seen[n-3] && seen[n-2] == seen[n-4]
	}
	for !turns() {
		one := browser.Eval[string](h.t, h.ctx, "(lit => lit.length == 1 ? lit[0].dataset.square : '')(document.querySelectorAll('.square.lit'))")
		if one != "" && !slices.Contains(seen[max(0, len(seen)-1):], one) {
			seen = append(seen, one)
		}
	}
	seen = seen[len(seen)-2:]
	for _, m := range h.p.AppendMoves(nil) {
		if from, to := m.From.String(), m.To.String(); slices.Contains(seen, from) && slices.Contains(seen, to) {
			return m
		}
	}
	h.t.Fatalf("the LEDs show %v, which is no move", seen)
	return engine.Move{}
}

// A whole game by the mouse.
func TestPlayByMouse(t *testing.T) {
	address, _ := served(t, live.Options{}, nil)
	h := sit(t, address)
	// From the moment in which a piece is put down until an LED answers.
	browser.Eval[bool](t, h.ctx, `(() => {
		let put = 0;
		window.answers = [];
		window.jumps = [];
		const where = (n) => n?.id ? "#" + n.id : (n?.nodeName ?? "?") + (n?.parentElement ? " in " + where(n.parentElement) : "");
		new PerformanceObserver((l) => jumps.push(...l.getEntries().map((e) => ({ by: e.value, what: e.sources.map((s) => where(s.node)).join(", ") }))))
			.observe({ type: "layout-shift", buffered: true });
		const dark = () => !document.querySelector(".square.lit") && ["turn", "moving"].includes(document.body.dataset.state);
		addEventListener("pointerup", () => { put = dark() ? performance.now() : 0 }, true);
		new MutationObserver(() => {
			if (put && document.querySelector(".square.lit")) { answers.push(performance.now() - put); put = 0 }
		}).observe(document.querySelector("#board"), { subtree: true, attributes: true, attributeFilter: ["class"] });
		return true;
	})()`)
	h.wholeGame(true, func(square string) {
		x, y := h.point(place(square))
		h.mouse(input.DispatchMouseEventTypeMousePressed, x, y, chromedp.ButtonRight, chromedp.ClickCount(1))
		h.mouse(input.DispatchMouseEventTypeMouseReleased, x, y, chromedp.ButtonRight, chromedp.ClickCount(1))
	})
	// A page is called good up to a tenth of the window.
	if jumps := browser.Eval[float64](t, h.ctx, "jumps.reduce((a, b) => a + b.by, 0)"); jumps > 0.005 {
		t.Errorf("the layout jumps by %.4f of the window: %s", jumps, browser.Eval[string](t, h.ctx, "JSON.stringify(jumps)"))
	}
	t.Logf("jumps: %s", browser.Eval[string](t, h.ctx, "JSON.stringify(jumps)"))
	t.Logf("from a piece put down to an LED that answers: %.0f ms", browser.Eval[[]float64](t, h.ctx, "answers"))
}

// The same by keys alone.
func TestPlayByKeys(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: go test without -short runs it, as make nightly does")
	}
	address, _ := served(t, live.Options{}, nil)
	h := sit(t, address)
	h.byKeys()
	h.wholeGame(false, func(square string) {
		h.walk(square)
		h.key("k")
	})
}
