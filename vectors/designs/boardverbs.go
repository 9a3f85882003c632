package designs

import (
	"fmt"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/clock"
	"github.com/cosimate/cosimate/rtl/movelink"
	"github.com/cosimate/cosimate/rtl/movelink/pair"
	"github.com/cosimate/cosimate/rtl/scanner"
	"github.com/cosimate/cosimate/rtl/uart"
	"github.com/cosimate/cosimate/rtl/uart/serial"
	"github.com/cosimate/cosimate/vectors"
)

func scannerVerbs(s *vectors.Session[scanner.In, scanner.Out]) []vectors.Verb[scanner.In, scanner.Out] {
	var pieces uint64
	sense := func() { s.In.SenseN = pieces>>s.Out.Select&1 == 0 }
	s.Watch(func(scanner.In, scanner.Out) {})
	scan := func() error {
		for {
			sense()
			out, err := s.Step()
			if err != nil || out.Strobe {
				return err
			}
		}
	}
	return []vectors.Verb[scanner.In, scanner.Out]{
		{Use: "pieces SQUARES", About: "pieces stand on these squares from now on", Do: func(a []any) error {
			pieces = a[0].(uint64)
			return nil
		}},
		{Use: "scan", About: "to the end of a scan: sensors see the pieces", Do: func([]any) error { return scan() }},
		{Use: "occupied SQUARES", About: "a scan that finds just these squares occupied", Do: func(a []any) error {
			if err := scan(); err != nil {
				return err
			}
			if want := a[0].(uint64); s.Out.Occupied != want {
				return &vectors.WordError{Arg: 0, Err: fmt.Errorf("occupied_o has %s", setText(s.Out.Occupied))}
			}
			return nil
		}},
	}
}

// setText are squares as vectors have them.
func setText(squares uint64) (text string) {
	for q := range engine.Square(64) {
		if squares>>q&1 != 0 {
			text += "," + q.String()
		}
	}
	if text == "" {
		return "none"
	}
	return text[1:]
}

func clockVerbs(s *vectors.Session[clock.In, clock.Out]) []vectors.Verb[clock.In, clock.Out] {
	// command is one cycle with a command, and one to see what came of it.
	command := func(in clock.In) error {
		held := s.In
		s.In = in
		_, err := s.Step()
		s.In = held
		return err
	}
	do := func(use, about string, c clock.Command) vectors.Verb[clock.In, clock.Out] {
		return vectors.Verb[clock.In, clock.Out]{Use: use, About: about, Do: func(a []any) error {
			who := clock.White
			if len(a) > 0 {
				who = clock.Side(a[0].(int))
			}
			return command(clock.Do(c, who))
		}}
	}
	return []vectors.Verb[clock.In, clock.Out]{
		{Use: "game CONTROL SECONDS", About: "a new game: time control, increment", Do: func(a []any) error {
			return command(clock.Set(clock.Control(a[0].(int)), a[1].(int)))
		}},
		{Use: "load SIDE CLOCK", About: "a side has so much time left", Do: func(a []any) error {
			return command(clock.Load(clock.Side(a[0].(int)), a[1].(int)))
		}},
		do("start SIDE", "the clock of a side runs", clock.CmdStart),
		do("pause", "no clock runs", clock.CmdPause),
		do("resume", "the clock runs again", clock.CmdResume),
		do("add SIDE", "five minutes more", clock.CmdAdd),
		do("stop", "the game is over", clock.CmdStop),
		{Use: "press", About: "the side to move has made its move", Do: func([]any) error { return command(clock.Press()) }},
		{Use: "time SIDE CLOCK", About: "one cycle, in which a side's time is shown so", Do: func(a []any) error {
			out, err := s.Step()
			if err != nil {
				return err
			}
			shown := out.WhiteTime
			if clock.Side(a[0].(int)) == clock.Black {
				shown = out.BlackTime
			}
			if shown.Tenths() != a[1].(int) {
				return &vectors.WordError{Arg: 1, Err: fmt.Errorf("the clock shows %v", shown)}
			}
			return nil
		}},
	}
}

