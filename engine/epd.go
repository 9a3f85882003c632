package engine

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// EPD is one line of a perft suite: a position and its published counts.
type EPD struct {
	FEN      string // six fields
	Position Position
	Counts   []DepthCount // as written, at least one
	Line     int          // of the file, from 1
}

// DepthCount is a perft count: the number of sequences of Depth moves.
type DepthCount struct {
	Depth int
	Nodes uint64
}

// EPDError is a fault in a perft suite. Lines and columns (of bytes) count from
// 1; a fault of the file as a whole has line 0.
type EPDError struct {
	Name         string
	Line, Column int
	Err          error // a *FENError where the position is at fault
}

// Error returns name:line:column and the fault.
func (e *EPDError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.Name, e.Err)
	}
	what := e.Err.Error()
	if fen, ok := errors.AsType[*FENError](e.Err); ok {
		what = fmt.Sprintf("FEN %s: %s; %s", fen.Field, fen.Problem, fen.Mend)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.Name, e.Line, e.Column, what)
}

// Unwrap returns the fault without its place.
func (e *EPDError) Unwrap() error { return e.Err }

const (
	maxEPDLine  = 4096 // bytes; the longest FEN record is below 100
	maxEPDDepth = 99
)

// ReadEPD reads a perft suite: on each line a FEN record and counts, as in
//
//	rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400
//
// with any white space around the parts. A record of four fields, as EPD has
// them in the PGN standard (16.2), stands for one with the counters 0 and 1.
// Blank lines and lines that start with # are skipped; a byte order mark and
// carriage returns before line ends are let pass. The first fault ends the
// reading with an [*EPDError] that starts with name:line:column, and so does a
// suite without any position.
func ReadEPD(r io.Reader, name string) ([]EPD, error) {
	var suite []EPD
	in := bufio.NewReaderSize(r, maxEPDLine)
	for number := 1; ; number++ {
		fault := func(column int, err error) ([]EPD, error) {
			return nil, &EPDError{name, number, column, err}
		}
		raw, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			return fault(1, fmt.Errorf("the line has more than %d bytes; put each position on a line of its own", maxEPDLine))
		}
		if err != nil && err != io.EOF {
			return nil, &EPDError{Name: name, Err: fmt.Errorf("cannot be read: %w", err)}
		}
		if number == 1 {
			raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
		}
		line := string(raw)
		if text := strings.TrimSpace(line); text != "" && text[0] != '#' {
			entry, column, err := parseEPD(line)
			if err != nil {
				return fault(column, err)
			}
			entry.Line = number
			suite = append(suite, entry)
		}
		if err == io.EOF {
			break
		}
	}
	if len(suite) == 0 {
		return nil, &EPDError{Name: name, Err: errors.New("there is no position in it; write lines such as: FEN ;D1 20 ;D2 400")}
	}
	return suite, nil
}

// parseEPD reads one line; the column is that of the fault.
func parseEPD(line string) (entry EPD, column int, err error) {
	fen, rest, found := strings.Cut(line, ";")
	start := len(fen) - len(strings.TrimLeft(fen, " \t"))
	end := len(fen)
	entry.FEN = strings.Trim(fen, " \t\r\n")
	if strings.Count(entry.FEN, " ") == 3 {
		entry.FEN += " 0 1"
	}
	entry.Position, err = ParseFEN(entry.FEN)
	if fault, ok := errors.AsType[*FENError](err); ok {
		return EPD{}, start + fault.Offset + 1, err
	}
	if !found {
		return EPD{}, len(strings.TrimRight(line, " \t\r\n")) + 1, errors.New("no count follows the position; write ;D1 and its count behind it")
	}
	for more := true; more; {
		var op string
		at := end + 1 // behind the semicolon
		op, rest, more = strings.Cut(rest, ";")
		end = at + len(op)
		at += len(op) - len(strings.TrimLeft(op, " \t"))
		count, offset, err := parseCount(strings.Trim(op, " \t\r\n"))
		if err != nil {
			return EPD{}, at + offset + 1, err
		}
		for _, c := range entry.Counts {
			if c.Depth == count.Depth {
				return EPD{}, at + 1, fmt.Errorf("depth %d is given twice; keep one", c.Depth)
			}
		}
		entry.Counts = append(entry.Counts, count)
	}
	return entry, 0, nil
}

// parseCount reads "D3 8902"; the offset is that of the fault.
func parseCount(op string) (count DepthCount, offset int, err error) {
	if op == "" {
		return count, 0, errors.New("nothing follows the semicolon; write a count such as D1 20, or drop it")
	}
	depth, nodes, _ := strings.Cut(op, " ")
	digits, isDepth := strings.CutPrefix(depth, "D")
	if !isDepth {
		return count, 0, fmt.Errorf("%.20q is no count; write the depth and the count, such as D1 20", op)
	}
	d, err := strconv.ParseUint(digits, 10, 31)
	if err != nil || d < 1 || d > maxEPDDepth {
		return count, 1, fmt.Errorf("%.20q is no depth; write a number from 1 to %d behind the D", digits, maxEPDDepth)
	}
	offset = len(op) - len(strings.TrimLeft(nodes, " \t"))
	nodes = strings.TrimLeft(nodes, " \t")
	if nodes == "" {
		return count, len(op), fmt.Errorf("the count of depth %d is missing; write it behind a space", d)
	}
	n, err := strconv.ParseUint(nodes, 10, 64)
	if errors.Is(err, strconv.ErrRange) {
		return count, offset, fmt.Errorf("the count %.24s does not fit in 64 bits", nodes)
	}
	if err != nil {
		return count, offset, fmt.Errorf("%.24q is no count; write decimal digits only", nodes)
	}
	return DepthCount{int(d), n}, 0, nil
}
