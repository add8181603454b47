package code

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/expr"
)

// call compiles a call whose result is wanted now.
func (c *compiler) call(v *ssa.Call) {
	if builtin, ok := v.Call.Value.(*ssa.Builtin); ok {
		c.builtin(v, builtin, v.Call.Args)
		return
	}
	if in, ok := inline(v.Call.StaticCallee()); ok {
		in.A, in.B = c.result(v), c.reg(v.Call.Args[0])
		if len(v.Call.Args) == 2 {
			in.C = c.reg(v.Call.Args[1])
		}
		c.emitOp(in)
		return
	}
	c.invoke(&v.Call, ModeCall, v, nil)
}

// inlined are functions of the standard library that are an instruction each, on
// their arguments in B and C.
var inlined = map[string]Instr{
	"math.Sqrt":              {Op: SqrtF, K: uint16(Float64)},
	"math.Floor":             {Op: RoundF, K: uint16(Float64), C: int32(expr.ToNegative)},
	"math.Ceil":              {Op: RoundF, K: uint16(Float64), C: int32(expr.ToPositive)},
	"math.Trunc":             {Op: RoundF, K: uint16(Float64), C: int32(expr.ToZero)},
	"math.Round":             {Op: RoundF, K: uint16(Float64), C: int32(expr.ToAway)},
	"math.RoundToEven":       {Op: RoundF, K: uint16(Float64), C: int32(expr.ToEven)},
	"math.Float64bits":       {Op: Mov},
	"math.Float64frombits":   {Op: Mov},
	"math.Float32bits":       {Op: Mov},
	"math.Float32frombits":   {Op: Mov},
	"math/bits.RotateLeft8":  {Op: Rot, K: uint16(Uint8)},
	"math/bits.RotateLeft16": {Op: Rot, K: uint16(Uint16)},
	"math/bits.RotateLeft32": {Op: Rot, K: uint16(Uint32)},
	"math/bits.RotateLeft64": {Op: Rot, K: uint16(Uint64)},
	"math/bits.RotateLeft":   {Op: Rot, K: uint16(Uint64)},
	"math/bits.mulHigh":      {Op: MulHi, K: uint16(Uint64)},
}

// inline returns the instruction that a call of fn is; ok is false when there is none.
func inline(fn *ssa.Function) (in Instr, ok bool) {
	if fn == nil || fn.Pkg == nil || fn.Parent() != nil || fn.Signature.Recv() != nil {
		return Instr{}, false
	}
	if path := fn.Pkg.Pkg.Path(); path == "math" || path == "math/bits" {
		in, ok = inlined[path+"."+fn.Name()]
	}
	return in, ok
}

