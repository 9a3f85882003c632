// Package codes has the codes at the ports of the chess clock: its commands, why it refuses one,
// and times as decimal digits. They also go over the link to the board's host, which needs no
// simulator for them.
package codes

import "fmt"

// Command is a command as cmd_i codes it.
type Command uint8

// The commands.
const (
	CmdSet    Command = iota // a new game, with a time control and an increment
	CmdLoad                  // a side has so much time left
	CmdStart                 // the game begins: the clock of a side runs
	CmdPause                 // no clock runs
	CmdResume                // the clock of the side to move runs again
	CmdAdd                   // a side gets five minutes more
	CmdStop                  // the game is over
)

// Error is why a command was refused, as error_o codes it.
type Error uint8

// The reasons. A refused command changes nothing.
const (
	NoError         Error = iota
	ErrUnknown            // there is no such command
	ErrNotReady           // start: the game has been started
	ErrNotRunning         // pause: no clock runs
	ErrNotPaused          // resume: not paused
	ErrOver               // load, add, stop: the game is over
	ErrBadIncrement       // set: the increment is not two decimal digits
	ErrBadTime            // load: the time is not MM:SS.t, or 0
)

// String returns the reason in words.
func (e Error) String() string {
	words := [...]string{
		"no error", "there is no such command", "the game has been started", "no clock runs", "not paused",
		"the game is over", "the increment is not 00 to 99", "not a time from 00:00.1 to 99:59.9",
	}
	if int(e) < len(words) {
		return words[e]
	}
	return fmt.Sprintf("error %d", e)
}

// Digits is a time as the ports have it: decimal digits MM:SS.t, of 4 bits each.
type Digits uint32

// DigitsOf returns the digits of a time in tenths of seconds, up to 59 999 (99:59.9).
func DigitsOf(tenths int) Digits {
	minutes, seconds := tenths/600, tenths/10%60
	return Digits(minutes/10<<16 | minutes%10<<12 | seconds/10<<8 | seconds%10<<4 | tenths%10)
}

// Tenths returns the time in tenths of seconds.
func (d Digits) Tenths() int {
	return int(d>>16&15)*6000 + int(d>>12&15)*600 + int(d>>8&15)*100 + int(d>>4&15)*10 + int(d&15)
}

// String returns the time as a clock shows it, such as "04:58.3".
func (d Digits) String() string {
	return fmt.Sprintf("%X%X:%X%X.%X", uint32(d>>16&15), uint32(d>>12&15), uint32(d>>8&15), uint32(d>>4&15), uint32(d&15))
}
