package evalorder

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// orderPart returns list, the instructions of one part in a block, in the order of gc:
// list itself if that is the same.
func orderPart(list []ssa.Instruction, p part) []ssa.Instruction {
	branches := p.branches()
	fixed := make(map[ssa.Instruction]bool)
	for _, instr := range list {
		// Some keys are copied before the value is computed, depending on their type.
		if update, ok := instr.(*ssa.MapUpdate); ok {
			fix(fixed, list, update.Key)
		}
	}
	for {
		q := queue{part: p, branches: branches, fixed: fixed, since: make(map[ssa.Instruction]int)}
		for _, instr := range list {
			q.add(instr)
		}
		if len(q.list) > 0 && q.branches && leavesBlock(list[len(list)-1]) {
			for _, instr := range q.list { // other blocks use them
				fixed[instr] = true
			}
			continue
		}
		q.release(q.list)
		if !q.moved {
			return list
		}
		return q.out
	}
}

// fix adds v and what it is computed from in list to fixed.
func fix(fixed map[ssa.Instruction]bool, list []ssa.Instruction, v ssa.Value) {
	instr, ok := v.(ssa.Instruction)
	if !ok || fixed[instr] || !slices.Contains(list, instr) {
		return
	}
	fixed[instr] = true
	for _, op := range instr.Operands(nil) {
		if *op != nil {
			fix(fixed, list, *op)
		}
	}
}

// A queue has the instructions of a part that are delayed.
type queue struct {
	part     part
	branches bool                     // part.branches
	fixed    map[ssa.Instruction]bool // those that are not delayed

	list  []ssa.Instruction       // in the order of go/ssa
	since map[ssa.Instruction]int // the number of calls in out when each was added
	out   []ssa.Instruction       // the new order
	calls int                     // in out
	moved bool                    // a load has moved behind a call
}

// add adds the next instruction of the part.
func (q *queue) add(instr ssa.Instruction) {
	if q.delays(instr) {
		q.list = append(q.list, instr)
		q.since[instr] = q.calls
		return
	}
	if q.ends(instr) || leavesBlock(instr) && !q.branches {
		q.release(q.list)
	} else {
		q.release(q.neededBy(instr))
	}
	q.out = append(q.out, instr)
	if runsCode(instr) {
		q.calls++
	}
}

// release moves instructions from the queue to the new order.
func (q *queue) release(instrs []ssa.Instruction) {
	if len(instrs) == 0 {
		return
	}
	for _, instr := range instrs {
		q.out = append(q.out, instr)
		q.moved = q.moved || isLoad(instr) && q.since[instr] < q.calls
		delete(q.since, instr)
	}
	q.list = slices.DeleteFunc(slices.Clone(q.list), func(instr ssa.Instruction) bool {
		_, ok := q.since[instr]
		return !ok
	})
}

// delays reports whether instr is to be delayed: it is a read of the part, or needs the
// result of an instruction that is delayed.
func (q *queue) delays(instr ssa.Instruction) bool {
	if q.fixed[instr] || !q.canDelay(instr) {
		return false
	}
	pos := instr.Pos()
	return q.reads(instr) && q.part.has(pos) || len(q.neededBy(instr)) > 0
}

// reads reports whether instr reads memory of the program, or selects what to read.
func (q *queue) reads(instr ssa.Instruction) bool {
	switch v := instr.(type) {
	case *ssa.UnOp:
		return v.Op == token.MUL && q.part.literal(v.X) == nil
	case *ssa.FieldAddr:
		return q.part.literal(v) == nil
	case *ssa.IndexAddr:
		return q.part.literal(v) == nil
	case *ssa.Index:
		return true
	}
	return false
}

// neededBy returns the delayed instructions that have to be executed before instr.
func (q *queue) neededBy(instr ssa.Instruction) []ssa.Instruction {
	if len(q.list) == 0 {
		return nil
	}
	needed := make(map[ssa.Instruction]bool)
	var need func(instr ssa.Instruction)
	need = func(instr ssa.Instruction) {
		for _, op := range instr.Operands(nil) {
			if from, ok := (*op).(ssa.Instruction); ok {
				if _, ok := q.since[from]; ok && !needed[from] {
					needed[from] = true
					need(from)
				}
			}
			// An instruction that uses a literal, other than to fill it in or to
			// select from it, depends on all its elements.
			lit := q.part.literal(*op)
			if lit == nil || selects(instr) || stores(instr, op) {
				continue
			}
			for _, delayed := range q.list {
				if store, ok := delayed.(*ssa.Store); ok && q.part.literal(store.Addr) == lit && !needed[store] {
					needed[store] = true
					need(store)
				}
			}
		}
	}
	need(instr)
	if len(needed) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(q.list), func(instr ssa.Instruction) bool { return !needed[instr] })
}

// ends reports whether instr is the first of the effects of a statement, or its end:
// everything that the statement needs is read before.
func (q *queue) ends(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Store:
		root, ok := rootOf(instr.Addr).(*ssa.Alloc)
		return q.part.literal(instr.Addr) == nil && !(ok && root.Comment == "varargs")
	case *ssa.RunDefers, *ssa.Return, *ssa.Panic:
		return true
	}
	return false
}

// canDelay reports whether gc delays instr until its value is needed, in all builds.
func (q *queue) canDelay(instr ssa.Instruction) bool {
	switch v := instr.(type) {
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Field, *ssa.Index, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.SliceToArrayPointer:
		return true
	case *ssa.UnOp:
		return v.Op != token.ARROW
	case *ssa.BinOp:
		return v.Op != token.EQL && v.Op != token.NEQ || !isAggregate(v.X.Type())
	case *ssa.Convert:
		_, slice := v.Type().Underlying().(*types.Slice)
		return !slice
	case *ssa.MakeInterface:
		// Of other values gc takes the address, or copies them first.
		switch t := v.X.Type().Underlying().(type) {
		case *types.Slice:
			return true
		case *types.Basic:
			switch t.Kind() {
			case types.Bool, types.Int8, types.Uint8, types.Complex64, types.Complex128, types.UnsafePointer:
				return false
			}
			return true
		}
		return false
	case *ssa.MakeClosure: // a method value
		return v.Fn.(*ssa.Function).Syntax() == nil
	case *ssa.Slice:
		lit, ok := v.X.(*ssa.Alloc)
		return ok && lit.Comment == "slicelit"
	case *ssa.Store:
		return q.part.literal(v.Addr) != nil
	}
	return false
}
