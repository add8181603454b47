package programtest

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/engine/program"
)

// Load loads the programs of directories of testdata, which are beside the test, and others of
// which the main file has a text, by their names, as if it were in such a directory. What the
// source says of values is known of all of them.
func Load(t *testing.T, dirs []string, texts map[string]string) *program.Program {
	t.Helper()
	testdata, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	var patterns []string
	for _, d := range dirs {
		patterns = append(patterns, "./testdata/"+d)
	}
	files := make(map[string]program.Generated)
	for name, text := range texts {
		patterns = append(patterns, "./testdata/"+name)
		files[filepath.Join(testdata, name, "main.go")] = program.Generated{Text: []byte(text)}
	}
	slices.Sort(patterns)
	cfg, err := program.LoadConfig(t.Context(), ".", patterns, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Names, cfg.Substitute = true, true
	p, err := program.LoadGenerated(t.Context(), cfg, files)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
