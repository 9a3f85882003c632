// Package frame is the host's end of the sensing board's link. The serial line may lose, change and
// double bytes; each message is delivered once, and in order. The board's end is the RTL in
// rtl/link, whose README.md defines the protocol.
//
// A program that has the line as an io.ReadWriteCloser uses [Dial] and [Conn]:
//
//	c, err := frame.Dial(ctx, line, frame.Options{})
//	err = c.Send(ctx, frame.Message{Type: 1, Payload: []byte{12, 28}}) // the board has it
//	m, err := c.Receive(ctx)
//
// [Host] is the protocol as a state machine without goroutines, clock or I/O, for tests and
// simulations. [Frame] and [Decoder] write and read the bytes on the line. Package message says
// what the messages mean.
package frame
