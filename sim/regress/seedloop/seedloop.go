// Package seedloop is the TestMain with which package regress compiles test binaries. It runs the
// tests of a binary once for each seed, in one process. The file is compiled into the package under
// test, so it imports the standard library only, and its names begin with cosimate.
package seedloop

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// cosimateLoop is what to run: the variable COSIMATE_SEEDS as JSON.
type cosimateLoop struct {
	Mark     string // begins the lines that are for the worker
	From, To int    // the units
	First    uint64 // the seed of unit 0
	Repeat   int    // units a seed
	Cover    string // folder of coverage, with one folder for each unit, or ""
	Note     string // file that says what is under way, "" or Job and unit
	Job      int
	Vary     map[string]string // flags that have the seed in them, as $seed
}

func TestMain(m *testing.M) {
	text := os.Getenv("COSIMATE_SEEDS")
	os.Unsetenv("COSIMATE_SEEDS") // processes that the tests start run once
	if text == "" {
		os.Exit(m.Run())
	}
	var loop cosimateLoop
	if err := json.Unmarshal([]byte(text), &loop); err != nil {
		fmt.Fprintln(os.Stderr, "COSIMATE_SEEDS:", err)
		os.Exit(2)
	}
	flag.Parse()
	set := func(name, value string) {
		if err := flag.Set(name, value); err != nil {
			fmt.Fprintf(os.Stderr, "-%s=%s: %v\n", name, value, err)
			os.Exit(2)
		}
	}
	seeded := flag.Lookup("sim.seed") != nil
	covered := loop.Cover != "" && flag.Lookup("sim.cover") != nil
	// The worker reads what is printed later: if it is killed by a seed, it cannot say by which. If
	// the file cannot be written, so cannot the results.
	note, _ := os.OpenFile(loop.Note, os.O_WRONLY, 0)
	for unit := loop.From; unit < loop.To; unit++ {
		if note != nil {
			note.WriteAt(fmt.Appendf(nil, "%d %-12d\n", loop.Job, unit), 0)
		}
		seed := strconv.FormatUint(loop.First+uint64(unit/loop.Repeat), 10)
		if seeded {
			set("sim.seed", seed)
		}
		if covered {
			set("sim.cover", loop.Cover+"/"+strconv.Itoa(unit))
		}
		for name, value := range loop.Vary {
			set(name, strings.ReplaceAll(value, "$seed", seed))
		}
		began := time.Now()
		code := m.Run()
		fmt.Fprintf(os.Stdout, "\n%s %d %d %d\n", loop.Mark, unit, code, time.Since(began).Nanoseconds())
	}
	os.Exit(0)
}
