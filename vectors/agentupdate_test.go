package vectors_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/vectors"
)

// What a bus reads is filled in, and with all corrected; until then the vector does not run.
func TestUpdateReads(t *testing.T) {
	rtl, err := os.ReadFile("../sim/axi/testdata/regs.sv")
	if err != nil {
		t.Fatal(err)
	}
	const begin = "rtl: regs.sv\nreset: 0\n\n-- script --\nagent bus axi-lite prefix s_axil_\nreset\nbus write 0 0x1234_5678\n"
	dir := here(t, map[string]string{"regs.sv": string(rtl),
		"open.txtar": begin + "bus read 0 expect ? # so it is\nstart bus read 0 expect ?\nbus read 0 expect 0x1\n",
	})
	name := filepath.Join(dir, "open.txtar")
	if r := result(t, name, vectors.Options{}); r.Err == nil || !strings.Contains(r.Err.Error(), "what is read is to be filled in") {
		t.Error(r.Err)
	}
	if _, err := anyRTL.Update(t.Context(), name, false, vectors.Options{}); err == nil || !strings.Contains(err.Error(), "reads 0x12345678 at 0, expected 0x1") {
		t.Error(err)
	}
	text, err := anyRTL.Update(t.Context(), name, true, vectors.Options{})
	if want := "bus read 0 expect 0x12345678  # so it is\nstart bus read 0 expect 0x12345678\nbus read 0 expect 0x12345678\n"; err != nil || !strings.HasSuffix(text, want) {
		t.Errorf("%v\n%s", err, text)
	}
}
