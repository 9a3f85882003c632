package tb_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/score"
	"github.com/cosimate/cosimate/sim/tb"
)

// However a process fails, the error names the process and the cycle, and all other processes
// are stopped.
func TestFailures(t *testing.T) {
	for _, c := range []struct {
		name  string
		start func(b bench)
		want  []string // in the error, in this order
	}{
		{"fail", func(b bench) {
			b.Go("bad", func(p *tb.Process) { p.Wait(2); p.Failf("no %s", "luck") })
		}, []string{`process "bad" failed in cycle 3 (45ns) of echo on `, ": no luck"}},
		{"panic", func(b bench) {
			b.Go("bad", func(p *tb.Process) { p.Next(); panic("ouch") })
		}, []string{`process "bad" panicked in cycle 2`, "ouch", "failure_test.go:"}},
		{"panic in a condition", func(b bench) {
			b.Go("bad", func(p *tb.Process) { p.Until(5, func() bool { panic("ouch") }) })
		}, []string{`process "bad" panicked in cycle 2`, "ouch", "failure_test.go:"}},
		{"wait in a condition", func(b bench) {
			b.Go("bad", func(p *tb.Process) { p.Until(5, func() bool { return p.Next() }) })
		}, []string{`process "bad" panicked in cycle 2`, "a condition must not wait"}},
		{"panic before the first cycle", func(b bench) {
			b.Go("bad", func(p *tb.Process) { panic("ouch") })
		}, []string{`process "bad" panicked in cycle 1`}},
		{"panic while being stopped", func(b bench) {
			b.Background("bad", func(p *tb.Process) {
				defer func() { panic("ouch") }()
				p.Wait(50)
			})
			b.Go("worker", func(p *tb.Process) { p.Next() })
		}, []string{`process "bad" panicked`, "ouch"}},
		{"wait while being stopped", func(b bench) {
			b.Background("bad", func(p *tb.Process) {
				defer func() { b.Out.Count = 77; p.Next(); b.Out.Count = 78 }()
				p.Wait(50)
			})
			b.Go("worker", func(p *tb.Process) { p.Next() })
			b.AtEnd(func() error { return errors.New("reached the end") })
		}, []string{"reached the end"}},
		{"child fails", func(b bench) {
			b.Go("parent", func(p *tb.Process) {
				p.Join(p.Go("child", func(p *tb.Process) { p.Next(); p.Fail(os.ErrInvalid) }))
			})
		}, []string{`process "child" failed in cycle 2`}},
		{"monitor drives", func(b bench) {
			b.Monitor("meddler", func(p *tb.Process) {
				for p.Next() {
					b.In.Data = 99
				}
			})
			b.Go("worker", func(p *tb.Process) { p.Wait(5) })
		}, []string{`process "meddler" failed in cycle 2`, "a monitor changed the inputs"}},
		{"monitor settles", func(b bench) {
			b.Monitor("meddler", func(p *tb.Process) { p.Next(); p.Settle() })
			b.Go("worker", func(p *tb.Process) { p.Wait(5) })
		}, []string{`process "meddler" failed in cycle 2`, "a monitor cannot settle"}},
		{"another's wait", func(b bench) {
			other := b.Background("other", func(p *tb.Process) { p.Wait(1000) })
			b.Go("bad", func(p *tb.Process) { other.Next() })
		}, []string{`process "bad" panicked`, `a wait of process "other" was called from outside of it`}},
		{"stops itself", func(b bench) {
			b.Go("bad", func(p *tb.Process) { p.Stop() })
		}, []string{`process "bad" failed`, "let it return"}},
		{"joins itself", func(b bench) {
			b.Go("bad", func(p *tb.Process) { p.Join(p) })
		}, []string{`process "bad" failed`, "its own end"}},
		{"no such clock", func(b bench) {
			b.Go("bad", func(p *tb.Process) { p.On("clk_b_i") })
		}, []string{`process "bad" failed`, `the design has no clock "clk_b_i"`}},
		{"bench in bench", func(b bench) {
			b.Go("bad", func(p *tb.Process) { p.Fail(b.Run(3)) })
		}, []string{`process "bad" failed`, "runs already"}},
		{"endless turns", func(b bench) {
			var ping, pong tb.Queue[int]
			b.Go("ping", func(p *tb.Process) {
				for {
					pong.Push(ping.Pop(p))
				}
			})
			b.Go("pong", func(p *tb.Process) {
				ping.Push(1)
				for {
					ping.Push(pong.Pop(p))
				}
			})
		}, []string{"processes have woken each other 1000000 times within a cycle, in cycle 1"}},
		{"cycles exhausted", func(b bench) {
			b.Go("slow", func(p *tb.Process) { p.Wait(1000) })
			b.Go("picky", func(p *tb.Process) { p.Until(500, func() bool { return false }) })
		}, []string{"not done after 20 cycles, in cycle 21 (225ns) of echo on ",
			"keeper  for 80 of 100 cycles", "at tb/failure_test.go:",
			"slow    for 980 of 1000 cycles", "at tb/failure_test.go:",
			"picky   for a condition, for another 480 of 500 cycles", "at tb/failure_test.go:"}},
		{"condition never", func(b bench) {
			b.Go("picky", func(p *tb.Process) { p.Until(4, func() bool { return false }) })
		}, []string{`process "picky" has waited in vain, in cycle 5`,
			"picky   for a condition, for 4 cycles", "at tb/failure_test.go:",
			"keeper  for 96 of 100 cycles", "at tb/failure_test.go:"}},
		{"edge never", func(b bench) {
			b.Go("picky", func(p *tb.Process) { waitForEdge(b, p) })
		}, []string{"picky   for a rising edge, for 3 cycles", "at tb/failure_test.go:", ", called from tb/failure_test.go:"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			forEach(t, func(t *testing.T, b bench) {
				cleaned := false
				b.Background("keeper", func(p *tb.Process) {
					defer func() { cleaned = true }()
					p.Wait(100)
				})
				c.start(b)
				err := b.Run(20)
				if err == nil {
					t.Fatal("no error")
				}
				rest := err.Error()
				for _, want := range c.want {
					_, after, ok := strings.Cut(rest, want)
					if !ok {
						t.Fatalf("the error lacks %q, or has it in the wrong place:\n%v", want, err)
					}
					rest = after
				}
				if !cleaned {
					t.Error("another process was not unwound")
				}
			})
		})
	}
}

