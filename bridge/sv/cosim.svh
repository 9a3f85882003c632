// RTL calls Go: macros for testbench RTL and monitors. Each is used as a statement.
//
//   `include "cosim.svh"
//   ...
//   always @(posedge clk_i) begin
//       if (push && full) `COSIM_LOG("warning", "push while full")
//       if (push) `COSIM_EVENT2("push", data, count)
//       if (start) `COSIM_ASK("length", kind, length_q)
//   end
//
// COSIM_LOG logs a line with severity "debug", "info", "warning" or "error". An error fails the
// test. COSIM_EVENT to COSIM_EVENT4 report a name and one to four values to the test's handler; a
// value has up to 64 bits and is taken as unsigned. COSIM_ASK gives a name and a value of up to 64
// bits to the test's handler, and stores its answer of 64 bits in a variable.
//
// For synthesis the macros are empty, and the answer of COSIM_ASK is 0.
`ifndef COSIM_SVH
`define COSIM_SVH

`ifdef SYNTHESIS
`define COSIM_LOG(severity, text) ;
`define COSIM_EVENT(name, a) ;
`define COSIM_EVENT2(name, a, b) ;
`define COSIM_EVENT3(name, a, b, c) ;
`define COSIM_EVENT4(name, a, b, c, d) ;
`define COSIM_ASK(name, a, answer) answer = 0;
`elsif VERILATOR
package cosim_pkg;
    import "DPI-C" function void cosim_dpi_log(input string scope, input string severity, input string text);
    import "DPI-C" function void cosim_dpi_event(input string scope, input string name, input int values,
        input longint unsigned a, input longint unsigned b, input longint unsigned c, input longint unsigned d);
    import "DPI-C" function longint unsigned cosim_dpi_ask(input string scope, input string name, input longint unsigned a);
endpackage
`define COSIM_LOG(severity, text) cosim_pkg::cosim_dpi_log($sformatf("%m"), severity, text);
`define COSIM_EVENT(name, a) cosim_pkg::cosim_dpi_event($sformatf("%m"), name, 1, 64'($unsigned(a)), 0, 0, 0);
`define COSIM_EVENT2(name, a, b) cosim_pkg::cosim_dpi_event($sformatf("%m"), name, 2, 64'($unsigned(a)), 64'($unsigned(b)), 0, 0);
`define COSIM_EVENT3(name, a, b, c) cosim_pkg::cosim_dpi_event($sformatf("%m"), name, 3, 64'($unsigned(a)), 64'($unsigned(b)), 64'($unsigned(c)), 0);
`define COSIM_EVENT4(name, a, b, c, d) cosim_pkg::cosim_dpi_event($sformatf("%m"), name, 4, 64'($unsigned(a)), 64'($unsigned(b)), 64'($unsigned(c)), 64'($unsigned(d)));
`define COSIM_ASK(name, a, answer) answer = $bits(answer)'(cosim_pkg::cosim_dpi_ask($sformatf("%m"), name, 64'($unsigned(a))));
`else
`define COSIM_LOG(severity, text) $cosim_log(severity, text);
`define COSIM_EVENT(name, a) $cosim_event(name, a);
`define COSIM_EVENT2(name, a, b) $cosim_event(name, a, b);
`define COSIM_EVENT3(name, a, b, c) $cosim_event(name, a, b, c);
`define COSIM_EVENT4(name, a, b, c, d) $cosim_event(name, a, b, c, d);
`define COSIM_ASK(name, a, answer) $cosim_ask(name, a, answer);
`endif

`endif
