package main

import (
	"os"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/convention"
	"github.com/cosimate/cosimate/sim/try"
	"github.com/cosimate/cosimate/vectors"
)

// Inputs with which an assertion fails become a vector that fails, with as few rows as it takes.
func TestKeepInputs(t *testing.T) {
	text, err := os.ReadFile("../../sim/try/testdata/asserts.sv")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("asserts.sv", text, 0o666); err != nil {
		t.Fatal(err)
	}
	g := convention.Given{Files: []string{"asserts.sv"}}
	found, err := convention.Complete(t.Context(), g, sim.Icarus)
	if err != nil {
		t.Fatal(err)
	}
	r, err := try.Run(t.Context(), found.Design, try.Options{Cycles: 1000})
	if err != nil {
		t.Fatal(err)
	}
	if err := keepInputs(t.Context(), g, r, r.Tape, "An assertion fails.", "no assertion fails"); err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile("asserts.try.txtar")
	if err != nil || strings.Count(string(kept), "\n") > 12 || !strings.Contains(string(kept), "0xff") {
		t.Errorf("%v\n%s", err, kept)
	}
	result := vectors.NewRegistry().Run(t.Context(), []string{"asserts.try.txtar"}, vectors.Options{})[0]
	if result.Verdict == vectors.Pass || !strings.Contains(result.Err.Error(), "a_i is 255") {
		t.Errorf("%v: %v", result.Verdict, result.Err)
	}
}
