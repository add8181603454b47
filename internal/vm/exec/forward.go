package exec

import (
	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/vm/linkname"
)

// forwarded returns the function that runs in place of fn, which has no body and the
// given name. It returns nil if the program contains none.
func (m *Interpreter) forwarded(fn *ssa.Function, name string) *ssa.Function {
	if to, ok := linkname.Forwarded(name); ok {
		return linkname.Lookup(m.Program.SSA, to)
	}
	if m.primitives[name] != nil {
		return nil
	}
	if symbol := linkname.Target(fn); symbol != "" {
		if to := linkname.Lookup(m.Program.SSA, symbol); to != nil && m.sameShape(to, fn) {
			return to
		}
	}
	return nil
}

// sameShape reports whether to can be run and has as many words of arguments and results
// as fn. The linker compares names only.
func (m *Interpreter) sameShape(to, fn *ssa.Function) bool {
	a, b := m.Program.Func(to), m.Program.Func(fn)
	return (!a.Intrinsic || m.primitives[a.Name] != nil) && a.Params == b.Params && a.Results == b.Results
}
