// Package engine is the reference that hardware is checked against: chess
// positions, their legal moves, and perft, the number of move sequences of a
// given length.
//
// [ParseFEN] and [StartPosition] give a [Position]; [Position.AppendMoves] its
// legal moves; [Position.Make] the position after one of them. [Perft] counts
// sequences of moves, [Divide] counts them by first move, and [ReadEPD] reads
// positions with published counts to compare with.
//
// Squares are numbered from a1 = 0 over h1 = 7 to h8 = 63, and bit n of a
// bitboard is square n, for both colours. The rules are those of the FIDE Laws
// of Chess; when a game is drawn is not this package's concern, nor is it that
// of perft.
//
// The package knows nothing of the hardware and shares no table with it.
package engine
