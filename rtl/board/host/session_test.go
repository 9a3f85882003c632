package host

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/clock/codes"
	"github.com/cosimate/cosimate/rtl/link"
	"github.com/cosimate/cosimate/rtl/link/frame"
	"github.com/cosimate/cosimate/rtl/link/message"
)

var games = flag.Uint64("host.games", 2, "games in which both ends are switched off and on; the night has more")

// fakeBoard is a board with a person at it: the model of the RTL's link, in front of a game that
// does what the messages say. The person carries out the moves that are shown, and makes random
// ones.
type fakeBoard struct {
	r      *rand.Rand
	noise  float64 // probability that a byte is lost, changed or doubled
	refuse bool    // the engine's moves
	firm   bool    // what ends the game: draws and resignations
	person [2]bool // the sides that the person plays

	mutex   sync.Mutex
	game    *Game
	limit   int // moves, at which the person stops
	pending []any
	restart bool // switch it off and on
	silent  bool // the person does nothing
	loading bool // a game is being given to the board: the person waits for its end
	last    message.Move
	state   message.State
	clock   []message.Time
	in      []byte // from the host
	heard   bool   // since it was switched on
	asked   bool   // for the position
}

var boardLink = link.Params{RetryCycles: 3000, SilenceCycles: 1 << 30}

func newBoard(seed uint64, person engine.Color) *fakeBoard {
	b := &fakeBoard{r: rand.New(rand.NewPCG(seed, 1)), game: NewGame(engine.StartPosition()), limit: 60}
	b.person[person] = true
	return b
}

// serve is the board on a line, until that is closed.
func (b *fakeBoard) serve(line io.ReadWriteCloser) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		buffer := make([]byte, 256)
		for {
			n, err := line.Read(buffer)
			b.mutex.Lock()
			for _, c := range buffer[:n] {
				b.in = append(b.in, b.bad(c)...)
			}
			b.mutex.Unlock()
			if err != nil {
				return
			}
		}
	}()
	m := link.NewModel(boardLink)
	idle := 0
	for {
		select {
		case <-done:
			return
		default:
		}
		var out []byte
		b.mutex.Lock()
		if b.restart {
			b.restart, b.loading = false, false
			m.Reset()
			b.game, b.last, b.pending, b.heard = NewGame(engine.StartPosition()), message.Move{}, nil, false
		}
		busy := len(b.in) > 0 || len(b.pending) > 0
		for range 100 {
			in := link.In{TxReady: true, RecvReady: true}
			if len(b.in) > 0 {
				in.RxValid, in.RxData = true, b.in[0]
				b.in = b.in[1:]
			}
			if len(b.pending) > 0 {
				in.Send(message.Encode(b.pending[0]))
			}
			o := m.Step(in)
			if o.TxValid {
				out = append(out, b.bad(o.TxData)...)
			}
			if in.SendValid && o.SendReady {
				b.pending = b.pending[1:]
			}
			if o.RecvValid {
				b.heard, busy = true, true
				v, err := message.Decode(o.Message())
				if err != nil {
					panic(err)
				}
				b.handle(v)
			}
		}
		idle++
		if busy {
			idle = 0
		}
		if idle > 40 && b.heard && !b.silent && !b.loading {
			b.play()
			idle = 0
		}
		b.mutex.Unlock()
		if len(out) > 0 {
			if _, err := line.Write(out); err != nil {
				return
			}
		} else if !busy {
			time.Sleep(20 * time.Microsecond)
		}
	}
}

// bad is what becomes of a byte on the line.
func (b *fakeBoard) bad(c byte) []byte {
	if b.r.Float64() >= b.noise {
		return []byte{c}
	}
	return [][]byte{nil, {c, c}, {c ^ 1<<b.r.IntN(8)}, {0x7e, c}}[b.r.IntN(4)]
}

// tell sends a message.
func (b *fakeBoard) tell(v ...any) { b.pending = append(b.pending, v...) }

// play is a random move of the person.
func (b *fakeBoard) play() {
	p := b.game.Position()
	if b.game.Over() || !b.person[p.SideToMove()] || len(b.game.Moves()) >= b.limit {
		return
	}
	moves := p.AppendMoves(nil)
	b.make(moves[b.r.IntN(len(moves))])
}