// invoke compiles a call in one of the modes. The result goes to v, when there
// is one; stack is the list of deferred calls of ModeDeferTo.
func (c *compiler) invoke(call *ssa.CallCommon, mode uint16, v *ssa.Call, stack ssa.Value) {
	in := Instr{K: mode, D: int32(c.words(call.Signature().Results()))}
	args := call.Args
	skip := int32(0) // words of the window before the arguments

	// What is called comes below the window, with the values that live on.
	var result *web
	if v != nil && c.values[v].node != nil {
		result = c.values[v].node.web
	}
	base := c.windowBase(c.active, &callSite{c.at, call}, result)
	below := func(x ssa.Value) int32 {
		r, ok := c.location(x)
		if !ok {
			r = c.reg(x) // in scratch registers, above all arguments
			base = max(base, c.free)
		}
		return r
	}
	switch fn := call.Value.(type) {
	case *ssa.Function:
		in.Op, in.B = Call, c.callee(fn)
	case *ssa.Builtin:
		in.Op, in.B = CallOwn, int32(len(c.f.Builtins))
		in.D = 0
		c.f.Builtins = append(c.f.Builtins, c.p.builtinFunc(c.f, fn, args, c.pos))
	default:
		in.Op, in.B = CallFn, below(fn)
		if call.IsInvoke() {
			in.Op = CallIface
			in.D = int32(len(c.f.Methods))
			c.f.Methods = append(c.f.Methods, c.p.method(fn.Type(), call.Method))
			skip = 1
		}
	}
	if stack != nil {
		// The list goes into the register before the window.
		base++
	}
	in.A = base
	in.C = skip
	for _, arg := range args {
		in.C += int32(c.words(arg.Type()))
	}
	results := int32(c.words(call.Signature().Results()))
	c.free = max(c.free, base+max(in.C, results))
	c.f.Regs = max(c.f.Regs, int(c.free))

	var moves []transfer
	var consts []transfer // src is the index in args
	at := base + skip
	for i, arg := range args {
		words := c.words(arg.Type())
		if r, ok := c.location(arg); ok {
			moves = append(moves, transfer{at, r, words})
		} else {
			consts = append(consts, transfer{at, int32(i), words})
		}
		at += int32(words)
	}
	if stack != nil {
		moves = append(moves, transfer{base - 1, c.reg(stack), 1})
	}
	c.moveAll(moves)
	for _, k := range consts {
		c.put(args[k.src], k.dst)
	}
	c.emitOp(in)
	if v != nil && c.values[v].node != nil {
		c.move(c.values[v].node.reg, base, int(results))
	}
}

// builtin compiles the call of a builtin function.
func (c *compiler) builtin(v *ssa.Call, builtin *ssa.Builtin, args []ssa.Value) {
	t := func(i int) *Type { return c.p.Type(args[i].Type()) }
	switch builtin.Name() {
	case "append":
		c.appendTo(v, args)
	case "copy":
		in := Instr{Op: CopyS, B: c.reg(args[0]), C: c.reg(args[1]), D: c.typeIndex(args[0].Type())}
		if t(1).Shape == ShapeString {
			in.Op = CopyStr
		}
		in.A = c.result(v)
		c.emitOp(in)
	case "len":
		switch t(0).Shape {
		case ShapeMap:
			c.emitOp(Instr{Op: MapLen, A: c.result(v), B: c.reg(args[0])})
		case ShapeChan:
			c.emitOp(Instr{Op: LenCh, A: c.result(v), B: c.reg(args[0])})
		case ShapeArray:
			c.emitOp(Instr{Op: Imm, A: c.result(v), C: c.number(t(0).Len)})
		case ShapePointer:
			c.emitOp(Instr{Op: Imm, A: c.result(v), C: c.number(t(0).Elem.Len)})
		}
	case "cap":
		switch t(0).Shape {
		case ShapeChan:
			c.emitOp(Instr{Op: CapCh, A: c.result(v), B: c.reg(args[0])})
		case ShapeArray:
			c.emitOp(Instr{Op: Imm, A: c.result(v), C: c.number(t(0).Len)})
		case ShapePointer:
			c.emitOp(Instr{Op: Imm, A: c.result(v), C: c.number(t(0).Elem.Len)})
		}
	case "clear":
		if t(0).Shape == ShapeMap {
			c.emitOp(Instr{Op: MapClear, A: c.reg(args[0])})
		} else {
			c.emitOp(Instr{Op: ClearS, A: c.reg(args[0]), D: c.typeIndex(args[0].Type())})
		}
	case "close":
		c.emitOp(Instr{Op: CloseCh, A: c.reg(args[0])})
	case "delete":
		c.emitOp(Instr{Op: MapDel, A: c.reg(args[0]), B: c.reg(args[1]), D: c.typeIndex(args[0].Type())})
	case "complex":
		c.emitOp(Instr{Op: MkComplex, K: uint16(kindOf(v.Type())), A: c.result(v), B: c.reg(args[0]), C: c.reg(args[1])})
	case "min", "max":
		c.minMax(v, args, builtin.Name() == "max")
	case "panic":
		c.emitOp(Instr{Op: Panic, A: c.reg(args[0])})
	case "recover":
		c.emitOp(Instr{Op: Recover, A: c.result(v)})
	case "print", "println":
		c.print(args, builtin.Name() == "println")
	case "ssa:wrapnilchk":
		text := fmt.Sprintf("value method %s.%s called using nil *%s pointer", t(0).Elem, keyOf(args[2]).text, TypeName(t(0).Elem.Go))
		c.emitOp(Instr{Op: NilCheck, B: c.reg(args[0]), C: 1 + c.message(text)})
		c.move(c.result(v), c.reg(args[0]), 1)
	case "ssa:deferstack":
		c.emitOp(Instr{Op: DeferStack, A: c.result(v)})
	case "Add":
		c.emitOp(Instr{Op: PtrAdd, A: c.result(v), B: c.reg(args[0]), C: c.indexReg(args[1])})
	case "Slice":
		c.emitOp(Instr{Op: MkSlice, K: c.count(t(0).Elem.Words), A: c.result(v), B: c.reg(args[0]), C: c.indexReg(args[1]), D: c.typeIndex(v.Type())})
	case "Sizeof": // of types that depend on type parameters; others are constants
		c.loadConst(constKey{kind: ConstWords, n: 1, bits: [2]uint64{uint64(t(0).Size)}}, c.result(v))
	case "Alignof":
		c.loadConst(constKey{kind: ConstWords, n: 1, bits: [2]uint64{uint64(c.p.sizes.Alignof(t(0).Go))}}, c.result(v))
	case "Offsetof":
		c.offsetof(v, args[0])
	case "String":
		c.emitOp(Instr{Op: MkString, A: c.result(v), B: c.reg(args[0]), C: c.indexReg(args[1])})
	case "SliceData", "StringData":
		c.emitOp(Instr{Op: SliceData, A: c.result(v), B: c.reg(args[0])})
	default:
		c.unsupported("builtin function %s", builtin.Name())
	}
}

