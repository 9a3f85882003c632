package mutate

import (
	"slices"

	"github.com/cosimate/cosimate/bridge/lanes"
)

// byStructure is how mutants are proved equivalent that nothing depends on.
const byStructure = "structure: no output depends on it"

// leaders returns of these results those that stand for the others that do the same in the target:
// the first of each class. Mutants that change nothing there are in no class.
func (r *runner) leaders(of []int) (all []int) {
	seen := map[int]bool{}
	for _, n := range of {
		if class := r.classes[n]; class != lanes.NoEffect && !seen[class] {
			seen[class] = true
			all = append(all, n)
		}
	}
	return all
}

// share gives mutants the verdict of one that does the same. A verdict that other configurations
// had a part in is not given on: what is the same for some parameters may differ for others.
func (r *runner) share() {
	by := map[int]*Result{}
	for i := range r.results {
		from := &r.results[i]
		switch {
		case from.Verdict == Equivalent, from.Verdict == Undecided:
		case from.Verdict == Found && from.By.tape != "" && from.By.Design == r.target.key:
		default:
			continue
		}
		if class := r.classes[i]; class != lanes.NoEffect && by[class] == nil {
			by[class] = from
		}
	}
	for i := range r.results {
		to := &r.results[i]
		if from := by[r.classes[i]]; from != nil && to.Verdict == "" {
			to.Verdict, to.By, to.Proof, to.Tried, to.failed = from.Verdict, from.By, from.Proof, slices.Clone(from.Tried), from.failed
			r.keep(to)
		}
	}
}
