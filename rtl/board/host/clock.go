package host

import (
	"fmt"
	"strings"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/notation"
	"github.com/cosimate/cosimate/engine/search"
)

// Clock is a chess clock for two, with an increment after each move (FIDE 6). A zero Clock has no
// time control.
type Clock struct {
	Base      time.Duration // a side's time for the game; 0: no time control
	Increment time.Duration // what a side gets after each move
	left      [2]time.Duration
	running   bool
	side      engine.Color // the side whose time runs
	since     time.Time
}

// Controls are the named time controls. Their places are their codes on the board.
var Controls = []struct {
	Name string
	Base time.Duration
}{{"bullet", time.Minute}, {"blitz", 5 * time.Minute}, {"rapid", 10 * time.Minute}, {"classical", 30 * time.Minute}}

// Set sets both sides' times.
func (c *Clock) Set(base, increment time.Duration) {
	*c = Clock{Base: base, Increment: increment, left: [2]time.Duration{base, base}}
}

// Left returns the time that a side has left, at least 0.
func (c *Clock) Left(side engine.Color, at time.Time) time.Duration {
	left := c.left[side]
	if c.running && c.side == side {
		left -= at.Sub(c.since)
	}
	return max(0, left)
}

// thinking returns what a search may know of a side's clock: the zero Clock without time control.
// The overhead is what passes between the decision and the press of the clock.
func (c *Clock) thinking(side engine.Color, at time.Time, overhead time.Duration) search.Clock {
	if c.Base == 0 {
		return search.Clock{}
	}
	return search.Clock{Left: c.Left(side, at), Increment: c.Increment, Overhead: overhead}
}

// Running reports whether a side's time runs.
func (c *Clock) Running() bool { return c.running }

// Add gives a side more time, up to 99:59.9 in all.
func (c *Clock) Add(side engine.Color, d time.Duration) {
	const most = 100*time.Minute - 100*time.Millisecond
	c.left[side] = min(c.left[side]+d, max(most, c.left[side]))
}

// Pause stops the clock.
func (c *Clock) Pause(at time.Time) {
	for side := range engine.Color(2) {
		c.left[side] = c.Left(side, at)
	}
	c.running = false
}

// Run starts a side's time and stops the other's.
func (c *Clock) Run(side engine.Color, at time.Time) {
	c.Pause(at)
	c.running, c.side, c.since = c.Base > 0, side, at
}

// press is called when a side has moved. The other side's time runs then, also if no time ran
// before. The increment is added only if the clock ran.
func (c *Clock) press(side engine.Color, at time.Time) {
	if c.running {
		c.Pause(at)
		c.left[side] += c.Increment
	}
	c.Run(side.Other(), at)
}

// fallen reports whether a flag has fallen, and whose.
func (c *Clock) fallen(at time.Time) (engine.Color, bool) {
	return c.side, c.running && c.Left(c.side, at) == 0
}

// falls returns how long it takes until the running side's flag falls; ok is false if no time runs.
func (c *Clock) falls(at time.Time) (d time.Duration, ok bool) {
	return c.Left(c.side, at), c.running
}

// Control returns the time control in words.
func (c *Clock) Control() string {
	if c.Base == 0 {
		return "no time control"
	}
	name := ""
	for _, n := range Controls {
		if n.Base == c.Base {
			name = n.Name + ", "
		}
	}
	return fmt.Sprintf("%s%s a side, %v s more after each move", name, clockFace(c.Base), c.Increment.Seconds())
}

// Faces returns both sides' times in words, or "" without a time control.
func (c *Clock) Faces(at time.Time) string {
	if c.Base == 0 {
		return ""
	}
	return fmt.Sprintf("white %s, black %s", clockFace(c.Left(engine.White, at)), clockFace(c.Left(engine.Black, at)))
}

// clockFace returns a time as the board shows it: MM:SS.t, rounded up to tenths.
func clockFace(d time.Duration) string {
	tenths := (d + tenth - 1) / tenth
	return fmt.Sprintf("%02d:%02d.%d", tenths/600, tenths/10%60, tenths%10)
}

// save puts the clock into a game's tags.
func (c *Clock) save(g *notation.Game, at time.Time) {
	control, clocks := "", [2]string{}
	if c.Base > 0 {
		control = fmt.Sprint(c.Base.Seconds())
		if c.Increment > 0 {
			control += fmt.Sprintf("+%v", c.Increment.Seconds())
		}
		for side := range engine.Color(2) {
			left := c.Left(side, at).Round(time.Millisecond)
			clocks[side] = fmt.Sprintf("%d:%02d:%06.3f", int(left.Hours()), int(left.Minutes())%60, (left % time.Minute).Seconds())
		}
	}
	g.SetTag("TimeControl", control)
	g.SetTag("WhiteClock", clocks[engine.White])
	g.SetTag("BlackClock", clocks[engine.Black])
}

// load takes the clock from a game's tags. There is no time control if the tag is of another kind.
func (c *Clock) load(g *notation.Game) error {
	*c = Clock{}
	base, increment, _ := strings.Cut(g.Tag("TimeControl"), "+")
	b, err := time.ParseDuration(base + "s")
	if err != nil || b <= 0 {
		return nil
	}
	i, err := time.ParseDuration(increment + "s")
	if increment != "" && (err != nil || i < 0) {
		return nil
	}
	c.Set(b, i)
	for side, name := range []string{"WhiteClock", "BlackClock"} {
		text := g.Tag(name)
		if text == "" {
			continue
		}
		var hours, minutes int
		var seconds float64
		if n, err := fmt.Sscanf(text, "%d:%d:%f", &hours, &minutes, &seconds); n != 3 || err != nil || hours < 0 || minutes < 0 || seconds < 0 {
			return fmt.Errorf("tag %s: %q is no time: it looks like 0:04:58.300", name, text)
		}
		c.left[side] = time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute + time.Duration(seconds*1000+0.5)*time.Millisecond
	}
	return nil
}
