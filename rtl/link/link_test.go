package link_test

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"hash/crc32"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/rtl/link"
	"github.com/cosimate/cosimate/rtl/link/frame"
	"github.com/cosimate/cosimate/sim"
)

var rounds = flag.Int("link.rounds", 1, "rounds of worlds, each of other random numbers; the night has more")

type dut = sim.DUT[link.In, link.Out]

func seeded(n uint64) *rand.Rand { return rand.New(rand.NewPCG(sim.Seed(), n)) }

var small = link.Params{RetryCycles: 300, SilenceCycles: 5000}

// modelled returns a board that is the model.
func modelled(p link.Params) func(link.In) (link.Out, error) {
	m := link.NewModel(p)
	return func(in link.In) (link.Out, error) { return m.Step(in), nil }
}

// worlds returns plans with lines and ends of all kinds.
func worlds(r *rand.Rand) map[string]plan {
	all := map[string]plan{
		"clean":                  {pace: 1, gap: 0.1},
		"clean and slow":         {pace: 7, gap: 0.01, busy: 0.9},
		"a byte in 300":          {pace: 2, gap: 0.02, busy: 0.5},
		"a byte in 30":           {pace: 1, gap: 0.1, busy: 0.1},
		"gaps":                   {pace: 3, gap: 0.1},
		"restarts":               {pace: 2, gap: 0.05, restarts: 0.0005},
		"restarts on a bad line": {pace: 1, gap: 0.1, restarts: 0.001, busy: 0.2},
	}
	noises := map[string]noise{
		"a byte in 300":          {lose: 0.001, flip: 0.001, double: 0.0005, insert: 0.0005, replace: 0.0005},
		"a byte in 30":           {lose: 0.01, flip: 0.01, double: 0.005, insert: 0.005, replace: 0.005},
		"gaps":                   {cut: 0.003, outage: 0.0003},
		"restarts on a bad line": {lose: 0.002, flip: 0.002, double: 0.001, insert: 0.001, replace: 0.001, cut: 0.001},
	}
	for name, p := range all {
		p.p, p.quiet = small, new(bool)
		n := noises[name]
		p.toBoard, p.toHost = noisy(r, n, p.quiet), noisy(r, n, p.quiet)
		all[name] = p
	}
	return all
}

// In conversations over lines of all kinds, each message comes once and in order. The RTL has the
// outputs of the model in every cycle.
func TestWorlds(t *testing.T) {
	for round := range *rounds {
		var tape []link.In
		r := seeded(uint64(1 + round))
		all := worlds(r)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			p := all[name]
			p.messages = 30
			w := newWorld(r, p)
			board := modelled(small)
			err := w.run(2_000_000, func(in link.In) (link.Out, error) {
				tape = append(tape, in)
				return board(in)
			})
			tape = append(tape, link.In{Rst: true})
			if err != nil {
				t.Fatalf("round %d, %s: %v", round, name, err)
			}
			if round == 0 {
				t.Logf("%s: %d cycles; damaged: %d to the board, %d to the host; restarts: %d of the host, %d of the board; %d messages lost with their session",
					name, w.cycle, w.damaged, w.host.Damaged, w.hosts, w.resets, w.toBoard.lost+w.toHost.lost)
			}
		}
		run := func(t *testing.T, d *dut) { sim.Check(t, d, link.NewModel(small), slices.Values(tape)) }
		if round == 0 {
			sim.ForEach(t, small.Design(), run)
		} else {
			run(t, sim.OpenTest[link.In, link.Out](t, small.Design(), sim.Verilator))
		}
	}
}

// short returns a conversation of three messages each way, over lines with faults.
func short(toBoard, toHost channel) *world {
	return newWorld(rand.New(rand.NewPCG(7, 7)), plan{
		p: short0, pace: 1, messages: 3, gap: 1, toBoard: toBoard, toHost: toHost,
	})
}

var short0 = link.Params{RetryCycles: 150, SilenceCycles: 1000}

// at returns a line that changes its n-th byte only, or the bytes from there on.
func at(n int, what func(b byte, after int) []byte) channel {
	i := -1
	return func(b byte) []byte {
		i++
		if i < n {
			return []byte{b}
		}
		return what(b, i-n)
	}
}

