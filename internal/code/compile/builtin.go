package compile

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/ssaform"
)

// builtin compiles the call of a builtin function.
func (e *emitter) builtin(v *ssa.Call, builtin *ssa.Builtin, args []ssa.Value) {
	t := func(i int) *code.Type { return e.prog.Type(args[i].Type()) }
	switch builtin.Name() {
	case "append":
		e.appendTo(v, args)
	case "copy":
		in := code.Instr{Op: code.CopyS, B: e.reg(args[0]), C: e.reg(args[1]), D: e.typeIndex(args[0].Type())}
		if t(1).Shape == code.ShapeString {
			in.Op = code.CopyStr
		}
		in.A = e.result(v)
		e.emit(in)
	case "len":
		switch t(0).Shape {
		case code.ShapeMap:
			e.emit(code.Instr{Op: code.MapLen, A: e.result(v), B: e.reg(args[0])})
		case code.ShapeChan:
			e.emit(code.Instr{Op: code.LenCh, A: e.result(v), B: e.reg(args[0])})
		case code.ShapeArray:
			e.emit(code.Instr{Op: code.Imm, A: e.result(v), C: number(t(0).Len)})
		case code.ShapePointer:
			e.emit(code.Instr{Op: code.Imm, A: e.result(v), C: number(t(0).Elem.Len)})
		}
	case "cap":
		switch t(0).Shape {
		case code.ShapeSlice:
			e.emit(code.Instr{Op: code.Cap, A: e.result(v), B: e.reg(args[0])})
		case code.ShapeChan:
			e.emit(code.Instr{Op: code.CapCh, A: e.result(v), B: e.reg(args[0])})
		case code.ShapeArray:
			e.emit(code.Instr{Op: code.Imm, A: e.result(v), C: number(t(0).Len)})
		case code.ShapePointer:
			e.emit(code.Instr{Op: code.Imm, A: e.result(v), C: number(t(0).Elem.Len)})
		}
	case "clear":
		if t(0).Shape == code.ShapeMap {
			e.emit(code.Instr{Op: code.MapClear, A: e.reg(args[0])})
		} else {
			e.emit(code.Instr{Op: code.ClearS, A: e.reg(args[0]), D: e.typeIndex(args[0].Type())})
		}
	case "close":
		e.emit(code.Instr{Op: code.CloseCh, A: e.reg(args[0])})
	case "delete":
		e.emit(code.Instr{Op: code.MapDel, A: e.reg(args[0]), B: e.reg(args[1]), D: e.typeIndex(args[0].Type())})
	case "complex":
		e.emit(code.Instr{Op: code.MkComplex, K: uint16(code.KindOf(v.Type())), A: e.result(v), B: e.reg(args[0]), C: e.reg(args[1])})
	case "min", "max":
		e.minMax(v, args, builtin.Name() == "max")
	case "panic":
		e.emit(code.Instr{Op: code.Panic, A: e.reg(args[0])})
	case "recover":
		e.emit(code.Instr{Op: code.Recover, A: e.result(v)})
	case "print", "println":
		e.print(args, builtin.Name() == "println")
	case "ssa:wrapnilchk":
		text := fmt.Sprintf("value method %s.%s called using nil *%s pointer", t(0).Elem, keyOf(args[2]).text, code.TypeName(t(0).Elem.Go))
		e.emit(code.Instr{Op: code.NilCheck, B: e.reg(args[0]), C: 1 + e.message(text)})
		e.move(e.result(v), e.reg(args[0]), 1)
	case "ssa:deferstack":
		e.emit(code.Instr{Op: code.DeferStack, A: e.result(v)})
	case "Add":
		e.emit(code.Instr{Op: code.PtrAdd, A: e.result(v), B: e.reg(args[0]), C: e.indexReg(args[1])})
	case "Slice":
		e.emit(code.Instr{
			Op: code.MkSlice, K: count(t(0).Elem.Words), A: e.result(v), B: e.reg(args[0]),
			C: e.indexReg(args[1]), D: e.typeIndex(v.Type()),
		})
	case "Sizeof": // of types that depend on type parameters; others are constants
		e.loadConst(constKey{kind: code.ConstWords, n: 1, bits: [2]uint64{uint64(t(0).Size)}}, e.result(v))
	case "Alignof":
		e.loadConst(constKey{kind: code.ConstWords, n: 1, bits: [2]uint64{uint64(e.prog.Sizes().Alignof(t(0).Go))}}, e.result(v))
	case "Offsetof":
		e.offsetof(v, args[0])
	case "String":
		e.emit(code.Instr{Op: code.MkString, A: e.result(v), B: e.reg(args[0]), C: e.indexReg(args[1])})
	case "SliceData", "StringData":
		e.emit(code.Instr{Op: code.SliceData, A: e.result(v), B: e.reg(args[0])})
	default:
		e.unsupported("builtin function %s", builtin.Name())
	}
}

// appendTo compiles append(s, ...).
func (e *emitter) appendTo(v *ssa.Call, args []ssa.Value) {
	in := code.Instr{B: e.reg(args[0]), D: e.typeIndex(v.Type())}
	if elems, ok := e.appends[args[1]]; ok {
		in.Op, in.K = code.AppendN, count(len(elems))
		in.C, _ = e.gather(elems)
	} else {
		in.Op, in.C = code.Append, e.reg(args[1])
		if e.prog.Type(args[1].Type()).Shape == code.ShapeString {
			in.Op = code.AppendStr
		}
	}
	in.A = e.result(v)
	e.emit(in)
}

// minMax compiles min and max, of two arguments at a time.
func (e *emitter) minMax(v *ssa.Call, args []ssa.Value, greater bool) {
	in := code.Instr{Op: code.MinMax, K: uint16(code.KindOf(v.Type())), B: e.reg(args[0])}
	if greater {
		in.D = 1
	}
	words := e.words(v.Type())
	if len(args) == 1 {
		e.move(e.result(v), in.B, words)
		return
	}
	for i, arg := range args[1:] {
		in.C = e.reg(arg)
		if i == len(args)-2 {
			in.A = e.result(v)
		} else {
			in.A = e.regs.Scratch(words)
		}
		e.emit(in)
		in.B = in.A
	}
}

// print compiles print and println: the arguments are boxed.
func (e *emitter) print(args []ssa.Value, newline bool) {
	in := code.Instr{Op: code.Print, A: e.regs.Scratch(2 * len(args)), C: int32(len(args))}
	for i, arg := range args {
		dst := in.A + int32(2*i)
		if ssaform.IsNil(arg) && types.Identical(arg.Type(), types.Typ[types.UntypedNil]) {
			// Boxed, it would look like a nil interface value.
			text := e.regs.Scratch(2)
			e.loadConst(constKey{kind: code.ConstString, n: 2, text: "nil"}, text)
			e.emit(code.Instr{Op: code.MakeIface, A: dst, B: text, D: e.typeIndex(types.Typ[types.String])})
		} else if _, ok := arg.Type().Underlying().(*types.Interface); ok {
			e.put(arg, dst)
		} else {
			e.emit(code.Instr{Op: code.MakeIface, A: dst, B: e.reg(arg), D: e.typeIndex(types.Default(arg.Type()))})
		}
	}
	if newline {
		in.K = 1
	}
	e.emit(in)
}
