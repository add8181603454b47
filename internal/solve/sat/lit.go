package sat

import "fmt"

// Lit is a variable (the low bit is 0) or its negation (the low bit is 1).
// Variables count from 0 in the order of [Solver.NewVar].
type Lit uint32

// Not returns the negation of l.
func (l Lit) Not() Lit { return l ^ 1 }

// Var returns the index of the variable of l.
func (l Lit) Var() int { return int(l >> 1) }

// Negated reports whether l is the negation of its variable.
func (l Lit) Negated() bool { return l&1 == 1 }

func (l Lit) String() string {
	if l.Negated() {
		return fmt.Sprintf("¬%d", l.Var())
	}
	return fmt.Sprint(l.Var())
}

// Result is the answer to a query.
type Result uint8

// The answers.
const (
	Unknown Result = iota // the budget ran out
	Sat
	Unsat
)

func (r Result) String() string {
	switch r {
	case Sat:
		return "sat"
	case Unsat:
		return "unsat"
	}
	return "unknown"
}

// Theory judges assignments by more than the clauses. The solver reports
// the literals of observed variables ([Solver.Observe]) to it as they become
// true, and takes them back in the reverse order.
type Theory interface {
	// Assert reports that l is true from now on. If the literals asserted cannot
	// all be, it returns some that cannot, l among them, and l does not count
	// as asserted; otherwise it returns nil. The solver only reads the slice,
	// and only until the next call.
	Assert(l Lit) []Lit
	// Retract takes back l, which is the last literal asserted.
	Retract(l Lit)
	// Choose returns l, of an observed variable not asserted, or its negation,
	// such that what is asserted and what Choose returns for all the others
	// can hold together.
	Choose(l Lit) Lit
}
