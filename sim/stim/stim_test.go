package stim_test

import (
	"encoding/binary"
	"flag"
	"fmt"
	"hash/fnv"
	"math/bits"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/sim/stim"
)

// everything has a field of each kind.
type everything struct {
	Rst    bool      `rand:"-"`
	Valid  bool      `rand:"p=0.25"`
	Ready  bool      //
	Never  bool      `rand:"p=0"`
	Always bool      `rand:"p=1"`
	Op     uint8     `rand:"0..5"`
	Len    uint8     `rand:"0:1,1..254:8,255:1"`
	Gnt    uint8     `rand:"onehot,bits=6"`
	Off    int16     `rand:"-100..100"`
	Near   int8      `rand:"bits=5"`
	SGnt   int8      `rand:"onehot, bits=3"`
	Addr   uint32    `rand:"bits=20"`
	Data   uint64    //
	Signed int64     //
	Some   uint16    `rand:"7, 9, 0x100..0x1ff:2, 0..40_000:1"`
	Line   [3]uint64 `rand:"bits=144"`
	Wide   [5]uint32 `rand:"bits=129"`
	Sel    [3]uint32 `rand:"onehot,bits=70"`
	Note   string    `port:"-"`
}

func TestValues(t *testing.T) {
	g := newGen[everything](t, 1)
	count := map[string]int{}
	const n = 200_000
	for e := range g.Cycles(t, n) {
		is := func(name string, yes bool) {
			if yes {
				count[name]++
			}
		}
		is("rst", e.Rst)
		is("valid", e.Valid)
		is("ready", e.Ready)
		is("never", e.Never)
		is("always", e.Always)
		is("op 0", e.Op == 0)
		is("op 5", e.Op == 5)
		is("op beyond", e.Op > 5)
		is("len 0", e.Len == 0)
		is("len 255", e.Len == 255)
		is("gnt one", bits.OnesCount8(e.Gnt) == 1 && e.Gnt < 64)
		is("gnt 5", e.Gnt == 32)
		is("off beyond", e.Off < -100 || e.Off > 100)
		is("off -100", e.Off == -100)
		is("near beyond", e.Near < -16 || e.Near > 15)
		is("near -16", e.Near == -16)
		is("sgnt", e.SGnt == 1 || e.SGnt == 2 || e.SGnt == -4)
		is("sgnt -4", e.SGnt == -4)
		is("addr beyond", e.Addr >= 1<<20)
		is("addr top", e.Addr == 1<<20-1)
		is("addr bit 19", e.Addr == 1<<19)
		is("data 0", e.Data == 0)
		is("data max", e.Data == ^uint64(0))
		is("data max-1", e.Data == ^uint64(0)-1)
		is("data one bit", bits.OnesCount64(e.Data) == 1)
		is("signed min", e.Signed == -1<<63)
		is("signed -1", e.Signed == -1)
		is("some 7", e.Some == 7)
		is("some block", e.Some >= 0x100 && e.Some <= 0x1ff)
		is("some beyond", e.Some > 40_000)
		is("line beyond", e.Line[2]>>16 != 0)
		is("line max", e.Line == [3]uint64{^uint64(0), ^uint64(0), 0xffff})
		is("line one bit", bits.OnesCount64(e.Line[0])+bits.OnesCount64(e.Line[1])+bits.OnesCount64(e.Line[2]) == 1)
		is("line bit 143", e.Line == [3]uint64{0, 0, 0x8000})
		is("wide beyond", e.Wide[4]>>1 != 0)
		is("wide bit 128", e.Wide[4] == 1)
		is("sel", bits.OnesCount32(e.Sel[0])+bits.OnesCount32(e.Sel[1])+bits.OnesCount32(e.Sel[2]) == 1 && e.Sel[2] < 64)
		is("sel 69", e.Sel[2] == 32)
		is("note", e.Note != "")
	}
	// the shares of draws that the tags and the package comment promise
	for _, want := range []struct {
		name  string
		share float64
	}{
		{"rst", 0}, {"valid", 0.25}, {"ready", 0.5}, {"never", 0}, {"always", 1},
		{"op 0", 1. / 6}, {"op 5", 1. / 6}, {"op beyond", 0}, {"len 0", 0.1}, {"len 255", 0.1},
		{"gnt one", 1}, {"gnt 5", 1. / 6}, {"off beyond", 0}, {"off -100", 1. / 201}, {"near beyond", 0}, {"near -16", 1. / 32},
		{"sgnt", 1}, {"sgnt -4", 1. / 3}, {"addr beyond", 0}, {"addr top", 0.25/8 + 0.0038}, {"addr bit 19", 0.25 / 8 / 20 * 1.05},
		{"data 0", 0.25 / 8 * 2.5}, {"data max", 0.25 / 8}, {"data max-1", 0.25 / 8}, {"data one bit", 0.25 / 8 * 2.02},
		{"signed min", 0.25 / 8}, {"signed -1", 0.25 / 8 * 0.02}, {"some 7", 0.2}, {"some block", 0.4}, {"some beyond", 0},
		{"line beyond", 0}, {"line max", 0.25 / 8 * 1.05}, {"line one bit", 0.25 / 8 * 3.05}, {"line bit 143", 0.25 / 8 * 2.1 / 144},
		{"wide beyond", 0}, {"wide bit 128", 0.5}, {"sel", 1}, {"sel 69", 1. / 70}, {"note", 0},
	} {
		got := float64(count[want.name]) / n
		switch {
		case (want.share == 0 || want.share == 1) && got != want.share:
			t.Errorf("%s: in %v of the draws, want %v", want.name, got, want.share)
		case got < want.share*0.8-0.0005 || got > want.share*1.25+0.0025:
			t.Errorf("%s: in %.5f of the draws, want about %.5f", want.name, got, want.share)
		}
	}
}

