package lanes

/*
#include <stdlib.h>
#include <string.h>
#include "lanes.h"

static int64_t lanes_play(const lanes_api_t* api, lanes_batch* b, const lanes_run* r, const uint8_t* in, uint8_t* out,
                          const uint8_t* want, const uint8_t* care, const uint16_t* rises, int32_t* why) {
    lanes_run all = *r;
    all.in = in;
    all.out = out;
    all.want = want;
    all.care = care;
    all.rises = rises;
    return api->run(b, &all, why);
}
static int32_t lanes_set(const lanes_api_t* api, lanes_batch* b, const uint8_t* row, int32_t lane) { return api->set(b, row, lane); }
static void lanes_get(const lanes_api_t* api, lanes_batch* b, uint8_t* row, int32_t lane) { api->get(b, row, lane); }
*/
import "C"

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/internal/build"
)

// Options are the choices for a batch.
type Options struct {
	Seed uint64 // of the values at power-up
	// Alike gives all lanes the same values at power-up.
	Alike bool
	// Inverted gives each bit of these the other value.
	Inverted bool
	// Zeros gives registers and words without an initial value 0 in place of random values.
	Zeros bool
}

// Batch is 512 copies of a design that run. It is not safe for concurrent use; different batches
// are independent of each other.
type Batch struct {
	m        *Model
	api      *C.lanes_api_t
	b        *C.lanes_batch
	planes   []Set // the memory of all planes
	memories []unsafe.Pointer
	schedule *bridge.Schedule
	closed   bool
}

// errClosed is what a closed batch returns.
var errClosed = errors.New("lanes: the batch is closed")

// Start makes a batch. Close must be called.
func (m *Model) Start(o Options) (*Batch, error) {
	if err := build.MayStart(); err != nil {
		return nil, err
	}
	api, err := load(m.library.path)
	if err != nil {
		return nil, err
	}
	b := &Batch{m: m, api: api, b: (*C.lanes_batch)(C.calloc(1, C.sizeof_lanes_batch)), schedule: bridge.NewSchedule(m.clocks)}
	n := m.library.planes
	checks, points := max(len(m.program.c.Checks), 1), max(len(m.program.c.Points), 1)
	b.planes = b.newPlanes(n)
	b.b.planes = (*C.plane)(unsafe.Pointer(&b.planes[0]))
	b.b.differs = (*C.plane)(unsafe.Pointer(&b.newPlanes(1)[0]))
	b.b.failed = (*C.plane)(unsafe.Pointer(&b.newPlanes(checks)[0]))
	b.b.failure = (*C.uint64_t)(b.allocate(8 * checks))
	b.b.waiting = (*C.int32_t)(b.allocate(4 * points))
	b.b.reached = (*C.plane)(unsafe.Pointer(&b.newPlanes(points)[0]))
	b.b.reach = (*C.uint64_t)(b.allocate(8 * points))
	b.b.since = (*C.uint64_t)(b.allocate(8 * Count))
	b.b.last = (*C.uint8_t)(b.allocate(max(m.layout.InSize, 1)))
	b.powerUp(o)
	return b, nil
}

// allocate returns zeroed memory for a batch, aligned as planes must be.
func (b *Batch) allocate(bytes int) unsafe.Pointer {
	size := C.size_t(bytes+planeBytes-1) &^ (planeBytes - 1)
	p := C.aligned_alloc(planeBytes, size)
	if p == nil {
		panic("lanes: out of memory")
	}
	C.memset(p, 0, size)
	b.memories = append(b.memories, p)
	return p
}

func (b *Batch) newPlanes(n int) []Set {
	return unsafe.Slice((*Set)(b.allocate(n*planeBytes)), n)
}

// Rows are what a run puts in and takes out, in the layout of the model. The memory must hold no Go
// pointers, and is used during the call only.
type Rows struct {
	// In has the inputs: for each cycle a row for each lane, or if Shared is set, one row for all
	// lanes. Nil: inputs stay as they are.
	In     []byte
	Shared bool
	// Out gets the outputs: for each cycle a row for each lane. Nil: they are not wanted.
	Out []byte
	// Want has a row for each cycle, with which the outputs of all lanes are compared: see
	// [Batch.Differing]. Care has a row for each of Want, with a bit set where an output counts.
	// Nil: all outputs count.
	Want, Care []byte
}

// RowError is an input with a value that its port cannot hold. The cycles before it were played.
type RowError struct {
	bridge.InputError
	Lane int // or -1 if the row is for all
}

func (e *RowError) Error() string {
	if e.Lane < 0 {
		return e.InputError.Error()
	}
	return fmt.Sprintf("%s, in lane %d", e.InputError.Error(), e.Lane)
}

// slice is how many cycles are played before the context is looked at.
const slice = 1024

