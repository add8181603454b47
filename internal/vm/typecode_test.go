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
	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/golib"
	"github.com/everyway-go/everyway/internal/vm/prim/reflection"
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
	check := func(what string, typ types.Type, write func(*exec.TypeCode) *code.Func) {
		checked[what]++
		f := write(exec.NewTypeCode(prog, prim, what+"["+code.TypeString(typ)+"]"))
		if err := code.Sanity(f); err != nil {
			t.Error(err)
		}
	}
	big := types.NewArray(types.Typ[types.Int], 3*exec.MaxRun)
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
		op := func(what string, write func(*exec.TypeCode, *code.Type) *code.Func) {
			check(what, typ, func(c *exec.TypeCode) *code.Func { return write(c, ct) })
		}
		op("copier", (*exec.TypeCode).Copier)
		op("clearer", (*exec.TypeCode).Clearer)
		switch u := typ.Underlying().(type) {
		case *types.Interface:
			continue
		case *types.Slice:
			op("sliceMaker", (*exec.TypeCode).SliceMaker)
			op("appender", (*exec.TypeCode).Appender)
			op("sliceCopier", (*exec.TypeCode).SliceCopier)
			op("sliceClearer", (*exec.TypeCode).SliceClearer)
		case *types.Map:
			op("mapMaker", (*exec.TypeCode).MapMaker)
			op("mapGetter", (*exec.TypeCode).MapGetter)
			op("mapSetter", (*exec.TypeCode).MapSetter)
			op("mapDeleter", (*exec.TypeCode).MapDeleter)
			op("mapRanger", (*exec.TypeCode).MapRanger)
			op("mapNexter", (*exec.TypeCode).MapNexter)
		case *types.Chan:
			op("chanMaker", (*exec.TypeCode).ChanMaker)
			op("sender", (*exec.TypeCode).Sender)
			op("receiver", (*exec.TypeCode).Receiver)
			for _, block := range []bool{false, true} {
				check("selector", typ, func(c *exec.TypeCode) *code.Func {
					return c.Selector([]bool{true, false, false}, []*code.Type{ct, ct, ct}, block)
				})
			}
		case *types.Signature:
			check("caller", typ, func(c *exec.TypeCode) *code.Func { return c.Caller(u) })
			check("made", typ, func(c *exec.TypeCode) *code.Func { return c.Made(reflection.FrameType(prog, u), callReflect, u) })
		}
		op("packer", (*exec.TypeCode).Packer)
		for _, m := range prog.Methods(ct) {
			sig := reflection.WithoutReceiver(m.Sel.Type().(*types.Signature))
			check("methodCaller", typ, func(c *exec.TypeCode) *code.Func { return c.MethodCaller(ct, prog.MethodFunc(m), sig) })
			check("method", typ, func(c *exec.TypeCode) *code.Func { return c.Method(ct, prog.MethodFunc(m), sig) })
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
	for _, p := range reflection.ReflectPrimitives() {
		have[p.Name] = true
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
