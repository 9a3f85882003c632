package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/link/frame"
	"github.com/cosimate/cosimate/rtl/link/message"
	"github.com/cosimate/cosimate/rtl/movelink/pair"
)

// decode prints recorded bytes of the board's line: a line of text for each frame, damage or move.
func decode(args []string) error {
	flags := pflag.NewFlagSet("board decode", pflag.ContinueOnError)
	published := flags.Bool("published", false, "the bytes are the published two-byte moves, not frames")
	host := flags.Bool("host", false, "the bytes are those that the host sends")
	flags.Usage = func() { fmt.Fprint(os.Stderr, usage+flags.FlagUsages()) }
	switch err := flags.Parse(args); {
	case errors.Is(err, pflag.ErrHelp):
		return nil
	case err != nil:
		return misuse{err}
	case flags.NArg() > 1:
		return misuse{fmt.Errorf("%q is not expected", flags.Arg(1))}
	case *published && *host:
		return misuse{errors.New("--published and --host exclude each other: the published host sends no bytes")}
	}
	in, name, err := input(flags.Args())
	if err != nil {
		return err
	}
	defer in.Close()
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()

	var moves pair.Decoder
	frames := frame.Decoder{AtBoard: *host}
	bytes := bufio.NewReader(in)
	for at := 0; ; at++ {
		b, err := bytes.ReadByte()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("%s: %w", name, err)
		case *published:
			if m, ok := moves.Byte(b); ok {
				fmt.Fprintf(out, "byte %d: %v%v\n", at, engine.Square(m.From), engine.Square(m.To))
			}
		default:
			f, ok, damage := frames.Byte(b)
			if damage != nil {
				fmt.Fprintf(out, "byte %d: no frame: %v\n", at, damage)
			}
			if ok {
				fmt.Fprintf(out, "byte %d: %v%s\n", at, f, meaning(f))
			}
		}
	}
}

// meaning returns the message of a frame in words, if it has one.
func meaning(f frame.Frame) string {
	if f.Kind != frame.Data {
		return ""
	}
	v, err := message.Decode(f.Message)
	if err != nil {
		return fmt.Sprintf(" (%v)", err)
	}
	return fmt.Sprintf(" (%T %+v)", v, v)
}