// The error of a process has the line that failed and its callers, but no line of the framework.
func TestFailedAt(t *testing.T) {
	forEach(t, func(t *testing.T, b bench) {
		board := score.NewInOrder[int](b, "board")
		for name, c := range map[string]struct {
			body func(p *tb.Process)
			want []int // lines
		}{
			"direct":     {func(p *tb.Process) { p.Failf("no luck") }, []int{line()}},
			"error":      {func(p *tb.Process) { p.Fail(os.ErrInvalid) }, []int{line()}},
			"helper":     {func(p *tb.Process) { p.Next(); refuse(p) }, []int{refusal, line()}},
			"condition":  {func(p *tb.Process) { p.Until(9, func() bool { p.Failf("no luck"); return true }) }, []int{line()}},
			"scoreboard": {func(p *tb.Process) { board.Got(p, 1) }, []int{line()}},
			"deferred":   {func(p *tb.Process) { defer func() { p.Failf("no luck") }(); panic("ouch") }, []int{line()}},
			"nowhere":    {func(p *tb.Process) { b.Monitor("meddler", func(p *tb.Process) { p.Next(); b.In.Data++ }); p.Wait(3) }, nil},
		} {
			b.Go(name, c.body)
			err := b.Run(20)
			var failed *tb.ProcessError
			if !errors.As(err, &failed) {
				t.Fatalf("%s: error %v is not that of a process", name, err)
			}
			var want []string
			for _, l := range c.want {
				want = append(want, fmt.Sprintf("tb/failure_test.go:%d", l))
			}
			if where := strings.Join(want, ", called from "); failed.Where != where || !strings.Contains(err.Error(), ", at "+where+": ") && where != "" {
				t.Errorf("%s: failed at %q, want %q: %v", name, failed.Where, where, err)
			}
		}
	})
}

// line returns the line of its caller.
func line() int {
	_, _, l, _ := runtime.Caller(1)
	return l
}

var refusal = line() + 2

func refuse(p *tb.Process) { p.Failf("no luck") }

