package main

// Faults in the search. One that changes only how much is searched is found by the golden game.
var searchFaults = []fault{
	{
		name: "a null window on the wrong side", file: "engine/search/node.go",
		old: "			value = -w.node(less, ply+1, -alpha-1, -alpha, true, less < deeper || !cut)", new: "			value = -w.node(less, ply+1, -alpha, -alpha+1, true, less < deeper || !cut)",
		test: "./engine/search TestWindowsChangeNothing", says: "with windows",
	},
	{
		name: "a value not negated", file: "engine/search/node.go",
		old: "			value = -w.node(deeper, ply+1, -beta, -alpha, true, !wide && !cut)", new: "			value = w.node(deeper, ply+1, -beta, -alpha, true, !wide && !cut)",
		test: "./engine/search TestMinimax$", says: "minimax",
	},
	{
		name: "a move inside of the window not searched again", file: "engine/search/node.go",
		old: "			if value > alpha && value < beta && !w.halt {", new: "			if value > alpha && value >= beta && !w.halt {",
		test: "./engine/search TestWindowsChangeNothing", says: "with windows",
	},
	{
		name: "a reduced move that turns out good not searched again", file: "engine/search/node.go",
		old: "				if less < deeper {\n					value =", new: "				if less > 64 {\n					value =",
		test: "./engine/search TestReductionsAreVerified", says: "with reductions",
	},
	{
		name: "a reduced move of the root that turns out good not searched again", file: "engine/search/worker.go",
		old: "			if reduction > 0 && value > max(alpha, best) && !w.halt {", new: "			if reduction > 64 && value > max(alpha, best) && !w.halt {",
		test: "./engine/search TestGoldenGame", says: "the search has changed",
	},
	{
		name: "a cutoff at alpha instead of beta", file: "engine/search/node.go",
		old: "				if value >= beta {\n					kind = lower", new: "				if value >= alpha {\n					kind = lower",
		test: "./engine/search TestMinimax$", says: "minimax",
	},
	{
		name: "mate not counted from the root", file: "engine/search/node.go",
		old: "		if check {\n			return ply - Mate\n		}", new: "		if check {\n			return -Mate + 1\n		}",
		test: "./engine/search TestMates$|TestMinimax$", says: "mate in",
	},
	{
		name: "stalemate taken for mate", file: "engine/search/node.go",
		old: "		if check {\n			return ply - Mate\n		}", new: "		if check || ply > 0 {\n			return ply - Mate\n		}",
		test: "./engine/search TestMinimaxDeep", says: "minimax",
	},
	{
		name: "the fifty moves before a mate at the hundredth ply", file: "engine/search/node.go",
		old: "	if fifty && !check {", new: "	if fifty {",
		test: "./engine/search TestFiftyMoves", says: "mate at the hundredth ply",
	},
	{
		name: "the fifty moves not known to the search", file: "engine/search/node.go",
		old: "p.Halfmove() >= 100\n	if fifty", new: "p.Halfmove() >= 32000\n	if fifty",
		test: "./engine/search TestFiftyMoves", says: "no mate before the hundredth ply",
	},
	{
		name: "a check is not searched deeper", file: "engine/search/node.go",
		old: "	if check && on&CheckExtension != 0 {", new: "	if !check && on&CheckExtension != 0 && ply < 3 {",
		test: "./engine/search TestMinimaxOfRules", says: "minimax",
	},
	{
		name: "an upper bound in the table taken for a lower one", file: "engine/search/node.go",
		old: "case known.bound == exact, known.bound == lower && value >= beta,", new: "case known.bound == exact, known.bound != exact && value >= beta,",
		test: "./engine/search TestGoldenGame", says: "the search has changed",
	},
	{
		name: "a table's entry of less depth used", file: "engine/search/node.go",
		old: "int(known.depth) >= depth && p.Halfmove() < 90", new: "int(known.depth) >= depth-1 && p.Halfmove() < 90",
		test: "./engine/search TestTableHoldsBounds", says: "minimax",
	},
	{
		name: "a lower bound stored as exact", file: "engine/search/node.go",
		old: "					kind = lower\n", new: "					kind = exact\n",
		test: "./engine/search TestTableHoldsBounds", says: "minimax",
	},
	{
		name: "an upper bound stored as exact", file: "engine/search/node.go",
		old: "packedMove(0), upper", new: "packedMove(0), exact",
		test: "./engine/search TestTableHoldsBounds", says: "--- FAIL",
	},
	{
		name: "killers of another branch kept", file: "engine/search/node.go",
		old: "	w.stack[ply+1].killers = [2]packedMove{}\n", new: "",
		test: "./engine/search TestGoldenGame", says: "the search has changed",
	},
	{
		name: "mates in the table not counted from the position", file: "engine/search/quiesce.go",
		old: "		value += ply\n", new: "		value -= ply\n",
		test: "./engine/search TestTableMates", says: "is stored as",
	},
	{
		name: "mates from the table not counted from the root", file: "engine/search/quiesce.go",
		old: "		v -= ply\n", new: "",
		test: "./engine/search TestTableMates", says: "is read as",
	},
	{
		name: "standing pat in check", file: "engine/search/quiesce.go",
		old: "	if !check {\n		f.static", new: "	if !check || true {\n		f.static",
		test: "./engine/search TestMinimaxOfRules", says: "minimax",
	},
	{
		name: "only captures out of check", file: "engine/search/quiesce.go",
		old: "	if check || checking {", new: "	if checking {",
		test: "./engine/search TestMinimaxOfRules", says: "minimax",
	},
	{
		name: "a capture's value not negated", file: "engine/search/quiesce.go",
		old: "		value := -w.quiesce(ply+1, since+1, -beta, -alpha", new: "		value := w.quiesce(ply+1, since+1, -beta, -alpha",
		test: "./engine/search TestMinimaxOfRules", says: "minimax",
	},
	{
		name: "repetitions not seen among captures", file: "engine/search/quiesce.go",
		old: "	if on&Repetition != 0 && w.repeated(p) {", new: "	if on&Repetition != 0 && since > 0 && w.repeated(p) {",
		test: "./engine/search TestRepetitionOfTheGame", says: "want",
	},
	{
		name: "quiet moves of quiescence that give no check", file: "engine/search/quiesce.go",
		old: "			if !quiet(m) || checks(p, m) {", new: "			if !quiet(m) || m.Piece != engine.Pawn {",
		test: "./engine/search TestGoldenGame", says: "the search has changed",
	},
	{
		name: "a null move in check", file: "engine/search/node.go",
		old:  "	if !wide && !check && f.excluded == 0 && beta",
		new:  "	if check {\n		eval = w.e.o.Evaluate(p)\n		f.static = eval\n	}\n	if !wide && f.excluded == 0 && beta",
		test: "./engine/search TestMovesAreAllowed", says: "a null move in check",
	},
	{
		name: "a null move with pawns only", file: "engine/search/prune.go",
		old: " || eval < beta || !pieces(p) {", new: " || eval < beta {",
		test: "./engine/search TestMovesAreAllowed", says: "any move may harm",
	},
	{
		name: "a null move not taken back", file: "engine/search/prune.go",
		old: "	w.unmake()\n	if w.halt || value < beta {", new: "	if value < beta || w.halt {\n		w.unmake()\n	}\n	if w.halt || value < beta {",
		test: "./engine/search TestMovesAreAllowed", says: "--- FAIL",
	},
	{
		name: "quiet moves pruned too soon", file: "engine/search/prune.go",
		old: "	n := 3 + depth*depth\n", new: "	n := 1 + depth*depth/2\n",
		test: "./engine/search TestGoldenGame", says: "the search has changed",
	},
	{
		name: "an iteration that another thread has completed not left", file: "engine/search/worker.go",
		old: "	if w.e.stop.Load() || int(w.e.found.depth.Load()) >= w.depth {", new: "	if w.e.stop.Load() {",
		test: "./engine/search TestThreadsShare", says: "in an iteration that another thread has completed",
	},
	{
		name: "a thread that is late does not take over what is known of the root's moves", file: "engine/search/deepen.go",
		old: "	w.e.found.join(w)\n", new: "",
		test: "./engine/search TestThreadLate", says: "it begins with",
	},
	{
		name: "a thread that was ahead puts an older best move over a newer one", file: "engine/search/deepen.go",
		old: "best != w.first && ", new: "",
		test: "./engine/search TestThreadAhead", says: "was found best",
	},
	{
		name: "what another thread has found of the root's moves not taken over", file: "engine/search/deepen.go",
		old: "		w.root, w.halt = copyRoot(w.root, f.root), false", new: "		w.halt = false",
		test: "./engine/search TestThreadsShare", says: "and the other thread has found",
	},
	{
		name: "a repetition of two plies looked for only", file: "engine/search/worker.go",
		old: "	for i, far := last-4, max(0, last-p.Halfmove()); i >= far; i -= 2 {", new: "	for i, far := last-6, max(0, last-p.Halfmove()); i >= far; i -= 2 {",
		test: "./engine/search TestMinimaxOfRules|TestRepetition", says: "value",
	},
	{
		name: "a position of the game before taken for a repetition", file: "engine/search/worker.go",
		old: "			if i >= w.rootKeys-1 {", new: "			if i >= 0 {",
		test: "./engine/search TestRepetitionOfTheGame", says: "want",
	},
	{
		name: "a third occurrence not counted", file: "engine/search/worker.go",
		old: "before == 2 {", new: "before == 3 {",
		test: "./engine/search TestMinimaxOfRules|TestRepetition", says: "value",
	},
	{
		name: "a value below the window taken for it", file: "engine/search/worker.go",
		old: "		case value <= alpha && alpha > -infinite:", new: "		case value < alpha-99 && alpha > -infinite:",
		test: "./engine/search TestWindowsChangeNothing", says: "with windows",
	},
	{
		name: "a value above the window taken for it", file: "engine/search/worker.go",
		old: "		case value >= beta && beta < infinite:", new: "		case value > beta+99 && beta < infinite:",
		test: "./engine/search TestWindowsChangeNothing", says: "with windows",
	},
	{
		name: "root moves compared with the worst", file: "engine/search/worker.go",
		old: "		if value > best && (i == rank || value > alpha) {", new: "		if i == rank || value > alpha {",
		test: "./engine/search TestMinimax$", says: "minimax",
	},
	{
		name: "an entry of another position believed", file: "engine/search/table.go",
		old: "		if b[i].check.Load()^data == key && data != 0 {", new: "		if (b[i].check.Load()^data^key)&3 == 0 && data != 0 {",
		test: "./engine/search TestTable$", says: "of a position that was not stored",
	},
	{
		name: "a shallow bound in the place of a deep one", file: "engine/search/table.go",
		old: "old.depth > e.depth+3 {", new: "old.depth > e.depth+99 {",
		test: "./engine/search TestTable$", says: "in the place of one of depth 9",
	},
	{
		name: "entries of older searches kept", file: "engine/search/table.go",
		old: "int(old.depth) - 8*int((t.age-old.age)&63)", new: "int(old.depth)",
		test: "./engine/search TestTable$", says: "what an older search has left",
	},
	{
		name: "the rook of castling not in the key", file: "engine/search/hash.go",
		old: "		key ^= own[engine.Rook][m.To-2] ^ own[engine.Rook][m.To+1]", new: "		key ^= own[engine.Rook][m.To-2]",
		test: "./engine/search TestKeyIsKept", says: "the pieces' key is not kept",
	},
	{
		name: "en passant in the key without a capture", file: "engine/search/hash.go",
		old: "			if m.EnPassant {", new: "			if m.EnPassant || true {",
		test: "./engine/search TestKeyEnPassant", says: "same key",
	},
	{
		name: "an exchange in which a piece behind does not follow", file: "engine/search/exchange.go",
		old: "			attackers |= engine.Attacks(engine.Rook, m.To, occupied) & orthogonal", new: "			attackers |= 0",
		test: "./engine/search TestWins", says: "does not gain just",
	},
	{
		name: "the king does not recapture", file: "engine/search/exchange.go",
		old: "		if least == engine.King && attackers&sides[side.Other()] != 0 {", new: "		if least == engine.King {",
		test: "./engine/search TestWins", says: "does not gain just",
	},
	{
		name: "refuting moves lose their history", file: "engine/search/history.go",
		old: "		w.reward(ply, side, m, bonus)\n", new: "		w.reward(ply, side, m, -bonus)\n",
		test: "./engine/search TestGoldenGame", says: "the search has changed",
	},
	{
		name: "the captures of least worth first", file: "engine/search/order.go",
		old: "int32(m.Captured)<<10 - int32(m.Piece)", new: "int32(m.Piece) - int32(m.Captured)<<10",
		test: "./engine/search TestFeaturesSaveNodes", says: "victim-order saves no nodes",
	},
	{
		name: "a bare king driven to the wrong corner", file: "engine/search/evaluate.go",
		old: "		if bishops&darkSquares == 0 {", new: "		if bishops&darkSquares != 0 {",
		test: "./engine/search TestEndgames", says: "KBNK",
	},
	{
		name: "an endgame's value for the wrong side", file: "engine/search/evaluate.go",
		old: "	if strong != p.SideToMove() {", new: "	if strong == p.SideToMove() {",
		test: "./engine/search TestEndgames", says: "plies",
	},
	{
		name: "the terms of Black counted for White", file: "engine/search/evaluate.go",
		old: "		end -= int(w.End)\n", new: "		end += int(w.End)\n",
		test: "./engine/search TestEvaluateIsSymmetric", says: "mirrored",
	},
	{
		name: "a capture of little worth that mates left out", file: "engine/search/quiesce.go",
		old: "+180 <= alpha && !checks(p, m) {", new: "+180 <= alpha {",
		test: "./engine/search TestMatesByCaptures", says: "a mate by capturing a pawn",
	},
	{
		name: "the next node of a cut node expected to cut too", file: "engine/search/node.go",
		old: "-beta, -alpha, true, !wide && !cut)", new: "-beta, -alpha, true, !wide)",
		test: "./engine/search TestGoldenGame", says: "the search has changed",
	},
	{
		name: "captures that refute lose their history", file: "engine/search/history.go",
		old: "		learn(w.captureHistory(side, m), bonus)\n", new: "		learn(w.captureHistory(side, m), -bonus)\n",
		test: "./engine/search TestGoldenGame", says: "the search has changed",
	},
	{
		name: "a history without bounds", file: "engine/search/history.go",
		old: "	*h += int16(bonus - int32(*h)*max(bonus, -bonus)/historyMost)", new: "	*h += int16(bonus - int32(*h)*bonus/historyMost)",
		test: "./engine/search TestHistoryIsBounded", says: "a history of",
	},
	{
		name: "the history of later moves of a side learnt by the other", file: "engine/search/history.go",
		old: "if r := w.stack[before].sequel; r != nil {\n				learn(", new: "if r := w.stack[before].reply; r != nil {\n				learn(",
		test: "./engine/search TestGoldenGame", says: "the search has changed",
	},
	{
		name: "values corrected the wrong way", file: "engine/search/correct.go",
		old: "	return value + sum/correctionScale", new: "	return value - sum/correctionScale",
		test: "./engine/search TestCorrection", says: "after searches that found",
	},
	{
		name: "the value of another position taken for one's own", file: "engine/search/correct.go",
		old: "	if *slot>>evaluationBits == key>>evaluationBits {", new: "	if *slot != 0 {",
		test: "./engine/search TestEvaluationsAreKept", says: "kept as",
	},
	{
		name: "what was on the line that is expected forgotten", file: "engine/search/table.go",
		old: "x>>48&1 != 0}", new: "x>>49&1 != 0}",
		test: "./engine/search TestTable$", says: "want",
	},
	{
		name: "razoring of positions that are good", file: "engine/search/prune.go",
		old: "eval < alpha-180-120*depth*depth {", new: "eval < alpha+180+120*depth*depth {",
		test: "./engine/search TestGoldenGame", says: "the search has changed",
	},
	{
		name: "a capture far above beta looked for below it", file: "engine/search/prune.go",
		old: "	least := beta + 110\n", new: "	least := beta - 110\n",
		test: "./engine/search TestGoldenGame", says: "the search has changed",
	},
	{
		name: "a null move without a margin", file: "engine/search/prune.go",
		old: "		if f.static < beta+margin {", new: "		if f.static < beta-margin {",
		test: "./engine/search TestGoldenGame", says: "the search has changed",
	},
	{
		name: "captures left out with late quiet moves", file: "engine/search/node.go",
		old: "func(x scored) bool { return quiet(x.move) })", new: "func(x scored) bool { return true })",
		test: "./engine/search TestGoldenGame", says: "the search has changed",
	},
	{
		name: "a move that is better than all others not searched deeper", file: "engine/search/node.go",
		old: "			deeper += extension\n", new: "			deeper += min(extension, 0)\n",
		test: "./engine/search TestGoldenGame", says: "the search has changed",
	},
	{
		name: "moves reduced more where the side gets better", file: "engine/search/node.go",
		old: "	if !s.improving {\n		r += ply1", new: "	if s.improving {\n		r += ply1",
		test: "./engine/search TestGoldenGame", says: "the search has changed",
	},
	{
		name: "attacks before the tables are filled", file: "engine/attack.go",
		old: "occupied uint64) uint64 {\n	loadTables()\n", new: "occupied uint64) uint64 {\n",
		test: "./engine TestAttacksFirst", says: "a knight on a1 attacks 0x0",
	},
	{
		name: "most moves: a king left in check", file: "engine/mobility/pieces.go",
		old: "	if checking == 0 {", new: "	if true {",
		test: "./engine/mobility TestShield", says: "moves with shields",
	},
	{
		name: "most moves: a bound that is too low", file: "engine/mobility/pieces.go",
		old: "left[i:min(i+more, n)]", new: "left[i:min(i+more-1, n)]",
		test: "./engine/mobility TestMost", says: "have up to",
	},
	{
		name: "most moves: captures of pawns counted at the edge's other side", file: "engine/mobility/pawns.go",
		old: "files<<1&0xff&front", new: "files<<1&0x1ff&(front|front<<8)",
		test: "./engine/mobility TestMost", says: "pawn",
	},
}
