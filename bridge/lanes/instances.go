package lanes

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/cosimate/cosimate/bridge"
)

// Instances returns the module of each instance in a design, at any depth. An instance is named as
// [InstanceOf] names it: "u_rx.u_sync.". A module is named as in its source, whatever its
// parameters.
func Instances(ctx context.Context, d bridge.Design) (map[string]string, error) {
	var modules struct {
		Modules map[string]struct {
			Cells map[string]struct{ Type string }
		}
	}
	err := prepared(&d, func(y *run, _ []bridge.Clock, read string) error {
		if err := y.execute(ctx, "instances.ys", read+"proc\nwrite_json instances.json\n"); err != nil {
			return err
		}
		text, err := os.ReadFile(filepath.Join(y.work, "instances.json"))
		if err != nil {
			return err
		}
		if err := json.Unmarshal(text, &modules); err != nil {
			return fmt.Errorf("what Yosys has written is not understood: %w", err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	var below func(module, at string)
	below = func(module, at string) {
		for name, c := range modules.Modules[module].Cells {
			if _, known := modules.Modules[c.Type]; known {
				all[at+name+"."] = sourceName(c.Type)
				below(c.Type, at+name+".")
			}
		}
	}
	below(d.Top, "")
	return all, nil
}

// sourceName returns the name in the source of a module as Yosys names it: with parameters
// "$paramod\fifo\Depth=s32'...", or, if these are long, "$paramod$" with a checksum in place of
// them before "\fifo".
func sourceName(module string) string {
	rest, ok := strings.CutPrefix(module, "$paramod")
	if !ok {
		return module
	}
	_, rest, _ = strings.Cut(rest, `\`)
	name, _, _ := strings.Cut(rest, `\`)
	return name
}
