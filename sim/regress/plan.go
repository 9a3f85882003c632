package regress

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Plan is what a regression runs.
type Plan struct {
	Name    string
	Text    string
	Entries []*Entry
	Cover   []string // what must be covered: line=90
	Count   bool     // coverage is counted
}

// An Entry is a line of a plan.
type Entry struct {
	Line     int
	Kind     string   // test or command
	Name     string   // for people; unique in the plan
	Packages []string // of go test
	Words    []string // of a command
	Build    []string // flags for go test -c: -race, -tags
	Flags    []string // of the test binary; $seed stands for the seed
	Seeds    Seeds
	Given    bool // the line has seeds
	Named    bool // the line has a name
	Repeat   int  // how often each seed is run
	Weight   float64
	Limit    time.Duration // of a unit
	Compile  bool          // workers may compile models
}

// Seeds are a range of seeds.
type Seeds struct {
	First uint64
	Count int
}

// PlanError is a mistake in a plan.
type PlanError struct {
	File         string
	Line, Column int
	What, Hint   string
}

func (e *PlanError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.What)
}

// PlanHelp says what a plan is made of.
const PlanHelp = `A plan is lines of text. A line that begins with a space continues the one before; # begins a comment.

  test PACKAGE... [OPTION...] [-FLAG=VALUE...]   go tests; -race and -tags build, -run and -skip choose, the rest is the tests' own
  command [OPTION...] WORD...                    any program, in the module's root
  vectors [OPTION...] FILE...                    cosimate vectors run FILE...
  perft [OPTION...] FLAG...                      cosimate perft FLAG...
  seeds N [from=FIRST]                           so many seeds, shared by the tests without seeds= by their weights
  cover [KIND=PERCENT...]                        count coverage, and fail if it is below

options: seeds=A..B or seeds=today+N (N seeds that begin with the date), repeat=N, weight=W, limit=DURATION of one seed (10m),
name=TEXT, compile=worker (models depend on the seed). In flags $seed stands for the seed.
`

// The least and most that a plan may ask for.
const (
	defaultLimit = 10 * time.Minute
	maxSeeds     = 100_000_000
)

// word is a word of a plan, and where it begins.
type word struct {
	text         string
	line, column int
}

type planParser struct {
	file string
	now  time.Time
	plan *Plan
	all  int // of the statement seeds
	from uint64
}

// ParsePlan reads a plan. Seeds of a date are those of now. The error is a *[PlanError].
func ParsePlan(file, text string, now time.Time) (*Plan, error) {
	p := &planParser{file: file, now: now, plan: &Plan{Name: file, Text: text}, from: 1}
	statements, err := p.words(strings.TrimPrefix(text, "\ufeff")) // as some editors write
	if err != nil {
		return nil, err
	}
	for _, s := range statements {
		if err := p.statement(s); err != nil {
			return nil, err
		}
	}
	if len(p.plan.Entries) == 0 {
		return nil, &PlanError{file, 1, 1, "the plan runs nothing", "a line such as: test ./... seeds=1..100"}
	}
	if err := p.share(); err != nil {
		return nil, err
	}
	names := map[string]int{}
	for _, e := range p.plan.Entries {
		if e.Name == "" {
			e.Name = strings.Join(append(slices.Concat(e.Packages, e.Words, e.Build), e.Flags...), " ")
		}
		if first, ok := names[e.Name]; ok {
			return nil, &PlanError{file, e.Line, 1, fmt.Sprintf("line %d runs the same, or has the same name: %s", first, e.Name), "give one of them another name=, or more seeds to one"}
		}
		names[e.Name] = e.Line
	}
	return p.plan, nil
}

// words splits the text into statements of words.
func (p *planParser) words(text string) (statements [][]word, err error) {
	number := 0
	for line := range strings.SplitSeq(text, "\n") {
		number++
		line = strings.TrimSuffix(line, "\r")
		more := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
		var here []word
		for at := 0; at < len(line); {
			if line[at] == ' ' || line[at] == '\t' {
				at++
				continue
			}
			if line[at] == '#' {
				break
			}
			w := word{line: number, column: at + 1}
			for at < len(line) && line[at] != ' ' && line[at] != '\t' {
				quote := line[at]
				if quote != '"' && quote != '\'' {
					w.text += line[at : at+1]
					at++
					continue
				}
				end := strings.IndexByte(line[at+1:], quote)
				if end < 0 {
					return nil, &PlanError{p.file, number, at + 1, fmt.Sprintf("the %c has no end in this line", quote), "add one"}
				}
				w.text += line[at+1 : at+1+end]
				at += end + 2
			}
			here = append(here, w)
		}
		switch {
		case len(here) == 0:
		case !more:
			statements = append(statements, here)
		case len(statements) == 0:
			return nil, p.fault(here[0], "this line continues nothing", "a statement begins in column 1")
		default:
			last := len(statements) - 1
			statements[last] = append(statements[last], here...)
		}
	}
	return statements, nil
}

