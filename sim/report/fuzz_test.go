package report_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/cosimate/cosimate/sim/report"
)

// TestAnyFailure makes reports of any failure: names with any characters, widths up to 4096 bits,
// bits that are unknown or missing, rows too short. Nothing panics, files are well-formed, text has
// no trailing blanks or control characters, and each report is the same every time.
func TestAnyFailure(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) { anyFailure(t, dir) })
}

func FuzzFailure(f *testing.F) {
	dir := f.TempDir()
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { anyFailure(t, dir) }))
}

func anyFailure(t *rapid.T, dir string) {
	f := drawFailure(t)
	text := f.Text(false)
	for line := range strings.SplitSeq(text, "\n") {
		if strings.TrimRight(line, " \t\r") != line {
			t.Errorf("trailing blanks: %q", line)
		}
	}
	if i := strings.IndexFunc(text, func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f }); i >= 0 || !utf8.ValidString(text) {
		t.Errorf("control character in %q", text[max(i, 0):])
	}
	if plain := escapes.ReplaceAllString(f.Text(true), ""); plain != text {
		t.Errorf("in colour the text is another:\n%q\n%q", plain, text)
	}
	svg, html := f.SVG(), f.HTML()
	for name, document := range map[string]string{"SVG": svg, "HTML": html} {
		if err := wellFormed(document); err != nil {
			t.Errorf("the %s is not well-formed: %v", name, err)
		}
		if bad := misprint.FindString(document); bad != "" {
			t.Errorf("the %s has %q", name, bad)
		}
	}
	if again := f.Text(false) + f.SVG() + f.HTML(); again != text+svg+html {
		t.Error("the second time it is another")
	}
	var err error
	if f.FST, err = filepath.Abs("testdata/icarus.fst"); err != nil {
		t.Fatal(err)
	}
	if _, err := report.Write(dir, f); err != nil {
		t.Error(err)
	}
	save, err := os.ReadFile(filepath.Join(dir, "wave.gtkw"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(save)) {
		if !gtkwLine.MatchString(line) {
			t.Errorf("wave.gtkw has the line %q", line)
		}
	}
	if strings.Contains(f.Title(), "\n") {
		t.Errorf("a title of more than one line: %q", f.Title())
	}
}

var (
	escapes  = regexp.MustCompile("\x1b\\[[0-9;]*m")
	misprint = regexp.MustCompile(`"NaN|%![a-zA-Z]\([a-z]+=|ZgotmplZ`)
	gtkwLine = regexp.MustCompile(`^(\[[a-z_*]+\] .*|\*-?[0-9.]+ -?[0-9]+( -1)+|@[0-9a-f]+|-(in|out)puts|-internal|scope\..*)\n$`)
)

// wellFormed reads a document as strict XML, and checks that each id is there once.
func wellFormed(document string) error {
	d := xml.NewDecoder(strings.NewReader(document))
	ids := map[string]bool{}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if start, ok := token.(xml.StartElement); ok {
			for _, a := range start.Attr {
				if a.Name.Local == "id" && ids[a.Value] {
					return fmt.Errorf("two elements of the id %s", a.Value)
				} else if a.Name.Local == "id" {
					ids[a.Value] = true
				}
			}
		}
	}
}

