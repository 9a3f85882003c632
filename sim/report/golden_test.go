package report_test

import (
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write testdata anew; look at what has changed then")

// TestGolden compares complete reports, byte for byte.
func TestGolden(t *testing.T) {
	for name, sample := range samples {
		f := sample()
		golden(t, name+".txt", f.Text(false))
		golden(t, name+".ansi", f.Text(true))
		golden(t, name+".html", withoutStyles(t, withoutViewer(t, f.HTML())))
		if len(f.Wave.Cycles) > 0 {
			golden(t, name+".svg", withoutStyles(t, f.SVG()))
		}
	}
}

// withoutStyles returns a page or drawing with the names of its style sheets in their places.
func withoutStyles(t *testing.T, page string) string {
	t.Helper()
	for _, name := range []string{"page.css", "wave.css"} {
		style, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		page = strings.ReplaceAll(page, string(style), "("+name+")\n")
	}
	return page
}

// withoutViewer returns a page without the viewer of waves, and with what it draws in words.
func withoutViewer(t *testing.T, page string) string {
	t.Helper()
	page = regexp.MustCompile(`(?s)<style>\n/\* The viewer.*?</style>`).ReplaceAllString(page, "<style>\n(the viewer)\n</style>")
	page = regexp.MustCompile(`(?s)<script>.*?</script>`).ReplaceAllString(page, "<script>(the viewer)</script>")
	page = regexp.MustCompile(`sha256-.*?&#39;`).ReplaceAllString(page, "(the viewer)&#39;")
	return regexp.MustCompile(`(<script id="wave-data" .*?>)(.*?)</script>`).ReplaceAllStringFunc(page, func(element string) string {
		tag, text, _ := strings.Cut(element, ">")
		z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(strings.TrimSuffix(text, "</script>"))))
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		about := data[4 : 4+binary.LittleEndian.Uint32(data)]
		lines := strings.ReplaceAll(string(about), "{", "\n{")
		return fmt.Sprintf("%s>%s\n%x\n</script>", tag, lines, data[4+len(about):])
	})
}

// TestLook checks that the text of the counter's failure is what package sim has always printed.
func TestLook(t *testing.T) {
	want, err := os.ReadFile("../testdata/report.txt")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(counter().Text(false), "\n")); diff != "" {
		t.Error(diff)
	}
}

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; write it with: go test ./sim/report -update", err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (- as it was, + as it is; if that is meant: go test ./sim/report -update):\n%s", path, diff)
	}
}
