package regress

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// Merge returns the result of a run whose parts were run in several folders, into the folder out.
func Merge(ctx context.Context, out string, dirs []string, log func(string, ...any)) (*Run, *Result, *Times, error) {
	out, err := filepath.Abs(out)
	if err != nil {
		return nil, nil, nil, err
	}
	var parts []*Run
	have := map[int]string{}
	for _, dir := range dirs {
		p, err := Open(dir)
		if err != nil {
			return nil, nil, nil, err
		}
		if missing := len(p.Missing()); missing > 0 {
			return nil, nil, nil, fmt.Errorf("%s: %d of %d shards have no results: run it again", dir, missing, len(p.Shards))
		}
		if p.Part[1] == 0 {
			return nil, nil, nil, fmt.Errorf("%s: this is a whole run, and no part: run it with --shard i/n", dir)
		}
		if first, ok := have[p.Part[0]]; ok {
			return nil, nil, nil, fmt.Errorf("%s and %s are both part %d of %d", first, dir, p.Part[0], p.Part[1])
		}
		have[p.Part[0]] = dir
		if len(parts) > 0 {
			if err := sameRun(parts[0], p, dirs[0], dir); err != nil {
				return nil, nil, nil, err
			}
		}
		parts = append(parts, p)
	}
	for i := 1; i <= parts[0].Part[1]; i++ {
		if have[i] == "" {
			return nil, nil, nil, fmt.Errorf("part %d of %d is missing", i, parts[0].Part[1])
		}
	}
	r := &Run{dir: parts[0].dir, log: log, state: parts[0].state}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return nil, nil, nil, err
	}
	r.dir = out
	if _, err := os.Stat(filepath.Join(out, "store")); err != nil {
		from, err := filepath.Abs(filepath.Join(parts[0].dir, "store"))
		if err == nil {
			err = os.Symlink(from, filepath.Join(out, "store"))
		}
		if err != nil {
			return nil, nil, nil, err
		}
	}
	res, times, err := r.result(ctx, parts)
	return r, res, times, err
}

// sameRun returns an error if two parts are not of one run.
func sameRun(a, b *Run, first, dir string) error {
	if a.Plan != b.Plan || a.Part[1] != b.Part[1] || len(a.Jobs) != len(b.Jobs) {
		return fmt.Errorf("%s and %s are not parts of one run: their plans differ", first, dir)
	}
	for i, j := range a.Jobs {
		if o := b.Jobs[i]; j.Name != o.Name || j.First != o.First || j.Units != o.Units {
			return fmt.Errorf("%s and %s are not parts of one run: line %d has other seeds (another day?)", first, dir, j.Line)
		}
	}
	return nil
}
