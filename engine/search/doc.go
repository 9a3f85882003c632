// Package search finds the best move of a chess position: alpha-beta search, deeper and deeper, on
// one thread or several.
//
//	e, err := search.New(search.Options{Features: search.AllFeatures})
//	game := search.Game{Start: engine.StartPosition()}
//	r, err := e.Search(ctx, game, search.Limits{MoveTime: time.Second}, nil)
//	fmt.Println(r.Moves[0], r.Value)
//
// Where the moves come from is an interface, [Moves]: in software a [Generator], in hardware a
// driver of a core that lists and makes moves. The search is the same code for both. Where both
// list moves in the same order, it sees the same nodes and finds the same values.
//
// Each part of the search is a feature that can be switched off ([Features]), so that a comparison
// runs just what another program has. With one thread and a limit of depth or nodes the result
// follows from the options alone, on every machine.
//
// The evaluation is a sum of terms that people can read (terms.go), each with a weight for the
// middlegame and one for the endgame (weights.go).
package search
