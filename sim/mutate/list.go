package mutate

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/lanes"
)

// Mutant is a single change in a design: in a bit of a pin of a cell of its word-level netlist, or
// in the text of its source.
type Mutant struct {
	ID   int    // from 1 on, in the order of the source
	Key  string // what stands for it as long as the source and its parameters' widths are the same
	File string // as the design names it
	Line int
	What string // in words
	// Kind is "bit" for a bit of the netlist, and for the source what is changed: see
	// [changes.Change].
	Kind string

	place  place
	fault  lanes.Fault
	design *bridge.Design // whose netlist has the pin
}

// place says where a mutant is, apart from the instance of its module.
type place struct {
	at       string // in the source
	instance string // of a module, as [lanes.InstanceOf] names it
	change   string // what is changed there
}

func (p *place) key() string { return p.at + " " + p.instance + p.change }

// lower are the commands of Yosys before mutants are enumerated. A select of several cases becomes
// a chain of selects of two, in the order of the source, whose first case Yosys has last: of a
// select whose cases exclude each other it leaves open what comes out when two of them are true, as
// a mutant may have it, or a source that is wrong to say so by parallel_case. Bits that no width
// needs, as of the 1 in a + 1, go.
const lower = `design -push
read_verilog <<EOT
(* techmap_celltype = "$pmux" *)
module _80_cosimate_pmux (A, B, S, Y);
  parameter WIDTH = 1;
  parameter S_WIDTH = 1;
  input [WIDTH-1:0] A;
  input [S_WIDTH*WIDTH-1:0] B;
  input [S_WIDTH-1:0] S;
  output [WIDTH-1:0] Y;
  wire [(S_WIDTH+1)*WIDTH-1:0] chain;
  assign chain[0 +: WIDTH] = A;
  genvar i;
  generate for (i = 0; i < S_WIDTH; i = i + 1) begin : g
    assign chain[(i+1)*WIDTH +: WIDTH] = S[i] ? B[i*WIDTH +: WIDTH] : chain[i*WIDTH +: WIDTH];
  end endgenerate
  assign Y = chain[S_WIDTH*WIDTH +: WIDTH];
endmodule
EOT
design -save cosimate_pmux
design -pop
techmap -map %cosimate_pmux t:$pmux
wreduce
opt_clean`

// netlist is what mutants need to know of a netlist of Yosys.
type netlist struct {
	Modules map[string]module
}

type module struct {
	Ports map[string]struct {
		Bits []any `json:"bits"`
	} `json:"ports"`
	Cells    map[string]cell `json:"cells"`
	Netnames map[string]struct {
		Hidden int   `json:"hide_name"`
		Bits   []any `json:"bits"`
	} `json:"netnames"`
}

type cell struct {
	Type        string            `json:"type"`
	Parameters  map[string]any    `json:"parameters"`
	Attributes  map[string]any    `json:"attributes"`
	Connections map[string][]any  `json:"connections"`
	Directions  map[string]string `json:"port_directions"`
}

// check reports whether a cell assumes or asserts something. Newer Yosys have one type for both.
func (c cell) check() bool { return slices.Contains([]string{"$assume", "$assert", "$check"}, c.Type) }

// onlyChecked returns the cells that have no other purpose than what the design assumes or asserts:
// a change of these is none of the design.
func (m *module) onlyChecked() map[string]bool {
	drivers := map[string]string{} // by net
	for name, c := range m.Cells {
		for _, net := range c.outputs() {
			drivers[net] = name
		}
	}
	// cone adds a cell and all that it depends on.
	var cone func(to map[string]bool, name string)
	cone = func(to map[string]bool, name string) {
		if name == "" || to[name] {
			return
		}
		to[name] = true
		for _, bits := range m.Cells[name].Connections {
			for _, b := range bits {
				cone(to, drivers[fmt.Sprint(b)])
			}
		}
	}
	checked, needed := map[string]bool{}, map[string]bool{}
	for name, c := range m.Cells {
		if c.check() {
			cone(checked, name)
		} else if len(c.outputs()) == 0 { // as a memory's write port
			cone(needed, name)
		}
	}
	for _, p := range m.Ports {
		for _, b := range p.Bits {
			cone(needed, drivers[fmt.Sprint(b)])
		}
	}
	maps.DeleteFunc(checked, func(name string, _ bool) bool { return needed[name] })
	return checked
}

