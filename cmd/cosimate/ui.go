package main

// The user interface of the program, all in one place. The rules:
//
//   - Results go to standard output. All else goes to standard error: errors, progress, and
//     the log.
//   - An error is a line "error: ...". If it helps, a line "hint: ..." follows that says what
//     to do. Both are in lower case without a full stop at the end.
//   - On a terminal, progress is a bar, which is erased at the end. Elsewhere it is a line every
//     few seconds.
//   - Numbers that people compare are printed in full, in columns, right-aligned.
//   - Text from elsewhere, such as what the RTL prints, cannot control the terminal.

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// misuse is an error of the user: wrong flags, or input that cannot be read.
type misuse struct{ what, hint string }

func (m *misuse) Error() string { return m.what }

// errDiffers is the error of a command that has found differences and printed them.
var errDiffers = errors.New("differences found")

// errWrong is the error of a command that has found something wrong with a design and printed it.
var errWrong = errors.New("something is wrong")

// printError prints an error and its hint.
func printError(err error) {
	fmt.Fprintf(os.Stderr, "error: %s\n", visible(err.Error()))
	if m, ok := errors.AsType[*misuse](err); ok && m.hint != "" {
		fmt.Fprintf(os.Stderr, "hint: %s\n", m.hint)
	} else if hint := resourceHint(err.Error()); hint != "" {
		fmt.Fprintf(os.Stderr, "hint: %s\n", hint)
	}
}

// resourceHint returns what to do if an error says that the disk is full, or that too many files
// are open. It returns "" for other errors, and if the error has a hint already. It looks at the
// error's text, because errors of tools, and misuses that are about files, have nothing else.
func resourceHint(text string) string {
	has := func(e syscall.Errno) bool { return strings.Contains(text, e.Error()) }
	switch {
	case strings.Contains(text, "\nhint: "):
		return ""
	case has(syscall.ENOSPC), has(syscall.EDQUOT):
		return "the disk is full: free some space, or have it written to another disk"
	case has(syscall.EMFILE):
		return "raise the limit on open files (ulimit -n)"
	}
	return ""
}

// visible returns a text in which characters that cannot be printed are written as Go quotes them:
// \x1b. Ends of lines and tabs stay.
func visible(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		char := text[:size]
		switch invalid := r == utf8.RuneError && size == 1; {
		case !invalid && (r == '\n' || r == '\t' || strconv.IsPrint(r)):
			b.WriteString(char)
		default:
			quoted := strconv.Quote(char)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		text = text[size:]
	}
	return b.String()
}

// visibleWriter makes each text that is written visible and writes it to another writer.
type visibleWriter struct{ to io.Writer }

func (w visibleWriter) Write(p []byte) (int, error) {
	if _, err := io.WriteString(w.to, visible(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// quote quotes what the user has given, and shortens it if it is long.
func quote(text string) string {
	cut := 100 // more than a FEN record has
	if len(text) <= cut {
		return strconv.Quote(text)
	}
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return fmt.Sprintf("%q... (%d bytes)", text[:cut], len(text))
}

func printUsage(w io.Writer) {
	fmt.Fprint(w, "cosimate tests RTL in Icarus Verilog and in Verilator. For any RTL, without Go: try FILE, vectors, live, mutate. Beside tests in Go:\n"+
		"ports, cover, regress, mutate. For the chess hardware that comes with it: perft, paper, uci.\n\n"+
		"usage: cosimate <command> [flags]\n\n")
	for _, c := range commands {
		fmt.Fprintf(w, "  %-10s %s\n", c.name, c.summary)
	}
	fmt.Fprint(w, "\ncosimate <command> --help tells about its flags; cosimate help json about --json.\n"+
		"exit status: 0 pass, 1 difference, 2 misuse, 3 tool or simulator trouble, 130 interrupted\n")
}

// table is rows of cells, the first row being the header.
type table struct {
	left map[int]bool // columns that are aligned to the left; the others are numbers
	rows [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) print(w io.Writer) {
	var widths []int
	for _, r := range t.rows {
		for i, c := range r {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	for _, r := range t.rows {
		var line strings.Builder
		for i, c := range r {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c))
			if t.left[i] {
				line.WriteString(c + pad)
			} else {
				line.WriteString(pad + c)
			}
			line.WriteString("  ")
		}
		fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
	}
}

// short writes a large number with three digits or so: 1.23M.
func short(v float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if v >= u.size {
			return fmt.Sprintf("%.3g%s", v/u.size, u.name)
		}
	}
	return fmt.Sprintf("%.3g", v)
}

// plainEvery is how often a line with the progress is printed if standard error is no terminal.
const plainEvery = 5 * time.Second

// meter shows progress on standard error.
type meter struct {
	label string
	total uint64
	unit  string
	begin time.Time
	bar   *progressbar.ProgressBar // nil for plain lines

	mu     sync.Mutex
	nodes  uint64
	closed chan struct{}
	ended  sync.WaitGroup
}

// newMeter starts to show the progress of work of total units.
func newMeter(label string, total uint64, unit string) *meter {
	m := &meter{label: label, total: total, unit: unit, begin: time.Now(), closed: make(chan struct{})}
	every := plainEvery
	if term.IsTerminal(int(os.Stderr.Fd())) {
		every = 100 * time.Millisecond
		m.bar = progressbar.NewOptions64(int64(max(total, 1)),
			progressbar.OptionSetWriter(os.Stderr), progressbar.OptionSetDescription(label),
			progressbar.OptionShowIts(), progressbar.OptionSetItsString(unit), progressbar.OptionSetPredictTime(true),
			progressbar.OptionSetWidth(30), progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(every))
	}
	m.ended.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				m.show()
			case <-m.closed:
				return
			}
		}
	})
	return m
}

// update notes how many nodes are done. It is safe for concurrent use.
func (m *meter) update(nodes uint64) {
	m.mu.Lock()
	m.nodes = max(m.nodes, nodes) // after a difference there may be fewer
	m.mu.Unlock()
}

func (m *meter) show() {
	m.mu.Lock()
	nodes := min(m.nodes, m.total)
	m.mu.Unlock()
	if m.bar != nil {
		m.bar.Set64(int64(nodes))
		return
	}
	spent := time.Since(m.begin)
	rate := float64(nodes) / spent.Seconds()
	left := "unknown time"
	if nodes > 0 {
		left = (time.Duration(float64(m.total-nodes)/rate*1e9) * time.Nanosecond).Round(time.Second).String()
	}
	fmt.Fprintf(os.Stderr, "%s: %s of %s %[4]s, %[5]s %[4]s/s, %[6]s left\n", m.label, short(float64(nodes)), short(float64(m.total)), m.unit, short(rate), left)
}

// close ends the display.
func (m *meter) close() {
	close(m.closed)
	m.ended.Wait()
	if m.bar != nil {
		m.bar.Clear()
	}
}
