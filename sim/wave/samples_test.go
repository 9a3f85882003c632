package wave_test

import (
	"encoding/binary"
	"html/template"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/sim/wave"
)

var pageTemplate = template.Must(template.New("").Parse(`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>waves</title>
<meta http-equiv="Content-Security-Policy" content="{{.Policy}}">
<style>body { margin: 16px; background: Canvas; } {{.Style}}</style></head>
<body><main><h1 style="font: 600 18px system-ui">Waves</h1>{{.Body}}</main></body></html>`))

// write writes a page with a set, and returns its address on disk.
func write(t testing.TB, s *wave.Set, more string) string {
	t.Helper()
	var b strings.Builder
	if err := pageTemplate.Execute(&b, wave.InPage(s, more)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return "file://" + path
}

// sources are the values of the signals that put has added, by path.
var sources = map[string]func(cycle uint64) (bits, unknown uint64){}

// put adds a signal with the values of f in each cycle, of bits and of unknown bits.
func put(s *wave.Set, signal wave.Signal, f func(cycle uint64) (bits, unknown uint64)) *wave.Signal {
	signal.Changes = wave.NewChanges(signal.Width, s.First)
	sources[signal.Path()] = f
	for cycle := s.First; cycle < s.End; cycle++ {
		bits, unknown := f(cycle)
		size := (signal.Width + 7) / 8
		plane := func(v uint64) []byte {
			if size > 8 {
				return append(binary.LittleEndian.AppendUint64(nil, v), make([]byte, size-8)...)
			}
			return binary.LittleEndian.AppendUint64(nil, v)[:size]
		}
		signal.Append(cycle, plane(bits), plane(unknown))
	}
	s.Signals = append(s.Signals, &signal)
	return &signal
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// small returns a set with one of everything.
func small() *wave.Set {
	clear(sources)
	cursor := uint64(1040)
	s := &wave.Set{First: 1000, End: 1060, Cursor: &cursor, Marks: []wave.Mark{{Cycle: 1040, Text: "differs"}}}
	for c := s.First; c < s.End; c++ {
		s.Edges = append(s.Edges, 1000*int64(15+10*c))
	}
	top := []string{"board"}
	put(s, wave.Signal{Scopes: top, Name: "rst_i", Width: 1, Group: "inputs"}, func(c uint64) (uint64, uint64) { return bit(c < 1003), 0 })
	put(s, wave.Signal{Scopes: top, Name: "valid_i", Width: 1, Group: "inputs"}, func(c uint64) (uint64, uint64) { return bit(c%3 != 1), 0 })
	put(s, wave.Signal{Scopes: top, Name: "data_i", Width: 8, Group: "inputs"}, func(c uint64) (uint64, uint64) { return (c / 3 * 37) & 255, 0 })
	count := put(s, wave.Signal{Scopes: top, Name: "count_o", Width: 8, Group: "outputs", Bad: []wave.Span{{From: 1040, To: 1040}}}, func(c uint64) (uint64, uint64) {
		if c < 1003 {
			return 0, 255
		}
		if c >= 1030 && c < 1034 {
			return 255, 255
		}
		if c == 1040 {
			return 0x0f, 0xf0
		}
		return c & 255, 0
	})
	s.Lanes = append(s.Lanes,
		&wave.Lane{Path: "model of count_o", Label: "model", Group: "outputs", After: count, Spans: []wave.Span{{From: 1040, To: 1040, Text: "0e", Bad: true}}},
		&wave.Lane{Path: "driver", Label: "driver", Group: "transactions", Spans: []wave.Span{
			{From: 1004, To: 1012, Text: "write 0x72"}, {From: 1016, To: 1019, Text: "read"}, {From: 1035, To: 1040, Text: "write 0x0e", Bad: true}}},
	)
	put(s, wave.Signal{Scopes: top, Name: "line_o", Width: 1, Group: "outputs"}, func(c uint64) (uint64, uint64) {
		if c%16 < 4 {
			return 0, 1
		}
		return 1, bit(c%16 < 8)
	})
	put(s, wave.Signal{Scopes: []string{"board", "u_fsm"}, Name: "state_q", Width: 3, Group: "internal", Names: map[uint64]string{0: "IDLE", 1: "SCAN", 2: "COMPARE", 3: "REPORT"}}, func(c uint64) (uint64, uint64) {
		return (c / 7) % 5, 0
	})
	put(s, wave.Signal{Scopes: []string{"board", "u_fsm"}, Name: "occupied_q", Width: 64, Group: "internal", Radix: wave.Board}, func(c uint64) (uint64, uint64) {
		return 0xffff00000000ffff&^(1<<(8+(c/10)%8)) | 1<<(24+(c/10)%8), 0
	})
	put(s, wave.Signal{Scopes: []string{"board", "u_fsm"}, Name: "temp_q", Width: 12, Radix: wave.Signed}, func(c uint64) (uint64, uint64) { return (c*5 - 5200) & 0xfff, 0 })
	put(s, wave.Signal{Scopes: []string{"board", "u_fsm", "u_wide"}, Name: "lanes_q", Width: 130}, func(c uint64) (uint64, uint64) { return c * 0x123456789, 0 })
	return s
}

// large returns a set of so many signals over so many cycles; they change in most of these.
func large(signals, cycles int) *wave.Set {
	s := &wave.Set{First: 0, End: uint64(cycles)}
	rng := rand.New(rand.NewPCG(3, 4))
	for c := range cycles {
		s.Edges = append(s.Edges, 1000*int64(10*c+5))
	}
	for i := range signals {
		signal := wave.Signal{Scopes: []string{"top", "u_" + string(rune('a'+i%20))}, Name: "s" + string(rune('a'+i/20%26)) + "_q", Width: []int{1, 8, 32, 64}[i%4]}
		if i < 40 {
			signal.Group = "ports"
		}
		put(s, signal, func(c uint64) (uint64, uint64) {
			if i%5 == 0 {
				return c >> (i % 7) & 1, 0
			}
			return rng.Uint64() & 0x8080808080808081 << (c % 3) & (1<<signal.Width - 1), bit(i%50 == 7 && c%977 == 500)
		})
	}
	return s
}
