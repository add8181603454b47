package compile

import (
	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/maporder"
	"github.com/everyway-go/everyway/internal/expr"
)

// call compiles a call whose result is needed now.
func (e *emitter) call(v *ssa.Call) {
	if builtin, ok := v.Call.Value.(*ssa.Builtin); ok {
		e.builtin(v, builtin, v.Call.Args)
		return
	}
	if in, ok := inline(v.Call.StaticCallee()); ok {
		in.A, in.B = e.result(v), e.reg(v.Call.Args[0])
		if len(v.Call.Args) == 2 {
			in.C = e.reg(v.Call.Args[1])
		}
		e.emit(in)
		return
	}
	e.invoke(&v.Call, code.ModeCall, v, nil)
}

// inlined are functions of the standard library that are one instruction each, with
// their arguments in B and C.
var inlined = map[string]code.Instr{
	"math.Sqrt":              {Op: code.SqrtF, K: uint16(code.Float64)},
	"math.Floor":             {Op: code.RoundF, K: uint16(code.Float64), C: int32(expr.ToNegative)},
	"math.Ceil":              {Op: code.RoundF, K: uint16(code.Float64), C: int32(expr.ToPositive)},
	"math.Trunc":             {Op: code.RoundF, K: uint16(code.Float64), C: int32(expr.ToZero)},
	"math.Round":             {Op: code.RoundF, K: uint16(code.Float64), C: int32(expr.ToAway)},
	"math.RoundToEven":       {Op: code.RoundF, K: uint16(code.Float64), C: int32(expr.ToEven)},
	"math.Float64bits":       {Op: code.Mov},
	"math.Float64frombits":   {Op: code.Mov},
	"math.Float32bits":       {Op: code.Mov},
	"math.Float32frombits":   {Op: code.Mov},
	"math/bits.RotateLeft8":  {Op: code.Rot, K: uint16(code.Uint8)},
	"math/bits.RotateLeft16": {Op: code.Rot, K: uint16(code.Uint16)},
	"math/bits.RotateLeft32": {Op: code.Rot, K: uint16(code.Uint32)},
	"math/bits.RotateLeft64": {Op: code.Rot, K: uint16(code.Uint64)},
	"math/bits.RotateLeft":   {Op: code.Rot, K: uint16(code.Uint64)},
	"math/bits.mulHigh":      {Op: code.MulHi, K: uint16(code.Uint64)},
}

// inline returns the instruction that stands for a call of fn; ok is false when there is
// none.
func inline(fn *ssa.Function) (in code.Instr, ok bool) {
	if fn == nil || fn.Pkg == nil || fn.Parent() != nil || fn.Signature.Recv() != nil {
		return code.Instr{}, false
	}
	if path := fn.Pkg.Pkg.Path(); path == "math" || path == "math/bits" {
		in, ok = inlined[path+"."+fn.Name()]
	}
	return in, ok
}

// invoke compiles a call in one of the modes. The result is moved to v, when there
// is one; stack is the list of deferred calls of ModeDeferTo.
func (e *emitter) invoke(call *ssa.CallCommon, mode uint16, v *ssa.Call, stack ssa.Value) {
	in := code.Instr{K: mode, D: int32(e.words(call.Signature().Results()))}
	args := call.Args
	skip := int32(0) // words of the window before the arguments

	// What is called comes below the window, with the values that are live across the
	// call.
	base := e.regs.Window(e.need().Call)
	below := func(x ssa.Value) int32 {
		r, ok := e.location(x)
		if !ok {
			r = e.reg(x) // in scratch registers, above all arguments
			base = max(base, e.regs.Reserved())
		}
		return r
	}
	switch fn := call.Value.(type) {
	case *ssa.Function:
		in.Op, in.B = code.Call, e.callee(fn)
	case *ssa.Builtin:
		in.Op, in.B = code.CallOwn, int32(len(e.f.Builtins))
		in.D = 0
		e.f.Builtins = append(e.f.Builtins, e.builtinFunc(fn, args))
	default:
		in.Op, in.B = code.CallFn, below(fn)
		if call.IsInvoke() {
			in.Op = code.CallIface
			in.D = int32(len(e.f.Methods))
			e.f.Methods = append(e.f.Methods, e.prog.CalledMethod(fn.Type(), call.Method))
			skip = 1
		}
	}
	if stack != nil {
		// The list is passed in the register before the window.
		base++
	}
	in.A = base
	in.C = skip
	for _, arg := range args {
		in.C += int32(e.words(arg.Type()))
	}
	results := int32(e.words(call.Signature().Results()))
	e.regs.Reserve(base + max(in.C, results))

	var moves []transfer
	var consts []transfer // src is the index in args
	at := base + skip
	for i, arg := range args {
		words := e.words(arg.Type())
		if r, ok := e.location(arg); ok {
			moves = append(moves, transfer{at, r, words})
		} else {
			consts = append(consts, transfer{at, int32(i), words})
		}
		at += int32(words)
	}
	if stack != nil {
		moves = append(moves, transfer{base - 1, e.reg(stack), 1})
	}
	e.moveAll(moves)
	for _, k := range consts {
		e.put(args[k.src], k.dst)
	}
	if v != nil && maporder.Sorted(v) {
		if e.f.Sorted == nil {
			e.f.Sorted = make(map[int32]bool)
		}
		e.f.Sorted[int32(len(e.f.Code))] = true
	}
	if v != nil && in.Op == code.Call {
		if how := resultUse(v); how != code.Used {
			if e.f.ResultUses == nil {
				e.f.ResultUses = make(map[int32]code.Use)
			}
			e.f.ResultUses[int32(len(e.f.Code))] = how
		}
	}
	e.emit(in)
	if v != nil && e.of[v].node != nil {
		e.move(e.of[v].node.Reg, base, int(results))
	}
}
