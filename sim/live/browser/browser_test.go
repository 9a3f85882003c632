package browser_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/cosimate/cosimate/sim/live/browser"
)

const page = `<!DOCTYPE html><html lang="en"><title>Lamp</title><main><h1>Lamp</h1>
<button aria-pressed="false">Light</button><p id="out">dark</p></main>
<script>document.querySelector("button").onclick = e => {
	e.target.setAttribute("aria-pressed", "true"); out.textContent = matchMedia("(prefers-color-scheme: dark)").matches ? "night" : "day"
}</script>`

// A page is clicked on, looked at and read as a screen reader does; two tabs are two pages.
func TestBrowser(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write([]byte(page)) }))
	defer server.Close()
	ctx := browser.New(t)
	browser.Run(t, ctx, browser.Dark(true), chromedp.Navigate(server.URL), chromedp.Click(chromedp.CSS("button")))
	if got := browser.Eval[string](t, ctx, "out.textContent"); got != "night" {
		t.Errorf("after the click: %q", got)
	}
	browser.Run(t, ctx, chromedp.Evaluate[chromedp.Void]("setTimeout(() => document.title = 'Lit', 20)"))
	browser.Wait(t, ctx, "document.title == 'Lit'")
	if got := browser.Eval[int](t, ctx, "new Promise(done => setTimeout(() => done(7), 1))"); got != 7 {
		t.Errorf("the promise's value is %d", got)
	}
	got, _ := strings.CutSuffix(browser.Tree(t, ctx), "\n")
	_, got, _ = strings.Cut(got, "\n")
	if want := "  main\n    heading \"Lamp\"\n    button \"Light\" pressed focused\n    paragraph"; got != want {
		t.Errorf("the tree below the root is:\n%s\nwant:\n%s", got, want)
	}
	other := browser.Tab(t, ctx)
	browser.Run(t, other, chromedp.Navigate(server.URL))
	if got := browser.Eval[string](t, other, "out.textContent"); got != "dark" {
		t.Errorf("the other tab shows %q", got)
	}
	path := filepath.Join(t.TempDir(), "lamp.png")
	browser.Screenshot(t, ctx, path)
	if picture, err := os.ReadFile(path); err != nil || !strings.HasPrefix(string(picture), "\x89PNG") {
		t.Errorf("the screenshot: %v", err)
	}
}

// childEnv makes this test binary run one of the tests that must fail.
const childEnv = "COSIMATE_BROWSER_CHILD"

// laterEnv is what the page does after a picture of it.
const laterEnv = "COSIMATE_BROWSER_LATER"

// Errors of a page fail the test, and so does a machine without a browser.
func TestErrors(t *testing.T) {
	if script := os.Getenv(childEnv); script != "" {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Security-Policy", "connect-src 'self'")
			w.Write([]byte("<!DOCTYPE html><title>x</title><link rel=icon href='data:,'><script>" + script + "</script>"))
		}))
		defer server.Close()
		ctx := browser.New(t)
		browser.Run(t, ctx, chromedp.Navigate(server.URL))
		browser.Eval[bool](t, ctx, "new Promise(done => setTimeout(() => done(true), 100))")
		path := filepath.Join(t.TempDir(), "then.png")
		browser.Screenshot(t, ctx, path)
		browser.Run(t, ctx, chromedp.Evaluate[chromedp.Void](os.Getenv(laterEnv)))
		browser.Picture(t, ctx, path)
		return
	}
	for name, c := range map[string]struct{ script, path, want string }{
		"none":      {"console.log('fine')", os.Getenv("PATH"), ""},
		"picture":   {"document.documentElement.style.background = '#fff'", os.Getenv("PATH"), "does not show what the page shows now: by 255.0 of 255"},
		"exception": {"null.x", os.Getenv("PATH"), "Cannot read properties of null"},
		"console":   {"console.error('it', 1)", os.Getenv("PATH"), `"it" 1`},
		"policy":    {"fetch('http://example.org/').catch(() => 0)", os.Getenv("PATH"), "violates"},
		"missing":   {"1", "/nowhere", "run: scripts/setup chromium-headless-shell"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			exe, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(exe, "-test.run=^TestErrors$")
			later := "document.title = 'x'"
			if name == "picture" {
				later = "document.documentElement.style.background = '#000'"
			}
			cmd.Env = append(os.Environ(), childEnv+"="+c.script, laterEnv+"="+later, "PATH="+c.path)
			out, err := cmd.CombinedOutput()
			if failed := err != nil; failed != (c.want != "") || !strings.Contains(string(out), c.want) {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// A browser that ends at its start is started again.
func TestStartsAgain(t *testing.T) {
	const name = "chromium-headless-shell"
	chromium, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("it is made for the name %s, which is not in PATH", name)
	}
	dir := t.TempDir()
	mark := filepath.Join(dir, "once")
	script := fmt.Sprintf("#!/bin/sh\n[ -e %[1]s ] || { touch %[1]s; exit 1; }\nexec %[2]s \"$@\"\n", mark, chromium)
	if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	if got := browser.Eval[int](t, browser.New(t), "6*7"); got != 42 {
		t.Errorf("6*7 is %d", got)
	}
	if _, err := os.Stat(mark); err != nil {
		t.Error("it was another browser")
	}
}
