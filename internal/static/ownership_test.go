package static_test

import (
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/static/ownership"
)

// TestOwnership checks of which types two variables have nothing in common.
func TestOwnership(t *testing.T) {
	a, pkg, text := analyseFile(t, "testdata/ownership.go")
	pointers := pointersOf(t, a)
	of := ownership.New(ownership.Config{
		Calls: a.Calls(), Pointers: pointers, Own: func(p *types.Package) bool { return p == pkg.Pkg },
	})
	asked := 0
	for line := range strings.Lines(text) {
		declared, said, ok := strings.Cut(line, " struct { // ")
		if !ok {
			continue
		}
		asked++
		name := strings.TrimPrefix(declared, "type ")
		root := pkg.Type(name).Type()
		got := "shares"
		for _, s := range of.Structures([]types.Type{root}) {
			if types.Identical(s.Root, root) {
				var edges []string
				for _, e := range s.Edges {
					edges = append(edges, types.TypeString(e, (*types.Package).Name))
				}
				slices.Sort(edges)
				got = "apart: " + strings.Join(edges, ", ")
			}
		}
		want := strings.TrimSpace(said)
		if edges, ok := strings.CutPrefix(want, "apart: "); ok {
			list := strings.Split(edges, ", ")
			slices.Sort(list)
			want = "apart: " + strings.Join(list, ", ")
		} else {
			want, _, _ = strings.Cut(want, ":")
		}
		if got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if asked < 8 {
		t.Errorf("%d types are declared", asked)
	}
}
