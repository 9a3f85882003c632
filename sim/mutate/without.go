package mutate

import (
	"context"
	"slices"
	"strings"
)

// Without plays the recording again, but for that of a test, and returns the mutants that only this
// test has found by comparing outputs. It takes the sources and options that the report was made
// with. The name of a test is one of those that [Report.Tests] returns.
func (r *Report) Without(ctx context.Context, sources []Source, o Options, test string) ([]*Result, error) {
	o.without, o.Params, o.Confirm = test, r.design.Params, nil
	rest, err := Run(ctx, sources, o)
	if err != nil {
		return nil, err
	}
	if rest.Stopped {
		return nil, context.Cause(ctx)
	}
	var only []*Result
	for i := range r.Results {
		if m := &r.Results[i]; m.Verdict == Found && m.By.compared() && rest.Results[i].Verdict != Found {
			only = append(only, m)
		}
	}
	return only, nil
}

// leaveOut takes the stimuli of a test out of what was recorded.
func leaveOut(all []*configuration, test string) {
	for _, c := range all {
		c.all = slices.DeleteFunc(c.all, func(x *stimulus) bool { return function(x.tape.At(0)) == test })
	}
}

// function is the test that a subtest belongs to. Vectors have none.
func function(test string) string {
	if strings.HasSuffix(test, ".txtar") {
		return test
	}
	name, _, _ := strings.Cut(test, "/")
	return name
}

// compared reports whether a comparison of outputs has found a mutant.
func (f *found) compared() bool { return f.tape != "" }
