package blocks

import (
	"fmt"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/burst"
	"github.com/cosimate/cosimate/rtl/game"
	"github.com/cosimate/cosimate/rtl/internal/block"
	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/rtl/perftengine"
	"github.com/cosimate/cosimate/rtl/validity"
	"github.com/cosimate/cosimate/vectors"
)

func gameVerbs(s *vectors.Session[game.In, game.Out]) []vectors.Statement {
	side := func() engine.Color {
		if s.Out.Black {
			return engine.Black
		}
		return engine.White
	}
	// command gives a command for a cycle, and leaves one to see what came of it.
	command := func(in game.In) error {
		s.In = in
		if _, err := s.Step(); err != nil {
			return err
		}
		s.In = game.In{}
		_, err := s.Step()
		return err
	}
	return []vectors.Statement{
		{Use: "position FEN", About: "load a position", Do: func(a []any) error {
			p := a[0].(engine.Position)
			return command(game.Load(&p))
		}},
		{Use: "make MOVE", About: "make a move, which may be refused: see error_o", Do: func(a []any) error {
			return command(game.Make(a[0].(engine.Move), side()))
		}},
		{Use: "null", About: "pass the turn", Do: func([]any) error { return command(game.Null()) }},
		{Use: "unmake", About: "take back the last move", Do: func([]any) error { return command(game.Unmake()) }},
		{Use: "board FEN", About: "one cycle, in which the position is this one", Do: func(a []any) error {
			out, err := s.Step()
			if err != nil {
				return err
			}
			p := a[0].(engine.Position)
			return samePosition(&p, out.FEN())
		}},
		{Use: "refused ERROR", About: "the last command was refused for this reason", Do: func(a []any) error {
			if want := game.Error(a[0].(int)); s.Out.Error != want {
				return block.WrongArg(0, "error_o says: %v", s.Out.Error)
			}
			return nil
		}},
	}
}

// samePosition compares a position with that of the ports.
func samePosition(p *engine.Position, got string) error {
	if want := p.FEN(); got != want {
		return block.WrongArg(0, "the ports show another position\nexpected %s\nshown    %s", want, got)
	}
	return nil
}

func movegenVerbs(s *vectors.Session[movegen.In, movegen.Out]) []vectors.Statement {
	var p *engine.Position
	var order movegen.Order
	var filter movegen.Filter
	// offer hands the position over.
	offer := func(list bool) error {
		if p == nil {
			return errNoPosition
		}
		in := movegen.Encode(p)
		in.PosValid, in.PosList, in.PosOrder, in.PosFilter, in.MoveReady = true, list, order, filter, true
		s.In = in
		err := s.Until("pos_ready_o stays 0", func(out movegen.Out) bool { return out.PosReady })
		s.In = movegen.In{MoveReady: true}
		return err
	}
	count := func() (int, error) {
		if err := offer(false); err != nil {
			return 0, err
		}
		err := s.Until("no count comes", func(out movegen.Out) bool { return out.CountValid })
		return int(s.Out.Count), err
	}
	moves := func() (got []engine.Move, err error) {
		if err := offer(true); err != nil {
			return nil, err
		}
		err = s.Until("the list does not end", func(out movegen.Out) bool {
			if out.MoveValid && !out.MoveNone {
				got = append(got, movegen.Decode(out, p.SideToMove()))
			}
			return out.MoveValid && (out.MoveLast || out.MoveNone)
		})
		return got, err
	}
	listed := func(ordered bool) func(a []any) error {
		return func(a []any) error {
			got, err := moves()
			if err != nil {
				return err
			}
			return list(got, a, ordered)
		}
	}
	return []vectors.Statement{
		{Use: "position FEN", About: "the position of the statements that follow", Do: func(a []any) error {
			q := a[0].(engine.Position)
			p, order, filter = &q, movegen.Plain, movegen.All
			return nil
		}},
		{Use: "order ORDER", About: "of the lists that follow", Do: func(a []any) error { order = movegen.Order(a[0].(int)); return nil }},
		{Use: "filter FILTER", About: "of the lists that follow", Do: func(a []any) error { filter = movegen.Filter(a[0].(int)); return nil }},
		{Use: "count N", About: "the number of legal moves", Do: func(a []any) error {
			n, err := count()
			if err == nil && n != a[0].(int) {
				err = block.WrongArg(0, "%d moves are counted", n)
			}
			return err
		}},
		{Use: "check", About: "the side to move is in check, as the count says", Do: func([]any) error {
			_, err := count()
			if err == nil && !s.Out.CountCheck {
				err = fmt.Errorf("the side to move is not in check")
			}
			return err
		}},
		{Use: "moves [MOVE...]", About: "the list has just these moves; without any: none", Do: listed(false)},
		{Use: "in-order [MOVE...]", About: "the list begins with these moves", Do: func(a []any) error {
			got, err := moves()
			if err != nil {
				return err
			}
			return list(got[:min(len(a), len(got))], a, true)
		}},
		{Use: "perft DEPTH N FEN", About: "the number of sequences of moves", Do: func(a []any) error {
			q := a[2].(engine.Position)
			n, err := walk(s, &q, a[0].(int))
			if err == nil && n != a[1].(int) {
				err = block.WrongArg(1, "%d sequences are counted", n)
			}
			return err
		}},
	}
}

