package frame_test

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cosimate/cosimate/rtl/link/frame"
	"github.com/cosimate/cosimate/sim"
)

var damaged = flag.Int("frame.damaged", 200_000, "damaged frames to be decoded; the night has more")

func seeded(n uint64) *rand.Rand { return rand.New(rand.NewPCG(sim.Seed(), n)) }

// random is any frame of the board.
func random(r *rand.Rand) frame.Frame {
	f := frame.Frame{FromBoard: true, Kind: frame.Kind(r.IntN(5)), Session: uint16(r.Uint32())}
	if f.Kind == frame.Data || f.Kind == frame.Ack {
		f.Seq = uint8(r.IntN(frame.Numbers))
	}
	if f.Kind == frame.Data {
		f.Message.Type = byte(r.Uint32())
		for range r.IntN(frame.MaxPayload + 1) {
			f.Message.Payload = append(f.Message.Payload, []byte{0x7e, 0x7d, 0x5e, 0, byte(r.Uint32()), byte(r.Uint32())}[r.IntN(6)])
		}
	}
	return f
}

// decode is all that comes out of bytes: frames in words, and errors.
func decode(line []byte) (frames []string, errs []error) {
	var d frame.Decoder
	for _, b := range line {
		f, ok, err := d.Byte(b)
		if ok {
			frames = append(frames, f.String())
		}
		if err != nil {
			errs = append(errs, err)
		}
	}
	return frames, errs
}

