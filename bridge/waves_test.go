package bridge_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cosimate/cosimate/bridge"
)

const waving = `
module deep(input wire clk_i, input wire [7:0] a_i);
  logic [7:0] sum_q = 0;
  logic [7:0] mem [2:4];
  initial mem[4] = 0;
  always_ff @(posedge clk_i) begin
    sum_q <= sum_q + a_i;
    mem[4] <= a_i;
  end
endmodule
module waving(input wire clk_i, input wire [7:0] a_i, input wire loop_i, output logic [7:0] q_o);
  deep u_deep(.clk_i, .a_i);
  logic [7:0] spin = 0;
  initial q_o = 0;
  always_ff @(posedge clk_i) begin
    q_o <= a_i;
    if (a_i == 99) $finish;
    while (loop_i) spin = spin + 1;
  end
endmodule`

// changes reads an FST file with GTKWave's fst2vcd. It returns the times, in ns, at which a signal
// changes, and the times between which it was recorded.
func changes(t *testing.T, path, signal string) (times, window string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// A complete file begins with a header block: type 0, length, first and last time, and has its
	// signals' names (types 4, 6, 7) in a block at the end.
	names := false
	for at := 0; at+9 <= len(data); at += 1 + int(binary.BigEndian.Uint64(data[at+1:])) {
		switch data[at] {
		case 0:
			window = fmt.Sprint(binary.BigEndian.Uint64(data[at+9:])/1000, " ", binary.BigEndian.Uint64(data[at+17:])/1000)
		case 4, 6, 7:
			names = true
		}
	}
	if !names {
		t.Fatalf("the waveform is not complete: %d bytes", len(data))
	}
	if _, err := exec.LookPath("fst2vcd"); err != nil {
		t.Log("fst2vcd (of GTKWave) is not installed: the signals of waveforms are not compared")
		return "", window
	}
	out, err := exec.Command("fst2vcd", path).CombinedOutput()
	if err != nil {
		t.Fatalf("fst2vcd: %v\n%s", err, out)
	}
	declared := regexp.MustCompile(`\$var \w+ \d+ (\S+) ` + signal + ` `).FindSubmatch(out)
	if declared == nil {
		t.Fatalf("%s is not in the waveform:\n%s", signal, out)
	}
	var at []string
	now := ""
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			now = strings.TrimSuffix(line[1:], "000")
		}
		if strings.HasPrefix(line, "b") && strings.HasSuffix(line, " "+string(declared[1])) && !strings.Contains(line, "x") {
			at = append(at, now)
		}
	}
	return strings.Join(at, " "), window
}

// A waveform has the window asked for and the signals of all levels. It is complete after Close,
// whatever has ended the run.
func TestWave(t *testing.T) {
	forEachWith(t, design("waving", waving), bridge.BuildOptions{Wave: true}, func(t *testing.T, m *model) {
		for _, c := range []struct {
			name     string
			from, to uint64
			rows     int
			end      func(d *dut)
			window   string // in ns, a pattern
			times    string // of changes of sum_q, in ns
		}{
			{"window", 3, 5, 10, nil, "40 (65|70)", "40 45 55 65"},
			{"to the end", 7, 1000, 10, nil, "80 1(05|10)", "80 85 95 105"},
			{"from the start", 0, 1, 10, nil, "10 (25|30)", "10 15 25"},
			{"finish", 3, 1000, 10, func(d *dut) { d.set(5, "a_i", 99) }, "40 (65|70)", "40 45 55 65"},
			{"cancelled between runs", 8, 1000, 10, func(d *dut) {
				ctx, cancel := context.WithCancel(t.Context())
				cancel()
				d.Run(ctx, &d.rows, 1)
			}, "90 1(05|10)", "90 95 105"},
		} {
			t.Run(c.name, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "wave.fst")
				d := m.start(bridge.Options{Wave: bridge.Wave{Path: path, From: c.from, To: c.to}})
				for row := range c.rows {
					d.set(row, "a_i", uint64(row)+1)
				}
				if c.name == "finish" {
					c.end(d)
				}
				_, err := d.Run(t.Context(), &d.rows, c.rows)
				if _, stopped := errors.AsType[*bridge.StopError](err); stopped != (c.name == "finish") {
					t.Fatal(err)
				}
				if c.name != "finish" && c.end != nil {
					c.end(d)
				}
				for _, msg := range d.Messages() {
					t.Errorf("it printed %v", msg)
				}
				if err := d.Close(); err != nil {
					t.Fatal(err)
				}
				times, window := changes(t, path, "sum_q")
				if !regexp.MustCompile("^"+c.window+"$").MatchString(window) || times != "" && times != c.times {
					t.Errorf("the waveform is of %s and sum_q changes at %s, not %s and %s", window, times, c.window, c.times)
				}
				if words, _ := changes(t, path, `\\?mem\[4\]`); words != times {
					t.Errorf("mem[4] changes at %s, not %s", words, times)
				}
				if files, _ := filepath.Glob(path + "*"); len(files) != 1 {
					t.Errorf("the files are %v", files)
				}
			})
		}
	})
}

