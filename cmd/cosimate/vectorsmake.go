package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cosimate/cosimate/internal/shell"
	"github.com/cosimate/cosimate/rtl/blocks"
	"github.com/cosimate/cosimate/sim/convention"
	"github.com/cosimate/cosimate/vectors"
)

// put writes a text to a file, or to standard output if none is named.
func put(ctx context.Context, name, text string) error {
	if name == "" {
		_, err := stdout.Write([]byte(text))
		return err
	}
	return writeVector(ctx, name, []byte(text))
}

// vectorError prints an error that is about a vector. It returns the error with which the command
// ends.
func vectorError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if _, ok := errors.AsType[*vectors.Failure](err); ok {
		fmt.Fprintf(stdout, "%s\n\n", visible(err.Error()))
		return errDiffers
	}
	if _, ok := errors.AsType[*vectors.ToolError](err); ok {
		return err
	}
	_, one := errors.AsType[*vectors.Error](err)
	if _, several := errors.AsType[vectors.Errors](err); one || several {
		fmt.Fprintf(stdout, "%s\n\n", visible(err.Error()))
		return &misuse{"the vector is not understood", ""}
	}
	return &misuse{err.Error(), ""}
}

// shrinkVector is cosimate vectors shrink.
func shrinkVector(ctx context.Context, c *vectorsCommand, args []string) error {
	var rtl rtlFlags
	var out string
	set := c.flags()
	rtl.add(set)
	set.StringVarP(&out, "output", "o", "", "write to this `file` instead of standard output")
	if err := c.parse(set, args, 1, 1); err != nil {
		return err
	}
	o, err := rtl.options()
	if err != nil {
		return err
	}
	text, tries, err := blocks.All().Shrink(ctx, set.Arg(0), o)
	if err != nil {
		return rtl.overlaid(vectorError(ctx, err))
	}
	if out != "" {
		if text, err = vectors.Moved(set.Arg(0), text, out); err != nil {
			return err
		}
	}
	fmt.Fprintf(os.Stderr, "shrunk in %d tries\n", tries)
	return put(ctx, out, text)
}

// recordVector is cosimate vectors record.
func recordVector(ctx context.Context, c *vectorsCommand, args []string) error {
	var seed uint64
	var cycles int
	var params, from, out string
	set := c.flags()
	set.Uint64Var(&seed, "seed", 1, "of the random inputs")
	set.IntVar(&cycles, "cycles", 20, "how `many`")
	set.StringVar(&params, "parameters", "", "of the design: \"`A=1 B=2`\"")
	set.StringVar(&from, "from", "", "take the inputs from this `file`, the shrunk.txt of a Go test's failure, instead of random ones")
	set.StringVarP(&out, "output", "o", "", "write to this `file` instead of standard output")
	if err := c.parse(set, args, 1, 1); err != nil {
		return err
	}
	var text string
	var err error
	if from != "" {
		var data []byte
		if data, err = readBounded(from); err != nil {
			err = fmt.Errorf("--from %s: %v", from, reason(err))
		} else {
			text, err = blocks.All().Replay(ctx, set.Arg(0), params, string(data))
		}
	} else {
		text, err = blocks.All().Record(ctx, set.Arg(0), params, seed, cycles)
	}
	if err != nil {
		return vectorError(ctx, err)
	}
	return put(ctx, out, text)
}

// newVector is cosimate vectors new.
func newVector(ctx context.Context, c *vectorsCommand, args []string) error {
	var out string
	var rtl []string
	var design designFlags
	set := c.flags()
	set.StringArrayVar(&rtl, "rtl", nil, "for RTL of yours: its `files`, globs in quotes, or a file list (.f); more may follow as arguments")
	design.add(set, true)
	set.StringVarP(&out, "output", "o", "", "write to this `file` instead of standard output")
	most := 1
	if slices.ContainsFunc(args, func(a string) bool { return a == "--rtl" || strings.HasPrefix(a, "--rtl=") }) {
		most = -1
	}
	if err := c.parse(set, args, 0, most); err != nil {
		return err
	}
	// What is there may have been worked on.
	if info, err := os.Stat(out); err == nil && info.Mode().IsRegular() {
		return &misuse{out + " is there already, and stays as it is", "take another name, or delete it"}
	}
	if rtl == nil {
		if set.NArg() == 0 {
			return &misuse{"vectors new: for which design?", "name a design (cosimate vectors doc lists them), or RTL of yours: --rtl FILE.sv"}
		}
		text, err := blocks.All().Skeleton(set.Arg(0))
		if err != nil {
			return vectorError(ctx, err)
		}
		return put(ctx, out, text)
	}
	g, err := design.given(append(rtl, set.Args()...))
	if err != nil {
		return err
	}
	text, notes, err := vectors.SkeletonRTL(ctx, g, filepath.Dir(out))
	if err != nil {
		if _, ok := errors.AsType[*convention.Error](err); ok {
			return misused(err)
		}
		return vectorError(ctx, err)
	}
	for _, n := range notes {
		fmt.Fprintln(os.Stderr, n)
	}
	return put(ctx, out, text)
}

