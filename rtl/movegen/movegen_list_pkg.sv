// Names of the values that requests of lists are made of.

`default_nettype none

package movegen_list_pkg;

  // Orders of a list. All but the first send captures first, then promotions, then other moves; the
  // last two send captures by victim, the most valuable first. The last one sends moves to a
  // square by the most valuable piece first, the others by the least valuable.
  localparam logic [1:0] OrderPlain       = 2'd0;
  localparam logic [1:0] OrderVictims     = 2'd2;
  localparam logic [1:0] OrderVictimsMost = 2'd3;

  // Filters of a list: any other value lets all moves pass.
  localparam logic [1:0] FilterCaptures = 2'd1;  // captures and promotions
  localparam logic [1:0] FilterChecks   = 2'd2;

  localparam logic [63:0] NotRank8 = 64'h00ff_ffff_ffff_ffff;

endpackage

`default_nettype wire
