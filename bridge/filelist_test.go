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

func TestWrongFileLists(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a.sv\n-f", "hw/x.f:2: -f needs a word after it"},
		{"a.sv\n\n-y lib\n", "hw/x.f:3: -y is not understood"},
		{"-f x.f", "x.f includes itself: x.f -> x.f"},
		{"-f y.f", "file list y.f: "},
		{"-I", "hw/x.f:1: -I needs a word after it"},
	} {
		d := bridge.Design{Dir: "hw", FS: fstest.MapFS{"x.f": {Data: []byte(c.text)}}}
		if err := d.AddFileList("x.f"); err == nil || !contains(err, c.want) {
			t.Errorf("%q: the error is %v, not one with %q", c.text, err, c.want)
		}
	}
}