var update = flag.Bool("update", false, "write the golden files anew")

// TestGolden checks that a seed gives the same sequence in every version. If it fails, undo what
// has changed the draws: otherwise seeds that users have recorded are worth nothing.
func TestGolden(t *testing.T) {
	g := newGen[everything](t, 42).
		With(func(e *everything) bool { return e.Op != 3 }).
		Adjust(func(r *rand.Rand, e *everything) { e.Rst = r.Uint64()%16 == 0 }).
		Hold(stim.Range{Min: 1, Max: 3}).
		Bursts(stim.Range{Min: 2, Max: 5}, stim.Range{Min: 1, Max: 4}, func(e *everything) { e.Valid = false })
	var b strings.Builder
	sum := fnv.New64a()
	n := 0
	for e := range g.Cycles(t, 10_000) {
		line := fmt.Sprintf("%+v", e)
		sum.Write([]byte(line))
		if n++; n <= 40 {
			fmt.Fprintln(&b, line)
		}
	}
	fmt.Fprintf(&b, "all %d: %016x\n", n, sum.Sum64())
	const name = "testdata/golden.txt"
	if *update {
		if err := os.WriteFile(name, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(b.String(), "\n")); diff != "" {
		t.Errorf("the sequence of seed 42 has changed (-golden +now):\n%s", diff)
	}
}

func TestTagFaults(t *testing.T) {
	for _, c := range []struct {
		build func() error
		want  string
	}{
		{try[struct {
			A uint8 `rand:"0..15,20x"`
		}], `.A: tag rand:"0..15,20x", column 7: "20x" is none of: a value`},
		{try[struct {
			A uint8 `rand:"0..256"`
		}], `column 4: 256 does not fit the field, which holds 0 to 0xff`},
		{try[struct {
			A int8 `rand:"-129"`
		}], `column 1: -129 does not fit the field, which holds -128 to 127`},
		{try[struct {
			A uint8 `rand:"9..3"`
		}], `column 1: the range 9..3 is empty`},
		{try[struct {
			A uint8 `rand:"1, 3:-2"`
		}], `column 6: "-2" is not a weight`},
		{try[struct {
			A uint8 `rand:"1,,2"`
		}], `column 3: nothing stands here`},
		{try[struct {
			A uint8 `rand:"1:0"`
		}], `column 1: the weights add up to 0`},
		{try[struct {
			A int64 `rand:"0..9,-0x8000_0000_0000_0000..0x7fff_ffff_ffff_ffff"`
		}], `column 1: the items have more than 2^64 values in all`},
		{try[struct {
			A uint8 `rand:"bits=9"`
		}], `column 6: "9" is not a width: a number from 1 to 8`},
		{try[struct {
			A uint8 `rand:"onehot,0..3"`
		}], `column 1: values say everything: take onehot and bits=N away`},
		{try[struct {
			A uint8 `rand:"p=0.5"`
		}], `column 1: a probability is for a bool`},
		{try[struct {
			A bool `rand:"p=1.5"`
		}], `column 3: "1.5" is not a probability`},
		{try[struct {
			A bool `rand:"p=NaN"`
		}], `column 3: "NaN" is not a probability`},
		{try[struct {
			A bool `rand:"0..1"`
		}], `column 1: a bool takes the probability of true`},
		{try[struct {
			A [2]uint64 `rand:"bits=70,0..3"`
		}], `column 9: "0..3" is not for a field of several words`},
		{try[struct{ A [65]uint64 }], `.A: it has 4160 bits: at most 4096 are possible`},
		{try[struct{ A int }], `.A: an input cannot be int`},
		{try[struct{ A struct{ B bool } }], `.A: an input cannot be struct`},
		{try[uint8], `uint8 must be a struct`},
	} {
		if err := c.build(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
	err := try[struct {
		A uint8 `rand:"x"`
		B bool
		C uint8 `rand:"y"`
	}]()
	if err == nil || strings.Count(err.Error(), "column") != 2 {
		t.Errorf("not both faults are told: %v", err)
	}
}

func try[I any]() error {
	_, err := stim.New[I](1)
	return err
}

type request struct {
	Valid bool
	Addr  uint32 `rand:"bits=20"`
	Sum   uint8
}

func TestConstraints(t *testing.T) {
	sum := func(r *request) uint8 { return uint8(r.Addr) + uint8(r.Addr>>8) + uint8(r.Addr>>16) }
	g := newGen[request](t, 3).
		With(func(r *request) bool { return r.Addr%4 == 0 }).
		Adjust(func(_ *rand.Rand, r *request) { r.Sum = sum(r) }).
		With(func(r *request) bool { return r.Sum == sum(r) })
	for r := range g.Cycles(t, 1000) {
		if r.Addr%4 != 0 || r.Sum != sum(&r) {
			t.Fatalf("%+v breaks a constraint", r)
		}
	}

	g = newGen[request](t, 3).With(func(r *request) bool { return r.Addr%8 == 0 })
	_, _, line, _ := runtime.Caller(0)
	g.With(func(r *request) bool { return r.Addr == 0x12345 }).With(func(r *request) bool { return r.Valid })
	_, err := g.Next()
	where := fmt.Sprintf("; the one of stim_test.go:%d refused ", line+1)
	if err == nil || !strings.Contains(err.Error(), "cycle 0, seed 3: none of 10000 draws holds all constraints") || !strings.Contains(err.Error(), where) {
		t.Errorf("error %v, want%s", err, where)
	}
	broken := &failing{TB: t}
	broken.try(func() {
		for range g.Cycles(broken, 10) {
			t.Error("an input came out")
		}
	})
	if !strings.Contains(broken.text, "none of 10000 draws") {
		t.Errorf("the test failed with %q", broken.text)
	}
}

// failing is a testing.TB that records its failure.
type failing struct {
	testing.TB
	text string
}

func (f *failing) Fatal(args ...any) {
	f.text = fmt.Sprint(args...)
	panic(f)
}

func (f *failing) try(body func()) {
	defer func() {
		if p := recover(); p != nil && p != f {
			panic(p)
		}
	}()
	body()
}

func TestRhythm(t *testing.T) {
	type in struct {
		Valid bool `rand:"p=1"`
		Data  uint64
	}
	g := newGen[in](t, 5).
		Hold(stim.Range{Min: 3, Max: 3}).
		Bursts(stim.Range{Min: 4, Max: 9}, stim.Range{Min: 2, Max: 6}, func(i *in) { i.Valid = false })
	all := slices.Collect(g.Cycles(t, 10_000))
	if again := slices.Collect(g.Cycles(t, 10_000)); !slices.Equal(all, again) {
		t.Error("the second range over Cycles draws otherwise")
	}
	filled := make([]in, 10_000)
	if err := g.Fill(filled[:77]); err != nil {
		t.Fatal(err)
	}
	if err := g.Fill(filled[77:]); err != nil || !slices.Equal(all, filled) {
		t.Errorf("Fill draws otherwise (error %v)", err)
	}
	for i := range all {
		if i%3 != 0 && all[i].Data != all[i-1].Data {
			t.Fatalf("cycle %d: not held for 3 cycles", i)
		}
	}
	lengths := map[bool]map[int]bool{true: {}, false: {}}
	for start := 0; start < len(all); {
		end := start
		for end < len(all) && all[end].Valid == all[start].Valid {
			end++
		}
		if end < len(all) {
			lengths[all[start].Valid][end-start] = true
		}
		start = end
	}
	if !all[0].Valid || len(lengths[true]) != 6 || len(lengths[false]) != 5 || lengths[true][10] || lengths[false][7] {
		t.Errorf("lengths of busy and idle phases: %v, want 4..9 and 2..6", lengths)
	}

	for _, c := range []struct {
		g    *stim.Generator[in]
		want string
	}{
		{newGen[in](t, 1).Hold(stim.Range{Min: 0, Max: 3}), "Hold: 0 to 3 cycles"},
		{newGen[in](t, 1).Bursts(stim.Range{Min: 1, Max: 1}, stim.Range{Min: 3, Max: 2}, func(*in) {}), "3 to 2 idle cycles"},
		{newGen[in](t, 1).Bursts(stim.Range{Min: 1, Max: 1}, stim.Range{Min: 1, Max: 1}, nil), "the function that makes a cycle idle is nil"},
		{newGen[in](t, 1).With(nil), "the constraint of stim_test.go:"},
		{newGen[in](t, 1).Adjust(nil), "Adjust: the function is nil"},
	} {
		if _, err := c.g.Next(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

func newGen[I any](t testing.TB, seed uint64) *stim.Generator[I] {
	t.Helper()
	g, err := stim.New[I](seed)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// BenchmarkNext draws a struct of 12 fields.
func BenchmarkNext(b *testing.B) {
	type in struct {
		Rst   bool   `rand:"p=0.01"`
		Valid bool   `rand:"p=0.7"`
		Ready bool   `rand:"p=0.7"`
		Last  bool   `rand:"p=0.1"`
		Op    uint8  `rand:"0..5"`
		Len   uint8  `rand:"0:1,1..254:8,255:1"`
		ID    uint8  `rand:"bits=4"`
		Gnt   uint8  `rand:"onehot"`
		Tag   uint16 `rand:"bits=12"`
		Addr  uint32
		A, B  uint64
	}
	g := newGen[in](b, 1)
	buffer := make([]in, 1024)
	for i := 0; i < b.N; i += len(buffer) {
		if err := g.Fill(buffer); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(binary.Size(in{})))
}
