package wave

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"slices"
	"strings"
)

// Encode returns the set as the viewer reads it (js/decode.js): four bytes with the length of the
// first part, the least significant first; that part, which says in JSON what there is; and the
// changes. Those of a signal are a count n; whether there are unknown bits, 0 or 1; n distances of
// cycles, the first one from the first cycle of all; n values; and if there are unknown bits, those
// n times. Numbers are in LEB128, and values in whole bytes, the least significant first.
func (s *Set) Encode() []byte {
	about := setJSON{First: s.First, End: s.End, Cursor: s.Cursor, Shown: s.Shown, Signals: []signalJSON{}}
	about.Start, about.Step, about.Edges = steps(s.Edges)
	var body []byte
	at := map[*Changes]int{}
	for _, signal := range s.Signals {
		c := signal.Changes
		if _, ok := at[c]; !ok {
			at[c] = len(body)
			body = c.encode(body)
		}
		about.Signals = append(about.Signals, signalJSON{
			Path: signal.Path(), Scopes: signal.Scopes, Name: signal.Name, Width: signal.Width, Group: signal.Group, Radix: signal.Radix, Names: signal.Names,
			Bad: ranges(signal.Bad), At: at[c],
		})
	}
	for _, lane := range s.Lanes {
		l := laneJSON{Path: lane.Path, Label: lane.Label, Group: lane.Group, Spans: []spanJSON{}}
		if lane.After != nil {
			l.After = lane.After.Path()
		}
		for _, span := range lane.Spans {
			l.Spans = append(l.Spans, spanJSON(span))
		}
		about.Lanes = append(about.Lanes, l)
	}
	for _, mark := range s.Marks {
		about.Marks = append(about.Marks, markJSON(mark))
	}
	text, err := json.Marshal(about)
	if err != nil {
		panic(err) // cannot be: it has only what JSON knows
	}
	return slices.Concat(binary.LittleEndian.AppendUint32(nil, uint32(len(text))), text, body)
}

// Path is the signal's name with its scopes.
func (s *Signal) Path() string { return strings.Join(append(slices.Clone(s.Scopes), s.Name), ".") }

func (c *Changes) encode(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(c.n))
	if c.unknown != nil {
		b = append(b, 1)
	} else {
		b = append(b, 0)
	}
	b = append(b, c.cycles...)
	b = append(b, c.bits...)
	return append(b, c.unknown...)
}

// The types of the part in JSON; times are in picoseconds.
type (
	setJSON struct {
		First   uint64       `json:"first"`
		End     uint64       `json:"end"`
		Start   int64        `json:"start,omitempty"`
		Step    int64        `json:"step,omitempty"` // from each edge to the next, if it is always the same
		Edges   []int64      `json:"edges,omitempty"`
		Signals []signalJSON `json:"signals"`
		Lanes   []laneJSON   `json:"lanes,omitempty"`
		Marks   []markJSON   `json:"marks,omitempty"`
		Cursor  *uint64      `json:"cursor,omitempty"`
		Shown   *[2]uint64   `json:"window,omitempty"`
	}
	signalJSON struct {
		Path   string            `json:"path"`
		Scopes []string          `json:"scopes,omitempty"`
		Name   string            `json:"name"`
		Width  int               `json:"width"`
		Group  string            `json:"group,omitempty"`
		Radix  Radix             `json:"radix,omitempty"`
		Names  map[uint64]string `json:"names,omitempty"`
		Bad    [][2]uint64       `json:"bad,omitempty"` // the second is the first cycle after it
		At     int               `json:"at"`
	}
	laneJSON struct {
		Path  string     `json:"path"`
		Label string     `json:"label"`
		Group string     `json:"group,omitempty"`
		After string     `json:"after,omitempty"`
		Spans []spanJSON `json:"spans"`
	}
	spanJSON struct {
		From uint64 `json:"from"`
		To   uint64 `json:"to"`
		Text string `json:"text"`
		Bad  bool   `json:"bad,omitempty"`
	}
	markJSON struct {
		Cycle uint64 `json:"cycle"`
		Text  string `json:"text"`
	}
)

func ranges(spans []Span) (all [][2]uint64) {
	for _, s := range spans {
		all = append(all, [2]uint64{s.From, s.To + 1})
	}
	return all
}

// steps returns the first of some times and the distance between them, or if that changes, all.
func steps(all []int64) (start, step int64, edges []int64) {
	if len(all) < 2 {
		return 0, 0, all
	}
	start, step = all[0], all[1]-all[0]
	for i := range all {
		if all[i] != start+int64(i)*step {
			return 0, 0, all
		}
	}
	return start, step, nil
}

// pack compresses data, at its fastest: what changes without a rule takes thirty times as long to
// become a quarter smaller. The same data gives the same bytes.
func pack(data []byte) []byte {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		panic(err) // cannot be: there is such a level
	}
	z.Write(data) // into memory: without error
	z.Close()
	return b.Bytes()
}
