package validity

import (
	"errors"
	"math/bits"
	"slices"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
)

// Model is the reference for the RTL: every output in every cycle. Positions, moves and check come
// from package engine; the model adds what is made of the scans, reasons, the end of a game, and
// timing. Make one with [NewModel].
type Model struct {
	times Times

	// The position, and what it has been judged to be.
	position engine.Position // the zero Position right after reset
	legal    []engine.Move
	occupied uint64
	check    bool
	places   []rules.Key // positions since the last irreversible move, this one included
	judged   Out         // its ports
	end      end

	reading reading
	remote  remote

	// The sequence.
	step     step
	purpose  purpose
	asked    int          // questions after the first, in search of a reason
	because  rules.Reason // that they will give
	after    int          // this many of them
	left     int          // cycles of Hear left
	made     bool         // a move is judged
	replayed bool         // and it was replayed
	waits    bool         // a remote side is to move and has not said how
	forHim   bool         // the reason is for a remote side

	// The board's state.
	state   State
	reason  rules.Reason
	warning bool
	again   bool        // decide again when settled
	move    engine.Move // to be made, or made last
	moved   bool        // now
	black   bool        // by Black
	trusted error
}

// reading is what the scans show.
type reading struct {
	last     uint64 // the last scan
	seen     uint64 // what two scans running agreed on
	refilled uint64 // squares filled together last, if none was emptied since
	stayed   int    // scans since it changed
	decided  bool
}

// remote is what a remote side asked for.
type remote struct {
	request   bool
	from, to  engine.Square
	promotion engine.Piece
	replay    bool
	done      bool
	reason    rules.Reason
	shown     bool // move is to be carried out
	move      engine.Move
}

type step uint8

const (
	boot step = iota
	idle
	ask
	hear
	verdict
	makeMove
	keep
)

type purpose uint8

const (
	decide purpose = iota
	answerRemote
	judge
	why
)

// NewModel returns a model in the state after reset.
func NewModel(t Times) *Model {
	m := &Model{times: t}
	m.Reset()
	return m
}

// Reset puts the model in the state after reset.
func (m *Model) Reset() {
	*m = Model{times: m.times, legal: m.legal[:0], trusted: m.trusted}
	m.set(engine.Position{})
}

// Position is the position of the game.
func (m *Model) Position() engine.Position { return m.position }

// Err tells of the first position loaded that did not come from [Load].
func (m *Model) Err() error { return m.trusted }

// set takes a position.
func (m *Model) set(p engine.Position) {
	m.position = p
	m.occupied = p.Pieces(engine.White) | p.Pieces(engine.Black)
	m.legal = m.legal[:0]
	if m.occupied != 0 {
		m.legal = p.AppendMoves(m.legal)
	}
	in := Load(&p)
	m.judged = Out{
		White: in.LoadWhite, Pawns: in.LoadPawns, Knights: in.LoadKnights, Bishops: in.LoadBishops,
		Rooks: in.LoadRooks, Queens: in.LoadQueens, Kings: in.LoadKings, Castling: in.LoadCastling,
		Ep: in.LoadEp, Black: in.LoadBlack, Halfmove: in.LoadHalfmove, Fullmove: in.LoadFullmove,
	}
	if king := p.Bitboard(p.SideToMove(), engine.King); king != 0 {
		m.judged.King = uint8(bits.TrailingZeros64(king))
	}
}

// due reports whether the reading is to be decided on.
func (m *Model) due() bool {
	r := &m.reading
	return m.end.result == rules.InPlay &&
		(r.stayed >= m.times.StableScans && !r.decided || r.stayed == m.times.CastlingScans && m.again)
}

