package verilator

// #include "guard.h"
import "C"

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/internal/signals"
)

// signal is an internal signal that the model keeps in memory.
type signal struct {
	Name     string
	Member   string // the C++ expression within the symbol table
	Width    int
	Unpacked signals.Ranges // of a memory
	Force    bool           // there are members in the C++ that force it
	Driven   bool           // it is an input port, which is always driven from outside its module
}

// elaborate reads Verilator's dump of the elaborated design.
func elaborate(work string, d *bridge.Design, run func(mode ...string) (string, error)) (*hierarchy, error) {
	var h *hierarchy
	// With --public-flat-rw no signal is optimised away.
	out, err := run("--public-flat-rw", "--xml-only", "--xml-output", "tree.xml", "--Mdir", "tree")
	switch {
	case err == nil:
		if h, err = readXML(filepath.Join(work, "tree.xml"), d.Top); err == nil {
			h.aliases = true // 5.026 and later do not need it; but those without XML are later
		}
	case strings.Contains(out, "Invalid option: --xml-only"):
		if _, err = run("--public-flat-rw", "--json-only", "--json-only-output", "tree.json", "--Mdir", "tree"); err == nil {
			h, err = readJSON(filepath.Join(work, "tree.json"), d.Top)
		}
	}
	if err == nil && h.top == nil {
		err = fmt.Errorf("verilator: its dump of the design has no module %s", d.Top)
	}
	return h, err
}

// keepInternals returns a configuration file that makes Verilator keep Design.Internals.
func keepInternals(h *hierarchy, d *bridge.Design) (config string, err error) {
	all := h.internals()
	if err := signals.Missing("verilator", d, slices.Collect(maps.Keys(all)), h.ports()); err != nil {
		return "", err
	}
	lines := map[string]bool{}
	for _, name := range d.Internals {
		s := all[name]
		lines[fmt.Sprintf("public_flat_rw -module %q -var %q\n", s.module, s.variable)] = true
		if !s.unpacked {
			lines[fmt.Sprintf("forceable -module %q -var %q\n", s.module, s.variable)] = true
		}
		// If the instance were inlined, it would read the driver of the port, and not the port.
		if s.input && h.aliases {
			lines[fmt.Sprintf("no_inline -module %q\n", s.module)] = true
		}
	}
	return "`verilator_config\n" + strings.Join(slices.Sorted(maps.Keys(lines)), ""), nil
}

var (
	// scopeLine matches a scope in the generated code, in 5.006 or in 5.048:
	//
	//	__Vscope_t__u.configure(this, name(), "t.u", "u", ...);
	//	__Vscopep_t__u = new VerilatedScope{this, "t.u", ...};
	scopeLine = regexp.MustCompile(`(?m)^\s*(__Vscopep?_\w+)(?:\.configure\(this, ?name\(\), ?"([^"]*)"| = new VerilatedScope\{this, "([^"]*)")`)
	// variableInsert matches a signal in the generated code. In 5.006 there is the number of all
	// ranges and then the packed range first; in 5.048 there are the numbers of unpacked and of
	// packed ranges, and the unpacked ranges first:
	//
	//	scope.varInsert(__Vfinal,"mem", &(TOP.t__DOT__mem), false,
	//	    VLVT_UINT8,VLVD_NODIR|VLVF_PUB_RW,2 ,7,0 ,0,15);
	//	scope->varInsert("mem", &(TOP.t__DOT__mem), false,
	//	    VLVT_UINT8, VLVD_NODIR|VLVF_PUB_RW, 1, 1 ,0,15 ,7,0);
	variableInsert = regexp.MustCompile(`(__Vscopep?_\w+)(?:\.|->)(?:varInsert|forceableVarInsert)\((?:__Vfinal, ?)?"([^"]*)", ?&\(([^)]*)\), ?\w+, ?VLVT_\w+, ?[\w|]+, ?(?:([-\d, ]+)\)|&)`)
)

