package verilator

/*
#cgo noescape cosim_create
#cgo nocallback cosim_create
#cgo noescape cosim_run
#cgo nocallback cosim_run
#cgo noescape cosim_settle
#cgo nocallback cosim_settle
#cgo CFLAGS: -I${SRCDIR}/shim
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdlib.h>
#include "api.h"

static cosim_model* cosim_create(const cosim_api_t* api, uint64_t seed, const uint64_t* periods, const uint64_t* phases, cosim_end* end) {
	return api->create(seed, periods, phases, end);
}
static int32_t cosim_run(const cosim_api_t* api, cosim_model* m, const uint8_t* in, uint8_t* out, int64_t n, cosim_end* end) {
	return api->run(m, in, out, n, end);
}
static int32_t cosim_settle(const cosim_api_t* api, cosim_model* m, const uint8_t* in, uint8_t* out, cosim_end* end) {
	return api->settle(m, in, out, end);
}
static const char* cosim_text(const cosim_api_t* api, cosim_model* m, int64_t* length) { return api->text(m, length); }
static void cosim_clear(const cosim_api_t* api, cosim_model* m) { api->clear(m); }
static void cosim_destroy(const cosim_api_t* api, cosim_model* m) { api->destroy(m); }
*/
import "C"

import (
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/cosimate/cosimate/bridge"
)

// instance is a model in this process.
type instance struct {
	top    string
	layout *bridge.Layout
	tape   bridge.Tape
	api    *C.cosim_api_t
	model  *C.cosim_model
	end    *C.cosim_end
	in     unsafe.Pointer
	out    unsafe.Pointer

	cycle    uint64
	messages []string
	err      error
	closed   bool
}

// libraries holds what dlopen gave, by path: instances of one model share its
// code, and a library stays loaded until the process ends.
var libraries = struct {
	sync.Mutex
	api map[string]*C.cosim_api_t
}{api: map[string]*C.cosim_api_t{}}

func load(path string) (*C.cosim_api_t, error) {
	libraries.Lock()
	defer libraries.Unlock()
	if api := libraries.api[path]; api != nil {
		return api, nil
	}
	// dlerror is per thread.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cpath := C.CString(path)
	defer C.free(unsafe.Pointer(cpath))
	handle := C.dlopen(cpath, C.RTLD_NOW|C.RTLD_LOCAL)
	if handle == nil {
		return nil, fmt.Errorf("verilator: cannot load the model: %s", C.GoString(C.dlerror()))
	}
	name := C.CString("cosim_api")
	defer C.free(unsafe.Pointer(name))
	api := (*C.cosim_api_t)(C.dlsym(handle, name))
	if api == nil {
		return nil, fmt.Errorf("verilator: %s is not a model of this bridge: %s", path, C.GoString(C.dlerror()))
	}
	libraries.api[path] = api
	return api, nil
}

func start(m *Model, d *bridge.Design, opts bridge.Options) (*instance, error) {
	api, err := load(m.library)
	if err != nil {
		return nil, err
	}
	rows := bridge.TapeRows(m.layout)
	v := &instance{top: d.Top, layout: m.layout, api: api}
	v.end = (*C.cosim_end)(C.calloc(1, C.sizeof_cosim_end))
	v.in = C.calloc(C.size_t(rows), C.size_t(max(m.layout.InSize, 8)))
	v.out = C.calloc(C.size_t(rows), C.size_t(max(m.layout.OutSize, 8)))
	v.tape = bridge.Tape{
		Rows: rows,
		In:   unsafe.Slice((*byte)(v.in), rows*m.layout.InSize),
		Out:  unsafe.Slice((*byte)(v.out), rows*m.layout.OutSize),
	}
	v.end.text = 1 // whatever it prints at time 0
	periods, phases := make([]C.uint64_t, len(m.clocks)), make([]C.uint64_t, len(m.clocks))
	for i, c := range m.clocks {
		periods[i], phases[i] = C.uint64_t(c.Period.Nanoseconds())*1e6, C.uint64_t(c.Phase.Nanoseconds())*1e6
	}
	v.model = C.cosim_create(api, C.uint64_t(opts.Seed), &periods[0], &phases[0], v.end)
	if v.model == nil {
		err := v.stopError()
		v.Close()
		return nil, err
	}
	return v, nil
}

