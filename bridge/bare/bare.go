// Package bare runs a design without Go around it: in a C++ program that drives the Verilated
// model, and in a Verilog testbench under Icarus. Both are written as an engineer would write them
// by hand for speed. They apply recorded inputs, compare all outputs with recorded ones in every
// cycle, and time their own loop. The benchmarks compare co-simulation with them: its cost is the
// ratio of the two speeds, measured in one run.
package bare

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/internal/build"
)

// Vectors are recorded cycles: rows of inputs and of outputs in the shape of any layout.
type Vectors struct {
	Layout *bridge.Layout
	In     []byte
	Out    []byte
	Skip   int // rows at the start whose outputs are not compared
}

// Cycles returns the number of rows.
func (v *Vectors) Cycles() int { return len(v.In) / v.Layout.InSize }

// natural returns the same vectors in the shape of the simulators' own types, which a testbench
// written by hand would use.
func (v *Vectors) natural() *Vectors {
	l := bridge.NewLayout(slices.Concat(v.Layout.Inputs, v.Layout.Outputs))
	return &Vectors{
		Layout: l, Skip: v.Skip,
		In:  repack(v.In, v.Layout.Inputs, v.Layout.InSize, l.Inputs, l.InSize),
		Out: repack(v.Out, v.Layout.Outputs, v.Layout.OutSize, l.Outputs, l.OutSize),
	}
}

// repack copies the bits of ports from rows of one shape to rows of another.
func repack(rows []byte, from []bridge.Port, fromSize int, to []bridge.Port, toSize int) []byte {
	if fromSize == 0 {
		return nil
	}
	place := map[string]bridge.Port{}
	for _, p := range to {
		place[p.Name] = p
	}
	n := len(rows) / fromSize
	packed := make([]byte, n*toSize)
	for _, p := range from {
		q := place[p.Name]
		bytes := (p.Width + 7) / 8
		mask := byte(0xff) >> (bytes*8 - p.Width)
		for i := range n {
			value := packed[i*toSize+q.Offset:][:bytes]
			copy(value, rows[i*fromSize+p.Offset:])
			value[bytes-1] &= mask
		}
	}
	return packed
}

// A Runner plays its vectors once and returns the time that its loop took: CPU time
// of the C++ program, elapsed time of the Verilog testbench.
type Runner func(ctx context.Context) (time.Duration, error)

// Verilator builds the C++ program in dir, an empty folder. The model is compiled with the flags
// given (those of package bridge/verilator, for a fair comparison) and -O3.
func Verilator(ctx context.Context, dir string, d bridge.Design, flags []string, v *Vectors) (Runner, error) {
	args, err := write(dir, d, v)
	if err != nil {
		return nil, err
	}
	v = v.natural()
	if err := os.WriteFile(filepath.Join(dir, "vectors.bin"), interleave(v), 0o666); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "main.cpp"), []byte(program(d, v)), 0o666); err != nil {
		return nil, err
	}
	args = slices.Concat(flags, []string{
		"--exe", "--build", "-MAKEFLAGS", "OPT_FAST=-O3 OPT_GLOBAL=-O3", "--top-module", d.Top, "--Mdir", "obj", "main.cpp",
	}, args)
	if _, err := build.Run(ctx, dir, "verilator", args...); err != nil {
		return nil, fmt.Errorf("building the C++ testbench: %w", err)
	}
	return run(dir, "obj/Vdut"), nil
}

