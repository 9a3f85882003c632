package regress

import (
	"cmp"
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/bits"
	"regexp"
	"slices"

	"github.com/cosimate/cosimate/sim/cover/coverdb"
)

func quoteMeta(text string) string { return regexp.QuoteMeta(text) }

// JobCover is what units of a job have covered.
type JobCover struct {
	Job  int
	Data string // the counts of all, as in a database
	// Sets are what single units have hit: those that hit something that no earlier unit has hit
	// alone. The others would never be chosen for the fewest seeds. So what remains at the end does
	// not depend on how the units were divided.
	Sets []UnitSet
}

// UnitSet is the points that a unit has hit: a bit for each code point, then for each goal bin, in
// the order of coverdb's SortedCode and SortedBins.
type UnitSet struct {
	Unit int
	Bits []byte
}

// coverage collects coverage of units, job by job.
type coverage struct{ jobs []*jobCoverage }

type jobCoverage struct {
	job   int
	data  coverdb.Data
	index map[any]int // of each coverdb.CodePoint and coverdb.Bin, in the order of their coming
	sets  []unitBits
}

type unitBits struct {
	unit int
	bits []uint64
}

func (c *coverage) of(job int) *jobCoverage {
	for _, j := range c.jobs {
		if j.job == job {
			return j
		}
	}
	j := &jobCoverage{job: job, index: map[any]int{}}
	c.jobs = append(c.jobs, j)
	return j
}

// add adds what a unit has covered, which is in a folder.
func (c *coverage) add(job, unit int, dir string) error {
	if dir == "" {
		return nil
	}
	d, _, err := coverdb.Read(dir)
	if errors.Is(err, coverdb.ErrEmpty) || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	j := c.of(job)
	if err := j.data.Merge(d); err != nil {
		return err
	}
	j.keep(unitBits{unit, j.hit(d)})
	return nil
}

// place returns the bit of a point.
func (j *jobCoverage) place(point any) int {
	i, ok := j.index[point]
	if !ok {
		i = len(j.index)
		j.index[point] = i
	}
	return i
}

// hit returns what is hit in some coverage.
func (j *jobCoverage) hit(d *coverdb.Data) (set []uint64) {
	for p, n := range d.Code {
		if i := j.place(p); n > 0 {
			set = with(set, i)
		}
	}
	for b, h := range d.Bins {
		if i := j.place(b); h.Count > 0 && b.Kind == coverdb.Goal {
			set = with(set, i)
		}
	}
	return set
}

func with(set []uint64, i int) []uint64 {
	for len(set) <= i/64 {
		set = append(set, 0)
	}
	set[i/64] |= 1 << (i % 64)
	return set
}

// keep keeps a set, unless an earlier unit's has all of it. Units come in their order.
func (j *jobCoverage) keep(s unitBits) {
	for _, old := range j.sets {
		if within(s.bits, old.bits) {
			return
		}
	}
	j.sets = append(j.sets, s)
}

// within reports whether all bits of a are in b.
func within(a, b []uint64) bool {
	for i, w := range a {
		if i >= len(b) {
			if w != 0 {
				return false
			}
		} else if w&^b[i] != 0 {
			return false
		}
	}
	return true
}

// sorted returns all points in the order of a UnitSet.
func sorted(d *coverdb.Data) (points []any) {
	for _, p := range d.SortedCode() {
		points = append(points, p)
	}
	for _, b := range d.SortedBins() {
		points = append(points, b)
	}
	return points
}

// results returns what has been collected.
func (c *coverage) results() (all []JobCover) {
	for _, j := range c.jobs {
		points := sorted(&j.data)
		order := make([]int, len(j.index)) // where a point of the index is among them
		for to, p := range points {
			order[j.index[p]] = to
		}
		out := JobCover{Job: j.job, Data: string(j.data.Text())}
		for _, s := range j.sets {
			out.Sets = append(out.Sets, UnitSet{s.unit, bytesOf(moved(s.bits, order))})
		}
		all = append(all, out)
	}
	return all
}

// moved returns a set whose bits are at other places.
func moved(set []uint64, to []int) (result []uint64) {
	for w, word := range set {
		for ; word != 0; word &= word - 1 {
			result = with(result, to[w*64+bits.TrailingZeros64(word)])
		}
	}
	return result
}

