// Package live is the page of the move generator: a position is set up or written as FEN, and the
// RTL's list of its moves comes beat by beat, beside the reference's. The bitboards of its stages
// are read from the RTL's signals by name and shown on the board. Perft goes through the RTL by
// first move.
//
// cosimate live movegen serves it.
package live
