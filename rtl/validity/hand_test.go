package validity_test

import (
	"flag"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/board/touch"
	"github.com/cosimate/cosimate/rtl/validity"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors/perft"
)

var sequences = flag.Int("hand.sequences", 120, "random sequences of handling, with mistakes, that are played")

// handTimes leave room for the lists of all positions that come up. They are those of the block's
// vectors, so that one model serves both.
var handTimes = validity.Times{StableScans: 2, CastlingScans: 6, QuestionCycles: validity.DefaultTimes.QuestionCycles}

func seeded(n uint64) *rand.Rand { return rand.New(rand.NewPCG(sim.Seed(), n)) }

// person plays on a bench, and makes mistakes. What they know of the game is the engine's.
type person struct {
	*bench
	r      *rand.Rand
	p      engine.Position   // the game
	loaded engine.Position   // the last position given to the board, and what was played since
	played []engine.Move     //
	before []engine.Position // positions of played
	seen   map[string]int
	log    []string // what was done
	fault  error    // what the board did wrong, first
}

func (h *person) note(format string, args ...any) {
	h.log = append(h.log, fmt.Sprintf(format, args...))
}

// wrong ends the sequence with an error.
func (h *person) wrong(format string, args ...any) {
	if h.fault == nil {
		h.fault = fmt.Errorf(format, args...)
	}
}

// mostly is how long a hand leaves things as they are: from hardly seen to decided on.
func (h *person) mostly() int { return believed + h.r.IntN(h.stable()) }

// look leaves the board for so many scans, some of which see wrong squares.
func (h *person) look(scans int) {
	for range scans {
		if h.r.IntN(12) == 0 {
			h.scan(h.r.Uint64() & h.r.Uint64() & h.r.Uint64())
			h.scan(0) // a glitch alone means nothing, two running might
		}
		h.scan(0)
	}
	h.settle()
}

// do touches a square and leaves the hand there.
func (h *person) do(t touch.Action, scans int) {
	h.note("%v for %d", t, scans)
	h.touch(t)
	h.look(scans)
}

func occupied(p *engine.Position) uint64 { return p.Pieces(engine.White) | p.Pieces(engine.Black) }

// restore puts the pieces back as the board shows, one after the other.
func (h *person) restore() {
	for tries := 0; h.fault == nil; tries++ {
		if want := h.occupied ^ occupied(&h.p); h.out.Restore != want {
			h.wrong("to be restored are %s, shown is %s", names(want), names(h.out.Restore))
			return
		}
		if h.out.Restore == 0 {
			break
		}
		// A square that is shown changes: which one first is all the same.
		which := h.r.IntN(bits.OnesCount64(h.out.Restore))
		for s := range engine.Square(64) {
			if h.out.Restore>>s&1 != 0 {
				if which == 0 {
					h.do(touch.Action{Square: s, Place: h.occupied>>s&1 == 0}, h.mostly())
					break
				}
				which--
			}
		}
		h.look(believed)
	}
	h.look(h.stable())
	h.atRest()
}

// atRest is an error unless the board waits for a move in the position of the game, and nothing has
// happened.
func (h *person) atRest() {
	if h.fault != nil {
		return
	}
	if h.out.State != validity.Turn || h.out.FEN() != h.p.FEN() || len(h.events) != 0 {
		h.wrong("the board is in state %v (%v), having done %q, in %s; it is %s", h.out.State, h.out.Reason, h.events, h.out.FEN(), h.p.FEN())
	}
}

// illegal is an error unless the board says so; then all is put back.
func (h *person) illegal(what string) {
	h.look(h.stable())
	h.note("%s: %v", what, h.out.Reason)
	h.seen[what]++
	h.seen["reason "+h.out.Reason.String()]++
	if h.out.State != validity.Illegal || h.out.Reason == rules.NoReason {
		h.wrong("%s: the board is in state %v (%v)", what, h.out.State, h.out.Reason)
		return
	}
	h.restore()
}

