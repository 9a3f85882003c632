// Package schedule holds the C header that says when clocks rise and fall. The shims of both
// simulators include it.
package schedule

import _ "embed"

// Header is schedule.h.
//
//go:embed schedule.h
var Header string
