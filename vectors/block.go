package vectors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
)

// Block describes a design with inputs I and outputs O. Each field of these structs has a tag with
// the port's name, and another one with its width in bits if that is not the width of the type:
//
//	Square uint8 `port:"square_i" bits:"6"`
//
// Vectors are checked against the tags, as that needs no compiled RTL. A tag that does not agree
// with the RTL is an error when vectors are run.
type Block[I, O comparable] struct {
	Design sim.Design
	About  string  // what it is, in a few words
	Params []Param // the parameters that vectors may set
	// Model returns the reference model for these parameters, in the state after a reset. If the
	// model has a method Err() error, an error means that it cannot predict the outputs for the
	// inputs that it was given.
	Model func(p Params) sim.Model[I, O]
	// Names are the names of ports' values. A port whose field has a fmt.Stringer as its type is
	// named by that.
	Names []PortNames
	Kinds []Kind // the kinds of arguments of the statements
	// Statements returns the block's own statements for scripts. It is called for each run, so that
	// state that statements share is that of one run. It may be nil.
	Statements func(s *Session[I, O]) []Statement
	// Complete sets fields of an input from a table that the model needs and that are not ports. It
	// returns an error if the input is not valid. It may be nil.
	Complete func(in I) (I, error)
	Keeps    bool // state survives a reset, so each vector needs an instance of its own
	Idle     I    // the inputs until a vector sets them
	Reset    int  // the least number of cycles of reset before a vector; 0: 3
	// Random returns a random next input, for cosimate vectors record. If nil, every bit is random.
	Random func(r *rand.Rand, before I) I
}

// Param is a parameter of a design. Its value is a number.
type Param struct {
	Name    string
	Default int
	About   string
	Min     int
	Max     int // 0: no bound
}

// Params are values of parameters by name.
type Params map[string]int

// Statement is a statement of scripts.
type Statement struct {
	// Use is how the statement is written: "move SQUARE SQUARE [PIECE]". Words in lower case are
	// literal. A word in capitals is an argument of this kind. One in brackets can be left out, and
	// one with ... behind it can be repeated.
	Use   string
	About string
	// Do carries out the statement. args does not have arguments that were left out.
	Do func(args []any) error
}

// Kind is a kind of argument.
type Kind struct {
	Name  string // in capitals, as in Statement.Use
	About string
	Rest  bool     // the argument is all words to the end of the line
	Names []string // the names that it can be, for help
	Parse func(text string) (any, error)
}

// NamesOf returns the names that the String method of a type gives its values from 0 on, in lower
// case and with hyphens for blanks. It ends before the first name that comes twice or has a digit:
// such are the names of values without one.
func NamesOf[T interface {
	~uint8
	String() string
}]() Names {
	return stringer(reflect.TypeFor[T](), 8)
}

// Number returns a kind of argument that is a number, as an int.
func Number(name, about string, least, most int) Kind {
	return Kind{Name: name, About: about, Parse: func(text string) (any, error) {
		n, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 0, 64)
		if err != nil || int(n) < least || int(n) > most {
			return nil, fmt.Errorf("expected %d to %d, decimal or 0x", least, most)
		}
		return int(n), nil
	}}
}

// OneOf returns a kind of argument that is one of these names. Its value is the name's index, an
// int. An empty name only takes up an index.
func OneOf(name, about string, names ...string) Kind {
	return Kind{Name: name, About: about, Names: Names{List: names}.known(), Parse: func(text string) (any, error) {
		if i := slices.Index(names, text); i >= 0 && text != "" {
			return i, nil
		}
		return nil, errors.New("there is none of this name")
	}}
}

// design is a Block without its types.
type design struct {
	name, about  string
	id           string   // tells it from other designs of the same name
	foreign      *foreign // RTL that a header names; nil for a block
	params       []Param
	ports        []Port // inputs, then outputs
	forms        []form // its own statements
	kinds        map[string]Kind
	period       time.Duration
	clock, reset string
	keeps        bool
	resetCycles  int // the least number before a vector
	resetActive  *big.Int

	// open makes an instance of the RTL in each simulator, and a model.
	open func(ctx context.Context, c config, sims []sim.Simulator, opts ...sim.Option) (bench, error)
	rtl  func(c config) sim.Design
}

// config is what an instance depends on besides the design.
type config struct {
	params Params
	seed   uint64
	period time.Duration
	edit   func(sim.Design) sim.Design // changes the RTL; may be nil
	// modelTimeout bounds the answers of a model that is a process.
	modelTimeout time.Duration
	waves        map[sim.Simulator]bridge.Wave // what is recorded, of RTL that a header names
}

