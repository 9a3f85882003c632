package verilator

/*
#cgo noescape cosim_run
#include <stdlib.h>
#include <string.h>
#include "guard.h"

static uintptr_t cosim_run_address(void) { return (uintptr_t)cosim_run; }
static uint32_t* cosim_counters(cosim_host* h) { return h->api->counters(h->model); }
*/
import "C"

import (
	"context"
	"errors"
	"fmt"
	"runtime/cgo"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/internal/fst"
	"github.com/cosimate/cosimate/bridge/internal/warnings"
	"github.com/cosimate/cosimate/bridge/verilator/internal/fastcall"
)

// instance is a model in this process.
type instance struct {
	layout *bridge.Layout
	host   *C.cosim_host // in C's memory: the model writes to it
	m      *Model
	stack  *fastcall.Stack
	pace   pace
	opts   bridge.Options
	handle cgo.Handle

	messages []bridge.Message
	open     bool              // the last message is a line of $write that has not ended
	scopes   map[string]string // instances by the %m of a scope in them
	err      error
	closed   bool

	simulator time.Duration // Spent.Simulator at Close

	unanswered error // of the question that ended the run
}

var catchCrashes = sync.OnceFunc(func() { C.cosim_catch_crashes() })

var runAddress = uintptr(C.cosim_run_address())

func start(m *Model, opts bridge.Options) (*instance, error) {
	api, err := load(m.library)
	if err != nil {
		return nil, err
	}
	catchCrashes()
	if err := waveable(m, opts.Wave.Path); err != nil {
		return nil, err
	}
	stack, err := fastcall.NewStack()
	if err != nil {
		return nil, err
	}
	v := &instance{m: m, layout: m.layout, stack: stack, opts: opts, scopes: map[string]string{}, messages: warnings.New("verilator", m.warnings)}
	v.handle = cgo.NewHandle(v)
	v.host = (*C.cosim_host)(C.calloc(1, C.sizeof_cosim_host))
	v.host.api = api
	v.host.handle = C.uintptr_t(v.handle)
	n := len(m.clocks)
	times := unsafe.Slice((*C.uint64_t)(C.calloc(C.size_t(2*n), 8)), 2*n)
	defer C.free(unsafe.Pointer(&times[0]))
	for i, c := range m.clocks {
		period, phase := c.Picoseconds()
		times[i], times[n+i] = C.uint64_t(period)*1000, C.uint64_t(phase)*1000
	}
	options := C.cosim_options{seed: C.uint64_t(opts.Seed), periods: &times[0], phases: &times[n]}
	if opts.OnEvent != nil {
		options.events = 1
	}
	options.timeout = C.uint64_t(opts.HangTimeout())
	if opts.Timed {
		options.timed = 1
	}
	options.wave = C.CString(opts.Wave.Path)
	defer C.free(unsafe.Pointer(options.wave))
	options.wave_from, options.wave_to = C.uint64_t(opts.Wave.From), C.uint64_t(opts.Wave.To)
	why := C.cosim_start(v.host, &options)
	v.collect()
	if why != C.COSIM_RAN {
		err := v.failed(int32(why))
		v.Close()
		return nil, err
	}
	return v, nil
}

// waveable returns an error if a waveform is wanted that cannot be written.
func waveable(m *Model, path string) error {
	if path == "" {
		return nil
	}
	if !m.wave {
		return fmt.Errorf("verilator: module %s cannot record %s: the model was built without waves: set BuildOptions.Wave", m.design.Top, path)
	}
	if err := fst.Writable(path); err != nil { // Verilator would not report it
		return fmt.Errorf("verilator: a waveform of %s: %w", m.design.Top, err)
	}
	return nil
}

func (v *instance) Layout() *bridge.Layout { return v.layout }

func (v *instance) Run(ctx context.Context, rows *bridge.Rows, n int) (int, error) {
	if !v.ready(rows, n) || ctx.Err() != nil {
		return 0, v.refuse(ctx, rows, n)
	}
	done := 0
	for done < n {
		in, out := v.row(rows, done)
		var why int32
		k, quick := v.pace.next(n - done)
		if quick {
			why = v.stack.Call(runAddress, uintptr(unsafe.Pointer(v.host)), in, out, int64(k))
		} else {
			why = v.play(in, out, k)
		}
		v.collect()
		switch why {
		case C.COSIM_RAN:
			done += k
		case C.COSIM_MISFIT:
			done += int(v.host.end.rows)
			return done, v.misfit(rows, done)
		default:
			v.err = v.failed(why)
			return done + int(v.host.end.rows), v.err
		}
	}
	return n, nil
}

