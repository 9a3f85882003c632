package vectors_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/rtl/blocks"
	"github.com/cosimate/cosimate/vectors"
)

var update = flag.Bool("update", false, "write testdata/wrong")

// a returns a vector for debounce with these rows.
func a(rows string) string {
	return "design: debounce\n\n-- cycles --\nline_i | clean_o ready_o\n" + rows
}

// script returns a vector for a design with these statements.
func script(design, statements string) string {
	return "design: " + design + "\n\n-- script --\n" + statements
}

// wrong has vectors with one mistake each. Their error messages are in testdata/wrong.
var wrong = []struct{ name, text string }{
	// The file.
	{"empty", ""},
	{"only-a-comment", "# nothing\n"},
	{"byte-order-mark", "\xef\xbb\xbf" + a("0 | 0 0\n")},
	{"crlf", strings.ReplaceAll(a("0 | 0 0\n"), "\n", "\r\n")},
	{"tabs", a("0 |\t0 0\n1 |\t0 0\n")},
	{"binary", "\x7fELF\x02\x01\x01\x00\x00\x00"},
	{"latin-1", a("0 | 0 0 # f\xfcr\n")},
	{"control-character", a("0 | 0 0\x1b[31m\n")},
	{"too-large", strings.Repeat("# a hundred megabytes\n", 100<<20/22+1)},
	{"long-line", a("0 | 0 " + strings.Repeat("0", 5000) + "\n")},
	{"pasted-dash", a("0 | 0 \u2013\n")},
	{"no-break-space", a("0\u00a0| 0 0\n")},
	{"no-section", "design: debounce\n"},
	// The header.
	{"no-design", "# a story\n\n-- script --\nwait 3\n"},
	{"unknown-design", script("debonce", "wait 3\n")},
	{"unknown-design-far", script("quicksort", "wait 3\n")},
	{"unknown-key", "desing: debounce\n\n-- script --\nwait 3\n"},
	{"key-twice", "design: debounce\ndesign: uart\n\n-- script --\nwait 3\n"},
	{"no-colon", "design debounce\n\n-- script --\nwait 3\n"},
	{"blank-before-colon", "design : debounce\n\n-- script --\nwait 3\n"},
	{"no-blank-behind-colon", "design:debounce\n\n-- script --\nwait 3\n"},
	{"no-value", "design:\n\n-- script --\nwait 3\n"},
	{"two-designs", "design: debounce uart\n\n-- script --\nwait 3\n"},
	{"unknown-parameter", "design: debounce\nparameters: HoldCycle=3\n\n-- script --\nwait 3\n"},
	{"parameter-too-small", "design: debounce\nparameters: HoldCycles=0\n\n-- script --\nwait 3\n"},
	{"parameter-not-a-number", "design: debounce\nparameters: HoldCycles=few\n\n-- script --\nwait 3\n"},
	{"parameter-with-blanks", "design: debounce\nparameters: HoldCycles = 3\n\n-- script --\nwait 3\n"},
	{"parameter-of-none", "design: movegen\nparameters: Plies=3\n\n-- script --\nwait 3\n"},
	{"bad-seed", "design: debounce\nseed: lucky\n\n-- script --\nwait 3\n"},
	{"bad-period", "design: debounce\nperiod: 10\n\n-- script --\nwait 3\n"},
	{"bad-reset", "design: debounce\nreset: -1\n\n-- script --\nwait 3\n"},
	{"statement-in-header", "design: debounce\nwait 3\n"},
	// Sections.
	{"unknown-section", "design: debounce\n\n-- cycle --\nline_i |\n0 |\n"},
	{"marker-without-blanks", "design: debounce\n\n--cycles--\nline_i |\n0 |\n"},
	{"marker-in-a-section", a("0 | 0 0\n-- script\n")},
	{"empty-section", "design: debounce\n\n-- cycles --\n"},
	{"no-rows", "design: debounce\n\n-- cycles --\nline_i | clean_o\n"},
	// Columns.
	{"misspelled-input", "design: debounce\n\n-- cycles --\nlien_i | clean_o\n0 | 0\n"},
	{"misspelled-output", "design: debounce\n\n-- cycles --\nline_i | clear_o\n0 | 0\n"},
	{"output-that-drives", "design: debounce\n\n-- cycles --\nclean_o | ready_o\n0 | 0\n"},
	{"input-that-expects", "design: debounce\n\n-- cycles --\n| line_i\n| 0\n"},
	{"clock-as-column", "design: debounce\n\n-- cycles --\nclk_i line_i | clean_o\n0 0 | 0\n"},
	{"column-twice", "design: debounce\n\n-- cycles --\nline_i line_i | clean_o\n0 0 | 0\n"},
	{"no-bar-in-titles", "design: debounce\n\n-- cycles --\nline_i clean_o\n0 | 0\n"},
	{"label-before-titles", "design: debounce\n\n-- cycles --\nports: line_i | clean_o\n0 | 0\n"},
	{"no-columns", "design: debounce\n\n-- cycles --\n|\n|\n"},
	// Rows.
	{"missing-value", a("0 | 0\n")},
	{"missing-input", a("| 0 0\n")},
	{"too-many-values", a("0 | 0 0 1\n")},
	{"no-bar", a("0 0 0\n")},
	{"two-bars", a("0 | 0 | 0\n")},
	{"value-too-wide", a("2 | 0 0\n")},
	{"hex-too-wide", "design: leds\n\n-- cycles --\nfrom_i | led_o\n0x40 | 0\n"},
	{"negative", "design: leds\n\n-- cycles --\nfrom_i | led_o\n-1 | 0\n"},
	{"not-a-number", a("0 | 0 yes\n")},
	{"bad-hex", "design: leds\n\n-- cycles --\nfrom_i | led_o\n0xfg | 0\n"},
	{"bad-square", "design: leds\n\n-- cycles --\nfrom_i | led_o\ne9 | 0\n"},
	{"bad-name", "design: leds\n\n-- cycles --\npattern_i | led_o\nilegal | 0\n"},
	{"bad-set", "design: leds\n\n-- cycles --\nrestore_i | led_o\ne2,e9 | 0\n"},
	{"square-twice-in-set", "design: leds\n\n-- cycles --\nrestore_i | led_o\ne2,d4,e2 | 0\n"},
	{"blank-in-set", "design: leds\n\n-- cycles --\nrestore_i | led_o\ne2, e4 | 0\n"},
	{"empty-range", "design: leds\n\n-- cycles --\nfrom_i | led_o\n7..3 | 0\n"},
	{"two-driven-ranges", "design: leds\n\n-- cycles --\nfrom_i to_i | led_o\n0..3 0..3 | 0\n"},
	{"unknown-driven", a("x | 0 0\n")},
	{"fill-driven", a("? | 0 0\n")},
	{"digits-driven", "design: leds\n\n-- cycles --\nfrom_i | led_o\n0b1-01 | 0\n"},
	{"repeat-of-nothing", a("0 | 0 0 *0\n")},
	{"repeat-not-a-number", a("0 | 0 0 *ten\n")},
	{"repeat-in-front", a("*3 0 | 0 0\n")},
	{"too-many-cycles", a("0 | 0 0 *60_000_000\n1 | 0 0 *60_000_000\n")},
	{"range-for-ever", "design: leds\n\n-- cycles --\nrestore_i | led_o\n0..0xffff_ffff_ffff | 0\n"},
	{"label-twice", a("begin: 0 | 0 0\nbegin: 1 | 0 0\n")},
	{"bad-label", a("1st: 0 | 0 0\n")},
	// Statements.
	{"unknown-statement", script("debounce", "weit 3\n")},
	{"statement-of-another-design", script("debounce", "lift e2\n")},
	{"bad-square-in-statement", script("validity", "lift e2\nplace e0\n")},
	{"bad-move", script("validity", "remote e2e\n")},
	{"bad-promotion", script("validity", "remote e7e8k\n")},
	{"bad-piece", script("validity", "promote qeen\n")},
	{"bad-fen", script("movegen", "position rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1\n")},
	{"fen-without-king", script("movegen", "position 8/8/8/8/8/8/8/8 w - - 0 1\n")},
	{"missing-argument", script("validity", "lift\n")},
	{"surplus-argument", script("validity", "promote queen rook\n")},
	{"bad-reason", script("validity", "illegal blokced\n")},
	{"bad-byte", script("uart", "send 256\n")},
	{"bad-clock-time", script("clock", "load white 5:00\n")},
	{"bad-time", script("debounce", "wait soon\n")},
	{"blank-in-time", script("debounce", "wait 20 us\n")},
	{"no-time", script("debounce", "wait 0\n")},
	{"negative-time", script("debounce", "wait -20us\n")},
	{"not-whole-cycles", script("debounce", "wait 13ns\n")},
	{"for-ever", script("debounce", "wait 300h\n")},
	{"within-nothing", script("debounce", "within 20us\n")},
	{"within-wait", script("debounce", "within 20us wait 3\n")},
	{"for-statement", script("validity", "for 20us lift e2\n")},
	{"set-output", script("debounce", "set clean_o 1\n")},
	{"expect-input", script("debounce", "expect line_i 1\n")},
	{"expect-unknown-port", script("debounce", "expect raedy_o 1\n")},
	{"expect-without-value", script("debounce", "expect ready_o\n")},
	{"expect-nothing", script("debounce", "expect ready_o -\n")},
	{"set-range", script("leds", "set from_i 0..3\n")},
	{"set-too-wide", script("leds", "set from_i 64\n")},
	// EPD.
	{"epd-of-a-design-that-does-not-count", "design: uart\n\n-- epd --\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20\n"},
	{"epd-without-count", "design: movegen\n\n-- epd --\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"},
	{"epd-bad-depth", "design: movegen\n\n-- epd --\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D0 1\n"},
	{"epd-depth-without-count", "design: movegen\n\n-- epd --\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 ;D2 400\n"},
	{"epd-bad-fen", "design: movegen\n\n-- epd --\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkx - 0 1 ;D1 20\n"},
}