// Run plays n cycles and returns how many were played: fewer with an error, which is a [*RowError]
// or the cause of ctx. After a *RowError the batch goes on with the cycle that was not played.
func (b *Batch) Run(ctx context.Context, rows Rows, n int) (int, error) {
	n, _, err := b.run(ctx, rows, n, -1)
	return n, err
}

// Until plays up to n cycles with the inputs as they are. It ends after a cycle in which an output
// port of one bit is 1 in any lane, and reports whether it is.
func (b *Batch) Until(ctx context.Context, n int, output string) (played int, came bool, err error) {
	plane, err := b.m.bit(output)
	if err != nil {
		return 0, false, err
	}
	return b.run(ctx, Rows{}, n, plane)
}

func (b *Batch) run(ctx context.Context, rows Rows, n, until int) (played int, came bool, err error) {
	if b.closed {
		return 0, false, errClosed
	}
	l := b.m.layout
	each := Count
	if rows.Shared {
		each = 1
	}
	step := rowSteps{in: each * l.InSize, out: Count * l.OutSize, want: l.OutSize}
	if fault := step.fault(rows, n); fault != "" {
		return 0, false, fmt.Errorf("lanes: a run of %d cycles of module %s: %s", n, b.m.design.Top, fault)
	}
	r := C.lanes_run{until: C.int32_t(until)}
	if !rows.Shared {
		r.in_each = 1
	}
	for played < n {
		if ctx.Err() != nil {
			return played, false, context.Cause(ctx)
		}
		k := min(slice, n-played)
		r.cycles = C.int64_t(k)
		var rises []uint16
		if len(b.m.clocks) > 1 {
			rises = make([]uint16, k)
			ahead := b.schedule.Copy()
			for i := range rises {
				_, rises[i] = ahead.Next()
			}
		}
		var why C.int32_t
		done := int(C.lanes_play(b.api, b.b, &r, at(rows.In, played*step.in), at(rows.Out, played*step.out),
			at(rows.Want, played*step.want), at(rows.Care, played*step.want), (*C.uint16_t)(unsafe.SliceData(rises)), &why))
		played += done
		for range done {
			b.schedule.Next()
		}
		switch why {
		case C.LANES_MISFIT:
			return played, false, b.misfit(rows, played, each)
		case C.LANES_CAME:
			return played, true, nil
		}
	}
	return played, false, nil
}

// rowSteps are the bytes of the rows of a cycle.
type rowSteps struct{ in, out, want int }

// fault says what is wrong with the sizes of rows, or "".
func (s rowSteps) fault(rows Rows, n int) string {
	if n < 0 {
		return "the number is negative"
	}
	for _, part := range []struct {
		name       string
		rows       []byte
		step, need int
	}{{"In", rows.In, s.in, n}, {"Out", rows.Out, s.out, n}, {"Want", rows.Want, s.want, n}, {"Care", rows.Care, s.want, n}} {
		if part.rows != nil && len(part.rows) < part.need*part.step {
			return fmt.Sprintf("Rows.%s has %d bytes, and a cycle takes %d", part.name, len(part.rows), part.step)
		}
	}
	if rows.Care != nil && rows.Want == nil {
		return "Rows.Care without Rows.Want"
	}
	return ""
}

// at returns the address of a byte of rows, or nil if there are none.
func at(rows []byte, offset int) *C.uint8_t {
	if rows == nil {
		return nil
	}
	return (*C.uint8_t)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(rows)), offset))
}

// misfit returns the error for a cycle with a value that its port cannot hold.
func (b *Batch) misfit(rows Rows, cycle, each int) error {
	size := b.m.layout.InSize
	lane, e := b.m.layout.Fitting(rows.In[cycle*each*size:], each)
	e.Simulator, e.Top, e.Row = "lanes", b.m.design.Top, cycle
	if rows.Shared {
		lane = -1
	}
	return &RowError{*e, lane}
}

// Cycle returns how many cycles were played.
func (b *Batch) Cycle() uint64 { return uint64(b.b.cycle) }

// Set gives a lane the inputs of a row, which stay until they are set again.
func (b *Batch) Set(lane int, row []byte) error {
	if b.closed {
		return errClosed
	}
	if lane < 0 || lane >= Count || len(row) < b.m.layout.InSize {
		return fmt.Errorf("lanes: inputs of lane %d from %d bytes: there are lanes 0 to %d, and a row has %d bytes", lane, len(row), Count-1, b.m.layout.InSize)
	}
	if C.lanes_set(b.api, b.b, at(row[:len(row):len(row)], 0), C.int32_t(lane)) == 0 {
		_, e := b.m.layout.Fitting(row, 1)
		e.Simulator, e.Top = "lanes", b.m.design.Top
		return &RowError{*e, lane}
	}
	return nil
}

