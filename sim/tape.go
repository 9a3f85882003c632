package sim

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim/internal/module"
	"github.com/cosimate/cosimate/sim/internal/tape"
)

// Flags of go test with which package sim/mutate runs tests.
var (
	tapeFlag   = flag.String("sim.record", "", "folder for a recording of what tests put into designs, and of what they expect; tests run as always")
	insertFlag = flag.String("sim.insert", "", "folder with RTL that is run in place of a design's: insert.json says of which")
)

// WithTape records all rows of the DUT, and what they are compared with, into a folder, under a
// name. [DUT.Mark] gives later rows another.
func WithTape(dir, name string) Option { return func(o *options) { o.tape, o.tapeName = dir, name } }

// Recorder records what a design that is no [DUT] is given, and what is expected of it. A nil one
// records nothing.
type Recorder struct {
	w    *tape.Writer
	size int // of a row of outputs
}

// NewRecorder returns a recorder for rows of this layout in the folder that [WithTape] names, or
// nil without that option.
func NewRecorder(d *Design, s Simulator, l *bridge.Layout, opts ...Option) (*Recorder, error) {
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	if o.tape == "" {
		return nil, nil
	}
	w, err := tape.Create(o.tape, o.tapeName, d, string(s), l)
	return &Recorder{w, l.OutSize}, err
}

// Mark is [DUT.Mark].
func (r *Recorder) Mark(name string) {
	if r != nil {
		r.w.Label(name)
	}
}

// Break says why the rows from here on do not follow from the inputs alone.
func (r *Recorder) Break(why string) {
	if r != nil {
		r.w.Break(why)
	}
}

// Row records a cycle whose outputs were compared in the bits of care with want. Where none was,
// seen says whether they were looked at otherwise, so that what is put in later may follow from
// them.
func (r *Recorder) Row(in, out, unknown, want, care []byte, seen bool) {
	if r == nil {
		return
	}
	r.w.Rows(in, out, unknown, 1)
	compared := slices.ContainsFunc(care, func(b byte) bool { return b != 0 })
	if seen && !compared {
		return
	}
	ignored := make([]byte, r.size)
	for i := range ignored {
		ignored[i] = ^care[i]
	}
	r.w.Expect(want, ignored, 1)
}

// Close ends the recording.
func (r *Recorder) Close() error {
	if r == nil {
		return nil
	}
	return r.w.Close()
}

// Mark says what the cycles from here on belong to, for recordings: the name of a test or of a
// vector. Without a recording it does nothing.
func (d *DUT[I, O]) Mark(name string) { d.device.mark(name) }

func (d *device) mark(name string) {
	if d.tapes != nil {
		d.tapes.Label(name)
	}
}

// recorded begins the recording of a DUT, if there shall be one.
func (d *device) recorded(design *Design) (err error) {
	o := &d.options
	if o.tape == "" && *tapeFlag != "" {
		if o.tape, err = module.Folder(*tapeFlag); err != nil {
			return fmt.Errorf("-sim.record=%s: %w", *tapeFlag, err)
		}
	}
	if o.tape == "" || o.alone {
		return nil
	}
	if o.tapeName == "" {
		o.tapeName = filepath.ToSlash(module.Package())
	}
	d.tapes, err = tape.Create(o.tape, o.tapeName, design, string(d.simulator), d.layout)
	return err
}

// broken says in the recording that a DUT does from now on what its inputs alone do not explain.
func (d *device) broken(why string) {
	if d.tapes != nil {
		d.tapes.Break(why)
	}
}

// Insert is RTL that takes the place of a design's, in insert.json of the folder of -sim.insert.
// The files are in that folder.
type Insert struct {
	Design string   // the key of the design, as recordings have it
	Files  []string // names in the folder
	// Whole is set if the files are a netlist: parameters, defines and include folders are in it.
	Whole bool
}

// ErrNoNames is that of a test with -sim.insert whose design has Internals, where a netlist takes
// the place of the design.
var ErrNoNames = errors.New("a netlist has no internal signals by name, and the test wants some")

// inserted returns the design that is to be run in place of another: mostly that itself.
func inserted(d Design) (Design, error) {
	if *insertFlag == "" {
		return d, nil
	}
	dir, err := module.Folder(*insertFlag)
	if err != nil {
		return d, err
	}
	var in Insert
	text, err := os.ReadFile(filepath.Join(dir, "insert.json"))
	if err == nil {
		err = json.Unmarshal(text, &in)
	}
	if err != nil {
		return d, fmt.Errorf("-sim.insert: %w", err)
	}
	key, err := tape.Key(&d)
	if err != nil || key != in.Design {
		return d, err
	}
	d.FS, d.Files = os.DirFS(dir), in.Files
	if in.Whole {
		d.Dir, d.Include, d.Defines, d.Params = "", nil, nil, nil
		d.Verilator = append(d.Verilator[:len(d.Verilator):len(d.Verilator)], "-Wno-fatal")
		if len(d.Internals) > 0 {
			return d, fmt.Errorf("-sim.insert: %w", ErrNoNames)
		}
	}
	return d, nil
}

// taped adds rows to the recording.
func (d *device) taped(rows *bridge.Rows, done int) {
	if d.tapes == nil || done == 0 {
		return
	}
	d.tapes.Rows(rows.In, rows.Out, rows.Unknown, done)
}

// expected says in the recording what the last n rows were compared with.
func (d *device) expected(want []byte, n int, dontCare func(want []byte) []byte) {
	if d.tapes == nil || n == 0 {
		return
	}
	want = want[:n*d.layout.OutSize]
	var ignored []byte
	if dontCare != nil {
		for i := range n {
			ignored = append(ignored, dontCare(row(want, i, d.layout.OutSize))...)
		}
	}
	d.tapes.Expect(want, ignored, n)
}

// unseen says in the recording that nobody looks at the outputs of the last row.
func (d *device) unseen() {
	if d.tapes == nil {
		return
	}
	all := make([]byte, d.layout.OutSize)
	for i := range all {
		all[i] = 0xff
	}
	d.tapes.Expect(make([]byte, len(all)), all, 1)
}
