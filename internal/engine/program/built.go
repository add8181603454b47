package program

import (
	"context"
	"fmt"
	"go/types"
	"maps"
	"path/filepath"
	"slices"

	"github.com/everyway-go/everyway/internal/linear"
	"github.com/everyway-go/everyway/internal/load"
)

// symPath is the package whose function Built builds values by calls of constructors, which it has to know.
const symPath = "github.com/everyway-go/everyway/sym"

// loadBuilt is load.Load, but where tests build values with sym.Built of a type, it adds files that
// make its constructors known.
func loadBuilt(ctx context.Context, cfg load.Config) (*load.Result, map[string]Generated, error) {
	result, err := load.Load(ctx, cfg)
	if err != nil {
		return nil, nil, err
	}
	if !cfg.Tests {
		return result, nil, nil
	}
	files := make(map[string]Generated)
	known := make(map[string]bool) // types of a test binary, which has the external tests of a package, too
	for _, p := range result.Packages {
		built := slices.DeleteFunc(builtTypes(p), func(t types.Type) bool {
			key := p.Binary() + " " + types.TypeString(t, nil)
			was := known[key]
			known[key] = true
			return was
		})
		name := filepath.Join(p.Dir, linear.ConstructorsFile)
		if p.Path != p.Binary() {
			name = filepath.Join(p.Dir, "everyway_external_constructors_test.go")
		}
		if _, ok := cfg.Overlay[name]; ok || len(built) == 0 {
			continue
		}
		text, err := linear.Constructors(p.Types, built, symPath, "sym", "RegisterConstructors")
		if err != nil {
			return nil, nil, fmt.Errorf("writing the constructors of package %s: %w", p.Path, err)
		}
		if text != nil {
			files[name] = Generated{Text: text, Driver: true}
		}
	}
	if len(files) == 0 {
		return result, nil, nil
	}
	overlay := maps.Clone(cfg.Overlay)
	if overlay == nil {
		overlay = make(map[string][]byte)
	}
	for name, f := range files {
		overlay[name] = f.Text
	}
	cfg.Overlay = overlay
	result, err = load.Load(ctx, cfg)
	return result, files, err
}

// builtTypes returns the types of which a package builds values with sym.Built, in the order of their names.
func builtTypes(p *load.Package) []types.Type {
	found := make(map[string]types.Type)
	for id, instance := range p.Info.Instances {
		fn, ok := p.Info.Uses[id].(*types.Func)
		if !ok || fn.Pkg() == nil || fn.Pkg().Path() != symPath || fn.Name() != "Built" {
			continue
		}
		t := instance.TypeArgs.At(0)
		found[types.TypeString(t, nil)] = t
	}
	var list []types.Type
	for _, name := range slices.Sorted(maps.Keys(found)) {
		list = append(list, found[name])
	}
	return list
}
