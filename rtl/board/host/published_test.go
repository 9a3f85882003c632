package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/movelink"
	"github.com/cosimate/cosimate/rtl/movelink/pair"
	"github.com/cosimate/cosimate/rtl/uart"
	"github.com/cosimate/cosimate/sim"
)

// asked is a value that the host wants on the lines, until done is closed.
type asked struct {
	value uint8
	done  chan struct{}
}

// simulatedLines are lines of a simulation, which gets what is to be put on them.
type simulatedLines chan asked

func (l simulatedLines) Set(ctx context.Context, value uint8) error {
	a := asked{value, make(chan struct{})}
	select {
	case l <- a:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-a.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// cycle of the published board's clock, in nanoseconds.
const cycle = 10.0

// wires are the published link in time: the RTL with its clock, a UART behind it and one at the
// host, and a microcontroller, which knows nothing of the clock and sets one line after the other.
type wires struct {
	dut       *sim.DUT[movelink.In, movelink.Out]
	r         *rand.Rand
	in        movelink.In
	out       movelink.Out
	now       float64 // the next edge of the clock, in nanoseconds
	changes   [7]float64
	value     uint8 // of the lines after the changes
	transmits *uart.Model
	receives  *uart.Model
	serial    uart.Out
	host      io.Writer
	bytes     int
	moves     []pair.Move // from the host
}

func newWires(t *testing.T, dut *sim.DUT[movelink.In, movelink.Out], host io.Writer) *wires {
	w := &wires{dut: dut, r: rand.New(rand.NewPCG(1, 1)), transmits: uart.NewModel(uart.Default), receives: uart.NewModel(uart.Default), host: host}
	w.serial = uart.Out{Tx: true, TxReady: true}
	w.in.Rst = true
	if err := w.run(8); err != nil {
		t.Fatal(err)
	}
	w.in.Rst = false
	return w
}

// run simulates cycles.
func (w *wires) run(cycles int) error {
	for range cycles {
		for i, at := range w.changes {
			// Within a nanosecond of the edge it is either.
			if bit := uint8(1) << i; at < w.now-1 || at < w.now+1 && w.r.IntN(2) == 0 {
				w.in.Lines = w.in.Lines&^bit | w.value&bit
			}
		}
		w.in.TxReady = w.serial.TxReady
		w.in.MoveReady = w.r.IntN(50) == 0 // the board is busy now and then
		out, err := w.dut.Step(w.in)
		if err != nil {
			return err
		}
		w.out = out
		w.now += cycle
		if w.in.Rst {
			continue
		}
		if out.MoveValid && w.in.MoveReady {
			w.moves = append(w.moves, pair.Move{From: out.MoveFrom, To: out.MoveTo})
		}
		line := w.serial.Tx
		w.serial = w.transmits.Step(uart.In{Rx: true, TxValid: out.TxValid, TxData: out.TxData, RxReady: true})
		if got := w.receives.Step(uart.In{Rx: line, RxReady: true}); got.RxValid {
			w.bytes++
			if _, err := w.host.Write([]byte{got.RxData}); err != nil {
				return err
			}
		}
	}
	return nil
}

// set puts a value on the lines as a microcontroller does: in any order, each up to 5 us after the
// one before, at any time. Then they hold for as long as the board asks for.
func (w *wires) set(value uint8) error {
	w.value = value
	at := w.now
	for _, line := range w.r.Perm(7) {
		at += w.r.Float64() * 5000
		w.changes[line] = at
	}
	return w.run(int((at-w.now)/cycle) + movelink.Default.HoldCycles + movelink.Default.SyncStages + 3)
}

// say is a move of the person at the board, which sends it to the host.
func (w *wires) say(m engine.Move) error {
	w.in.SendValid, w.in.SendFrom, w.in.SendTo = true, uint8(m.From), uint8(m.To)
	for {
		if err := w.run(1); err != nil {
			return err
		}
		if w.out.SendReady {
			break
		}
	}
	w.in.SendValid = false
	for want := w.bytes + 2; w.bytes < want; {
		if err := w.run(100); err != nil {
			return err
		}
	}
	return nil
}

// playPublished plays so many plies of a game over the RTL of the published link: a person's random
// moves as bytes, the engine's over the lines.
func playPublished(t *testing.T, dut *sim.DUT[movelink.In, movelink.Out], side engine.Color, plies int) error {
	fromBoard, toHost, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer toHost.Close()
	w := newWires(t, dut, toHost)
	ctx, cancel := context.WithCancel(t.Context())
	lines := make(simulatedLines)
	var said log
	s := &Published{Game: NewGame(engine.StartPosition()), Opponent: &Opponent{Nodes: 100, Seed: 3}, Engine: side, Log: &said}
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx, fromBoard, lines) }()
	defer fromBoard.Close()

	g := NewGame(engine.StartPosition())
	for len(g.Moves()) < plies && !g.Over() {
		p := g.Position()
		legal := p.AppendMoves(nil)
		legal = slices.DeleteFunc(legal, func(m engine.Move) bool { return m.Promotion != engine.NoPiece && m.Promotion != engine.Queen })
		m := legal[w.r.IntN(len(legal))]
		if p.SideToMove() == side {
			for range 2 {
				var a asked
				select {
				case a = <-lines:
				case <-time.After(time.Minute):
					t.Fatalf("the host says nothing on the lines:\n%s", said.String())
				}
				if err := w.set(a.value); err != nil {
					t.Fatal(err)
				}
				close(a.done)
			}
			if err := w.run(1000); err != nil { // until it has been taken
				t.Fatal(err)
			}
			if len(w.moves) != 1 {
				cancel()
				<-ended
				return fmt.Errorf("after %v the board gets %v", g.Moves(), w.moves)
			}
			var ok bool
			if m, ok = fits(&p, w.moves[0]); !ok {
				cancel()
				<-ended
				return fmt.Errorf("after %v the board gets %v, which is not legal", g.Moves(), w.moves[0])
			}
			w.moves = nil
		} else if err := w.say(m); err != nil {
			t.Fatal(err)
		}
		if err := g.Make(m, noon); err != nil {
			t.Fatal(err)
		}
	}
	// The host takes the last bytes.
	for end := time.Now().Add(time.Minute); strings.Count(said.String(), ". white: ")+strings.Count(said.String(), ". black: ") < len(g.Moves()) && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if !slices.Equal(s.Game.Moves(), g.Moves()) && !slices.Equal(s.Game.Moves()[:len(g.Moves())], g.Moves()) {
		return fmt.Errorf("at the board %v, at the host %v", g.Moves(), s.Game.Moves())
	}
	t.Logf("%v: %d cycles", g.Moves(), dut.Cycle())
	return nil
}

