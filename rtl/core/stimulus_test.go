package core_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/core"
	"github.com/cosimate/cosimate/rtl/regmap"
	"github.com/cosimate/cosimate/rtl/simbus"
	"github.com/cosimate/cosimate/vectors/perft"
)

// pace is how much everybody takes their time: the share of cycles in which something is not there,
// and of those in which the reset is active.
type pace struct{ gap, busy, tbusy, reset float64 }

// software is stimulus: a program that plays games on the core and does all sorts of things
// besides, on a bus that keeps the rules. Writes and reads go on independently. It knows the game
// itself, so that what it makes is either legal or what the core says that it refuses.
type software struct {
	r     *rand.Rand
	suite []engine.Position
	pace  pace
	model *core.Model
	plies int

	game  *engine.Position // nil: the board is empty
	stack []engine.Position
	list  uint32 // List as written last

	in     core.In
	writes []access // that are to come
	only   uint32   // the register to be read, if not 0
	stuck  bool     // nobody takes words from the stream for a while

	tape []core.In
	seen map[string]int
}

// access is a transfer on the bus.
type access struct {
	address, data uint32
	strobe        uint8
	wait          int // cycles without a write before it
}

func parse(t testing.TB, fen string) engine.Position {
	t.Helper()
	p, err := engine.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Positions with what is rare: promotions, castling, en passant, no move, as many moves as can be,
// counters at their ends.
var special = []string{
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
	"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
	"r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
	"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
	"R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
	"rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
	"4k2r/6r1/8/8/8/8/3R4/R3K3 w Qk - 65533 65534",
	"rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
	"rnbqkbnr/pp1ppppp/8/8/2pPP3/5N2/PPP2PPP/RNBQKB1R b KQkq d3 0 3",
	"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
	"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 65533 65533",
}

func newSoftware(t testing.TB, r *rand.Rand, plies, fifo int, p pace) *software {
	s := &software{r: r, suite: perft.Positions(), pace: p, model: core.NewModel(plies, fifo), plies: plies, seen: map[string]int{}}
	for _, fen := range special {
		for range 100 {
			s.suite = append(s.suite, parse(t, fen))
		}
	}
	return s
}

// run is stimulus of so many cycles, and what is to be seen in it.
func (s *software) run(cycles int) []core.In {
	for range cycles {
		s.cycle()
	}
	return s.tape
}

func (s *software) cycle() {
	i := &s.in
	if s.r.Float64() < s.pace.reset {
		s.writes, s.game, s.stack, s.list = nil, nil, nil, 0
		*i = core.In{Rst: true}
		s.tape = append(s.tape, *i)
		s.model.Step(*i)
		*i = core.In{}
		s.tape = append(s.tape, *i) // a cycle without requests: the bus' rule
		s.model.Step(*i)
		s.saw("reset")
		return
	}
	if len(s.writes) == 0 {
		s.decide()
	}
	w := s.writes[0]
	if w.wait > 0 {
		s.writes[0].wait--
	} else { // an address and its data go out once
		if !i.Awvalid && s.r.Float64() >= s.pace.gap && !s.sent(sentAddress) {
			i.Awvalid, i.Awaddr = true, uint16(w.address)
		}
		if !i.Wvalid && s.r.Float64() >= s.pace.gap && !s.sent(sentData) {
			i.Wvalid, i.Wdata, i.Wstrb = true, w.data, w.strobe&15
		}
	}
	if !i.Arvalid && s.r.Float64() >= s.pace.gap {
		i.Arvalid, i.Araddr = true, uint16(s.pickRead())
	}
	i.Bready, i.Rready = s.r.Float64() >= s.pace.busy, s.r.Float64() >= s.pace.busy
	if s.r.IntN(100) == 0 {
		s.stuck = s.r.Float64() < s.pace.tbusy
	}
	i.Tready = !s.stuck && s.r.Float64() >= s.pace.tbusy

	s.tape = append(s.tape, *i)
	out := s.model.Step(*i)
	s.watch(out)
	if i.Awvalid && out.Awready {
		i.Awvalid = false
		s.writes[0].strobe |= sentAddress
	}
	if i.Wvalid && out.Wready {
		i.Wvalid = false
		s.writes[0].strobe |= sentData
	}
	if s.sent(sentAddress) && s.sent(sentData) {
		s.writes = s.writes[1:]
	}
	if i.Arvalid && out.Arready {
		i.Arvalid = false
	}
}

// Bits beside the strobes of a write that is being sent.
const (
	sentAddress = 16
	sentData    = 32
)

func (s *software) sent(bit uint8) bool { return s.writes[0].strobe&bit != 0 }

func (s *software) saw(what string) { s.seen[what]++ }

// watch notes what came to pass.
func (s *software) watch(out core.Out) {
	if out.Tvalid && s.in.Tready {
		s.saw("word on the stream")
		if out.Tlast {
			s.saw("packet")
		}
		if regmap.CoreMoveNone.Is(out.Tdata) {
			s.saw("packet without move, or aborted")
		}
	}
	if out.Rvalid && s.in.Rready {
		s.saw(fmt.Sprint("read answered ", out.Rresp))
	}
	if out.Bvalid && s.in.Bready {
		s.saw(fmt.Sprint("write answered ", out.Bresp))
	}
	if out.Irq {
		s.saw("interrupt")
	}
}

func (s *software) write(address, data uint32) {
	s.writes = append(s.writes, access{address, data, 15, 0})
}

// pause is some cycles without a write, and then one of nothing.
func (s *software) pause(cycles int) {
	s.writes = append(s.writes, access{regmap.CoreError, 0, 0, cycles})
}

// script goes through what chance seldom brings about: lists that are cut short in every cycle up
// to that of their last word and beyond; every number as a published square; a list that castles as
// published records.
func (s *software) script(t testing.TB) {
	s.load(parse(t, "8/8/8/8/3k4/8/1q6/K7 w - - 0 1")) // one move
	s.list = 0
	s.write(regmap.CoreInterruptEnable, uint32(regmap.CoreInterruptsListed))
	for cycles := range 20 {
		for _, then := range []uint32{regmap.CoreList, regmap.CoreAbort} {
			s.write(regmap.CoreInterruptStatus, ^uint32(0))
			s.write(regmap.CoreList, 0)
			s.pause(cycles)
			s.write(then, 0)
			s.pause(20)
		}
	}
	s.only = regmap.CoreCount
	s.finish()
	s.only = regmap.CoreError
	for n := range uint32(128) { // onto an own piece, or from an empty square: refused in any case
		s.write(regmap.CoreError, 0)
		s.write(regmap.CorePublishedCommand, uint32(regmap.CorePublishedCommandMake)|regmap.CorePublishedCommandOrigin.Put(n)|regmap.CorePublishedCommandDestination.Put(26))
		s.pause(2)
		s.write(regmap.CoreError, 0)
		s.write(regmap.CorePublishedCommand, uint32(regmap.CorePublishedCommandMake)|regmap.CorePublishedCommandOrigin.Put(117)|regmap.CorePublishedCommandDestination.Put(n))
		s.pause(2)
	}
	s.finish()
	s.only = regmap.CorePublishedMoves
	for _, fen := range []string{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 65533 65533"} {
		s.load(parse(t, fen))
		s.write(regmap.CoreList, 0)
		s.pause(250)
		s.finish()
	}
	s.only = 0
}

// finish lets the writes that are to come be made.
func (s *software) finish() {
	for len(s.writes) > 0 {
		s.cycle()
	}
}

// look has a register read for so many cycles, at least.
func (s *software) look(register uint32, cycles int) {
	s.finish()
	s.only = register
	s.pause(cycles)
	s.finish()
	s.only = 0
}

// decide is what is written next.
func (s *software) decide() {
	switch n := s.r.IntN(100); {
	case n < 4 || s.game == nil && n < 40:
		s.load(s.suite[s.r.IntN(len(s.suite))])
	case n < 45:
		s.move()
	case n < 55:
		s.saw("unmake")
		s.write(regmap.CoreUnmake, s.r.Uint32())
		s.unmake()
	case n < 57:
		s.saw("published unmake")
		s.write(regmap.CorePublishedCommand, uint32(regmap.CorePublishedCommandUnmake)|s.r.Uint32()>>6)
		s.unmake()
	case n < 60:
		if s.game != nil && (!s.game.InCheck() || len(s.stack) == s.plies) {
			s.saw("null move")
			s.write(regmap.CoreNull, s.r.Uint32())
			if len(s.stack) < s.plies {
				s.stack = append(s.stack, *s.game)
				next := s.game.MakeNull()
				s.game = &next
			}
		}
	case n < 80:
		if s.game != nil {
			s.saw("list")
			s.list = s.r.Uint32() &^ uint32(regmap.CoreListAuto|regmap.CoreListStream)
			if s.r.IntN(3) == 0 {
				s.list |= uint32(regmap.CoreListStream)
			}
			if s.r.IntN(3) == 0 {
				s.list |= uint32(regmap.CoreListAuto)
			}
			s.write(regmap.CoreList, s.list)
			switch s.r.IntN(3) {
			case 0: // and another, or none, when it may be about to end
				s.pause(s.r.IntN(30))
				s.write([]uint32{regmap.CoreList, regmap.CoreAbort}[s.r.IntN(2)], s.list)
			case 1: // and time to read it
				s.pause(s.r.IntN(100))
			}
		}
	case n < 83:
		s.saw("abort")
		s.write(regmap.CoreAbort, s.r.Uint32())
	case n < 86:
		s.write(regmap.CoreError, s.r.Uint32())
	case n < 89:
		s.write(regmap.CoreInterruptEnable, s.r.Uint32())
	case n < 92:
		s.write(regmap.CoreInterruptStatus, s.r.Uint32())
	case n < 94: // neither make nor unmake, or both, or from nowhere
		word := s.r.Uint32() &^ uint32(regmap.CorePublishedCommandMake|regmap.CorePublishedCommandUnmake)
		switch s.r.IntN(3) {
		case 0:
			word |= uint32(regmap.CorePublishedCommandMake | regmap.CorePublishedCommandUnmake)
		case 1:
			off := []uint32{0, 1, 25, 34, 37, 46, 61, 118, 122, 127}[s.r.IntN(10)]
			word = uint32(regmap.CorePublishedCommandMake) | regmap.CorePublishedCommandOrigin.Put(26) | regmap.CorePublishedCommandDestination.Put(off)
			if s.r.IntN(2) == 0 {
				word = uint32(regmap.CorePublishedCommandMake) | regmap.CorePublishedCommandOrigin.Put(off) | regmap.CorePublishedCommandDestination.Put(117)
			}
		}
		s.saw("published command that is none")
		s.write(regmap.CorePublishedCommand, word)
	case n < 97: // refused by the bus
		address := simbus.Near(&regmap.Core, s.r)
		if r := regmap.Core.Find(address); r == nil || r.Access == regmap.ReadOnly {
			s.saw("write to what is none or not to be written")
			s.write(address, s.r.Uint32())
		}
	default: // or torn, or empty
		s.saw("write without all strobes")
		addresses := []uint32{regmap.CoreMake, regmap.CoreBoard, regmap.CorePosition, regmap.CoreLoad, regmap.CoreList, regmap.CoreUnmake, regmap.CoreAbort}
		s.writes = append(s.writes, access{addresses[s.r.IntN(len(addresses))], s.r.Uint32(), uint8(s.r.IntN(15)), 0})
	}
	if len(s.writes) == 0 {
		s.write(regmap.CoreError, 0)
	}
}

// load writes a position, its words in any order.
func (s *software) load(p engine.Position) {
	s.saw("load")
	position, clocks, board := words(&p)
	all := []access{{regmap.CorePosition, position | s.r.Uint32()&0xffff0000, 15, 0}, {regmap.CoreClocks, clocks, 15, 0}}
	for rank, word := range board {
		all = append(all, access{regmap.CoreBoard + 4*uint32(rank), word, 15, 0})
	}
	s.r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	s.writes = append(s.writes, all...)
	s.write(regmap.CoreLoad, s.r.Uint32())
	s.game, s.stack = &p, nil
}

// words are what is written to load a position, made of its FEN record.
func words(p *engine.Position) (position, clocks uint32, board [8]uint32) {
	var placement, side, rights, target string
	var half, full uint32
	fmt.Sscan(p.FEN(), &placement, &side, &rights, &target, &half, &full)
	rank, file := 7, 0
	for _, c := range placement {
		switch {
		case c == '/':
			rank, file = rank-1, 0
		case '1' <= c && c <= '8':
			file += int(c - '0')
		default:
			code := map[rune]uint32{'P': 1, 'N': 2, 'B': 3, 'R': 4, 'Q': 5, 'K': 6, 'p': 9, 'n': 10, 'b': 11, 'r': 12, 'q': 13, 'k': 14}[c]
			board[rank] |= code << (4 * file)
			file++
		}
	}
	for _, c := range rights {
		position |= map[rune]uint32{'K': 1, 'Q': 2, 'k': 4, 'q': 8, '-': 0}[c]
	}
	if side == "b" {
		position |= 1 << 4
	}
	if target != "-" {
		position |= 1 << (8 + target[0] - 'a')
	}
	return position, full<<16 | half, board
}

// move makes a move: a legal one, or one that is refused.
func (s *software) move() {
	if s.game == nil { // nothing stands on the origin
		s.write(regmap.CoreMake, s.r.Uint32())
		return
	}
	moves := s.game.AppendMoves(nil)
	var m engine.Move
	legal := len(moves) > 0 && s.r.IntN(8) > 0
	if legal {
		m = moves[s.r.IntN(len(moves))]
		for _, other := range moves { // more of what is rare
			if (other.Promotion != engine.NoPiece || other.Castling || other.EnPassant) && s.r.IntN(4) == 0 {
				m = other
			}
		}
	} else {
		m = engine.Move{From: engine.Square(s.r.IntN(64)), To: engine.Square(s.r.IntN(64)), Promotion: engine.Piece(s.r.IntN(8))}
		piece, color := s.game.PieceAt(m.From)
		taken, theirs := s.game.PieceAt(m.To)
		side := s.game.SideToMove()
		promotes := piece == engine.Pawn && (m.To>>3 == 7 && side == engine.White || m.To>>3 == 0 && side == engine.Black)
		refused := len(s.stack) == s.plies || piece == engine.NoPiece || color != side || taken != engine.NoPiece && theirs == side ||
			promotes != (m.Promotion >= engine.Knight && m.Promotion <= engine.Queen) && (promotes || m.Promotion != engine.NoPiece)
		if !refused {
			return
		}
		s.saw("make that is refused")
	}
	if s.r.IntN(3) == 0 {
		s.saw("published make")
		s.write(regmap.CorePublishedCommand, uint32(regmap.CorePublishedCommandMake)|
			regmap.CorePublishedCommandOrigin.Put(number(m.From))|regmap.CorePublishedCommandDestination.Put(number(m.To))|
			regmap.CorePublishedCommandPromotion.Put(uint32(m.Promotion)|s.r.Uint32()&8)|
			s.r.Uint32()&uint32(regmap.CorePublishedCommandEnPassant|regmap.CorePublishedCommandCastling|regmap.CorePublishedCommandCaptured))
	} else {
		s.write(regmap.CoreMake, uint32(m.From)|uint32(m.To)<<8|uint32(m.Promotion)<<16|s.r.Uint32()&0xfff8c0c0)
	}
	if legal && len(s.stack) < s.plies {
		kind := "make"
		switch {
		case m.Castling:
			kind = "castling"
		case m.EnPassant:
			kind = "en passant"
		case m.Promotion != engine.NoPiece:
			kind = "promotion to " + m.Promotion.String()
		}
		s.saw(kind)
		s.stack = append(s.stack, *s.game)
		next := s.game.Make(m)
		s.game = &next
	}
	if len(s.stack) == s.plies {
		s.saw("stack full")
	}
}

// number is a square in 12x12 numbering.
func number(sq engine.Square) uint32 { return uint32(26 + 12*(sq>>3) + sq&7) }

func (s *software) unmake() {
	if n := len(s.stack); n > 0 {
		s.game, s.stack = &s.stack[n-1], s.stack[:n-1]
	}
}

// pickRead is what is read next.
func (s *software) pickRead() uint32 {
	switch n := s.r.IntN(20); {
	case s.only != 0:
		return s.only
	case n < 3:
		return regmap.CoreMoves + 4*uint32(s.r.IntN(128)) | uint32(s.r.IntN(4))
	case n < 10:
		return regmap.CorePublishedMoves
	case n < 12:
		return regmap.CoreBoard + 4*uint32(s.r.IntN(8))
	case n < 13:
		return simbus.Near(&regmap.Core, s.r)
	default:
		return 4 * uint32(s.r.IntN(16))
	}
}
