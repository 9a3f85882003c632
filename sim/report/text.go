package report

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"
)

// Text returns the report as text: what happened, the table of the outputs, the words of wide
// outputs and the squares of grids that differ, the note, the waveform, the last transactions, and
// the command that repeats it. With colour it has the escape sequences of a terminal; the rest is
// the same.
func (f *Failure) Text(colour bool) string { return f.text(palette{colour}, inTerminal) }

// inTerminal is how many transactions a person wants to see in a terminal. Report.txt has all.
const inTerminal = 8

// text is [Failure.Text] with at most so many transactions, and those that are wrong.
func (f *Failure) text(p palette, transactions int) string {
	var b strings.Builder
	title := f.Title()
	if at := strings.Index(title, " in cycle "); at > 0 {
		title = p.title(title[:at]) + title[at:]
	}
	fmt.Fprintln(&b, title)
	if more := f.more(); more != "" {
		fmt.Fprintf(&b, "%s\n", more)
	}
	f.table(&b, p)
	f.words(&b, p)
	f.grids(&b, p)
	if note := clean(f.Note); note != "" {
		fmt.Fprintf(&b, "\n%s\n", note)
	}
	if w := f.wave(); len(w.Cycles) > 0 {
		fmt.Fprintln(&b)
		w.text(&b, p)
	}
	f.listTransactions(&b, p, transactions)
	fmt.Fprintf(&b, "\nseed %d", f.Seed)
	if again := clean(f.Reproduce); again != "" {
		fmt.Fprintf(&b, "; again: %s", again)
	}
	fmt.Fprintln(&b)
	f.fileList(&b)
	return b.String()
}

// palette returns texts in colours, or as they are.
type palette struct{ on bool }

func (p palette) paint(code, text string) string {
	blank := strings.TrimRight(text, " ")
	if !p.on || blank == "" {
		return text
	}
	return "\x1b[" + code + "m" + blank + "\x1b[0m" + text[len(blank):]
}

func (p palette) title(s string) string { return p.paint("1", s) }    // bold
func (p palette) dim(s string) string   { return p.paint("2", s) }    // faint
func (p palette) bad(s string) string   { return p.paint("1;31", s) } // bold red
func (p palette) good(s string) string  { return p.paint("32", s) }   // green

// pad adds blanks to a text up to width characters: on the left, or on the right if width is
// negative.
func pad(text string, width int) string {
	n := utf8.RuneCountInString(text)
	if width < 0 {
		return text + strings.Repeat(" ", max(0, -width-n))
	}
	return strings.Repeat(" ", max(0, width-n)) + text
}

// cell is a cell of a table. It is coloured after it is padded.
type cell struct {
	text  string
	paint func(string) string // nil: as it is
}

// align writes rows of cells, with two blanks between columns. The first and the last column are
// aligned to the left, the others to the right.
func align(b *strings.Builder, indent string, rows [][]cell) {
	var width []int
	for _, r := range rows {
		for i, c := range r {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], utf8.RuneCountInString(c.text))
		}
	}
	for _, r := range rows {
		line := indent
		for i, c := range r {
			n := width[i]
			switch i {
			case 0:
				n = -n
			case len(r) - 1:
				n = 0
			}
			text := pad(c.text, n)
			if c.paint != nil {
				blanks := len(text) - len(strings.TrimLeft(text, " "))
				text = text[:blanks] + c.paint(text[blanks:])
			}
			if i > 0 {
				line += "  "
			}
			line += text
		}
		fmt.Fprintln(b, strings.TrimRight(line, " "))
	}
}

// inTable is how many characters a value may have in the table: 128 bits in hexadecimal.
const inTable = 32

