package place_test

import (
	"errors"
	"go/ast"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/place"
)

// TestFind looks for lines of testdata/lines.go.
func TestFind(t *testing.T) {
	r, err := load.Load(t.Context(), load.Config{Patterns: []string{"testdata/lines.go"}})
	if err != nil {
		t.Fatal(err)
	}
	pkg := r.Packages[0]
	g, err := callgraph.Build(t.Context(), callgraph.Config{
		Code:  compile.NewProgram(r.Prog, r.Sizes, nil, nil),
		Roots: []*ssa.Function{pkg.SSA.Func("init"), pkg.SSA.Func("main")},
	})
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, p := range r.All {
		files = append(files, p.Files...)
	}
	x := place.New(r.Fset, g, files)
	abs, err := filepath.Abs("testdata/lines.go")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{"lines.go": {abs}, "./testdata/lines.go": {abs}, abs: {abs}, "nes.go": nil, "none.go": nil} {
		if got := x.Files(name); !slices.Equal(got, want) {
			t.Errorf("files %s: %v, want %v", name, got, want)
		}
	}
	for _, test := range []struct {
		line    int
		funcs   []string
		columns []int // of the last function
		err     place.NoCodeError
	}{
		{line: 6, funcs: []string{"main.twice[...]", "main.twice[...]"}, columns: []int{2}},
		{line: 10, err: place.NoCodeError{Before: 6, After: 14, Function: "unused"}},
		{line: 12, err: place.NoCodeError{Before: 6, After: 14}},
		{line: 14, funcs: []string{"main.main"}, columns: []int{2}},
		{line: 15, funcs: []string{"main.main"}, columns: []int{2}},
		{line: 16, funcs: []string{"main.main", "main.main.func1"}, columns: []int{17, 29}},
		{line: 20, err: place.NoCodeError{Before: 16, After: 24}}, // y is x
		{line: 22, err: place.NoCodeError{Before: 16, After: 24, Function: "a function literal in keeps"}},
		{line: 99, err: place.NoCodeError{Before: 24}},
	} {
		found, err := x.Find(abs, test.line)
		var none *place.NoCodeError
		if errors.As(err, &none) {
			test.err.File, test.err.Line = abs, test.line
			if *none != test.err {
				t.Errorf("line %d: %v, want %v", test.line, none, &test.err)
			}
			continue
		}
		var funcs []string
		for _, c := range found {
			funcs = append(funcs, c.Node.Name)
			if len(c.Instrs) == 0 {
				t.Errorf("line %d: no instructions in %s", test.line, c.Node)
			}
		}
		if !slices.Equal(funcs, test.funcs) {
			t.Errorf("line %d: %v, want %v", test.line, funcs, test.funcs)
		} else if !slices.Equal(found[len(found)-1].Columns, test.columns) {
			t.Errorf("line %d: columns %v, want %v", test.line, found[len(found)-1].Columns, test.columns)
		}
	}
}
