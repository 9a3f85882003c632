// Package vectors runs test vectors: scenarios for a block of RTL, written as text by people who
// need not know Go. A vector is checked hard, played to the block's model in Go and to its RTL in
// all simulators, and what differs is shown at the cell of the vector that it is about.
//
//	# One sample that is off is not seen.
//	design: debounce
//	parameters: HoldCycles=4
//
//	-- cycles --
//	        line_i | clean_o ready_o
//	             0 |       0       - *8
//	glitch:      1 |       0       1
//	             0 |       0       - *8
//
// The format is specified in docs/vectors.md. [Load] and [Parse] read it, [Format] prints it,
// [Registry.Check] finds what is wrong without a simulator, [Registry.Run] runs it, [Registry.Test]
// makes subtests of a folder of vectors. What there can be vectors for is a [Registry]: one [Block]
// of each design. The blocks of rtl/ are in package designs.
//
// The command is cosimate vectors.
package vectors

// File is a vector as it was written: comments are part of it, blanks are not.
type File struct {
	Name     string // path, for messages
	Header   []Line
	Sections []Section

	text []string // its lines, for messages
}

// SectionKind is a kind of section.
type SectionKind string

// The kinds.
const (
	Cycles SectionKind = "cycles" // a table: a row a cycle
	Script SectionKind = "script" // a statement a line
	EPD    SectionKind = "epd"    // a position and its perft counts a line
)

var kinds = []string{string(Cycles), string(Script), string(EPD)}

// Section is a part of a vector, under a line "-- KIND --". Sections are played one after the
// other.
type Section struct {
	Kind  SectionKind
	At    int // the line of its title
	Lines []Line
}

// Line is a line of the header or of a section. Which fields are set depends on where it is.
type Line struct {
	At    int   // its number, from 1
	Label *Word // of a row: a name for its cycle, without the colon; of a header line: the key
	// names of columns, values of a row, words of a statement, what is behind the key
	Words   []Word
	Bar     *Word  // in a table: what stands before it drives, the rest expects
	Left    int    // how many words stand before the bar
	Repeat  *Word  // of a row: *N
	Comment string // with its #; alone if there is nothing else; an empty line has none
}

// Word is a word of a line.
type Word struct {
	Text   string
	Column int // from 1, in characters
}

// blank tells whether there is nothing in the line but perhaps a comment.
func (l *Line) blank() bool {
	return l.Label == nil && len(l.Words) == 0 && l.Bar == nil && l.Repeat == nil
}

// value is what the header says of a key, or nil.
func (f *File) value(key string) *Line {
	for i := range f.Header {
		if l := &f.Header[i]; l.Label != nil && l.Label.Text == key {
			return l
		}
	}
	return nil
}

// Title is the first comment of the header in one line: what the scenario is about.
func (f *File) Title() string {
	for _, l := range f.Header {
		if l.Comment != "" && l.blank() {
			return trimComment(l.Comment)
		}
	}
	return ""
}

// Design is the name in the header, or "".
func (f *File) Design() string {
	if l := f.value("design"); l != nil && len(l.Words) > 0 {
		return l.Words[0].Text
	}
	return ""
}
