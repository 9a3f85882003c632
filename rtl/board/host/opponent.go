package host

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/engine/search"
)

// Level is how strong an opponent is, as an Elo rating; Strongest is as strong as it can be.
type Level int

// Levels beside those from [search.MinElo] to [search.MaxElo].
const (
	Strongest    Level = 0
	DefaultLevel Level = 1600
)

// ParseLevel reads a level: a number, or "max".
func ParseLevel(text string) (Level, error) {
	if strings.EqualFold(text, "max") {
		return Strongest, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < search.MinElo || n > search.MaxElo {
		return 0, fmt.Errorf("%q is no level: an Elo rating from %d to %d is expected, or max", text, search.MinElo, search.MaxElo)
	}
	return Level(n), nil
}

func (l Level) String() string {
	if l == Strongest {
		return "max"
	}
	return strconv.Itoa(int(l))
}

// Opponent is the computer as a player. A level and a limit of positions make its move follow from
// the seed and the game alone: the same moves against it give the same game, also after moves were
// taken back or the program was started again. The exceptions are a move that the clock cuts short,
// and Strongest without Nodes, which thinks for some time.
type Opponent struct {
	Level Level
	Seed  uint64 // of its choice of openings, and of its mistakes
	Nodes uint64 // positions that it looks at for a move at most; 0: as many as its level has

	engine *search.Engine
	lines  int // how many best moves that engine looks for

	game   *Game       // that values are about
	values map[int]int // of the positions in which it decided, for the side to move, by ply
}

// Values are in hundredths of a pawn, for the side that decides.
const (
	openingPlies = 16   // plies of a game in which openings are varied
	openingLoss  = 20   // what another move than the best may cost there
	openingValue = 150  // if the game has been decided, it is no opening
	even         = 15   // a value between plus and minus this is even
	worse        = -50  // a draw is welcome
	lost         = -900 // with this for some moves, it resigns
	settled      = 4    // decisions in a row, by which a game is even or lost
	lateMove     = 30   // an even game is drawn by agreement from this move on
)

const (
	// untimed is how long Strongest thinks without a clock.
	untimed = 5 * time.Second
	// glance is how many positions are looked at to answer an offer of a draw, and for a hint.
	glance = 100_000
)

// Decision is what an opponent does when it is its turn.
type Decision struct {
	Move   engine.Move
	Offer  bool // offer a draw with the move
	Draw   bool // instead of the move, accept the offer that stands, or claim a draw
	Resign bool // instead of the move
}

// Decide decides for the side to move. The clock may be zero. The error is that of the context, or
// that there is no move.
func (o *Opponent) Decide(ctx context.Context, g *Game, clock search.Clock) (Decision, error) {
	o.remember(g)
	ply := len(g.Moves())
	p := g.Position()
	lines := 1
	if ply < openingPlies {
		lines = 4
	}
	r, err := o.search(ctx, g, search.Limits{Nodes: o.Nodes, Clock: clock}, lines)
	if err != nil {
		return Decision{}, err
	}
	value := r.Lines[0].Value
	if r.Depth == 0 { // no time to look
		value = o.values[ply-2]
	}
	o.values[ply] = value
	side := p.SideToMove()
	d := Decision{Move: o.choose(g, r, value)}
	switch {
	case g.Claimable() != rules.NoCause && value <= 0, g.Offered(side.Other()) && o.welcomesDraw(g, value):
		d.Draw = true
	case o.lasts(ply, func(v int) bool { return v <= lost }):
		d.Resign = true
	default:
		d.Offer = o.drawish(g, ply) && !g.Offered(side)
	}
	return d, nil
}

// search looks for the best moves.
func (o *Opponent) search(ctx context.Context, g *Game, l search.Limits, lines int) (search.Result, error) {
	if o.engine == nil || o.lines != lines {
		hash := 4 << 20 // cleared for each move
		if o.Level == Strongest && l.Nodes == 0 {
			hash = 64 << 20
		}
		e, err := search.New(search.Options{Features: search.AllFeatures, Hash: hash, MultiPV: lines})
		if err != nil {
			return search.Result{}, err
		}
		o.engine, o.lines = e, lines
	} else if o.Level != Strongest || l.Nodes > 0 {
		o.engine.Clear() // what other searches have found would make a difference
	}
	if o.Level == Strongest && l.Nodes == 0 && l.Clock == (search.Clock{}) {
		l.MoveTime = untimed
	}
	r, err := o.engine.SearchAs(ctx, search.Strength{Elo: int(o.Level), Seed: o.Seed},
		search.Game{Start: g.Start(), Moves: g.Moves()}, l, nil)
	return r, errors.Join(err, ctx.Err())
}

// choose returns the move to be made. value is that of the position.
func (o *Opponent) choose(g *Game, r search.Result, value int) engine.Move {
	p := g.Position()
	chosen := r.Moves[0]
	best := r.Lines[0].Moves[0]
	if search.MateIn(value) > 0 { // without detours
		chosen = best
	}
	if ply := len(g.Moves()); ply < openingPlies && chosen == best && max(value, -value) < openingValue {
		var near []engine.Move
		for _, x := range r.Lines {
			if x.Value >= value-openingLoss {
				near = append(near, x.Moves[0])
			}
		}
		if len(near) > 1 {
			random := rand.New(rand.NewPCG(o.Seed, search.Key(&p)+uint64(ply)))
			chosen = near[random.IntN(len(near))]
		}
	}
	if value <= 0 || !g.repeats(chosen) {
		return chosen
	}
	// It is better: a third repetition, by which the opponent could claim a draw, is not for it.
	for _, x := range r.Lines {
		if x.Value > 0 && !g.repeats(x.Moves[0]) {
			return x.Moves[0]
		}
	}
	for _, m := range p.AppendMoves(nil) {
		if !g.repeats(m) {
			return m
		}
	}
	return chosen
}

// remember forgets values of another game, or of moves that have been taken back.
func (o *Opponent) remember(g *Game) {
	if o.game != g {
		o.game, o.values = g, map[int]int{}
	}
	for ply := range o.values {
		if ply >= len(g.Moves()) {
			delete(o.values, ply)
		}
	}
}

// lasts reports whether this decision and those before it were all made with a value that is so.
func (o *Opponent) lasts(ply int, is func(value int) bool) bool {
	for range settled {
		if v, ok := o.values[ply]; !ok || !is(v) {
			return false
		}
		ply -= 2
	}
	return true
}

// drawish reports whether neither side has made anything of the game for some time.
func (o *Opponent) drawish(g *Game, ply int) bool {
	p := g.Position()
	if g.offered > 0 && ply-g.offered < 20 { // no second offer soon after the first
		return false
	}
	return p.Fullmove() >= lateMove && p.Halfmove() >= 2*settled &&
		o.lasts(ply, func(v int) bool { return -even <= v && v <= even })
}

// welcomesDraw reports whether a draw is welcome in the present position with a value.
func (o *Opponent) welcomesDraw(g *Game, value int) bool {
	p := g.Position()
	return value <= worse || p.Fullmove() >= lateMove && value <= even
}

// AcceptsDraw reports whether a side accepts a draw: if it is worse, or late in the game no better.
func (o *Opponent) AcceptsDraw(ctx context.Context, g *Game, side engine.Color) (bool, error) {
	look := Opponent{Level: o.Level, Seed: o.Seed}
	r, err := look.search(ctx, g, search.Limits{Nodes: o.glance()}, 1)
	if err != nil {
		return false, err
	}
	p := g.Position()
	value := r.Lines[0].Value
	if p.SideToMove() != side {
		value = -value
	}
	return o.welcomesDraw(g, value), nil
}

// Hint returns a good move for the side to move, whatever the level.
func (o *Opponent) Hint(ctx context.Context, g *Game) (engine.Move, error) {
	look := Opponent{Level: Strongest}
	r, err := look.search(ctx, g, search.Limits{Nodes: o.glance()}, 1)
	if err != nil {
		return engine.Move{}, err
	}
	return r.Moves[0], nil
}

func (o *Opponent) glance() uint64 {
	if o.Nodes > 0 {
		return min(glance, o.Nodes)
	}
	return glance
}

// next makes the opponent ready for another game, with another seed.
func (o *Opponent) next() {
	o.Seed++
	if o.engine != nil {
		o.engine.Clear()
	}
}

// String says what kind of opponent it is: "level 1600, seed 7".
func (o *Opponent) String() string { return fmt.Sprintf("level %v, seed %d", o.Level, o.Seed) }
