package code

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/ssaform"
)

// ComparesReceiver reports whether a method, or a function that it calls with its receiver,
// compares that with nil. If not, nobody expects the method to be called with a nil pointer.
func ComparesReceiver(fn *ssa.Function) bool {
	return len(fn.Params) > 0 && comparedWithNil(fn.Params[0], make(map[ssa.Value]bool))
}

// comparedWithNil reports whether a value is compared with nil where it is, or may be, one of a function's variables.
func comparedWithNil(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] || v.Referrers() == nil {
		return false
	}
	seen[v] = true
	for _, user := range *v.Referrers() {
		switch user := user.(type) {
		case *ssa.BinOp:
			if isComparison(user.Op) && (ssaform.IsNil(user.X) || ssaform.IsNil(user.Y)) {
				return true
			}
		case *ssa.Phi:
			if comparedWithNil(user, seen) {
				return true
			}
		case *ssa.Store: // to a variable that has a place in memory
			if user.Val == v && loadedAndCompared(user.Addr, seen) {
				return true
			}
		case ssa.CallInstruction:
			callee := user.Common().StaticCallee()
			for i, arg := range user.Common().Args {
				if arg == v && callee != nil && i < len(callee.Params) && comparedWithNil(callee.Params[i], seen) {
					return true
				}
			}
		}
	}
	return false
}

// loadedAndCompared reports whether what a variable in memory has is compared with nil, in a
// function or in the literals that capture the variable.
func loadedAndCompared(addr ssa.Value, seen map[ssa.Value]bool) bool {
	if _, local := addr.(*ssa.FreeVar); !local {
		if _, local = addr.(*ssa.Alloc); !local {
			return false
		}
	}
	if seen[addr] {
		return false
	}
	seen[addr] = true
	for _, user := range *addr.Referrers() {
		switch user := user.(type) {
		case *ssa.UnOp:
			if user.Op == token.MUL && comparedWithNil(user, seen) {
				return true
			}
		case *ssa.MakeClosure:
			fn := user.Fn.(*ssa.Function)
			for i, bound := range user.Bindings {
				if bound == addr && loadedAndCompared(fn.FreeVars[i], seen) {
					return true
				}
			}
		}
	}
	return false
}

func isComparison(op token.Token) bool { return op == token.EQL || op == token.NEQ }
