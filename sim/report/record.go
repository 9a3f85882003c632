package report

import (
	"encoding/json"
	"os"
)

// Record is what a program needs to know of a failure. Where many tests fail, it is written instead
// of the files.
type Record struct {
	Test       string   `json:"test"`
	Top        string   `json:"top"`
	File       string   `json:"file"`
	Line       int      `json:"line"`
	Cycle      uint64   `json:"cycle"`
	Seed       uint64   `json:"seed"`
	Ports      []string `json:"ports,omitempty"`      // that differ, in the order of the design
	Simulators []string `json:"simulators,omitempty"` // in which they do
	Title      string   `json:"title"`
	Reason     string   `json:"reason,omitempty"` // of an error that is no difference
	Reproduce  string   `json:"reproduce"`
}

// Record returns the record of a failure of a test.
func (f *Failure) Record(test string) Record {
	ports, simulators := f.differing()
	return Record{
		Test: test, Top: f.Top, File: f.File, Line: f.Line, Cycle: f.Cycle, Seed: f.Seed, Ports: ports, Simulators: simulators,
		Title: f.Title(), Reason: clean(f.Reason), Reproduce: f.Reproduce,
	}
}

// Append appends the record to a file as a line of JSON.
func (r Record) Append(name string) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(append(text, '\n')) // at once: another test may append, too
	if err2 := f.Close(); err == nil {
		err = err2
	}
	return err
}
