package uci

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/search"
)

// talk sends lines, one after the other, and returns what is answered until the end of input.
func talk(t *testing.T, lines ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := Serve(t.Context(), strings.NewReader(strings.Join(lines, "\n")+"\n"), &out, Config{}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestConversation(t *testing.T) {
	got := talk(t, "uci", "isready", "setoption name Hash value 1", "ucinewgame",
		"position startpos moves e2e4 e7e5", "go depth 3")
	for _, want := range []string{"id name Cosimate\n", "uciok\n", "readyok\n", "info depth 3 ", "\nbestmove "} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if strings.Contains(got, "error") {
		t.Errorf("an error:\n%s", got)
	}
}

// What is wrong is said, and changes nothing; words that are none are skipped.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"setoption name Hash value lots", `Hash is a number from 1 to 65536, not "lots"`},
		{"setoption name Hash value 0", "from 1 to 65536"},
		{"setoption name Threads", "from 1 to 256"},
		{"setoption name Colour value red", `there is no option "Colour"`},
		{"setoption name Generator value abacus", `there is no generator "abacus": there are software`},
		{"setoption name Features value pvs,magic", `there is no feature "magic"`},
		{"setoption", "expected: setoption name NAME value VALUE"},
		{"position", "expected: position startpos"},
		{"position fen 8/8/8/8/8/8/8/8 w - - 0 1", "king"},
		{"position startpos moves e2e5", "e2e5 is not a legal move in rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"},
		{"go depth", "a number is missing after depth"},
		{"go depth three", `depth: "three" is not a number`},
		{"go searchmoves e2e5", "e2e5 is not a legal move"},
		{"bench 0", "the depth is a number from 1"},
	} {
		if got := talk(t, c.line); !strings.Contains(got, "info string error: ") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.line, got, c.want)
		}
	}
	for _, line := range []string{"", "   ", "hello", "joho debug on", "\x00\xff", "stop", "ponderhit", strings.Repeat("x ", 5000)} {
		if got := talk(t, line); got != "" {
			t.Errorf("%q is answered by %q", line, got)
		}
	}
	if got := talk(t, "please isready"); got != "readyok\n" {
		t.Errorf("a word before the command: %q", got)
	}
	// The position before the mistake is kept.
	got := talk(t, "position startpos moves e2e4", "position startpos moves e2e5", "d")
	if !strings.Contains(got, "fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1") {
		t.Errorf("after a mistake: %s", got)
	}
}

// conversation is one in which answers are waited for.
type conversation struct {
	t   *testing.T
	in  io.Writer
	out *bufio.Scanner
}

func converse(t *testing.T) (c *conversation, ended chan error) {
	in, write := io.Pipe()
	read, out := io.Pipe()
	ended = make(chan error, 1)
	go func() {
		err := Serve(context.Background(), in, out, Config{})
		out.Close()
		ended <- err
	}()
	t.Cleanup(func() { write.Close(); read.Close() })
	return &conversation{t, write, bufio.NewScanner(read)}, ended
}

func (c *conversation) say(line string) {
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

// until reads to a line that begins so, and returns it and how many lines came before.
func (c *conversation) until(begin string) (line string, before int) {
	c.t.Helper()
	for c.out.Scan() {
		if strings.HasPrefix(c.out.Text(), begin) {
			return c.out.Text(), before
		}
		before++
	}
	c.t.Fatalf("no line begins with %q", begin)
	return "", 0
}

// An infinite search ends with stop, a pondering one with its hit; both answer isready meanwhile.
func TestStopAndPonder(t *testing.T) {
	c, ended := converse(t)
	c.say("go infinite")
	c.say("isready")
	c.until("readyok")
	c.say("stop")
	c.until("bestmove ")
	// Mate in one is found at once, but is not to be told before stop.
	c.say("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1")
	c.say("go infinite mate 1")
	c.until("info depth 1 ")
	c.say("isready")
	if _, n := c.until("readyok"); n > 1000 {
		t.Errorf("%d lines", n)
	}
	c.say("stop")
	if line, _ := c.until("bestmove "); !strings.HasPrefix(line, "bestmove a1a8") {
		t.Error(line)
	}
	c.say("go ponder wtime 100 btime 100")
	c.say("isready")
	c.until("readyok")
	c.say("ponderhit")
	c.until("bestmove ")
	c.say("go infinite")
	c.say("quit")
	go io.Copy(io.Discard, readerOf(c.out))
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("it does not quit while it searches")
	}
}

