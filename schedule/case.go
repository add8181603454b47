package schedule

// A Case is an operation that a goroutine can do next: a Send, a Recv or the SelectDefault of a select, or
// another one of which it is known, before it is done, what is operated on.
type Case struct {
	Op     Op
	Object ObjectID // 0 of a nil channel, and where there is none
	Offset int64    // of the cell in the object
}

// Cell returns the cell that is operated on.
func (c Case) Cell() Cell { return Cell{c.Object, c.Offset} }

// IsCase reports whether op can be the operation of a Case.
func IsCase(op Op) bool {
	_, ok := op.ofCase()
	return ok
}

// ofCase returns the operand that a Case of an operation has, and whether there are such cases.
func (op Op) ofCase() (o operand, ok bool) {
	switch {
	case op == Sleep || op == Yield || op == SelectDefault:
		return noOperand, true
	case op <= NoOp || op >= NumOps || ofTimers[op] || len(forms[op].operands) == 0:
		return noOperand, false
	}
	o = forms[op].operands[0]
	return o, o == objectOperand || o == cellOperand
}

// Selects reports whether e is one of the cases of a select, the default case included, as far as the schedule
// says so.
func (e *Event) Selects() bool {
	return e.Op == SelectDefault || optional[e.Op]&caseBit != 0 && e.Case != NoCase
}

// Waits reports whether the goroutine of e would have waited if e had not been possible, as far as the
// schedule says so: e is not a case of a select with a default case, nor is it a lock that was tried.
func (e *Event) Waits() bool {
	if e.Try || e.Op == SelectDefault {
		return false
	}
	n := len(e.Cases)
	return n == 0 || e.Cases[n-1].Op != SelectDefault
}
