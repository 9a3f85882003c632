// Package schedule holds the C header that says when clocks rise and fall, for
// both simulators' shims to include.
package schedule

import _ "embed"

// Header is schedule.h.
//
//go:embed schedule.h
var Header string
