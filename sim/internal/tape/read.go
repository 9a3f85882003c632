package tape

import (
	"bufio"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/cosimate/cosimate/bridge"
)

// Design returns a design of a recording. Its files are those that were recorded.
func Design(dir, key string) (bridge.Design, error) {
	var d bridge.Design
	text, err := os.ReadFile(filepath.Join(dir, "designs", key, "design.json"))
	if err != nil {
		return d, err
	}
	if err := json.Unmarshal(text, &d); err != nil {
		return d, fmt.Errorf("%s: %w", filepath.Join(dir, "designs", key), err)
	}
	d.FS = os.DirFS(filepath.Join(dir, "designs", key, "src"))
	return d, nil
}

// Tapes returns the names of the tapes in a recording, sorted.
func Tapes(dir string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(dir, "tapes"))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, err
}

// Tape is a tape that was read.
type Tape struct {
	Header
	Parts []Part
}

// Read reads a tape that is wanted. It returns nil for another one, of which it reads no rows:
// there may be gigabytes. A tape of a process that has died ends early, which is no error.
func Read(dir, name string, wanted func(h *Header) (bool, error)) (*Tape, error) {
	f, err := os.Open(filepath.Join(dir, "tapes", name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t := &Tape{}
	r, err := t.readHeader(f)
	if err == nil {
		want := false
		if want, err = wanted(&t.Header); err != nil || !want {
			return nil, err
		}
		err = t.readParts(r)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	if err != nil {
		return nil, fmt.Errorf("tape %s: %w", name, err)
	}
	return t, nil
}

func (t *Tape) readHeader(f io.Reader) (*bufio.Reader, error) {
	zip, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	r := bufio.NewReaderSize(zip, 1<<16)
	header, err := r.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	return r, json.Unmarshal(header, &t.Header)
}

func (t *Tape) readParts(r io.Reader) error {
	for {
		var head [5]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return err
		}
		n := int(head[1]) | int(head[2])<<8 | int(head[3])<<16 | int(head[4])<<24
		p := Part{Kind: head[0]}
		switch p.Kind {
		case Label, Broken, Poked:
			text := make([]byte, n)
			if _, err := io.ReadFull(r, text); err != nil {
				return err
			}
			p.Text = string(text)
			if p.Kind == Poked {
				var k poke
				if err := json.Unmarshal(text, &k); err != nil {
					return err
				}
				p.Text, p.Value = k.Name, k.Value
			}
		case Expected, Observed:
			p.N = n
			for _, to := range []struct {
				rows *[]byte
				size int
			}{{&p.In, t.Layout.InSize}, {&p.Want, t.Layout.OutSize}, {&p.Care, t.Layout.OutSize}} {
				*to.rows = make([]byte, n*to.size)
				if _, err := io.ReadFull(r, *to.rows); err != nil {
					return err
				}
			}
		default:
			return fmt.Errorf("there is no part of kind %q", p.Kind)
		}
		t.Parts = append(t.Parts, p)
	}
}

// Cycles returns how many rows a tape has before it breaks, and why it does.
func (t *Tape) Cycles() (n int, why string) {
	for _, p := range t.Parts {
		if p.Kind == Broken {
			return n, p.Text
		}
		n += p.N
	}
	return n, ""
}

// At returns the name of the test that a row belongs to.
func (t *Tape) At(row int) (test string) {
	n := 0
	for _, p := range t.Parts {
		if p.Kind == Label {
			test = p.Text
		}
		if n += p.N; n > row {
			break
		}
	}
	return test
}

// Sum returns what stands for the inputs and the expectations of a tape. What was only observed may
// differ.
func (t *Tape) Sum() string {
	h := sha256.New()
	fmt.Fprintln(h, t.Design)
	in, out := t.Layout.InputBits(), t.Layout.OutputBits()
	for _, p := range t.Parts {
		fmt.Fprintf(h, "%c %q %d %v\n", p.Kind, p.Text, p.N, p.Value)
		h.Write(masked(p.In, in))
		if p.Kind == Expected {
			care := masked(p.Care, out)
			h.Write(care)
			h.Write(masked(p.Want, care))
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// masked returns the bits of rows that a mask of one or more rows has.
func masked(rows, mask []byte) []byte {
	all := make([]byte, len(rows))
	for i, b := range rows {
		all[i] = b & mask[i%len(mask)]
	}
	return all
}
