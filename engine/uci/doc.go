// Package uci speaks the Universal Chess Interface: it makes a chess engine of package search that
// any chess program can run.
//
//	err := uci.Serve(ctx, os.Stdin, os.Stdout, uci.Config{Name: "Cosimate 0.1.0"})
//
// A line that is none of the protocol is ignored, as the protocol asks; a command with a mistake in
// it is answered by a line "info string error: ..." that says what is wrong. Beside the protocol it
// knows "d" (the position), "eval" (what each kind of term is worth in it), "go perft N" and
// "bench" (a signature: the nodes of fixed searches, which change when the search does).
package uci
