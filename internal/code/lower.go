package code

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// checksMethodValue reports whether v, a type assertion that gives what it is given, stands for
// the check of the method value i.M, which follows, that i is not nil.
func checksMethodValue(v *ssa.TypeAssert) bool {
	if v.CommaOk || len(*v.Referrers()) > 0 || !types.Identical(v.X.Type(), v.AssertedType) {
		return false
	}
	list := v.Block().Instrs
	next, ok := list[slices.Index(list, ssa.Instruction(v))+1].(*ssa.MakeClosure)
	return ok && len(next.Bindings) == 1 && next.Bindings[0] == v.X
}

// instr compiles one instruction that does not end a block with a jump.
func (c *compiler) instr(instr ssa.Instruction) {
	if v, ok := instr.(ssa.Value); ok && c.values[v].role != own {
		return
	}
	switch v := instr.(type) {
	case *ssa.Phi, *ssa.DebugRef:
	case *ssa.Alloc:
		c.alloc(v)
	case *ssa.BinOp:
		c.binOp(v)
	case *ssa.UnOp:
		c.unOp(v)
	case *ssa.Convert:
		c.convert(v, v.X)
	case *ssa.MultiConvert:
		c.convert(v, v.X)
	case *ssa.SliceToArrayPointer:
		n := elem(v.Type()).Underlying().(*types.Array).Len()
		c.emitOp(Instr{Op: SliceArr, A: c.result(v), B: c.reg(v.X), C: int32(n)})
	case *ssa.MakeInterface:
		c.emitOp(Instr{Op: MakeIface, A: c.result(v), B: c.reg(v.X), D: c.typeIndex(v.X.Type())})
	case *ssa.TypeAssert:
		if checksMethodValue(v) {
			c.emitOp(Instr{Op: NilCheck, B: c.reg(v.X)})
			break
		}
		in := Instr{Op: Assert, B: c.reg(v.X), C: c.typeIndex(v.X.Type()), D: c.typeIndex(v.AssertedType)}
		if v.CommaOk {
			in.K = 1
		}
		in.A = c.result(v)
		c.emitOp(in)
	case *ssa.MakeClosure:
		bindings, words := c.gather(v.Bindings)
		c.emitOp(Instr{Op: Closure, K: c.count(words), A: c.result(v), B: c.callee(v.Fn.(*ssa.Function)), C: bindings})
	case *ssa.MakeMap:
		in := Instr{Op: MakeMap, B: -1, D: c.typeIndex(v.Type())}
		if v.Reserve != nil {
			in.B = c.indexReg(v.Reserve)
		}
		in.A = c.result(v)
		c.emitOp(in)
	case *ssa.MakeChan:
		c.emitOp(Instr{Op: MakeChan, A: c.result(v), B: c.indexReg(v.Size), D: c.typeIndex(v.Type())})
	case *ssa.MakeSlice:
		c.emitOp(Instr{Op: MakeSlice, A: c.result(v), B: c.indexReg(v.Len), C: c.indexReg(v.Cap), D: c.typeIndex(v.Type())})
	case *ssa.Slice:
		c.slice(v)
	case *ssa.FieldAddr:
		c.fieldAddr(v)
	case *ssa.IndexAddr:
		c.indexAddr(v)
	case *ssa.Index:
		c.elementOf(v)
	case *ssa.Lookup:
		in := Instr{Op: MapGet, B: c.reg(v.X), C: c.reg(v.Index), D: c.typeIndex(v.X.Type())}
		if v.CommaOk {
			in.K = 1
		}
		in.A = c.result(v)
		c.emitOp(in)
	case *ssa.Range:
		c.rangeOver(v)
	case *ssa.Next:
		c.nextOf(v)
	case *ssa.Select:
		c.selection(v)
	case *ssa.Call:
		c.call(v)
	case *ssa.Go:
		c.invoke(&v.Call, ModeGo, nil, nil)
	case *ssa.Defer:
		if v.DeferStack != nil {
			c.invoke(&v.Call, ModeDeferTo, nil, v.DeferStack)
		} else {
			c.invoke(&v.Call, ModeDefer, nil, nil)
		}
	case *ssa.RunDefers:
		c.emitOp(Instr{Op: RunDefers})
	case *ssa.Panic:
		c.emitOp(Instr{Op: Panic, A: c.reg(v.X)})
	case *ssa.Return:
		first, words := c.gather(v.Results)
		c.emitOp(Instr{Op: Return, K: c.count(words), A: first})
	case *ssa.Send:
		c.emitOp(Instr{Op: Send, A: c.reg(v.Chan), B: c.reg(v.X), D: c.typeIndex(v.Chan.Type())})
	case *ssa.Store:
		c.store(v)
	case *ssa.MapUpdate:
		c.emitOp(Instr{Op: MapSet, A: c.reg(v.Map), B: c.reg(v.Key), C: c.reg(v.Value), D: c.typeIndex(v.Map.Type())})
	default:
		panic(fmt.Sprintf("instruction %T", instr))
	}
}