func (p *planParser) fault(w word, what, hint string) error {
	return &PlanError{p.file, w.line, w.column, what, hint}
}

func (p *planParser) statement(words []word) error {
	what, rest := words[0], words[1:]
	e := &Entry{Line: what.line, Kind: "command", Repeat: 1, Weight: 1, Limit: defaultLimit, Seeds: Seeds{1, 1}}
	switch what.text {
	case "test":
		e.Kind = "test"
		return p.test(e, what, rest)
	case "command":
	case "vectors":
		e.Words = []string{"cosimate", "vectors", "run"}
	case "perft":
		e.Words = []string{"cosimate", "perft"}
	case "cover":
		p.plan.Count = true
		for _, w := range rest {
			kind, percent, ok := strings.Cut(w.text, "=")
			if v, err := strconv.ParseFloat(percent, 64); !ok || kind == "" || err != nil || !(v >= 0 && v <= 100) {
				return p.fault(w, fmt.Sprintf("%q is not KIND=PERCENT", w.text), "for example line=90 functional=100")
			}
			p.plan.Cover = append(p.plan.Cover, w.text)
		}
		return nil
	case "seeds":
		return p.seeds(what, rest)
	default:
		return p.fault(what, fmt.Sprintf("%q is no statement", what.text), "there are test, command, vectors, perft, seeds and cover")
	}
	for len(rest) > 0 {
		is, err := p.option(e, rest[0])
		if err != nil {
			return err
		}
		if !is {
			break
		}
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return p.fault(what, what.text+" of what?", "the words of a command line follow")
	}
	for _, w := range rest {
		e.Words = append(e.Words, w.text)
	}
	p.plan.Entries = append(p.plan.Entries, e)
	return nil
}

// test reads a line of go tests.
func (p *planParser) test(e *Entry, what word, rest []word) error {
	for _, w := range rest {
		flag := strings.TrimPrefix(w.text, "-")
		if strings.HasPrefix(w.text, "--") {
			flag = w.text[2:]
		}
		if flag == w.text {
			is, err := p.option(e, w)
			if err != nil {
				return err
			}
			if !is {
				e.Packages = append(e.Packages, w.text)
			}
			continue
		}
		name, _, given := strings.Cut(flag, "=")
		switch name {
		case "race", "tags", "ldflags", "gcflags":
			e.Build = append(e.Build, "-"+flag)
			continue
		case "run", "skip":
			if !given {
				return p.fault(w, "-"+name+" without a value", "write -"+name+"=REGEXP, without a space")
			}
			flag = "test." + flag
		case "short", "parallel", "cpu", "v":
			flag = "test." + flag
		case "count":
			return p.fault(w, "-count is not for a plan", "use repeat=N")
		case "timeout":
			return p.fault(w, "-timeout is not for a plan", "use limit=DURATION, which each seed has for itself")
		case "sim.seed":
			return p.fault(w, "-sim.seed is the plan's own", "use seeds=A..B")
		case "sim.cover", "sim.failures", "sim.keep", "sim.wave", "sim.live", "bench", "fuzz", "":
			return p.fault(w, "-"+name+" cannot be used in a plan", "cosimate regress sets what it needs")
		}
		e.Flags = append(e.Flags, "-"+flag)
	}
	if len(e.Packages) == 0 {
		return p.fault(what, "test of what?", "name packages: test ./...")
	}
	p.plan.Entries = append(p.plan.Entries, e)
	return nil
}