func bytesOf(set []uint64) (b []byte) {
	for _, w := range set {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return b
}

// load adds what results returned. If more is added to a job than one unit's, order matters not.
func (c *coverage) load(all []JobCover) error {
	for _, jc := range all {
		d, err := coverdb.Parse("coverage of a shard", []byte(jc.Data))
		if err != nil {
			return err
		}
		j := c.of(jc.Job)
		if err := j.data.Merge(d); err != nil {
			return err
		}
		points := sorted(d)
		to := make([]int, len(points))
		for i, p := range points {
			to[i] = j.place(p)
		}
		for _, s := range jc.Sets {
			if len(s.Bits)%8 != 0 || len(s.Bits)*8 >= len(points)+64 {
				return fmt.Errorf("coverage of a shard: the set of unit %d is damaged", s.Unit)
			}
			set := make([]uint64, len(s.Bits)/8)
			for i := range set {
				set[i] = binary.LittleEndian.Uint64(s.Bits[i*8:])
			}
			j.sets = append(j.sets, unitBits{s.Unit, moved(set, to)})
		}
	}
	return nil
}

// Ranked is a seed among the fewest for all that is covered.
type Ranked struct {
	Job   int
	Unit  int
	Seed  uint64
	Added int // points that those before it have not hit
	All   int // points hit by it and those before it
}

// rank returns the units that together hit all that is hit, each the one that adds most to those
// before it, the first of several. The choice is greedy: no list is known to be shorter without
// trying all.
func (c *coverage) rank() (ranked []Ranked) {
	global := map[any]int{}
	var queue ranking
	for _, j := range c.jobs {
		to := make([]int, len(j.index))
		for p, i := range j.index {
			g, ok := global[p]
			if !ok {
				g = len(global)
				global[p] = g
			}
			to[i] = g
		}
		for _, s := range j.sets {
			set := moved(s.bits, to)
			queue = append(queue, &candidate{job: j.job, unit: s.unit, bits: set, gain: ones(set)})
		}
	}
	heap.Init(&queue)
	var have []uint64
	all := 0
	for len(queue) > 0 {
		best := queue[0]
		gain := 0
		for i, w := range best.bits {
			if i < len(have) {
				w &^= have[i]
			}
			gain += bits.OnesCount64(w)
		}
		if gain < best.gain { // it was counted before others were chosen; it can only have become less
			best.gain = gain
			heap.Fix(&queue, 0)
			continue
		}
		if gain == 0 {
			break
		}
		heap.Pop(&queue)
		for len(have) < len(best.bits) {
			have = append(have, 0)
		}
		for i, w := range best.bits {
			have[i] |= w
		}
		all += gain
		ranked = append(ranked, Ranked{Job: best.job, Unit: best.unit, Added: gain, All: all})
	}
	return ranked
}

func ones(set []uint64) (n int) {
	for _, w := range set {
		n += bits.OnesCount64(w)
	}
	return n
}

type candidate struct {
	job, unit int
	bits      []uint64
	gain      int
}

type ranking []*candidate

func (r ranking) Len() int { return len(r) }
func (r ranking) Less(a, b int) bool {
	return cmp.Or(cmp.Compare(r[b].gain, r[a].gain), cmp.Compare(r[a].job, r[b].job), cmp.Compare(r[a].unit, r[b].unit)) < 0
}
func (r ranking) Swap(a, b int) { r[a], r[b] = r[b], r[a] }
func (r *ranking) Push(x any)   { *r = append(*r, x.(*candidate)) }
func (r *ranking) Pop() any {
	last := (*r)[len(*r)-1]
	*r = (*r)[:len(*r)-1]
	return last
}

// merged returns the coverage of all jobs together. Files of jobs that count different texts of a
// file cannot be added up.
func (c *coverage) merged() (*coverdb.Data, error) {
	all := &coverdb.Data{}
	slices.SortFunc(c.jobs, func(a, b *jobCoverage) int { return cmp.Compare(a.job, b.job) })
	for _, j := range c.jobs {
		if err := all.Merge(&j.data); err != nil {
			return nil, err
		}
	}
	return all, nil
}
