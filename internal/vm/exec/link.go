package exec

import (
	"math"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/links"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/variant"
)

// Link returns the linked form of fn.
func (m *Interpreter) Link(fn *ssa.Function) *state.Function {
	if f := m.FuncOf[fn]; f != nil {
		return f
	}
	if same := m.Program.Same(fn); same != fn {
		f := m.Link(same)
		m.FuncOf[fn] = f
		return f
	}
	c := m.Program.Func(fn)
	if c.Intrinsic {
		if to := m.forwarded(fn, c.Name); to != nil {
			f := m.Link(to)
			m.FuncOf[fn] = f
			return f
		}
	}
	f := m.declare(c)
	m.FuncOf[fn] = f // before linking the constants, since fn may be one of them
	m.linkConsts(f)
	return f
}

// CodeOf returns the code of f.Callees[i], which need not be linked, nil if calls of it may need more than that.
func (m *Interpreter) CodeOf(f *code.Func, i int32) *code.Func {
	c := m.Program.Func(m.Program.Same(f.Callees[i]))
	if c.Intrinsic || m.primitives[c.Name] != nil || m.nativeOf(c) != 0 {
		return nil
	}
	return c
}

// linkThunk returns the function to run for a call of method fn through an interface.
func (m *Interpreter) linkThunk(fn *ssa.Function) *state.Function {
	if f := m.ThunkOf[fn]; f != nil {
		return f
	}
	c := m.Program.InterfaceMethod(fn)
	var f *state.Function
	if c == m.Program.Func(fn) {
		f = m.Link(fn)
	} else {
		f = m.LinkCode(c)
	}
	m.ThunkOf[fn] = f
	return f
}

// LinkCode links a compiled function.
func (m *Interpreter) LinkCode(c *code.Func) *state.Function {
	f := m.declare(c)
	m.linkConsts(f)
	return f
}

// LinkWritten returns the function with a key. If there is none yet, write writes it.
func (m *Interpreter) LinkWritten(key any, write func() *code.Func) *state.Function {
	f := m.Written[key]
	if f == nil {
		f = m.LinkCode(write())
		m.Written[key] = f
	}
	return f
}

// linkConsts converts the constants of f to words.
func (m *Interpreter) linkConsts(f *state.Function) {
	for i := range f.Consts {
		if v := f.Consts[i].Global; v != nil && m.ExceedsMemory(links.TypeOf(m.Program, v)) {
			f.Excess, f.Regs = v.String(), math.MaxInt32
			return
		}
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
	// What calls a method with its receiver out of an interface has the name of the method, and no
	// sites that anybody names.
	if id, ok := m.Reserved[c.Name]; ok && m.Funcs[id] == nil && !c.Unboxes {
		f.ID = id
		m.Funcs[id] = f
	} else {
		m.Funcs = append(m.Funcs, f)
	}
	if p := m.primitives[c.Name]; p != nil {
		f.Prim = p
		if !c.Intrinsic {
			// The body is for native runs only, in package sym.
			bare := *c
			bare.Intrinsic, bare.Code, bare.Pos = true, nil, nil
			c = &bare
		}
	}
	if c.Intrinsic && len(c.Code) == 0 {
		// Calls without a call instruction (by a go or defer statement, or through an
		// interface) run this code, whose Call instruction calls the function itself.
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
	} else if !c.Intrinsic {
		f.Native = m.nativeOf(c)
	}
	SetCode(f, c)
	m.SetTraps(f)
	f.Summarised = m.Summaries != nil && !f.Direct && !f.Standard
	return f
}

// SetCode makes c the code of f.
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

// ConstString returns the base of a string that belongs to the program.
func (m *Interpreter) ConstString(s string) heap.Word {
	if s == "" {
		return heap.Word{}
	}
	w, ok := m.Texts[s]
	if !ok {
		o := m.NewConstant(heap.Array)
		o.Bytes = []byte(s)
		o.Type = m.ByteType()
		w = heap.Word{P: o}
		m.Texts[s] = w
	}
	return w
}

// ConstArray returns a pointer to an array of elements of type elem, of one word each, that
// is never written.
func (m *Interpreter) ConstArray(elem *code.Type, words []heap.Word) heap.Word {
	o := m.NewConstant(heap.Array)
	o.Cells, o.Type = words, elem
	return heap.Word{P: o}
}

// FuncValue returns f as a function value without bindings.
func (m *Interpreter) FuncValue(f *state.Function) *heap.Object {
	if f.Value == nil {
		f.Value = m.NewConstant(heap.ClosureObject)
		f.Value.Func = f.ID
	}
	return f.Value
}

// BodyOf returns the function that has the code which calls of fn run. It is nil if a primitive
// runs, or if the code cannot be built.
func (m *Interpreter) BodyOf(fn *ssa.Function) *ssa.Function {
	name := code.FuncName(fn)
	body, err := m.Program.Body(fn)
	if err != nil {
		return nil
	}
	if body.Blocks == nil {
		if to := m.forwarded(fn, name); to != nil {
			return m.BodyOf(to)
		}
	}
	if m.primitives[name] != nil {
		return nil
	}
	return body
}

// VariableOf returns the object of a package variable, nil if no code that has been linked
// refers to it.
func (m *Interpreter) VariableOf(v *ssa.Global) *heap.Object { return m.Globals[v] }

// Variable returns the object of a package variable.
func (m *Interpreter) Variable(v *ssa.Global) *heap.Object { return m.global(v) }

// global returns the object of a global variable.
func (m *Interpreter) global(v *ssa.Global) *heap.Object {
	if o := m.Globals[v]; o != nil {
		return o
	}
	t := links.TypeOf(m.Program, v)
	if t.Size == 0 {
		m.Globals[v] = m.ZeroSized
		return m.ZeroSized
	}
	o := heap.ZeroObject(t, t.Words)
	o.ID, o.Type = run.ObjectID{Goroutine: run.GlobalObjects, Count: m.GlobalIDs[v]}, t
	m.AddVariable(&m.State, v, o)
	return o
}

// Callee returns the linked form of f.Callees[i].
func (m *Interpreter) Callee(f *state.Function, i int32) *state.Function {
	if c := f.Linked[i]; c != nil {
		return c
	}
	c := m.Link(f.Callees[i])
	f.Linked[i] = c
	return c
}

// builtin returns the linked form of f.Builtins[i].
func (m *Interpreter) builtin(f *state.Function, i int32) *state.Function {
	if c := f.LinkedBuiltins[i]; c != nil {
		return c
	}
	c := m.LinkCode(f.Builtins[i])
	f.LinkedBuiltins[i] = c
	return c
}

// method returns the function that runs when f.Methods[i] is called on an interface with
// dynamic type typ.
func (m *Interpreter) method(f *state.Function, i int32, typ *heap.Object) *state.Function {
	c := &f.Caches[i]
	if c.Type == typ {
		return c.Func
	}
	want := &f.Methods[i]
	key := links.MethodKey{Type: typ.Desc, Pkg: want.Pkg, Name: want.Name}
	fn := m.Methods[key]
	if fn == nil {
		target := m.Program.Method(typ.Desc, *want)
		if target == nil {
			return nil
		}
		fn = m.linkThunk(target)
		m.Methods[key] = fn
	}
	*c = state.MethodCache{Type: typ, Func: fn}
	return fn
}
