package coverdb_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cosimate/cosimate/sim/cover/coverdb"
)

// anyData draws coverage with names that repeat, and odd names.
var anyData = rapid.Custom(func(t *rapid.T) *coverdb.Data {
	odd := rapid.OneOf(rapid.SampledFrom([]string{"", `a "b" \`, "end 3\n", "\xff\x00", "<é,1>"}), rapid.String())
	// Mostly the same name, as counts that are added up matter most.
	name := rapid.SampledFrom([]string{"a", "a", "a", odd.Draw(t, "odd")})
	count := rapid.SampledFrom([]uint64{0, 1, 2, 7, 1<<64 - 1})
	place := rapid.IntRange(0, 1)
	d := &coverdb.Data{}
	for range rapid.IntRange(0, 12).Draw(t, "points") {
		d.AddCode(coverdb.CodePoint{
			File: name.Draw(t, "file"), Line: place.Draw(t, "line"), Column: place.Draw(t, "column"),
			Kind:    rapid.SampledFrom([]string{"line", "toggle", "fsm_arc"}).Draw(t, "kind"),
			Comment: name.Draw(t, "comment"), Hierarchy: name.Draw(t, "hierarchy"), Lines: rapid.SampledFrom([]string{"", "1", "2,4-7"}).Draw(t, "lines"),
		}, count.Draw(t, "count"))
	}
	for range rapid.IntRange(0, 3).Draw(t, "files") { // with and without points
		file := name.Draw(t, "file")
		if err := d.AddFile(file, coverdb.Hash([]byte(file))); err != nil {
			t.Fatal(err)
		}
	}
	for range rapid.IntRange(0, 12).Draw(t, "bins") {
		bin := name.Draw(t, "bin")
		values := []string{"", "7", "-3:4,9"}[len(bin)%3] // the same for the same bin
		err := d.AddBin(coverdb.Bin{
			Group: name.Draw(t, "group"), Item: name.Draw(t, "item"), Cross: rapid.Bool().Draw(t, "cross"),
			Kind: rapid.SampledFrom([]coverdb.BinKind{coverdb.Goal, coverdb.Default, coverdb.Ignored, coverdb.Illegal}).Draw(t, "kind"), Name: bin,
		}, coverdb.Hits{Count: count.Draw(t, "hits"), AtLeast: count.Draw(t, "goal"), ItemOrder: place.Draw(t, "item order"), Order: place.Draw(t, "order"), Values: values})
		if err != nil {
			t.Fatal(err)
		}
	}
	return d
})

func TestTextAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := anyData.Draw(t, "data")
		text := d.Text()
		got, err := coverdb.Parse("db", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if diff := cmp.Diff(d, got); diff != "" {
			t.Fatalf("(-want +got)\n%s", diff)
		}
		if diff := cmp.Diff(string(text), string(got.Text())); diff != "" {
			t.Fatalf("text (-first +second)\n%s", diff)
		}
	})
}

func TestMergeOrder(t *testing.T) {
	merged := func(all ...*coverdb.Data) *coverdb.Data {
		d := &coverdb.Data{}
		for _, a := range all {
			if err := d.Merge(a); err != nil {
				t.Fatal(err)
			}
		}
		return d
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := anyData.Draw(t, "a"), anyData.Draw(t, "b"), anyData.Draw(t, "c")
		if diff := cmp.Diff(merged(a, b), merged(b, a)); diff != "" {
			t.Fatalf("not commutative: %s", diff)
		}
		if diff := cmp.Diff(merged(merged(a, b), c), merged(a, merged(b, c))); diff != "" {
			t.Fatalf("not associative: %s", diff)
		}
		if diff := cmp.Diff(a, merged(a, &coverdb.Data{})); diff != "" {
			t.Fatalf("nothing adds something: %s", diff)
		}
	})
}

func TestMergeEnds(t *testing.T) {
	d := &coverdb.Data{}
	point, bin := coverdb.CodePoint{File: "a.sv", Kind: "line"}, coverdb.Bin{Group: "g", Item: "p", Kind: coverdb.Goal, Name: "b"}
	d.AddCode(point, 1<<64-1)
	d.AddCode(point, 2)
	for _, h := range []coverdb.Hits{{Count: 1<<64 - 1, AtLeast: 5, Order: 3}, {Count: 2, AtLeast: 4, Order: 7}} {
		if err := d.AddBin(bin, h); err != nil {
			t.Error(err)
		}
	}
	if d.Code[point] != 1<<64-1 || d.Bins[bin] != (coverdb.Hits{Count: 1<<64 - 1, AtLeast: 5, Order: 3}) {
		t.Errorf("%+v", d)
	}
}

// Hits of bins with the same name but other values are not added up, from one process or several.
func TestOtherValues(t *testing.T) {
	with := func(values string) *coverdb.Data {
		return &coverdb.Data{
			Code: map[coverdb.CodePoint]uint64{{File: "a.sv", Line: 1, Kind: "line"}: 1},
			Bins: map[coverdb.Bin]coverdb.Hits{{Group: "g", Item: "p", Kind: coverdb.Goal, Name: "low"}: {Count: 1, AtLeast: 1, Values: values}},
		}
	}
	const want = `coverage group "g", "p": bin "low" is 0:3 in one place and 0:100 in another: `
	d := with("0:3")
	var wrong *coverdb.ValuesError
	if err := d.Merge(with("0:100")); !errors.As(err, &wrong) || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("the error is %v, want %q", err, want)
	}
	if diff := cmp.Diff(with("0:3"), d); diff != "" {
		t.Errorf("something was added: %s", diff)
	}
	dir := t.TempDir()
	for name, values := range map[string]string{"a": "0:3", "b": "0:100"} {
		if err := with(values).WriteFile(dir, name+coverdb.Ext); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := coverdb.Read(dir); err == nil || !strings.HasPrefix(err.Error(), filepath.Join(dir, "b.coverage: ")+want) {
		t.Errorf("the error of the folder is %v, want that of b.coverage", err)
	}
}

// A file without its end, wherever it was cut, is an error.
func TestCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := anyData.Draw(t, "data").Text()
		n := rapid.IntRange(0, len(text)-1).Draw(t, "length")
		if _, err := coverdb.Parse("db", text[:n]); err == nil {
			t.Fatalf("%d bytes of %d are taken for all", n, len(text))
		}
	})
}

func TestForeign(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "db:1: this is no coverage database of Cosimate's",
		"\x7fELF\x02":                   "db:1: this is no coverage database of Cosimate's",
		"cosimate coverage 2\nend 1\n":  `db:1: version "2" of the format is not known, only 1: use the Cosimate that wrote it`,
		"cosimate coverage 1\n":         "db:2: the end is missing: the file was cut",
		"cosimate coverage 1\nend 2\n":  `db:2: "end 2", but 1 lines come before: the file was damaged`,
		"cosimate coverage 1\nend 1\nx": "db:3: something follows the end: the file was damaged",
		"cosimate coverage 1\nbin 0 1/1 \"a\"\nend 2\n":                                          `db:2: "bin" is not expected here`,
		"cosimate coverage 1\ngroup a\nend 2\n":                                                  `db:2: a text in quotes is missing at "a"`,
		"cosimate coverage 1\ngroup \"a\" b\nend 2\n":                                            `db:2: "b" is too much`,
		"cosimate coverage 1\ngroup \"a\"\npoint 0 \"p\"\nbin 0 -1/1 \"b\"\nend 4\n":             `db:4: "-1" is no number`,
		"cosimate coverage 1\ngroup \"a\"\npoint 0 \"p\"\nbin 0 11 \"b\"\nend 4\n":               `db:4: "11" has no "/"`,
		"cosimate coverage 1\ngroup \"a\"\npoint 0 \"p\"\nbin 0 1/1 \"b\" x\nend 4\n":            `db:4: "x" is no list of values`,
		"cosimate coverage 1\ngroup \"a\"\npoint -1 \"p\"\nend 3\n":                              `db:3: "-1" is no place`,
		"cosimate coverage 1\nfile \"a\"\ncode LINE 1:1 0 \"\" \"\"\nend 3\n":                    `db:3: "LINE" is no kind of coverage`,
		"cosimate coverage 1\nfile \"a\"\ncode line 1:1 0 \"\" \"\" 9-1\nend 3\n":                `db:3: "9-1" is no list of lines`,
		"cosimate coverage 1\nfile \"a\"\ncode line 1:1 0 \"\" \"\" 1-999999999\nend 3\n":        `db:3: "1-999999999" is no list of lines`,
		"cosimate coverage 1\nfile \"a\"\ncode line 1:1\nend 3\n":                                `db:3: something is missing in this line`,
		"cosimate coverage 1\nfile \"a\" 12\nend 2\n":                                            `db:2: "12" is no hash of a file`,
		"cosimate coverage 1\nfile \"a\" 0123456789abcdef\nfile \"a\" 0123456789abcdee\nend 3\n": "db:3: different source files are called a, whose counts cannot be added up: set Design.Dir of one of the designs or, if the file was changed, remove the databases of before",
	} {
		if _, err := coverdb.Parse("db", []byte(text)); err == nil || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", text, err, want)
		}
	}
}

// No text makes Parse panic.
func FuzzParse(f *testing.F) {
	f.Add([]byte("cosimate coverage 1\ngroup \"a\"\npoint 0 \"p\"\nbin 0 1/1 \"b\"\nfile \"f\"\ncode line 1:1 0 \"\" \"\" 1-2\nend 6\n"))
	f.Add([]byte("# SystemC::Coverage-3\nC '\x01f\x02a.sv\x01l\x021\x01page\x02v_line/a\x01S\x021,2-3' 7\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if d, err := coverdb.Parse("db", text); err == nil {
			if again, err := coverdb.Parse("db", d.Text()); err != nil || !cmp.Equal(d, again) {
				t.Errorf("%q is not read as it was written: %v", text, err)
			}
		}
		if d, err := coverdb.ParseVerilator("dat", in("rtl"), text); err == nil {
			if again, err := coverdb.Parse("db", d.Text()); err != nil || !cmp.Equal(d, again) {
				t.Errorf("%q is not read as it was written: %v", text, err)
			}
		}
	})
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	if _, _, err := coverdb.Read(dir); !errors.Is(err, coverdb.ErrEmpty) {
		t.Errorf("an empty folder: %v", err)
	}
	if _, _, err := coverdb.Read(filepath.Join(dir, "none")); err == nil || err.Error() != filepath.Join(dir, "none")+": no such file or directory" {
		t.Errorf("no folder: %v", err)
	}
	one := &coverdb.Data{}
	point := coverdb.CodePoint{File: "a.sv", Line: 1, Kind: "line"}
	one.AddCode(point, 2)
	for _, name := range []string{coverdb.NewName(), coverdb.NewName()} {
		for range 2 { // the second replaces the first
			if err := one.WriteFile(dir, name); err != nil {
				t.Fatal(err)
			}
		}
	}
	// Other files are not read, nor is the temporary file of a killed process.
	for _, name := range []string{"notes.txt", ".cover-1-a.coverage-123.tmp"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	d, files, err := coverdb.Read(dir, dir+"/.")
	if err != nil || files != 2 || d.Code[point] != 4 {
		t.Errorf("%d files, %v, %v", files, d, err)
	}
	bad := filepath.Join(dir, "bad.coverage")
	if err := os.WriteFile(bad, []byte("cosimate coverage 1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := coverdb.Read(dir); err == nil || !strings.HasPrefix(err.Error(), bad+":2: ") {
		t.Errorf("a file that was cut: %v", err)
	}
}

// Counts of two versions of a file are not added up, as their lines differ.
func TestChangedSource(t *testing.T) {
	dir := t.TempDir()
	point := coverdb.CodePoint{File: "a.sv", Line: 1, Kind: "line"}
	write := func(name, text string) {
		t.Helper()
		d := &coverdb.Data{}
		d.AddCode(point, 2)
		if text != "" {
			if err := d.AddFile("a.sv", coverdb.Hash([]byte(text))); err != nil {
				t.Fatal(err)
			}
		}
		if err := d.WriteFile(dir, name); err != nil {
			t.Fatal(err)
		}
	}
	write("1.coverage", "")
	write("2.coverage", "old")
	write("3.coverage", "old")
	if d, _, err := coverdb.Read(dir); err != nil || d.Code[point] != 6 {
		t.Errorf("the same: %v, %v", d, err)
	}
	write("4.coverage", "new")
	_, _, err := coverdb.Read(dir)
	want := filepath.Join(dir, "2.coverage") + " and " + filepath.Join(dir, "4.coverage") + ": different source files are called a.sv, whose counts cannot be added up: set Design.Dir of one of the designs or, if the file was changed, remove the databases of before"
	if err == nil || err.Error() != want {
		t.Errorf("%v\nnot %s", err, want)
	}
	one, other := &coverdb.Data{Files: map[string]string{"a.sv": "1"}}, &coverdb.Data{Files: map[string]string{"a.sv": "2", "0.sv": "1"}}
	other.AddCode(point, 1)
	if err := one.Merge(other); err == nil || len(one.Code) > 0 || len(one.Files) > 1 {
		t.Errorf("%v, but there is %v", err, one)
	}
}

func BenchmarkText(b *testing.B) {
	d := &coverdb.Data{}
	for i := range 20_000 {
		d.AddCode(coverdb.CodePoint{File: "rtl/movegen/movegen.sv", Line: i / 10, Column: i, Kind: "toggle", Comment: "signal[3]:0->1", Hierarchy: "movegen.u_safety"}, uint64(i))
	}
	for b.Loop() {
		d.Text()
	}
}
