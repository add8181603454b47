package vm_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/load/table"
	"github.com/everyway-go/everyway/internal/vm/golib"
)

// A program that is loaded lazily, its library listed without the go command, runs
// the same code in the same way as one that is loaded as a whole.
func TestLazySame(t *testing.T) {
	if testing.Short() {
		t.Skip("runs all targets, twice")
	}
	toolchain, err := load.FindToolchain(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	models, err := golib.Overlay(toolchain.GOROOT)
	if err != nil {
		t.Fatal(err)
	}
	run := func(cfg load.Config) (told string, text map[string]string) {
		cfg.Patterns, cfg.Tests = []string{"./testdata/testing"}, true
		r, err := load.Load(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		prog := compile.NewProgram(r.Prog, r.Sizes, nil, r.Standard)
		prog.Bodies = r.Bodies
		funcs := make(map[string]*code.Func)
		var out strings.Builder
		targets := r.Targets()
		m := targetRunner(t, prog, r, &targets[0])
		for i := range targets {
			m.retarget(t, r, &targets[i])
			m.runTarget(t, &out, r)
			for _, f := range m.Funcs { // the next target begins without them
				// Initialisers lack the variables that are not used, and decode tables.
				if f != nil && (!f.Standard || !strings.HasSuffix(f.Name, ".init") && !strings.Contains(f.Name, "."+table.Prefix)) {
					funcs[f.Name] = f.Func
				}
			}
		}
		text = make(map[string]string)
		for name, f := range funcs {
			text[name] = f.String()
		}
		return out.String(), text
	}
	want, whole := run(load.Config{Overlay: models})
	got, lazy := run(load.Config{Library: golib.Library{}, Toolchain: toolchain, Lazy: true})
	compareLines(t, got, want)
	for _, name := range slices.Sorted(maps.Keys(whole)) {
		if lazy[name] != whole[name] {
			t.Errorf("loaded lazily:\n%s\nas a whole:\n%s", lazy[name], whole[name])
		}
	}
	if len(lazy) != len(whole) || len(lazy) < 500 {
		t.Errorf("%d functions were run of the program loaded lazily, %d of the whole one", len(lazy), len(whole))
	}
}
