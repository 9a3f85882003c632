package mutate

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/lanes"
	"github.com/cosimate/cosimate/sim"
)

// decide gives the mutants that no recorded test has found a verdict.
func (r *runner) decide(ctx context.Context) error {
	var of []int
	for i := range r.results {
		if r.results[i].Verdict == "" {
			of = append(of, i)
		}
	}
	jobs := r.o.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	done := 0
	for begin := 0; begin < len(of); begin += chunk {
		p, err := r.newProver(ctx, of[begin:min(begin+chunk, len(of))])
		if err != nil {
			return err
		}
		if err := p.search(ctx); err != nil {
			return err
		}
		g, gctx := errgroup.WithContext(ctx)
		g.SetLimit(jobs)
		for i := range p.of {
			g.Go(func() error {
				if gctx.Err() != nil {
					return nil
				}
				if err := p.prove(gctx, i); err != nil {
					return err
				}
				r.mu.Lock()
				done++
				n := done
				r.mu.Unlock()
				r.progress("decide", n, len(of))
				return nil
			})
		}
		if err := g.Wait(); err != nil {
			return err
		}
	}
	return nil
}

// prover decides the mutants of one netlist.
type prover struct {
	r      *runner
	of     []int // numbers of results
	list   []Mutant
	model  *lanes.Model
	layout *bridge.Layout // of rows, without the inputs that switch mutants on
	reset  int
}

func (r *runner) newProver(ctx context.Context, of []int) (*prover, error) {
	p := &prover{r: r, of: of, layout: r.report.layout, reset: r.o.Reset}
	for _, i := range of {
		p.list = append(p.list, r.results[i].Mutant)
	}
	if p.reset == 0 && r.target.design.Reset != "" {
		p.reset = sim.ResetRows(r.target.design)
	}
	var err error
	shape := func([]bridge.Port) (*bridge.Layout, error) { return p.layout, nil }
	p.model, err = lanes.Build(ctx, r.target.design, lanes.BuildOptions{Edit: edits(p.list), Shape: shape})
	return p, err
}

// prove decides a mutant. Nothing depends on it, or a prover says that it is equivalent, or inputs
// show that it is not. What a bounded search does not find is no proof.
func (p *prover) prove(ctx context.Context, i int) error {
	to := &p.r.results[p.of[i]]
	o := lanes.MiterOptions{On: control(i), Reset: p.reset, Valid: p.r.report.Valid}
	for k := range p.list {
		if k != i {
			o.Off = append(o.Off, control(k))
		}
	}
	miter, err := p.model.Miter(o)
	if err != nil {
		return err
	}
	begin := time.Now()
	proof := &lanes.Proof{By: "random inputs"}
	if to.Witness == nil && !miter.Same && !miter.Few() {
		o.Local = true
		local, err := p.model.Miter(o)
		if err != nil {
			return err
		}
		if proof, err = local.Prove(ctx, p.r.o.Limit/2); err != nil {
			return err
		}
		if proof.By = "register by register: " + proof.By; proof.Answer != lanes.Equal {
			to.Tried = append(to.Tried, fmt.Sprintf("%s, %v", proof.By, time.Since(begin).Round(time.Second/10)))
			begin = time.Now()
		}
	}
	if proof.Answer != lanes.Equal && (to.Witness == nil || miter.Few()) {
		if proof, err = miter.Prove(ctx, p.r.o.Limit); err != nil {
			return err
		}
	}
	if proof.Answer == lanes.Equal {
		if to.Witness != nil {
			return fmt.Errorf("mutant %s: inputs show a difference, and it is proved that there is none (%s): this is a fault of Cosimate", to.Key, proof.By)
		}
		to.Verdict, to.Proof = Equivalent, proof.By
		return nil
	}
	if to.Witness == nil {
		to.Tried = append(to.Tried, fmt.Sprintf("%s, %v", proof.By, time.Since(begin).Round(time.Second/10)))
	}
	if proof.Answer != lanes.Different || !proof.Shortest {
		// How few cycles show it?
		begin = time.Now()
		found, err := miter.Shortest(ctx, min(p.r.o.Limit/4, 5*time.Second))
		if err != nil {
			return err
		}
		if found.Answer == lanes.Different {
			proof = found
		} else {
			to.Tried = append(to.Tried, fmt.Sprintf("%s, %v", found.By, time.Since(begin).Round(time.Second/10)))
		}
	}
	if proof.Answer == lanes.Different {
		w, err := p.witness(ctx, i, p.rows(miter, proof.Inputs))
		switch {
		case err != nil:
			return err
		case w != nil && (proof.Shortest || to.Witness == nil || len(w.Rows) < len(to.Witness.Rows)):
			to.Witness, w.Shortest = w, proof.Shortest
		case w == nil && miter.Exact:
			return fmt.Errorf("mutant %s: lanes show no difference with the inputs of a prover: this is a fault of Cosimate", to.Key)
		case w == nil:
			to.Tried = append(to.Tried, "they differ only if memories held other words")
		}
	}
	if to.Witness != nil {
		to.Verdict, to.Tried = Missed, nil
		return p.confirm(ctx, to)
	}
	to.Verdict = Undecided
	to.Tried = append(to.Tried, fmt.Sprintf("%d random cycles", searched))
	return nil
}

// confirm runs the tests with a mutant that no comparison of theirs has found: there are other
// checks.
func (p *prover) confirm(ctx context.Context, to *Result) error {
	if p.r.o.Confirm == nil {
		return nil
	}
	test, pkg, err := p.r.o.Confirm(ctx, &Subject{p.r.target.key, &to.Mutant, p.r.target.design})
	if err != nil {
		return err
	}
	if test != "" {
		to.Verdict, to.By, to.Witness = Found, &found{Test: test, Package: pkg, Design: p.r.target.key}, nil
	}
	return nil
}

// rows makes rows of a prover's inputs.
func (p *prover) rows(m *lanes.Miter, cycles [][]bool) []byte {
	size := p.layout.InSize
	rows := make([]byte, len(cycles)*size)
	for t, bits := range cycles {
		row := rows[t*size : (t+1)*size]
		for i, in := range m.Inputs {
			if !bits[i] || in.Port == "" {
				continue
			}
			for k := range p.layout.Inputs {
				if q := &p.layout.Inputs[k]; q.Name == in.Port {
					row[q.Offset+in.Bit/8] |= 1 << (in.Bit % 8)
				}
			}
		}
		if t < p.reset {
			p.hold(row, true)
		}
	}
	return rows
}

// hold sets the reset of a row.
func (p *prover) hold(row []byte, active bool) {
	d := &p.r.target.design
	for k := range p.layout.Inputs {
		if q := &p.layout.Inputs[k]; q.Name == d.Reset && d.Reset != "" {
			row[q.Offset] = 0
			if active != d.ResetActiveLow {
				row[q.Offset] = 1
			}
		}
	}
}
