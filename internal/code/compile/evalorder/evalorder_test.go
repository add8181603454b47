package evalorder_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/everyway-go/everyway/internal/code/compile/evalorder"
)

// build returns the functions of a package with the given declarations.
func build(t *testing.T, decls string) *ssa.Package {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", "package p\n"+decls, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{}, fset, types.NewPackage("p", "p"), []*ast.File{file}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// TestInstrs checks where loads and calls are in the order of gc. A program of the gc
// compiler gives the same results.
func TestInstrs(t *testing.T) {
	pkg := build(t, `
var x, y int
var list []int

func f(p *int) int { *p++; return *p }

func result() (int, int)    { return x, f(&x) }
func sum() int              { return x + f(&x) }
func two() (int, int, int)  { return x, f(&x), y }
func length() (int, int)    { return len(list), f(&x) }
func received(c chan int) (int, int) { return x, <-c }
func condition() bool       { return x > 0 && f(&x) > 0 }
func statements() int       { a := x; b := f(&x); return a + b }
`)
	for _, test := range []struct{ fn, want string }{
		{"result", "f x"},
		{"sum", "f x"},
		{"two", "f x y"},
		{"length", "list f"},
		{"received", "<- x"},
		{"condition", "x f"},
		{"statements", "x f"},
	} {
		fn := pkg.Func(test.fn)
		order := evalorder.New(fn)
		var got []string
		for _, b := range fn.Blocks {
			list := order.Instrs(b)
			if len(list) != len(b.Instrs) {
				t.Errorf("%s: %d instructions of %d", test.fn, len(list), len(b.Instrs))
			}
			for _, instr := range list {
				switch v := instr.(type) {
				case *ssa.Call:
					if callee := v.Call.StaticCallee(); callee != nil {
						got = append(got, callee.Name())
					}
				case *ssa.UnOp:
					switch v.Op {
					case token.MUL:
						got = append(got, v.X.Name())
					case token.ARROW:
						got = append(got, "<-")
					}
				}
			}
		}
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("%s: %s, want %s", test.fn, text, test.want)
		}
	}
}

// TestUnevaluated checks which operands of range loops are not evaluated.
func TestUnevaluated(t *testing.T) {
	pkg := build(t, `
type T struct{ array [3]int }

func get() *T { return nil }

func index(p *T) (n int)    { for i := range p.array { n += i }; return }
func blank(p *T) (n int)    { for i, _ := range p.array { n += i }; return }
func elements(p *T) (n int) { for _, v := range p.array { n += v }; return }
func called() (n int)       { for i := range get().array { n += i }; return }
`)
	for name, want := range map[string]bool{"index": true, "blank": true, "elements": false, "called": false} {
		fn := pkg.Func(name)
		order := evalorder.New(fn)
		got := false
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if v, ok := instr.(ssa.Value); ok && order.Unevaluated(v) {
					got = true
				}
			}
		}
		if got != want {
			t.Errorf("%s: unevaluated %v, want %v", name, got, want)
		}
	}
}

// TestStoresBack checks which stores to result variables are no writes of the program.
func TestStoresBack(t *testing.T) {
	pkg := build(t, `
var x int

func use(*int)

func same() (n int)        { use(&n); return n }
func both() (a, b int)     { use(&a); use(&b); return a, b }
func swapped() (a, b int)  { use(&a); use(&b); return b, a }
func other() (n int)       { use(&n); return x }
func local() (n int)       { m := 1; use(&m); use(&n); n = m; return n }
func called() (n, m int)   { use(&n); return n, f(&n) }
func f(p *int) int         { *p++; return *p }
`)
	for name, want := range map[string]string{
		"same": "n", "both": "a b", "swapped": "", "other": "", "local": "n", "called": "n",
	} {
		fn := pkg.Func(name)
		order := evalorder.New(fn)
		var got []string
		for _, b := range fn.Blocks {
			instrs := order.Instrs(b)
			for i, instr := range instrs {
				if evalorder.StoresBack(instrs, i) {
					got = append(got, instr.(*ssa.Store).Addr.(*ssa.Alloc).Comment)
				}
			}
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: stores %q back, want %q", name, text, want)
		}
	}
}
