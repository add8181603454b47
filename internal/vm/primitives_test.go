package vm_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
)

// Every primitive belongs to a function of a package that exists. Boot looks only at the
// packages that a program has, so this one has all of them.
func TestPrimitivesDeclared(t *testing.T) {
	var paths []string
	for _, p := range vm.Primitives() {
		slash := strings.LastIndexByte(p.Name, '/') + 1
		pkg, _, _ := strings.Cut(p.Name[slash:], ".")
		paths = append(paths, p.Name[:slash]+pkg)
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	r := vmtest.Load(t, load.Config{Patterns: append(slices.Clone(paths), "./testdata/variants")})
	for _, path := range paths {
		if r.Package(path) == nil {
			t.Errorf("there are primitives of package %s, which does not exist", path)
		}
	}
	main := slices.IndexFunc(r.Packages, func(p *load.Package) bool { return p.SSA.Func("main") != nil })
	vmtest.Boot(t, compile.NewProgram(r.Prog, r.Sizes, nil, r.Standard), vmtest.Function(r.Packages[main].SSA, "main"), run.Settings{}, nil)
}

// Boot refuses primitives that belong to no function.
func TestPrimitiveWithoutFunction(t *testing.T) {
	own, err := ownPrograms()
	if err != nil {
		t.Fatal(err)
	}
	entry := vmtest.Function(own.pkgs["testdata/variants/main.go"].SSA, "main")
	for _, test := range []struct {
		primitive exec.Primitive
		want      string // in the error
	}{
		{exec.Primitive{Name: "runtime.nosuch"}, "primitive runtime.nosuch: package runtime declares no such function"},
		{exec.Primitive{Name: "runtime.nosuch", Optional: true}, ""},
		{exec.Primitive{Name: "no/such.function"}, ""}, // its package is not in the program
		{exec.Primitive{Name: "main.main"}, "primitive main.main: the function has a body"},
		{exec.Primitive{Name: "main.main", HasBody: true}, ""},
		{exec.Primitive{Name: "runtime.Gosched"}, "two primitives runtime.Gosched"},
	} {
		m := vm.New(own.code, expr.NewArena(), run.NewNames(), run.Settings{})
		m.Add(test.primitive)
		_, err := m.Boot(t.Context(), entry)
		if got := fmt.Sprint(err); (err == nil) != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: error %v, want one with %q", test.primitive.Name, err, test.want)
		}
	}
}
