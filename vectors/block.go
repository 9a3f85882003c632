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

	"github.com/cosimate/cosimate/sim"
)

// Block is all that there is to say of a design with inputs I and outputs O. Their fields have a tag
// with the port's name, and another with its width if that is not the type's:
//
//	Square uint8 `port:"square_i" bits:"6"`
//
// The tags stand for the RTL before it is compiled: vectors are checked by them. A tag that does not
// agree with the RTL is an error when vectors are run.
type Block[I, O comparable] struct {
	Design sim.Design
	About  string  // what it is, in a few words
	Params []Param // that vectors may set
	// Model makes the reference for these parameters, in the state after a reset. If it has a
	// method Err() error, that tells of inputs for which it is none.
	Model func(p Params) sim.Model[I, O]
	// of ports' values; those of fields whose type is a fmt.Stringer need none
	Names []PortNames
	Kinds []Kind // of the statements' arguments
	// Statements makes the statements of scripts beside those that all blocks have. It is called
	// for each run: what they keep between them is the run's.
	Statements func(s *Session[I, O]) []Statement
	// Complete makes inputs that a table gives good for the model, where that wants more than
	// ports; or says why they are not.
	Complete func(in I) (I, error)
	Keeps    bool // a reset leaves some of the state: each vector has an instance of its own
	Idle     I    // the inputs until a vector says otherwise
	Reset    int  // for how many cycles a reset is held at least before a vector; 0: 3
	// Random is a random next input, for cosimate vectors record. Without it every bit is random.
	Random func(r *rand.Rand, before I) I
}

// Param is a parameter of a design, a number.
type Param struct {
	Name    string
	Default int
	About   string
	Min     int
	Max     int // 0: no bound
}

// Params are parameters by name.
type Params map[string]int

// Statement is a statement of scripts.
type Statement struct {
	// Use is how it is written. Words in lower case stand for themselves; one in capitals is an
	// argument of this kind; in brackets it can be left out; with ... behind it, it can come again:
	// "move SQUARE SQUARE [PIECE]".
	Use   string
	About string
	// Do carries it out. Arguments that were left out are not in args.
	Do func(args []any) error
}

// Kind is a kind of argument.
type Kind struct {
	Name  string // in capitals, as statements have it
	About string
	Rest  bool     // it takes all words to the end of the line
	Names []string // that it has, for help
	Parse func(text string) (any, error)
}

// NamesOf are the names that the String method of a small type gives its values, from 0 on: in lower
// case, with hyphens for blanks, up to the first that comes twice or has a digit in it, as those of
// values without a name do.
func NamesOf[T interface {
	~uint8
	String() string
}]() Names {
	return stringer(reflect.TypeFor[T](), 8)
}

// Number is a kind of argument that is an int.
func Number(name, about string, least, most int) Kind {
	return Kind{Name: name, About: about, Parse: func(text string) (any, error) {
		n, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 0, 64)
		if err != nil || int(n) < least || int(n) > most {
			return nil, fmt.Errorf("expected %d to %d, decimal or 0x", least, most)
		}
		return int(n), nil
	}}
}

// OneOf is a kind of argument that is one of these names: an int, its place among them. An empty
// name is none.
func OneOf(name, about string, names ...string) Kind {
	return Kind{Name: name, About: about, Names: Names{List: names}.known(), Parse: func(text string) (any, error) {
		if i := slices.Index(names, text); i >= 0 && text != "" {
			return i, nil
		}
		return nil, errors.New("there is none of this name")
	}}
}

// design is a block without its types.
type design struct {
	name, about, folder string
	params              []Param
	ports               []Port // inputs, then outputs
	forms               []form // of its own statements
	kinds               map[string]Kind
	period              time.Duration
	clock, reset        string
	keeps               bool
	resetCycles         int // at least, before a vector
	resetActive         *big.Int

	// open makes an instance of the RTL in each simulator, and a model.
	open func(ctx context.Context, c config, sims []sim.Simulator, opts ...sim.Option) (bench, error)
	rtl  func(c config) sim.Design
}

// config is what an instance is made for.
type config struct {
	params Params
	seed   uint64
	period time.Duration
	edit   func(sim.Design) sim.Design // of the RTL; may be nil
}