// r returns a vector for the fifo, with these lines in its header and these statements.
func r(header, statements string) string {
	return "rtl: fifo.v\n" + header + "\n-- script --\n" + statements
}

// wrongRTL has vectors for RTL that their headers name, with one mistake each. Their error messages
// are in testdata/wrong, too.
var wrongRTL = []struct{ name, text string }{
	// The header.
	{"rtl-and-design", "rtl: fifo.v\ndesign: fifo\n\n-- script --\nwait 1\n"},
	{"rtl-no-value", "rtl:\n\n-- script --\nwait 1\n"},
	{"rtl-no-such-file", "rtl: fido.v\n\n-- script --\nwait 1\n"},
	{"rtl-second-file-missing", "rtl: fifo.v more.v\n\n-- script --\nwait 1\n"},
	{"rtl-folder", "rtl: .\n\n-- script --\nwait 1\n"},
	{"rtl-device", "rtl: /dev/zero\n\n-- script --\nwait 1\n"},
	{"rtl-glob-of-nothing", "rtl: src/*.sv\n\n-- script --\nwait 1\n"},
	{"rtl-bad-glob", "rtl: [.sv\n\n-- script --\nwait 1\n"},
	{"rtl-bad-list", "rtl: bad.f\n\n-- script --\nwait 1\n"},
	{"rtl-list-of-missing", "rtl: missing.f\n\n-- script --\nwait 1\n"},
	{"rtl-unknown-key", r("resett: rst_n\n", "wait 1\n")},
	{"rtl-key-twice", r("top: fifo\ntop: fifo\n", "wait 1\n")},
	{"rtl-key-without-rtl", "top: fifo\n\n-- script --\nwait 1\n"},
	{"rtl-key-of-a-block", "design: debounce\nclock: clk_i\n\n-- script --\nwait 1\n"},
	{"top-unknown", r("top: fif\n", "wait 1\n")},
	{"top-not-a-name", r("top: -o\n", "wait 1\n")},
	{"top-two", r("top: fifo two\n", "wait 1\n")},
	{"top-several", "rtl: several.v\n\n-- script --\nwait 1\n"},
	{"top-testbench", "rtl: tb.v\n\n-- script --\nwait 1\n"},
	{"clock-unknown", r("clock: clock\n", "wait 1\n")},
	{"clock-of-several-bits", r("clock: din\n", "wait 1\n")},
	{"clock-twice", r("clock: clk clk\n", "wait 1\n")},
	{"clock-bad-period", r("clock: clk=soon\n", "wait 1\n")},
	{"clock-period-zero", r("clock: clk=0ns\n", "wait 1\n")},
	{"clock-none-and-one", r("clock: clk none\n", "wait 1\n")},
	{"clock-several", "rtl: clocks.v\n\n-- script --\nwait 1\n"},
	{"clock-period-twice", r("clock: clk=8ns\nperiod: 8ns\n", "wait 1\n")},
	{"clock-period-of-which", "rtl: clocks.v\nclock: clk_a clk_b\nperiod: 8ns\n\n-- script --\nwait 1\n"},
	{"reset-unknown", r("reset: rst\n", "wait 1\n")},
	{"reset-bad-level", r("reset: rst_n negative\n", "wait 1\n")},
	{"reset-level-alone", r("reset: low\n", "wait 1\n")},
	{"reset-words-behind", r("reset: rst_n low 3 cycles\n", "wait 1\n")},
	{"reset-is-the-clock", r("reset: clk\n", "wait 1\n")},
	{"parameters-unknown", r("parameters: DEPHT=4\n", "wait 1\n")},
	{"reset-too-long", r("reset: rst_n low 5000\n", "wait 1\n")},
	{"reset-of-none", "rtl: add.v\nreset: 5\n\n-- script --\nwait 1\n"},
	{"reset-statement-of-none", "rtl: add.v\n\n-- script --\nreset\n"},
	{"include-missing", r("include: inc\n", "wait 1\n")},
	{"define-not-a-name", r("define: 8=9\n", "wait 1\n")},
	{"define-blanks", r("define: A = 3\n", "wait 1\n")},
	{"parameters-no-value", r("parameters: DEPTH\n", "wait 1\n")},
	{"parameters-twice", r("parameters: DEPTH=4 DEPTH=8\n", "wait 1\n")},
	{"parameters-expression", r("parameters: DEPTH=2+2\n", "wait 1\n")},
	{"verilator-runs-something", r("verilator: -Wno-WIDTH --exe\n", "wait 1\n")},
	{"verilator-threads", r("verilator: --threads many\n", "wait 1\n")},
	{"icarus-writes-something", r("icarus: -o/tmp/x\n", "wait 1\n")},
	{"model-no-command", r("model: csv\n", "wait 1\n")},
	{"rtl-bad-seed", r("seed: 0\n", "wait 1\n")},
	// Ports and tables.
	{"rtl-clock-as-column", "rtl: fifo.v\n\n-- cycles --\nclk push | full\n0 0 | 0\n"},
	{"rtl-misspelled-port", "rtl: fifo.v\n\n-- cycles --\npsuh | full\n0 | 0\n"},
	{"rtl-value-too-wide", "rtl: fifo.v\n\n-- cycles --\ndin | full\n256 | 0\n"},
	// Statements.
	{"rtl-unknown-statement", r("", "randon 10 din any\n")},
	{"rtl-epd", "rtl: fifo.v\n\n-- epd --\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20\n"},
	{"random-of-a-block", script("debounce", "random 10 line_i any\n")},
	{"random-no-number", r("", "random din any\n")},
	{"random-zero", r("", "random 0 din any\n")},
	{"random-no-values", r("", "random 10 din any push\n")},
	{"random-output", r("", "random 10 full any\n")},
	{"random-twice", r("", "random 10 din any din 3\n")},
	{"random-share-of-a-word", r("", "random 10 din 20%\n")},
	{"random-share", r("", "random 10 push 120%\n")},
	{"random-empty-range", r("", "random 10 din 9..0\n")},
	{"random-bad-in-list", r("", "random 10 din 1,2,300\n")},
	{"random-unknown-value", r("", "random 10 din x\n")},
	{"random-when-what", r("", "random 10 din any when full\n")},
	{"random-when-unknown", r("", "random 10 din any when fall 0\n")},
	{"random-too-many", r("", "random 200000000 din any\n")},
	{"within-random", r("", "within 3 always full\n")},
	{"always-nothing", r("", "always\n")},
	{"always-half", r("", "always !(full &\n")},
	{"always-assign", r("", "always full = 0\n")},
	{"always-unknown-name", r("", "always !(fall & empty)\n")},
	{"always-clock", r("", "always clk\n")},
	{"always-no-such-bit", r("", "always din[8] == 0\n")},
	{"always-bad-range", r("", "always din[0:3] == 0\n")},
	{"always-number-too-wide", r("", "always din == 4'hff\n")},
	{"always-two-expressions", r("", "always full empty\n")},
	{"always-character", r("", "always full @ empty\n")},
	{"peek-unknown", r("", "peek cuont 3\n")},
	{"peek-port", r("", "peek full 1\n")},
	{"peek-no-value", r("", "peek count\n")},
	{"peek-open", r("", "peek count -\n")},
	{"force-range", r("", "force count 1..3\n")},
	{"force-unknown-digit", r("", "force count 0b1x\n")},
	{"release-nothing", r("", "release\n")},
	{"load-no-file", r("", "load mem\n")},
	{"load-missing-file", r("", "load mem words.hex\n")},
	{"load-device", r("", "load mem /dev/zero\n")},
	{"load-not-hex", r("", "load mem fifo.v\n")},
	{"load-no-memory", r("", "load ram fifo.v\n")},
}

