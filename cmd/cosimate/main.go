// Command cosimate tests RTL in Icarus Verilog and in Verilator. For any RTL, without Go:
//
//	cosimate try fifo.sv
//	cosimate vectors new --rtl fifo.sv -o first.txtar
//
// say what can be said of it, and begin a test of it that is text. Beside tests in Go,
//
//	cosimate ports --go fifo fifo.sv
//
// writes the structs that package sim binds to a module's ports, and "cosimate cover" merges and
// reports the code coverage of tests. Other commands check the chess hardware that comes with it:
//
//	cosimate perft --epd vectors/perft/perft-known.epd
//
// walks the move trees of known positions through the RTL move generator, compares
// every move and every count with the reference and with the published counts, and
// prints a table. "cosimate help" lists the commands, "cosimate perft --help" the
// flags.
//
// # Exit status
//
//	0    pass
//	1    RTL, reference and published counts differ somewhere; coverage is too low
//	2    misuse: flags, or input that cannot be read
//	3    tools: a simulator is missing or died, the RTL does not compile or ended the simulation
//	130  interrupted (SIGINT, SIGTERM): the results until then are printed
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
)

func main() { os.Exit(run(os.Args[1:])) }

// Exit statuses.
const (
	exitPass        = 0
	exitDiffers     = 1
	exitMisuse      = 2
	exitTrouble     = 3
	exitInterrupted = 130
)

// command is a subcommand.
type command struct {
	name, summary string
	run           func(ctx context.Context, args []string) error
}

var commands = []command{
	{"try", "say what can be said of any RTL: do the simulators agree, what is X, what never changes", runTry},
	{"vectors", "write, run, fill in and shrink tests of any RTL that are text", runVectorsCommand},
	{"live", "serve a page on which you drive any design and look into it while it runs", runLive},
	{"mutate", "say which faults of a design its tests do not find", runMutate},
	{"ports", "print the ports of a module, or Go structs to bind to them", runPorts},
	{"cover", "merge coverage that tests have written, report it, and fail if it is too low", runCover},
	{"regress", "run thousands of seeds of tests: here, in shards of CI, or on a Slurm cluster", runRegress},
	{"perft", "walk move trees through the RTL and compare them with the reference", runPerft},
	{"paper", "set the published move generator's figures beside ours", runPaper},
	{"uci", "play chess in any chess program: a UCI engine", runUCI},
	{"version", "print the version", runVersion},
}

// run runs the program and returns its exit status.
func run(args []string) int {
	ctx, stop := interruptible()
	defer stop()
	err := dispatch(ctx, args)
	if stdout.err != nil && !errors.Is(err, stdout.err) {
		err = errors.Join(err, stdout.err)
	}
	switch {
	case err == nil:
		return exitPass
	case errors.Is(err, errDiffers), errors.Is(err, errWrong):
		printError(err)
		return exitDiffers
	case errors.Is(err, errInterrupted):
		printError(err)
		return exitInterrupted
	}
	printError(err)
	if _, ok := errors.AsType[*misuse](err); ok {
		return exitMisuse
	}
	return exitTrouble
}

func dispatch(ctx context.Context, args []string) error {
	if len(args) == 0 {
		printUsage(os.Stderr)
		return &misuse{"no command", "use one of those above"}
	}
	switch args[0] {
	case "help", "-h", "--help":
		return help(ctx, args[1:])
	case "--version":
		return runVersion(ctx, args[1:])
	}
	for _, c := range commands {
		if c.name == args[0] {
			return c.run(ctx, args[1:])
		}
	}
	return &misuse{fmt.Sprintf("unknown command %q", args[0]), "cosimate help lists the commands"}
}

// help prints the usage of the program or of a command, or a topic.
func help(ctx context.Context, args []string) error {
	if len(args) == 0 {
		printUsage(stdout)
		return nil
	}
	if args[0] == "json" {
		fmt.Fprint(stdout, jsonHelp)
		return nil
	}
	for _, c := range commands {
		if c.name == args[0] {
			return c.run(ctx, []string{"--help"})
		}
	}
	return &misuse{fmt.Sprintf("no help on %q", args[0]), "cosimate help lists the commands"}
}

// version is that of the module; CHANGELOG.md begins with it.
const version = "v0.1.0"

func runVersion(_ context.Context, args []string) error {
	if len(args) > 0 && args[0] == "--help" {
		fmt.Fprintln(stdout, "usage: cosimate version")
		return nil
	}
	if len(args) > 0 {
		return &misuse{fmt.Sprintf("unexpected argument %q", args[0]), "use: cosimate version"}
	}
	revision := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				revision = " " + s.Value
			}
		}
	}
	fmt.Fprintf(stdout, "cosimate %s%s %s %s/%s\n", version, revision, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}

// errInterrupted is the cause of a context that was ended by a signal.
var errInterrupted = errors.New("interrupted")

// interruptible returns a context that ends at the first SIGINT or SIGTERM. The second signal ends
// the program at once.
func interruptible() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		s, ok := <-signals
		if !ok {
			return
		}
		cancel(fmt.Errorf("%w (%v)", errInterrupted, s))
		if _, ok := <-signals; ok {
			os.Exit(exitInterrupted)
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(signals)
		cancel(nil)
	}
}
