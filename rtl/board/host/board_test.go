package host_test

import (
	"context"
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
	"github.com/cosimate/cosimate/engine/search"
	"github.com/cosimate/cosimate/rtl/board"
	"github.com/cosimate/cosimate/rtl/board/bench"
	"github.com/cosimate/cosimate/rtl/board/host"
	"github.com/cosimate/cosimate/rtl/board/matrix"
	"github.com/cosimate/cosimate/rtl/board/touch"
	"github.com/cosimate/cosimate/rtl/link/frame"
	"github.com/cosimate/cosimate/rtl/uart"
	"github.com/cosimate/cosimate/sim"
)

// quick are the times of the board's own tests, so that its model is compiled once.
var quick = board.Quick

// machine is the RTL of the whole board, with pieces on it and a PC's UART at its framed link.
type machine struct {
	t       *testing.T
	dut     *sim.DUT[board.In, board.Out]
	sensors *matrix.Sensors
	leds    *matrix.Observer
	uart    *uart.Model
	in      board.In
	out     board.Out
	pc      uart.Out
	line    net.Conn
	mutex   sync.Mutex
	toBoard []byte
	each    func() // called before each cycle
}

func newMachine(t *testing.T, line net.Conn) *machine {
	u := uart.Default
	u.Divisor = quick.Divisor
	m := &machine{
		t: t, dut: sim.OpenTest[board.In, board.Out](t, quick.Design(), sim.Verilator), line: line,
		sensors: matrix.NewSensors(bench.Noisy(quick), 1), leds: matrix.NewObserver(quick.Scanner().Period(), 2*quick.BlinkPhases+1), uart: uart.NewModel(u), pc: uart.Out{Tx: true},
	}
	start := engine.StartPosition()
	m.sensors.Set(touch.Occupied(&start))
	go func() {
		buffer := make([]byte, 256)
		for {
			n, err := line.Read(buffer)
			m.mutex.Lock()
			m.toBoard = append(m.toBoard, buffer[:n]...)
			m.mutex.Unlock()
			if err != nil {
				return
			}
		}
	}()
	m.power()
	return m
}

// power switches the board off and on.
func (m *machine) power() {
	m.in.RstN = false
	m.run(64)
	m.in.RstN = true
}

func (m *machine) run(cycles int) {
	m.t.Helper()
	for range cycles {
		m.mutex.Lock()
		in := uart.In{Rx: m.out.Tx, RxReady: true}
		if len(m.toBoard) > 0 {
			in.TxValid, in.TxData = true, m.toBoard[0]
		}
		if m.each != nil {
			m.each()
		}
		m.in.SenseN, m.in.Rx = m.sensors.Step(m.out.Select), m.pc.Tx
		m.pc = m.uart.Step(in)
		if in.TxValid && m.pc.TxReady {
			m.toBoard = m.toBoard[1:]
		}
		m.mutex.Unlock()
		out, err := m.dut.Step(m.in)
		if err != nil {
			m.t.Fatal(err)
		}
		m.out = out
		m.leds.Observe(out.Select, out.Led)
		if m.pc.RxValid {
			if _, err := m.line.Write([]byte{m.pc.RxData}); err != nil {
				m.t.Fatal(err)
			}
		}
	}
}

func (m *machine) scans(n int) { m.run(n * quick.Scanner().Period()) }

// shown waits until the LEDs show a move: its two squares blink in turn.
func (m *machine) shown(move engine.Move) {
	m.t.Helper()
	m.leds.Reset()
	for end := time.Now().Add(time.Minute); ; m.scans(1) {
		s, ok := m.leds.Observed()
		if ok && s.Steady == 0 && s.First != 0 && s.Second != 0 && s.First|s.Second == 1<<move.From|1<<move.To {
			return
		}
		if time.Now().After(end) {
			m.t.Fatalf("the LEDs do not show %v: %v", move, s)
		}
	}
}

// move is a person's hand.
func (m *machine) move(touches []touch.Action) {
	for _, h := range touches {
		if h.Place {
			m.sensors.Place(int(h.Square))
		} else {
			m.sensors.Lift(int(h.Square))
		}
		m.scans(6)
	}
}

// record is what a session has said.
type record struct {
	mutex sync.Mutex
	text  strings.Builder
}

func (r *record) Write(p []byte) (int, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.text.Write(p)
}

func (r *record) String() string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.text.String()
}