// w returns a vector for the peripheral, with these statements behind agents for its bus and lines.
func w(statements string) string {
	return "rtl: peripheral.v\n\n-- script --\nagent bus wishbone prefix wb_\nagent rx uart line rx_i divisor 8\nagent tx uart line tx_o divisor 8\nagent in stream prefix in_\nagent out axi-stream prefix out_\n" + statements
}

// g returns a vector for the peripheral, with this line of an agent.
func g(agent string) string { return "rtl: peripheral.v\n\n-- script --\nagent " + agent + "\n" }

// wrongAgents have one mistake each in an agent's line or statement.
var wrongAgents = []struct{ name, text string }{
	{"agent-nothing", "rtl: peripheral.v\n\n-- script --\nagent\n"},
	{"agent-no-protocol", g("bus")},
	{"agent-unknown-protocol", g("bus wishbon prefix wb_")},
	{"agent-unknown-protocol-far", g("bus i2c sda sda_io")},
	{"agent-bad-name", g("1st wishbone prefix wb_")},
	{"agent-name-of-a-statement", g("wait wishbone prefix wb_")},
	{"agent-twice", w("agent rx uart line rx_i divisor 8\n")},
	{"agent-unknown-option", g("bus wishbone prefixes wb_")},
	{"agent-option-without-value", g("bus wishbone prefix")},
	{"agent-option-twice", g("bus wishbone prefix wb_ prefix wb_")},
	{"agent-no-ports", g("bus axi-lite prefix s_axi_")},
	{"agent-some-ports", g("bus wishbone prefix wb_ ack rx_i")},
	{"agent-signal-of-no-port", g("bus wishbone prefix wb_ ack wb_akc_o")},
	{"agent-signal-too-wide", g("bus wishbone prefix wb_ ack wb_dat_o")},
	{"agent-wrong-direction", g("in stream valid out_tvalid ready out_tready data in_data")},
	{"agent-port-of-another", w("agent second wishbone prefix wb_\n")},
	{"agent-bad-share", g("bus wishbone prefix wb_ gaps 1.5")},
	{"agent-busy-of-wishbone", g("bus wishbone prefix wb_ busy 30%")},
	{"agent-bad-mode", g("bus wishbone prefix wb_ mode pipeline")},
	{"agent-unknown-clock", g("bus wishbone prefix wb_ clock clock")},
	{"agent-bad-bound", g("bus wishbone prefix wb_ bound soon")},
	{"agent-bad-late", g("out axi-stream prefix out_ late maybe")},
	{"agent-uart-no-line", g("rx uart baud 115200")},
	{"agent-uart-no-rate", g("rx uart line rx_i")},
	{"agent-uart-unknown-line", g("rx uart line rxd_i baud 115200")},
	{"agent-uart-wide-line", g("rx uart line in_data baud 115200")},
	{"agent-uart-two-rates", g("rx uart line rx_i baud 115200 divisor 868")},
	{"agent-uart-too-fast", g("rx uart line rx_i baud 12_000_000")},
	{"agent-uart-bad-rate", g("rx uart line rx_i baud fast")},
	{"agent-uart-bad-divisor", g("rx uart line rx_i divisor 0")},
	{"agent-of-a-block", script("debounce", "agent rx uart line line_i divisor 8\n")},
	{"agent-drives-the-reset", g("rx uart line rst divisor 8")},
	{"agent-table-drives-its-port", "rtl: peripheral.v\n\n-- script --\nagent rx uart line rx_i divisor 8\n\n-- cycles --\nrx_i | tx_o\n0 | -\n"},
	{"agent-set-drives-its-port", w("set wb_stb_i 1\n")},
	{"agent-random-drives-its-port", w("random 10 wb_adr_i any rst any\n")},
	{"agent-undeclared", "rtl: peripheral.v\n\n-- script --\nrx send 1\n"},
	{"start-what", w("start rx\n")},
	{"start-unknown", w("start rxx send 1\n")},
	{"start-statement", w("start wait 20\n")},
	{"within-agent", w("within 3 agent more uart line rx_i divisor 8\n")},
	{"bus-what", w("bus\n")},
	{"bus-unknown-verb", w("bus wirte 0 0\n")},
	{"bus-verb-of-uart", w("bus send 0 0\n")},
	{"bus-no-address", w("bus write\n")},
	{"bus-no-data", w("bus write 0\n")},
	{"bus-address-too-wide", w("bus write 4 0\n")},
	{"bus-data-too-wide", w("bus write 0 0x1_0000_0000\n")},
	{"bus-bad-address", w("bus write zero 0\n")},
	{"bus-range", w("bus write 0 0..3\n")},
	{"bus-bad-mask", w("bus write 0 0 bytes 0b10000\n")},
	{"bus-no-byte", w("bus write 0 0 bytes 0\n")},
	{"bus-surplus", w("bus write 0 0 1\n")},
	{"bus-unknown-answer", w("bus write 0 0 answer OKAY\n")},
	{"bus-expect-what", w("bus read 0 expect\n")},
	{"bus-expect-unknown", w("bus read 0 expect x\n")},
	{"bus-expect-fill", w("bus read 0 expect ? within 9us\n")},
	{"bus-within-twice", w("within 20 bus read 0 expect 1 within 20\n")},
	{"bus-bad-within", w("bus read 0 expect 1 within later\n")},
	{"bus-memory-nothing", w("bus memory 0 0..3\n")},
	{"bus-memory-one-word", w("bus memory 10 2\n")},
	{"bus-memory-no-span", w("bus memory 10\n")},
	{"uart-send-to-output", w("tx send 0x55\n")},
	{"uart-expect-of-input", w("rx expect 0x55\n")},
	{"uart-nothing-to-send", w("rx send\n")},
	{"uart-byte-too-wide", w("rx send 256\n")},
	{"uart-text-without-end", w("rx send \"hello\n")},
	{"uart-bad-text", w("rx send \"\\q\"\n")},
	{"uart-text-without-quotes", w("rx send hello\n")},
	{"uart-break-of-nothing", w("rx break 0\n")},
	{"uart-framing-what", w("rx framing\n")},
	{"stream-send-to-output", w("out send 1\n")},
	{"stream-value-too-wide", w("in send 1 2 256\n")},
	{"stream-open-value", w("in send 0x1-\n")},
	{"stream-expect-of-input", w("in expect 1\n")},
	{"stream-text-of-words", g("in stream valid in_valid ready in_ready data wb_dat_i\nin send \"a\"")},
	{"axi-stream-no-tlast", g("one axi-stream tvalid in_valid tready in_ready tdata in_data") + "one send \"ab\"\n"},
	{"axi-stream-nothing", w("out expect\n")},
}

