package live_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/cosimate/cosimate/sim/live"
	"github.com/cosimate/cosimate/sim/live/livetest"
)

func TestSteps(t *testing.T) {
	address, _ := livetest.Serve(t, &lamps{}, live.Options{Units: []live.Unit{{Name: "cycle", Cycles: 1}, {Name: "scan", Cycles: 512}}})
	p := open(t, address)
	p.must("step", `{"n":1}`)
	p.until(func() bool { return p.state.Cycle == 1 && !p.status.Running })
	p.must("step", `{"n":3,"unit":"scan"}`)
	p.until(func() bool { return p.state.Cycle == 1+3*512 && !p.status.Running })
	if want := (time.Duration(1+3*512) * time.Millisecond).Seconds(); p.status.Simulated != want || p.status.Cycles != p.state.Cycle {
		t.Errorf("the status is %+v; %g s were simulated", p.status, want)
	}
	for _, bad := range []string{`{"n":0}`, `{"n":-4}`, `{"n":1e300}`, `{"n":1,"unit":"year"}`, `{"n":300000,"unit":"scan"}`, `"x"`} {
		if _, err := p.do("step", bad); err == "" {
			t.Errorf("step %s is done", bad)
		}
	}
	if _, err := p.do("fly", "1"); err != "there is no fly" {
		t.Errorf("fly: %q", err)
	}
	for _, bad := range []string{`{"cycles":-1}`, `{"cycles":1e13}`} {
		if _, err := p.do("speed", bad); err == "" {
			t.Errorf("speed %s is accepted", bad)
		}
	}
}

func TestRunAndPause(t *testing.T) {
	app := &lamps{stopAt: 200_000}
	address, _ := livetest.Serve(t, app, live.Options{})
	p := open(t, address)
	p.must("run", "null")
	p.until(func() bool { return !p.status.Running && p.state.Cycle > 0 })
	if p.state.Cycle != 200_000 || p.status.Notice != "the lamp that you wanted" || p.status.Fault {
		t.Errorf("it paused in cycle %d: %+v", p.state.Cycle, p.status)
	}
	p.must("run", "null")
	p.until(func() bool { return p.state.Cycle > 300_000 })
	p.must("pause", "null")
	p.until(func() bool { return !p.status.Running })
	at := p.state.Cycle
	p.must("step", `{"n":1}`)
	p.until(func() bool { return p.state.Cycle > at && !p.status.Running })
	if p.state.Cycle != at+1 {
		t.Errorf("after the pause in cycle %d one step leads to cycle %d", at, p.state.Cycle)
	}
}

func TestFault(t *testing.T) {
	address, _ := livetest.Serve(t, &lamps{breaks: 100}, live.Options{Running: true})
	p := open(t, address)
	p.until(func() bool { return p.status.Fault })
	if p.status.Notice != "a lamp is broken" || p.status.Running || p.state.Cycle != 100 {
		t.Errorf("the status is %+v in cycle %d", p.status, p.state.Cycle)
	}
}

// A simulation at a speed does about as many cycles as that.
func TestSpeed(t *testing.T) {
	address, _ := livetest.Serve(t, &lamps{}, live.Options{Speed: 1000})
	p := open(t, address)
	p.must("run", "null")
	begin := time.Now()
	p.until(func() bool { return p.state.Cycle >= 200 })
	// That it takes no longer depends on how busy the machine is.
	if spent := time.Since(begin); spent < 150*time.Millisecond {
		t.Errorf("200 cycles of 1 ms took %v", spent)
	}
}

func TestTwoViewers(t *testing.T) {
	app := &lamps{}
	address, stop := livetest.Serve(t, app, live.Options{})
	a, b := open(t, address), open(t, address)
	b.until(func() bool { return b.status.Viewers == 2 })
	a.until(func() bool { return a.status.Viewers == 2 })
	if a.status.Hand != "you" || b.status.Hand != "other" {
		t.Errorf("the hands are %s and %s", a.status.Hand, b.status.Hand)
	}
	a.must("set", "7")
	b.until(func() bool { return b.state.Cycle == 7 })
	for _, m := range []string{"run", "step", "pause", "speed", "give", "set"} {
		if _, err := b.do(m, "null"); !strings.Contains(err, "another viewer has the hand") {
			t.Errorf("%s without the hand: %q", m, err)
		}
	}
	if _, err := b.do("view.set", "8"); err != "" {
		t.Errorf("looking without the hand: %s", err)
	}
	b.must("take", "null")
	a.until(func() bool { return a.status.Hand == "other" })
	if _, err := a.do("set", "9"); err == "" {
		t.Error("the first viewer still has the hand")
	}
	b.must("give", "null")
	a.until(func() bool { return a.status.Hand == "nobody" })
	a.must("set", "10") // who does something when nobody has the hand has it
	a.until(func() bool { return a.status.Hand == "you" })
	a.socket.CloseNow()
	b.until(func() bool { return b.status.Viewers == 1 && b.status.Hand == "nobody" })
	b.must("set", "11")
	b.until(func() bool { return b.status.Hand == "you" && b.state.Cycle == 11 })
	stop()
	if app.joined != 0 {
		t.Errorf("%d viewers have not left", app.joined)
	}
}

