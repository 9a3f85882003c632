//go:build linux

package driver

import (
	"fmt"
	"os"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/cosimate/cosimate/rtl/regmap"
)

// Window is a core's registers as memory of this process. It is a [Bus].
type Window struct {
	memory []byte
}

// Map maps a core's window into memory. The device is /dev/mem, with the window's physical address,
// which takes root; or /dev/uioN, with 0. The address must be a multiple of the page size.
func Map(device string, address int64) (*Window, error) {
	f, err := os.OpenFile(device, os.O_RDWR|os.O_SYNC, 0)
	if err != nil {
		return nil, fmt.Errorf("driver: %w", err)
	}
	defer f.Close() // the mapping stays
	memory, err := unix.Mmap(int(f.Fd()), address, regmap.Window, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("driver: %d bytes of %s from %#x on cannot be mapped: %w", regmap.Window, device, address, err)
	}
	return &Window{memory}, nil
}

// Close ends the mapping. A closed window answers with errors.
func (w *Window) Close() error {
	memory := w.memory
	w.memory = nil
	if memory == nil {
		return nil
	}
	return unix.Munmap(memory)
}

// word returns a register's place in memory. Loads and stores of sync/atomic are single accesses of
// 32 bits that are not moved, joined or left out.
func (w *Window) word(address uint32) (*uint32, error) {
	if address%4 != 0 || int(address)+4 > len(w.memory) {
		return nil, fmt.Errorf("driver: address %#x is not that of a register in a window of %#x bytes", address, len(w.memory))
	}
	return (*uint32)(unsafe.Pointer(&w.memory[address])), nil
}

// Read32 reads a register.
func (w *Window) Read32(address uint32) (uint32, error) {
	word, err := w.word(address)
	if err != nil {
		return 0, err
	}
	return atomic.LoadUint32(word), nil
}

// Write32 writes a register.
func (w *Window) Write32(address, data uint32) error {
	word, err := w.word(address)
	if err != nil {
		return err
	}
	atomic.StoreUint32(word, data)
	return nil
}
