package sim

import (
	"context"
	"errors"
	"fmt"
	"go/format"
	"math/bits"
	"strings"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/icarus"
	"github.com/cosimate/cosimate/bridge/verilator"
)

// Port is one port of a top module.
type Port = bridge.Port

// Description is what a design has: see [Describe].
type Description = bridge.Description

// Describe compiles a design in the simulator, as far as that is needed, and returns the ports of
// its top module, inputs first, each sorted by name, and the names of its internal signals. Clocks
// are inputs here.
func Describe(ctx context.Context, d Design, s Simulator) (*Description, error) {
	switch s {
	case Icarus:
		return icarus.Describe(ctx, d)
	case Verilator:
		return verilator.Describe(ctx, d)
	}
	_, err := ParseSimulator(string(s))
	return nil, err
}

// Ports is [Describe] for the ports only.
func Ports(ctx context.Context, d Design, s Simulator) ([]Port, error) {
	description, err := Describe(ctx, d, s)
	if err != nil {
		return nil, err
	}
	return description.Ports, nil
}

// Structs returns Go source of package pkg with the two structs that [Open] binds to the ports.
// They are named In and Out, with the prefix before. There are no fields for the clocks, which the
// DUT drives. Inputs narrower than their field have a tag for random values that fit (package
// sim/stim). Ports declared as signed, of 2 to 64 bits, have signed fields. Two ports whose fields
// would have the same name are an error.
func Structs(pkg, prefix string, ports []Port, clocks ...string) ([]byte, error) {
	isClock := map[string]bool{}
	for _, c := range clocks {
		isClock[c] = true
	}
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n", pkg)
	for _, side := range []struct {
		name, doc string
		dir       bridge.Direction
	}{{"In", "holds the inputs of a cycle.", bridge.Input}, {"Out", "holds the outputs of a cycle.", bridge.Output}} {
		fmt.Fprintf(&b, "\n// %s%s %s\ntype %s%s struct {\n", prefix, side.name, side.doc, prefix, side.name)
		used := map[string]bool{}
		for _, p := range ports {
			if p.Dir != side.dir || isClock[p.Name] {
				continue
			}
			name := fieldName(p.Name)
			if used[name] {
				return nil, fmt.Errorf("port %s would be the field %s, which another port is already: write this struct by hand", p.Name, name)
			}
			used[name] = true
			kind, size := fieldType(p.Width)
			sign := ""
			if p.DeclaredSigned {
				sign = "signed "
				kind = strings.TrimPrefix(kind, "u") // wide ones are words all the same
			}
			narrower, random := size > p.Width, ""
			if narrower && p.Dir == bridge.Input {
				random = fmt.Sprintf(` rand:"bits=%d"`, p.Width)
			}
			fmt.Fprintf(&b, "%s %s `port:%q%s`", name, kind, p.Name, random)
			if narrower || p.Width > 64 {
				fmt.Fprintf(&b, " // %s[%d:0]", sign, p.Width-1)
			}
			b.WriteByte('\n')
		}
		b.WriteString("}\n")
	}
	source, err := format.Source([]byte(b.String()))
	if err != nil {
		return nil, errors.Join(errors.New("the generated source is not Go: is the package name a Go name?"), err)
	}
	return source, nil
}

// fieldType returns the smallest Go type that holds a port, and its number of bits.
func fieldType(width int) (string, int) {
	switch {
	case width == 1:
		return "bool", 1
	case width > 64:
		words := (width + 63) / 64
		return fmt.Sprintf("[%d]uint64", words), 64 * words
	default:
		size := max(8, 1<<bits.Len(uint(width-1)))
		return fmt.Sprintf("uint%d", size), size
	}
}

// fieldName returns the name of a port's field: PosValid for pos_valid_i.
func fieldName(port string) string {
	name := port
	if s, ok := strings.CutSuffix(name, "_i"); ok && s != "" {
		name = s
	} else if s, ok := strings.CutSuffix(name, "_o"); ok && s != "" {
		name = s
	}
	var b strings.Builder
	for part := range strings.SplitSeq(name, "_") {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	if s := b.String(); s != "" && (s[0] >= 'A' && s[0] <= 'Z') {
		return s
	}
	return "P" + b.String()
}