// peripheral has ports of all kinds.
const peripheral = `module peripheral (input clk, input rst, input wb_cyc_i, input wb_stb_i, input wb_we_i, input [1:0] wb_adr_i, input [3:0] wb_sel_i,
  input [31:0] wb_dat_i, output reg wb_ack_o, output reg wb_err_o, output [31:0] wb_dat_o, input rx_i, output tx_o,
  input in_valid, output in_ready, input [7:0] in_data, output out_tvalid, input out_tready, output [31:0] out_tdata, output out_tlast);
  always @(posedge clk) begin wb_ack_o <= wb_cyc_i & wb_stb_i & !wb_ack_o & !rst; wb_err_o <= 0; end
  assign wb_dat_o = 0, tx_o = rx_i, in_ready = 1, out_tvalid = 0, out_tdata = 0, out_tlast = 0;
endmodule
`

// besides are the files beside the vectors of wrongRTL.
var besides = map[string]string{
	"fifo.v":       fifo,
	"peripheral.v": peripheral,
	"core.v":       core,
	"wide.hex":     "0 1_00000000\n",
	"add.v":        "module add(input [3:0] a, input [3:0] b, output [4:0] sum); assign sum = a + b; endmodule\n",
	"several.v":    "module one(input a); endmodule\nmodule two(input a); endmodule\n",
	"tb.v":         "module tb; reg clk; endmodule\n",
	"clocks.v":     "module clocks(input clk_a, input clk_b, input rst, output reg q); always @(posedge clk_a) q <= rst; endmodule\n",
	"bad.f":        "fifo.v\n-v lib.v\n",
	"missing.f":    "fifo.v gone.v\n",
}

