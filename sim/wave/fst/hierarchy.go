package fst

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

// tags of the hierarchy; smaller ones are types of variables
const (
	tagAttribute    = 252
	tagEndAttribute = 253
	tagScope        = 254
	tagUpscope      = 255
	lastVariable    = 29
	typeParameter   = 2
)

// attributes
const (
	attributeMisc = 0
	miscEnum      = 7 // a table of an enumeration's names, or a reference to one
)

// names reads the hierarchy.
func (f *File) names(data []byte) error {
	var scopes []string
	enums := map[uint64]map[string]string{}
	var enum map[string]string // of the next variable
	handles := 0
	r := reader{data: data}
	for len(r.data) > 0 && r.err == nil {
		switch tag := r.byte(); {
		case tag == tagScope:
			r.byte() // its type
			scopes = append(scopes, identifier(r.text()))
			r.text() // the component's name
		case tag == tagUpscope:
			scopes = scopes[:max(0, len(scopes)-1)]
		case tag == tagAttribute:
			kind, sub, text, argument := r.byte(), r.byte(), r.text(), r.varint()
			if kind == attributeMisc && sub == miscEnum {
				if text != "" {
					enums[argument] = enumOf(text)
				} else {
					enum = enums[argument]
				}
			}
		case tag == tagEndAttribute:
		case tag <= lastVariable:
			r.byte() // its direction
			name, _, alias := r.text(), r.varint(), r.varint()
			handle := int(alias)
			if alias == 0 {
				handles++
				handle = handles
			}
			if handle < 1 || handle > len(f.widths) {
				return errors.New("a signal in the list of names has no width")
			}
			if width := f.widths[handle-1]; width > 0 {
				f.Vars = append(f.Vars, Var{
					Scopes: slices.Clone(scopes), Name: identifier(name), Width: width, Handle: handle - 1,
					Enum: enum, Param: tag == typeParameter,
				})
			}
			enum = nil
		default:
			return errors.New("the list of names has an entry of unknown type")
		}
	}
	return r.err
}

// identifier returns a name without its range and without the backslash that Icarus puts before
// some.
func identifier(name string) string {
	name, _, _ = strings.Cut(name, " ")
	return strings.TrimPrefix(name, `\`)
}

// enumOf returns the names of a table: its own name, how many there are, the names, and the values
// in binary, with blanks between all.
func enumOf(text string) map[string]string {
	words := strings.Fields(text)
	if len(words) < 2 {
		return nil
	}
	n, err := strconv.Atoi(words[1])
	if err != nil || n < 1 || n > len(words) || len(words) != 2+2*n {
		return nil
	}
	names := map[string]string{}
	for i := range n {
		names[words[2+n+i]] = words[2+i]
	}
	return names
}
