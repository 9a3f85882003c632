package icarus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/internal/build"
	"github.com/cosimate/cosimate/bridge/internal/fst"
	"github.com/cosimate/cosimate/bridge/internal/signals"
	"github.com/cosimate/cosimate/bridge/internal/warnings"
)

// poll is how often a waiting host looks at ctx and the clock if nothing wakes it.
const poll = 100 * time.Millisecond

// instance is a vvp process.
type instance struct {
	*shared
	top      string
	program  string // the compiled model
	module   string // the folder of the VPI module
	design   *bridge.Design
	layout   *bridge.Layout
	memories map[string]signals.Ranges // of Design.Internals
	opts     bridge.Options
	spans    []span // of a row that are outputs
	cmd      *exec.Cmd
	output   *output
	exited   chan struct{} // closed when the process is gone
	woken    chan struct{} // closed after that, when the host was woken: see start
	state    atomic.Pointer[os.ProcessState]

	up      bool // vvp has given its first answer
	waiting bool // vvp waits for a command
	cycle   uint64
	spin    time.Duration // how long await spins before it sleeps
	waits   int           // calls of await
	spent   bridge.Spent
	err     error
	closed  bool
}

func start(m *Model, opts bridge.Options) (*instance, error) {
	s, file, err := newShared(m, opts)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	c := &instance{
		shared: s, top: m.design.Top, program: m.program, module: m.module, design: &m.design, layout: m.layout, memories: m.memories, opts: opts, spans: spans(m.layout.Outputs),
		exited: make(chan struct{}), woken: make(chan struct{}),
	}
	wave, err := waveArguments(m, s.header, opts.Wave)
	if err != nil {
		s.close()
		return nil, err
	}
	c.output, err = newOutput()
	if err != nil {
		s.close()
		return nil, err
	}
	c.output.messages = warnings.New("icarus", m.warnings)
	// -n: $stop ends the simulation instead of asking what to do.
	c.cmd = exec.Command(m.vvp, append([]string{"-n", "-M", m.module, "-m", "cosim", m.program, "+cosim-top=" + m.design.Top, "+cosim-fd=3"}, wave...)...)
	c.cmd.ExtraFiles = []*os.File{file}
	c.cmd.Stdout, c.cmd.Stderr = c.output.file, c.output.file
	// A process group of its own, so that Ctrl-C does not reach it but through this process. And
	// the kernel kills it when this process dies, however that happens.
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := build.Start(c.cmd); err != nil {
		s.close()
		c.output.file.Close()
		return nil, fmt.Errorf("icarus: starting vvp: %w", err)
	}
	reply := &c.header.reply
	go func() {
		c.cmd.Wait()
		c.state.Store(c.cmd.ProcessState)
		close(c.exited)
		futexWake(reply) // a host that waits looks at exited
		close(c.woken)   // from here on the memory of reply may be unmapped
	}()
	return c, nil
}

func (c *instance) Layout() *bridge.Layout { return c.layout }

// Run copies the rows through the shared memory, in pieces that fit.
func (c *instance) Run(ctx context.Context, rows *bridge.Rows, n int) (int, error) {
	if err := c.check(ctx, rows, n); err != nil {
		return 0, err
	}
	n, misfit := c.layout.Fitting(rows.In, n)
	for done := 0; done < n; {
		k := min(n-done, c.rows)
		began := c.now()
		copy(c.in, rows.In[done*c.layout.InSize:(done+k)*c.layout.InSize])
		c.header.rows = int64(k)
		c.err = c.command(ctx, commandRun)
		if c.err != nil {
			k = min(max(int(c.header.sampled.Load()), 0), k)
		}
		c.copyOut(rows, done, k)
		c.count(began)
		done += k
		if c.err != nil {
			return done, c.err
		}
		c.cycle += uint64(k)
	}
	if misfit != nil {
		misfit.Simulator, misfit.Top = "icarus", c.top
		return n, misfit
	}
	return n, nil
}

func (c *instance) Settle(ctx context.Context, rows *bridge.Rows) error {
	if err := c.check(ctx, rows, 1); err != nil {
		return err
	}
	if _, misfit := c.layout.Fitting(rows.In, 1); misfit != nil {
		misfit.Simulator, misfit.Top = "icarus", c.top
		return misfit
	}
	began := c.now()
	copy(c.in, rows.In[:c.layout.InSize])
	if c.err = c.command(ctx, commandSettle); c.err == nil {
		c.copyOut(rows, 0, 1)
	}
	c.count(began)
	return c.err
}

