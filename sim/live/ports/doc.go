// Package ports is the page of any design: its inputs as switches and fields, its outputs as lamps
// and numbers, its clock by step or at a speed, internal signals by name, and waves.
//
//	app, err := ports.Open(ctx, design, sim.Icarus, ports.Options{})
//	if err != nil { ... }
//	defer app.Close()
//	err = live.Serve(ctx, app, live.Options{Title: design.Top, NoClock: !app.Clocked()})
//
// The command "cosimate live --top NAME FILES" and the flag -sim.live of tests serve this page.
//
// All that a person does to the design is kept as a recording: which inputs it had, from which
// cycle on. From it the simulation is done again when a signal is looked at that the compiled model
// does not have, and when the server is started anew.
package ports
