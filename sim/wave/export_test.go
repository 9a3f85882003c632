package wave

import "encoding/binary"

// At returns a signal's value in a cycle, for signals of up to 64 bits.
func (s *Signal) At(first, cycle uint64) (bits, unknown uint64) {
	size := len(s.value)
	distances := s.cycles
	at, index := first, -1
	for i := range s.n {
		d, n := binary.Uvarint(distances)
		distances = distances[n:]
		if at += d; at > cycle {
			break
		}
		index = i
	}
	if index < 0 {
		return 0, 0
	}
	plane := func(b []byte) uint64 {
		var word [8]byte
		if b != nil {
			copy(word[:], b[index*size:(index+1)*size])
		}
		return binary.LittleEndian.Uint64(word[:])
	}
	return plane(s.bits), plane(s.unknown)
}
