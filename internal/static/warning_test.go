package static_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/codetest"
	"github.com/everyway-go/everyway/internal/static/warning"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
)

// finder looks for warnings in one of the programs, whose functions are its own.
func finder(t *testing.T, p *vmtest.Programs, file string) *warning.Finder {
	t.Helper()
	pkg := p.Packages[file].SSA
	a := analyse(t, p.Code, pkg, []*ssa.Function{pkg.Func("main")})
	f := &warning.Finder{Fset: pkg.Prog.Fset, Control: a.Control}
	var err error
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
	return f
}

func TestWarnings(t *testing.T) {
	const file, many = "testdata/warnings.go", "testdata/manylocks.go"
	p, err := vmtest.LoadPrograms([]string{file, many})
	if err != nil {
		t.Fatal(err)
	}
	t.Run("golden", func(t *testing.T) { testGolden(t, finder(t, p, file)) })
	t.Run("many locks", func(t *testing.T) { testManyLocks(t, finder(t, p, many)) })
}

// testGolden compares the warnings of a program with a golden file.
func testGolden(t *testing.T, f *warning.Finder) {
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
	report := func(kind string, find func(context.Context) (warning.Report, error)) warning.Report {
		r, err := find(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if r.Partial {
			t.Errorf("not all %s were looked for", kind)
		}
		write(kind, r.Warnings)
		return r
	}
	fmt.Fprintf(&out, "\t%d left out because of a lock\n", report("races", f.Races).Locked)
	report("deadlocks", f.Deadlocks)
	report("panics", f.Panics)
	codetest.CompareGolden(t, "testdata/warnings.golden", out.String())
}

// testManyLocks checks that a bound ends the search for cycles where each acquisition may be of any
// of sixty locks, and is said.
func testManyLocks(t *testing.T, f *warning.Finder) {
	r, err := f.Deadlocks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !r.Partial || len(r.Warnings) == 0 {
		t.Errorf("%d cycles, some of them: %v; want some", len(r.Warnings), r.Partial)
	}
}
