package guide

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// text is a Markdown file without its blocks.
func text(t *testing.T, file string) []string {
	lines := strings.Split(read(t, file), "\n")
	for _, b := range blocks(lines) {
		for i := b.first; i <= b.last; i++ {
			lines[i] = ""
		}
	}
	return lines
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`^#+ (.*)`)
	unsaid  = regexp.MustCompile("[^a-z0-9 _-]")
)

// anchors are the names of a file's headings, as GitHub makes them.
func anchors(t *testing.T, file string) map[string]bool {
	all := map[string]bool{}
	for _, line := range text(t, file) {
		if m := heading.FindStringSubmatch(line); m != nil {
			all[strings.ReplaceAll(unsaid.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")] = true
		}
	}
	return all
}

// Every link to a file of the module, and to a heading in it, leads there.
func TestLinks(t *testing.T) {
	for _, file := range markdown(t) {
		for i, line := range text(t, file) {
			for _, m := range link.FindAllStringSubmatch(line, -1) {
				target, anchor, _ := strings.Cut(m[1], "#")
				if strings.Contains(target, "://") {
					continue
				}
				to := file
				if target != "" {
					to = filepath.Join(filepath.Dir(file), target)
				}
				info, err := os.Stat(filepath.Join(root, to))
				if err != nil || anchor != "" && info.IsDir() {
					t.Errorf("%s:%d: %s: there is no such file", file, i+1, m[1])
				} else if anchor != "" && !anchors(t, to)[anchor] {
					t.Errorf("%s:%d: %s: there is no such heading", file, i+1, m[1])
				}
			}
		}
	}
}

var (
	mhz   = regexp.MustCompile(`routed clock \| \**([0-9.]+) MHz`)
	slice = regexp.MustCompile(`slice LUTs after routing \| \**([0-9]+)`)
)

// A chapter that names its report says the clock and the size that are in it.
func TestPlaced(t *testing.T) {
	reports, err := filepath.Glob(filepath.Join(root, "docs/pnr/*.md"))
	if err != nil || len(reports) == 0 {
		t.Fatalf("%d reports: %v", len(reports), err)
	}
	for _, name := range reports {
		block := strings.TrimSuffix(filepath.Base(name), ".md")
		report := read(t, "docs/pnr/"+block+".md")
		clock, luts := mhz.FindStringSubmatch(report), slice.FindStringSubmatch(report)
		if clock == nil || luts == nil {
			t.Errorf("docs/pnr/%s.md has no clock or no slice LUTs", block)
			continue
		}
		f, err := strconv.ParseFloat(clock[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		file := "rtl/" + block + "/README.md"
		chapter := spaced(strings.Join(text(t, file), " "))
		if !strings.Contains(chapter, "scripts/pnr "+block) {
			continue
		}
		said := false
		for _, digits := range []int{0, 1, 2} {
			said = said || strings.Contains(chapter, strconv.FormatFloat(f, 'f', digits, 64)+" MHz")
		}
		if !said {
			t.Errorf("%s does not say the routed clock of its report, %s MHz", file, clock[1])
		}
		n, err := strconv.Atoi(luts[1])
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(chapter, fmt.Sprintf("%d slice LUTs", n)) && !strings.Contains(chapter, fmt.Sprintf("%d %03d slice LUTs", n/1000, n%1000)) &&
			!strings.Contains(chapter, fmt.Sprintf("%d %03d of its", n/1000, n%1000)) {
			t.Errorf("%s does not say the slice LUTs of its report, %d", file, n)
		}
	}
}

// What chapters say of cycles and reads is what cosimate paper prints, in the console of
// rtl/README.md.
func TestMeasured(t *testing.T) {
	number := regexp.MustCompile(`[0-9]+(?:\.[0-9]+)?`)
	printed := map[string]string{} // by a row's first words: all that the tables say of it
	for _, line := range strings.Split(read(t, "rtl/README.md"), "\n") {
		for _, name := range []string{"Petrovic", "Deep Blue - Kasparov", "middle game (stand-in)", "endgame (stand-in)", "start position      5", "Kiwipete            5"} {
			if row, ok := strings.CutPrefix(line, name); ok {
				printed[name] += " " + spaced(row) + " "
			}
		}
	}
	for _, c := range []struct{ file, row, name string }{
		{"rtl/core/README.md", "| 1, Petrovic |", "Petrovic"},
		{"rtl/core/README.md", "| 2, Deep Blue - Kasparov |", "Deep Blue - Kasparov"},
		{"rtl/core/README.md", "| 3, middle game (stand-in) |", "middle game (stand-in)"},
		{"rtl/core/README.md", "| 4, endgame (stand-in) |", "endgame (stand-in)"},
		{"rtl/burst/README.md", "| Petrovic |", "Petrovic"},
		{"rtl/burst/README.md", "| Deep Blue - Kasparov |", "Deep Blue - Kasparov"},
		{"rtl/burst/README.md", "| middle game (stand-in) |", "middle game (stand-in)"},
		{"rtl/burst/README.md", "| endgame (stand-in) |", "endgame (stand-in)"},
		{"rtl/perftengine/README.md", "| start | 5 |", "start position      5"},
		{"rtl/perftengine/README.md", "| Kiwipete | 5 |", "Kiwipete            5"},
	} {
		i := strings.Index(read(t, c.file), c.row)
		if i < 0 || printed[c.name] == "" {
			t.Errorf("%s has no row %s, or rtl/README.md has none of %s", c.file, c.row, c.name)
			continue
		}
		row, _, _ := strings.Cut(read(t, c.file)[i+len(c.row):], "\n")
		if c.file == "rtl/burst/README.md" { // moves, and the cycles of the last
			row = strings.Join(strings.Split(row, "|")[:2], "|")
		}
		if c.file == "rtl/perftengine/README.md" { // cycles
			row = strings.ReplaceAll(strings.Split(row, "|")[0], " ", "")
		}
		for _, n := range number.FindAllString(row, -1) {
			if !strings.Contains(printed[c.name], " "+n+" ") {
				t.Errorf("%s: %s says %s, which cosimate paper does not:%s", c.file, c.row, n, printed[c.name])
			}
		}
	}
}

// The map, and what else is said of the module as a whole, names files and packages that there are.
func TestPaths(t *testing.T) {
	// A file with a folder; or a package in the map's first column.
	path := regexp.MustCompile(`(?:^|[\s(` + "`" + `])((?:[a-z0-9_]+/)+[A-Za-z0-9_.-]+\.(?:go|sv|svh|c|h|cpp|list|svg|txt))\b`)
	for _, file := range []string{"CONTRIBUTING.md", "docs/ARCHITECTURE.md", "docs/ASSUMPTIONS.md", "docs/RATIONALE.md"} {
		for i, line := range strings.Split(read(t, file), "\n") {
			for _, m := range path.FindAllStringSubmatch(line, -1) {
				if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
					t.Errorf("%s:%d: there is no %s", file, i+1, m[1])
				}
			}
		}
	}
	lines := strings.Split(read(t, "docs/ARCHITECTURE.md"), "\n")
	tree := blocks(lines)[0]
	for i := tree.first + 1; i < tree.last; i++ {
		names, _, _ := strings.Cut(strings.TrimSpace(lines[i]), "  ")
		for name := range strings.SplitSeq(names, ", ") {
			if info, err := os.Stat(filepath.Join(root, name)); regexp.MustCompile(`^[a-z0-9/]+$`).MatchString(name) && (err != nil || !info.IsDir()) {
				t.Errorf("docs/ARCHITECTURE.md:%d: there is no package %s", i+1, name)
			}
		}
	}
}
