package icarus

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/cosimate/cosimate/bridge"
)

// maxOutput is how much vvp may print in one run before it is taken for mad.
const maxOutput = 64 << 20

// maxTail is how much of the output an error shows.
const maxTail = 4 << 10

// output is what vvp prints: a file in memory rather than a pipe, so that all of
// it is there when vvp answers, and the messages of a run belong to that run every time.
type output struct {
	file *os.File
	last []byte // of what was taken out
}

func newOutput() (*output, error) {
	fd, err := unix.MemfdCreate("cosimate-output", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("icarus: memory for the output of vvp: %w", err)
	}
	// Both ends truncate and append.
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_SETFL, unix.O_APPEND); err != nil {
		unix.Close(fd)
		return nil, fmt.Errorf("icarus: memory for the output of vvp: %w", err)
	}
	return &output{file: os.NewFile(uintptr(fd), "cosimate-output")}, nil
}

func (o *output) size() int64 {
	info, err := o.file.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}

// take empties the file. vvp must be waiting or gone.
func (o *output) take() []byte {
	n := o.size()
	if n == 0 {
		return nil
	}
	b := make([]byte, n)
	k, _ := o.file.ReadAt(b, 0)
	b = b[:k]
	o.file.Truncate(0)
	o.last = append(o.last, b...)
	if extra := len(o.last) - maxTail; extra > 0 {
		o.last = bytes.Clone(o.last[extra:])
	}
	return b
}

// messages takes the output out, line by line.
func (o *output) messages(cycle uint64) (all []bridge.Message) {
	b := bytes.TrimRight(o.take(), "\n")
	if len(b) == 0 {
		return nil
	}
	for line := range strings.SplitSeq(string(b), "\n") {
		all = append(all, bridge.Message{Cycle: cycle, Text: line})
	}
	return all
}

// tail is the last of what was taken out.
func (o *output) tail() string { return strings.TrimSpace(string(o.last)) }
