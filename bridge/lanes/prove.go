package lanes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/cosimate/cosimate/bridge/internal/build"
)

// Answer is what a prover says of a [Miter].
type Answer int

const (
	// Unknown: it has not come to an end in time.
	Unknown Answer = iota
	// Equal: the copies never differ. It is a proof, without a bound on cycles.
	Equal
	// Different: there are inputs with which they differ.
	Different
)

// Proof is an answer, and what it rests on.
type Proof struct {
	Answer Answer
	By     string   // what has proved that the copies are equal, or what was tried
	Inputs [][]bool // if they differ: of each cycle, in the order of Miter.Inputs
	// Shortest is set if there are no fewer cycles with which they differ.
	Shortest bool
	Took     time.Duration // of the processor
}

// few is up to how many latches the states that can be reached are tried as sets (BDDs).
const few = 150

// fewest is up to how many latches that is tried first, when it would not show the fewest cycles.
const fewest = 40

// conflicts is after how many conflicts abc gives up to show that two signals are equal. Its own
// limit of a thousand is too low for "a message of 32 bytes does not differ", which follows from
// much else.
const conflicts = 50_000

// quick is up to which limit there are short attempts only: by induction, which gives up on a
// signal after quickConflicts, by property-directed reachability, and of very few latches by all
// states that can be reached.
const (
	quick          = 5 * time.Second
	quickConflicts = 1000
)

// longerOpen is how many times as long property-directed reachability has with Open: there are few
// registers then, and it comes to an end.
const longerOpen = 4

// Few reports whether the copies have so few registers that all states that can be reached are
// tried. What comes out is then the shortest, too.
func (x *Miter) Few() bool { return x.latches <= few }

// Prove has abc prove that the copies never differ, without a bound on cycles: by induction over
// signals that are equal; for what that leaves, by all states that can be reached; and by
// property-directed reachability, of the whole and of the few gates that matter. Up to five seconds
// the few gates are not looked for. Each has at most this time of the processor, so that a busy
// machine decides what an idle one does; with Open, property-directed reachability has four times
// as long. That the copies of a local miter differ is no verdict on the design.
func (x *Miter) Prove(ctx context.Context, limit time.Duration) (*Proof, error) {
	if x.Same {
		return &Proof{Answer: Equal, By: byStructure}, nil
	}
	a, err := x.newABC()
	if err != nil {
		return nil, err
	}
	defer a.close()
	p, err := x.prove(ctx, a, limit)
	if p != nil {
		p.Took = a.took
	}
	return p, err
}

func (x *Miter) prove(ctx context.Context, a *abcRun, limit time.Duration) (*Proof, error) {
	seconds := max(int(limit/time.Second), 1)
	outputs, err := a.reduce(ctx, limit, 1, x.hinted)
	if err != nil {
		return nil, err
	}
	if outputs != nil && outputs[0] == "0" {
		return &Proof{Answer: Equal, By: "induction over equal signals (abc scorr)"}, nil
	}
	latches, err := a.latches()
	if err != nil {
		return nil, err
	}
	reach := func() (*Proof, error) {
		p, err := a.ask(ctx, limit, fmt.Sprintf("read_aiger reduced.aig; reach -T %d -F 1000000 -B 500000", seconds))
		p.By, p.Shortest = "all states that can be reached (abc reach)", p.Answer == Different && x.Exact
		return p, err
	}
	pdr := func(seconds int) (*Proof, error) {
		p, err := a.ask(ctx, time.Duration(seconds)*time.Second, fmt.Sprintf("read_aiger reduced.aig; pdr -T %d", seconds))
		p.By = "property-directed reachability (abc pdr)"
		return p, err
	}
	soon := func() (*Proof, error) {
		if x.open {
			return pdr(longerOpen * seconds)
		}
		return pdr(min(seconds, 2))
	}
	first, tries := fewest, []func() (*Proof, error){soon, reach}
	if !x.local { // all states show the fewest cycles
		first, tries = few, []func() (*Proof, error){reach, soon}
	}
	if latches > first {
		tries = []func() (*Proof, error){soon}
	}
	p := &Proof{}
	for _, try := range tries {
		if p, err = try(); err != nil || p.Answer != Unknown {
			return p, err
		}
	}
	if limit <= quick {
		return p, nil
	}
	for _, part := range []int{16, 4, 1} {
		if err == nil && p.Answer == Unknown {
			p, err = a.abstract(ctx, max(seconds/part, 1))
		}
		if part == 4 && err == nil && p.Answer == Unknown && latches > first && latches <= few {
			p, err = reach()
		}
	}
	if err == nil && p.Answer == Unknown {
		p, err = pdr(seconds)
	}
	if p.Answer == Unknown {
		p.By = "abc scorr, reach, gla, pdr"
	}
	return p, err
}

