package fuzz_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/sim/fuzz"
	"github.com/cosimate/cosimate/sim/stim"
)

// everything has a field of each kind.
type everything struct {
	Rst       bool `rand:"-"`
	B0, B1    bool
	Fixed     uint32 `rand:"-"`
	One       uint8  `rand:"5"`
	Op        uint8  `rand:"0..5"`
	Never     uint8  `rand:"1:1,2:0,3:1"`
	Off       int16  `rand:"-100..100"`
	Near      int8   `rand:"bits=5"`
	Gnt       int8   `rand:"onehot,bits=6"`
	Addr      uint32 `rand:"bits=20"`
	Data      uint64
	Twice     uint64    `rand:"0..9, 10..0xffff_ffff_ffff_ffff"`
	Line      [3]uint64 `rand:"bits=144"`
	Wide      [5]uint32 `rand:"bits=129"`
	Sel       [3]uint32 `rand:"onehot,bits=70"`
	B2, B3    bool
	B4, B5    bool
	B6, B7    bool
	B8        bool `rand:"p=0.01"`
	NoInput   int  `port:"-"`
	Signed    int64
	SignedHot int32 `rand:"onehot"`
}

func newDecoder[I any](t testing.TB, cycles int) *fuzz.Decoder[I] {
	t.Helper()
	d, err := fuzz.NewDecoder[I](cycles)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Draws of package stim can be encoded and decoded, so every value that tags allow can be reached.
// What any bytes decode to can be encoded, so no other values can.
func TestDecoder(t *testing.T) {
	d := newDecoder[everything](t, 50)
	// 2 bytes of bools, then as many as the values of each field need
	if want := 2 + 0 + 1 + 1 + 1 + 1 + 1 + 3 + 8 + 8 + 18 + 17 + 1 + 8 + 1; d.Size() != want {
		t.Errorf("a cycle has %d bytes, want %d", d.Size(), want)
	}
	g, err := stim.New[everything](1)
	if err != nil {
		t.Fatal(err)
	}
	in := make([]everything, 50)
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		if err := g.Fill(in); err != nil {
			t.Fatal(err)
		}
		data, err := d.Encode(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Decode(data); !slices.Equal(got, in) {
			t.Fatalf("decoded otherwise than encoded:\n%+v\n%+v", in, got)
		}

		data = make([]byte, fuzz.Spare+r.IntN(70*d.Size()))
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		got := d.Decode(data)
		if want := min(max((len(data)-fuzz.Spare+d.Size()-1)/d.Size(), 1), 50); len(got) != want {
			t.Fatalf("%d bytes decode to %d cycles, want %d", len(data), len(got), want)
		}
		if _, err := d.Encode(got); err != nil {
			t.Fatalf("what was decoded is not allowed: %v", err)
		}
		for _, e := range got {
			if e.Rst || e.Fixed != 0 || e.Never != 1 && e.Never != 3 {
				t.Fatalf("%+v: a fixed field is set, or a value of weight 0 taken", e)
			}
		}
	}
	for _, data := range [][]byte{nil, {0xff}} {
		if got := d.Decode(data); len(got) != 1 || got[0].B0 {
			t.Errorf("%x decodes to %+v, want a cycle of zeros", data, got)
		}
	}
}

// A byte changes its own cycle only, and the last byte changes nothing, as Go's minimizer needs it.
func TestDecoderIsLocal(t *testing.T) {
	d := newDecoder[everything](t, 50)
	data := bytes.Repeat([]byte{0x5a}, 10*d.Size())
	before := d.Decode(data)
	data[4*d.Size()+3] ^= 1
	after := d.Decode(data)
	for k := range before {
		if (before[k] == after[k]) == (k == 4) {
			t.Errorf("cycle %d: %+v, then %+v", k, before[k], after[k])
		}
	}
	data[len(data)-1] ^= 1
	if !slices.Equal(after, d.Decode(data)) {
		t.Error("the last byte is read")
	}
}

func TestDecoderErrors(t *testing.T) {
	_, err := fuzz.NewDecoder[struct {
		A uint8 `rand:"0..256"`
	}](9)
	expect(t, err, `.A: tag rand:"0..256", column 4: 256 does not fit`)
	_, err = fuzz.NewDecoder[lockIn](0)
	expect(t, err, "at most 0 cycles")
	_, err = fuzz.NewDecoder[struct {
		A uint8 `rand:"-"`
	}](9)
	expect(t, err, "has no field to decode")
	d := newDecoder[everything](t, 3)
	_, err = d.Encode(nil)
	expect(t, err, "0 cycles cannot be encoded: it must be 1 to 3")
	_, err = d.Encode([]everything{{}})
	expect(t, err, "cycle 0: fuzz_test.everything.One has a value that its tag does not allow")
}

func expect(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
}

func FuzzDecoder(f *testing.F) {
	d := newDecoder[everything](f, 20)
	f.Add([]byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := d.Encode(d.Decode(data)); err != nil {
			t.Error(err)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	d := newDecoder[everything](b, 100)
	data := bytes.Repeat([]byte{0x5a}, 100*d.Size()+fuzz.Spare)
	for i := 0; i < b.N; i += 100 {
		d.Decode(data)
	}
}

func ExampleDecoder() {
	type in struct {
		Valid bool
		Op    uint8 `rand:"0..5"`
	}
	d, err := fuzz.NewDecoder[in](100)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%+v\n", d.Decode([]byte{1, 5, 0, 10, 0xff, 0}))
	data, err := d.Encode([]in{{true, 2}, {false, 4}})
	fmt.Println(data, err)
	// Output:
	// [{Valid:true Op:5} {Valid:false Op:4} {Valid:true Op:0}]
	// [1 2 0 4 0] <nil>
}
