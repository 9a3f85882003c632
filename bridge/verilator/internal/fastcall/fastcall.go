// Package fastcall calls short C functions without cgo. A call through cgo costs some 40 ns, twice
// the time that a small block takes for a clock cycle.
//
// A cgo call tells the scheduler that the goroutine is away, so that others can use its processor,
// and it runs on the thread's own stack. A call of this package only changes to a stack given by
// the caller. To the Go runtime it is a piece of assembly that takes long: it is not interrupted,
// and the garbage collector waits for it when it stops the world. So the function must return
// within some tens of microseconds, never call Go, and never block. Signals are handled as always,
// on their own stack. The preemption signal does nothing, as the program counter is not in Go code.
package fastcall

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Stack is a stack for C code. An access to the page below it is a fault.
type Stack struct {
	memory []byte
	top    uintptr
}

// stackSize is in bytes; threads have as much.
const stackSize = 8 << 20

// NewStack reserves a stack. It takes memory only as it is used.
func NewStack() (*Stack, error) {
	page := os.Getpagesize()
	m, err := unix.Mmap(-1, 0, stackSize+page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE|unix.MAP_STACK)
	if err == nil {
		err = unix.Mprotect(m[:page], unix.PROT_NONE)
	}
	if err != nil {
		return nil, fmt.Errorf("no memory for a stack of %d bytes: %w", stackSize, err)
	}
	// A profiler may look for a return address above the top.
	return &Stack{m, uintptr(unsafe.Pointer(unsafe.SliceData(m))) + uintptr(len(m)) - 256}, nil
}

// Close gives the stack back.
func (s *Stack) Close() error {
	m := s.memory
	s.memory = nil
	if m == nil {
		return nil
	}
	return unix.Munmap(m)
}

// Call calls fn(handle, in, out, n) on the stack.
func (s *Stack) Call(fn, handle uintptr, in, out *byte, n int64) int32 {
	return call(s.top, fn, handle, in, out, n)
}