// keptSignals finds the signals in the generated code.
func keptSignals(obj string, d *bridge.Design, h *hierarchy) ([]signal, error) {
	if len(d.Internals) == 0 {
		return nil, nil
	}
	files, err := os.ReadDir(obj)
	if err != nil {
		return nil, err
	}
	var symbols, headers strings.Builder
	for _, f := range files {
		b := &symbols
		if strings.HasSuffix(f.Name(), ".h") {
			b = &headers
		} else if !strings.Contains(f.Name(), "Vdut__Syms") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(obj, f.Name()))
		if err != nil {
			return nil, err
		}
		b.Write(text)
	}
	scopes := map[string]string{}
	for _, m := range scopeLine.FindAllStringSubmatch(symbols.String(), -1) {
		scopes[m[1]] = m[2] + m[3]
	}
	found := map[string]signal{}
	for _, m := range variableInsert.FindAllStringSubmatch(symbols.String(), -1) {
		name := strings.NewReplacer("__DOT__", ".", "__BRA__", "[", "__KET__", "]").Replace(scopes[m[1]] + "." + unescape(m[2]))
		s := signal{Name: strings.TrimPrefix(name, d.Top+"."), Member: m[3], Width: 1}
		var numbers []int
		for _, text := range strings.FieldsFunc(m[4], func(c rune) bool { return c == ',' || c == ' ' }) {
			n, err := strconv.Atoi(text)
			if err != nil {
				return nil, err
			}
			numbers = append(numbers, n)
		}
		counts := 2 - len(numbers)%2
		var ranges [][2]int
		for i := counts; i+1 < len(numbers); i += 2 {
			ranges = append(ranges, [2]int{numbers[i], numbers[i+1]})
		}
		packed := ranges[:min(len(ranges), 1)]
		s.Unpacked = ranges[len(packed):]
		if counts == 2 && len(numbers) > 0 {
			s.Unpacked, packed = ranges[:numbers[0]], ranges[numbers[0]:]
		}
		for _, r := range packed {
			s.Width *= max(r[0]-r[1], r[1]-r[0]) + 1
		}
		found[s.Name] = s
	}
	var kept []signal
	all := h.internals()
	for _, name := range d.Internals {
		s, ok := found[name]
		if !ok {
			return nil, &bridge.SignalError{Simulator: "verilator", Top: d.Top, Name: name, Reason: "Design.Internals names it, and Verilator has not kept it"}
		}
		_, member, _ := strings.Cut(s.Member, ".")
		if strings.Contains(headers.String(), " "+member+"__VforceEn;") {
			s.Force = true
			if forced, ok := found[name+"__VforceVal"]; ok {
				s.Width = forced.Width
			}
		}
		s.Driven = all[name].input
		kept = append(kept, s)
	}
	return kept, nil
}

// signalTable returns the part of ports.inc with the addresses of internal signals.
func signalTable(kept []signal) string {
	if len(kept) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("#define COSIM_SIGNALS 1\nstatic inline void* cosim_signal(Vdut__Syms& m, int signal, int part) {\n    switch (signal * 3 + part) {\n")
	for i, s := range kept {
		fmt.Fprintf(&b, "    case %d: return &m.%s;  // %s\n", 3*i, s.Member, s.Name)
		if s.Force {
			fmt.Fprintf(&b, "    case %d: return &m.%s__VforceEn;\n    case %d: return &m.%s__VforceVal;\n", 3*i+1, s.Member, 3*i+2, s.Member)
		}
	}
	b.WriteString("    }\n    return nullptr;\n}\n")
	return b.String()
}

// place is where a signal, or a word of a memory, lies in the memory of a model.
type place struct {
	signal
	value  []byte
	forced []byte // which bits are forced; nil if none can be
	to     []byte // the values of the bits that are forced
}

