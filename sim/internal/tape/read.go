package tape

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

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

// Read reads a tape. One of a process that has died ends early, which is no error.
func Read(dir, name string) (*Tape, error) {
	f, err := os.Open(filepath.Join(dir, "tapes", name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t := &Tape{}
	err = t.read(f)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	if err != nil {
		return nil, fmt.Errorf("tape %s: %w", name, err)
	}
	return t, nil
}

func (t *Tape) read(f io.Reader) error {
	zip, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	r := bufio.NewReaderSize(zip, 1<<16)
	header, err := r.ReadBytes('\n')
	if err != nil {
		return err
	}
	if err := json.Unmarshal(header, &t.Header); err != nil {
		return err
	}
	for {
		var head [5]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return err
		}
		n := int(head[1]) | int(head[2])<<8 | int(head[3])<<16 | int(head[4])<<24
		p := Part{Kind: head[0]}
		switch p.Kind {
		case Label, Broken:
			text := make([]byte, n)
			if _, err := io.ReadFull(r, text); err != nil {
				return err
			}
			p.Text = string(text)
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

// Same reports whether two tapes have the same inputs and the same expectations.
func Same(a, b *Tape) bool {
	if a.Design != b.Design {
		return false
	}
	in, out := a.Layout.InputBits(), a.Layout.OutputBits()
	return slices.EqualFunc(a.Parts, b.Parts, func(p, q Part) bool {
		return p.Kind == q.Kind && p.Text == q.Text && p.N == q.N && same(p.In, q.In, in, nil, nil) &&
			(p.Kind == Observed || same(p.Care, q.Care, out, nil, nil) && same(p.Want, q.Want, out, p.Care, q.Care))
	})
}

// same reports whether rows agree in the bits of ports that both care about.
func same(a, b, ports, careA, careB []byte) bool {
	for i := range a {
		x := (a[i] ^ b[i]) & ports[i%len(ports)]
		if careA != nil {
			x &= careA[i] & careB[i]
		}
		if x != 0 {
			return false
		}
	}
	return true
}
