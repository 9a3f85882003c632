package engine

import "math/bits"

// checkers returns the opponent's pieces that give check.
func (b *board) checkers() uint64 {
	king := b.kings & b.own
	if king == 0 {
		return 0
	}
	return b.attackers(bits.TrailingZeros64(king), b.own|b.opp)
}

// attackers returns the opponent's pieces that attack sq on a board occupied so.
func (b *board) attackers(sq int, occupied uint64) uint64 {
	return b.opp & (bishopAttacks(sq, occupied)&b.diag |
		rookAttacks(sq, occupied)&b.orth |
		knightAttacks(sq)&b.knights |
		pawnAttacksUp(1<<(sq&63))&b.pawns |
		kingAttacks(sq)&b.kings)
}

// constrain returns what the own king, on square king, demands of the other
// pieces' moves. Legality is settled here, before any move exists; none is made
// and taken back.
//
//	checkers  the pieces that give check
//	target    where a move must end: anywhere, or on the checker or in its way
//	diagPins  the diagonals, pinners included, on which an own piece is pinned
//	orthPins  the same for ranks and files
//
// An opponent's slider on a line with the king gives check if nothing stands
// between, and pins if one own piece does.
func (b *board) constrain(king int) (checkers, target, diagPins, orthPins uint64) {
	occupied := b.own | b.opp
	between := &betweens[king&63]
	checkers = b.opp & (knightAttacks(king)&b.knights | pawnAttacksUp(1<<(king&63))&b.pawns)
	for s := bishopRays[king&63] & b.diag & b.opp; s != 0; s &= s - 1 {
		line := between[bits.TrailingZeros64(s)&63]
		switch blockers := line & occupied; {
		case blockers == 0:
			checkers |= s & -s
		case blockers&(blockers-1) == 0 && blockers&b.own != 0:
			diagPins |= line | s&-s
		}
	}
	for s := rookRays[king&63] & b.orth & b.opp; s != 0; s &= s - 1 {
		line := between[bits.TrailingZeros64(s)&63]
		switch blockers := line & occupied; {
		case blockers == 0:
			checkers |= s & -s
		case blockers&(blockers-1) == 0 && blockers&b.own != 0:
			orthPins |= line | s&-s
		}
	}
	target = ^b.own
	if checkers != 0 {
		target = between[bits.TrailingZeros64(checkers)&63] | checkers
		if checkers&(checkers-1) != 0 {
			target = 0 // double check: only the king moves
		}
	}
	return checkers, target, diagPins, orthPins
}

// kingMoves returns where the king on square king may step: lines through it
// stay open behind it.
func (b *board) kingMoves(king int) (steps uint64) {
	steps = kingAttacks(king) &^ (b.own | pawnAttacksDown(b.pawns&b.opp) |
		kingAttacks(bits.TrailingZeros64(b.kings&b.opp)))
	if steps == 0 {
		return 0
	}
	occupied := (b.own | b.opp) &^ (1 << (king & 63))
	if r := steps & (steps - 1); r&(r-1) == 0 {
		diag, orth, knights := b.diag&b.opp, b.orth&b.opp, b.knights&b.opp
		var safe uint64
		for ; steps != 0; steps &= steps - 1 {
			sq := bits.TrailingZeros64(steps)
			step := steps & -steps
			if bishopAttacks(sq, occupied)&diag|rookAttacks(sq, occupied)&orth|knightAttacks(sq)&knights != 0 {
				step = 0
			}
			safe |= step
		}
		return safe
	}
	var attacked uint64
	for s := b.knights & b.opp; s != 0; s &= s - 1 {
		attacked |= knightAttacks(bits.TrailingZeros64(s))
	}
	for s := b.diag & b.opp; s != 0; s &= s - 1 {
		attacked |= bishopAttacks(bits.TrailingZeros64(s), occupied)
	}
	for s := b.orth & b.opp; s != 0; s &= s - 1 {
		attacked |= rookAttacks(bits.TrailingZeros64(s), occupied)
	}
	return steps &^ attacked
}

// castlings returns where the king may castle to (FIDE article 3.8.2): nothing
// stands between it and the rook, and the squares it crosses and lands on are
// not attacked. The king is not in check; steps are its ordinary moves.
func (b *board) castlings(steps uint64) (to uint64) {
	const (
		f1, g1       = 1 << 5, 1 << 6
		b1, c1, d1   = 1 << 1, 1 << 2, 1 << 3
		rookA, rookH = 1 << 0, 1 << 7
	)
	occupied := b.own | b.opp
	if b.castling&rookH != 0 && occupied&(f1|g1) == 0 && steps&f1 != 0 && b.attackers(6, occupied) == 0 {
		to |= g1
	}
	if b.castling&rookA != 0 && occupied&(b1|c1|d1) == 0 && steps&d1 != 0 && b.attackers(2, occupied) == 0 {
		to |= c1
	}
	return to
}