// bench is an instance of a design in simulators, with its model. It plays one vector after the
// other.
type bench interface {
	// play plays a vector. If the vector does not pass, it returns a *Failure. The error is one of
	// the tools.
	play(ctx context.Context, p *plan, o playOptions) (cycles uint64, failure *Failure, err error)
	// random returns the inputs of so many random cycles, by port.
	random(seed uint64, cycles int) [][]*big.Int
	Close() error
}

// form is how a statement is written.
type form struct {
	words []string // in lower case
	args  []arg
	use   string
	about string
}

type arg struct {
	kind             string
	optional, repeat bool
}

// Registry is a set of blocks, for which there can be vectors. There can also be vectors for RTL
// that their headers name, with any registry.
type Registry struct {
	designs    map[string]*design
	elaborated *elaborated // for vectors whose headers name RTL
}

// Names returns the names of the designs.
func (r *Registry) Names() (names []string) {
	for n := range r.designs {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// RTL returns the RTL of a design with the defaults of its parameters. It returns false if there is
// no such design.
func (r *Registry) RTL(name string) (sim.Design, bool) {
	d, ok := r.designs[name]
	if !ok {
		return sim.Design{}, false
	}
	return d.rtl(config{params: d.defaults()}), true
}

// AnyBlock is a [Block] with any inputs and outputs.
type AnyBlock interface{ design() *design }

// NewRegistry returns a registry of these blocks, each under the name of its top module. It panics
// if two have the same name, or if a block contradicts itself.
func NewRegistry(blocks ...AnyBlock) *Registry {
	r := &Registry{designs: map[string]*design{}}
	for _, b := range blocks {
		d := b.design()
		if r.designs[d.name] != nil {
			panic(fmt.Sprintf("vectors: there are two blocks %s", d.name))
		}
		r.designs[d.name] = d
	}
	return r
}

// design returns the block without its types. It is compiled for each block anew, so what needs no
// types is not in it.
func (b Block[I, O]) design() *design {
	d := &design{about: b.About, params: b.Params, keeps: b.Keeps, resetCycles: b.Reset}
	d.describe(b.Design, reflect.TypeFor[I](), reflect.TypeFor[O](), b.Names, b.Kinds)
	if b.Statements != nil {
		d.offer(b.Statements(&Session[I, O]{Params: d.defaults()}))
	}
	d.open = func(ctx context.Context, c config, sims []sim.Simulator, opts ...sim.Option) (bench, error) {
		return newBench(ctx, &typedBlock[I, O]{b: &b}, d, c, sims, opts...)
	}
	return d
}

// describe adds what follows from the RTL of a block, the types of its inputs and outputs, the
// names of their values, and its kinds of arguments.
func (d *design) describe(base sim.Design, in, out reflect.Type, names []PortNames, kinds []Kind) {
	d.name, d.id = base.Top, base.Top
	d.period, d.clock, d.reset = cmp.Or(base.Period, 10*time.Nanosecond), base.Clock, base.Reset
	d.resetCycles, d.resetActive = cmp.Or(d.resetCycles, 3), big.NewInt(1)
	if base.ResetActiveLow {
		d.resetActive = new(big.Int)
	}
	d.ports = append(portsOf(in, true), portsOf(out, false)...)
	for _, n := range names {
		for _, name := range n.Ports {
			p := d.port(name)
			if p == nil {
				panic(fmt.Sprintf("vectors: block %s names values of %s, which is not one of its ports", d.name, name))
			}
			p.Names = n.Names
		}
	}
	d.kinds = map[string]Kind{}
	for _, k := range kinds {
		d.kinds[k.Name] = k
	}
	d.rtl = func(c config) sim.Design {
		rtl := base
		rtl.Period = c.period
		rtl.Params = map[string]string{}
		for k, v := range base.Params {
			rtl.Params[k] = v
		}
		for _, p := range d.params {
			if v := c.params[p.Name]; v != p.Default {
				rtl.Params[p.Name] = fmt.Sprint(v)
			}
		}
		if c.edit != nil {
			rtl = c.edit(rtl)
		}
		return rtl
	}
}

// offer adds a block's own statements.
func (d *design) offer(statements []Statement) {
	for _, s := range statements {
		f := newForm(s.Use, s.About)
		for _, a := range f.args {
			if d.kinds[a.kind].Parse == nil {
				panic(fmt.Sprintf("vectors: block %s has a statement %q, but %s is not one of its kinds of arguments", d.name, s.Use, a.kind))
			}
		}
		d.forms = append(d.forms, f)
	}
}

// defaults returns the defaults of the parameters.
func (d *design) defaults() Params {
	p := Params{}
	for _, q := range d.params {
		p[q.Name] = q.Default
	}
	return p
}

// port returns the port of a name, or nil.
func (d *design) port(name string) *Port {
	for i := range d.ports {
		if d.ports[i].Name == name {
			return &d.ports[i]
		}
	}
	return nil
}

// names returns the names of the inputs, or of the outputs.
func (d *design) names(inputs bool) (names []string) {
	for _, p := range d.ports {
		if p.Input == inputs {
			names = append(names, p.Name)
		}
	}
	return names
}

// portsOf returns the ports of the fields of a struct.
func portsOf(t reflect.Type, input bool) (ports []Port) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("port"), ",")
		if name == "-" {
			continue
		}
		if name == "" {
			panic(fmt.Sprintf("vectors: field %s of %s has no tag `port:\"name\"`", f.Name, t))
		}
		p := Port{Name: name, Input: input, field: i}
		switch k := f.Type.Kind(); k {
		case reflect.Bool:
			p.Width = 1
		case reflect.Array:
			p.Width = f.Type.Len() * f.Type.Elem().Bits()
		default:
			p.Width = f.Type.Bits()
			p.Signed = k >= reflect.Int && k <= reflect.Int64
		}
		if tag, ok := f.Tag.Lookup("bits"); ok {
			width, err := strconv.Atoi(tag)
			if err != nil || width < 1 || width > p.Width {
				panic(fmt.Sprintf("vectors: field %s of %s has a tag `bits:%q`, which is not one of 1 to %d", f.Name, t, tag, p.Width))
			}
			p.Width = width
		}
		p.Names = stringer(f.Type, p.Width)
		ports = append(ports, p)
	}
	return ports
}

