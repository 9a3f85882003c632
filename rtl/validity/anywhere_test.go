package validity_test

import (
	"math/rand/v2"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/board/touch"
	"github.com/cosimate/cosimate/rtl/validity"
	"github.com/cosimate/cosimate/sim"
)

// What games come to on a few squares only happens on all of them here.

// playAll plays a bench in Verilator, and its begin in Icarus.
func playAll(t *testing.T, b *bench, what string) {
	t.Helper()
	sim.ForEach(t, scaled, func(t *testing.T, d *dut) {
		cycles := b.n
		if d.Simulator() == sim.Icarus {
			cycles /= 16
		}
		playFirst(t, d, b, cycles, what)
	})
}

// A piece is captured on each square by either side, its captor lifted before it or after it.
func TestCaptureAnywhere(t *testing.T) {
	r := seeded(31)
	b := newBench(times)
	for square := range engine.Square(64) {
		for _, side := range []engine.Color{engine.White, engine.Black} {
			p := withCapture(r, square, side)
			m := captureOn(t, &p, square)
			for _, order := range touch.Orders(m)[:1+r.IntN(2)] {
				b.setUp(&p)
				b.events = nil
				for _, touch := range order {
					b.touch(touch)
					b.hold(b.stable())
				}
				next := p.Make(m)
				if got := b.out.FEN(); got != next.FEN() {
					t.Fatalf("%s: %v made as %v: %v, and the position is %s", p.FEN(), m, order, b.events, got)
				}
			}
		}
	}
	playAll(t, b, "captures")
}

// withCapture returns a position in which a piece of the side to move attacks one of the other on a
// square, among others.
func withCapture(r *rand.Rand, square engine.Square, side engine.Color) engine.Position {
	for {
		s := engine.Setup{SideToMove: side, Fullmove: 1}
		taken := map[engine.Square]bool{square: true}
		put := func(piece engine.Piece, c engine.Color) {
			for {
				at := engine.Square(r.IntN(64))
				if taken[at] || piece == engine.Pawn && (at < 8 || at > 55) {
					continue
				}
				taken[at] = true
				s.Put(piece, c, at)
				return
			}
		}
		s.Put([...]engine.Piece{engine.Knight, engine.Bishop, engine.Rook}[r.IntN(3)], side.Other(), square)
		put(engine.King, side)
		put(engine.King, side.Other())
		put([...]engine.Piece{engine.Queen, engine.Rook, engine.Bishop, engine.Knight}[r.IntN(4)], side)
		put(engine.Pawn, side) // so that the game has not ended
		for range r.IntN(8) {
			put([...]engine.Piece{engine.Pawn, engine.Knight, engine.Bishop}[r.IntN(3)], engine.Color(r.IntN(2)))
		}
		p, err := s.Position()
		if err != nil {
			continue
		}
		for _, m := range p.AppendCaptures(nil) {
			if m.To == square && m.Captured != engine.NoPiece && m.Promotion == engine.NoPiece && m.Piece != engine.King {
				return p
			}
		}
	}
}

// captureOn returns such a move.
func captureOn(t *testing.T, p *engine.Position, square engine.Square) engine.Move {
	t.Helper()
	for _, m := range p.AppendCaptures(nil) {
		if m.To == square && m.Promotion == engine.NoPiece && m.Piece != engine.King {
			return m
		}
	}
	t.Fatalf("%s: nothing is captured on %v", p.FEN(), square)
	return engine.Move{}
}

// A pawn on each file makes a double step that nobody can answer by taking it en passant. The
// position after it is the same as that when king and king have gone and come back.
func TestDoubleStepAnywhere(t *testing.T) {
	b := newBench(times)
	for file := range engine.Square(8) {
		for _, side := range []engine.Color{engine.White, engine.Black} {
			turn := engine.Square(0) // of the board, for Black
			if side == engine.Black {
				turn = 0o70
			}
			king, theirs := engine.Square(4)^turn, engine.Square(60)^turn
			s := engine.Setup{SideToMove: side, Fullmove: 1}
			s.Put(engine.King, side, king)
			s.Put(engine.King, side.Other(), theirs)
			s.Put(engine.Pawn, side, (8+file)^turn)
			p, err := s.Position()
			if err != nil {
				t.Fatal(err)
			}
			b.setUp(&p)
			b.events = nil
			b.move((8+file)^turn, (24+file)^turn)
			up := engine.Square(8) // to the rank between
			for range 2 {
				if b.out.Threefold {
					t.Fatalf("%s: %v: threefold repetition", p.FEN(), b.events)
				}
				b.move(theirs, theirs^up)
				b.move(king, king^up)
				b.move(theirs^up, theirs)
				b.move(king^up, king)
			}
			if !b.out.Threefold {
				t.Fatalf("%s: %v: no threefold repetition", p.FEN(), b.events)
			}
		}
	}
	playAll(t, b, "double steps")
}

// move lifts a piece and places it on an empty square.
func (b *bench) move(from, to engine.Square) {
	b.touch(touch.Lift(from))
	b.hold(b.stable())
	b.touch(touch.Place(to))
	b.hold(b.stable())
}

// The flag of a side falls while the other has one piece, or few. Whether that can mate depends on
// where bishops stand, and on what the first side has, on whatever squares.
func TestFlagAnywhere(t *testing.T) {
	r := seeded(32)
	b := newBench(times)
	results := map[rules.Cause]int{}
	for range 2000 {
		p := withLittle(r)
		b.load(&p)
		side := p.SideToMove()
		if r.IntN(4) == 0 {
			side = side.Other()
		}
		b.cycle(validity.In{Flag: 1 + uint8(side)})
		b.settle()
		results[b.out.Cause]++
	}
	if results[rules.Time] < 200 || results[rules.TimeNoMate] < 100 {
		t.Errorf("the games end by %v", results)
	}
	playAll(t, b, "flags")
}

// withLittle returns a position in which the side that has moved has little beside the king.
func withLittle(r *rand.Rand) engine.Position {
	for {
		s := engine.Setup{SideToMove: engine.Color(r.IntN(2)), Fullmove: 1}
		taken := map[engine.Square]bool{}
		put := func(c engine.Color, pieces ...engine.Piece) {
			piece, at := pieces[r.IntN(len(pieces))], engine.Square(r.IntN(64))
			if !taken[at] && (piece != engine.Pawn || at > 7 && at < 56) {
				taken[at] = true
				s.Put(piece, c, at)
			}
		}
		mine, theirs := s.SideToMove, s.SideToMove.Other()
		put(mine, engine.King)
		put(theirs, engine.King)
		const minor = 3
		for range 1 + r.IntN(minor) {
			put(theirs, engine.Pawn, engine.Knight, engine.Bishop, engine.Bishop, engine.Rook)
		}
		// Not many queens: a list may not take longer than a question.
		kind := [...]engine.Piece{engine.Queen, engine.Bishop, engine.Knight, engine.Pawn}[r.IntN(4)]
		for range r.IntN(map[engine.Piece]int{engine.Queen: 4, engine.Bishop: 10, engine.Knight: 12, engine.Pawn: 16}[kind]) {
			put(mine, kind)
		}
		if p, err := s.Position(); err == nil {
			return p
		}
	}
}
