package lanes

import (
	"fmt"
	"strconv"
	"strings"
)

// An instruction that says where a plane is takes four bytes for it, but one if that is at most 128
// planes from where a register points. The code of a large design is read from the second cache in
// every cycle, so its length counts. So besides %rdi, which points to the first plane, other
// registers point into the middle of windows of 256 planes, and are moved when others are needed.

// window is how many planes can be reached from one register.
const window = 256

// bases are the registers that are moved. Those from keptBases on belong to the caller.
var bases = []string{"rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "rbx", "rbp", "r13", "r14", "r15"}

const keptBases = 8

// place stands for the address of a plane in the text of a stage until windows have been chosen.
func place(plane int) string { return fmt.Sprintf("@%d@", plane) }

// addressed returns the text of a stage with addresses in the place of places.
func addressed(text string) string {
	parts := strings.Split(text, "@")
	// Every other part is a plane. next is when its window is used again.
	uses := len(parts) / 2
	planes, next := make([]int, uses), make([]int, uses)
	at := map[int]int{}
	for i := uses - 1; i >= 0; i-- {
		planes[i], _ = strconv.Atoi(parts[2*i+1])
		w := planes[i] / window
		next[i] = never
		if n, ok := at[w]; ok {
			next[i] = n
		}
		at[w] = i
	}
	var held, until [16]int // the window of each base, and when it is used next
	for b := range bases {
		held[b], until[b] = -1, never
	}
	used := 0 // how many bases are
	var out strings.Builder
	for i, plane := range planes {
		before := parts[2*i]
		w, base, latest := plane/window, -1, 0
		for b := range bases {
			if held[b] == w {
				base = b
			} else if until[b] > until[latest] {
				latest = b
			}
		}
		if base < 0 && next[i] < until[latest] {
			// The instruction begins on the last line of what is before it.
			base = latest
			held[base] = w
			used = max(used, base+1)
			line := strings.LastIndexByte(before, '\n') + 1
			out.WriteString(before[:line])
			fmt.Fprintf(&out, "\tleaq %d(%%rdi), %%%s\n", (w*window+window/2)*planeBytes, bases[base])
			before = before[line:]
		}
		out.WriteString(before)
		if base < 0 {
			fmt.Fprintf(&out, "%d(%%rdi)", plane*planeBytes)
			continue
		}
		until[base] = next[i]
		fmt.Fprintf(&out, "%d(%%%s)", (plane-w*window-window/2)*planeBytes, bases[base])
	}
	out.WriteString(parts[len(parts)-1])
	var save, restore strings.Builder
	for b := keptBases; b < used; b++ {
		fmt.Fprintf(&save, "\tpushq %%%s\n", bases[b])
	}
	for b := used - 1; b >= keptBases; b-- {
		fmt.Fprintf(&restore, "\tpopq %%%s\n", bases[b])
	}
	return save.String() + out.String() + restore.String()
}
