package mutate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/lanes"
)

// A module may have tests of its own, in which it is a whole design. They come to what the design
// around it never puts into it. A fault of the module's source makes them fail all the same, so
// they find mutants of its instances.

// parts reads what was recorded of modules that a design contains.
func (r *recording) parts(ctx context.Context, sources []Source, d bridge.Design) ([]*configuration, error) {
	others := false
	if _, err := r.designs(sources, func(top string) bool {
		others = others || top != d.Top
		return false
	}); err != nil || !others {
		return nil, err
	}
	modules, err := lanes.Instances(ctx, d)
	if err != nil {
		return nil, err
	}
	instances := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(modules)) {
		instances[modules[name]] = append(instances[modules[name]], name)
	}
	all, err := r.designs(sources, func(top string) bool { return top != d.Top && instances[top] != nil })
	all = slices.DeleteFunc(all, func(c *configuration) bool { return c.rows == 0 })
	for _, c := range all {
		c.instances = instances[c.design.Top]
	}
	return all, err
}

// inOther returns the mutants of another configuration, or of a part, that are the same changes as
// these of the target, and the numbers of these.
func (r *runner) inOther(ctx context.Context, c *configuration, open []int) (list []Mutant, of []int, err error) {
	instances := c.instances
	if len(instances) == 0 {
		instances = []string{""} // the same module, with other parameters
	}
	if r.results[open[0]].Kind != bitKind {
		return r.sourceInOther(ctx, c, instances, open)
	}
	if r.cells == nil {
		if r.cells, err = cellsOf(ctx, r.target.design); err != nil {
			return nil, nil, err
		}
	}
	other, err := cellsOf(ctx, c.design)
	if err != nil {
		return nil, nil, err
	}
	for _, i := range open {
		m := r.results[i].Mutant
		for _, at := range instances {
			if cell, ok := r.cells.in(&m.fault, at, other); ok {
				m.fault.Cell, m.design = cell, &c.design
				list, of = append(list, m), append(of, i)
				break
			}
		}
	}
	return list, of, nil
}

func (r *runner) sourceInOther(ctx context.Context, c *configuration, instances []string, open []int) (list []Mutant, of []int, err error) {
	all, err := r.list(ctx, c.design)
	known := map[string]*Mutant{}
	for i := range all {
		known[all[i].Key] = &all[i]
	}
	for _, i := range open {
		p := r.results[i].place
		for _, at := range instances {
			if rest, ok := strings.CutPrefix(p.instance, at); ok {
				p.instance = rest
				if m := known[p.key()]; m != nil {
					list, of = append(list, *m), append(of, i)
				}
				break
			}
		}
	}
	return list, of, err
}

// cells are those of a netlist, in groups.
type cells struct {
	all map[string]cell
	// of says of each cell what tells it apart from others of its instance, from little to much:
	// its type and line; the signals around it; the cells near it; and these with their constants.
	// Constants may be others with other parameters.
	of     [4]map[string]string
	groups [4]map[string][]string // by that: the names of cells, in the order of the source
}

// ordered is from where on cells that have all of this in common are told apart by their order.
const ordered = 2

// labelled is for how many cells of an expression, one behind the other, it is known where they
// belong.
const labelled = 6

// sourced finds the names of cells that Yosys numbers in the order of the source: operators. What
// an always block assigns it orders anew in each design, by all names that there are.
var sourced = regexp.MustCompile(`:\d+\$\d+$`)

// cellsOf returns the cells of a design. Operators of a line are told apart by their order. Other
// cells are by the signals of the source that they are connected to, and by the cells that they are
// connected to without one.
func cellsOf(ctx context.Context, d bridge.Design) (*cells, error) {
	top, _, err := lowered(ctx, d, nil)
	if err != nil {
		return nil, err
	}
	c := &cells{all: top.Cells}
	names := map[any][]string{} // of each bit
	for name, net := range top.Netnames {
		for _, bit := range net.Bits {
			if _, constant := bit.(string); !constant && net.Hidden == 0 {
				names[bit] = append(names[bit], name)
			}
		}
	}
	unnamed := map[any][]cellPort{}
	for i := range c.of {
		c.of[i] = map[string]string{}
	}
	for name, x := range c.all {
		line := x.Type + " " + firstLine(x)
		c.of[0][name], c.of[1][name] = line, line
		constants := ""
		for _, port := range slices.Sorted(maps.Keys(x.Connections)) {
			signals, constant := map[string]bool{}, ""
			for _, bit := range x.Connections[port] {
				if digit, is := bit.(string); is {
					constant += digit // the least significant first
					continue
				}
				local := outermost(names[bit], lanes.InstanceOf(name))
				for _, signal := range local {
					signals[signal] = true
				}
				if len(local) == 0 {
					unnamed[bit] = append(unnamed[bit], cellPort{name, port})
				}
			}
			c.of[1][name] += " " + port + ":" + strings.Join(slices.Sorted(maps.Keys(signals)), ",")
			if len(constant) == len(x.Connections[port]) {
				constants += " " + port + "=" + strings.TrimRight(constant, "0")
			}
		}
		c.of[3][name] = c.of[1][name] + constants
	}
	c.of[2], c.of[3] = withNear(c.of[1], unnamed), withNear(c.of[3], unnamed)
	for i := range c.of {
		c.groups[i] = map[string][]string{}
		for _, name := range inOrder(c.all) {
			if sourced.MatchString(name) {
				c.of[i][name] = c.of[0][name]
			}
			group := c.group(i, name, "")
			c.groups[i][group] = append(c.groups[i][group], name)
		}
	}
	return c, nil
}

