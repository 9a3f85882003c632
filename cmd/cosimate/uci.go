package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"github.com/cosimate/cosimate/engine/search"
	"github.com/cosimate/cosimate/engine/uci"
	"github.com/cosimate/cosimate/rtl/simcore"
	"github.com/cosimate/cosimate/sim"
)

const uciUsage = `usage: cosimate uci [flags]

A chess engine for any chess program: it speaks the Universal Chess Interface on standard input and
output. Beside the protocol it knows: d, eval, go perft N, bench [DEPTH]. Its option Generator says where
the moves come from: from software, or from the move generator's RTL in a simulator, icarus or verilator.

`

// runUCI is cosimate uci.
func runUCI(ctx context.Context, args []string) error {
	var features string
	var seed uint64
	set := pflag.NewFlagSet("uci", pflag.ContinueOnError)
	set.SortFlags = false
	set.Usage = func() {}
	set.StringVar(&features, "features", "all", "parts of the search to use, `NAMES` separated by commas: all, none, -null-move ...")
	set.Uint64Var(&seed, "seed", 1, "`seed` of the mistakes of weaker play (UCI_LimitStrength)")
	err := set.Parse(args)
	if errors.Is(err, pflag.ErrHelp) {
		fmt.Fprint(stdout, uciUsage+set.FlagUsages())
		return nil
	}
	if err != nil {
		return &misuse{err.Error(), "cosimate uci --help lists the flags"}
	}
	if set.NArg() > 0 {
		return &misuse{fmt.Sprintf("unexpected argument %q", set.Arg(0)), "options are set by the chess program: setoption name NAME value VALUE"}
	}
	on, err := search.ParseFeatures(features)
	if err != nil {
		return &misuse{err.Error(), "cosimate uci --help lists the flags"}
	}
	c := uci.Config{Name: "Cosimate " + version, Features: &on, Seed: seed, Generators: map[string]func() (search.Moves, error){}}
	for _, s := range sim.Simulators {
		c.Generators[string(s)] = func() (search.Moves, error) { return simcore.OpenPlayer(ctx, s) }
	}
	return uci.Serve(ctx, os.Stdin, stdout, c)
}
