// Package live is the complete sensing board on a page: a person plays chess with RTL in a
// simulator, and sees what it makes of that.
//
//	cosimate live
//
// serves it. Beneath the page, [Session] is the board with everything around it, for any program:
//
//	s, err := live.Open(ctx, live.Options{})
//	err = s.Carry("e2e4")
//	err = s.Scans(20)
//	v, err := s.View()
//
// The person lifts pieces and puts them down, and the sensors under them bounce; LEDs are as bright
// as the pins have lit them over the last 40 ms; a PC plays over the serial line with the program
// that a real one runs ([host.Session]). Nothing of the board is known but its pins and the signals
// that [Signals] names. The times are scaled or real, see [Times].
package live
