package frame

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// MaxPayload is the largest payload of a message, in bytes. The type is not counted.
const MaxPayload = 32

// Message is what the two ends exchange. The link does not interpret it.
type Message struct {
	Type    byte
	Payload []byte // at most MaxPayload
}

func (m Message) String() string { return fmt.Sprintf("type %#02x, % 02x", m.Type, m.Payload) }

// Kind is the kind of a frame.
type Kind uint8

// The kinds of frames.
const (
	Data Kind = iota // a message, with its number
	Ack              // the message of this number has arrived
	Open             // from the host: begin this session; from the board: it has begun
	None             // there is no such session, or it has ended
	Ping             // from the host: asks for an Ack of the last message
)

func (k Kind) String() string {
	names := [...]string{"data", "ack", "open", "none", "ping"}
	if int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Frame is a unit of transfer: what lies between two flags on the line.
type Frame struct {
	FromBoard bool
	Kind      Kind
	Seq       uint8 // number of the message, modulo Numbers: Data, Ack
	Session   uint16
	Message   Message // Data
}

func (f Frame) String() string {
	s := "host"
	if f.FromBoard {
		s = "board"
	}
	s = fmt.Sprintf("%s: %v of session %#04x", s, f.Kind, f.Session)
	if f.Kind == Data || f.Kind == Ack {
		s += fmt.Sprintf(", number %d", f.Seq)
	}
	if f.Kind == Data {
		s += ": " + f.Message.String()
	}
	return s
}

// Numbers is the modulus of the messages' numbers.
const Numbers = 8

// Bytes on the line, the bits of the control byte, and lengths in bytes.
const (
	flag    = 0x7e // stands before and after each frame, and nowhere else
	escape  = 0x7d // the next byte is a flag or an escape, exclusive-or toggle
	toggle  = 0x20
	marker  = 0x80 // in the control byte: always 1, so that it is no length
	fromBit = 0x40 // in the control byte: the frame is the board's
	seqBits = 3

	header  = 4 // length, control, session
	trailer = 4 // CRC-32 of IEEE 802.3, least significant byte first
	maxBody = header + 1 + MaxPayload + trailer
)

// Append appends the frame as it goes over the line. It panics if the payload is longer than
// MaxPayload. The caller checks that.
func (f Frame) Append(dst []byte) []byte {
	if len(f.Message.Payload) > MaxPayload {
		panic(fmt.Sprintf("frame: a payload of %d bytes; %d is the most", len(f.Message.Payload), MaxPayload))
	}
	body := make([]byte, 0, maxBody)
	control := marker | byte(f.Kind)<<seqBits | f.Seq%Numbers
	if f.FromBoard {
		control |= fromBit
	}
	body = append(body, 0, control, byte(f.Session), byte(f.Session>>8))
	if f.Kind == Data {
		body[0] = byte(1 + len(f.Message.Payload))
		body = append(body, f.Message.Type)
		body = append(body, f.Message.Payload...)
	}
	body = binary.LittleEndian.AppendUint32(body, crc32.ChecksumIEEE(body))

	dst = append(dst, flag)
	for _, b := range body {
		if b == flag || b == escape {
			dst = append(dst, escape)
			b ^= toggle
		}
		dst = append(dst, b)
	}
	return append(dst, flag)
}

// The reasons why the bytes between two flags are no frame.
var (
	ErrEscape = errors.New("an escape is followed by what is never escaped")
	ErrLong   = errors.New("it is longer than any frame")
	ErrLength = errors.New("it is not as long as it says")
	ErrCRC    = errors.New("its CRC is wrong")
	ErrForm   = errors.New("it is of no known kind, or has a message where there is none")
	ErrEcho   = errors.New("it comes from this end")
)

// Decoder finds the frames in a stream of bytes. It finds each frame that lies complete between two
// flags, whatever came before. The zero value is a host's: it accepts frames from the board.
type Decoder struct {
	AtBoard bool // accept frames from the host instead

	body    []byte
	escaped bool
	damage  error // what is wrong with the bytes since the last flag
}

// Byte takes the next byte. At the end of a frame it returns the frame and true. At the end of
// bytes that are no frame it returns an error that says why.
func (d *Decoder) Byte(b byte) (f Frame, ok bool, err error) {
	switch {
	case b == flag:
		return d.end()
	case d.damage != nil:
	case d.escaped && b != flag^toggle && b != escape^toggle:
		d.damage = ErrEscape
	case b == escape:
		d.escaped = true
	case len(d.body) == maxBody:
		d.damage = ErrLong
	default:
		if d.escaped {
			d.escaped = false
			b ^= toggle
		}
		d.body = append(d.body, b)
	}
	return Frame{}, false, nil
}

func (d *Decoder) end() (f Frame, ok bool, err error) {
	body, escaped, damage := d.body, d.escaped, d.damage
	d.body, d.escaped, d.damage = d.body[:0], false, nil
	switch {
	case damage != nil:
		return Frame{}, false, damage
	case escaped:
		return Frame{}, false, ErrEscape
	case len(body) == 0: // flags may follow each other
		return Frame{}, false, nil
	}
	f, err = parse(body)
	if err == nil && f.FromBoard == d.AtBoard {
		err = ErrEcho
	}
	if err != nil {
		return Frame{}, false, err
	}
	return f, true, nil
}

// parse reads the bytes between two flags, from which the escapes have been removed.
func parse(body []byte) (Frame, error) {
	if len(body) < header+trailer || int(body[0]) != len(body)-header-trailer {
		return Frame{}, ErrLength
	}
	end := len(body) - trailer
	if crc32.ChecksumIEEE(body[:end]) != binary.LittleEndian.Uint32(body[end:]) {
		return Frame{}, ErrCRC
	}
	control := body[1]
	f := Frame{
		FromBoard: control&fromBit != 0,
		Kind:      Kind(control &^ (marker | fromBit) >> seqBits),
		Seq:       control % Numbers,
		Session:   uint16(body[2]) | uint16(body[3])<<8,
	}
	message := body[header:end]
	if control&marker == 0 || f.Kind > Ping || (f.Kind == Data) != (len(message) > 0) {
		return Frame{}, ErrForm
	}
	if f.Kind == Data {
		f.Message = Message{Type: message[0], Payload: append([]byte(nil), message[1:]...)}
	}
	return f, nil
}
