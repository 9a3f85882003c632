package driver

import (
	"context"
	"fmt"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/regmap"
)

// Order is the order of a list.
type Order uint32

// The orders. README.md of rtl/movegen says how moves that an order treats alike follow each other.
const (
	Plain         Order = regmap.CoreListOrderPlain
	CapturesFirst Order = regmap.CoreListOrderCaptures
	// most valuable victim, least valuable aggressor
	LeastAggressor Order = regmap.CoreListOrderLeastAggressor
	// most valuable victim, most valuable aggressor
	MostAggressor Order = regmap.CoreListOrderMostAggressor
)

// Filter says which moves a list has.
type Filter uint32

// The filters.
const (
	All      Filter = regmap.CoreListFilterAll
	Captures Filter = regmap.CoreListFilterCaptures // and promotions
	Checks   Filter = regmap.CoreListFilterChecks
)

// Core drives the move generator core. The hardware does not check that moves are legal, so the
// driver keeps the game too and checks them. It is not safe for concurrent use.
type Core struct {
	// Trusting leaves out the read of Error after each command, which only checks the hardware. A
	// command is one transfer then.
	Trusting bool

	bus   Bus
	plies int
	stack []engine.Position // the game's since SetPosition; the last is the current one
	moves []engine.Move
}

// OpenCore checks that the core is there, and ends what it is doing. Its position is unknown until
// [Core.SetPosition].
func OpenCore(bus Bus) (*Core, error) {
	if err := identify(bus, "move generator core", regmap.CoreIdentityValue, regmap.CoreVersionValue); err != nil {
		return nil, err
	}
	config, err := bus.Read32(regmap.CoreConfig)
	if err != nil {
		return nil, err
	}
	err = writes{
		{regmap.CoreInterruptEnable, 0},
		{regmap.CoreAbort, 0},
		{regmap.CoreError, 0},
		{regmap.CoreInterruptStatus, ^uint32(0)},
	}.to(bus)
	return &Core{bus: bus, plies: int(regmap.CoreConfigPlies.Of(config))}, err
}

// Plies returns how many moves can be taken back.
func (c *Core) Plies() int { return c.plies }

// SetPosition begins a game from the position of a FEN record. There are no moves to take back
// then.
func (c *Core) SetPosition(fen string) error {
	p, err := engine.ParseFEN(fen)
	if err != nil {
		return err
	}
	return c.Load(&p)
}

// Load is SetPosition with a position instead of a FEN record.
func (c *Core) Load(p *engine.Position) error {
	if err := WritePosition(c.bus, &regmap.Core, p); err != nil {
		return err
	}
	if err := c.bus.Write32(regmap.CoreLoad, 0); err != nil {
		return err
	}
	c.stack = append(c.stack[:0], *p)
	return nil
}

// Made returns how many moves and null moves can be taken back.
func (c *Core) Made() int { return max(0, len(c.stack)-1) }

// Position returns the game's position as the driver knows it.
func (c *Core) Position() (engine.Position, error) {
	if len(c.stack) == 0 {
		return engine.Position{}, fmt.Errorf("driver: %w", ErrNoPosition)
	}
	return c.stack[len(c.stack)-1], nil
}

// ReadPosition reads the game's position from the hardware, in ten reads. If it is not the
// driver's, the error is [ErrMismatch].
func (c *Core) ReadPosition() (engine.Position, error) {
	mine, err := c.Position()
	if err != nil {
		return mine, err
	}
	var word, clocks uint32
	var board [8]uint32
	if word, err = c.bus.Read32(regmap.CorePosition); err != nil {
		return mine, err
	}
	if clocks, err = c.bus.Read32(regmap.CoreClocks); err != nil {
		return mine, err
	}
	for rank := range board {
		if board[rank], err = c.bus.Read32(regmap.CoreBoard + 4*uint32(rank)); err != nil {
			return mine, err
		}
	}
	if theirs := setup(word, clocks, board); theirs != mine.Setup() {
		return mine, fmt.Errorf("driver: %w: the hardware's game is at %s, the driver's at %s", ErrMismatch, theirs.FEN(), mine.FEN())
	}
	if depth := int(regmap.CorePositionDepth.Of(word)); depth != len(c.stack)-1 {
		return mine, fmt.Errorf("driver: %w: the hardware can take back %d moves, %d were made", ErrMismatch, depth, len(c.stack)-1)
	}
	return mine, nil
}

