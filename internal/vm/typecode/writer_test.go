package typecode

import (
	"go/types"
	"testing"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/vm/golib"
)

// What is written for the types of a program is what the interpreter relies on.
func TestTypeCode(t *testing.T) {
	r, err := golib.Load(t.Context(), load.Config{Patterns: []string{"../testdata/run/reflect_types.go"}})
	if err != nil {
		t.Fatal(err)
	}
	prog := compile.NewProgram(r.Prog, r.Sizes, nil, nil)
	prim := r.Package("reflect").SSA.Func("copierOf")
	callReflect := r.Package("reflect").SSA.Func("callReflect")
	checked := map[string]int{}
	check := func(what string, typ types.Type, write func(*Writer) *code.Func) {
		checked[what]++
		f := write(New(prog, prim, what+"["+code.TypeString(typ)+"]"))
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
		op := func(what string, write func(*Writer, *code.Type) *code.Func) {
			check(what, typ, func(c *Writer) *code.Func { return write(c, ct) })
		}
		op("copier", (*Writer).Copier)
		op("clearer", (*Writer).Clearer)
		switch u := typ.Underlying().(type) {
		case *types.Interface:
			continue
		case *types.Slice:
			op("sliceMaker", (*Writer).SliceMaker)
			op("appender", (*Writer).Appender)
			op("sliceCopier", (*Writer).SliceCopier)
			op("sliceClearer", (*Writer).SliceClearer)
		case *types.Map:
			op("mapMaker", (*Writer).MapMaker)
			op("mapGetter", (*Writer).MapGetter)
			op("mapSetter", (*Writer).MapSetter)
			op("mapDeleter", (*Writer).MapDeleter)
			op("mapRanger", (*Writer).MapRanger)
			op("mapNexter", (*Writer).MapNexter)
		case *types.Chan:
			op("chanMaker", (*Writer).ChanMaker)
			op("sender", (*Writer).Sender)
			op("receiver", (*Writer).Receiver)
			for _, block := range []bool{false, true} {
				check("selector", typ, func(c *Writer) *code.Func {
					return c.Selector([]bool{true, false, false}, []*code.Type{ct, ct, ct}, block)
				})
			}
		case *types.Signature:
			check("caller", typ, func(c *Writer) *code.Func { return c.Caller(u) })
			check("made", typ, func(c *Writer) *code.Func { return c.Made(FrameType(prog, u), callReflect, u) })
		}
		op("packer", (*Writer).Packer)
		for _, m := range prog.Methods(ct) {
			sig := WithoutReceiver(m.Sel.Type().(*types.Signature))
			check("methodCaller", typ, func(c *Writer) *code.Func { return c.MethodCaller(ct, prog.MethodFunc(m), sig) })
			check("method", typ, func(c *Writer) *code.Func { return c.Method(ct, prog.MethodFunc(m), sig) })
		}
	}
	for _, what := range []string{"packer", "appender", "mapNexter", "selector", "caller", "made", "method"} {
		if checked[what] == 0 {
			t.Errorf("no %s was written", what)
		}
	}
}
