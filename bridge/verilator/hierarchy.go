package verilator

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"slices"
	"strings"
)

// hierarchy is an elaborated design as Verilator dumps it. Up to 5.03x the dump is XML, in newer
// versions it is JSON.
type hierarchy struct {
	modules map[string]*module // by name; by address if the dump is JSON
	top     *module
	types   map[string]dataType
	// aliases is set if this Verilator makes an alias of an input port and its driver even if the
	// port can be forced.
	aliases bool
}

// module is a module for one set of its parameters' values.
type module struct {
	origName  string // its name in the source
	variables []variable
	instances []instantiation
}

type variable struct {
	path      []string // generate blocks, then the name
	typ       string
	direction string // of a port: input, output, inout
}

type instantiation struct {
	path   []string
	module string
}

type dataType struct {
	unpacked bool
	signed   bool
	refers   string // the type that it is another name for, or an array of
}

// internal is a signal somewhere below the top.
type internal struct {
	module, variable string // as a configuration file names them
	unpacked         bool
	input            bool // a port that is driven from outside the module
}

// internals returns all signals by their names below the top.
func (h *hierarchy) internals() map[string]internal {
	all := map[string]internal{}
	var walk func(m *module, prefix string)
	walk = func(m *module, prefix string) {
		for _, v := range m.variables {
			all[prefix+strings.Join(v.path, ".")] = internal{m.origName, v.path[len(v.path)-1], h.unpacked(v.typ), v.direction == "input" || v.direction == "inout"}
		}
		for _, i := range m.instances {
			if sub := h.modules[i.module]; sub != nil {
				walk(sub, prefix+strings.Join(i.path, ".")+".")
			}
		}
	}
	walk(h.top, "")
	return all
}

// ports returns the names of the top's ports.
func (h *hierarchy) ports() (names []string) {
	for _, v := range h.top.variables {
		if v.direction != "" {
			names = append(names, v.path[0])
		}
	}
	return names
}

