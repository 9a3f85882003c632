package wave

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cosimate/cosimate/sim/wave/fst"
)

// Recording is a file of the format FST, and how its times are cycles.
type Recording struct {
	Path   string
	Scope  string   // of the top module, with dots; only what is in it is read
	Clocks []string // names of the clocks in that scope; a cycle ends when one of them rises
	// Times are edges that are known, of Cycle and of those before it. The last one is found among
	// those of the clocks; without clocks, these are all.
	Times []time.Duration
	Cycle uint64
	// Most is how many changes of all signals are kept at most. Beyond it, the oldest cycles are
	// left out. Zero means any number.
	Most int
}

// ReadFST returns the signals of a recording, in all cycles that have ended in it.
func ReadFST(r Recording) (*Set, error) {
	file, err := fst.Open(r.Path)
	if err != nil {
		return nil, err
	}
	vars := inScope(file.Vars, r.Scope)
	if len(vars) == 0 {
		return nil, fmt.Errorf("%s has no signals in the scope %s", r.Path, r.Scope)
	}
	unit := math.Pow10(file.Exponent + 12) // in picoseconds
	edges, rises, at, err := r.edges(file, vars, unit)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Path, err)
	}
	s := &Set{First: r.Cycle - uint64(at), End: r.Cycle - uint64(at) + uint64(len(edges))}
	sampled, err := sample(file, vars, edges, s.First)
	for err == nil && r.Most > 0 && count(sampled) > r.Most && at > 0 {
		cut := (at + 1) / 2
		edges, at, s.First = edges[cut:], at-cut, s.First+uint64(cut)
		sampled, err = sample(file, vars, edges, s.First)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Path, err)
	}
	for _, e := range edges {
		s.Edges = append(s.Edges, int64(math.Round(float64(e)*unit)))
	}
	if len(r.Clocks) > 1 {
		s.addClocks(r.Clocks, rises, edges)
	}
	for _, v := range vars {
		s.Signals = append(s.Signals, &Signal{
			Scopes: v.Scopes, Name: v.Name, Width: v.Width, Names: enumNames(v.Enum), Changes: sampled[v.Handle],
		})
	}
	return s, nil
}

func count(all map[int]*Changes) (n int) {
	for _, c := range all {
		n += c.Len()
	}
	return n
}

// addClocks adds a lane for each of several clocks: where it rises, at the end of cycles.
func (s *Set) addClocks(clocks []string, rises map[string][]uint64, edges []uint64) {
	for _, name := range clocks {
		lane := ClockLane(name)
		for _, time := range rises[name] {
			if i, ok := slices.BinarySearch(edges, time); ok {
				cycle := s.First + uint64(i)
				lane.Spans = append(lane.Spans, Span{From: cycle, To: cycle, Text: "↑"})
			}
		}
		s.Lanes = append(s.Lanes, lane)
	}
}

// ClockLane returns an empty lane for a clock's rising edges.
func ClockLane(name string) *Lane {
	return &Lane{Path: "edges of " + name, Label: name, Group: "clocks that rise"}
}

// edges returns the times of edges in the file's unit, which is in picoseconds, those of each
// clock, and the index of r.Cycle.
func (r *Recording) edges(file *fst.File, vars []fst.Var, unit float64) (edges []uint64, rises map[string][]uint64, at int, err error) {
	for _, t := range r.Times {
		edges = append(edges, uint64(math.Round(float64(t)*1000/unit)))
	}
	if len(edges) == 0 {
		return nil, nil, 0, fmt.Errorf("the time of cycle %d is not known", r.Cycle)
	}
	known := edges[len(edges)-1]
	if len(r.Clocks) > 0 {
		if edges, rises, err = edgesOf(file, vars, r.Clocks); err != nil {
			return nil, nil, 0, err
		}
	}
	// Times are rounded down to nanoseconds.
	near := max(uint64(1000/unit), 1)
	at = slices.IndexFunc(edges, func(e uint64) bool { return known <= e && e < known+near })
	if at < 0 || uint64(at) > r.Cycle {
		return nil, nil, 0, fmt.Errorf("it has no rising edge of %s at %v, which is the end of cycle %d", strings.Join(r.Clocks, ", "), r.Times[len(r.Times)-1], r.Cycle)
	}
	return edges, rises, at, nil
}

