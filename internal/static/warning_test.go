package static_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/codetest"
	"github.com/everyway-go/everyway/internal/static/warning"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
)

// TestWarnings compares the warnings of a program with a golden file.
func TestWarnings(t *testing.T) {
	const file, golden = "testdata/warnings.go", "testdata/warnings.golden"
	p, err := vmtest.LoadPrograms([]string{file})
	if err != nil {
		t.Fatal(err)
	}
	pkg := p.Packages[file].SSA
	a := analyse(t, p.Code, pkg, []*ssa.Function{pkg.Func("main")})
	f := &warning.Finder{Fset: pkg.Prog.Fset, Control: a.Control}
	if f.Pointers, err = a.PointsTo(t.Context()); err != nil {
		t.Fatal(err)
	}
	if f.Locks, err = a.Locks(t.Context()); err != nil {
		t.Fatal(err)
	}
	if f.Shared, err = a.Shared(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.Calls = f.Pointers.Calls()
	for _, n := range f.Calls.Nodes {
		if n.Body != nil && n.Body.Syntax() != nil && strings.HasPrefix(n.Name, "main.") {
			f.Own = append(f.Own, n)
		}
	}
	var out strings.Builder
	write := func(kind string, list []warning.Warning) {
		fmt.Fprintf(&out, "%s:\n", kind)
		for _, w := range list {
			var at []string
			for _, p := range w.Places {
				at = append(at, fmt.Sprintf("%s:%d", filepath.Base(p.Pos.Filename), p.Pos.Line))
			}
			fmt.Fprintf(&out, "\t%s: %s (rank %d)\n", strings.Join(at, ", "), w.Message, w.Rank)
		}
	}
	races, locked := f.Races()
	write("races", races)
	fmt.Fprintf(&out, "\t%d left out because of a lock\n", locked)
	write("deadlocks", f.Deadlocks())
	write("panics", f.Panics())
	codetest.CompareGolden(t, golden, out.String())
}
