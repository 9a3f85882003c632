package main

// mutateFaults are faults of the verdicts on mutants, and of the proofs that they rest on.
var mutateFaults = []fault{
	{
		name: "two copies are compared before the reset, too", file: "bridge/lanes/miter.go",
		old: "bad := x.a.and(done, x.outputs(o))", new: "bad := x.outputs(o)",
		test: "./bridge/lanes TestProve", says: "in_states_that_are_never_reached",
	},
	{
		name: "what copies write to memories is not compared", file: "bridge/lanes/miter.go",
		old: "bad = x.a.or(bad, x.writes())", new: "bad = x.a.or(bad, 0)",
		test: "./bridge/lanes TestProve", says: "a_memory_is_written_otherwise",
	},
	{
		name: "copies read the same word from different addresses", file: "bridge/lanes/miter.go",
		old: "other := x.differ(r.Address)", new: "other := literal(0)",
		test: "./bridge/lanes TestProve", says: "a_memory_is_read_elsewhere",
	},
	{
		name: "a word that copies have written otherwise is read as the same", file: "bridge/lanes/miter.go",
		old: "x.a.and(f.differs, x.is(0, r.Address, f.address))", new: "x.a.and(f.differs, 0)",
		test: "./bridge/lanes TestWords", says: "a_word_that_is_read_later",
	},
	{
		name: "a word is the same again when a part of it is written", file: "bridge/lanes/words.go",
		old: "all = x.a.and(all, first)", new: "all = at[0]",
		test: "./bridge/lanes TestWords", says: "a_bit_that_the_next_push_leaves",
	},
	{
		name: "words are followed in memories that are written with what one reads", file: "bridge/lanes/words.go",
		old: "if !x.c.writesFromRegisters() {", new: "if false {",
		test: "./bridge/lanes TestWords", says: "moved_to_another_word",
	},
	{
		name: "copies with shared registers may have them become something else", file: "bridge/lanes/miter.go",
		old: "bad = x.a.or(bad, x.a.and(x.assumed, differs))", new: "bad = x.a.or(bad, 0)",
		test: "./bridge/lanes TestProve", says: "register by register",
	},
	{
		name: "an output counts by one bit of another only", file: "bridge/lanes/miter.go",
		old: "set = x.a.or(set, x.value(0, v))", new: "set = x.value(0, v)",
		test: "./bridge/lanes TestProve", says: "where_one_of_its_bits_is_1",
	},
	{
		name: "when an output counts follows from outputs of one bit only", file: "sim/mutate/valid.go",
		old: "if c == nil || c.never {", new: "if c == nil || c.never || width[by] > 1 {",
		test: "./sim/mutate TestValid$", says: "of bits of the netlist",
	},
	{
		name: "of conditions that hold together Yosys chooses", file: "sim/mutate/list.go",
		old: "techmap -map %cosimate_pmux t:$pmux", new: "#",
		test: "./sim/mutate TestInsertParallel", says: "as a netlist",
	},
	{
		name: "an output counts where one condition of several holds", file: "bridge/lanes/miter.go",
		old: "counts = x.a.and(counts, set)", new: "counts = set",
		test: "./sim/mutate TestValidTogether", says: "lanes show no difference with the inputs of a prover",
	},
	{
		name: "an output counts where another does not count itself", file: "sim/mutate/valid.go",
		old: `best = said[by] + " & " + name`, new: "best = name",
		test: "./sim/mutate TestValidTogether", says: "data_o counts where none_o is 0",
	},
	{
		name: "a register that is an output has the output's name only", file: "bridge/lanes/pins.go",
		old: "aliases[name] = output", new: "_ = output",
		test: "./sim/mutate TestPoked", says: "lanes have no register of this name",
	},
	{
		name: "bits of an output that count now and then are compared always", file: "bridge/lanes/miter.go",
		old: "some, left[bit] = append(some, v), zero", new: "some, left[bit] = append(some, v), v",
		test: "./bridge/lanes TestProve$", says: "where_a_bit_of_the_same_output_is_0",
	},
	{
		name: "a field of an output is all of it", file: "bridge/lanes/field.go",
		old: "return f.High < 0 || f.Low <= bit && bit <= f.High", new: "return true",
		test: "./bridge/lanes TestProve$", says: "where_it_is_0,_in_a_bit_that_always_counts",
	},
	{
		name: "when an output counts is found out of whole outputs only", file: "sim/mutate/valid.go",
		old: "maps.Copy(result, bits)", new: "_ = bits",
		test: "./sim/mutate TestValidBits", says: "missed",
	},
	{
		name: "when bits count follows from a few cycles", file: "sim/mutate/valid.go",
		old: "min(c.cared, c.uncared) >= enough", new: "min(c.cared, c.uncared) > 0",
		test: "./sim/mutate TestValidBits", says: "of too few cycles",
	},
	{
		name: "inputs show a mutant in bits that do not count", file: "sim/mutate/search.go",
		old: "care[at/8] &^= 1 << (at % 8)", new: "_ = at",
		test: "./sim/mutate TestValidBits", says: "undecided",
	},
	{
		name: "what only power-up shows is called a fault of Cosimate", file: "sim/mutate/decide.go",
		old: "case w == nil && m.Exact && slices.ContainsFunc(", new: "case to == nil && slices.ContainsFunc(",
		test: "./sim/mutate TestPowerUpOnly", says: "this is a fault of Cosimate",
	},
	{
		name: "circuits of provers depend on which verdicts are known", file: "sim/mutate/decide.go",
		old: "to.Verdict != Found || to.By.tape == \"\"", new: "to.Verdict == \"\"",
		test: "./sim/mutate TestOtherMutants", says: "verdicts known:",
	},
	{
		name: "what two registers never are at once is not proved with the rest", file: "bridge/lanes/hints.go",
		old: "for _, states := range h.never {", new: "for _, states := range h.never[:0] {",
		test: "./bridge/lanes TestHints", says: "two_registers",
	},
	{
		name: "what values a register never has is not proved with the rest", file: "bridge/lanes/hints.go",
		old: "if u.seen != \"\" {", new: "if u.seen != \"\" && false {",
		test: "./bridge/lanes TestHints", says: "FAIL: TestHints/values_that_it_jumps_over",
	},
	{
		name: "the greatest value of a register is not proved with the rest", file: "bridge/lanes/hints.go",
		old: "note(u.while, x.above(register, u.above))", new: "note(u.while, 0)",
		test: "./bridge/lanes TestHints", says: "the_greatest",
	},
	{
		name: "the least value of a register is not proved with the rest", file: "bridge/lanes/hints.go",
		old: "if u.below > 0 {", new: "if u.below > 1<<40 {",
		test: "./bridge/lanes TestHints", says: "the_least",
	},
	{
		name: "of a register whose least value was seen by chance it is not proved that it was never 0", file: "bridge/lanes/hints.go",
		old: "if u.below > 1 {", new: "if u.below > 1<<40 {",
		test: "./bridge/lanes TestHints", says: "seen_by_chance",
	},
	{
		name: "that an abstraction differs is taken for a proof", file: "bridge/lanes/prove.go",
		old: "	if equal(said) {\n", new: "	if equal(said) || true {\n",
		test: "./bridge/lanes TestAbstraction", says: "it answers 1, not 0",
	},
	{
		name: "whether copies differ is said to be their next value", file: "bridge/lanes/miter.go",
		old: "		next = x.a.xor(next, x.value(0, s.Next))\n", new: "",
		test: "./bridge/lanes TestApart", says: "--- FAIL",
	},
	{
		name: "abc is told a command that it does not know", file: "bridge/lanes/prove.go",
		old: "; scleanup; write", new: "; scl; write",
		test: "./bridge/lanes TestHints", says: "unknown command",
	},
	{
		name: "values of a register are not told apart by those of another", file: "bridge/lanes/hints.go",
		old: "if x.cycles >= often && len(r.states) > 1 &&", new: "if x.cycles < 0 && len(r.states) > 1 &&",
		test: "./bridge/lanes TestHints", says: "values_while_another_register_has_one",
	},
	{
		name: "values of a register are not told apart by whether a wide one is 0", file: "bridge/lanes/hints.go",
		old: "s.whens = append(s.whens, when{of: i}, when{of: i, not: true})\n", new: "",
		test: "./bridge/lanes TestHints", says: "values_while_another_register_is_not_0",
	},
	{
		name: "that a register is not 0 is taken for that it is", file: "bridge/lanes/hints.go",
		old: "	if c.not {\n", new: "	if false && c.not {\n",
		test: "./bridge/lanes TestHints", says: "values_while_another_register_is_not_0",
	},
	{
		name: "values of a register are not told apart by those of two others", file: "bridge/lanes/hints.go",
		old: "if x.cycles >= often && (o.least", new: "if x.cycles < 0 && (o.least",
		test: "./bridge/lanes TestHints", says: "values_while_two_registers_are_something",
	},
	{
		name: "values of a register are not told apart by flags of two modules", file: "bridge/lanes/hints.go",
		old: "flags := len(a.states) == 1 && len(b.states) == 1", new: "flags := false",
		test: "./bridge/lanes TestHints", says: "values_while_flags_of_two_modules_are_something",
	},
	{
		name: "what is assumed counts in the present cycle only", file: "bridge/lanes/miter.go",
		old: "x.a.become(x.violated, ever)", new: "x.a.become(x.violated, 0)",
		test: "./bridge/lanes TestAssumed", says: "with before assumed",
	},
	{
		name: "what is asserted is assumed", file: "bridge/lanes/build_circuit.go",
		old: "c.Type == \"$assume\"}", new: "true}",
		test: "./bridge/lanes TestAssumed", says: "1 assumptions",
	},
	{
		name: "what a reset leaves different is taken to be the same", file: "bridge/lanes/flagged.go",
		old: "same[i] = !x.dirty[i] || then(x.a.latches[x.latch(1, i)]) == 0", new: "same[i] = true",
		test: "./bridge/lanes TestFlagged", says: "1 by the registers that change",
	},
	{
		name: "what is written in a reset is taken to be the same", file: "bridge/lanes/flagged.go",
		old: "if then(writes) != 0 {", new: "if len(latches) == 0 {",
		test: "./bridge/lanes TestFlagged", says: "what_is_written_in_the_reset",
	},
	{
		name: "a claim about registers that does not follow is kept", file: "bridge/lanes/flagged.go",
		old: "if left[k] != \"0\" {", new: "if left[k] != \"0\" && k == 0 {",
		test: "./bridge/lanes TestFlagged", says: "while_what_comes_is_valid",
	},
	{
		name: "a register may differ at first while it has the value of the reset", file: "bridge/lanes/flagged.go",
		old: "w.always || !f.resets", new: "w.always || f.value >= 0",
		test: "./bridge/lanes TestFlagged", says: "in_the_reset,_while_a_step_lasts",
	},
	{
		name: "a mutant that enables a write finds no address", file: "bridge/lanes/pins.go",
		old: "\t\t\t\t\ta[i] = b[i]\n", new: "",
		test: "./sim/mutate TestWritesAnyway", says: "0 of 13 mutants write bit 0 always",
	},
	{
		name: "what stays different is taken to be gone", file: "bridge/lanes/transient.go",
		old: "u.a.xor(u.is(0, cycles, next), u.is(1, cycles, next))", new: "u.a.xor(u.is(0, cycles, next), u.is(0, cycles, next))",
		test: "./bridge/lanes TestTransient", says: "while_it_is_held",
	},
	{
		name: "what is seen of a change in later cycles is no difference", file: "bridge/lanes/transient.go",
		old: "u.is(0, t, bad)", new: "u.is(0, 0, bad)",
		test: "./bridge/lanes TestTransient", says: "in_a_bit_that_is_seen_later",
	},
	{
		name: "a claim about registers is proved by inputs at which it is wrong", file: "bridge/lanes/alone.go",
		old: "\t\tif proved {", new: "\t\tif proved || inputs != nil {",
		test: "./bridge/lanes TestAlone", says: "refuted (-want +got)",
	},
	{
		name: "how a flag is set is looked at in one case only", file: "bridge/lanes/aig.go",
		old: "both = append(both, a.and(x, in[0].not()), a.and(x, in[1].not()))", new: "both = append(both, a.and(x, in[0].not()))",
		test: "./bridge/lanes TestFlagged", says: "1 by the registers that change",
	},
	{
		name: "an assertion that does not hold is proved", file: "bridge/lanes/asserted.go",
		old: "proved[i] = constant[k] == \"0\"", new: "proved[i] = constant[k] != \"\"",
		test: "./bridge/lanes TestUnproved", says: "not proved: []",
	},
	{
		name: "an assertion that holds by itself is not proved", file: "bridge/lanes/asserted.go",
		old: "if proved[i] = l == 0; !proved[i] {", new: "if l != 0 {",
		test: "./bridge/lanes TestUnproved", says: "faulty.sv:15",
	},
	{
		name: "an assumption at a clock edge is seen a cycle late", file: "bridge/lanes/miter.go",
		old: "if e, h, ok := x.c.clocked(k); ok {\n\t\treturn", new: "if e, h, ok := x.c.clocked(k); ok && e < 0 {\n\t\treturn",
		test: "./bridge/lanes TestAssumed", says: "with at each edge assumed",
	},
	{
		name: "inputs that break an assumption show a mutant", file: "sim/mutate/search.go",
		old: "if v.Assumed {", new: "if false && v.Assumed {",
		test: "./sim/mutate TestAssumed", says: "the step is assumed to be small",
	},
	{
		name: "an assumption has mutants of its own", file: "sim/mutate/list.go",
		old: "return needed[name] })", new: "return true })",
		test: "./sim/mutate TestAssumed", says: "a mutant of a check",
	},
	{
		name: "what is asserted too has no mutants", file: "sim/mutate/list.go",
		old: "return needed[name] })", new: "return false })",
		test: "./sim/mutate TestAssumed", says: "it is asserted:",
	},
	{
		name: "what was never seen is taken to hold", file: "bridge/lanes/miter.go",
		old: "outputs, x.made.hinted = append(outputs, hints...), len(hints)", new: "for _, l := range hints { outputs[0] = x.a.and(outputs[0], l.not()) }",
		test: "./bridge/lanes TestHints", says: "that_is_too_short",
	},
	{
		name: "while which others registers differ is not proved with the rest", file: "bridge/lanes/miter.go",
		old: "hints := x.apartWhile(o.Apart, o.Conditions, done)", new: "hints := []literal(nil)",
		test: "./bridge/lanes TestApart", says: "shown 1'b0",
	},
	{
		name: "what Yosys leaves open stays so with a mutant that chooses it", file: "bridge/lanes/pins.go",
		old: "	m.define()\n", new: "",
		test: "./sim/mutate TestOpen", says: "with a mutant something is open",
	},
	{
		name: "registers that are open may be what it is proved that they never are", file: "bridge/lanes/miter.go",
		old: "bad = x.a.and(bad, x.reached(o, done))", new: "x.reached(o, done)",
		test: "./bridge/lanes TestOpen", says: "and true with what is proved",
	},
	{
		name: "registers that are open are never what they were only not seen to be", file: "bridge/lanes/miter.go",
		old: "if o.Hints == nil || o.Hints.proved == nil {", new: "if o.Hints == nil {",
		test: "./bridge/lanes TestOpen", says: "equal should be false",
	},
	{
		name: "what others are while a register differs is not proved with the rest", file: "bridge/lanes/apart.go",
		old: "for _, w := range seen.while {", new: "for _, w := range seen.while[:0] {",
		test: "./bridge/lanes TestApartWhile", says: "shown from 9 on, true",
	},
	{
		name: "what others are while a register differs is seen of the first runs only", file: "bridge/lanes/apart.go",
		old: "mostApart = 16384", new: "mostApart = 8",
		test: "./bridge/lanes TestApartWhile", says: "shown from 9 on, true",
	},
	{
		name: "what others are while a register differs is seen of the first cycles only", file: "bridge/lanes/aig.go",
		old: "*taken*len(r.words) < most*n", new: "*taken < most",
		test: "./bridge/lanes TestApartTogether", says: "behind a refused",
	},
	{
		name: "that two conditions never hold while a register differs is not proved with the rest", file: "bridge/lanes/apart.go",
		old: "if g.whens[i].of != g.whens[j].of && s.counts", new: "if false && s.counts",
		test: "./bridge/lanes TestApartTogether", says: "a refused byte",
	},
	{
		name: "a register is in the module that its name says", file: "bridge/lanes/hints.go",
		old: "votes[module] > votes[home[name]]", new: "false",
		test: "./bridge/lanes TestApartTogether", says: "a refused byte",
	},
	{
		name: "what is proved of the design is taken to hold in the copy with the fault", file: "bridge/lanes/miter.go",
		old: "o.Hints.add(x, done, 0))\n	x.a.become", new: "x.a.or(o.Hints.add(x, done, 0), o.Hints.add(x, done, 1)))\n	x.a.become",
		test: "./bridge/lanes TestOpen", says: "what_only_the_copy",
	},
	{
		name: "what a design asserts is not proved with the rest", file: "bridge/lanes/hints.go",
		old: "		if !k.Assumed {\n			enable", new: "		if false {\n			enable",
		test: "./bridge/lanes TestAsserted", says: "and true with",
	},
	{
		name: "there are mutants of assertions", file: "sim/mutate/list.go",
		old: `"$assume", "$assert", "$check"`, new: `"$assume"`,
		test: "./sim/mutate TestAssumed", says: "a mutant of a check",
	},
	{
		name: "a cell has the places of the instances around it", file: "bridge/lanes/synthesise.go",
		old: "ownPlaces + \"flatten", new: "\"flatten",
		test: "./sim/mutate TestIn$", says: "is in hw/around/around.sv",
	},
	{
		name: "a module's tests find mutants of other cells", file: "sim/mutate/parts.go",
		old: "len(mine) != len(there)", new: "len(mine) > len(there)",
		test: "./sim/mutate TestParts$", says: "TestHalf does not find that",
	},
	{
		name: "what a module's tests find is checked in the whole design", file: "sim/mutate/insert.go",
		old: "case m.By.Design == r.Key:", new: "case m.By.Design != \"\":",
		test: "./sim/mutate TestPartsOrder", says: "is found in",
	},
	{
		name: "registers of a module are told apart by their order", file: "sim/mutate/parts.go",
		old: "signals[signal] = true", new: "signals[\"\"] = signal != \"\"",
		test: "./sim/mutate TestPartsOrder", says: "TestRegisters does not find that",
	},
	{
		name: "choices of a module are told apart by their order", file: "sim/mutate/parts.go",
		old: "for range labelled {", new: "for range labelled - labelled {",
		test: "./sim/mutate TestPartsOrder", says: "of choices without names",
	},
	{
		name: "what is bound to a module makes it another one", file: "sim/mutate/parts.go",
		old: "if depth < fewest {", new: "if depth > fewest {",
		test: "./sim/mutate TestPartsChoice", says: "chosen.sv:5",
	},
	{
		name: "a choice of several cases is in no instance", file: "bridge/lanes/pins.go",
		old: "\"$techmap\"); ok {", new: "\"$techmap\"); ok && original == \"\" {",
		test: "./sim/mutate TestPartsChoice", says: "chosen.sv:5",
	},
	{
		name: "nothing is known of single states where there are too many pairs", file: "bridge/lanes/hints.go",
		old: "return len(never) > 1 })", new: "return true })",
		test: "./bridge/lanes TestNeverAlone", says: "is not among",
	},
	{
		name: "what a bit is at power-up only is not known of a design with many registers", file: "bridge/lanes/hints.go",
		old: "all = s.neverAgain(x)", new: "all = nil",
		test: "./bridge/lanes TestPowerUpOnly", says: "as_soon_as_it_is_loaded",
	},
	{
		name: "a bit settles that others change", file: "bridge/lanes/ternary.go",
		old: "t.is(x.a.latches[k]) != value", new: "t.is(x.a.latches[k]) == 1-value",
		test: "./bridge/lanes TestSettled", says: "settled at 0 are",
	},
	{
		name: "induction has to find out what happens in the reset", file: "bridge/lanes/hints.go",
		old: "x, done, err = m.afterReset(o)", new: "x, done, err = m.alone(o)",
		test: "./bridge/lanes TestPowerUpOnly", says: "after_the_reset",
	},
	{
		name: "registers are known behind the reset that it does not set", file: "bridge/lanes/ternary.go",
		old: "c.States[i].Initial = -1\n", new: "c.States[i].Initial = 0\n",
		test: "./bridge/lanes TestPowerUpOnly", says: "after_a_reset_that_it_is_not_loaded_in",
	},
	{
		name: "what a module's tests find is found at one instance only", file: "sim/mutate/parts.go",
		old: "c.instances = instances[c.design.Top]", new: "c.instances = instances[c.design.Top][:1]",
		test: "./sim/mutate TestParts$", says: "TestHalf finds 0 in",
	},
	{
		name: "a module's tests find no changes of its source", file: "sim/mutate/parts.go",
		old: "p.instance = rest", new: "p.instance = at + rest",
		test: "./sim/mutate TestParts$", says: "half.sv",
	},
	{
		name: "a module with parameters has no instances", file: "bridge/lanes/instances.go",
		old: "return module\n\t}\n\t_, rest", new: "return module\n\t}\n\treturn rest\n\t_, rest",
		test: "./bridge/lanes TestInstances$", says: "u_long.",
	},
	{
		name: "mutants of all sources are decided", file: "sim/mutate/run.go",
		old: `r.o.In == "" || file == in`, new: `true || file == in`,
		test: "./sim/mutate TestIn$", says: "a mutant of hw/stop",
	},
	{
		name: "of registers that others differ with only the greatest and the least value is looked at", file: "bridge/lanes/apart.go",
		old: "v != nil && !bytes.Equal(v,", new: "v != nil && false && bytes.Equal(v,",
		test: "./bridge/lanes TestApartValues", says: "one of two values",
	},
	{
		name: "while copies differ only one of them is looked at", file: "bridge/lanes/apart.go",
		old: "{s.now[i], value(1)}", new: "{s.now[i], value(0)}",
		test: "./bridge/lanes TestApartValues", says: "in the other copy",
	},
	{
		name: "of registers that others differ with nothing is looked at in the reset", file: "bridge/lanes/apart.go",
		old: "above: only, always: true}", new: "above: only, always: false}",
		test: "./bridge/lanes TestApartInReset", says: "a bit while others differ",
	},
	{
		name: "what a test writes to a register is played a cycle late", file: "sim/mutate/recording.go",
		old: "min(end, pokes[0].cycle)", new: "min(end, pokes[0].cycle+1)",
		test: "./sim/mutate TestPoked", says: "not played from cycle",
	},
	{
		name: "a register has one name only where there are pins", file: "bridge/lanes/simplify.go",
		old: "Rises: old.Rises, Aliases: old.Aliases", new: "Rises: old.Rises",
		test: "./sim/mutate TestPoked", says: "lanes have no register of this name",
	},
	{
		name: "of what is written to a register a recording keeps the name only", file: "sim/internal/tape/read.go",
		old: "k.Name, k.Value", new: "k.Name, p.Value",
		test: "./sim/internal/tape TestTape", says: "Width:",
	},
	{
		name: "a test that names internal signals is said to find mutants", file: "cmd/cosimate/mutate.go",
		old: "strings.Contains(line, sim.ErrNoNames.Error())", new: "false && strings.Contains(line, sim.ErrNoNames.Error())",
		test: "./cmd/cosimate TestFailing", says: "mutate_test.go",
	},
	{
		name: "of other modules flags are not looked at", file: "bridge/lanes/hints.go",
		old: "near != flag {", new: "near && !flag {",
		test: "./bridge/lanes TestHints", says: "a_flag_while_two_registers",
	},
	{
		name: "a register has the name of a wire in the highest module", file: "bridge/lanes/pins.go",
		old: "r.elsewhere = 1", new: "r.elsewhere = 0",
		test: "./bridge/lanes TestRegisterNames", says: "left are",
	},
	{
		name: "what more runs do not show to be wrong is left out", file: "bridge/lanes/hints.go",
		old: "is(all[i])&going != 0", new: "is(all[i])&going == 0",
		test: "./bridge/lanes TestHints", says: "with what is proved of the design",
	},
	{
		name: "what is proved has the numbers that there were before some were left out", file: "bridge/lanes/hints.go",
		old: "		h.proved[i] = proved[k]", new: "		h.proved[min(i, k)] = proved[k]",
		test: "./bridge/lanes TestHints", says: "with what is proved of the design",
	},
	{
		name: "a word that differs is looked at as a whole only", file: "bridge/lanes/apart.go",
		old: "const part = 8", new: "const part = 64",
		test: "./bridge/lanes TestApartParts", says: "a word that comes in two bytes",
	},
	{
		name: "outputs that differ in what is played are not looked at", file: "bridge/lanes/apart.go",
		old: "other != 0 && differ == nil {", new: "other != 0 && differ != nil {",
		test: "./bridge/lanes TestApart", says: "shown 1'b1",
	},
	{
		name: "of runs that are played at once only the first is seen", file: "bridge/lanes/aig.go",
		old: "block[k] = run[t][i/64]", new: "block[k&0] = run[t][i/64]",
		test: "./bridge/lanes TestApart", says: "states differ, not 8",
	},
	{
		name: "registers of many bits are kept where others may be anything", file: "bridge/lanes/miter.go",
		old: "] <= keep.Few && len(kept)", new: "] > 0 && len(kept)",
		test: "./bridge/lanes TestOpenKeep", says: "wide == 2, with {64 5} kept: proved to be equal: true",
	},
	{
		name: "more bits are kept than told", file: "bridge/lanes/miter.go",
		old: "keep.Few && len(kept) < keep.Bits", new: "keep.Few",
		test: "./bridge/lanes TestOpenKeep", says: "r == 2, with {1 5} kept: proved to be equal: true",
	},
	{
		name: "what the design assumes is taken to hold when told not to", file: "bridge/lanes/miter.go",
		old: "len(m.Assumptions()) > 0 && !o.Unassumed", new: "len(m.Assumptions()) > 0",
		test: "./bridge/lanes TestAssumed", says: "told not to assume it",
	},
	{
		name: "large circuits are not proved by induction", file: "bridge/lanes/prove.go",
		old: "&get; &scorr -C %d; &put", new: "&get; &scorr -C %d",
		test: "./bridge/lanes TestInduction", says: "for large circuits true",
	},
	{
		name: "what was never seen of registers is taken to be proved", file: "bridge/lanes/hints.go",
		old: "h.proved[i] = proved[k] == \"0\"", new: "h.proved[i] = k >= 0",
		test: "./bridge/lanes TestHints", says: "that_is_too_short",
	},
	{
		name: "one cycle begins with any state, though some are never reached", file: "bridge/lanes/step.go",
		old: "unreached = o.Hints.add(x, done, 0)", new: "o.Hints.add(x, done, 0)",
		test: "./bridge/lanes TestHints", says: "in one cycle, with what is proved",
	},
	{
		name: "one cycle begins with a state that was only never seen", file: "bridge/lanes/step.go",
		old: "o.Hints != nil && o.Hints.proved != nil", new: "o.Hints != nil",
		test: "./bridge/lanes TestHints", says: "in one cycle from any state",
	},
	{
		name: "a test that has seen a difference goes on as it was recorded", file: "sim/mutate/replay.go",
		old: "before.Since(lane) < at {", new: "before.Since(lane) > at {",
		test: "./sim/mutate TestReacts", says: "found by a test",
	},
	{
		name: "a mutant's registers at power-up follow from its place among others", file: "sim/mutate/replay.go",
		old: "Seed: r.o.Seed, Alike: true, Inv", new: "Seed: r.o.Seed, Inv",
		test: "./sim/mutate TestOtherMutants", says: "with none:",
	},
	{
		name: "all rounds of a replay begin with the same values at power-up", file: "sim/mutate/replay.go",
		old: "Inverted: round%2 == 1", new: "Inverted: false",
		test: "./sim/mutate TestPowerUpBoth", says: "although a register is right by chance only",
	},
	{
		name: "a register is taken for the only constant that is put into it", file: "bridge/lanes/pins.go",
		old: `opt -keepdc ")`, new: `opt ")`,
		test: "./sim/mutate TestPowerUpBoth", says: "equivalent, although a register",
	},
	{
		name: "a mutant that is stuck is built in as a buffer that Verilator does not know", file: "sim/mutate/insert.go",
		old: `commands, "opt_clean", "write_verilog`, new: `commands, "write_verilog`,
		test: "./sim/mutate TestInsert", says: "does not compile",
	},
	{
		name: "a design that does not compile is a test that fails", file: "cmd/cosimate/mutate.go",
		old: `strings.Contains(out, "does not compile; it says:")`, new: "out == \"\"",
		test: "./cmd/cosimate TestFailing", says: "TestA/hold=10/verilator",
	},
	{
		name: "a test that is left out is played all the same", file: "sim/mutate/without.go",
		old: "return function(x.tape.At(0)) == test", new: "return x.tape.At(0) == test+\"/\"",
		test: "./sim/mutate TestWithout", says: "fewer are found, not",
	},
	{
		name: "a bit is inverted while another is 1 in place of 0", file: "bridge/lanes/simplify.go",
		old: "(i&2 != 0) == (k == InvertedIf1)", new: "i&2 != 0",
		test: "./sim/mutate TestPins", says: "with Yosys' own mutants",
	},
	{
		name: "faults do the same if they make the same of two LUTs", file: "bridge/lanes/collapse.go",
		old: "effect{lut: n, is: is}", new: "effect{is: is}",
		test: "./sim/mutate TestClasses", says: "the outputs differ from those of class",
	},
	{
		name: "faults of a cell are there in both copies", file: "bridge/lanes/miter.go",
		old: "l, ok := x.any[v]; ok && side == 1", new: "l, ok := x.any[v]; ok",
		test: "./bridge/lanes TestAny", says: "in_what_is_read",
	},
	{
		name: "a fault is followed past what something else reads, too", file: "bridge/lanes/collapse.go",
		old: "x.readers[n] = manyReaders", new: "x.readers[n] = reader",
		test: "./sim/mutate TestClasses", says: "the outputs differ from those of class",
	},
	{
		name: "an output's readers do not see its fault", file: "bridge/lanes/pins.go",
		old: "behind[string(before)] = net", new: "_ = net",
		test: "./sim/mutate TestPins", says: "with Yosys' own mutants",
	},
	{
		name: "what was found by another test is taken over", file: "sim/mutate/store.go",
		old: `k.Tape != "" && tapes[k.Tape] != nil ||`, new: `k.Tape != "" ||`,
		test: "./sim/mutate TestKept", says: "verdicts",
	},
	{
		name: "verdicts of errors are kept", file: "sim/mutate/store.go",
		old: "if r.store == nil || m.failed {", new: "if r.store == nil {",
		test: "./sim/mutate TestErrors", says: "known",
	},
	{
		name: "a constant that two blocks declare is changed in one", file: "sim/mutate/internal/changes/expressions.go",
		old: "m.used[f.name] = true // of two", new: "_ = f.name // of two",
		test: "./sim/mutate/internal/changes TestTwoConstants$", says: "Twice_",
	},
	{
		name: "constants that follow from a changed one stay", file: "sim/mutate/internal/changes/expressions.go",
		old: "if m.names(g.from, g.to, affected) {", new: "if false {",
		test: "./sim/mutate TestSource", says: "changed by hand",
	},
	{
		name: "an assignment is left out where another change is meant", file: "sim/mutate/internal/changes/statements.go",
		old: `"begin if (!"+on+") "`, new: `"begin if ("+on+") "`,
		test: "./sim/mutate TestSource", says: "changed by hand",
	},
}
