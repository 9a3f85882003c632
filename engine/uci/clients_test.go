package uci

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/corentings/chess/v2"
	client "github.com/corentings/chess/v2/uci"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/notation"
	"github.com/cosimate/cosimate/engine/rules"
)

// serveEnv makes the test binary an engine.
const serveEnv = "COSIMATE_TEST_SERVE_UCI"

func TestMain(m *testing.M) {
	if os.Getenv(serveEnv) != "" {
		if err := Serve(context.Background(), os.Stdin, os.Stdout, Config{Name: "Cosimate of the test"}); err != nil {
			fmt.Fprintln(os.Stderr, "error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// program is an executable file that is our engine.
func program(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "engine")
	script := fmt.Sprintf("#!/bin/sh\n%s=1 exec '%s'\n", serveEnv, os.Args[0])
	if err := os.WriteFile(file, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	return file
}

// mostPatience is how long programs of others may take: on a busy machine they do.
const mostPatience = 3 * time.Minute

// The client of corentings/chess analyses, stops a search, ponders, and quits while the engine
// thinks.
func TestCorentings(t *testing.T) {
	e, err := client.New(program(t))
	if err != nil {
		t.Fatal(err)
	}
	g := chess.NewGame()
	run := func(what string, commands ...client.Cmd) {
		t.Helper()
		done := make(chan error, 1)
		go func() { done <- e.Run(commands...) }()
		select {
		case err := <-done:
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
		case <-time.After(mostPatience):
			t.Fatalf("%s: no answer", what)
		}
	}
	run("uci", client.CmdUCI, client.CmdIsReady, client.CmdSetOption{Name: "MultiPV", Value: "3"}, client.CmdUCINewGame, client.CmdIsReady)
	if name := e.ID()["name"]; name != "Cosimate of the test" {
		t.Errorf("its name is %q", name)
	}
	for _, name := range []string{"Hash", "Threads", "MultiPV", "Ponder", "UCI_LimitStrength", "UCI_Elo", "Generator"} {
		if _, ok := e.Options()[name]; !ok {
			t.Errorf("the option %s is not understood: %v", name, e.Options())
		}
	}
	run("analysis", client.CmdPosition{Position: g.Position()}, client.CmdGo{Depth: 5})
	r := e.SearchResults()
	if r.BestMove == nil || r.Info.Depth != 5 || len(r.Info.PV) == 0 || len(r.MultiPVInfo) != 3 || !slices.Contains(texts(g.ValidMoves()), r.BestMove.String()) {
		t.Errorf("analysis: %+v", r)
	}
	run("game", client.CmdSetOption{Name: "MultiPV", Value: "1"}, client.CmdIsReady)
	for g.Outcome() == chess.NoOutcome && len(g.Moves()) < 40 {
		run("move", client.CmdPosition{Position: g.Position()}, client.CmdGo{Nodes: 500})
		if err := g.PushNotationMove(e.SearchResults().BestMove.String(), chess.UCINotation{}, nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name  string
		limit client.CmdGo
	}{
		{"stop of an infinite search", client.CmdGo{Infinite: true}},
		{"stop of pondering", client.CmdGo{Ponder: true, WhiteTime: time.Minute, BlackTime: time.Minute}},
	} {
		stopped := make(chan struct{})
		go func() {
			defer close(stopped)
			time.Sleep(50 * time.Millisecond)
			e.Run(client.CmdStop)
		}()
		run(c.name, client.CmdPosition{Position: chess.NewGame().Position()}, c.limit)
		<-stopped
		if e.SearchResults().BestMove == nil {
			t.Errorf("%s: no move", c.name)
		}
	}
	// Quit while it thinks. The client says quit and kills the engine then; that it ends by itself
	// is seen by TestQuitWhileThinking.
	go e.Run(client.CmdGo{Infinite: true})
	time.Sleep(50 * time.Millisecond)
	e.Run(client.CmdStop)
	if err := e.Close(); err != nil && !strings.Contains(err.Error(), "already finished") {
		t.Error(err)
	}
}

func texts(moves []chess.Move) (list []string) {
	for _, m := range moves {
		list = append(list, m.String())
	}
	return list
}

// The program ends by itself, with status 0, when it is told to quit or its input ends, though it
// thinks.
func TestQuitWhileThinking(t *testing.T) {
	for _, last := range []string{"quit\n", ""} {
		ctx, cancel := context.WithTimeout(t.Context(), mostPatience)
		defer cancel()
		cmd := exec.CommandContext(ctx, program(t))
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		io.WriteString(in, "position startpos\ngo infinite\n")
		s := bufio.NewScanner(out)
		for s.Scan() && !strings.HasPrefix(s.Text(), "info depth 3 ") {
		}
		io.WriteString(in, last)
		in.Close()
		for s.Scan() {
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("after %q: %v", last, err)
		}
	}
}

// polyglot finds Debian's adapter.
func polyglot(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"polyglot", "/usr/games/polyglot"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("polyglot is not installed: make test installs it")
	return ""
}

// adapter is a polyglot between xboard's protocol, which the test speaks, and our engine.
type adapter struct {
	t   *testing.T
	in  io.Writer
	out *bufio.Scanner
}

func startPolyglot(t *testing.T) *adapter {
	// Not the test's context: that ends before the cleanup.
	ctx, cancel := context.WithTimeout(context.Background(), mostPatience)
	cmd := exec.CommandContext(ctx, polyglot(t), "-noini", "-ec", program(t))
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	cmd.Dir = t.TempDir()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		io.WriteString(in, "quit\n")
		in.Close()
		io.Copy(io.Discard, out)
		if err := cmd.Wait(); err != nil {
			t.Errorf("polyglot ends with %v", err)
		}
		cancel()
	})
	a := &adapter{t, in, bufio.NewScanner(out)}
	a.say("xboard", "protover 2")
	a.until("feature done=1")
	a.say("new", "sd 3")
	return a
}

func (a *adapter) say(lines ...string) {
	for _, l := range lines {
		if _, err := io.WriteString(a.in, l+"\n"); err != nil {
			a.t.Fatal(err)
		}
	}
}

// until returns the next line that begins with one of the words.
func (a *adapter) until(words ...string) string {
	for a.out.Scan() {
		for _, w := range words {
			if strings.HasPrefix(a.out.Text(), w) {
				return a.out.Text()
			}
		}
	}
	a.t.Fatalf("polyglot says none of %q", words)
	return ""
}

// A whole game of our engine against itself, each behind a polyglot: every move is legal, and the
// end that polyglot claims is one by our rules.
func TestPolyglotGame(t *testing.T) {
	players := [2]*adapter{startPolyglot(t), startPolyglot(t)}
	p := engine.StartPosition()
	seen := map[rules.Key]int{}
	moves := 0
	players[0].say("go")
	for {
		seen[rules.KeyOf(&p)]++
		mover := players[moves%2]
		line := mover.until("move ", "1-0", "0-1", "1/2-1/2")
		word, isMove := strings.CutPrefix(line, "move ")
		if !isMove {
			t.Fatalf("after %d moves, %s, polyglot claims %q when it is to move", moves, p.FEN(), line)
		}
		m, err := notation.Parse(&p, word)
		if err != nil {
			t.Fatalf("%s: %v", p.FEN(), err)
		}
		p = p.Make(m)
		moves++
		occurred := seen[rules.KeyOf(&p)] + 1
		end, cause := rules.End(&p, occurred)
		threefold, fifty := rules.Claims(&p, occurred)
		if end != rules.InPlay || threefold || fifty {
			if end == rules.InPlay {
				end = rules.Draw
			}
			// Polyglot says how the game has ended after its engine's last move.
			if claim := mover.until("1-0", "0-1", "1/2-1/2"); !strings.HasPrefix(claim, end.PGN()) {
				t.Errorf("%s: polyglot claims %q, it is %v by %v", p.FEN(), claim, end, cause)
			}
			break
		}
		players[moves%2].say("usermove " + word)
	}
	t.Logf("%d moves, %s", moves, p.FEN())
	if moves < 10 {
		t.Errorf("a game of %d moves", moves)
	}
}

// Polyglot's test of positions finds the best moves of ours.
func TestPolyglotEPD(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "test.epd")
	records := "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id \"mate in two\";\n" +
		"r6k/6pp/7N/8/2Q5/8/8/6K1 w - - bm Qg8+; id \"smothered\";\n" +
		"5k2/8/8/3q4/8/4N3/8/K7 w - - bm Nxd5; id \"a queen for nothing\";\n"
	if err := os.WriteFile(file, []byte(records), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), mostPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, polyglot(t), "-noini", "epd-test", "-ec", program(t), "-epd", file,
		"-max-depth", "8", "-max-time", "60", "-min-depth", "4", "-min-time", "0.01")
	cmd.Env = append(os.Environ(), "HOME="+dir)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "score=3/3") {
		t.Errorf("%v\n%s", err, out)
	}
}
