// Package message has the messages between the sensing board and its host, which go over the link
// of package frame.
//
//	err := c.Send(ctx, message.Encode(message.Move{Ply: 1, From: 52, To: 36}))
//	m, err := c.Receive(ctx)
//	v, err := message.Decode(m)
//	switch v := v.(type) {
//	case message.Move: ...
//	}
//
// The structs are the layout: their fields follow each other in order, the least significant byte
// of a number first. README.md of rtl/link shows it as a table. Squares are numbered a1 = 0, b1 =
// 1, h8 = 63; bit n of a word is square n. Sides are 0 White and 1 Black. Pieces are 0 none, 1
// pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king. Other codes are those at the port that a
// field's comment names.
package message

import (
	"encoding/binary"
	"fmt"
	"reflect"

	"github.com/cosimate/cosimate/rtl/link/frame"
)

// Move is a move. From the board: it has been made there. From the host: the board shows it, and
// the person carries it out. Castling is the king's move.
type Move struct {
	// moves made before, of both sides: 2 * (fullmove - 1), and 1 more if Black is to move
	Ply       uint16
	From, To  uint8
	Promotion uint8 // what a pawn becomes, or 0
}

// Replay is from the host: a move of a saved game. The board makes it at once, and nobody carries
// it out.
type Replay Move

// Answer is from the board: whether a request of the host was carried out.
type Answer struct {
	To  uint8  // type of the request
	Ply uint16 // as in the request, or 0
	// 0: it was carried out. Otherwise why not: remote_reason_o of validity for Move, Replay and
	// Draw, error_o of clock for Time.
	Reason uint8
}

// Restore is from the board: the squares on which the pieces do not stand as they should. There are
// none when they stand right again.
type Restore struct {
	Reason  uint8 // reason_o of validity: why the last action is illegal
	Squares uint64
}

// Clock is from the board: its clocks. It comes when they change other than by running, and once in
// a while.
type Clock struct {
	// time left, MM:SS.t, five decimal digits of 4 bits: white_time_o, black_time_o of clock
	White, Black uint32
	State        uint8 // state_o of clock
	Turn         uint8 // the side whose clock runs, or will run
	Flags        uint8 // fallen flags: bit 0 White's, bit 1 Black's
	Control      uint8 // control_o of clock
	Increment    uint8 // seconds, two decimal digits of 4 bits
}

// Time is from the host: a command to the clocks, as at the cmd ports of clock. The board sends an
// Answer and Clock.
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

// Request is from the host: it asks for the position. The board sends State and Squares.
type Request struct{}

// State is a position together with the Squares that follow it. From the board: the game's. From
// the host: one to begin a game from.
type State struct {
	State              uint8 // state_o of validity; from the host 0
	Black              uint8 // 1: Black is to move
	Castling           uint8 // rights: bits 0 to 3 are K, Q, k, q
	EnPassant          uint8 // file of the pawn that has just made a double step, one-hot, or 0
	Halfmove, Fullmove uint16
	Result, Cause      uint8 // result_o, cause_o of validity; from the host 0
	Last               Move  // the last move made, if From and To differ; from the host 0
}

// Squares are the pieces of a position, whose State has come before. Three words hold the codes of
// pieces: bit n of Code0 is bit 0 of the code of the piece on square n, and so on.
type Squares struct {
	Code0, Code1, Code2 uint64
	Black               uint64 // Black's pieces
}

// Draw is from the host: an offer of a draw, its acceptance, or a claim. From the board: a side has
// offered a draw.
type Draw struct {
	Side  uint8
	Claim uint8 // 1: a claim of threefold repetition or fifty moves
}

// Resign says that a side resigns.
type Resign struct {
	Side uint8
}

// Players is from the host: the sides whose moves come from the host.
type Players struct {
	Remote uint8 // bit 0 White, bit 1 Black: remote_i of validity
}

// types are all messages. A message's type is its place here.
var types = [...]any{
	1: Move{}, 2: Replay{}, 3: Answer{}, 4: Restore{}, 5: Clock{}, 6: Time{}, 7: Result{}, 8: Request{},
	9: State{}, 10: Squares{}, 11: Draw{}, 12: Resign{}, 13: Players{},
}

// Type returns the type of a message. It panics if v is no message of this package.
func Type(v any) uint8 {
	for i, t := range types {
		if t != nil && reflect.TypeOf(t) == reflect.TypeOf(v) {
			return uint8(i)
		}
	}
	panic(fmt.Sprintf("message: %T is no message", v))
}

// Encode returns a message as it goes over the link. It panics if v is no message of this package.
func Encode(v any) frame.Message {
	m := frame.Message{Type: Type(v)}
	var err error
	if m.Payload, err = binary.Append(nil, binary.LittleEndian, v); err != nil {
		panic(err) // all have a fixed size
	}
	return m
}

// Decode returns a message from the link as a struct of this package. It is an error if there is no
// such type or the length is wrong.
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
