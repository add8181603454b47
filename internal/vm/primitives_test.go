package vm_test

import (
	"fmt"
	"maps"
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

// Every primitive belongs to a function, optional ones too in the version of Go that runs
// the tests. Boot looks only at the packages that a program has, so this one has all of them.
func TestPrimitivesDeclared(t *testing.T) {
	functions := map[string][]string{} // by package
	for _, p := range vm.Primitives() {
		slash := strings.LastIndexByte(p.Name, '/') + 1
		pkg, name, _ := strings.Cut(p.Name[slash:], ".")
		path := p.Name[:slash] + pkg
		functions[path] = append(functions[path], name)
	}
	patterns := append(slices.Sorted(maps.Keys(functions)), "./testdata/variants")
	r := vmtest.Load(t, load.Config{Patterns: patterns})
	for path, names := range functions {
		pkg := r.Package(path)
		if pkg == nil {
			t.Errorf("there are primitives of package %s, which does not exist", path)
			continue
		}
		for _, name := range names {
			if pkg.SSA.Func(name) == nil {
				t.Errorf("there is a primitive %s.%s, which does not exist", path, name)
			}
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
	entry := vmtest.Function(own.Packages["testdata/variants/main.go"].SSA, "main")
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
		m := vm.New(own.Code, expr.NewArena(), run.NewNames(), run.Settings{})
		m.Add(test.primitive)
		_, err := m.Boot(t.Context(), entry)
		if got := fmt.Sprint(err); (err == nil) != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: error %v, want one with %q", test.primitive.Name, err, test.want)
		}
	}
}