func (b *fakeBoard) make(m engine.Move) {
	p := b.game.Position()
	b.last = encode(&p, m)
	if err := b.game.Make(m, never); err != nil {
		panic(err)
	}
	b.tell(b.last)
	if r, c := b.game.Result(); r != rules.InPlay {
		b.tell(message.Result{Result: uint8(r), Cause: uint8(c)})
	}
}

func (b *fakeBoard) handle(v any) {
	switch v := v.(type) {
	case message.Request:
		b.asked, b.loading = true, false
		p := b.game.Position()
		state, squares := message.Position(&p)
		r, c := b.game.Result()
		state.Result, state.Cause, state.Last = uint8(r), uint8(c), b.last
		b.tell(state, squares)
	case message.State:
		b.state = v
	case message.Squares:
		p, err := message.Setup(b.state, v).Position()
		if err != nil {
			panic(err)
		}
		b.game, b.last, b.loading = NewGame(p), message.Move{}, true
	case message.Replay:
		p := b.game.Position()
		m, ok := legal(&p, message.Move(v))
		answer := message.Answer{To: message.Type(v), Ply: v.Ply, Reason: uint8(rules.NotAMove)}
		if ok && v.Ply == message.Ply(&p) && !b.game.Over() {
			answer.Reason = 0
			b.make(m)
		}
		b.tell(answer)
	case message.Move:
		p := b.game.Position()
		m, ok := legal(&p, v)
		answer := message.Answer{To: message.Type(v), Ply: v.Ply, Reason: uint8(rules.NotAMove)}
		if ok && v.Ply == message.Ply(&p) && !b.refuse {
			answer.Reason = 0
		}
		b.tell(answer)
		if answer.Reason == 0 {
			b.make(m) // the person carries it out
		}
	case message.Time:
		b.clock = append(b.clock, v)
	case message.Resign:
		answer := message.Answer{To: message.Type(v)}
		if b.firm {
			answer.Reason = uint8(rules.NotAMove)
		} else {
			b.game.end(rules.Win(engine.Color(v.Side).Other()), rules.Resignation)
			b.tell(message.Result{Result: uint8(b.game.result), Cause: uint8(rules.Resignation)})
		}
		b.tell(answer)
	case message.Draw:
		if b.firm {
			b.tell(message.Answer{To: message.Type(v), Reason: uint8(rules.NotAMove)})
			return
		}
		cause := rules.Agreement
		if v.Claim != 0 {
			cause = b.game.Claimable()
		}
		b.game.end(rules.Draw, cause)
		b.tell(message.Result{Result: uint8(rules.Draw), Cause: uint8(cause)})
	}
}

// look returns what the board's game is.
func (b *fakeBoard) look() (moves []engine.Move, fen string, over bool) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	p := b.game.Position()
	return slices.Clone(b.game.Moves()), p.FEN(), b.game.Over()
}

// log is what a session says.
type log struct {
	mutex sync.Mutex
	text  strings.Builder
}

func (l *log) Write(p []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.Write(p)
}

func (l *log) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.String()
}

