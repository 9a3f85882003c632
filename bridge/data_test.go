package bridge_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/bridge"
)

const reader = `
module reader(input wire clk_i, input wire [1:0] a_i, output wire [7:0] q_o);
  logic [7:0] mem [0:3];
  integer f;
  initial begin
    $readmemh("mem.hex", mem);
    f = $fopen("written.txt", "w");
    $fdisplay(f, "hello");
    $fclose(f);
  end
  assign q_o = mem[a_i];
endmodule`

// RTL reads and writes files in the working folder. A memory file that is missing is an error.
func TestFilesOfRTL(t *testing.T) {
	for _, there := range []bool{true, false} {
		forEach(t, design("reader", reader), func(t *testing.T, m *model) {
			t.Chdir(t.TempDir())
			if there {
				if err := os.WriteFile("mem.hex", []byte("11\n22\n33\n44\n"), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			d := m.start(bridge.Options{})
			d.set(0, "a_i", 2)
			d.run(1)
			if got := d.get(0, "q_o"); there && got != 0x33 {
				t.Errorf("q_o is %#x, not 0x33", got)
			}
			var errors []string
			for _, msg := range d.Messages() {
				if msg.Severity == bridge.Error {
					errors = append(errors, msg.Text)
				}
			}
			if there && len(errors) > 0 || !there && (len(errors) != 1 || !strings.Contains(errors[0], "$readmem") || !strings.Contains(errors[0], "mem.hex")) {
				t.Errorf("mem.hex is there: %v; the errors are %q", there, errors)
			}
			d.Close()
			if text, err := os.ReadFile("written.txt"); string(text) != "hello\n" {
				t.Errorf("written.txt has %q, %v", text, err)
			}
		})
	}
}

// Files that Design.Data names must exist. They are no part of what is built.
func TestData(t *testing.T) {
	d := design("ender", ender)
	d.Data = []string{"mem.hex"}
	for _, s := range simulators {
		if _, err := s.build(t.Context(), d, bridge.BuildOptions{}); err == nil || !strings.Contains(err.Error(), "hw/mem.hex, a file of Design.Data of module ender, cannot be read") {
			t.Errorf("%s: %v", s.name, err)
		}
	}
	d.FS.(fstest.MapFS)["mem.hex"] = &fstest.MapFile{Data: []byte("1")}
	for _, s := range simulators {
		if _, err := s.build(t.Context(), d, bridge.BuildOptions{}); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
	}
}
