package regress

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/cosimate/cosimate/internal/shell"
)

// A unit that has killed its worker so many times is not run any more: that is a failure of its
// own.
const mostDeaths = 3

// Partial results are written this often; after so many attempts of a shard, after each unit.
const partialEvery = 5 * time.Second

// Work runs a shard and writes its results, unless they are there. Its units may be under way
// elsewhere at the same time: what is written first stays. What an earlier worker has done of it is
// not done again. An error is one of what is around the tests, and the shard can be run again.
func (r *Run) Work(ctx context.Context, k int) (err error) {
	if k < 0 || k >= len(r.Shards) {
		return fmt.Errorf("there is no shard %d, only 0 to %d", k, len(r.Shards)-1)
	}
	path := r.file("results", k)
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	s := &shardWork{run: r, k: k, result: ShardResult{Shard: k}, deaths: map[Unit]int{}}
	if err := s.load(); err != nil {
		return err
	}
	if err := s.attempt(); err != nil {
		return err
	}
	defer func() {
		// Whoever comes to this line was not killed.
		s.note.Close()
		os.Remove(s.note.Name())
		if err != nil {
			s.run.finished.Add(-s.counted)
			if len(s.result.Done) > 0 {
				s.save()
			}
		}
	}()
	for _, span := range r.Shards[k].Spans {
		if err := s.span(ctx, s.rest(span)); err != nil {
			return err
		}
	}
	s.result.Cover = s.cover.results()
	data, err := json.Marshal(s.result)
	if err != nil {
		return err
	}
	if err := writeOnce(path, data); err != nil {
		return err
	}
	os.Remove(r.file("partial", k))
	old, _ := filepath.Glob(filepath.Join(r.dir, "attempts", strconv.Itoa(k)+".*"))
	for _, name := range old {
		os.Remove(name)
	}
	return s.compare(path)
}

// file returns the path of a shard's file.
func (r *Run) file(kind string, k int) string {
	return filepath.Join(r.dir, kind, strconv.Itoa(k)+".json")
}

// shardWork is the state of a worker.
type shardWork struct {
	run      *Run
	k        int
	result   ShardResult
	cover    coverage
	deaths   map[Unit]int // of the workers that had the unit under way
	attempts int
	note     *os.File // the unit under way
	saved    time.Time
	counted  int64 // units, in the run's progress
}

// load reads what earlier workers have left.
func (s *shardWork) load() error {
	var p ShardResult
	err := readJSON(s.run.file("partial", s.k), &p)
	if err == nil {
		s.result = p
		if err := s.cover.load(p.Cover); err != nil {
			return err
		}
		s.result.Cover = nil
		for _, d := range p.Done {
			s.counted += int64(d.To - d.From)
		}
		s.run.finished.Add(s.counted)
	} else if !errors.Is(err, fs.ErrNotExist) {
		os.Remove(s.run.file("partial", s.k))
	}
	names, _ := filepath.Glob(filepath.Join(s.run.dir, "attempts", strconv.Itoa(s.k)+".*"))
	s.attempts = len(names)
	for _, name := range names {
		if text, err := os.ReadFile(name); err == nil {
			var u Unit
			if _, err := fmt.Sscan(string(text), &u.Job, &u.Unit); err == nil {
				s.deaths[u]++
			}
		}
	}
	return nil
}

// attempt makes the file that stays if this worker is killed.
func (s *shardWork) attempt() (err error) {
	s.note, err = os.CreateTemp(filepath.Join(s.run.dir, "attempts"), strconv.Itoa(s.k)+".*")
	return err
}

// under notes which unit is under way. A process of many notes that itself, as package seedloop
// does, and until it has begun, none is.
func (s *shardWork) under(u Unit) error {
	text := fmt.Sprintf("%d %-12d\n", u.Job, u.Unit)
	if s.run.Jobs[u.Job].Loop {
		text = strings.Repeat(" ", len(text)-1) + "\n"
	}
	_, err := s.note.WriteAt([]byte(text), 0)
	return err
}

// save writes the results so far.
func (s *shardWork) save() error {
	p := s.result
	p.Cover = s.cover.results()
	s.saved = time.Now()
	return writeJSON(s.run.file("partial", s.k), p)
}

// rest returns what is to be done of a span.
func (s *shardWork) rest(span Span) Span {
	for _, d := range s.result.Done {
		if d.Job == span.Job && d.From <= span.From && span.From < d.To {
			span.From = min(d.To, span.To)
		}
	}
	return span
}

