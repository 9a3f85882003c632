// Package tape keeps what tests have put into designs and what they expected, so that all of it can
// be played again without the tests.
//
// A recording is a folder. In it, designs/KEY has the sources of a design and what says how they
// are compiled, and tapes has a file for each DUT: its rows, in their order, with the names of the
// tests that they belong to.
package tape

import (
	"bufio"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/cosimate/cosimate/bridge"
)

// Key returns what stands for a design: its sources and all that its behaviour follows from.
func Key(d *bridge.Design) (string, error) {
	sources, err := d.Sources()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	text, err := json.Marshal(plain(d))
	if err != nil {
		return "", err
	}
	fmt.Fprintf(h, "%d %s\n", len(text), text)
	for _, s := range sources {
		fmt.Fprintf(h, "%q %d\n%s", s.Name, len(s.Data), s.Data)
	}
	for _, name := range d.Data {
		data, err := fs.ReadFile(d.FS, name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%q %d\n%s", name, len(data), data)
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}

// plain returns a design without its files, and without the signals that tests want to reach, which
// its behaviour does not depend on.
func plain(d *bridge.Design) *bridge.Design {
	p := *d
	p.FS, p.Internals = nil, nil
	return &p
}

// keep writes a design into a recording, unless it is there.
func keep(dir, key string, d *bridge.Design) error {
	to := filepath.Join(dir, "designs", key)
	if _, err := os.Stat(filepath.Join(to, "design.json")); err == nil {
		return nil
	}
	sources, err := d.Sources()
	if err != nil {
		return err
	}
	write := func(name string, data []byte) error {
		name = filepath.Join(to, filepath.FromSlash(name))
		return errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, data, 0o666))
	}
	for _, s := range sources {
		name := s.Name
		if d.Dir != "" {
			name = strings.TrimPrefix(name, path.Clean(d.Dir)+"/")
		}
		if err := write(path.Join("src", name), s.Data); err != nil {
			return err
		}
	}
	for _, name := range d.Data {
		data, err := fs.ReadFile(d.FS, name)
		if err != nil {
			return err
		}
		if err := write(path.Join("src", name), data); err != nil {
			return err
		}
	}
	text, err := json.MarshalIndent(plain(d), "", "\t")
	if err != nil {
		return err
	}
	// Last, and whole: another process may write the same.
	temporary := filepath.Join(to, fmt.Sprintf("design.%d", os.Getpid()))
	if err := os.WriteFile(temporary, append(text, '\n'), 0o666); err != nil {
		return err
	}
	return os.Rename(temporary, filepath.Join(to, "design.json"))
}

// Header is what a tape's rows are of.
type Header struct {
	Design    string // the key
	Simulator string
	Layout    *bridge.Layout
}

// Kinds of parts of a tape.
const (
	Expected = 'E' // rows whose outputs were compared by the bridge: Want and Care say with what
	Observed = 'O' // rows whose outputs were handed to the test; Want is what they were
	Label    = 'L' // the name of what the rows from here on belong to
	Broken   = 'X' // the rows from here on do not follow from the inputs alone: Text says why
	Poked    = 'P' // the internal signal that Text names was given Value, once, before the next row
)

// Part is a piece of a tape: rows, or a text.
type Part struct {
	Kind           byte
	Text           string
	N              int
	In, Want, Care []byte // Care has a bit set where an output counts
	Value          bridge.Value
}

// Writer writes a tape. The first error stays, and is that of Close.
type Writer struct {
	file   *os.File
	zip    *gzip.Writer
	buffer *bufio.Writer
	header Header
	last   Part // rows that are not written yet
	err    error
}

