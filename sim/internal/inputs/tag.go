package inputs

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// cornersFrom is the number of values from which on corner values are favoured. With fewer values a
// uniform draw gives corners often enough.
const cornersFrom = 1 << 9

// parse reads a rand tag. It returns a fault, or "", and its column in the tag, counted from 1.
func (f *Field) parse(tag string) (column int, fault string) {
	f.P = 0.5
	if tag == "-" {
		f.Fixed = true
		return 0, ""
	}
	var weighted, sized bool
	at := 1
	for part := range strings.SplitSeq(tag, ",") {
		column = at
		at += len(part) + 1
		text := strings.TrimLeft(part, " ")
		column += len(part) - len(text)
		text = strings.TrimRight(text, " ")
		name, value, _ := strings.Cut(text, "=")
		switch {
		case tag == "":
		case text == "":
			return column, "nothing stands here: take the comma away, or say what follows it"
		case f.Kind == Bool:
			p, err := strconv.ParseFloat(value, 64)
			if name != "p" || tag != part {
				return column, `a bool takes the probability of true, such as p=0.25, or "-", nothing else`
			}
			if err != nil || math.IsNaN(p) || p < 0 || p > 1 {
				return column + len("p="), fmt.Sprintf("%q is not a probability: a number from 0 to 1 such as 0.25", value)
			}
			f.P = p
		case name == "p":
			return column, "a probability is for a bool: give values weights, such as 0:1,1..255:3"
		case name == "bits":
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 || n > f.Bits || sized {
				return column + len("bits="), fmt.Sprintf("%q is not a width: a number from 1 to %d, once", value, 8*f.Size)
			}
			f.Bits, sized = n, true
		case text == "onehot":
			f.OneHot = true
		case f.Kind == Words:
			return column, fmt.Sprintf(`%q is not for a field of several words, which takes bits=N, onehot or "-": for ranges use Adjust`, text)
		default:
			item, hasWeight, at, fault := f.item(text)
			if fault != "" {
				return column + at, fault
			}
			weighted = weighted || hasWeight
			f.Items = append(f.Items, item)
		}
	}
	if f.Kind == Bool {
		return 0, ""
	}
	if len(f.Items) > 0 && (f.OneHot || sized) {
		return 1, "values say everything: take onehot and bits=N away"
	}
	if f.OneHot || f.Kind == Words {
		f.Corners = !f.OneHot
		return 0, ""
	}
	if len(f.Items) == 0 {
		lo, hi := f.limits()
		f.Items = []Item{{lo, hi, 1}}
	}
	var total, values, beyond uint64
	for _, i := range f.Items {
		total += uint64(i.Weight)
		var carry uint64
		values, carry = bits.Add64(values, i.Span(), 1)
		beyond += carry
	}
	if beyond > 1 || beyond == 1 && values > 0 {
		return 1, "the items have more than 2^64 values in all: let them not overlap"
	}
	if total == 0 || total > math.MaxUint32 {
		return 1, fmt.Sprintf("the weights add up to %d: it must be from 1 to %d", total, uint32(math.MaxUint32))
	}
	f.Items = slices.DeleteFunc(f.Items, func(i Item) bool { return i.Weight == 0 })
	f.Corners = len(f.Items) == 1 && !weighted && f.Items[0].Span() >= cornersFrom-1
	return 0, ""
}

// item reads "5", "5..9", "5:3" or "5..9:3". It returns a fault, or "", and its offset at in text.
func (f *Field) item(text string) (item Item, weighted bool, at int, fault string) {
	values, weight, weighted := strings.Cut(text, ":")
	lo, hi, isRange := strings.Cut(values, "..")
	item.Weight = 1
	if item.Lo, fault = f.number(lo); fault != "" {
		return item, weighted, 0, fault
	}
	item.Hi = item.Lo
	if isRange {
		if item.Hi, fault = f.number(hi); fault != "" {
			return item, weighted, len(lo) + len(".."), fault
		}
		if f.less(item.Hi, item.Lo) {
			return item, weighted, 0, fmt.Sprintf("the range %s is empty: the lower end comes first", values)
		}
	}
	if weighted {
		w, err := strconv.ParseUint(weight, 10, 32)
		if err != nil {
			return item, weighted, len(values) + len(":"), fmt.Sprintf("%q is not a weight: a whole number from 0 on", weight)
		}
		item.Weight = uint32(w)
	}
	return item, weighted, 0, ""
}

// number reads a value of the field, written as in Go.
func (f *Field) number(text string) (v uint64, fault string) {
	var err error
	if f.Kind == Signed {
		var s int64
		s, err = strconv.ParseInt(text, 0, 8*f.Size)
		v = uint64(s)
	} else {
		v, err = strconv.ParseUint(text, 0, 8*f.Size)
	}
	if errors.Is(err, strconv.ErrRange) {
		lo, hi := f.limits()
		if f.Kind == Signed {
			return 0, fmt.Sprintf("%s does not fit the field, which holds %d to %d", text, int64(lo), int64(hi))
		}
		return 0, fmt.Sprintf("%s does not fit the field, which holds 0 to %#x", text, hi)
	}
	if err != nil {
		return 0, fmt.Sprintf("%q is none of: a value (12, 0x1f), a range (0..15), either with a weight (0..15:3), bits=N, onehot", text)
	}
	return v, ""
}

// limits returns the least and the greatest value of Bits bits.
func (f *Field) limits() (lo, hi uint64) {
	hi = ^uint64(0) >> (64 - f.Bits)
	if f.Kind == Signed {
		hi >>= 1
		lo = ^hi
	}
	return lo, hi
}

func (f *Field) less(a, b uint64) bool {
	if f.Kind == Signed {
		return int64(a) < int64(b)
	}
	return a < b
}
