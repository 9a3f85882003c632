package convention

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
)

// Read returns a design of the files that are given, with what else needs no simulator but the top
// module. If all files are in or below the present folder, they are named from there. Otherwise
// they are named from the folder that has all of them.
func Read(g Given) (sim.Design, []Note, error) {
	r := reader{how: g.hints()}
	var err error
	if r.folder, err = filepath.Abs(g.Folder); err != nil {
		return sim.Design{}, nil, err
	}
	if r.here, err = filepath.Abs("."); err != nil {
		return sim.Design{}, nil, err
	}
	r.design.FS, r.design.Dir = os.DirFS("/"), "/" // until all names are known
	for _, name := range g.Files {
		if err := r.file(name); err != nil {
			return sim.Design{}, nil, err
		}
	}
	for _, name := range g.Include {
		if err := r.include(name); err != nil {
			return sim.Design{}, nil, err
		}
	}
	if len(r.design.Files) == 0 {
		return sim.Design{}, nil, &Error{Files, "", "there are no source files", "name the files of the design, packages first, or a file list (.f)"}
	}
	r.findIncludes()
	g.values(&r.design)
	r.root()
	for _, name := range append(slices.Clone(r.design.Files), r.design.Include...) {
		if strings.HasPrefix(name, "-") || strings.HasPrefix(name, "+") {
			return sim.Design{}, nil, &Error{Files, "", fmt.Sprintf("a simulator would take the name %s for a flag", name), "give it another name"}
		}
	}
	return r.design, r.notes, nil
}

// reader collects files. Until root is called, their names are from / on, without it.
type reader struct {
	how    Hints
	folder string // which names are relative to
	here   string // the present folder
	design sim.Design
	notes  []Note
}

func isGlob(name string) bool { return strings.ContainsAny(name, "*?[") }

// absolute returns a name in the folder as the name from / on.
func (r *reader) absolute(name string) string {
	if !filepath.IsAbs(name) {
		name = filepath.Join(r.folder, name)
	}
	return strings.TrimPrefix(filepath.ToSlash(filepath.Clean(name)), "/")
}