// A viewer that reads nothing gets the newest state later, and holds nobody up.
func TestSlowViewer(t *testing.T) {
	app := &lamps{big: 100_000}
	address, _ := livetest.Serve(t, app, live.Options{Running: true})
	slow, quick := open(t, address), open(t, address)
	slow.silent = true
	quick.until(func() bool { return quick.states > 15 })
	seen := slow.states
	quick.must("take", "null")
	quick.must("pause", "null")
	quick.until(func() bool { return !quick.status.Running })
	slow.send(`{"do":"seen"}`)
	slow.silent = false
	slow.until(func() bool { return slow.state.Cycle == quick.state.Cycle && !slow.status.Running })
	if n := slow.states - seen; n > 4 {
		t.Errorf("the slow viewer got %d states at once, of which the last one is enough", n)
	}
}

// A server that is killed and started again goes on, and its pages find it.
func TestRestart(t *testing.T) {
	save := filepath.Join(t.TempDir(), "deep", "saved")
	token := live.NewToken()
	address, stop := livetest.Serve(t, &lamps{}, live.Options{Token: token, Save: save})
	p := open(t, address)
	p.must("step", `{"n":12345}`)
	p.until(func() bool { return p.state.Cycle == 12345 && !p.status.Running })
	for { // it is saved without being asked
		if b, err := os.ReadFile(save); err == nil && string(b) == "12345" {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	stop()
	u := strings.TrimPrefix(origin(address), "http://")
	again, stop := livetest.Serve(t, &lamps{}, live.Options{Address: u, Token: token, Save: save})
	if again != address {
		t.Fatalf("the address was %s and is %s", address, again)
	}
	if p = open(t, again); p.state.Cycle != 12345 {
		t.Errorf("it begins in cycle %d", p.state.Cycle)
	}
	stop()
	bad, _ := livetest.Serve(t, &lamps{restore: "the lamps are others"}, live.Options{Save: save})
	if p = open(t, bad); p.state.Cycle != 0 || !p.status.Fault || !strings.Contains(p.status.Notice, "the lamps are others") {
		t.Errorf("what cannot be restored: cycle %d, %+v", p.state.Cycle, p.status)
	}
}

// The hand comes back to the page that had it.
func TestHandAfterReconnect(t *testing.T) {
	address, _ := livetest.Serve(t, &lamps{}, live.Options{})
	a, b := open(t, address), open(t, address)
	a.until(func() bool { return a.status.Hand == "you" })
	a.socket.CloseNow()
	b.until(func() bool { return b.status.Hand == "nobody" })
	conn, _, err := websocket.Dial(t.Context(), strings.Replace(address, "http:", "ws:", 1)+"ws?hand=1", &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {origin(address)}}})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	b.until(func() bool { return b.status.Hand == "other" })
}

func TestBadMessages(t *testing.T) {
	address, _ := livetest.Serve(t, &lamps{}, live.Options{})
	for _, text := range []string{"", "{", "[]", `{"id":"x"}`, strings.Repeat("[", 100_000), `{"do":"` + strings.Repeat("x", 2<<20) + `"}`} {
		p := open(t, address)
		p.socket.Write(t.Context(), websocket.MessageText, []byte(text)) // which a reset may end
		for {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			_, _, err := p.socket.Read(ctx)
			ended := ctx.Err()
			cancel()
			if ended != nil {
				t.Fatalf("%.20q: the connection stays", text)
			}
			if err != nil {
				break
			}
		}
	}
	open(t, address)
}

// A server that ends leaves no goroutine behind.
func TestLeaves(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 3 {
		address, stop := livetest.Serve(t, &lamps{}, live.Options{Running: true})
		open(t, address)
		open(t, address)
		stop()
	}
	for i := 0; runtime.NumGoroutine() > before; i++ {
		if i == 1000 {
			buffer := make([]byte, 1<<20)
			t.Fatalf("%d goroutines are left of %d:\n%s", runtime.NumGoroutine()-before, before, buffer[:runtime.Stack(buffer, true)])
		}
		time.Sleep(time.Millisecond)
	}
}
