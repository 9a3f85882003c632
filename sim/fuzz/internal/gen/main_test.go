package main

import (
	"os"
	"testing"
)

func TestGeneratedFileIsUpToDate(t *testing.T) {
	got, err := os.ReadFile("../../cases.go")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != source() {
		t.Error("sim/fuzz/cases.go is not what this generator writes: go generate ./sim/fuzz")
	}
}