// enPassants returns the pawns that may capture en passant. Two pawns leave the
// king's lines at once, so the lines are looked at anew.
func (b *board) enPassants(king int, checkers uint64) (from uint64) {
	if b.ep == 0 {
		return 0
	}
	captured := b.ep >> 8
	if checkers&(b.pawns|b.knights)&^captured != 0 {
		return 0
	}
	for s := pawnAttacksDown(b.ep) & b.pawns & b.own; s != 0; s &= s - 1 {
		occupied := (b.own|b.opp)&^captured&^(s&-s) | b.ep
		if b.opp&(bishopAttacks(king, occupied)&b.diag|rookAttacks(king, occupied)&b.orth) == 0 {
			from |= s & -s
		}
	}
	return from
}

// pawnMoves returns where pawns may go: by single steps, double steps, captures
// towards the a-file and captures towards the h-file.
func (b *board) pawnMoves(target, diagPins, orthPins uint64) (single, double, left, right uint64) {
	pawns := b.pawns & b.own
	free := pawns &^ (diagPins | orthPins)
	empty := ^(b.own | b.opp)
	// A pawn pinned on its file or on a diagonal may move along the pin. It
	// cannot reach another pin's line instead: lines meet only at the king.
	single = (free<<8 | pawns&orthPins<<8&orthPins) & empty
	double = single & rank3 << 8 & empty & target
	single &= target
	enemies := b.opp & target
	diag := pawns & diagPins
	left = (free&^fileA<<7 | diag&^fileA<<7&diagPins) & enemies
	right = (free&^fileH<<9 | diag&^fileH<<9&diagPins) & enemies
	return single, double, left, right
}

// moveSets holds the legal moves of a position as sets: one of destinations for
// each piece, and one for all the pawns that go the same way.
type moveSets struct {
	single, double uint64 // destinations of pawns
	left, right    uint64 // destinations of capturing pawns
	enPassant      uint64 // origins: the destination is known
	castling       uint64 // destinations of the king
	pieces         [maxPieceSets]pieceSet
	n              int
}

// pieceSet holds the moves of one piece other than a pawn; a queen has two.
type pieceSet struct {
	to   uint64
	from int
}

// maxPieceSets is enough for 15 queens and a king, and a power of two for the
// sake of masked indices.
const maxPieceSets = 32

func (s *moveSets) add(from int, to uint64) {
	s.pieces[s.n&(maxPieceSets-1)] = pieceSet{to, from}
	if to != 0 {
		s.n++
	}
}

// moves fills s with the legal moves and reports whether the king is in check.
func (b *board) moves(s *moveSets) (inCheck bool) {
	s.single, s.double, s.left, s.right, s.enPassant, s.castling, s.n = 0, 0, 0, 0, 0, 0, 0
	king := bits.TrailingZeros64(b.kings & b.own)
	if king == 64 {
		return false
	}
	checkers, target, diagPins, orthPins := b.constrain(king)
	steps := b.kingMoves(king)
	s.add(king, steps)
	if target == 0 {
		return true
	}
	occupied := b.own | b.opp
	if b.castling&rank1 != 0 && checkers == 0 {
		s.castling = b.castlings(steps)
	}
	s.enPassant = b.enPassants(king, checkers)
	s.single, s.double, s.left, s.right = b.pawnMoves(target, diagPins, orthPins)
	for f := b.knights & b.own &^ (diagPins | orthPins); f != 0; f &= f - 1 {
		from := bits.TrailingZeros64(f)
		s.add(from, knightAttacks(from)&target)
	}
	for f := b.diag & b.own &^ orthPins; f != 0; f &= f - 1 {
		from := bits.TrailingZeros64(f)
		to := bishopAttacks(from, occupied) & target
		if f&-f&diagPins != 0 {
			to &= diagPins
		}
		s.add(from, to)
	}
	for f := b.orth & b.own &^ diagPins; f != 0; f &= f - 1 {
		from := bits.TrailingZeros64(f)
		to := rookAttacks(from, occupied) & target
		if f&-f&orthPins != 0 {
			to &= orthPins
		}
		s.add(from, to)
	}
	return checkers != 0
}

// AppendMoves appends all legal moves to dst, in an order that depends on the
// position alone. No position has more than 218, so it does not allocate when dst
// has room for 256.
func (p *Position) AppendMoves(dst []Move) []Move {
	var s moveSets
	p.moves(&s)
	return p.appendSets(dst, &s)
}

