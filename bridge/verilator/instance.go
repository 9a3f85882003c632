package verilator

/*
#cgo noescape cosim_run
#cgo nocallback cosim_run
#cgo noescape cosim_settle
#cgo nocallback cosim_settle
#include <stdlib.h>
#include "api.h"

static cosim_model* cosim_create(const cosim_api_t* api, const cosim_options* options, cosim_end* end) {
	return api->create(options, end);
}
static int32_t cosim_run(const cosim_api_t* api, cosim_model* m, const uint8_t* in, uint8_t* out, int64_t n) {
	return api->run(m, in, out, n);
}
static int32_t cosim_settle(const cosim_api_t* api, cosim_model* m, const uint8_t* in, uint8_t* out) {
	return api->settle(m, in, out);
}
static const char* cosim_records(const cosim_api_t* api, cosim_model* m) { return api->records(m); }
static void cosim_clear(const cosim_api_t* api, cosim_model* m) { api->clear(m); }
static void cosim_destroy(const cosim_api_t* api, cosim_model* m) { api->destroy(m); }
*/
import "C"

import (
	"context"
	"errors"
	"fmt"
	"unsafe"

	"github.com/cosimate/cosimate/bridge"
)

// instance is a model in this process.
type instance struct {
	layout *bridge.Layout
	api    *C.cosim_api_t
	model  *C.cosim_model
	end    *C.cosim_end // in C's memory: the model writes to it
	m      *Model

	cycle    uint64
	messages []bridge.Message
	err      error
	closed   bool
	open     bool // the last message is a line of $write that has not ended
}

func start(m *Model, opts bridge.Options) (*instance, error) {
	api, err := load(m.library)
	if err != nil {
		return nil, err
	}
	v := &instance{m: m, layout: m.layout, api: api}
	v.end = (*C.cosim_end)(C.calloc(1, C.sizeof_cosim_end))
	n := len(m.clocks)
	times := unsafe.Slice((*C.uint64_t)(C.calloc(C.size_t(2*n), 8)), 2*n)
	defer C.free(unsafe.Pointer(&times[0]))
	for i, c := range m.clocks {
		times[i], times[n+i] = C.uint64_t(c.Period.Nanoseconds())*1e6, C.uint64_t(c.Phase.Nanoseconds())*1e6
	}
	options := C.cosim_options{seed: C.uint64_t(opts.Seed), periods: &times[0], phases: &times[n]}
	v.model = C.cosim_create(api, &options, v.end)
	if v.end.why != C.COSIM_RAN {
		err := v.failed()
		v.Close()
		return nil, err
	}
	return v, nil
}

func (v *instance) Layout() *bridge.Layout { return v.layout }

func (v *instance) Run(ctx context.Context, rows bridge.Rows, n int) (int, error) {
	if err := v.ready(ctx, rows, n); err != nil {
		return 0, err
	}
	in, out := (*C.uint8_t)(unsafe.SliceData(rows.In)), (*C.uint8_t)(unsafe.SliceData(rows.Out))
	if C.cosim_run(v.api, v.model, in, out, C.int64_t(n)) == C.COSIM_RAN {
		v.cycle += uint64(n)
		return n, nil
	}
	n = int(v.end.rows)
	v.cycle += uint64(max(n-1, 0))
	v.err = v.failed()
	return n, v.err
}

func (v *instance) Settle(ctx context.Context, rows bridge.Rows) error {
	if err := v.ready(ctx, rows, 1); err != nil {
		return err
	}
	in, out := (*C.uint8_t)(unsafe.SliceData(rows.In)), (*C.uint8_t)(unsafe.SliceData(rows.Out))
	if C.cosim_settle(v.api, v.model, in, out) != C.COSIM_RAN {
		v.err = v.failed()
	}
	return v.err
}

// ready tells whether a run of n rows can begin.
func (v *instance) ready(ctx context.Context, rows bridge.Rows, n int) error {
	if v.err != nil {
		return v.err
	}
	if n < 0 || len(rows.In) < n*v.layout.InSize || len(rows.Out) < n*v.layout.OutSize {
		return fmt.Errorf("verilator: a run of %d cycles with %d bytes of inputs and %d of outputs, where a row has %d and %d",
			n, len(rows.In), len(rows.Out), v.layout.InSize, v.layout.OutSize)
	}
	if ctx.Err() != nil {
		v.err = context.Cause(ctx)
	}
	return v.err
}

// failed makes an error of what the shim noted and what the model printed.
func (v *instance) failed() error {
	v.collect()
	e := &bridge.StopError{Simulator: "verilator", Top: v.m.design.Top, Cycle: v.cycle, Message: C.GoString(&v.end.message[0])}
	if file := C.GoString(&v.end.file[0]); file != "" {
		e.Where = fmt.Sprintf("%s:%d", file, v.end.line)
	}
	switch v.end.why {
	case C.COSIM_FINISH:
		e.Task = "$finish"
	case C.COSIM_STOP:
		e.Task = "$stop"
	case C.COSIM_FATAL:
		e.Task = "$fatal"
		if n := len(v.messages); n > 0 { // it prints before it stops
			v.messages[n-1].Severity = bridge.Fatal
			e.Message = v.messages[n-1].Text
		}
	}
	return e
}

// collect moves what the model has printed to messages.
func (v *instance) collect() {
	if v.model == nil || v.end.records == 0 {
		return
	}
	v.read(C.GoBytes(unsafe.Pointer(C.cosim_records(v.api, v.model)), C.int(v.end.records)))
	C.cosim_clear(v.api, v.model)
}

func (v *instance) Messages() []bridge.Message {
	v.collect()
	m := v.messages
	v.messages, v.open = nil, false
	return m
}

var errNotYet = errors.New("verilator: not yet")

func (v *instance) Peek(name string) (bridge.Value, error)  { return bridge.Value{}, errNotYet }
func (v *instance) Poke(name string, x bridge.Value) error  { return errNotYet }
func (v *instance) Force(name string, x bridge.Value) error { return errNotYet }
func (v *instance) Release(name string) error               { return errNotYet }
func (v *instance) Coverage() ([]byte, error)               { return nil, errNotYet }
func (v *instance) Counters() []uint32                      { return nil }
func (v *instance) Spent() bridge.Spent                     { return bridge.Spent{} }

func (v *instance) Close() error {
	if v.closed {
		return nil
	}
	v.closed = true
	if v.err == nil {
		v.err = errors.New("verilator: the instance is closed")
	}
	v.collect()
	if v.model != nil {
		C.cosim_destroy(v.api, v.model)
		v.model = nil
	}
	C.free(unsafe.Pointer(v.end))
	return nil
}