// outputs are the nets that a cell drives.
func (c cell) outputs() (nets []string) {
	for pin, bits := range c.Connections {
		if c.Directions[pin] == "output" {
			for _, b := range bits {
				nets = append(nets, fmt.Sprint(b))
			}
		}
	}
	return nets
}

// Most is how many mutants are decided. If there are more, a share of them is taken by seed.
const Most = 200_000

// List enumerates the mutants of a design's netlist.
func List(ctx context.Context, d bridge.Design) (list []Mutant, err error) {
	top, files, err := lowered(ctx, d, []string{"mutate -list 100000000 -seed 1 -o mutants.txt"}, "mutants.txt")
	if err != nil {
		return nil, err
	}
	l := &lister{top: top.Cells, names: map[string]string{}, order: map[string]int{}}
	for name, net := range top.Netnames {
		for i, b := range net.Bits {
			key := fmt.Sprint(b)
			label := name
			if len(net.Bits) > 1 {
				label = fmt.Sprintf("%s[%d]", name, i)
			}
			if old, known := l.names[key]; net.Hidden == 0 && (!known || len(label) < len(old) || len(label) == len(old) && label < old) {
				l.names[key] = label
			}
		}
	}
	l.sources(d)
	l.ordinals()
	checked := top.onlyChecked()
	for line := range strings.Lines(string(files["mutants.txt"])) {
		if m, ok := l.mutant(strings.TrimSpace(line)); ok && !checked[m.fault.Cell] {
			m.design, m.Kind = &d, bitKind
			list = append(list, m)
		}
	}
	return list, nil
}

// lowered returns the netlist in which mutants are enumerated, and the files that further commands
// of Yosys have written.
func lowered(ctx context.Context, d bridge.Design, commands []string, names ...string) (*module, map[string][]byte, error) {
	const file = "netlist.json"
	files, err := lanes.Script(ctx, d, slices.Concat([]string{lower}, commands, []string{"write_json " + file}), append(names, file)...)
	if err != nil {
		return nil, nil, err
	}
	var n netlist
	if err := json.Unmarshal(files[file], &n); err != nil {
		return nil, nil, fmt.Errorf("what Yosys has written is not understood: %w", err)
	}
	top := n.Modules[d.Top]
	return &top, files, nil
}

// bitKind is the kind of mutants of the netlist.
const bitKind = "bit"

// draw returns mutants in the order of the source: all, or as many as most, drawn by seed.
func draw(list []Mutant, most int, seed uint64) []Mutant {
	slices.SortFunc(list, func(a, b Mutant) int { return strings.Compare(a.Key, b.Key) })
	if len(list) > most {
		r := rand.New(rand.NewPCG(seed, 20))
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		list = list[:most]
	}
	sort.SliceStable(list, func(i, j int) bool {
		a, b := &list[i], &list[j]
		if a.File != b.File {
			return a.File < b.File
		}
		return a.Line < b.Line
	})
	for i := range list {
		list[i].ID = i + 1
	}
	return list
}

// lister makes mutants of the lines of Yosys.
type lister struct {
	top   map[string]cell
	names map[string]string // of bits
	order map[string]int    // of cells among those of the same type and place
	files []string
	// readers are the cells that read a net. Only some places need them.
	readers map[string][]string
}

// sources notes which files are the design's: others are those of Yosys' own maps.
func (l *lister) sources(d bridge.Design) {
	all, _ := d.Sources() // they were read before
	for _, s := range all {
		l.files = append(l.files, s.Name)
	}
}

