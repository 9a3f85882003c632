// Package try finds out what can be said of a design that has no testbench and no model. Both
// simulators compile it and do the same cycles with random inputs, and must have the same outputs.
//
//	found, err := convention.Complete(ctx, convention.Given{Files: []string{"fifo.sv"}}, sim.Icarus)
//	report, err := try.Run(ctx, found.Design, try.Options{})
//	fmt.Print(report.Text())
//	if !report.OK() { ... }
//
// What it says is graded. [Wrong] is what no design should have: outputs in which the simulators
// differ, or of which no bit ever gets a value although all lines are executed; an error that the
// RTL itself reports; a latch in combinational code; a simulator that refuses the design, or hangs
// in it. [Look] is what may be meant so: outputs that are unknown for a while, or that never
// change, and lines that were not executed.
//
// # Unknown values
//
// Registers without a reset are X in Icarus, and random in Verilator. So Verilator runs several
// times, with other values at power-up. Bits in which these runs differ are not compared with
// Icarus. An output of which such a bit is 0 or 1 in Icarus is reported: an if of an X is false
// there, which hides that the outcome is open.
//
// For an output that is X, the registers from which that comes are found by trying: in the first
// such cycle, signals that are X are set to 0, and the fewest are looked for that make the output
// known.
//
// # Going on
//
// With [Options].Time code coverage guides what comes behind: inputs that reach something are kept,
// and other ones begin with them. Lanes (package bridge/lanes) search along if the design fits.
// They print nothing, know no X, and are a third tool's view of the design. So what they find
// counts when the simulators have done the same cycles; what these do not confirm is at most
// [Look].
//
// The command is cosimate try.
package try
