package code

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// When a variable is read in a statement that also calls functions, the Go
// specification leaves open which comes first ("Order of evaluation"). go/ssa reads
// from left to right; gc makes all calls and receives of the statement first, and
// reads what else the statement wants when they are done (cmd/compile/internal/walk,
// order.go). So for
//
//	return id, parse(text, &id)
//
// they give different results, and a program that go test never sees fail would. A
// block's instructions are put in gc's order here: what only selects, loads and
// computes waits until something of the same statement that gc does not put off
// needs its value. The operands of len, append, slice expressions and conversions
// to []byte, for instance, are read where they stand.
//
// What gc itself does in one way or another, depending on its flags (a map lookup, a type
// assertion, the conversion of a struct to an interface), stays where go/ssa has it, and so
// do statements over several blocks: those with && and ||.

// order returns the instructions of block b in the order in which they are run.
func (c *compiler) order(b *ssa.BasicBlock) []ssa.Instruction {
	if !readsBeforeCall(b.Instrs) {
		return b.Instrs
	}
	if c.ordered == nil {
		c.ordered = orderedParts(c.fn.Syntax())
	}
	var out []ssa.Instruction
	for rest := b.Instrs; len(rest) > 0; {
		part, n := c.partAt(rest)
		if part.to.IsValid() && readsBeforeCall(rest[:n]) {
			out = append(out, orderStatement(rest[:n], part)...)
		} else {
			out = append(out, rest[:n]...)
		}
		rest = rest[n:]
	}
	return out
}

// An orderedPart is a part of the source in which calls go first.
type orderedPart struct {
	posRange
	node ast.Node // the statement or expression
}

func (p orderedPart) has(pos token.Pos) bool { return p.from <= pos && pos < p.to }

// partAt returns the ordered part that list begins with, the zero orderedPart for
// none, and how many instructions are of it. Those without a position are of the
// same part as what they follow.
func (c *compiler) partAt(list []ssa.Instruction) (part orderedPart, n int) {
	for known := false; n < len(list); n++ {
		pos := list[n].Pos()
		if !pos.IsValid() {
			continue
		}
		at := c.orderedPartAt(pos)
		if known && at != part || !known && n > 0 && at.to.IsValid() {
			return part, n
		}
		part, known = at, true
	}
	return part, n
}

// orderedPartAt returns the one of c.ordered that pos is in, the zero orderedPart for none.
func (c *compiler) orderedPartAt(pos token.Pos) orderedPart {
	i, found := slices.BinarySearchFunc(c.ordered, pos, func(p orderedPart, pos token.Pos) int { return cmp.Compare(p.from, pos) })
	if !found {
		i--
	}
	if i < 0 || !c.ordered[i].has(pos) {
		return orderedPart{}
	}
	return c.ordered[i]
}

// orderedParts returns the parts of a function in each of which calls go first, in
// ascending order: simple statements and the expressions at the head of others. They
// do not overlap; those of function literals are parts of other functions. The result
// is not nil.
func orderedParts(fn ast.Node) []orderedPart {
	parts := []orderedPart{}
	add := func(n ast.Node) {
		parts = append(parts, orderedPart{posRange{n.Pos(), n.End()}, n})
	}
	addExpr := func(x ast.Expr) {
		if x != nil {
			add(x)
		}
	}
	if fn == nil {
		return parts
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return n == fn
		case *ast.ReturnStmt, *ast.AssignStmt, *ast.ExprStmt, *ast.SendStmt, *ast.IncDecStmt, *ast.GoStmt, *ast.DeferStmt, *ast.ValueSpec:
			add(n)
			return false
		case *ast.IfStmt:
			addExpr(n.Cond)
		case *ast.ForStmt:
			addExpr(n.Cond)
		case *ast.RangeStmt:
			addExpr(n.X)
		case *ast.SwitchStmt:
			addExpr(n.Tag)
		case *ast.TypeSwitchStmt:
			if n.Init != nil {
				add(n.Init)
			}
			for _, clause := range n.Body.List {
				for _, s := range clause.(*ast.CaseClause).Body {
					parts = append(parts, orderedParts(s)...)
				}
			}
			return false
		case *ast.CaseClause:
			for _, x := range n.List {
				add(x)
			}
		case *ast.CommClause: // its operands are all evaluated in turn
			for _, s := range n.Body {
				parts = append(parts, orderedParts(s)...)
			}
			return false
		}
		return true
	})
	slices.SortFunc(parts, func(a, b orderedPart) int { return cmp.Compare(a.from, b.from) })
	return parts
}