// setup returns what registers hold, whether or not it is a position.
func setup(word, clocks uint32, board [8]uint32) engine.Setup {
	s := engine.Setup{
		EnPassant: uint64(regmap.CorePositionEnPassant.Of(word)) << 40,
		Halfmove:  int(regmap.CoreClocksHalfmove.Of(clocks)),
		Fullmove:  int(regmap.CoreClocksFullmove.Of(clocks)),
	}
	for i, right := range castlingRights {
		s.Castling |= uint8(right.Of(word)) << i
	}
	if regmap.CorePositionBlack.Is(word) {
		s.SideToMove, s.EnPassant = engine.Black, s.EnPassant>>24
	}
	for rank, squares := range board {
		for file := range 8 {
			if code := squares >> (4 * file) & 15; code != 0 {
				s.Put(engine.Piece(code&7), engine.Color(code>>3), engine.Square(8*rank+file))
			}
		}
	}
	return s
}

// Make makes a legal move. Only its origin, destination and promotion matter.
func (c *Core) Make(m engine.Move) error {
	next, err := c.next(m)
	if err != nil {
		return err
	}
	word := regmap.CoreMoveFrom.Put(uint32(m.From)) | regmap.CoreMoveTo.Put(uint32(m.To)) | regmap.CoreMovePromotion.Put(uint32(m.Promotion))
	return c.push(next, regmap.CoreMake, word)
}

// next returns the position after a legal move for which there is room.
func (c *Core) next(m engine.Move) (engine.Position, error) {
	p, err := c.Position()
	if err != nil {
		return p, err
	}
	c.moves = p.AppendMoves(c.moves[:0])
	for _, legal := range c.moves {
		if legal.From == m.From && legal.To == m.To && legal.Promotion == m.Promotion {
			return p.Make(legal), c.room("the move " + m.String())
		}
	}
	return p, fmt.Errorf("driver: the move %v is %w in %s", m, ErrIllegal, p.FEN())
}

// room returns an error if no further move can be made.
func (c *Core) room(what string) error {
	if len(c.stack) > c.plies {
		return fmt.Errorf("driver: %w %s: %d moves have been made, and it can take back no more; set the position anew", ErrRefused, what, c.plies)
	}
	return nil
}

// push writes a command and takes the position after it.
func (c *Core) push(next engine.Position, address, data uint32) error {
	if err := c.command(address, data); err != nil {
		return err
	}
	c.stack = append(c.stack, next)
	return nil
}

// command writes a command. It returns an error if the hardware refuses it.
func (c *Core) command(address, data uint32) error {
	if err := c.bus.Write32(address, data); err != nil || c.Trusting {
		return err
	}
	word, err := c.bus.Read32(regmap.CoreError)
	if err != nil || regmap.CoreErrorReason.Of(word) == regmap.CoreErrorReasonNone {
		return err
	}
	if err := c.bus.Write32(regmap.CoreError, 0); err != nil {
		return err
	}
	return fmt.Errorf("driver: %w %s: %s (Error = %#x)", ErrRefused, regmap.Core.Find(address).Name, reason(word), word)
}

// reason returns why a command was refused, in the words of the register map.
func reason(word uint32) string {
	for _, f := range regmap.Core.Find(regmap.CoreError).Fields {
		for _, v := range f.Values {
			if f.Name == "Reason" && v.Value == regmap.CoreErrorReason.Of(word) {
				return v.Doc
			}
		}
	}
	return "for a reason that is not known"
}

// Null makes a null move, which is not legal in check. Unmake takes it back.
func (c *Core) Null() error {
	p, err := c.Position()
	if err != nil {
		return err
	}
	if p.InCheck() {
		return fmt.Errorf("driver: a null move is %w in check, in %s", ErrIllegal, p.FEN())
	}
	if err := c.room("a null move"); err != nil {
		return err
	}
	return c.push(p.MakeNull(), regmap.CoreNull, 0)
}

// Unmake takes back the last move or null move.
func (c *Core) Unmake() error { return c.pop(regmap.CoreUnmake, 0) }

func (c *Core) pop(address, data uint32) error {
	if _, err := c.Position(); err != nil {
		return err
	}
	if len(c.stack) == 1 {
		return fmt.Errorf("driver: %w to take back a move: none was made since the position was set", ErrRefused)
	}
	if err := c.command(address, data); err != nil {
		return err
	}
	c.stack = c.stack[:len(c.stack)-1]
	return nil
}