// program runs the host's program as long as the condition is not met: a store, a session, and a
// line to the board.
func program(t *testing.T, b *fakeBoard, save string, until func(*Session) bool) (*Game, string) {
	t.Helper()
	store, err := OpenStore(save)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	game, err := store.Game()
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := net.Pipe()
	var board sync.WaitGroup
	board.Go(func() { b.serve(theirs) })
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	conn, err := frame.Dial(ctx, ours, frame.Options{Retry: 5 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	var said log
	s := &Session{Game: game, Store: store, Opponent: &Opponent{Nodes: 100}, Log: &said}
	s.Engine[engine.White], s.Engine[engine.Black] = !b.person[0], !b.person[1]
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx, conn) }()
	for !until(s) {
		select {
		case err := <-ended:
			t.Fatalf("the session ends: %v\n%s", err, said.String())
		case <-time.After(time.Millisecond):
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	conn.Close()
	theirs.Close()
	board.Wait()
	return s.Game, said.String()
}

// saved are the moves of the saved game.
func saved(t *testing.T, path string) []engine.Move {
	t.Helper()
	g, err := (&Store{path: path}).Game()
	if err != nil {
		t.Fatal(err)
	}
	return g.Moves()
}

// A game on lines of all kinds, by a person and an engine: board, host and saved game have the same
// moves.
func TestSession(t *testing.T) {
	for _, noise := range []float64{0, 0.003, 0.02} {
		for side := range engine.Color(2) {
			t.Run(fmt.Sprintf("%v, noise %v", side, noise), func(t *testing.T) {
				t.Parallel()
				save := filepath.Join(t.TempDir(), "game.pgn")
				b := newBoard(uint64(side)+7, side)
				b.noise = noise
				game, said := program(t, b, save, func(s *Session) bool {
					moves, _, over := b.look()
					// for the person; the engine would go on
					waits := len(moves) >= b.limit && b.person[len(moves)%2]
					return (over || waits) && len(saved(t, save)) == len(moves)
				})
				moves, fen, over := b.look()
				if !slices.Equal(moves, saved(t, save)) {
					t.Errorf("the board has\n%v\nsaved are\n%v\n%s", moves, saved(t, save), said)
				}
				if p := game.Position(); p.FEN() != fen {
					t.Errorf("the board is at %s, the host at %s", fen, p.FEN())
				}
				t.Logf("%d moves, over: %v", len(moves), over)
			})
		}
	}
}

// The host's program and the board are switched off and on at random times: no move is lost or made
// up.
func TestSessionRestarts(t *testing.T) {
	for seed := range *games {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			save := filepath.Join(t.TempDir(), "game.pgn")
			b := newBoard(seed, engine.White)
			b.noise = 0.002
			r := rand.New(rand.NewPCG(seed, 2))
			var known []engine.Move
			restarts, finished := 0, false
			for run := 0; !finished && run < 100; run++ {
				stop := len(known) + 1 + r.IntN(6)
				program(t, b, save, func(*Session) bool {
					if r.IntN(30) == 0 && restarts < 10 {
						b.mutex.Lock()
						// Not while the board alone has a move: a board that forgets it has never
						// had it.
						if p, n := b.game.Position(), len(saved(t, save)); int(message.Ply(&p)) == n && n > 0 {
							b.restart = true
							restarts++
						}
						b.mutex.Unlock()
					}
					moves := saved(t, save)
					finished = len(moves) >= b.limit
					return len(moves) >= stop || finished || func() bool { g, _ := (&Store{path: save}).Game(); return g.Over() }()
				})
				now := saved(t, save)
				if len(now) < len(known) || !slices.Equal(now[:len(known)], known) {
					t.Fatalf("saved were\n%v\nand now are\n%v", known, now)
				}
				known = now
				if g, _ := (&Store{path: save}).Game(); g.Over() {
					finished = true
				}
			}
			if !finished {
				t.Errorf("after a hundred runs only %d moves", len(known))
			}
			t.Logf("%d moves, %d restarts of the board", len(known), restarts)
		})
	}
}

// Moves that the board has made while the host's program was gone, or that were not saved any more,
// are taken; so are two that came faster than the line takes them.
func TestSessionTakesMissed(t *testing.T) {
	for _, played := range []string{"e4 e5 Nf3", "e4 e5 Nf3 Nc6"} {
		save := savedGame(t, "e4 e5")
		b := newBoard(1, engine.White)
		b.silent = true
		b.playAll(t, played)
		n := len(strings.Fields(played))
		n += n % 2 // the engine's move follows
		_, said := program(t, b, save, func(*Session) bool { return len(saved(t, save)) == n })
		if !strings.HasPrefix(said, "2. white: Nf3\n") {
			t.Errorf("%s: %s", played, said)
		}
		unasked := false
		_, said = program(t, b, save, func(*Session) bool {
			b.mutex.Lock()
			defer b.mutex.Unlock()
			if p := b.game.Position(); !unasked && b.heard && p.SideToMove() == engine.White {
				unasked = true
				b.play()
				for p := b.game.Position(); p.SideToMove() == engine.Black; p = b.game.Position() {
					b.make(p.AppendMoves(nil)[0])
				}
				b.pending = nil
				b.handle(message.Request{})
			}
			return unasked && len(saved(t, save)) == n+2
		})
		if strings.Contains(said, "the board gets") {
			t.Errorf("%s: %s", played, said)
		}
	}
}

// playAll makes moves at the board that the host does not hear of.
func (b *fakeBoard) playAll(t *testing.T, moves string) {
	t.Helper()
	for _, text := range strings.Fields(moves) {
		m, err := NewGame(b.game.Position()).Play(text, never)
		if err != nil {
			t.Fatal(err)
		}
		b.make(m)
	}
	b.pending = nil
}

// savedGame is the file of a game.
func savedGame(t *testing.T, moves string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "game.pgn")
	store, err := OpenStore(path)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	g := gameFrom(t, "")
	play(t, g, moves)
	if err := store.Save(g.PGN(noon)); err != nil {
		t.Fatal(err)
	}
	return path
}