// table prints a line for each output: the expected value, the simulators' values, and the bits
// that differ. Outputs that do not differ are shown, too.
func (f *Failure) table(b *strings.Builder, colour palette) {
	if len(f.Ports) == 0 {
		return
	}
	header := []cell{{text: "  output"}}
	for _, c := range f.Columns {
		header = append(header, cell{text: cleanLine(c)})
	}
	header = append(header, cell{text: "differing bits"})
	for i := range header {
		header[i].paint = colour.dim
	}
	rows := [][]cell{header}
	for i := range f.Ports {
		p := &f.Ports[i]
		row := []cell{{text: "  " + cleanLine(p.Name)}}
		if p.differs() {
			row[0] = cell{"> " + cleanLine(p.Name), colour.bad}
		}
		for c := range f.Columns {
			value := cell{text: shorten(cleanLine(p.Text(p.value(c))), inTable)}
			switch {
			case p.Differ(c).Sign() != 0:
				value.paint = colour.bad
			case p.differs():
				value.paint = colour.good
			}
			row = append(row, value)
		}
		rows = append(rows, append(row, cell{text: p.remark(f.Columns)}))
	}
	fmt.Fprintln(b)
	align(b, "", rows)
}

// remark returns the text in the last column of the table.
func (p *Port) remark(columns []string) string {
	if p.differs() {
		return p.where(columns)
	}
	if low(p.Ignored, p.width()).Sign() != 0 {
		return "(don't care)"
	}
	return ""
}

// word is a piece of 64 bits of a wide port.
type word struct {
	span    string
	values  []string // one for each column
	differs []bool
	bits    string // the bits that differ
}

// wideWords returns the first words that differ of a port that is too wide for the table, highest
// first, and how many more differ.
func (f *Failure) wideWords(p *Port) (words []word, more int) {
	const shown = 8
	if p.width() <= 4*inTable || !p.differs() {
		return nil, 0
	}
	union := p.union()
	for at := (p.width() - 1) / 64 * 64; at >= 0; at -= 64 {
		width := min(64, p.width()-at)
		piece := func(x *big.Int) *big.Int { return low(new(big.Int).Rsh(x, uint(at)), width) }
		differing := piece(union)
		if differing.Sign() == 0 {
			continue
		}
		if len(words) == shown {
			more++
			continue
		}
		w := word{span: fmt.Sprintf("[%d:%d]", at+width-1, at), bits: bitList(differing.Lsh(differing, uint(at)))}
		for c := range f.Columns {
			text := "-"
			if bits, unknown := p.fit(p.value(c)); bits != nil {
				text = digits(piece(bits), piece(unknown), width, 4)
			}
			w.values = append(w.values, text)
			w.differs = append(w.differs, piece(p.Differ(c)).Sign() != 0)
		}
		words = append(words, w)
	}
	return words, more
}

// words prints the words of wide ports that differ.
func (f *Failure) words(b *strings.Builder, colour palette) {
	for i := range f.Ports {
		p := &f.Ports[i]
		words, more := f.wideWords(p)
		if words == nil {
			continue
		}
		rows := [][]cell{{{text: "word", paint: colour.dim}}}
		for _, c := range f.Columns {
			rows[0] = append(rows[0], cell{cleanLine(c), colour.dim})
		}
		rows[0] = append(rows[0], cell{"differing bits", colour.dim})
		for _, w := range words {
			row := []cell{{text: w.span}}
			for c, text := range w.values {
				paint := colour.good
				if w.differs[c] {
					paint = colour.bad
				}
				row = append(row, cell{text, paint})
			}
			rows = append(rows, append(row, cell{text: w.bits}))
		}
		fmt.Fprintf(b, "\nwords of %s that differ:\n", cleanLine(p.Name))
		align(b, "  ", rows)
		if more > 0 {
			fmt.Fprintf(b, "  and %d more\n", more)
		}
	}
}

// square is one bit of a grid.
type square struct {
	bit     int
	mark    string // # set, . clear, x or z unknown, - not compared, ? no value
	differs bool
}