// inScope returns the variables in a scope, whose outer scopes are taken off.
func inScope(all []fst.Var, scope string) (vars []fst.Var) {
	outer := strings.Split(scope, ".")
	for _, v := range all {
		if len(v.Scopes) >= len(outer) && slices.Equal(v.Scopes[:len(outer)], outer) && !v.Param {
			v.Scopes = v.Scopes[len(outer)-1:]
			vars = append(vars, v)
		}
	}
	return vars
}

// edgesOf returns the times at which one of the clocks rises, and those of each clock.
func edgesOf(file *fst.File, vars []fst.Var, clocks []string) (edges []uint64, rises map[string][]uint64, err error) {
	handles := map[int]byte{} // and their last values
	rose := map[int][]uint64{}
	for _, v := range vars {
		if len(v.Scopes) == 1 && slices.Contains(clocks, v.Name) {
			handles[v.Handle] = 0
		}
	}
	if len(handles) == 0 {
		return nil, nil, fmt.Errorf("it has none of the clocks %s", strings.Join(clocks, ", "))
	}
	err = file.Changes(func(c fst.Change) {
		before, ok := handles[c.Handle]
		if !ok {
			return
		}
		if c.Value[0] == '1' && before == '0' {
			edges = append(edges, c.Time)
			rose[c.Handle] = append(rose[c.Handle], c.Time)
		}
		handles[c.Handle] = c.Value[0]
	})
	rises = map[string][]uint64{}
	for _, v := range vars {
		if _, ok := handles[v.Handle]; ok && len(v.Scopes) == 1 {
			rises[v.Name] = rose[v.Handle]
		}
	}
	slices.Sort(edges)
	return slices.Compact(edges), rises, err
}

// sample returns the values just before edges, by handle.
func sample(file *fst.File, vars []fst.Var, edges []uint64, first uint64) (map[int]*Changes, error) {
	samplers := map[int]*sampler{}
	for _, v := range vars {
		if samplers[v.Handle] == nil {
			size := (v.Width + 7) / 8
			samplers[v.Handle] = &sampler{changes: NewChanges(v.Width, first), bits: make([]byte, size), unknown: make([]byte, size)}
		}
	}
	err := file.Changes(func(c fst.Change) {
		s := samplers[c.Handle]
		if s == nil || s.edge == len(edges) {
			return
		}
		// The change is seen in the first cycle whose edge is later.
		n, _ := slices.BinarySearch(edges[s.edge:], c.Time+1)
		if n > 0 {
			s.flush(first)
			s.edge += n
		}
		if s.edge < len(edges) {
			s.set(c.Value)
		}
	})
	changes := map[int]*Changes{}
	for handle, s := range samplers {
		if s.edge < len(edges) {
			s.flush(first)
		}
		changes[handle] = s.changes
	}
	return changes, err
}

// sampler keeps the last value of a signal before an edge.
type sampler struct {
	changes       *Changes
	edge          int // the index of the edge that comes next
	bits, unknown []byte
	any           bool
}

func (s *sampler) flush(first uint64) {
	if s.any {
		s.changes.Append(first+uint64(s.edge), s.bits, s.unknown)
		s.any = false
	}
}

func (s *sampler) set(value []byte) {
	clear(s.bits)
	clear(s.unknown)
	for i, state := range value {
		at := len(value) - 1 - i
		bit := byte(1) << (at % 8)
		switch state {
		case '1', 'h':
			s.bits[at/8] |= bit
		case '0', 'l':
		case 'z':
			s.bits[at/8] |= bit
			s.unknown[at/8] |= bit
		default:
			s.unknown[at/8] |= bit
		}
	}
	s.any = true
}

func enumNames(enum map[string]string) map[uint64]string {
	var names map[uint64]string
	for value, name := range enum {
		if v, err := strconv.ParseUint(value, 2, 64); err == nil {
			if names == nil {
				names = map[uint64]string{}
			}
			names[v] = name
		}
	}
	return names
}