// Get copies the outputs of a lane as they were sampled in the last cycle.
func (b *Batch) Get(lane int, row []byte) error {
	if b.closed {
		return errClosed
	}
	if lane < 0 || lane >= Count || len(row) < b.m.layout.OutSize {
		return fmt.Errorf("lanes: outputs of lane %d to %d bytes: there are lanes 0 to %d, and a row has %d bytes", lane, len(row), Count-1, b.m.layout.OutSize)
	}
	C.lanes_get(b.api, b.b, at(row[:len(row):len(row)], 0), C.int32_t(lane))
	return nil
}

// High returns the lanes in which an output port of one bit was 1 in the last cycle.
func (b *Batch) High(output string) (Set, error) {
	if b.closed {
		return Set{}, errClosed
	}
	plane, err := b.m.bit(output)
	if err != nil {
		return Set{}, err
	}
	return b.planes[plane], nil
}

// bit returns the plane of an output port of one bit.
func (m *Model) bit(output string) (int, error) {
	i := slices.IndexFunc(m.program.c.Outputs, func(p portBits) bool { return p.Name == output })
	if i < 0 || len(m.program.c.Outputs[i].Bits) != 1 {
		return 0, fmt.Errorf("lanes: module %s has no output %s of one bit", m.design.Top, output)
	}
	return m.program.copyOf[m.program.c.Outputs[i].Bits[0]], nil
}

// Differing returns the lanes whose outputs have differed from what was wanted, since the batch
// began or [Batch.Forget] was called.
func (b *Batch) Differing() Set {
	if b.closed {
		return Set{}
	}
	return *(*Set)(unsafe.Pointer(b.b.differs))
}

// Since returns the cycle in which a lane of [Batch.Differing] first differed.
func (b *Batch) Since(lane int) uint64 {
	return uint64(unsafe.Slice(b.b.since, Count)[lane])
}

// Forget empties the set of lanes that have differed, and the lists of violations.
func (b *Batch) Forget() {
	if b.closed {
		return
	}
	*(*Set)(unsafe.Pointer(b.b.differs)) = Set{}
	clear(unsafe.Slice((*Set)(unsafe.Pointer(b.b.failed)), len(b.m.program.c.Checks)))
}

// Violation is an assertion that has failed.
type Violation struct {
	Where string // "folder/file.sv:12"
	Lanes Set    // in which it has failed
	Cycle uint64 // in which it first failed in any lane; for an assertion at a clock edge, the one after

	Assumed bool // it is an assumption
}

// Violations returns the assertions that have failed.
func (b *Batch) Violations() (all []Violation) {
	if b.closed {
		return nil
	}
	checks := b.m.program.c.Checks
	failed, cycles := unsafe.Slice((*Set)(unsafe.Pointer(b.b.failed)), len(checks)), unsafe.Slice(b.b.failure, len(checks))
	for i, k := range checks {
		if failed[i] != (Set{}) {
			all = append(all, Violation{k.Where, failed[i], uint64(cycles[i]), k.Assumed})
		}
	}
	return all
}

// Look has the batch look for points from now on, each until it is reached. Points have numbers
// from 0 to [Model.Points].
func (b *Batch) Look(points []int) error {
	if b.closed {
		return errClosed
	}
	if n := b.m.Points(); len(points) > n || slices.ContainsFunc(points, func(p int) bool { return p < 0 || p >= n }) {
		return fmt.Errorf("lanes: module %s has points 0 to %d, each of which can be looked for once", b.m.design.Top, n-1)
	}
	waiting := unsafe.Slice((*int32)(unsafe.Pointer(b.b.waiting)), max(len(points), 1))
	for i, p := range points {
		waiting[i] = int32(p)
	}
	b.b.waitings = C.int32_t(len(points))
	clear(unsafe.Slice((*Set)(unsafe.Pointer(b.b.reached)), b.m.Points()))
	return nil
}

// Reached is a point that was reached.
type Reached struct {
	Point int
	Lanes Set    // in which it was reached first
	Cycle uint64 // in which it was
}

// Reached returns the points that were reached since [Batch.Look], by number.
func (b *Batch) Reached() (all []Reached) {
	if b.closed {
		return nil
	}
	n := b.m.Points()
	reached, cycles := unsafe.Slice((*Set)(unsafe.Pointer(b.b.reached)), n), unsafe.Slice(b.b.reach, n)
	for p, in := range reached {
		if in != (Set{}) {
			all = append(all, Reached{p, in, uint64(cycles[p])})
		}
	}
	return all
}

// Close frees the batch's memory. It may be called twice.
func (b *Batch) Close() error {
	if b.closed {
		return nil
	}
	b.closed = true
	for _, p := range b.memories {
		C.free(p)
	}
	C.free(unsafe.Pointer(b.b))
	return nil
}
