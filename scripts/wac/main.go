// Command wac has the engine solve Win at Chess, the 300 positions of Fred Reinfeld's book, and
// says how many of the best moves it finds:
//
//	go run ./scripts/wac --nodes 60000
//	go run ./scripts/wac --movetime 1s
//
// The positions are fetched from a public repository, checked against their hash, and kept in the
// user's cache. Another file of EPD records with the operations bm and id is given with --file.
// With --nodes the same positions are solved on every machine.
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/pflag"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/notation"
	"github.com/cosimate/cosimate/engine/search"
	"github.com/cosimate/cosimate/internal/cachedir"
)

// Where the positions are, and the SHA-256 of the file.
const (
	source = "https://raw.githubusercontent.com/helgefmi/Poor-little-pinkus/16615715f641653e3e4b22e6511ed4f92ba1f447/wac.epd"
	sum    = "48daed56b7160bf3f5ae6337e2ebe8da8f041364d91cee0184e60a3bed1191c8"
)

var (
	nodes    = pflag.Uint64("nodes", 60_000, "nodes for each position")
	moveTime = pflag.Duration("movetime", 0, "time for each position, instead of nodes")
	jobs     = pflag.Int("jobs", 1, "positions at a time")
	features = pflag.String("features", "all", "parts of the search to use")
	path     = pflag.String("file", "", "EPD file to use, instead of the one that is fetched")
	least    = pflag.Int("least", 0, "fail if fewer are solved")
)

func main() {
	pflag.Parse()
	if pflag.NArg() != 0 || *jobs < 1 {
		fmt.Fprintln(os.Stderr, "error: wac takes flags only: wac --help")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// problem is a position and its best moves.
type problem struct {
	id       string
	position engine.Position
	best     []engine.Move
}

func run(ctx context.Context) error {
	on, err := search.ParseFeatures(*features)
	if err != nil {
		return err
	}
	data, err := read(ctx)
	if err != nil {
		return err
	}
	problems, err := parse(string(data))
	if err != nil {
		return err
	}
	limits := search.Limits{Nodes: *nodes}
	if *moveTime > 0 {
		limits = search.Limits{MoveTime: *moveTime}
	}
	var wg sync.WaitGroup
	var next, seen atomic.Int64
	found := make([]search.Result, len(problems))
	errs := make([]error, len(problems))
	for range *jobs {
		wg.Go(func() {
			e, err := search.New(search.Options{Features: on})
			if err != nil {
				panic(err) // a Generator does not fail
			}
			for i := next.Add(1) - 1; i < int64(len(problems)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				e.Clear()
				found[i], errs[i] = e.Search(ctx, search.Game{Start: problems[i].position}, limits, nil)
				seen.Add(int64(found[i].Nodes))
			}
		})
	}
	wg.Wait()
	if err := errors.Join(append(errs, ctx.Err())...); err != nil {
		return err
	}
	solved := 0
	for i, r := range found {
		p := &problems[i]
		if slices.Contains(p.best, r.Moves[0]) {
			solved++
			continue
		}
		fmt.Printf("%s: %s, not %s (depth %d, value %d)\n", p.id, notation.SAN(&p.position, r.Moves[0]),
			notation.SAN(&p.position, p.best[0]), r.Depth, r.Value)
	}
	fmt.Printf("%d of %d solved, %d nodes\n", solved, len(problems), seen.Load())
	if solved < *least {
		return fmt.Errorf("%d of %d are solved, expected %d at least", solved, len(problems), *least)
	}
	return nil
}

// read returns the EPD file.
func read(ctx context.Context) ([]byte, error) {
	if *path != "" {
		return os.ReadFile(*path)
	}
	cache, err := cachedir.Path()
	if err != nil {
		return nil, err
	}
	kept := filepath.Join(cache, "wac.epd")
	if data, err := os.ReadFile(kept); err == nil && right(data) {
		return data, nil
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	fail := func(err error) ([]byte, error) {
		return nil, fmt.Errorf("the positions cannot be fetched: %w; put them into a file and give it with --file", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, source, nil)
	if err != nil {
		return fail(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return fail(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fail(fmt.Errorf("%s: %s", source, answer.Status))
	}
	data, err := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	if err != nil {
		return fail(err)
	}
	if !right(data) {
		return fail(fmt.Errorf("%s is not the file that it was", source))
	}
	if err := os.MkdirAll(cache, 0o777); err != nil {
		return nil, err
	}
	return data, os.WriteFile(kept, data, 0o666)
}

func right(data []byte) bool { return fmt.Sprintf("%x", sha256.Sum256(data)) == sum }

var operations = regexp.MustCompile(`^((?:\S+\s+){3}\S+)\s+(.*)$`)

// parse reads EPD records: four fields of a position, then operations that end with semicolons.
func parse(text string) (list []problem, err error) {
	for number, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		fail := func(err error) ([]problem, error) { return nil, fmt.Errorf("line %d: %w", number+1, err) }
		parts := operations.FindStringSubmatch(line)
		if parts == nil {
			return fail(fmt.Errorf("%q is no EPD record: expected four fields and operations", line))
		}
		p := problem{id: fmt.Sprintf("line %d", number+1)}
		if p.position, err = engine.ParseFEN(parts[1] + " 0 1"); err != nil {
			return fail(err)
		}
		for operation := range strings.SplitSeq(parts[2], ";") {
			words := strings.Fields(operation)
			switch {
			case len(words) < 2:
			case words[0] == "id":
				p.id = strings.Trim(strings.Join(words[1:], " "), `"`)
			case words[0] == "bm":
				for _, word := range words[1:] {
					m, err := notation.Parse(&p.position, word)
					if err != nil {
						return fail(err)
					}
					p.best = append(p.best, m)
				}
			}
		}
		if len(p.best) == 0 {
			return fail(errors.New("there is no operation bm, the best moves"))
		}
		list = append(list, p)
	}
	if len(list) == 0 {
		return nil, errors.New("there is no position")
	}
	return list, nil
}