// branches reports whether p has && or ||, so that it may go over several blocks.
func (p orderedPart) branches() bool {
	found := false
	ast.Inspect(p.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			found = found || n.Op == token.LAND || n.Op == token.LOR
		}
		return true
	})
	return found
}

// readsBeforeCall reports whether in list a load of the source comes before a
// call or receive.
func readsBeforeCall(list []ssa.Instruction) bool {
	reads := false
	for _, instr := range list {
		if isLoad(instr) && instr.Pos().IsValid() {
			reads = true
		} else if reads && runsCode(instr) {
			return true
		}
	}
	return false
}

func isLoad(instr ssa.Instruction) bool {
	load, ok := instr.(*ssa.UnOp)
	return ok && load.Op == token.MUL
}

// runsCode reports whether instr is an operand of a statement that can change memory:
// a call, also of copy or append, or a receive, during which others run.
func runsCode(instr ssa.Instruction) bool {
	switch v := instr.(type) {
	case *ssa.Call:
		builtin, ok := v.Call.Value.(*ssa.Builtin)
		return !ok || builtin.Name() == "copy" || builtin.Name() == "append"
	case *ssa.UnOp:
		return v.Op == token.ARROW
	}
	return false
}

// orderStatement returns list, the instructions of one part in a block, in the
// order of gc: list itself if that is the same.
func orderStatement(list []ssa.Instruction, part orderedPart) []ssa.Instruction {
	branches := part.branches()
	fixed := make(map[ssa.Instruction]bool)
	for _, instr := range list {
		// Some keys are copied before the value is computed, by their type.
		if update, ok := instr.(*ssa.MapUpdate); ok {
			fix(fixed, list, update.Key)
		}
	}
	for {
		w := waiting{part: part, branches: branches, fixed: fixed, since: make(map[ssa.Instruction]int)}
		for _, instr := range list {
			w.add(instr)
		}
		if len(w.list) > 0 && w.branches && leavesBlock(list[len(list)-1]) {
			for _, instr := range w.list { // what other blocks use
				fixed[instr] = true
			}
			continue
		}
		w.run(w.list)
		if !w.moved {
			return list
		}
		return w.out
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

// waiting has the instructions of a part that are put off.
type waiting struct {
	part     orderedPart
	branches bool                     // part.branches
	fixed    map[ssa.Instruction]bool // those that do not wait

	list  []ssa.Instruction       // in the order of go/ssa
	since map[ssa.Instruction]int // how many calls were in out when it was come to
	out   []ssa.Instruction       // those that have been run
	calls int                     // in out
	moved bool                    // a load has gone behind a call
}

// add adds the next instruction of the part.
func (w *waiting) add(instr ssa.Instruction) {
	if w.waits(instr) {
		w.list = append(w.list, instr)
		w.since[instr] = w.calls
		return
	}
	if w.ends(instr) || leavesBlock(instr) && !w.branches {
		w.run(w.list)
	} else {
		w.run(w.neededBy(instr))
	}
	w.out = append(w.out, instr)
	if runsCode(instr) {
		w.calls++
	}
}

// run takes instructions off the list.
func (w *waiting) run(instrs []ssa.Instruction) {
	if len(instrs) == 0 {
		return
	}
	for _, instr := range instrs {
		w.out = append(w.out, instr)
		w.moved = w.moved || isLoad(instr) && w.since[instr] < w.calls
		delete(w.since, instr)
	}
	w.list = slices.DeleteFunc(slices.Clone(w.list), func(instr ssa.Instruction) bool {
		_, ok := w.since[instr]
		return !ok
	})
}

// waits reports whether instr is to wait: it is a read of the part, or needs the
// result of what waits.
func (w *waiting) waits(instr ssa.Instruction) bool {
	if w.fixed[instr] || !w.canWait(instr) {
		return false
	}
	pos := instr.Pos()
	return w.reads(instr) && w.part.has(pos) || len(w.neededBy(instr)) > 0
}

// reads reports whether instr reads memory of the program's, or selects what to read.
func (w *waiting) reads(instr ssa.Instruction) bool {
	switch v := instr.(type) {
	case *ssa.UnOp:
		return v.Op == token.MUL && w.literal(v.X) == nil
	case *ssa.FieldAddr:
		return w.literal(v) == nil
	case *ssa.IndexAddr:
		return w.literal(v) == nil
	case *ssa.Index:
		return true
	}
	return false
}

// neededBy returns what has to be run before instr.
func (w *waiting) neededBy(instr ssa.Instruction) []ssa.Instruction {
	if len(w.list) == 0 {
		return nil
	}
	needed := make(map[ssa.Instruction]bool)
	var need func(instr ssa.Instruction)
	need = func(instr ssa.Instruction) {
		for _, op := range instr.Operands(nil) {
			if from, ok := (*op).(ssa.Instruction); ok {
				if _, ok := w.since[from]; ok && !needed[from] {
					needed[from] = true
					need(from)
				}
			}
			// Who uses a literal, but to fill it in or to select from it, sees all its elements.
			lit := w.literal(*op)
			if lit == nil || selects(instr) || stores(instr, op) {
				continue
			}
			for _, waiting := range w.list {
				if store, ok := waiting.(*ssa.Store); ok && w.literal(store.Addr) == lit && !needed[store] {
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
	return slices.DeleteFunc(slices.Clone(w.list), func(instr ssa.Instruction) bool { return !needed[instr] })
}

// ends reports whether instr is the first of a statement's effects, or its end: all
// that it wants is read before.
func (w *waiting) ends(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Store:
		root, ok := rootOf(instr.Addr).(*ssa.Alloc)
		return w.literal(instr.Addr) == nil && !(ok && root.Comment == "varargs")
	case *ssa.RunDefers, *ssa.Return, *ssa.Panic:
		return true
	}
	return false
}

// canWait reports whether gc puts instr off until its value is needed, in all builds.
func (w *waiting) canWait(instr ssa.Instruction) bool {
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
		return w.literal(v.Addr) != nil
	}
	return false
}

// leavesBlock reports whether instr goes on to another block.
func leavesBlock(instr ssa.Instruction) bool {
	switch instr.(type) {
	case *ssa.If, *ssa.Jump:
		return true
	}
	return false
}

func isAggregate(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return false
}

// literal returns the composite literal of the part that addr is the address of, or of
// an element of; nil for none.
func (w *waiting) literal(addr ssa.Value) *ssa.Alloc {
	root, ok := rootOf(addr).(*ssa.Alloc)
	if ok && w.part.has(root.Pos()) && (root.Comment == "complit" || root.Comment == "slicelit") {
		return root
	}
	return nil
}

// selects reports whether instr computes the address of a field or element.
func selects(instr ssa.Instruction) bool {
	switch instr.(type) {
	case *ssa.FieldAddr, *ssa.IndexAddr:
		return true
	}
	return false
}

// stores reports whether instr stores to the address in op.
func stores(instr ssa.Instruction, op *ssa.Value) bool {
	store, ok := instr.(*ssa.Store)
	return ok && op == &store.Addr
}

// rootOf returns what addr is selected from.
func rootOf(addr ssa.Value) ssa.Value {
	for {
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			addr = a.X
		case *ssa.IndexAddr:
			addr = a.X
		default:
			return addr
		}
	}
}