// faults returns what can happen to a byte.
func faults() map[string]func(b byte, after int) []byte {
	once := func(what func(b byte) []byte) func(byte, int) []byte {
		return func(b byte, after int) []byte {
			if after > 0 {
				return []byte{b}
			}
			return what(b)
		}
	}
	all := map[string]func(byte, int) []byte{
		"lost":         once(func(b byte) []byte { return nil }),
		"doubled":      once(func(b byte) []byte { return []byte{b, b} }),
		"flag before":  once(func(b byte) []byte { return []byte{0x7e, b} }),
		"escape after": once(func(b byte) []byte { return []byte{b, 0x7d} }),
		"noise after":  once(func(b byte) []byte { return []byte{b, 0x00, 0xff, 0x7e, 0x12, 0x7e} }),
	}
	for i := range 8 {
		all[fmt.Sprintf("bit %d changed", i)] = once(func(b byte) []byte { return []byte{b ^ 1<<i} })
	}
	for _, to := range []byte{0x7e, 0x7d, 0x5e, 0x5d, 0x00, 0xff} {
		all[fmt.Sprintf("changed to %#02x", to)] = once(func(b byte) []byte { return []byte{to} })
	}
	for _, n := range []int{2, 7, 20, 45} {
		all[fmt.Sprintf("lost with the %d bytes after it", n)] = func(b byte, after int) []byte {
			if after <= n {
				return nil
			}
			return []byte{b}
		}
	}
	return all
}

// With each kind of fault at each byte of a conversation, in both directions, each message comes
// once and in order, and the conversation goes on. The board is the RTL.
func TestEachByte(t *testing.T) {
	count := func(counted *int) channel {
		return func(b byte) []byte { *counted++; return []byte{b} }
	}
	toBoard, toHost := 0, 0
	if err := short(count(&toBoard), count(&toHost)).run(10_000, modelled(short0)); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes to the board, %d to the host, %d kinds of faults", toBoard, toHost, len(faults()))
	// each runs a conversation for each byte, with a fault at that byte.
	each := func(t *testing.T, fault string, board func(link.In) (link.Out, error), between func()) {
		for n := range toBoard + toHost {
			w, where := short(at(n, faults()[fault]), clean), fmt.Sprintf("byte %d to the board", n)
			if n >= toBoard {
				w, where = short(clean, at(n-toBoard, faults()[fault])), fmt.Sprintf("byte %d to the host", n-toBoard)
			}
			between()
			if err := w.run(10_000, board); err != nil {
				t.Fatalf("%s %s: %v", where, fault, err)
			}
		}
	}
	sim.ForEach(t, short0.Design(), func(t *testing.T, d *dut) {
		if d.Simulator() == sim.Verilator {
			for _, fault := range slices.Sorted(maps.Keys(faults())) {
				each(t, fault, d.Step, func() {
					if err := d.Reset(1); err != nil {
						t.Fatal(err)
					}
				})
			}
			return
		}
		// In Icarus only some faults are tried, and they are played as a tape.
		var tape []link.In
		m := link.NewModel(short0)
		for _, fault := range []string{"lost", "bit 3 changed"} {
			each(t, fault, func(in link.In) (link.Out, error) {
				tape = append(tape, in)
				return m.Step(in), nil
			}, func() {
				tape = append(tape, link.In{Rst: true})
				m.Step(link.In{Rst: true})
			})
		}
		sim.Check(t, d, link.NewModel(short0), slices.Values(tape))
	})
}

// anything returns stimulus that no host would make. Frames of all kinds and numbers, of few
// sessions, whole and damaged, come in any order, with garbage between them. The send and receive
// ports are used at random. The stimulus depends on the frames that the model sends, so that some
// of it is what a host would do.
func anything(r *rand.Rand, p link.Params, cycles int, resets float64) []link.In {
	var in []link.In
	var line []byte
	m := link.NewModel(p)
	var board frame.Decoder
	heard := map[frame.Kind]frame.Frame{} // the board's last frame of each kind
	ready, take, gap := 1.0, 1.0, 0.0
	begins := false // a frame begins
	for len(in) < cycles {
		for len(line) == 0 {
			line = spoilt(r, anyFrame(r, heard))
		}
		if r.IntN(200) == 0 {
			ready, take, gap = []float64{0, 0.1, 1, 1}[r.IntN(4)], []float64{0, 0, 0.01, 1}[r.IntN(4)], []float64{0, 0, 0.7}[r.IntN(3)]
		}
		i := link.In{Rst: r.Float64() < resets, TxReady: r.Float64() < ready, RecvReady: r.Float64() < take, SendValid: r.IntN(50) == 0}
		if i.SendValid {
			i.Send(frame.Message{Type: byte(r.Uint32()), Payload: anyPayload(r)})
			if r.IntN(10) == 0 {
				i.SendLength = uint8(33 + r.IntN(31))
			}
		}
		if r.Float64() >= gap {
			i.RxValid, i.RxData = true, line[0]
			line = line[1:]
			if begins && r.IntN(10) == 0 { // when the RTL decides whether there is room
				i.RecvReady = true
			}
			begins = i.RxData == 0x7e
		}
		in = append(in, i)
		if o := m.Step(i); o.TxValid && i.TxReady {
			if f, ok, _ := board.Byte(o.TxData); ok {
				heard[f.Kind] = f
				if f.Kind == frame.None {
					delete(heard, frame.Open)
				}
			}
		}
	}
	return in
}

