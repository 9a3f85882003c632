package uart

import (
	"github.com/cosimate/cosimate/rtl/internal/block"
	"github.com/cosimate/cosimate/rtl/uart/serial"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

// Block describes the RTL for test vectors.
var Block = vectors.Block[In, Out]{
	Design: Design, About: "a UART, 8N1",
	Params: []vectors.Param{
		{Name: "Divisor", Default: Default.Divisor, Min: 3, Max: 1 << 20, About: "clock cycles a bit"},
		{Name: "RxDepth", Default: Default.RxDepth, Min: 2, Max: 1 << 12, About: "bytes in the receiver's queue, a power of two"},
		{Name: "TxDepth", Default: Default.TxDepth, Min: 2, Max: 1 << 12, About: "bytes in the transmitter's queue, a power of two"},
		{Name: "SyncStages", Default: Default.SyncStages, Min: 2, Max: 16, About: "flip-flops between the line and logic"},
	},
	Model: func(p vectors.Params) sim.Model[In, Out] {
		return NewModel(Params{Divisor: p["Divisor"], RxDepth: p["RxDepth"], TxDepth: p["TxDepth"], SyncStages: p["SyncStages"]})
	},
	Idle:       In{Rx: true},
	Kinds:      []vectors.Kind{block.ArgByte},
	Statements: statements,
}

// statements returns the statements about bytes on the lines and at the queues.
func statements(s *vectors.Session[In, Out]) []vectors.Statement {
	divisor := s.Params["Divisor"]
	var sent []byte // over tx_o
	tx := serial.Listener{Divisor: divisor}
	s.Watch(func(_ In, out Out) {
		if b, ok := tx.Listen(out.Tx); ok {
			sent = append(sent, b)
		}
	})
	return []vectors.Statement{
		{Use: "frame BYTE", About: "a byte comes over rx_i, 8N1", Do: func(a []any) error {
			for _, level := range serial.Frame(byte(a[0].(int))) {
				s.In.Rx = level
				if err := s.Wait(divisor); err != nil {
					return err
				}
			}
			return nil
		}},
		{Use: "take BYTE", About: "wait until a byte is received, which is this one, and take it", Do: func(a []any) error {
			if err := s.Until("no byte is received", func(out Out) bool { return out.RxValid }); err != nil {
				return err
			}
			if s.Out.RxData != byte(a[0].(int)) {
				return block.WrongArg(0, "%#02x was received", s.Out.RxData)
			}
			s.In.RxReady = true
			_, err := s.Step()
			s.In.RxReady = false
			return err
		}},
		{Use: "send BYTE", About: "give a byte to be sent, as soon as there is room", Do: func(a []any) error {
			s.In.TxValid, s.In.TxData = true, byte(a[0].(int))
			err := s.Until("the queue has no room", func(out Out) bool { return out.TxReady })
			s.In.TxValid = false
			return err
		}},
		{Use: "sent BYTE", About: "wait until a frame has come over tx_o, which is this byte", Do: func(a []any) error {
			if len(sent) == 0 {
				if err := s.Until("no byte is sent", func(Out) bool { return len(sent) > 0 }); err != nil {
					return err
				}
			}
			first := sent[0]
			if sent = sent[1:]; first != byte(a[0].(int)) {
				return block.WrongArg(0, "%#02x was sent", first)
			}
			return nil
		}},
	}
}
