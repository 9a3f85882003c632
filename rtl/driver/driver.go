// Package driver is the software side of the cores on the bus: [Core] makes and lists moves,
// [Perft] counts them. It reaches their registers through a [Bus]: memory of the machine it runs on
// ([Map]), a simulated bus (package simbus), or anything else that reads and writes 32 bits.
//
//	window, err := driver.Map("/dev/mem", 0x43c0_0000)
//	core, err := driver.OpenCore(window)
//	err = core.SetPosition("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
//	moves, err := core.Moves(driver.LeastAggressor, driver.All)
//	err = core.Make(moves[0])
//
// It depends on the reference engine and the register map only. So it builds for the board's
// processor, without a simulator: GOOS=linux GOARCH=arm CGO_ENABLED=0 go build.
package driver

import (
	"context"
	"errors"
	"fmt"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/regmap"
)

// Bus reads and writes registers. Addresses are bytes from the beginning of the core's window.
type Bus interface {
	Read32(address uint32) (uint32, error)
	Write32(address, data uint32) error
}

// Interrupter is a Bus that can wait for the core's interrupt. Without it a driver polls.
type Interrupter interface {
	// WaitInterrupt returns when the interrupt line is 1, or with an error when the context ends.
	WaitInterrupt(ctx context.Context) error
}

// The causes of errors, for errors.Is.
var (
	// another core or another version is at the address
	ErrWrongHardware = errors.New("wrong hardware")
	ErrTimeout       = errors.New("the hardware is silent") // an answer did not come in time
	// a move or a null move is against the rules
	ErrIllegal = errors.New("illegal")
	// the hardware cannot carry out a command
	ErrRefused    = errors.New("the hardware refused")
	ErrNoPosition = errors.New("no position was set")        // call SetPosition first
	ErrMismatch   = errors.New("hardware and driver differ") // the hardware's answer is wrong
)

// identify checks that the core on the bus is the right one, with registers of this version.
func identify(bus Bus, what string, identity, version uint32) error {
	got, err := bus.Read32(regmap.CoreIdentity)
	if err != nil {
		return err
	}
	if got != identity {
		return fmt.Errorf("driver: %w: register Identity reads as %#08x (%q), that of the %s is %#08x (%q); check the window's address and that the bitstream is loaded",
			ErrWrongHardware, got, ascii(got), what, identity, ascii(identity))
	}
	if got, err = bus.Read32(regmap.CoreVersion); err != nil {
		return err
	}
	if regmap.CoreVersionMajor.Of(got) != regmap.CoreVersionMajor.Of(version) || got < version {
		return fmt.Errorf("driver: %w: the %s's registers have version %s, this driver is for %s and greater ones of the same major number",
			ErrWrongHardware, what, dotted(got), dotted(version))
	}
	return nil
}

func ascii(v uint32) string {
	return string([]byte{byte(v >> 24), byte(v >> 16), byte(v >> 8), byte(v)})
}

func dotted(v uint32) string {
	return fmt.Sprintf("%d.%d", regmap.CoreVersionMajor.Of(v), regmap.CoreVersionMinor.Of(v))
}

// writes are words to be written one after the other.
type writes []struct{ address, data uint32 }

func (w writes) to(bus Bus) error {
	for _, x := range w {
		if err := bus.Write32(x.address, x.data); err != nil {
			return err
		}
	}
	return nil
}

// castlingRights are the bits of Position for the bits of [engine.Setup.Castling].
var castlingRights = [...]regmap.Bits{
	regmap.CorePositionWhiteKingSide, regmap.CorePositionWhiteQueenSide,
	regmap.CorePositionBlackKingSide, regmap.CorePositionBlackQueenSide,
}

// WritePosition writes a position to the registers of a core from which its next command takes it:
// Position, Board and, in a core that counts moves, Clocks. They are at the same addresses in all
// cores.
func WritePosition(bus Bus, m *regmap.Map, p *engine.Position) error {
	word := regmap.CorePositionBlack.Put(uint32(p.SideToMove()))
	for i, right := range castlingRights {
		word |= right.Put(uint32(p.Setup().Castling >> i & 1))
	}
	if s, ok := p.EnPassant(); ok {
		word |= regmap.CorePositionEnPassant.Put(1 << (s % 8))
	}
	w := writes{{regmap.CorePosition, word}}
	for rank := range uint32(8) {
		board := uint32(0)
		for file := range uint32(8) {
			piece, color := p.PieceAt(engine.Square(8*rank + file))
			if piece != engine.NoPiece {
				board |= (uint32(piece) | uint32(color)<<3) << (4 * file)
			}
		}
		w = append(w, writes{{regmap.CoreBoard + 4*rank, board}}...)
	}
	if m.Find(regmap.CoreClocks) != nil {
		w = append(w, writes{{regmap.CoreClocks, regmap.CoreClocksHalfmove.Put(uint32(p.Halfmove())) | regmap.CoreClocksFullmove.Put(uint32(p.Fullmove()))}}...)
	}
	return w.to(bus)
}

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}
