package vm

import (
	"context"
	"go/ast"
	"go/types"
	"sync"
	"testing"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/vm/golib"
)

// loadReflecting loads a program that imports reflect.
var loadReflecting = sync.OnceValues(func() (*load.Result, error) {
	return golib.Load(context.Background(), load.Config{Patterns: []string{"testdata/run/reflect_types.go"}})
})

func reflectingProgram(t *testing.T) *load.Result {
	t.Helper()
	r, err := loadReflecting()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// What is written for the types of a program is what the interpreter relies on.
func TestTypeCode(t *testing.T) {
	r := reflectingProgram(t)
	prog := compile.NewProgram(r.Prog, r.Sizes, nil, nil)
	prim := r.Package("reflect").SSA.Func("copierOf")
	callReflect := r.Package("reflect").SSA.Func("callReflect")
	checked := map[string]int{}
	check := func(what string, typ types.Type, write func(*typeCode) *code.Func) {
		checked[what]++
		f := write(newTypeCode(prog, prim, what+"["+code.TypeString(typ)+"]"))
		if err := code.Sanity(f); err != nil {
			t.Error(err)
		}
	}
	big := types.NewArray(types.Typ[types.Int], 3*maxRun)
	all := []types.Type{big, types.NewStruct([]*types.Var{types.NewField(0, nil, "A", big, false)}, nil), types.Typ[types.Int8],
		types.NewMap(big, types.NewArray(types.Typ[types.Uint8], 5)), types.NewChan(types.SendRecv, big), types.NewChan(types.SendRecv, types.NewStruct(nil, nil))}
	for _, inst := range r.Packages[0].Info.Instances { // of TypeFor, for the most part
		for typ := range inst.TypeArgs.Types() {
			all = append(all, typ)
		}
	}
	for _, typ := range all {
		if _, ok := typ.(*types.TypeParam); ok {
			continue
		}
		ct := prog.Type(typ)
		op := func(what string, write func(*typeCode, *code.Type) *code.Func) {
			check(what, typ, func(c *typeCode) *code.Func { return write(c, ct) })
		}
		op("copier", (*typeCode).copier)
		op("clearer", (*typeCode).clearer)
		switch u := typ.Underlying().(type) {
		case *types.Interface:
			continue
		case *types.Slice:
			op("sliceMaker", (*typeCode).sliceMaker)
			op("appender", (*typeCode).appender)
			op("sliceCopier", (*typeCode).sliceCopier)
			op("sliceClearer", (*typeCode).sliceClearer)
		case *types.Map:
			op("mapMaker", (*typeCode).mapMaker)
			op("mapGetter", (*typeCode).mapGetter)
			op("mapSetter", (*typeCode).mapSetter)
			op("mapDeleter", (*typeCode).mapDeleter)
			op("mapRanger", (*typeCode).mapRanger)
			op("mapNexter", (*typeCode).mapNexter)
		case *types.Chan:
			op("chanMaker", (*typeCode).chanMaker)
			op("sender", (*typeCode).sender)
			op("receiver", (*typeCode).receiver)
			for _, block := range []bool{false, true} {
				check("selector", typ, func(c *typeCode) *code.Func {
					return c.selector([]bool{true, false, false}, []*code.Type{ct, ct, ct}, block)
				})
			}
		case *types.Signature:
			check("caller", typ, func(c *typeCode) *code.Func { return c.caller(u) })
			check("made", typ, func(c *typeCode) *code.Func { return c.made(frameType(prog, u), callReflect, u) })
		}
		op("packer", (*typeCode).packer)
		for _, m := range prog.Methods(ct) {
			sig := withoutReceiver(m.Sel.Type().(*types.Signature))
			check("methodCaller", typ, func(c *typeCode) *code.Func { return c.methodCaller(ct, prog.MethodFunc(m), sig) })
			check("method", typ, func(c *typeCode) *code.Func { return c.method(ct, prog.MethodFunc(m), sig) })
		}
	}
	for _, what := range []string{"packer", "appender", "mapNexter", "selector", "caller", "made", "method"} {
		if checked[what] == 0 {
			t.Errorf("no %s was written", what)
		}
	}
}

// The models' functions without a body and the primitives are the same.
func TestReflectPrimitives(t *testing.T) {
	r := reflectingProgram(t)
	have := map[string]bool{}
	for _, p := range reflectPrimitives() {
		have[p.name] = true
	}
	for _, path := range []string{"reflect", "internal/reflectlite"} {
		for _, file := range r.Package(path).Files {
			for _, d := range file.Decls {
				f, ok := d.(*ast.FuncDecl)
				if !ok || f.Body != nil {
					continue
				}
				name := path + "." + f.Name.Name
				if !have[name] {
					t.Errorf("%s has no primitive", name)
				}
				delete(have, name)
			}
		}
	}
	for name := range have {
		t.Errorf("primitive %s is of no function", name)
	}
}
