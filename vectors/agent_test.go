package vectors_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/report"
	"github.com/cosimate/cosimate/vectors"
)

// bench is a design with a vector whose agents speak to it.
type agentBench struct{ file, header, script string }

// paced returns the script with a pace for each agent.
func (b agentBench) paced(gaps, busy, seed int) string {
	late := map[bool]string{true: "yes", false: "no"}[seed%2 == 0]
	script := strings.ReplaceAll(b.script, " GAPS", fmt.Sprintf(" gaps %d%%", gaps))
	return fmt.Sprintf("rtl: %s\n%sseed: %d\n\n-- script --\n%s", filepath.Base(b.file), b.header, seed, strings.ReplaceAll(strings.ReplaceAll(script, " BUSY", fmt.Sprintf(" busy %d%%", busy)), "LATE", "late "+late))
}

// moverScript has agents that are memories.
const moverScript = `agent mem axi-lite prefix m_axil_ words 64 GAPS BUSY LATE bound 50
agent wb wishbone prefix wb_ shares mem GAPS BUSY bound 50
mem put 0 1 0x22 0x333 0x4444 0x55555 0x666666 0x7777777 0x88888888
reset
mem gets 0x200 8 within 2000
mem holds 0x40 0xffff_fffe
mem holds 0x5c 0x7777_7777
wb holds 0x80 1
mem holds 0x9c 0x8888_8888
expect failed_o 0
mem answers 0x10..0x1f SLVERR
reset
mem gets 0x200 8 within 2000
expect failed_o 1
mem answers 0x10..0x1f OKAY
wb answers 0x50 ERR
reset
wait 77
reset
mem gets 0x200 8 within 2000
expect failed_o 1
wb answers 0x50 ACK
mem put 0 0xa5a5a5a5
start mem gets 0x200 8 within 2000
reset
mem holds 0x80 0xa5a5a5a5 within 2000
wait 2000
expect failed_o 0
`

var agentBenches = map[string]agentBench{
	"axi-lite": {"../sim/axi/testdata/regs.sv", "reset: 0\n", `agent bus axi-lite prefix s_axil_ GAPS BUSY bound 50
reset
bus memory 60 0x0..0x8
bus write 0xc 1 answer SLVERR
bus read 0x10 answer DECERR
bus write 0x10 1 answer DECERR
bus write 4 0x12345678
bus write 4 0xff00 bytes 0b0010
bus read 4 expect 0x1234ff78
start bus memory 30 0x0..0x8
wait 20
reset 5
bus read 8
reset
bus read 8 expect 0
start bus read 8 within 100
bus memory 60 0x0..0x8
`},
	"wishbone": {"../sim/wishbone/testdata/classic.sv", "", `agent bus wishbone prefix wb_ GAPS bound 50
bus memory 60 0..15
bus write 16 0 answer ERR
bus read 24 answer RTY
bus write 3 0x12345678
bus write 3 0xff00 bytes 0b0010
bus read 3 expect 0x1234ff78
start bus memory 100 0..15
wait 20
reset 5
wait 9
reset
bus memory 60 0..15
`},
	"pipelined": {"../sim/wishbone/testdata/pipelined.sv", "", `agent bus wishbone prefix wb_ GAPS bound 50
bus memory 60 0..15
bus write 16 0 answer ERR
bus read 7 within 100
start bus memory 100 0..15
wait 20
reset 5
bus memory 60 0..15
`},
	"axi-stream": {"../sim/axi/testdata/axis_reg.sv", "reset: 0\n", `agent in axi-stream prefix s_ GAPS bound 100
agent out axi-stream prefix m_ BUSY LATE bound 100
reset
start in send "hello, hardware"
start in send 0 1 0x20 0xff 7
start in send "abcdefgh"
out expect "hello, hardware"
out expect 0 1 0x20 0xff 7
out expect "abcdefgh" within 200
`},
	"stream": {"../sim/stream/testdata/fifo.sv", "", `agent in stream valid valid_i ready ready_o data data_i GAPS bound 100
agent out stream valid valid_o ready ready_i data data_o BUSY LATE bound 100
start in send 0..40 7 7 77 9
out expect 0..40 7 7 77
out expect 9 within 100
`},
	"memory":          {"testdata/mover.sv", "reset: 0\n", moverScript},
	"memory, classic": {"testdata/mover.sv", "reset: 0\nparameters: Pipelined=0\n", strings.NewReplacer("prefix wb_", "prefix wb_ mode classic", "shares mem GAPS BUSY", "shares mem GAPS").Replace(moverScript)},
	"uart": {"../docs/examples/wb_uart/wb_uart.sv", "parameters: Divisor=8\ntop: wb_uart\n", `agent bus wishbone GAPS
agent tx uart line tx_o divisor 8
agent rx uart line rx_i divisor 8 GAPS
bus write 0 0x55
bus read 1 expect 0b---0 within 100
bus write 0 0x35
tx expect "U5" within 200
bus read 1 expect 0b---0 within 100
bus write 0 0x48
bus write 0 0x49 # ignored: one is sent
tx expect "H"
rx send 0x69
bus read 1 expect 0b001-
bus read 0 expect 0x169
rx send "12"
bus read 1 expect 0b0110
bus read 0 expect 0x131
bus write 1 0b0100
rx framing 0x33
bus read 1 expect 0b1000 within 100
rx break
wait 100
rx send 0xa5
bus read 0 expect 0x1a5
bus read 3 answer ERR
`},
}