// inHand is an error unless nothing was taken for a move; then all is put back.
func (h *person) inHand(what string) {
	h.look(h.stable())
	h.seen[what]++
	if h.out.State != validity.Moving || len(h.events) != 0 {
		h.wrong("%s: the board is in state %v (%v), having done %q", what, h.out.State, h.out.Reason, h.events)
		return
	}
	h.occupied = occupied(&h.p)
	h.look(h.stable())
	h.atRest()
}

// leads reports whether squares emptied and filled are a legal move or may become one.
func (h *person) leads(lifted, filled uint64) bool {
	here := occupied(&h.p)
	for _, m := range h.p.AppendMoves(nil) {
		if h.remoteTurn() {
			continue
		}
		next := h.p.Make(m)
		there := occupied(&next)
		if lifted&^(here&^there|1<<m.To) == 0 && filled&^(there&^here) == 0 {
			return true
		}
	}
	return false
}

func (h *person) remoteTurn() bool { return h.levels.Remote>>h.p.SideToMove()&1 != 0 }

// pick is one of the squares in a word.
func (h *person) pick(b uint64) engine.Square {
	for {
		if s := h.r.IntN(64); b>>s&1 != 0 {
			return engine.Square(s)
		}
	}
}

// mistake does something that is no move, and all that is needed to come back.
func (h *person) mistake() {
	here := occupied(&h.p)
	side := h.p.SideToMove()
	own, theirs := h.p.Pieces(side), h.p.Pieces(side.Other())
	a, b := h.pick(own), h.pick(^here)
	if h.r.IntN(4) == 0 { // a king's step
		a = h.pick(h.p.Bitboard(side, engine.King))
		b = (a + [...]engine.Square{1, 7, 8, 9, 55, 56, 57, 63}[h.r.IntN(8)]) % 64
		if here>>b&1 != 0 {
			return
		}
	}
	switch h.r.IntN(14) {
	case 0, 1, 2: // a piece goes where it must not
		if !h.leads(1<<a, 1<<b) {
			h.do(touch.Lift(a), h.mostly())
			h.do(touch.Place(b), h.mostly())
			h.illegal("a move that is illegal")
		}
	case 3: // it takes something that it must not
		x := h.pick(here &^ (1 << a))
		if !slices.ContainsFunc(h.p.AppendMoves(nil), func(m engine.Move) bool { return m.From == a && m.To == x }) || h.remoteTurn() {
			for _, t := range []touch.Action{touch.Lift(a), touch.Lift(x), touch.Place(x)} {
				h.do(t, h.mostly())
			}
			h.illegal("a capture that is illegal")
		}
	case 4: // the opponent's piece is moved
		x := h.pick(theirs)
		if !h.leads(1<<x, 1<<b) {
			h.do(touch.Lift(x), h.mostly())
			h.do(touch.Place(b), h.mostly())
			h.illegal("the other side's piece")
		}
	case 5: // a piece is put back
		h.do(touch.Lift(a), h.mostly())
		h.do(touch.Place(a), h.mostly())
		h.look(h.stable())
		h.seen["put back"]++
		h.atRest()
	case 6: // any piece is adjusted
		x := h.pick(here)
		h.do(touch.Lift(x), h.mostly())
		h.do(touch.Place(x), h.mostly())
		h.look(h.stable())
		h.seen["adjusted"]++
		h.atRest()
	case 7: // a foreign piece
		if !h.leads(0, 1<<b) {
			h.do(touch.Place(b), h.mostly())
			h.illegal("a foreign piece")
		} else {
			h.do(touch.Place(b), h.mostly())
			h.inHand("a foreign piece where a move may lead")
		}
	case 8: // pieces are knocked over
		for range 2 + h.r.IntN(6) {
			h.occupied &^= 1 << h.r.IntN(64)
		}
		fallen := uint64(0)
		for range 1 + h.r.IntN(3) {
			fallen |= 1 << b
			b = h.pick(^here)
		}
		h.occupied |= fallen
		if lifted := here &^ h.occupied; h.leads(lifted, fallen) {
			h.occupied = here
			break
		}
		h.note("pieces are knocked over: %s", names(h.occupied^here))
		h.illegal("pieces knocked over")
	case 9: // several pieces are up
		up := uint64(1)<<a | 1<<h.pick(own) | 1<<h.pick(here)
		h.occupied &^= up
		h.note("%s are up", names(up))
		h.look(h.stable())
		if warning := bits.OnesCount64(up&own) > 1 && !h.leads(up, 0); h.out.Warning != warning {
			h.wrong("with %s up the warning is %v", names(up), h.out.Warning)
		}
		h.inHand("several pieces up")
	case 10: // power fails; pieces may move meanwhile
		h.powerFails()
	case 11: // a remote move that is refused
		m := engine.Move{From: engine.Square(h.r.IntN(64)), To: engine.Square(h.r.IntN(64)), Promotion: engine.Piece(h.r.IntN(8))}
		if !slices.ContainsFunc(h.p.AppendMoves(nil), func(l engine.Move) bool {
			return l.From == m.From && l.To == m.To && l.Promotion == m.Promotion
		}) {
			h.remote(m, h.r.IntN(2) == 0)
			if len(h.events) != 1 || !strings.HasPrefix(h.events[0], "answer ") {
				h.wrong("an illegal remote move %v: %q", m, h.events)
			}
			h.seen["an illegal remote move"]++
			h.events = nil
			h.look(1)
			h.atRest()
		}
	case 12: // a claim that does not hold
		if !h.out.Threefold && !h.out.Fifty {
			h.cycle(validity.In{Claim: 1 + uint8(h.r.IntN(3))})
			h.settle()
			if !slices.Equal(h.events, []string{"refused"}) {
				h.wrong("a claim without ground: %q", h.events)
			}
			h.seen["a claim refused"]++
			h.events = nil
			h.atRest()
		}
	case 13: // first steps of a move, and another thing altogether
		moves := h.p.AppendMoves(nil)
		orders := touch.Orders(moves[h.r.IntN(len(moves))])
		touches := orders[h.r.IntN(len(orders))]
		for _, t := range touches[:1+h.r.IntN(len(touches)-1)] {
			h.do(t, h.mostly())
		}
		if lifted, filled := here&^h.occupied, h.occupied&^here; !h.leads(lifted|1<<a, filled|1<<b) && lifted>>a&1 == 0 && filled>>b&1 == 0 {
			h.do(touch.Lift(a), believed)
			h.do(touch.Place(b), believed)
			h.illegal("another move halfway")
			break
		}
		h.occupied = here
		h.look(h.stable())
		h.seen["given up halfway"]++
		// refilled squares may look like a capture for a moment
		if h.out.State == validity.Illegal {
			h.restore()
		}
		h.atRest()
	}
}

