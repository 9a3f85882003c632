package frame_test

import (
	"bytes"
	"errors"
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

// What is on the line, byte by byte, as README.md defines it.
func TestBytes(t *testing.T) {
	for _, c := range []struct {
		f    frame.Frame
		want []byte
	}{
		{frame.Frame{Kind: frame.Open, Session: 0x1234}, []byte{0x7e, 0, 0x90, 0x34, 0x12, 0xf6, 0x97, 0x7e}},
		{frame.Frame{FromBoard: true, Kind: frame.Ack, Seq: 5, Session: 0x7e7d}, []byte{0x7e, 0, 0xcd, 0x7d, 0x5d, 0x7d, 0x5e, 0x7d, 0x5e, 0xd3, 0x7e}},
		{
			frame.Frame{FromBoard: true, Seq: 3, Session: 1, Message: frame.Message{Type: 1, Payload: []byte{12, 28}}},
			[]byte{0x7e, 3, 0xc3, 1, 0, 1, 12, 28, 0xc5, 0x0d, 0x7e},
		},
	} {
		got := c.f.Append(nil)
		if !bytes.Equal(got, c.want) {
			t.Errorf("%v: % 02x, want % 02x", c.f, got, c.want)
		}
	}
}

// The CRC is the one that is known as CRC-16/IBM-SDLC, X-25 or HDLC's FCS, whose check value of "123456789" is
// 0x906e: in a frame whose body this is, it stands where it belongs.
func TestCRC(t *testing.T) {
	line := append(append([]byte{0x7e}, "123456789"...), 0x6e, 0x90, 0x7e)
	if _, errs := decode(line); len(errs) != 1 || !errors.Is(errs[0], frame.ErrLength) {
		t.Errorf("errors %v", errs)
	}
	// Of the right length, 3, it is a frame but for the control byte: neither its length nor its CRC is wrong.
	body := []byte{3, '2', '3', '4', '5', '6', '7'}
	line = append(append([]byte{0x7e}, body...), 0, 0, 0x7e)
	good := 0
	for crc := range 1 << 16 {
		line[8], line[9] = byte(crc), byte(crc>>8)
		if _, errs := decode(line); len(errs) == 1 && errors.Is(errs[0], frame.ErrForm) {
			good++
			if want := ^slowCRC(body); uint16(crc) != want {
				t.Errorf("CRC %#04x passes, want %#04x", crc, want)
			}
		}
	}
	if good != 1 {
		t.Errorf("%d CRCs pass", good)
	}
	if got := ^slowCRC([]byte("123456789")); got != 0x906e {
		t.Errorf("check value %#04x", got)
	}
}

// slowCRC divides polynomials, bit by bit, with the degrees written out.
func slowCRC(data []byte) uint16 {
	var reg [16]bool // the coefficient of x^i
	for i := range reg {
		reg[i] = true
	}
	for _, b := range data {
		for i := range 8 {
			feedback := reg[15] != (b>>i&1 != 0)
			copy(reg[1:], reg[:15])
			reg[0] = feedback
			reg[5] = reg[5] != feedback
			reg[12] = reg[12] != feedback
		}
	}
	var crc uint16 // x^15 in bit 0
	for i, set := range reg {
		if set {
			crc |= 1 << (15 - i)
		}
	}
	return crc
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

// Whatever comes before, a frame between flags is found: resynchronisation after garbage and half frames.
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

// One fault in a frame, whichever: no other frame comes out. That is proven for a byte that is lost, doubled, or
// changed to anything but a flag, and for a frame that is cut (see README.md); a flag in the midst of a frame leaves a
// rest, of which the CRC must tell that it is none.
func TestOneFault(t *testing.T) {
	r := seeded(3)
	faults, residue := 0, 0
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
					if line[min(at, len(line)-1)] == 0x7e {
						residue++
						continue
					}
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
	t.Logf("%d faults, %d of them passed as another frame", faults, residue)
	if residue > 0 {
		t.Errorf("%d flags in the midst of a frame have made a frame of the rest: one in 65 536 is to be expected", residue)
	}
}

// Any two or three bits of a body that change are found, where no flag or escape comes into being: that is what
// the polynomial is for.
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

// How much of what is damaged in several places passes: the residue that README.md states.
func TestResidue(t *testing.T) {
	r := seeded(5)
	bodies, passed := 0, 0
	for bodies < *damaged {
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
				bodies++
				passed++
			}
		}
	}
	t.Logf("%d damaged bodies, %d passed as a frame", bodies, passed)
	if passed > 3+bodies/200_000 {
		t.Errorf("%d of %d damaged bodies passed as a frame, more than one in 200 000", passed, bodies)
	}
}

// Random bytes between flags: one in 65 536 has a good CRC, of those few are as long as they say, and fewer have
// a control byte.
func TestGarbage(t *testing.T) {
	r := seeded(6)
	var d frame.Decoder
	passed := 0
	for range *damaged {
		for range 6 + r.IntN(34) {
			b := byte(r.Uint32())
			if b == 0x7e || b == 0x7d {
				b = 0
			}
			d.Byte(b)
		}
		if _, ok, _ := d.Byte(0x7e); ok {
			passed++
		}
	}
	t.Logf("%d of %d bodies of random bytes passed as a frame", passed, *damaged)
	if passed > *damaged/1_000_000 {
		t.Errorf("%d of %d", passed, *damaged)
	}
}

// Whatever the bytes, what comes out is what they say: a second decoder, written straight from README.md, finds the
// same frames.
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

// strict reads what is between two flags, and tells whether it is a frame of the board.
func strict(part []byte) (string, bool) {
	body := bytes.ReplaceAll(bytes.ReplaceAll(part, []byte{0x7d, 0x5e}, []byte{0x7e}), []byte{0x7d, 0x5d}, []byte{0x7d})
	f := frame.Frame{FromBoard: true}
	if len(body) < 6 || len(body) > 39 || body[1]>>3&7 > 4 {
		return "", false
	}
	f.Session = uint16(body[2]) | uint16(body[3])<<8
	f.Kind, f.Seq = frame.Kind(body[1]>>3&7), body[1]&7
	if f.Kind == frame.Data {
		if len(body) == 6 {
			return "", false
		}
		f.Message = frame.Message{Type: body[4], Payload: body[5 : len(body)-2]}
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
