package engine

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestSliders compares the tables with a walk along the rays, for every
// occupation that matters and for random ones.
func TestSliders(t *testing.T) {
	loadTables()
	rng := rand.New(rand.NewPCG(1, 2))
	for sq := range 64 {
		for _, s := range []struct {
			name    string
			rays    []ray
			attacks func(int, uint64) uint64
			mask    uint64
			size    int
		}{
			{"bishop", diagonals, bishopAttacks, magics[sq].bishop.mask, 9},
			{"rook", orthogonals, rookAttacks, magics[sq].rook.mask, 12},
		} {
			if n := bits.OnesCount64(s.mask); n > s.size || n < 5 {
				t.Fatalf("%s on %s: mask of %d squares", s.name, Square(sq), n)
			}
			for o := uint64(0); ; {
				for _, occupied := range []uint64{o, o | rng.Uint64()&^s.mask} {
					if got, want := s.attacks(sq, occupied), slide(sq, s.rays, occupied); got != want {
						t.Fatalf("%s on %s with %x occupied: %x, want %x", s.name, Square(sq), occupied, got, want)
					}
				}
				if o = (o - s.mask) & s.mask; o == 0 {
					break
				}
			}
		}
	}
}

// TestSteps: a knight's and a king's squares are as far away as they should be,
// and squares between are on the way.
func TestSteps(t *testing.T) {
	loadTables()
	for a := range 64 {
		for b := range 64 {
			files, ranks := a&7-b&7, a>>3-b>>3
			if got, want := knightAttacks(a)>>b&1 == 1, files*files+ranks*ranks == 5; got != want {
				t.Errorf("knight %s %s: %v", Square(a), Square(b), got)
			}
			if got, want := kingAttacks(a)>>b&1 == 1, a != b && max(files*files, ranks*ranks) == 1; got != want {
				t.Errorf("king %s %s: %v", Square(a), Square(b), got)
			}
			var want uint64
			if n := max(files, -files, ranks, -ranks); n > 0 && (files%n == 0 && ranks%n == 0) {
				for i := 1; i < n; i++ {
					want |= 1 << (a - i*(ranks/n*8+files/n))
				}
			}
			if betweens[a][b] != want {
				t.Errorf("between %s and %s: %x, want %x", Square(a), Square(b), betweens[a][b], want)
			}
		}
	}
}

// TestZeroPosition: it is good for nothing, but nothing panics or hangs.
func TestZeroPosition(t *testing.T) {
	var p Position
	if n := len(p.AppendMoves(nil)) + p.Count() + int(Perft(&p, 3)) + int(PerftPlain(&p, 2)); n != 0 || p.InCheck() {
		t.Errorf("%d moves on an empty board", n)
	}
	if got, want := p.FEN(), "8/8/8/8/8/8/8/8 w - - 0 0"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	p.Make(Move{})
	p.Board()
}

func TestSquare(t *testing.T) {
	for s := range Square(64) {
		if got, err := ParseSquare(s.String()); got != s || err != nil {
			t.Errorf("%s: %v, %v", s, got, err)
		}
	}
	for _, name := range []string{"", "e", "e9", "i1", "e44", "E4", "e0", "é"} {
		if s, err := ParseSquare(name); err == nil {
			t.Errorf("%q is read as %s", name, s)
		}
	}
	if got := Square(64).String(); got != "square(64)" {
		t.Error(got)
	}
	if got := (Move{}).String(); got != "0000" {
		t.Error(got)
	}
}

// TestAttacksFirst: Attacks needs no position before it. Only in a process of its own is it the
// first call.
func TestAttacksFirst(t *testing.T) {
	if os.Getenv("COSIMATE_ATTACKS_FIRST") != "" {
		fmt.Printf("%#x\n", Attacks(Knight, 0, 0))
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestAttacksFirst$")
	cmd.Env = append(os.Environ(), "COSIMATE_ATTACKS_FIRST=1")
	got, err := cmd.CombinedOutput()
	if err != nil || !strings.HasPrefix(string(got), "0x20400\n") {
		t.Errorf("a knight on a1 attacks %s (%v), want 0x20400: b3 and c2", got, err)
	}
}