// powerFails resets the board in the middle of something and has the host restore the game.
func (h *person) powerFails() {
	here := h.occupied
	for range 2 {
		h.occupied ^= 1 << h.r.IntN(64)
	}
	h.look(h.r.IntN(h.stable()))
	h.cycle(validity.In{Rst: true})
	h.look(h.r.IntN(h.stable()))
	h.load(&h.loaded)
	h.events = nil
	for _, m := range h.played {
		h.remote(m, true)
		if !slices.Equal(h.events, []string{"accepted", "move " + m.String()}) {
			h.wrong("replay of %v: %q", m, h.events)
		}
		h.events = nil
	}
	h.note("power failed; %s and %d moves were given again", h.loaded.FEN(), len(h.played))
	h.seen["power failed"]++
	h.look(h.stable())
	if h.out.State != validity.SetUp && h.occupied != here {
		h.wrong("after power failed: state %v", h.out.State)
	}
	if h.out.State == validity.SetUp {
		h.restore()
	}
	h.atRest()
}

// move carries out a legal move somehow.
func (h *person) move(m engine.Move) {
	if h.remoteTurn() {
		h.remote(m, false)
		if !slices.Equal(h.events, []string{"accepted"}) || h.out.Show != validity.ShowMove ||
			h.out.ShowFrom != uint8(m.From) || h.out.ShowTo != uint8(m.To) {
			h.wrong("remote %v: %q, shows %v", m, h.events, h.out.Show)
			return
		}
		h.events = nil
		h.seen["remote move"]++
		if h.r.IntN(4) == 0 { // another move than the one shown
			moves := h.p.AppendMoves(nil)
			if o := moves[h.r.IntN(len(moves))]; (o.From != m.From || o.To != m.To) && o.Captured == engine.NoPiece && !(m.Castling && h.subset(o, m)) {
				for _, t := range touch.Orders(o)[0] {
					h.do(t, believed)
				}
				h.illegal("not the move shown")
			}
		}
	}
	orders := touch.Orders(m)
	touches := orders[h.r.IntN(len(orders))]
	choice := h.r.IntN(2) == 0
	if m.Promotion != engine.NoPiece && choice {
		h.levels.Promotion = uint8(m.Promotion)
	}
	for i, t := range touches {
		// A rook that slides shows on its way; king and rook of castling must not rest as if it
		// were a rook's move.
		if i > 0 && t.Place && m.Piece == engine.Rook && h.r.IntN(2) == 0 {
			h.slide(m)
		}
		h.do(t, h.mostly())
	}
	h.look(h.stable())
	if h.out.State == validity.Moving {
		h.look(h.settled()) // half of castling, it might have been
		h.seen["waited for castling"]++
	}
	if m.Promotion != engine.NoPiece && !choice && !h.remoteTurn() {
		if h.out.State != validity.Promotion {
			h.wrong("%v: state %v, not promotion", m, h.out.State)
			return
		}
		h.levels.Promotion = uint8(m.Promotion)
		h.look(1)
	}
	h.levels.Promotion = 0
	next := h.p.Make(m)
	if !slices.Equal(h.events, []string{"move " + m.String()}) || h.out.FEN() != next.FEN() {
		h.wrong("%v carried out as %v: %q, state %v (%v), at %s", m, touches, h.events, h.out.State, h.out.Reason, h.out.FEN())
		return
	}
	h.note("move %v as %v", m, touches)
	h.before, h.played = append(h.before, h.p), append(h.played, m)
	h.p, h.events = next, nil
	h.seen["move"]++
}

