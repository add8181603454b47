package exec

import (
	"cmp"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/variant"
)

// A methodKey is a dynamic type and a method called on it.
type methodKey struct {
	typ       *code.Type
	pkg, name string
}

// Link returns the linked form of fn.
func (m *Interpreter) Link(fn *ssa.Function) *state.Function {
	if f := m.funcOf[fn]; f != nil {
		return f
	}
	c := m.Program.Func(fn)
	if c.Intrinsic {
		if to := m.forwarded(fn, c.Name); to != nil {
			f := m.Link(to)
			m.funcOf[fn] = f
			return f
		}
	}
	f := m.declare(c)
	m.funcOf[fn] = f // before its constants: it may be one of them
	m.linkConsts(f)
	return f
}

// linkThunk returns the function to call for method fn through an interface.
func (m *Interpreter) linkThunk(fn *ssa.Function) *state.Function {
	if f := m.thunkOf[fn]; f != nil {
		return f
	}
	c := m.Program.InterfaceMethod(fn)
	var f *state.Function
	if c == m.Program.Func(fn) {
		f = m.Link(fn)
	} else {
		f = m.LinkCode(c)
	}
	m.thunkOf[fn] = f
	return f
}

// LinkCode gives a compiled function its number and its constants.
func (m *Interpreter) LinkCode(c *code.Func) *state.Function {
	f := m.declare(c)
	m.linkConsts(f)
	return f
}

// linkConsts makes the words of f's constants.
func (m *Interpreter) linkConsts(f *state.Function) {
	for i := range f.Consts {
		f.ConstAt = append(f.ConstAt, int32(len(f.ConstWords)))
		f.ConstWords = m.constWords(f.ConstWords, &f.Consts[i])
	}
}

// declare gives a compiled function its number.
func (m *Interpreter) declare(c *code.Func) *state.Function {
	f := &state.Function{
		ID:             int32(len(m.Funcs)),
		Linked:         make([]*state.Function, len(c.Callees)),
		LinkedBuiltins: make([]*state.Function, len(c.Builtins)),
		Caches:         make([]state.MethodCache, len(c.Methods)),
	}
	if id, ok := m.Reserved[c.Name]; ok && m.Funcs[id] == nil {
		f.ID = id
		m.Funcs[id] = f
	} else {
		m.Funcs = append(m.Funcs, f)
	}
	if p := m.primitives[c.Name]; p != nil {
		f.Prim = p
		if !c.Intrinsic {
			// What has a body natively only: package sym.
			bare := *c
			bare.Intrinsic, bare.Code, bare.Pos = true, nil, nil
			c = &bare
		}
	}
	if c.Intrinsic && len(c.Code) == 0 {
		// What is called without an instruction of its own (started as a goroutine,
		// deferred, called through an interface) runs these: itself, by the Call.
		stub := *c
		stub.Regs = max(c.Regs, c.Params, c.Results)
		stub.Callees = []*ssa.Function{c.SSA}
		stub.Code = []code.Instr{
			{Op: code.Call, C: int32(c.Params), D: int32(c.Results)},
			{Op: code.Return, K: uint16(c.Results)},
		}
		stub.Pos = append(stub.Pos, c.SSA.Pos(), c.SSA.Pos())
		c = &stub
		f.Linked = []*state.Function{f}
	}
	if !c.Intrinsic {
		f.Native = m.nativeOf(c)
	}
	SetCode(f, c)
	return f
}

// SetCode makes c what f runs.
func SetCode(f *state.Function, c *code.Func) {
	f.Func = c
	f.Fused, f.Regs, f.Direct = variant.Fuse(c.Code), c.Regs, c.Intrinsic || f.Native != 0
}

// constWords appends the words of a constant.
func (m *Interpreter) constWords(dst []heap.Word, c *code.ConstValue) []heap.Word {
	switch c.Kind {
	case code.ConstWords:
		for _, b := range c.Bits {
			dst = append(dst, heap.Word{N: b})
		}
	case code.ConstString:
		dst = append(dst, m.ConstString(c.Text), heap.Word{N: uint64(len(c.Text))})
	case code.ConstFunc:
		dst = append(dst, heap.Word{P: m.FuncValue(m.Link(c.Func))})
	case code.ConstGlobal:
		dst = append(dst, heap.Word{P: m.global(c.Global)})
	}
	return dst
}

