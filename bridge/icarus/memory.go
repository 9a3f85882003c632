package icarus

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/cosimate/cosimate/bridge/internal/build"
	"github.com/cosimate/cosimate/bridge/internal/signals"
)

// memory is an array of the design.
type memory struct {
	name string // below the top module
	path string // the same as the source would write it
	// in waveforms, if its words are named there: vvp 11 crashes of words of two states
	recorded bool
	ranges   signals.Ranges // none: Icarus does not tell
}

// parseSignals reads the names of all signals as the VPI module writes them, a line each; of a
// memory, also whether its words can be recorded, and its path, in which there may be spaces.
func parseSignals(text string) (names []string, memories []memory) {
	for line := range strings.Lines(text) {
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 3)
		names = append(names, f[0])
		if len(f) == 3 {
			memories = append(memories, memory{name: f[0], recorded: f[1] == "1", path: f[2]})
		}
	}
	return names, memories
}

const (
	probeFile = "cosim_probe.sv"
	maxRanges = 8
)

// probeSource is a module that asks for the ranges of memories, a line each, the first in line 2:
// vvp knows of one range for all indices together. Those that are refused have empty lines.
func probeSource(top string, memories []memory, refused map[int]bool) string {
	var b strings.Builder
	b.WriteString("module cosim_probe; initial begin\n")
	for i, m := range memories {
		if !refused[i] {
			path := top + "." + m.path
			fmt.Fprintf(&b, "$cosim_memory(%d, $unpacked_dimensions(%s)", i, path)
			for k := range maxRanges {
				fmt.Fprintf(&b, ", $left(%s, %d), $right(%s, %d)", path, k+1, path, k+1)
			}
			b.WriteString(");")
		}
		b.WriteString("\n")
	}
	b.WriteString("end endmodule\n")
	return b.String()
}

// probeError matches where iverilog sees an error in that module.
var probeError = regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(probeFile) + `:(\d+): `)

// probe finds the ranges of memories. try gives a source for probeFile to iverilog and returns what
// vvp prints as it loads the result. A memory that cannot be named there is left without ranges.
func probe(top string, memories []memory, try func(source string) (string, error)) error {
	refused := map[int]bool{}
	for {
		out, err := try(probeSource(top, memories, refused))
		if failed, ok := errors.AsType[*build.ToolError](err); ok {
			before := len(refused)
			for _, m := range probeError.FindAllStringSubmatch(failed.Output, -1) {
				if line, err := strconv.Atoi(m[1]); err == nil {
					refused[line-2] = true
				}
			}
			if len(refused) > before {
				continue
			}
		}
		if err == nil {
			takeRanges(memories, out)
		}
		return err
	}
}

// takeRanges reads what the VPI module prints for each call of $cosim_memory: which memory, how
// many indices it has, their ranges.
func takeRanges(memories []memory, out string) {
	for line := range strings.Lines(out) {
		text, ok := strings.CutPrefix(line, "cosim-memory ")
		if !ok {
			continue
		}
		var n []int
		for _, f := range strings.Fields(text) {
			x, _ := strconv.Atoi(f) // beyond the last index it is x
			n = append(n, x)
		}
		if len(n) != 2+2*maxRanges || n[0] < 0 || n[0] >= len(memories) || n[1] > maxRanges {
			continue
		}
		m := &memories[n[0]]
		for k := range n[1] {
			m.ranges = append(m.ranges, [2]int{n[2+2*k], n[3+2*k]})
		}
	}
}
