package transcript

import (
	"fmt"
	"strings"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/schedule"
)

// newLocal returns the number of the value that the next event defines.
func (x *writer) newLocal() schedule.Local {
	x.lastLocal++
	return x.lastLocal
}

// define returns the value that the next event defines for a variable, 0 for expr.None.
func (x *writer) define(sym expr.ID) schedule.Local {
	if sym == expr.None {
		return 0
	}
	l := x.newLocal()
	x.locals[sym] = l
	return l
}

// kindOf returns the kind of a value of the width, and Uint64 if there is none of that width.
func kindOf(width uint8) schedule.ValueKind {
	switch width {
	case 1:
		return schedule.Bool
	case 8:
		return schedule.Uint8
	case 16:
		return schedule.Uint16
	case 32:
		return schedule.Uint32
	}
	return schedule.Uint64
}

// constant returns a constant.
func (x *writer) constant(g schedule.GoroutineID, bits uint64, width uint8) schedule.Local {
	kind := kindOf(width)
	l := x.newLocal()
	x.emit(g, schedule.Event{Op: schedule.Let, Result: l, Value: schedule.Value{Kind: kind, Bits: bits}})
	if kind != schedule.Uint64 || width == 64 {
		return l
	}
	narrow := x.newLocal()
	x.emit(g, schedule.Event{Op: schedule.Unary, Name: x.name(fmt.Sprintf("extract.0.%d", width)), Left: l, Result: narrow})
	return narrow
}

// local returns the value of an expression, 0 for expr.None. What it is computed from is
// written by g, unless it was written before.
func (x *writer) local(g schedule.GoroutineID, id expr.ID) schedule.Local {
	if id == expr.None {
		return 0
	}
	if l, ok := x.locals[id]; ok {
		return l
	}
	// The operands come first. There may be many, one in another: no recursion.
	a := x.program.Arena
	stack := []expr.ID{id}
	for len(stack) > 0 {
		top := stack[len(stack)-1]
		ready := true
		for i := range a.NumArgs(top) {
			if arg := a.Arg(top, i); x.locals[arg] == 0 {
				stack = append(stack, arg)
				ready = false
			}
		}
		if !ready {
			continue
		}
		stack = stack[:len(stack)-1]
		if x.locals[top] == 0 {
			x.locals[top] = x.compute(g, top)
		}
	}
	return x.locals[id]
}

// compute writes an operation, whose operands have been written.
func (x *writer) compute(g schedule.GoroutineID, id expr.ID) schedule.Local {
	a := x.program.Arena
	if bits, ok := a.ConstValue(id); ok {
		return x.constant(g, bits, a.Width(id))
	}
	op := a.Op(id)
	if op == expr.Var {
		return x.symbol(g, id)
	}
	args := make([]schedule.Local, a.NumArgs(id))
	for i := range args {
		args[i] = x.locals[a.Arg(id, i)]
	}
	l := x.newLocal()
	e := schedule.Event{Name: x.name(x.operator(id)), Result: l}
	switch {
	case op != expr.Table && len(args) == 1:
		e.Op, e.Left = schedule.Unary, args[0]
	case op != expr.Table && len(args) == 2:
		e.Op, e.Left, e.Right = schedule.Binary, args[0], args[1]
	default:
		e.Op, e.List = schedule.Call, args
	}
	x.emit(g, e)
	return l
}

// symbol writes a variable: an input, or something else that the run has chosen.
func (x *writer) symbol(g schedule.GoroutineID, id expr.ID) schedule.Local {
	kind := kindOf(x.program.Arena.Width(id))
	e := schedule.Event{Op: schedule.Symbol, Result: x.newLocal(), Name: x.name(x.program.Arena.VarName(id))}
	if bits, ok := x.inputs[id]; ok {
		e.Value = schedule.Value{Kind: kind, Bits: bits}
	}
	x.emit(g, e)
	return e.Result
}

// operator returns the name of an operator, with what it says besides its operands.
func (x *writer) operator(id expr.ID) string {
	a := x.program.Arena
	name := strings.ToLower(a.Op(id).String())
	switch a.Op(id) {
	case expr.Extract:
		return fmt.Sprintf("%s.%d.%d", name, a.ExtractLo(id), a.Width(id))
	case expr.ZExt, expr.SExt, expr.FConv, expr.FToS, expr.SToF, expr.UToF:
		return fmt.Sprintf("%s.%d", name, a.Width(id))
	case expr.FRound:
		return fmt.Sprintf("%s.%v", name, a.FRounding(id))
	}
	return name
}
