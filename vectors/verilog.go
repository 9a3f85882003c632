package vectors

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Verilog returns a vector as a testbench in Verilog for bare Icarus. The testbench checks itself
// and prints PASS or FAIL as its last line, as cosimate vectors run does. files are the RTL's, in
// the order of compilation.
func (r *Registry) Verilog(ctx context.Context, name string) (text string, files []string, err error) {
	r = r.fresh(ctx)
	p, err := r.load(name)
	if err == nil {
		err = p.filled()
	}
	if err != nil {
		return "", nil, err
	}
	cycles, err := p.trace(ctx)
	var failed *Failure
	if err != nil && !errors.As(err, &failed) {
		return "", nil, err
	}
	rtl := p.design.rtl(p.config)
	unbound, err := rtl.Unbound() // Icarus knows no bind
	if err != nil {
		return "", nil, err
	}
	for _, f := range unbound {
		files = append(files, path.Join(rtl.Dir, f))
	}
	v := &verilog{plan: p}
	v.header(files)
	if p.reset > 0 && p.design.reset != "" {
		in := make([]*big.Int, 0, len(p.design.ports))
		for _, q := range p.design.ports {
			value := new(big.Int)
			if q.Name == p.design.reset {
				value = p.design.resetActive
			}
			in = append(in, value)
		}
		v.apply(p.reset, 0, in, nil)
	}
	last, repeat := "", 0
	emit := func() {
		if repeat > 0 {
			fmt.Fprintf(&v.b, "    apply(%d, %s);\n", repeat, last)
		}
	}
	for _, t := range cycles {
		want, err := v.want(t)
		if err != nil {
			return "", nil, err
		}
		call := v.call(t.step.line.At, t.values, want)
		if call != last {
			emit()
			last, repeat = call, 0
		}
		repeat++
		if t.failing {
			emit()
			repeat = 0
			fmt.Fprintf(&v.b, "    fail(%d); // the vector expects something else than the model\n", t.step.line.At)
		}
	}
	emit()
	if failed != nil && !slices.ContainsFunc(cycles, func(t *traced) bool { return t.failing }) {
		fmt.Fprintf(&v.b, "    fail(%d); // %s\n", failed.Errors[0].Line, failed.Errors[0].Problem)
	}
	// PASS or FAIL is the last line: without the 0 Icarus 13 prints one more.
	v.b.WriteString("    if (failures == 0) $display(\"PASS\"); else $display(\"FAIL\");\n    $finish(0);\n  end\nendmodule\n")
	return v.b.String(), files, nil
}

// verilog writes a testbench.
type verilog struct {
	*plan
	b strings.Builder
}

// header writes all that comes before the cycles.
func (v *verilog) header(files []string) {
	d := v.design
	var connect, in, out []string
	widthIn, widthOut := 0, 0
	fmt.Fprintf(&v.b, "// Made by cosimate vectors export from %s.\n", v.file.Name)
	fmt.Fprintf(&v.b, "// iverilog -g2012 -o tb.vvp %s THIS_FILE && vvp tb.vvp\n", strings.Join(files, " "))
	v.b.WriteString("`timescale 1ns / 1ps\nmodule tb;\n")
	fmt.Fprintf(&v.b, "  reg %s = 1'b0;\n", d.clock)
	for _, p := range d.ports {
		span := ""
		if p.Width > 1 {
			span = fmt.Sprintf("[%d:0] ", p.Width-1)
		}
		connect = append(connect, fmt.Sprintf(".%s(%s)", p.Name, p.Name))
		if p.Input {
			fmt.Fprintf(&v.b, "  reg %s%s = 0;\n", span, p.Name)
			in, widthIn = append(in, p.Name), widthIn+p.Width
		} else {
			fmt.Fprintf(&v.b, "  wire %s%s;\n", span, p.Name)
			out, widthOut = append(out, p.Name), widthOut+p.Width
		}
	}
	params := ""
	var list []string
	rtl := d.rtl(v.config)
	for _, n := range slices.Sorted(maps.Keys(rtl.Params)) {
		list = append(list, fmt.Sprintf(".%s(%s)", n, rtl.Params[n]))
	}
	if list != nil {
		params = " #(" + strings.Join(list, ", ") + ")"
	}
	low, high := v.period/2, v.period-v.period/2
	ns := func(t time.Duration) string {
		return strconv.FormatFloat(float64(t)/float64(time.Nanosecond), 'f', -1, 64)
	}
	fmt.Fprintf(&v.b, "  %s%s dut (.%s(%s), %s);\n", d.name, params, d.clock, d.clock, strings.Join(connect, ", "))
	fmt.Fprintf(&v.b, `
  integer failures = 0;
  integer cycle = 0;
  wire [%d:0] outputs = {%s};

  task fail(input integer line);
    begin
      failures = failures + 1;
      if (failures <= 10) $display("%s:%%0d: cycle %%0d fails", line, cycle);
    end
  endtask

  // So many cycles: inputs while the clock is low, a look at the outputs that matter, and the clock
  // rises.
  task apply(input integer n, input integer line, input [%d:0] in, input [%d:0] want, input [%d:0] care);
    integer i;
    for (i = 0; i < n; i = i + 1) begin
      {%s} = in;
      #%s;
      if ((outputs & care) !== (want & care)) begin
        fail(line);
        if (failures <= 10) $display("  {%s} is %%h, not %%h where %%h is set", outputs, want, care);
      end
      %s = 1'b1;
      #%s;
      %s = 1'b0;
      cycle = cycle + 1;
    end
  endtask

  initial begin
`, widthOut-1, strings.Join(out, ", "), v.file.Name, widthIn-1, widthOut-1, widthOut-1, strings.Join(in, ", "), ns(low), strings.Join(out, ", "), d.clock, ns(high), d.clock)
}