var errNoPosition = fmt.Errorf("no position was given: write \"position FEN\" before it")

// walk gives all positions before the last ply to the RTL, one a clock, and sums the counts.
func walk(s *vectors.Session[movegen.In, movegen.Out], p *engine.Position, depth int) (sum int, err error) {
	offered, counted := 0, 0
	take := func() {
		if s.Out.CountValid {
			counted++
			sum += int(s.Out.Count)
		}
	}
	var visit func(p *engine.Position, depth int) error
	visit = func(p *engine.Position, depth int) error {
		if depth > 1 {
			for _, m := range p.AppendMoves(nil) {
				next := p.Make(m)
				if err := visit(&next, depth-1); err != nil {
					return err
				}
			}
			return nil
		}
		s.In = movegen.Encode(p)
		s.In.PosValid, s.In.MoveReady = true, true
		offered++
		err := s.Until("pos_ready_o stays 0", func(out movegen.Out) bool { take(); return out.PosReady })
		s.In = movegen.In{MoveReady: true}
		return err
	}
	if err := visit(p, depth); err != nil {
		return 0, err
	}
	for counted < offered {
		if _, err := s.Step(); err != nil {
			return 0, err
		}
		take()
	}
	return sum, nil
}

func burstVerbs(s *vectors.Session[burst.In, burst.Out]) []vectors.Statement {
	var p *engine.Position
	beats := 0
	moves := func() (got []engine.Move, err error) {
		if p == nil {
			return nil, errNoPosition
		}
		s.In = burst.Encode(p)
		s.In.PosValid, s.In.BeatReady = true, true
		if err := s.Until("pos_ready_o stays 0", func(out burst.Out) bool { return out.PosReady }); err != nil {
			return nil, err
		}
		s.In = burst.In{BeatReady: true}
		beats = 0
		err = s.Until("the list does not end", func(out burst.Out) bool {
			if out.BeatValid {
				beats++
				for _, w := range out.Move {
					if m, ok := burst.Decode(w, p.SideToMove()); ok {
						got = append(got, m)
					}
				}
			}
			return out.BeatValid && out.BeatLast
		})
		return got, err
	}
	return []vectors.Statement{
		{Use: "position FEN", About: "the position of the statements that follow", Do: func(a []any) error {
			q := a[0].(engine.Position)
			p = &q
			return nil
		}},
		{Use: "moves [MOVE...]", About: "the list has just these moves; without any: none", Do: func(a []any) error {
			got, err := moves()
			if err != nil {
				return err
			}
			return list(got, a, false)
		}},
		{Use: "count N", About: "the list has so many moves", Do: func(a []any) error {
			got, err := moves()
			if err == nil && len(got) != a[0].(int) {
				err = block.WrongArg(0, "%d moves are listed", len(got))
			}
			return err
		}},
		{Use: "beats N", About: "the last list came in so many beats", Do: func(a []any) error {
			if beats != a[0].(int) {
				return block.WrongArg(0, "it came in %d", beats)
			}
			return nil
		}},
	}
}

