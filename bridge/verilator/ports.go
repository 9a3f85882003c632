package verilator

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cosimate/cosimate/bridge"
)

// portLine matches a port of the model's class:
//
//	VL_IN8(&clk_i,0,0);
//	VL_OUTW(&wide_o,99,0,4);
//	VL_IN8((&array_i)[4],7,0);
var portLine = regexp.MustCompile(`^\s*VL_(IN|OUT|INOUT)(?:8|16|64|W)?\(\(?&(.*?)\)?((?:\[\d+\])*),(-?\d+),(-?\d+)(?:,\d+)?\);`)

// arrayLine matches an unpacked array as Verilator 5.048 lists it:
//
//	VlUnpacked<VlUnpacked<CData/*7:0*/, 3>, 2> &a_i;
var arrayLine = regexp.MustCompile(`^VlUnpacked<.*/\*(-?\d+):(-?\d+)\*/(.*)> &(\w+);`)

// otherLine matches a port that has no bits:
//
//	double &real_i;
var otherLine = regexp.MustCompile(`^(double|std::string) &(\w+);`)

// otherTypes are the types of such ports in SystemVerilog.
var otherTypes = map[string]string{"double": "real", "std::string": "string"}

// dimension matches the size of an array in one dimension.
var dimension = regexp.MustCompile(`\d+`)

// classMember matches the other members of the model's class: functions and fields.
var classMember = regexp.MustCompile(`\b(\w+)(?:\(|;)`)

// parsePorts reads the ports from the header of the model's class, with the names of their members
// in C++. This text has kept its form from Verilator 5.006 to 5.048. The dumps of the design
// (--xml-only, --json-only) have not.
func parsePorts(header string) (ports []bridge.Port, members map[string]string, err error) {
	before, header, _ := strings.Cut(header, "// PORTS\n")
	header, after, _ := strings.Cut(header, "// CELLS\n")
	taken := map[string]bool{"contextp": true} // which is a member of its base class
	for line := range strings.Lines(before + after) {
		line, _, _ = strings.Cut(line, "//")
		for _, m := range classMember.FindAllStringSubmatch(line, -1) {
			taken[m[1]] = true
		}
	}
	members = map[string]string{}
	for line := range strings.Lines(header) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "//") {
			continue
		}
		if m := otherLine.FindStringSubmatch(line); m != nil {
			return nil, nil, bridge.OtherPort(unescape(m[2]), otherTypes[m[1]])
		}
		var direction, name, dimensions, left, right string
		if m := portLine.FindStringSubmatch(line); m != nil {
			direction, name, dimensions, left, right = m[1], m[2], m[3], m[4], m[5]
		} else if m := arrayLine.FindStringSubmatch(line); m != nil {
			left, right, dimensions, name = m[1], m[2], m[3], m[4]
		} else {
			return nil, nil, fmt.Errorf("a port that Verilator lists in a way that is not understood: %s", line)
		}
		msb, err1 := strconv.Atoi(left)
		lsb, err2 := strconv.Atoi(right)
		if err := cmp.Or(err1, err2); err != nil {
			return nil, nil, err
		}
		p := bridge.Port{Name: unescape(name), Dir: bridge.Output, Width: max(msb, lsb) - min(msb, lsb) + 1}
		if dimensions != "" {
			elements := 1
			for _, n := range dimension.FindAllString(dimensions, -1) {
				size, err := strconv.Atoi(n)
				if err != nil {
					return nil, nil, err
				}
				elements *= size
			}
			return nil, nil, bridge.ArrayPort(p.Name, elements, p.Width)
		}
		switch direction {
		case "IN":
			p.Dir = bridge.Input
		case "INOUT":
			p.Dir = "inout"
		}
		if taken[name] {
			return nil, nil, fmt.Errorf("port %s: the C++ class that Verilator makes of a design has a member of that name: "+
				"rename the port, or wrap the module in one whose port has another name", p.Name)
		}
		ports = append(ports, p)
		members[p.Name] = name
	}
	return ports, members, nil
}

// escaped matches how Verilator writes a character that cannot be in a name of C++, or the second
// of two underscores.
var escaped = regexp.MustCompile(`__0([0-9A-Fa-f]{2})`)

// unescape returns the Verilog name of a name in C++. A name that is a word of C++ has a prefix
// there.
func unescape(name string) string {
	return escaped.ReplaceAllStringFunc(strings.TrimPrefix(name, "__SYM__"), func(s string) string {
		n, _ := strconv.ParseUint(s[3:], 16, 8)
		return string([]byte{byte(n)})
	})
}