// Icarus builds the Verilog testbench in dir, an empty folder.
func Icarus(ctx context.Context, dir string, d bridge.Design, v *Vectors) (Runner, error) {
	args, err := write(dir, d, v)
	if err != nil {
		return nil, err
	}
	v = v.natural()
	if err := os.WriteFile(filepath.Join(dir, "vectors.hex"), hex(v), 0o666); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "bare_tb.sv"), []byte(testbench(d, v)), 0o666); err != nil {
		return nil, err
	}
	args = slices.Concat([]string{"-g2012", "-s", "bare_tb", "-o", "bare.vvp", "bare_tb.sv"}, args)
	if _, err := build.Run(ctx, dir, "iverilog", args...); err != nil {
		return nil, fmt.Errorf("building the Verilog testbench: %w", err)
	}
	all, empty := run(dir, "vvp", "bare.vvp"), run(dir, "vvp", "bare.vvp", "+cycles=0")
	// A Verilog testbench cannot time itself. So the time to start and to read the vectors is
	// measured as well, and subtracted.
	return func(ctx context.Context) (time.Duration, error) {
		idle, err := empty(ctx)
		if err != nil {
			return 0, err
		}
		t, err := all(ctx)
		return t - idle, err
	}, nil
}

// run returns a Runner for a program. It returns the time that the program prints after "PASS", or
// if there is none, the time that the program took.
func run(dir string, name string, args ...string) Runner {
	if strings.Contains(name, "/") {
		name = filepath.Join(dir, name)
	}
	return func(ctx context.Context) (time.Duration, error) {
		start := time.Now()
		text, err := build.Run(ctx, dir, name, args...)
		took := time.Since(start)
		if err != nil {
			return 0, err
		}
		if text == "PASS" {
			return took, nil
		}
		var seconds float64
		if _, err := fmt.Sscanf(text, "PASS %g", &seconds); err != nil {
			return 0, fmt.Errorf("%s printed %q", name, text)
		}
		return time.Duration(seconds * 1e9), nil
	}
}

// write writes the sources and returns their names.
func write(dir string, d bridge.Design, v *Vectors) ([]string, error) {
	if v.Layout.InSize == 0 || v.Layout.OutSize == 0 || v.Cycles() == 0 || len(v.Out)/v.Layout.OutSize != v.Cycles() {
		return nil, fmt.Errorf("the vectors have %d bytes of inputs and %d of outputs", len(v.In), len(v.Out))
	}
	sources, err := d.Sources()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, s := range sources {
		path := filepath.Join(dir, s.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, s.Data, 0o666); err != nil {
			return nil, err
		}
		if !s.Include {
			names = append(names, s.Name)
		}
	}
	return names, nil
}

// interleave puts each row of inputs before its row of outputs.
func interleave(v *Vectors) []byte {
	var b []byte
	in, out := v.Layout.InSize, v.Layout.OutSize
	for i := range v.Cycles() {
		b = append(b, v.In[i*in:(i+1)*in]...)
		b = append(b, v.Out[i*out:(i+1)*out]...)
	}
	return b
}

// program returns the text of the C++ testbench.
func program(d bridge.Design, v *Vectors) string {
	l := v.Layout
	var apply, check strings.Builder
	member := func(p bridge.Port) string {
		name := strings.ReplaceAll(p.Name, "__", "___05F")
		if p.Width > 64 {
			return "dut->" + name + ".data()"
		}
		return "&dut->" + name
	}
	for _, p := range l.Inputs {
		fmt.Fprintf(&apply, "        memcpy(%s, row + %d, %d);\n", member(p), p.Offset, p.Size)
	}
	for _, p := range l.Outputs {
		fmt.Fprintf(&check, "        if (memcmp(%s, row + %d, %d) != 0) { printf(\"FAIL: %s in cycle %%zu\\n\", i); return 1; }\n", member(p), l.InSize+p.Offset, p.Size, p.Name)
	}
	return fmt.Sprintf(`#include "Vdut.h"
#include "verilated.h"
#include <cstdio>
#include <cstring>
#include <ctime>
#include <memory>
#include <vector>

static double cpu_seconds() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

int main() {
    const size_t size = %[1]d, cycles = %[2]d;
    std::vector<unsigned char> vectors(size * cycles);
    FILE* f = fopen("vectors.bin", "rb");
    if (!f || fread(vectors.data(), 1, vectors.size(), f) != vectors.size()) return 2;
    fclose(f);
    auto context = std::make_unique<VerilatedContext>();
    context->randReset(2);
    context->randSeed(1);
    auto dut = std::make_unique<Vdut>(context.get());
    dut->%[3]s = 0;
    dut->eval();
    const double start = cpu_seconds();
    for (size_t i = 0; i < cycles; i++) {
        const unsigned char* row = vectors.data() + i * size;
        context->timeInc(5000);
        dut->%[3]s = 0;
%[4]s        dut->eval();
        if (i >= %[6]d) {
%[5]s        }
        context->timeInc(5000);
        dut->%[3]s = 1;
        dut->eval();
    }
    printf("PASS %%.9f\n", cpu_seconds() - start);
    return 0;
}
`, l.InSize+l.OutSize, v.Cycles(), d.Clock, apply.String(), check.String(), v.Skip)
}

