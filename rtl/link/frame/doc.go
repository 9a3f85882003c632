// Package frame is the host's end of the sensing board's link: messages over a serial line that
// loses, changes and doubles bytes, each delivered once and in order. The board's end is the RTL in
// rtl/link, whose README.md defines the protocol.
//
// [Dial] and [Conn] are what a program needs that has the line as an io.ReadWriteCloser:
//
//	c, err := frame.Dial(ctx, line, frame.Options{})
//	err = c.Send(ctx, frame.Message{Type: 1, Payload: []byte{12, 28}})  // returns when the board has it
//	m, err := c.Receive(ctx)
//
// [Host] is the same as a state machine without goroutines, clock or I/O, for tests and
// simulations; [Frame] and [Decoder] are what is on the line. What the board's messages mean is in
// package message.
package frame
