package bridge

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Clock is one clock of a design. It is low for the first half of its period,
// rounded down to whole nanoseconds, and high for the rest; its first rising edge
// comes after a period, a low phase and its phase.
type Clock struct {
	Port   string
	Period time.Duration // zero means 10 ns (100 MHz)
	Phase  time.Duration // a delay of all its edges
}

// DefaultPeriod is the period of a clock that does not say otherwise: 100 MHz.
const DefaultPeriod = 10 * time.Nanosecond

// maxClocks is how many clocks a design may have.
const maxClocks = 16

// AllClocks are the design's clocks with their periods filled in. A design without
// a clock has one of the default period without a port: it only measures time.
func (d *Design) AllClocks() ([]Clock, error) {
	clocks := d.Clocks
	if d.Clock != "" || len(clocks) == 0 {
		if len(clocks) > 0 {
			return nil, fmt.Errorf("the design of module %s sets both Clock and Clocks: use Clocks for all", d.Top)
		}
		clocks = []Clock{{Port: d.Clock, Period: d.Period}}
	}
	if len(clocks) > maxClocks {
		return nil, fmt.Errorf("module %s has %d clocks; %d are possible", d.Top, len(clocks), maxClocks)
	}
	all := make([]Clock, len(clocks))
	for i, c := range clocks {
		if c.Period == 0 {
			c.Period = DefaultPeriod
		}
		if c.Period < 2*time.Nanosecond || c.Phase < 0 {
			return nil, fmt.Errorf("clock %s of module %s has a period of %v and a phase of %v: the period must be at least 2ns and the phase not negative", c.Port, d.Top, c.Period, c.Phase)
		}
		if c.Port == "" && len(clocks) > 1 {
			return nil, errors.New("a clock of module " + d.Top + " has no port")
		}
		all[i] = c
	}
	return all, nil
}

// clockPorts are the names of the clocks' ports.
func clockPorts(clocks []Clock) map[string]bool {
	ports := map[string]bool{}
	for _, c := range clocks {
		if c.Port != "" {
			ports[c.Port] = true
		}
	}
	return ports
}

// A Schedule tells when the rows of a tape are: row by row, the instant and which
// clocks rise in it. It follows from the clocks alone; bridge/internal/schedule
// has the same for the simulators.
type Schedule struct {
	clocks []Clock
	rise   []time.Duration // the next of each clock
}

// NewSchedule starts at the first row.
func NewSchedule(clocks []Clock) *Schedule {
	s := &Schedule{clocks: clocks}
	for _, c := range clocks {
		s.rise = append(s.rise, c.Period+c.Period/2+c.Phase)
	}
	return s
}

// Copy is a schedule of its own at the same row.
func (s *Schedule) Copy() *Schedule { return &Schedule{s.clocks, slices.Clone(s.rise)} }

// Instant is when a row is, counted from where the schedule stands. The schedule
// stays there.
func (s *Schedule) Instant(row uint64) (instant time.Duration) {
	if len(s.clocks) == 1 {
		return s.rise[0] + time.Duration(row)*s.clocks[0].Period
	}
	for c := s.Copy(); ; row-- {
		if instant, _ = c.Next(); row == 0 {
			return instant
		}
	}
}

// Next is the next row: its instant, and a mask of the clocks that rise in it, bit 0
// for the first.
func (s *Schedule) Next() (instant time.Duration, rises uint16) {
	instant = s.rise[0]
	for _, r := range s.rise[1:] {
		instant = min(instant, r)
	}
	for i := range s.rise {
		if s.rise[i] == instant {
			rises |= 1 << i
			s.rise[i] += s.clocks[i].Period
		}
	}
	return instant, rises
}
