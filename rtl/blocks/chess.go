package blocks

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/burst"
	"github.com/cosimate/cosimate/rtl/game"
	"github.com/cosimate/cosimate/rtl/internal/block"
	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/rtl/perftengine"
	"github.com/cosimate/cosimate/rtl/validity"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

// words are the ports of a position's bitboards.
func words(prefix, own, suffix string) (ports []string) {
	for _, n := range []string{own, "pawns", "knights", "bishops", "rooks", "queens", "kings"} {
		ports = append(ports, prefix+n+suffix)
	}
	return ports
}

// chess are the blocks of the move generator core, and the board's rules.
func chess(r *[]vectors.AnyBlock) {
	in, out := func(own string) []string { return words("load_", own, "_i") }, func(own string) []string { return words("pos_", own, "_o") }
	state := named(named(named(nil, files, "load_ep_i", "pos_ep_o"), set, append(in("own"), out("own")...)...), side, "load_black_i", "pos_black_o")

	names := named(named(named(named(nil, square, "move_from_i", "move_to_i"), piece, "move_promotion_i"), view, "load_castling_i", "pos_castling_o"),
		vectors.Names{List: []string{"load", "make", "null", "unmake"}}, "cmd_i")
	names = append(names, state...)
	*r = append(*r, vectors.Block[game.In, game.Out]{
		Design: game.Design, About: "the state of a game: make, unmake, null moves",
		Params: []vectors.Param{{Name: "Plies", Default: game.Plies, Min: 1, Max: 255, About: "moves that can be taken back"}},
		Model: func(p vectors.Params) sim.Model[game.In, game.Out] {
			return fresh(func() *game.Model { return game.NewModel(p["Plies"]) })
		},
		Names: names, Kinds: kinds, Statements: gameVerbs, Complete: completeGame, Random: randomGame,
	})

	pos := named(named(named(nil, set, words("pos_", "own", "_i")...), files, "pos_ep_i"), wings, "pos_castling_i", "move_castling_o")
	*r = append(*r, vectors.Block[movegen.In, movegen.Out]{
		Design: movegen.Design, About: "all legal moves: their number, and a list in order",
		Model:    func(vectors.Params) sim.Model[movegen.In, movegen.Out] { return fresh(movegen.NewModel) },
		Names:    named(named(pos, square, "move_from_o", "move_to_o"), piece, "move_piece_o", "move_captured_o", "move_promotion_o"),
		Complete: func(in movegen.In) (movegen.In, error) { return in.Ports(), nil },
		Kinds:    kinds, Statements: movegenVerbs,
		Random: func(r *rand.Rand, _ movegen.In) movegen.In {
			p := randomPosition(r)
			in := movegen.Encode(&p)
			in.PosValid, in.PosList, in.MoveReady = r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(4) != 0
			in.PosOrder = movegen.Orders[r.IntN(len(movegen.Orders))]
			return in.Ports()
		},
	})

	*r = append(*r, vectors.Block[burst.In, burst.Out]{
		Design: burst.Design, About: "all legal moves at once, over 26 lanes",
		Model:    func(vectors.Params) sim.Model[burst.In, burst.Out] { return fresh(burst.NewModel) },
		Names:    named(named(named(nil, set, words("pos_", "own", "_i")...), files, "pos_ep_i"), wings, "pos_castling_i"),
		Complete: func(in burst.In) (burst.In, error) { return in.Ports(), nil },
		Kinds:    kinds, Statements: burstVerbs,
		Random: func(r *rand.Rand, _ burst.In) burst.In {
			p := randomPosition(r)
			in := burst.Encode(&p)
			in.PosValid, in.BeatReady = r.IntN(2) == 0, r.IntN(4) != 0
			return in.Ports()
		},
	})

	*r = append(*r, vectors.Block[perftengine.In, perftengine.Out]{
		Design: perftengine.Design, About: "perft in hardware",
		Model:    func(vectors.Params) sim.Model[perftengine.In, perftengine.Out] { return fresh(perftengine.NewModel) },
		Names:    named(named(named(named(named(nil, set, words("job_", "own", "_i")...), files, "job_ep_i"), view, "job_castling_i"), square, "div_from_o", "div_to_o"), piece, "div_promotion_o"),
		Complete: completeJob,
		Kinds:    kinds, Statements: perftVerbs,
		Random: func(r *rand.Rand, before perftengine.In) perftengine.In {
			p := randomPosition(r)
			in := perftengine.Job(&p, r.IntN(3), r.IntN(2) == 0)
			in.JobValid, in.DivReady, in.Abort = r.IntN(8) == 0, r.IntN(4) != 0, r.IntN(100) == 0
			return in
		},
	})

	names = named(named(named(named(named(named(nil, set, append(append(words("load_", "white", "_i"), words("pos_", "white", "_o")...), "occupied_i", "restore_o")...), files, "load_ep_i", "pos_ep_o"), side, "load_black_i", "pos_black_o", "move_black_o"), rights, "load_castling_i", "pos_castling_o"),
		square, "remote_from_i", "remote_to_i", "show_from_o", "show_to_o", "move_from_o", "move_to_o", "king_o"), piece, "remote_promotion_i", "promotion_i", "move_piece_o", "move_captured_o", "move_promotion_o")
	names = named(named(names, sides, "remote_i", "flag_i", "resign_i", "draw_i", "claim_i", "offer_o"), wings, "move_castling_o")
	*r = append(*r, vectors.Block[validity.In, validity.Out]{
		Design: validity.Design, About: "what is played by hand on the sensing board, and whether it is legal",
		Params: []vectors.Param{
			{Name: "StableScans", Default: validity.DefaultTimes.StableScans, Min: 1, Max: 255, About: "scans for which a reading must stay to be decided on"},
			{Name: "CastlingScans", Default: validity.DefaultTimes.CastlingScans, Min: 1, Max: 255, About: "scans, if it may be half of castling; no fewer"},
			{Name: "QuestionCycles", Default: validity.DefaultTimes.QuestionCycles, Min: 240, Max: 4096, About: "clocks for a question to the move generator"},
		},
		Model: func(p vectors.Params) sim.Model[validity.In, validity.Out] {
			return fresh(func() *validity.Model { return validity.NewModel(timesOf(p)) })
		},
		Names: names, Kinds: kinds, Statements: validityVerbs, Complete: completeValidity, Random: randomValidity,
	})
}