// subset reports whether carrying out a move looks like castling on its way.
func (h *person) subset(o, castling engine.Move) bool {
	next, after := h.p.Make(castling), h.p.Make(o)
	here, there, other := occupied(&h.p), occupied(&next), occupied(&after)
	return here&^other&^(here&^there) == 0 && other&^here&^(there&^here) == 0
}

// slide shows a rook on the squares between, for less than counts.
func (h *person) slide(m engine.Move) {
	step := func(a, b int) int { return min(max(b-a, -1), 1) }
	by := 8*step(int(m.From)/8, int(m.To)/8) + step(int(m.From)%8, int(m.To)%8)
	for s := int(m.From) + by; s != int(m.To); s += by {
		for _, t := range []touch.Action{touch.Place(engine.Square(s)), touch.Lift(engine.Square(s))} {
			h.touch(t)
			h.hold(believed)
		}
	}
	h.note("a slide")
	h.seen["slide"]++
}

// sequence is a piece of a game, with mistakes.
func sequence(r *rand.Rand, p engine.Position, seen map[string]int) *person {
	h := &person{bench: newRecordingBench(handTimes, true), r: r, p: p, loaded: p, seen: seen}
	h.levels.Remote = [...]uint8{0, 0, 1, 2, 3}[r.IntN(5)]
	h.setUp(&p)
	h.events = nil
	for range 8 {
		moves := h.p.AppendMoves(nil)
		if h.fault != nil || h.out.Result != rules.InPlay || len(moves) == 0 {
			break
		}
		h.atRest()
		for h.fault == nil && r.IntN(2) == 0 {
			h.mistake()
		}
		if h.fault == nil {
			h.move(moves[r.IntN(len(moves))])
		}
	}
	return h
}