// outermost returns the names of a bit within an instance, without those that it has only in
// modules within that. Another design may have other modules there, such as those of a bind.
func outermost(names []string, instance string) (signals []string) {
	fewest := math.MaxInt
	for _, name := range names {
		signal, local := strings.CutPrefix(name, instance)
		if depth := strings.Count(signal, "."); local && depth <= fewest {
			if depth < fewest {
				fewest, signals = depth, nil
			}
			signals = append(signals, signal)
		}
	}
	return signals
}

type cellPort struct{ cell, port string }

// withNear returns labels of cells that say what those near them are, too. unnamed is what bits
// without a name are connected to.
func withNear(labels map[string]string, unnamed map[any][]cellPort) map[string]string {
	for range labelled {
		near := map[string]map[string]bool{}
		for _, pins := range unnamed {
			for _, at := range pins {
				if near[at.cell] == nil {
					near[at.cell] = map[string]bool{}
				}
				for _, other := range pins {
					if other.cell != at.cell {
						near[at.cell][at.port+" "+other.port+" "+labels[other.cell]] = true
					}
				}
			}
		}
		next := maps.Clone(labels)
		for name, others := range near {
			sum := sha256.Sum256([]byte(labels[name] + "\n" + strings.Join(slices.Sorted(maps.Keys(others)), "\n")))
			next[name] = hex.EncodeToString(sum[:])
		}
		labels = next
	}
	return maps.Clone(labels)
}

// group names the group of a cell, as it is in a design that is an instance of this one.
func (c *cells) group(i int, name, instance string) string {
	return strings.TrimPrefix(lanes.InstanceOf(name), instance) + " " + c.of[i][name]
}

// firstLine is the first of the lines of a cell: "file:12". Of some Yosys names further ones, such
// as that of a condition, but only where the module is an instance.
func firstLine(c cell) string {
	src, _ := c.Attributes["src"].(string)
	file, first := "", math.MaxInt
	for _, at := range strings.Split(src, "|") {
		name, position, _ := cutLast(at, ":")
		if strings.HasPrefix(name, "<<") { // of lower
			continue
		}
		line, _, _ := strings.Cut(position, ".")
		if n, err := strconv.Atoi(line); err == nil && (file == "" || name < file || name == file && n < first) {
			file, first = name, n
		}
	}
	return fmt.Sprintf("%s:%d", file, first)
}

// in returns the cell of another design that stands for one within an instance of it, if that has
// the pin's bits. There is none if the cell's group is a larger or smaller one there: where nothing
// reads a result, Yosys leaves its cell out.
func (c *cells) in(f *lanes.Fault, instance string, other *cells) (string, bool) {
	if !strings.HasPrefix(lanes.InstanceOf(f.Cell), instance) {
		return "", false
	}
	for i := len(c.of) - 1; i >= 0; i-- {
		mine, there := c.groups[i][c.group(i, f.Cell, "")], other.groups[i][c.group(i, f.Cell, instance)]
		if len(there) == 0 || i < ordered && len(mine) > 1 {
			continue // other cells are near it there; less may tell it apart
		}
		if len(mine) != len(there) {
			break
		}
		cell := there[slices.Index(mine, f.Cell)]
		return cell, max(f.Bit, f.Other) < len(other.all[cell].Connections[f.Port])
	}
	return "", false
}

// instancesText names instances: some, if there are many.
func instancesText(all []string) string {
	const most = 4
	var names []string
	for _, at := range all[:min(len(all), most)] {
		names = append(names, strings.TrimSuffix(at, "."))
	}
	text := strings.Join(names, ", ")
	if more := len(all) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
