package code_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/codetest"
)

func TestLayout(t *testing.T) {
	p, pkg := codetest.Compile(t, `package p

type node struct {
	next *node
	keys [2]int32
	name string
	any  any
	_    struct{}
	sub  map[string]node
}

type big struct {
	head uint8
	tail [20]struct{ a, b uint8 }
	last string
}

type bytes struct {
	a [4]byte
	b uint8
	c struct{}
}

var (
	V1 node
	V2 big
	V3 bytes
	V4 []node
	V5 complex64
	V6 func()
	V7 [0]string
	V8 outer
	V9 inner
)

// outer refers to a type of which it is a part, before it is complete.
type outer struct {
	back *inner
	last [2]int
}

type inner struct {
	first outer
	next  *outer
}
`)
	tests := []struct {
		name  string
		words int
		kinds string
		bytes bool
		size  int64
	}{
		{"V1", 8, "pointer int32 int32 pointer int64 type data pointer", false, 56},
		{"V2", 43, "uint8 uint8 uint8", false, 64},
		{"V3", 5, "uint8 uint8 uint8 uint8 uint8", true, 6},
		{"V4", 3, "pointer int64 int64", false, 24},
		{"V8", 3, "pointer int64 int64", false, 24},
		{"V9", 4, "pointer int64 int64 pointer", false, 32},
		{"V5", 2, "float32 float32", false, 8},
		{"V6", 1, "pointer", false, 8},
		{"V7", 0, "", false, 0},
	}
	for _, test := range tests {
		lay := p.Type(pkg.Types.Scope().Lookup(test.name).Type())
		var kinds []string
		for i := range min(lay.Words, len(strings.Fields(test.kinds))) {
			kinds = append(kinds, lay.Kind(i).String())
		}
		if lay.Words != test.words || strings.Join(kinds, " ") != test.kinds || lay.Bytes != test.bytes || lay.Size != test.size {
			t.Errorf("%s: %d words (%s), bytes %v, size %d; want %d (%s), %v, %d",
				test.name, lay.Words, strings.Join(kinds, " "), lay.Bytes, lay.Size, test.words, test.kinds, test.bytes, test.size)
		}
	}
	big := p.Type(pkg.Types.Scope().Lookup("V2").Type())
	if got := []code.Kind{big.Kind(40), big.Kind(41), big.Kind(42)}; fmt.Sprint(got) != "[uint8 pointer int64]" {
		t.Errorf("the last kinds of V2 are %v", got)
	}
	node := p.Type(pkg.Types.Scope().Lookup("node").Type())
	if node.Fields[0].Type.Elem != node || node != p.Type(pkg.Types.Scope().Lookup("V1").Type()) {
		t.Error("types are not interned")
	}
}

func TestFuncNames(t *testing.T) {
	p, pkg := codetest.Compile(t, `package p

type T struct{ E }
type E struct{ n int }
type G[X any] struct{ x X }

func (T) Value()     {}
func (*T) Pointer()  {}
func (e *E) Promoted() {}
func (g *G[X]) Get() X { return g.x }

func Generic[X any](x X) {}

var global = func() {}

func init() { global() }

func F(seq func(func(int) bool)) {
	func() {
		func() {}()
	}()
	for range seq {
		_ = func() {}
	}
	var t T
	global = t.Value
	Generic(1)
	(&G[int]{}).Get()
	var i interface{ Promoted() } = &t
	i.Promoted()
}
`)
	pkg.SSA.Build()
	f := pkg.SSA.Func("F")
	var got []string
	add := func(fn *ssa.Function) { got = append(got, code.FuncName(fn)) }
	add(f)
	add(f.AnonFuncs[0])
	add(f.AnonFuncs[0].AnonFuncs[0])
	add(f.AnonFuncs[1])
	add(f.AnonFuncs[1].AnonFuncs[0])
	for _, callee := range p.Func(f).Callees {
		add(callee)
	}
	add(pkg.SSA.Func("init"))
	add(pkg.SSA.Func("init#1"))
	add(pkg.SSA.Func("init").AnonFuncs[0])
	ptr := p.Type(types.NewPointer(pkg.Types.Scope().Lookup("T").Type()))
	for _, m := range p.Methods(ptr) {
		add(p.MethodFunc(m))
	}
	want := []string{
		"example.com/p.F",
		"example.com/p.F.func1",
		"example.com/p.F.func1.1",
		"example.com/p.F-range1",
		"example.com/p.F-range1.1",
		"example.com/p.F.func1",
		"example.com/p.F-range1",
		"example.com/p.T.Value-fm",
		"example.com/p.Generic[...]",
		"example.com/p.(*G[...]).Get",
		"example.com/p.init",
		"example.com/p.init.0",
		"example.com/p.init.func1",
		"example.com/p.(*T).Pointer",
		"example.com/p.(*T).Promoted",
		"example.com/p.(*T).Value",
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("names:\n%s\nwant:\n%s", g, w)
	}
}

