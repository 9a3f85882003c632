// Command match plays games between two UCI engines and prints the score with its Elo difference:
//
//	go run ./scripts/match --games 200 --movetime 100ms "cosimate uci" "stockfish UCI_LimitStrength=true UCI_Elo=2400"
//
// An engine is a program, its arguments, and options NAME=VALUE; what has spaces stands in double
// quotes. With --first-nodes the first engine gets so many nodes a move, and the other its time:
//
//	go run ./scripts/match --games 200 --movetime 100ms --first-nodes 61000 \
//		'stockfish "Use NNUE=false"' 'stockfish UCI_LimitStrength=true UCI_Elo=2400'
//
// Each opening, some random moves from the start that leave the game even, is played twice with
// colours exchanged. A game is lost by mate, by an illegal move, by the clock and by a crash. It is
// drawn by stalemate, insufficient material, threefold repetition and fifty moves. All games are
// kept as PGN.
package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/signal"
	"strings"
	"sync"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/notation"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/engine/search"
	"github.com/cosimate/cosimate/engine/uci"
)

var (
	games      = pflag.Int("games", 100, "games to play; each opening is played twice")
	moveTime   = pflag.Duration("movetime", 0, "time for each move")
	clock      = pflag.Duration("time", time.Second, "time for the whole game, without --movetime")
	inc        = pflag.Duration("inc", 10*time.Millisecond, "and for each move more")
	nodes      = pflag.Int("nodes", 0, "nodes for each move, instead of time")
	firstNodes = pflag.Int("first-nodes", 0, "nodes for each move of the first engine, instead of time")
	plies      = pflag.Int("plies", 8, "random plies of an opening")
	seed       = pflag.Uint64("seed", 1, "of the openings")
	jobs       = pflag.Int("jobs", 1, "games at a time")
	pgn        = pflag.String("pgn", "", "file for the games")
	slack      = pflag.Duration("slack", 50*time.Millisecond, "for how long more a move may take before it is a loss on time")
)

func main() {
	pflag.Parse()
	if pflag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "error: two engines are needed: match [flags] ENGINE ENGINE")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, pflag.Arg(0), pflag.Arg(1)); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// player is an engine of the match.
type player struct {
	program string
	args    []string
	options []string
}

func parsePlayer(text string) (p player, err error) {
	r := csv.NewReader(strings.NewReader(text))
	r.Comma = ' '
	words, err := r.Read()
	if err != nil && !errors.Is(err, io.EOF) {
		return p, fmt.Errorf("engine %s: %w", text, err)
	}
	for _, w := range words {
		switch {
		case w == "":
		case p.program == "":
			p.program = w
		case strings.Contains(w, "="):
			p.options = append(p.options, w)
		default:
			p.args = append(p.args, w)
		}
	}
	if p.program == "" {
		return p, errors.New("an engine has no name")
	}
	return p, nil
}

// tally is the score of the first engine.
type tally struct {
	mu               sync.Mutex
	won, drawn, lost int
	pairs            []float64       // points of two games with one opening
	half             map[int]float64 // points of the first of them
	faults           map[string]int  // how engines lost otherwise than by mate
	moves, done, all int
	file             *os.File
}

func run(ctx context.Context, first, second string) error {
	var players [2]player
	for i, text := range []string{first, second} {
		p, err := parsePlayer(text)
		if err != nil {
			return err
		}
		players[i] = p
	}
	t := &tally{half: map[int]float64{}, faults: map[string]int{}, all: *games}
	if *pgn != "" {
		f, err := os.Create(*pgn)
		if err != nil {
			return err
		}
		defer f.Close()
		t.file = f
	}
	group, ctx := errgroup.WithContext(ctx)
	numbers := make(chan int)
	group.Go(func() error {
		defer close(numbers)
		for i := range *games {
			select {
			case numbers <- i:
			case <-ctx.Done():
				return nil
			}
		}
		return nil
	})
	for range *jobs {
		group.Go(func() error {
			var engines [2]*uci.Client
			defer func() {
				for _, e := range engines {
					if e != nil {
						e.Close()
					}
				}
			}()
			for number := range numbers {
				for i, e := range engines {
					if e == nil {
						c, err := uci.Start(ctx, players[i].options, players[i].program, players[i].args...)
						if err != nil {
							return err
						}
						engines[i] = c
					}
				}
				g, loser, cause := play(ctx, engines, number)
				if ctx.Err() != nil {
					return nil
				}
				if err := t.add(number, g, cause); err != nil {
					return err
				}
				if cause != "" && loser >= 0 { // it may have died: a new one plays on
					engines[loser].Close()
					engines[loser] = nil
				}
			}
			return nil
		})
	}
	err := group.Wait()
	fmt.Println()
	t.print()
	return err
}

