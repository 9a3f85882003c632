package core

import (
	"fmt"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/axil"
	"github.com/cosimate/cosimate/rtl/game"
	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/rtl/regmap"
	"github.com/cosimate/cosimate/sim/axi"
)

// Model is the reference for the RTL: which outputs in which cycle. Its positions and moves are
// those of package engine, by way of the models of game and movegen; what lies between these and
// the bus is here. Make one with [NewModel].
type Model struct {
	plies, fifo int

	bus      axil.Model
	position Position // to be loaded
	game     *game.Model
	now      engine.Position // the game's, in this cycle
	shown    game.Out        // what it shows in this cycle
	command  game.In         // to the game in this cycle
	done     *game.In        // the command of the cycle before
	bad      bool            // a published word was refused in the cycle before
	error    uint32          // the register
	list     uint32          // the register
	start    bool            // List was written in the cycle before
	abort    bool            // Abort was
	irq      axil.Interrupts
	lister   lister
	half     bool // of a published record the high half is next
	trusted  error
}

// lister is the list and where it goes.
type lister struct {
	movegen   *movegen.Model
	listing   bool
	streaming bool             // is or was one to the stream
	ending    bool             // an aborted packet is to be ended
	black     bool             // Black makes its moves
	offered   *engine.Position // to movegen, in this cycle
	queue     []uint32         // the FIFO
	fresh     bool             // its only word came in the last cycle: it does not show yet
	count     uint32           // the register
	counting  bool
	quiet     int      // cycles since the start or the last word to the FIFO
	stream    []uint32 // at the output, and one place in reserve
}

// quietCycles is how long a read waits for what should be coming.
const quietCycles = 32

// NewModel returns a model in the state after power-up, with a stack of so many plies and a FIFO of
// so many words.
func NewModel(plies, fifo int) *Model {
	m := &Model{plies: plies, fifo: fifo, game: game.NewModel(plies)}
	m.lister.movegen = movegen.NewModel()
	return m
}

// Reset puts the model in the state after power-up and a reset.
func (m *Model) Reset() { *m = *NewModel(m.plies, m.fifo) }

// reset is what a reset does to the RTL: the position to be loaded stays.
func (m *Model) reset() {
	m.bus = axil.Model{}
	m.position.Reset()
	m.game.Reset()
	m.command, m.done = game.In{}, nil
	m.bad, m.error, m.list, m.start, m.abort, m.half = false, 0, 0, false, false, false
	m.irq = axil.Interrupts{}
	m.lister.movegen.Reset()
	m.lister = lister{movegen: m.lister.movegen, queue: m.lister.queue[:0], stream: m.lister.stream[:0]}
}

// Position is the game's.
func (m *Model) Position() engine.Position { return m.game.Position() }

// Err tells of the first thing that the RTL trusts not to be done and that was: a position loaded
// that is none, an illegal move that is not one of those refused, a null move in check, a list of
// an empty board.
func (m *Model) Err() error {
	if m.trusted != nil {
		return m.trusted
	}
	if err := m.game.Err(); err != nil {
		return err
	}
	return m.lister.movegen.Err()
}