// write writes the bench's files, one of them changed, and returns its vector.
func (b agentBench) write(t *testing.T, text, old, new string) string {
	t.Helper()
	files := map[string]string{}
	all, err := filepath.Glob(filepath.Join(filepath.Dir(b.file), "*.sv"))
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, name := range all {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		count += strings.Count(string(data), old)
		at := strings.LastIndex(string(data), old)
		if old != "" && at >= 0 {
			data = []byte(string(data[:at]) + new + string(data[at+len(old):]))
		}
		files[filepath.Base(name)] = string(data)
	}
	if old != "" && count == 0 {
		t.Fatalf("%q is not in the RTL", old)
	}
	if len(all) > 1 && strings.Contains(b.header, "top:") {
		text = strings.Replace(text, filepath.Base(b.file), "*.sv", 1)
	}
	files["v.txtar"] = text
	return filepath.Join(here(t, files), "v.txtar")
}

// Agents speak to designs that do what they should, at all paces.
func TestAgents(t *testing.T) {
	for name, b := range agentBenches {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var o vectors.Options
			if strings.HasSuffix(name, "classic") { // a model of Verilator less
				o.Simulators = []sim.Simulator{sim.Icarus}
			}
			for i, pace := range [][2]int{{0, 0}, {50, 0}, {0, 70}, {40, 40}} {
				if r := result(t, b.write(t, b.paced(pace[0], pace[1], 1+i), "", ""), o); r.Verdict != vectors.Pass {
					t.Errorf("gaps %d%%, busy %d%%: %v", pace[0], pace[1], r.Err)
				}
			}
			if o.Simulators != nil {
				return
			}
			if r := result(t, b.write(t, b.paced(30, 30, 9), "", ""), vectors.Options{Simulators: []sim.Simulator{sim.Verilator}}); r.Verdict != vectors.Pass {
				t.Error(r.Err)
			}
		})
	}
}