// timesOf are the parameters of validity.
func timesOf(p vectors.Params) validity.Times {
	return validity.Times{StableScans: p["StableScans"], CastlingScans: p["CastlingScans"], QuestionCycles: p["QuestionCycles"]}
}

// stepping is a model without a Reset, or one that remembers, over resets, that it was given what
// it is no reference for. A new one forgets.
type stepping[I, O any] interface{ Step(in I) O }

// renewed is a model that is made anew at each reset.
type renewed[I, O any, M stepping[I, O]] struct {
	make  func() M
	model M
}

// fresh makes models that forget everything at a reset.
func fresh[I, O any, M stepping[I, O]](make func() M) sim.Model[I, O] {
	return &renewed[I, O, M]{make, make()}
}

func (r *renewed[I, O, M]) Reset()      { r.model = r.make() }
func (r *renewed[I, O, M]) Step(in I) O { return r.model.Step(in) }
func (r *renewed[I, O, M]) Err() error {
	if e, ok := any(r.model).(interface{ Err() error }); ok {
		return e.Err()
	}
	return nil
}
func (r *renewed[I, O, M]) DontCare(want O) (mask O) {
	if dc, ok := any(r.model).(sim.DontCarer[O]); ok {
		return dc.DontCare(want)
	}
	return mask
}

// randomPosition is one of a game at random.
func randomPosition(r *rand.Rand) engine.Position {
	p := engine.StartPosition()
	for range r.IntN(80) {
		moves := p.AppendMoves(nil)
		if len(moves) == 0 {
			break
		}
		p = p.Make(moves[r.IntN(len(moves))])
	}
	return p
}

// completeGame takes the position from the load ports.
func completeGame(in game.In) (game.In, error) {
	if !in.CmdValid || in.Cmd != game.CmdLoad {
		return in, nil
	}
	p, err := positionOf(game.Out{
		Own: in.LoadOwn, Pawns: in.LoadPawns, Knights: in.LoadKnights, Bishops: in.LoadBishops, Rooks: in.LoadRooks, Queens: in.LoadQueens,
		Kings: in.LoadKings, Castling: in.LoadCastling, Ep: in.LoadEp, Black: in.LoadBlack, Halfmove: in.LoadHalfmove, Fullmove: in.LoadFullmove,
	})
	if err != nil {
		return in, err
	}
	load := game.Load(&p)
	load.Rst, load.From, load.To, load.Promotion = in.Rst, in.From, in.To, in.Promotion
	return load, nil
}