func anyPayload(r *rand.Rand) []byte {
	p := make([]byte, r.IntN(frame.MaxPayload+1))
	for i := range p {
		p[i] = []byte{0x7e, 0x7d, 0, byte(r.Uint32())}[r.IntN(4)]
	}
	return p
}

// anyFrame returns a frame of any kind. Mostly it fits the frames heard from the board.
func anyFrame(r *rand.Rand, heard map[frame.Kind]frame.Frame) frame.Frame {
	sessions := []uint16{heard[frame.Open].Session, 0x1234, 0x7e7d, 0x1235}
	f := frame.Frame{Kind: frame.Kind(r.IntN(5)), Session: sessions[max(0, r.IntN(12)-8)], Seq: uint8(r.IntN(frame.Numbers))}
	if _, open := heard[frame.Open]; !open && r.IntN(2) == 0 {
		return frame.Frame{Kind: frame.Open, Session: 0x1234}
	}
	switch r.IntN(5) {
	case 0, 1: // the expected message, or the one before it
		f.Kind, f.Seq = frame.Data, (heard[frame.Ack].Seq+uint8(r.IntN(2)))%frame.Numbers
	case 2:
		f.Kind, f.Seq = frame.Ack, heard[frame.Data].Seq
	case 3:
		if f.Kind == frame.Open || f.Kind == frame.None {
			f.Kind = frame.Data
		}
	}
	if f.Kind == frame.Data {
		f.Message = frame.Message{Type: byte(r.Uint32()), Payload: anyPayload(r)}
	}
	return f
}

// spoilt returns the bytes of a frame on the line, or of something made from it that is no frame.
func spoilt(r *rand.Rand, f frame.Frame) []byte {
	bytes := f.Append(nil)
	at := r.IntN(len(bytes))
	last := len(bytes) - 1
	switch r.IntN(29) {
	case 0: // garbage
		for range r.IntN(60) {
			bytes = append(bytes, []byte{0x7d, 0x5e, byte(r.Uint32()), byte(r.Uint32())}[r.IntN(4)])
		}
	case 1: // an echo of a board's frame
		f.FromBoard = true
		bytes = f.Append(nil)
	case 2:
		bytes[at] ^= 1 << r.IntN(8)
	case 3:
		bytes = slices.Delete(bytes, at, at+1)
	case 4:
		bytes = slices.Insert(bytes, at, bytes[at])
	case 5:
		bytes = bytes[:at]
	case 6: // one flag between two frames
		bytes = bytes[:last]
	case 7, 8, 9: // a good CRC, but no known form
		bytes = shaped(r, f.Session)
	case 10, 11: // a byte is escaped that must not be: often the last one
		at = last - 1 - r.IntN(2)*r.IntN(last-1)
		if b := bytes[at]; at > 0 && bytes[at-1] != 0x7d && b != 0x7d {
			bytes = slices.Replace(bytes, at, at+1, 0x7d, b^0x20)
		}
	case 12: // it ends in an escape
		bytes = slices.Insert(bytes, last, 0x7d)
	case 13, 14: // two escapes, which stand for no byte: mostly in the header, or behind it
		at = 1 + r.IntN(min(last, 10))
		bytes = slices.Insert(bytes, at, 0x7d, 0x7d)
	case 15, 16: // a length that is one bit from the greatest, mostly greater
		bytes[1] = byte(frame.MaxPayload+r.IntN(2)) ^ 1<<r.IntN(8)
	case 17: // the longest body, and one escaped byte more
		f.Message.Payload = make([]byte, frame.MaxPayload)
		bytes = f.Append(nil)
		bytes = slices.Insert(bytes, len(bytes)-1, 0x7d, 0x5e)
	case 18: // as short that it would have this length if the count of its bytes were of six bits
		n := 1 + r.IntN(3)
		bytes = sealed([]byte{byte(60 + n), 0x80, byte(f.Session)}[:n])
	}
	return bytes
}

