// Package module finds the root of the module under test. Go runs the tests of each package in the
// package's folder. A relative folder on the command line of go test must be the same for all of
// them, so it is relative to the root:
//
//	dir, err := module.Folder(*dirFlag) // "out/cover" becomes /home/you/project/out/cover
package module

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// startDir is the folder in which the process started, which a test may leave.
var startDir, startErr = os.Getwd()

// Root returns the folder of the module's go.mod.
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

// Name returns the module's path in its go.mod, or "." if there is none.
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

// Folder returns the path of a folder that is named on the command line, relative to the root.
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

// Package returns the package under test as an argument for go test in the root: "./sim". If there
// is no module it is ".".
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
