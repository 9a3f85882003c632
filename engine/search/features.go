package search

import (
	"fmt"
	"strings"
)

// Features are the parts of a search that can be switched off, one bit each.
type Features uint32

// The features. Those marked with V can change the value of a search of fixed depth; the others
// change only how many nodes it takes.
const (
	PVS               Features = 1 << iota // later moves are first searched with a window of width one
	Aspiration                             // an iteration begins with what the last one knew: a window around its value, and root moves by their nodes
	Table                                  // V: a transposition table
	TableMove                              // the move in the table is searched first
	VictimOrder                            // captures are ordered by victim, then by aggressor
	ExchangeOrder                          // captures that lose material come last
	Killers                                // quiet moves that refuted a sibling come early
	History                                // quiet moves are ordered by what they refuted before
	NullMove                               // V: a side that may pass and is still above beta is
	LateReductions                         // V: late quiet moves are searched less deep
	Futility                               // V: near the leaves, moves that cannot reach alpha are left out
	ReverseFutility                        // V: near the leaves, a value far above beta stays there
	LatePruning                            // V: near the leaves, only some quiet moves are searched
	HistoryPruning                         // V: near the leaves, quiet moves that have always failed are left out
	InternalReduction                      // V: without a move from the table, less deep: the next iteration has one
	Singular                               // V: a move from the table that is better than all others is searched deeper
	CheckExtension                         // V: a position in check is searched a ply deeper
	Quiescence                             // V: captures are searched to their end at the leaves
	ExchangePrune                          // V: in quiescence and near the leaves, moves that lose material are left out
	QuietChecks                            // V: quiescence begins with checks, too
	Repetition                             // V: a position that comes again is a draw
	FiftyMoves                             // V: a hundred plies without capture or pawn move are a draw
	MateDistance                           // a mate that is longer than a known one is not looked for
	CaptureOrder                           // captures and promotions come before quiet moves
	LongHistory                            // the history of quiet moves knows the plies before, and learns from more
	CaptureHistory                         // captures are ordered by what they refuted before, too
	NullMargin                             // V: a null move is searched the less deep, the more the side is above beta
	Razoring                               // V: near the leaves, a value far below alpha stays there unless captures mend it
	ProbCut                                // V: a capture that is far above beta in a shallow search refutes
	Correction                             // V: values without search are corrected by what searches of similar positions found

	numFeatures = iota
)

// AllFeatures is what plays best. Singular extensions leave nothing to gain to those of checks.
const AllFeatures Features = (1<<numFeatures - 1) &^ CheckExtension

// exactFeatures change nothing but the number of nodes: with these alone a search of fixed depth
// has the value of a plain minimax.
const exactFeatures = PVS | Aspiration | VictimOrder | ExchangeOrder | Killers | History | MateDistance | CaptureOrder |
	LongHistory | CaptureHistory

// Classic is what chess programs of about 2001 had: among them, it is assumed, Faile 1.4.4, with
// which the published move generator was measured, and whose source was not at hand.
const Classic = PVS | Table | TableMove | VictimOrder | Killers | History | NullMove | CheckExtension |
	Quiescence | Repetition | FiftyMoves | MateDistance | CaptureOrder

// OwnOrder are the features by which a search orders moves by itself. Without them it searches the
// moves in the order of the list, but for the one in the table.
const OwnOrder = VictimOrder | ExchangeOrder | Killers | History | CaptureOrder | LongHistory | CaptureHistory

var featureNames = [numFeatures]string{
	"pvs", "aspiration", "table", "table-move", "victim-order", "exchange-order", "killers",
	"history", "null-move", "late-reductions", "futility",
	"reverse-futility", "late-pruning", "history-pruning", "internal-reduction", "singular",
	"check-extension", "quiescence", "exchange-prune", "quiet-checks",
	"repetition", "fifty-moves", "mate-distance", "capture-order",
	"long-history", "capture-history", "null-margin", "razoring", "probcut", "correction",
}

// String returns the names of the features, separated by commas.
func (f Features) String() string {
	var names []string
	for i, name := range featureNames {
		if f>>i&1 != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// ParseFeatures reads names separated by commas; "all" and "none" stand for what they say, and a
// name after a minus sign is taken away: "all,-null-move".
func ParseFeatures(text string) (f Features, err error) {
names:
	for name := range strings.SplitSeq(text, ",") {
		plain, off := strings.CutPrefix(strings.TrimSpace(name), "-")
		switch plain {
		case "all":
			f = AllFeatures
			continue
		case "none", "":
			continue
		}
		for i, n := range featureNames {
			if n == plain {
				if off {
					f &^= 1 << i
				} else {
					f |= 1 << i
				}
				continue names
			}
		}
		return 0, fmt.Errorf("there is no feature %q: there are all, none, %s", plain, strings.Join(featureNames[:], ", "))
	}
	return f, nil
}