// Person and engine play over the RTL of the published link, at its real times: 100 MHz, 115 200
// baud, and lines that change one after the other at any time.
func TestPublishedLink(t *testing.T) {
	sim.ForEach(t, movelink.Design, func(t *testing.T, dut *sim.DUT[movelink.In, movelink.Out]) {
		plies := map[sim.Simulator]int{sim.Verilator: 20, sim.Icarus: 2}[dut.Simulator()]
		side := engine.Black
		if dut.Simulator() == sim.Icarus {
			side = engine.White
		}
		if err := playPublished(t, dut, side, plies); err != nil {
			t.Error(err)
		}
	})
}

// With too short a time for which the lines must hold, values in between are taken: the game shows
// it.
func TestPublishedLinkTooFast(t *testing.T) {
	p := movelink.Default
	p.HoldCycles = 10
	dut := sim.OpenTest[movelink.In, movelink.Out](t, p.Design(), sim.Verilator)
	if err := playPublished(t, dut, engine.Black, 20); err == nil {
		t.Error("nothing is wrong with a game on lines that are taken too soon")
	} else {
		t.Log(err)
	}
}

// recordedLines keep what was put on them.
type recordedLines chan uint8

func (l recordedLines) Set(_ context.Context, value uint8) error { l <- value; return nil }

// published starts a session on a game with recorded lines. What it returns gives it bytes and ends
// it.
func published(t *testing.T, s *Published) (board io.WriteCloser, lines recordedLines, said *log, end func() error) {
	t.Helper()
	fromBoard, toHost := io.Pipe()
	lines, said = make(recordedLines, 100), &log{}
	s.Log = said
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx, fromBoard, lines) }()
	return toHost, lines, said, func() error {
		cancel()
		return <-ended
	}
}

