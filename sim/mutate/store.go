package mutate

import (
	"bufio"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cosimate/cosimate/bridge/lanes"
)

// rules are the files that verdicts follow from. When they change, no verdict is taken over.
//
//go:embed classes.go insert.go list.go parts.go recording.go replay.go source.go
//go:embed internal/changes/changes.go internal/changes/expressions.go internal/changes/statements.go internal/changes/token.go
var rules embed.FS

// deciders are the files that the verdicts follow from on mutants that no recorded test has found.
//
//go:embed decide.go search.go
var deciders embed.FS

// record is a verdict as it is kept: a line of a file that only grows.
type record struct {
	Key     string
	Verdict Verdict
	By      *found   `json:",omitempty"`
	Tape    string   `json:",omitempty"` // the stimulus that has found it
	Proof   string   `json:",omitempty"`
	Witness *Witness `json:",omitempty"`
	Tried   []string `json:",omitempty"`
	Circuit string   `json:",omitempty"` // what a proof or inputs hold for: see circuitKey
	Tests   string   `json:",omitempty"` // what nothing else has found it in: see testsKey
	Limit   time.Duration
}

// store keeps verdicts in a file. A nil one keeps none.
type store struct {
	file           *os.File
	circuit, tests string
}

// unusedFor is how long verdicts are kept that nobody asks for.
const unusedFor = 30 * 24 * time.Hour

// recall takes over verdicts of earlier runs that still hold, and begins to keep those of this one.
// That it cannot is no error: then all is decided.
func (r *runner) recall(all []*configuration) {
	if r.o.Store == "" {
		return
	}
	name := filepath.Join(r.o.Store, r.target.pins.Key()+"-"+rulesKey()+".jsonl")
	known, err := recorded(name)
	if err == nil {
		err = os.MkdirAll(r.o.Store, 0o777)
	}
	s := &store{circuit: r.circuitKey(), tests: r.testsKey(all)}
	if err == nil {
		s.file, err = os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	}
	if err != nil {
		r.report.Notes = append(r.report.Notes, fmt.Sprintf("verdicts are not kept for another run: %v", err))
		return
	}
	now := time.Now()
	os.Chtimes(name, now, now)
	removeUnused(r.o.Store, now)
	s.file.Write([]byte("\n")) // ends what a run that was killed has left
	r.store = s
	tapes := map[string]*stimulus{}
	for _, c := range all {
		for _, x := range c.all {
			tapes[x.id] = x
		}
	}
	for i := range r.results {
		to := &r.results[i]
		all := known[to.Key]
		n := slices.IndexFunc(all, func(k record) bool { return s.holds(&k, tapes, r.o.Limit) })
		if n < 0 {
			continue
		}
		k := &all[n]
		to.Verdict, to.By, to.Proof, to.Witness, to.Tried = k.Verdict, k.By, k.Proof, k.Witness, k.Tried
		if x := tapes[k.Tape]; x != nil { // the test may have another name now
			to.By.tape, to.By.Test, to.By.Package = k.Tape, x.tape.At(int(to.By.Cycle)), x.source.Package
		}
		r.report.Known++
	}
}

// holds reports whether a verdict of an earlier run is one of this run.
func (s *store) holds(k *record, tapes map[string]*stimulus, limit time.Duration) bool {
	switch k.Verdict {
	case Found:
		return k.By != nil && (k.Tape != "" && tapes[k.Tape] != nil || k.Tape == "" && k.Tests == s.tests)
	case Equivalent:
		return k.Circuit == s.circuit
	case Missed:
		return k.Circuit == s.circuit && k.Tests == s.tests
	case Undecided:
		return k.Circuit == s.circuit && k.Tests == s.tests && k.Limit >= limit
	}
	return false
}

// keep keeps a verdict. One that comes of an error is none.
func (r *runner) keep(m *Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.store == nil || m.failed {
		return
	}
	k := record{Key: m.Key, Verdict: m.Verdict, By: m.By, Proof: m.Proof, Witness: m.Witness, Tried: m.Tried,
		Circuit: r.store.circuit, Tests: r.store.tests, Limit: r.o.Limit}
	if m.By != nil {
		k.Tape = m.By.tape
	}
	text, err := json.Marshal(k)
	if err == nil {
		_, err = r.store.file.Write(append(text, '\n'))
	}
	if err != nil {
		r.report.Notes = append(r.report.Notes, fmt.Sprintf("verdicts from here on are not kept for another run: %v", err))
		r.store.close()
		r.store = nil
	}
}

func (s *store) close() {
	if s != nil {
		s.file.Close()
	}
}

// recorded reads verdicts. A line that is not whole is that of a run that was killed.
func recorded(name string) (map[string][]record, error) {
	all := map[string][]record{}
	f, err := os.Open(name)
	if os.IsNotExist(err) {
		return all, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var k record
		if json.Unmarshal(lines.Bytes(), &k) == nil {
			all[k.Key] = append(all[k.Key], k)
		}
	}
	return all, lines.Err()
}

func removeUnused(dir string, now time.Time) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && strings.HasSuffix(e.Name(), ".jsonl") && now.Sub(info.ModTime()) > unusedFor {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// rulesKey stands for how verdicts come about.
func rulesKey() string { return keyOf(rules) }

func keyOf(files embed.FS) string {
	h := sha256.New()
	fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			text, _ := files.ReadFile(name)
			fmt.Fprintf(h, "%s %d\n%s", name, len(text), text)
		}
		return err
	})
	return hex.EncodeToString(h.Sum(nil)[:6])
}

// circuitKey stands for what is proved, beside the circuit: when outputs count, the reset, and how
// it is proved.
func (r *runner) circuitKey() string {
	h := sha256.New()
	for _, k := range slices.Sorted(maps.Keys(r.report.Valid)) {
		fmt.Fprintf(h, "%q %q\n", k, r.report.Valid[k])
	}
	fmt.Fprintf(h, "%d %d %s %s", r.resetCycles(), r.o.Seed, keyOf(deciders), lanes.ProverKey())
	return hex.EncodeToString(h.Sum(nil)[:6])
}

// testsKey stands for all that tests do: what was recorded of them, and their text.
func (r *runner) testsKey(all []*configuration) string {
	var ids []string
	for _, c := range all {
		for _, x := range c.all {
			ids = append(ids, x.id)
		}
	}
	slices.Sort(ids)
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %t", ids, r.o.Tests, r.o.Confirm != nil)
	return hex.EncodeToString(h.Sum(nil)[:6])
}