// stringer is like [NamesOf], for a type that need not have a String method.
func stringer(t reflect.Type, width int) (n Names) {
	if !t.Implements(reflect.TypeFor[fmt.Stringer]()) || t.Kind() != reflect.Uint8 {
		return n
	}
	for i := range 1 << min(width, 8) {
		v := reflect.New(t).Elem()
		v.SetUint(uint64(i))
		name := strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) {
				return '-'
			}
			return unicode.ToLower(r)
		}, v.Interface().(fmt.Stringer).String())
		if strings.ContainsAny(name, "0123456789,|#") || slices.Contains(n.List, name) {
			break
		}
		n.List = append(n.List, name)
	}
	return n
}

// get returns the value of a port in a struct.
func (p *Port) get(v reflect.Value) *big.Int {
	f := v.Field(p.field)
	switch f.Kind() {
	case reflect.Bool:
		if f.Bool() {
			return big.NewInt(1)
		}
		return new(big.Int)
	case reflect.Array:
		bits := new(big.Int)
		for i := f.Len() - 1; i >= 0; i-- {
			bits.Lsh(bits, uint(f.Type().Elem().Bits()))
			bits.Or(bits, new(big.Int).SetUint64(f.Index(i).Uint()))
		}
		return bits
	}
	bits := new(big.Int)
	if f.CanInt() {
		bits.SetUint64(uint64(f.Int()))
	} else {
		bits.SetUint64(f.Uint())
	}
	return bits.And(bits, p.mask())
}

// set sets the value of a port in a struct.
func (p *Port) set(v reflect.Value, bits *big.Int) {
	f := v.Field(p.field)
	switch {
	case f.Kind() == reflect.Bool:
		f.SetBool(bits.Sign() != 0)
	case f.Kind() == reflect.Array:
		size := uint(f.Type().Elem().Bits())
		low := new(big.Int).Sub(new(big.Int).Lsh(one, size), one)
		rest := new(big.Int).Set(bits)
		for i := range f.Len() {
			f.Index(i).SetUint(new(big.Int).And(rest, low).Uint64())
			rest.Rsh(rest, size)
		}
	case f.CanInt():
		f.SetInt(p.signed(bits).Int64())
	default:
		f.SetUint(bits.Uint64())
	}
}

// newForm parses a Statement.Use.
func newForm(use, about string) form {
	f := form{use: use, about: about}
	for _, w := range strings.Fields(use) {
		plain := strings.Trim(w, "[].")
		if plain == strings.ToUpper(plain) {
			f.args = append(f.args, arg{plain, strings.HasPrefix(w, "["), strings.Contains(w, "...")})
		} else {
			f.words = append(f.words, w)
		}
	}
	return f
}