// check refuses runs after the end, and rows that are too short.
func (c *instance) check(ctx context.Context, rows *bridge.Rows, n int) error {
	if c.err != nil {
		return c.err
	}
	l := c.layout
	if n < 0 || len(rows.In) < n*l.InSize || len(rows.Out) < n*l.OutSize || rows.Unknown != nil && len(rows.Unknown) < n*l.OutSize {
		return fmt.Errorf("icarus: a run of %d cycles of %s with %d, %d and %d bytes of inputs, outputs and unknowns: a row has %d, %d and %d",
			n, c.top, len(rows.In), len(rows.Out), len(rows.Unknown), l.InSize, l.OutSize, l.OutSize)
	}
	if ctx.Err() != nil { // short runs one after another would not see it while they wait
		c.end()
		c.err = context.Cause(ctx)
	}
	return c.err
}

// copyOut copies k rows of outputs to the caller's rows from row from on. It copies the bytes of
// outputs only: what lies between them in the caller's rows may be in use for something else.
func (c *instance) copyOut(rows *bridge.Rows, from, k int) {
	size := c.layout.OutSize
	copySpans(rows.Out[from*size:], c.out, size, k, c.spans)
	if rows.Unknown != nil {
		copySpans(rows.Unknown[from*size:], c.unknown, size, k, c.spans)
	}
}

// now returns the time, or the zero time if nothing is counted.
func (c *instance) now() time.Time {
	if !c.opts.Timed {
		return time.Time{}
	}
	return time.Now()
}

// count adds the time since began to Spent. While the child was busy, it is the simulator's; the
// rest is the bridge's.
func (c *instance) count(began time.Time) {
	if began.IsZero() {
		return
	}
	simulator := time.Duration(c.header.busy.Load()) // since the start
	c.spent.Bridge += max(time.Since(began)-(simulator-c.spent.Simulator), 0)
	c.spent.Simulator = simulator
}

func (c *instance) Spent() bridge.Spent { return c.spent }

func (c *instance) Coverage() ([]byte, error) {
	return nil, fmt.Errorf("icarus: it has no code coverage (module %s): measure it with Verilator", c.top)
}

func (c *instance) Counters() []uint32 { return nil }

// command sends one command and waits for its end. Events and questions that come before the end
// are given to the handlers.
func (c *instance) command(ctx context.Context, command uint32) error {
	if err := c.started(ctx); err != nil {
		return err
	}
	h := c.header
	h.first = c.cycle
	h.sampled.Store(0)
	before := h.reply.Load()
	c.send(command)
	return c.serve(ctx, before)
}

// started waits for vvp's first answer, which it gives when it has settled at time 0.
func (c *instance) started(ctx context.Context) error {
	if c.up {
		return nil
	}
	if err := c.serve(ctx, 0); err != nil {
		c.err = err
		return err
	}
	c.up = true
	return nil
}

func (c *instance) send(command uint32) {
	c.waiting = false
	c.header.command = command
	c.header.request.Add(1)
	futexWake(&c.header.request)
}

// serve waits for answers until one says that the command is done.
func (c *instance) serve(ctx context.Context, before uint32) error {
	for {
		if err := c.await(ctx, before); err != nil {
			return err
		}
		if ctx.Err() != nil {
			c.end()
			return context.Cause(ctx)
		}
		before = c.header.reply.Load()
		c.waiting = true
		why := c.header.why.Load()
		asked, err := c.events(why == whyAsks)
		if err != nil {
			c.end()
			return err
		}
		switch why {
		case whyDone:
			return nil
		case whyEvents:
		case whyAsks:
			if err := c.ask(asked); err != nil {
				c.end()
				return err
			}
		case whyRefused:
			return refusal(cString(c.header.message[:]))
		case whyEnded:
			c.gone()
			return c.stopError()
		case whyFailed:
			c.gone()
			return c.dead("the VPI module gave up: " + cString(c.header.message[:]))
		default:
			return c.corrupt(fmt.Sprintf("an answer of the unknown kind %d", why))
		}
		c.send(commandGoOn)
	}
}

// await waits for the next answer. It spins for a while before it sleeps. Each time that the
// answer does not come while it spins, it spins for half as long from then on. Every 64 calls it
// begins with the longest time again.
func (c *instance) await(ctx context.Context, before uint32) error {
	h := c.header
	if c.waits%64 == 0 {
		c.spin = hostSpin
	}
	c.waits++
	for began := time.Now(); h.reply.Load() == before; {
		for range 100 {
			if h.reply.Load() != before {
				return nil
			}
		}
		if time.Since(began) > c.spin {
			c.spin /= 2
			break
		}
	}
	if c.opts.Timed {
		began := time.Now()
		defer func() { c.spent.Waiting += time.Since(began) }()
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
				return c.died()
			}
		case <-ctx.Done():
			c.end()
			return context.Cause(ctx)
		default:
			if c.output.size() > maxOutput {
				c.kill()
				return c.dead(fmt.Sprintf("vvp printed more than %d MiB in one run", maxOutput>>20))
			}
			if p := h.sampled.Load(); p != progress {
				progress, since = p, time.Now()
			} else if time.Since(since) > c.opts.HangTimeout() {
				return c.hung()
			}
		}
	}
	return nil
}

