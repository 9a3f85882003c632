package core_test

import (
	"slices"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/core"
	"github.com/cosimate/cosimate/rtl/regmap"
	"github.com/cosimate/cosimate/sim"
)

// What chance seldom brings about in a design with a short stack and a short FIFO.

// quick is software that never waits.
func quick(t *testing.T, seed uint64) *software {
	return newSoftware(t, seeded(seed), mutantPlies, mutantFifo, pace{})
}

// done plays what software has done.
func (s *software) done(t *testing.T) {
	t.Helper()
	s.check(t, mutantDesign(), mutantPlies, mutantFifo)
}

// reset makes a reset in this cycle, in the middle of whatever is under way.
func (s *software) reset() {
	s.pace.reset = 1
	s.cycle()
	s.pace.reset = 0
}

// A reset in each cycle of each command, and what is to be seen of it later: in the registers, and
// by the next list, in published records.
func TestResetsAnywhere(t *testing.T) {
	s := quick(t, 600)
	lone := parse(t, "8/8/8/8/3k4/8/1q6/K7 w - - 0 1") // one move
	for _, command := range []uint32{regmap.CoreLoad, regmap.CoreMake, regmap.CoreUnmake, regmap.CoreNull, regmap.CoreList, regmap.CorePublishedCommand, regmap.CorePublishedMoves} {
		for cycles := range 14 {
			s.load(parse(t, special[9]))
			s.write(regmap.CoreInterruptEnable, 3)
			s.finish()
			if command == regmap.CorePublishedMoves { // a record is read by half
				s.write(regmap.CoreList, 0)
				s.only = regmap.CoreStatus
				s.pause(20)
				s.finish()
				s.only = command
			} else {
				s.write(command, 0)
				s.only = regmap.CoreStatus
			}
			for range cycles {
				s.cycle()
			}
			s.reset()
			for _, register := range []uint32{regmap.CoreError, regmap.CorePosition, regmap.CoreStatus, regmap.CoreInterruptStatus} {
				s.look(register, 2)
			}
			s.load(lone)
			s.write(regmap.CoreList, 0)
			s.look(regmap.CorePublishedMoves, 30)
			s.write(regmap.CoreAbort, 0)
		}
	}
	s.done(t)
}

// Writes that follow each other at once: what is refused, and what is a command, is said as it
// was.
func TestCommandsAtOnce(t *testing.T) {
	s := quick(t, 601)
	none := uint32(regmap.CorePublishedCommandMake | regmap.CorePublishedCommandUnmake)
	commands := []access{
		{regmap.CoreUnmake, 0, 15, 0}, {regmap.CoreMake, 0, 15, 0}, {regmap.CoreList, 0, 15, 0}, {regmap.CorePublishedCommand, 0, 15, 0},
		{regmap.CorePublishedCommand, none, 15, 0}, {regmap.CorePublishedCommand, uint32(regmap.CorePublishedCommandUnmake), 15, 0},
	}
	for _, first := range commands {
		for _, second := range commands {
			s.load(parse(t, special[9]))
			s.only = regmap.CoreStatus
			s.writes = append(s.writes, first, second)
			s.pause(8)
			s.look(regmap.CoreError, 3)
			for _, clear := range []uint32{regmap.CoreAbort, regmap.CoreError} {
				s.write(clear, 0)
			}
			s.pause(8)
		}
	}
	s.done(t)
}

// A position that is loaded again is the one that was written, whatever else is written in between;
// and no address is another register's that differs from it in a bit.
func TestNextAddresses(t *testing.T) {
	s := quick(t, 602)
	s.load(parse(t, "r3k2r/p7/8/8/8/8/8/R3K2R w KQkq - 3 5"))
	for _, command := range []uint32{regmap.CoreMake, regmap.CoreNull, regmap.CoreUnmake, regmap.CoreList, regmap.CoreAbort, regmap.CorePublishedCommand, regmap.CoreInterruptEnable, regmap.CoreInterruptStatus, regmap.CoreError} {
		data := s.r.Uint32() &^ 0x3f3f // for a move from a square to itself
		if command == regmap.CorePublishedCommand {
			data &^= uint32(regmap.CorePublishedCommandMake)
		}
		s.write(command, data)
		s.pause(60)
		s.write(regmap.CoreLoad, 0)
		s.pause(30)
		for _, register := range []uint32{regmap.CorePosition, regmap.CoreClocks} {
			s.look(register, 3)
		}
		s.write(regmap.CoreAbort, 0)
	}
	for _, register := range []uint32{regmap.CoreError, regmap.CoreInterruptEnable, regmap.CoreInterruptStatus, regmap.CorePublishedCommand, regmap.CoreList, regmap.CoreAbort} {
		for bit := uint32(4); bit < regmap.Window; bit *= 2 {
			address := register ^ bit
			if r := regmap.Core.Find(address); r != nil && r.Access != regmap.ReadOnly {
				continue
			}
			s.write(regmap.CoreInterruptEnable, 3)
			s.write(regmap.CoreUnmake, 0) // there is nothing to take back
			s.write(regmap.CoreList, uint32(regmap.CoreListStream))
			s.only = regmap.CoreStatus
			s.pause(6)
			s.write(address, 3) // clears, disables, ends, or is refused
			s.pause(3)
			for _, shows := range []uint32{regmap.CoreError, regmap.CoreInterruptStatus, regmap.CoreInterruptEnable, regmap.CoreStatus} {
				s.look(shows, 2)
			}
			for _, clear := range []uint32{regmap.CoreAbort, regmap.CoreError} {
				s.write(clear, 0)
			}
			s.write(regmap.CoreInterruptStatus, 3)
			s.pause(20)
			// When nothing has been refused:
			s.write(address, uint32(regmap.CorePublishedCommandUnmake))
			s.pause(3)
			s.look(regmap.CoreError, 2)
			s.write(regmap.CoreError, 0)
		}
	}
	s.done(t)
}

