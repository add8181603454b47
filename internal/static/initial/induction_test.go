package initial

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// TestInduction tests what is known of the variable i of a loop: a range, the value with which it
// begins, or neither. A sum that is compared, instead of the variable, has overflowed if the loop
// begins with the largest number.
func TestInduction(t *testing.T) {
	for _, test := range []struct {
		name, body    string
		range_, begin bool
	}{
		{"constant", `for i := 3; i < end; i++ { use(i) }`, true, false},
		{"parameter", `for i := begin; i < end; i++ { use(i) }`, false, true},
		{"sum of a constant", `i := 3; for { use(i); i++; if i < end { use(1) } else { break } }`, true, false},
		{"sum of a parameter", `i := begin; for { use(i); i++; if i < end { use(1) } else { break } }`, false, false},
		{"sum of the largest number", `i := int8(127); for { use(int(i)); i++; if i < int8(end) { use(1) } else { break } }`, false, false},
		{"nothing compared", `for i := begin; ; i++ { use(i) }`, false, false},
		{"decrement", `for i := begin; i < end; i-- { use(i) }`, false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, "p.go", "package p\nvar n int\nfunc use(i int) { n += i }\nfunc f(begin, end int) { "+test.body+" }", 0)
			if err != nil {
				t.Fatal(err)
			}
			p, _, err := ssautil.BuildPackage(&types.Config{Importer: importer.Default()}, fset, types.NewPackage("p", ""), []*ast.File{file}, 0)
			if err != nil {
				t.Fatal(err)
			}
			var phis []*ssa.Phi
			for _, b := range p.Func("f").Blocks {
				for _, instr := range b.Instrs {
					if phi, ok := instr.(*ssa.Phi); ok {
						phis = append(phis, phi)
					}
				}
			}
			if len(phis) != 1 {
				t.Fatalf("%d variables, want 1", len(phis))
			}
			if _, got := rangeOf(phis[0]); got != test.range_ {
				t.Errorf("a range is known: %v, want %v", got, test.range_)
			}
			if got := beginsWith(phis[0]) != nil; got != test.begin {
				t.Errorf("what it begins with is known: %v, want %v", got, test.begin)
			}
		})
	}
}
