// What an instruction is: its immediate (2.3), whether it writes a register, whether it needs the
// memory, and whether RV32I has it.

`default_nettype none

module rv32i_decode (
  input  logic [31:0] instruction_i,
  output logic [31:0] immediate_o,
  output logic        writes_o,
  output logic        memory_o,
  output logic        illegal_o
);

  logic [31:0] i;
  logic [2:0] funct3;
  logic [6:0] funct7;

  assign i = instruction_i;
  assign funct3 = i[14:12];
  assign funct7 = i[31:25];

  always_comb begin
    immediate_o = {{20{i[31]}}, i[31:20]};                                          // I
    writes_o = 1'b0;
    memory_o = 1'b0;
    illegal_o = 1'b1;
    case (i[6:0])
      7'b0110111, 7'b0010111: begin                                                 // LUI, AUIPC
        immediate_o = {i[31:12], 12'd0};
        writes_o = 1'b1;
        illegal_o = 1'b0;
      end
      7'b1101111: begin                                                             // JAL
        immediate_o = {{12{i[31]}}, i[19:12], i[20], i[30:21], 1'b0};
        writes_o = 1'b1;
        illegal_o = 1'b0;
      end
      7'b1100111: begin                                                             // JALR
        writes_o = 1'b1;
        illegal_o = funct3 != 3'b000;
      end
      7'b1100011: begin                                                             // branches
        immediate_o = {{20{i[31]}}, i[7], i[30:25], i[11:8], 1'b0};
        illegal_o = funct3[2:1] == 2'b01;
      end
      7'b0000011: begin                                                             // loads
        writes_o = 1'b1;
        memory_o = 1'b1;
        illegal_o = (funct3 == 3'b011) || (funct3[2:1] == 2'b11);
      end
      7'b0100011: begin                                                             // stores
        immediate_o = {{20{i[31]}}, i[31:25], i[11:7]};
        memory_o = 1'b1;
        illegal_o = funct3 >= 3'b011;
      end
      7'b0010011: begin                                                             // with an immediate
        writes_o = 1'b1;
        case (funct3)
          3'b001: illegal_o = funct7 != 7'd0;
          3'b101: illegal_o = (funct7 & 7'b1011111) != 7'd0;
          default: illegal_o = 1'b0;
        endcase
      end
      7'b0110011: begin                                                             // of two registers
        writes_o = 1'b1;
        illegal_o = (funct7 != 7'd0) && ((funct7 != 7'b0100000) || ((funct3 != 3'b000) && (funct3 != 3'b101)));
      end
      7'b0001111: illegal_o = funct3 != 3'b000;                                     // FENCE: nothing to do
      default: illegal_o = 1'b1;                                                    // ECALL, EBREAK, too
    endcase
  end

endmodule

`default_nettype wire
