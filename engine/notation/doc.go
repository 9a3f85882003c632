// Package notation writes and reads moves and games as people and programs write them.
//
// [SAN] and [Long] write a move; [Parse] reads one in any of the notations that are in use:
// standard algebraic (Nf3, exd5, O-O), long algebraic (Ng1-f3, Ng1f3) and that of the Universal
// Chess Interface (g1f3, e7e8n). [ReadPGN] and [Game.AppendPGN] read and write whole games.
//
// Sources: FIDE Laws of Chess, appendix C (algebraic notation); Portable Game Notation
// Specification and Implementation Guide of 1994.03.12, sections 7 to 10.
package notation
