package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// screen is the program at a terminal.
type screen struct {
	t     *testing.T
	end   *os.File
	mutex sync.Mutex
	text  strings.Builder
	seen  int // bytes that were awaited
}

// atTerminal starts the program with a pseudo-terminal as its input and output.
func atTerminal(t *testing.T, flags ...string) (*screen, *exec.Cmd) {
	t.Helper()
	end, device := terminal(t)
	inside, err := os.OpenFile(device, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath("board")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, append([]string{"--save", filepath.Join(t.TempDir(), "game.pgn")}, flags...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = inside, inside, inside
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	inside.Close()
	s := &screen{t: t, end: end}
	go func() {
		buffer := make([]byte, 4096)
		for {
			n, err := end.Read(buffer)
			s.mutex.Lock()
			s.text.Write(buffer[:n])
			s.mutex.Unlock()
			if err != nil { // the program has ended
				return
			}
		}
	}()
	t.Cleanup(func() {
		cmd.Process.Kill()
		end.Close()
	})
	return s, cmd
}

// await waits until the screen shows a text after what was awaited before.
func (s *screen) await(text string) {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		s.mutex.Lock()
		all := strings.ReplaceAll(s.text.String(), "\r\n", "\n")
		s.mutex.Unlock()
		if at := strings.Index(all[s.seen:], text); at >= 0 {
			s.seen += at + len(text)
			return
		}
		if time.Now().After(end) {
			s.t.Fatalf("%q does not come:\n%s", text, all)
		}
	}
}

func (s *screen) enter(line string) {
	s.t.Helper()
	if _, err := s.end.WriteString(line + "\n"); err != nil {
		s.t.Fatal(err)
	}
}

// At a terminal the board is shown after each move, the clocks are in the title while the person
// and while the computer thinks, and an interrupt ends the program in the midst of a thought.
func TestTerminal(t *testing.T) {
	s, cmd := atTerminal(t, "--engine", "black", "--level", "max", "--seed", "1")
	s.await("help lists the commands\n")
	s.await("the computer plays black: level max, seed 1\n")
	s.await("2 P P P P P P P P\n1 R N B Q K B N R\n  a b c d e f g h\nwhite> ")
	s.enter("bullet")
	s.await("time control: bullet")
	s.enter("level 1000")
	s.await("level 1000, seed 1\n")
	s.enter("Pe2e4")
	s.await("1. e4  [white 01:00.0, black 01:00.0]\n")
	s.await("4 . . . .[P]. . .\n3 . . . . . . . .\n2 P P P P[.]P P P\n")
	s.await("1... ")
	s.await("]\n8 ") // its clocks, and the board
	s.await("\nwhite> ")
	s.await("\x1b]0;white 0") // the title
	s.enter("undo")
	s.await("taken back: e4 ")
	s.await("2 P P P P P P P P\n")
	s.enter("hint")
	s.await("hint: ")
	s.enter("untimed")
	s.await("no time control\n")
	s.enter("level max")
	s.await("level max, seed 1\n")
	s.enter("d4")
	s.await("1. d4\n")
	s.await("a b c d e f g h\n")
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(cmd.Args[2]); err != nil || !strings.Contains(string(text), "1. d4") {
		t.Errorf("%v, saved:\n%s", err, text)
	}
}

// --board never shows none at a terminal either.
func TestTerminalWithoutBoard(t *testing.T) {
	s, cmd := atTerminal(t, "--board", "never")
	s.await("white> ")
	s.enter("e4")
	s.await("1. e4\nblack> ")
	s.enter("quit")
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if text := s.text.String(); strings.Contains(text, "a b c") {
		t.Errorf("a board is shown:\n%s", text)
	}
}
