package report_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/sim/report"
)

// waves are recordings of 30 cycles of the counter of sim/testdata with two more outputs,
// led$drive[3] and a/b. They were made with $dumpvars of Icarus 11 (in a testbench t), with
// Verilator
// 5.006, and with vcd2fst -c, which compresses the whole file.
var waves = map[string]string{"icarus": "t.counter", "verilator": "counter", "compressed": "t.counter"}

// Write leaves the files of the report in the folder and no others. They name each other relative
// to the folder. Files of an earlier report are removed.
func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "report")
	f := board()
	f.FST, f.FSTScope = copyWave(t, "icarus", filepath.Dir(filepath.Dir(dir))), "t.counter"
	f.Files = []report.File{{Path: filepath.Join(dir, "stimulus.txtar"), About: "the stimulus"}}
	files, err := report.Write(dir, f)
	if err != nil {
		t.Fatal(err)
	}
	want := []report.File{
		{Path: filepath.Join(dir, "wave.svg"), About: "the waveform as a picture"},
		{Path: filepath.Join(dir, "wave.gtkw"), About: "open it with gtkwave"},
		{Path: filepath.Join(dir, "report.txt"), About: "the report as text"},
		{Path: filepath.Join(dir, "report.html"), About: "the report as a page"},
	}
	if diff := cmp.Diff(want, files); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"report.html", "report.txt", "wave.gtkw", "wave.svg"}, list(t, dir)); diff != "" {
		t.Error(diff)
	}
	if got := read(t, dir, "wave.svg"); got != f.SVG() {
		t.Error("wave.svg is not the SVG")
	}
	const tail = `files:
  wave.svg        the waveform as a picture
  wave.gtkw       open it with gtkwave
  stimulus.txtar  the stimulus
  ../../run.fst   all signals of the module, for GTKWave or another viewer
`
	if got := read(t, dir, "report.txt"); !strings.HasSuffix(got, tail) {
		t.Errorf("report.txt ends differently:\n%s", got)
	}
	for _, link := range []string{"wave.svg", "wave.gtkw", "report.txt", "stimulus.txtar", "../../run.fst"} {
		if !strings.Contains(read(t, dir, "report.html"), `<a href="`+link+`">`) {
			t.Errorf("report.html has no link to %s", link)
		}
	}
	if got := read(t, dir, "wave.gtkw"); !strings.Contains(got, "[dumpfile] \"/run.fst\"\n[savefile] \"/a/report/wave.gtkw\"\n") {
		t.Errorf("wave.gtkw does not find the FST two folders up:\n%s", got)
	}
	info, err := os.Stat(filepath.Join(dir, "report.html"))
	if err != nil || info.Mode() != 0o644 {
		t.Errorf("others cannot read the page: %v, %v", info.Mode(), err)
	}

	if _, err := report.Write(dir, stopped()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"report.html", "report.txt"}, list(t, dir)); diff != "" {
		t.Errorf("files of the report before are left:\n%s", diff)
	}
}

// The save file is right for each simulator's FST.
func TestGTKW(t *testing.T) {
	for name, scope := range waves {
		t.Run(name, func(t *testing.T) {
			f := counter()
			odd := f.Wave.Traces[3]
			odd.Name = "led$drive[3]"
			slash := f.Wave.Traces[2]
			slash.Name, slash.Width, slash.Format = "a/b", 4, report.Decimal
			f.Wave.Traces = append(f.Wave.Traces, odd, slash)
			dir := t.TempDir()
			f.FST, f.FSTScope = copyWave(t, name, dir), scope
			if _, err := report.Write(dir, f); err != nil {
				t.Fatal(err)
			}
			golden(t, name+".gtkw", read(t, dir, "wave.gtkw"))
		})
	}
}

// An FST that does not exist or cannot be read is an error that names it. The other files are
// written.
func TestBadFST(t *testing.T) {
	whole, err := os.ReadFile("testdata/icarus.fst")
	if err != nil {
		t.Fatal(err)
	}
	zipped, err := os.ReadFile("testdata/compressed.fst")
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"empty": {}, "short": whole[:70], "skipped": append([]byte{255}, whole[1:]...), "text": []byte(strings.Repeat("$date ", 100)),
		"short compressed": zipped[:30], "not gzip": append(zipped[:17:17], whole...),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			f := counter()
			f.FST = filepath.Join(dir, "run.fst")
			if err := os.WriteFile(f.FST, data, 0o666); err != nil {
				t.Fatal(err)
			}
			files, err := report.Write(dir, f)
			if err == nil || !strings.Contains(err.Error(), f.FST+" is not a complete FST file") {
				t.Errorf("the error is: %v", err)
			}
			if len(files) != 3 {
				t.Errorf("written are %v", files)
			}
		})
	}
	f := counter()
	f.FST = "missing.fst"
	if _, err := report.Write(t.TempDir(), f); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no FST: %v", err)
	}
}

