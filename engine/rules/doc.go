// Package rules says why a move is refused and how a game ends, by the FIDE Laws of Chess of 2023.
//
// [Why] returns the [Reason] for which a move is illegal, and [Reason.Explain] says it in words,
// with the article. [End] finds the ends that come by themselves, such as checkmate; [Claims],
// [FlagFall] and [Win] those that a player or a clock brings about.
//
// The codes are also those at the ports of the sensing board's hardware. The rules are written down
// here square by square: they share nothing with the move generator of package engine, and the
// tests compare the two.
package rules