// Create begins the tape of a DUT. The name is that of a test, and need not be that of a file.
func Create(dir, name string, d *bridge.Design, simulator string, l *bridge.Layout) (*Writer, error) {
	key, err := Key(d)
	if err != nil {
		return nil, err
	}
	if err := keep(dir, key, d); err != nil {
		return nil, err
	}
	tapes := filepath.Join(dir, "tapes")
	if err := os.MkdirAll(tapes, 0o777); err != nil {
		return nil, err
	}
	w := &Writer{header: Header{key, simulator, l}}
	for n := 0; w.file == nil; n++ { // a test may open several
		w.file, err = os.OpenFile(filepath.Join(tapes, fmt.Sprintf("%s.%s.%d.gz", fileName(name), simulator, n)), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	w.zip, _ = gzip.NewWriterLevel(w.file, gzip.BestSpeed)
	w.buffer = bufio.NewWriterSize(w.zip, 1<<16)
	text, err := json.Marshal(w.header)
	w.fail(err)
	w.write(text)
	w.write([]byte("\n"))
	w.Label(name)
	return w, nil
}

// fileName returns a test's name as that of a file.
func fileName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == '=' || r == '.' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '+'
	}, name)
	if len(name) > 150 {
		sum := sha256.Sum256([]byte(name))
		name = name[:130] + hex.EncodeToString(sum[:8])
	}
	return name
}

func (w *Writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

func (w *Writer) write(b []byte) {
	if w.err == nil {
		_, w.err = w.buffer.Write(b)
	}
}

// Label says what the rows from here on belong to.
func (w *Writer) Label(name string) { w.text(Label, name) }

// Break says why the rows from here on cannot be played again.
func (w *Writer) Break(why string) { w.text(Broken, why) }

// Poke says that an internal signal was written before the next row.
func (w *Writer) Poke(name string, v bridge.Value) {
	text, err := json.Marshal(poke{name, v})
	w.fail(err)
	w.text(Poked, string(text))
}

// poke is the text of such a part.
type poke struct {
	Name  string
	Value bridge.Value
}

func (w *Writer) text(kind byte, text string) {
	w.flush()
	w.number(kind, len(text))
	w.write([]byte(text))
}

func (w *Writer) number(kind byte, n int) {
	w.write([]byte{kind, byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)})
}

// Rows adds cycles whose outputs nobody has compared yet. Unknown bits do not count; it may be nil.
func (w *Writer) Rows(in, out, unknown []byte, n int) {
	w.flush()
	l := w.header.Layout
	p := &w.last
	p.Kind, p.N = Observed, n
	p.In = append(p.In[:0], in[:n*l.InSize]...)
	p.Want = append(p.Want[:0], out[:n*l.OutSize]...)
	p.Care = p.Care[:0]
	for i := range p.Want {
		care := byte(0xff)
		if unknown != nil {
			care = ^unknown[i]
		}
		p.Care = append(p.Care, care)
	}
}

// Expect says what the outputs of the first n cycles of the last Rows were compared with, and which
// bits of them were not; ignored may be nil.
func (w *Writer) Expect(want, ignored []byte, n int) {
	p := &w.last
	if p.N < n {
		n = p.N
	}
	size := w.header.Layout.OutSize
	rest := Part{Kind: Observed, N: p.N - n}
	if rest.N > 0 {
		rest.In, rest.Want, rest.Care = clone(p.In[n*w.header.Layout.InSize:]), clone(p.Want[n*size:]), clone(p.Care[n*size:])
	}
	p.Kind, p.N = Expected, n
	copy(p.Want, want[:n*size])
	for i := range n * size {
		p.Care[i] = 0xff
		if ignored != nil {
			p.Care[i] = ^ignored[i]
		}
	}
	w.flush()
	w.last = rest
}

func clone(b []byte) []byte { return append([]byte(nil), b...) }

func (w *Writer) flush() {
	p := &w.last
	if p.N > 0 {
		l := w.header.Layout
		w.number(p.Kind, p.N)
		w.write(p.In[:p.N*l.InSize])
		w.write(p.Want[:p.N*l.OutSize])
		w.write(p.Care[:p.N*l.OutSize])
	}
	p.N = 0
}

// Close ends the tape.
func (w *Writer) Close() error {
	w.flush()
	w.fail(w.buffer.Flush())
	w.fail(w.zip.Close())
	w.fail(w.file.Close())
	if w.err != nil {
		return fmt.Errorf("recording the test: %w", w.err)
	}
	return nil
}