// If the window is not reached, there is no file. A folder that does not exist is an error at the
// start.
func TestNoWave(t *testing.T) {
	forEachWith(t, design("waving", waving), bridge.BuildOptions{Wave: true}, func(t *testing.T, m *model) {
		path := filepath.Join(t.TempDir(), "wave.fst")
		d := m.start(bridge.Options{Wave: bridge.Wave{Path: path, From: 100, To: 200}})
		d.run(20)
		d.Close()
		if _, err := os.Stat(path); err == nil {
			t.Error("a window that was not reached left a file")
		}
		if _, err := m.Start(bridge.Options{Wave: bridge.Wave{Path: filepath.Join(path, "none", "wave.fst"), To: 1}}); err == nil {
			t.Error("a waveform in a folder that does not exist is no error")
		}
	})
}

// If the disk becomes full while a waveform is written, the error says so, and no part of the
// waveform is left. The disk is a small one in memory, in a mount namespace of the child's own.
func TestFullDiskUnderWave(t *testing.T) {
	for _, s := range simulators {
		// By its size the disk is full in one block of the file or in another.
		for _, size := range []string{"4k", "16k", "64k", "92k"} {
			for _, to := range []string{"", " to 19000"} { // full when the file is closed, or before
				t.Run(s.name+"/"+size+to, func(t *testing.T) {
					out, err := onSmallDisk(t, t.TempDir(), size, "wave of "+s.name+to, os.Getenv("COSIMATE_CACHE")).CombinedOutput()
					tellsFull(t, string(out), err)
				})
			}
		}
	}
}

// The same holds if the disk with /tmp becomes full, where the writers keep a part of the waveform.
// A file without this part looks complete.
func TestFullTemporaryFolderUnderWave(t *testing.T) {
	for _, s := range simulators {
		// The compilers need room there, so this is built before.
		if _, err := s.build(t.Context(), noisy, bridge.BuildOptions{Wave: true}); err != nil {
			t.Fatal(err)
		}
		for _, size := range []string{"4k", "16k", "64k"} {
			t.Run(s.name+"/"+size, func(t *testing.T) {
				out, err := withSmallTmp(t, t.TempDir(), size, "wave of "+s.name, os.Getenv("COSIMATE_CACHE")).CombinedOutput()
				tellsFull(t, string(out), err)
			})
		}
	}
}

// tellsFull checks the error that a child prints for a waveform without room.
func tellsFull(t *testing.T, out string, err error) {
	t.Helper()
	if err == nil || !strings.Contains(out, "disk") || !strings.Contains(out, "is full") || !strings.Contains(out, "hint: ") || !strings.Contains(out, "/tmp") {
		t.Errorf("%v, and it printed:\n%s", err, out)
	}
	if strings.Contains(out, "\nwave.fst") {
		t.Errorf("half of a waveform is left:\n%s", out)
	}
}