// What is on the line, byte by byte, as README.md defines it; the CRCs are of another program
// (zlib).
func TestBytes(t *testing.T) {
	for _, c := range []struct {
		f    frame.Frame
		want []byte
	}{
		{frame.Frame{Kind: frame.Open, Session: 0x1234}, []byte{0x7e, 0, 0x90, 0x34, 18, 0x53, 0xe5, 0xc4, 0x94, 0x7e}},
		{frame.Frame{FromBoard: true, Kind: frame.Ack, Seq: 5, Session: 0x7e7d}, []byte{0x7e, 0, 0xcd, 0x7d, 0x5d, 0x7d, 0x5e, 0x8f, 0x81, 0x1f, 0x95, 0x7e}},
		{
			frame.Frame{FromBoard: true, Seq: 3, Session: 1, Message: frame.Message{Type: 1, Payload: []byte{12, 28}}},
			[]byte{0x7e, 3, 0xc3, 1, 0, 1, 12, 28, 0x3d, 0xf9, 0xee, 0xbf, 0x7e},
		},
	} {
		got := c.f.Append(nil)
		if !bytes.Equal(got, c.want) {
			t.Errorf("%v: % 02x, want % 02x", c.f, got, c.want)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	r := seeded(1)
	var line []byte
	var want []string
	for range 5000 {
		f := random(r)
		want = append(want, f.String())
		line = f.Append(line)
		if r.IntN(2) == 0 { // one flag may serve two frames
			line = line[:len(line)-1]
		}
	}
	line = append(line, 0x7e)
	if got, errs := decode(line); !slices.Equal(got, want) || errs != nil {
		t.Errorf("%d of %d frames, errors %v", len(got), len(want), errs)
	}
}

// Whatever comes before, a frame between flags is found: resynchronisation after garbage and half
// frames.
func TestResynchronises(t *testing.T) {
	r := seeded(2)
	for range 5000 {
		f := random(r)
		var line []byte
		for range r.IntN(100) {
			line = append(line, []byte{0x7e, 0x7d, byte(r.Uint32())}[r.IntN(3)])
		}
		if half := random(r).Append(nil); r.IntN(2) == 0 {
			line = append(line, half[:r.IntN(len(half))]...)
		}
		got, _ := decode(f.Append(line))
		if len(got) == 0 || got[len(got)-1] != f.String() {
			t.Fatalf("%v is not found after % 02x", f, line)
		}
	}
}

// One fault in a frame, whichever: no other frame comes out.
func TestOneFault(t *testing.T) {
	r := seeded(3)
	faults := 0
	for range 40 {
		f := random(r)
		next := random(r)
		line := next.Append(f.Append(nil))
		n := len(f.Append(nil))
		allowed := []string{f.String(), next.String()}
		check := func(what string, at int, line []byte) {
			faults++
			got, _ := decode(line)
			for _, g := range got {
				if !slices.Contains(allowed, g) {
					t.Fatalf("%v: byte %d %s: %s comes out", f, at, what, g)
				}
			}
			if len(got) == 0 || got[len(got)-1] != next.String() {
				// Its flag is lost: this frame is too, and the one after it is not.
				if at < n-1 {
					t.Fatalf("%v: byte %d %s: the next frame is lost", f, at, what)
				}
			}
		}
		for at := range n {
			check("lost", at, slices.Delete(slices.Clone(line), at, at+1))
			check("doubled", at, slices.Insert(slices.Clone(line), at, line[at]))
			check("and all behind it lost", at, slices.Delete(slices.Clone(line), at, n))
			for change := 1; change < 256; change++ {
				changed := slices.Clone(line)
				changed[at] ^= byte(change)
				check(fmt.Sprintf("changed to %#02x", changed[at]), at, changed)
			}
		}
	}
	t.Logf("%d faults", faults)
}

// Any two or three bits of a body that change are found, where no flag or escape comes into being:
// that is what the polynomial is for.
func TestFewBits(t *testing.T) {
	r := seeded(4)
	plain := frame.Frame{FromBoard: true, Session: 0x5555, Message: frame.Message{Type: 0x11, Payload: bytes.Repeat([]byte{0x22}, frame.MaxPayload)}}
	line := plain.Append(nil)
	body := len(line) - 2
	flip := func(line []byte, bit int) { line[1+bit/8] ^= 1 << (bit % 8) }
	check := func(bits ...int) {
		damaged := slices.Clone(line)
		for _, b := range bits {
			flip(damaged, b)
		}
		if bytes.ContainsAny(damaged[1:len(damaged)-1], "\x7e\x7d") {
			return
		}
		if got, _ := decode(damaged); len(got) != 0 {
			t.Fatalf("bits %v: %v comes out", bits, got)
		}
	}
	for a := range 8 * body {
		for b := range a {
			check(a, b)
		}
	}
	for range 100_000 {
		check(r.IntN(8*body), r.IntN(8*body), r.IntN(8*body))
	}
}

// Several faults in a frame: no other frame comes out.
func TestSeveralFaults(t *testing.T) {
	r := seeded(5)
	for bodies := 0; bodies < *damaged; {
		f := random(r)
		line := f.Append(nil)
		for range 2 + r.IntN(4) {
			at := r.IntN(len(line))
			switch r.IntN(4) {
			case 0:
				line[at] = byte(r.Uint32())
			case 1:
				line = slices.Delete(line, at, at+1)
			case 2:
				line = slices.Insert(line, at, line[at])
			case 3:
				line[at] ^= 1 << r.IntN(8)
			}
		}
		got, errs := decode(append(line, 0x7e))
		bodies += len(errs)
		for _, g := range got {
			if g != f.String() {
				t.Fatalf("%v: of % 02x comes %s", f, line, g)
			}
		}
	}
}

// No frame comes of random bytes between flags.
func TestGarbage(t *testing.T) {
	r := seeded(6)
	var d frame.Decoder
	for range *damaged {
		for range 6 + r.IntN(34) {
			b := byte(r.Uint32())
			if b == 0x7e || b == 0x7d {
				b = 0
			}
			d.Byte(b)
		}
		if f, ok, _ := d.Byte(0x7e); ok {
			t.Fatalf("%v comes of garbage", f)
		}
	}
}

// Whatever the bytes, what comes out is what they say: a second decoder, written straight from
// README.md, finds the same frames.
func FuzzDecoder(f *testing.F) {
	r := seeded(7)
	for range 20 {
		f.Add(random(r).Append(nil))
	}
	f.Add([]byte{0x7e, 0x7d, 0x7e, 0, 0x7d})
	f.Fuzz(func(t *testing.T, line []byte) {
		got, _ := decode(line)
		var want []string
		parts := bytes.Split(line, []byte{0x7e})
		for _, part := range parts[:len(parts)-1] {
			if s, ok := strict(part); ok {
				want = append(want, s)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("% 02x: %v, want %v", line, got, want)
		}
	})
}

// strict reads what is between two flags, and reports whether it is a frame of the board.
func strict(part []byte) (string, bool) {
	body := bytes.ReplaceAll(bytes.ReplaceAll(part, []byte{0x7d, 0x5e}, []byte{0x7e}), []byte{0x7d, 0x5d}, []byte{0x7d})
	f := frame.Frame{FromBoard: true}
	if len(body) < 8 || len(body) > 41 || body[1]>>3&7 > 4 {
		return "", false
	}
	f.Session = uint16(body[2]) | uint16(body[3])<<8
	f.Kind, f.Seq = frame.Kind(body[1]>>3&7), body[1]&7
	if f.Kind == frame.Data {
		if len(body) == 8 {
			return "", false
		}
		f.Message = frame.Message{Type: body[4], Payload: body[5 : len(body)-4]}
	}
	// The same frame gives the same bytes, but for the number, which counts in two kinds only.
	again := f.Append(nil)
	return f.String(), bytes.Equal(again[1:len(again)-1], part)
}

func ExampleDecoder() {
	var d frame.Decoder
	f := frame.Frame{FromBoard: true, Kind: frame.Data, Seq: 3, Session: 0x1234, Message: frame.Message{Type: 1, Payload: []byte{12, 28}}}
	for _, b := range append([]byte("half a frame or noise"), f.Append(nil)...) {
		f, ok, err := d.Byte(b)
		if err != nil {
			fmt.Println("damaged:", err)
		}
		if ok {
			fmt.Println(f)
		}
	}
	// Output:
	// damaged: it is not as long as it says
	// board: data of session 0x1234, number 3: type 0x01, 0c 1c
}