// place returns the place of a cell in the sources: "file:1.2-3.4". Of some cells, such as those of
// an index, Yosys knows the file only: then it is that of a cell near by which reads what it makes.
func (l *lister) place(cell string) string {
	at, file := l.written(cell)
	if at != "" || file == "" {
		return at
	}
	if l.readers == nil {
		l.readers = map[string][]string{}
		for _, name := range slices.Sorted(maps.Keys(l.top)) {
			c := l.top[name]
			for _, pin := range slices.Sorted(maps.Keys(c.Connections)) {
				for _, b := range c.Connections[pin] {
					if net := fmt.Sprint(b); c.Directions[pin] != "output" && !slices.Contains(l.readers[net], name) {
						l.readers[net] = append(l.readers[net], name)
					}
				}
			}
		}
	}
	seen := map[string]bool{cell: true}
	for next := []string{cell}; len(next) > 0; next = next[1:] {
		for _, net := range l.top[next[0]].outputs() {
			for _, reader := range l.readers[net] {
				if at, _ := l.written(reader); strings.HasPrefix(at, file+":") {
					return at
				}
				if !seen[reader] {
					seen[reader] = true
					next = append(next, reader)
				}
			}
		}
	}
	return file + ":1.1-1.1"
}

// written returns the place of a cell in the design's sources as Yosys has it, "" if that has no
// line, and the file.
func (l *lister) written(cell string) (at, file string) {
	src, _ := l.top[cell].Attributes["src"].(string)
	for _, at := range slices.Backward(strings.Split(src, "|")) {
		name, line, ok := cutLast(at, ":")
		if !ok || !slices.Contains(l.files, name) {
			continue
		}
		if file = name; !strings.HasPrefix(line, "0") {
			return at, file
		}
	}
	return "", file
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// ordinals numbers the cells of the same type, place and instance.
func (l *lister) ordinals() {
	next := map[string]int{}
	for _, name := range inOrder(l.top) {
		key := lanes.InstanceOf(name) + " " + l.top[name].Type + " " + l.place(name)
		l.order[name] = next[key]
		next[key]++
	}
}

// inOrder returns the names of cells in the order in which Yosys has made them.
func inOrder(cells map[string]cell) []string {
	names := slices.Collect(maps.Keys(cells))
	number := func(name string) int {
		i := strings.LastIndexByte(name, '$')
		n, _ := strconv.Atoi(name[i+1:])
		return n
	}
	slices.SortFunc(names, func(a, b string) int {
		if na, nb := number(a), number(b); na != nb {
			return na - nb
		}
		return strings.Compare(a, b)
	})
	return names
}

// mutant makes a mutant of a line. It is none if it is one of a clock or of a check.
func (l *lister) mutant(line string) (m Mutant, ok bool) {
	words := strings.Fields(line)
	option := map[string]string{}
	for i := 1; i+1 < len(words); i += 2 {
		if _, known := option[words[i]]; !known {
			option[words[i]] = words[i+1]
		}
	}
	cell, port, mode := option["-cell"], option["-port"], option["-mode"]
	c, known := l.top[cell]
	if !known || port == "CLK" || strings.HasSuffix(port, "_CLK") || mode == "none" {
		return m, false
	}
	switch c.Type {
	case "$assert", "$assume", "$cover", "$live", "$fair", "$print", "$check", "$meminit", "$meminit_v2":
		return m, false
	}
	if strings.HasPrefix(c.Type, "$memrd") && port != "ADDR" && port != "DATA" {
		return m, false // of a port without a clock; Yosys wants these to be constant
	}
	at := l.place(cell)
	file, position, _ := cutLast(at, ":")
	start, _, _ := strings.Cut(position, ".")
	m.File = file
	m.Line, _ = strconv.Atoi(start)
	bit, _ := strconv.Atoi(option["-portbit"])
	m.place = place{at, lanes.InstanceOf(cell), fmt.Sprintf("%s#%d %s[%d] %s", c.Type, l.order[cell], port, bit, mode)}
	if control := option["-ctrlbit"]; control != "" {
		m.place.change += " " + control
	}
	m.Key = m.place.key()
	m.What = l.words(cell, port, bit, mode, option["-ctrlbit"])
	other, _ := strconv.Atoi(option["-ctrlbit"])
	m.fault = lanes.Fault{Pin: lanes.Pin{Cell: cell, Port: port, Bit: bit}, Kind: lanes.Kind(mode), Other: other}
	return m, true
}

// operators are the cells' types as the source writes them.
var operators = map[string]string{
	"$add": "+", "$sub": "-", "$mul": "*", "$div": "/", "$mod": "%", "$eq": "==", "$ne": "!=", "$eqx": "===", "$nex": "!==",
	"$lt": "<", "$le": "<=", "$gt": ">", "$ge": ">=", "$and": "&", "$or": "|", "$xor": "^", "$xnor": "~^", "$not": "~",
	"$logic_and": "&&", "$logic_or": "||", "$logic_not": "!", "$reduce_and": "reduction &", "$reduce_or": "reduction |",
	"$reduce_xor": "reduction ^", "$reduce_bool": "being not 0", "$shl": "<<", "$shr": ">>", "$sshl": "<<<", "$sshr": ">>>",
	"$neg": "unary -", "$shift": "index", "$shiftx": "index", "$mux": "choice",
}

// words says what a mutant changes: "bit 3 of the left operand of + (count_q[3]) is stuck at 0".
func (l *lister) words(cell, port string, bit int, mode, control string) string {
	c := l.top[cell]
	kind := strings.TrimPrefix(c.Type, "$")
	op, known := operators[c.Type]
	if !known {
		op = kind
	}
	_, binary := c.Connections["B"]
	pin := "pin " + port + " of " + op
	switch {
	case c.Type == "$mux" && port == "S":
		pin = "the condition"
	case c.Type == "$mux" && port == "A":
		pin = "the value if the condition is false"
	case c.Type == "$mux" && port == "B":
		pin = "the value if the condition is true"
	case c.Type == "$mux":
		pin = "what is chosen"
	case strings.Contains(kind, "dff") && port == "Q":
		pin = "the register"
	case strings.Contains(kind, "dff") && port == "D":
		pin = "what the register becomes"
	case strings.Contains(kind, "dff") && port == "ARST":
		pin = "the asynchronous reset of the register"
	case strings.HasPrefix(kind, "mem"):
		pin = map[string]string{"ADDR": "the address", "DATA": "the data", "EN": "the enable"}[port]
		if strings.HasPrefix(kind, "memrd") {
			pin += " of the memory's read port"
		} else {
			pin += " of the memory's write port"
		}
	case port == "Y":
		pin = "the result of " + op
	case port == "A" && binary:
		pin = "the left operand of " + op
	case port == "A":
		pin = "the operand of " + op
	case port == "B":
		pin = "the right operand of " + op
	}
	name := l.nameOf(c.Connections[port], bit)
	if strings.Contains(kind, "dff") && name == "" {
		name = l.nameOf(c.Connections["Q"], bit)
	}
	if len(c.Connections[port]) > 1 {
		pin = fmt.Sprintf("bit %d of %s", bit, pin)
	}
	if name != "" {
		pin += " (" + name + ")"
	}
	if at := lanes.InstanceOf(cell); at != "" && !strings.HasPrefix(name, at) {
		pin += " in " + strings.TrimSuffix(at, ".")
	}
	switch mode {
	case "inv":
		return pin + " is inverted"
	case "const0":
		return pin + " is stuck at 0"
	case "const1":
		return pin + " is stuck at 1"
	}
	n, _ := strconv.Atoi(control)
	other := fmt.Sprintf("bit %d beside it", n)
	if name := l.nameOf(c.Connections[port], n); name != "" {
		other = name
	}
	return fmt.Sprintf("%s is inverted while %s is %s", pin, other, strings.TrimPrefix(mode, "cnot"))
}

// nameOf returns the name of a bit of a pin, or "".
func (l *lister) nameOf(bits []any, i int) string {
	if i < 0 || i >= len(bits) {
		return ""
	}
	return l.names[fmt.Sprint(bits[i])]
}

// pins synthesises the design of these mutants so that all of them can be made of it.
func pins(ctx context.Context, list []Mutant) (*lanes.Pins, error) {
	known := map[lanes.Pin]bool{}
	var all []lanes.Pin
	add := func(p lanes.Pin) {
		if !known[p] {
			known[p] = true
			all = append(all, p)
		}
	}
	for i := range list {
		f := &list[i].fault
		add(f.Pin)
		if f.Kind == lanes.InvertedIf0 || f.Kind == lanes.InvertedIf1 {
			add(lanes.Pin{Cell: f.Cell, Port: f.Port, Bit: f.Other})
		}
	}
	return lanes.BuildPins(ctx, *list[0].design, []string{lower}, all)
}

// faults are the faults of mutants.
func faults(list []Mutant) (all []lanes.Fault) {
	for i := range list {
		all = append(all, list[i].fault)
	}
	return all
}
