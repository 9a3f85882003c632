package host

import (
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cosimate/cosimate/engine"
)

// A flag falls while nobody types anything; the clocks are in the terminal's title.
func TestConsoleFlag(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, typed := io.Pipe()
		var out, title log
		c := &Console{Out: &out, Title: &title, Prompt: true}
		ended := make(chan error)
		go func() { ended <- c.Run(t.Context(), in) }()
		io.WriteString(typed, "bullet\ne4\ne5\n")
		time.Sleep(59 * time.Second)
		if strings.Contains(out.String(), "game over") {
			t.Errorf("over after 59 s: %s", out.String())
		}
		time.Sleep(time.Second + time.Millisecond)
		io.WriteString(typed, "Nf3\n")
		typed.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		got := out.String()
		want := "white> time control: bullet, 01:00.0 a side, 0 s more after each move\n" +
			"white> 1. e4  [white 01:00.0, black 01:00.0]\n" +
			"black> 1... e5  [white 01:00.0, black 01:00.0]\n" +
			"white> game over: black wins, time\n" +
			"game over> refused: Nf3: the game is over: black wins, time\ngame over> "
		if got != want {
			t.Errorf("%s\nwant\n%s", got, want)
		}
		if got := title.String(); !strings.Contains(got, "\x1b]0;white 00:30.0, black 01:00.0\a") {
			t.Errorf("titles %q", got)
		}
	})
}

// An error of reading ends the console, and so does the end of its context.
func TestConsoleEnds(t *testing.T) {
	if err := (&Console{Out: io.Discard}).Run(t.Context(), strings.NewReader(strings.Repeat("x", 100_000))); err == nil {
		t.Error("a line without end is read")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in, typed := io.Pipe()
	defer typed.Close()
	if err := (&Console{Out: io.Discard}).Run(ctx, in); err != nil {
		t.Error(err)
	}
}

// Whatever is typed: nothing panics, and the game stays one of legal moves that comes back from its
// PGN.
func FuzzConsole(f *testing.F) {
	f.Add("e4\ne5\nblitz\ndraw\ndraw\n")
	f.Add("scenario promotion\na8=N\n+5 white\nresign black\nfen\nboard\nmoves\n")
	f.Add("bullet\ninc 3\ne4\npause\nresume\nclock\npgn\nengine off\nfen 4k3/8/8/8/8/8/8/4K2R b K - 3 9\n")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 500 {
			return
		}
		at := noon
		c := &Console{Out: io.Discard, Game: NewGame(engine.StartPosition()), Now: func() time.Time { at = at.Add(time.Second); return at }}
		for line := range strings.Lines(text) {
			// no files
			if words := strings.Fields(strings.ToLower(line)); len(words) < 2 || words[0] != "pgn" && words[0] != "load" {
				c.Line(line)
			}
		}
		pgn := c.Game.PGN(at)
		again, err := ReadGame(pgn, "again")
		if err != nil {
			t.Fatalf("%v\n%s", err, pgn)
		}
		if string(again.PGN(at)) != string(pgn) {
			t.Fatalf("read again:\n%s\nwas\n%s", again.PGN(at), pgn)
		}
	})
}
