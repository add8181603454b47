package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/everyway-go/everyway/bench/shapes/internal/seeds"
)

// A container is a package below internal, by its name, in the module with the root.
type container struct{ root, name string }

// file returns the absolute path of the program.
func (c *container) file() string {
	return filepath.Join(c.root, "bench", "shapes", "internal", c.name, c.name+".go")
}

// pattern returns the pattern of the package.
func (c *container) pattern() string { return "./bench/shapes/internal/" + c.name }

// seeds reads the seeds of an operation.
func (c *container) seeds(op string) (list []seeds.Seed, err error) {
	file := filepath.Join(filepath.Dir(c.file()), "seeds.txtar")
	if _, err := os.Stat(file); os.IsNotExist(err) {
		return nil, nil
	}
	all, err := seeds.Read(file)
	for _, s := range all {
		if s.Op == op {
			list = append(list, s)
		}
	}
	return list, err
}

// A program is a container with a seed.
type program struct {
	*container
	overlay string // for the flag -overlay
	lines   map[int]seeds.Line
}

// with writes the container with a seed into a directory, after a change that leaves lines their numbers.
func (c *container) with(s *seeds.Seed, dir string, change func([]byte) []byte) (*program, error) {
	source, err := os.ReadFile(c.file())
	if err != nil {
		return nil, err
	}
	if source, err = s.Apply(source); err != nil {
		return nil, err
	}
	p := &program{container: c, overlay: filepath.Join(dir, "overlay.json")}
	if p.lines, err = seeds.Lines(c.file(), source); err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	seeded := filepath.Join(dir, c.name+".go")
	if err := os.WriteFile(seeded, change(source), 0o666); err != nil {
		return nil, err
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {c.file(): seeded}})
	if err != nil {
		return nil, err
	}
	return p, os.WriteFile(p.overlay, overlay, 0o666)
}