// find returns the place of a signal.
func (v *instance) find(name string) (place, error) {
	if v.err != nil {
		return place{}, v.err
	}
	i, word, reason := signals.Find(name, v.m.design.Internals, func(i int) signals.Ranges { return v.m.signals[i].Unpacked })
	if reason != "" {
		return place{}, &bridge.SignalError{Simulator: "verilator", Top: v.m.design.Top, Name: name, Reason: reason}
	}
	s := v.m.signals[i]
	size := bridge.NewLayout([]bridge.Port{{Dir: bridge.Input, Width: s.Width}}).Inputs[0].Size
	part := func(k int) []byte {
		p := C.cosim_signal(v.host, C.int32_t(i), C.int32_t(k))
		if p == nil {
			return nil
		}
		return unsafe.Slice((*byte)(p), (word+1)*size)[word*size:]
	}
	return place{s, part(0), part(1), part(2)}, nil
}

// get reads the bits of a member of the model.
func get(b []byte) []uint64 {
	words := make([]uint64, (len(b)+7)/8)
	for i, x := range b {
		words[i/8] |= uint64(x) << (i % 8 * 8)
	}
	return words
}

// set writes the bits of a member of the model. Bits above the width are 0, as Verilator needs it.
func set(b []byte, width int, words []uint64) {
	for i := range b {
		b[i] = byte(words[i/8] >> (i % 8 * 8))
		if left := width - 8*i; left < 8 {
			b[i] &= 1<<max(left, 0) - 1
		}
	}
}

func (v *instance) Peek(name string) (bridge.Value, error) {
	p, err := v.find(name)
	if err != nil {
		return bridge.Value{}, err
	}
	x := bridge.Value{Width: p.Width, Bits: get(p.value)}
	if p.forced != nil {
		for i, mask := range get(p.forced) {
			x.Bits[i] = x.Bits[i]&^mask | get(p.to)[i]&mask
		}
	}
	return x, nil
}

// findFor returns the place of a signal, and an error if the value cannot be written to it.
func (v *instance) findFor(name string, x bridge.Value) (place, error) {
	p, err := v.find(name)
	if err != nil {
		return p, err
	}
	bits := fmt.Sprintf("%d bits", p.Width)
	if p.Width == 1 {
		bits = "1 bit"
	}
	if x.Width != p.Width || len(x.Bits) < (x.Width+63)/64 {
		return p, &bridge.SignalError{Simulator: "verilator", Top: v.m.design.Top, Name: name, Reason: fmt.Sprintf("it has %s, and the value has %d in %d words", bits, x.Width, len(x.Bits))}
	}
	if !x.Known() {
		return p, &bridge.SignalError{Simulator: "verilator", Top: v.m.design.Top, Name: name, Reason: "Verilator has two states only, and the value has bits that are X or Z"}
	}
	return p, nil
}

func (v *instance) Poke(name string, x bridge.Value) error {
	p, err := v.findFor(name, x)
	if err == nil {
		set(p.value, p.Width, x.Bits)
	}
	return err
}

// forceable returns an error if a signal cannot be forced.
func (v *instance) forceable(p place) error {
	if p.Force {
		return nil
	}
	return &bridge.SignalError{Simulator: "verilator", Top: v.m.design.Top, Name: p.Name, Reason: "Verilator cannot force a word of a memory: poke it before each row"}
}

func (v *instance) Force(name string, x bridge.Value) error {
	p, err := v.findFor(name, x)
	if err == nil {
		err = v.forceable(p)
	}
	if err == nil {
		set(p.to, p.Width, x.Bits)
		ones := make([]uint64, len(x.Bits))
		for i := range ones {
			ones[i] = ^uint64(0)
		}
		set(p.forced, p.Width, ones)
	}
	return err
}

func (v *instance) Release(name string) error {
	p, err := v.find(name)
	if err == nil {
		err = v.forceable(p)
	}
	if err == nil && slices.Max(p.forced) != 0 {
		if !p.Driven {
			copy(p.value, p.to) // a register keeps the value
		}
		clear(p.forced)
	}
	return err
}
