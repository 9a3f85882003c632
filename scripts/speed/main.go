// Speed draws docs/speed.svg, the chart of the README, from the figures in docs/speed.txt.
//
//	go run ./scripts/speed             draws
//	go run ./scripts/speed -measure    measures first, and writes the figures
//
// What is measured are the two simulators driven by a bare testbench, by Cosimate and by cocotb.
// Cocotb is measured if its command cocotb-config is found; otherwise its figures stay as they are,
// with their date. Measure on a quiet machine.
package main

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	figuresFile = "docs/speed.txt"
	chartFile   = "docs/speed.svg"
)

func main() {
	measure := flag.Bool("measure", false, "measure first, and write the figures to "+figuresFile)
	flag.Parse()
	if err := run(*measure); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(measure bool) error {
	text, err := os.ReadFile(figuresFile)
	if err != nil {
		return fmt.Errorf("%w; run it where go.mod is", err)
	}
	head, all, err := parse(string(text))
	if err != nil {
		return err
	}
	if measure {
		fresh, err := measured()
		if err != nil {
			return err
		}
		for _, f := range fresh {
			at := slices.IndexFunc(all, func(old figure) bool { return old.simulator == f.simulator && old.testbench == f.testbench })
			if at < 0 {
				return fmt.Errorf("%s has no line for %s | %s", figuresFile, f.simulator, f.testbench)
			}
			all[at] = f
		}
		if err := os.WriteFile(figuresFile, []byte(format(head, all)), 0o666); err != nil {
			return err
		}
	}
	return os.WriteFile(chartFile, draw(all), 0o666)
}

// figure is a line of the file of figures.
type figure struct {
	simulator, testbench string
	speed                float64 // clock cycles a second
	version              string  // of simulator and cocotb
	machine, date        string
}

func parse(text string) (head string, all []figure, err error) {
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			head += line + "\n"
			continue
		}
		cells := strings.Split(line, " | ")
		if len(cells) != 6 {
			return "", nil, fmt.Errorf("%s:%d: %d cells, not 6", figuresFile, i+1, len(cells))
		}
		speed, err := strconv.ParseFloat(cells[2], 64)
		if err != nil || speed <= 0 {
			return "", nil, fmt.Errorf("%s:%d: %q is no speed", figuresFile, i+1, cells[2])
		}
		all = append(all, figure{cells[0], cells[1], speed, cells[3], cells[4], cells[5]})
	}
	return head, all, nil
}

func format(head string, all []figure) string {
	for _, f := range all {
		head += fmt.Sprintf("%s | %s | %.0f | %s | %s | %s\n", f.simulator, f.testbench, f.speed, f.version, f.machine, f.date)
	}
	return head
}

// printed is what the benchmark prints of a simulator (sim/simbench).
var printed = regexp.MustCompile(`(?m)^pipe on (\w+), cycles/s: (.*? testbench) (\S+), tape (\S+) .*, single step (\S+) `)

// measured are the figures of this machine, now.
func measured() (all []figure, err error) {
	cmd := exec.Command("go", "test", "-run", "^$", "-bench", "Pipe", "-benchtime", "1x", "./sim")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	os.Stdout.Write(out)
	if err != nil {
		return nil, fmt.Errorf("%v: %w", cmd, err)
	}
	cpu := regexp.MustCompile(`(?m)^cpu: (.*)$`).FindSubmatch(out)
	if cpu == nil {
		return nil, fmt.Errorf("%v does not say on which processor it ran", cmd)
	}
	machine := fmt.Sprintf("%s, %d cores", cpu[1], runtime.NumCPU())
	today := time.Now().UTC().Format(time.DateOnly)
	add := func(simulator, testbench, speed, version string) {
		v, bad := strconv.ParseFloat(speed, 64)
		err = errors.Join(err, bad)
		all = append(all, figure{simulator, testbench, v, version, machine, today})
	}
	cocotb, cocotbErr := exec.Command("cocotb-config", "--version").Output()
	if cocotbErr != nil {
		fmt.Fprintln(os.Stderr, "cocotb is not measured, its figures stay:", cocotbErr)
	}
	found := printed.FindAllStringSubmatch(string(out), -1)
	if len(found) != 2 {
		return nil, fmt.Errorf("%v printed of %d simulators, not of 2", cmd, len(found))
	}
	for _, m := range found {
		simulator, version := "Verilator", ""
		if m[1] == "icarus" {
			simulator = "Icarus"
			version, err = versionOf("Icarus", "iverilog", "-V")
		} else {
			version, err = versionOf("Verilator", "verilator", "--version")
		}
		if err != nil {
			return nil, err
		}
		add(simulator, m[2], m[3], version)
		add(simulator, "Cosimate, tape", m[4], version)
		add(simulator, "Cosimate, step by step", m[5], version)
		if cocotbErr == nil {
			speed, err := underCocotb(m[1])
			if err != nil {
				return nil, err
			}
			add(simulator, "cocotb", speed, "cocotb "+strings.TrimSpace(string(cocotb))+", "+version)
		}
	}
	return all, err
}