func waitForEdge(b bench, p *tb.Process) { p.Rising(3, &b.Out.Slow) }

func TestDeadlock(t *testing.T) {
	forEach(t, func(t *testing.T, b bench) {
		never := tb.Event{Name: "never"}
		orders := tb.Queue[int]{Name: "orders"}
		a := b.Go("a", func(p *tb.Process) { p.Wait(3); p.Await(&never) })
		b.Go("b", func(p *tb.Process) { p.Settle(); p.Join(a) })
		b.Monitor("c", func(p *tb.Process) { orders.Pop(p) })
		err := b.Run(100)
		var stuck *tb.StuckError
		if !errors.As(err, &stuck) {
			t.Fatalf("error %v, want a deadlock", err)
		}
		got := stuck.Reason
		for _, w := range stuck.Waits {
			if !strings.HasPrefix(w.Where, "tb/failure_test.go:") {
				t.Errorf("process %s waits at %q", w.Process, w.Where)
			}
			got += fmt.Sprintf("|%s: %s", w.Process, w.For)
		}
		want := `deadlock: every process waits for another|c: a value in queue "orders"|a: event "never"|b: the end of process "a"`
		if got != want || stuck.Cycle != 4 {
			t.Errorf("after cycle %d: %s\nwant 4: %s", stuck.Cycle, got, want)
		}
	})
}

// t.Fatal in a process ends the test, whose log says which process it was and in which cycle.
func TestFatalInProcess(t *testing.T) {
	for _, where := range []string{"body", "condition", "deferred"} {
		t.Run(where, func(t *testing.T) {
			forEach(t, func(t *testing.T, b bench) {
				recorder := &recorder{TB: t}
				finished := make(chan bool)
				cleaned := 0
				go func() { // Goexit ends this goroutine, as it would a test's
					defer close(finished)
					b.Go("first witness", func(p *tb.Process) {
						defer func() { cleaned++ }()
						p.Wait(50)
					})
					b.Go("judge", func(p *tb.Process) {
						switch where {
						case "body":
							p.Wait(3)
							recorder.Fatal("guilty")
						case "condition":
							p.Wait(2)
							p.Until(10, func() bool { recorder.Fatal("guilty"); return true })
						case "deferred":
							defer recorder.Fatal("guilty")
							p.Wait(3)
						}
					})
					b.Go("second witness", func(p *tb.Process) {
						defer func() { cleaned++ }()
						p.Wait(50)
					})
					b.Check(recorder, 100)
					t.Error("Check has returned")
				}()
				<-finished
				want := "guilty\n" + `process "judge" ended the test in cycle 4 (55ns) of echo on `
				if !recorder.failed || !strings.HasPrefix(recorder.log, want) || cleaned != 2 {
					t.Errorf("failed %v, cleaned %d, log %q; want the log to begin with %q", recorder.failed, cleaned, recorder.log, want)
				}
			})
		})
	}
}

// The same with a real test: TestFatalHelper, run in a process of its own. It does nothing
// otherwise.
func TestFatalInTest(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^TestFatalHelper$", "-test.v", "-sim.only=verilator")
	cmd.Env = append(os.Environ(), fatalHelper+"=1")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("%v, want exit status 1", err)
	}
	for _, want := range []string{"failure_test.go:", ": guilty", `process "judge" ended the test in cycle 4 (55ns) of echo on verilator`, "deferred calls were run", "1 witness: waits", "--- FAIL: TestFatalHelper/verilator"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the test's log lacks %q:\n%s", want, out)
		}
	}
	if strings.Contains(string(out), "panic") || strings.Contains(string(out), "returned") {
		t.Errorf("the test did not end in order:\n%s", out)
	}
}

const fatalHelper = "COSIMATE_TB_FATAL"

func TestFatalHelper(t *testing.T) {
	if os.Getenv(fatalHelper) == "" {
		return
	}
	forEach(t, func(t *testing.T, b bench) {
		b.Go("witness", func(p *tb.Process) {
			defer t.Log("deferred calls were run")
			p.Logf("waits")
			p.Wait(50)
		})
		b.Go("judge", func(p *tb.Process) { p.Wait(3); t.Fatal("guilty") })
		b.Check(t, 100)
		t.Error("Check has returned")
	})
}