// shaped returns a body with a good CRC that is wrong otherwise: it has an unknown kind, lacks the
// marker, has a message that it must not have or lacks one, has a wrong length, or is too long.
func shaped(r *rand.Rand, session uint16) []byte {
	control := byte(0x80)
	message := 0
	long := false
	switch r.IntN(6) {
	case 0:
		control |= byte(5+r.IntN(3)) << 3
	case 1:
		control = 0x00
		message = 1
	case 2:
		control |= byte(1+r.IntN(4)) << 3
		message = 1 + r.IntN(frame.MaxPayload)
	case 3: // data without a type
	case 4:
		message = 2 + r.IntN(frame.MaxPayload)
	case 5:
		message = 2 + r.IntN(frame.MaxPayload)
		long = true
	}
	body := []byte{byte(message), control, byte(session), byte(session >> 8)}
	for range message {
		body = append(body, byte(r.Uint32()))
	}
	if r.IntN(3) == 0 {
		body[0] ^= 1 << r.IntN(8)
	}
	if long { // so that a counter of six bits overflows
		body = append(append(slices.Clone(body[:4]), make([]byte, 60)...), body...)
	}
	return sealed(body)
}

// sealed returns a body with its CRC and flags.
func sealed(body []byte) []byte {
	return wrapped(binary.LittleEndian.AppendUint32(body, crc32.ChecksumIEEE(body)))
}

// wrapped returns a body that has its CRC with flags and escapes.
func wrapped(body []byte) []byte {
	line := []byte{0x7e}
	for _, b := range body {
		if b == 0x7e || b == 0x7d {
			line = append(line, 0x7d, b^0x20)
		} else {
			line = append(line, b)
		}
	}
	return append(line, 0x7e)
}

// Every output is compared with the model in every cycle, for any stimulus.
func TestAnything(t *testing.T) {
	p := link.Params{RetryCycles: 40, SilenceCycles: 700}
	in := anything(seeded(100), p, 300_000, 0.0003)
	seen(t, p, in)
	sim.ForEach(t, p.Design(), func(t *testing.T, d *dut) {
		in := in
		if d.Simulator() == sim.Icarus {
			in = in[:100_000]
		}
		sim.Check(t, d, link.NewModel(p), slices.Values(in))
	})
}

// messages returns a host and a board that send each other one message after the other. All bits of
// the send port are used, beyond a message's length, too. Now and then a session begins anew.
func messages(r *rand.Rand, p link.Params, cycles int) (in []link.In) {
	random := func() (m frame.Message) {
		m.Type = byte(r.Uint32())
		for range frame.MaxPayload {
			m.Payload = append(m.Payload, byte(r.Uint32()))
		}
		return m
	}
	length := func() int { return r.IntN(frame.MaxPayload+1) | r.IntN(2)*frame.MaxPayload }
	m := link.NewModel(p)
	var board frame.Decoder
	var line []byte
	session, seq, left := uint16(0), uint8(0), 0
	for len(in) < cycles {
		if len(line) == 0 {
			f := frame.Frame{Session: session, Seq: seq % frame.Numbers, Message: random()}
			f.Message.Payload = f.Message.Payload[:min(length(), frame.MaxPayload)]
			if left--; left < 0 {
				session, seq, left = uint16(r.Uint32()), 0, 20+r.IntN(80)
				f = frame.Frame{Kind: frame.Open, Session: session}
			} else {
				seq++
			}
			line = f.Append(line)
		}
		i := link.In{TxReady: true, RecvReady: true, RxValid: true, RxData: line[0], SendValid: true}
		i.Send(random())
		i.SendLength = uint8(length())
		line = line[1:]
		in = append(in, i)
		if o := m.Step(i); o.TxValid {
			if f, ok, _ := board.Byte(o.TxData); ok && f.Kind == frame.Data {
				line = frame.Frame{Kind: frame.Ack, Session: session, Seq: f.Seq}.Append(line)
			}
		}
	}
	return in
}

// Every output is compared with the model in every cycle, while messages of all lengths and any
// bytes follow each other in both directions.
func TestMessages(t *testing.T) {
	p := link.Params{RetryCycles: 40, SilenceCycles: 700}
	in := messages(seeded(400), p, 100_000)
	sim.ForEach(t, p.Design(), func(t *testing.T, d *dut) {
		in := in
		if d.Simulator() == sim.Icarus {
			in = in[:5_000]
		}
		sim.Check(t, d, link.NewModel(p), slices.Values(in))
	})
}