// opening is a game of random moves that leaves it even.
func opening(number int) search.Game {
	r := rand.New(rand.NewPCG(*seed, uint64(number/2)))
	judge, err := search.New(search.Options{Features: search.AllFeatures, Hash: 1 << 20})
	if err != nil {
		panic(err) // a Generator does not fail
	}
	for {
		g := search.Game{Start: engine.StartPosition()}
		p := g.Start
		for range *plies {
			moves := p.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			m := moves[r.IntN(len(moves))]
			g.Moves = append(g.Moves, m)
			p = p.Make(m)
		}
		result, err := judge.Search(context.Background(), g, search.Limits{Nodes: 5000}, nil)
		if err == nil && result.Value > -60 && result.Value < 60 {
			return g
		}
	}
}

// play plays a game; even numbers are the first engine's with White. loser is who lost by a fault
// of the program, the cause; -1 if none did.
func play(ctx context.Context, engines [2]*uci.Client, number int) (g notation.Game, loser int, cause string) {
	game := opening(number)
	white := number % 2 // who has White
	for i, e := range engines {
		if err := e.NewGame(); err != nil {
			loser, cause = i, err.Error()
		}
	}
	left := [2]time.Duration{*clock, *clock}
	seen := map[rules.Key]int{}
	p := game.Start
	seen[rules.KeyOf(&p)]++
	for _, m := range game.Moves {
		p = p.Make(m)
		seen[rules.KeyOf(&p)]++
	}
	loser = -1
	result := ""
	for ctx.Err() == nil {
		side := int(p.SideToMove())
		who := side ^ white
		wins := [2]string{"0-1", "1-0"}[side] // of the other side
		occurred := seen[rules.KeyOf(&p)]
		end, _ := rules.End(&p, occurred)
		if threefold, fifty := rules.Claims(&p, occurred); end == rules.InPlay && (threefold || fifty) {
			end = rules.Draw
		}
		if end != rules.InPlay {
			result = end.PGN()
			break
		}
		fixed := *nodes
		if who == 0 && *firstNodes > 0 {
			fixed = *firstNodes
		}
		words, most := fmt.Sprintf("wtime %d winc %d btime %d binc %d", left[white].Milliseconds(), inc.Milliseconds(),
			left[1-white].Milliseconds(), inc.Milliseconds()), left[who]
		switch {
		case fixed > 0:
			words, most = fmt.Sprintf("nodes %d", fixed), time.Minute
		case *moveTime > 0:
			words, most = fmt.Sprintf("movetime %d", moveTime.Milliseconds()), *moveTime
		}
		a, err := engines[who].Go(&game, words, most+5*time.Second)
		switch {
		case err != nil:
			loser, cause, result = who, err.Error(), wins
		case fixed == 0 && a.Took > most+*slack:
			loser, cause, result = who, fmt.Sprintf("time: %v of %v", a.Took, most), wins
		}
		if result != "" {
			break
		}
		left[who] += *inc - min(a.Took, left[who])
		game.Moves = append(game.Moves, a.Move)
		p = p.Make(a.Move)
		seen[rules.KeyOf(&p)]++
	}
	g = notation.Game{Start: game.Start, Moves: game.Moves, Result: result}
	g.SetTag("Event", "match")
	g.SetTag("Round", fmt.Sprint(number+1))
	g.SetTag("White", engines[white].Name)
	g.SetTag("Black", engines[1-white].Name)
	if cause != "" {
		g.SetTag("Termination", cause)
		cause = engines[loser].Name + ": " + cause
	}
	return g, loser, cause
}

// add counts a game.
func (t *tally) add(number int, g notation.Game, cause string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	points := 0.5
	switch {
	case g.Result == "1/2-1/2":
		t.drawn++
	case (g.Result == "1-0") == (number%2 == 0):
		points = 1
		t.won++
	default:
		points = 0
		t.lost++
	}
	if other, ok := t.half[number/2]; ok {
		t.pairs = append(t.pairs, (points+other)/2)
	}
	t.half[number/2] = points
	if cause != "" {
		t.faults[cause]++
	}
	t.done++
	t.moves += len(g.Moves)
	if t.file != nil {
		if _, err := t.file.Write(g.AppendPGN(nil)); err != nil {
			return err
		}
	}
	fmt.Fprintf(os.Stderr, "\r%d of %d games: %d won, %d drawn, %d lost ", t.done, t.all, t.won, t.drawn, t.lost)
	return nil
}

// elo is the difference of strength that a score stands for.
func elo(score float64) float64 { return -400 * math.Log10(1/score-1) }

func (t *tally) print() {
	n := t.won + t.drawn + t.lost
	if n == 0 {
		return
	}
	score := (float64(t.won) + float64(t.drawn)/2) / float64(n)
	fmt.Printf("%d games: %d won, %d drawn, %d lost: %.1f %%", n, t.won, t.drawn, t.lost, 100*score)
	if len(t.pairs) > 1 && score > 0 && score < 1 {
		wide := distuv.UnitNormal.Quantile(0.975) * stat.StdDev(t.pairs, nil) / math.Sqrt(float64(len(t.pairs)))
		low, high := max(score-wide, 1e-3), min(score+wide, 1-1e-3)
		fmt.Printf(", Elo %+.0f, 95 %% between %+.0f and %+.0f", elo(score), elo(low), elo(high))
	}
	fmt.Println()
	for cause, n := range t.faults {
		fmt.Printf("%d lost by %s\n", n, cause)
	}
}