// Moves returns the position's legal moves that pass the filter, in order.
func (c *Core) Moves(o Order, f Filter) ([]engine.Move, error) {
	if err := c.start(list(o, f)); err != nil {
		return nil, err
	}
	moves := []engine.Move{}
	for {
		word, err := c.word(regmap.CoreMoves)
		if err != nil {
			return moves, err
		}
		m, ok := Unpack(word)
		if ok {
			moves = append(moves, m)
		}
		if regmap.CoreMoveLast.Is(word) {
			return moves, nil
		}
	}
}

// Quiescence returns the captures and promotions, most valuable victims first.
func (c *Core) Quiescence() ([]engine.Move, error) { return c.Moves(LeastAggressor, Captures) }

// Stream begins a list that goes to the AXI4-Stream, for DMA. [Unpack] reads its words.
func (c *Core) Stream(o Order, f Filter) error {
	if _, err := c.Position(); err != nil {
		return err
	}
	return c.command(regmap.CoreList, list(o, f)|uint32(regmap.CoreListStream))
}

// start begins a list that goes to the FIFO. The hardware never refuses it.
func (c *Core) start(word uint32) error {
	if _, err := c.Position(); err != nil {
		return err
	}
	return c.bus.Write32(regmap.CoreList, word)
}

// list returns the word that is written to List.
func list(o Order, f Filter) uint32 {
	return regmap.CoreListOrder.Put(uint32(o)) | regmap.CoreListFilter.Put(uint32(f))
}

// Abort ends the list under way, to the FIFO or to the stream.
func (c *Core) Abort() error { return c.bus.Write32(regmap.CoreAbort, 0) }

// Legal returns how many legal moves the position listed last has, and whether its side to move is
// in check.
func (c *Core) Legal() (moves int, check bool, err error) {
	word, err := c.bus.Read32(regmap.CoreCount)
	if err == nil && !regmap.CoreCountValid.Is(word) {
		err = fmt.Errorf("driver: %w: there is no count; list a position first", ErrTimeout)
	}
	return int(regmap.CoreCountMoves.Of(word)), regmap.CoreCountCheck.Is(word), err
}

// WaitListed waits until the last word of a list has come to the FIFO or the stream. It uses the
// interrupt if the bus is an [Interrupter], and polls otherwise.
func (c *Core) WaitListed(ctx context.Context) error {
	return await(ctx, c.bus, uint32(regmap.CoreInterruptsListed))
}

// tries is how often the next word of a list is read before that is an error. The hardware gives it
// within 32 cycles, and a read takes more than one.
const tries = 100

// word returns the next word of a list.
func (c *Core) word(address uint32) (uint32, error) {
	for range tries {
		word, err := c.bus.Read32(address)
		if err != nil || regmap.CoreMoveValid.Is(word) {
			return word, err
		}
	}
	return 0, fmt.Errorf("driver: %w: no word of the list in %d reads of %s", ErrTimeout, tries, regmap.Core.Find(address).Name)
}

// Unpack returns the move in a word from the FIFO or the stream. It returns false for a word
// without a move, which only ends a list.
func Unpack(word uint32) (engine.Move, bool) {
	return engine.Move{
		From: engine.Square(regmap.CoreMoveFrom.Of(word)), To: engine.Square(regmap.CoreMoveTo.Of(word)),
		Piece: engine.Piece(regmap.CoreMovePiece.Of(word)), Captured: engine.Piece(regmap.CoreMoveCaptured.Of(word)),
		Promotion: engine.Piece(regmap.CoreMovePromotion.Of(word)),
		Castling:  regmap.CoreMoveCastling.Is(word), EnPassant: regmap.CoreMoveEnPassant.Is(word),
	}, regmap.CoreMoveValid.Is(word) && !regmap.CoreMoveNone.Is(word)
}

// await waits for an event of either core, and clears it.
func await(ctx context.Context, bus Bus, event uint32) error {
	line, ok := bus.(Interrupter)
	if ok {
		if err := bus.Write32(regmap.CoreInterruptEnable, event); err != nil {
			return err
		}
		if err := line.WaitInterrupt(ctx); err != nil {
			return err
		}
	}
	for {
		status, err := bus.Read32(regmap.CoreInterruptStatus)
		if err != nil {
			return err
		}
		if status&event != 0 {
			return bus.Write32(regmap.CoreInterruptStatus, event)
		}
		if err := context.Cause(ctx); err != nil {
			return fmt.Errorf("driver: %w: no interrupt: %w", ErrTimeout, err)
		}
	}
}
