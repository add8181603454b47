package load

import (
	"go/token"
	"maps"
	"slices"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestListing compares listings with what go/packages makes of those of the go command.
func TestListing(t *testing.T) {
	cfg := Config{Tests: true, Patterns: []string{".", "../cache", "../sample", "../../examples/addall/...", "../../cmd/everyway"}}
	listing, err := cfg.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	l := &lister{ctx: t.Context(), cfg: &cfg, fset: token.NewFileSet()}
	want, err := l.ask(mode, cfg.Tests, nil, cfg.Patterns...)
	if err != nil {
		t.Fatal(err)
	}
	all := func(roots []*packages.Package) map[string]*packages.Package {
		found := make(map[string]*packages.Package)
		packages.Visit(roots, nil, func(p *packages.Package) { found[p.ID] = p })
		return found
	}
	ids := func(roots []*packages.Package) []string {
		var list []string
		for _, p := range roots {
			list = append(list, p.ID)
		}
		slices.Sort(list)
		return list
	}
	compare := func(want, got []*packages.Package) {
		t.Helper()
		if want, got := ids(want), ids(got); !slices.Equal(want, got) {
			t.Errorf("roots: %v\nwant %v", got, want)
		}
		wanted, found := all(want), all(got)
		if len(wanted) != len(found) {
			t.Errorf("%d packages, want %d", len(found), len(wanted))
		}
		for id, w := range wanted {
			p := found[id]
			if p == nil {
				t.Errorf("no package %s", id)
				continue
			}
			if p.PkgPath != w.PkgPath || p.Name != w.Name || p.Dir != w.Dir || p.ForTest != w.ForTest {
				t.Errorf("%s: path, name, directory and test %q, want %q", id, []string{p.PkgPath, p.Name, p.Dir, p.ForTest}, []string{w.PkgPath, w.Name, w.Dir, w.ForTest})
			}
			for what, files := range map[string][2][]string{
				"files":       {p.GoFiles, w.GoFiles},
				"embedded":    {p.EmbedFiles, w.EmbedFiles},
				"left out":    {p.IgnoredFiles, w.IgnoredFiles},
				"import path": {slices.Sorted(maps.Keys(p.Imports)), slices.Sorted(maps.Keys(w.Imports))},
			} {
				if !slices.Equal(files[0], files[1]) {
					t.Errorf("%s: %s: %v\nwant %v", id, what, files[0], files[1])
				}
			}
			for path, imported := range w.Imports {
				if by := p.Imports[path]; by != nil && by.ID != imported.ID {
					t.Errorf("%s: %s is %s, want %s", id, path, by.ID, imported.ID)
				}
			}
			switch m, n := p.Module, w.Module; {
			case (m == nil) != (n == nil):
				t.Errorf("%s: module %v, want %v", id, m, n)
			case m != nil && (m.Path != n.Path || m.Version != n.Version || m.Dir != n.Dir || m.GoVersion != n.GoVersion || m.Main != n.Main):
				t.Errorf("%s: module %v, want %v", id, m, n)
			}
		}
	}
	compare(want, listing.Graph())

	cfg.Patterns = []string{"../cache", "../../cmd/everyway"}
	if want, err = l.ask(mode, cfg.Tests, nil, cfg.Patterns...); err != nil {
		t.Fatal(err)
	}
	const module = "github.com/everyway-go/everyway/"
	compare(want, listing.Of([]string{module + "internal/cache", module + "cmd/everyway"}).Graph())
}