// writeEnv makes this test binary write a report into a folder and print the outcome.
const writeEnv = "COSIMATE_WRITE_REPORT"

type outcome struct {
	Err   string
	Files []string
	Left  []string
}

func TestMain(m *testing.M) {
	dir := os.Getenv(writeEnv)
	if dir == "" {
		os.Exit(m.Run())
	}
	var o outcome
	files, err := report.Write(dir, board())
	if err != nil {
		o.Err = err.Error()
	}
	for _, f := range files {
		o.Files = append(o.Files, filepath.Base(f.Path))
	}
	entries, _ := os.ReadDir(dir) // none if the folder could not be made
	for _, e := range entries {
		o.Left = append(o.Left, e.Name())
	}
	json.NewEncoder(os.Stdout).Encode(o)
}

// If the disk is full, the error says so and no file is there in part. The disk is a small one in
// memory, in a mount namespace of the child process.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	unshare := []string{"--mount", "--propagation", "unchanged"}
	if os.Geteuid() != 0 {
		unshare = append(unshare, "--user", "--map-root-user")
	}
	cmd := exec.Command("unshare", append(unshare, "sh", "-c",
		`mount --make-rprivate / 2>/dev/null; mount -t tmpfs -o size=16k none "$0" && exec "$1"`, dir, exe)...)
	o := child(t, cmd, dir)
	if !strings.Contains(o.Err, "no space left on device") || !strings.Contains(o.Err, "hint: the disk is full: free some space") || !strings.Contains(o.Err, dir) {
		t.Errorf("the error is: %s", o.Err)
	}
	// report.txt is small enough.
	if diff := cmp.Diff(outcome{Err: o.Err, Files: []string{"report.txt"}, Left: []string{"report.txt"}}, o); diff != "" {
		t.Errorf("what is left:\n%s", diff)
	}
}

// If the folder may not be written, or is a file, the error says what to do.
func TestNoPermission(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	base := t.TempDir()
	dir := filepath.Join(base, "report")
	if err := os.Mkdir(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	if os.Geteuid() == 0 { // root may write everywhere
		own, err := os.ReadFile(exe)
		if err != nil {
			t.Fatal(err)
		}
		open := filepath.Join(base, "report.test")
		if err := os.WriteFile(open, own, 0o755); err != nil {
			t.Fatal(err)
		}
		for d := base; d != os.TempDir() && d != "/"; d = filepath.Dir(d) {
			if err := os.Chmod(d, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		cmd = exec.Command(open)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	cmd.Dir = "/"
	o := child(t, cmd, dir)
	if !strings.Contains(o.Err, "permission denied") || !strings.Contains(o.Err, "hint: have the report written to a folder that you can write") || o.Files != nil || o.Left != nil {
		t.Errorf("%+v", o)
	}

	file := filepath.Join(base, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(file, "below")} {
		if _, err := report.Write(dir, board()); err == nil || !strings.Contains(err.Error(), "hint: a file is in the way") {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

// child runs this test binary to write a report.
func child(t *testing.T, cmd *exec.Cmd, dir string) (o outcome) {
	t.Helper()
	cmd.Env = append(os.Environ(), writeEnv+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &o)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return o
}

func copyWave(t *testing.T, name, dir string) string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name + ".fst")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "run.fst")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func list(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A terminal shows the last transactions and those that are wrong, report.txt all.
func TestTransactions(t *testing.T) {
	f := stopped()
	for i := range uint64(12) {
		f.Transactions = append(f.Transactions, report.Transaction{Who: "driver", What: fmt.Sprintf("item <%d>", i), From: 2 * i, To: 2*i + i%2, Bad: i == 1})
	}
	shown := func(text string) (items string) {
		for line := range strings.Lines(text) {
			if _, item, ok := strings.Cut(line, "item <"); ok {
				items += line[:1] + strings.TrimSuffix(item, ">\n")
			}
		}
		return items
	}
	text := f.Text(false)
	if got, want := shown(text), ">1 4 5 6 7 8 9 10 11"; got != want || !strings.Contains(text, "\nlast transactions, 9 of 12:\n  by      cycles  what\n> driver     2-3  item <1>\n") {
		t.Errorf("a terminal shows %s, not %s:\n%s", got, want, text)
	}
	dir := t.TempDir()
	if _, err := report.Write(dir, f); err != nil {
		t.Fatal(err)
	}
	if got, want := shown(read(t, dir, "report.txt")), " 0>1 2 3 4 5 6 7 8 9 10 11"; got != want {
		t.Errorf("report.txt has %s, not %s", got, want)
	}
}
