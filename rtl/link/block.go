package link

import (
	"fmt"
	"slices"

	"github.com/cosimate/cosimate/rtl/internal/block"
	"github.com/cosimate/cosimate/rtl/link/frame"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

// Block describes the RTL to package vectors.
var Block = vectors.Block[In, Out]{
	Design: Design, About: "the board's end of its link to a host",
	Params: []vectors.Param{
		{Name: "RetryCycles", Default: Default.RetryCycles, Min: 1, Max: 1 << 30, About: "cycles until a message that is not acknowledged is repeated"},
		{Name: "SilenceCycles", Default: Default.SilenceCycles, Min: 1, Max: 1 << 30, About: "cycles without a frame from the host until it counts as absent"},
	},
	Model: func(p vectors.Params) sim.Model[In, Out] {
		return NewModel(Params{RetryCycles: p["RetryCycles"], SilenceCycles: p["SilenceCycles"]})
	},
	Kinds: []vectors.Kind{
		block.ArgN, block.ArgByte, block.ArgCycles, vectors.Number("SEQ", "a number of a message, 0 to 7", 0, 7),
	},
	Statements: statements,
}

// statements returns the statements about frames of the host and messages of the board.
func statements(s *vectors.Session[In, Out]) []vectors.Statement {
	decoder := frame.Decoder{}
	var came []frame.Frame
	s.Watch(func(in In, out Out) {
		if out.TxValid && in.TxReady {
			if f, ok, _ := decoder.Byte(out.TxData); ok {
				came = append(came, f)
			}
		}
	})
	s.In.TxReady = true
	bytes := func(list []byte) error {
		for _, b := range list {
			s.In.RxValid, s.In.RxData = true, b
			_, err := s.Step()
			s.In.RxValid = false
			if err != nil {
				return err
			}
		}
		return nil
	}
	list := func(a []any) (b []byte) {
		for _, x := range a {
			b = append(b, byte(x.(int)))
		}
		return b
	}
	host := func(k frame.Kind) func(a []any) error {
		return func(a []any) error {
			f := frame.Frame{Kind: k, Session: uint16(a[0].(int))}
			if k == frame.Data || k == frame.Ack {
				f.Seq = uint8(a[1].(int))
			}
			if k == frame.Data {
				b := list(a[2:])
				f.Message = frame.Message{Type: b[0], Payload: b[1:]}
			}
			return bytes(f.Append(nil))
		}
	}
	answer := func(k frame.Kind) func(a []any) error {
		return func(a []any) error {
			if len(came) == 0 {
				if err := s.Until("no frame is sent", func(Out) bool { return len(came) > 0 }); err != nil {
					return err
				}
			}
			want := frame.Frame{FromBoard: true, Kind: k, Session: uint16(a[0].(int))}
			if k == frame.Data || k == frame.Ack {
				want.Seq = uint8(a[1].(int))
			}
			if k == frame.Data {
				b := list(a[2:])
				want.Message = frame.Message{Type: b[0], Payload: b[1:]}
			}
			got := came[0]
			came = came[1:]
			if got.String() != want.String() {
				return fmt.Errorf("the frame is %v", got)
			}
			return nil
		}
	}
	return []vectors.Statement{
		{Use: "host open N", About: "the host opens a session", Do: host(frame.Open)},
		{Use: "host ping N", About: "the host asks whether the session is there", Do: host(frame.Ping)},
		{Use: "host none N", About: "the host ends a session", Do: host(frame.None)},
		{Use: "host ack N SEQ", About: "the host acknowledges a message by its number", Do: host(frame.Ack)},
		{Use: "host data N SEQ BYTE...", About: "the host sends a message: session, number, type and payload", Do: host(frame.Data)},
		{Use: "bytes BYTE...", About: "any bytes come from the host", Do: func(a []any) error { return bytes(list(a)) }},
		{Use: "board open N", About: "the next frame of the board: the session has begun", Do: answer(frame.Open)},
		{Use: "board none N", About: "there is no such session", Do: answer(frame.None)},
		{Use: "board ack N SEQ", About: "the message of this number has arrived", Do: answer(frame.Ack)},
		{Use: "board data N SEQ BYTE...", About: "a message of the board", Do: answer(frame.Data)},
		{Use: "silent CYCLES", About: "so many cycles in which the board sends no frame", Do: func(a []any) error {
			came = nil
			if err := s.Wait(a[0].(int)); err != nil {
				return err
			}
			if len(came) > 0 {
				return fmt.Errorf("it sends %v", came[0])
			}
			return nil
		}},
		{Use: "give BYTE...", About: "a message of the board's logic for the host: type and payload", Do: func(a []any) error {
			b := list(a)
			s.In.Send(frame.Message{Type: b[0], Payload: b[1:]})
			err := s.Until("send_ready_o stays 0", func(out Out) bool { return out.SendReady })
			s.In.SendValid = false
			return err
		}},
		{Use: "take BYTE...", About: "a message from the host is there, this one, and is taken", Do: func(a []any) error {
			if err := s.Until("no message comes", func(out Out) bool { return out.RecvValid }); err != nil {
				return err
			}
			got := s.Out.Message()
			if all := append([]byte{got.Type}, got.Payload...); !slices.Equal(all, list(a)) {
				return block.WrongArg(0, "the message is %#02x", all)
			}
			s.In.RecvReady = true
			_, err := s.Step()
			s.In.RecvReady = false
			return err
		}},
	}
}