// offsetof compiles unsafe.Offsetof of a field of a type that depends on type
// parameters; others are constants.
func (c *compiler) offsetof(v *ssa.Call, field ssa.Value) {
	if load, ok := field.(*ssa.UnOp); ok {
		field = load.X
	}
	start := c.selectorStart(field.Pos())
	offset := int64(0)
	for {
		of, index := selection(field)
		s := fieldsOf(of.Type())
		fields := make([]*types.Var, s.NumFields())
		for i := range fields {
			fields[i] = s.Field(i)
		}
		offset += c.p.sizes.Offsetsof(fields)[index]
		// In x.f, embedded fields that are not named are selected at the place of x.
		if outer, _ := selection(of); outer == nil || of.Pos() != start {
			break
		}
		field = of
	}
	c.loadConst(constKey{kind: ConstWords, n: 1, bits: [2]uint64{uint64(offset)}}, c.result(v))
}

// selection returns of what v is a field, or the address of one, and which; nil if it
// is none.
func selection(v ssa.Value) (of ssa.Value, index int) {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return v.X, v.Field
	case *ssa.Field:
		return v.X, v.Field
	}
	return nil, 0
}

// selectorStart returns where the selector expression begins whose last name is at pos.
func (c *compiler) selectorStart(pos token.Pos) (start token.Pos) {
	ast.Inspect(c.fn.Syntax(), func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Pos() == pos {
			start = sel.Pos()
		}
		return true
	})
	return start
}

// fieldsOf returns the struct that t is or points to.
func fieldsOf(t types.Type) *types.Struct {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return t.Underlying().(*types.Struct)
}

// appendTo compiles append(s, ...).
func (c *compiler) appendTo(v *ssa.Call, args []ssa.Value) {
	in := Instr{B: c.reg(args[0]), D: c.typeIndex(v.Type())}
	if app := c.appends[args[1]]; app != nil {
		in.Op, in.K = AppendN, c.count(len(app.elems))
		in.C, _ = c.gather(app.elems)
	} else {
		in.Op, in.C = Append, c.reg(args[1])
		if c.p.Type(args[1].Type()).Shape == ShapeString {
			in.Op = AppendStr
		}
	}
	in.A = c.result(v)
	c.emitOp(in)
}

