package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/cosimate/cosimate/vectors"
	"github.com/cosimate/cosimate/vectors/designs"
)

// put writes a text to a file, or to standard output if none is named.
func put(ctx context.Context, name, text string) error {
	if name == "" {
		_, err := os.Stdout.WriteString(text)
		return err
	}
	return writeVector(ctx, name, []byte(text))
}

// said is an error about a vector, which is shown as it is.
func said(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*vectors.Failure](err); ok {
		fmt.Printf("%s\n\n", visible(err.Error()))
		return errDiffers
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
	text, tries, err := designs.All().Shrink(ctx, set.Arg(0), o)
	if err != nil {
		return said(err)
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
		if data, err = os.ReadFile(from); err == nil {
			text, err = designs.All().Replay(ctx, set.Arg(0), params, string(data))
		}
	} else {
		text, err = designs.All().Record(ctx, set.Arg(0), params, seed, cycles)
	}
	if err != nil {
		return said(err)
	}
	return put(ctx, out, text)
}

// newVector is cosimate vectors new.
func newVector(ctx context.Context, c *vectorsCommand, args []string) error {
	var out string
	set := c.flags()
	set.StringVarP(&out, "output", "o", "", "write to this `file` instead of standard output")
	if err := c.parse(set, args, 1, 1); err != nil {
		return err
	}
	text, err := designs.All().Skeleton(set.Arg(0))
	if err != nil {
		return said(err)
	}
	return put(ctx, out, text)
}

// watchVectors is cosimate vectors watch.
func watchVectors(ctx context.Context, c *vectorsCommand, args []string) error {
	var rtl rtlFlags
	set := c.flags()
	rtl.add(set)
	if err := c.parse(set, args, 1, -1); err != nil {
		return err
	}
	o, err := rtl.options()
	if err != nil {
		return err
	}
	o.Command = rtl.command()
	var last string
	for ctx.Err() == nil {
		files, err := vectorFiles(set.Args())
		if err != nil {
			return err
		}
		now := contents(append(slices.Clone(files), rtl.files()...))
		if now != last {
			last = now
			begin := time.Now()
			printVectors(os.Stdout, designs.All().Run(ctx, files, o), false, time.Since(begin))
		}
		select {
		case <-ctx.Done():
		case <-time.After(100 * time.Millisecond):
		}
	}
	return context.Cause(ctx)
}

// contents changes when a file does: its size or time of change, which editors that replace files change as well.
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
	r, name := designs.All(), set.Arg(0)
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
		return said(err)
	}
	return put(ctx, out, text)
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
	data, err := os.ReadFile(set.Arg(1))
	if err != nil {
		return &misuse{err.Error(), ""}
	}
	text, err := designs.All().Import(set.Arg(0), params, set.Arg(1), data)
	if err != nil {
		return said(err)
	}
	return put(ctx, out, text)
}

// command runs vectors again with these flags.
func (f *rtlFlags) command() string {
	command := "cosimate vectors run"
	if f.rtl != "" {
		command += " --rtl " + shellWord(f.rtl)
	}
	if f.sim != defaultSims {
		command += " --sim " + shellWord(f.sim)
	}
	return command
}

// files are those of the folder --rtl.
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
