package core_test

import (
	"bufio"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/core"
	"github.com/cosimate/cosimate/rtl/driver"
	"github.com/cosimate/cosimate/rtl/simbus"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/tb"
)

// Software plays on the simulated core by way of the driver.
func Example() {
	dut, err := sim.Open[core.In, core.Out](context.Background(), core.Design, sim.Verilator)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer dut.Close()

	b := tb.New(dut)
	bus, err := simbus.New(b, &b.In.Rst, &b.Out.Irq)
	if err != nil {
		fmt.Println(err)
		return
	}
	bus.Go("software", func() error {
		c, err := driver.OpenCore(bus)
		if err != nil {
			return err
		}
		if err := c.SetPosition("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"); err != nil {
			return err
		}
		captures, err := c.Quiescence()
		if err != nil {
			return err
		}
		fmt.Println(captures)
		if err := c.Make(captures[0]); err != nil {
			return err
		}
		answers, err := c.Moves(driver.LeastAggressor, driver.Captures)
		if err != nil {
			return err
		}
		fmt.Println(answers)
		fmt.Println(c.Make(engine.Move{From: 4, To: 60}))
		return c.Unmake()
	})
	if err := b.Run(10_000); err != nil {
		fmt.Println(err)
	}
	// Output:
	// [e2a6 f3f6 g2h3 f3h3 d5e6 e5g6 e5d7 e5f7]
	// [b4c3 e6d5 b6d5 f6d5 f6e4 h3g2]
	// driver: the move e1e8 is illegal in r3k2r/p1ppqpb1/Bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPB1PPP/R3K2R b KQkq - 0 1
}

// The program of the chapter in C, on the simulated bus.
func TestC(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "perft")
	compile := exec.Command("gcc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-I.", "-o", binary, "c/perft.c", "testdata/main.c")
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, c := range []struct {
		fen   string
		depth int
	}{
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 2},
		{special[0], 2},
		{"r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", 2},
		{"rnbqkbnr/pp1ppppp/8/8/2pPP3/5N2/PPP2PPP/RNBQKB1R b KQkq d3 0 3", 2},
	} {
		p := parse(t, c.fen)
		withSoftware(t, core.Design, 1_000_000, func(r *rig) error {
			depth := c.depth
			if r.DUT().Simulator() == sim.Icarus {
				depth = 1
			}
			due := engine.Perft(&p, depth)
			program := exec.Command(binary, c.fen, fmt.Sprint(depth))
			answers, err := program.StdinPipe()
			if err != nil {
				return err
			}
			lines, err := program.StdoutPipe()
			if err != nil {
				return err
			}
			if err := program.Start(); err != nil {
				return err
			}
			defer program.Process.Kill()
			nodes := uint64(0)
			for in := bufio.NewScanner(lines); in.Scan(); {
				var address, data uint32
				var err error
				switch line := in.Text(); {
				case scan(line, "read %x", &address):
					data, err = r.bus.Read32(address)
				case scan(line, "write %x %x", &address, &data):
					err = r.bus.Write32(address, data)
				case !scan(line, "nodes %d", &nodes):
					return fmt.Errorf("the program says %q", line)
				}
				if err != nil {
					return err
				}
				if _, err := fmt.Fprintf(answers, "%x\n", data); err != nil && nodes == 0 {
					return err
				}
			}
			if err := program.Wait(); err != nil {
				return err
			}
			if nodes != due {
				return fmt.Errorf("perft %d of %s is %d, the program counts %d", depth, c.fen, due, nodes)
			}
			return nil
		})
	}
}

func scan(line, format string, args ...any) bool {
	_, err := fmt.Sscanf(line, format, args...)
	return err == nil
}