func (v *instance) Layout() *bridge.Layout { return v.layout }
func (v *instance) Tape() *bridge.Tape     { return &v.tape }

func (v *instance) Run(ctx context.Context, n int) (int, error) {
	if v.err != nil {
		return 0, v.err
	}
	if n < 0 || n > v.tape.Rows {
		return 0, fmt.Errorf("verilator: a run of %d cycles on a tape of %d rows", n, v.tape.Rows)
	}
	if ctx.Err() != nil {
		v.err = context.Cause(ctx)
		return 0, v.err
	}
	if C.cosim_run(v.api, v.model, (*C.uint8_t)(v.in), (*C.uint8_t)(v.out), C.int64_t(n), v.end) == C.COSIM_RAN {
		v.cycle += uint64(n)
		return n, nil
	}
	rows := int(v.end.rows)
	v.cycle += uint64(max(rows-1, 0))
	v.err = v.stopError()
	return rows, v.err
}

func (v *instance) Settle(ctx context.Context) error {
	if v.err != nil {
		return v.err
	}
	if ctx.Err() != nil {
		v.err = context.Cause(ctx)
		return v.err
	}
	if C.cosim_settle(v.api, v.model, (*C.uint8_t)(v.in), (*C.uint8_t)(v.out), v.end) != C.COSIM_RAN {
		v.err = v.stopError()
	}
	return v.err
}

// printed matches how Verilator prints $fatal, $error and failed assertions:
// "[15] %Error: fifo.sv:12: Assertion failed in TOP.fifo: text".
var printed = regexp.MustCompile(`^\[\d+\] %(?:Fatal|Error): (\S+:\d+): (?:Assertion failed in \S+: )?(.*)$`)

// stopError makes an error of what the shim noted and what the model printed.
func (v *instance) stopError() error {
	e := &bridge.StopError{Simulator: "verilator", Top: v.top, Cycle: v.cycle, Message: C.GoString(&v.end.message[0])}
	if file := C.GoString(&v.end.file[0]); file != "" {
		e.Where = fmt.Sprintf("%s:%d", file, v.end.line)
	}
	switch v.end.why {
	case C.COSIM_FINISH:
		e.Task = "$finish"
	case C.COSIM_STOP:
		e.Task = "$stop"
	}
	v.collect()
	for i := len(v.messages) - 1; i >= 0 && e.Task == "$stop"; i-- {
		// Verilator prints the file's base name only.
		if m := printed.FindStringSubmatch(v.messages[i]); m != nil && m[1] == path.Base(e.Where) {
			e.Task = "$fatal or $error" // it prints and stops the same way for both
			e.Message = m[2]
			break
		}
	}
	return e
}

// collect moves what the model has printed to messages.
func (v *instance) collect() {
	if v.model == nil || v.end.text == 0 {
		return
	}
	v.end.text = 0
	var n C.int64_t
	text := C.cosim_text(v.api, v.model, &n)
	if n == 0 {
		return
	}
	s := C.GoStringN(text, C.int(n))
	C.cosim_clear(v.api, v.model)
	v.messages = append(v.messages, strings.Split(strings.TrimRight(s, "\n"), "\n")...)
}

func (v *instance) Messages() []string {
	v.collect()
	m := v.messages
	v.messages = nil
	return m
}

func (v *instance) Close() error {
	if v.closed {
		return nil
	}
	v.closed = true
	if v.err == nil {
		v.err = errors.New("verilator: the instance is closed")
	}
	if v.model != nil {
		C.cosim_destroy(v.api, v.model)
		v.model = nil
	}
	v.tape = bridge.Tape{}
	C.free(v.in)
	C.free(v.out)
	C.free(unsafe.Pointer(v.end))
	return nil
}
