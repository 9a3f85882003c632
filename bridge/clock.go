package bridge

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Clock is one clock of a design. It is low for the first half of its period and high for the rest.
// Its first rising edge comes after a period, a low phase and its phase. The low phase is rounded
// down: to whole nanoseconds if the period is whole nanoseconds and at least 2, and to 2 ps
// otherwise.
//
// A time.Duration counts nanoseconds, so periods that are no whole nanoseconds need the fields in
// picoseconds, which are added to the others. For 156.25 MHz write PeriodPs: 6400, or Period: 6 *
// time.Nanosecond and PeriodPs: 400. Picoseconds must be even, so that inputs can change between
// any two edges.
type Clock struct {
	Port     string
	Period   time.Duration
	PeriodPs int64         // added to Period; both zero mean 10 ns (100 MHz)
	Phase    time.Duration // a delay of all its edges
	PhasePs  int64         // added to Phase
}

// Picoseconds returns the clock's period and phase in picoseconds.
func (c Clock) Picoseconds() (period, phase int64) {
	return c.Period.Nanoseconds()*1000 + c.PeriodPs, c.Phase.Nanoseconds()*1000 + c.PhasePs
}

// low is the length of the low phase in picoseconds. schedule.h computes it in the same way.
func (c Clock) low() int64 {
	period, _ := c.Picoseconds()
	if period >= 2000 && period%1000 == 0 {
		return period / 2000 * 1000
	}
	return period / 4 * 2
}

// defaultPeriod is the period of a clock whose Period and PeriodPs are zero: 100 MHz.
const defaultPeriod = 10 * time.Nanosecond

// maxClocks is how many clocks a design may have.
const maxClocks = 16

// maxPs bounds periods and phases: an hour. Simulators are given them in fs, in 64 bits.
const maxPs = 3600e12

// AllClocks returns the design's clocks with their periods filled in. For a design without a clock
// it returns one clock of the default period without a port, which only measures time.
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
		if c.Period == 0 && c.PeriodPs == 0 {
			c.Period = defaultPeriod
		}
		if period, phase := c.Picoseconds(); c.Period > time.Hour || c.Phase > time.Hour || period < 4 || phase < 0 || period > maxPs || phase > maxPs || period%2 != 0 || phase%2 != 0 {
			return nil, fmt.Errorf("clock %s of module %s has a period of %v and %d ps and a phase of %v and %d ps: the period must be from 4 ps to an hour, "+
				"the phase from 0 to an hour, both in even picoseconds", c.Port, d.Top, c.Period, c.PeriodPs, c.Phase, c.PhasePs)
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

// A Schedule gives the time of each row: row by row, the instant and which clocks rise in it. It
// follows from the clocks alone. The simulators' shims compute the same in
// bridge/internal/schedule/schedule.h.
type Schedule struct {
	clocks []Clock
	rise   []int64 // the next of each clock, in ps
}

// NewSchedule returns a schedule that stands at the first row.
func NewSchedule(clocks []Clock) *Schedule {
	s := &Schedule{clocks: clocks}
	for _, c := range clocks {
		period, phase := c.Picoseconds()
		s.rise = append(s.rise, period+c.low()+phase)
	}
	return s
}

// Copy returns an independent schedule that stands at the same row.
func (s *Schedule) Copy() *Schedule { return &Schedule{s.clocks, slices.Clone(s.rise)} }

// Instant returns the time of a row, rounded down to nanoseconds. Rows are counted from the one at
// which the schedule stands. The schedule does not move.
func (s *Schedule) Instant(row uint64) (instant time.Duration) {
	if len(s.clocks) == 1 {
		period, _ := s.clocks[0].Picoseconds()
		return nanoseconds(s.rise[0] + int64(row)*period)
	}
	for c := s.Copy(); ; row-- {
		if instant, _ = c.Next(); row == 0 {
			return instant
		}
	}
}

// Next moves the schedule by a row. It returns the row's instant, rounded down to nanoseconds, and
// a mask of the clocks that rise in it, bit 0 for the first clock.
func (s *Schedule) Next() (instant time.Duration, rises uint16) {
	next := slices.Min(s.rise)
	for i := range s.rise {
		if s.rise[i] == next {
			period, _ := s.clocks[i].Picoseconds()
			rises |= 1 << i
			s.rise[i] += period
		}
	}
	return nanoseconds(next), rises
}

func nanoseconds(ps int64) time.Duration { return time.Duration(ps/1000) * time.Nanosecond }
