// Package serve lets package sim serve a page without being linked to a server.
package serve

import (
	"context"

	"github.com/cosimate/cosimate/bridge"
)

// Page serves the page of a design in a simulator until the context ends, and calls ready with the
// page's address. Package sim/live/ports sets it; without that package it is nil.
var Page func(ctx context.Context, d bridge.Design, simulator string, seed uint64, ready func(address string)) error