// follow checks what the RTL did by the engine alone: every move is legal in the position before,
// the position after it is the right one, nothing else changes it; a game without legal moves is
// over, one with is not, unless by a rule; what is to be restored is what differs.
func follow(in []validity.In, out []validity.Out, loads []engine.Position) error {
	p, known := start, true
	changed := 0 // the cycle in which the position last changed
	for i := range out {
		o := &out[i]
		switch {
		case o.MoveValid:
			m := o.Move()
			if !slices.Contains(p.AppendMoves(nil), m) {
				return fmt.Errorf("cycle %d: %v is not legal in %s", i, m, p.FEN())
			}
			p = p.Make(m)
			known, changed = true, i
		case i > 0 && in[i-1].Rst:
			p, known, changed = start, false, i
		case i > 0 && in[i-1].LoadValid && out[i-1].LoadReady:
			p, loads = loads[0], loads[1:]
			known, changed = false, i
		}
		if !known && !o.Busy {
			known = true // it has been judged
		}
		if !known || o.Busy {
			continue
		}
		if got := o.FEN(); got != p.FEN() {
			return fmt.Errorf("cycle %d: the position is %s, it should be %s since cycle %d", i, got, p.FEN(), changed)
		}
		moves := len(p.AppendMoves(nil))
		switch {
		case moves == 0 && p.InCheck() != (o.Cause == rules.Mate):
			return fmt.Errorf("cycle %d: %v by %v in %s", i, o.Result, o.Cause, p.FEN())
		case moves == 0 && !p.InCheck() && o.Cause != rules.Stalemate:
			return fmt.Errorf("cycle %d: %v by %v in %s", i, o.Result, o.Cause, p.FEN())
		case moves > 0 && (o.Cause == rules.Mate || o.Cause == rules.Stalemate):
			return fmt.Errorf("cycle %d: %v by %v in %s", i, o.Result, o.Cause, p.FEN())
		}
	}
	return nil
}

// Random pieces of games from many positions, with mistakes of every kind: the board is never
// stuck, never has a wrong position, and always shows a way back that leads back.
func TestHands(t *testing.T) {
	positions := perft.Positions()
	seen := map[string]int{}
	make := func(i int) *person {
		r := seeded(1000 + uint64(i))
		p := positions[r.IntN(len(positions))]
		if i%4 == 0 {
			p = start
		}
		for p.Count() == 0 {
			p = positions[r.IntN(len(positions))]
		}
		return sequence(r, p, seen)
	}
	n := *sequences
	for i := range n {
		if h := make(i); h.fault != nil {
			t.Fatalf("sequence %d: %v\n%s\nthe position is %s\n%s", i, h.fault, strings.Join(h.log, "\n"), h.p.FEN(), h.p.Board())
		}
	}
	for _, what := range []string{
		"move", "remote move", "slide", "a move that is illegal", "a capture that is illegal",
		"the other side's piece", "put back", "adjusted", "a foreign piece", "a foreign piece where a move may lead",
		"pieces knocked over", "several pieces up", "power failed", "an illegal remote move", "a claim refused",
		"another move halfway", "given up halfway", "not the move shown",
		"reason blocked", "reason own piece", "reason king into check", "reason not a move", "reason not your turn",
		"reason unclear", "reason two pieces", "reason not shown",
	} {
		if n >= 100 && seen[what] == 0 {
			t.Errorf("%s: never", what)
		}
	}
	t.Log(seen)
	design := validity.Design
	design.Params = handTimes.Params()
	sim.ForEach(t, design, func(t *testing.T, d *dut) {
		n, cycles := n, 0
		if d.Simulator() == sim.Icarus {
			n = min(n, 2+n/400)
		}
		for i := range n {
			h := make(i)
			if err := d.Reset(d.ResetCycles()); err != nil {
				t.Fatal(err)
			}
			in := slices.Collect(h.stimulus(h.n))
			got := slices.Repeat([]validity.Out{{}}, len(in))
			if err := d.ExpectInto(in, h.due, got, h.m.DontCare); err != nil {
				play(t, d, h.bench, fmt.Sprintf("sequence %d", i)) // which explains the difference
				d.Fail(t, err)
			}
			if err := follow(in, got, h.loads); err != nil {
				d.Fail(t, fmt.Errorf("sequence %d: %w\n%s", i, err, strings.Join(h.log, "\n")))
			}
			cycles += len(in)
		}
		t.Logf("%d sequences, %d cycles", n, cycles)
	})
}