// A person at the RTL's sensors plays against the engine of a session, carries out its moves, and
// switches the board off and on: host, saved game and hand have the same game. The session has
// nothing of the board but its serial line.
func TestBoard(t *testing.T) {
	ours, theirs := net.Pipe()
	m := newMachine(t, theirs)
	save := filepath.Join(t.TempDir(), "game.pgn")
	store, err := host.OpenStore(save)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	opponent := host.Opponent{Nodes: 100, Seed: 5}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	var said record
	ended := make(chan error, 1)
	go func() {
		conn, err := frame.Dial(ctx, ours, frame.Options{Retry: 20 * time.Millisecond, Ping: 50 * time.Millisecond})
		if err == nil {
			s := &host.Session{Game: host.NewGame(engine.StartPosition()), Store: store, Opponent: &host.Opponent{Nodes: 100, Seed: 5}, Log: &said}
			s.Engine[engine.Black] = true
			err = s.Run(ctx, conn)
			conn.Close()
		}
		ended <- err
	}()
	defer func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		theirs.Close()
		if t.Failed() {
			t.Log(said.String())
		}
	}()

	m.scans(20) // the board sees that the pieces stand
	r := rand.New(rand.NewPCG(3, 3))
	game := host.NewGame(engine.StartPosition())
	for len(game.Moves()) < 12 && !game.Over() {
		p := game.Position()
		var move engine.Move
		if p.SideToMove() == engine.White {
			legal := p.AppendMoves(nil)
			move = legal[r.IntN(len(legal))]
		} else {
			d, err := opponent.Decide(t.Context(), game, search.Clock{})
			if err != nil {
				t.Fatal(err)
			}
			move = d.Move
			m.shown(move)
		}
		orders := touch.Orders(move)
		m.move(orders[r.IntN(len(orders))])
		if err := game.Make(move, time.Time{}); err != nil {
			t.Fatal(err)
		}
		for tries := 0; ; tries++ {
			saved, err := store.Game()
			if err != nil {
				t.Fatal(err)
			}
			if slices.Equal(saved.Moves(), game.Moves()) {
				break
			}
			if tries == 1000 {
				t.Fatalf("by hand\n%v\nsaved\n%v", game.Moves(), saved.Moves())
			}
			m.scans(5)
		}
		if len(game.Moves()) == 6 { // the pieces stay where they are
			m.power()
			for end := time.Now().Add(time.Minute); !strings.Contains(said.String(), "the board has the game"); m.scans(5) {
				if time.Now().After(end) {
					t.Fatal("the board does not get the game")
				}
			}
			m.scans(20)
		}
	}
	t.Logf("%v", game.Moves())
}

// skewedLines are the board's parallel lines, behind a microcontroller that sets one after the
// other.
type skewedLines struct {
	wanted chan uint8
	taken  chan struct{}
}

func (l skewedLines) Set(ctx context.Context, value uint8) error {
	select {
	case l.wanted <- value:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-l.taken:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// A person at the RTL's sensors plays against the engine over the published link: the person's
// moves are two bytes each, the engine's come over the seven lines and are carried out by hand.
func TestBoardPublished(t *testing.T) {
	unused, theirs := net.Pipe() // the framed link
	go io.Copy(io.Discard, unused)
	m := newMachine(t, theirs)
	fromBoard, toHost, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer toHost.Close()
	p := uart.Default
	p.Divisor = quick.Divisor
	receiver := uart.NewModel(p)
	r := rand.New(rand.NewPCG(4, 4))
	lines := skewedLines{make(chan uint8), make(chan struct{})}
	var changes []func() // of single lines; nil: a cycle without
	given := 0           // values that were on the lines
	m.each = func() {
		if got := receiver.Step(uart.In{Rx: m.out.MovesTx, RxReady: true}); got.RxValid && m.in.RstN {
			if _, err := toHost.Write([]byte{got.RxData}); err != nil {
				t.Error(err)
			}
		}
		if len(changes) > 0 {
			if changes[0] != nil {
				changes[0]()
			}
			changes = changes[1:]
			if len(changes) == 0 {
				given++
				lines.taken <- struct{}{}
			}
			return
		}
		select {
		case value := <-lines.wanted:
			for _, line := range r.Perm(7) {
				changes = append(changes, func() { m.in.Lines = m.in.Lines&^(1<<line) | value&(1<<line) })
				changes = append(changes, make([]func(), r.IntN(quick.LinesCycles/7))...)
			}
			changes = append(changes, make([]func(), quick.LinesCycles+4)...)
		default:
		}
	}
	m.in.LinesPlay = 2 // Black's moves come over the lines
	m.run(4 * quick.ButtonCycles)

	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	var said record
	s := &host.Published{Game: host.NewGame(engine.StartPosition()), Opponent: &host.Opponent{Nodes: 100, Seed: 5}, Engine: engine.Black, Log: &said}
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx, fromBoard, lines) }()
	defer fromBoard.Close()

	m.scans(20) // the board sees that the pieces stand
	opponent := host.Opponent{Nodes: 100, Seed: 5}
	game := host.NewGame(engine.StartPosition())
	for len(game.Moves()) < 12 && !game.Over() {
		p := game.Position()
		var move engine.Move
		if p.SideToMove() == engine.White {
			legal := p.AppendMoves(nil)
			move = legal[r.IntN(len(legal))]
		} else {
			d, err := opponent.Decide(t.Context(), game, search.Clock{})
			if err != nil {
				t.Fatal(err)
			}
			move = d.Move
			for n := 0; given <= len(game.Moves()); n++ { // two values for each of Black's moves
				if n == 20_000 {
					t.Fatalf("the move is not on the lines:\n%s", said.String())
				}
				m.scans(1)
			}
			m.scans(5) // until it is shown
			if m.out.Illegal {
				t.Fatalf("something illegal before %v is carried out:\n%s", move, said.String())
			}
		}
		orders := touch.Orders(move)
		m.move(orders[r.IntN(len(orders))])
		m.scans(20)
		if m.out.Illegal {
			t.Fatalf("%v after %v is illegal at the board:\n%s", move, game.Moves(), said.String())
		}
		if err := game.Make(move, time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if !slices.Equal(s.Game.Moves(), game.Moves()) {
		t.Errorf("by hand\n%v\nat the host\n%v\n%s", game.Moves(), s.Game.Moves(), said.String())
	}
	t.Logf("%v", game.Moves())
}