// expected is the expected value of an output. Lists of them begin with the most significant port.
type expected struct {
	bits, care, unknown *big.Int
}

// want returns the expected outputs of a cycle: those of the model, and for bits that the model
// does not care about those of the vector.
func (v *verilog) want(t *traced) ([]expected, error) {
	first := len(v.design.names(true))
	var want []expected
	for i := first; i < len(v.design.ports); i++ {
		p := &v.design.ports[i]
		e := expected{t.values[i], p.mask(), new(big.Int)}
		var ignored *big.Int
		if t.ignored == nil {
			ignored = p.mask()
		} else {
			ignored = t.ignored[i-first]
		}
		e.care = new(big.Int).AndNot(p.mask(), ignored)
		for _, c := range t.expect {
			if c.port.Name != p.Name || c.lo == nil || (ignored.Sign() == 0 && !c.unknowns()) {
				continue
			}
			if c.lo.Cmp(c.hi) != 0 {
				return nil, v.file.at(t.step.line.At, c.word.Column, len(c.word.Text), "a range where the model does not care cannot be exported")
			}
			e.bits, e.care = new(big.Int).Set(c.lo), p.mask()
			if c.care != nil {
				e.care = new(big.Int).Or(c.care, c.unknown)
				e.unknown = c.unknown
			}
		}
		want = append(want, e)
	}
	return want, nil
}

// apply writes cycles.
func (v *verilog) apply(n, line int, values []*big.Int, want []expected) {
	fmt.Fprintf(&v.b, "    apply(%d, %s);\n", n, v.call(line, values, want))
}

// call returns the arguments of a call for a cycle, without the number of cycles.
func (v *verilog) call(line int, values []*big.Int, want []expected) string {
	in, bits, care := new(big.Int), "", new(big.Int)
	widthIn, widthOut := 0, 0
	first := len(v.design.names(true))
	for i := range v.design.ports {
		p := &v.design.ports[i]
		if p.Input {
			in.Lsh(in, uint(p.Width)).Or(in, values[i])
			widthIn += p.Width
			continue
		}
		widthOut += p.Width
		care.Lsh(care, uint(p.Width))
		e := expected{new(big.Int), new(big.Int), new(big.Int)}
		if want != nil {
			e = want[i-first]
		}
		care.Or(care, e.care)
		for bit := p.Width - 1; bit >= 0; bit-- {
			if e.unknown.Bit(bit) == 1 {
				bits += "x"
			} else {
				bits += string('0' + byte(e.bits.Bit(bit)))
			}
		}
	}
	text := fmt.Sprintf("%d'b%s", widthOut, bits)
	if !strings.Contains(bits, "x") {
		n, _ := new(big.Int).SetString(bits, 2)
		text = fmt.Sprintf("%d'h%x", widthOut, n)
	}
	return fmt.Sprintf("%d, %d'h%x, %s, %d'h%x", line, widthIn, in, text, widthOut, care)
}
