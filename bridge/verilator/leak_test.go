package verilator_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/cosimate/cosimate/bridge"
)

// Close unmaps what an instance has mapped: its stack for calls without cgo, and the page below.
func TestNoMappingIsLeft(t *testing.T) {
	m := build(t, design("covered", covered), bridge.BuildOptions{})
	mappings := func() int {
		text, err := os.ReadFile("/proc/self/maps")
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Count(text, []byte("\n"))
	}
	use := func() {
		i, err := m.Start(bridge.Options{})
		if err != nil {
			t.Fatal(err)
		}
		rows := bridge.Rows{In: make([]byte, 5*i.Layout().InSize), Out: make([]byte, 5*i.Layout().OutSize)}
		for range 20 {
			if _, err := i.Run(t.Context(), &rows, 5); err != nil {
				t.Fatal(err)
			}
		}
		if err := i.Close(); err != nil {
			t.Error(err)
		}
	}
	use()
	before := mappings()
	const instances = 100
	for range instances {
		use()
	}
	if after := mappings(); after > before+instances/2 { // the number of Go's own mappings varies
		t.Errorf("%d instances have left %d mappings", instances, after-before)
	}
}
