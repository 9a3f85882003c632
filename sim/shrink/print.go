package shrink

import (
	"fmt"
	"go/format"
	"reflect"
	"strings"
	"text/tabwriter"
	"unsafe"

	"github.com/cosimate/cosimate/sim/internal/inputs"
)

// Go returns the inputs as a Go composite literal, which compiles in the package of type I:
//
//	[]In{{Rst: true}, {Data: 0x4d}}
//
// Fields that are zero are left out.
func Go[I any](in []I) (string, error) {
	t := reflect.TypeFor[I]()
	fields, err := inputs.Of(t)
	if err != nil {
		return "", fmt.Errorf("shrink: %w", err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "[]%s{", typeName(t, t.PkgPath()))
	for k := range in {
		// More than four inputs are on lines of their own.
		if len(in) > 4 {
			b.WriteByte('\n')
		}
		b.WriteByte('{')
		p, sep := unsafe.Pointer(&in[k]), ""
		for i := range fields {
			f := &fields[i]
			if text := literal(f, t.Field(f.Index).Type, p, t.PkgPath()); text != "" {
				fmt.Fprintf(&b, "%s%s: %s", sep, f.Name, text)
				sep = ", "
			}
		}
		b.WriteByte('}')
		if len(in) > 4 || k+1 < len(in) {
			b.WriteString(", ")
		}
	}
	if len(in) > 4 {
		b.WriteByte('\n')
	}
	b.WriteByte('}')
	source, err := format.Source([]byte(b.String()))
	if err != nil {
		return "", fmt.Errorf("shrink: type %s cannot be written as Go source: %w", t, err)
	}
	return string(source), nil
}

// typeName returns a type as it is written in its own package.
func typeName(t reflect.Type, pkg string) string {
	switch {
	case t.Name() != "" && (t.PkgPath() == pkg || t.PkgPath() == ""):
		return t.Name()
	case t.Name() == "" && t.Kind() == reflect.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), typeName(t.Elem(), pkg))
	}
	return t.String()
}

// literal returns a field's value as Go source, or "" if it is zero.
func literal(f *inputs.Field, t reflect.Type, p unsafe.Pointer, pkg string) string {
	zero, words := true, make([]string, f.Len())
	for i := range words {
		v := f.Load(p, i)
		zero = zero && v == 0
		words[i] = number(f, v)
	}
	switch {
	case zero:
		return ""
	case f.Kind == inputs.Bool:
		return "true"
	case f.Kind == inputs.Words:
		for words[len(words)-1] == "0" {
			words = words[:len(words)-1]
		}
		return fmt.Sprintf("%s{%s}", typeName(t, pkg), strings.Join(words, ", "))
	}
	return words[0]
}

// number returns v in decimal up to 9, and in hexadecimal beyond.
func number(f *inputs.Field, v uint64) string {
	sign := ""
	if f.Kind == inputs.Signed && int64(v) < 0 {
		sign, v = "-", -v
	}
	if v < 10 {
		return fmt.Sprintf("%s%d", sign, v)
	}
	return fmt.Sprintf("%s%#x", sign, v)
}

// Table returns the inputs as a table: a header with the names of the ports (or of fields without a
// port tag), and a line for each cycle, in hexadecimal. Equal cycles are one line that ends in *N,
// their number.
func Table[I any](in []I) (string, error) {
	t := reflect.TypeFor[I]()
	fields, err := inputs.Of(t)
	if err != nil {
		return "", fmt.Errorf("shrink: %w", err)
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "step\t")
	for _, f := range fields {
		name, _, _ := strings.Cut(f.Port, ",") // the rest is the port's format in reports
		if name == "" {
			name = f.Name
		}
		fmt.Fprintf(w, "%s\t", name)
	}
	fmt.Fprintln(w)
	for k := 0; k < len(in); {
		n := 1
		for k+n < len(in) && equal(fields, &in[k], &in[k+n]) {
			n++
		}
		fmt.Fprintf(w, "%d\t", k)
		for i := range fields {
			fmt.Fprintf(w, "%s\t", hex(&fields[i], unsafe.Pointer(&in[k])))
		}
		if n > 1 {
			fmt.Fprintf(w, "*%d\t", n)
		}
		fmt.Fprintln(w)
		k += n
	}
	w.Flush()
	return b.String(), nil
}

func equal[I any](fields []inputs.Field, a, b *I) bool {
	for i := range fields {
		if !same(&fields[i], unsafe.Pointer(a), unsafe.Pointer(b)) {
			return false
		}
	}
	return true
}

// hex returns a value in hexadecimal without leading zeros, such as -1f.
func hex(f *inputs.Field, p unsafe.Pointer) string {
	if f.Kind == inputs.Signed {
		return fmt.Sprintf("%x", int64(f.Load(p, 0)))
	}
	var b strings.Builder
	for i := f.Len() - 1; i >= 0; i-- {
		fmt.Fprintf(&b, "%0*x", 2*f.Word, f.Load(p, i))
	}
	if text := strings.TrimLeft(b.String(), "0"); text != "" {
		return text
	}
	return "0"
}