// gone waits for the end of a vvp that is about to end, after which its output is complete.
func (c *instance) gone() {
	select {
	case <-c.exited:
	case <-time.After(c.opts.HangTimeout()):
		c.kill()
	}
}

// kill ends the process and waits until it is gone.
func (c *instance) kill() {
	c.cmd.Process.Kill()
	<-c.exited
}

// end ends the process. If it records a waveform, it is given the time to complete it.
func (c *instance) end() {
	if c.opts.Wave.Path != "" {
		if c.waiting {
			c.send(commandQuit)
		} else {
			// By this vvp ends the simulation, out of most loops, too.
			c.cmd.Process.Signal(syscall.SIGTERM)
		}
		select {
		case <-c.exited:
		case <-time.After(2 * time.Second):
		}
	}
	c.kill()
}

// corrupt kills a child that has written what cannot be, and returns the error that says so.
func (c *instance) corrupt(what string) error {
	c.kill()
	return c.dead("vvp wrote " + what + " into the shared memory (a crash in the making?)")
}

// died returns the error for a process that has ended by itself.
func (c *instance) died() error {
	reason, hint := fmt.Sprintf("vvp died (%v)", c.state.Load()), ""
	switch {
	case c.full():
		reason += ": " + fst.Full + ","
		if c.opts.Wave.Path != "" {
			hint = fst.Hint()
		}
	case !c.up && c.state.Load().Exited():
		hint = build.Unusable(filepath.Dir(c.program), c.module)
	}
	err := c.dead(reason)
	if hint != "" {
		err = fmt.Errorf("%w\nhint: %s", err, hint)
	}
	return err
}

// full reports whether the process, which has ended, was killed because it could not write a file.
func (c *instance) full() bool {
	status, ok := c.state.Load().Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && fst.Kills(status.Signal())
}

func (c *instance) dead(reason string) error {
	c.output.collect(c.last())
	return &bridge.DeadError{Simulator: "icarus", Top: c.top, Reason: reason, Output: c.output.tail(), Cycle: c.last()}
}

// last returns the cycle that the simulation has come to.
func (c *instance) last() uint64 {
	return min(max(c.header.cycle.Load(), c.cycle), c.cycle+uint64(c.rows))
}

func (c *instance) stopError() error {
	e := &bridge.StopError{Simulator: "icarus", Top: c.top, Cycle: c.last()}
	c.output.collect(e.Cycle)
	if end := c.output.end; end != nil {
		e.Task, e.Where, e.Message = end.task, end.where, end.message
	}
	return e
}

func (c *instance) Messages() []bridge.Message {
	if !c.closed {
		c.output.collect(c.cycle)
	}
	return c.output.take()
}

func (c *instance) Close() error {
	if c.closed {
		return nil
	}
	c.closed = true
	var err error
	if c.err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		err = c.quit(ctx)
		cancel()
		c.err = errors.New("icarus: the instance is closed")
	}
	c.kill()
	<-c.woken
	c.output.collect(c.cycle)
	c.output.close()
	if w := c.opts.Wave.Path; w != "" && (c.state.Load().Exited() || c.full()) {
		if e := fst.Complete(w); e != nil {
			err = errors.Join(err, fmt.Errorf("icarus: the waveform of %s: %w", c.top, e))
		}
	}
	return errors.Join(err, c.shared.close())
}

// quit asks vvp to end by itself, which runs the final blocks. Its caller kills the process
// afterwards in any case.
func (c *instance) quit(ctx context.Context) error {
	if c.started(ctx) != nil {
		return nil
	}
	c.send(commandQuit)
	select {
	case <-c.exited:
	case <-ctx.Done():
		c.kill()
		return c.dead("vvp did not end when it was told to (does a final block hang, or ask Go?)")
	}
	c.output.collect(c.cycle)
	if end := c.output.end; end != nil && end.task != "$finish" {
		return c.stopError()
	}
	return nil
}

func cString(b []byte) string {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return strings.ToValidUTF8(string(b), "?")
}

// unsigned reads a number in a record of vvp's output.
func unsigned(s string) (uint64, bool) {
	n, err := strconv.ParseUint(s, 10, 64)
	return n, err == nil
}
