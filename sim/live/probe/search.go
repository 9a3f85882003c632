package probe

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Found is what a search has found.
type Found struct {
	Signals []string `json:"signals"`
	More    int      `json:"more"` // that are not listed
}

// found are how many signals a search returns.
const found = 50

// Search returns the signals whose names have all words of a query in them, but for those that are
// watched already. Those that have the query as their name come first.
func Search(signals, watched []string, query string) Found {
	query = strings.ToLower(strings.TrimSpace(query))
	words := strings.Fields(query)
	result := Found{Signals: []string{}}
	var last []string
	for _, s := range signals {
		low := strings.ToLower(s)
		if slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(low, w) }) || slices.Contains(watched, s) {
			continue
		}
		if low == query || strings.HasSuffix(low, "."+query) {
			result.Signals = append(result.Signals, s)
		} else {
			last = append(last, s)
		}
	}
	slices.SortStableFunc(result.Signals, func(a, b string) int { return cmp.Compare(strings.Count(a, "."), strings.Count(b, ".")) })
	all := append(result.Signals, last...)
	result.Signals = all[:min(found, len(all))]
	result.More = len(all) - len(result.Signals)
	return result
}

// wordOf matches the name of a word of a memory.
var wordOf = regexp.MustCompile(`^(.+?)(\[-?\d+\])+$`)

// Whole returns the name of the signal that a model must have for a name to be read: for a word of
// a memory, u_fifo.mem[3], that of the memory.
func Whole(signals []string, name string) string {
	if m := wordOf.FindStringSubmatch(name); m != nil && !slices.Contains(signals, name) {
		return m[1]
	}
	return name
}

// Most is how many signals can be watched at a time.
const Most = 64
