// Package regress runs regressions: many seeds of many tests, on this machine, in shards of a CI
// system or as an array of jobs on a Slurm cluster. A [Plan] says what to run:
//
//	plan, err := regress.ParsePlan("nightly.plan", text, time.Now())
//	run, err := regress.Prepare(ctx, plan, regress.Options{Out: "out/regress", Jobs: 8})
//	err = run.Local(ctx)
//	result, err := run.Result(ctx)
//
// All state is files in one folder, each written whole or not at all:
//
//	run.json            the plan, what each entry runs, and the shards
//	store/HASH/*.test   test binaries
//	models/             compiled models
//	partial/N.json      a shard's results so far, if its worker was ended
//	attempts/N.M        which unit the worker of a shard has under way
//	results/N.json      a shard's results
//
// A unit is one seed of an entry, once. A worker runs all units of a shard in one process of the
// test binary (package seedloop), or in one process each where this cannot be. What a shard finds
// depends on its units alone; whoever writes a shard's results first has written them, and a
// second copy changes nothing. So does where the work is cut, and who does it.
package regress

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// writeJSON writes a file of the run: whole, or not at all.
func writeJSON(path string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return writeFile(path, data)
}

// writeFile writes a file whole, or not at all. A file that is there is replaced.
func writeFile(path string, data []byte) error {
	name, err := writeBeside(path, data)
	if err != nil {
		return err
	}
	if err = os.Rename(name, path); err != nil {
		os.Remove(name)
	}
	return err
}

// writeOnce writes a file whole, unless it is there already: the first one stays.
func writeOnce(path string, data []byte) error {
	name, err := writeBeside(path, data)
	if err != nil {
		return err
	}
	defer os.Remove(name)
	if err := os.Link(name, path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// writeBeside writes a temporary file in the folder of path.
func writeBeside(path string, data []byte) (name string, err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".*.tmp")
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Chmod(0o644)); err == nil {
		err = f.Sync() // or a node that dies may leave an empty file under the name
	}
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(f.Name())
		return "", err
	}
	return f.Name(), nil
}

// readJSON reads a file of the run.
func readJSON(path string, v any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s: %w; the file was damaged: remove it, and what it had is run again", path, err)
	}
	return nil
}

// hash returns the hash of a text, 16 hexadecimal digits.
func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}
