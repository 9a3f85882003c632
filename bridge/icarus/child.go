package icarus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/internal/build"
)

// header is cosim_header of shared.h.
type header struct {
	magic   uint32
	request atomic.Uint32
	reply   atomic.Uint32
	command uint32
	rows    int64
	sampled atomic.Int64
	why     uint32
	failed  uint32
	ports   uint32
	spin    uint32
	inSize  uint32
	outSize uint32
	tableAt uint64
	inAt    uint64
	outAt   uint64
	unkAt   uint64
	message [256]byte
}

// portEntry is cosim_port of shared.h.
type portEntry struct {
	name   [224]byte
	kind   uint32
	width  uint32
	offset uint32
	size   uint32
	signed uint32
	_      uint32
	period uint64 // of a clock, in fs
	phase  uint64
}

const (
	magic      = 0x434f5349
	headerSize = 4096

	commandRun    = 1
	commandQuit   = 2
	commandSettle = 3

	kindInput  = 0
	kindOutput = 1
	kindClock  = 2

	ranToEnd = 0
)

// How long each side spins for the other before it sleeps. A handshake through
// the kernel costs about 10 µs; with as many simulators as cores, spinning
// longer than that takes the core from the one that is waited for.
const (
	childSpins = 2000
	hostSpins  = 200
)

// poll is how often a waiting host looks at ctx and the clock, should no wake-up
// come.
const poll = 100 * time.Millisecond

// instance is a vvp process.
type instance struct {
	top     string
	layout  *bridge.Layout
	timeout time.Duration
	memory  []byte // shared with the child
	rows    int    // that fit into it
	in      []byte // in memory, as are these
	out     []byte
	unknown []byte
	spans   []span // of a row that are outputs
	header  *header
	cmd     *exec.Cmd
	output  *output
	exited  chan struct{} // closed when the process is gone
	woken   chan struct{} // closed when nobody needs the memory any more to tell of it
	state   atomic.Pointer[os.ProcessState]

	cycle    uint64
	messages []bridge.Message
	err      error
	closed   bool
}

func start(m *Model, opts bridge.Options) (_ *instance, err error) {
	l := m.layout
	rows := bridge.MaxRows(l)
	nports := len(l.Inputs) + len(l.Outputs) + len(m.clocks)
	align := func(n int) int { return (n + 63) &^ 63 }
	tableAt := headerSize
	inAt := align(tableAt + nports*int(unsafe.Sizeof(portEntry{})))
	outAt := align(inAt + rows*l.InSize)
	unknownAt := align(outAt + rows*l.OutSize)
	total := align(unknownAt + rows*l.OutSize)

	fd, err := unix.MemfdCreate("cosimate", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("icarus: shared memory: %w", err)
	}
	file := os.NewFile(uintptr(fd), "cosimate")
	defer file.Close()
	if err := file.Truncate(int64(total)); err != nil {
		return nil, fmt.Errorf("icarus: shared memory of %d bytes: %w", total, err)
	}
	memory, err := unix.Mmap(fd, 0, total, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("icarus: shared memory of %d bytes: %w", total, err)
	}
	c := &instance{
		top: m.design.Top, layout: l, timeout: opts.HangTimeout(), memory: memory,
		header: (*header)(unsafe.Pointer(&memory[0])),
		rows:   rows,
		in:     memory[inAt : inAt+rows*l.InSize],
		out:    memory[outAt : outAt+rows*l.OutSize], unknown: memory[unknownAt : unknownAt+rows*l.OutSize],
		spans:  spans(l.Outputs),
		exited: make(chan struct{}), woken: make(chan struct{}),
	}
	h := c.header
	h.magic = magic
	h.ports = uint32(nports)
	h.spin = childSpins
	h.inSize, h.outSize = uint32(l.InSize), uint32(l.OutSize)
	h.tableAt, h.inAt, h.outAt, h.unkAt = uint64(tableAt), uint64(inAt), uint64(outAt), uint64(unknownAt)
	table := unsafe.Slice((*portEntry)(unsafe.Pointer(&memory[tableAt])), nports)
	add := func(p bridge.Port, kind uint32) error {
		e := &table[0]
		table = table[1:]
		name := c.top + "." + p.Name
		if p.Name == "" { // a clock without a port
			name = ""
		}
		if len(name) >= len(e.name) {
			return fmt.Errorf("icarus: the name %s is longer than %d bytes", name, len(e.name)-1)
		}
		copy(e.name[:], name)
		e.kind, e.width, e.offset, e.size = kind, uint32(p.Width), uint32(p.Offset), uint32(p.Size)
		if p.Signed {
			e.signed = 1
		}
		return nil
	}
	for _, p := range l.Inputs {
		err = errors.Join(err, add(p, kindInput))
	}
	for _, p := range l.Outputs {
		err = errors.Join(err, add(p, kindOutput))
	}
	for _, k := range m.clocks {
		table[0].period, table[0].phase = uint64(k.Period.Nanoseconds())*1e6, uint64(k.Phase.Nanoseconds())*1e6
		err = errors.Join(err, add(bridge.Port{Name: k.Port, Width: 1}, kindClock))
	}
	if err != nil {
		unix.Munmap(memory)
		return nil, err
	}

	c.output, err = newOutput()
	if err != nil {
		unix.Munmap(memory)
		return nil, err
	}
	// -n: $stop ends the simulation instead of asking what to do.
	c.cmd = exec.Command(m.vvp, "-n", "-M", m.module, "-m", "cosim", m.program, "+cosim-fd=3")
	c.cmd.Dir = filepath.Dir(m.program)
	c.cmd.ExtraFiles = []*os.File{file}
	c.cmd.Stdout, c.cmd.Stderr = c.output.file, c.output.file
	// A process group of its own, so that Ctrl-C reaches it through us only; and
	// the kernel kills it when we die, however we die.
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := build.Start(c.cmd); err != nil {
		unix.Munmap(memory)
		c.output.file.Close()
		return nil, fmt.Errorf("icarus: starting vvp: %w", err)
	}
	go func() {
		c.cmd.Wait()
		c.state.Store(c.cmd.ProcessState)
		close(c.exited)
		futexWake(&h.reply) // a host that waits looks at exited
		close(c.woken)
	}()
	return c, nil
}