// names returns the sorted names of the signals below the top that are none of its ports.
func (h *hierarchy) names() (names []string) {
	ports := h.ports()
	for name := range h.internals() {
		// Verilator's own variables begin with __V.
		if last := name[strings.LastIndexByte(name, '.')+1:]; !slices.Contains(ports, name) && !strings.HasPrefix(last, "__V") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// scopes returns the names of all instances, the top's first.
func (h *hierarchy) scopes() []string {
	var all []string
	var walk func(m *module, name string)
	walk = func(m *module, name string) {
		all = append(all, name)
		for _, i := range m.instances {
			if sub := h.modules[i.module]; sub != nil {
				walk(sub, name+"."+strings.Join(i.path, "."))
			}
		}
	}
	walk(h.top, h.top.origName)
	return all
}

// unpacked reports whether a type is an unpacked array.
func (h *hierarchy) unpacked(typ string) bool {
	for range 10 { // a typedef may be of a typedef
		t := h.types[typ]
		if t.unpacked || t.refers == "" {
			return t.unpacked
		}
		typ = t.refers
	}
	return false
}

// signed returns the variables of the top that are declared as signed.
func (h *hierarchy) signed() map[string]bool {
	all := map[string]bool{}
	for _, v := range h.top.variables {
		typ := v.typ
		for range 10 {
			t := h.types[typ]
			if t.signed {
				all[strings.Join(v.path, ".")] = true
			}
			typ = t.refers
		}
	}
	return all
}

// node is an element of the hierarchy, from either kind of dump.
type node struct {
	kind, name, orig, key, refers, typ string
	direction                          string // of a port: input, output, inout
	constant                           bool   // a parameter, or a genvar
	children                           []node
}

// add adds the contents of a module, or of a generate block in it.
func (m *module) add(path []string, nodes []node) {
	for _, n := range nodes {
		here := append(path[:len(path):len(path)], n.name)
		switch n.kind {
		case "var":
			if !n.constant {
				m.variables = append(m.variables, variable{here, n.typ, n.direction})
			}
		case "instance":
			m.instances = append(m.instances, instantiation{here, n.refers})
		case "block":
			m.add(here, n.children)
		}
	}
}

func newHierarchy(modules []node, types map[string]dataType, top string) *hierarchy {
	h := &hierarchy{modules: map[string]*module{}, types: types}
	for _, n := range modules {
		m := &module{origName: n.orig}
		m.add(nil, n.children)
		h.modules[n.key] = m
		if n.orig == top && h.top == nil { // the top comes first
			h.top = m
		}
	}
	return h
}

// element is any element of the XML dump.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Children []element  `xml:",any"`
}

func (e *element) attr(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func readXML(path, top string) (*hierarchy, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var root element
	if err := xml.Unmarshal(data, &root); err != nil {
		return nil, err
	}
	// Verilator 5.006 lists a genvar as a variable of type integer. Nothing refers to it, as the
	// loop has been unrolled: its block g is empty beside blocks g[0], g[1], ...
	used := map[string]bool{}
	var use func(e *element)
	use = func(e *element) {
		if e.XMLName.Local == "varref" || e.XMLName.Local == "varxref" {
			used[e.attr("name")] = true
		}
		for i := range e.Children {
			use(&e.Children[i])
		}
	}
	var convert func(e *element, unrolled bool) node
	convert = func(e *element, unrolled bool) node {
		n := node{
			name: e.attr("name"), orig: e.attr("origName"), key: e.attr("name"), refers: e.attr("defName"), typ: e.attr("dtype_id"),
			direction: e.attr("dir"),
			constant:  e.attr("param") != "" || e.attr("localparam") != "" || e.attr("vartype") == "genvar",
		}
		if e.attr("vartype") == "integer" && n.direction == "" && (unrolled || !used[n.name]) {
			n.constant = true
		}
		n.kind = map[string]string{"var": "var", "instance": "instance", "begin": "block", "module": "module"}[e.XMLName.Local]
		if n.kind == "block" || n.kind == "module" {
			loops := map[string]bool{} // with a first round
			for _, c := range e.Children {
				if loop, ok := strings.CutSuffix(c.attr("name"), "[0]"); ok {
					loops[loop] = true
				}
			}
			for i := range e.Children {
				child := &e.Children[i]
				n.children = append(n.children, convert(child, unrolled && child.XMLName.Local == "var" || loops[child.attr("name")]))
			}
		}
		return n
	}
	types := map[string]dataType{}
	var modules []node
	for i := range root.Children {
		if root.Children[i].XMLName.Local != "netlist" {
			continue
		}
		for _, e := range root.Children[i].Children {
			switch e.XMLName.Local {
			case "module":
				clear(used)
				use(&e)
				modules = append(modules, convert(&e, false))
			case "typetable":
				for _, t := range e.Children {
					d := dataType{unpacked: t.XMLName.Local == "unpackarraydtype", signed: t.attr("signed") == "true"}
					switch t.XMLName.Local {
					case "refdtype", "unpackarraydtype", "packarraydtype", "enumdtype":
						d.refers = t.attr("sub_dtype_id")
					}
					types[t.attr("id")] = d
				}
			}
		}
	}
	return newHierarchy(modules, types, top), nil
}

func readJSON(path, top string) (*hierarchy, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var root map[string]any
	if err := json.Unmarshal(data, &root); err != nil {
		return nil, err
	}
	text := func(o map[string]any, name string) string {
		s, _ := o[name].(string)
		return s
	}
	objects := func(o map[string]any, visit func(map[string]any)) {
		for _, v := range o {
			list, _ := v.([]any)
			for _, x := range list {
				if child, ok := x.(map[string]any); ok {
					visit(child)
				}
			}
		}
	}
	var convert func(o map[string]any) node
	convert = func(o map[string]any) node {
		n := node{name: text(o, "name"), orig: text(o, "origName"), key: text(o, "addr"), refers: text(o, "modp"), typ: text(o, "dtypep")}
		if d := text(o, "direction"); d != "NONE" {
			n.direction = strings.ToLower(d)
		}
		switch text(o, "varType") {
		case "GPARAM", "LPARAM", "GENVAR":
			n.constant = true
		}
		n.kind = map[string]string{"VAR": "var", "CELL": "instance", "GENBLOCK": "block", "BEGIN": "block", "MODULE": "module"}[text(o, "type")]
		if n.kind == "block" || n.kind == "module" {
			objects(o, func(child map[string]any) { n.children = append(n.children, convert(child)) })
		}
		return n
	}
	types := map[string]dataType{}
	var modules []node
	var visit func(o map[string]any)
	visit = func(o map[string]any) {
		switch kind := text(o, "type"); {
		case kind == "MODULE":
			modules = append(modules, convert(o))
		case kind == "UNPACKARRAYDTYPE":
			types[text(o, "addr")] = dataType{unpacked: true}
		case kind == "REFDTYPE", kind == "PACKARRAYDTYPE", kind == "ENUMDTYPE":
			types[text(o, "addr")] = dataType{refers: text(o, "refDTypep")}
		case kind == "BASICDTYPE":
			types[text(o, "addr")] = dataType{signed: o["signed"] == true}
		default:
			objects(o, visit)
		}
	}
	visit(root)
	return newHierarchy(modules, types, top), nil
}