// squares returns a column's bits as 8 rows, the top one (bits 56 to 63) first. In the reference,
// squares that differ in any column are marked.
func (p *Port) squares(column int) (rows [8][8]square) {
	differ := p.Differ(column)
	if column == 0 {
		differ = p.union()
	}
	bits, unknown := p.fit(p.value(column))
	for bit := range 64 {
		s := square{bit: bit, mark: ".", differs: differ.Bit(bit) == 1}
		switch {
		case bits == nil:
			s.mark = "?"
		case column == 0 && low(p.Ignored, 64).Bit(bit) == 1:
			s.mark = "-"
		case unknown.Bit(bit) == 1:
			s.mark = [2]string{"x", "z"}[bits.Bit(bit)]
		case bits.Bit(bit) == 1:
			s.mark = "#"
		}
		rows[7-bit/8][bit%8] = s
	}
	return rows
}

// squareNames returns the names of the squares that differ, as on a chess board: a letter for the
// column from the left and a number for the row from the bottom.
func (p *Port) squareNames() string {
	var names []string
	union := p.union()
	for bit := range 64 {
		if union.Bit(bit) == 0 {
			continue
		}
		if len(names) == 8 {
			names = append(names, "...")
			break
		}
		names = append(names, fmt.Sprintf("%c%d (bit %d)", 'a'+bit%8, bit/8+1, bit))
	}
	return strings.Join(names, ", ")
}

// grids draws the grids that differ, one beside the other for the columns of values.
func (f *Failure) grids(b *strings.Builder, colour palette) {
	for i := range f.Ports {
		p := &f.Ports[i]
		if !p.grid() || !p.differs() {
			continue
		}
		fmt.Fprintf(b, "\n%s as a grid, differing in %s\n\n", cleanLine(p.Name), p.squareNames())
		lines := make([]string, 10)
		for c, name := range f.Columns {
			name = shorten(cleanLine(name), 25)
			lines[0] += colour.dim(pad("    "+name, -30))
			for r, row := range p.squares(c) {
				line := fmt.Sprintf("  %d ", 8-r)
				for _, s := range row {
					switch {
					case s.differs && c == 0:
						line += "[" + colour.good(s.mark) + "]"
					case s.differs:
						line += "[" + colour.bad(s.mark) + "]"
					default:
						line += " " + s.mark + " "
					}
				}
				lines[r+1] += line + "  "
			}
			lines[9] += pad("     a  b  c  d  e  f  g  h", -30)
		}
		for _, l := range lines {
			fmt.Fprintln(b, strings.TrimRight(l, " "))
		}
	}
}

// listTransactions prints the last transactions, at most so many, and those that are wrong.
func (f *Failure) listTransactions(b *strings.Builder, colour palette, most int) {
	var rows [][]cell
	for i, t := range f.Transactions {
		if i < len(f.Transactions)-most && !t.Bad {
			continue
		}
		cycles := fmt.Sprint(t.From)
		if t.To != t.From {
			cycles += fmt.Sprintf("-%d", t.To)
		}
		row := []cell{{text: "  " + cleanLine(t.Who)}, {text: cycles}, {text: cleanLine(t.What)}}
		if t.Bad {
			row[0].text = "> " + cleanLine(t.Who)
			row[0].paint, row[2].paint = colour.bad, colour.bad
		}
		rows = append(rows, row)
	}
	if rows == nil {
		return
	}
	all := ""
	if n := len(f.Transactions); n > len(rows) {
		all = fmt.Sprintf(", %d of %d", len(rows), n)
	}
	fmt.Fprintf(b, "\nlast transactions%s:\n", all)
	align(b, "", append([][]cell{{{"  by", colour.dim}, {"cycles", colour.dim}, {"what", colour.dim}}}, rows...))
}

// fileList names the files of the report.
func (f *Failure) fileList(b *strings.Builder) {
	rows := [][]cell{}
	for _, file := range f.allFiles() {
		rows = append(rows, []cell{{text: cleanLine(file.Path)}, {text: cleanLine(file.About)}})
	}
	if len(rows) > 0 {
		fmt.Fprintln(b, "files:")
		align(b, "  ", rows)
	}
}

// allFiles returns the files with the FST.
func (f *Failure) allFiles() []File {
	if f.FST == "" {
		return f.Files
	}
	return append(slices.Clone(f.Files), File{f.FST, "all signals of the module, for GTKWave or another viewer"})
}
