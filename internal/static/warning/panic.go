package warning

import (
	"context"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/ssaform"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/pointsto"
)

// Panics returns the instructions that may panic, but for those that are seen not to. Calls of
// panic come first, then indices, divisors, types and channels, then pointers, of which there are
// many.
func (f *Finder) Panics(ctx context.Context) (Report, error) {
	f.prepare()
	var groups [3]lines
	closed, err := f.closed(ctx)
	if err != nil {
		return Report{}, err
	}
	err = f.instrs(ctx, func(n *callgraph.Node, instr ssa.Instruction) {
		add := func(group int, message string) {
			groups[group].add(Warning{Places: []Place{f.place(instr)}, Message: message, Rank: group})
		}
		switch instr := instr.(type) {
		case *ssa.Panic:
			if instr.Pos().IsValid() {
				add(0, "panics")
			}
		case *ssa.IndexAddr:
			f.index(instr.X, instr.Index, add)
		case *ssa.Index:
			f.index(instr.X, instr.Index, add)
		case *ssa.Lookup:
			if _, ok := instr.X.Type().Underlying().(*types.Map); !ok {
				f.index(instr.X, instr.Index, add)
			}
		case *ssa.Slice:
			if _, array := pointee(instr.X).(*types.Array); !array &&
				(instr.Low != nil && !isZero(instr.Low) || instr.High != nil || instr.Max != nil) {
				add(1, "the bounds of a slice may be out of range")
			}
		case *ssa.SliceToArrayPointer:
			add(1, "a slice may be too short for an array")
		case *ssa.BinOp:
			if !ssaform.IsInteger(instr.Type()) {
				break
			}
			_, known := instr.Y.(*ssa.Const)
			switch instr.Op {
			case token.QUO, token.REM:
				if !known {
					add(1, "a divisor may be 0")
				}
			case token.SHL, token.SHR:
				if y := instr.Y.Type().Underlying().(*types.Basic); !known && y.Info()&types.IsUnsigned == 0 {
					add(1, "a shift count may be negative")
				}
			}
		case *ssa.TypeAssert:
			if !instr.CommaOk {
				add(1, "a value may have another type")
			}
		case *ssa.Send:
			if f.mayBe(closed, instr.Chan) {
				add(1, "a channel may be closed")
			}
		case *ssa.MapUpdate:
			if !nonNil(instr.Map, 0) {
				add(2, "a map may be nil")
			}
		case *ssa.Call:
			f.call(instr, closed, add)
		}
		if p := dereferenced(instr); p != nil && !f.nonNil(n, instr, p) {
			add(2, "a pointer may be nil")
		}
	})
	if err != nil {
		return Report{}, err
	}
	var r Report
	for i := range groups {
		r.Warnings = append(r.Warnings, groups[i].sorted()...)
	}
	return r, nil
}

// index warns of an index that may be out of range.
func (f *Finder) index(x, i ssa.Value, add func(group int, message string)) {
	if array, ok := pointee(x).(*types.Array); ok {
		if c, ok := i.(*ssa.Const); ok && constant.Compare(c.Value, token.LSS, constant.MakeInt64(array.Len())) {
			return
		}
	}
	if ofRange(i) {
		return
	}
	add(1, "an index may be out of range")
}

// ofRange reports whether an index is the variable of a range statement.
func ofRange(i ssa.Value) bool {
	next, ok := i.(*ssa.BinOp)
	if !ok || next.Op != token.ADD {
		return false
	}
	phi, ok := next.X.(*ssa.Phi)
	return ok && phi.Comment == "rangeindex"
}

// pointee returns the underlying type of what a pointer points to, or of another value.
func pointee(v ssa.Value) types.Type {
	t := v.Type().Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	return t
}

func isZero(v ssa.Value) bool {
	n, ok := ssaform.Int(v)
	return ok && n == 0
}

// closed returns the channels that the program's own code closes.
func (f *Finder) closed(ctx context.Context) (list []pointsto.Label, err error) {
	err = f.instrs(ctx, func(_ *callgraph.Node, instr ssa.Instruction) {
		if call, ok := instr.(ssa.CallInstruction); ok {
			if ssaform.IsBuiltin(call.Common(), "close") {
				list = append(list, f.Pointers.Of(call.Common().Args[0])...)
			}
		}
	})
	return list, err
}

// mayBe reports whether a channel may be one of some.
func (f *Finder) mayBe(list []pointsto.Label, channel ssa.Value) bool {
	return slices.ContainsFunc(f.Pointers.Of(channel), func(l pointsto.Label) bool { return slices.Contains(list, l) })
}

// call warns of a builtin function that may panic: closing a channel does if it is closed, which it
// may be if it is closed elsewhere, or more than once there.
func (f *Finder) call(call *ssa.Call, closed []pointsto.Label, add func(group int, message string)) {
	if ssaform.IsBuiltin(&call.Call, "close") && f.mayBe(closed, call.Call.Args[0]) {
		add(1, "a channel may be closed already")
	}
	if call.Call.IsInvoke() && !nonNil(call.Call.Value, 0) {
		add(2, "an interface may be nil")
	}
}

// dereferenced returns the pointer that an instruction follows, nil if it follows none.
func dereferenced(instr ssa.Instruction) ssa.Value {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		if instr.Op == token.MUL {
			return instr.X
		}
	case *ssa.Store:
		return instr.Addr
	case *ssa.FieldAddr:
		return instr.X
	case *ssa.IndexAddr:
		if _, ok := instr.X.Type().Underlying().(*types.Pointer); ok {
			return instr.X
		}
	}
	return nil
}

// nonNil reports whether a pointer that an instruction follows is not nil, as far as is seen:
// because of where it comes from, because the function has followed it before, or because all
// callers pass one that is not.
func (f *Finder) nonNil(n *callgraph.Node, instr ssa.Instruction, p ssa.Value) bool {
	if nonNil(p, 0) {
		return true
	}
	for _, user := range *p.Referrers() {
		if user != instr && dereferenced(user) == p && ssaform.Dominates(user, instr) {
			return true
		}
	}
	param, ok := p.(*ssa.Parameter)
	if !ok {
		return false
	}
	i := slices.Index(n.Body.Params, param)
	callers := n.Callers()
	for _, s := range callers {
		if s.Instr == nil {
			return false
		}
		call := s.Instr.Common()
		args := call.Args
		if call.IsInvoke() {
			args = append([]ssa.Value{call.Value}, args...)
		}
		if i >= len(args) || !nonNil(args[i], 0) {
			return false
		}
	}
	return len(callers) > 0
}