// AppendCaptures appends the legal captures and promotions to dst: those moves of AppendMoves, in
// the same order.
func (p *Position) AppendCaptures(dst []Move) []Move {
	var s moveSets
	p.moves(&s)
	for i := range s.pieces[:s.n] {
		s.pieces[i].to &= p.opp
	}
	s.castling, s.double = 0, 0
	s.single &= rank8
	return p.appendSets(dst, &s)
}

// appendSets appends the moves of sets.
func (p *Position) appendSets(dst []Move, s *moveSets) []Move {
	for _, set := range s.pieces[:s.n] {
		kind := p.at(1 << set.from)
		for to := set.to; to != 0; to &= to - 1 {
			sq := bits.TrailingZeros64(to)
			dst = append(dst, p.move(kind, set.from, sq))
		}
	}
	for to := s.castling; to != 0; to &= to - 1 {
		m := p.move(King, 4, bits.TrailingZeros64(to))
		m.Castling = true
		dst = append(dst, m)
	}
	for from := s.enPassant; from != 0; from &= from - 1 {
		m := p.move(Pawn, bits.TrailingZeros64(from), bits.TrailingZeros64(p.ep))
		m.Captured, m.EnPassant = Pawn, true
		dst = append(dst, m)
	}
	dst = p.appendPawnMoves(dst, s.single, 8)
	dst = p.appendPawnMoves(dst, s.double, 16)
	dst = p.appendPawnMoves(dst, s.left, 7)
	return p.appendPawnMoves(dst, s.right, 9)
}

// appendPawnMoves appends the moves of pawns that go up by as many squares.
func (p *Position) appendPawnMoves(dst []Move, to uint64, up int) []Move {
	for ; to != 0; to &= to - 1 {
		sq := bits.TrailingZeros64(to)
		m := p.move(Pawn, sq-up, sq)
		if sq < 56 {
			dst = append(dst, m)
			continue
		}
		for k := Queen; k >= Knight; k-- {
			m.Promotion = k
			dst = append(dst, m)
		}
	}
	return dst
}

// move returns a plain move in board coordinates, from view squares.
func (p *Position) move(kind Piece, from, to int) Move {
	m := Move{From: Square(from) ^ p.flip(), To: Square(to) ^ p.flip(), Piece: kind}
	if bit := uint64(1) << to; p.opp&bit != 0 {
		m.Captured = p.at(bit)
	}
	return m
}

// Count returns the number of legal moves without making a list of them.
func (p *Position) Count() int { return p.count() }

// count is moves again with nothing kept but the number: at the leaves of perft
// it is what the time goes into.
func (b *board) count() int {
	king := bits.TrailingZeros64(b.kings & b.own)
	if king == 64 {
		return 0
	}
	checkers, target, diagPins, orthPins := b.constrain(king)
	steps := b.kingMoves(king)
	n := bits.OnesCount64(steps)
	if target == 0 {
		return n
	}
	if b.castling&rank1 != 0 && checkers == 0 {
		n += bits.OnesCount64(b.castlings(steps))
	}
	if b.ep != 0 {
		n += bits.OnesCount64(b.enPassants(king, checkers))
	}
	return n + b.mobility(target, diagPins, orthPins)
}

// mobility returns the number of legal moves of all pieces but the king, en
// passant apart.
func (b *board) mobility(target, diagPins, orthPins uint64) int {
	occupied := b.own | b.opp
	single, double, left, right := b.pawnMoves(target, diagPins, orthPins)
	// Steps end on empty squares, captures do not: their sets do not meet.
	n := bits.OnesCount64(single|left) + bits.OnesCount64(double|right)
	if (single|left|right)&rank8 != 0 {
		n += 3 * (bits.OnesCount64((single|left)&rank8) + bits.OnesCount64(right&rank8))
	}
	for s := b.knights & b.own &^ (diagPins | orthPins); s != 0; s &= s - 1 {
		n += bits.OnesCount64(knightAttacks(bits.TrailingZeros64(s)) & target)
	}
	sliders := b.diag & b.own &^ orthPins
	for s := sliders &^ diagPins; s != 0; s &= s - 1 {
		n += bits.OnesCount64(bishopAttacks(bits.TrailingZeros64(s), occupied) & target)
	}
	for s := sliders & diagPins; s != 0; s &= s - 1 {
		n += bits.OnesCount64(bishopAttacks(bits.TrailingZeros64(s), occupied) & target & diagPins)
	}
	sliders = b.orth & b.own &^ diagPins
	for s := sliders &^ orthPins; s != 0; s &= s - 1 {
		n += bits.OnesCount64(rookAttacks(bits.TrailingZeros64(s), occupied) & target)
	}
	for s := sliders & orthPins; s != 0; s &= s - 1 {
		n += bits.OnesCount64(rookAttacks(bits.TrailingZeros64(s), occupied) & target & orthPins)
	}
	return n
}
