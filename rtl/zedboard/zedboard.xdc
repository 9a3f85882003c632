# The Zedboard's pins that zedboard uses, after the board's public master constraints.

# 100 MHz oscillator (GCLK), bank 13.
set_property LOC Y9 [get_ports clk_i]
set_property IOSTANDARD LVCMOS33 [get_ports clk_i]
create_clock -period 10.000 [get_ports clk_i]

# LD0 to LD7, bank 33.
set_property LOC T22 [get_ports led_o[0]]
set_property LOC T21 [get_ports led_o[1]]
set_property LOC U22 [get_ports led_o[2]]
set_property LOC U21 [get_ports led_o[3]]
set_property LOC V22 [get_ports led_o[4]]
set_property LOC W22 [get_ports led_o[5]]
set_property LOC U19 [get_ports led_o[6]]
set_property LOC U14 [get_ports led_o[7]]
set_property IOSTANDARD LVCMOS33 [get_ports led_o[0]]
set_property IOSTANDARD LVCMOS33 [get_ports led_o[1]]
set_property IOSTANDARD LVCMOS33 [get_ports led_o[2]]
set_property IOSTANDARD LVCMOS33 [get_ports led_o[3]]
set_property IOSTANDARD LVCMOS33 [get_ports led_o[4]]
set_property IOSTANDARD LVCMOS33 [get_ports led_o[5]]
set_property IOSTANDARD LVCMOS33 [get_ports led_o[6]]
set_property IOSTANDARD LVCMOS33 [get_ports led_o[7]]
