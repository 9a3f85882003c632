package live_test

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/cosimate/cosimate/engine"
	generator "github.com/cosimate/cosimate/rtl/movegen/live"
	"github.com/cosimate/cosimate/rtl/movegen/perft"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/live/browser"
	"github.com/cosimate/cosimate/sim/live/livetest"
)

var shots = flag.String("live.shots", "", "folder for screenshots of the page")

func screen(width, height int64) browser.Step {
	return chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1})
		return err
	})
}

// drag drags from the middle of one element to that of another.
func drag(t *testing.T, ctx context.Context, from, to string) {
	t.Helper()
	middle := func(selector string) (x, y float64) {
		at := browser.Eval[[]float64](t, ctx, fmt.Sprintf(`(b => [b.x + b.width / 2, b.y + b.height / 2])(document.querySelector(%q).getBoundingClientRect())`, selector))
		return at[0], at[1]
	}
	fx, fy := middle(from)
	tx, ty := middle(to)
	mouse := func(kind input.DispatchMouseEventType, x, y float64, button input.MouseButton) browser.Step {
		return chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
			_, err := cdp.Call(ctx, tab, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: kind, X: x, Y: y, Button: button, ClickCount: 1})
			return err
		})
	}
	browser.Run(t, ctx, mouse(input.DispatchMouseEventTypeMousePressed, fx, fy, input.MouseButtonLeft),
		mouse(input.DispatchMouseEventTypeMouseMoved, (fx+tx)/2, (fy+ty)/2, input.MouseButtonLeft),
		mouse(input.DispatchMouseEventTypeMouseMoved, tx, ty, input.MouseButtonLeft),
		mouse(input.DispatchMouseEventTypeMouseReleased, tx, ty, input.MouseButtonLeft))
}

func fen(t *testing.T, ctx context.Context, want string) {
	t.Helper()
	browser.Wait(t, ctx, fmt.Sprintf(`document.querySelector("#fen").value === %q`, want))
}

// A person sets up positions by mouse and by keys, and looks at the list and the stages.
func TestPage(t *testing.T) {
	// What perft needs is compiled before, as that takes as long as it takes.
	if _, err := perft.Run(t.Context(), sim.Verilator, []perft.Case{{Position: engine.StartPosition(), Depth: 1}}, perft.Options{}); err != nil {
		t.Fatal(err)
	}
	app := open(t, generator.Options{})
	o := app.Options()
	o.Speed = 0
	address, _ := livetest.Serve(t, app, o)
	ctx := browser.New(t)
	browser.Run(t, ctx, chromedp.Navigate(address), screen(1500, 1300))
	fen(t, ctx, positions[0])

	// The king's pawn steps ahead by drag, and a knight leaves the board.
	drag(t, ctx, "[data-square=e2]", "[data-square=e4]")
	fen(t, ctx, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1")
	drag(t, ctx, "[data-square=b8]", "h1")
	fen(t, ctx, "r1bqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1")
	drag(t, ctx, "#palette [data-kind=n]", "[data-square=e5]")
	fen(t, ctx, "r1bqkbnr/pppppppp/8/4n3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1")

	// By keys: the corner rook goes, and with it a right; a king cannot.
	browser.Run(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector("[data-square=h1]").focus()`), chromedp.KeyEvent("\b"))
	fen(t, ctx, "r1bqkbnr/pppppppp/8/4n3/4P3/8/PPPP1PPP/RNBQKBN1 w Qkq - 0 1")
	browser.Run(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector("[data-square=e1]").focus()`), chromedp.KeyEvent("\b"))
	browser.Wait(t, ctx, `document.querySelector("#fen-error").textContent.includes("king")`)
	browser.Run(t, ctx, chromedp.KeyEvent("K"))
	browser.Wait(t, ctx, `document.querySelector("#fen-error").textContent === ""`)

	// A position with a pin and a check, listed by the core.
	browser.Run(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector("#fen").focus(); document.querySelector("#fen").select()`),
		chromedp.KeyEvent(positions[1]+"\r"))
	browser.Wait(t, ctx, `document.querySelector("[data-square=e5]").getAttribute("aria-label").startsWith("e5, white knight")`)
	browser.Run(t, ctx, chromedp.Click(chromedp.CSS(".run")))
	browser.Wait(t, ctx, `document.querySelector(".notice").textContent.includes("The list is complete: 48 moves, the last in cycle 56.")`)
	if n := browser.Eval[int](t, ctx, `document.querySelectorAll("#moves tr.right").length`); n != 48 {
		t.Errorf("%d rows are marked as right", n)
	}
	browser.Run(t, ctx, chromedp.Click(chromedp.CSS("#overlay-attacked")))
	browser.Wait(t, ctx, `document.querySelector("[data-square=d6]").getAttribute("aria-label") === "d6, black pawn, attacked by the opponent" || document.querySelectorAll(".marked").length > 20`)
	browser.Run(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector("#depth").value = "2"`), chromedp.Click(chromedp.CSS("#count")))
	browser.Wait(t, ctx, `document.querySelector("#perft-sum").textContent.includes("2\u202f039 leaves by the RTL") && document.querySelector("#perft-sum").textContent.includes("as the reference")`)

	browser.Axe(t, ctx)
	browser.Run(t, ctx, browser.Dark(true))
	browser.Axe(t, ctx)
	browser.Run(t, ctx, browser.Dark(false))
	for _, width := range []int64{360, 1500} {
		browser.Run(t, ctx, screen(width, 1000))
		browser.Wait(t, ctx, fmt.Sprintf("innerWidth === %d", width))
		if wide := browser.Eval[int64](t, ctx, "document.documentElement.scrollWidth"); wide > width {
			t.Errorf("on a screen of %d pixels the page has %d", width, wide)
		}
		if *shots != "" {
			browser.Screenshot(t, ctx, filepath.Join(*shots, fmt.Sprintf("movegen-%d.png", width)))
		}
	}
	if *shots != "" {
		browser.Run(t, ctx, browser.Dark(true))
		browser.Screenshot(t, ctx, filepath.Join(*shots, "movegen-dark.png"))
	}
}

// All that the page loads is small.
func TestSize(t *testing.T) { livetest.Size(t, open(t, generator.Options{})) }