// option reads a word that is an option.
func (p *planParser) option(e *Entry, w word) (is bool, err error) {
	name, value, ok := strings.Cut(w.text, "=")
	if !ok {
		return false, nil
	}
	refuse := func(hint string) (bool, error) {
		return false, p.fault(w, fmt.Sprintf("%s=%q is not understood", name, value), hint)
	}
	switch name {
	case "seeds":
		seeds, hint := p.parseSeeds(value)
		if hint != "" {
			return refuse(hint)
		}
		e.Seeds, e.Given = seeds, true
	case "repeat":
		if e.Repeat, err = strconv.Atoi(value); err != nil || e.Repeat < 1 || e.Repeat > 1_000_000 {
			return refuse("use a number from 1 to 1000000")
		}
	case "weight":
		if e.Weight, err = strconv.ParseFloat(value, 64); err != nil || !(e.Weight > 0) || math.IsInf(e.Weight, 0) {
			return refuse("use a number above 0")
		}
	case "limit":
		if e.Limit, err = time.ParseDuration(value); err != nil || e.Limit <= 0 {
			return refuse("use a duration such as 30s or 2h")
		}
	case "name":
		if e.Name, e.Named = value, true; value == "" {
			return refuse("use a name")
		}
	case "compile":
		if e.Compile = value == "worker"; !e.Compile {
			return refuse("use compile=worker, or leave it out")
		}
	default:
		if e.Kind == "command" { // of the command's own
			return false, nil
		}
		return false, p.fault(w, fmt.Sprintf("%q is no option", name), "there are seeds, repeat, weight, limit, name and compile")
	}
	return true, nil
}

// parseSeeds reads a range of seeds. If it cannot, the hint says what to write.
func (p *planParser) parseSeeds(text string) (s Seeds, hint string) {
	const use = "use A..B, one seed, today, or today+N for N seeds"
	if rest, ok := strings.CutPrefix(text, "today"); ok {
		first, err := strconv.ParseUint(p.now.Format("20060102"), 10, 64)
		if err != nil {
			return s, use
		}
		s = Seeds{first, 1}
		if rest == "" {
			return s, ""
		}
		number, ok := strings.CutPrefix(rest, "+")
		n, err := strconv.Atoi(number)
		if !ok || err != nil || n < 1 || n > maxSeeds {
			return s, use
		}
		return Seeds{first * 1_000_000, n}, "" // so that days do not overlap
	}
	a, b, ranged := strings.Cut(text, "..")
	first, err := strconv.ParseUint(a, 10, 64)
	if err != nil {
		return s, use
	}
	last := first
	if ranged {
		if last, err = strconv.ParseUint(b, 10, 64); err != nil {
			return s, use
		}
		if last < first {
			return s, fmt.Sprintf("the first is above the last: use %d..%d", last, first)
		}
	}
	if last-first >= maxSeeds {
		return s, fmt.Sprintf("use at most %d seeds", maxSeeds)
	}
	return Seeds{first, int(last-first) + 1}, ""
}

// seeds reads the statement of seeds that tests share.
func (p *planParser) seeds(what word, rest []word) error {
	if len(rest) == 0 {
		return p.fault(what, "how many seeds?", "for example: seeds 10000")
	}
	n, err := strconv.Atoi(rest[0].text)
	if err != nil || n < 1 || n > maxSeeds {
		return p.fault(rest[0], fmt.Sprintf("%q is no number of seeds", rest[0].text), fmt.Sprintf("use 1 to %d", maxSeeds))
	}
	p.all = n
	for _, w := range rest[1:] {
		from, ok := strings.CutPrefix(w.text, "from=")
		if !ok {
			return p.fault(w, fmt.Sprintf("%q is no option here", w.text), "there is from=FIRST")
		}
		if from == "today" {
			from += "+1"
		}
		s, hint := p.parseSeeds(from)
		if hint != "" {
			return p.fault(w, fmt.Sprintf("from=%q is not understood", from), "use a number, or today")
		}
		p.from = s.First
	}
	return nil
}

// share shares the seeds out by weight.
func (p *planParser) share() error {
	var sum float64
	var open []*Entry
	for _, e := range p.plan.Entries {
		if e.Kind == "test" && !e.Given {
			open = append(open, e)
			sum += e.Weight
		}
	}
	if p.all == 0 {
		return nil
	}
	if len(open) == 0 {
		return &PlanError{p.file, 1, 1, "seeds are to be shared, but each test has its own", "take the statement seeds out, or seeds= of a test"}
	}
	for _, e := range open {
		e.Seeds = Seeds{p.from, max(1, int(math.Round(float64(p.all)*e.Weight/sum)))}
		e.Given = true
	}
	return nil
}