// fillDisk records a waveform of many changes, "wave of SIMULATOR" or "wave of SIMULATOR to CYCLE".
func fillDisk(what, path string) error {
	for _, s := range simulators {
		if !strings.Contains(what, s.name) {
			continue
		}
		w := bridge.Wave{Path: path, To: math.MaxUint64}
		if _, to, ok := strings.Cut(what, " to "); ok {
			w.To, _ = strconv.ParseUint(to, 10, 64)
		}
		m, err := s.build(context.Background(), noisy, bridge.BuildOptions{Wave: true})
		if err != nil {
			return err
		}
		i, err := m.Start(bridge.Options{Wave: w})
		if err != nil {
			return err
		}
		rows := memory(i, 20000)
		_, err = i.Run(context.Background(), rows, 20000)
		return errors.Join(err, i.Close())
	}
	return errors.New("no such simulator")
}

var noisy = design("noisy", `
module noisy(input wire clk_i, output logic [511:0] q_o);
  initial q_o = 1;
  always_ff @(posedge clk_i) q_o <= {q_o[510:0], q_o[511] ^ q_o[503] ^ q_o[406]};
endmodule`)

// A simulator that hangs, or whose run is cancelled, leaves a waveform that can be read.
func TestWaveOfHang(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wave.fst")
	b, err := simulators[0].build(t.Context(), design("waving", waving), bridge.BuildOptions{Wave: true})
	if err != nil {
		t.Fatal(err)
	}
	d := (&model{t, "icarus", b}).start(bridge.Options{Wave: bridge.Wave{Path: path, To: 100}, Timeout: 300 * time.Millisecond})
	for row := range 5 {
		d.set(row, "a_i", uint64(row)+1)
	}
	d.set(3, "loop_i", 1)
	if _, err := d.Run(t.Context(), &d.rows, 5); err == nil {
		t.Fatal("it does not hang")
	}
	d.Close()
	if times, window := changes(t, path, "sum_q"); window != "10 45" || times != "" && times != "10 15 25 35" {
		t.Errorf("the waveform is of %s and sum_q changes at %s", window, times)
	}
	if files, _ := filepath.Glob(path + "*"); len(files) != 1 {
		t.Errorf("the files are %v", files)
	}
}

const arrays = `
module holder(input wire clk_i, input wire [7:0] a_i);
  logic [7:0] far [4:2][1:3];
  logic [7:0] \odd.name [0:3];
  bit [7:0] two [4];
  int number [2];
  real volt [0:3];
  wire [7:0] net [0:1][0:1];
  assign net[1][0] = a_i;
  function automatic logic [7:0] last(input logic [7:0] x);
    logic [7:0] own [0:3];
    own[3] = x;
    return own[3];
  endfunction
  function logic [7:0] kept(input logic [7:0] x);
    logic [7:0] own [0:3];
    own[3] = x;
    return own[3];
  endfunction
  always_ff @(posedge clk_i) begin
    far[3][2] <= last(a_i) + kept(a_i) - a_i + net[1][0] - a_i;
    \odd.name [2] <= a_i;
    two[1] <= a_i;
    number[1] <= 32'(a_i);
    volt[1] <= 1.5;
  end
endmodule
module arrays(input wire clk_i, input wire [7:0] a_i);
  for (genvar i = 0; i < 2; i++) begin : g_holder
    holder u_holder(.clk_i, .a_i);
    holder \u.odd[1] (.clk_i, .a_i);
  end
endmodule`

// A waveform is recorded whatever arrays the design has. It has the words of those arrays that the
// simulator can record.
func TestWaveOfArrays(t *testing.T) {
	forEachWith(t, design("arrays", arrays), bridge.BuildOptions{Wave: true}, func(t *testing.T, m *model) {
		path := filepath.Join(t.TempDir(), "wave.fst")
		d := m.start(bridge.Options{Wave: bridge.Wave{Path: path, To: 100}})
		for row := range 5 {
			d.set(row, "a_i", uint64(row)+1)
		}
		d.run(5)
		for _, msg := range d.Messages() {
			t.Errorf("it printed %v", msg)
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		names, want := []string{`\\?far\[4\]`, `\\?odd\.name\[2\]`}, "15 25 35 45 55" // Icarus counts the words of far from 0
		if m.name == "verilator" {
			names, want = []string{`far\[3\]\[2\]`}, "10 "+want // and has something at first
		}
		for _, name := range names {
			if times, _ := changes(t, path, name); times != "" && times != want {
				t.Errorf("%s changes at %s, not %s", name, times, want)
			}
		}
	})
}
