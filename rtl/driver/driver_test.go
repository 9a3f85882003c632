package driver_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/driver"
	"github.com/cosimate/cosimate/rtl/regmap"
)

// registers is a bus with memory behind it, and perhaps with faults. What a core does is tested
// where there is one: in the packages core and perftcore.
type registers struct {
	word map[uint32]uint32
	fail map[uint32]error
	log  []string
}

func (r *registers) Read32(address uint32) (uint32, error) {
	r.log = append(r.log, fmt.Sprintf("read %#03x", address))
	return r.word[address], r.fail[address]
}

func (r *registers) Write32(address, data uint32) error {
	r.log = append(r.log, fmt.Sprintf("write %#03x %#x", address, data))
	return r.fail[address]
}

func core() *registers {
	return &registers{word: map[uint32]uint32{
		regmap.CoreIdentity: regmap.CoreIdentityValue, regmap.CoreVersion: regmap.CoreVersionValue, regmap.CoreConfig: 64,
	}}
}

func TestWrongHardware(t *testing.T) {
	for _, c := range []struct {
		address, word uint32
		want          string
	}{
		{regmap.CoreIdentity, 0xffffffff, "check the window's address and that the bitstream is loaded"},
		{regmap.CoreIdentity, regmap.PerftIdentityValue, `reads as 0x50524654 ("PRFT"), that of the move generator core is 0x4d4f5645 ("MOVE")`},
		{regmap.CoreVersion, 0x00020000, "the move generator core's registers have version 2.0, this driver is for 1.0 and greater ones"},
		{regmap.CoreVersion, 0x00000001, "version 0.1"},
	} {
		r := core()
		r.word[c.address] = c.word
		if _, err := driver.OpenCore(r); !errors.Is(err, driver.ErrWrongHardware) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%#x reads as %#x: %v", c.address, c.word, err)
		}
	}
	r := core()
	r.word[regmap.CoreVersion]++ // a greater minor version
	if _, err := driver.OpenCore(r); err != nil {
		t.Error(err)
	}
}

// Hardware that answers, but does nothing: no call hangs.
func TestSilentHardware(t *testing.T) {
	c, err := driver.OpenCore(core())
	if err != nil {
		t.Fatal(err)
	}
	start := engine.StartPosition()
	if err := c.SetPosition(start.FEN()); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Moves(driver.Plain, driver.All); !errors.Is(err, driver.ErrTimeout) || !strings.Contains(err.Error(), "no word of the list in 100 reads of Moves") {
		t.Error(err)
	}
	if err := c.Published(driver.All); err != nil {
		t.Error(err)
	}
	if _, err := c.PublishedMoves(); !errors.Is(err, driver.ErrTimeout) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := c.WaitListed(ctx); !errors.Is(err, driver.ErrTimeout) || !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := c.ReadPosition(); !errors.Is(err, driver.ErrMismatch) {
		t.Error(err)
	}
}

