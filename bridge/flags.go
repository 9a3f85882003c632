package bridge

import (
	"fmt"
	"regexp"
	"strings"
)

// A flagForm is a flag that a design may give to a simulator. Others could write files, run
// programs, or change what a cycle is.
type flagForm struct {
	flag  *regexp.Regexp
	value *regexp.Regexp // of the word behind it; nil if there is none
}

var (
	flagNumber    = regexp.MustCompile(`^[0-9]{1,9}$`)
	verilatorForm = []flagForm{
		{regexp.MustCompile(`^-W(no|warn)-\w+$`), nil},
		{regexp.MustCompile(`^-O[0-3]$`), nil},
		{regexp.MustCompile(`^-fno-[\w-]+$`), nil},
		{regexp.MustCompile(`^--(bbox-sys|bbox-unsup|relative-includes)$`), nil},
		{regexp.MustCompile(`^--threads$`), regexp.MustCompile(`^([1-9]|[1-5][0-9]|6[0-4])$`)},
		{regexp.MustCompile(`^--(unroll-count|unroll-stmts|converge-limit)$`), flagNumber},
		{regexp.MustCompile(`^--x-initial$`), regexp.MustCompile(`^(0|unique)$`)},
		{regexp.MustCompile(`^--(language|default-language)$`), regexp.MustCompile(`^(1364-(1995|2001|2005)|1800-(2005|2009|2012|2017))$`)},
	}
	icarusForm = []flagForm{
		{regexp.MustCompile(`^-W[a-z][a-z-]*$`), nil},
		{regexp.MustCompile(`^-g(1995|2001|2001-noconfig|2005|2005-sv|2009|2012|(no-)?(specify|xtypes|io-range-error|strict-ca-eval|strict-expr-width|supported-assertions|assertions|std-include))$`), nil},
		{regexp.MustCompile(`^-T(min|typ|max)$`), nil},
	}
)

// CheckFlags returns an error if a flag is none of those that a design may give to a simulator, and
// which it is. Flags of Verilator: -Wno-NAME, -Wwarn-NAME, -O0 to -O3, -fno-NAME, --bbox-sys,
// --bbox-unsup, --relative-includes, --threads N, --unroll-count N, --unroll-stmts N,
// --converge-limit N, --x-initial 0 (registers are 0 at power-up, not random), --language STANDARD.
// Flags of Icarus: -WNAME, -gSTANDARD, -gFEATURE, -Tmin, -Ttyp, -Tmax.
func CheckFlags(simulator string, flags []string) (at int, err error) {
	forms, some := verilatorForm, "-Wno-NAME, -O0 to -O3, -fno-NAME, --threads N, --bbox-unsup, --unroll-count N, --language STANDARD"
	if simulator == "icarus" {
		forms, some = icarusForm, "-WNAME, -g2005 and other standards, -gFEATURE, -Tmin, -Ttyp, -Tmax"
	}
next:
	for i := 0; i < len(flags); i++ {
		for _, f := range forms {
			switch {
			case !f.flag.MatchString(flags[i]):
			case f.value == nil:
				continue next
			case i+1 < len(flags) && f.value.MatchString(flags[i+1]):
				i++
				continue next
			case i+1 < len(flags):
				return i + 1, fmt.Errorf("%s is no value of %s", flags[i+1], flags[i])
			default:
				return i, fmt.Errorf("%s needs a value behind it", flags[i])
			}
		}
		return i, fmt.Errorf("%s is not one of the flags that a design may give to %s: %s", flags[i], simulator, some)
	}
	return 0, nil
}

// checkFlags returns an error if flags of the design are not allowed.
func (d *Design) checkFlags() error {
	for simulator, flags := range map[string][]string{"verilator": d.Verilator, "icarus": d.Icarus} {
		if _, err := CheckFlags(simulator, flags); err != nil {
			return fmt.Errorf("module %s, Design.%s: %w", d.Top, strings.ToUpper(simulator[:1])+simulator[1:], err)
		}
	}
	return nil
}