func perftVerbs(s *vectors.Session[perftengine.In, perftengine.Out]) []vectors.Statement {
	var divide map[engine.Move]uint64
	var p engine.Position
	job := func(q *engine.Position, depth int, div bool) error {
		p = *q
		s.In = perftengine.Job(&p, depth, div)
		s.In.DivReady = true
		if err := s.Until("job_ready_o stays 0", func(out perftengine.Out) bool { return out.JobReady }); err != nil {
			return err
		}
		s.In = perftengine.In{DivReady: true}
		return nil
	}
	done := func() error {
		divide = map[engine.Move]uint64{}
		return s.Until("the job is not done", func(out perftengine.Out) bool {
			if out.DivValid {
				d := perftengine.Decode(out, p.SideToMove())
				divide[d.Move] = d.Nodes
			}
			return out.Done
		})
	}
	counted := func(a any) error {
		if s.Out.Count != uint64(a.(int)) {
			return block.WrongArg(1, "%d sequences are counted", s.Out.Count)
		}
		return nil
	}
	run := func(div bool) func(a []any) error {
		return func(a []any) error {
			q := a[2].(engine.Position)
			if err := job(&q, a[0].(int), div); err != nil {
				return err
			}
			if err := done(); err != nil {
				return err
			}
			return counted(a[1])
		}
	}
	return []vectors.Statement{
		{Use: "perft DEPTH N FEN", About: "the number of sequences of moves", Do: run(false)},
		{Use: "divide DEPTH N FEN", About: "the same, also by first move: see root", Do: run(true)},
		{Use: "root MOVE N", About: "of the last divide: the count of a first move", Do: func(a []any) error {
			m := a[0].(engine.Move)
			n, ok := divide[m]
			if !ok {
				return block.WrongArg(0, "%v is not among the %d first moves", m, len(divide))
			}
			if n != uint64(a[1].(int)) {
				return block.WrongArg(1, "its count is %d", n)
			}
			return nil
		}},
		{Use: "begin DEPTH FEN", About: "hand over a job, and do not wait for its end", Do: func(a []any) error {
			q := a[1].(engine.Position)
			return job(&q, a[0].(int), false)
		}},
		{Use: "abort", About: "abort the job", Do: func([]any) error {
			s.In.Abort = true
			_, err := s.Step()
			s.In.Abort = false
			return err
		}},
		{Use: "idle", About: "wait until no job is under way", Do: func([]any) error {
			return s.Until("busy_o stays 1", func(out perftengine.Out) bool { return !out.Busy })
		}},
	}
}