// An error of the bus at any register comes out of the call that met it.
func TestBusErrors(t *testing.T) {
	broken := errors.New("the bus is broken")
	calls := map[uint32]func(*driver.Core) error{
		regmap.CorePosition: func(c *driver.Core) error { return c.SetPosition("4k3/8/8/8/8/8/8/4K3 b - - 3 4") },
		regmap.CoreClocks:   func(c *driver.Core) error { return c.SetPosition("4k3/8/8/8/8/8/8/4K3 b - - 3 4") },
		regmap.CoreBoard:    func(c *driver.Core) error { _, err := c.ReadPosition(); return err },
		regmap.CoreMake:     func(c *driver.Core) error { return c.Make(engine.Move{From: 12, To: 28}) },
		regmap.CoreNull:     func(c *driver.Core) error { return c.Null() },
		regmap.CoreError:    func(c *driver.Core) error { return c.Null() },
		regmap.CoreList:     func(c *driver.Core) error { return c.Stream(driver.Plain, driver.All) },
		regmap.CoreMoves:    func(c *driver.Core) error { _, err := c.Quiescence(); return err },
		regmap.CoreCount:    func(c *driver.Core) error { _, _, err := c.Legal(); return err },
		regmap.CoreAbort:    func(c *driver.Core) error { return c.Abort() },
	}
	for address, call := range calls {
		r := core()
		c, err := driver.OpenCore(r)
		if err != nil {
			t.Fatal(err)
		}
		start := engine.StartPosition()
		if err := c.SetPosition(start.FEN()); err != nil {
			t.Fatal(err)
		}
		r.fail = map[uint32]error{address: broken}
		if err := call(c); !errors.Is(err, broken) {
			t.Errorf("register %#03x: %v", address, err)
		}
	}
	for _, address := range []uint32{regmap.CoreIdentity, regmap.CoreVersion, regmap.CoreConfig, regmap.CoreAbort} {
		r := core()
		r.fail = map[uint32]error{address: broken}
		if _, err := driver.OpenCore(r); !errors.Is(err, broken) {
			t.Errorf("register %#03x: %v", address, err)
		}
	}
}

// One transfer a command, if the hardware is trusted.
func TestTrusting(t *testing.T) {
	r := core()
	c, err := driver.OpenCore(r)
	if err != nil {
		t.Fatal(err)
	}
	c.Trusting = true
	if err := c.SetPosition("8/P7/8/8/8/8/8/k1K5 w - - 0 1"); err != nil {
		t.Fatal(err)
	}
	r.log = nil
	m := engine.Move{From: 48, To: 56, Promotion: engine.Queen}
	for _, err := range []error{c.Make(m), c.Unmake(), c.Null(), c.Unmake(), c.PublishedMake(m), c.PublishedUnmake(m)} {
		if err != nil {
			t.Error(err)
		}
	}
	want := "write 0x02c 0x53830,write 0x034 0x0,write 0x030 0x0,write 0x034 0x0,write 0x060 0x5403762,write 0x060 0x9403762"
	if got := strings.Join(r.log, ","); got != want {
		t.Errorf("the transfers are\n%s\nwant\n%s", got, want)
	}
}

// Registers as memory of a file, as /dev/mem and /dev/uio0 are files.
func TestMap(t *testing.T) {
	name := filepath.Join(t.TempDir(), "window")
	if _, err := driver.Map(name, 0); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if err := os.WriteFile(name, make([]byte, 2*regmap.Window), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := driver.Map(name, 12); err == nil || !strings.Contains(err.Error(), "from 0xc on cannot be mapped") {
		t.Errorf("an address that is none of a page: %v", err)
	}
	w, err := driver.Map(name, regmap.Window)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write32(regmap.CoreMoves, 0x12345678); err != nil {
		t.Error(err)
	}
	if word, err := w.Read32(regmap.CoreMoves); err != nil || word != 0x12345678 {
		t.Errorf("%#x, %v", word, err)
	}
	for _, address := range []uint32{2, regmap.Window, 0xfffffffc} {
		if _, err := w.Read32(address); err == nil {
			t.Errorf("a read at %#x has no error", address)
		}
		if err := w.Write32(address, 0); err == nil {
			t.Errorf("a write at %#x has no error", address)
		}
	}
	for range 2 {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := w.Read32(0); err == nil {
		t.Error("a closed window can be read")
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if at := regmap.Window + regmap.CoreMoves; string(text[at:at+4]) != "\x78\x56\x34\x12" {
		t.Errorf("the file has % x", text[at:at+4])
	}
}

// The driver can be built for the board, without the simulators.
func TestDependencies(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields(string(out)) {
		if name == "runtime/cgo" || strings.Contains(name, "cosimate/sim") || strings.Contains(name, "cosimate/bridge") {
			t.Errorf("it depends on %s", name)
		}
	}
}
