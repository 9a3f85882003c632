// Package message has the messages between the sensing board and its host: what goes over the link
// of package frame.
//
//	err := c.Send(ctx, message.Encode(message.Move{Ply: 1, From: 52, To: 36}))
//	m, err := c.Receive(ctx)
//	v, err := message.Decode(m)
//	switch v := v.(type) {
//	case message.Move: ...
//	}
//
// The structs are the layout: their fields in order, numbers of several bytes with the least
// significant first. README.md of rtl/link shows it as a table. Squares are numbered a1 = 0, b1 =
// 1, h8 = 63, bit n of a word is square n; sides are 0 White and 1 Black; pieces 0 none, 1 pawn, 2
// knight, 3 bishop, 4 rook, 5 queen, 6 king. Codes are those at the ports of the blocks that are
// named.
package message

import (
	"encoding/binary"
	"fmt"
	"reflect"

	"github.com/cosimate/cosimate/rtl/link/frame"
)

// Move is a move: from the board, that it has been made there; from the host, that the board is to
// show it and have it carried out. Castling is the king's move.
type Move struct {
	// moves made before, of both sides: 2 * (fullmove - 1), and 1 more if Black is to move
	Ply       uint16
	From, To  uint8
	Promotion uint8 // what a pawn becomes, or 0
}

// Replay is a move from the host that is made at once, without being carried out: of a saved game.
type Replay Move

// Answer is from the board: what has become of a message of the host that asks for something.
type Answer struct {
	To  uint8  // type of that message
	Ply uint16 // as in it, or 0
	// 0 it is done; else why not: Move, Replay, Draw: remote_reason_o of validity; Time: error_o of
	// clock
	Reason uint8
}

// Restore is from the board: what stands on it is not what should, and the squares that differ;
// none: it does again.
type Restore struct {
	Reason  uint8 // reason_o of validity: why what was done is illegal
	Squares uint64
}

// Clock is from the board: its clocks, when something about them has changed and now and then.
type Clock struct {
	// left, MM:SS.t, five decimal digits of 4 bits: white_time_o, black_time_o of clock
	White, Black uint32
	State        uint8 // state_o of clock
	Turn         uint8 // whose clock runs, or would
	Flags        uint8 // whose has fallen: bit 0 White's, bit 1 Black's
	Control      uint8 // control_o of clock
	Increment    uint8 // seconds, two decimal digits of 4 bits
}

// Time is from the host: a command to the clocks, the cmd ports of clock. The board answers, and
// sends Clock.
type Time struct {
	Command   uint8 // cmd_i
	Side      uint8
	Control   uint8 // cmd_control_i
	Increment uint8 // cmd_increment_i
	Left      uint32
}

// Result is from the board: the game has ended.
type Result struct {
	Result, Cause uint8 // result_o, cause_o of validity
}

// Request is from the host: send the position. The board sends State and Squares.
type Request struct{}

// State is, with Squares after it, a position: from the board, where the game is; from the host,
// one to begin a game from.
type State struct {
	State              uint8 // state_o of validity; from the host 0
	Black              uint8 // 1: Black is to move
	Castling           uint8 // rights: bits 0 to 3 are K, Q, k, q
	EnPassant          uint8 // file of a pawn that has just made a double step, one-hot, or 0
	Halfmove, Fullmove uint16
	Result, Cause      uint8 // result_o, cause_o of validity; from the host 0
	Last               Move  // the last move made, if From and To differ; from the host 0
}

// Squares are the pieces of a position, whose State has come before. Piece codes are in three
// words: bit n of Code0 is bit 0 of the code of what stands on square n.
type Squares struct {
	Code0, Code1, Code2 uint64
	Black               uint64 // Black's pieces
}

// Draw is an offer of a draw, or the acceptance of one; or a claim. The other side's player is told
// of offers.
type Draw struct {
	Side  uint8
	Claim uint8 // 1: threefold repetition or fifty moves are claimed
}

// Resign is that a side resigns.
type Resign struct {
	Side uint8
}

// Players is from the host: whose moves come from it.
type Players struct {
	Remote uint8 // bit 0 White, bit 1 Black: remote_i of validity
}

// types are all kinds of messages; a message's type is its place here.
var types = [...]any{
	1: Move{}, 2: Replay{}, 3: Answer{}, 4: Restore{}, 5: Clock{}, 6: Time{}, 7: Result{}, 8: Request{},
	9: State{}, 10: Squares{}, 11: Draw{}, 12: Resign{}, 13: Players{},
}

// Type is the type of a message, which must be of this package.
func Type(v any) uint8 {
	for i, t := range types {
		if t != nil && reflect.TypeOf(t) == reflect.TypeOf(v) {
			return uint8(i)
		}
	}
	panic(fmt.Sprintf("message: %T is no message", v))
}

// Encode makes a message ready for the link. It must be of this package.
func Encode(v any) frame.Message {
	m := frame.Message{Type: Type(v)}
	var err error
	if m.Payload, err = binary.Append(nil, binary.LittleEndian, v); err != nil {
		panic(err) // all have a fixed size
	}
	return m
}

// Decode returns the message that has come over the link: a struct of this package.
func Decode(m frame.Message) (any, error) {
	if int(m.Type) >= len(types) || types[m.Type] == nil {
		return nil, fmt.Errorf("message: there is no type %d", m.Type)
	}
	v := reflect.New(reflect.TypeOf(types[m.Type]))
	if n := binary.Size(v.Interface()); n != len(m.Payload) {
		return nil, fmt.Errorf("message: %s has %d bytes, not %d", v.Elem().Type().Name(), n, len(m.Payload))
	}
	if _, err := binary.Decode(m.Payload, binary.LittleEndian, v.Interface()); err != nil {
		return nil, fmt.Errorf("message: %w", err)
	}
	return v.Elem().Interface(), nil
}
