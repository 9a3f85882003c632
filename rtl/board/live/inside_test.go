package live

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/rtl/board"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/live"
	"github.com/cosimate/cosimate/sim/live/probe"
)

// looker is a viewer who looks inside, without a server.
type looker struct {
	t   *testing.T
	app *App
	v   *live.Viewer
}

func looksInside(t *testing.T, s sim.Simulator) *looker {
	t.Helper()
	a := NewApp(context.Background(), Options{Simulator: s, Seed: sim.Seed()})
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	l := &looker{t, a, live.NewViewer()}
	a.Join(l.v)
	l.do("view.inside", `{"on":true}`)
	<-a.Wakes()
	a.Wake()
	wait(t, a.Session, "the board has the game", func(v *View) bool { return v.PC.Up && v.Rules.State == "turn" && v.Game.Agree })
	return l
}

func (l *looker) do(name, args string) {
	l.t.Helper()
	if _, err := l.app.Handle(l.v, name, json.RawMessage(args)); err != nil {
		l.t.Fatalf("%s %s: %v", name, args, err)
	}
}

// add adds a signal, while the board plays on.
func (l *looker) add(name string) {
	l.t.Helper()
	l.do("watch", `{"name":"`+name+`"}`)
	// At most so long, for compiling may take millions of cycles: a sensor glitches now and then,
	// and with a piece in the hand that may look like a capture of an own piece.
	end := l.app.Cycles() + 1_000_000
	for l.app.inside.adding != nil {
		if l.app.Cycles() > end {
			<-l.app.Wakes()
			l.app.Wake()
			continue
		}
		select {
		case <-l.app.Wakes():
			l.app.Wake()
		default:
			do(l.t, l.app.Run(100))
		}
	}
	if s := l.see(); s.Problem != "" {
		l.t.Fatal(s.Problem)
	}
}

// see returns the newest state, whose waves have all that there is.
func (l *looker) see() insideState {
	l.t.Helper()
	l.do("view.inside", `{"on":true}`)
	data, err := json.Marshal(l.app.State(l.v))
	var news struct{ Inside *insideState }
	if err == nil {
		err = json.Unmarshal(data, &news)
	}
	if err != nil || news.Inside == nil || news.Inside.Wave == nil {
		l.t.Fatalf("nothing is seen of the inside: %v", err)
	}
	return *news.Inside
}

// values returns what a port or signal was in each cycle of the waves.
func values(t *testing.T, w *probe.Wave, name string) map[uint64]string {
	t.Helper()
	for _, s := range w.Signals {
		if s.Name != name {
			continue
		}
		all := map[uint64]string{}
		for i := 0; i < len(s.Changes); i += 2 {
			end := w.To
			if i+2 < len(s.Changes) {
				end = uint64(s.Changes[i+2].(float64))
			}
			for c := uint64(s.Changes[i].(float64)); c < end; c++ {
				all[c] = s.Changes[i+1].(string)
			}
		}
		return all
	}
	t.Fatalf("%s is not in the waves", name)
	return nil
}

// A signal deep inside is added in the middle of a game: with its past, and as if the board had
// always had it.
func TestAddSignal(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: go test without -short runs it, as make nightly does")
	}
	t.Parallel()
	sim.ForEachSimulator(t, func(t *testing.T, s sim.Simulator) {
		l := looksInside(t, s)
		a := l.app
		id := lift(t, a.Session, "e2")
		if s == sim.Verilator { // in Icarus a move takes seconds
			put(t, a.Session, id, "e4")
			made(t, a.Session, "e4")
			do(t, a.Scans(60))
			id = lift(t, a.Session, "d7")
			do(t, a.Scans(20))
		}
		l.add("state")
		first := a.Cycles()
		l.add("u_scanner.select_d")
		if a.Cycles() < first || a.Cycles() != a.machine.dut.Cycle() {
			t.Fatalf("it was in cycle %d, and is in %d of %d", first, a.Cycles(), a.machine.dut.Cycle())
		}
		added := a.Cycles()
		compare := func() insideState {
			t.Helper()
			now := l.see()
			w := now.Wave
			if s == sim.Verilator && w.To-w.From != historyCycles {
				t.Errorf("the waves have %d cycles", w.To-w.From)
			}
			before, after := values(t, w, "u_scanner.select_d"), values(t, w, "select_o")
			from := w.From
			if s == sim.Icarus { // it is seen from when it was added
				from = max(from, added)
			}
			compared := 0
			for c := from; c < w.To-1; c++ {
				if before[c] != after[c+1] || before[c] == "" {
					t.Fatalf("select_d is %q in cycle %d, and select_o %s in the next", before[c], c, after[c+1])
				}
				compared++
			}
			if compared < 1000 {
				t.Errorf("%d cycles were compared", compared)
			}
			return now
		}
		do(t, a.Scans(4))
		now := compare() // most of the waves are of the time before it was added
		if s == sim.Verilator {
			put(t, a.Session, id, "d5")
			made(t, a.Session, "e4", "d5")
			now = compare()
		}
		if len(now.Watched) != 2 || now.Watched[0].Name != "state" || len(now.Watched[0].Value) != 3 {
			t.Errorf("watched: %+v", now.Watched)
		}
		l.do("unwatch", `{"name":"state"}`)
		if now := l.see(); len(now.Watched) != 1 {
			t.Errorf("watched: %+v", now.Watched)
		}
	})
}