// recorder is a testing.TB that records its errors, logs and cleanups.
type recorder struct {
	testing.TB
	failed, skipped bool
	log, errors     string
	cleanups        []func()
}

func (r *recorder) Failed() bool                   { return r.failed }
func (r *recorder) Skipped() bool                  { return r.skipped }
func (r *recorder) Cleanup(f func())               { r.cleanups = append(r.cleanups, f) }
func (r *recorder) Error(a ...any)                 { r.errors += fmt.Sprintln(a...) }
func (r *recorder) Helper()                        {}
func (r *recorder) Logf(format string, a ...any)   { r.log += fmt.Sprintf(format, a...) + "\n" }
func (r *recorder) Fatalf(format string, a ...any) { r.Fatal(fmt.Sprintf(format, a...)) }
func (r *recorder) Fatal(a ...any) {
	r.log += fmt.Sprintln(a...)
	r.failed = true
	runtime.Goexit()
}

// annotation returns the line for GitHub of a test that fails without a second run.
func annotation(t *testing.T, test func(*recorder)) string {
	t.Helper()
	stdout := os.Stdout
	defer func() { os.Stdout = stdout }()
	file, err := os.Create(filepath.Join(t.TempDir(), "stdout"))
	if err != nil {
		t.Fatal(err)
	}
	os.Stdout = file
	r := &recorder{TB: t}
	ended := make(chan bool)
	go func() {
		defer close(ended)
		test(r)
	}()
	<-ended
	t.Run("end", func(t *testing.T) { // the bench was not run: found in the test's cleanup
		for _, f := range r.cleanups {
			t.Cleanup(f)
		}
	})
	printed, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(printed)
}

// checkWithin is a helper function, as tests have them.
func checkWithin(t testing.TB, b bench) { b.Check(t, 2) }

// Annotations have the line in which a process failed. For another failure it is the line of the
// test function that led to it, and for one at a test's end the line that opened the DUT.
func TestAnnotations(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GITHUB_ACTIONS", "true")
	t.Setenv("GITHUB_WORKSPACE", here)
	keep, wave := flag.Lookup("sim.keep").Value, flag.Lookup("sim.wave").Value
	before := [2]string{keep.String(), wave.String()}
	keep.Set(t.TempDir())
	wave.Set("off")
	defer func() { keep.Set(before[0]); wave.Set(before[1]) }()
	line := func() int { _, _, line, _ := runtime.Caller(1); return line }
	var want int
	for what, test := range map[string]func(r *recorder){
		"a process": func(r *recorder) {
			b := tb.New(sim.OpenTest[echoIn, echoOut](r, echo, sim.Verilator))
			b.Go("p", func(p *tb.Process) {
				p.Next()
				want = line() + 1
				p.Failf("no luck")
			})
			b.Check(r, 9)
		},
		"a helper": func(r *recorder) {
			b := tb.New(sim.OpenTest[echoIn, echoOut](r, echo, sim.Verilator))
			b.Go("p", func(p *tb.Process) { p.Wait(5) })
			want = line() + 1
			checkWithin(r, b)
		},
		"by hand": func(r *recorder) {
			want = line() + 1
			sim.OpenTest[echoIn, echoOut](r, echo, sim.Verilator)
			r.failed = true
		},
	} {
		got := annotation(t, test)
		if !strings.HasPrefix(got, fmt.Sprintf("::error file=failure_test.go,line=%d,title=echo failed in ", want)) {
			t.Errorf("%s: the annotation is not of line %d:\n%s", what, want, got)
		}
	}
}

// The report of a failed test has the last cycles and the command that repeats them.
func TestReport(t *testing.T) {
	forEach(t, func(t *testing.T, b bench) {
		recorder := &recorder{TB: t}
		finished := make(chan bool)
		go func() {
			defer close(finished)
			b.Go("bad", func(p *tb.Process) {
				b.In.Data = 0x5a
				p.Wait(2)
				p.Failf("no luck")
			})
			b.Check(recorder, 10)
		}()
		<-finished
		for _, want := range []string{`echo failed in cycle 3 (45ns): process "bad" failed on `, ", at tb/failure_test.go:", ": no luck\n", " 00 .  5a\n", "-run '^TestReport$/^", "-sim.seed="} {
			if !strings.Contains(recorder.log, want) {
				t.Errorf("the report lacks %q:\n%s", want, recorder.log)
			}
		}
	})
}

