package solve

import (
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve/sat"
)

// Result is the answer to a query.
type Result = sat.Result

// The answers.
const (
	Unknown = sat.Unknown // the budget was spent
	Sat     = sat.Sat
	Unsat   = sat.Unsat
)

// answer is what is known of a slice.
type answer struct {
	result Result
	vars   []expr.ID // those of the slice, in a structural order
	values []uint64  // of vars, if the result is Sat
}

// lookup returns a function that gives the values of variables, 0 for those that
// are not in the slice.
func (a *answer) lookup() func(v expr.ID) uint64 {
	values := make(map[expr.ID]uint64, len(a.vars))
	for i, v := range a.vars {
		values[v] = a.values[i]
	}
	return func(v expr.ID) uint64 { return values[v] }
}
