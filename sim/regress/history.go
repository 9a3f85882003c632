package regress

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// history is what is kept of the runs before.
type history struct {
	Run    string // when it began
	Result Result
	Since  map[string]string // of the keys of its buckets
	Tree   string
	Ran    map[string]*Job // by name
	Failed map[string]bool // the verdict keys of the units that failed
}

const historyFile = "history.json"

// compareLast compares with the last run, if there was one.
func (r *Run) compareLast(res *Result) {
	var last history
	if err := readJSON(filepath.Join(r.dir, historyFile), &last); err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			r.log("%v", err)
		}
		return
	}
	c := &Compared{Run: last.Run, Units: last.Result.Units, Failed: last.Result.Failed}
	had := map[string]bool{}
	for _, b := range last.Result.Buckets {
		had[b.Key] = true
		if !slices.ContainsFunc(res.Buckets, func(o *Bucket) bool { return o.Key == b.Key }) {
			c.Gone = append(c.Gone, b.What())
		}
	}
	for _, b := range res.Buckets {
		if b.Since = last.Since[b.Key]; !had[b.Key] {
			c.New = append(c.New, b.What())
		}
	}
	for _, k := range res.Coverage {
		for _, o := range last.Result.Coverage {
			if k.Kind == o.Kind && (k.Hit != o.Hit || k.All != o.All) {
				c.Coverage = append(c.Coverage, fmt.Sprintf("%s %d/%d, was %d/%d", k.Kind, k.Hit, k.All, o.Hit, o.All))
			}
		}
	}
	res.Last = c
}

// Finish notes that the run has ended with a result: the next one is compared with it, and cuts its
// work by its times.
func (r *Run) Finish(res *Result, t *Times) error {
	known := times{}
	if err := readJSON(filepath.Join(r.dir, timesFile), &known); err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.log("%v", err)
		known = times{}
	}
	for _, j := range t.Jobs {
		if j.Units > 0 {
			known[j.Name] = int64(j.Total) / int64(j.Units)
		}
	}
	h := history{Run: r.Since, Result: *res, Since: map[string]string{}, Tree: r.Tree, Ran: map[string]*Job{}, Failed: r.verdicts(res)}
	for _, j := range r.Jobs {
		h.Ran[j.Name] = j
	}
	for _, b := range res.Buckets {
		h.Since[b.Key] = cmp.Or(b.Since, r.Since)
	}
	sweep()
	if err := r.tidy(); err != nil {
		return err
	}
	return errors.Join(writeJSON(filepath.Join(r.dir, timesFile), known), writeJSON(filepath.Join(r.dir, historyFile), h),
		writeFile(filepath.Join(r.dir, doneFile), nil))
}

// tidy removes what nobody needs any more: what workers that were killed have left, empty logs, and
// binaries of earlier runs.
func (r *Run) tidy() error {
	used := map[string]bool{}
	for _, j := range r.Jobs {
		used[path.Dir(j.Binary)] = true // a folder of the store
	}
	if info, err := os.Lstat(filepath.Join(r.dir, "store")); err == nil && info.IsDir() { // or it is another run's
		entries, err := os.ReadDir(filepath.Join(r.dir, "store"))
		if err != nil {
			return err
		}
		for _, e := range entries {
			if !used[e.Name()] {
				if err := os.RemoveAll(filepath.Join(r.dir, "store", e.Name())); err != nil {
					return err
				}
			}
		}
	}
	return filepath.WalkDir(r.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		kind := filepath.Base(filepath.Dir(path))
		old := strings.HasPrefix(e.Name(), ".") && strings.HasSuffix(e.Name(), ".tmp") || kind == "attempts" || kind == "partial"
		if info, err := e.Info(); err == nil && kind == "logs" && info.Size() == 0 {
			old = true
		}
		if !old {
			return nil
		}
		if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
}
