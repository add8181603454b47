package initial

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/ssaform"
	"github.com/everyway-go/everyway/internal/fragment"
)

// presumed is what is taken for granted of values that Options.Presume is about.
const presumed = "a pointer, channel, map or function that a function has, uses, and does not compare with nil is not nil"

// presume notes the values of a function that are presumed not to be nil, which are inputs where
// nothing is known of them. It reports whether there are any.
//
// That a value is used without a comparison says that whoever has written the code knows that it is
// not nil, or has forgotten that it may be. Without the presumption, most of what is found in code
// without faults is that a pointer is nil which never is: what New has returned, a parameter, a
// channel that a goroutine was given.
func (v values) presume(c *fragment.Context, frame *fragment.Memory, fn *ssa.Function) (found bool) {
	note := func(x ssa.Value) {
		if !c.NotNil[x] && isNillable(x.Type()) && isUsed(x) && !isCompared(x) && !v.isNilSomewhere(x) {
			c.NotNil[x] = true
			found = true
		}
	}
	for _, p := range fn.Params {
		note(p)
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Call, *ssa.Extract, *ssa.Phi:
				note(instr.(ssa.Value))
			case *ssa.UnOp:
				if instr.Op == token.MUL {
					note(instr)
				}
			case *ssa.Alloc:
				if v.isFilled(instr) {
					frame.Filled[instr] = true
					found = true
				}
			}
		}
	}
	return found
}

// isFilled reports whether a variable is presumed not to be nil once it has been set, as in the
// functions that have captured it.
func (v values) isFilled(alloc *ssa.Alloc) bool {
	if !isNillable(alloc.Type().Underlying().(*types.Pointer).Elem()) {
		return false
	}
	stored := false
	uses := []ssa.Value{alloc}
	for i := 0; i < len(uses); i++ {
		for _, ref := range *uses[i].Referrers() {
			switch ref := ref.(type) {
			case *ssa.UnOp:
				if isCompared(ref) {
					return false
				}
			case *ssa.Store:
				if ref.Addr != uses[i] || v.isNilSomewhere(ref.Val) {
					return false
				}
				stored = true
			case *ssa.MakeClosure:
				for j, captured := range ref.Bindings {
					if captured == uses[i] {
						uses = append(uses, ref.Fn.(*ssa.Function).FreeVars[j])
					}
				}
			case *ssa.DebugRef:
			default:
				return false
			}
		}
	}
	return stored
}

// isNilSomewhere reports whether x is the constant nil as some code has it. What a function returns
// beside an error may be: that is for the case that there is an error.
func (v values) isNilSomewhere(x ssa.Value) bool {
	if e, ok := x.(*ssa.Extract); ok {
		results := e.Tuple.Type().(*types.Tuple)
		if last := results.Len() - 1; e.Index < last && types.Identical(results.At(last).Type(), types.Universe.Lookup("error").Type()) {
			return false
		}
	}
	return !v.allOr(x, v.isNotNil, true)
}

// presumed returns the fields that are presumed not to be nil beside those of which that is known:
// the program stores something in them, never nil, uses what it has stored, and does not compare it
// with nil. Between being made and being set, such a field is nil.
func (f *fields) presumed(v values, known []fragment.Field) (list []fragment.Field) {
	isKnown := f.among(known)
	for _, at := range f.order {
		if at.presumed == unasked {
			at.presumed = answerOf(f.isPresumed(at, v))
		}
		if at.presumed == yes && !isKnown(at) {
			list = append(list, at.Field)
		}
	}
	return list
}

func (f *fields) isPresumed(at *field, v values) bool {
	if at.taken || len(at.stores) == 0 || !isNillable(typeOf(at)) {
		return false
	}
	used := false
	for _, load := range at.loads {
		if isCompared(load) {
			return false
		}
		used = used || isUsed(load)
	}
	return used && !slices.ContainsFunc(at.stores, func(s *ssa.Store) bool { return v.isNilSomewhere(s.Val) })
}

// isCompared reports whether a function compares a value with nil.
func isCompared(x ssa.Value) bool {
	return slices.ContainsFunc(*x.Referrers(), func(ref ssa.Instruction) bool {
		op, ok := ref.(*ssa.BinOp)
		return ok && (ssaform.IsNil(op.X) || ssaform.IsNil(op.Y))
	})
}

// isUsed reports whether a function uses a value as what is not nil.
func isUsed(x ssa.Value) bool {
	return slices.ContainsFunc(*x.Referrers(), func(ref ssa.Instruction) bool {
		switch ref := ref.(type) {
		case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.UnOp: // of which the last is a load, or a receive
			return true
		case *ssa.Store:
			return ref.Addr == x
		case *ssa.Send:
			return ref.Chan == x
		case *ssa.MapUpdate:
			return ref.Map == x
		case ssa.CallInstruction:
			return uses(ref.Common(), x)
		}
		return false
	})
}

// uses reports whether a call needs that x is not nil: it calls x, closes it, or calls a method of
// it that does not compare its receiver with nil.
func uses(call *ssa.CallCommon, x ssa.Value) bool {
	if call.Value == x && !call.IsInvoke() {
		return true
	}
	if b, ok := call.Value.(*ssa.Builtin); ok {
		return b.Name() == "close"
	}
	fn := call.StaticCallee()
	if fn == nil || fn.Signature.Recv() == nil || len(fn.Params) == 0 || call.Args[0] != x {
		return false
	}
	return len(fn.Blocks) > 0 && !isCompared(fn.Params[0])
}