// abstract has abc look for the few gates that a proof needs, for so many seconds. All others may
// be anything. If the copies do not differ then, they never do; otherwise nothing is known.
func (a *abcRun) abstract(ctx context.Context, seconds int) (*Proof, error) {
	p := &Proof{By: "property-directed reachability of an abstraction (abc gla, pdr)"}
	said, err := a.run(ctx, time.Duration(3*seconds)*time.Second, fmt.Sprintf(
		"read_aiger reduced.aig; strash; &get; &gla -T %d; &gla_derive; &put; scleanup; scorr; dc2; write_aiger abstract.aig; pdr -T %d; print_status", seconds, 2*seconds))
	if err != nil || said == "" {
		return p, err
	}
	if equal(said) {
		p.Answer = Equal
		return p, nil
	}
	// Of an output that is 0 already, not each version says that it is proved.
	text, err := os.ReadFile(filepath.Join(a.dir, "abstract.aig"))
	if os.IsNotExist(err) {
		return p, nil
	}
	if err != nil {
		return p, err
	}
	outputs, err := aigerOutputs(text)
	if err == nil && len(outputs) == 1 && outputs[0] == "0" {
		p.Answer = Equal
	}
	return p, err
}

// equal reports whether abc says that the output is never 1.
func equal(said string) bool {
	return strings.Contains(said, "Status = 1 ") || strings.Contains(said, "Networks are equivalent")
}

// Shortest has abc look for the fewest cycles after which the copies differ, for at most this time.
// It never answers Equal.
func (x *Miter) Shortest(ctx context.Context, limit time.Duration) (*Proof, error) {
	a, err := x.newABC()
	if err != nil {
		return nil, err
	}
	defer a.close()
	p, err := a.ask(ctx, limit, fmt.Sprintf("read_aiger miter.aig; bmc3 -T %d -F 1000000", max(int(limit/time.Second), 1)))
	if p.By, p.Shortest = "bounded search (abc bmc3)", p.Answer == Different && x.Exact; p.Answer == Equal {
		p.Answer = Unknown
	}
	return p, err
}

// abcRun is a folder in which abc works on a miter.
type abcRun struct {
	miter *Miter
	path  string
	dir   string
	grace time.Duration // that it has beyond its limits
	took  time.Duration // that it has used, of the processor
	older bool          // induction is by scorr, whatever the circuit's size
}

func (x *Miter) newABC() (*abcRun, error) {
	tool, err := build.Find("berkeley-abc", "berkeley-abc")
	if err != nil {
		if tool, err = build.Find("yosys-abc", "yosys"); err != nil {
			return nil, err
		}
	}
	dir, err := os.MkdirTemp("", "cosimate")
	if err != nil {
		return nil, err
	}
	a := &abcRun{miter: x, path: tool.Path, dir: dir, grace: 10 * time.Second}
	if err := os.WriteFile(filepath.Join(dir, "miter.aig"), x.AIGER, 0o666); err != nil {
		a.close()
		return nil, err
	}
	return a, nil
}

func (a *abcRun) close() { os.RemoveAll(a.dir) }

// ask runs commands and returns what comes out. The proof is never nil.
func (a *abcRun) ask(ctx context.Context, limit time.Duration, commands string) (*Proof, error) {
	p := &Proof{}
	said, err := a.within(ctx, 2*limit+time.Second, commands+"; print_status; write_cex inputs.txt")
	switch {
	case err != nil || said == "":
		return p, err
	case equal(said):
		p.Answer = Equal
		return p, nil
	case !strings.Contains(said, "Status = 0 "), !latchesIn.MatchString(said):
		return p, nil // "sat" says 0 of a network with registers, and has no inputs to show for it
	}
	text, err := os.ReadFile(filepath.Join(a.dir, "inputs.txt"))
	if err != nil {
		return p, err
	}
	if p.Inputs, err = a.miter.counterexample(said, string(text)); err != nil {
		return p, fmt.Errorf("abc has written %w", err)
	}
	p.Answer = Different
	return p, nil
}