// Each rule of each protocol is broken by a device. The message says where in the vector, what the
// device did, and which rule forbids it.
func TestAgentsMutants(t *testing.T) {
	const dropB = "end else if (s_axil_bready) begin\n      s_axil_bvalid <= 1'b0;"
	const dropR = "end else if (s_axil_rready) begin\n      s_axil_rvalid <= 1'b0;"
	const move, streamIn, out = "if (~m_tvalid | m_tready) begin", "in = {s_tlast, s_tkeep, s_tdata}", "{m_tlast, m_tkeep, m_tdata} = out_q;"
	for _, f := range []struct{ bench, old, new, want string }{
		{"axi-lite", dropB, strings.Replace(dropB, "if (s_axil_bready) ", "", 1), "bus: BVALID fell before BREADY was 1\n= rule: IHI 0022E A3.2.1"},
		{"axi-lite", dropR, strings.Replace(dropR, "if (s_axil_rready) ", "", 1), "bus: RVALID fell before RREADY was 1\n= rule: IHI 0022E A3.2.1"},
		{"axi-lite", dropB, "end else if (~s_axil_bready) begin s_axil_bresp <= SlvErr;\n end else begin s_axil_bvalid <= 1'b0;", "bus: BRESP changed from 0x0 to 0x2 while BVALID waited for BREADY"},
		{"axi-lite", dropR, "end else if (~s_axil_rready) begin s_axil_rdata <= s_axil_rdata + 32'd1;\n end else begin s_axil_rvalid <= 1'b0;", "bus: RDATA changed from 0x"},
		{"axi-lite", dropR, strings.Replace(dropR, "end else", "end else if (s_axil_awvalid & s_axil_awaddr == 8'd8) s_axil_rvalid <= 1'b1; else", 1), "bus: RVALID is 1 without a request\n= rule: IHI 0022E A3.3.1"},
		{"axi-lite", dropB, strings.Replace(dropB, "end else", "end else if (s_axil_awvalid & ~s_axil_wvalid) s_axil_bvalid <= 1'b1; else", 1), "bus: BVALID is 1 after 0 addresses and 0 data that had no response yet\n= rule: IHI 0022E A3.3.1"},
		{"axi-lite", "s_axil_bvalid  <= 1'b0;", "s_axil_bvalid  <= 1'b1;", "bus: BVALID is 1 in reset, or in the first cycle after it\n= rule: IHI 0022E A3.1.2"},
		{"axi-lite", "if (~aresetn) begin\n      s_axil_rvalid <= 1'b0;", "if (1'b0) begin\n      s_axil_rvalid <= 1'b0;", "bus: RVALID is X or Z\n= rule: the testbench expects"},
		{"axi-lite", "s_axil_rresp  <= Okay;", "s_axil_rresp  <= 2'b01;", "bus: RRESP is EXOKAY\n= rule: IHI 0022E B1.1.1"},
		{"axi-lite", "6'd3: s_axil_bresp <= SlvErr;", "6'd3: s_axil_bresp <= 2'bx0;", "bus: BRESP is X or Z while BVALID is 1\n= rule: IHI 0022E A3.4.4"},
		{"axi-lite", "s_axil_awready <= s_axil_awvalid &", "s_axil_awready <= s_axil_awaddr != 8'd4 & s_axil_awvalid &", "bus: AWREADY has been 0 for 51 cycles in which AWVALID was 1\n= rule: IHI 0022E A3.3.1"},
		{"axi-lite", "s_axil_bvalid <= 1'b1;", "s_axil_bvalid <= s_axil_awaddr != 8'd8;", "bus: BVALID has been 0 for 51 cycles after address and data\n= rule: IHI 0022E A3.3.1"},
		{"axi-lite", "s_axil_rvalid <= 1'b1;", "s_axil_rvalid <= s_axil_araddr != 8'd8;", "bus: RVALID has been 0 for 51 cycles after the address\n= rule: IHI 0022E A3.3.1"},
		{"axi-lite", "s_axil_arready = ~s_axil_rvalid", "s_axil_arready = s_axil_araddr == 8'd8 ? 1'bx : ~s_axil_rvalid", "bus: ARREADY is X or Z while ARVALID is 1"},
		{"axi-lite", "6'd2: s_axil_rdata <= reg2_q;", "6'd2: s_axil_rdata <= reg2_q[0] ? 32'bx : reg2_q;", "bus reads what is X or Z in the bits 0xffffffff at 0x8, where 0x"},
		{"axi-lite", "{8{s_axil_wstrb[i]}}", "{8{|s_axil_wstrb}}", "bus reads 0xff00 at 4, expected 0x1234ff78"},
		{"axi-lite", "6'd1: s_axil_rdata <= reg1_q;", "6'd1: s_axil_rdata <= reg0_q;", " at 0x4, where 0x"},
		{"axi-lite", "default: s_axil_bresp <= DecErr;", "default: s_axil_bresp <= SlvErr;", "the answer of bus is SLVERR, not DECERR"},
		{"axi-lite", "reg2_q <= '0;", "", "bus reads 0x"}, // at the reset in between
		{"wishbone", "&& !answer_q", "", "bus: ACK is 1 while CYC is 0\n= rule: B.3 RULE 3.30 and 3.35"},
		{"wishbone", "wb_err_o <= now && wb_adr_i[4] &&", "wb_err_o <= now &&", "bus: ACK is one of 2 answers at the same time\n= rule: B.3 RULE 3.45"},
		{"wishbone", "wb_rty_o <= now &&", "wb_rty_o <= 1'b0 &&", "bus: ACK has been 0 for 51 cycles of a request\n= rule: each request is answered"},
		{"wishbone", "wb_ack_o <= now &&", "wb_ack_o <= (wb_adr_i == 5'd7 ? 1'bx : now) &&", "bus: ACK is X or Z\n= rule: the testbench expects"},
		{"wishbone", "wb_dat_o <= mem_q[wb_adr_i[3:0]];", "wb_dat_o <= wb_adr_i == 5'd7 ? 32'h0x0 : mem_q[wb_adr_i[3:0]];", "bus reads what is X or Z in the bits 0xf0 at 0x7, where 0x"},
		{"wishbone", "&& wb_sel_i[i]", "", "bus reads 0xff00 at 3, expected 0x1234ff78"},
		{"wishbone", "wb_adr_i[3:0]][8*i+:8] <= wb_dat_i[8*i+:8]", "wb_adr_i[3:0] & 4'd7][8*i+:8] <= wb_dat_i[8*i+:8]", "where 0x"},
		{"pipelined", "wb_ack_o <= taken_q &&", "wb_ack_o <= (taken_q | wb_ack_o) &&", "bus: ACK is 1, and all requests were answered before\n= rule: B4, pipelined mode"},
		{"pipelined", "taken_q <= take &&", "taken_q <= take && (wb_adr_i != 5'd7) &&", "bus: ACK has been 0 for 51 cycles of a request"},
		{"pipelined", "wb_stall_o = random_q[1]", "wb_stall_o = random_q[1] | (wb_adr_i == 5'd7)", "bus: STALL has been 1 for 51 cycles of a request"},
		{"pipelined", "wb_stall_o = random_q[1]", "wb_stall_o = wb_adr_i == 5'd7 ? 1'bx : random_q[1]", "bus: STALL is X or Z"},
		{"axi-stream", move, "if (1'b1) begin", "out: TVALID fell before TREADY was 1\n= rule: IHI 0051A 2.2.1"},
		{"axi-stream", out, "{m_tlast, m_tkeep, m_tdata} = out_q ^ {36'd0, spare_valid_q};", "out: TDATA changed from 0x"},
		{"axi-stream", out, "{m_tlast, m_tkeep, m_tdata} = out_q ^ {spare_valid_q, 36'd0};", "out: TLAST changed from "},
		{"axi-stream", "      m_tvalid      <= 1'b0;", "      m_tvalid      <= 1'b1;", "out: TVALID is 1 in reset, or in the first cycle after it\n= rule: IHI 0051A 2.7.2"},
		{"axi-stream", "m_tstrb = m_tkeep", "m_tstrb = 4'hf", "out: TSTRB is 1 for byte "},
		{"axi-stream", streamIn, "in = {s_tlast & s_tkeep != 4'hf, s_tkeep, s_tdata}", "too late: out: 0 of 1 have come"},
		{"axi-stream", streamIn, "in = {s_tlast, s_tkeep, s_tdata[31:8], s_tdata[7:0] & 8'hfe}", `out has sent a packet "helln, h`},
		{"axi-stream", "assign s_tready = ~spare_valid_q;", "assign s_tready = ~spare_valid_q & s_tdata[7:0] != 8'h61;", "in: TREADY has been 0 for 101 cycles in which TVALID was 1"},
		{"axi-stream", "spare_valid_q | s_tvalid;", "s_tdata == 32'd0 & ~s_tlast & ~spare_valid_q ? 1'bx : spare_valid_q | s_tvalid;", "out: TVALID is X or Z\n= rule: the testbench expects"},
		{"stream", "level_q != 3'd4", "1'b1", "out: data_o changed from"},
		{"stream", "valid_o & ready_i;", "valid_o & (ready_i | level_q == 3'd1);", "out: valid_o fell before ready_i was 1\n= rule: valid must stay 1 until ready"},
		{"stream", "if (push) begin", "if (push & ~(data_i == 8'd77)) begin", "out has sent "},
		{"stream", "level_q != 3'd0", "level_q != 3'd0 & ready_i", "in: ready_o has been 0 for 101 cycles"},
		{"stream", "level_q != 3'd4", "(level_q == 3'd3 ? 1'bx : level_q != 3'd4)", "in: ready_o is X or Z while valid_i is 1"},
		{"stream", "valid_o & ready_i;", "valid_o & ready_i & ~(data_o == 8'd77);", "out has sent 0x4d, expected 0x9"},
		{"uart", "shift_q <= {1'b1, data_i, 1'b0}", "shift_q <= {1'b0, data_i, 1'b0}", "tx: the stop bit behind 0x55 'U' is 0"},
		{"uart", "left_q <= 4'd10", "left_q <= 4'd9", "tx: a start bit comes "},
		{"uart", "end else if (phase_q + 16'd1 >= period_i) begin", "end else if (phase_q + 16'd2 >= period_i) begin", "tx: an edge comes "},
		{"uart", "shift_q <= {1'b1, data_i, 1'b0}", "shift_q <= {1'b1, data_i[7:1], 2'b0}", "tx has sent 0x54 'T', expected 0x55 'U'"},
		{"uart", "data_o <= {line, data_o[7:1]}", "data_o <= {data_o[6:0], line}", "bus reads 0x196 at 0, expected 0x169"},
		{"uart", "framing_o <= !line", "framing_o <= 1'b0", "too late: bus: the last read is 0"},
		{"uart", "came_o <= line;", "came_o <= 1'b1;", "the last read is 0xa, expected 0b1000"},
		{"uart", "if (take) has_q <= 1'b0", "if (0) has_q <= 1'b0", "bus reads 0x169 at 0, expected 0x131"},
		{"uart", "tx_o = shift_q[0]", "tx_o = sending_o && shift_q[0]", "tx: the stop bit behind 0x55 'U' is 0"},
		{"uart", "shift_q <= {1'b1, data_i, 1'b0}", "shift_q <= 10'd0", "tx: the line is held low"},
		{"uart", "tx_o = shift_q[0]", "tx_o = 1'b0", "too late: tx: 0 of 2 have come; the line is 0"},
		{"memory", "if (m_axil_arready) m", "m", "mem: ARVALID fell before ARREADY was 1\n= rule: IHI 0022E A3.2.1"},
		{"memory", "if (m_axil_awready) m", "m", "mem: AWVALID fell before AWREADY was 1\n= rule: IHI 0022E A3.2.1"},
		{"memory", "if (m_axil_wready) m", "m", "mem: WVALID fell before WREADY was 1\n= rule: IHI 0022E A3.2.1"},
		{"memory", "m_axil_wdata = ", "m_axil_wdata = {m_axil_awvalid, 31'd0} ^ ", "mem: WDATA changed from 0x"},
		{"memory", "m_axil_araddr = {10'd0", "m_axil_araddr = {10'd0 ^ {9'd0, ~m_axil_arready}", "mem: ARADDR changed from 0x"},
		{"memory", "{m_axil_arvalid, m_axil_awvalid, m_axil_wvalid, ", "m_axil_wvalid <= 1'b1; {m_axil_arvalid, m_axil_awvalid, ", "mem: WVALID is 1 in reset, or in the first cycle after it\n= rule: IHI 0022E A3.1.2"},
		{"memory", "m_axil_rready = state_q == Data", "m_axil_rready = state_q == Data && index_q != 4'd5", "mem: RREADY has been 0 for 51 cycles"},
		{"memory", "m_axil_bready = state_q == Response", "m_axil_bready = state_q == Response && index_q != 4'd5", "mem: BREADY has been 0 for 51 cycles"},
		{"memory", "{m_axil_awvalid, m_axil_wvalid} <= 2'b11", "{m_axil_awvalid, m_axil_wvalid} <= 2'b1x", "mem: WVALID is X or Z"},
		{"memory", "m_axil_araddr = {10'd0", "m_axil_araddr = {9'd0, index_q == 4'd6 ? 1'bx : 1'b0", "mem: ARADDR is X or Z while ARVALID is 1"},
		{"memory", "m_axil_wstrb = 4'hf", "m_axil_wstrb = {3'd7, index_q == 4'd6 ? 1'bx : 1'b1}", "mem: WSTRB is X or Z while WVALID is 1"},
		{"memory", "m_axil_wstrb = 4'hf", "m_axil_wstrb = 4'h7", "wb has 0x"},
		{"memory", "m_axil_araddr = {10'd0", "m_axil_araddr = {7'd0, index_q[2], 2'd0", "mem: the design reads 0x110, outside of its memory, 0x0 to 0xff"},
		{"memory", "data_q <= m_axil_rdata", "data_q <= index_q == 4'd3 ? 32'h4x44 : m_axil_rdata", "wb: the design writes what is X or Z in the bits 0xf00 to 0x4c"},
		{"memory", "index_q == 4'd8 ? 32'd8", "index_q == 4'd8 ? 32'd9", "mem gets 0x9 at 0x200, expected 8"},
		{"memory", "if (index_q == 4'd8) state_q <= Done", "if (index_q == 4'd8) state_q <= Write", "mem has received what no statement expects: 0x"},
		{"memory", "Pipelined ? ~wb_stall_i", "Pipelined ? 1'b1", "wb: WE changed from "},
		{"memory", "if (taken & ~wb_we_o) wb_stb_o", "if (~wb_we_o) wb_stb_o", "wb: STB fell while STALL was 1\n= rule: B4"},
		{"memory", "wb_cyc_o <= 1'b0;\n          state_q <= Write;", "if (wb_cyc_o) wb_cyc_o <= 1'b0; else begin state_q <= Write; wb_stb_o <= 1'b0; end wb_stb_o <= 1'b1;", "wb: STB is 1 while CYC is 0\n= rule: B.3 RULE 3.25"},
		{"memory", "wb_stb_o, wb_we_o, second_q, failed_o} <= '0;", "wb_stb_o, wb_we_o, second_q, failed_o} <= 8'h10;", "wb: CYC is 1 in reset\n= rule: B.3 RULE 3.20"},
		{"memory", "wb_adr_o = 16'h40", "wb_adr_o = 16'h40 ^ {11'd0, wb_stall_i, 4'd0}", "wb: ADR changed from 0x"},
		{"memory", "wb_dat_o = ~data_q", "wb_dat_o = ~data_q ^ {31'd0, wb_stall_i}", "wb: DAT changed from 0x"},
		{"memory", "wb_adr_o = 16'h40", "wb_adr_o = 16'h40 ^ {10'd0, index_q == 4'd2 ? 1'bx : 1'b0, 5'd0}", "wb: ADR is X or Z in the bits 0xffff while STB is 1"},
		{"memory", "4'b1110", "{3'b11x, 1'b0}", "wb: WE is X or Z"},
		{"memory, classic", "if (taken & ~wb_we_o) wb_stb_o", "if (~wb_we_o) wb_stb_o", "wb: STB fell before the request was answered\n= rule: B.3 3.1.3"},
		{"memory, classic", "if (taken & wb_we_o)", "if (~answer & ~wb_we_o) {wb_cyc_o, wb_stb_o} <= 2'b0; if (taken & wb_we_o)", "wb: CYC fell before the request was answered\n= rule: B.3 RULE 3.25"},
		{"memory, classic", "assign taken = wb_stb_o & (Pipelined ? ~wb_stall_i : answer)", "assign taken = wb_stb_o", "wb: WE changed from "},
	} {
		t.Run(f.bench+"/"+f.want, func(t *testing.T) {
			t.Parallel()
			b := agentBenches[f.bench]
			var messages []string
			for i, pace := range [][2]int{{0, 0}, {40, 60}, {60, 40}, {0, 70}, {50, 0}, {40, 60}, {40, 60}} {
				r := result(t, b.write(t, b.paced(pace[0], pace[1], 1+i), f.old, f.new), vectors.Options{Simulators: []sim.Simulator{sim.Icarus}})
				if r.Verdict == vectors.Pass {
					continue
				}
				if r.Verdict != vectors.Differs {
					t.Fatalf("%s: %v", r.Verdict, r.Err)
				}
				message := strings.Join(lineEnds(r.Err.Error()), "\n")
				if messages = append(messages, message); strings.Contains(message, f.want) {
					return
				}
			}
			t.Errorf("no message has %q:\n%s", f.want, strings.Join(messages, "\n"))
		})
	}
}

