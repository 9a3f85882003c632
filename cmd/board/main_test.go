package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/notation"
	"github.com/cosimate/cosimate/rtl/board/host"
)

var kills = flag.Int("board.kills", 60, "how often the program is killed; the night has more")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"board": main})
}

// The scripts in testdata show the console's answers.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata", RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("XDG_STATE_HOME", e.WorkDir)
			return nil
		}})
}

// The program is killed at random times, again and again. The saved game is always complete. It has
// all moves that were confirmed and no move that was not given, and the next run goes on with it.
func TestKilled(t *testing.T) {
	program, err := exec.LookPath("board")
	if err != nil {
		t.Fatal(err)
	}
	save := filepath.Join(t.TempDir(), "board.pgn")
	r := rand.New(rand.NewPCG(1, uint64(time.Now().UnixNano())))
	game := host.NewGame(engine.StartPosition()) // what was confirmed
	games, moves, ahead := 1, 0, 0
	for run := range *kills {
		cmd := exec.Command(program, "--save", save)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		var trouble bytes.Buffer
		cmd.Stderr = &trouble
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		kill := func() { cmd.Process.Kill() }
		var timer *time.Timer
		soon := func() { timer = time.AfterFunc(time.Duration(r.IntN(60_000))*time.Microsecond, kill) }
		if run%4 == 0 { // while it starts
			soon()
		}
		answers := bufio.NewScanner(out)
		var given engine.Move
		waiting := false
		for {
			if game.Over() || len(game.Moves()) > 300 {
				game = host.NewGame(engine.StartPosition())
				games++
				fmt.Fprintln(in, "new")
				if !skipTo(answers, "a new game: white to move") {
					break
				}
			}
			p := game.Position()
			legal := p.AppendMoves(nil)
			given, waiting = legal[r.IntN(len(legal))], true
			if _, err := fmt.Fprintln(in, notation.SAN(&p, given)); err != nil {
				break
			}
			if !skipTo(answers, " "+notation.SAN(&p, given)) {
				break
			}
			if err := game.Make(given, time.Time{}); err != nil {
				t.Fatal(err)
			}
			moves++
			waiting = false
			if timer == nil {
				soon()
			}
		}
		if timer != nil {
			timer.Stop()
		}
		cmd.Process.Kill()
		io.Copy(io.Discard, out)
		cmd.Wait()
		if trouble.Len() > 0 {
			t.Fatalf("run %d: %s", run, trouble.String())
		}

		text, err := os.ReadFile(save)
		if os.IsNotExist(err) && len(game.Moves()) == 0 {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		saved, err := host.ReadGame(text, save)
		if err != nil {
			t.Fatalf("run %d: the saved game is not whole: %v\n%s", run, err, text)
		}
		if n := len(game.Moves()); waiting && len(saved.Moves()) == n+1 && saved.Moves()[n] == given {
			ahead++ // it was made and saved, and the kill came before the confirmation
			if err := game.Make(given, time.Time{}); err != nil {
				t.Fatal(err)
			}
		}
		if len(game.Moves()) == 0 { // a new game, of which nothing was confirmed
			game = saved
			continue
		}
		if got, want := fmt.Sprint(saved.Moves()), fmt.Sprint(game.Moves()); got != want {
			t.Fatalf("run %d: saved\n%s\nconfirmed\n%s", run, got, want)
		}
	}
	left, err := filepath.Glob(save + ".*")
	if err != nil || len(left) > 2 { // .lock, and .new of the last one killed
		t.Errorf("files left: %v, %v", left, err)
	}
	t.Logf("%d kills, %d games, %d moves confirmed; %d times the saved game was a move ahead of the confirmation", *kills, games, moves, ahead)
	if moves < *kills/2 {
		t.Errorf("only %d moves in %d runs: the kills come too early to show anything", moves, *kills)
	}
}

// skipTo reads answers up to one that has a text; false if there is none any more.
func skipTo(answers *bufio.Scanner, text string) bool {
	for answers.Scan() {
		if strings.Contains(answers.Text(), text) {
			return true
		}
	}
	return false
}