// Out are the outputs of the coming cycle, whatever its inputs.
func (m *Model) Out() Out {
	o := m.judged
	o.Busy = m.step != idle || m.due()
	o.LoadReady = m.step == idle
	o.RemoteReady = !m.remote.request
	o.RemoteDone, o.RemoteReason = m.remote.done, m.remote.reason
	o.Check = m.check
	m.end.out(&o)
	over := m.end.result != rules.InPlay
	o.RemoteShown = m.remote.shown && !over
	o.State = m.state
	if over {
		o.State = Over
	}
	o.Warning = m.warning && o.State == Moving
	differing := m.reading.seen ^ m.occupied
	switch {
	case o.State == Over && o.Result == rules.Draw:
		o.Show = ShowDraw
	case o.State == Over && o.Result == rules.WhiteWins:
		o.Show = ShowWhiteWins
	case o.State == Over:
		o.Show = ShowBlackWins
	case o.State == Illegal:
		o.Show, o.Reason, o.Restore = ShowIllegal, m.reason, differing
	case o.State == SetUp:
		o.Show, o.Restore = ShowRestore, differing
	case o.State == Promotion:
		o.Show, o.ShowFrom, o.ShowTo = ShowPromotion, uint8(m.move.To), uint8(m.move.To)
	case m.remote.shown:
		o.Show, o.ShowFrom, o.ShowTo = ShowMove, uint8(m.remote.move.From), uint8(m.remote.move.To)
	case m.check:
		o.Show, o.ShowFrom, o.ShowTo = ShowCheck, o.King, o.King
	}
	if m.moved {
		o.MoveValid = true
		o.MoveFrom, o.MoveTo = uint8(m.move.From), uint8(m.move.To)
		o.MovePiece, o.MoveCaptured = uint8(m.move.Piece), uint8(m.move.Captured)
		o.MovePromotion, o.MoveEp, o.MoveBlack = uint8(m.move.Promotion), m.move.EnPassant, m.black
		if m.move.Castling {
			o.MoveCastling = 2
			if m.move.To > m.move.From {
				o.MoveCastling = 1
			}
		}
	}
	return o
}

// DontCare masks the fields of a move where there is none.
func (m *Model) DontCare(want Out) Out {
	if want.MoveValid {
		return Out{}
	}
	return Out{
		MoveFrom: 63, MoveTo: 63, MovePiece: 7, MoveCaptured: 7, MovePromotion: 7, MoveCastling: 3,
		MoveEp: true, MoveBlack: true,
	}
}

// Step is one cycle.
func (m *Model) Step(in In) Out {
	out := m.Out()
	if in.Rst {
		m.Reset()
		return out
	}
	requested := in.RemoteValid && !m.remote.request
	scanned := in.ScanValid && !out.Busy
	m.moved = false
	m.remote.done, m.remote.reason = false, rules.NoReason
	m.end.refused = false

	switch m.step {
	case boot:
		m.set(engine.StartPosition())
		m.judgeNext(false)
	case idle:
		m.waits = in.Remote>>m.position.SideToMove()&1 != 0 && !m.remote.shown
		switch {
		case in.LoadValid:
			m.load(&in)
		case m.end.pending():
			m.end.act(&m.position)
		case m.remote.request:
			m.startRemote()
		case out.State == Promotion && m.reading.decided && in.Promotion >= uint8(engine.Knight) && in.Promotion <= uint8(engine.Queen):
			m.move.Promotion = engine.Piece(in.Promotion)
			m.state, m.replayed = Moving, false
			m.step = makeMove
		case m.due():
			m.startDecision()
		}
	case ask:
		m.step, m.left = hear, m.times.QuestionCycles
	case hear:
		if m.left--; m.left == 0 {
			m.step = verdict
		}
	case verdict:
		m.step = idle
		switch m.purpose {
		case judge:
			m.judge()
		case answerRemote:
			m.answerRemote()
		case decide:
			m.decide()
		case why:
			m.why()
		}
	case makeMove:
		m.remote.shown = false
		m.black = m.position.SideToMove() == engine.Black
		m.set(m.position.Make(m.move))
		m.step = keep
	case keep:
		m.judgeNext(true)
	}

	if !in.LoadValid || !out.LoadReady { // a new game forgets what is to end the old one
		m.end.take(&in, out.State == Over)
	}
	if scanned {
		m.reading.scan(in.Occupied, m.times.CastlingScans)
	}
	if requested {
		m.remote.request = true
		m.remote.from, m.remote.to = engine.Square(in.RemoteFrom), engine.Square(in.RemoteTo)
		m.remote.promotion, m.remote.replay = engine.Piece(in.RemotePromotion), in.RemoteReplay
	}
	return out
}

// scan takes in a scan.
func (r *reading) scan(occupied uint64, settled int) {
	seen := r.seen
	for n := range 64 {
		if bit := uint64(1) << n; occupied&bit == r.last&bit {
			seen = seen&^bit | occupied&bit
		}
	}
	r.last = occupied
	if seen == r.seen {
		r.stayed = min(r.stayed+1, settled)
		return
	}
	r.refilled = seen &^ r.seen
	r.seen, r.stayed, r.decided = seen, 0, false
}

// load takes a position.
func (m *Model) load(in *In) {
	if in.position == (engine.Position{}) && m.trusted == nil {
		m.trusted = errors.New("model of validity: a position that did not come from Load")
	}
	m.end = end{}
	m.set(in.position)
	m.state, m.warning, m.again, m.remote.shown = SetUp, false, false, false
	m.judgeNext(false)
}

