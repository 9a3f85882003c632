package regress

import (
	"bytes"
	"io"
	"os/exec"
	"testing"
)

// All that a process prints is read, also what it has started prints after its end, and the end is
// seen while that is still running.
func TestPatient(t *testing.T) {
	r, p, err := newPatient()
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	cmd := exec.Command("sh", "-c", "head -c 3000000 /dev/zero; (sleep 0.2; echo late; exec sleep 60) & echo $!")
	cmd.Stdout = p
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.Close()
	go func() {
		cmd.Wait()
		close(r.ended)
	}()
	got, err := io.ReadAll(r)
	rest := bytes.TrimLeft(got, "\x00")
	if err != nil || len(got)-len(rest) != 3_000_000 || !bytes.HasSuffix(rest, []byte("\nlate\n")) {
		t.Errorf("%d bytes and %q, %v", len(got)-len(rest), rest, err)
	}
	pid, _, _ := bytes.Cut(rest, []byte("\n"))
	if err := exec.Command("kill", string(pid)).Run(); err != nil {
		t.Errorf("what it has started is not running any more: %v", err)
	}
}
