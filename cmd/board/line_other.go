//go:build !linux

package main

import (
	"fmt"
	"os"
	"runtime"
)

// openLine is an error: how a serial line is set up is written for Linux only.
func openLine(device string) (*os.File, error) {
	return nil, fmt.Errorf("--line %s: the sensing board's serial line works on Linux only, and this is %s; without --line the console works here", device, runtime.GOOS)
}
