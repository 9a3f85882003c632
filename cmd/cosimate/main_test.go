package main

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cosimate/cosimate/internal/cachedir"
	"github.com/cosimate/cosimate/sim/live"
	"github.com/cosimate/cosimate/sim/live/livetest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"cosimate": main})
}

// The scripts in testdata show what the command does, and its errors. Beside testscript's own
// commands there are these:
//
//	status N cosimate ...       runs it and checks the exit status
//	during WHEN SIGNAL N cosimate ...
//	                            runs it, sends the signal when it is time, and checks the exit
//	                            status; output goes to the files out and err. WHEN is walk, when
//	                            each vvp that is its child has worked for a second; or build, when
//	                            a build is under way in the cache $COSIMATE_CACHE; or page, when it
//	                            has printed the address of a page, which answers; or steps, when
//	                            somebody has done five cycles on it. The signals are
//	                            int and term, to it; twice, int and a moment later int again; and
//	                            vvp, a kill of one of its children.
//	fulldisk N cosimate ...     runs it with a cache on a disk that is full at once
//	junit FILE TESTS FAILURES ERRORS SKIPPED
//	                            checks that a JUnit file is well formed and counts its cases
//	rtl DIR [OLD NEW]           copies the move generator's RTL, with a fault planted
//	nochildren                  checks that no child of during is left
func TestScripts(t *testing.T) {
	cache, err := cachedir.Path()
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			program, err := exec.LookPath("cosimate")
			e.Setenv("PROGRAM", filepath.Dir(program))
			e.Setenv("COSIMATE_CACHE", cache)
			e.Setenv("EPD", filepath.Join(root, "vectors", "perft"))
			e.Setenv("MODULE", root)
			e.Values[startedKey{}] = new([]int)
			return err
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"status":     status,
			"during":     during,
			"fulldisk":   fullDisk,
			"junit":      junit,
			"rtl":        plant,
			"nochildren": noChildren,
		},
	})
}

// The version is the newest one that the changes have, and the one that the README fetches.
func TestVersion(t *testing.T) {
	changes, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	if newest := regexp.MustCompile(`(?m)^## (v\S+)`).FindSubmatch(changes); newest == nil || string(newest[1]) != version {
		t.Errorf("CHANGELOG.md begins with %s, the command says %s", newest, version)
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), "go get -tool github.com/cosimate/cosimate/cmd/cosimate@"+version+"\n") {
		t.Errorf("README.md does not fetch %s", version)
	}
}

func wantStatus(ts *testscript.TestScript, want string, err error) {
	got := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if strconv.Itoa(got) != want {
		ts.Fatalf("the exit status is %d, not %s", got, want)
	}
}

func status(ts *testscript.TestScript, _ bool, args []string) {
	wantStatus(ts, args[0], ts.Exec(args[1], args[2:]...))
}

// children returns the vvp processes that the given processes have started, and the least time that
// one of these has worked so far.
func children(parent int, name string) (pids []int, worked time.Duration) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, stat := range stats {
		b, err := os.ReadFile(stat)
		if err != nil {
			continue // it has just ended
		}
		// proc_pid_stat(5): pid, (comm), state, ppid, ...; 14 and 15 are times in ticks
		fields := strings.Fields(string(b))
		if fields[1] != "("+name+")" || fields[3] != strconv.Itoa(parent) {
			continue
		}
		var n [3]int
		for i, at := range []int{1, 14, 15} {
			if n[i], err = strconv.Atoi(fields[at-1]); err != nil {
				break
			}
		}
		if spent := time.Duration(n[1]+n[2]) * time.Second / 100; len(pids) == 0 || spent < worked {
			worked = spent
		}
		pids = append(pids, n[0])
	}
	return pids, worked
}

var pageAddress = regexp.MustCompile(`http://\S+/\n`)

// startedKey is the key of the processes that during has seen below the command.
type startedKey struct{}