func validityVerbs(s *vectors.Session[validity.In, validity.Out]) []vectors.Statement {
	t := timesOf(s.Params)
	var occupied uint64
	var moved *engine.Move // since the last statement that did something
	var answer *validity.Reason
	refused := false
	s.Watch(func(_ validity.In, out validity.Out) {
		if out.MoveValid {
			m := out.Move()
			moved = &m
		}
		if out.RemoteDone {
			r := out.RemoteReason
			answer = &r
		}
		refused = refused || out.ClaimRefused
	})
	free := func() error { // until nothing is being thought about
		for idle := 0; idle < 4; idle++ {
			out, err := s.Step()
			if err != nil {
				return err
			}
			if out.Busy || !out.RemoteReady {
				idle = 0
			}
		}
		return nil
	}
	scans := func(n int) error {
		for range n {
			if err := s.Until("busy_o stays 1", func(out validity.Out) bool { return !out.Busy }); err != nil {
				return err
			}
			s.In.ScanValid, s.In.Occupied = true, occupied
			_, err := s.Step()
			s.In.ScanValid = false
			if err != nil {
				return err
			}
		}
		return free()
	}
	act := func() { moved, answer, refused = nil, nil, false }
	// A change is believed when two scans have it, and decided on when it has stayed.
	stable := 2 + t.StableScans
	touch := func(fill bool) func(a []any) error {
		return func(a []any) error {
			act()
			for i, x := range a {
				bit := uint64(1) << x.(engine.Square)
				if occupied&bit != 0 == fill {
					return block.WrongArg(i, "%v is %s already", x, map[bool]string{true: "occupied", false: "empty"}[fill])
				}
				occupied ^= bit
			}
			return scans(stable)
		}
	}
	pulse := func(set, clear func(in *validity.In)) error {
		act()
		set(&s.In)
		_, err := s.Step()
		clear(&s.In)
		if err != nil {
			return err
		}
		return free()
	}
	remote := func(replay bool) func(a []any) error {
		return func(a []any) error {
			held := s.In
			err := pulse(func(in *validity.In) {
				r := validity.Remote(a[0].(engine.Move), replay)
				in.RemoteValid, in.RemoteFrom, in.RemoteTo, in.RemotePromotion, in.RemoteReplay = true, r.RemoteFrom, r.RemoteTo, r.RemotePromotion, replay
			}, func(in *validity.In) { *in = held })
			return err
		}
	}
	sideVerb := func(use, about string, port func(in *validity.In) *uint8) vectors.Statement {
		return vectors.Statement{Use: use, About: about, Do: func(a []any) error {
			return pulse(func(in *validity.In) { *port(in) = 1 << a[0].(int) }, func(in *validity.In) { *port(in) = 0 })
		}}
	}
	return []vectors.Statement{
		{Use: "position FEN", About: "load a position, and put the pieces so", Do: func(a []any) error {
			p := a[0].(engine.Position)
			held := s.In
			load := validity.Load(&p)
			load.Remote, load.Promotion = held.Remote, held.Promotion
			s.In = load
			err := s.Until("load_ready_o stays 0", func(out validity.Out) bool { return out.LoadReady })
			s.In = held
			if err != nil {
				return err
			}
			if err := free(); err != nil {
				return err
			}
			occupied = p.Pieces(engine.White) | p.Pieces(engine.Black)
			err = scans(stable)
			act()
			return err
		}},
		{Use: "lift SQUARE...", About: "take pieces off the board, and leave it so until it is decided on", Do: touch(false)},
		{Use: "place SQUARE...", About: "put pieces onto the board, and leave it so until it is decided on", Do: touch(true)},
		{Use: "scans N", About: "leave the board as it is for so many scans", Do: func(a []any) error { return scans(a[0].(int)) }},
		{Use: "settle", About: "leave the board as it is until what may be half of castling is decided on", Do: func([]any) error { return scans(2 + t.CastlingScans) }},
		{Use: "promote PIECE", About: "choose what the pawn becomes", Do: func(a []any) error {
			return pulse(func(in *validity.In) { in.Promotion = uint8(a[0].(engine.Piece)) }, func(in *validity.In) { in.Promotion = 0 })
		}},
		{Use: "remote MOVE", About: "a move of a remote side, to be carried out", Do: remote(false)},
		{Use: "replay MOVE", About: "a move that is made at once, with the pieces on the board left to be put so", Do: remote(true)},
		sideVerb("resign SIDE", "a side resigns", func(in *validity.In) *uint8 { return &in.Resign }),
		sideVerb("draw SIDE", "a side offers a draw, or agrees", func(in *validity.In) *uint8 { return &in.Draw }),
		sideVerb("claim SIDE", "a side claims a draw", func(in *validity.In) *uint8 { return &in.Claim }),
		sideVerb("flag SIDE", "a side's time is over", func(in *validity.In) *uint8 { return &in.Flag }),
		{Use: "moved MOVE", About: "the last statement brought about this move", Do: func(a []any) error {
			want := a[0].(engine.Move)
			if moved == nil {
				return block.WrongArg(0, "no move was made; the board is %v, reason: %v", s.Out.State, s.Out.Reason)
			}
			if moved.From != want.From || moved.To != want.To || moved.Promotion != want.Promotion {
				return block.WrongArg(0, "%v was made", moved)
			}
			return nil
		}},
		{Use: "unmoved", About: "the last statement brought about no move", Do: func([]any) error {
			if moved != nil {
				return fmt.Errorf("%v was made", moved)
			}
			return nil
		}},
		{Use: "illegal REASON", About: "the board is in the state illegal, for this reason", Do: func(a []any) error {
			want := validity.Reason(a[0].(int))
			if s.Out.State != validity.Illegal || s.Out.Reason != want {
				return block.WrongArg(0, "the board is %v, reason: %v", s.Out.State, s.Out.Reason)
			}
			return nil
		}},
		{Use: "accepted", About: "the remote move was accepted", Do: func([]any) error {
			if answer == nil || *answer != validity.NoReason {
				return fmt.Errorf("it was not: %v", answer)
			}
			return nil
		}},
		{Use: "refused REASON", About: "the remote move was refused for this reason", Do: func(a []any) error {
			switch want := validity.Reason(a[0].(int)); {
			case answer == nil:
				return fmt.Errorf("there was no answer")
			case *answer != want:
				return block.WrongArg(0, "the answer was: %v", *answer)
			}
			return nil
		}},
		{Use: "claim-refused", About: "the last claim was refused", Do: func([]any) error {
			if !refused {
				return fmt.Errorf("it was not")
			}
			return nil
		}},
		{Use: "board FEN", About: "the position is this one", Do: func(a []any) error {
			p := a[0].(engine.Position)
			return samePosition(&p, s.Out.FEN())
		}},
	}
}
