package mutate

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim/internal/tape"
)

// Fingerprint returns what stands for a design, and for the tests in a folder: its Go files and
// vectors, and those in folders below.
func Fingerprint(d bridge.Design, folder string) (rtl, tests string, err error) {
	if rtl, err = tape.Key(&d); err != nil {
		return "", "", err
	}
	tests, err = TestsFingerprint(folder)
	return rtl, tests, err
}

// FolderFingerprint returns what stands for RTL that has vectors alone, and for the vectors, in a
// folder.
func FolderFingerprint(folder string) (rtl, tests string, err error) {
	if rtl, err = folderSum(folder, ".sv", ".svh", ".v", ".vh"); err != nil {
		return "", "", err
	}
	tests, err = TestsFingerprint(folder)
	return rtl, tests, err
}

// TestsFingerprint returns what stands for the tests in a folder.
func TestsFingerprint(folder string) (string, error) { return folderSum(folder, ".go", ".txtar") }

// folderSum stands for the files with some extensions in a folder and in those below it.
func folderSum(folder string, extensions ...string) (string, error) {
	h := sha256.New()
	err := filepath.WalkDir(folder, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !slices.Contains(extensions, filepath.Ext(name)) {
			return err
		}
		text, err := os.ReadFile(name)
		rel, _ := filepath.Rel(folder, name)
		fmt.Fprintf(h, "%q %d\n%s", filepath.ToSlash(rel), len(text), text)
		return err
	})
	return hex.EncodeToString(h.Sum(nil)[:8]), err
}

// Kept is a report in Markdown as docs/mutants keeps it.
type Kept struct {
	Block, Folder string // without a block, the folder has RTL with vectors alone
	Params        map[string]string
	RTL, Tests    string // fingerprints
}

// Markdown is the report as it is kept, with the command that makes it again.
func (r *Report) Markdown(k Kept, command string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Mutants of %s\n\n", cmp.Or(k.Block, k.Folder))
	fmt.Fprintf(&b, "Made by %s. What the verdicts mean: [the guide](../guide/mutants.md).\n\n", "`"+command+"`")
	fmt.Fprintf(&b, "```text\n%s```\n\n", r.Text())
	b.WriteString("How those that change nothing were proved:\n\n| proof | mutants |\n| --- | --: |\n")
	proofs := map[string]int{}
	var order []string
	for i := range r.Results {
		if m := &r.Results[i]; m.Verdict == Equivalent {
			if proofs[m.Proof] == 0 {
				order = append(order, m.Proof)
			}
			proofs[m.Proof]++
		}
	}
	for _, p := range order {
		fmt.Fprintf(&b, "| %s | %d |\n", p, proofs[p])
	}
	fmt.Fprintf(&b, "\n<!-- block %s folder %s parameters %q RTL %s tests %s -->\n", cmp.Or(k.Block, "-"), k.Folder, parameters(bridge.Design{Params: k.Params}), k.RTL, k.Tests)
	return b.String()
}
