package vectors

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/cosimate/cosimate/sim"
)

// Block is what vectors need to know of a design with inputs I and outputs O.
type Block[I, O comparable] struct {
	Design sim.Design
	About  string  // what it is, in a few words
	Params []Param // that vectors may set
	// Model makes the reference for these parameters. If it has a method Err() error, that tells of
	// inputs for which it is none.
	Model func(p Params) sim.Model[I, O]
	// Ports are those of the design, as cosimate ports prints them. Without them, widths are known
	// only once the design is compiled, and those of the fields are taken until then.
	Ports []sim.Port
	// of values, by port; those of fields whose type is a fmt.Stringer need none
	Names map[string]Names
	Kinds map[string]Kind // of arguments of verbs
	// Verbs makes the statements of scripts beside those that all blocks have. It is called for
	// each run: what they keep between them is the run's.
	Verbs func(s *Session[I, O]) []Verb[I, O]
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

// Verb is a statement of scripts.
type Verb[I, O comparable] struct {
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
	About string
	Rest  bool // it takes all words to the end of the line
	Names []string
	Parse func(text string) (any, error)
}

// design is a block without its types.
type design struct {
	name, about, folder string
	params              []Param
	ports               []Port // inputs, then outputs
	verbs               []verb
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

// verb is how a statement is written.
type verb struct {
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

// Add registers a block under the name of its top module. It panics if that is there, or the block
// makes no sense: that is a mistake in a program.
func Add[I, O comparable](r *Registry, b Block[I, O]) {
	name := b.Design.Top
	if r.designs == nil {
		r.designs = map[string]*design{}
	}
	if r.designs[name] != nil {
		panic(fmt.Sprintf("vectors: design %s is registered twice", name))
	}
	d := &design{
		name: name, about: b.About, params: b.Params, kinds: b.Kinds, folder: b.Design.Dir,
		period: cmp.Or(b.Design.Period, 10*time.Nanosecond), keeps: b.Keeps, resetCycles: cmp.Or(b.Reset, 3), clock: b.Design.Clock, reset: b.Design.Reset, resetActive: big.NewInt(1),
	}
	if b.Design.ResetActiveLow {
		d.resetActive = new(big.Int)
	}
	d.ports = append(portsOf(reflect.TypeFor[I](), true, b.Ports, b.Names), portsOf(reflect.TypeFor[O](), false, b.Ports, b.Names)...)
	if b.Verbs != nil {
		for _, v := range b.Verbs(&Session[I, O]{Params: d.defaults()}) {
			d.verbs = append(d.verbs, newVerb(v.Use, v.About))
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
	r.designs[name] = d
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
func portsOf(t reflect.Type, input bool, known []sim.Port, names map[string]Names) (ports []Port) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("port"), ",")
		if name == "-" {
			continue
		}
		if name == "" {
			panic(fmt.Sprintf("vectors: field %s of %s has no tag `port:\"name\"`", f.Name, t))
		}
		p := Port{Name: name, Input: input, field: i, Names: names[name]}
		switch k := f.Type.Kind(); k {
		case reflect.Bool:
			p.Width = 1
		case reflect.Array:
			p.Width = f.Type.Len() * f.Type.Elem().Bits()
		default:
			p.Width = f.Type.Bits()
			p.Signed = k >= reflect.Int && k <= reflect.Int64
		}
		for _, k := range known {
			if k.Name == name {
				p.Width = k.Width
			}
		}
		if len(p.Names.List) == 0 {
			p.Names = stringer(f.Type, p.Width)
		}
		ports = append(ports, p)
	}
	return ports
}

// stringer are the names that the String method of a small type gives: in lower case, with hyphens
// for blanks, up to the first that comes twice or has a digit in it, as those of numbers without
// name do.
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

// newVerb reads how a statement is written.
func newVerb(use, about string) verb {
	v := verb{use: use, about: about}
	for _, w := range strings.Fields(use) {
		plain := strings.Trim(w, "[].")
		if plain == strings.ToUpper(plain) {
			v.args = append(v.args, arg{plain, strings.HasPrefix(w, "["), strings.Contains(w, "...")})
		} else {
			v.words = append(v.words, w)
		}
	}
	return v
}