// Of a name that is none, and of a signal that cannot be compiled in, people are told.
func TestAddNoSignal(t *testing.T) {
	t.Parallel()
	l := looksInside(t, sim.Verilator)
	if _, err := l.app.Handle(l.v, "watch", json.RawMessage(`{"name":"u_none.x"}`)); err == nil || !strings.Contains(err.Error(), "there is no signal u_none.x") {
		t.Errorf("%v", err)
	}
	if _, err := l.app.Handle(l.v, "trigger", json.RawMessage(`{"name":"u_none.x","value":"1"}`)); err == nil || !strings.Contains(err.Error(), "add it first") {
		t.Errorf("%v", err)
	}
	// Boards are switched while one is being built.
	l.do("watch", `{"name":"u_leds.phase_q"}`)
	l.do("times", `{"on":true}`)
	for l.app.machine.Times.Name != "real" {
		<-l.app.Wakes()
		l.app.Wake()
	}
	if now := l.see(); now.Busy != "" || now.About == nil || now.About.Period != 10_000 {
		t.Errorf("with the real times: %+v", now.About)
	}
}

// The trigger pauses in the very cycle.
func TestTrigger(t *testing.T) {
	t.Parallel()
	l := looksInside(t, sim.Verilator)
	l.add("state")
	l.do("trigger", `{"name":"state","value":"10"}`) // moving
	id := lift(t, l.app.Session, "e2")
	var pause *live.Pause
	for range 1000 {
		_, err := l.app.Step(t.Context(), 10_000)
		if err != nil {
			if !errors.As(err, &pause) {
				t.Fatal(err)
			}
			break
		}
	}
	if pause == nil || !strings.HasPrefix(pause.Reason, "state is now 10") {
		t.Fatalf("it does not pause: %v", pause)
	}
	now := l.see()
	if was := values(t, now.Wave, "state")[now.Wave.To-1]; now.Watched[0].Value != "010" || was != "001" {
		t.Errorf("state is %s, and was %s", now.Watched[0].Value, was)
	}
	l.do("trigger", `{}`)
	put(t, l.app.Session, id, "e4")
	made(t, l.app.Session, "e4")
}

// A board that did too much to be done again is switched off and on, and the game goes on.
func TestAddLate(t *testing.T) {
	t.Parallel()
	l := looksInside(t, sim.Verilator)
	do(t, l.app.Carry("e4"))
	made(t, l.app.Session, "e4")
	*l.app.machine.record = record{full: true}
	l.do("watch", `{"name":"u_leds.phase_q"}`)
	<-l.app.Wakes()
	l.app.Wake()
	do(t, l.app.Scans(5))
	if now := l.see(); !strings.Contains(now.Problem, "switched off and on") || len(now.Watched) != 1 {
		t.Errorf("%+v", now)
	}
	wait(t, l.app.Session, "the board has the game", func(v *View) bool { return v.Rules.State == "turn" && v.Game.Agree })
	do(t, l.app.Carry("e5"))
	made(t, l.app.Session, "e4", "e5")
}

// A recording plays as it was recorded, and goes on when it has grown.
func TestRecord(t *testing.T) {
	var r record
	in := board.In{}
	fields := reflect.ValueOf(&in).Elem()
	var all []board.In
	p := player{}
	for i := range 200_000 {
		if i%7 == 0 || i%31 == 5 {
			switch f := fields.Field(i / 7 % fields.NumField()); f.Kind() {
			case reflect.Bool:
				f.SetBool(!f.Bool())
			case reflect.Uint8:
				bits := map[string]int{"Lines": 7, "Promotion": 4, "LinesPlay": 2}[fields.Type().Field(i/7%fields.NumField()).Name]
				f.SetUint((f.Uint()*5 + 3) % (1 << bits))
			}
			r.add(uint64(i), in)
		}
		all = append(all, in)
		if i%50_001 == 50_000 {
			p.parts = r.parts()
			for c := max(0, i-50_000); c <= i; c++ {
				if got := p.at(uint64(c)); got != all[c] {
					t.Fatalf("cycle %d: %+v, not %+v", c, got, all[c])
				}
			}
		}
	}
	if len(r.chunks) < 2 || !r.chunks[0].packed {
		t.Errorf("%d chunks", len(r.chunks))
	}
	random := rand.New(rand.NewPCG(1, 1)) // which is not to be compressed
	for i := uint64(200_000); !r.full; i += 1 + random.Uint64N(1<<20) {
		in.Lines = uint8(random.IntN(127))
		r.add(i, in)
		if r.size > recordMost {
			t.Fatal("it grows and grows")
		}
	}
	if len(r.chunks) != 0 {
		t.Error("what is too much is kept")
	}
}
