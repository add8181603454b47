package compile

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/maporder"
)

// instr compiles one instruction that does not end a block with a jump.
func (e *emitter) instr(instr ssa.Instruction) {
	if v, ok := instr.(ssa.Value); ok && e.of[v].role != own {
		return
	}
	switch v := instr.(type) {
	case *ssa.Phi, *ssa.DebugRef:
	case *ssa.Alloc:
		e.alloc(v)
	case *ssa.BinOp:
		e.binOp(v)
	case *ssa.UnOp:
		e.unOp(v)
	case *ssa.Convert:
		e.convert(v, v.X)
	case *ssa.MultiConvert:
		e.convert(v, v.X)
	case *ssa.SliceToArrayPointer:
		n := elem(v.Type()).Underlying().(*types.Array).Len()
		e.emit(code.Instr{Op: code.SliceArr, A: e.result(v), B: e.reg(v.X), C: int32(n)})
	case *ssa.MakeInterface:
		if e.rangeError(v) {
			break
		}
		e.emit(code.Instr{Op: code.MakeIface, A: e.result(v), B: e.reg(v.X), D: e.typeIndex(v.X.Type())})
	case *ssa.TypeAssert:
		e.typeAssert(v)
	case *ssa.MakeClosure:
		bindings, words := e.gather(v.Bindings)
		e.emit(code.Instr{Op: code.Closure, K: count(words), A: e.result(v), B: e.callee(v.Fn.(*ssa.Function)), C: bindings})
	case *ssa.MakeMap:
		in := code.Instr{Op: code.MakeMap, B: -1, D: e.typeIndex(v.Type())}
		if v.Reserve != nil {
			in.B = e.indexReg(v.Reserve)
		}
		in.A = e.result(v)
		e.emit(in)
	case *ssa.MakeChan:
		e.emit(code.Instr{Op: code.MakeChan, A: e.result(v), B: e.indexReg(v.Size), D: e.typeIndex(v.Type())})
	case *ssa.MakeSlice:
		e.emit(code.Instr{Op: code.MakeSlice, A: e.result(v), B: e.indexReg(v.Len), C: e.indexReg(v.Cap), D: e.typeIndex(v.Type())})
	case *ssa.Slice:
		e.slice(v)
	case *ssa.FieldAddr:
		e.fieldAddr(v)
	case *ssa.IndexAddr:
		e.indexAddr(v)
	case *ssa.Index:
		e.elementOf(v)
	case *ssa.Lookup:
		in := code.Instr{Op: code.MapGet, B: e.reg(v.X), C: e.reg(v.Index), D: e.typeIndex(v.X.Type())}
		if v.CommaOk {
			in.K = 1
		} else if isSetNext(v) {
			in.K = 2
		}
		in.A = e.result(v)
		e.emit(in)
	case *ssa.Range:
		e.rangeOver(v)
	case *ssa.Next:
		e.nextOf(v)
	case *ssa.Select:
		e.selectStmt(v)
	case *ssa.Call:
		e.call(v)
	case *ssa.Go:
		e.invoke(&v.Call, code.ModeGo, nil, nil)
	case *ssa.Defer:
		if v.DeferStack != nil {
			e.invoke(&v.Call, code.ModeDeferTo, nil, v.DeferStack)
		} else {
			e.invoke(&v.Call, code.ModeDefer, nil, nil)
		}
	case *ssa.RunDefers:
		e.emit(code.Instr{Op: code.RunDefers})
	case *ssa.Panic:
		e.emit(code.Instr{Op: code.Panic, A: e.reg(v.X)})
	case *ssa.Return:
		first, words := e.gather(v.Results)
		e.emit(code.Instr{Op: code.Return, K: count(words), A: first})
	case *ssa.Send:
		e.emit(code.Instr{Op: code.Send, A: e.reg(v.Chan), B: e.reg(v.X), D: e.typeIndex(v.Chan.Type())})
	case *ssa.Store:
		e.store(v)
	case *ssa.MapUpdate:
		e.emit(code.Instr{Op: code.MapSet, A: e.reg(v.Map), B: e.reg(v.Key), C: e.reg(v.Value), D: e.typeIndex(v.Map.Type())})
	default:
		panic(fmt.Sprintf("instruction %T", instr))
	}
}

// rangeOver compiles the start of a loop over a string or map. The iterator of
// a string is a byte index, that of a map is an object.
func (e *emitter) rangeOver(v *ssa.Range) {
	if e.prog.Type(v.X.Type()).Shape == code.ShapeString {
		e.emit(code.Instr{Op: code.Imm, A: e.result(v)})
		return
	}
	in := code.Instr{Op: code.MapIter, A: e.result(v), B: e.reg(v.X), D: e.typeIndex(v.X.Type())}
	switch maporder.Of(v, e.prog.Body) {
	case maporder.Matters:
		if visit, ok := maporder.VisitOf(v, e.prog.Body); ok {
			in.K, in.C = uint16(code.OrderCalled+visit.Key+1), e.reg(visit.Func)
			e.commuting = append(e.commuting, v)
		}
	case maporder.Shared:
		in.K = code.OrderShared
		e.commuting = append(e.commuting, v)
	case maporder.Result:
		in.K = code.OrderResult
		e.commuting = append(e.commuting, v)
	case maporder.Never:
		in.K = code.OrderNever
		e.commuting = append(e.commuting, v)
	}
	e.emit(in)
}

// nextOf compiles a step of such a loop.
func (e *emitter) nextOf(v *ssa.Next) {
	over := v.Iter.(*ssa.Range)
	if v.IsString {
		e.emit(code.Instr{Op: code.StrNext, A: e.result(v), B: e.reg(over.X), C: e.reg(v.Iter)})
		return
	}
	in := code.Instr{Op: code.MapNext, A: e.result(v), B: e.reg(v.Iter), D: e.typeIndex(over.X.Type())}
	for _, ref := range *v.Referrers() {
		if extract, ok := ref.(*ssa.Extract); ok && extract.Index > 0 && len(*extract.Referrers()) > 0 {
			in.K |= 1 << (extract.Index - 1)
		}
	}
	e.emit(in)
}

// selectStmt compiles a select statement.
func (e *emitter) selectStmt(v *ssa.Select) {
	sel := code.Select{Default: !v.Blocking}
	in := code.Instr{Op: code.SelectCh, B: int32(len(e.f.Selects)), A: e.result(v)}
	recv := in.A + 2
	for _, state := range v.States {
		sc := code.SelectCase{
			Send: state.Dir == types.SendOnly,
			Chan: e.reg(state.Chan),
			Type: e.prog.Type(state.Chan.Type()),
			Recv: -1,
			Pos:  state.Pos,
		}
		if sc.Send {
			sc.Value = e.reg(state.Send)
		} else {
			sc.Recv = recv
			recv += int32(sc.Type.Elem.Words)
		}
		if !sc.Pos.IsValid() {
			sc.Pos = e.pos
		}
		sel.Cases = append(sel.Cases, sc)
	}
	e.f.Selects = append(e.f.Selects, sel)
	e.emit(in)
}

// isSetNext reports whether an entry of a map is looked up to be set, as in m[k]++.
func isSetNext(v *ssa.Lookup) bool {
	users := v.X.Referrers()
	return users != nil && slices.ContainsFunc(*users, func(user ssa.Instruction) bool {
		set, ok := user.(*ssa.MapUpdate)
		return ok && set.Map == v.X && set.Key == v.Index && set.Block() == v.Block()
	})
}
