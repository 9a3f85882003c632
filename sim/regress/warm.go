package regress

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"
)

// times are how long a unit took in the last run, in nanoseconds, by job.
type times map[string]int64

// A unit that took so long is not run again to see how long it takes.
const long = 20 * time.Second

// warm has the models compiled, by running the first unit of each job of several, but for commands
// of others, and returns how long a unit takes: in the last run, or else in a second run of that
// unit.
func (r *Run) warm(ctx context.Context, parallel int, spans []Span) ([]time.Duration, error) {
	known := times{}
	if err := readJSON(filepath.Join(r.dir, timesFile), &known); err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.log("%v", err)
	}
	unit := make([]time.Duration, len(r.Jobs))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, parallel))
	// Of others, where they run is as good a place to compile as any.
	first := func(j *Job) bool { return j.Units > 1 && (j.Package != "" || j.ours()) }
	several := 0
	for _, s := range spans {
		if first(r.Jobs[s.Job]) {
			several++
		}
	}
	if several > 0 {
		r.log("compiling the models of %d tests: the first seed of each is run", several)
	}
	for _, s := range spans {
		j := r.Jobs[s.Job]
		unit[s.Job] = time.Duration(known[j.Name])
		if !first(j) {
			if unit[s.Job] == 0 {
				unit[s.Job] = time.Minute // so that what is not known is a shard of its own
			}
			continue
		}
		group.Go(func() error {
			var took time.Duration
			w := &worker{run: r, compile: true, used: r.usedFile(), unit: func(u unitEnd) error {
				took = time.Duration(u.took)
				if len(u.failures) > 0 {
					j.Compile = true // it may have ended before its last model, or one does not compile
				}
				return nil
			}}
			err := w.span(ctx, Span{s.Job, s.From, s.From + 1})
			if err == nil && unit[s.Job] == 0 {
				// The first unit may have compiled, and loads what the others of its process find
				// loaded.
				if took < long {
					err = w.span(ctx, Span{s.Job, s.From, s.From + min(3, s.To-s.From)})
				}
				unit[s.Job] = max(took, time.Microsecond)
			}
			if _, killed := errors.AsType[*killedError](err); killed {
				unit[s.Job] = max(unit[s.Job], time.Second) // a worker finds that out
				j.Compile = true
				return nil
			}
			return err
		})
	}
	return unit, group.Wait()
}