// minMax compiles min and max, of two arguments at a time.
func (c *compiler) minMax(v *ssa.Call, args []ssa.Value, greater bool) {
	in := Instr{Op: MinMax, K: uint16(kindOf(v.Type())), B: c.reg(args[0])}
	if greater {
		in.D = 1
	}
	words := c.words(v.Type())
	if len(args) == 1 {
		c.move(c.result(v), in.B, words)
		return
	}
	for i, arg := range args[1:] {
		in.C = c.reg(arg)
		if i == len(args)-2 {
			in.A = c.result(v)
		} else {
			in.A = c.scratch(words)
		}
		c.emitOp(in)
		in.B = in.A
	}
}

// print compiles print and println: the arguments are boxed.
func (c *compiler) print(args []ssa.Value, newline bool) {
	in := Instr{Op: Print, A: c.scratch(2 * len(args)), C: int32(len(args))}
	for i, arg := range args {
		dst := in.A + int32(2*i)
		if isNil(arg) && types.Identical(arg.Type(), types.Typ[types.UntypedNil]) {
			// Not to be told from a nil interface value when boxed.
			text := c.scratch(2)
			c.loadConst(constKey{kind: ConstString, n: 2, text: "nil"}, text)
			c.emitOp(Instr{Op: MakeIface, A: dst, B: text, D: c.typeIndex(types.Typ[types.String])})
		} else if _, ok := arg.Type().Underlying().(*types.Interface); ok {
			c.put(arg, dst)
		} else {
			c.emitOp(Instr{Op: MakeIface, A: dst, B: c.reg(arg), D: c.typeIndex(types.Default(arg.Type()))})
		}
	}
	if newline {
		in.K = 1
	}
	c.emitOp(in)
}

// builtinFunc returns a function that does what builtin does and has no results,
// for go and defer statements in caller.
func (p *Program) builtinFunc(caller *Func, builtin *ssa.Builtin, args []ssa.Value, pos token.Pos) *Func {
	f := &Func{Name: caller.Name + "." + builtin.Name(), SSA: caller.SSA, Recover: -1, Standard: caller.Standard}
	c := &compiler{
		p:       p,
		f:       f,
		fn:      caller.SSA,
		values:  make(map[ssa.Value]*value),
		types:   make(map[*Type]int32),
		consts:  make(map[constKey]int32),
		callees: make(map[*ssa.Function]int32),
		pos:     pos,
	}
	// The parameters stand for the arguments; scratch registers follow.
	params := make([]ssa.Value, len(args))
	for i, arg := range args {
		param := &builtinParam{Value: arg}
		params[i] = param
		words := c.words(arg.Type())
		v := &value{words: words}
		if words > 0 {
			v.node = &node{words: words, reg: int32(f.Params)}
		}
		c.values[param] = v
		f.Params += words
	}
	f.Regs = f.Params
	c.free = int32(f.Params)
	switch builtin.Name() {
	case "recover":
		f.Wrapper = true // it is the deferring function that has to have been deferred
		c.emitOp(Instr{Op: Recover, A: c.scratch(2)})
	case "print", "println", "close", "delete", "clear", "panic":
		c.builtin(nil, builtin, params)
	case "copy":
		dst := c.scratch(1)
		in := Instr{Op: CopyS, A: dst, B: c.reg(params[0]), C: c.reg(params[1]), D: c.typeIndex(args[0].Type())}
		if p.Type(args[1].Type()).Shape == ShapeString {
			in.Op = CopyStr
		}
		c.emitOp(in)
	}
	c.emitOp(Instr{Op: Return})
	return f
}

// A builtinParam is a parameter of a function made of a builtin.
type builtinParam struct{ ssa.Value }