// slowest is by how much the clock may go faster than the processor's time: others want it, too.
const slowest = 50

// run runs commands some of which know no limit, and returns what abc says, or "" if there was not
// enough time.
func (a *abcRun) run(ctx context.Context, limit time.Duration, commands string) (said string, err error) {
	return a.within(ctx, 4*limit+a.grace, commands)
}

// within runs commands for at most so much time of the processor: abc looks at its own limit now
// and then only.
func (a *abcRun) within(ctx context.Context, most time.Duration, commands string) (said string, err error) {
	hard, cancel := context.WithTimeout(ctx, slowest*most)
	defer cancel()
	seconds := int(math.Ceil(most.Seconds()))
	said, err = build.Run(hard, a.dir, "/bin/sh", "-c", fmt.Sprintf(`ulimit -c 0; ulimit -S -t %d; exec "$0" "$@"`, seconds), a.path, "-q", commands+"; time")
	if m := tookTotal.FindStringSubmatch(said); err == nil && m != nil {
		s, _ := strconv.ParseFloat(m[1], 64)
		a.took += time.Duration(s * float64(time.Second))
	} else {
		a.took += most
	}
	tool := (*build.ToolError)(nil)
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case strings.Contains(said, "unknown command"):
		return "", fmt.Errorf("abc does not know a command of %q; it says: %s", commands, strings.TrimSpace(said))
	case hard.Err() != nil, errors.As(err, &tool) && strings.Contains(tool.Status, syscall.SIGXCPU.String()):
		return "", nil
	}
	return said, err
}

// tookTotal finds what abc's command time says, which is time of the processor.
var tookTotal = regexp.MustCompile(`elapse: .*, total: +([\d.]+) seconds`)

// Changed says what differs in the first cycle of inputs in which the copies of a local miter
// differ: registers that they share, which would become different, or an output that counts, or
// both. It returns the states of these registers, and the number of cycles up to there.
func (x *Miter) Changed(inputs [][]bool) (states []int, output bool, cycles int) {
	run := make([][]uint64, len(inputs))
	for t, is := range inputs {
		run[t] = Pack(is)
	}
	cycles = x.a.play(NewRuns(len(x.Inputs), [][][]uint64{run}), func(is func(literal) uint64, going uint64) bool {
		output = is(x.outputs)&going != 0
		for i, differs := range x.changed {
			if is(differs)&going != 0 {
				states = append(states, x.register(i)...)
			}
		}
		return output || len(states) > 0
	})
	slices.Sort(states)
	return slices.Compact(states), output, cycles
}

// register returns the states of the register that a state is of.
func (x *Miter) register(state int) []int {
	for _, states := range x.registers {
		if slices.Contains(states, state) {
			return states
		}
	}
	return []int{state}
}

// latchesIn finds in how many cycles a counterexample ends, and how many latches it has: fewer than
// the miter if some were removed.
var latchesIn = regexp.MustCompile(`CEX: .* Frame = *(\d+) .*FF = *(\d+) `)

// counterexample reads the values of inputs in each cycle. Before them stand those of the latches
// at the beginning, or none if abc has found that there need be no latches. said is what abc has
// printed.
func (x *Miter) counterexample(said, text string) (cycles [][]bool, err error) {
	var bits []bool
	for _, r := range text {
		if r == '0' || r == '1' {
			bits = append(bits, r == '1')
		}
	}
	frame, err := strconv.Atoi(latchesIn.FindStringSubmatch(said)[1])
	all := (frame + 1) * len(x.Inputs)
	if err != nil || all == 0 || len(bits) < all {
		return nil, fmt.Errorf("%d values, and %d cycles of %d inputs are %d", len(bits), frame+1, len(x.Inputs), all)
	}
	for bits = bits[len(bits)-all:]; len(bits) > 0; bits = bits[len(x.Inputs):] {
		cycles = append(cycles, bits[:len(x.Inputs)])
	}
	return cycles, nil
}

