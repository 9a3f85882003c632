package bridge_test

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/bridge"
)

func TestFileList(t *testing.T) {
	d := bridge.Design{
		Top: "top", Files: []string{"first.sv"}, Defines: map[string]string{"A": "1"},
		FS: fstest.MapFS{
			"all.f":          {Data: []byte("// a comment\nrtl/a.sv rtl/b.sv # another\n+incdir+inc+more/inc\n+define+B=2+C\n-I third -Ifourth\n-D E=5\n-f rest.f\n-F ip/core/core.f\n")},
			"rest.f":         {Data: []byte("rtl/c.sv\n")},
			"ip/core/core.f": {Data: []byte("core.sv +incdir+include\n")},
		},
	}
	if err := d.AddFileList("all.f"); err != nil {
		t.Fatal(err)
	}
	want := bridge.Design{
		Files:   []string{"first.sv", "rtl/a.sv", "rtl/b.sv", "rtl/c.sv", "ip/core/core.sv"},
		Include: []string{"inc", "more/inc", "third", "fourth", "ip/core/include"},
		Defines: map[string]string{"A": "1", "B": "2", "C": "", "E": "5"},
	}
	if diff := cmp.Diff([]any{want.Files, want.Include, want.Defines}, []any{d.Files, d.Include, d.Defines}); diff != "" {
		t.Error(diff)
	}
}

// Beside words a list may have comments, quotes, variables, and lines that continue in the next.
func TestFileListWords(t *testing.T) {
	t.Setenv("COSIM_RTL", "rtl")
	for _, c := range []struct {
		text    string
		files   []string
		include []string
		defines map[string]string
	}{
		{text: "a.sv//b#c/*d*/ // e", files: []string{"a.sv/b#c/*d*"}},
		{text: "rtl//w.sv ./x.sv ip/../y.sv", files: []string{"rtl/w.sv", "x.sv", "y.sv"}},
		{text: "/* c */ a.sv /* d.sv\n e.sv */f.sv", files: []string{"a.sv", "f.sv"}},
		{text: "#/* c\na.sv #b.sv */\n//c.sv", files: []string{"a.sv"}},
		{text: `"rtl/w.sv" "rtl/of two words.sv" rtl/"x".sv`, files: []string{"rtl/w.sv", "rtl/of two words.sv", "rtl/x.sv"}},
		{text: "a.sv \\\n-I \\ \r\ninc\\\r\nb.sv \\", files: []string{"a.sv", "b.sv", `\`}, include: []string{"inc"}},
		{text: "-D\nA -I\ninc", include: []string{"inc"}, defines: map[string]string{"A": ""}},
		{text: "$COSIM_RTL/a.sv ${COSIM_RTL}/b.sv $(COSIM_RTL)_c.sv d$.sv", files: []string{"rtl/a.sv", "rtl/b.sv", "rtl_c.sv", "d$.sv"}},
		{text: "+incdir+$COSIM_RTL+${COSIM_RTL}/inc -I$(COSIM_RTL)", include: []string{"rtl", "rtl/inc", "rtl"}},
		{text: `+define+A=8'h#1+B=$clog2(4) -D "C=a b" +define+D=\"x//y\" rtl/é à.sv`, files: []string{"rtl/é", "à.sv"},
			defines: map[string]string{"A": "8'h#1", "B": "$clog2(4)", "C": "a b", "D": `"x//y"`}},
	} {
		d := bridge.Design{FS: fstest.MapFS{"x.f": {Data: []byte(c.text)}}}
		if err := d.AddFileList("x.f"); err != nil {
			t.Errorf("%q: %v", c.text, err)
		}
		if diff := cmp.Diff([]any{c.files, c.include, c.defines}, []any{d.Files, d.Include, d.Defines}); diff != "" {
			t.Errorf("%q names others:\n%s", c.text, diff)
		}
	}
}

func TestWrongFileLists(t *testing.T) {
	t.Setenv("COSIM_RTL", "/abs")
	for _, c := range []struct{ text, want string }{
		{"a.sv\n-f", "hw/x.f:2:1: -f needs a word after it"},
		{"a.sv\n\n-y lib\n", "hw/x.f:3:1: -y is not understood"},
		{"a.sv -v lib.v", "hw/x.f:1:6: -v is not understood"},
		{"-f x.f", "hw/x.f:1:1: hw/x.f includes itself: hw/x.f -> hw/x.f"},
		{"a.sv -f y.f", "hw/x.f:1:6: file list hw/y.f: "},
		{"-F z/z.f", "hw/z/z.f:2:3: ../../c.sv is not a name below the root of Design.FS"},
		{"-I", "hw/x.f:1:1: -I needs a word after it"},
		{"\n /abs/a.sv", "hw/x.f:2:2: /abs/a.sv is not a name below the root of Design.FS: let that be a folder above"},
		{"../misc/a.sv", "hw/x.f:1:1: ../misc/a.sv is not a name below"},
		{"+incdir+inc+..", "hw/x.f:1:1: .. is not a name below"},
		{"$COSIM_RTL/a.sv", "hw/x.f:1:1: /abs/a.sv is not a name below"},
		{"$COSIM_NONE/a.sv", "hw/x.f:1:1: $COSIM_NONE/a.sv: COSIM_NONE is not set in the environment"},
		{"a.sv /* b.sv", "hw/x.f:1:6: this comment does not end"},
		{"a.sv /*/ b.sv", "hw/x.f:1:6: this comment does not end"},
		{"\"a.sv\nb.sv\"", "hw/x.f:1:1: a quote within this word does not end"},
		{`a.sv +define+A="`, "hw/x.f:1:6: a quote within this word does not end"},
		{"+incdir+", "hw/x.f:1:1: a name is empty"},
		{"+define+A+=1", "hw/x.f:1:1: +define+A+=1 defines nothing"},
	} {
		d := bridge.Design{Dir: "hw", FS: fstest.MapFS{"x.f": {Data: []byte(c.text)}, "z/z.f": {Data: []byte("../y/b.sv\n  ../../c.sv\n")}}}
		if err := d.AddFileList("x.f"); err == nil || !contains(err, c.want) {
			t.Errorf("%q: the error is %v, not one with %q", c.text, err, c.want)
		}
	}
}
