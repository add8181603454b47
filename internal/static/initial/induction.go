package initial

import (
	"go/token"
	"math"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/ssaform"
	"github.com/everyway-go/everyway/internal/fragment"
)

// rangeOf returns between which numbers a variable of a loop is: it is never less than that with
// which it begins, if all that the loop does is to add to it, and cannot add so much that it
// overflows. The index of a loop over a slice begins with -1, and then is less than the length.
func rangeOf(phi *ssa.Phi) (r fragment.Range, ok bool) {
	k := code.KindOf(phi.Type())
	if !k.Integer() || !k.Signed() {
		return r, false
	}
	limit := int64(math.MaxInt64) >> (64 - k.Bits())
	steps, most, largest, sum := 0, int64(0), limit-1, false
	for i, edge := range phi.Edges {
		if edge == phi {
			continue
		}
		if n, isConst := intOf(edge); isConst {
			if !ok || n < r.Least {
				r.Least, ok = n, true
			}
			most = max(most, n)
			continue
		}
		less, increases := increments(edge, phi, phi.Block().Preds[i])
		if !increases {
			return r, false
		}
		if !less {
			largest = limit
		}
		sum = sum || less
		steps++
	}
	r.Most = max(largest, most)
	// A sum that is compared has overflowed if the loop begins with the largest number.
	return r, ok && steps > 0 && !(sum && most == limit)
}

// beginsWith returns the value, not a constant, with which a variable of a loop begins that is
// never less than that: all that the loop does is to add to it, and cannot add so much that it
// overflows. It is nil if there is none.
func beginsWith(phi *ssa.Phi) (from ssa.Value) {
	if k := code.KindOf(phi.Type()); !k.Integer() || !k.Signed() {
		return nil
	}
	steps := 0
	for i, edge := range phi.Edges {
		if edge == ssa.Value(phi) {
			continue
		}
		if less, increases := increments(edge, phi, phi.Block().Preds[i]); increases {
			if less {
				return nil // the sum is compared: it has overflowed if the loop begins with the largest number
			}
			steps++
			continue
		}
		if from != nil && from != edge {
			return nil
		}
		from = edge
	}
	if _, isConst := from.(*ssa.Const); isConst || steps == 0 {
		return nil
	}
	return from
}

// increments reports whether a value, with which a loop goes on from a block, is a variable of it
// plus a constant, without overflow, and whether that value is less than another one then.
func increments(v ssa.Value, phi *ssa.Phi, from *ssa.BasicBlock) (less, ok bool) {
	add, ok := v.(*ssa.BinOp)
	if !ok || add.Op != token.ADD || add.X != phi {
		return false, false
	}
	k, ok := intOf(add.Y)
	if !ok || k <= 0 {
		return false, false
	}
	for b := from; b != nil; b = b.Idom() {
		if b == phi.Block().Idom() {
			break
		}
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || b.Succs[0] == b.Succs[1] {
			continue
		}
		then := b.Succs[0]
		if len(then.Preds) != 1 || !then.Dominates(from) {
			continue
		}
		cond, ok := branch.Cond.(*ssa.BinOp)
		if ok && cond.Op == token.LSS && (cond.X == phi || cond.X == add) && (k == 1 || isLength(cond.Y)) {
			return cond.X == add, true
		}
	}
	return false, false
}

// isLength reports whether a value is the length or capacity of something, to which a constant can
// be added: no memory is as large as an int.
func isLength(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	return ok && ssaform.IsBuiltin(&call.Call, "len", "cap")
}

// intOf returns the value of an integer constant of few digits.
func intOf(v ssa.Value) (int64, bool) {
	n, ok := ssaform.Int(v)
	return n, ok && n == int64(int32(n))
}
