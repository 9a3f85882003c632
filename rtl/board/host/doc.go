// Package host is the PC's side of the sensing board: the game that is played, saved after every
// move, and who plays it.
//
// A [Game] holds the moves, the rules of its end and the clocks; a [Store] keeps it in a file,
// whole at any time. [Console] has two people play it by text, or one against [Search]; a [Session]
// has the person at the board play against [Search] over the framed link of rtl/link. README.md
// shows the commands and the order of messages; cmd/board is the program.
//
// Decoders of what the board sends are in rtl/link/frame with rtl/link/message (the framed
// protocol) and rtl/movelink/pair (the published one).
package host