// file adds a file, the files of a glob, or those of a list.
func (r *reader) file(name string) error {
	at := r.absolute(name)
	info, err := fs.Stat(r.design.FS, orRoot(at))
	switch {
	case err != nil && isGlob(name):
		matches, err := filepath.Glob("/" + at)
		if err != nil {
			return &Error{Files, name, fmt.Sprintf("%s is not a glob: %v", name, err), "* is any name, ? any character, [ab] one of these"}
		}
		return r.glob(name, matches)
	case err != nil && (strings.HasPrefix(name, `"`) || strings.HasSuffix(name, `\`)):
		return &Error{Files, name, fmt.Sprintf("%s cannot be read: %v", name, reason(err)), "write ? for a blank in a name: my?file.v"}
	case err != nil:
		return &Error{Files, name, fmt.Sprintf("%s cannot be read: %v", name, reason(err)), "name a file that exists"}
	case info.IsDir():
		return &Error{Files, name, name + " is a folder", fmt.Sprintf("name its files: %s", path.Join(name, "*.sv"))}
	case !info.Mode().IsRegular():
		return &Error{Files, name, name + " is not a regular file", "name a file that exists"}
	case path.Ext(at) == ".f":
		return r.list(name, at)
	}
	r.add(at)
	return nil
}

// orRoot returns a name for an fs.FS. That of the root is not empty there.
func orRoot(name string) string {
	if name == "" {
		return "."
	}
	return name
}

// reason returns an error of a file without its name.
func reason(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// add adds a file, once.
func (r *reader) add(name string) {
	if !slices.Contains(r.design.Files, name) {
		r.design.Files = append(r.design.Files, name)
	}
}

// sourceExts are how the names of source files end.
var sourceExts = []string{".v", ".sv"}

// glob adds the sources of a glob, those with packages first.
func (r *reader) glob(name string, matches []string) error {
	var found []string
	for _, m := range matches {
		m = r.absolute(m)
		if info, err := fs.Stat(r.design.FS, m); err == nil && info.Mode().IsRegular() && slices.Contains(sourceExts, path.Ext(m)) {
			found = append(found, m)
		}
	}
	if len(found) == 0 {
		return &Error{Files, name, fmt.Sprintf("no source file (*.v, *.sv) is named as %s", name), "name files that exist"}
	}
	for _, f := range packagesFirst(r.design.FS, found) {
		r.add(f)
	}
	return nil
}

var (
	packageHead = regexp.MustCompile(`(?m)(?:^|[;\s])package\s+(?:automatic\s+|static\s+)?([A-Za-z_]\w*)\s*;`)
	packageUse  = regexp.MustCompile(`\b([A-Za-z_]\w*)\s*::`)
)

// packagesFirst returns files with each one that declares a package before those that use it, and
// else in their order.
func packagesFirst(from fs.FS, files []string) (sorted []string) {
	declaredIn := map[string]string{}
	uses := map[string][]string{}
	for _, f := range files {
		data, err := fs.ReadFile(from, f)
		if err != nil {
			continue
		}
		text := code(data)
		for _, m := range packageHead.FindAllStringSubmatch(text, -1) {
			declaredIn[m[1]] = f
		}
		for _, m := range packageUse.FindAllStringSubmatch(text, -1) {
			uses[f] = append(uses[f], m[1])
		}
	}
	done := map[string]bool{}
	var visit func(f string)
	visit = func(f string) {
		if done[f] {
			return
		}
		done[f] = true
		for _, p := range uses[f] {
			if d := declaredIn[p]; d != "" {
				visit(d)
			}
		}
		sorted = append(sorted, f)
	}
	for _, f := range files {
		visit(f)
	}
	return sorted
}

// list adds what a file list names. Its names are relative to the folder, or else to its own.
func (r *reader) list(name, at string) error {
	bases := []string{r.absolute("."), path.Dir(at)}
	var first error
	for _, base := range bases {
		d := bridge.Design{FS: r.design.FS, Dir: "/", Defines: r.design.Defines}
		err := d.AddFileListFrom(at, base)
		if err == nil {
			err = r.all(name, d)
		}
		if err != nil {
			if first == nil {
				first = err
			}
			continue
		}
		if base != bases[0] {
			r.notes = append(r.notes, Note{Files, fmt.Sprintf("The names in %s are taken to be relative to its own folder.", name), ""})
		}
		for _, f := range d.Files {
			r.add(f)
		}
		r.design.Include, r.design.Defines = append(r.design.Include, d.Include...), d.Defines
		return nil
	}
	if e, ok := errors.AsType[*Error](first); ok {
		return e
	}
	return &Error{Files, name, r.shown(first.Error()), ""}
}

// shown returns a text with the names of files from the present folder on, or else from the folder
// that names are relative to.
func (r *reader) shown(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, r.here+"/", ""), r.folder+"/", "")
}

// all returns an error if a file or folder that a list names does not exist.
func (r *reader) all(list string, d bridge.Design) error {
	for _, f := range append(slices.Clone(d.Files), d.Include...) {
		if _, err := fs.Stat(d.FS, orRoot(f)); err != nil {
			shown := r.shown("/" + f)
			return &Error{Files, list, fmt.Sprintf("%s, which is in the list %s, cannot be read: %v", shown, list, reason(err)), "names in a list are relative to the folder of whoever names it, or to the list's own"}
		}
	}
	return nil
}

// include adds a folder of include files.
func (r *reader) include(name string) error {
	at := r.absolute(name)
	if info, err := fs.Stat(r.design.FS, orRoot(at)); err != nil || !info.IsDir() {
		return &Error{Include, name, fmt.Sprintf("there is no folder %s", name), "name a folder in which `include finds files"}
	}
	r.design.Include = append(r.design.Include, at)
	return nil
}

// included matches the files that a source includes by name.
var included = regexp.MustCompile("(?m)^[^\"/\n]*`include\\s+\"([^\"\\n]+)\"")

// findIncludes adds the folders of sources that include a file beside them, if no folder that was
// given has it.
func (r *reader) findIncludes() {
	for _, f := range r.design.Files {
		data, err := fs.ReadFile(r.design.FS, f)
		if err != nil {
			continue
		}
		for _, m := range included.FindAllStringSubmatch(string(data), -1) {
			has := func(dir string) bool {
				info, err := fs.Stat(r.design.FS, path.Join(dir, m[1]))
				return err == nil && info.Mode().IsRegular()
			}
			if slices.ContainsFunc(r.design.Include, has) || !has(path.Dir(f)) {
				continue
			}
			r.design.Include = append(r.design.Include, path.Dir(f))
			r.notes = append(r.notes, Note{Include, fmt.Sprintf("Include files: those beside %s, which includes %s.", path.Base(f), m[1]), r.how.Include + " names other folders."})
		}
	}
}

// root makes names relative to the present folder, or to the folder that has all files.
func (r *reader) root() {
	names := append(slices.Clone(r.design.Files), r.design.Include...)
	root := strings.TrimPrefix(r.here, "/")
	within := func(name string) bool { return name == root || root == "" || strings.HasPrefix(name, root+"/") }
	for root != "" && slices.ContainsFunc(names, func(n string) bool { return !within(n) }) {
		if root = path.Dir(root); root == "." {
			root = ""
		}
	}
	if root != strings.TrimPrefix(r.here, "/") { // the deepest folder with all of them
		root = path.Dir(r.design.Files[0])
		for root != "." && slices.ContainsFunc(names, func(n string) bool { return n != root && !strings.HasPrefix(n, root+"/") }) {
			root = path.Dir(root)
		}
		root = strings.TrimPrefix(root, ".")
	}
	local := func(list []string) []string {
		var names []string
		for _, n := range list {
			names = append(names, orRoot(strings.TrimPrefix(strings.TrimPrefix(n, root), "/")))
		}
		return names
	}
	r.design.Files, r.design.Include = local(r.design.Files), local(r.design.Include)
	r.design.FS, r.design.Dir = onlySources{os.DirFS("/" + root), "/" + root}, ""
}

// Paths returns where the files of a design that Read returned are, with those in the folders of
// include files.
func Paths(d sim.Design) (paths []string) {
	from, ok := d.FS.(onlySources)
	if !ok {
		return nil
	}
	for _, f := range d.Files {
		paths = append(paths, filepath.Join(from.root, f))
	}
	for _, dir := range d.Include {
		entries, err := from.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			paths = append(paths, filepath.Join(from.root, dir, e.Name()))
		}
	}
	return paths
}

// onlySources hides files that are no sources when a folder is listed. All files in an include
// folder are sources of a design, but a recording of waves beside them is not.
type onlySources struct {
	fs.FS
	root string
}

// headerExts are how the names of files end that are included.
var headerExts = []string{".v", ".sv", ".vh", ".svh", ".h", ".inc", ".vinc", ".svi", ".def"}

// ReadDir implements [fs.ReadDirFS].
func (o onlySources) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(o.FS, name)
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return !slices.Contains(headerExts, path.Ext(e.Name())) }), err
}

// Open implements [fs.FS].
func (o onlySources) Open(name string) (fs.File, error) { return o.FS.Open(name) }
