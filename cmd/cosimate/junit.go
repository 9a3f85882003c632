package main

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"strings"

	"github.com/cosimate/cosimate/rtl/movegen/perft"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string       `xml:"classname,attr"`
	Name    string       `xml:"name,attr"`
	File    string       `xml:"file,attr,omitempty"`
	Line    int          `xml:"line,attr,omitempty"`
	Time    string       `xml:"time,attr"`
	Failure *junitReason `xml:"failure"`
	Error   *junitReason `xml:"error"`
	Skipped *junitReason `xml:"skipped"`
}

type junitReason struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// writeJUnit writes the report: a suite for each simulator and file, a case for each position. If
// the run ended early, the reason is a case of its own.
func writeJUnit(ctx context.Context, to *outputFile, groups []*group, broke error) error {
	doc := junitSuites{Name: "cosimate perft"}
	total := 0.0
	for _, g := range groups {
		for _, tasks := range byFile(g) {
			s := junitSuite{Name: g.by}
			if tasks[0].file != "" {
				s.Name += " " + tasks[0].file
			}
			spent := 0.0
			for _, t := range tasks {
				s.Cases = append(s.Cases, makeCase(g, t, broke))
				spent += t.result.Time.Seconds()
			}
			s.Time = fmt.Sprintf("%.3f", spent)
			total += spent
			doc.add(s)
		}
	}
	if broke != nil && !errors.Is(broke, errDiffers) {
		reason := &junitReason{Message: firstLine(broke.Error()), Text: broke.Error()}
		doc.add(junitSuite{Name: "run", Time: "0", Cases: []junitCase{{Class: "cosimate", Name: "the run reaches its end", Time: "0", Error: reason}}})
	}
	return doc.write(ctx, to, total)
}

// write writes the document, which took so many seconds.
func (d *junitSuites) write(ctx context.Context, to *outputFile, seconds float64) error {
	d.Time = fmt.Sprintf("%.3f", seconds)
	text, err := xml.MarshalIndent(d, "", "  ")
	if err == nil {
		err = to.write(ctx, append([]byte(xml.Header), append(text, '\n')...))
	}
	if err != nil {
		return fmt.Errorf("--junit %s: %w", to.name, err)
	}
	return nil
}

// add adds a suite and counts its cases.
func (d *junitSuites) add(s junitSuite) {
	for _, c := range s.Cases {
		s.Tests++
		switch {
		case c.Failure != nil:
			s.Failures++
		case c.Error != nil:
			s.Errors++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
	d.Tests += s.Tests
	d.Failures += s.Failures
	d.Errors += s.Errors
	d.Skipped += s.Skipped
	d.Suites = append(d.Suites, s)
}

func makeCase(g *group, t *task, broke error) junitCase {
	c := junitCase{
		Class: "perft." + g.by, Name: fmt.Sprintf("%s depth %d", t.fen, t.walk.Depth), File: t.file, Line: t.line,
		Time: fmt.Sprintf("%.3f", t.result.Time.Seconds()),
	}
	switch {
	case t.verdict.Failed():
		c.Failure = &junitReason{Message: firstLine(t.why), Text: t.why}
	case t.verdict != perft.Pass:
		message := string(t.verdict) + ": as many positions fail as were asked for"
		if broke != nil && !errors.Is(broke, errDiffers) {
			message = fmt.Sprintf("%s: %s", t.verdict, firstLine(broke.Error()))
		}
		c.Skipped = &junitReason{Message: message}
	}
	return c
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSuffix(line, ":")
}