// Step is one cycle.
func (m *Model) Step(in In) Out {
	q := axil.Request{
		Awvalid: in.Awvalid, Wvalid: in.Wvalid, Bready: in.Bready, Arvalid: in.Arvalid, Rready: in.Rready,
		Awaddr: uint32(in.Awaddr), Wdata: in.Wdata, Araddr: uint32(in.Araddr), Wstrb: in.Wstrb,
	}
	l := &m.lister
	r := m.bus.Response()
	out := Out{
		Awready: r.Awready, Wready: r.Wready, Bresp: uint8(r.Bresp), Bvalid: r.Bvalid,
		Arready: r.Arready, Rdata: r.Rdata, Rresp: uint8(r.Rresp), Rvalid: r.Rvalid,
		Tvalid: len(l.stream) > 0, Irq: m.irq.Line,
	}
	if out.Tvalid {
		out.Tdata, out.Tlast = l.stream[0], regmap.CoreMoveLast.Is(l.stream[0])
	}
	if in.Rst {
		m.reset()
		return out
	}
	m.now = m.game.Position()
	m.shown = m.game.Step(m.command)

	// What the registers answer in this cycle.
	ready := axil.Ready{Write: !m.position.Busy()}
	ready.Read = ready.Write && !m.waits(m.bus.Pending())
	access := m.bus.Access(ready)
	var answer axil.Answer
	taken := false // a word of the FIFO
	if access.Read {
		answer.ReadData, answer.ReadError, taken = m.read(4 * access.ReadAddress)
	}
	if access.Write {
		answer.WriteError = !writable(4 * access.WriteAddress)
	}

	// What is refused, and what starts.
	refused := uint32(0)
	carriedOut := m.done != nil && m.shown.Error == game.NoError
	switch {
	case m.done != nil && !carriedOut:
		refused = regmap.CoreErrorReason.Put(uint32(m.shown.Error)) | regmap.CoreErrorCommand.Put(uint32(m.done.Cmd))
	case m.bad:
		refused = regmap.CoreErrorReason.Put(regmap.CoreErrorReasonWord) | regmap.CoreErrorCommand.Put(regmap.CoreErrorCommandPublished)
	}
	start := m.start || carriedOut && regmap.CoreListAuto.Is(m.list)
	if start && l.listing && l.streaming {
		start = false
		refused = regmap.CoreErrorReason.Put(regmap.CoreErrorReasonBusy) | regmap.CoreErrorCommand.Put(regmap.CoreErrorCommandList)
	}
	events := uint32(0)
	if l.step(in.Tready, start, m.abort, taken, m) {
		events |= uint32(regmap.CoreInterruptsListed)
	}
	if start || m.abort || taken {
		m.half = false
	} else if access.Read && 4*access.ReadAddress == regmap.CorePublishedMoves && answer.ReadData != 0 {
		m.half = true
	}

	// The game.
	m.done = nil
	if m.command.CmdValid {
		executed := m.command
		m.done = &executed
	}
	m.command = game.In{}
	m.start, m.abort, m.bad = false, false, false
	if m.position.Step() {
		m.command = m.load()
	}
	if refused != 0 {
		events |= uint32(regmap.CoreInterruptsRefused)
	}
	m.write(access, refused, events)
	m.bus.Step(false, q, ready, answer)
	return out
}

// LoseList takes the position of a list that has just begun away from the move generator, as a
// fault there would: no word of it comes, and no count. It reports whether one has begun.
func (m *Model) LoseList() bool {
	begun := m.lister.offered != nil
	m.lister.offered = nil
	return begun
}

// writable reports whether a write to an address is an access to a register.
func writable(address uint32) bool {
	r := regmap.Core.Find(address)
	return r != nil && r.Access != regmap.ReadOnly
}

// waits reports whether a read is to wait: for a word of the list or a count that is coming.
func (m *Model) waits(a axil.Access) bool {
	l := &m.lister
	switch address := 4 * a.ReadAddress; {
	case !a.Read:
		return false
	case address == regmap.CoreCount:
		return l.counting && l.quiet < quietCycles
	case address == regmap.CorePublishedMoves || address >= regmap.CoreMoves && address < regmap.CoreMoves+4*128:
		return l.head() == 0 && (len(l.queue) > 0 || l.listing && !l.streaming && l.quiet < quietCycles)
	}
	return false
}

// head is the FIFO's next word as it can be read, or 0.
func (l *lister) head() uint32 {
	if len(l.queue) == 0 || l.fresh {
		return 0
	}
	return l.queue[0]
}