// newConstant returns an object that is never written.
func (m *Interpreter) newConstant(kind heap.ObjectKind) *heap.Object {
	m.constants++
	return &heap.Object{ID: run.ObjectID{Goroutine: run.ConstantObjects, Count: m.constants}, Kind: kind}
}

// ConstString returns the base of a constant string.
func (m *Interpreter) ConstString(s string) heap.Word {
	if s == "" {
		return heap.Word{}
	}
	w, ok := m.texts[s]
	if !ok {
		o := m.newConstant(heap.Array)
		o.Bytes = []byte(s)
		o.Type = m.byteType()
		w = heap.Word{P: o}
		m.texts[s] = w
	}
	return w
}

// FuncValue returns the func value of f, which has no bindings.
func (m *Interpreter) FuncValue(f *state.Function) *heap.Object {
	if f.Value == nil {
		f.Value = m.newConstant(heap.ClosureObject)
		f.Value.Func = f.ID
	}
	return f.Value
}

// numberGlobals numbers the global variables of the program in an order that
// depends on nothing but the program.
func (m *Interpreter) numberGlobals() {
	pkgs := m.Program.Packages()
	slices.SortFunc(pkgs, func(a, b *ssa.Package) int {
		return cmp.Or(
			cmp.Compare(a.Pkg.Path(), b.Pkg.Path()),
			cmp.Compare(len(a.Members), len(b.Members)))
	})
	m.globalIDs = make(map[*ssa.Global]int32)
	for _, pkg := range pkgs {
		var globals []*ssa.Global
		for _, member := range pkg.Members {
			if g, ok := member.(*ssa.Global); ok {
				globals = append(globals, g)
			}
		}
		slices.SortFunc(globals, func(a, b *ssa.Global) int { return cmp.Compare(a.Name(), b.Name()) })
		for _, g := range globals {
			m.globalIDs[g] = int32(len(m.globalIDs))
		}
	}
}

// global returns the object of a global variable.
func (m *Interpreter) global(v *ssa.Global) *heap.Object {
	if o := m.Globals[v]; o != nil {
		return o
	}
	t := m.Program.Type(v.Type().Underlying().(*types.Pointer).Elem())
	if t.Size == 0 {
		m.Globals[v] = m.ZeroSized
		return m.ZeroSized
	}
	o := heap.ZeroObject(t, t.Words)
	o.ID, o.Type = run.ObjectID{Goroutine: run.GlobalObjects, Count: m.globalIDs[v]}, t
	m.Globals[v] = o
	return o
}

// Callee returns the function that Callees[i] of f is.
func (m *Interpreter) Callee(f *state.Function, i int32) *state.Function {
	if c := f.Linked[i]; c != nil {
		return c
	}
	c := m.Link(f.Callees[i])
	f.Linked[i] = c
	return c
}

// builtin returns the function that Builtins[i] of f is.
func (m *Interpreter) builtin(f *state.Function, i int32) *state.Function {
	if c := f.LinkedBuiltins[i]; c != nil {
		return c
	}
	c := m.LinkCode(f.Builtins[i])
	f.LinkedBuiltins[i] = c
	return c
}

// method returns the function that a call of Methods[i] of f through an
// interface with dynamic type typ runs.
func (m *Interpreter) method(f *state.Function, i int32, typ *heap.Object) *state.Function {
	c := &f.Caches[i]
	if c.Type == typ {
		return c.Func
	}
	want := &f.Methods[i]
	key := methodKey{typ.Desc, want.Pkg, want.Name}
	fn := m.methods[key]
	if fn == nil {
		target := m.Program.Method(typ.Desc, *want)
		if target == nil {
			return nil
		}
		fn = m.linkThunk(target)
		m.methods[key] = fn
	}
	*c = state.MethodCache{Type: typ, Func: fn}
	return fn
}
