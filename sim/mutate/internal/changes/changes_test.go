package changes

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// All modules of the RTL are understood, and a text that ends somewhere is either understood or
// stays as it is.
func TestRTL(t *testing.T) {
	root := os.DirFS(filepath.Join("..", "..", "..", ".."))
	files, modules, all := 0, 0, 0
	err := fs.WalkDir(root, "rtl", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(name, ".sv") || strings.Contains(name, "/testdata/") {
			return err
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		f := Make(string(text), 1)
		for _, n := range f.Notes {
			t.Errorf("%s, %s", name, n)
		}
		files++
		if modules += strings.Count(string(text), "\nendmodule"); strings.Count(f.Text, "\n") != strings.Count(string(text), "\n") {
			t.Errorf("%s: lines have moved", name)
		}
		for at := 0; at < len(text); at += 1 + len(text)/40 {
			cut := Make(string(text[:at]), 1)
			if len(cut.Changes) == 0 && cut.Text != string(text[:at]) {
				t.Errorf("%s: its first %d bytes have no changes and another text", name, at)
			}
		}
		all += len(f.Changes)
		return nil
	})
	if err != nil || files < 50 || all < 1000 {
		t.Error(files, modules, all, err)
	}
	t.Logf("%d changes of %d modules", all, modules)
}

// A number becomes the next one of its width.
func TestNext(t *testing.T) {
	for text, want := range map[string]string{"'0": "'1", "'1": "'0", "7": "8", "1_9": "20", "4'd9": "4'd10", "4'd15": "4'd0", "2'b11": "2'b00", "3'b010": "3'b011", "8'hff": "8'h0",
		"4'sd3": "4'sd4", "4'b1x0?": "", "'z": "", "12'o17": "12'o20", "16'hBEEF": "16'hbef0", "'d3": ""} {
		if got := next(text, false); got != want {
			t.Errorf("%s becomes %q, want %q", text, got, want)
		}
	}
	if next("3", true) != "2" || next("0", true) != "1" {
		t.Error("an index")
	}
}

// A constant that two blocks declare stays: a name in one of them may not mean that of the other.
func TestTwoConstants(t *testing.T) {
	const text = `module two (input logic [3:0] a_i, output logic [3:0] y_o);
  localparam logic [3:0] Once = 4'd5;
  for (genvar i = 0; i < 2; i++) begin : g_low
    localparam logic Twice = 1'b0;
    assign y_o[i] = a_i[i] ^ Twice;
  end
  for (genvar i = 2; i < 4; i++) begin : g_high
    localparam logic Twice = 1'b1;
    assign y_o[i] = (a_i[i] ^ Twice) & (a_i > Once);
  end
endmodule
`
	f := Make(text, 1)
	if strings.Contains(f.Text, "Twice_") || !strings.Contains(f.Text, "Once_") || len(f.Notes) > 0 {
		t.Errorf("%v\n%s", f.Notes, f.Text)
	}
}