// read is what a read of a register gives, and whether it takes a word from the FIFO.
func (m *Model) read(address uint32) (data uint32, refused, takes bool) {
	l := &m.lister
	r := regmap.Core.Find(address)
	if r == nil || r.Access == regmap.WriteOnly {
		return 0, true, false
	}
	switch r.Address {
	case regmap.CoreIdentity, regmap.CoreVersion:
		return *r.Reads, false, false
	case regmap.CoreConfig:
		data = regmap.CoreConfigPlies.Put(uint32(m.plies)) | regmap.CoreConfigFifo.Put(uint32(m.fifo))
	case regmap.CoreStatus:
		data = regmap.CoreStatusMoves.Put(uint32(len(l.queue)))
		if l.listing {
			data |= uint32(regmap.CoreStatusListing)
			if l.streaming {
				data |= uint32(regmap.CoreStatusStreaming)
			}
		}
	case regmap.CoreError:
		data = m.error
	case regmap.CoreInterruptEnable:
		data = m.irq.Enable
	case regmap.CoreInterruptStatus:
		data = m.irq.Status
	case regmap.CoreCount:
		data = l.count
	case regmap.CoreList:
		data = m.list
	case regmap.CorePosition:
		data = positionWord(&m.now) | regmap.CorePositionDepth.Put(uint32(m.shown.Depth))
	case regmap.CoreClocks:
		data = regmap.CoreClocksHalfmove.Put(uint32(m.shown.Halfmove)) | regmap.CoreClocksFullmove.Put(uint32(m.shown.Fullmove))
	case regmap.CoreBoard:
		data = rank(&m.now, int(address-regmap.CoreBoard)/4)
	case regmap.CorePublishedMoves:
		switch {
		case l.head() == 0:
		case m.half:
			takes = true
		default:
			data = record(l.head())
		}
	case regmap.CoreMoves:
		data = l.head()
		takes = data != 0
	}
	return data, false, takes
}

// write does what a write of a register does, at the end of a cycle in which that was refused and
// these events came.
func (m *Model) write(a axil.Access, refused, events uint32) {
	address, data := 4*a.WriteAddress, a.WriteData
	if !a.Write {
		address = regmap.Window // none
	}
	if address == regmap.CoreError {
		m.error = 0
	}
	if m.error == 0 {
		m.error = refused
	}
	mask := uint32(regmap.CoreInterruptsListed | regmap.CoreInterruptsRefused)
	m.irq.Step(false, events, address == regmap.CoreInterruptEnable, address == regmap.CoreInterruptStatus, data&mask)
	flip := uint8(0)
	if m.now.SideToMove() == engine.Black {
		flip = 56
	}
	switch address {
	case regmap.CoreList:
		m.list = data & uint32(regmap.CoreListOrder|regmap.CoreListFilter|regmap.CoreListStream|regmap.CoreListAuto)
		m.start = true
	case regmap.CoreAbort:
		m.abort = true
	case regmap.CoreLoad:
		m.position.Start()
	case regmap.CoreMake:
		m.command = game.In{
			CmdValid: true, Cmd: game.CmdMake, From: uint8(regmap.CoreMoveFrom.Of(data)) ^ flip, To: uint8(regmap.CoreMoveTo.Of(data)) ^ flip,
			Promotion: uint8(regmap.CoreMovePromotion.Of(data)),
		}
	case regmap.CoreNull:
		m.command = game.Null()
	case regmap.CoreUnmake:
		m.command = game.Unmake()
	case regmap.CorePublishedCommand:
		m.published(data, flip)
	default:
		m.position.Write(address, data)
	}
}

// published does what a published command does.
func (m *Model) published(word uint32, flip uint8) {
	square := func(f regmap.Bits) (uint8, bool) {
		n := f.Of(word)
		rank, file := int(n)/12-2, int(n)%12-2
		return uint8(8*rank+file) ^ flip, 0 <= rank && rank < 8 && 0 <= file && file < 8
	}
	from, known := square(regmap.CorePublishedCommandOrigin)
	to, alsoKnown := square(regmap.CorePublishedCommandDestination)
	makes, unmakes := regmap.CorePublishedCommandMake.Is(word), regmap.CorePublishedCommandUnmake.Is(word)
	switch {
	case makes && !unmakes && known && alsoKnown:
		m.command = game.In{
			CmdValid: true, Cmd: game.CmdMake, From: from, To: to,
			Promotion: uint8(regmap.CorePublishedCommandPromotion.Of(word) & 7),
		}
	case unmakes && !makes:
		m.command = game.Unmake()
	default:
		m.bad = true
	}
}

