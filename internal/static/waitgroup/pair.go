package waitgroup

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/ssaform"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/control"
)

// proves reports whether the wait group of a Done always counts the goroutine that has not called
// it yet. All calls of Done that may be of the same wait group have to be paired with an Add.
func (c *Counts) proves(done *operation) bool {
	known, ok := c.proved[done.site.Instr]
	if !ok {
		known = c.prove(done)
		c.proved[done.site.Instr] = known
	}
	return known
}

// prove is proves without its cache.
func (c *Counts) prove(done *operation) bool {
	to := c.pointers.Pointees(done.recv)
	if to.Empty() || to.Exposed() || len(c.definitions.Writers(done.recv)) > 0 {
		return false
	}
	for i := range c.ops {
		op := &c.ops[i]
		if op.recv != done.recv && !c.pointers.Pointees(op.recv).May(to) {
			continue
		}
		if op.done && !c.paired(op) || !op.done && !notNegative(op.size) {
			return false
		}
	}
	return true
}

// paired reports whether a Done is the only one that a goroutine calls, at most once, and the go
// statements that start the goroutine come after an Add of their own.
func (c *Counts) paired(op *operation) bool {
	begin := c.beginOf(op)
	if begin == nil {
		return false
	}
	only, by := c.doneOf(begin)
	if only != op || control.Leads(by.Block(), by.Block()) || control.Leads(op.site.Instr.Block(), op.site.Instr.Block()) {
		return false
	}
	if d, ok := by.(*ssa.Defer); ok && d.DeferStack != nil {
		return false
	}
	for _, s := range begin.Callers() {
		if !c.pointers.MayCall(s, begin) {
			continue
		}
		if s.Mode != callgraph.Go || s.Instr == nil || s.Caller.Body == nil {
			return false
		}
		p, ok := c.startedWith(op, by, begin, s)
		if !ok || !c.added(s, p) {
			return false
		}
	}
	return true
}

// beginOf returns the function with which the goroutine begins that calls a Done: its function, or
// the one that defers it.
func (c *Counts) beginOf(op *operation) *callgraph.Node {
	fn := op.site.Instr.Parent()
	if n := c.graph.Of(fn); n != nil {
		if d := control.DeferOf(fn); d != nil {
			return c.graph.Of(d.Parent())
		}
		return n
	}
	return nil
}

// startedWith returns the path of the wait group of a Done in the function that starts its goroutine.
func (c *Counts) startedWith(op *operation, by ssa.CallInstruction, begin *callgraph.Node, s *callgraph.Site) (p path, ok bool) {
	p = pathOf(op.recv)
	if by != op.site.Instr {
		if p, ok = above(p, by.Common(), c.graph.Of(op.site.Instr.Parent())); !ok {
			return p, false
		}
	}
	return above(p, s.Instr.Common(), begin)
}

// added reports whether an Add of the wait group of a path comes before each execution of a go
// statement, for that alone.
func (c *Counts) added(start *callgraph.Site, p path) bool {
	add := c.nearest(start, p)
	if add == nil {
		return false
	}
	n := 0
	for _, s := range start.Caller.Sites {
		if s.Mode == callgraph.Go && s.Instr != nil && c.mayOwe(s, p) && c.nearest(s, p) == add {
			n++
		}
	}
	if k, ok := ssaform.Int(add.size); ok && int64(n) <= k && !around(start.Instr, add.site.Instr.Block()) {
		return true
	}
	return n == 1 && c.counted(add, start.Instr)
}

// nearest returns the last Add of the wait group of a path on all ways to a go statement, nil if there is none.
func (c *Counts) nearest(start *callgraph.Site, p path) (found *operation) {
	for i := range c.ops {
		op := &c.ops[i]
		if op.done || op.site.Mode != callgraph.Call || op.site.Caller != start.Caller ||
			pathOf(op.recv) != p || !ssaform.Dominates(op.site.Instr, start.Instr) {
			continue
		}
		if found == nil || ssaform.Dominates(found.site.Instr, op.site.Instr) {
			found = op
		}
	}
	return found
}

// mayOwe reports whether a go statement may start a goroutine that calls Done of the wait group of
// a path, under this name.
func (c *Counts) mayOwe(s *callgraph.Site, p path) bool {
	for _, n := range s.Callees() {
		op, by := c.doneOf(n)
		if op == nil {
			continue
		}
		if q, ok := c.startedWith(op, by, n, s); !ok || q == p {
			return true
		}
	}
	return false
}

// around reports whether an instruction can be executed again without going through a block.
func around(instr ssa.Instruction, block *ssa.BasicBlock) bool {
	return instr.Block() != block && leadsAvoiding(instr.Block(), instr.Block(), block)
}

