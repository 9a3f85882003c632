package validity_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
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

// A pawn on each file makes a double step. If nobody can answer it by taking the pawn en passant,
// the position after it is the same as that when king and king have gone and come back. If a pawn
// can, it is another: there more is possible (FIDE article 9.2.3.1).
func TestDoubleStepAnywhere(t *testing.T) {
	b := newBench(times)
	for file := range engine.Square(8) {
		for _, side := range []engine.Color{engine.White, engine.Black} {
			b.doubleStep(t, file, side, false, 2)
			b.doubleStep(t, file, side, true, 3)
		}
	}
	playAll(t, b, "double steps")
}

// doubleStep makes a double step on a file, beside a pawn that could take or without. After the
// kings have gone and come back so many times, the position has been there three times.
func (b *bench) doubleStep(t *testing.T, file engine.Square, side engine.Color, answered bool, times int) {
	t.Helper()
	turn := engine.Square(0) // of the board, for Black
	if side == engine.Black {
		turn = 0o70
	}
	king, theirs := engine.Square(4)^turn, engine.Square(60)^turn
	s := engine.Setup{SideToMove: side, Fullmove: 1}
	s.Put(engine.King, side, king)
	s.Put(engine.King, side.Other(), theirs)
	s.Put(engine.Pawn, side, (8+file)^turn)
	if answered {
		s.Put(engine.Pawn, side.Other(), (24+file)^1^turn)
	}
	p, err := s.Position()
	if err != nil {
		t.Fatal(err)
	}
	b.setUp(&p)
	b.events = nil
	b.move((8+file)^turn, (24+file)^turn)
	const up = engine.Square(8) // to the rank between
	for range times {
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

// A piece is put where the opponent has one on each square, though it does not move so.
func TestWrongCaptureAnywhere(t *testing.T) {
	r := seeded(33)
	b := newBench(times)
	for square := range engine.Square(64) {
		for _, side := range []engine.Color{engine.White, engine.Black} {
			p, from := withoutCapture(r, square, side)
			b.setUp(&p)
			actions := []touch.Action{touch.Lift(from), touch.Lift(square), touch.Place(square)}
			if r.IntN(2) > 0 {
				actions[0], actions[1] = actions[1], actions[0]
			}
			for _, a := range actions {
				b.touch(a)
				b.hold(b.stable())
			}
			if b.out.State != validity.Illegal || b.out.Reason == rules.Unclear {
				t.Fatalf("%s: %v takes %v: the board is %v, reason: %v", p.FEN(), from, square, b.out.State, b.out.Reason)
			}
		}
	}
	playAll(t, b, "wrong captures")
}

// withoutCapture returns a position in which a side may not take a piece of the other on a square,
// and where it has one that would.
func withoutCapture(r *rand.Rand, square engine.Square, side engine.Color) (p engine.Position, from engine.Square) {
	for {
		s := engine.Setup{SideToMove: side, Fullmove: 1}
		s.Put([...]engine.Piece{engine.Knight, engine.Bishop, engine.Rook}[r.IntN(3)], side.Other(), square)
		squares := r.Perm(64)
		squares = slices.DeleteFunc(squares, func(s int) bool { return s == int(square) })
		from = engine.Square(squares[0])
		s.Put([...]engine.Piece{engine.Queen, engine.Rook, engine.Bishop, engine.Knight}[r.IntN(4)], side, from)
		s.Put(engine.King, side, engine.Square(squares[1]))
		s.Put(engine.King, side.Other(), engine.Square(squares[2]))
		s.Put(engine.Pawn, engine.White, engine.Square(squares[3])) // so that the game has not ended
		for i := range r.IntN(3) {
			s.Put([...]engine.Piece{engine.Knight, engine.Rook}[r.IntN(2)], engine.Color(i%2), engine.Square(squares[4+i]))
		}
		p, err := s.Position()
		if err == nil && p.Count() > 0 && !slices.ContainsFunc(p.AppendMoves(nil), func(m engine.Move) bool { return m.To == square }) {
			return p, from
		}
	}
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

// The flag of a side falls that has many pieces, on all squares in turn, while the other has one
// with its king, on each square, or none: then it cannot mate.
func TestFlagOfMany(t *testing.T) {
	const many = 15
	r := seeded(34)
	b := newBench(times)
	for square := range engine.Square(64) {
		others := slices.DeleteFunc(r.Perm(64), func(s int) bool { return s == int(square) })
		for from := 0; from < len(others); from += many {
			for _, one := range []bool{true, false} {
				want := rules.TimeNoMate
				if one {
					want = rules.Time
				}
				p, side := manyAgainstOne(r, square, one, others[from:min(from+many, len(others))])
				b.load(&p)
				b.cycle(validity.In{Flag: 1 + uint8(side)})
				if b.settle(); b.out.Cause != want {
					t.Fatalf("%s: the flag of %v falls: %v", p.FEN(), side, b.out.Cause)
				}
			}
		}
	}
	playAll(t, b, "flags of many")
}

// manyAgainstOne returns a position in which a side has pieces on these squares, or most of them.
// The other has its king and, if one is set, a piece on a square that can mate.
func manyAgainstOne(r *rand.Rand, square engine.Square, one bool, squares []int) (p engine.Position, side engine.Color) {
	pieces := []engine.Piece{engine.Queen, engine.Rook, engine.Rook, engine.Knight, engine.Knight, engine.Bishop, engine.Bishop}
	for {
		side = engine.Color(r.IntN(2))
		s := engine.Setup{SideToMove: engine.Color(r.IntN(2)), Fullmove: 1}
		king, pawns := r.IntN(len(squares)), 0
		r.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
		for i, at := range squares {
			switch end := at < 8 || at > 55; {
			case i == king:
				s.Put(engine.King, side, engine.Square(at))
			case !end && pawns < 8:
				s.Put(engine.Pawn, side, engine.Square(at))
				pawns++
			case i-pawns < len(pieces):
				s.Put(pieces[i-pawns], side, engine.Square(at))
			}
		}
		kings := slices.DeleteFunc(r.Perm(64), func(k int) bool { return k == int(square) || slices.Contains(squares, k) })
		s.Put(engine.King, side.Other(), engine.Square(kings[0]))
		if piece := [...]engine.Piece{engine.Queen, engine.Rook, engine.Pawn}[r.IntN(3)]; one && (piece != engine.Pawn || square > 7 && square < 56) {
			s.Put(piece, side.Other(), square)
		} else if one {
			continue
		}
		if p, err := s.Position(); err == nil && p.Count() > 0 {
			return p, side
		}
	}
}

// Positions are loaded with any pieces on any squares, and with any counters.
func TestLoadAnywhere(t *testing.T) {
	const most = 1 << 16
	r := seeded(35)
	b := newBench(times)
	for range 600 {
		p, _ := manyAgainstOne(r, engine.Square(r.IntN(64)), false, r.Perm(64)[:1+r.IntN(15)])
		fields := strings.Fields(p.FEN())
		fields[4], fields[5] = strconv.Itoa(r.IntN(most)), strconv.Itoa(1+r.IntN(most-1))
		p, err := engine.ParseFEN(strings.Join(fields, " "))
		if err != nil {
			t.Fatal(err)
		}
		b.load(&p)
		if got := b.out.FEN(); got != p.FEN() {
			t.Fatalf("%s is loaded as %s", p.FEN(), got)
		}
	}
	playAll(t, b, "loads")
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
