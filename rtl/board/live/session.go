package live

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/board"
	"github.com/cosimate/cosimate/rtl/board/bench"
	"github.com/cosimate/cosimate/rtl/board/host"
	"github.com/cosimate/cosimate/rtl/board/matrix"
	"github.com/cosimate/cosimate/rtl/board/touch"
	"github.com/cosimate/cosimate/sim"
)

// Options are the choices of a [Session]. The zero value plays in Verilator at scaled times.
type Options struct {
	Simulator sim.Simulator // "" is Verilator
	// RTL has files that are simulated instead of those built in: see [Folder]. It may be nil.
	RTL  fs.FS
	Seed uint64 // of what is random about the sensors and the serial line
	Sim  []sim.Option
}

// Folder returns a folder for [Options], in which files lie as in rtl: validity/validity.sv. Those
// that it does not have are the built-in ones. It is an error if it has none.
func Folder(folder fs.FS) (fs.FS, error) {
	for _, name := range board.Design.Files {
		if _, err := fs.Stat(folder, name); err == nil {
			return folder, nil
		}
	}
	return nil, fmt.Errorf("it has no file of the board, such as %s", board.Design.Files[len(board.Design.Files)-1])
}

// overlay has the files of the first, and those of the second that the first does not have.
type overlay [2]fs.FS

// Open opens a file.
func (o overlay) Open(name string) (fs.File, error) {
	f, err := o[0].Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return o[1].Open(name)
	}
	return f, err
}

// Session is a chess board with a person and a PC around it. The board is RTL in a simulator, and
// only its pins are driven and seen, but for what [View] names as the RTL's own signals. The
// Session is for one goroutine.
type Session struct {
	options Options
	machine *Machine // nil: none has been plugged in
	in      board.In
	out     board.Out
	cycle   uint64        // of this machine
	before  uint64        // cycles of earlier ones
	passed  time.Duration // and their simulated time

	sensors *matrix.Sensors
	eye     *eye
	r       *rand.Rand
	faults  Faults
	flipped bool // a sensor that bounces tells the opposite, for as long as it is selected
	at      uint8

	pieces  []Piece
	nextID  int
	hands   queue  // what the hands do next with the pieces
	fingers queue  // and with the buttons
	free    uint64 // when the hands can do something again
	pressed map[Button]bool
	off     bool // no power

	wires *wires
	pc    *pc
	play  Play
}

// action is something that is done in a certain cycle.
type action struct {
	at uint64
	do func()
}

// queue are actions in the order of their cycles.
type queue []action

// add appends an action, so many cycles after the last, or after now if that has been done.
func (q *queue) add(now, wait uint64, do func()) {
	if n := len(*q); n > 0 {
		now = max(now, (*q)[n-1].at)
	}
	*q = append(*q, action{now + wait, do})
}

// run does what is due now.
func (q *queue) run(now uint64) {
	for len(*q) > 0 && (*q)[0].at <= now {
		do := (*q)[0].do
		*q = (*q)[1:]
		do()
	}
}

// New returns a session without a machine: pieces on a board, and a PC whose program waits for the
// board to answer. Close must be called.
func New(o Options) *Session {
	s := &Session{
		options: o, r: rand.New(rand.NewPCG(o.Seed, 7)), pressed: map[Button]bool{},
		sensors: matrix.NewSensors(matrix.Physics{}, o.Seed), eye: newEye(1), wires: newWires(1), pc: newPC(Scaled),
	}
	s.Begin(host.NewGame(engine.StartPosition()), DefaultPlay)
	return s
}

// Open is [New], [Build] and [Session.Plug] in one.
func Open(ctx context.Context, o Options) (*Session, error) {
	m, err := Build(ctx, o, false, nil)
	if err != nil {
		return nil, err
	}
	s := New(o)
	return s, s.Plug(m)
}

// Plug puts a machine into the session, in place of the one that is there. It is switched on; the
// pieces stay where they are, and the PC gives it the game.
func (s *Session) Plug(m *Machine) error {
	err := s.unplug()
	s.machine = m
	period := m.Times.period()
	pieces := s.sensors.Pieces()
	physics := bench.Noisy(m.Times.Params)
	physics.Crosstalk /= 4 // neighbours bounce now and then, not with every move of a whole game
	s.sensors = matrix.NewSensors(physics, s.options.Seed)
	s.sensors.Set(pieces)
	s.eye = newEye(m.Times.Eye)
	heard := s.wires.n
	s.wires = newWires(m.Times.Params.Divisor)
	s.wires.n = heard
	s.in, s.out, s.off = board.In{RstN: true, Rx: true, LinesPlay: s.in.LinesPlay}, board.Out{}, false
	s.spread()
	s.pc.plug(m.Times)
	s.reset(uint64(period / 4))
	return err
}