// judgeNext goes on with the question of what the position is.
func (m *Model) judgeNext(made bool) {
	m.step, m.purpose, m.made = ask, judge, made
}

// judge looks at the position after a move, or after it was loaded.
func (m *Model) judge() {
	p := &m.position
	m.check = p.InCheck()
	if !m.made || m.judged.Halfmove == 0 {
		m.places = m.places[:0]
	}
	here := rules.KeyOf(p)
	m.places = append(m.places, here)
	occurred := 0
	for _, before := range m.places {
		if before == here {
			occurred++
		}
	}
	m.end.judge(p, occurred, m.made)
	m.state = SetUp
	if m.made && !m.replayed {
		m.state = Turn
	}
	m.moved = m.made
	m.reading.decided = false
}

// startRemote begins to answer a remote side's request.
func (m *Model) startRemote() {
	r := &m.remote
	m.forHim, m.replayed = true, r.replay
	switch {
	case m.end.result != rules.InPlay:
		m.answer(rules.GameOver)
	case r.shown || !r.replay && !m.waits:
		m.answer(rules.NotYourTurn)
	default:
		m.step, m.purpose = ask, answerRemote
	}
}

// answer ends a remote side's request.
func (m *Model) answer(reason rules.Reason) {
	m.remote.done, m.remote.reason, m.remote.request = true, reason, false
}

// answerRemote compares a remote move with the legal ones.
func (m *Model) answerRemote() {
	r := &m.remote
	known := false
	for _, legal := range m.legal {
		if legal.From != r.from || legal.To != r.to {
			continue
		}
		known = true
		if legal.Promotion != r.promotion {
			continue
		}
		m.answer(rules.NoReason)
		if m.state == Promotion {
			m.state = Moving
		}
		if r.replay {
			m.move, m.step = legal, makeMove
		} else {
			r.shown, r.move = true, legal
			m.reading.decided = false
		}
		return
	}
	if known {
		m.answer(rules.NoPromotion)
		return
	}
	m.ask(r.from, r.to)
}

// startDecision begins to decide on the reading.
func (m *Model) startDecision() {
	m.again, m.forHim = false, false
	switch {
	case m.reading.seen == m.occupied:
		m.reading.decided = true
		m.state, m.warning = Turn, false
	case m.state == SetUp || m.state == Illegal:
		m.reading.decided = true
	default:
		m.step, m.purpose = ask, decide
	}
}

// decide compares the reading with the legal moves.
func (m *Model) decide() {
	r := &m.reading
	d := diff{lifted: m.occupied &^ r.seen, filled: r.seen &^ m.occupied, refilled: r.refilled}
	r.decided, m.warning, m.replayed = true, false, false
	m.state = Moving

	var moves []engine.Move // what is made: promotions are four
	begun, half := false, false
	for _, move := range m.legal {
		if m.waits || m.remote.shown && move != m.remote.move {
			continue
		}
		made, onItsWay, rookOnly := d.match(&m.position, move)
		if made {
			moves = append(moves, move)
		}
		begun, half = begun || onItsWay, half || rookOnly
	}
	own := m.position.Pieces(m.position.SideToMove())
	several := slices.ContainsFunc(moves, func(m engine.Move) bool { return m.From != moves[0].From || m.To != moves[0].To })
	switch {
	case several:
		m.state, m.reason = Illegal, rules.Unclear
	case len(moves) > 0 && half && r.stayed < m.times.CastlingScans:
		m.again = true
	case len(moves) > 0:
		m.move = moves[0]
		if m.move.Promotion != engine.NoPiece && !m.remote.shown {
			m.state = Promotion
		} else {
			m.step = makeMove
		}
	case d.onto() && (d.lifted&own != 0 || !begun), d.filled != 0 && !begun:
		reason, from, to := d.tried(&m.position, m.remote.shown, m.waits)
		if reason != rules.NoReason {
			m.state, m.reason = Illegal, reason
		} else {
			m.ask(from, to)
		}
	default:
		m.warning = bits.OnesCount64(d.lifted&own) > 1 && !begun
	}
}

// ask goes on with the questions why a move is not legal.
func (m *Model) ask(from, to engine.Square) {
	m.because = rules.Why(&m.position, from, to)
	piece, _ := m.position.PieceAt(from)
	m.after = questions(m.because, piece)
	m.asked, m.step, m.purpose = 0, verdict, why
}

// why goes on with the next question, or tells the reason.
func (m *Model) why() {
	switch {
	case m.asked < m.after:
		m.asked++
		m.step = ask
	case m.forHim:
		m.answer(m.because)
	default:
		m.state, m.reason = Illegal, m.because
	}
}