// watchVectors is cosimate vectors watch.
func watchVectors(ctx context.Context, c *vectorsCommand, args []string) error {
	var rtl rtlFlags
	set := c.flags()
	var keep keepFlag
	rtl.add(set)
	keep.add(set)
	if err := c.parse(set, args, 1, -1); err != nil {
		return err
	}
	o, err := rtl.options()
	if err != nil {
		return err
	}
	if o.Keep, err = keep.folder(); err != nil {
		return err
	}
	o.Command = rtl.command()
	var last string
	var named []string // the files that the vectors' headers name
	for first := true; ctx.Err() == nil; first = false {
		files, err := vectorFiles(set.Args())
		if err != nil && first {
			return err
		}
		// While some editors save a file, it is missing for a moment.
		if now := contents(slices.Concat(files, rtl.files(), named)); now != last {
			named = blocks.All().RTLFiles(files)
			last = contents(slices.Concat(files, rtl.files(), named))
			if err != nil {
				printError(err)
				fmt.Fprintln(os.Stderr, "waiting for it to come back")
			} else {
				begin := time.Now()
				results := blocks.All().Run(ctx, files, o)
				printVectors(stdout, results, false, time.Since(begin))
				if trouble := troubled(results); trouble != nil && ctx.Err() == nil {
					printError(rtl.overlaid(trouble))
				}
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(100 * time.Millisecond):
		}
		if stdout.err != nil {
			return stdout.err
		}
	}
	return context.Cause(ctx)
}

// contents returns a text that changes when the size or the time of change of a file does. These
// also change if an editor replaces the file.
func contents(files []string) string {
	h := sha256.New()
	for _, name := range files {
		if info, err := os.Stat(name); err == nil {
			fmt.Fprintln(h, name, info.Size(), info.ModTime().UnixNano())
		}
	}
	return string(h.Sum(nil))
}

// exportVector is cosimate vectors export.
func exportVector(ctx context.Context, c *vectorsCommand, args []string) error {
	var form, out string
	set := c.flags()
	set.StringVar(&form, "as", "verilog", "verilog: a testbench that checks itself, for bare Icarus; csv, as VUnit reads it; hex, for $readmemh")
	set.StringVarP(&out, "output", "o", "", "write to this `file` instead of standard output")
	if err := c.parse(set, args, 1, 1); err != nil {
		return err
	}
	r, name := blocks.All(), set.Arg(0)
	var text string
	var err error
	switch form {
	case "verilog":
		text, _, err = r.Verilog(ctx, name)
	case "csv":
		text, err = r.CSV(ctx, name)
	case "hex":
		text, err = r.Hex(ctx, name)
	default:
		return &misuse{fmt.Sprintf("--as %s: unknown form", form), "use verilog, csv or hex"}
	}
	if err != nil {
		return vectorError(ctx, err)
	}
	return put(ctx, out, text)
}

// readBounded reads a file that is to become a vector. Of a file that is too large for that it
// reads one byte more than allowed, which is refused later.
func readBounded(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, vectors.MaxTable+1))
}

// importVector is cosimate vectors import.
func importVector(ctx context.Context, c *vectorsCommand, args []string) error {
	var params, out string
	set := c.flags()
	set.StringVar(&params, "parameters", "", "of the design: \"`A=1 B=2`\"")
	set.StringVarP(&out, "output", "o", "", "write to this `file` instead of standard output")
	if err := c.parse(set, args, 2, 2); err != nil {
		return err
	}
	data, err := readBounded(set.Arg(1))
	if err != nil {
		return &misuse{fmt.Sprintf("%s: %v", set.Arg(1), reason(err)), "name a table in CSV, or one for $readmemh"}
	}
	text, err := blocks.All().Import(set.Arg(0), params, set.Arg(1), data)
	if err != nil {
		return vectorError(ctx, err)
	}
	return put(ctx, out, text)
}

// command returns the command that runs vectors again with these flags.
func (f *rtlFlags) command() string {
	command := "cosimate vectors run"
	if f.rtl != "" {
		command += " --rtl " + shell.Quote(f.rtl)
	}
	if f.sim != defaultSims {
		command += " --sim " + shell.Quote(f.sim)
	}
	if f.allowModel {
		command += " --allow-model"
	}
	return command
}

// overlaid adds to the error of a tool which of its files are read from the folder --rtl. The tool
// knows these files by the names of those that they replace.
func (f *rtlFlags) overlaid(err error) error {
	if _, ok := errors.AsType[*vectors.ToolError](err); !ok {
		return err
	}
	for _, name := range f.files() {
		if base := "/" + filepath.Base(name); strings.Contains(err.Error(), base+":") {
			err = fmt.Errorf("%w\n%s is read from %s", err, base[1:], name)
		}
	}
	return err
}

// files returns the files in the folder --rtl.
func (f *rtlFlags) files() (names []string) {
	if f.rtl == "" {
		return nil
	}
	entries, _ := os.ReadDir(f.rtl)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".sv") {
			names = append(names, f.rtl+"/"+e.Name())
		}
	}
	return names
}