// ending returns the four bytes that bring the register of the CRC-32 to a value when they follow a
// body.
func ending(body []byte, register uint32) []byte {
	for range 32 { // bits backwards
		if register>>31 != 0 {
			register = (register^0xedb88320)<<1 | 1
		} else {
			register <<= 1
		}
	}
	before := ^crc32.ChecksumIEEE(body)
	return binary.LittleEndian.AppendUint32(nil, register^before)
}

// nearly returns frames that are right, and others that are wrong by as little as can be: in one or
// two bits of the CRC's register at the end, in the length, in the control byte, or in a byte that
// is escaped. Between bytes there are others that do not count. The host is silent for about as
// long as it may be.
func nearly(r *rand.Rand, p link.Params) (in []link.In) {
	const (
		session = 0x1234
		good    = 0xdebb20e3 // the register after a body and its CRC, whatever the body
	)
	m := link.NewModel(p)
	due, gap := uint8(0), 0.0
	cycle := func(i link.In) {
		i.TxReady, i.RecvReady = true, true
		in = append(in, i)
		if o := m.Step(i); o.RecvValid {
			due = (due + 1) % frame.Numbers
		}
	}
	pause := func(cycles int) {
		for range cycles {
			cycle(link.In{RxData: []byte{0x7e, 0x7d, byte(r.Uint32())}[r.IntN(3)]})
		}
	}
	line := func(bytes []byte) {
		for _, b := range bytes {
			for r.Float64() < gap {
				pause(1)
			}
			cycle(link.In{RxValid: true, RxData: b})
		}
	}
	open := func() {
		cycle(link.In{Rst: true})
		pause(r.IntN(4))
		line(frame.Frame{Kind: frame.Open, Session: session}.Append(nil))
		pause(4)
		due = 0
	}
	header := func(length, control byte) []byte { return []byte{length, control, session & 0xff, session >> 8} }
	message := func(n int) (b []byte) {
		for range n {
			b = append(b, byte(r.Uint32()))
		}
		return b
	}
	for _, gap = range []float64{0, 0.3} {
		open()
		ping := header(0, 0x80|byte(frame.Ping)<<3)
		for a := range 32 {
			for b := range a + 1 {
				end := ending(ping, good^(1<<a|1<<b))
				line(wrapped(append(ping[:4:4], end...)))
			}
		}
		line(sealed(ping))
		pause(40)

		open()
		for length := range 256 {
			for _, n := range []int{length - 1, length, length + 1, 41 - 8, 42 - 8, length&63 - 8} {
				if n >= 0 && n < 110 {
					line(sealed(append(header(byte(length), 0x80|due), message(n)...)))
					pause(4)
				}
			}
		}

		open()
		for control := range 256 {
			for n := range 2 {
				line(sealed(append(header(byte(n), byte(control)), message(n)...)))
			}
			if control&63 == 63 {
				pause(20)
			}
		}

		open()
		for b := range 256 {
			for at := range 9 {
				body := append(header(1, 0x80|due), message(1)...)
				body[at%len(body)] = byte(b)
				body = append(body, ending(body, good)...)
				all := []byte{0x7e}
				for i, x := range body {
					if x == 0x7e || x == 0x7d || i == at {
						all = append(all, 0x7d, x^0x20)
					} else {
						all = append(all, x)
					}
				}
				line(append(all, 0x7e))
				pause(4)
			}
		}
	}
	gap = 0
	for n := range 60 { // for how long the host is silent
		open()
		pause([]int{p.SilenceCycles + 20, p.SilenceCycles/2 + r.IntN(p.SilenceCycles/2), r.IntN(p.SilenceCycles)}[n%3])
		for _, f := range []frame.Frame{{Kind: frame.Ping, Session: session}, {Kind: frame.Ping, Session: session + 1}, {Kind: frame.None, Session: session}} {
			line(f.Append(nil))
			pause(r.IntN(p.SilenceCycles + 20))
		}
	}
	return in
}

// Every output is compared with the model in every cycle, for frames that are nearly right, and
// hosts that are silent for nearly too long.
func TestNearly(t *testing.T) {
	p := link.Params{RetryCycles: 40, SilenceCycles: 700}
	in := nearly(seeded(500), p)
	sim.ForEach(t, p.Design(), func(t *testing.T, d *dut) {
		in := in
		if d.Simulator() == sim.Icarus {
			in = in[:20_000]
		}
		sim.Check(t, d, link.NewModel(p), slices.Values(in))
	})
}

