package seeds

import (
	"os"
	"path/filepath"
	"testing"
)

// TestSeeds applies all seeds.
func TestSeeds(t *testing.T) {
	files, err := filepath.Glob("../*/seeds.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		all, err := Read(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(filepath.Dir(file))
		source, err := os.ReadFile(filepath.Join(filepath.Dir(file), name+".go"))
		if err != nil {
			t.Fatal(err)
		}
		names, races := map[string]bool{}, map[Race]bool{}
		for _, s := range all {
			if names[s.Name] || races[s.Race] {
				t.Errorf("%s: %s has the name or the race of another one", name, s.Name)
			}
			names[s.Name], races[s.Race] = true, true
			seeded, err := s.Apply(source)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			lines, err := Lines(name+".go", seeded)
			if err != nil {
				t.Errorf("%s: %s: %v", name, s.Name, err)
				continue
			}
			if err := s.Check(lines); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
