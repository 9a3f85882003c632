package designs

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/sim"
)

var update = flag.Bool("update", false, "write ports.txt")

// The ports noted are those that the simulators find.
func TestPorts(t *testing.T) {
	var b strings.Builder
	for _, name := range All().Names() {
		d, _ := All().RTL(name)
		clock := d.Clock
		list, err := sim.Ports(t.Context(), d, sim.Icarus)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range list {
			if p.Name != clock {
				fmt.Fprintf(&b, "%s %s\n", name, p)
			}
		}
	}
	if *update {
		if err := os.WriteFile("ports.txt", []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if b.String() != portList {
		t.Error("ports.txt is not up to date: go test ./vectors/designs -update")
	}
}
