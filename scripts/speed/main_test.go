package main

import (
	"bytes"
	"os"
	"testing"
)

// The chart that is kept shows the figures that are kept.
func TestChart(t *testing.T) {
	t.Chdir("../..")
	text, err := os.ReadFile(figuresFile)
	if err != nil {
		t.Fatal(err)
	}
	head, all, err := parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if again := format(head, all); again != string(text) {
		t.Errorf("%s would be written as\n%s", figuresFile, again)
	}
	chart, err := os.ReadFile(chartFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(chart, draw(all)) {
		t.Errorf("%s does not show %s: go run ./scripts/speed draws it", chartFile, figuresFile)
	}
}

func TestParse(t *testing.T) {
	for _, text := range []string{"Icarus | tape | 1 | Icarus 11 | here", "Icarus | tape | fast | Icarus 11 | here | today"} {
		if _, all, err := parse(text); err == nil {
			t.Errorf("%q is read as %v", text, all)
		}
	}
}

func TestRounded(t *testing.T) {
	for v, want := range map[float64]string{58_000: "58 k", 4_275: "4.3 k", 42_750_000: "43 M", 1_000_000: "1.0 M"} {
		if got := rounded(v); got != want {
			t.Errorf("%.0f: %s, not %s", v, got, want)
		}
	}
}
