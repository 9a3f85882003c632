package probe

import (
	"embed"
	"io/fs"
	"slices"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim/wave"
)

//go:embed page
var page embed.FS

// Files are those of the panels and the waves: a page imports probe.js.
func Files() []fs.FS {
	sub, err := fs.Sub(page, "page")
	if err != nil {
		panic(err) // it is embedded
	}
	return []fs.FS{sub, wave.Files}
}

// About is what a page is told of a design once.
type About struct {
	Top     string   `json:"top"`
	Inputs  []Shape  `json:"inputs"`
	Outputs []Shape  `json:"outputs"`
	Signals []string `json:"signals"` // that can be watched
	Edge    float64  `json:"edge"`    // when the clock rises first, in ps
	Period  float64  `json:"period"`  // of the clock, in ps; 0 if there are several
	// Looks say how signals are shown in the waves, by name, if not in the usual way.
	Looks map[string]Look `json:"looks,omitempty"`
}

// Look is how a signal is shown.
type Look struct {
	Radix wave.Radix        `json:"radix,omitempty"`
	Names map[uint64]string `json:"names,omitempty"` // of an enumeration's values
}

// Shape is a port.
type Shape struct {
	Name  string `json:"name"`
	Width int    `json:"width"`
}

// NewAbout tells of a design. Its clocks are none if its cycles have no time.
func NewAbout(top string, l *bridge.Layout, signals []string, clocks []bridge.Clock) About {
	b := About{Top: top, Inputs: shapes(l.Inputs), Outputs: shapes(l.Outputs), Signals: slices.Concat([]string{}, signals)}
	if len(clocks) == 1 {
		period, _ := clocks[0].Picoseconds()
		b.Period, b.Edge = float64(period), float64(bridge.NewSchedule(clocks).Instant(0).Nanoseconds())*1000
	}
	return b
}

func shapes(ports []bridge.Port) []Shape {
	all := []Shape{}
	for _, p := range ports {
		all = append(all, Shape{p.Name, p.Width})
	}
	return all
}

// Watched is a signal that is looked at, and its value in binary digits.
type Watched struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Values returns the signals that are watched with their values. One that cannot be read has none.
func Values(d Design, names []string) []Watched {
	all := []Watched{}
	for _, name := range names {
		value, err := Value(d, name)
		if err != nil {
			value = ""
		}
		all = append(all, Watched{name, value})
	}
	return all
}

// Wave is what is new in the waves.
type Wave struct {
	// Anew is set if what was sent before is not continued: it begins in cycle From.
	Anew    bool     `json:"anew"`
	From    uint64   `json:"from"`
	To      uint64   `json:"to"` // the cycle to come
	Signals []Signal `json:"signals"`
}

// Signal is a row of the waves.
type Signal struct {
	Name    string `json:"name"`
	Width   int    `json:"width"`
	Kind    string `json:"kind"`    // input, output or signal
	Changes []any  `json:"changes"` // cycle, value, cycle, value ...
}

// Seen is what a viewer has been sent of the waves. The zero value is for a new viewer.
type Seen struct {
	instance int
	next     uint64 // the cycle to come
	whole    bool   // all of the history, from the beginning of what it shows
	names    []string
}

const (
	// runningPart is the part of the history that a viewer sees of a simulation that is faster than
	// it can follow.
	runningPart = 8
	shownPorts  = 40 // ports in the waves, of each direction
)

// Wave returns what a viewer's waves lack, or nil. The instance is a number that changes when the
// simulation begins anew.
func (h *History) Wave(d Design, watched []string, instance int, running bool, had *Seen) *Wave {
	names := slices.Clone(watched)
	for _, side := range [][]bridge.Port{h.layout.Inputs, h.layout.Outputs} {
		for _, p := range side[:min(len(side), shownPorts)] {
			names = append(names, p.Name)
		}
	}
	w := &Wave{From: had.next, To: h.next}
	glimpse := h.most / runningPart
	switch {
	case had.instance != instance || !slices.Equal(names, had.names) || !had.whole && !running || had.next < h.first():
		w.Anew, w.From = true, h.first()
	case h.next-had.next > glimpse && running:
		w.Anew, w.From = true, h.next-glimpse
	}
	if w.Anew && running && h.next-w.From > glimpse {
		w.From = h.next - glimpse
	}
	if w.From == w.To && !w.Anew {
		return nil
	}
	if w.Anew {
		had.whole = w.From == h.first() || !running
	}
	had.next, had.instance, had.names = h.next, instance, names
	for _, name := range names {
		g := Signal{Name: name, Changes: []any{}}
		switch in, out := Port(h.layout.Inputs, name), Port(h.layout.Outputs, name); {
		case in != nil:
			g.Width, g.Kind = in.Width, "input"
		case out != nil:
			g.Width, g.Kind = out.Width, "output"
		default:
			g.Kind, g.Width = "signal", 1
			if x := h.watched[name]; x != nil {
				g.Width = x.width
			} else if value, err := Value(d, name); err == nil {
				g.Width = len(value)
			}
		}
		for _, p := range h.points(name, w.From) {
			g.Changes = append(g.Changes, p.cycle, p.value)
		}
		w.Signals = append(w.Signals, g)
	}
	return w
}
