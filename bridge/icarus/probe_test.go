package icarus

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/cosimate/cosimate/bridge/internal/build"
)

// A memory that iverilog refuses to name, which its error shows by the line, is left out, and the
// others have their ranges.
func TestProbeWithoutWhatIsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "m.sv"), []byte("module m; reg [7:0] mem [0:3]; endmodule\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	iverilog, err := build.Find("iverilog", "iverilog")
	if err != nil {
		t.Fatal(err)
	}
	memories := []memory{{name: "absent", path: "absent"}, {name: "mem", path: "mem"}, {name: "u.absent", path: "u.absent"}}
	tries := 0
	err = probe("m", memories, func(source string) (string, error) {
		tries++
		if err := os.WriteFile(filepath.Join(dir, probeFile), []byte(source), 0o666); err != nil {
			return "", err
		}
		// There is no vvp to print what the VPI module would.
		out, err := build.Run(t.Context(), dir, iverilog.Path, "-g2012", "-s", "m", "-s", "cosim_probe", "-o", "probe.vvp", "m.sv", probeFile)
		if err == nil {
			out = "cosim-memory 1 1 0 3 x x x x x x x x x x x x x x\n"
		}
		return out, err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(memories[0].ranges)+len(memories[2].ranges) > 0 || memories[1].ranges.String() != "[0:3]" || tries < 2 {
		t.Errorf("after %d tries the memories are %+v", tries, memories)
	}
}