// row returns where row i lies in memory.
func (v *instance) row(rows *bridge.Rows, i int) (in, out *byte) {
	in = (*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(rows.In)), i*v.layout.InSize))
	out = (*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(rows.Out)), i*v.layout.OutSize))
	return in, out
}

// misfit returns the error for a row that has a value its port cannot hold.
func (v *instance) misfit(rows *bridge.Rows, row int) error {
	_, e := v.layout.Fitting(rows.In[row*v.layout.InSize:], 1)
	e.Simulator, e.Top, e.Row = "verilator", v.m.design.Top, row
	return e
}

// play plays n rows by a call through cgo.
func (v *instance) play(in, out *byte, n int) (why int32) {
	if v.opts.OnAsk != nil {
		return int32(C.cosim_run_asking(v.host, (*C.uint8_t)(in), (*C.uint8_t)(out), C.int64_t(n)))
	}
	start := time.Now()
	why = int32(C.cosim_run(v.host, (*C.uint8_t)(in), (*C.uint8_t)(out), C.int64_t(n)))
	// A model that could hang is never called without cgo, for the Go runtime would have to wait.
	if !v.m.loops {
		v.pace.took(n, time.Since(start))
	}
	return why
}

// pace estimates how many rows a model plays within quickTime. It is measured in calls through cgo.
type pace struct {
	rows  int // 0 if it is not known yet
	calls int // how many calls without cgo there are until it is measured again
}

const (
	// quickTime is how long a call without cgo may last, during which the Go runtime may have to
	// wait. It must be much longer than what cgo costs: if a call through cgo lasts for 20 us, the
	// runtime wakes another thread to continue meanwhile, which takes some 3 % of a tape's time.
	quickTime = 50 * time.Microsecond
	// quickCalls is how many calls without cgo there are between two measurements.
	quickCalls = 1000
)

// next returns how many of n rows to play in the next call, and whether to make it without cgo.
func (p *pace) next(n int) (rows int, quick bool) {
	if p.rows == 0 || !fastcall.Possible {
		return n, false
	}
	p.calls--
	return min(n, p.rows), p.calls > 0
}

// took notes that n rows took a time.
func (p *pace) took(n int, t time.Duration) {
	p.rows, p.calls = int(quickTime*time.Duration(n)/max(t, 1)), quickCalls
}

func (v *instance) Settle(ctx context.Context, rows *bridge.Rows) error {
	if !v.ready(rows, 1) || ctx.Err() != nil {
		return v.refuse(ctx, rows, 1)
	}
	in, out := (*C.uint8_t)(unsafe.SliceData(rows.In)), (*C.uint8_t)(unsafe.SliceData(rows.Out))
	why := C.cosim_settle(v.host, in, out)
	v.collect()
	switch why {
	case C.COSIM_RAN:
	case C.COSIM_MISFIT:
		return v.misfit(rows, 0)
	default:
		v.err = v.failed(int32(why))
	}
	return v.err
}

// ready reports whether a run of n rows is possible.
func (v *instance) ready(rows *bridge.Rows, n int) bool {
	return v.err == nil && n >= 0 && len(rows.In) >= n*v.layout.InSize && len(rows.Out) >= n*v.layout.OutSize
}

// refuse returns the error for a run that cannot begin.
func (v *instance) refuse(ctx context.Context, rows *bridge.Rows, n int) error {
	if v.err == nil && ctx.Err() == nil {
		return fmt.Errorf("verilator: a run of %d cycles with %d bytes of inputs and %d of outputs, where a row has %d and %d",
			n, len(rows.In), len(rows.Out), v.layout.InSize, v.layout.OutSize)
	}
	if v.err == nil {
		v.err = context.Cause(ctx)
	}
	return v.err
}

