// Command generate renews the files that are generated from the register maps: packages, headers,
// constants and the tables in the chapters. Run it by go generate ./rtl/regmap.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/cosimate/cosimate/rtl/regmap"
)

func main() {
	if err := generate(".."); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// generate writes into the folders of rtl.
func generate(rtl string) error {
	files, err := regmap.Files()
	if err != nil {
		return err
	}
	for _, m := range regmap.Maps() {
		name := m.Name + "/README.md"
		text, err := os.ReadFile(filepath.Join(rtl, name))
		if err != nil {
			return err
		}
		if files[name], err = m.Chapter(text); err != nil {
			return err
		}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(rtl, filepath.FromSlash(name)), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
