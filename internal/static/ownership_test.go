package static_test

import (
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/ownership"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
)

// TestOwnership checks of which types two variables have nothing in common.
func TestOwnership(t *testing.T) {
	const file = "testdata/ownership.go"
	p, err := vmtest.LoadPrograms([]string{file})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pkg := p.Packages[file].SSA
	a := analyse(t, p.Code, pkg, []*ssa.Function{pkg.Func("main")})
	pointers, err := a.PointsTo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	of := ownership.New(ownership.Config{
		Calls: a.Calls(), Pointers: pointers, Own: func(p *types.Package) bool { return p == pkg.Pkg },
	})
	asked := 0
	for line := range strings.Lines(string(text)) {
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
