// Package vcd is for tests: what GTKWave's fst2vcd says is in a file of the format FST.
package vcd

import (
	"bufio"
	"bytes"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// Point is a value that a signal takes on: its bits as characters, the most significant first.
type Point struct {
	Time  uint64
	Value string
}

// Signals are the changes of signals by name: the scopes and the name with dots between. A value is
// different from the one before it.
type Signals map[string][]Point

// Read runs fst2vcd, and returns what are signals and which of them are parameters. The test fails
// if there is no fst2vcd.
func Read(t testing.TB, path string) (s Signals, parameters map[string]bool) {
	t.Helper()
	out, err := exec.Command("fst2vcd", path).Output()
	if err != nil {
		t.Fatalf("fst2vcd (of GTKWave; run: scripts/setup fst2vcd): %v", err)
	}
	s, parameters, err = parse(out)
	if err != nil {
		t.Fatalf("the output of fst2vcd: %v", err)
	}
	return s, parameters
}

func parse(text []byte) (s Signals, parameters map[string]bool, err error) {
	s, parameters = Signals{}, map[string]bool{}
	type variable struct {
		width  int
		points []Point
	}
	variables := map[string]*variable{}
	names := map[string]string{} // to the codes of VCD
	var scopes []string
	time := uint64(0)
	set := func(code, value string) error {
		v := variables[code]
		if v == nil {
			return fmt.Errorf("a change of %q, which is no variable", code)
		}
		value = strings.Repeat(extension(value), max(0, v.width-len(value))) + value
		if n := len(v.points); n > 0 && v.points[n-1].Time == time {
			v.points = v.points[:n-1]
		}
		if n := len(v.points); n > 0 && v.points[n-1].Value == value {
			return nil
		}
		v.points = append(v.points, Point{time, value})
		return nil
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		line := lines.Text()
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		switch {
		case words[0] == "$scope":
			scopes = append(scopes, strings.TrimPrefix(words[2], `\`))
		case words[0] == "$upscope":
			scopes = scopes[:len(scopes)-1]
		case words[0] == "$var":
			width, err := strconv.Atoi(words[2])
			if err != nil {
				return nil, nil, err
			}
			name := strings.Join(append(scopes[:len(scopes):len(scopes)], strings.TrimPrefix(words[4], `\`)), ".")
			names[name] = words[3]
			if words[1] == "parameter" {
				parameters[name] = true
			}
			if variables[words[3]] == nil {
				variables[words[3]] = &variable{width: width}
			}
		case line[0] == '$':
		case line[0] == '#':
			time, err = strconv.ParseUint(line[1:], 10, 64)
		case line[0] == 'b':
			err = set(words[1], words[0][1:])
		case strings.IndexByte("01xz", line[0]) >= 0:
			err = set(line[1:], line[:1])
		}
		if err != nil {
			return nil, nil, err
		}
	}
	for name, code := range names {
		s[name] = variables[code].points
	}
	return s, parameters, lines.Err()
}

// extension returns the digit that VCD leaves out at the left of a value.
func extension(value string) string {
	if value[0] == '1' {
		return "0"
	}
	return value[:1]
}

// Before returns the value that the points have just before a time, or "" if there is none yet.
func Before(points []Point, time uint64) string {
	value := ""
	for _, p := range points {
		if p.Time >= time {
			break
		}
		value = p.Value
	}
	return value
}
