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
	path string // the same in the syntax of the source: with escaped names
	// recorded is set if its words can be named for a waveform. vvp 11 crashes if words of two
	// states are.
	recorded bool
	ranges   signals.Ranges // nil if Icarus does not report them
}

// parseSignals reads the list of all signals that the VPI module writes. A line has a signal's
// name. If it is a memory, then come 1 or 0, whether its words can be recorded, and its path, which
// may have spaces in it.
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
	maxRanges = 8 // indices of a memory, at most
)

// probeSource returns a module that asks for the ranges of memories, because vvp has only one range
// for all indices of a memory together. Each memory has a line of its own, from line 2 on. The
// lines of memories that iverilog has refused are empty.
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

// probe finds the ranges of memories. try compiles a source for probeFile with iverilog and returns
// what vvp prints when it loads the result. A memory that cannot be named in the source stays
// without ranges.
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

// takeRanges reads the lines that the VPI module prints, one for each call of $cosim_memory: the
// memory's number, how many indices it has, and their ranges.
func takeRanges(memories []memory, out string) {
	for line := range strings.Lines(out) {
		text, ok := strings.CutPrefix(line, "cosim-memory ")
		if !ok {
			continue
		}
		var n []int
		for _, f := range strings.Fields(text) {
			x, _ := strconv.Atoi(f) // for an index that the memory does not have it is x
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