// failed makes an error of what the shim noted and what the model printed.
func (v *instance) failed(why int32) error {
	if why == C.COSIM_UNANSWERED {
		return v.unanswered
	}
	dead := func(reason string) error {
		return &bridge.DeadError{Simulator: "verilator", Top: v.m.design.Top, Cycle: uint64(v.host.end.cycle), Output: v.lastOutput(), Reason: reason}
	}
	switch why {
	case C.COSIM_CRASHED:
		place := C.cosim_place(v.host.pc)
		defer C.free(unsafe.Pointer(place))
		what := unix.SignalName(syscall.Signal(v.host.signal))
		full := fst.Kills(syscall.Signal(v.host.signal))
		if full {
			what = fst.Full + ": " + what
		}
		if v.host.stack_full != 0 {
			what = "its stack is full (a recursion without end, a large local array?): " + what
		}
		err := dead(fmt.Sprintf("the model crashed: %s at address %#x in %s,", what, uintptr(v.host.address), C.GoString(place)))
		if full && v.opts.Wave.Path != "" {
			err = fmt.Errorf("%w\nhint: %s", err, fst.Hint())
		}
		return err
	case C.COSIM_HUNG:
		return dead(fmt.Sprintf("the model hung: an evaluation was not finished in %v; the loops of the design are %s;", v.opts.HangTimeout(), loopPlaces(&v.m.design)))
	case C.COSIM_FLOOD:
		return dead(fmt.Sprintf("the model printed more than %d MiB of errors in one run", C.COSIM_MAX_ERRORS>>20))
	case C.COSIM_ERROR:
		message := C.GoString(&v.host.end.message[0])
		// Its place is that of the top module, which helps nobody.
		if f := v.m.feedback; len(f) > 0 && strings.Contains(message, "did not converge") {
			message = fmt.Sprintf("%s (logic that depends on itself: %s)", message, strings.Join(f[:min(len(f), 5)], ", "))
		}
		return dead(fmt.Sprintf("Verilator reports %s:%d: %s,", C.GoString(&v.host.end.file[0]), v.host.end.line, message))
	}
	e := &bridge.StopError{Simulator: "verilator", Top: v.m.design.Top, Cycle: uint64(v.host.end.cycle), Message: C.GoString(&v.host.end.message[0])}
	if file := C.GoString(&v.host.end.file[0]); file != "" {
		e.Where = fmt.Sprintf("%s:%d", file, v.host.end.line)
	}
	switch v.host.end.why {
	case C.COSIM_FINISH:
		e.Task = "$finish"
	case C.COSIM_STOP:
		e.Task = "$stop"
	case C.COSIM_FATAL:
		e.Task = "$fatal"
		if n := len(v.messages); n > 0 { // $fatal prints before it ends the simulation
			v.messages[n-1].Severity = bridge.Fatal
			e.Message = v.messages[n-1].Text
		}
	}
	return e
}

// lastOutput returns the last messages of the model.
func (v *instance) lastOutput() string {
	var lines []string
	for _, m := range v.messages[max(len(v.messages)-10, 0):] {
		lines = append(lines, m.Text)
	}
	return strings.Join(lines, "\n")
}

// collect reads the records that the model has made since the last call.
func (v *instance) collect() {
	if v.host.end.records != 0 {
		v.read()
	}
}

func (v *instance) Messages() []bridge.Message {
	m := v.messages
	if m != nil {
		v.messages, v.open = nil, false
	}
	return m
}

func (v *instance) Coverage() ([]byte, error) {
	if !v.m.coverage {
		return nil, fmt.Errorf("verilator: the model of module %s was built without coverage: set BuildOptions.Coverage", v.m.design.Top)
	}
	if v.closed {
		return nil, v.err
	}
	text := C.cosim_coverage(v.host)
	if text == nil {
		return nil, fmt.Errorf("verilator: module %s: its coverage could not be written to memory", v.m.design.Top)
	}
	return C.GoBytes(unsafe.Pointer(text), C.int(C.strlen(text))), nil
}

func (v *instance) Counters() []uint32 {
	if v.m.counters == 0 || v.closed {
		return nil
	}
	return unsafe.Slice((*uint32)(C.cosim_counters(v.host)), v.m.counters)
}

func (v *instance) Close() error {
	if v.closed {
		return nil
	}
	var err error
	if v.host.model != nil {
		why := int32(C.cosim_finish(v.host))
		v.collect()
		if why != C.COSIM_RAN && why != C.COSIM_FINISH {
			err = v.failed(why)
		}
		C.cosim_destroy(v.host)
	}
	_, dead := errors.AsType[*bridge.DeadError](errors.Join(v.err, err))
	// After other kinds of crash an incomplete waveform stays, which may be of use.
	if v.opts.Wave.Path != "" && (!dead || fst.Kills(syscall.Signal(v.host.signal))) {
		if e := fst.Complete(v.opts.Wave.Path); e != nil {
			err = errors.Join(err, fmt.Errorf("verilator: the waveform of %s: %w", v.m.design.Top, e))
		}
	}
	v.closed = true
	v.simulator = time.Duration(v.host.end.simulator)
	if v.err == nil {
		v.err = errors.New("verilator: the instance is closed")
	}
	C.free(unsafe.Pointer(v.host))
	v.handle.Delete()
	return errors.Join(err, v.stack.Close())
}