// manyANDs is how many ANDs a circuit has that scorr takes minutes for. abc's newer one takes
// seconds then: four for what was never seen of the registers of the block core, with 234 000 ANDs.
// With Open, where there is little to find by induction, scorr takes too long sooner: 13 s for the
// 30 000 ANDs that a move of core's game changes, and the newer one 1.5 s.
const (
	manyANDs     = 100_000
	manyANDsOpen = 10_000
)

// induction returns the commands for a proof by induction over signals that are equal.
func induction(newer bool, conflicts int) string {
	if newer {
		return fmt.Sprintf("&get; &scorr -C %d; &put", conflicts)
	}
	return fmt.Sprintf("scorr -C %d -S 0", conflicts)
}

// reduce has abc simplify a circuit by induction over signals that are equal, and leaves it without
// the outputs of hints, which are the last. It returns the others, of which those that were proved
// never to be 1 are "0", or nil if there was not enough time: then the circuit is as it was.
func (a *abcRun) reduce(ctx context.Context, limit time.Duration, want, hinted int) ([]string, error) {
	most := conflicts
	if limit <= quick {
		most = quickConflicts
	}
	var m, i, l, o, ands int
	if _, err := fmt.Sscanf(string(a.miter.AIGER[:min(len(a.miter.AIGER), 100)]), "aig %d %d %d %d %d", &m, &i, &l, &o, &ands); err != nil {
		return nil, err
	}
	newer := !a.older && (ands > manyANDs || a.miter.open && ands > manyANDsOpen)
	if _, err := a.run(ctx, limit, "read_aiger miter.aig; "+induction(newer, most)+"; dc2; write_aiger reduced.aig"); err != nil {
		return nil, err
	}
	name := filepath.Join(a.dir, "reduced.aig")
	text, err := os.ReadFile(name)
	late := os.IsNotExist(err)
	if late {
		text, err = a.miter.AIGER, nil
	}
	if err != nil {
		return nil, err
	}
	outputs, err := aigerOutputs(text)
	if err != nil || len(outputs) != want+hinted {
		return nil, fmt.Errorf("abc has written %d outputs of %d: %v", len(outputs), want, err)
	}
	if hinted > 0 {
		text, outputs = withoutLast(text, hinted), outputs[:want]
	}
	if hinted > 0 || late {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			return nil, err
		}
		// Registers that only the hints depend on go.
		if _, err := a.run(ctx, limit, "read_aiger reduced.aig; scleanup; write_aiger reduced.aig"); err != nil {
			return nil, err
		}
	}
	if late {
		return nil, nil
	}
	return outputs, nil
}

// latches returns how many registers the simplified circuit has.
func (a *abcRun) latches() (n int, err error) {
	text, err := os.ReadFile(filepath.Join(a.dir, "reduced.aig"))
	if err == nil {
		var m, i int
		_, err = fmt.Sscanf(string(text[:min(len(text), 100)]), "aig %d %d %d", &m, &i, &n)
	}
	return n, err
}

// withoutLast returns a circuit in AIGER's binary form without its last n outputs.
func withoutLast(text []byte, n int) []byte {
	var m, i, l, o, a int
	fmt.Sscanf(string(text[:min(len(text), 100)]), "aig %d %d %d %d %d", &m, &i, &l, &o, &a)
	at, rest := 0, text
	line := func() int { return bytes.IndexByte(rest, '\n') + 1 }
	for range 1 + l + o - n {
		at, rest = at+line(), rest[line():]
	}
	for range n {
		rest = rest[line():]
	}
	header := bytes.IndexByte(text, '\n') + 1
	return slices.Concat(fmt.Appendf(nil, "aig %d %d %d %d %d\n", m, i, l, o-n, a), text[header:at], rest)
}

// aigerOutputs returns the outputs of a circuit in AIGER's binary form.
func aigerOutputs(text []byte) ([]string, error) {
	lines := bytes.Split(text[:min(len(text), 1<<24)], []byte("\n"))
	var m, i, l, o, a int
	if _, err := fmt.Sscanf(string(lines[0]), "aig %d %d %d %d %d", &m, &i, &l, &o, &a); err != nil {
		return nil, err
	}
	if len(lines) < 1+l+o {
		return nil, fmt.Errorf("a circuit with %d latches and %d outputs has %d lines", l, o, len(lines))
	}
	var all []string
	for _, line := range lines[1+l:][:o] {
		all = append(all, strings.TrimSpace(string(line)))
	}
	return all, nil
}
