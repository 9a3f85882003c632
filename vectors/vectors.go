// Package vectors runs test vectors: scenarios for a block of RTL, written as text by people who
// need not know Go. A vector is checked without a simulator first. Then it is played to the block's
// model in Go and to its RTL in all simulators. A difference is shown at the cell of the vector in
// which it is.
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
// The format is specified in docs/vectors.md. [Load] and [Parse] read it, and [Format] prints it. A
// [Block] describes a design to this package, and a [Registry] has the designs for which there can
// be vectors. [Registry.Check] finds errors without a simulator, [Registry.Run] runs vectors, and
// [Registry.Test] runs a folder of them as subtests:
//
//	func TestVectors(t *testing.T) {
//		vectors.NewRegistry(debounce.Block).Test(t, vectors.Options{}, "vectors")
//	}
//
// The command is cosimate vectors.
package vectors

// File is a parsed vector. It has the comments, but not the blanks.
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

// Section is a part of a vector, below a line "-- KIND --". Sections are played in their order.
type Section struct {
	Kind  SectionKind
	At    int // the line of its title
	Lines []Line
}

// Line is a line of the header or of a section. Which fields are set depends on where it is.
type Line struct {
	At    int   // the line's number, from 1
	Label *Word // in a table the name of the row's cycle, without the colon; in the header the key
	// Words are the names of columns, the values of a row, the words of a statement, or in the
	// header those after the key.
	Words   []Word
	Bar     *Word  // in a table: values before it are driven, those after it are expected
	Left    int    // how many words are before the bar
	Repeat  *Word  // *N at the end of a row
	Comment string // with its #, or ""
}

// Word is a word of a line.
type Word struct {
	Text   string
	Column int // from 1, in characters
}

// blank reports whether the line is empty but for a comment.
func (l *Line) blank() bool {
	return l.Label == nil && len(l.Words) == 0 && l.Bar == nil && l.Repeat == nil
}

// value returns the header's line of a key, or nil.
func (f *File) value(key string) *Line {
	for i := range f.Header {
		if l := &f.Header[i]; l.Label != nil && l.Label.Text == key {
			return l
		}
	}
	return nil
}

// Title returns the first comment of the header in one line. It says what the scenario is about.
func (f *File) Title() string {
	for _, l := range f.Header {
		if l.Comment != "" && l.blank() {
			return trimComment(l.Comment)
		}
	}
	return ""
}

// Design returns the name of the design in the header, or "".
func (f *File) Design() string {
	if l := f.value("design"); l != nil && len(l.Words) > 0 {
		return l.Words[0].Text
	}
	return ""
}
