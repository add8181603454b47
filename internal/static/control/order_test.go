package control_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/everyway-go/everyway/internal/static/control"
)

// TestMayHaveRun has functions that close a channel, directly or deferred. Where they go on after a
// panic that is recovered, they may have done so.
func TestMayHaveRun(t *testing.T) {
	for _, body := range []string{
		"defer func() { recover() }(); close(c); panic(0)",
		"defer func() { recover() }(); if len(c) > 0 { close(c) }; panic(0)",
		"defer func() { recover() }(); defer close(c); panic(0)",
		"defer func() { recover(); close(c) }(); panic(0)",
	} {
		fn := build(t, "func f(c chan int) (n int) { "+body+" }")
		var by ssa.CallInstruction
		for _, of := range append([]*ssa.Function{fn}, fn.AnonFuncs...) {
			for _, b := range of.Blocks {
				for _, instr := range b.Instrs {
					call, ok := instr.(ssa.CallInstruction)
					if !ok {
						continue
					}
					if fun, ok := call.Common().Value.(*ssa.Builtin); ok && fun.Name() == "close" {
						by = call
					}
				}
			}
		}
		if by.Parent() != fn {
			by = control.DeferOf(by.Parent())
		}
		if control.MayHaveRun(by, fn.Blocks[0].Instrs[0]) {
			t.Errorf("%s: it is taken to be closed at the start", body)
		}
		for _, at := range fn.Recover.Instrs {
			if !control.MayHaveRun(by, at) {
				t.Errorf("%s: it is taken to be open at %s, after the panic", body, at)
			}
		}
	}
}

// TestDeferOf asks whether all that is done with the closure of a function is to defer it.
func TestDeferOf(t *testing.T) {
	for body, want := range map[string]bool{
		"defer func() { close(c) }()":                        true,
		"defer func() { println() }()":                       true,
		"func() { close(c) }()":                              false,
		"go func() { close(c) }()":                           false,
		"g := func() { close(c) }; defer g(); g()":           false,
		"g := func() { close(c) }; defer g(); defer g()":     false,
		"defer func(g func()) { g() }(func() { println() })": true, // the first one is, and what it is given is not
		"defer call(func() { close(c) })":                    false,
		"defer call(func() { println() })":                   false,
	} {
		fn := build(t, "func f(c chan int) { "+body+" }\n\nfunc call(g func()) { g() }")
		for i, of := range fn.AnonFuncs {
			if got := control.DeferOf(of) != nil; got != (want && i == 0) {
				t.Errorf("%s: closure %d: deferred: %v", body, i, got)
			}
		}
	}
}

// build returns function f of a package with some declarations.
func build(t *testing.T, decls string) *ssa.Function {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", "package p\n\n"+decls+"\n", 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{Importer: importer.Default()}, fset, types.NewPackage("p", "p"), []*ast.File{f}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return pkg.Func("f")
}
