// Package examples runs the test vectors of the examples.
package examples

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

var folders = []string{"fifo", "wb_uart", "axil_pwm", "rv32i"}

func TestVectors(t *testing.T) {
	vectors.NewRegistry().Test(t, vectors.Options{}, folders...)
}

// Each fault in an example's RTL is found by one of its vectors. Those of fifo are all enumerated:
// see docs/mutants/fifo.md.
func TestMutants(t *testing.T) {
	for _, fault := range []struct{ file, old, new string }{
		{"wb_uart/wb_uart_tx.sv", "shift_q <= {1'b1, data_i, 1'b0}", "shift_q <= {1'b1, data_i[7:1], 2'b0}"},
		{"wb_uart/wb_uart_tx.sv", "left_q <= 4'd10", "left_q <= 4'd9"},
		{"wb_uart/wb_uart_rx.sv", "data_o <= {line, data_o[7:1]}", "data_o <= {data_o[6:0], line}"},
		{"wb_uart/wb_uart.sv", "if (take) has_q <= 1'b0", "if (0) has_q <= 1'b0"},
		{"wb_uart/wb_uart.sv", "assign strobe = cyc_i && stb_i && !ack_o && !err_o", "assign strobe = cyc_i && stb_i"},
		{"wb_uart/wb_uart.sv", "ack_o <= strobe && (adr_i != 2'd3)", "ack_o <= strobe"},
		{"wb_uart/wb_uart.sv", "else lost_q <= 1'b1", "else byte_q <= received"},
		{"axil_pwm/axil_pwm.sv", "if (s_axil_rready_i) s_axil_rvalid_o <= 1'b0", "s_axil_rvalid_o <= 1'b0"},
		{"axil_pwm/axil_pwm.sv", "if (s_axil_bready_i) s_axil_bvalid_o <= 1'b0", "s_axil_bvalid_o <= 1'b0"},
		{"axil_pwm/axil_pwm.sv", "write = s_axil_awvalid_i && s_axil_wvalid_i", "write = s_axil_awvalid_i"},
		{"axil_pwm/axil_pwm.sv", "if (s_axil_wstrb_i[i]) width_q", "width_q"},
		{"axil_pwm/axil_pwm.sv", "active_q <= width_q", "active_q <= width_q + 16'd1"},
		{"axil_pwm/axil_pwm.sv", "over = count_q >= last_q", "over = count_q > last_q"},
		{"axil_pwm/axil_pwm.sv", "2'd2: s_axil_bresp_o <= SlvErr", "2'd2: s_axil_bresp_o <= Okay"},
		{"rv32i/rv32i_alu.sv", "a_i - b_i : a_i + b_i", "a_i - b_i : a_i + b_i + 1"},
		{"rv32i/rv32i.sv", "3'b001: taken = rs1 != rs2", "3'b001: taken = rs1 == rs2"},
		{"rv32i/rv32i_decode.sv", "{i[31]}}, i[7], i[30:25], i[11:8], 1'b0}", "{i[31]}}, i[7], i[30:25], i[10:7], 1'b0}"},
		{"rv32i/rv32i.sv", "default: strobe_o = 4'b1111", "default: strobe_o = 4'b0111"},
	} {
		t.Run(fault.old, func(t *testing.T) {
			t.Parallel()
			found := false
			files, err := filepath.Glob(filepath.Dir(fault.file) + "/*.txtar")
			if err != nil || len(files) == 0 {
				t.Fatal(files, err)
			}
			o := vectors.Options{Simulators: []sim.Simulator{sim.Icarus}, RTL: func(d sim.Design) sim.Design {
				d.FS = planted(t, d, filepath.Base(fault.file), fault.old, fault.new)
				return d
			}}
			for _, r := range vectors.NewRegistry().Run(t.Context(), files, o) {
				switch r.Verdict {
				case vectors.Differs:
					found = true
				case vectors.Pass:
				default:
					t.Errorf("%s: %v", r.Verdict, r.Err)
				}
			}
			if !found {
				t.Errorf("no vector of %s finds it: %s", files, fault.new)
			}
		})
	}
}

// planted returns the files of a design with a text in one of them replaced.
func planted(t *testing.T, d sim.Design, file, old, new string) fs.FS {
	files := fstest.MapFS{}
	for _, name := range d.Files {
		text, err := fs.ReadFile(d.FS, name)
		if err != nil {
			t.Error(err)
			continue
		}
		if filepath.Base(name) == file {
			if strings.Count(string(text), old) != 1 {
				t.Errorf("%s does not have %q once", name, old)
			}
			text = []byte(strings.Replace(string(text), old, new, 1))
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	return files
}

// The examples' folders are all tested.
func TestAllFolders(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, e := range entries {
		if e.IsDir() {
			n++
		}
	}
	if n != len(folders) {
		t.Errorf("%d folders, of which %d are tested", n, len(folders))
	}
}