// seen counts the events in a stimulus, and fails the test if one is missing.
func seen(t *testing.T, p link.Params, in []link.In) {
	t.Helper()
	m := link.NewModel(p)
	verdicts := map[string]int{}
	last := map[string]string{}
	for _, i := range in {
		m.Step(i)
		for _, line := range strings.Split(m.Explain(sim.Mismatch[link.In, link.Out]{In: i}), "\n") {
			what, rest, _ := strings.Cut(line, ": ")
			if (what == "last frame" || what == "damaged since") && last[what] != rest {
				last[what] = rest
				verdicts[rest[strings.LastIndex(": "+rest, ": "):]]++
			}
		}
	}
	t.Log(verdicts)
	for _, v := range []string{
		"a new session begins", "the session is as it was", "there is no such session", "the session ends",
		"the last message is acknowledged again", "the message to the host has arrived", "its message is delivered",
		"there is no room for its message", "its message has come before, and is acknowledged again", "its number is not due",
		frame.ErrEscape.Error(), frame.ErrLong.Error(), frame.ErrLength.Error(), frame.ErrCRC.Error(), frame.ErrForm.Error(), frame.ErrEcho.Error(),
	} {
		if verdicts[v] == 0 {
			t.Errorf("%q: never in the stimulus", v)
		}
	}
}

// frames returns the frames that the board sends, and the cycle in which each ends.
func frames(out []link.Out) (all []frame.Frame, cycles []int) {
	var d frame.Decoder
	for i, o := range out {
		if !o.TxValid {
			continue
		}
		if f, ok, _ := d.Byte(o.TxData); ok {
			all, cycles = append(all, f), append(cycles, i)
		}
	}
	return all, cycles
}

// quiet returns cycles in which nothing happens. give puts bytes of the host into them.
func quiet(cycles int) []link.In {
	return slices.Repeat([]link.In{{TxReady: true, RecvReady: true}}, cycles)
}

func give(in []link.In, at int, f frame.Frame) (end int) {
	for i, b := range f.Append(nil) {
		in[at+i].RxValid, in[at+i].RxData = true, b
		end = at + i
	}
	return end
}

// run resets the RTL and plays inputs to it.
func run(t *testing.T, d *dut, in []link.In) []link.Out {
	t.Helper()
	if err := d.Reset(2); err != nil {
		t.Fatal(err)
	}
	out := make([]link.Out, len(in))
	if err := d.Run(in, out); err != nil {
		t.Fatal(err)
	}
	return out
}

var (
	opening = frame.Frame{Kind: frame.Open, Session: 0x1234}
	greeted = frame.Frame{FromBoard: true, Kind: frame.Open, Session: 0x1234}
	hello   = frame.Message{Type: 7, Payload: []byte("hello")}
)

// Without a host nothing is taken and nothing is sent. If the host goes away, the message taken
// last is repeated every RetryCycles, and up_o becomes 0. The message arrives when the host is
// back.
func TestAbsentHost(t *testing.T) {
	sim.ForEach(t, small.Design(), func(t *testing.T, d *dut) {
		in := quiet(30_000)
		for i := range in {
			in[i].Send(hello)
		}
		out := run(t, d, in)
		for i, o := range out {
			if o.SendReady || o.TxValid || o.Open || o.Up {
				t.Fatalf("cycle %d without a host: %+v", i, o)
			}
		}

		end := give(in, 1000, opening)
		again := give(in, 20_000, frame.Frame{Kind: frame.Ack, Session: 0x1234})
		out = run(t, d, in)
		all, cycles := frames(out)
		if all[0].String() != greeted.String() {
			t.Fatalf("the opening is answered with %v", all[0])
		}
		for i, f := range all[1:] {
			want := frame.Frame{FromBoard: true, Session: 0x1234, Message: hello}
			if cycles[1+i] > again+2 {
				want.Seq = 1
			}
			if f.String() != want.String() {
				t.Fatalf("frame %d: %v, want %v", 1+i, f, want)
			}
			if period := cycles[1+i] - cycles[i]; i > 0 && f.Seq == all[i].Seq && period != small.RetryCycles+1+len(want.Append(nil)) {
				t.Fatalf("frame %d is sent again after %d cycles", 1+i, period)
			}
		}
		if n := len(all); n < 90 {
			t.Errorf("only %d frames", n)
		}
		up := func(at int) bool { return out[at].Up }
		if silent := end + 2 + small.SilenceCycles; !up(silent-1) || up(silent) || up(again) || !up(again+2) || !out[silent].Open {
			t.Errorf("up_o is wrong about cycles %d, %d", silent, again)
		}
		taken := 0
		for i := range out {
			if out[i].SendReady {
				taken++
			}
		}
		if taken != 2 {
			t.Errorf("%d messages were taken, of which one was acknowledged", taken)
		}
	})
}