// A vector without a cycle has nothing for its agents.
func TestAgentsWithoutCycles(t *testing.T) {
	for script, want := range map[string]vectors.Verdict{"": vectors.Pass, "set ready_i 0\n": vectors.Differs, "out drop\n": vectors.Differs, "wait 1\n": vectors.Pass} {
		b := agentBenches["stream"]
		b.script = "agent out stream valid valid_o ready ready_i data data_o\n" + strings.Replace(script, "ready_i", "valid_i", 1)
		r := result(t, b.write(t, b.paced(0, 0, 1), "", ""), vectors.Options{Simulators: []sim.Simulator{sim.Icarus}})
		if r.Verdict != want {
			t.Errorf("%q: %s, %v", script, r.Verdict, r.Err)
		}
	}
}

// A wrong value beside agents is reported with what these did, and with what is there instead.
func TestWrongValueBesideAgents(t *testing.T) {
	b := agentBenches["stream"]
	b.script = "agent in stream valid valid_i ready ready_o data data_i\nin send 31\nwait 3\nexpect data_o 0x3f\n"
	r := result(t, b.write(t, b.paced(0, 0, 1), "", ""), vectors.Options{Simulators: []sim.Simulator{sim.Icarus}})
	f, ok := errors.AsType[*vectors.Failure](r.Err)
	if !ok || !strings.Contains(f.Error(), "data_o is 0x1f, expected 0x3f") || !strings.Contains(f.Errors[0].Help, "write 0x1f") {
		t.Fatal(r.Err)
	}
	want := []report.Transaction{{Who: "in", What: "sends 0x1f"}}
	if diff := cmp.Diff(want, f.Report.Transactions); diff != "" {
		t.Error(diff)
	}
}

// lineEnds returns a message without the line of the vector: the problem, and the notes.
func lineEnds(message string) (lines []string) {
	for line := range strings.Lines(message) {
		line = strings.TrimSpace(line)
		if strings.Contains(line, ": error: ") || strings.HasPrefix(line, "= ") {
			lines = append(lines, line)
		}
	}
	return lines
}
