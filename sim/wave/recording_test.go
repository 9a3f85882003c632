package wave_test

import (
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/live/browser"
	"github.com/cosimate/cosimate/sim/report"
	"github.com/cosimate/cosimate/sim/wave/internal/vcd"
)

// many has 500 signals, of 1, 8, 32 and 64 bits, which change in each cycle, in every second one
// and so on. Those in front have no reset: Icarus shows X in them, until these are shifted out.
const many = `module many (input logic clk_i, input logic rst_i, input logic [7:0] data_i, output logic [7:0] data_o);
  logic [15:0] count_q;
  always_ff @(posedge clk_i) count_q <= rst_i ? 16'd0 : count_q + 16'd1;
  for (genvar i = 0; i < 497; i++) begin : g
    localparam int Width = i % 4 == 0 ? 1 : i % 4 == 1 ? 8 : i % 4 == 2 ? 32 : 64;
    logic [Width-1:0] s_q;
    wire turn = (count_q & ((16'd1 << (i % 6)) - 16'd1)) == 16'd0;
    always_ff @(posedge clk_i)
      if (rst_i && i % 5 != 0) s_q <= '0;
      else if (turn) s_q <= (s_q << 1) ^ Width'(data_i[i % 8]) ^ Width'({48'd0, count_q} >> (i % 3));
  end
  assign data_o = g[1].s_q;
endmodule
`

type manyIn struct {
	Rst  bool
	Data uint8
}

type manyOut struct{ Data uint8 }

var recorded = flag.Int("wave.cycles", 1000, "how many cycles TestRecordings records")

// The page of a failure with many cycles of more than 500 signals holds what GTKWave's fst2vcd
// finds in the waveform beside it, in each simulator. It does not hold parameters, among which
// Icarus 13 has genvars.
func TestRecordings(t *testing.T) {
	ctx := browser.New(t)
	design := sim.Design{Top: "many", FS: fstest.MapFS{"many.sv": {Data: []byte(many)}}, Files: []string{"many.sv"}, Clock: "clk_i"}
	cycles := *recorded
	for _, s := range []sim.Simulator{sim.Icarus, sim.Verilator} {
		t.Run(string(s), func(t *testing.T) {
			dir := t.TempDir()
			f := report.Failure{Top: "many", Columns: []string{"model", string(s)}, Reason: "as an example", FST: filepath.Join(dir, "run.fst"), FSTScope: "many"}
			if s == sim.Verilator {
				f.FSTScope = "TOP.many"
			}
			dut, err := sim.Open[manyIn, manyOut](t.Context(), design, s, sim.WithWave(f.FST, 0, uint64(cycles)))
			if err != nil {
				t.Fatal(err)
			}
			for c := range cycles {
				if _, err := dut.Step(manyIn{Rst: c < 2, Data: uint8(c * c >> 3)}); err != nil {
					t.Fatal(err)
				}
			}
			f.Wave, f.Cycle, f.At = dut.Recent(), uint64(cycles-1), time.Duration(cycles*10-5)*time.Nanosecond
			if err := dut.Close(); err != nil {
				t.Fatal(err)
			}
			if _, err := report.Write(dir, &f); err != nil {
				t.Fatal(err)
			}
			info, err := os.Stat(filepath.Join(dir, "report.html"))
			if err != nil {
				t.Fatal(err)
			}

			tab := browser.Tab(t, ctx)
			browser.Run(t, tab, chromedp.Navigate("file://"+filepath.Join(dir, "report.html")))
			browser.Wait(t, tab, `document.documentElement.dataset.waves == "ready"`)
			painted(t, tab)
			t.Logf("%d bytes, drawn %.0f ms after the start of loading", info.Size(), browser.Eval[float64](t, tab, "performance.getEntriesByName('waves').at(-1).startTime"))
			got := browser.Eval[map[string]uint32](t, tab, digests)
			signals, parameters := vcd.Read(t, f.FST)
			for name := range parameters {
				delete(signals, name)
			}
			want := expected(t, signals, f.FSTScope)
			if len(want) < 500 || len(got) != len(want) {
				t.Errorf("the page has %d signals, the waveform %d", len(got), len(want))
			}
			if first := browser.Eval[int](t, tab, `document.getElementById("waves").waves.view.first`); first != 0 {
				t.Errorf("the page begins with cycle %d", first)
			}
			for name, digest := range want {
				if got[name] != digest {
					t.Errorf("%s has other values in the page than in the waveform", name)
				}
			}
		})
	}
}

// digests is a script that returns, for each signal, a number that its values in all cycles have.
const digests = `(() => {
	const w = document.getElementById("waves").waves, all = {};
	for (const s of w.signals.values()) {
		const t = w.traceOf(s);
		let hash = 2166136261;
		for (let i = 0; i < t.count; i++) {
			const v = t.value(i);
			for (const c of t.cycles[i] + ":" + v.bits.toString(16) + "/" + v.unknown.toString(16) + ";") hash = Math.imul(hash ^ c.charCodeAt(0), 16777619) >>> 0;
		}
		all[s.path] = hash;
	}
	return all;
})()`

// expected returns the same of what fst2vcd says: the values just before each rising edge.
func expected(t *testing.T, signals vcd.Signals, scope string) map[string]uint32 {
	t.Helper()
	var edges []uint64
	for _, p := range signals[scope+".clk_i"] {
		if p.Value == "1" {
			edges = append(edges, p.Time)
		}
	}
	if len(edges) != *recorded {
		t.Fatalf("the waveform has %d cycles", len(edges))
	}
	outer := scope[:strings.LastIndex("."+scope, ".")]
	all := map[string]uint32{}
	for name, points := range signals {
		if !strings.HasPrefix(name, scope+".") {
			continue
		}
		hash, before, at := fnv.New32a(), "", 0
		for cycle, edge := range edges {
			for at < len(points) && points[at].Time < edge {
				at++
			}
			if at == 0 || points[at-1].Value == before {
				continue
			}
			before = points[at-1].Value
			bits, unknown := hexes(before)
			fmt.Fprintf(hash, "%d:%s/%s;", cycle, bits, unknown)
		}
		all[strings.TrimPrefix(name, outer)] = hash.Sum32()
	}
	return all
}

// hexes returns the bits of a value in binary, and which of them are unknown, in hexadecimal.
func hexes(value string) (bits, unknown string) {
	var b, u uint64 // no signal has more than 64 bits
	for _, digit := range value {
		b, u = b<<1, u<<1
		if digit == '1' || digit == 'z' {
			b |= 1
		}
		if digit == 'x' || digit == 'z' {
			u |= 1
		}
	}
	return fmt.Sprintf("%x", b), fmt.Sprintf("%x", u)
}