// A packet is aborted twice, the second time about when its last word goes.
func TestAbortsAgain(t *testing.T) {
	s := quick(t, 603)
	s.load(parse(t, special[0]))
	s.pace.tbusy = 1
	s.finish()
	for first := range 8 {
		for second := range 8 {
			s.stuck = true
			s.write(regmap.CoreList, uint32(regmap.CoreListStream))
			s.only = regmap.CoreStatus
			s.pause(20)
			s.write(regmap.CoreAbort, 0)
			s.pause(second)
			s.write(regmap.CoreAbort, 0)
			for range 28 + first {
				s.stuck = true
				s.cycle()
			}
			s.pace.tbusy = 0
			s.stuck = false
			s.pause(30)
			s.finish()
			s.pace.tbusy = 1
		}
	}
	s.only = 0
	s.pace.tbusy = 0
	s.done(t)
}

// Moves are read that are not there: of places in the FIFO where nothing has been put yet.
func TestEmptyPlaces(t *testing.T) {
	s := quick(t, 606)
	s.look(regmap.CoreMoves, 4)
	for n := range mutantFifo {
		k := slices.IndexFunc(s.suite, func(p engine.Position) bool { return p.Count() == n })
		if k < 0 {
			t.Fatalf("no position has %d moves", n)
		}
		s.load(s.suite[k])
		s.write(regmap.CoreList, 0)
		for _, register := range []uint32{regmap.CoreMoves, regmap.CorePublishedMoves} {
			s.look(register, 40)
		}
	}
	s.done(t)
}

// crowded is a position with ten knights of the side to move anywhere, and both kings.
func (s *software) crowded() engine.Position {
	for {
		var board [64]string
		for i := range board {
			board[i] = "."
		}
		side, squares := s.r.IntN(2), s.r.Perm(64)
		for _, square := range squares[:10] {
			board[square] = "Nn"[side : side+1]
		}
		board[squares[10]], board[squares[11]] = "K", "k"
		if p, err := engine.ParseFEN(placed(&board) + " " + "wb"[side:side+1] + " - - 0 1"); err == nil {
			return p
		}
	}
}

// Positions of games, and others with pieces where they seldom come, are read as they were written,
// and listed; the count of one with more moves than any other is read for long; the records of one
// whose list castles come one after the other.
func TestBoards(t *testing.T) {
	s := quick(t, 604)
	for n := range 160 {
		p := s.suite[s.r.IntN(1000)]
		if n >= 40 {
			p = s.crowded()
		}
		s.load(p)
		s.pause(14)
		s.finish()
		for rank := range uint32(8) {
			s.look(regmap.CoreBoard+4*rank, 1)
		}
		s.write(regmap.CoreList, s.r.Uint32()&uint32(3<<4))
		s.look(regmap.CoreMoves, 60)
		s.write(regmap.CoreAbort, 0)
	}
	s.load(parse(t, special[4]))
	s.write(regmap.CoreList, uint32(regmap.CoreListStream))
	s.pace.busy = 0.5 // or else it is read in each second cycle
	s.look(regmap.CoreCount, 300)
	s.pace.busy = 0
	for _, fen := range []string{"r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "4k2r/8/8/8/8/8/8/4K3 b k - 0 1", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"} {
		s.load(parse(t, fen))
		s.write(regmap.CoreList, 0)
		s.look(regmap.CorePublishedMoves, 400)
	}
	s.done(t)
}

// instead is a model that is given a tape in place of its inputs.
type instead struct {
	*core.Model
	tape []core.In
}

func (m *instead) Step(core.In) core.Out {
	in := m.tape[0]
	m.tape = m.tape[1:]
	return m.Model.Step(in)
}

// In Position another file is said to be that of a pawn that just made a double step, besides the
// one whose pawn did. No pawn is near it, so that the moves are those of the position.
func TestMoreEnPassant(t *testing.T) {
	s := quick(t, 605)
	var more []uint32 // of each load
	for _, fen := range passing() {
		p := parse(t, fen)
		var from int // file of the pawn that captures
		for _, m := range p.AppendMoves(nil) {
			if m.EnPassant {
				from = int(m.From & 7)
			}
		}
		for file := range 8 {
			if from-2 < file && file < from+2 {
				continue
			}
			for range 3 {
				more = append(more, regmap.CorePositionEnPassant.Put(1<<file))
				s.load(p)
				// Without pauses all comes an even number of cycles after Position.
				for k := range s.writes {
					s.writes[k].wait = s.r.IntN(3)
				}
				s.only = regmap.CoreMoves
				s.pause(14)
				s.write(regmap.CoreList, 0)
				s.pause(20)
				s.finish()
			}
		}
	}
	tape, loads, before := slices.Clone(s.tape), 0, false
	for k := range tape {
		in := &tape[k]
		now := in.Awvalid && uint32(in.Awaddr) == regmap.CorePosition
		if now {
			in.Wdata |= more[loads]
		}
		if before && !now {
			loads++
		}
		before = now
	}
	if loads != len(more) {
		t.Fatalf("%d of %d positions are changed", loads, len(more))
	}
	sim.ForEach(t, mutantDesign(), func(t *testing.T, d *dut) {
		in := tape
		if d.Simulator() == sim.Icarus {
			in = in[:2000]
		}
		sim.Check(t, d, &instead{core.NewModel(mutantPlies, mutantFifo), s.tape}, slices.Values(in))
	})
}
