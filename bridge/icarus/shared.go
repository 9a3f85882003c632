package icarus

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/cosimate/cosimate/bridge"
)

// header is cosim_header of shared.h. A child that crashes may write anything. So the fields that
// the child writes are read into local variables and checked before use.
type header struct {
	magic     uint32
	request   atomic.Uint32
	reply     atomic.Uint32
	command   uint32
	rows      int64
	first     uint64
	sampled   atomic.Int64
	cycle     atomic.Uint64
	why       atomic.Uint32
	ports     uint32
	inSize    uint32
	outSize   uint32
	tableAt   uint64
	inAt      uint64
	outAt     uint64
	unknownAt uint64
	arenaAt   uint64
	arenaSize uint32
	arenaUsed atomic.Uint32
	internals uint32
	spin      uint32
	events    uint32
	timed     uint32
	waveFrom  uint64
	waveTo    uint64
	busy      atomic.Uint64
	answer    uint64
	signal    uint32
	hasWord   uint32
	word      int64
	width     uint32
	_         uint32
	message   [1024]byte
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

// eventEntry is cosim_event of shared.h.
type eventEntry struct {
	size    uint32
	values  uint32
	cycle   uint64
	value   [4]uint64
	unknown [4]uint64
}

const (
	magic      = 0x434f534a
	headerSize = 4096
	arenaSize  = 256 << 10

	commandRun     = 1
	commandQuit    = 2
	commandSettle  = 3
	commandGoOn    = 4
	commandPeek    = 5
	commandPoke    = 6
	commandForce   = 7
	commandRelease = 8

	whyDone    = 0
	whyEnded   = 1
	whyEvents  = 2
	whyAsks    = 3
	whyRefused = 4
	whyFailed  = 5

	kindInput  = 0
	kindOutput = 1
	kindClock  = 2
)

// shared is the memory shared with a child.
type shared struct {
	memory  []byte
	header  *header
	rows    int    // how many fit into it
	in      []byte // this and the slices below are parts of memory
	out     []byte
	unknown []byte
	arena   []byte
}

// newShared makes the memory and fills it in. The child maps the file that it returns.
func newShared(m *Model, opts bridge.Options) (_ *shared, _ *os.File, err error) {
	l := m.layout
	rows := bridge.MaxRows(l)
	align := func(n int) int { return (n + 63) &^ 63 }
	tableAt := headerSize
	inAt := align(tableAt + (len(l.Inputs)+len(l.Outputs)+len(m.clocks))*int(unsafe.Sizeof(portEntry{})))
	outAt := align(inAt + rows*l.InSize)
	unknownAt := align(outAt + rows*l.OutSize)
	arenaAt := align(unknownAt + rows*l.OutSize)
	total := arenaAt + arenaSize

	fd, err := unix.MemfdCreate("cosimate", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, nil, fmt.Errorf("icarus: shared memory: %w", err)
	}
	file := os.NewFile(uintptr(fd), "cosimate")
	defer func() {
		if err != nil {
			file.Close()
		}
	}()
	if err := file.Truncate(int64(total)); err != nil {
		if errors.Is(err, unix.EFBIG) {
			err = fmt.Errorf("%w\nhint: raise the limit on the size of files (ulimit -f)", err)
		}
		return nil, nil, fmt.Errorf("icarus: shared memory of %d bytes: %w", total, err)
	}
	// If the child made the file smaller, this process would be killed when it reads the memory.
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, unix.F_SEAL_SHRINK); err != nil {
		return nil, nil, fmt.Errorf("icarus: shared memory: %w", err)
	}
	memory, err := unix.Mmap(fd, 0, total, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, fmt.Errorf("icarus: shared memory of %d bytes: %w", total, err)
	}
	s := &shared{
		memory: memory, header: (*header)(unsafe.Pointer(&memory[0])), rows: rows,
		in:      memory[inAt : inAt+rows*l.InSize],
		out:     memory[outAt : outAt+rows*l.OutSize],
		unknown: memory[unknownAt : unknownAt+rows*l.OutSize],
		arena:   memory[arenaAt:],
	}
	h := s.header
	h.magic, h.spin = magic, childSpins
	h.inSize, h.outSize = uint32(l.InSize), uint32(l.OutSize)
	h.tableAt, h.inAt, h.outAt, h.unknownAt = uint64(tableAt), uint64(inAt), uint64(outAt), uint64(unknownAt)
	h.arenaAt, h.arenaSize = uint64(arenaAt), arenaSize
	if opts.OnEvent != nil {
		h.events = 1
	}
	if opts.Timed {
		h.timed = 1
	}
	if err := errors.Join(s.fillTable(m), s.fillNames(m.design.Internals)); err != nil {
		unix.Munmap(memory)
		return nil, nil, err
	}
	return s, file, nil
}