// A bench that would do nothing is an error. It must not look like one that found no fault.
func TestNothingToRun(t *testing.T) {
	forEach(t, func(t *testing.T, b bench) {
		b.Background("driver", func(p *tb.Process) { p.Wait(10) })
		b.Monitor("monitor", func(p *tb.Process) { p.Next(); p.Failf("never seen") })
		if err := b.Run(100); err == nil || !strings.Contains(err.Error(), "no process started with Go") {
			t.Errorf("error %v, want that there is nothing to run", err)
		}
		b.Go("worker without work", func(p *tb.Process) {})
		if err := b.Run(100); err == nil || !strings.Contains(err.Error(), `monitor "monitor" has seen nothing`) {
			t.Errorf("error %v, want that the monitor has seen nothing", err)
		}
		b.Monitor("monitor", func(p *tb.Process) { p.Failf("never seen") })
		b.Go("worker", func(p *tb.Process) { p.Next() })
		if err := b.Run(100); err == nil || !strings.Contains(err.Error(), "never seen") {
			t.Errorf("error %v, want that of the monitor", err)
		}
	})
}

// A test that ends without running its bench fails, unless it has failed or was skipped.
func TestNotRun(t *testing.T) {
	body := func(p *tb.Process) { p.Next() }
	for _, c := range []struct {
		name  string
		test  func(r *recorder, b bench)
		added string // what the error names; empty: no error
	}{
		{"go", func(r *recorder, b bench) { b.Go("p", body) }, `process "p"`},
		{"background", func(r *recorder, b bench) { b.Background("p", body) }, `process "p"`},
		{"monitor", func(r *recorder, b bench) { b.Monitor("p", body) }, `process "p"`},
		{"at end", func(r *recorder, b bench) { b.AtEnd(func() error { return nil }) }, "a check of AtEnd"},
		{"added after the run", func(r *recorder, b bench) { b.Go("p", body); b.Check(r, 9); b.Monitor("q", body) }, `process "q"`},
		{"expected after the run", func(r *recorder, b bench) {
			p := b.Go("p", body)
			p.ToRun("an item")
			b.Check(r, 9)
			p.ToRun("another item")
		}, "another item"},
		{"nothing added", func(r *recorder, b bench) {}, ""},
		{"run", func(r *recorder, b bench) {
			b.Go("p", func(p *tb.Process) { p.Go("q", body); b.AtEnd(func() error { return nil }) })
			b.Check(r, 9)
		}, ""},
		{"run with an error", func(r *recorder, b bench) { b.Go("p", body); _ = b.Run(0) }, ""},
		{"failed", func(r *recorder, b bench) { b.Go("p", body); r.failed = true }, ""},
		{"skipped", func(r *recorder, b bench) { b.Go("p", body); r.skipped = true }, ""},
		{"panicked", func(r *recorder, b bench) { b.Go("p", body); panic("ouch") }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &recorder{TB: t}
			func() {
				defer func() { recover() }()
				defer func() { // as the end of a test does
					for i := range r.cleanups {
						r.cleanups[len(r.cleanups)-1-i]()
					}
				}()
				c.test(r, tb.New(sim.OpenTest[echoIn, echoOut](r, echo, sim.Verilator)))
			}()
			want := ""
			if c.added != "" {
				want = "the bench of echo on verilator was not run after " + c.added + " was added to it at tb/failure_test.go:"
			}
			if !strings.HasPrefix(r.errors, want) || (r.errors == "") != (want == "") {
				t.Errorf("error %q, want %q", r.errors, want)
			}
		})
	}
}

// Errors of the simulator are returned as they are.
func TestSimulatorError(t *testing.T) {
	type wide struct {
		Rst  bool
		Data uint16
	}
	sim.ForEach(t, echo, func(t *testing.T, dut *sim.DUT[wide, echoOut]) {
		defer leakCheck(t)()
		b := tb.New(dut)
		b.Go("driver", func(p *tb.Process) { b.In.Data = 300; p.Next() })
		if err := b.Run(10); err == nil || !strings.Contains(err.Error(), "0x12c does not fit") {
			t.Errorf("error %v, want that of the value that does not fit", err)
		}
	})
}
