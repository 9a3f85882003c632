package verilator

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/bridge"
)

// Signals are found in the code that each version generates, with any name of the folder.
func TestKeptSignals(t *testing.T) {
	for version, code := range map[string]string{
		"5.006": `
    __Vscope_t__u.configure(this, name(), "t.u", "u", -9, VerilatedScope::SCOPE_OTHER);
        __Vscope_t__u.varInsert(__Vfinal,"mem", &(TOP.t__DOT__u__DOT__mem), false, VLVT_UINT8,VLVD_NODIR|VLVF_PUB_RW,2 ,7,0 ,0,15);
`,
		"5.048": `
    __Vscopep_t__u = new VerilatedScope{this, "t.u", "u", "u", -9, VerilatedScope::SCOPE_OTHER};
        __Vscopep_t__u->varInsert("mem", &(TOP.t__DOT__u__DOT__mem), false, VLVT_UINT8, VLVD_NODIR|VLVF_PUB_RW, 1, 1 ,0,15 ,7,0);
`,
	} {
		t.Run(version, func(t *testing.T) {
			obj := filepath.Join(t.TempDir(), "with [brackets]")
			if err := os.Mkdir(obj, 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(obj, "Vdut__Syms.cpp"), []byte(code), 0o666); err != nil {
				t.Fatal(err)
			}
			got, err := keptSignals(obj, &bridge.Design{Top: "t", Internals: []string{"u.mem"}}, &hierarchy{top: &module{}})
			want := []signal{{Name: "u.mem", Member: "TOP.t__DOT__u__DOT__mem", Width: 8, Unpacked: [][2]int{{0, 15}}}}
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(signal{})); diff != "" || err != nil {
				t.Errorf("the signals are not those wanted (%v):\n%s", err, diff)
			}
		})
	}
}
