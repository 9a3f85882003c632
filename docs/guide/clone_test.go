package guide

import (
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// clone makes the folder one that stands for a clone of the project, to which the guide adds a
// package and in which it changes files. A copy would be compiled anew, for half a minute. So the
// project's packages stay where they are. A workspace joins the guide's package to them, as a
// module with the path that the package has in the project, and an overlay replaces the files that
// change.
func (f *folder) clone(t *testing.T, all []block) {
	t.Helper()
	project, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	var added string // the folder of the package
	overlay := map[string]string{}
	for _, b := range all {
		switch {
		case b.kind == "diff":
			overlay[filepath.Join(project, b.name)] = filepath.Join(f.dir, b.name)
		case b.kind == "go" && added == "":
			added = path.Dir(b.name)
		}
	}
	replace, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^go .*$`).FindString(read(t, "go.mod"))
	f.write(t, "go.work", version+"\n\nuse (\n\t"+project+"\n\t./"+added+"\n)\n")
	f.write(t, added+"/go.mod", "module "+module+"/"+added+"\n\n"+version+"\n")
	f.write(t, "overlay.json", string(replace))
	f.here = strings.NewReplacer("./cmd/", module+"/cmd/")
	f.env = append(f.env, "GOWORK="+filepath.Join(f.dir, "go.work"), "GOFLAGS=-overlay="+filepath.Join(f.dir, "overlay.json"))
}

// patch applies the hunks of a diff to a file of the project, and writes the result into the
// folder.
func (f *folder) patch(t *testing.T, name string, diff []string) {
	t.Helper()
	lines := strings.Split(read(t, name), "\n")
	for len(diff) > 0 {
		end := slices.IndexFunc(diff, func(l string) bool { return strings.HasPrefix(l, "@@") })
		if end < 0 {
			end = len(diff)
		}
		var before, after []string
		for _, l := range diff[:end] {
			if text, ok := strings.CutPrefix(l, "+"); ok {
				after = append(after, text)
			} else if text, ok := strings.CutPrefix(l, "-"); ok {
				before = append(before, text)
			} else {
				before, after = append(before, l[1:]), append(after, l[1:])
			}
		}
		at := slices.IndexFunc(lines, func(l string) bool { return len(before) > 0 && l == before[0] })
		if at < 0 || at+len(before) > len(lines) || !slices.Equal(lines[at:at+len(before)], before) {
			t.Fatalf("the guide changes lines that %s does not have:\n%s", name, strings.Join(before, "\n"))
		}
		lines = slices.Replace(lines, at, at+len(before), after...)
		diff = diff[min(end+1, len(diff)):]
	}
	f.write(t, name, strings.Join(lines, "\n"))
}

// write writes a file of the folder.
func (f *folder) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(f.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
