package report_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/sim/report"
)

func TestAnnotation(t *testing.T) {
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GITHUB_WORKSPACE", filepath.Dir(here))
	t.Setenv("GITHUB_ACTIONS", "")
	if got := counter().Annotation(); got != "" {
		t.Errorf("outside of GitHub: %q", got)
	}
	t.Setenv("GITHUB_ACTIONS", "true")
	odd := counter()
	odd.File, odd.Note, odd.Reproduce = "a,b:c%d_test.go", "50% done\r\n::error::no", ""
	outside := counter()
	outside.File, outside.Line = "/elsewhere/x_test.go", 0
	nowhere := counter()
	nowhere.File = ""
	const (
		title = "title=counter differs from its model in cycle 22 (235ns) on icarus%3A count_o%2C wrap_o"
		table = "::  output   model  icarus  differing bits%0A> count_o     0e      xf  [7:4] [0]%0A> wrap_o       0       x  [0]%0A"
	)
	for _, c := range []struct {
		name string
		f    *report.Failure
		want string
	}{
		{"plain", counter(), "::error file=report/counter_test.go,line=42," + title + table + "%0Aseed 1\n"},
		{"escapes", odd, "::error file=report/a%2Cb%3Ac%25d_test.go,line=42," + title + table + "%0A50%25 done%0A::error::no%0A%0Aseed 1\n"},
		{"outside of the workspace", outside, "::error file=/elsewhere/x_test.go," + title + table + "%0Aseed 1\n"},
		{"no file", nowhere, "::error " + title + table + "%0Aseed 1\n"},
		{"a reason", stopped(), "::error file=report/counter_test.go,line=42,title=counter failed in cycle 22 (235ns) on icarus%3A icarus%3A counter called $fatal in cycle 22 at counter.sv%3A14%3A overflow::  last it printed:%0A  count is 255%0A%0Aseed 1\n"},
	} {
		got := c.f.Annotation()
		if got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
		if strings.Count(got, "\n") != 1 || strings.Contains(got, "\r") {
			t.Errorf("%s: not one line: %q", c.name, got)
		}
	}
}