// That a session ends is not answered, be there no session, another one, or this one. Only the end
// of this one has an effect.
func TestEndIsNotAnswered(t *testing.T) {
	p := link.Params{RetryCycles: 40, SilenceCycles: 700}
	sim.ForEach(t, p.Design(), func(t *testing.T, d *dut) {
		in := quiet(400)
		ends := func(at int, session uint16) { give(in, at, frame.Frame{Kind: frame.None, Session: session}) }
		ends(0, 0x1234)
		ends(20, 0)
		give(in, 50, opening)
		ends(100, 0x1235)
		ends(120, 0x9234)
		give(in, 150, frame.Frame{Kind: frame.Ping, Session: 0x1234})
		ends(200, 0x1234)
		ends(220, 0x1234)
		ends(240, 0x1235)
		give(in, 300, frame.Frame{Kind: frame.Ping, Session: 0x1234})
		out := run(t, d, in)
		got, cycles := frames(out)
		want := []frame.Frame{
			greeted,
			{FromBoard: true, Kind: frame.Ack, Seq: 7, Session: 0x1234},
			{FromBoard: true, Kind: frame.None, Session: 0x1234},
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("in cycles %v it sends %v, want %v", cycles, got, want)
		}
		if !out[199].Open || out[219].Open {
			t.Errorf("open_o is %v and %v before and after the end of the session", out[199].Open, out[219].Open)
		}
	})
}

// A reset may come in any cycle around the end of a frame. What that frame begins is not begun
// then.
func TestResetAtFrame(t *testing.T) {
	p := link.Params{RetryCycles: 40, SilenceCycles: 700}
	var in []link.In
	for _, f := range []frame.Frame{{Kind: frame.Open, Session: 0x4321}, {Session: 0x1234, Message: hello}, {Kind: frame.Ping, Session: 0x1234}, {Kind: frame.None, Session: 0x1234}} {
		for late := range 6 {
			part := quiet(120)
			give(part, 0, opening)
			end := give(part, 50, f)
			part[end-1+late].Rst = true
			in = append(in, part...)
		}
	}
	sim.ForEach(t, p.Design(), func(t *testing.T, d *dut) {
		sim.Check(t, d, link.NewModel(p), slices.Values(in))
	})
}

// The first frame after a reset needs no flag before it, whatever was under way when the reset
// came.
func TestFirstFrame(t *testing.T) {
	p := link.Params{RetryCycles: 40, SilenceCycles: 700}
	var in []link.In
	line := opening.Append(nil)
	for before := range len(line) { // bytes of a frame that the reset ends
		part := quiet(60)
		for i, b := range line[:before] {
			part[i].RxValid, part[i].RxData = true, b
		}
		part[before].Rst = true
		for i, b := range line[1:] {
			part[before+1+i].RxValid, part[before+1+i].RxData = true, b
		}
		in = append(in, part...)
	}
	sim.ForEach(t, p.Design(), func(t *testing.T, d *dut) {
		sim.Check(t, d, link.NewModel(p), slices.Values(in))
		opened := 0
		for _, o := range run(t, d, in) {
			if o.Opened {
				opened++
			}
		}
		if opened != len(line) {
			t.Errorf("of %d frames behind a reset %d have opened a session", len(line), opened)
		}
	})
}

// A message is stored if there is room for it when its frame begins. The one before it is taken in
// any cycle around the frame, at once or later than it ends; then comes the next one.
func TestRoomAtFrame(t *testing.T) {
	p := link.Params{RetryCycles: 40, SilenceCycles: 700}
	var in []link.In
	for _, c := range []struct{ waiting, next []byte }{
		{[]byte("hello"), []byte("again, and longer")},
		{bytes.Repeat([]byte{0xff}, frame.MaxPayload), bytes.Repeat([]byte{0xa5}, frame.MaxPayload)},
	} {
		for pace := 1; pace <= 2; pace++ {
			for take := -3; take < pace*(len(c.next)+11)+3; take++ {
				const begin, size = 90, 320
				session, part := uint16(len(in)), quiet(size)
				for i := range part {
					part[i].RecvReady = i >= size-50
					part[i].TxReady = i%3 > 0
				}
				give(part, 0, frame.Frame{Kind: frame.Open, Session: session})
				give(part, 30, frame.Frame{Session: session, Message: frame.Message{Type: 0x18, Payload: c.waiting}})
				next := frame.Frame{Session: session, Seq: 1, Message: frame.Message{Type: 0xe7, Payload: c.next}}
				for i, b := range next.Append(nil) {
					part[begin+pace*i].RxValid, part[begin+pace*i].RxData = true, b
				}
				part[begin+take].RecvReady = true
				give(part, size-30, frame.Frame{Kind: frame.Ping, Session: session})
				in = append(in, part...)
			}
		}
	}
	sim.ForEach(t, p.Design(), func(t *testing.T, d *dut) {
		sim.Check(t, d, link.NewModel(p), slices.Values(in))
	})
}

