package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// control is the arguments of the server's own messages.
type control struct {
	N      int     `json:"n"`
	Unit   string  `json:"unit"`
	Cycles float64 `json:"cycles"`
}

// handle does what a page asks for.
func (r *runner) handle(m request) {
	v := m.viewer
	if m.Do == "seen" {
		v.unseen = max(v.unseen-1, 0)
		return
	}
	value, err := r.do(m)
	if err == nil {
		r.unsaved = true
	}
	v.reply(m.ID, value, err)
	r.changed()
}

func (r *runner) do(m request) (any, error) {
	if m.Do == "take" {
		r.hand = m.viewer
		return nil, nil
	}
	if !strings.HasPrefix(m.Do, "view.") {
		if r.hand == nil {
			r.hand = m.viewer // nobody has it
		}
		if r.hand != m.viewer {
			return nil, errHand
		}
	}
	var c control
	switch m.Do {
	case "run", "pause", "step", "speed":
		if r.opts.NoClock {
			return nil, errors.New("there is no clock")
		}
		if m.Args != nil {
			if err := json.Unmarshal(m.Args, &c); err != nil {
				return nil, fmt.Errorf("%s: %w", m.Do, err)
			}
		}
	}
	switch m.Do {
	case "give":
		r.hand = nil
	case "run":
		r.running, r.left = true, 0
		r.notice, r.fault = "", false
		r.began()
	case "pause":
		r.running, r.left = false, 0
	case "step":
		return nil, r.step(c)
	case "speed":
		if c.Cycles < 0 || math.IsNaN(c.Cycles) || c.Cycles > 1e12 {
			return nil, fmt.Errorf("%g cycles a second is no speed", c.Cycles)
		}
		r.speed = c.Cycles
		r.began()
	default:
		return r.app.Handle(m.viewer, m.Do, m.Args)
	}
	return nil, nil
}

// step begins to do some units of cycles.
func (r *runner) step(c control) error {
	if c.Unit == "" {
		c.Unit = r.opts.Units[0].Name
	}
	for _, u := range r.opts.Units {
		if u.Name != c.Unit {
			continue
		}
		if c.N < 1 || c.N > maxStep/u.Cycles {
			return fmt.Errorf("a step has 1 to %d times one %s, not %d", maxStep/u.Cycles, u.Name, c.N)
		}
		r.running, r.left = false, c.N*u.Cycles
		r.notice, r.fault = "", false
		r.began()
		return nil
	}
	return fmt.Errorf("there is no step of one %s", c.Unit)
}

// restore gives a Saver what an earlier server has saved.
func (r *runner) restore(ctx context.Context) {
	s, ok := r.app.(Saver)
	if !ok || r.opts.Save == "" {
		return
	}
	data, err := os.ReadFile(r.opts.Save)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err == nil {
		err = s.Restore(ctx, data)
	}
	if err != nil && ctx.Err() == nil {
		r.stop(fmt.Sprintf("what was saved in %s cannot be taken up again, so it begins anew: %v", r.opts.Save, err), true)
	}
}

// save writes a Saver's file, complete or not at all.
func (r *runner) save() error {
	s, ok := r.app.(Saver)
	r.saved = time.Now()
	if !ok || r.opts.Save == "" || !r.unsaved {
		return nil
	}
	r.unsaved = false
	data, err := s.Save()
	if err != nil {
		return fmt.Errorf("live: saving: %w", err)
	}
	dir := filepath.Dir(r.opts.Save)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("live: saving: %w", err)
	}
	f, err := os.CreateTemp(dir, ".cosimate-*.tmp")
	if err != nil {
		return fmt.Errorf("live: saving: %w", err)
	}
	defer os.Remove(f.Name()) // after the renaming there is none
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), r.opts.Save)
	}
	if err != nil {
		return fmt.Errorf("live: saving: %w", err)
	}
	return nil
}