// After the end of a game the board begins the next.
func TestSessionNewGame(t *testing.T) {
	save := savedGame(t, "f3 e5 g4 Qh4")
	b := newBoard(1, engine.Black)
	b.silent = true
	_, said := program(t, b, save, func(*Session) bool { return len(saved(t, save)) == 1 })
	if !strings.HasPrefix(said, "a new game: level max, seed 1\n") {
		t.Error(said)
	}
}

// The engine resigns a lost game at the board, and claims a draw that it can claim. Where the board
// refuses that, it makes a move.
func TestSessionGivesUp(t *testing.T) {
	lost := gameFrom(t, "8/8/8/3k4/8/8/PPPPPP2/QR2K3 w - - 0 1")
	repeated := gameFrom(t, "4k3/1ppppppp/8/8/8/8/1PPPPPPP/R3K3 w - - 0 1")
	play(t, repeated, "Ra2 Kd8 Ra1 Ke8 Ra2 Kd8 Ra1 Ke8 Ra2")
	for _, c := range []struct {
		game  *Game
		firm  bool
		cause rules.Cause
		want  string
	}{
		{lost, false, rules.Resignation, "the engine resigns"},
		{repeated, false, rules.Threefold, "the engine takes a draw"},
		{lost, true, rules.NoCause, "the engine resigns\nthe board refuses, and the engine goes on: not a move\nthe engine plays "},
		{repeated, true, rules.NoCause, "the engine takes a draw\nthe board refuses, and the engine goes on: not a move\nthe engine plays "},
	} {
		save := filepath.Join(t.TempDir(), "game.pgn")
		if err := os.WriteFile(save, c.game.PGN(never), 0o666); err != nil {
			t.Fatal(err)
		}
		b := newBoard(1, engine.White)
		b.firm, b.limit = c.firm, 14
		game, said := program(t, b, save, func(s *Session) bool {
			var said string
			if l, ok := s.Log.(*log); ok {
				said = l.String()
			}
			return strings.Contains(said, c.want) && (c.firm || strings.Contains(said, "game over"))
		})
		if _, cause := game.Result(); cause != c.cause || !strings.Contains(said, c.want) {
			t.Errorf("%s: %s", c.want, said)
		}
	}
}

// A board that lost its game gets it with its repetitions and clocks; one that was put to another
// game gets ours.
func TestSessionRestores(t *testing.T) {
	save := filepath.Join(t.TempDir(), "game.pgn")
	store, err := OpenStore(save)
	if err != nil {
		t.Fatal(err)
	}
	g := gameFrom(t, "")
	g.Clock.Set(5*time.Minute, 3*time.Second)
	play(t, g, "e4 e5 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8")
	g.Clock.Pause(noon)
	g.Clock.left = [2]time.Duration{4*time.Minute + 58*time.Second, 3*time.Minute + 2150*time.Millisecond}
	if err := store.Save(g.PGN(never)); err != nil {
		t.Fatal(err)
	}
	store.Close()
	b := newBoard(1, engine.White)
	b.silent = true
	_, said := program(t, b, save, func(*Session) bool {
		b.mutex.Lock()
		defer b.mutex.Unlock()
		return b.game.Position() == g.Position() && len(b.clock) == 4
	})
	if got := b.game.Claimable(); got != rules.Threefold {
		t.Errorf("the board can claim %v\n%s", got, said)
	}
	want := []message.Time{
		{Command: uint8(codes.CmdSet), Control: 1, Increment: 3},
		{Command: uint8(codes.CmdLoad), Side: 0, Left: 0x04580},
		{Command: uint8(codes.CmdLoad), Side: 1, Left: 0x03022},
		{Command: uint8(codes.CmdStart), Side: 0},
	}
	if !slices.Equal(b.clock, want) {
		t.Errorf("clock: %+v, want %+v", b.clock, want)
	}
}

