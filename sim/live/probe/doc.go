// Package probe is what a page of package live shows of the inside of a running design: internal
// signals by name, which are found and added while it runs, the waves of ports and signals in the
// last cycles, and a trigger. The page of any design (package ports) has it, and pages of one's own
// may.
//
// In Go, a [History] keeps the last cycles, [Wave] is what a viewer is sent of them, and [Trigger],
// [Search] and [Value] do what their names say. They know no simulator but by [Design]. In the
// page, probe.js makes the panels and the waves: its [Files] are to be among those of the App.
package probe