// Each mistake has its own message.
func TestWrong(t *testing.T) {
	dir := here(t, besides)
	seen := map[string]bool{}
	for _, w := range slices.Concat(wrong, wrongRTL, wrongAgents, wrongMemories) {
		if seen[w.name] {
			t.Fatalf("%s comes twice", w.name)
		}
		seen[w.name] = true
		t.Run(w.name, func(t *testing.T) {
			name := filepath.Join(dir, w.name+".txtar")
			if err := os.WriteFile(name, []byte(w.text), 0o666); err != nil {
				t.Fatal(err)
			}
			err := blocks.All().CheckFile(name)
			if err == nil {
				t.Fatal("nothing is found")
			}
			got := strings.ReplaceAll(err.Error(), name, w.name+".txtar") + "\n"
			if strings.Contains(got, dir) {
				t.Errorf("the message names the folder: %s", got)
			}
			golden := filepath.Join("testdata", "wrong", w.name+".txt")
			if *update {
				os.MkdirAll(filepath.Dir(golden), 0o777)
				if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), got); d != "" {
				t.Errorf("the message is another one (-update writes it):\n%s", d)
			}
			if len(got) > 4000 {
				t.Errorf("the message has %d characters", len(got))
			}
		})
	}
	if len(wrong) < 60 || len(wrongRTL) < 60 {
		t.Errorf("only %d and %d mistakes", len(wrong), len(wrongRTL))
	}
}

