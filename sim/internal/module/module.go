// Package module knows where the module under test is: tests run in the folders of their packages,
// and folders that are named on the command line of go test shall be the same for all of them.
package module

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// The folder in which the process starts: a test may go elsewhere.
var startDir, startErr = os.Getwd()

// Root is the folder of the module's go.mod.
func Root() (string, error) {
	if startErr != nil {
		return "", startErr
	}
	for root := startDir; ; root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			return root, nil
		}
		if root == filepath.Dir(root) {
			return "", errors.New("no go.mod is in this folder or above")
		}
	}
}

// Name is the module's path, as its go.mod has it; "." if there is none.
func Name() string {
	root, err := Root()
	if err != nil {
		return "."
	}
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "."
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "module" {
			return filepath.FromSlash(strings.Trim(f[1], "\"`"))
		}
	}
	return "."
}

// Folder is a folder named on the command line: relative to the root.
func Folder(name string) (string, error) {
	if filepath.IsAbs(name) {
		return name, nil
	}
	root, err := Root()
	if err != nil {
		return "", errors.Join(err, errors.New("give an absolute path"))
	}
	return filepath.Join(root, name), nil
}

// Package is the package under test as go test takes it from the root: "./sim", or "." if there is
// no module.
func Package() string {
	root, err := Root()
	if err != nil {
		return "."
	}
	rel, err := filepath.Rel(root, startDir)
	if err != nil {
		return "."
	}
	if rel == "." {
		return "."
	}
	return "./" + filepath.ToSlash(rel)
}