func (c *instance) Layout() *bridge.Layout { return c.layout }

// Run copies the rows through the shared memory, in pieces that fit.
func (c *instance) Run(ctx context.Context, rows bridge.Rows, n int) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	if err := c.check(rows, n); err != nil {
		return 0, err
	}
	for done := 0; done < n; {
		if ctx.Err() != nil { // short runs one after another would never see it below
			c.kill()
			c.err = context.Cause(ctx)
			return done, c.err
		}
		k := min(n-done, c.rows)
		copy(c.in, rows.In[done*c.layout.InSize:(done+k)*c.layout.InSize])
		c.header.rows = int64(k)
		err := c.command(ctx, commandRun)
		if err != nil {
			k = min(max(int(c.header.sampled.Load()), 0), k)
		}
		c.copyOut(rows, done, k)
		done += k
		if err != nil {
			c.err = err
			return done, err
		}
		c.cycle += uint64(k)
	}
	return n, nil
}

func (c *instance) Settle(ctx context.Context, rows bridge.Rows) error {
	if c.err != nil {
		return c.err
	}
	if err := c.check(rows, 1); err != nil {
		return err
	}
	if ctx.Err() != nil {
		c.kill()
		c.err = context.Cause(ctx)
		return c.err
	}
	copy(c.in, rows.In[:c.layout.InSize])
	if c.err = c.command(ctx, commandSettle); c.err == nil {
		c.copyOut(rows, 0, 1)
	}
	return c.err
}

// check refuses rows that are too short.
func (c *instance) check(rows bridge.Rows, n int) error {
	l := c.layout
	if n < 0 || len(rows.In) < n*l.InSize || len(rows.Out) < n*l.OutSize || rows.Unknown != nil && len(rows.Unknown) < n*l.OutSize {
		return fmt.Errorf("icarus: a run of %d cycles of %s with %d, %d and %d bytes of inputs, outputs and unknowns: a row has %d, %d and %d",
			n, c.top, len(rows.In), len(rows.Out), len(rows.Unknown), l.InSize, l.OutSize, l.OutSize)
	}
	return nil
}

// copyOut copies k rows of outputs to the caller's, which begin at row from: only
// the bytes of outputs, for others may be something else's.
func (c *instance) copyOut(rows bridge.Rows, from, k int) {
	size := c.layout.OutSize
	copySpans(rows.Out[from*size:], c.out, size, k, c.spans)
	if rows.Unknown != nil {
		copySpans(rows.Unknown[from*size:], c.unknown, size, k, c.spans)
	}
}

// span is a part of a row.
type span struct{ from, to int }

// spans are the parts of a row that ports take, joined where they touch.
func spans(ports []bridge.Port) (all []span) {
	ports = slices.SortedFunc(slices.Values(ports), func(a, b bridge.Port) int { return a.Offset - b.Offset })
	for _, p := range ports {
		if n := len(all); n > 0 && all[n-1].to >= p.Offset {
			all[n-1].to = max(all[n-1].to, p.Offset+p.Size)
		} else {
			all = append(all, span{p.Offset, p.Offset + p.Size})
		}
	}
	return all
}

func copySpans(dst, src []byte, size, rows int, parts []span) {
	if len(parts) == 1 && parts[0] == (span{0, size}) {
		copy(dst, src[:rows*size])
		return
	}
	for at := 0; at < rows*size; at += size {
		for _, p := range parts {
			copy(dst[at+p.from:at+p.to], src[at+p.from:at+p.to])
		}
	}
}

var errNotYet = errors.New("icarus: not yet")