// step moves the list on by a cycle, and reports whether its last word came to where it goes.
func (l *lister) step(tready, start, abort, taken bool, m *Model) (listed bool) {
	// What movegen hands over. It is given a position in the cycle after the start.
	space := len(l.stream) < 2
	ready := len(l.queue) < m.fifo
	if l.streaming {
		ready = space
	}
	var in movegen.In
	if l.offered != nil {
		in = movegen.Encode(l.offered)
		in.PosValid, in.PosList = true, true
		in.PosOrder = movegen.Order(regmap.CoreListOrder.Of(m.list))
		in.PosFilter = movegen.Filter(regmap.CoreListFilter.Of(m.list))
		l.black = l.offered.SideToMove() == engine.Black
	}
	in.Rst, in.MoveReady = start || abort, ready
	out := l.movegen.Step(in)
	word := packed(out, l.black)
	listed = word != 0 && ready && out.MoveLast && !start && !abort
	ended := l.ending && space

	// The stream.
	if len(l.stream) > 0 && tready {
		l.stream = append(l.stream[:0], l.stream[1:]...)
	}
	switch {
	case ended:
		l.stream = append(l.stream, uint32(regmap.CoreMoveNone|regmap.CoreMoveLast|regmap.CoreMoveValid)|black(l.black))
	case l.streaming && word != 0 && ready && !abort:
		l.stream = append(l.stream, word)
	}
	l.ending = l.ending && !space || abort && l.listing && l.streaming && !l.ending

	// The FIFO.
	put := !l.streaming && word != 0 && ready
	if taken {
		l.queue = append(l.queue[:0], l.queue[1:]...)
	}
	l.fresh = put && len(l.queue) == 0
	if put {
		l.queue = append(l.queue, word)
	}
	if l.quiet < quietCycles {
		l.quiet++
	}
	if put || start {
		l.quiet = 0
	}
	if start || abort {
		l.queue, l.fresh = l.queue[:0], false
	}

	// The count.
	if out.CountValid {
		l.counting = false
		l.count = uint32(regmap.CoreCountValid) | regmap.CoreCountMoves.Put(uint32(out.Count))
		if out.CountCheck {
			l.count |= uint32(regmap.CoreCountCheck)
		}
	}
	l.counting = l.counting && !abort

	l.listing = l.listing && !listed && !ended && (l.streaming || !abort)
	l.offered = nil
	if start {
		position := m.now
		l.offered = &position
		l.streaming = regmap.CoreListStream.Is(m.list)
		l.listing, l.counting, l.count = true, true, 0
	}
	return listed
}

func black(b bool) uint32 {
	if b {
		return uint32(regmap.CoreMoveBlack)
	}
	return 0
}

// packed is a beat of movegen as a word, or 0 if there is none.
func packed(o movegen.Out, blackMoves bool) (word uint32) {
	if !o.MoveValid {
		return 0
	}
	word = uint32(regmap.CoreMoveValid) | black(blackMoves)
	if o.MoveLast {
		word |= uint32(regmap.CoreMoveLast)
	}
	if o.MoveNone {
		return word | uint32(regmap.CoreMoveNone)
	}
	side := engine.White
	if blackMoves {
		side = engine.Black
	}
	move := movegen.Decode(o, side)
	word |= regmap.CoreMoveFrom.Put(uint32(move.From)) | regmap.CoreMoveTo.Put(uint32(move.To)) |
		regmap.CoreMovePiece.Put(uint32(move.Piece)) | regmap.CoreMoveCaptured.Put(uint32(move.Captured)) |
		regmap.CoreMovePromotion.Put(uint32(move.Promotion))
	if move.EnPassant {
		word |= uint32(regmap.CoreMoveEnPassant)
	}
	if move.Castling {
		word |= uint32(regmap.CoreMoveCastling)
	}
	return word
}

