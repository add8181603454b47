package code

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// The expected texts are what the gc compiler's programs print.
func TestTypeString(t *testing.T) {
	const decls = `
import ("io"; "sync"; "unsafe")
type P[K comparable, V any] struct { k K; v V }
type T int
type A = map[string]T
type E struct { x int }
type I interface { M(int) string; m(); A(...int) (int, error) }
`
	tests := []struct{ typ, str, name, pkgPath string }{
		{"struct{}", "struct {}", "", ""},
		{"struct{a int; B string `k:\"v\"`}", `struct { a int; B string "k:\"v\"" }`, "", ""},
		{"struct{sync.Mutex; *T; io.Reader}", "struct { sync.Mutex; *main.T; io.Reader }", "", ""},
		{"interface{}", "interface {}", "", ""},
		{"any", "interface {}", "", ""},
		{"error", "error", "error", ""},
		{"I", "main.I", "I", "main"},
		{"interface{ error; io.Reader }", "interface { Error() string; Read([]uint8) (int, error) }", "", ""},
		{"interface{ m(); M() }", "interface { M(); main.m() }", "", ""},
		{"func()", "func()", "", ""},
		{"func(a int, b ...string) (c int, err error)", "func(int, ...string) (int, error)", "", ""},
		{"func(a int) func(b, c int) error", "func(int) func(int, int) error", "", ""},
		{"chan (<-chan int)", "chan (<-chan int)", "", ""},
		{"chan func() <-chan int", "chan func() <-chan int", "", ""},
		{"<-chan chan<- int", "<-chan chan<- int", "", ""},
		{"chan<- (<-chan int)", "chan<- <-chan int", "", ""},
		{"P[int, string]", "main.P[int,string]", "P[int,string]", "main"},
		{"P[T, io.SectionReader]", "main.P[main.T,io.SectionReader]", "P[main.T,io.SectionReader]", "main"},
		{"P[struct{a int; B T}, func(T) (error, any)]", "main.P[struct { main.a int; B main.T },func(main.T) (error, interface {})]",
			"P[struct { main.a int; B main.T },func(main.T) (error, interface {})]", "main"},
		{"P[[2]T, interface{M(); m()}]", "main.P[[2]main.T,interface { M(); main.m() }]", "P[[2]main.T,interface { M(); main.m() }]", "main"},
		{"A", "map[string]main.T", "", ""},
		{"unsafe.Pointer", "unsafe.Pointer", "Pointer", "unsafe"},
		{"byte", "uint8", "uint8", ""},
		{"rune", "int32", "int32", ""},
		{"[3][]byte", "[3][]uint8", "", ""},
		{"map[T][]*E", "map[main.T][]*main.E", "", ""},
	}
	src := "package main\n" + decls
	for i := range tests {
		src += "var _ = " + "(*(" + tests[i].typ + "))(nil)\n"
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "a.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	if _, err := conf.Check("example.com/a", fset, []*ast.File{file}, &info); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, d := range file.Decls {
		v, ok := d.(*ast.GenDecl)
		if !ok || v.Tok != token.VAR {
			continue
		}
		typ := info.Types[v.Specs[0].(*ast.ValueSpec).Values[0]].Type.(*types.Pointer).Elem()
		want := tests[n]
		n++
		if got := TypeString(typ); got != want.str {
			t.Errorf("TypeString(%s) = %q, want %q", want.typ, got, want.str)
		}
		if got := TypeName(typ); got != want.name {
			t.Errorf("TypeName(%s) = %q, want %q", want.typ, got, want.name)
		}
		if got := TypePkgPath(typ); got != want.pkgPath {
			t.Errorf("TypePkgPath(%s) = %q, want %q", want.typ, got, want.pkgPath)
		}
	}
	if n != len(tests) {
		t.Errorf("%d types were checked, want %d", n, len(tests))
	}
}
