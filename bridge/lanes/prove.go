package lanes

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
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
}

// few is up to how many latches the states that can be reached are tried as sets (BDDs).
const few = 150

// Few reports whether the copies have so few registers that all states that can be reached are tried.
// What comes out is then the shortest, too.
func (x *Miter) Few() bool { return x.latches <= few }

// Prove has abc prove that the copies never differ, without a bound on cycles: by induction over
// signals that are equal; for what that leaves, by all states that can be reached; and by
// property-directed reachability. Each has at most this time.
func (x *Miter) Prove(ctx context.Context, limit time.Duration) (*Proof, error) {
	if x.Same {
		return &Proof{Answer: Equal, By: "structure: no output depends on it"}, nil
	}
	a, err := x.newABC()
	if err != nil {
		return nil, err
	}
	defer a.close()
	seconds := max(int(limit/time.Second), 1)
	p, err := a.ask(ctx, limit, "read_aiger miter.aig; scorr; dc2; write_aiger reduced.aig; sat")
	if err != nil {
		return nil, err
	}
	if p.Answer == Equal {
		p.By = "induction over equal signals (abc scorr)"
		return p, nil
	}
	if x.latches <= few && !x.local {
		p, err = a.ask(ctx, limit, fmt.Sprintf("read_aiger reduced.aig; reach -T %d -F 1000000 -B 500000", seconds))
		if p.By = "all states that can be reached (abc reach)"; err != nil || p.Answer != Unknown {
			p.Shortest = p.Answer == Different && x.Exact
			return p, err
		}
	}
	p, err = a.ask(ctx, limit, fmt.Sprintf("read_aiger reduced.aig; pdr -T %d", seconds))
	if x.local && p.Answer == Different {
		p.Answer = Unknown
	}
	if p.By = "property-directed reachability (abc pdr)"; p.Answer == Unknown {
		p.By = "abc scorr, reach, pdr"
	}
	return p, err
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
	a := &abcRun{x, tool.Path, dir}
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
	// abc looks at its own limit now and then only.
	hard, cancel := context.WithTimeout(ctx, 4*limit+10*time.Second)
	defer cancel()
	said, err := build.Run(hard, a.dir, a.path, "-q", commands+"; print_status; write_cex inputs.txt")
	switch {
	case ctx.Err() != nil:
		return p, context.Cause(ctx)
	case hard.Err() != nil:
		return p, nil
	case err != nil:
		return p, err
	case strings.Contains(said, "Status = 1 "), strings.Contains(said, "Networks are equivalent"):
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

// latchesIn finds how many latches a counterexample has: fewer than the miter if some were removed.
var latchesIn = regexp.MustCompile(`CEX: .* FF = *(\d+) `)

// counterexample reads the values of all latches at the beginning, and then of the inputs in each
// cycle. said is what abc has printed.
func (x *Miter) counterexample(said, text string) (cycles [][]bool, err error) {
	var bits []bool
	for _, r := range text {
		if r == '0' || r == '1' {
			bits = append(bits, r == '1')
		}
	}
	latches, err := strconv.Atoi(latchesIn.FindStringSubmatch(said)[1])
	if err != nil || len(bits) < latches || len(x.Inputs) == 0 {
		return nil, errors.New("no inputs")
	}
	for bits = bits[latches:]; len(bits) >= len(x.Inputs); bits = bits[len(x.Inputs):] {
		cycles = append(cycles, bits[:len(x.Inputs)])
	}
	if len(bits) != 0 || len(cycles) == 0 {
		return nil, fmt.Errorf("%d values too many", len(bits))
	}
	return cycles, nil
}