// record is a move's word as the low half of a published record.
func record(word uint32) uint32 {
	mover, other := uint32(0), uint32(8)
	if regmap.CoreMoveBlack.Is(word) {
		mover, other = 8, 0
	}
	colored := func(f regmap.Bits, color uint32) uint32 {
		if !f.Is(word) {
			return 0
		}
		return f.Of(word) | color
	}
	r := regmap.CoreRecordFrom.Put(regmap.CoreMoveFrom.Of(word)) | regmap.CoreRecordTo.Put(regmap.CoreMoveTo.Of(word)) |
		regmap.CoreRecordEnPassant.Put(regmap.CoreMoveEnPassant.Of(word)) |
		regmap.CoreRecordCaptured.Put(colored(regmap.CoreMoveCaptured, other)) |
		regmap.CoreRecordPromotion.Put(colored(regmap.CoreMovePromotion, mover)) |
		regmap.CoreRecordNone.Put(regmap.CoreMoveNone.Of(word)) | regmap.CoreRecordLast.Put(regmap.CoreMoveLast.Of(word)) |
		regmap.CoreRecordValid.Put(regmap.CoreMoveValid.Of(word))
	if regmap.CoreMoveCastling.Is(word) {
		codes := map[engine.Square]uint32{
			engine.Square(6): regmap.CoreRecordCastlingWhiteKingSide, engine.Square(2): regmap.CoreRecordCastlingWhiteQueenSide,
			engine.Square(62): regmap.CoreRecordCastlingBlackKingSide, engine.Square(58): regmap.CoreRecordCastlingBlackQueenSide,
		}
		r |= regmap.CoreRecordCastling.Put(codes[engine.Square(regmap.CoreMoveTo.Of(word))])
	}
	return r
}

// positionWord is the register Position for a position, without the depth.
func positionWord(p *engine.Position) (word uint32) {
	for i, c := range []engine.Color{engine.White, engine.Black} {
		kingSide, queenSide := p.Castling(c)
		if kingSide {
			word |= uint32(regmap.CorePositionWhiteKingSide) << (2 * i)
		}
		if queenSide {
			word |= uint32(regmap.CorePositionWhiteQueenSide) << (2 * i)
		}
	}
	if p.SideToMove() == engine.Black {
		word |= uint32(regmap.CorePositionBlack)
	}
	if s, ok := p.EnPassant(); ok {
		word |= regmap.CorePositionEnPassant.Put(1 << (s & 7))
	}
	return word
}

// rank is the register Board for a rank, from 0 on.
func rank(p *engine.Position, n int) (word uint32) {
	for file := range 8 {
		piece, color := p.PieceAt(engine.Square(8*n + file))
		square := uint32(piece)
		if piece != engine.NoPiece && color == engine.Black {
			square |= 8
		}
		word |= square << (4 * file)
	}
	return word
}

// load is the command to the game that Load leads to.
func (m *Model) load() game.In {
	p, err := m.position.Position()
	if err != nil && m.trusted == nil {
		m.trusted = fmt.Errorf("model of core: the position loaded is none: %w", err)
	}
	return game.Load(&p)
}

// DontCare masks what has no meaning while its valid is 0.
func (m *Model) DontCare(want Out) (mask Out) {
	if !want.Bvalid {
		mask.Bresp = uint8(axi.EXOKAY | axi.SLVERR)
	}
	if !want.Rvalid {
		mask.Rdata, mask.Rresp = 1<<32-1, uint8(axi.EXOKAY|axi.SLVERR)
	}
	if !want.Tvalid {
		mask.Tdata, mask.Tlast = 1<<32-1, true
	}
	return mask
}
