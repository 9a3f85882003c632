package sim

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/cosimate/cosimate/sim/internal/serve"
)

// served is set when a test has been served with -sim.live.
var served atomic.Bool

// serveTest serves the page of a test's design until Ctrl-C, and then skips the test.
func serveTest(t testing.TB, d Design, s Simulator) {
	t.Helper()
	switch {
	case serve.Page == nil:
		t.Fatal(`-sim.live: this package's tests have no server: put import _ "github.com/cosimate/cosimate/sim/live/ports" into one of their files`)
	case !testing.Verbose():
		t.Fatal("-sim.live: go test shows the page's address at the end only: run it with -v")
	case served.Swap(true):
		t.Skip("-sim.live serves the first DUT only: choose it with -run and -sim.only")
	}
	ctx, stop := signal.NotifyContext(t.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := serve.Page(ctx, d, string(s), *seedFlag, func(address string) {
		until := ""
		if dl, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
			if at, limited := dl.Deadline(); limited {
				until = fmt.Sprintf(", or until go test's -timeout at %s", at.Format("15:04"))
			}
		}
		fmt.Fprintf(t.Output(), "%s on %s: open %s in a browser; until Ctrl-C%s\n", d.Top, s, address, until)
	})
	if err != nil && context.Cause(ctx) == nil {
		t.Fatal(err)
	}
	t.Skipf("%s was served, and not tested", d.Top)
}
