package lanes

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/cpu"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/internal/build"
)

// Code is what a circuit is made into.
type Code int

const (
	// Fastest is the code that this processor runs fastest.
	Fastest Code = iota
	// AVX512 is assembler text for amd64 with AVX-512 (F and BW), in which a LUT of all lanes is
	// one instruction.
	AVX512
	// AVX2 is assembler text for amd64 with AVX2, in which a LUT of half of the lanes is a few
	// instructions.
	AVX2
	// Portable is C with vectors, for any processor.
	Portable
)

func (c Code) String() string { return [...]string{"fastest", "AVX-512", "AVX2", "portable"}[c] }

// Runs reports whether this processor can run the code.
func (c Code) Runs() bool {
	switch amd64 := runtime.GOARCH == "amd64"; c {
	case AVX512:
		return amd64 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW
	case AVX2:
		return amd64 && cpu.X86.HasAVX2
	}
	return true
}

// choose returns the code for this processor.
func (c Code) choose() (Code, error) {
	if c == Fastest {
		for c = AVX512; !c.Runs(); c++ {
		}
	}
	if !c.Runs() {
		return c, fmt.Errorf("lanes: this processor cannot run code for %v: use lanes.Fastest or lanes.Portable", c)
	}
	return c, nil
}

// flags are the C compiler's flags for the processor.
func (c Code) flags() []string {
	switch {
	case c == AVX512:
		return []string{"-mavx512f", "-mavx512bw"}
	case AVX2.Runs():
		return []string{"-mavx2"}
	}
	return nil
}

// Flags of the C compiler, for the code around a model and for portable models. The compiler warns
// of vectors that are wider than the processor's.
var (
	shimFlags  = []string{"-O3", "-fPIC", "-fvisibility=hidden", "-w"}
	stageFlags = []string{"-O1", "-fPIC", "-fvisibility=hidden", "-w"}
)

// shim is the code around a model.
//
//go:embed shim
var shim embed.FS

// library is a compiled model.
type library struct {
	path   string
	planes int
}

// compile makes the shared library of a circuit, or finds it in the cache. The name of the
// circuit's entry stands for the circuit. If many models of a design with other faults are made,
// the code around them is compiled once.
func compile(ctx context.Context, d *bridge.Design, p *program, entry string, l *bridge.Layout, code Code, many bool) (*library, error) {
	cc, err := build.CompilerFor("CC", "gcc")
	if err != nil {
		return nil, err
	}
	generator, suffix := portable, "stages.c"
	switch code {
	case AVX512:
		generator, suffix = assembleAVX512, "stages.s"
	case AVX2:
		generator, suffix = assembleAVX2, "stages.s"
	}
	text, planes := generator(p)
	files := map[string]string{}
	var data *strings.Builder
	if many && apart(p, code) {
		data = &strings.Builder{}
	}
	files["tables.h"] = tables(p, l, data)
	if data != nil {
		text += data.String()
	}
	model := map[string]string{suffix: text}
	key := build.NewKey("lanes-model").Add("circuit", entry).MadeBy(cc).Add("tool", cc.ID).Add("stages", text).Add("tables", files["tables.h"])
	shared := build.NewKey("lanes-around").MadeBy(cc).Add("tool", cc.ID).Add("tables", files["tables.h"])
	err = fs.WalkDir(shim, "shim", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := shim.ReadFile(name)
		files[path.Base(name)] = string(data)
		key.Add(name, string(data))
		shared.Add(name, string(data))
		return err
	})
	if err != nil {
		return nil, err
	}
	stages := append([]string{"-c", suffix, "-o", "stages.o"}, append(stageFlags, code.flags()...)...)
	around := append([]string{"-c", "lanes.c", "-o", "lanes.o"}, append(shimFlags, code.flags()...)...)
	for _, flag := range append(stages, around...) {
		key.Add("flag", flag)
		shared.Add("flag", flag)
	}
	write := func(dir string, texts map[string]string) error {
		for name, text := range texts {
			if err := build.WriteFile(dir, name, []byte(text)); err != nil {
				return err
			}
		}
		return nil
	}
	object := func(ctx context.Context, dir string, args []string) error {
		if _, err := build.Run(ctx, dir, cc.Path, args...); err != nil {
			return fmt.Errorf("lanes: compiling module %s: %w", d.Top, err)
		}
		return nil
	}
	dir, err := build.Entry(ctx, d.Top+"-lanes", key, []string{"model.so"}, func(ctx context.Context, dir string) error {
		// All texts are there before the first compiler begins: stages.c includes some of them.
		err := write(dir, model)
		if data == nil && err == nil {
			err = write(dir, files)
		}
		if err != nil {
			return err
		}
		group, gctx := errgroup.WithContext(ctx)
		group.Go(func() error { return object(gctx, dir, stages) })
		home := dir
		group.Go(func() (err error) {
			if data == nil {
				return object(gctx, dir, around)
			}
			home, err = build.Entry(gctx, d.Top+"-around", shared, []string{"lanes.o"}, func(ctx context.Context, dir string) error {
				if err := write(dir, files); err != nil {
					return err
				}
				return object(ctx, dir, around)
			})
			return err
		})
		if err := group.Wait(); err != nil {
			return err
		}
		if _, err := build.Run(ctx, dir, cc.Path, "-shared", "-Wl,-Bsymbolic", "-Wl,-z,now", "-o", "model.so", "stages.o", filepath.Join(home, "lanes.o")); err != nil {
			return fmt.Errorf("lanes: linking module %s: %w", d.Top, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &library{filepath.Join(dir, "model.so"), planes}, nil
}