func drawFailure(t *rapid.T) *report.Failure {
	name := rapid.OneOf(rapid.StringMatching(`[a-z_][a-zA-Z0-9_$]{0,20}`), rapid.SampledFrom([]string{
		"", `a[3].b`, `</text><script>`, `"q"&'`, "\x00\x1b[31m", "a b\n c \n", "\xff", "]]>", "{{.}}", "é世", "\u202e", "--", "%s", strings.Repeat("long_", 60),
	}), rapid.String())
	columns := rapid.IntRange(0, 4).Draw(t, "columns")
	cycles := rapid.IntRange(0, 24).Draw(t, "cycles")
	value := func(width int) report.Value {
		bits := rapid.SliceOfN(rapid.Byte(), 0, (width+7)/8).Draw(t, "bits")
		switch rapid.IntRange(0, 4).Draw(t, "kind") {
		case 0:
			return report.Value{}
		case 1:
			return report.Bytes(bits, rapid.SliceOfN(rapid.Byte(), 0, (width+7)/8).Draw(t, "unknown"))
		case 2: // all X or all Z
			all := new(big.Int).Lsh(big.NewInt(1), uint(width))
			all.Sub(all, big.NewInt(1))
			return report.Value{Bits: rapid.SampledFrom([]*big.Int{big.NewInt(0), all}).Draw(t, "xz"), Unknown: all}
		case 3:
			return report.Uint(rapid.Uint64Range(0, 3).Draw(t, "small"))
		}
		return report.Bytes(bits, nil)
	}
	values := func(n, width int) (v []report.Value) {
		for range n {
			v = append(v, value(width))
		}
		return v
	}
	signal := func() report.Signal {
		s := report.Signal{
			Name:   name.Draw(t, "name"),
			Width:  rapid.OneOf(rapid.SampledFrom([]int{1, 1, 8, 64}), rapid.IntRange(1, 200), rapid.IntRange(-1, 4096)).Draw(t, "width"),
			Signed: rapid.Bool().Draw(t, "signed"),
			Dir:    rapid.SampledFrom([]report.Direction{report.Input, report.Output, report.Internal, ""}).Draw(t, "dir"),
			Format: rapid.SampledFrom([]report.Format{report.Hex, report.Decimal, report.Binary, report.Grid}).Draw(t, "format"),
		}
		if rapid.Bool().Draw(t, "enumeration") {
			s.Names = map[uint64]string{0: name.Draw(t, "zero"), 1: name.Draw(t, "one")}
		}
		return s
	}
	f := &report.Failure{
		Top: name.Draw(t, "top"), File: name.Draw(t, "file"), Line: rapid.IntRange(-1, 5).Draw(t, "line"),
		Cycle: rapid.Uint64Range(0, uint64(cycles)).Draw(t, "cycle"), At: time.Duration(rapid.Int64().Draw(t, "at")),
		Note: name.Draw(t, "note"), Reproduce: name.Draw(t, "reproduce"), FST: name.Draw(t, "fst"), FSTScope: "scope",
		Files: []report.File{{Path: name.Draw(t, "path"), About: name.Draw(t, "about")}},
	}
	if rapid.Bool().Draw(t, "stopped") {
		f.Reason = name.Draw(t, "reason")
	}
	for range columns {
		f.Columns = append(f.Columns, name.Draw(t, "column"))
	}
	f.Wave.Column = rapid.SampledFrom(append([]string{"none"}, f.Columns...)).Draw(t, "wave's column")
	for i := range cycles {
		f.Wave.Cycles = append(f.Wave.Cycles, uint64(i))
		f.Wave.Times = append(f.Wave.Times, time.Duration(i)*time.Nanosecond)
	}
	f.Wave.Times = f.Wave.Times[:rapid.IntRange(0, cycles).Draw(t, "times")]
	for range rapid.IntRange(0, 2).Draw(t, "clocks") {
		f.Wave.Clocks = append(f.Wave.Clocks, report.Clock{Name: name.Draw(t, "clock"), Rises: rapid.SliceOfN(rapid.Bool(), 0, cycles+1).Draw(t, "rises")})
	}
	for range rapid.IntRange(0, 4).Draw(t, "signals") {
		s := signal()
		width := max(1, s.Width)
		trace := report.Trace{Signal: s, Values: values(rapid.IntRange(0, cycles+1).Draw(t, "rows"), width)}
		if rapid.Bool().Draw(t, "has others") {
			trace.Others = []report.Series{{Column: "model", Values: values(rapid.IntRange(0, cycles+1).Draw(t, "others"), width)}}
		}
		f.Wave.Traces = append(f.Wave.Traces, trace)
		if rapid.Bool().Draw(t, "port") {
			p := report.Port{Signal: s, Values: values(rapid.IntRange(0, columns+1).Draw(t, "values"), width)}
			if rapid.Bool().Draw(t, "ignores") {
				p.Ignored = value(width).Bits
			}
			f.Ports = append(f.Ports, p)
		}
	}
	return f
}