// bench is an instance of a design in simulators, and its model: it plays one vector after the
// other.
type bench interface {
	// play plays a vector. An error is one of the tools'; what else is wrong is a *Failure.
	play(ctx context.Context, p *plan, o playOptions) (cycles uint64, failure *Failure, err error)
	// random are the inputs of so many random cycles, by port.
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

// Registry is what there can be vectors for.
type Registry struct{ designs map[string]*design }

// Names are the names of the designs.
func (r *Registry) Names() (names []string) {
	for n := range r.designs {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// RTL is the design that a vector for this design runs, with the parameters' defaults.
func (r *Registry) RTL(name string) (sim.Design, bool) {
	d, ok := r.designs[name]
	if !ok {
		return sim.Design{}, false
	}
	return d.rtl(config{params: d.defaults()}), true
}

// AnyBlock is a [Block], whatever its inputs and outputs.
type AnyBlock interface{ design() *design }

// NewRegistry returns a registry of these blocks, each under the name of its top module. It panics
// if two have the same, or a block makes no sense: that is a mistake in a program.
func NewRegistry(blocks ...AnyBlock) *Registry {
	r := &Registry{map[string]*design{}}
	for _, b := range blocks {
		d := b.design()
		if r.designs[d.name] != nil {
			panic(fmt.Sprintf("vectors: there are two blocks %s", d.name))
		}
		r.designs[d.name] = d
	}
	return r
}

// design is the block without its types.
func (b Block[I, O]) design() *design {
	d := &design{
		name: b.Design.Top, about: b.About, params: b.Params, kinds: map[string]Kind{}, folder: b.Design.Dir,
		period: cmp.Or(b.Design.Period, 10*time.Nanosecond), keeps: b.Keeps, resetCycles: cmp.Or(b.Reset, 3), clock: b.Design.Clock, reset: b.Design.Reset, resetActive: big.NewInt(1),
	}
	if b.Design.ResetActiveLow {
		d.resetActive = new(big.Int)
	}
	d.ports = append(portsOf(reflect.TypeFor[I](), true), portsOf(reflect.TypeFor[O](), false)...)
	for _, n := range b.Names {
		for _, name := range n.Ports {
			p := d.port(name)
			if p == nil {
				panic(fmt.Sprintf("vectors: block %s names values of %s, which is not one of its ports", d.name, name))
			}
			p.Names = n.Names
		}
	}
	for _, k := range b.Kinds {
		d.kinds[k.Name] = k
	}
	if b.Statements != nil {
		for _, s := range b.Statements(&Session[I, O]{Params: d.defaults()}) {
			f := newForm(s.Use, s.About)
			for _, a := range f.args {
				if d.kinds[a.kind].Parse == nil {
					panic(fmt.Sprintf("vectors: block %s has a statement %q, but %s is not one of its kinds of arguments", d.name, s.Use, a.kind))
				}
			}
			d.forms = append(d.forms, f)
		}
	}
	d.rtl = func(c config) sim.Design {
		rtl := b.Design
		rtl.Period = c.period
		rtl.Params = map[string]string{}
		for k, v := range b.Design.Params {
			rtl.Params[k] = v
		}
		for _, p := range b.Params {
			if v := c.params[p.Name]; v != p.Default {
				rtl.Params[p.Name] = fmt.Sprint(v)
			}
		}
		if c.edit != nil {
			rtl = c.edit(rtl)
		}
		return rtl
	}
	d.open = func(ctx context.Context, c config, sims []sim.Simulator, opts ...sim.Option) (bench, error) {
		return newBench(ctx, &b, d, c, sims, opts...)
	}
	return d
}

// defaults are the parameters' defaults.
func (d *design) defaults() Params {
	p := Params{}
	for _, q := range d.params {
		p[q.Name] = q.Default
	}
	return p
}

// port finds a port by name.
func (d *design) port(name string) *Port {
	for i := range d.ports {
		if d.ports[i].Name == name {
			return &d.ports[i]
		}
	}
	return nil
}

// names are the ports' names on one side.
func (d *design) names(inputs bool) (names []string) {
	for _, p := range d.ports {
		if p.Input == inputs {
			names = append(names, p.Name)
		}
	}
	return names
}

// portsOf are the ports that a struct has fields for.
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

// stringer is [NamesOf] a type that may have no String method.
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

// get is the value of a port in a struct.
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

// set gives a port a value in a struct.
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

// newForm reads how a statement is written.
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