// span runs units of a job, in new processes as often as one is killed.
func (s *shardWork) span(ctx context.Context, span Span) error {
	s.saved = time.Now()
	for span.From < span.To {
		at := Unit{span.Job, span.From}
		if s.deaths[at] >= mostDeaths {
			j := s.run.Jobs[span.Job]
			x := s.run.failure(j, at)
			x.Kind, x.Message = "killed", fmt.Sprintf("it kills its worker: it was killed %d times while this seed was run (memory?)", mostDeaths)
			if err := s.end(unitEnd{unit: at.Unit, failures: []Failure{x}}, span.Job); err != nil {
				return err
			}
			span.From++
			continue
		}
		if err := s.under(at); err != nil {
			return err
		}
		alone := span
		if s.deaths[at] > 0 { // so that what follows does not suffer from it
			alone.To = span.From + 1
		}
		for u := range s.deaths { // nor what is before it
			if u.Job == span.Job && u.Unit > span.From {
				alone.To = min(alone.To, u.Unit)
			}
		}
		w := &worker{run: s.run, note: s.note.Name(), unit: func(u unitEnd) error {
			span.From = u.unit + 1
			if err := s.end(u, span.Job); err != nil || span.From >= span.To || s.run.Jobs[span.Job].Loop {
				return err
			}
			return s.under(Unit{span.Job, span.From})
		}}
		err := w.span(ctx, alone)
		var killed *killedError
		switch {
		case errors.As(err, &killed):
			s.deaths[Unit{span.Job, span.From}]++
		case err != nil:
			return err
		}
	}
	return nil
}

// end notes a unit's end.
func (s *shardWork) end(u unitEnd, job int) error {
	s.result.add(job, u.unit, u.took)
	s.run.finished.Add(1)
	s.counted++
	if len(u.failures) > 0 {
		s.run.failures.Add(1)
		s.result.fail(u.failures)
	}
	if err := s.cover.add(job, u.unit, u.cover); err != nil {
		return err
	}
	if s.attempts >= mostDeaths || time.Since(s.saved) > partialEvery {
		return s.save()
	}
	return nil
}

// compare notes if the results that are there are not the ones that this worker has: tests that
// do not follow from their seeds.
func (s *shardWork) compare(path string) error {
	var there ShardResult
	if err := readJSON(path, &there); err != nil {
		return err
	}
	a, err1 := json.Marshal(there.Failed)
	b, err2 := json.Marshal(s.result.Failed)
	if err := errors.Join(err1, err2); err != nil || bytes.Equal(a, b) {
		return err
	}
	return writeJSON(filepath.Join(s.run.dir, "results", fmt.Sprintf("%d-%s.other", s.k, hash(b))), s.result.Failed)
}

// failure returns a failure of a unit, with what is known before it has failed.
func (r *Run) failure(j *Job, u Unit) Failure {
	return Failure{Job: u.Job, Unit: u.Unit, Seed: j.seed(u.Unit), Command: r.command(j, j.seed(u.Unit), "")}
}

// command returns the command that repeats a test of a unit, in the module's root.
func (r *Run) command(j *Job, seed uint64, test string) string {
	text := strconv.FormatUint(seed, 10)
	if j.Package == "" {
		words := make([]string, len(j.Words))
		for i, w := range j.Words {
			words[i] = shell.Quote(strings.ReplaceAll(w, "$seed", text))
		}
		return strings.Join(words, " ")
	}
	words := append([]string{"go", "test"}, j.Build...)
	words = append(words, j.Package)
	if test != "" {
		words = append(words, "-run", exactly(test))
	}
	if j.Seeded {
		words = append(words, "-sim.seed="+text)
	}
	words = append(words, "-count=1")
	for _, f := range j.Flags {
		f = "-" + strings.TrimPrefix(strings.TrimPrefix(f, "-"), "test.")
		if test == "" || !strings.HasPrefix(f, "-run=") {
			words = append(words, strings.ReplaceAll(f, "$seed", text))
		}
	}
	for i := range words {
		words[i] = shell.Quote(words[i])
	}
	return strings.Join(words, " ")
}

// exactly returns the -run that selects one test.
func exactly(test string) string {
	var path []string
	for part := range strings.SplitSeq(test, "/") {
		path = append(path, "^"+quoteMeta(part)+"$")
	}
	return strings.Join(path, "/")
}
