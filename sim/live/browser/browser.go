// Package browser is for tests of pages: it starts Chromium without a window, in which a test does
// what a person would, by package chromedp.
//
//	ctx := browser.New(t)
//	browser.Run(t, ctx, chromedp.Navigate(address), chromedp.Click(chromedp.CSS("#run")))
//
// The browser is new: it has an empty profile, reaches this machine only, and is killed when the
// test ends. An exception that a page does not catch fails the test, and so does a message of
// console.error.
package browser

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// limit is how long a browser may live, so that a page that hangs does not hang the tests.
const limit = 5 * time.Minute

// patience is how long a step may take, and a condition may stay false.
const patience = 30 * time.Second

// starts is how often a browser is started that ends before it has done anything, as Chromium does
// now and then on a busy machine.
const starts = 3

// names are the names of the browser in systems' packages. The first is Chromium built without what
// only windows need, which starts in a third of the time. Pages are rendered by the same engine.
var names = []string{"chromium-headless-shell", "chromium", "google-chrome"}

// New starts a browser and returns the context of its first tab. The test fails if there is no
// browser.
func New(t testing.TB) context.Context {
	t.Helper()
	path := ""
	for _, name := range names {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Fatalf("no browser: none of %s is in PATH; run: scripts/setup chromium-headless-shell", strings.Join(names, ", "))
	}
	home := t.TempDir()
	// A Unix socket's path has at most 107 bytes, and TMPDIR may be long.
	short, err := os.MkdirTemp("/tmp", "browser")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(short) })
	options := append(chromedp.DefaultExecAllocatorOptions[:], // with a new profile for each browser
		chromedp.ExecPath(path),
		chromedp.Env("HOME="+home, "TMPDIR="+short, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home),
		chromedp.WindowSize(1280, 900),
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("no-proxy-server", true),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"),
		chromedp.Flag("lang", "en"),
	)
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	for n := 1; ; n++ {
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		ctx, stop := chromedp.NewExecAllocator(ctx, options...)
		end := func() {
			stop() // waits until its processes have ended and its profile is removed
			cancel()
		}
		tab, err := open(t, ctx)
		if err == nil {
			t.Cleanup(end)
			t.Cleanup(func() { chromedp.Cancel(tab) })
			return tab
		}
		end()
		if n == starts {
			t.Fatalf("the browser does not start, %d times: %v", n, err)
		}
		t.Logf("the browser does not start, and is started again: %v", err)
	}
}

// Tab opens another tab of a browser: another viewer with the same cookies.
func Tab(t testing.TB, ctx context.Context) context.Context {
	t.Helper()
	tab, err := open(t, ctx)
	if err != nil {
		t.Fatalf("the browser opens no tab: %v", err)
	}
	t.Cleanup(func() { chromedp.Cancel(tab) })
	return tab
}

// open opens a tab, and starts the browser if that is its first.
func open(t testing.TB, ctx context.Context) (context.Context, error) {
	tab, _ := chromedp.NewContext(ctx, chromedp.WithListener(func(event any) { watch(t, event) }))
	return tab, chromedp.Do(tab)
}

// tolerated are texts of errors by the test that expects them.
var tolerated sync.Map

// Tolerate has errors of the page whose text has a part in it not fail the test: a server that is
// killed leaves some.
func Tolerate(t testing.TB, part string) {
	tolerated.Store(t, part)
	t.Cleanup(func() { tolerated.Delete(t) })
}

// watch fails the test at an error of a tab's page.
func watch(t testing.TB, event any) {
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		t.Errorf("the page: %v", &chromedp.ExceptionError{ExceptionDetails: e.ExceptionDetails})
	case *runtime.EventConsoleAPICalled:
		if e.Type != "error" && e.Type != "assert" {
			return
		}
		var words []string
		for _, a := range e.Args {
			words = append(words, string(a.Value)+a.Description)
		}
		t.Errorf("the page's console: %s", strings.Join(words, " "))
	case *log.EventEntryAdded:
		// Chromium's own words: a resource that cannot be loaded, a breach of the CSP.
		if part, ok := tolerated.Load(t); ok && strings.Contains(e.Entry.Text, part.(string)) {
			return
		}
		if e.Entry.Level == "error" {
			t.Errorf("the page: %s %s", e.Entry.Text, e.Entry.URL)
		}
	}
}

// Step is something to do in a tab, and of no result.
type Step = chromedp.Action[chromedp.Void]

// Run does steps one after another. The test ends at the first that fails.
func Run(t testing.TB, ctx context.Context, steps ...Step) {
	t.Helper()
	for i, step := range steps {
		within, cancel := context.WithTimeout(ctx, patience)
		err := chromedp.Do(within, step)
		cancel()
		if err != nil {
			t.Fatalf("in the browser, step %d of %d: %v", i+1, len(steps), err)
		}
	}
}

// Eval returns the value of a JavaScript expression in the page. If it is a promise, its value is
// waited for.
func Eval[T any](t testing.TB, ctx context.Context, expression string) T {
	t.Helper()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("in the page: %s: %v", expression, err)
	}
	return value
}

// Wait waits until a JavaScript expression is true in the page.
func Wait(t testing.TB, ctx context.Context, expression string) {
	t.Helper()
	// chromedp.Poll does it in the page, by new Function, which a page's CSP may forbid.
	for end := time.Now().Add(patience); !Eval[bool](t, ctx, "Boolean("+expression+")"); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("in the page, this is not true after %v: %s", patience, expression)
		}
	}
}

// Dark is a step that makes pages see a system with a dark look, or a light one.
func Dark(dark bool) Step {
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	return chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		return err
	})
}

// Screenshot writes what the tab shows into a file, as PNG.
func Screenshot(t testing.TB, ctx context.Context, path string) {
	t.Helper()
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(path, picture, 0o666)
	}
	if err != nil {
		t.Fatalf("a screenshot: %v", err)
	}
}