// positionOf reads a position off ports.
func positionOf(o game.Out) (engine.Position, error) {
	o.Fullmove = max(1, o.Fullmove)
	p, err := o.Setup().Position()
	if err != nil {
		return p, fmt.Errorf("the ports hold no position: %w", err)
	}
	return p, nil
}

func randomGame(r *rand.Rand, _ game.In) game.In {
	// What is legal depends on the state, which is not known here: a new position each time, and a
	// move back and forth.
	p := randomPosition(r)
	switch r.IntN(3) {
	case 0:
		return game.Load(&p)
	case 1:
		return game.Unmake()
	}
	return game.In{}
}

// completeJob takes the position from the job's ports.
func completeJob(in perftengine.In) (perftengine.In, error) {
	if !in.JobValid {
		return in, nil
	}
	p, err := positionOf(game.Out{
		Own: in.JobOwn, Pawns: in.JobPawns, Knights: in.JobKnights, Bishops: in.JobBishops, Rooks: in.JobRooks, Queens: in.JobQueens,
		Kings: in.JobKings, Castling: in.JobCastling, Ep: in.JobEp,
	})
	if err != nil {
		return in, err
	}
	job := perftengine.Job(&p, int(in.JobDepth), in.JobDivide)
	job.Rst, job.Abort, job.DivReady = in.Rst, in.Abort, in.DivReady
	return job, nil
}

// completeValidity takes the position from the load ports.
func completeValidity(in validity.In) (validity.In, error) {
	if !in.LoadValid {
		return in, nil
	}
	o := validity.Out{
		White: in.LoadWhite, Pawns: in.LoadPawns, Knights: in.LoadKnights, Bishops: in.LoadBishops, Rooks: in.LoadRooks, Queens: in.LoadQueens,
		Kings: in.LoadKings, Castling: in.LoadCastling, Ep: in.LoadEp, Black: in.LoadBlack, Halfmove: in.LoadHalfmove, Fullmove: max(1, in.LoadFullmove),
	}
	p, err := o.Setup().Position()
	if err != nil {
		return in, fmt.Errorf("the ports hold no position: %w", err)
	}
	load := validity.Load(&p)
	load.Rst, load.ScanValid, load.Occupied, load.Remote = in.Rst, in.ScanValid, in.Occupied, in.Remote
	load.RemoteValid, load.RemoteFrom, load.RemoteTo, load.RemotePromotion, load.RemoteReplay = in.RemoteValid, in.RemoteFrom, in.RemoteTo, in.RemotePromotion, in.RemoteReplay
	load.Promotion, load.Flag, load.Resign, load.Draw, load.Claim = in.Promotion, in.Flag, in.Resign, in.Draw, in.Claim
	return load, nil
}

func randomValidity(r *rand.Rand, before validity.In) validity.In {
	in := before
	in.ScanValid = r.IntN(4) == 0
	if in.Occupied == 0 {
		in.Occupied = 0xffff00000000ffff
	}
	if r.IntN(20) == 0 {
		in.Occupied ^= 1 << r.IntN(64)
	}
	in.RemoteValid, in.RemoteFrom, in.RemoteTo = r.IntN(50) == 0, uint8(r.IntN(64)), uint8(r.IntN(64))
	return in
}

// list compares moves, in any order or in this one.
func list(got []engine.Move, want []any, ordered bool) error {
	text := func(moves []engine.Move) string {
		var t []string
		for _, m := range moves {
			t = append(t, m.String())
		}
		return strings.Join(t, " ")
	}
	var w []engine.Move
	for i, a := range want {
		m := a.(engine.Move)
		if slices.ContainsFunc(w, func(o engine.Move) bool { return o == m }) {
			return block.WrongArg(i, "%v comes twice", m)
		}
		w = append(w, m)
	}
	for i, m := range got {
		got[i] = engine.Move{From: m.From, To: m.To, Promotion: m.Promotion}
	}
	for i, m := range w {
		at := slices.Index(got, m)
		if at < 0 {
			return block.WrongArg(i, "%v is not listed\nlisted: %s", m, text(got))
		}
		if ordered && at != i {
			return block.WrongArg(i, "%v is not number %d but %d\nlisted: %s", m, i+1, at+1, text(got))
		}
	}
	var surplus []engine.Move
	for _, m := range got {
		if !slices.Contains(w, m) {
			surplus = append(surplus, m)
		}
	}
	if len(surplus) > 0 {
		return fmt.Errorf("more is listed: %s", text(surplus))
	}
	return nil
}