// unplug ends the machine's simulation, if there is one.
func (s *Session) unplug() error {
	s.hands.run(math.MaxUint64) // what was about to be done is done
	s.fingers.run(math.MaxUint64)
	s.free = 0
	if s.machine == nil {
		return nil
	}
	s.passed += s.machine.Times.duration(s.cycle)
	s.before, s.cycle = s.before+s.cycle, 0
	err := s.machine.Close()
	s.machine = nil
	return err
}

// Close ends the PC's program and the simulation.
func (s *Session) Close() error {
	s.pc.stop()
	return s.unplug()
}

// Times returns the time constants of the machine.
func (s *Session) Times() Times {
	if s.machine == nil {
		return scaled(s.options.Simulator)
	}
	return s.machine.Times
}

// Cycles returns how many cycles have been played.
func (s *Session) Cycles() uint64 { return s.before + s.cycle }

// Simulated returns the simulated time.
func (s *Session) Simulated() time.Duration {
	return s.passed + s.Times().duration(s.cycle)
}

// Run plays so many cycles. Without a machine nothing happens.
func (s *Session) Run(cycles int) error {
	if s.machine == nil {
		return nil
	}
	for range cycles {
		if err := s.step(); err != nil {
			return err
		}
	}
	return nil
}

// Scans plays n scans of the board.
func (s *Session) Scans(n int) error { return s.Run(n * s.Times().period()) }

// step plays one cycle.
func (s *Session) step() error {
	s.hands.run(s.cycle)
	s.fingers.run(s.cycle)
	s.in.SenseN = s.sense()
	s.pc.step(s.cycle)
	s.in.Rx, s.in.Lines = s.pc.line(), s.pc.lines.levels
	s.wires.fromPC(s.cycle, s.in.Rx)
	out, err := s.machine.step(s.in)
	if err != nil {
		return err
	}
	s.out = out
	s.cycle++
	s.eye.look(out.Select, out.Led && s.faults.Dark>>(out.Select&63)&1 == 0)
	if b, ok := s.wires.fromBoard(s.cycle, out.Tx); ok {
		s.pc.receive(s.cycle, b)
	}
	if b, ok := s.wires.published(s.cycle, out.MovesTx); ok {
		s.pc.lines.moved(b)
	}
	return nil
}

// Busy reports whether hand or fingers still have something to do.
func (s *Session) Busy() bool { return len(s.hands)+len(s.fingers) > 0 }

// Begin begins a game, or goes on with one. The PC's program is started anew. The pieces are put as
// the game has them.
func (s *Session) Begin(g *host.Game, p Play) {
	s.play = p
	s.Switch(engine.White, p.Lines && p.Computer == "white")
	s.Switch(engine.Black, p.Lines && p.Computer == "black")
	now := g.Position()
	s.Arrange(piecesOf(&now))
	s.pc.start(s.cycle, g, p)
}

// Arrange puts these pieces where they say, and takes all others away.
func (s *Session) Arrange(pieces []Piece) {
	s.pieces = slices.Clone(pieces)
	s.nextID = 0
	for _, p := range pieces {
		s.nextID = max(s.nextID, p.ID+1)
	}
	s.hands = nil
	s.sensors.Set(s.standing())
}

// standing returns the squares with a piece that stands.
func (s *Session) standing() (squares uint64) {
	for i := range s.pieces {
		if n, ok := s.pieces[i].At.Square(); ok && !s.pieces[i].Lying {
			squares |= 1 << n
		}
	}
	return squares
}

// SetUp begins a game from a position with the players as they are.
func (s *Session) SetUp(p engine.Position) { s.Begin(host.NewGame(p), s.play) }

// Stands reports whether the pieces stand as a position has them.
func (s *Session) Stands(p *engine.Position) bool {
	return len(s.wrong(p)) == 0 && s.standing() == touch.Occupied(p)
}
