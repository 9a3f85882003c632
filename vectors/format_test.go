package vectors_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/cosimate/cosimate/rtl/blocks"
	"github.com/cosimate/cosimate/vectors"
)

// same compares files without the places of their words.
var same = cmp.Options{
	cmpopts.IgnoreUnexported(vectors.File{}), cmpopts.IgnoreFields(vectors.Line{}, "At"),
	cmpopts.IgnoreFields(vectors.Word{}, "Column"), cmpopts.IgnoreFields(vectors.Section{}, "At"), cmpopts.EquateEmpty(),
}

// text draws a vector as somebody might type it, with blanks and comments anywhere. It parses.
func text(t *rapid.T) string {
	var b strings.Builder
	word := rapid.StringMatching(`[a-z0-9_.,;/=-]*[a-z0-9_]`)
	blank := rapid.StringMatching(` {1,4}`)
	comment := rapid.Custom(func(t *rapid.T) string {
		return rapid.SampledFrom([]string{"", "", "", "# x", "#", "## so it is: a | b *3", "#–ä", "#  two"}).Draw(t, "comment")
	})
	line := func(words []string) {
		if rapid.Bool().Draw(t, "indented") && len(words) > 0 {
			b.WriteString(blank.Draw(t, "blank"))
		}
		for i, w := range words {
			if i > 0 {
				b.WriteString(blank.Draw(t, "blank"))
			}
			b.WriteString(w)
		}
		if c := comment.Draw(t, "c"); c != "" && len(words) > 0 {
			b.WriteString(" " + c)
		} else {
			b.WriteString(c)
		}
		b.WriteString("\n")
	}
	between := func() {
		for range rapid.IntRange(0, 2).Draw(t, "empty") {
			line(nil)
		}
	}
	between()
	for range rapid.IntRange(0, 3).Draw(t, "keys") {
		line(append([]string{rapid.StringMatching(`[a-z]+:`).Draw(t, "key")}, rapid.SliceOfN(word, 1, 3).Draw(t, "value")...))
		between()
	}
	for range rapid.IntRange(1, 3).Draw(t, "sections") {
		kind := rapid.SampledFrom([]string{"cycles", "script", "epd"}).Draw(t, "kind")
		b.WriteString("-- " + kind + " --\n")
		between()
		if kind != "cycles" {
			for range rapid.IntRange(1, 4).Draw(t, "lines") {
				words := rapid.SliceOfN(word, 1, 4).Draw(t, "words")
				words[0] = strings.TrimLeft(words[0], "-") + "a"
				line(words)
				between()
			}
			continue
		}
		left, right := rapid.IntRange(0, 3).Draw(t, "left"), rapid.IntRange(1, 3).Draw(t, "right")
		cells := func() (row []string) {
			row = append(row, rapid.SliceOfN(word, left, left).Draw(t, "l")...)
			row = append(row, "|")
			return append(row, rapid.SliceOfN(word, right, right).Draw(t, "r")...)
		}
		titles := cells()
		if strings.HasPrefix(titles[0], "--") {
			titles[0] = "a" + titles[0]
		}
		line(titles)
		for n := range rapid.IntRange(1, 4).Draw(t, "rows") {
			between()
			c := cells()
			if strings.HasPrefix(c[0], "--") {
				c[0] = "a" + c[0]
			}
			if rapid.Bool().Draw(t, "label") {
				c = append([]string{fmt.Sprintf("l%d:", n)}, c...)
			}
			if rapid.Bool().Draw(t, "repeat") {
				c = append(c, "*7")
			}
			line(c)
		}
	}
	return b.String()
}

// A vector that is printed and parsed is the same, and when it is printed again the text is the
// same.
func TestParsePrintParse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := text(t)
		f, err := vectors.Parse("x", []byte(in))
		if err != nil {
			t.Fatalf("%s\n%v", in, err)
		}
		printed := vectors.Format(f)
		again, err := vectors.Parse("x", []byte(printed))
		if err != nil {
			t.Fatalf("%s\n%v", printed, err)
		}
		if d := cmp.Diff(f, again, same); d != "" {
			t.Fatalf("%s\nis printed as\n%s\n%s", in, printed, d)
		}
		if twice := vectors.Format(again); twice != printed {
			t.Fatalf("printed again it changes:\n%s", cmp.Diff(printed, twice))
		}
		for c := range strings.SplitSeq(in, "#") {
			if c = strings.TrimSpace(strings.SplitN(c, "\n", 2)[0]); strings.HasPrefix(c, "so it is") && !strings.Contains(printed, c) {
				t.Fatalf("a comment is lost: %s", c)
			}
		}
	})
}

// No text makes parser or checks panic or hang, or return an error with control characters.
func FuzzParse(f *testing.F) {
	dir := here(f, besides)
	for _, w := range slices.Concat(wrong, wrongRTL, wrongAgents, wrongMemories) {
		if len(w.text) < 10_000 {
			f.Add([]byte(w.text))
		}
	}
	files, err := vectors.Files("../rtl")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte(r("top: fifo\nclock: clk=8ns\nreset: rst_n low 5\nparameters: DEPTH=4\nmodel: csv sh model.sh\n", "always full -> count[2] == 1'b1 && !empty\nrandom 9 din 0..3,9 push 20% when full 0 and pop 1\npeek mem[3] x\nforce count 3\nrelease count\n")))
	f.Add([]byte(w("bus write 1 0xff bytes 0b0011 answer ERR\nbus memory 9 0..3\nwithin 9 bus read 0 expect 0x1-\nstart rx send \"a\\n\" 1..3\nrx framing 1\nrx break 9\nout expect \"a b\" 7 within 2us\nin send \"x\" 9\ntx drop\n")))
	f.Fuzz(func(t *testing.T, data []byte) { try(t, data, filepath.Join(dir, "x")) })
}

// try parses and checks a text, and checks the errors.
func try(t *testing.T, data []byte, name string) {
	file, err := vectors.Parse(name, data)
	if wrong := blocks.All().Check(file); err == nil {
		err = wrong
	}
	if _, ok := errors.AsType[*vectors.ToolError](err); ok {
		return // what a simulator says of RTL is its own
	}
	if err != nil {
		text := err.Error()
		if len(text) > 50_000 || !utf8.ValidString(text) || strings.ContainsAny(text, "\x1b\x00\x07\r") {
			t.Fatalf("%d bytes: %q", len(text), text)
		}
		return
	}
	printed := vectors.Format(file)
	again, err := vectors.Parse(name, []byte(printed))
	if err != nil {
		t.Fatalf("%s\nprinted:\n%s\n%v", data, printed, err)
	}
	if d := cmp.Diff(file, again, same); d != "" {
		t.Fatal(d)
	}
}

// The same with all shipped vectors, each changed at random places.
func TestMutilated(t *testing.T) {
	files, err := vectors.Files("../rtl")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for range 30 {
			b := append([]byte(nil), text...)
			for range 1 + r.IntN(4) {
				at := r.IntN(len(b))
				switch r.IntN(4) {
				case 0:
					b[at] = byte(r.IntN(256))
				case 1:
					b = append(b[:at], b[min(len(b), at+1+r.IntN(8)):]...)
				case 2:
					b[at] = " |#:-*x?0\n"[r.IntN(10)]
				case 3:
					from := r.IntN(len(b))
					b = append(b[:at:at], append([]byte(string(b[from:min(len(b), from+20)])), b[at:]...)...)
				}
				if len(b) == 0 {
					b = []byte("x")
				}
			}
			try(t, b, "x")
		}
	}
}
