package vectors_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

// A model that does not end by itself is ended, with what it has started, whatever it does with its
// output.
func TestModelIsEnded(t *testing.T) {
	dir := here(t, map[string]string{
		"add.v":     "module add(input [3:0] a, input [3:0] b, output [4:0] sum); assign sum = a + b; endmodule\n",
		"silent.sh": "echo $$ >pids; sleep 1000 & echo $! >>pids; wait\n",
		"closed.sh": "echo $$ >pids; exec >&-; sleep 1000 & echo $! >>pids; wait\n",
		"long.sh":   "echo $$ >pids; head -c 3000000 /dev/zero; sleep 1000 & echo $! >>pids; wait\n",
		"child.sh":  "sleep 1000 >/dev/null & echo $! >pids; exit 4\n",
		"quick.sh":  "echo $$ >pids; while read line; do echo '{}'; done; sleep 1000\n",
		"lots.sh":   "echo $$ >pids; while :; do echo '{}'; done\n",
	})
	for _, c := range []struct{ script, want string }{
		{"silent.sh", "has not answered line 1 within"},
		{"closed.sh", "has closed its output before it answered line 1"},
		{"long.sh", "answers line 1 with more than 1 MiB"},
		{"child.sh", "ended (exit status 4) before it answered line 1"},
		{"quick.sh", ""},
		{"lots.sh", ""},
	} {
		t.Run(c.script, func(t *testing.T) {
			name := filepath.Join(dir, "m.txtar")
			os.WriteFile(name, []byte("rtl: add.v\nmodel: sh "+c.script+"\n\n-- script --\nrandom 10 a any\n"), 0o666)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			o := vectors.Options{AllowModel: true, ModelTimeout: 500 * time.Millisecond, Simulators: []sim.Simulator{sim.Icarus}, Sim: quiet}
			if c.want == "" || c.script == "child.sh" {
				o.ModelTimeout = 0
			}
			r := anyRTL.Run(ctx, []string{name}, o)[0]
			switch {
			case c.want == "" && r.Verdict != vectors.Pass:
				t.Errorf("%s: %v", r.Verdict, r.Err)
			case c.want != "" && (r.Verdict != vectors.Trouble || !strings.Contains(r.Err.Error(), "m.txtar:2: the model sh "+c.script+" "+c.want)):
				t.Errorf("%s: %v", r.Verdict, r.Err)
			}
			text, err := os.ReadFile(filepath.Join(dir, "pids"))
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range strings.Fields(string(text)) {
				pid, err := strconv.Atoi(line)
				if err != nil {
					t.Fatal(err)
				}
				for alive(pid) && ctx.Err() == nil {
					time.Sleep(10 * time.Millisecond)
				}
				if alive(pid) {
					t.Errorf("process %d is left", pid)
					syscall.Kill(pid, syscall.SIGKILL)
				}
			}
		})
	}
}

// alive reports whether a process runs. One that has ended and that nobody waits for does not.
func alive(pid int) bool {
	state, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && !strings.Contains(string(state), ") Z ")
}

// A vector for RTL that its header names is as good as a design for record and import.
func TestRTLRecord(t *testing.T) {
	dir := here(t, map[string]string{"rtl/fifo.sv": fifo, "a.txtar": "# A title.\nrtl: rtl/fifo.sv\nmodel: none\nparameters: DEPTH=4\n\n-- script --\nwait 1\n"})
	name, out := filepath.Join(dir, "a.txtar"), filepath.Join(dir, "b.txtar")
	text, err := anyRTL.Record(t.Context(), name, "", 3, 40)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(text, "# Recorded: 40 random cycles of seed 3.\nrtl: rtl/fifo.sv\nparameters: DEPTH=4\n\n") {
		t.Error(text)
	}
	os.WriteFile(out, []byte(text), 0o666)
	if r := result(t, out, vectors.Options{}); r.Verdict != vectors.Pass || r.Cycles != 40 {
		t.Errorf("%s after %d cycles: %v", r.Verdict, r.Cycles, r.Err)
	}
	csv, err := anyRTL.CSV(t.Context(), out)
	if err != nil {
		t.Fatal(err)
	}
	if text, err = anyRTL.Import(name, "", "b.csv", []byte(csv)); err != nil {
		t.Fatal(err)
	}
	os.WriteFile(out, []byte(text), 0o666)
	if r := result(t, out, vectors.Options{}); r.Verdict != vectors.Pass || r.Cycles != 40 {
		t.Errorf("%s after %d cycles: %v", r.Verdict, r.Cycles, r.Err)
	}
	if _, err := anyRTL.Record(t.Context(), name, "DEPTH=8", 3, 40); err == nil || !strings.Contains(err.Error(), "write them into its header") {
		t.Error(err)
	}
}
