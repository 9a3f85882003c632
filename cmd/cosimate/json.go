package main

import (
	"encoding/json"
	"errors"
	"io"

	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/rtl/movegen/perft"
)

// jsonHelp documents the output of the types below.
const jsonHelp = `cosimate perft --json prints one JSON document on standard output:

  version   1; it will change if the meaning of a field does
  status    "pass", "differs", "interrupted" or "error"
  error     what broke the run off; not there otherwise
  results   a list, one for each position and simulator:
    by         "icarus", "verilator", "lanes" or "reference" (with --sim none)
    file,line  where the position was read; not there with --fen
    fen        the position
    depth      plies walked
    verdict    "pass", "differs" (RTL and reference), "published" (they agree with each other, not
               with the published count), "unfinished" or "not run"
    nodes      leaves counted by the RTL; perft unless the verdict is "unfinished" or "not run"
    reference  perft by the reference; not there if it was not counted
    published  perft as given in the file; not there if it gives none for this depth
    positions  taken by the RTL
    cycles     clock cycles
    seconds    of wall-clock time, its share where positions run side by side
    divide     with --divide: a list of {"move": "e2e4", "nodes": 20}
    report     where the verdict is "differs" or "published": what people are shown
    fault      where a position is known in which RTL and reference differ:
      fen        that position
      moves      that lead to it from the one above, in UCI notation
      alone      whether it shows the fault when given to the RTL alone
      missing    legal moves that the RTL does not list
      surplus    moves that it lists and should not
      wrong      a list of {"move", "field", "want", "got"}
      notes      what else is wrong, a sentence each
      cycle      of the first difference
      ports      that differed in it
`

type jsonDocument struct {
	Version int          `json:"version"`
	Status  string       `json:"status"`
	Error   string       `json:"error,omitempty"`
	Results []jsonResult `json:"results"`
}

type jsonResult struct {
	By        string        `json:"by"`
	File      string        `json:"file,omitempty"`
	Line      int           `json:"line,omitempty"`
	FEN       string        `json:"fen"`
	Depth     int           `json:"depth"`
	Verdict   perft.Verdict `json:"verdict"`
	Nodes     uint64        `json:"nodes"`
	Reference *uint64       `json:"reference,omitempty"`
	Published *uint64       `json:"published,omitempty"`
	Positions uint64        `json:"positions"`
	Cycles    uint64        `json:"cycles"`
	Seconds   float64       `json:"seconds"`
	Divide    []jsonCount   `json:"divide,omitempty"`
	Report    string        `json:"report,omitempty"`
	Fault     *jsonFault    `json:"fault,omitempty"`
}

type jsonCount struct {
	Move  string `json:"move"`
	Nodes uint64 `json:"nodes"`
}

type jsonFault struct {
	FEN     string      `json:"fen"`
	Moves   []string    `json:"moves"`
	Alone   bool        `json:"alone"`
	Missing []string    `json:"missing"`
	Surplus []string    `json:"surplus"`
	Wrong   []jsonWrong `json:"wrong"`
	Notes   []string    `json:"notes"`
	Cycle   uint64      `json:"cycle"`
	Ports   []string    `json:"ports"`
}

type jsonWrong struct {
	Move  string `json:"move"`
	Field string `json:"field"`
	Want  string `json:"want"`
	Got   string `json:"got"`
}

func printJSON(w io.Writer, flags *perftFlags, groups []*group, broke error) error {
	doc := jsonDocument{Version: 1, Status: "pass", Results: []jsonResult{}}
	switch {
	case errors.Is(broke, errDiffers):
		doc.Status = "differs"
	case errors.Is(broke, errInterrupted):
		doc.Status = "interrupted"
	case broke != nil:
		doc.Status = "error"
	}
	if broke != nil {
		doc.Error = broke.Error()
	}
	for _, g := range groups {
		for _, t := range g.tasks {
			doc.Results = append(doc.Results, makeResult(flags, g, t))
		}
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(doc)
}

func makeResult(flags *perftFlags, g *group, t *task) jsonResult {
	r := jsonResult{
		By: g.by, File: t.file, Line: t.line, FEN: t.fen, Depth: t.walk.Depth, Verdict: t.verdict,
		Nodes: t.result.Nodes, Published: t.walk.Published, Positions: t.result.Positions, Cycles: t.result.Cycles,
		Seconds: t.result.Time.Seconds(), Report: t.why,
	}
	if t.reference.Complete {
		r.Reference = &t.reference.Nodes
	}
	if flags.divide {
		for _, d := range t.result.Divide {
			r.Divide = append(r.Divide, jsonCount{d.Move.String(), d.Nodes})
		}
	}
	if f := t.result.Fault; f != nil {
		r.Fault = makeFault(f)
	}
	return r
}

func makeFault(f *perft.Fault) *jsonFault {
	a := f.Answer
	if a == nil {
		a = &movegen.Answer{}
	}
	j := &jsonFault{
		FEN: f.Position.FEN(), Alone: f.Alone, Cycle: f.Difference.Cycle, Notes: append(append([]string{}, a.Notes...), f.Notes...),
		Moves: names(f.Path), Missing: names(a.Missing), Surplus: names(a.Surplus), Wrong: []jsonWrong{}, Ports: []string{},
	}
	for _, w := range a.Wrong {
		j.Wrong = append(j.Wrong, jsonWrong{w.Move.String(), w.Field, w.Want, w.Got})
	}
	j.Ports = append(j.Ports, f.Difference.Differing()...)
	return j
}

// names returns the names of values. For no values the list is empty and not null.
func names[T interface{ String() string }](values []T) []string {
	s := make([]string, len(values))
	for i, v := range values {
		s[i] = v.String()
	}
	return s
}