// underCocotb is the speed that the benchmark's block reaches under cocotb, the median of some
// runs.
func underCocotb(simulator string) (string, error) {
	cmd := exec.Command("python3", "scripts/speed/cocotb_pipe.py", simulator, "50000", "5")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%v: %w\n%s", cmd, err, out)
	}
	var speeds []float64
	for _, m := range regexp.MustCompile(`(?m)^\d\S* (\d+)$`).FindAllSubmatch(out, -1) {
		v, err := strconv.ParseFloat(string(m[1]), 64)
		if err != nil {
			return "", err
		}
		speeds = append(speeds, v)
	}
	if len(speeds) != 5 {
		return "", fmt.Errorf("%v printed %d speeds, not 5:\n%s", cmd, len(speeds), out)
	}
	slices.Sort(speeds)
	return fmt.Sprint(speeds[2]), nil
}

func versionOf(name, command, flag string) (string, error) {
	out, err := exec.Command(command, flag).Output()
	number := regexp.MustCompile(`\d+\.\d+`).Find(out)
	if number == nil {
		return "", fmt.Errorf("%s %s says no version: %w", command, flag, cmp.Or(err, errors.New("no number in it")))
	}
	return name + " " + string(number), nil
}

// draw is the chart: a panel of bars a simulator, each to a scale of its own that begins at 0.
func draw(all []figure) []byte {
	const (
		width, left, right = 720, 170, 90 // pixels; what is left of the bars, and right of them
		bar, gap           = 18, 8
	)
	var b bytes.Buffer
	text := func(x, y int, style, s string) {
		fmt.Fprintf(&b, `<text x="%d" y="%d" %s>%s</text>`+"\n", x, y, style, strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(s))
	}
	const bold, grey, end = `font-weight="600"`, `fill="#59636e" font-size="11"`, `text-anchor="end"`
	y := 24
	text(16, y, bold+` font-size="15"`, "Clock cycles a second, every input driven and every output compared")
	y += 18
	text(16, y, grey, "a pipeline of 12 ports, 64 bits wide: nearly free to simulate, so what drives it is what counts")
	var simulators []string
	for _, f := range all {
		if !slices.Contains(simulators, f.simulator) {
			simulators = append(simulators, f.simulator)
		}
	}
	for _, s := range simulators {
		most := 0.0
		for _, f := range all {
			if f.simulator == s {
				most = max(most, f.speed)
			}
		}
		y += 30
		text(16, y, bold, s)
		y += 10
		for _, f := range all {
			if f.simulator != s {
				continue
			}
			long := max(1, f.speed/most*(width-left-right))
			colour := "#8c959f"
			if strings.HasPrefix(f.testbench, "Cosimate") {
				colour = "#0969da"
			}
			text(left-8, y+13, end, f.testbench)
			fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%.1f" height="%d" rx="2" fill="%s"/>`+"\n", left, y, long, bar, colour)
			text(left+int(long)+6, y+13, "", rounded(f.speed))
			y += bar + gap
		}
	}
	y += 12
	for _, note := range notes(all) {
		text(16, y, grey, note)
		y += 15
	}
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" font-family="system-ui, 'Liberation Sans', sans-serif" font-size="13" fill="#1f2328">
<!-- Written by go run ./scripts/speed; do not edit. -->
<rect width="%[1]d" height="%[2]d" rx="6" fill="#ffffff"/>
%[3]s</svg>
`, width, y, b.Bytes())
}

// rounded is a speed in three digits at most.
func rounded(v float64) string {
	unit := " k"
	if v /= 1e3; v >= 1e3 {
		unit, v = " M", v/1e3
	}
	if v < 10 {
		return fmt.Sprintf("%.1f%s", v, unit)
	}
	return fmt.Sprintf("%.0f%s", v, unit)
}

// notes say what was measured where and when, a line a machine and day.
func notes(all []figure) (lines []string) {
	for _, f := range all {
		line := f.machine + ", " + f.date + ": "
		at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, line) })
		if at < 0 {
			at = len(lines)
			lines = append(lines, line)
		}
		for v := range strings.SplitSeq(f.version, ", ") {
			if !strings.Contains(lines[at], v) {
				lines[at] = strings.TrimSuffix(lines[at]+", "+v, ", ")
			}
		}
	}
	for i, l := range lines {
		lines[i] = strings.Replace(l, ": , ", ": ", 1)
	}
	return lines
}
