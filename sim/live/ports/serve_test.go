package ports_test

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/cosimate/cosimate/sim"
)

type stepsIn struct {
	Reset  bool `port:"rst_ni"`
	Enable bool
	Load   bool
	Value  uint8
	Wide   [2]uint64
}

type stepsOut struct {
	Count uint8
	Odd   bool
	Never bool
	Wide  [2]uint64
}

// TestServed is the test whose DUT TestLiveFlag has served.
func TestServed(t *testing.T) {
	for _, name := range []string{"first", "second"} {
		t.Run(name, func(t *testing.T) {
			dut := sim.OpenTest[stepsIn, stepsOut](t, steps, sim.Icarus)
			if _, err := dut.Step(stepsIn{}); err != nil {
				t.Fatal(err)
			}
		})
	}
}

var address = regexp.MustCompile(`http://\S+/`)

// With -sim.live a test serves its DUT until it is interrupted.
func TestLiveFlag(t *testing.T) {
	test, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(test, "-test.run", "^TestServed$", "-test.v", "-sim.live")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	lines := bufio.NewReader(out)
	var said strings.Builder
	for {
		line, err := lines.ReadString('\n')
		said.WriteString(line)
		if err != nil {
			t.Fatalf("no address: %v\n%s", err, &said)
		}
		if at := address.FindString(line); at != "" {
			response, err := http.Get(at)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			if response.StatusCode != 200 || !strings.Contains(line, "steps on icarus") {
				t.Errorf("status %d: %s", response.StatusCode, line)
			}
			break
		}
	}
	cmd.Process.Signal(syscall.SIGINT)
	rest, _ := io.ReadAll(lines)
	said.Write(rest)
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	for _, want := range []string{"steps was served, and not tested", "-sim.live serves the first DUT only", "--- PASS: TestServed"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("it does not say %q:\n%s", want, &said)
		}
	}
	out2, err := exec.Command(test, "-test.run", "^TestServed$", "-sim.live").CombinedOutput()
	if err == nil || !strings.Contains(string(out2), "run it with -v") {
		t.Errorf("without -v: %v\n%s", err, out2)
	}
}