func uartVerbs(s *vectors.Session[uart.In, uart.Out]) []vectors.Verb[uart.In, uart.Out] {
	divisor := s.Params["Divisor"]
	// The line's other end: what tx_o sends.
	var sent []byte
	tx := serial.Listener{Divisor: divisor}
	s.Watch(func(_ uart.In, out uart.Out) {
		if b, ok := tx.Listen(out.Tx); ok {
			sent = append(sent, b)
		}
	})
	line := func(level bool, cycles int) error {
		s.In.Rx = level
		return s.Wait(cycles)
	}
	return []vectors.Verb[uart.In, uart.Out]{
		{Use: "frame BYTE", About: "a byte comes over rx_i, 8N1", Do: func(a []any) error {
			for _, level := range serial.Frame(byte(a[0].(int))) {
				if err := line(level, divisor); err != nil {
					return err
				}
			}
			return nil
		}},
		{Use: "take BYTE", About: "wait until a byte is received, which is this one, and take it", Do: func(a []any) error {
			if err := s.Until("no byte is received", func(out uart.Out) bool { return out.RxValid }); err != nil {
				return err
			}
			if b := a[0].(int); s.Out.RxData != byte(b) {
				return &vectors.WordError{Arg: 0, Err: fmt.Errorf("%#02x was received", s.Out.RxData)}
			}
			s.In.RxReady = true
			_, err := s.Step()
			s.In.RxReady = false
			return err
		}},
		{Use: "send BYTE", About: "give a byte to be sent, as soon as there is room", Do: func(a []any) error {
			s.In.TxValid, s.In.TxData = true, byte(a[0].(int))
			err := s.Until("the queue has no room", func(out uart.Out) bool { return out.TxReady })
			s.In.TxValid = false
			return err
		}},
		{Use: "sent BYTE", About: "wait until a frame has come over tx_o, which is this byte", Do: func(a []any) error {
			if len(sent) == 0 {
				if err := s.Until("no byte is sent", func(uart.Out) bool { return len(sent) > 0 }); err != nil {
					return err
				}
			}
			first := sent[0]
			if sent = sent[1:]; first != byte(a[0].(int)) {
				return &vectors.WordError{Arg: 0, Err: fmt.Errorf("%#02x was sent", first)}
			}
			return nil
		}},
	}
}

func movelinkVerbs(s *vectors.Session[movelink.In, movelink.Out]) []vectors.Verb[movelink.In, movelink.Out] {
	settle := s.Params["HoldCycles"] + s.Params["SyncStages"] + 1
	return []vectors.Verb[movelink.In, movelink.Out]{
		{Use: "send MOVE", About: "give a move to be sent to the PC, as soon as the one before is gone", Do: func(a []any) error {
			m := a[0].(engine.Move)
			s.In.SendValid, s.In.SendFrom, s.In.SendTo = true, uint8(m.From), uint8(m.To)
			err := s.Until("send_ready_o stays 0", func(out movelink.Out) bool { return out.SendReady })
			s.In.SendValid = false
			return err
		}},
		{Use: "sent MOVE", About: "the UART takes the two bytes of a move", Do: func(a []any) error {
			m := a[0].(engine.Move)
			s.In.TxReady = true
			defer func() { s.In.TxReady = false }()
			for _, want := range (pair.Move{From: uint8(m.From), To: uint8(m.To)}).Append(nil) {
				if err := s.Until("no byte is given to the UART", func(out movelink.Out) bool { return out.TxValid }); err != nil {
					return err
				}
				if s.Out.TxData != want {
					return &vectors.WordError{Arg: 0, Err: fmt.Errorf("the byte is %#02x, that of %v is %#02x", s.Out.TxData, m, want)}
				}
			}
			return nil
		}},
		{Use: "lines MOVE", About: "the PC gives a move over the lines: from, then to, each for as long as it must hold", Do: func(a []any) error {
			m := a[0].(engine.Move)
			for _, l := range (pair.Move{From: uint8(m.From), To: uint8(m.To)}).Lines() {
				s.In.Lines = l
				if err := s.Wait(settle); err != nil {
					return err
				}
			}
			return nil
		}},
		{Use: "take MOVE", About: "a move from the lines is there, this one, and is taken", Do: func(a []any) error {
			if err := s.Until("no move comes", func(out movelink.Out) bool { return out.MoveValid }); err != nil {
				return err
			}
			got := engine.Move{From: engine.Square(s.Out.MoveFrom), To: engine.Square(s.Out.MoveTo)}
			if want := a[0].(engine.Move); got.From != want.From || got.To != want.To {
				return &vectors.WordError{Arg: 0, Err: fmt.Errorf("the move is %v", got)}
			}
			s.In.MoveReady = true
			_, err := s.Step()
			s.In.MoveReady = false
			return err
		}},
	}
}
