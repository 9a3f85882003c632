package icarus

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/internal/fst"
)

// waveFile is the source of a second top module, which records the design's waveform.
const waveFile = "cosim_wave.sv"

// waveSource returns the text of waveFile. Its module records between two edges of its registers,
// which the VPI module sets. It has no time scale of its own, and so has that of the file before
// it.
func waveSource(top string, memories []memory) string {
	var words strings.Builder // Icarus records only those words of memories that are named
	for _, m := range memories {
		if !m.recorded || len(m.ranges) == 0 || m.ranges.Words() > maxWaveWords {
			continue
		}
		words.WriteString("    $dumpvars(0")
		for i := range m.ranges.Words() {
			fmt.Fprintf(&words, ", %s.%s%s", top, m.path, m.ranges.Indices(i))
		}
		words.WriteString(");\n")
	}
	return fmt.Sprintf(`module cosim_wave;
  reg on = 0, off = 0;
  reg [8*%d-1:0] path;
  initial if ($value$plusargs("cosim-wave=%%s", path)) begin
    @(posedge on) $dumpfile(path);
    $dumpvars(0, %s);
%s    @(posedge off) $dumpoff;
    $dumpflush;
  end
endmodule
`, maxWavePath, top, words.String())
}

const (
	maxWavePath  = 4096
	maxWaveWords = 4096 // of a memory that is recorded; Verilator is given the same limit
)

// waveArguments prepares the recording of a waveform, and returns vvp's arguments for it.
func waveArguments(m *Model, h *header, w bridge.Wave) ([]string, error) {
	if w.Path == "" {
		return nil, nil
	}
	if !m.wave {
		return nil, fmt.Errorf("icarus: a waveform of %s is asked for, but the model is built without: set BuildOptions.Wave", m.design.Top)
	}
	if w.From > w.To {
		return nil, fmt.Errorf("icarus: a waveform of %s from cycle %d to %d", m.design.Top, w.From, w.To)
	}
	path, err := filepath.Abs(w.Path)
	if err != nil {
		return nil, err
	}
	if len(path) > maxWavePath {
		return nil, fmt.Errorf("icarus: the path of the waveform is longer than %d bytes: %s", maxWavePath, path)
	}
	// If the file cannot be written, vvp ends the simulation when the recording begins.
	if err := fst.Writable(path); err != nil {
		return nil, fmt.Errorf("icarus: a waveform of %s: %w", m.design.Top, err)
	}
	h.waveFrom, h.waveTo = w.From, min(w.To, math.MaxUint64-1)
	return []string{"+cosim-wave=" + path, "-fst"}, nil
}