// portCopies returns the part of ports.inc that copies between rows and the model's ports. The
// copies have constant sizes and places, so that the compiler makes loads and stores of them.
//
// This part also checks that the inputs in a row fit their ports, like [bridge.Port.Misfit]:
// Verilator expects the bits above a port's width to be 0. members are the names of ports in C++.
func portCopies(l *bridge.Layout, clocks []bridge.Clock, members map[string]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#define COSIM_CLOCKS %d\n#define COSIM_IN_SIZE %d\n#define COSIM_OUT_SIZE %d\n", len(clocks), l.InSize, l.OutSize)
	b.WriteString("static inline bool cosim_fits(const uint8_t* row) {\n    uint64_t beyond = 0;\n")
	above := func(format string, size, offset int, args ...any) {
		fmt.Fprintf(&b, "    { int%d_t v; std::memcpy(&v, row + %d, sizeof v); beyond |= "+format+"; }\n", append([]any{size * 8, offset}, args...)...)
	}
	for _, p := range l.Inputs {
		switch top := p.Width % 32; {
		case p.Width == 8*p.Size:
		case p.Width > 64:
			if top != 0 {
				above("uint32_t(v) >> %d", 4, p.Offset+words(p)*4-4, top)
			}
			for at := words(p) * 4; at < p.Size; at += 4 {
				above("v", 4, p.Offset+at)
			}
		case p.Signed:
			above("((v >> %d) + 1) & ~1", p.Size, p.Offset, p.Width-1) // 0 and -1 fit
		default:
			above("uint%d_t(v) >> %d", p.Size, p.Offset, p.Size*8, p.Width)
		}
	}
	b.WriteString("    return beyond == 0;\n}\nstatic inline void cosim_apply(Vdut___024root& m, const uint8_t* row) {\n")
	for _, p := range l.Inputs {
		name, mask := "m."+members[p.Name], ""
		switch {
		case p.Width > 64:
			fmt.Fprintf(&b, "    std::memcpy(%s.data(), row + %d, %d);\n", name, p.Offset, words(p)*4)
			continue
		case p.Signed && p.Width != 8*p.Size:
			mask = fmt.Sprintf(" & %#xULL", ^uint64(0)>>(64-p.Width))
		}
		fmt.Fprintf(&b, "    { uint%d_t v; std::memcpy(&v, row + %d, sizeof v); %s = v%s; }\n", p.Size*8, p.Offset, name, mask)
	}
	b.WriteString("}\nstatic inline void cosim_sample(const Vdut___024root& m, uint8_t* row) {\n")
	for _, p := range l.Outputs {
		name := "m." + members[p.Name]
		switch n := words(p) * 4; {
		case p.Width > 64:
			fmt.Fprintf(&b, "    std::memcpy(row + %d, %s.data(), %d);\n", p.Offset, name, n)
			if p.Size > n {
				fmt.Fprintf(&b, "    std::memset(row + %d, 0, %d);\n", p.Offset+n, p.Size-n)
			}
			continue
		case p.Signed:
			name = fmt.Sprintf("int64_t(uint64_t(%s) << %d) >> %d", name, 64-p.Width, 64-p.Width)
		}
		fmt.Fprintf(&b, "    { const uint%d_t v = %s; std::memcpy(row + %d, &v, sizeof v); }\n", p.Size*8, name, p.Offset)
	}
	b.WriteString("}\nstatic inline void cosim_clock(Vdut___024root& m, int clock, int level) {\n")
	for i, c := range clocks {
		if c.Port != "" {
			fmt.Fprintf(&b, "    if (clock == %d) m.%s = level;\n", i, members[c.Port])
		}
	}
	b.WriteString("}\n")
	return b.String()
}

// resetPort returns the part of ports.inc that checks whether a row holds the design in reset. If
// the reset is active low, this part also names it, because it must fall before the first cycle.
func resetPort(d *bridge.Design, l *bridge.Layout, members map[string]string) string {
	text := "static inline bool cosim_resets(const uint8_t* row) { return %s; }\n"
	i := slices.IndexFunc(l.Inputs, func(p bridge.Port) bool { return p.Name == d.Reset && p.Width == 1 })
	switch {
	case i < 0:
		return fmt.Sprintf(text, "false")
	case d.ResetActiveLow:
		return fmt.Sprintf(text+"#define COSIM_RESET_LOW %s\n", fmt.Sprintf("!(row[%d] & 1)", l.Inputs[i].Offset), members[d.Reset])
	default:
		return fmt.Sprintf(text, fmt.Sprintf("row[%d] & 1", l.Inputs[i].Offset))
	}
}

// words returns the number of 32-bit words of a port.
func words(p bridge.Port) int { return (p.Width + 31) / 32 }
