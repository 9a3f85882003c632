package browser

import (
	"context"
	"flag"
	"os"
	"testing"
)

var axePath = flag.String("live.axe", "", "axe.min.js of axe-core, by which pages are checked for accessibility: scripts/axe has it")

// Axe checks the page as it is by axe-core, if the flag -live.axe names that. Each violation fails
// the test.
func Axe(t testing.TB, ctx context.Context) {
	t.Helper()
	if *axePath == "" {
		return
	}
	script, err := os.ReadFile(*axePath)
	if err != nil {
		t.Fatal(err)
	}
	if kind := Eval[string](t, ctx, string(script)+"\n;typeof axe"); kind != "object" {
		t.Fatalf("axe is %s after %s", kind, *axePath)
	}
	type violation struct {
		ID, Help string
		Nodes    []string
	}
	found := Eval[struct {
		Passes     int
		Violations []violation
	}](t, ctx, `axe.run().then(r => ({passes: r.passes.length, violations: r.violations.map(v => ({id: v.id, help: v.help, nodes: v.nodes.map(n => n.html + " " + n.failureSummary)}))}))`)
	for _, v := range found.Violations {
		t.Errorf("axe: %s: %s: %d times, as in\n%s", v.ID, v.Help, len(v.Nodes), v.Nodes[0])
	}
	if found.Passes < 10 {
		t.Errorf("axe: only %d rules were applied", found.Passes)
	}
}
