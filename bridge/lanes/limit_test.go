package lanes

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A prover that does not look at its limit is ended after time of the processor. One that waits for
// it is not.
func TestProcessorTime(t *testing.T) {
	for _, test := range []struct{ name, text, said string }{
		{"one that never ends", "while :; do :; done", ""},
		{"one that waits", "sleep 2; echo 'elapse: 0.00 seconds, total: 0.25 seconds'", "elapse: 0.00 seconds, total: 0.25 seconds"},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := &abcRun{dir: t.TempDir()}
			a.path = filepath.Join(a.dir, "abc")
			if err := os.WriteFile(a.path, []byte("#!/bin/sh\n"+test.text+"\n"), 0o777); err != nil {
				t.Fatal(err)
			}
			said, err := a.run(t.Context(), time.Second/4, "sat")
			if err != nil || said != test.said {
				t.Errorf("it says %q, %v", said, err)
			}
			if want := time.Second; (a.took == want) != (test.said == "") {
				t.Errorf("it has taken %v", a.took)
			}
		})
	}
}