// Fmt corrects the mistakes of which errors say that fmt does.
func TestRepair(t *testing.T) {
	want := a("     0 |       0       0\n     1 |       0       0  # for\n")
	for _, text := range []string{
		a("0 | 0 0\n1 | 0 0 # for\n"), "\xef\xbb\xbf" + a("0 | 0 0\n1 | 0 0 # for"), strings.ReplaceAll(a("0 | 0 0\n1 | 0 0 # for\n"), "\n", "\r\n"),
		a("\t0 |\t0\t0\n\n\n1 | 0 0 # for  \n\n"),
	} {
		got, err := vectors.Fmt("x", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if w := strings.Replace(want, "     1 |", "     1 |", 1); string(got) != w && strings.ReplaceAll(string(got), "\n\n     1", "\n     1") != w {
			t.Errorf("%q becomes\n%s", text, got)
		}
		again, err := vectors.Fmt("x", got)
		if err != nil || !bytes.Equal(again, got) {
			t.Errorf("printed again:\n%s%v", again, err)
		}
		if err := blocks.All().CheckFile(write(t, string(got))); err != nil {
			t.Error(err)
		}
	}
}

func write(t testing.TB, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "vector.txtar")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// errors.As finds an Error, which has the place.
func TestErrorPlace(t *testing.T) {
	err := blocks.All().CheckFile(write(t, a("0 | 0 2\n")))
	list, ok := err.(vectors.Errors)
	if !ok || len(list) != 1 || list[0].Line != 5 || list[0].Column != 7 {
		t.Fatalf("%#v", err)
	}
}
