package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/notation"
	"github.com/cosimate/cosimate/rtl/board/host"
	"github.com/cosimate/cosimate/rtl/link"
	"github.com/cosimate/cosimate/rtl/link/message"
	"github.com/cosimate/cosimate/rtl/movelink/pair"
)

// terminal is a pseudo-terminal: its other end is a serial line for the program.
func terminal(t *testing.T) (end *os.File, device string) {
	t.Helper()
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	end = os.NewFile(uintptr(fd), "/dev/ptmx")
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	return end, fmt.Sprintf("/dev/pts/%d", n)
}

// The program plays over a serial line with a board that is the model of the RTL's link and answers
// what it is asked: the person plays e4, the engine answers, and the person carries that out. An
// interrupt ends it, saved.
func TestLine(t *testing.T) {
	end, device := terminal(t)
	defer end.Close()
	save := filepath.Join(t.TempDir(), "game.pgn")
	program, err := exec.LookPath("board")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	cmd := exec.Command(program, "--save", save, "--line", device, "--engine", "black", "--nodes", "100")
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()

	bytes := make(chan byte, 1024)
	go func() {
		buffer := make([]byte, 256)
		for {
			n, err := end.Read(buffer)
			for _, b := range buffer[:n] {
				bytes <- b
			}
			if err != nil && n == 0 { // nobody has the other end yet
				time.Sleep(time.Millisecond)
			}
			if _, err := end.Stat(); err != nil {
				return
			}
		}
	}()
	g := host.NewGame(engine.StartPosition())
	var pending []any
	play := func(text string) {
		m, err := g.Play(text, time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		pending = append(pending, message.Move{Ply: uint16(len(g.Moves()) - 1), From: uint8(m.From), To: uint8(m.To), Promotion: uint8(m.Promotion)})
	}
	model := link.NewModel(link.Params{RetryCycles: 3000, SilenceCycles: 1 << 30})
	deadline := time.Now().Add(30 * time.Second)
	for len(g.Moves()) < 2 || len(pending) > 0 || !strings.Contains(read(save), notation.SAN(before(g))) {
		if time.Now().After(deadline) {
			t.Fatalf("after 30 s: %v\n%s", g.Moves(), out.String())
		}
		in := link.In{TxReady: true, RecvReady: true}
		select {
		case b := <-bytes:
			in.RxValid, in.RxData = true, b
		case <-time.After(10 * time.Microsecond):
		}
		if len(pending) > 0 {
			in.Send(message.Encode(pending[0]))
		}
		o := model.Step(in)
		if in.SendValid && o.SendReady {
			pending = pending[1:]
		}
		if o.TxValid {
			if _, err := end.Write([]byte{o.TxData}); err != nil {
				t.Fatal(err)
			}
		}
		if !o.RecvValid {
			continue
		}
		v, err := message.Decode(o.Message())
		if err != nil {
			t.Fatal(err)
		}
		switch v := v.(type) {
		case message.Request:
			p := g.Position()
			state, squares := message.Position(&p)
			pending = append(pending, state, squares)
			if len(g.Moves()) == 0 {
				play("e4")
			}
		case message.Move:
			pending = append(pending, message.Answer{To: message.Type(v), Ply: v.Ply})
			play(engine.Square(v.From).String() + engine.Square(v.To).String())
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
	for _, want := range []string{"a board answers on " + device, "1. white: e4", "the engine plays ", "1. black: "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not said:\n%s", want, out.String())
		}
	}
}

// The program plays over the published link: the person's move comes as two bytes, the engine's
// goes to the lines of a microcontroller as two values.
func TestPublishedLine(t *testing.T) {
	for _, separate := range []bool{false, true} {
		end, device := terminal(t)
		defer end.Close()
		save := filepath.Join(t.TempDir(), "game.pgn")
		program, err := exec.LookPath("board")
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(program, "--save", save, "--published", device, "--engine", "black", "--nodes", "100", "--seed", "1")
		lines := end
		if separate {
			var at string
			lines, at = terminal(t)
			defer lines.Close()
			cmd.Args = append(cmd.Args, "--lines", at)
		}
		var out strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer cmd.Process.Kill()
		e2e4 := pair.Move{From: 12, To: 28}.Append(nil)
		var values []byte
		var wrote time.Time
		for began := time.Now(); len(values) < 2; {
			if time.Since(began) > 30*time.Second {
				t.Fatalf("the lines get %v\n%s", values, read(save))
			}
			// The program may not have the line yet: then the bytes come back, or are lost.
			if len(values) == 0 && time.Since(wrote) > 200*time.Millisecond {
				end.Write(e2e4)
				wrote = time.Now()
			}
			buffer := make([]byte, 16)
			lines.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
			n, _ := lines.Read(buffer)
			values = append(values, bytesWithout(buffer[:n], e2e4)...)
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v\n%s", err, out.String())
		}
		g, err := host.ReadGame([]byte(read(save)), save)
		if err != nil || len(g.Moves()) != 2 {
			t.Fatalf("%v\n%s%s", err, read(save), out.String())
		}
		m := g.Moves()[1]
		if want := (pair.Move{From: uint8(m.From), To: uint8(m.To)}).Lines(); values[0] != want[0] || values[1] != want[1] {
			t.Errorf("the lines get %v for %v", values, m)
		}
		if want := "the computer plays black: level 1600, seed 1\n1. white: e4\n"; !strings.Contains(out.String(), want) {
			t.Errorf("%q is not said:\n%s", want, out.String())
		}
	}
}

// bytesWithout leaves out what a terminal has echoed.
func bytesWithout(b, echo []byte) (rest []byte) {
	for _, c := range b {
		if c != echo[0] && c != echo[1] {
			rest = append(rest, c)
		}
	}
	return rest
}

// before is the position before the last move of a game, and that move.
func before(g *host.Game) (*engine.Position, engine.Move) {
	moves := g.Moves()
	p := g.Start()
	for _, m := range moves[:len(moves)-1] {
		p = p.Make(m)
	}
	return &p, moves[len(moves)-1]
}

func read(name string) string {
	text, _ := os.ReadFile(name)
	return string(text)
}

// A line on which nobody answers is an error, and no hang.
func TestLineSilent(t *testing.T) {
	t.Parallel() // takes ten seconds
	end, device := terminal(t)
	defer end.Close()
	program, err := exec.LookPath("board")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(program, "--save", filepath.Join(t.TempDir(), "game.pgn"), "--line", device).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "error: "+device+": frame: no board answers: nothing but silence for 10 s") {
		t.Errorf("%v\n%s", err, out)
	}
}
