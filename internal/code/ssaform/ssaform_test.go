package ssaform_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/everyway-go/everyway/internal/code/ssaform"
)

const source = `
package p

func call(any) {}

func constants() {
	call([]int(nil))
	call([0]int{})
	call(-7)
	call(uint64(1<<63))
	call(1.5)
	call("7")
}

func order(a bool, c chan int) {
	close(c)
	if a {
		call(len("x"))
	}
	recover()
}

func outer() {
	func() {
		func() {
			recover()
		}()
	}()
}
`

func build(t *testing.T) *ssa.Package {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{}, fset, types.NewPackage("p", ""), []*ast.File{file}, ssa.SanityCheckFunctions)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// TestConstants looks at what is given to the calls of function constants, in order.
func TestConstants(t *testing.T) {
	type constant struct {
		isNil, isInt bool
		n            int64
	}
	want := []constant{
		{isNil: true},
		{},
		{isInt: true, n: -7},
		{}, // too large for an int64
		{},
		{},
	}
	var got []constant
	for instr := range ssaform.Instructions(build(t).Func("constants")) {
		call, ok := instr.(*ssa.Call)
		if !ok {
			continue
		}
		var k constant
		x := call.Call.Args[0].(*ssa.MakeInterface).X
		k.isNil = ssaform.IsNil(x)
		if n, ok := ssaform.Int(x); ok {
			k.isInt, k.n = true, n
		}
		if k.isInt && !ssaform.IsInteger(x.Type()) {
			t.Errorf("%v is an integer, and its type is none", x)
		}
		got = append(got, k)
	}
	if len(got) != len(want) {
		t.Fatalf("%d calls, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("argument %d: %+v, want %+v", i, got[i], want[i])
		}
	}
}

func TestDominates(t *testing.T) {
	calls := make(map[string]ssa.Instruction)
	for instr := range ssaform.Instructions(build(t).Func("order")) {
		call, ok := instr.(*ssa.Call)
		if !ok {
			continue
		}
		for _, name := range []string{"close", "recover"} {
			if ssaform.IsBuiltin(&call.Call, "print", name) {
				calls[name] = call
			}
		}
		if call.Call.StaticCallee() != nil {
			calls["call"] = call
		}
	}
	for _, test := range []struct {
		first, then string
		want        bool
	}{
		{"close", "close", false},
		{"close", "call", true},
		{"close", "recover", true},
		{"call", "recover", false}, // only if a
		{"recover", "call", false},
		{"recover", "close", false},
	} {
		first, then := calls[test.first], calls[test.then]
		if first == nil || then == nil {
			t.Fatalf("no call of %s, or of %s", test.first, test.then)
		}
		if got := ssaform.Dominates(first, then); got != test.want {
			t.Errorf("Dominates(%s, %s) = %t, want %t", test.first, test.then, got, test.want)
		}
	}
}

func TestOutermost(t *testing.T) {
	outer := build(t).Func("outer")
	if inner := outer.AnonFuncs[0].AnonFuncs[0]; ssaform.Outermost(inner) != outer || ssaform.Outermost(outer) != outer {
		t.Errorf("Outermost(%v) = %v, want %v", inner, ssaform.Outermost(inner), outer)
	}
}