// unOp compiles the unary operators but loads.
func (c *compiler) unOp(v *ssa.UnOp) {
	kind := kindOf(v.X.Type())
	switch v.Op {
	case token.MUL:
		c.load(v, c.result(v))
	case token.ARROW:
		in := Instr{Op: Recv, B: c.reg(v.X), D: c.typeIndex(v.X.Type())}
		if v.CommaOk {
			in.K = 1
		}
		in.A = c.result(v)
		c.emitOp(in)
	case token.NOT:
		c.emitOp(Instr{Op: Not, K: uint16(Bool), A: c.result(v), B: c.reg(v.X)})
	case token.XOR:
		c.emitOp(Instr{Op: Com, K: uint16(kind), A: c.result(v), B: c.reg(v.X)})
	case token.SUB:
		op := Neg
		switch {
		case kind.Float():
			op = NegF
		case kind == Complex64 || kind == Complex128:
			op = NegC
		}
		c.emitOp(Instr{Op: op, K: uint16(kind), A: c.result(v), B: c.reg(v.X)})
	default:
		panic(fmt.Sprintf("unary operator %s", v.Op))
	}
}

// convert compiles the conversion of x to the type of v where words change.
func (c *compiler) convert(v, x ssa.Value) {
	from, to := c.p.Type(x.Type()), c.p.Type(v.Type())
	in := Instr{A: c.result(v), B: c.reg(x)}
	switch {
	case c.sameWords(x.Type(), v.Type()):
		c.move(in.A, in.B, to.Words)
		return
	case from.Shape == Scalar && to.Shape == Scalar:
		in.Op, in.K, in.C = Conv, uint16(to.Kinds[0]), int32(from.Kinds[0])
	case from.Shape == ShapeComplex && to.Shape == ShapeComplex:
		in.Op, in.K, in.C = ConvC, uint16(kindOf(v.Type())), int32(kindOf(x.Type()))
	case from.Shape == Scalar && to.Shape == ShapeString:
		in.Op, in.K = IntStr, uint16(from.Kinds[0])
	case from.Shape == ShapeString && to.Shape == ShapeSlice:
		in.Op = StrRunes
		if to.Elem.Bytes {
			in.Op = StrBytes
		}
	case from.Shape == ShapeSlice && to.Shape == ShapeString:
		in.Op = RunesStr
		if from.Elem.Bytes {
			in.Op = BytesStr
		}
	case from.Shape == ShapeUnsafePointer && to.Shape == Scalar:
		in.Op = PtrInt
	case from.Shape == Scalar && to.Shape == ShapeUnsafePointer:
		in.Op = IntPtr
	case from.Shape == ShapeSlice && to.Shape == ShapePointer:
		in.Op, in.C = SliceArr, c.number(to.Elem.Len)
	case from.Shape == ShapeSlice && to.Shape == ShapeArray:
		in.Op, in.D = SliceToArr, c.typeIndex(v.Type())
	default:
		panic(fmt.Sprintf("conversion from %s to %s", from, to))
	}
	c.emitOp(in)
}

// rangeOver compiles the start of a loop over a string or map. The iterator of
// a string is a byte index, that of a map is an object.
func (c *compiler) rangeOver(v *ssa.Range) {
	if c.p.Type(v.X.Type()).Shape == ShapeString {
		c.emitOp(Instr{Op: Imm, A: c.result(v)})
		return
	}
	c.emitOp(Instr{Op: MapIter, A: c.result(v), B: c.reg(v.X), D: c.typeIndex(v.X.Type())})
}

// nextOf compiles a step of such a loop.
func (c *compiler) nextOf(v *ssa.Next) {
	over := v.Iter.(*ssa.Range)
	if v.IsString {
		c.emitOp(Instr{Op: StrNext, A: c.result(v), B: c.reg(over.X), C: c.reg(v.Iter)})
		return
	}
	in := Instr{Op: MapNext, A: c.result(v), B: c.reg(v.Iter), D: c.typeIndex(over.X.Type())}
	for _, ref := range *v.Referrers() {
		if extract, ok := ref.(*ssa.Extract); ok && extract.Index > 0 && len(*extract.Referrers()) > 0 {
			in.K |= 1 << (extract.Index - 1)
		}
	}
	c.emitOp(in)
}

// selection compiles a select statement.
func (c *compiler) selection(v *ssa.Select) {
	sel := Select{Default: !v.Blocking}
	in := Instr{Op: SelectCh, B: int32(len(c.f.Selects)), A: c.result(v)}
	recv := in.A + 2
	for _, state := range v.States {
		sc := SelectCase{
			Send: state.Dir == types.SendOnly,
			Chan: c.reg(state.Chan),
			Type: c.p.Type(state.Chan.Type()),
			Recv: -1,
			Pos:  state.Pos,
		}
		if sc.Send {
			sc.Value = c.reg(state.Send)
		} else {
			sc.Recv = recv
			recv += int32(sc.Type.Elem.Words)
		}
		if !sc.Pos.IsValid() {
			sc.Pos = c.pos
		}
		sel.Cases = append(sel.Cases, sc)
	}
	c.f.Selects = append(c.f.Selects, sel)
	c.emitOp(in)
}
