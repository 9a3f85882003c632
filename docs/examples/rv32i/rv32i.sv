// A small RISC-V core: RV32I of the unprivileged specification (version 20191213), without FENCE's
// and the counters' effects. One instruction at a time: fetch, execute, and for loads and stores a
// third step.
//
// One memory bus: valid_o with an address, which stay until ready_i; data are taken in that cycle.
// Bytes that are not written have strobe 0; a read has none. ECALL, EBREAK, an instruction that
// RV32I does not have, and a misaligned access or jump end the program: halt_o stays 1.
//
// retire_o is 1 for one cycle when an instruction is done; pc_o, rd_o and rd_data_o are its
// address, its destination (0: none) and what it has written there.

`default_nettype none

module rv32i #(
  parameter logic [31:0] ResetAddress = 32'd0
) (
  input  logic        clk_i,
  input  logic        rst_i,        // synchronous

  output logic        valid_o,
  input  logic        ready_i,
  output logic [31:0] address_o,    // of a word: bits 1-0 are 0
  output logic [31:0] data_o,
  output logic [3:0]  strobe_o,
  input  logic [31:0] data_i,

  output logic        retire_o,
  output logic [31:0] pc_o,
  output logic [4:0]  rd_o,
  output logic [31:0] rd_data_o,
  output logic        halt_o
);

  typedef enum logic [1:0] {Fetch, Execute, Access, Halt} state_e;

  localparam logic [6:0] Lui = 7'b0110111, Auipc = 7'b0010111, Jal = 7'b1101111, Jalr = 7'b1100111,
    Branch = 7'b1100011, Load = 7'b0000011, Store = 7'b0100011, Register = 7'b0110011;

  state_e state_q;
  logic [31:0] pc_q, instruction_q, registers_q [32];

  logic [6:0] opcode;
  logic [2:0] funct3;
  logic [31:0] rs1, rs2, immediate, sum, alu, target, loaded, result;
  logic taken, writes, memory, illegal, misaligned, fault, last;

  assign opcode = instruction_q[6:0];
  assign funct3 = instruction_q[14:12];
  assign rs1 = (instruction_q[19:15] == 5'd0) ? 32'd0 : registers_q[instruction_q[19:15]];
  assign rs2 = (instruction_q[24:20] == 5'd0) ? 32'd0 : registers_q[instruction_q[24:20]];

  rv32i_decode u_decode (
    .instruction_i(instruction_q), .immediate_o(immediate), .writes_o(writes), .memory_o(memory), .illegal_o(illegal)
  );

  rv32i_alu u_alu (
    .a_i(rs1),
    .b_i((opcode == Register) ? rs2 : immediate),
    .operation_i(funct3),
    .alternative_i(instruction_q[30] && ((opcode == Register) || (funct3 == 3'b101))),
    .result_o(alu)
  );

  assign sum = rs1 + immediate;     // of addresses: a load's, a store's, JALR's

  always_comb begin
    case (funct3)
      3'b000: taken = rs1 == rs2;
      3'b001: taken = rs1 != rs2;
      3'b100: taken = $signed(rs1) < $signed(rs2);
      3'b101: taken = $signed(rs1) >= $signed(rs2);
      3'b110: taken = rs1 < rs2;
      default: taken = rs1 >= rs2;
    endcase
    case (opcode)
      Jal: target = pc_q + immediate;
      Jalr: target = {sum[31:1], 1'b0};
      Branch: target = taken ? pc_q + immediate : pc_q + 32'd4;
      default: target = pc_q + 32'd4;
    endcase
    case (funct3[1:0])
      2'b01: misaligned = sum[0];
      2'b10: misaligned = sum[1:0] != 2'd0;
      default: misaligned = 1'b0;
    endcase
    fault = illegal || (memory ? misaligned : target[1:0] != 2'd0);
  end

  // A load's bytes come to the right, and their sign fills what is left.
  logic [31:0] shifted;
  assign shifted = data_i >> {sum[1:0], 3'd0};
  always_comb begin
    case (funct3)
      3'b000: loaded = {{24{shifted[7]}}, shifted[7:0]};
      3'b001: loaded = {{16{shifted[15]}}, shifted[15:0]};
      3'b100: loaded = {24'd0, shifted[7:0]};
      3'b101: loaded = {16'd0, shifted[15:0]};
      default: loaded = shifted;
    endcase
    case (opcode)
      Lui: result = immediate;
      Auipc: result = pc_q + immediate;
      Jal, Jalr: result = pc_q + 32'd4;
      Load: result = loaded;
      default: result = alu;
    endcase
  end

  assign valid_o = (state_q == Fetch) || (state_q == Access);
  assign address_o = (state_q == Access) ? {sum[31:2], 2'd0} : pc_q;
  assign data_o = rs2 << {sum[1:0], 3'd0};
  always_comb begin
    strobe_o = 4'd0;
    if ((state_q == Access) && (opcode == Store)) begin
      case (funct3[1:0])
        2'b00: strobe_o = 4'b0001 << sum[1:0];
        2'b01: strobe_o = 4'b0011 << sum[1:0];
        default: strobe_o = 4'b1111;
      endcase
    end
  end

  assign last = ((state_q == Execute) && !memory && !fault) || ((state_q == Access) && ready_i);
  assign halt_o = state_q == Halt;

  always_ff @(posedge clk_i) begin
    retire_o <= last && !rst_i;
    if (last) begin
      pc_o <= pc_q;
      rd_o <= writes ? instruction_q[11:7] : 5'd0;
      rd_data_o <= (writes && (instruction_q[11:7] != 5'd0)) ? result : 32'd0;
    end
    if (last && writes && !rst_i) registers_q[instruction_q[11:7]] <= result;

    case (state_q)
      Fetch: if (ready_i) begin
        instruction_q <= data_i;
        state_q <= Execute;
      end
      Execute: begin
        // Icarus 13 takes no `? :` of states for a state.
        if (fault) state_q <= Halt;
        else if (memory) state_q <= Access;
        else state_q <= Fetch;
        if (last) pc_q <= target;
      end
      Access: if (ready_i) begin
        state_q <= Fetch;
        pc_q <= pc_q + 32'd4;
      end
      default: state_q <= Halt;
    endcase

    if (rst_i) begin
      state_q <= Fetch;
      pc_q <= ResetAddress;
      instruction_q <= 32'd0;
      pc_o <= 32'd0;
      rd_o <= 5'd0;
      rd_data_o <= 32'd0;
    end
  end

endmodule

`default_nettype wire
