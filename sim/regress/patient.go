package regress

import (
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// patient reads what a process prints, and looks at it seldom. Waking up for each line of thousands
// of short units takes a tenth of their time, and Go's own poller wakes up at each write, also if
// nobody reads. The end of the process is seen at once.
type patient struct {
	fd    int
	ended chan struct{} // closed when the process has ended
	since time.Time     // when that was seen
	pause time.Duration
	found int // bytes, since the last pause
}

const (
	leastPause = time.Millisecond
	mostPause  = 200 * time.Millisecond
	pipeSize   = 1 << 20 // a process that prints more meanwhile would have to wait
	// A grandchild may keep the pipe open.
	afterEnd = 2 * time.Second
)

// newPatient returns a reader, and the file to which a process prints.
func newPatient() (p *patient, to *os.File, err error) {
	var fds [2]int
	if err := unix.Pipe2(fds[:], unix.O_CLOEXEC); err != nil {
		return nil, nil, os.NewSyscallError("pipe2", err)
	}
	p = &patient{fd: fds[0], ended: make(chan struct{}), pause: leastPause}
	to = os.NewFile(uintptr(fds[1]), "|1")
	unix.FcntlInt(uintptr(p.fd), unix.F_SETPIPE_SZ, pipeSize) // a smaller one will do
	if err := unix.SetNonblock(p.fd, true); err != nil {
		p.close()
		to.Close()
		return nil, nil, os.NewSyscallError("fcntl", err)
	}
	return p, to, nil
}

func (p *patient) close() { unix.Close(p.fd) }

// Read waits until there is something, or the process has ended.
func (p *patient) Read(b []byte) (int, error) {
	for {
		switch n, err := unix.Read(p.fd, b); {
		case n > 0:
			p.found += n
			return n, nil
		case err == nil:
			return 0, io.EOF
		case err == unix.EINTR:
		case err != unix.EAGAIN:
			return 0, os.NewSyscallError("read", err)
		case p.wait():
			return 0, io.EOF
		}
	}
}

// wait waits for the process to end, or for a pause: the longer the less it prints. It reports
// whether the process has ended and what it has started has had its time.
func (p *patient) wait() (over bool) {
	if !p.since.IsZero() {
		time.Sleep(10 * time.Millisecond)
		return time.Since(p.since) > afterEnd
	}
	if p.found > pipeSize/8 {
		p.pause = max(p.pause/4, leastPause)
	} else {
		p.pause = min(p.pause*3/2, mostPause)
	}
	p.found = 0
	timer := time.NewTimer(p.pause)
	defer timer.Stop()
	select {
	case <-p.ended:
		p.since = time.Now()
	case <-timer.C:
	}
	return false
}
