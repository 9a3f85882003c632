// Package spelling compares names, to suggest one in place of a name that is not known.
package spelling

// Distance returns how many letters have to be changed, inserted, deleted, or swapped with the next
// letter to make b of a. If these are limit or more, it returns limit.
func Distance(a, b string, limit int) int {
	x, y := []rune(a), []rune(b)
	if len(x)-len(y) >= limit || len(y)-len(x) >= limit {
		return limit
	}
	// Row i has the distances of the first i letters of a from all beginnings of b. Only the last
	// three rows are kept.
	var rows [3][]int
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		now, last, before := rows[i%3], rows[(i+2)%3], rows[(i+1)%3]
		now[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			now[j] = min(last[j]+1, now[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				now[j] = min(now[j], before[j-2]+1)
			}
		}
	}
	return min(limit, rows[len(x)%3][len(y)])
}