// The latencies are those in README.md.
func TestLatency(t *testing.T) {
	sim.ForEach(t, small.Design(), func(t *testing.T, d *dut) {
		in := quiet(300)
		end := give(in, 10, opening)
		in[100].Send(hello)
		data := give(in, 200, frame.Frame{Session: 0x1234, Message: hello})
		out := run(t, d, in)
		if first := slices.IndexFunc(out, func(o link.Out) bool { return o.TxValid }); first != end+3 {
			t.Errorf("an opening that ends in cycle %d is answered from cycle %d on, want 3 later", end, first)
		}
		if !out[end+2].Opened || out[end+1].Open {
			t.Errorf("a session that is opened in cycle %d: not there 2 cycles later", end)
		}
		for i := 100; i < 103; i++ {
			if out[i].TxValid != (i == 102) {
				t.Errorf("a message taken in cycle 100: tx_valid_o %v in cycle %d", out[i].TxValid, i)
			}
		}
		if out[data+1].RecvValid || !out[data+2].RecvValid || out[data+2].Message().String() != hello.String() {
			t.Errorf("a message that ends in cycle %d: %+v 2 cycles later", data, out[data+2])
		}
		if out[data+2].TxValid || !out[data+3].TxValid {
			t.Errorf("a message that ends in cycle %d is not acknowledged from 3 cycles later on", data)
		}
	})
}

// The board's frames are the same, byte for byte, as those of package frame. Payloads have all
// lengths and any bytes, or only bytes that are escaped.
func TestPayloads(t *testing.T) {
	sim.ForEach(t, small.Design(), func(t *testing.T, d *dut) {
		r := seeded(300)
		for length := range frame.MaxPayload + 1 {
			for _, fill := range []func() byte{func() byte { return 0x7e }, func() byte { return byte(r.Uint32()) }} {
				m := frame.Message{Type: fill()}
				for range length {
					m.Payload = append(m.Payload, fill())
				}
				in := quiet(400)
				give(in, 1, opening)
				in[50].Send(m)
				in[51].Send(hello) // too late to have an effect
				give(in, 200, frame.Frame{Session: 0x1234, Message: m})
				out := run(t, d, in)
				var sent []byte
				for _, o := range out[51:200] {
					if o.TxValid {
						sent = append(sent, o.TxData)
					}
				}
				want := frame.Frame{FromBoard: true, Session: 0x1234, Message: m}.Append(nil)
				if !slices.Equal(sent, want) {
					t.Fatalf("%v is sent as % 02x, want % 02x", m, sent, want)
				}
				at := slices.IndexFunc(out, func(o link.Out) bool { return o.RecvValid })
				if at < 0 || out[at].Message().String() != m.String() {
					t.Fatalf("%v does not arrive", m)
				}
			}
		}
	})
}

// An invalid parameter ends the simulation, with its name.
func TestParameters(t *testing.T) {
	for name, p := range map[string]link.Params{"RetryCycles": {RetryCycles: 0, SilenceCycles: 9}, "SilenceCycles": {RetryCycles: 9, SilenceCycles: 0}} {
		d := sim.OpenTest[link.In, link.Out](t, p.Design(), sim.Icarus)
		if _, err := d.Step(link.In{}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%+v: %v", p, err)
		}
	}
}

// A host opens a session and sends a ping.
func ExampleModel() {
	m := link.NewModel(link.Default)
	session := uint16(0x1234)
	var line []byte
	for _, kind := range []frame.Kind{frame.Open, frame.Ping} {
		line = frame.Frame{Kind: kind, Session: session}.Append(line)
	}
	var d frame.Decoder
	for i := range 60 {
		in := link.In{TxReady: true}
		if i < len(line) {
			in.RxValid, in.RxData = true, line[i]
		}
		if out := m.Step(in); out.TxValid {
			if f, ok, _ := d.Byte(out.TxData); ok {
				fmt.Println(f)
			}
		}
	}
	// Output:
	// board: open of session 0x1234
	// board: ack of session 0x1234, number 7
}