func TestMethods(t *testing.T) {
	p, pkg := codetest.Compile(t, `package p

type I interface {
	B(int) string
	A()
	c()
}

type T struct{ x, y int }

func (T) A()                 {}
func (t T) B(n int) string   { return "" }
func (*T) c()                {}

type W uint8

func (W) A() {}
func (W) B() {}

func call(i I) string { return i.B(1) }
`)
	scope := pkg.Types.Scope()
	value := p.Type(scope.Lookup("T").Type())
	ptr := p.Type(types.NewPointer(scope.Lookup("T").Type()))
	word := p.Type(scope.Lookup("W").Type())
	iface := p.Type(scope.Lookup("I").Type())
	for _, test := range []struct {
		t       *code.Type
		missing string
	}{{value, "c"}, {ptr, ""}, {word, "B"}, {iface, ""}} {
		for range 2 { // the second answer is remembered
			ok, missing := p.Implements(test.t, iface)
			if ok != (test.missing == "") || missing != test.missing {
				t.Errorf("Implements(%v) = %v, %q, want %q", test.t, ok, missing, test.missing)
			}
		}
	}
	m := p.Func(pkg.SSA.Func("call")).Methods[0]
	if m.Name != "B" || m.Index != 1 || m.Iface != iface || m.Results != 2 {
		t.Errorf("method called: %+v", m)
	}
	if fn := p.Method(word, code.Method{Name: "missing", Func: m.Func}); fn != nil {
		t.Errorf("Method(missing) = %v", fn)
	}

	// A receiver of one word is in the interface's data word, others behind it.
	if fn := p.Method(ptr, m); p.InterfaceMethod(fn) != p.Func(fn) {
		t.Errorf("%v is wrapped", fn)
	}
	fn := p.Method(value, m)
	f := p.InterfaceMethod(fn)
	if err := code.Sanity(f); err != nil {
		t.Error(err)
	}
	want := `func example.com/p.T.B: 2 params, 2 results, 5 registers, wrapper
   0  LoadN r2..3 = r0, +0	; p.go:12
   1  Mov r4 = r1
   2  Call r2..3 = r2..4, example.com/p.T.B
   3  Return r2..3
`
	if f.String() != want {
		t.Errorf("wrapper:\n%swant:\n%s", f, want)
	}
}

// TestOpNames compares the names of opcodes with their declaration.
func TestOpNames(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "op.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	op := code.Op(0)
	for _, d := range file.Decls {
		gd, ok := d.(*ast.GenDecl)
		if !ok || gd.Tok != token.CONST || gd.Specs[0].(*ast.ValueSpec).Names[0].Name != "Invalid" {
			continue
		}
		for _, spec := range gd.Specs {
			name := spec.(*ast.ValueSpec).Names[0].Name
			if name != "NumOps" && op.String() != name {
				t.Errorf("%s prints as %s", name, op)
			}
			op++
		}
	}
	if op == 0 {
		t.Error("no opcodes found")
	}
}