// leadsAvoiding reports whether a path of at least one edge leads from a block to another one that
// does not go through a third one.
func leadsAvoiding(from, to, avoid *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{avoid: true}
	work := []*ssa.BasicBlock{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range b.Succs {
			if s == avoid {
				continue
			}
			if s == to {
				return true
			}
			if !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return false
}

// counted reports whether a go statement is executed at most as often as an Add before it has
// added: once in each iteration of a loop that counts from 0 to that number.
func (c *Counts) counted(add *operation, start ssa.Instruction) bool {
	for h := start.Block(); h != nil && h != add.site.Instr.Block(); h = h.Idom() {
		if (c.testsAtHead(h, add.size, start) || c.testsBefore(h, add.size)) && !around(start, h) &&
			c.entersAfter(h, add.site.Instr.Block()) {
			return true
		}
	}
	return false
}

// testsAtHead reports whether a block is the head of a loop that is left there when a number of
// iterations have been made, in each of which an instruction is executed only if it is not.
func (c *Counts) testsAtHead(h *ssa.BasicBlock, n ssa.Value, start ssa.Instruction) bool {
	branch, ok := h.Instrs[len(h.Instrs)-1].(*ssa.If)
	if !ok || len(h.Succs[0].Preds) != 1 || !h.Succs[0].Dominates(start.Block()) {
		return false
	}
	cond, ok := branch.Cond.(*ssa.BinOp)
	return ok && cond.Op == token.LSS && sameNumber(cond.Y, n) && c.countsTo(h, cond.X)
}

// testsBefore reports whether a block begins the body of a loop, to which all that leads tests that
// a number of iterations have not yet been made.
func (c *Counts) testsBefore(h *ssa.BasicBlock, n ssa.Value) bool {
	for _, instr := range h.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			return false
		}
		if !c.countsTo(h, phi) {
			continue
		}
		tested := func(i int) bool {
			from := h.Preds[i]
			branch, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
			if !ok || from.Succs[0] != h || from.Succs[1] == h {
				return false
			}
			cond, ok := branch.Cond.(*ssa.BinOp)
			return ok && cond.Op == token.LSS && sameNumber(cond.X, phi.Edges[i]) && sameNumber(cond.Y, n)
		}
		all := true
		for i := range phi.Edges {
			all = all && tested(i)
		}
		if all {
			return true
		}
	}
	return false
}

// countsTo reports whether a value in the head of a loop is the number of iterations before.
func (c *Counts) countsTo(h *ssa.BasicBlock, x ssa.Value) bool {
	first := int64(0)
	if add, ok := x.(*ssa.BinOp); ok && add.Op == token.ADD && add.Block() == h {
		if k, isConst := ssaform.Int(add.Y); !isConst || k != 1 {
			return false
		}
		x, first = add.X, -1
	}
	phi, ok := x.(*ssa.Phi)
	if !ok || phi.Block() != h {
		return false
	}
	for _, edge := range phi.Edges {
		if k, isConst := ssaform.Int(edge); isConst {
			if k != first {
				return false
			}
			continue
		}
		add, ok := edge.(*ssa.BinOp)
		if !ok || add.Op != token.ADD || add.X != ssa.Value(phi) {
			return false
		}
		if k, isConst := ssaform.Int(add.Y); !isConst || k != 1 {
			return false
		}
	}
	return true
}

// entersAfter reports whether a loop is not begun again without going through a block before it.
func (c *Counts) entersAfter(h, add *ssa.BasicBlock) bool {
	for i, p := range h.Preds {
		for _, instr := range h.Instrs {
			phi, ok := instr.(*ssa.Phi)
			if !ok {
				break
			}
			if _, enters := ssaform.Int(phi.Edges[i]); enters && p != add && (p == h || leadsAvoiding(h, p, add)) {
				return false
			}
		}
	}
	return true
}

// sameNumber reports whether two values are the same number: the same value, the same constant, or
// the length of the same.
func sameNumber(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	k, ok := ssaform.Int(a)
	l, both := ssaform.Int(b)
	if ok && both {
		return k == l
	}
	x, y := lengthOf(a), lengthOf(b)
	return x.of != nil && x == y
}

// A length is the length of a slice or string, or the capacity of a slice.
type length struct {
	of      ssa.Value
	builtin string // len or cap
}

// lengthOf returns what length a value is, the zero length if it is none.
func lengthOf(v ssa.Value) length {
	call, ok := v.(*ssa.Call)
	if !ok {
		return length{}
	}
	b, ok := call.Call.Value.(*ssa.Builtin)
	if !ok || b.Name() != "len" && b.Name() != "cap" {
		return length{}
	}
	switch x := call.Call.Args[0]; t := x.Type().Underlying().(type) {
	case *types.Slice:
		return length{x, b.Name()}
	case *types.Basic:
		if t.Info()&types.IsString != 0 {
			return length{x, b.Name()}
		}
	}
	return length{}
}

// notNegative reports whether a value is certainly not less than 0.
func notNegative(v ssa.Value) bool {
	if k, ok := ssaform.Int(v); ok {
		return k >= 0
	}
	return lengthOf(v).of != nil
}
