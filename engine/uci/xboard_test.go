package uci

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/cosimate/cosimate/engine/notation"
	"github.com/cosimate/cosimate/engine/rules"
)

var xboardGames = flag.Int("uci.xboard", 0, "play so many games in xboard's window against gnuchess, a minute each side: xboard, xvfb and gnuchess must be installed")

// Games in xboard's window against gnuchess: our engine is set up as any other, and all that both
// play is legal, to an end by the rules.
func TestXboard(t *testing.T) {
	if *xboardGames == 0 {
		t.Skip("make nightly plays them, or -uci.xboard=2")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(*xboardGames)*10*time.Minute)
	defer cancel()
	home := t.TempDir()
	pgn := filepath.Join(home, "games.pgn")
	cmd := exec.CommandContext(ctx, "xvfb-run", "-a", "xboard",
		"-fcp", program(t), "-fd", home, "-fUCI", "-scp", "gnuchess --uci", "-sUCI",
		"-matchGames", strconv.Itoa(*xboardGames), "-timeControl", "1", "-timeIncrement", "0", "-saveGameFile", pgn,
		"-popupExitMessage", "false") // else the last result waits for a click
	cmd.Env = append(os.Environ(), "HOME="+home, "PATH="+os.Getenv("PATH")+":/usr/games")
	cmd.Dir = home
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("xboard: %v\n%s", err, out)
	}
	f, err := os.Open(pgn)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	games, err := notation.ReadPGN(f, pgn) // every move is looked up among the legal ones
	if err != nil {
		t.Fatal(err)
	}
	if len(games) != *xboardGames {
		t.Errorf("xboard has saved %d games, not %d", len(games), *xboardGames)
	}
	for _, g := range games {
		end := g.End()
		t.Logf("%s - %s: %s after %d moves", g.Tag("White"), g.Tag("Black"), g.Result, len(g.Moves))
		if by, _ := rules.End(&end, 1); g.Result == "*" || by != rules.InPlay && g.Result != by.PGN() {
			t.Errorf("xboard has the result %s for %s", g.Result, end.FEN())
		}
	}
}
