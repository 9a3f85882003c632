package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/pflag"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/live"
)

const liveUsage = `usage: cosimate live [flags] [board | FILE.sv|LIST.f...]

Serves a page on which you drive a design and look into it while it runs: in a browser on this machine, at the address that is
printed, until Ctrl-C. Without files it is the sensing chess board, on which you play; movegen in place of files is the move
generator.

`

const liveExamples = `
examples:
  cosimate live
  cosimate live movegen
  cosimate live counter.sv
  cosimate live --top fifo --param Depth=16 --sim verilator design.f
`

// livePages are the pages with a name: cosimate live NAME. Without a name and without files it is
// the first of them.
var livePages = []livePage{{"board", runLiveBoard}, {"movegen", runLiveMovegen}}

type livePage struct {
	name string
	// run opens the page's simulation and serves it, by liveFlags.serve.
	run func(ctx context.Context, f *liveFlags) error
}

// liveFlags are the flags of cosimate live.
type liveFlags struct {
	set       *pflag.FlagSet
	args      []string
	simulator sim.Simulator // "" if it was not chosen
	rtl       string
	waves     string
	address   string
	anew      bool
	seed      uint64

	design  designFlags
	noReset bool
}

// liveAddress is where pages are served, unless another server does that already.
const liveAddress = "127.0.0.1:7373"

// runLive is cosimate live.
func runLive(ctx context.Context, args []string) error {
	f := &liveFlags{set: pflag.NewFlagSet("live", pflag.ContinueOnError)}
	var simulator string
	set := f.set
	set.SortFlags = false
	set.Usage = func() {}
	f.design.add(set, true)
	set.StringVar(&simulator, "sim", "", "the `simulator`: icarus, which shows X, or verilator, which is faster; by default icarus")
	set.BoolVar(&f.noReset, "power-up", false, "begin as the design is at power-up, without holding its reset")
	set.StringVar(&f.rtl, "rtl", "", "take files from this `folder`, where it has them, instead of the built-in RTL's")
	set.StringVar(&f.waves, "waves", "", "record all signals into this FST `file`")
	set.Uint64Var(&f.seed, "seed", 1, "seed of power-up values in Verilator")
	set.StringVar(&f.address, "address", liveAddress, "where to listen, as `HOST:PORT`; on a host other than 127.0.0.1 other machines get in")
	set.BoolVar(&f.anew, "new", false, "begin anew, and not where the last server of the same design was ended")
	err := set.Parse(args)
	if errors.Is(err, pflag.ErrHelp) {
		fmt.Fprint(stdout, liveUsage+set.FlagUsages()+liveExamples)
		return nil
	}
	if err != nil {
		return &misuse{err.Error(), "cosimate live --help lists the flags"}
	}
	if simulator != "" {
		if f.simulator, err = sim.ParseSimulator(simulator); err != nil {
			return &misuse{"--sim: " + err.Error(), ""}
		}
	}
	host, port, err := net.SplitHostPort(f.address)
	if _, perr := strconv.ParseUint(port, 10, 16); err != nil || perr != nil || host == "" {
		return &misuse{fmt.Sprintf("--address %s is not HOST:PORT", f.address), "for example " + liveAddress}
	}
	f.args = set.Args()
	if set.NArg() == 0 && !set.Changed("top") && len(livePages) > 0 {
		return livePages[0].run(ctx, f)
	}
	if set.NArg() == 1 {
		for _, p := range livePages {
			if p.name == f.args[0] {
				return p.run(ctx, f)
			}
		}
	}
	return runLivePorts(ctx, f)
}

// only returns an error if flags were given that a page does not have.
func (f *liveFlags) only(page string, allowed ...string) error {
	allowed = append(allowed, "sim", "address", "new", "seed")
	var err error
	f.set.Visit(func(flag *pflag.Flag) {
		if !slices.Contains(allowed, flag.Name) && err == nil {
			err = &misuse{fmt.Sprintf("--%s is of no use with %s", flag.Name, page), ""}
		}
	})
	return err
}

// serve serves an App until the context ends, which is no error. The App's simulation is kept under
// a name, if it is a [live.Saver].
func (f *liveFlags) serve(ctx context.Context, app live.App, name string, o live.Options) error {
	o.Address = f.address
	o.Ready = func(address string) {
		fmt.Fprintf(stdout, "%s\n", address)
		fmt.Fprintln(os.Stderr, "Open this address in a browser. Ctrl-C ends.")
	}
	if state, err := liveState(); err == nil {
		if o.Token, err = keptToken(filepath.Join(state, "token")); err != nil {
			return err
		}
		o.Save = filepath.Join(state, unusualName.ReplaceAllString(name, "_")+".json")
		if f.anew {
			if err := os.Remove(o.Save); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	err := live.Serve(ctx, app, o)
	if errors.Is(err, syscall.EADDRINUSE) && !f.set.Changed("address") {
		fmt.Fprintf(os.Stderr, "%s is in use, so that another port is taken\n", f.address)
		o.Address = "127.0.0.1:0"
		err = live.Serve(ctx, app, o)
	}
	var listen *net.OpError
	if errors.Is(err, syscall.EADDRINUSE) {
		return &misuse{fmt.Sprintf("--address %s is in use", f.address), "take another port; port 0 is any that is free"}
	} else if errors.As(err, &listen) && listen.Op == "listen" {
		return &misuse{fmt.Sprintf("--address %s: %v", f.address, listen.Err), "take an address of this machine, or " + liveAddress}
	}
	return err
}

var unusualName = regexp.MustCompile(`[^\w.-]`)

// liveState returns the folder where the pages' simulations are kept.
func liveState() (string, error) {
	dir := os.Getenv("XDG_STATE_HOME")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(home, ".local", "state")
	}
	dir = filepath.Join(dir, "cosimate", "live")
	return dir, os.MkdirAll(dir, 0o700)
}

// keptToken returns the user's token, which is made once: pages that are open find a server that
// was started again.
func keptToken(path string) (string, error) {
	data, err := os.ReadFile(path)
	if token := strings.TrimSpace(string(data)); err == nil && token != "" {
		return token, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	token := live.NewToken()
	return token, os.WriteFile(path, []byte(token+"\n"), 0o600)
}