// What the board says of clocks, draws and the end comes to the game.
func TestSessionMessages(t *testing.T) {
	save := filepath.Join(t.TempDir(), "game.pgn")
	b := newBoard(1, engine.White)
	b.silent = true
	sent := 0
	game, said := program(t, b, save, func(s *Session) bool {
		b.mutex.Lock()
		defer b.mutex.Unlock()
		if sent == 0 && b.asked && len(b.pending) == 0 { // host and board have the same game
			b.tell(message.Clock{White: 0x09590, Black: 0x10000, State: 1, Control: 2, Increment: 0x12},
				message.Restore{Reason: uint8(rules.Blocked), Squares: 0x81}, message.Restore{},
				message.Draw{Side: 0}, message.Resign{Side: 0}, message.Result{Result: uint8(rules.BlackWins), Cause: uint8(rules.Resignation)})
			sent = 1
		}
		g, err := (&Store{path: save}).Game()
		return err == nil && g.Over()
	})
	for _, want := range []string{"put right at the board: a1 h1 (blocked)", "the board is as it should be", "white offers a draw; black declines", "white resigns", "game over: black wins, resignation"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said:\n%s", want, said)
		}
	}
	if got := game.Clock.Faces(never); got != "white 09:59.0, black 10:00.0" || game.Clock.Increment != 12*time.Second {
		t.Errorf("%s, %v", got, game.Clock.Increment)
	}
}

// A board that refuses each of the engine's moves ends the session, with the reason.
func TestSessionRefused(t *testing.T) {
	b := newBoard(1, engine.Black)
	b.refuse = true
	ours, theirs := net.Pipe()
	var board sync.WaitGroup
	board.Go(func() { b.serve(theirs) })
	conn, err := frame.Dial(t.Context(), ours, frame.Options{Retry: 5 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	s := &Session{Game: NewGame(engine.StartPosition()), Opponent: &Opponent{Nodes: 10}, Engine: [2]bool{true, false}, Log: io.Discard}
	err = s.Run(t.Context(), conn)
	if err == nil || !strings.Contains(err.Error(), "has refused the engine's move 3 times: not a move") {
		t.Error(err)
	}
	conn.Close()
	theirs.Close()
	board.Wait()
}

// Positions come back from messages.
func TestMessages(t *testing.T) {
	for _, fen := range []string{
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
		"rnbqkbnr/pppp1ppp/8/8/3Pp3/8/PPP1PPPP/RNBQKBNR b Kq d3 0 300",
	} {
		p, err := engine.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		if got := message.Setup(message.Position(&p)).FEN(); got != fen {
			t.Errorf("%s, want %s", got, fen)
		}
	}
}

// A store has one user, says what goes wrong, and overwrites what a program that was killed has
// left.
func TestStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "x")
	if _, err := OpenStore(filepath.Join(dir, "game")); err == nil || !strings.Contains(err.Error(), "the saved game cannot be kept") {
		t.Error(err)
	}
	path := filepath.Join(t.TempDir(), "game")
	s, err := OpenStore(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenStore(path); err == nil || !strings.HasSuffix(err.Error(), "is in use by another program") {
		t.Error(err)
	}
	if data, err := s.Load(); data != nil || err != nil {
		t.Error(data, err)
	}
	for _, text := range []string{"a long one", "short"} {
		if err := s.Save([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if data, err := s.Load(); string(data) != text || err != nil {
			t.Errorf("%s, %v", data, err)
		}
	}
	broken := &Store{path: filepath.Join(dir, "game")}
	if err := broken.Save(nil); err == nil {
		t.Error("saved where there is no folder")
	}
	var said strings.Builder
	c := &Console{Out: &said, Store: broken, Now: func() time.Time { return noon }, Game: gameFrom(t, "")}
	c.Line("e4")
	if got := said.String(); !strings.Contains(got, "warning: the game is not saved: ") || !strings.Contains(got, "1. e4") {
		t.Error(got)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	again, err := OpenStore(path)
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
}

// A move is one of its ply only: what was told of an earlier one is not made again, though it would
// be legal; and what is told of a later one is not known.
func TestSessionPly(t *testing.T) {
	g := gameFrom(t, "")
	play(t, g, "Nf3 Nf6 Ng1 Ng8")
	s := &Session{Game: g, Log: io.Discard}
	nf3 := message.Move{From: 6, To: 21}
	if err := s.move(t.Context(), nf3); err != nil || len(g.Moves()) != 4 {
		t.Errorf("%v, %v", g.Moves(), err)
	}
	for ply, want := range []bool{true, false, false, false, false, false, false} {
		nf3.Ply = uint16(ply)
		if got := s.known(nf3); got != want {
			t.Errorf("move %d: known %v", ply, got)
		}
	}
	nf3.Ply = 4
	if err := s.move(t.Context(), nf3); err != nil || len(g.Moves()) != 5 {
		t.Errorf("%v, %v", g.Moves(), err)
	}
}
