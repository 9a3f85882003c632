package report

import (
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// gtkw returns a save file for GTKWave, to be written into dir. It loads the failure's FST and
// shows clocks, inputs and outputs over the cycles of the wave, with the marker on the rising edge
// of the failure's cycle. The path of the FST is relative, so that both files can be moved
// together.
func (f *Failure) gtkw(dir string) (string, error) {
	exponent, err := fstTimescale(f.FST)
	if err != nil {
		return "", err
	}
	// GTKWave finds the dump by its path relative to the save file. So both paths are written as if
	// the folder that contains both were the root.
	dump, save, err := fromCommonFolder(f.FST, filepath.Join(dir, gtkwName))
	if err != nil {
		return "", err
	}
	unit := math.Pow10(exponent + 9) // in nanoseconds
	at := func(t time.Duration) int64 { return int64(math.Round(float64(t) / unit)) }
	w := f.wave()
	from, to := time.Duration(0), f.At
	if n := len(w.Times); n > 0 {
		from, to = w.Times[0], max(f.At, w.Times[n-1])
		if n > 1 { // show from one cycle before the first edge to half a cycle after the last
			cycle := (to - from) / time.Duration(n-1)
			from, to = max(0, from-cycle), to+cycle/2
		}
	}
	// GTKWave's zoom is the binary logarithm of how much time is in 200 pixels, negated. In a
	// window of 1400 pixels 780 are waveform.
	zoom := -math.Log2(max(float64(at(to)-at(from)), 1) * 200 / 780)

	scope := f.FSTScope
	if scope == "" {
		scope = f.Top
	}
	scope = cleanLine(scope)
	var b strings.Builder
	fmt.Fprintf(&b, "[*] %s\n", f.Title())
	fmt.Fprintf(&b, "[dumpfile] \"%s\"\n[savefile] \"%s\"\n", dump, save)
	fmt.Fprintf(&b, "[timestart] %d\n[size] 1400 800\n[pos] -1 -1\n", at(from))
	fmt.Fprintf(&b, "*%.6f %d%s\n", zoom, at(f.At), strings.Repeat(" -1", 26))
	for i, r := range scope + "." {
		if r == '.' {
			fmt.Fprintf(&b, "[treeopen] %s.\n", scope[:i])
		}
	}
	fmt.Fprintf(&b, "[sst_width] 200\n[signals_width] 300\n[sst_expanded] 1\n")
	for _, c := range w.Clocks {
		gtkwSignal(&b, scope, &Signal{Name: c.Name, Width: 1}, false)
	}
	heading := Direction("")
	for i := range w.Traces {
		t := &w.Traces[i]
		if t.Dir != heading && t.Dir != "" {
			fmt.Fprintf(&b, "@200\n-%s\n", t.Dir.heading())
		}
		heading = t.Dir
		gtkwSignal(&b, scope, &t.Signal, t.Others != nil)
	}
	return b.String(), nil
}

// gtkwSignal writes a signal under each name that it may have in the FST. GTKWave ignores names
// that are not there. Icarus keeps the backslash of an escaped identifier, and puts one before a
// name with $.
func gtkwSignal(b *strings.Builder, scope string, s *Signal, bad bool) {
	const rightJustified, signed = 0x20, 0x400
	flags := rightJustified
	switch {
	case s.Format == Decimal && s.Signed:
		flags |= signed
	case s.Format == Decimal:
		flags |= 0x4
	case s.Format == Binary || s.width() == 1:
		flags |= 0x8
	default:
		flags |= 0x2
	}
	fmt.Fprintf(b, "@%x\n", flags)
	name := strings.Join(strings.Fields(cleanLine(s.Name)), "")
	names := []string{name}
	if strings.ContainsFunc(name, func(r rune) bool {
		return !(r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z')
	}) {
		names = append(names, `\`+name)
	}
	for _, name := range names {
		if bad {
			fmt.Fprintln(b, "[color] 1") // red
		}
		fmt.Fprintf(b, "%s.%s%s\n", scope, name, s.span())
	}
}

// fromCommonFolder returns two paths relative to the folder that contains both, each behind a
// slash.
func fromCommonFolder(a, b string) (string, string, error) {
	var err error
	if a, err = filepath.Abs(a); err != nil {
		return "", "", err
	}
	if b, err = filepath.Abs(b); err != nil {
		return "", "", err
	}
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	for len(x) > 1 && len(y) > 1 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	return "/" + strings.Join(x, "/"), "/" + strings.Join(y, "/"), nil
}

// fstTimescale returns the unit of time of an FST file as a power of ten in seconds: -12 for a
// picosecond. It is in the file's header, as GTKWave's manual describes; in a compressed file the
// header is compressed, too.
func fstTimescale(path string) (int, error) {
	const (
		header, compressed = 0, 254 // types of blocks
		timescaleAt        = 73
		headerLength       = 329
	)
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	var r io.Reader = file
	var b [timescaleAt + 1]byte
	read := func(n int) {
		if err == nil {
			_, err = io.ReadFull(r, b[:n])
		}
	}
	read(9)
	if err == nil && b[0] == compressed {
		read(8) // the uncompressed length of the rest
		if err == nil {
			if r, err = gzip.NewReader(file); err == nil {
				read(9)
			}
		}
	}
	if err == nil && (b[0] != header || binary.BigEndian.Uint64(b[1:]) != headerLength) {
		err = errors.New("it does not begin with the header of an FST file")
	}
	if err == nil {
		_, err = io.ReadFull(r, b[9:])
	}
	if err != nil {
		return 0, fmt.Errorf("%s is not a complete FST file: was the simulation closed before the report was written? %w", path, err)
	}
	return int(int8(b[timescaleAt])), nil
}
