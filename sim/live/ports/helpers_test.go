package ports_test

import (
	"context"
	"encoding/json"
	"os"
	"testing"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/live"
	"github.com/cosimate/cosimate/sim/live/ports"
)

var steps = sim.Design{Top: "steps", FS: os.DirFS("testdata"), Dir: "sim/live/ports/testdata", Files: []string{"steps.sv"},
	Clock: "clk_i", Reset: "rst_ni", ResetActiveLow: true}

// open opens the page of a design without a server.
func open(t testing.TB, d sim.Design, s sim.Simulator, o ports.Options) *ports.App {
	t.Helper()
	app, err := ports.Open(context.Background(), d, s, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { app.Close() })
	return app
}

// viewer is a viewer of an App without a server, and what it sees.
type viewer struct {
	t   testing.TB
	app *ports.App
	v   *live.Viewer

	About struct {
		Inputs, Outputs []struct {
			Name  string
			Width int
		}
		Notes []string
	}
	In, Out []string
	Watched []struct{ Name, Value string }
	Busy    string
	Problem string
	Wave    *struct {
		Anew     bool
		From, To uint64
		Signals  []struct {
			Name, Kind string
			Width      int
			Changes    []any
		}
	}
	Messages []struct {
		Severity, Text string
		Cycle          uint64
	}
}

func look(t testing.TB, app *ports.App) *viewer {
	v := &viewer{t: t, app: app, v: live.NewViewer()}
	app.Join(v.v)
	v.see()
	return v
}

// see takes the newest state.
func (v *viewer) see() {
	v.t.Helper()
	v.Wave, v.Messages, v.Watched, v.In, v.Out = nil, nil, nil, nil, nil
	data, err := json.Marshal(v.app.State(v.v))
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		v.t.Fatal(err)
	}
}

func (v *viewer) do(name, args string) error {
	_, err := v.app.Handle(v.v, name, json.RawMessage(args))
	return err
}

func (v *viewer) must(name, args string) {
	v.t.Helper()
	if err := v.do(name, args); err != nil {
		v.t.Fatalf("%s %s: %v", name, args, err)
	}
}

// step does cycles.
func (v *viewer) step(n int) {
	v.t.Helper()
	for n > 0 {
		done, err := v.app.Step(context.Background(), n)
		if err != nil {
			v.t.Fatal(err)
		}
		n -= done
	}
	v.see()
}

// out returns the value of an output.
func (v *viewer) out(name string) string {
	for i, p := range v.About.Outputs {
		if p.Name == name {
			return v.Out[i]
		}
	}
	v.t.Fatalf("there is no output %s", name)
	return ""
}

// watched returns the value of an internal signal, or "" if it is not watched.
func (v *viewer) watched(name string) string {
	for _, w := range v.Watched {
		if w.Name == name {
			return w.Value
		}
	}
	return ""
}

// settle waits until the App has done what it does beside the runner.
func (v *viewer) settle() {
	v.t.Helper()
	for v.see(); v.Busy != ""; v.see() {
		<-v.app.Wakes()
		v.app.Wake()
	}
}

// wave returns the changes of a signal that were sent with the last state: cycle, value ...
func (v *viewer) wave(name string) []any {
	if v.Wave != nil {
		for _, s := range v.Wave.Signals {
			if s.Name == name {
				return s.Changes
			}
		}
	}
	return nil
}
