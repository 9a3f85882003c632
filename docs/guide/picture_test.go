package guide

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/cosimate/cosimate/sim/live/browser"
)

// picture opens the page of the failure that the README shows, which must show the same. Its
// picture is in the documents.
func (f *folder) picture(t *testing.T) {
	const page = "~/.cache/cosimate/failures/example.org/hello/TestCounter/icarus/report.html"
	text, err := os.ReadFile(f.here.Replace(page))
	if err != nil {
		t.Fatal(err)
	}
	// as the reader's, with the reader's places
	path := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(path, []byte(f.there.Replace(string(text))), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx := browser.New(t)
	browser.Run(t, ctx, chromedp.EmulateViewport(1000, 742, chromedp.EmulateScale(1.5)), chromedp.Navigate("file://"+path))
	if h := browser.Eval[string](t, ctx, "document.querySelector('h1').textContent.trim()"); h != "counter differs from its model: count_o" {
		t.Errorf("the page of the failure is headed %q", h)
	}
	browser.Wait(t, ctx, "document.querySelector('.wave-name')")
	browser.Picture(t, ctx, filepath.Join(root, "docs", "failure.png"))
}
