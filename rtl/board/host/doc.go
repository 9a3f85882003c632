// Package host is the PC's side of the sensing board: it keeps the game, saves it after every move,
// and plays as the opponent.
//
// A [Game] holds the moves, the result and the clocks. A [Store] keeps it in a file that is
// complete at any time. With [Console] two people play by text, or one against [Opponent]. With
// [Session] the person at the board plays against [Opponent] over the framed link of rtl/link, and
// with [Published] over that of rtl/movelink. README.md shows the commands and the order of
// messages; cmd/board is the program.
//
// Decoders of what the board sends are in rtl/link/frame and rtl/link/message (the framed protocol)
// and in rtl/movelink/pair (the published one).
package host
