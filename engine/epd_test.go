package engine_test

import (
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/cosimate/cosimate/engine"
	"github.com/google/go-cmp/cmp"
)

const kings = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"

// epdFaults holds a suite for every fault that ReadEPD names.
var epdFaults = []struct{ name, text, want string }{
	{"empty", "", "x.epd: there is no position in it; write lines such as: FEN ;D1 20 ;D2 400"},
	{"comments only", "# one\n\n", "x.epd: there is no position in it; write lines such as: FEN ;D1 20 ;D2 400"},
	{"bad FEN", "# suite\n  4k3/8/8/8/8/8/8/4K3 w K - 0 1 ;D1 5\n", "x.epd:2:25: FEN castling rights: 'K' needs a white rook on h1; drop the right or put the rook there"},
	{"not a FEN", "hello\n", "x.epd:1:6: FEN record: the record ends before the side to move (field 2 of 6); write the six fields: placement, side, castling, en passant, halfmove clock, fullmove number, one space between them"},
	{"no count", kings + "\n", "x.epd:1:30: no count follows the position; write ;D1 and its count behind it"},
	{"no count, CRLF", kings + " \r\n", "x.epd:1:30: no count follows the position; write ;D1 and its count behind it"},
	{"empty operation", kings + " ;D1 5;\n", "x.epd:1:37: nothing follows the semicolon; write a count such as D1 20, or drop it"},
	{"other operation", kings + " ;bm Ke2\n", "x.epd:1:32: \"bm Ke2\" is no count; write the depth and the count, such as D1 20"},
	{"missing count", kings + " ;D1 5 ;D2\n", "x.epd:1:40: the count of depth 2 is missing; write it behind a space"},
	{"count not a number", kings + " ;D1 5k\n", "x.epd:1:35: \"5k\" is no count; write decimal digits only"},
	{"negative count", kings + " ;D1 -5\n", "x.epd:1:35: \"-5\" is no count; write decimal digits only"},
	{"two counts", kings + " ;D1 5 6\n", "x.epd:1:35: \"5 6\" is no count; write decimal digits only"},
	{"count overflow", kings + " ;D1 18446744073709551616\n", "x.epd:1:35: the count 18446744073709551616 does not fit in 64 bits"},
	{"depth zero", kings + " ;D0 1\n", "x.epd:1:33: \"0\" is no depth; write a number from 1 to 99 behind the D"},
	{"no depth", kings + " ;D 1\n", "x.epd:1:33: \"\" is no depth; write a number from 1 to 99 behind the D"},
	{"depth too large", kings + " ;D100 1\n", "x.epd:1:33: \"100\" is no depth; write a number from 1 to 99 behind the D"},
	{"depth twice", kings + " ;D1 5 ;D2 25 ; D1 5\n", "x.epd:1:46: depth 1 is given twice; keep one"},
	{"long line", kings + " ;D1 5" + strings.Repeat(" ", 5000) + "\n", "x.epd:1:1: the line has more than 4096 bytes; put each position on a line of its own"},
	{"byte order mark inside", kings + " ;D1 5\n\ufeff" + kings + " ;D1 5\n", "x.epd:2:1: FEN piece placement: '\\ufeff' is no piece; use PNBRQK for White, pnbrqk for Black, 1 to 8 for empty squares and /"},
}

func TestEPDFaults(t *testing.T) {
	for _, c := range epdFaults {
		t.Run(c.name, func(t *testing.T) {
			entries, err := engine.ReadEPD(strings.NewReader(c.text), "x.epd")
			if err == nil {
				t.Fatalf("accepted as %v", entries)
			}
			if diff := cmp.Diff(c.want, err.Error()); diff != "" {
				t.Error(diff)
			}
			if entries != nil {
				t.Error("positions came with the error")
			}
		})
	}
	boom := errors.New("boom")
	_, err := engine.ReadEPD(iotest.ErrReader(boom), "x.epd")
	if !errors.Is(err, boom) || err.Error() != "x.epd: cannot be read: boom" {
		t.Error(err)
	}
}

// TestEPDForms: every way of writing that is let pass says the same.
func TestEPDForms(t *testing.T) {
	want := []engine.DepthCount{{Depth: 1, Nodes: 5}, {Depth: 2, Nodes: 25}, {Depth: 3, Nodes: math.MaxUint64}}
	for _, text := range []string{
		kings + " ;D1 5 ;D2 25 ;D3 18446744073709551615",
		kings + "; D1 5; D2 25; D3 18446744073709551615\n",
		kings + ";D1 5;D2 25;D3 18446744073709551615\r\n",
		"\t" + kings + " \t;\tD1 \t5 ; D2  25 ;D3 18446744073709551615 \t\r\n\r\n",
		"\ufeff" + kings + " ;D1 5 ;D2 25 ;D3 18446744073709551615\n",
		"4k3/8/8/8/8/8/8/4K3 w - - ;D1 5 ;D2 25 ;D3 18446744073709551615\n",
	} {
		for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
			entries, err := engine.ReadEPD(r, "x.epd")
			if err != nil || len(entries) != 1 {
				t.Errorf("%q: %d positions, %v", text, len(entries), err)
				continue
			}
			e := entries[0]
			if diff := cmp.Diff(want, e.Counts); diff != "" || e.FEN != kings || e.Position.FEN() != kings || e.Line != 1 {
				t.Errorf("%q: %q line %d %s", text, e.FEN, e.Line, diff)
			}
		}
	}
}

func FuzzReadEPD(f *testing.F) {
	for _, c := range epdFaults {
		f.Add(c.text)
	}
	f.Add("# kings\r\n" + kings + " ;D1 5 ;D2 25\r\n\n" + wellKnown[1].fen + "; D1 48; D2 2039")
	f.Fuzz(func(t *testing.T, text string) {
		entries, err := engine.ReadEPD(strings.NewReader(text), "x")
		if err != nil {
			var fault *engine.EPDError
			if !errors.As(err, &fault) || entries != nil {
				t.Fatalf("%q: %v, %#v", text, entries, err)
			}
			lines := strings.SplitAfter(text, "\n")
			if fault.Line < 0 || fault.Line > len(lines) || fault.Line > 0 && (fault.Column < 1 || fault.Column > len(lines[fault.Line-1])+1) {
				t.Fatalf("%q: no such place: %v", text, err)
			}
			return
		}
		// Written again, it says the same.
		var s strings.Builder
		for _, e := range entries {
			s.WriteString(e.FEN)
			for _, c := range e.Counts {
				s.WriteString(" ;D" + strconv.Itoa(c.Depth) + " " + strconv.FormatUint(c.Nodes, 10))
			}
			s.WriteString("\n")
		}
		again, err := engine.ReadEPD(strings.NewReader(s.String()), "x")
		if err != nil || len(again) != len(entries) {
			t.Fatalf("%q: %d positions, then %d: %v", text, len(entries), len(again), err)
		}
		for i, e := range entries {
			if again[i].FEN != e.FEN || again[i].Position != e.Position || !cmp.Equal(again[i].Counts, e.Counts) {
				t.Fatalf("%q: position %d differs", text, i+1)
			}
		}
	})
}
