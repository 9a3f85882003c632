package probe

import (
	"fmt"
	"strings"
	"time"

	"github.com/cosimate/cosimate/sim/live"
)

// Trigger pauses a simulation when a port or signal gets a value.
type Trigger struct {
	Name  string `json:"name"`
	Value string `json:"value"` // in binary digits
	was   bool   // it has the value already
}

// Arm returns a trigger. The design must be settled.
func Arm(d Design, name, value string) (*Trigger, error) {
	if value == "" || strings.Trim(value, "01xz") != "" {
		return nil, fmt.Errorf("%q is not a value in binary", value)
	}
	now, err := Value(d, name)
	if err != nil {
		return nil, fmt.Errorf("%w; to have the page pause at an internal signal, add it first", err)
	}
	if len(strings.TrimLeft(value, "0")) > len(now) {
		return nil, fmt.Errorf("%s has %d bits, and the value needs more", name, len(now))
	}
	return &Trigger{Name: name, Value: value, was: matches(now, value)}, nil
}

// within is for how long Run plays.
const within = 5 * time.Millisecond

// Run plays at most n cycles and returns how many it played. The error is a [*live.Pause] if the
// signal has just got its value. cycle plays one cycle, lets the design settle, and returns how
// many were played in all.
func (t *Trigger) Run(d Design, n int, cycle func() (uint64, error)) (done int, err error) {
	for deadline := time.Now().Add(within); done < n; {
		cycles, err := cycle()
		if err != nil {
			return done, err
		}
		done++
		if err := t.look(d, cycles); err != nil {
			return done, err
		}
		if done%64 == 0 && time.Now().After(deadline) {
			break
		}
	}
	return done, nil
}

// look looks at a settled design after so many cycles.
func (t *Trigger) look(d Design, cycles uint64) error {
	value, err := Value(d, t.Name)
	if err != nil {
		return err
	}
	was := t.was
	t.was = matches(value, t.Value)
	if !t.was || was {
		return nil
	}
	return &live.Pause{Reason: fmt.Sprintf("%s is now %s, after %d cycles.", t.Name, shown(t.Value), cycles)}
}

// Forget forgets what the signal was. It is for a design that begins anew.
func (t *Trigger) Forget() { t.was = false }

// matches reports whether a value is what is waited for. Digits that both have are compared; what
// is missing on the left is 0.
func matches(value, want string) bool {
	for len(want) < len(value) {
		want = "0" + want
	}
	return value == want
}