// testbench returns the text of the Verilog testbench. It has one memory of rows, each as wide as
// all ports together.
func testbench(d bridge.Design, v *Vectors) string {
	l := v.Layout
	var decl, conn, apply, check strings.Builder
	bit := 0
	for _, p := range l.Inputs {
		fmt.Fprintf(&decl, "  reg [%d:0] %s;\n", p.Width-1, p.Name)
		fmt.Fprintf(&conn, ", .%[1]s(%[1]s)", p.Name)
		fmt.Fprintf(&apply, "      %s = row[%d +: %d];\n", p.Name, bit, p.Width)
		bit += p.Width
	}
	for _, p := range l.Outputs {
		fmt.Fprintf(&decl, "  wire [%d:0] %s;\n", p.Width-1, p.Name)
		fmt.Fprintf(&conn, ", .%[1]s(%[1]s)", p.Name)
		fmt.Fprintf(&check, "      if (%s !== row[%d +: %d]) begin $display(\"FAIL: %s in cycle %%0d\", i); $finish; end\n", p.Name, bit, p.Width, p.Name)
		bit += p.Width
	}
	return fmt.Sprintf("`timescale 1ns/1ps\n"+`module bare_tb;
  reg %[1]s = 0;
%[2]s  %[3]s dut (.%[1]s(%[1]s)%[4]s);
  reg [%[5]d:0] rows [0:%[6]d];
  reg [%[5]d:0] row;
  integer i, cycles;
  initial begin
    $readmemh("vectors.hex", rows);
    if (!$value$plusargs("cycles=%%d", cycles)) cycles = %[7]d;
    #10;
    for (i = 0; i < cycles; i = i + 1) begin
      row = rows[i];
      %[1]s = 0;
%[8]s      #5;
      if (i >= %[10]d) begin
%[9]s      end
      %[1]s = 1;
      #5;
    end
    $display("PASS");
    $finish(0);
  end
endmodule
`, d.Clock, decl.String(), d.Top, conn.String(), bit-1, v.Cycles()-1, v.Cycles(), apply.String(), check.String(), v.Skip)
}

// hex returns the vectors as $readmemh reads them, in the testbench's order of bits.
func hex(v *Vectors) []byte {
	l := v.Layout
	var b []byte
	for i := range v.Cycles() {
		var bits []bool
		add := func(row []byte, ports []bridge.Port) {
			for _, p := range ports {
				for k := range p.Width {
					bits = append(bits, row[p.Offset+k/8]>>(k%8)&1 == 1)
				}
			}
		}
		add(v.In[i*l.InSize:(i+1)*l.InSize], l.Inputs)
		add(v.Out[i*l.OutSize:(i+1)*l.OutSize], l.Outputs)
		for len(bits)%4 != 0 {
			bits = append(bits, false)
		}
		for k := len(bits) - 4; k >= 0; k -= 4 {
			n := 0
			for j := range 4 {
				if bits[k+j] {
					n |= 1 << j
				}
			}
			b = append(b, "0123456789abcdef"[n])
		}
		b = append(b, '\n')
	}
	return b
}