func (c *instance) Peek(name string) (bridge.Value, error)  { return bridge.Value{}, errNotYet }
func (c *instance) Poke(name string, v bridge.Value) error  { return errNotYet }
func (c *instance) Force(name string, v bridge.Value) error { return errNotYet }
func (c *instance) Release(name string) error               { return errNotYet }
func (c *instance) Coverage() ([]byte, error)               { return nil, errNotYet }
func (c *instance) Counters() []uint32                      { return nil }
func (c *instance) Spent() bridge.Spent                     { return bridge.Spent{} }

// command sends one command and waits for its end.
func (c *instance) command(ctx context.Context, command uint32) error {
	h := c.header
	h.command = command
	h.sampled.Store(0)
	before := h.reply.Load()
	h.request.Add(1)
	futexWake(&h.request)
	for range hostSpins {
		if h.reply.Load() != before {
			break
		}
		spinPause()
	}
	progress, since := int64(-1), time.Now()
	for h.reply.Load() == before {
		futexWait(&h.reply, before, poll)
		if h.reply.Load() != before {
			break
		}
		select {
		case <-c.exited:
			if h.reply.Load() == before {
				return c.dead(fmt.Sprintf("vvp died (%v)", c.state.Load()))
			}
		case <-ctx.Done():
			c.kill()
			return context.Cause(ctx)
		default:
			if c.output.size() > maxOutput {
				c.kill()
				return c.dead(fmt.Sprintf("vvp printed more than %d MiB in one run", maxOutput>>20))
			}
			if p := h.sampled.Load(); p != progress {
				progress, since = p, time.Now()
			} else if time.Since(since) > c.timeout {
				c.kill()
				return c.dead(fmt.Sprintf("vvp hung: no cycle was finished in %v (a loop without delay in the RTL?)", c.timeout))
			}
		}
	}
	if h.failed != 0 {
		<-c.exited
		return c.dead("the VPI module gave up: " + cString(h.message[:]))
	}
	if h.why != ranToEnd && command != commandQuit {
		<-c.exited // vvp is on its way out, and its output with it
		return c.stopError()
	}
	return nil
}

// kill ends the process and waits until it is gone.
func (c *instance) kill() {
	c.cmd.Process.Kill()
	<-c.exited
}

func (c *instance) dead(reason string) error {
	c.collect()
	return &bridge.DeadError{
		Simulator: "icarus", Top: c.top, Reason: reason, Output: c.output.tail(),
		Cycle: c.cycle + uint64(max(c.header.sampled.Load()-1, 0)),
	}
}

// How vvp prints the end: Icarus 11 and 13 agree.
var (
	fatalLine  = regexp.MustCompile(`^FATAL: (\S+:\d+): ?(.*)$`)
	finishLine = regexp.MustCompile(`^(\S+:\d+): \$(finish|stop) called at`)
)

func (c *instance) stopError() error {
	e := &bridge.StopError{Simulator: "icarus", Top: c.top, Cycle: c.cycle + uint64(max(c.header.sampled.Load()-1, 0))}
	c.collect()
	for line := range strings.Lines(c.output.tail()) {
		line = strings.TrimSpace(line)
		if m := fatalLine.FindStringSubmatch(line); m != nil {
			e.Task, e.Where, e.Message = "$fatal", m[1], m[2]
			break
		}
		if m := finishLine.FindStringSubmatch(line); m != nil {
			e.Task, e.Where = "$"+m[2], m[1]
		}
	}
	return e
}

// collect moves what vvp has printed to messages.
func (c *instance) collect() { c.messages = append(c.messages, c.output.messages(c.cycle)...) }

func (c *instance) Messages() []bridge.Message {
	if !c.closed {
		c.collect()
	}
	m := c.messages
	c.messages = nil
	return m
}

func (c *instance) Close() error {
	if c.closed {
		return nil
	}
	c.closed = true
	if c.err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		c.command(ctx, commandQuit) // whatever comes of it, the process ends below
		cancel()
		select {
		case <-c.exited:
		case <-time.After(5 * time.Second):
		}
		c.err = errors.New("icarus: the instance is closed")
	}
	c.kill()
	<-c.woken
	c.collect()
	c.output.file.Close()
	c.in, c.out, c.unknown, c.header = nil, nil, nil, nil
	return unix.Munmap(c.memory)
}

func cString(b []byte) string {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}

func futexWait(word *atomic.Uint32, value uint32, timeout time.Duration) {
	ts := unix.NsecToTimespec(timeout.Nanoseconds())
	unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexOpWait, uintptr(value), uintptr(unsafe.Pointer(&ts)), 0, 0)
}

func futexWake(word *atomic.Uint32) {
	unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexOpWake, 1, 0, 0, 0)
}

// Between processes: not FUTEX_PRIVATE.
const (
	futexOpWait = 0
	futexOpWake = 1
)

// spinPause lets a few nanoseconds pass without a system call.
func spinPause() {
	for range 16 {
		runtime.KeepAlive(nil)
	}
}
