package main

// Faults in what both simulators share: the cache of models, layouts, clocks, file lists.
var buildFaults = []fault{
	{
		name: "stale model: the text of sources not in the key", file: "bridge/icarus/icarus.go",
		old: `s.Name).Add("data", string(s.Data))`, new: `s.Name)`,
		test: "./bridge TestEveryVariantIsBuilt/icarus", says: "this is another's model",
	},
	{
		name: "stale model: the text of sources not in Verilator's key", file: "bridge/verilator/generate.go",
		old: `		key.Add("data", string(s.Data))` + "\n", new: "",
		test: "./bridge TestEveryVariantIsBuilt/verilator", says: "this is another's model",
	},
	{
		name: "stale model: parameters not in the key", file: "bridge/icarus/icarus.go",
		old: `		key.Add("flag", a)` + "\n	}\n	for _, c := range clocks", new: `		if !strings.HasPrefix(a, "-P") {` + "\n			key.Add(\"flag\", a)\n		}\n	}\n	for _, c := range clocks",
		test: "./bridge TestEveryVariantIsBuilt/icarus", says: "this is another's model",
	},
	{
		name: "stale model: defines not in Verilator's key", file: "bridge/verilator/generate.go",
		old: `		key.Add("flag", a)`, new: `		key.Add("flag", strings.TrimRight(a, "01"))`,
		test: "./bridge TestEveryVariantIsBuilt/verilator", says: "this is another's model",
	},
	{
		name: "stale model: the tool not in the key", file: "bridge/internal/build/tool.go",
		old: `id := fmt.Sprintf("%s %d %d", real, info.Size(), info.ModTime().UnixNano())`, new: `id := fmt.Sprint(real == "", info.Size() < 0)`,
		test: "./bridge TestEveryChangeIsBuilt/icarus", says: "another tool",
	},
	{
		name: "stale model: the shim not in Verilator's key", file: "bridge/verilator/compile.go",
		old: "maps.Keys(files)) {\n		key.Add(name, files[name])", new: "maps.Keys(files)) {\n		key.Add(name, \"\")",
		test: "./bridge TestEveryOptionIsBuilt/verilator", says: "in a row of another shape",
	},
	{
		name: "headers are never compiled beforehand", file: "bridge/verilator/compile.go",
		old: "precompile := shared[0].made() || ", new: "precompile := ",
		test: "./bridge/verilator TestFirstModelReadsTheText", says: "what the models include first",
	},
	{
		name: "the first model waits for headers", file: "bridge/verilator/compile.go",
		old: "precompile := shared[0].made() || ", new: "precompile := true || ",
		test: "./bridge/verilator TestFirstModelReadsTheText", says: "what the models include first",
	},
	{
		name: "stale model: internals not in the key", file: "bridge/verilator/generate.go",
		old: `		key.Add("internal", name)`, new: `		_ = name`,
		test: "./bridge TestEveryOptionIsBuilt/verilator", says: "sum is peeked as 3, not 103",
	},
	{
		name: "key: values run into each other", file: "bridge/internal/build/cache.go",
		old: `fmt.Fprintf(k.h, "%d:%d:%s%s", len(name), len(value), name, value)`, new: `fmt.Fprintf(k.h, "%s%s", name, value)`,
		test: "./bridge/internal/build TestKey", says: "the same key",
	},
	{
		name: "entry appears before it is complete", file: "bridge/internal/build/cache.go",
		old: "	err = fill(ctx, tmp)\n", new: "	if err := os.Rename(tmp, dir); err != nil {\n		return \"\", err\n	}\n	tmp = dir\n	err = fill(ctx, tmp)\n	if err == nil {\n		return dir, nil\n	}\n",
		test: "./bridge/internal/build TestEntryAppearsWhole", says: "half made",
	},
	{
		name: "lock missing", file: "bridge/internal/build/cache.go",
		old: "unix.LOCK_EX|unix.LOCK_NB", new: "unix.LOCK_SH|unix.LOCK_NB",
		test: "./bridge/internal/build TestOneBuilder", says: "was made",
	},
	{
		name: "waiting for a lock is not called off", file: "bridge/internal/build/cache.go",
		old: "	if ctx.Err() != nil {\n		return nil, context.Cause(ctx)\n	}\n	f, err", new: "	f, err",
		test: "./bridge/internal/build TestCancelledMakesNothing", says: "there is [",
	},
	{
		name: "damaged entry accepted", file: "bridge/internal/build/cache.go",
		old: "	if used(dir) && intact(dir, files) {", new: "	if used(dir) {",
		test: "./bridge TestDamagedEntries", says: "--- FAIL",
	},
	{
		name: "empty files accepted", file: "bridge/internal/build/cache.go",
		old: "		if info.Size() == 0 {", new: "		if info.Size() < 0 {",
		test: "./bridge/internal/build TestEntryAppearsWhole", says: "an empty file leaves",
	},
	{
		name: "files cut short accepted", file: "bridge/internal/build/cache.go",
		old: "err != nil || info.Size() != size {", new: "err != nil || info.Size() < 0*size {",
		test: "./bridge/internal/build TestSizes", says: "made 0 times",
	},
	{
		name: "a cache on a disk without execution has no hint", file: "bridge/internal/build/cache.go",
		old: "disk.Flags&unix.ST_NOEXEC != 0", new: "disk.Flags&unix.ST_NOEXEC == 1<<40",
		test: "./bridge TestDamagedEntries", says: "noexec/icarus",
	},
	{
		name: "what killed builds leave stays for a month", file: "bridge/internal/build/cache.go",
		old: "			age = 24 * time.Hour\n", new: "			age = unusedFor\n",
		test: "./bridge/internal/build TestUsedEntriesStay", says: "what a killed build has left",
	},
	{
		name: "an entry in use is removed", file: "bridge/internal/build/cache.go",
		old: "	if time.Since(info.ModTime()) > 24*time.Hour {", new: "	if time.Since(info.ModTime()) > 1<<62 {",
		test: "./bridge/internal/build TestUsedEntriesStay", says: "is gone",
	},
	{
		name: "foreign folders removed from the cache", file: "bridge/internal/build/cache.go",
		old: "e.IsDir() && entryName.MatchString(e.Name()) {", new: "e.IsDir() {",
		test: "./bridge TestForeignFilesSurvive", says: "is gone",
	},
	{
		name: "full disk not recognised", file: "bridge/internal/build/cache.go",
		old: "		if ctx.Err() == nil && full(root) {", new: "		if ctx.Err() == nil && full(root) && false {",
		test: "./bridge TestFullDisk/verilator", says: "it printed",
	},
	{
		name: "compilers leave temporary files outside of the cache", file: "bridge/internal/build/tool.go",
		old: `, "TMPDIR=.", "TMP=.")`, new: ")",
		test: "./bridge/internal/build TestTemporaryFiles", says: "a temporary file is not there",
	},
	{
		name: "a $ in the cache's name reaches a shell", file: "bridge/internal/build/tool.go",
		old: `, "TMPDIR=.", "TMP=.")`, new: `, "TMPDIR="+dir, "TMP="+dir)`,
		test: "./bridge TestCacheNames", says: "--- FAIL",
	},
	{
		name: "compilers go on after a cancellation", file: "bridge/internal/build/tool.go",
		old: "	cmd.Cancel = g.kill\n", new: "	cmd.Cancel = func() error { return nil }\n",
		test: "./bridge/internal/build TestRunIsCancelled", says: "it took",
	},
	{
		name: "compilers go on after their process was killed", file: "bridge/internal/build/tool.go",
		old: `"read line; kill -9 0"`, new: `"read line"`,
		test: "./bridge TestKilledBuild/icarus", says: "has started outlived its parent",
	},
	{
		name: "what compilers leave behind goes on", file: "bridge/internal/build/tool.go",
		old: "	g.kill()\n", new: "	g.guard.Process.Kill()\n",
		test: "./bridge/internal/build TestNothingIsLeft", says: "still runs",
	},
	{
		name: "the clock's width not checked", file: "bridge/layout.go",
		old: "			if p.Dir != Input || p.Width != 1 {", new: "			if p.Dir != Input {",
		test: "./bridge TestWrongDesigns/icarus", says: "it must be a one-bit input",
	},
	{
		name: "inout ports taken for outputs", file: "bridge/layout.go",
		old: "		case p.Dir == Input || p.Dir == Output:", new: "		case p.Dir != \"\":",
		test: "./bridge TestWrongDesigns/icarus", says: "only input and output ports",
	},
	{
		name: "ports overlap in rows", file: "bridge/layout.go",
		old: "		offset += p.Size\n", new: "		offset += min(p.Size, 256)\n",
		test: "./bridge TestWidths/icarus", says: "does not fit port input",
	},
	{
		name: "the schedule forgets a clock that rises with another", file: "bridge/clock.go",
		old: "			rises |= 1 << i\n", new: "			rises = 1 << i\n",
		test: "./bridge TestSeveralClocks/icarus", says: "the clocks have risen",
	},
	{
		name: "picoseconds of a period lost", file: "bridge/clock.go",
		old: "c.Period.Nanoseconds()*1000 + c.PeriodPs,", new: "(c.Period.Nanoseconds()*1000 + c.PeriodPs) / 1000 * 1000,",
		test: "./bridge TestPicoseconds/icarus", says: "the clocks rose at",
	},
	{
		name: "file list: a define of a list within lost", file: "bridge/filelist.go",
		old: "				if err := d.addFileList(", new: "				d := &Design{FS: d.FS, Defines: maps.Clone(d.Defines)}\n				if err := d.addFileList(",
		test: "./bridge TestFileListWithinDefines", says: "the defines are others",
	},
	{
		name: "file list: names below -F not relative to the list", file: "bridge/filelist.go",
		old: `				if flag == "-F" {`, new: `				if flag == "" {`,
		test: "./bridge TestFileList$", says: "ip/core/core.sv",
	},
	{
		name: "file list: comments within words", file: "bridge/filelist.go",
		old: `			for ; quoted || !space(end); end++ {`, new: `			for ; quoted || !space(end) && !strings.HasPrefix(text[end:], "//"); end++ {`,
		test: "./bridge TestFileListWords", says: "names others",
	},
	{
		name: "file list: an absolute name taken for one below the root", file: "bridge/filelist.go",
		old: `	case path.IsAbs(name), `, new: `	case `,
		test: "./bridge TestWrongFileLists", says: "the error is <nil>",
	},
	{
		name: "bind left out", file: "bridge/bound.go",
		old: "		s.Data = slices.Concat(s.Data[:in.at], in.text", new: "		s.Data = slices.Concat(s.Data[:in.at], in.text[:0]",
		test: "./sim TestBoundChecks/icarus", says: "the error is <nil>",
	},
	{
		name: "bind within a comment counts", file: "bridge/bound.go",
		old: "	text = source.WithoutComments(text)\n	left", new: "	left",
		test: "./bridge TestBound", says: "bind names the module",
	},
	{
		name: "bind moves lines", file: "bridge/bound.go",
		old: "				if c == '\\n' || c == '\\r' {", new: "				if c == '\\r' {",
		test: "./bridge TestBound", says: "what it is bound to",
	},
	{
		name: "bind to a module that there is not is no error", file: "bridge/bound.go",
		old: "			if file < 0 {\n", new: "			if file < 0 {\n				continue\n			}\n			if file < 0 {\n",
		test: "./bridge TestBound", says: "a module that there is not",
	},
	{
		name: "bind within an ifdef that is false counts", file: "bridge/bound.go",
		old: "			compiled = append(compiled, defined)", new: "			compiled = append(compiled, defined || true)",
		test: "./bridge TestBound", says: "bound is true",
	},
	{
		name: "include folder ignored", file: "bridge/design.go",
		old: "	for _, dir := range d.Include {\n		entries, err", new: "	for _, dir := range d.Include[:0] {\n		entries, err",
		test: "./bridge TestDesignOptions/icarus", says: "named.svh",
	},
	{
		name: "expressions taken for values of parameters", file: "bridge/parameter.go",
		old: "		if m == nil {\n", new: "		if m == nil {\n			m = []string{value, \"\"}\n		}\n		if value == \"\" {\n",
		test: "./bridge TestWrongDesigns/verilator|TestWrongParameters", says: "1+2",
	},
	{
		name: "a parameter that there is not is ignored", file: "bridge/icarus/icarus.go",
		old: "	if wrongParameter.MatchString(log) {", new: "	if wrongParameter.MatchString(log) && ctx.Err() != nil {",
		test: "./bridge TestWrongDesigns/icarus", says: "the error is <nil>, not one with \" not found in",
		fresh: true,
	},
	{
		name: "Verilator's script is passed over in spite of what is set for it", file: "bridge/verilator/generate.go",
		old: `if os.Getenv(name) != "" {`, new: `if os.Getenv(name) == "passed over" {`,
		test: "./bridge/verilator TestNoPerl", says: "the script is not called",
	},
	{
		name: "defines cut at a +", file: "bridge/verilator/generate.go",
		old: `"-D"+k+"="+d.Defines[k]`, new: `"+define+"+k+"="+d.Defines[k]`,
		test: "./bridge TestDesignOptions/verilator", says: "does not compile",
	},
	{
		name: "files below include folders not found", file: "bridge/design.go",
		old: "	for i := 0; i < len(sources); i++ { // add appends to sources", new: "	for i := 0; i < len(sources[:0]); i++ { // add appends to sources",
		test: "./bridge TestDesignOptions/icarus", says: "deep/er/a.svh",
	},
	{
		name: "stale model: files that are none of the sources", file: "bridge/design.go",
		old: "		if !filepath.IsLocal(name) {", new: "		if name == \"\" {",
		test: "./bridge TestForeignInclude", says: "icarus: <nil>",
	},
	{
		name: "files that RTL reads not looked for", file: "bridge/design.go",
		old: "	for _, name := range d.Data {", new: "	for _, name := range d.Data[:0] {",
		test: "./bridge TestData", says: "icarus: <nil>",
	},
	{
		name: "X not seen in a value", file: "bridge/signal.go",
		old: "		if w != 0 {\n			return false\n		}\n", new: "		_ = w\n",
		test: "./bridge TestKnown", says: "it is known: true",
	},
}
