package message

import (
	"encoding/binary"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/rtl/link/frame"
	_ "github.com/cosimate/cosimate/sim" // its flags are given to all tests of rtl
)

// Each message comes back as it was, with every byte of it.
func TestRoundTrip(t *testing.T) {
	for _, zero := range types {
		if zero == nil {
			continue
		}
		m := Encode(zero)
		if len(m.Payload) > frame.MaxPayload {
			t.Errorf("%T has %d bytes", zero, len(m.Payload))
		}
		for i := range m.Payload {
			m.Payload[i] = byte(i + 1)
		}
		v, err := Decode(m)
		if err != nil {
			t.Errorf("%T: %v", zero, err)
			continue
		}
		if reflect.TypeOf(v) != reflect.TypeOf(zero) {
			t.Errorf("%T comes back as %T", zero, v)
		}
		if again := Encode(v); again.String() != m.String() {
			t.Errorf("%T: %v comes back as %v", zero, m, again)
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	for _, c := range []struct {
		m    frame.Message
		want string
	}{
		{frame.Message{Type: 0}, "no type 0"},
		{frame.Message{Type: uint8(len(types))}, fmt.Sprint("no type ", len(types))},
		{frame.Message{Type: 1, Payload: make([]byte, 4)}, "Move has 5 bytes, not 4"},
		{frame.Message{Type: 8, Payload: make([]byte, 1)}, "Request has 0 bytes, not 1"},
	} {
		if v, err := Decode(c.m); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, %v; want %q", c.m, v, err, c.want)
		}
	}
}

// table is the layouts as README.md has them.
func table() string {
	var b strings.Builder
	b.WriteString("| type | message | bytes | payload, byte by byte |\n| --: | --- | --: | --- |\n")
	for i, v := range types {
		if v == nil {
			continue
		}
		var fields []string
		at := 0
		var list func(prefix string, t reflect.Type)
		list = func(prefix string, t reflect.Type) {
			for f := range t.NumField() {
				field := t.Field(f)
				if field.Type.Kind() == reflect.Struct {
					list(prefix+field.Name+".", field.Type)
					continue
				}
				size := int(field.Type.Size())
				place := fmt.Sprint(at)
				if size > 1 {
					place = fmt.Sprintf("%d-%d", at, at+size-1)
				}
				fields = append(fields, fmt.Sprintf("%s `%s`", place, prefix+field.Name))
				at += size
			}
		}
		list("", reflect.TypeOf(v))
		fmt.Fprintf(&b, "| %d | `%s` | %d | %s |\n", i, reflect.TypeOf(v).Name(), at, strings.Join(fields, ", "))
	}
	return b.String()
}

// README.md has the layouts as they are.
func TestTable(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), table()) {
		t.Errorf("rtl/link/README.md does not have this table:\n%s", table())
	}
	for _, v := range types {
		if v != nil && binary.Size(v) < 0 {
			t.Errorf("%T has no fixed size", v)
		}
	}
}

func Example() {
	m := Encode(Move{Ply: 1, From: 52, To: 36})
	fmt.Println(m)
	v, err := Decode(m)
	fmt.Printf("%T %+v %v\n", v, v, err)
	// Output:
	// type 0x01, 01 00 34 24 00
	// message.Move {Ply:1 From:52 To:36 Promotion:0} <nil>
}