// heard waits until a session has said something.
func heard(t *testing.T, said *log, text string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !strings.Contains(said.String(), text); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%q is not said:\n%s", text, said.String())
		}
	}
}

// move is what the lines say.
func (l recordedLines) move() (from, to engine.Square) {
	a, b := <-l, <-l
	if a&1 != 0 || b&1 != 1 {
		return 0, 0
	}
	return engine.Square(a >> 1), engine.Square(b >> 1)
}

func bytesOf(t *testing.T, moves ...string) (b []byte) {
	t.Helper()
	for _, m := range moves {
		from, err1 := engine.ParseSquare(m[:2])
		to, err2 := engine.ParseSquare(m[2:])
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		b = pair.Move{From: uint8(from), To: uint8(to)}.Append(b)
	}
	return b
}

// What is damaged, illegal, or of the engine's side does no harm; the game is saved after each
// move; a program that was killed before the board had the engine's move gives it again.
func TestPublishedSession(t *testing.T) {
	save := filepath.Join(t.TempDir(), "game.pgn")
	store, err := OpenStore(save)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	s := &Published{Game: NewGame(engine.StartPosition()), Store: store, Opponent: &Opponent{Nodes: 100}, Engine: engine.Black}
	board, lines, said, end := published(t, s)
	board.Write(bytesOf(t, "e2e5", "e7e5"))
	board.Write([]byte{0xff, 0x00, 0x9c})
	heard(t, said, "the board says e7e5, which is no move of the person's here: rnbqkbnr/")
	board.Write(bytesOf(t, "e2e4"))
	from, to := lines.move()
	if err := end(); err != nil {
		t.Error(err)
	}
	game, err := store.Game()
	if err != nil || len(game.Moves()) != 2 || game.Moves()[1].From != from || game.Moves()[1].To != to {
		t.Fatalf("%v to %v is on the lines, saved is %v, %v\n%s", from, to, game.Moves(), err, said.String())
	}

	s = &Published{Game: game, Store: store, Opponent: &Opponent{Nodes: 100}, Engine: engine.Black}
	_, lines, said, end = published(t, s)
	if f, to2 := lines.move(); f != from || to2 != to {
		t.Errorf("%v to %v is given again as %v to %v", from, to, f, to2)
	}
	if err := end(); err != nil || len(s.Game.Moves()) != 2 {
		t.Errorf("%v\n%s", err, said.String())
	}
}

// A pawn becomes a queen; the end is noticed, and a move from the start position begins the next
// game. The end of the line is an error.
func TestPublishedEnds(t *testing.T) {
	s := &Published{Game: gameFrom(t, "7k/P7/6K1/8/8/8/8/8 w - - 0 1"), Opponent: &Opponent{Nodes: 100}, Engine: engine.Black}
	board, lines, said, end := published(t, s)
	board.Write(bytesOf(t, "a7a8", "a8b8", "d2d4"))
	heard(t, said, "1. white: a8=Q#\ngame over: white wins, checkmate\n")
	heard(t, said, "the board says a8b8, which is no move of the person's here")
	heard(t, said, "a new game: level max, seed 1\n1. white: d4\n")
	lines.move()
	heard(t, said, "1. black: ")
	if err := end(); err != nil {
		t.Error(err)
	}

	broken := errors.New("no such wire")
	s = &Published{Game: NewGame(engine.StartPosition()), Opponent: &Opponent{Nodes: 100}, Engine: engine.White, Log: io.Discard}
	if err := s.Run(t.Context(), strings.NewReader(""), failingLines{broken}); !errors.Is(err, broken) {
		t.Errorf("%v of lines that fail", err)
	}
	s.Engine = engine.Black
	s.Game = NewGame(engine.StartPosition())
	if err := s.Run(t.Context(), strings.NewReader(""), nil); err == nil || !strings.Contains(err.Error(), "the line from the board has ended") {
		t.Errorf("%v of a line that ends", err)
	}
}

type failingLines struct{ err error }

func (l failingLines) Set(context.Context, uint8) error { return l.err }