func (s *shared) fillTable(m *Model) error {
	h := s.header
	table := unsafe.Slice((*portEntry)(unsafe.Pointer(&s.memory[h.tableAt])), len(m.layout.Inputs)+len(m.layout.Outputs)+len(m.clocks))
	var failed error
	add := func(p bridge.Port, kind uint32) *portEntry {
		e := &table[h.ports]
		h.ports++
		name := m.design.Top + "." + p.Name
		if p.Name == "" { // a clock without a port
			name = ""
		}
		if len(name) >= len(e.name) {
			failed = fmt.Errorf("icarus: the name %s is longer than %d bytes", name, len(e.name)-1)
			return e
		}
		copy(e.name[:], name)
		e.kind, e.width, e.offset, e.size = kind, uint32(p.Width), uint32(p.Offset), uint32(p.Size)
		if p.Signed {
			e.signed = 1
		}
		return e
	}
	for _, p := range m.layout.Inputs {
		add(p, kindInput)
	}
	for _, p := range m.layout.Outputs {
		add(p, kindOutput)
	}
	for _, k := range m.clocks {
		e := add(bridge.Port{Name: k.Port, Width: 1}, kindClock)
		period, phase := k.Picoseconds()
		e.period, e.phase = uint64(period)*1000, uint64(phase)*1000
	}
	return failed
}

// fillNames puts the list of internals into the arena.
func (s *shared) fillNames(names []string) error {
	at := 0
	for _, n := range names {
		if at+len(n)+1 > len(s.arena) {
			return fmt.Errorf("icarus: the names of the %d signals of Design.Internals are longer than %d bytes together", len(names), len(s.arena))
		}
		at += copy(s.arena[at:], n) + 1
	}
	s.header.internals = uint32(len(names))
	return nil
}

func (s *shared) close() error {
	memory := s.memory
	*s = shared{}
	return unix.Munmap(memory)
}

// span is a part of a row.
type span struct{ from, to int }

// spans returns the parts of a row that ports take. Parts that touch are joined.
func spans(ports []bridge.Port) (all []span) {
	for _, p := range slices.SortedFunc(slices.Values(ports), func(a, b bridge.Port) int { return a.Offset - b.Offset }) {
		if n := len(all); n > 0 && all[n-1].to >= p.Offset {
			all[n-1].to = max(all[n-1].to, p.Offset+p.Size)
		} else {
			all = append(all, span{p.Offset, p.Offset + p.Size})
		}
	}
	return all
}

// copySpans copies the given parts of rows.
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

// How long each side spins for the other, at most, before it sleeps. A handshake through the kernel
// costs about 10 µs. But where there are as many simulators as cores, spinning takes the core from
// the process that is waited for. So both sides find out how long spinning is of use.
const (
	childSpins = 1000 // some 20 µs
	hostSpin   = 20 * time.Microsecond
)

func futexWait(word *atomic.Uint32, value uint32, timeout time.Duration) {
	ts := unix.NsecToTimespec(timeout.Nanoseconds())
	unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexOpWait, uintptr(value), uintptr(unsafe.Pointer(&ts)), 0, 0)
}

func futexWake(word *atomic.Uint32) {
	unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexOpWake, 1, 0, 0, 0)
}

// The futexes are shared between processes: these are not the operations with FUTEX_PRIVATE_FLAG.
const (
	futexOpWait = 0
	futexOpWake = 1
)