// readerOf drains a scanner.
func readerOf(s *bufio.Scanner) io.Reader {
	r, w := io.Pipe()
	go func() {
		for s.Scan() {
		}
		w.Close()
	}()
	return r
}

// At the end of input a search that ends by itself does; another one is stopped.
func TestEndOfInput(t *testing.T) {
	for _, line := range []string{"go depth 2", "go infinite", "go ponder wtime 1000 btime 1000"} {
		if got := talk(t, line); !strings.Contains(got, "bestmove ") {
			t.Errorf("%s: %s", line, got)
		}
	}
}

func TestPerft(t *testing.T) {
	got := talk(t, "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "go perft 3")
	if !strings.Contains(got, "Nodes searched: 97862\n") || !strings.Contains(got, "e1g1: 2059\n") {
		t.Errorf("%s", got)
	}
}

// bench has one signature.
func TestBench(t *testing.T) {
	signature := func() string {
		line, _, _ := strings.Cut(talk(t, "bench 5"), "\n")
		return line
	}
	if a, b := signature(), signature(); a != b || !strings.HasPrefix(a, "Nodes searched: ") {
		t.Errorf("%q and %q", a, b)
	}
}

func TestLimits(t *testing.T) {
	p := engine.StartPosition()
	for _, c := range []struct {
		words    string
		want     search.Limits
		perft    int
		infinite bool
	}{
		{"depth 5 nodes 100 mate 3", search.Limits{Depth: 5, Nodes: 100, Mate: 3}, 0, false},
		{"movetime 250", search.Limits{MoveTime: 250 * time.Millisecond}, 0, false},
		{"wtime 1000 btime 5 winc 10 binc 7 movestogo 4", search.Limits{Clock: search.Clock{
			Left: time.Second, Increment: 10 * time.Millisecond, MovesToGo: 4, Overhead: overhead,
		}}, 0, false},
		{"wtime -5 btime 5", search.Limits{Clock: search.Clock{Left: time.Millisecond, Overhead: overhead}}, 0, false},
		{"ponder wtime 1000 btime 1000", search.Limits{Ponder: true, Clock: search.Clock{Left: time.Second, Overhead: overhead}}, 0, false},
		{"infinite", search.Limits{}, 0, true},
		{"", search.Limits{}, 0, true},
		{"perft 4", search.Limits{}, 4, false},
		{"blunders 3 depth 2", search.Limits{Depth: 2}, 0, false},
	} {
		l, perft, infinite, err := limits(strings.Fields(c.words), &p)
		if err != nil || l.Depth != c.want.Depth || l.Nodes != c.want.Nodes || l.Mate != c.want.Mate || l.MoveTime != c.want.MoveTime ||
			l.Clock != c.want.Clock || l.Ponder != c.want.Ponder || perft != c.perft || infinite != c.infinite {
			t.Errorf("%s: %+v, %d, %v, %v", c.words, l, perft, infinite, err)
		}
	}
	l, _, _, err := limits(strings.Fields("searchmoves e2e4 d2d4 depth 3"), &p)
	if err != nil || len(l.Only) != 2 || l.Depth != 3 {
		t.Errorf("searchmoves: %+v, %v", l, err)
	}
}

// No line makes it panic or hang.
func FuzzServe(f *testing.F) {
	for _, line := range []string{"uci", "position startpos moves e2e4", "setoption name Hash value 2", "go depth 1", "d", "eval"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		for _, heavy := range []string{"go", "bench", "Hash", "hash", "Threads", "threads", "HASH", "THREADS"} {
			if strings.Contains(line, heavy) {
				return // takes as long as it says
			}
		}
		var out bytes.Buffer
		if err := Serve(t.Context(), strings.NewReader(line+"\nisready\n"), &out, Config{}); err != nil {
			t.Fatal(err)
		}
	})
}