func during(ts *testscript.TestScript, _ bool, args []string) {
	when, signal, want := args[0], args[1], args[2]
	started := ts.Value(startedKey{}).(*[]int)
	cmd := exec.Command(args[3], args[4:]...)
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "COSIMATE_CACHE", "XDG_STATE_HOME"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	stdout, err := os.Create(ts.MkAbs("out"))
	ts.Check(err)
	defer stdout.Close()
	stderr, err := os.Create(ts.MkAbs("err"))
	ts.Check(err)
	defer stderr.Close()
	cmd.Stdout, cmd.Stderr = stdout, stderr
	ts.Check(cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	due := func() bool { // called again and again until it is true
		if when == "build" {
			tmp, _ := filepath.Glob(filepath.Join(ts.Getenv("COSIMATE_CACHE"), "models", "movegen-*.tmp"))
			return len(tmp) > 0
		}
		if when == "page" || when == "steps" {
			*started, _ = children(cmd.Process.Pid, "vvp")
			address := strings.TrimSpace(pageAddress.FindString(ts.ReadFile("out")))
			if address == "" {
				return false
			}
			response, err := http.Get(address)
			ts.Check(err)
			response.Body.Close()
			if response.StatusCode != http.StatusOK {
				ts.Fatalf("%s: status %d", address, response.StatusCode)
			}
			if when == "steps" {
				ts.Check(fiveSteps(address))
			}
			return true
		}
		var worked time.Duration
		*started, worked = children(cmd.Process.Pid, "vvp")
		// Each simulator is also started once before the walk, as a check. On a busy machine the
		// time that has passed does not show that the walk has begun.
		return worked > time.Second
	}
	for begin := time.Now(); !due(); time.Sleep(5 * time.Millisecond) {
		select {
		case err := <-ended:
			ts.Fatalf("it ended before %s: %v", when, err)
		default:
		}
		if time.Since(begin) > 5*time.Minute {
			cmd.Process.Kill()
			ts.Fatalf("nothing came of %s within five minutes", when)
		}
	}
	begin := time.Now()
	switch signal {
	case "int":
		ts.Check(cmd.Process.Signal(os.Interrupt))
	case "term":
		ts.Check(cmd.Process.Signal(syscall.SIGTERM))
	case "twice":
		ts.Check(cmd.Process.Signal(os.Interrupt))
		cmd.Process.Signal(os.Interrupt)
	case "vvp":
		ts.Check(syscall.Kill((*started)[0], syscall.SIGKILL))
	default:
		ts.Fatalf("signal %s", signal)
	}
	select {
	case err := <-ended:
		ts.Logf("[err]\n%s", ts.ReadFile("err"))
		wantStatus(ts, want, err)
	case <-time.After(20 * time.Second):
		cmd.Process.Kill()
		ts.Fatalf("it does not end")
	}
	ts.Logf("ended %v after the signal", time.Since(begin).Round(time.Millisecond))
}

// fiveSteps does five cycles on a page of any design, with its input enable_i set.
func fiveSteps(address string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, _, err := livetest.Dial(ctx, address, "")
	if err != nil {
		return err
	}
	defer conn.CloseNow()
	for _, text := range []string{`{"id":1,"do":"set","args":{"name":"enable_i","value":"1"}}`, `{"id":2,"do":"step","args":{"n":5}}`} {
		if err := conn.Write(ctx, websocket.MessageText, []byte(text)); err != nil {
			return err
		}
	}
	for begun, first := false, uint64(0); ; {
		_, data, err := conn.Read(ctx)
		var m struct {
			ID    int
			Error string
			Live  live.Status
		}
		if err == nil {
			err = json.Unmarshal(data, &m)
		}
		if err != nil || m.Error != "" {
			return fmt.Errorf("%s: %w %s", data, err, m.Error)
		}
		if m.ID == 0 {
			if !begun {
				begun, first = true, m.Live.Cycles
			}
			if m.Live.Cycles == first+5 {
				return nil
			}
			if err := conn.Write(ctx, websocket.MessageText, []byte(`{"do":"seen"}`)); err != nil {
				return err
			}
		}
	}
}

func noChildren(ts *testscript.TestScript, _ bool, _ []string) {
	for _, pid := range *ts.Value(startedKey{}).(*[]int) {
		for begin := time.Now(); syscall.Kill(pid, 0) == nil; time.Sleep(5 * time.Millisecond) {
			if time.Since(begin) > 5*time.Second {
				ts.Fatalf("process %d is left", pid)
			}
		}
	}
}

// fullDisk mounts a tiny file system in a mount namespace of its own. If that is not allowed, it
// limits the size of files instead.
func fullDisk(ts *testscript.TestScript, _ bool, args []string) {
	dir := ts.MkAbs("full")
	ts.Check(os.MkdirAll(dir, 0o777))
	mount := fmt.Sprintf("mount -t tmpfs -o size=32k none '%s'", dir)
	command := "COSIMATE_CACHE='" + dir + "' "
	for _, a := range args[1:] {
		command += " '" + a + "'"
	}
	look := "; s=$?; ls -AR '" + dir + "'; exit $s"
	var err error
	switch {
	case exec.Command("unshare", "-rm", "sh", "-c", mount).Run() == nil:
		err = ts.Exec("unshare", "-rm", "sh", "-c", mount+" && "+command+look)
	default:
		err = ts.Exec("sh", "-c", "ulimit -f 0; "+command+look)
	}
	wantStatus(ts, args[0], err)
}

func junit(ts *testscript.TestScript, _ bool, args []string) {
	type result struct{}
	var doc struct {
		XMLName  xml.Name `xml:"testsuites"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Errors   int      `xml:"errors,attr"`
		Skipped  int      `xml:"skipped,attr"`
		Suites   []struct {
			Tests int `xml:"tests,attr"`
			Cases []struct {
				Name    string  `xml:"name,attr"`
				Class   string  `xml:"classname,attr"`
				Failure *result `xml:"failure"`
				Error   *result `xml:"error"`
				Skipped *result `xml:"skipped"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	ts.Check(xml.Unmarshal([]byte(ts.ReadFile(args[0])), &doc))
	var tests, failures, failed, skipped int
	names := map[string]bool{}
	for _, s := range doc.Suites {
		if s.Tests != len(s.Cases) {
			ts.Fatalf("a suite says that it has %d cases and has %d", s.Tests, len(s.Cases))
		}
		for _, c := range s.Cases {
			tests++
			if names[c.Class+c.Name] || c.Class == "" || c.Name == "" {
				ts.Fatalf("the name %q is empty or comes twice", c.Class+" "+c.Name)
			}
			names[c.Class+c.Name] = true
			for _, r := range []struct {
				r *result
				n *int
			}{{c.Failure, &failures}, {c.Error, &failed}, {c.Skipped, &skipped}} {
				if r.r != nil {
					*r.n++
				}
			}
		}
	}
	counted := fmt.Sprint(tests, failures, failed, skipped)
	if said := fmt.Sprint(doc.Tests, doc.Failures, doc.Errors, doc.Skipped); said != counted {
		ts.Fatalf("%s says %s and has %s", args[0], said, counted)
	}
	if want := strings.Join(args[1:], " "); counted != want {
		ts.Fatalf("%s has %s cases, failures, errors, skipped, not %s", args[0], counted, want)
	}
}

func plant(ts *testscript.TestScript, _ bool, args []string) {
	to := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(to, 0o777))
	files, err := filepath.Glob(filepath.Join(ts.Getenv("MODULE"), "rtl", "movegen", "*.sv"))
	ts.Check(err)
	planted := len(args) == 1
	for _, name := range files {
		b, err := os.ReadFile(name)
		ts.Check(err)
		text := string(b)
		if len(args) > 1 && strings.Contains(text, args[1]) {
			planted = true
			text = strings.ReplaceAll(text, args[1], args[2])
		}
		ts.Check(os.WriteFile(filepath.Join(to, filepath.Base(name)), []byte(text), fs.FileMode(0o666)))
	}
	if !planted {
		ts.Fatalf("no file has the text %q", args[1])
	}
}
