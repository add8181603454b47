package initial

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/ssaform"
	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/control"
	"github.com/everyway-go/everyway/internal/static/reaching"
)

// Goroutines that wait for one another at a barrier have passed it equally often when none of them
// is there (Bergan 2014, section 2.5.4, barrier matching). So those who are in a loop that passes
// it m times in each iteration are in the same iteration, and the variables that count iterations
// are equal.
//
// It is proved that the barrier lets nobody go on before all who ever come there have come: it
// waits for at least as many as are started. How many calls of the barrier lie on a path is a
// number for each instruction, if it is the same on all paths to there, counted from the last time
// when the loop began anew.

// A barrier is a function that nobody passes alone.
type barrier struct {
	fn *ssa.Function
	// above are the functions that lead there, and it itself.
	above map[*callgraph.Node]bool
	// begins are those with which the goroutines begin that come there.
	begins map[*ssa.Function]bool
	passed map[*ssa.Function]*passing
}

// A passing says how often a function has passed a barrier, by its blocks.
type passing struct {
	at    map[*ssa.BasicBlock]int // at their beginning; unknownTimes if that is not the same on all paths
	times map[*ssa.BasicBlock]int // by the first block of a loop, how often an iteration of it does
	total int                     // of the function
}

const unknownTimes = -1

// barriers returns the barriers of the program.
func (v *Variables) barriers() []*barrier {
	if v.barriersKnown {
		return v.barriersFound
	}
	v.barriersKnown = true
	for _, c := range v.counters {
		if b := v.barrier(c); b != nil {
			v.barriersFound = append(v.barriersFound, b)
		}
	}
	return v.barriersFound
}

// barrier returns the barrier that counts with a counter, nil if it is not known for one. No run
// may have two of it: it counts with a package variable, or with a field of a struct of which each
// target makes one.
func (v *Variables) barrier(c *counter) *barrier {
	if len(c.inside) != 1 || len(c.steps) != 1 {
		return nil
	}
	fn, step := c.inside[0], c.steps[0]
	if control.Leads(step.Block(), step.Block()) || slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		_, returns := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		return returns && b != fn.Recover && !step.Block().Dominates(b)
	}) {
		return nil
	}
	var parties ssa.Value
	for _, reset := range c.resets {
		if isInitialising(reset) {
			continue
		}
		p := fullAt(reset, step)
		if p == nil || reset.Parent() != fn || parties != nil && p != parties {
			return nil
		}
		parties = p
	}
	if parties == nil {
		return nil
	}
	b := &barrier{
		fn: fn, above: make(map[*callgraph.Node]bool), begins: make(map[*ssa.Function]bool),
		passed: make(map[*ssa.Function]*passing),
	}
	starts, ok := v.participants(b)
	if !ok || !v.areEnough(c, parties, starts) {
		return nil
	}
	return b
}

// fullAt returns the number of those who have come, at least, where a counter is set to 0 after a
// step of it and nowhere else; nil if it is not known.
func fullAt(reset, step *ssa.Store) ssa.Value {
	for b := reset.Block(); b != step.Block() && b.Idom() != nil; b = b.Idom() {
		if len(b.Preds) != 1 {
			continue
		}
		branch, ok := b.Preds[0].Instrs[len(b.Preds[0].Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		if cond, ok := branch.Cond.(*ssa.BinOp); ok && b == branch.Block().Succs[full(cond.Op)] &&
			b != branch.Block().Succs[1-full(cond.Op)] && isCounted(cond.X, step) {
			return cond.Y
		}
	}
	return nil
}

// full returns the index of the successor to which a branch goes only if a counter, the first
// operand of its condition, is not less than the second one.
func full(op token.Token) int {
	if op == token.EQL || op == token.GEQ || op == token.GTR {
		return 0
	}
	return 1
}

// isCounted reports whether a value is the one that a step has given a counter.
func isCounted(x ssa.Value, step *ssa.Store) bool {
	if x == step.Val {
		return true
	}
	load := loadOf(x)
	if load == nil {
		return false
	}
	at, base := cellOf(step.Addr)
	of, from := cellOf(load.X)
	return of == at && from == base && straight(step, load)
}

// straight reports whether one instruction comes after another one, with no other way there and no call in between.
func straight(from, to ssa.Instruction) bool {
	b := to.Block()
	end := slices.Index(b.Instrs, to)
	for b != from.Block() {
		if len(b.Preds) != 1 || slices.ContainsFunc(b.Instrs[:end], isCall) {
			return false
		}
		b = b.Preds[0]
		end = len(b.Instrs)
	}
	i := slices.Index(b.Instrs, from)
	return i < end && !slices.ContainsFunc(b.Instrs[i:end], isCall)
}

// participants finds the functions with which goroutines begin that come to a barrier, and returns
// where these are started. It reports false if others may come there.
func (v *Variables) participants(b *barrier) (starts []ssa.CallInstruction, ok bool) {
	n := v.beginnings.calls.Of(b.fn)
	if n == nil {
		return nil, false
	}
	b.above[n] = true
	for work := []*callgraph.Node{n}; len(work) > 0; {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if n.Body == nil || v.beginnings.calls.Recovers(n) || slices.Contains(v.beginnings.calls.Given(), n) ||
			v.beginnings.isStandard(n.Body.Pkg) {
			return nil, false
		}
		refs := v.referring(n.Body)
		if calledUnnamed(n) {
			return nil, false
		}
		begun := 0
		for _, ref := range refs {
			start, isCall := ref.(ssa.CallInstruction)
			switch {
			case !isCall:
				return nil, false
			case isStart(start, n.Body):
				begun++
				starts = append(starts, start)
				continue
			case start.Common().StaticCallee() != n.Body:
				return nil, false // it is passed on
			}
			if _, plain := start.(*ssa.Call); !plain {
				return nil, false
			}
			by := v.beginnings.calls.Of(start.Parent())
			if by == nil {
				return nil, false
			}
			if !b.above[by] {
				b.above[by] = true
				work = append(work, by)
			}
		}
		if begun > 0 {
			b.begins[n.Body] = true
		}
		if len(refs) == 0 || begun > 0 && begun != len(refs) {
			return nil, false
		}
	}
	return starts, len(starts) > 0
}

// calledUnnamed reports whether something may call a function without its being named there: a
// method through an interface, or by package reflect. Other functions are called as values, which
// come from where they are named.
func calledUnnamed(n *callgraph.Node) bool {
	return n.Body.Signature.Recv() != nil &&
		slices.ContainsFunc(n.Callers(), func(s *callgraph.Site) bool { return s.Instr == nil || s.Instr.Common().IsInvoke() })
}

// isStart reports whether a call starts a goroutine that begins with a function.
func isStart(call ssa.CallInstruction, fn *ssa.Function) bool {
	if _, ok := call.(*ssa.Go); ok {
		return isFunction(call.Common().Value, fn) && !call.Common().IsInvoke()
	}
	callee := call.Common().StaticCallee()
	_, plain := call.(*ssa.Call)
	return plain && callee != nil && callee.String() == "(*sync.WaitGroup).Go" && isFunction(call.Common().Args[1], fn)
}

// isFunction reports whether a value is a function, or a closure of it.
func isFunction(x ssa.Value, fn *ssa.Function) bool {
	if closure, ok := x.(*ssa.MakeClosure); ok {
		x = closure.Fn
	}
	return x == ssa.Value(fn)
}

// referring returns the instructions that use a function, also as a closure: those that use the closure.
func (v *Variables) referring(fn *ssa.Function) []ssa.Instruction {
	if v.referrers == nil {
		v.referrers = make(map[*ssa.Function][]ssa.Instruction)
		for _, n := range v.beginnings.calls.Nodes {
			if n.Body == nil {
				continue
			}
			anyOf(n.Body, func(instr ssa.Instruction) bool {
				if _, debug := instr.(*ssa.DebugRef); debug {
					return false
				}
				for _, op := range instr.Operands(nil) {
					switch x := (*op).(type) {
					case *ssa.Function:
						if closure, ok := instr.(*ssa.MakeClosure); !ok || closure.Fn != ssa.Value(x) {
							v.referrers[x] = append(v.referrers[x], instr)
						}
					case *ssa.MakeClosure:
						if of, ok := x.Fn.(*ssa.Function); ok {
							v.referrers[of] = append(v.referrers[of], instr)
						}
					}
				}
				return false
			})
		}
	}
	return v.referrers[fn]
}

// writtenBefore reports whether what a load has read may be written after it and before a goroutine
// is started for the first time.
func (v *Variables) writtenBefore(load *ssa.UnOp, start ssa.CallInstruction) bool {
	seen := make(map[*ssa.BasicBlock]bool)
	var work []*ssa.BasicBlock
	back := func(b *ssa.BasicBlock, i int) bool {
		for i--; i >= 0; i-- {
			instr := b.Instrs[i]
			if instr == ssa.Instruction(load) || instr == ssa.Instruction(start) {
				return false
			}
			if addr := reaching.Written(instr); addr != nil && v.definitions.MayReach(addr, load.X) {
				return true
			}
			if call, ok := instr.(ssa.CallInstruction); ok && v.calls.Site(call) != nil && v.definitions.Writes(call, load.X) {
				return true
			}
		}
		for _, p := range b.Preds {
			if !seen[p] {
				seen[p] = true
				work = append(work, p)
			}
		}
		return len(b.Preds) == 0 // a path that does not come from the load
	}
	if back(start.Block(), slices.Index(start.Block().Instrs, ssa.Instruction(start))) {
		return true
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if back(b, len(b.Instrs)) {
			return true
		}
	}
	return false
}

// iterations returns the number that the iterations of the loop are not more than in which an
// instruction is; nil if it is not known, or if it is in several loops.
func iterations(at ssa.Instruction) ssa.Value {
	var found ssa.Value
	for b := at.Block(); b != nil; b = b.Idom() {
		if !isLoop(b) || !control.Leads(at.Block(), b) {
			continue
		}
		if found != nil {
			return nil
		}
		for _, instr := range b.Instrs {
			phi, ok := instr.(*ssa.Phi)
			if !ok {
				break
			}
			if first, step, ok := induction(phi); ok && step == 1 && found == nil {
				found = limitOf(phi, first, at)
			}
		}
		if found == nil {
			return nil
		}
		if in, ok := found.(ssa.Instruction); ok && !ssaform.Dominates(in, b.Instrs[0]) {
			return nil // it is computed in the loop
		}
	}
	return found
}

// limitOf returns what a variable of a loop is less than in each iteration in which an instruction
// may be executed, where it says how many iterations there have been; nil if it is not known.
func limitOf(phi *ssa.Phi, first int64, at ssa.Instruction) ssa.Value {
	b := phi.Block()
	if branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok && b.Succs[0].Dominates(at.Block()) && b.Succs[0] != b {
		cond, ok := branch.Cond.(*ssa.BinOp)
		if ok && cond.Op == token.LSS && (cond.X == ssa.Value(phi) && first == 0 || cond.X == next(phi) && first == -1) {
			return cond.Y
		}
		return nil
	}
	// Where it is looked at before the loop, and at the end of each iteration.
	var found ssa.Value
	for i, pred := range b.Preds {
		branch, ok := pred.Instrs[len(pred.Instrs)-1].(*ssa.If)
		if !ok || pred.Succs[0] != b || pred.Succs[1] == b {
			return nil
		}
		cond, ok := branch.Cond.(*ssa.BinOp)
		if !ok || cond.Op != token.LSS || found != nil && cond.Y != found {
			return nil
		}
		if b.Dominates(pred) {
			if cond.X != phi.Edges[i] {
				return nil
			}
		} else if k, ok := intOf(cond.X); !ok || k != 0 || first != 0 {
			return nil
		}
		found = cond.Y
	}
	return found
}

// isLoop reports whether a block is the first one of a loop.
func isLoop(b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(b.Preds, func(p *ssa.BasicBlock) bool { return b.Dominates(p) })
}

// induction returns with which number a variable of a loop begins, and what each iteration adds to it.
func induction(phi *ssa.Phi) (first, step int64, ok bool) {
	begun := false
	for i, edge := range phi.Edges {
		if phi.Block().Dominates(phi.Block().Preds[i]) {
			add, isAdd := edge.(*ssa.BinOp)
			if !isAdd || add.Op != token.ADD || add.X != ssa.Value(phi) {
				return 0, 0, false
			}
			k, isConst := intOf(add.Y)
			if !isConst || k == 0 || step != 0 && k != step {
				return 0, 0, false
			}
			step = k
			continue
		}
		k, isConst := intOf(edge)
		if !isConst || begun && k != first {
			return 0, 0, false
		}
		first, begun = k, true
	}
	return first, step, begun && step != 0
}

// next returns the value that a variable of a loop has in the next iteration, nil if there are several.
func next(phi *ssa.Phi) ssa.Value {
	var found ssa.Value
	for i, edge := range phi.Edges {
		if phi.Block().Dominates(phi.Block().Preds[i]) {
			if found != nil && found != edge {
				return nil
			}
			found = edge
		}
	}
	return found
}

// calledOnceFrom reports whether a function is called at most once in a run of a target, and
// returns the targets that lead to it.
func (v *Variables) calledOnceFrom(n *callgraph.Node, depth int) (targets []*callgraph.Node, ok bool) {
	const limit = 10
	switch {
	case n == nil || n.Body == nil || depth > limit:
		return nil, false
	case v.beginnings.once[n]:
		return []*callgraph.Node{n}, true
	case slices.Contains(v.beginnings.calls.Given(), n):
		return nil, false
	}
	if calledUnnamed(n) {
		return nil, false
	}
	refs := v.referring(n.Body)
	for _, ref := range refs {
		call, isCall := ref.(*ssa.Call)
		if !isCall || call.Call.StaticCallee() != n.Body ||
			slices.Contains(call.Call.Args, ssa.Value(n.Body)) || control.Leads(call.Block(), call.Block()) {
			return nil, false
		}
		of, ok := v.calledOnceFrom(v.beginnings.calls.Of(call.Parent()), depth+1)
		if !ok || slices.ContainsFunc(of, func(t *callgraph.Node) bool { return slices.Contains(targets, t) }) {
			return nil, false
		}
		targets = append(targets, of...)
	}
	return targets, len(refs) > 0
}

// passing returns how often a function passes a barrier.
func (v *Variables) passing(b *barrier, fn *ssa.Function) *passing {
	if p, known := b.passed[fn]; known {
		return p
	}
	p := &passing{times: make(map[*ssa.BasicBlock]int), total: unknownTimes}
	b.passed[fn] = p // of a function that calls itself, it is not known
	p.at = v.passingIn(b, fn, nil)
	for _, block := range fn.Blocks {
		for _, back := range block.Preds {
			if !block.Dominates(back) {
				continue
			}
			from, to := p.at[block], v.atEnd(b, p.at, back)
			times := unknownTimes
			if from != unknownTimes && to != unknownTimes {
				times = to - from
			}
			if was, known := p.times[block]; known && was != times {
				times = unknownTimes
			}
			p.times[block] = times
		}
	}
	p.at = v.passingIn(b, fn, p.times)
	total, some := 0, false
	for _, block := range fn.Blocks {
		if _, returns := block.Instrs[len(block.Instrs)-1].(*ssa.Return); returns && block != fn.Recover {
			n := v.atEnd(b, p.at, block)
			if some && n != total {
				n = unknownTimes
			}
			total, some = n, true
		}
	}
	if some {
		p.total = total
	}
	return p
}

// passingIn goes through the blocks of a function. What comes after a loop that passes the barrier
// is not known, as soon as it is known how often loops do.
func (v *Variables) passingIn(b *barrier, fn *ssa.Function, times map[*ssa.BasicBlock]int) map[*ssa.BasicBlock]int {
	at := map[*ssa.BasicBlock]int{fn.Blocks[0]: 0}
	for changed := true; changed; {
		changed = false
		for _, block := range fn.Blocks {
			if block == fn.Recover || block == fn.Blocks[0] {
				continue
			}
			n, some := 0, false
			for _, pred := range block.Preds {
				if block.Dominates(pred) {
					continue
				}
				if _, known := at[pred]; !known {
					continue
				}
				is := v.atEnd(b, at, pred)
				for first, times := range times { // of loops that are left here
					if times != 0 && inLoop(pred, first) && !inLoop(block, first) {
						is = unknownTimes
					}
				}
				if some && is != n {
					is = unknownTimes
				}
				n, some = is, true
			}
			if was, known := at[block]; some && (!known || was != n && was != unknownTimes) {
				at[block], changed = n, true
			}
		}
	}
	for _, block := range fn.Blocks {
		if _, known := at[block]; !known {
			at[block] = unknownTimes
		}
	}
	return at
}

// inLoop reports whether a block is in the loop that begins with another one.
func inLoop(b, first *ssa.BasicBlock) bool {
	if b == first {
		return true
	}
	if !first.Dominates(b) {
		return false
	}
	seen := map[*ssa.BasicBlock]bool{b: true}
	for work := []*ssa.BasicBlock{b}; len(work) > 0; {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range n.Succs {
			if s == first {
				return true
			}
			if first.Dominates(s) && !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return false
}

// atEnd returns how often the barrier has been passed at the end of a block.
func (v *Variables) atEnd(b *barrier, at map[*ssa.BasicBlock]int, block *ssa.BasicBlock) int {
	return v.until(b, at, block, len(block.Instrs))
}

// until returns how often the barrier has been passed before the instruction of an index.
func (v *Variables) until(b *barrier, at map[*ssa.BasicBlock]int, block *ssa.BasicBlock, index int) int {
	n := at[block]
	for _, instr := range block.Instrs[:index] {
		times := v.passes(b, instr)
		if n == unknownTimes || times == unknownTimes {
			return unknownTimes
		}
		n += times
	}
	return n
}

// passes returns how often an instruction passes the barrier.
func (v *Variables) passes(b *barrier, instr ssa.Instruction) int {
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		return 0
	}
	s := v.beginnings.calls.Site(call)
	if _, isGo := instr.(*ssa.Go); isGo || s == nil {
		return 0
	}
	if !slices.ContainsFunc(s.Callees(), func(c *callgraph.Node) bool { return b.above[c] }) {
		return 0
	}
	if _, plain := instr.(*ssa.Call); !plain || len(s.Callees()) != 1 {
		if isStartOf(call, b) {
			return 0
		}
		return unknownTimes
	}
	if fn := s.Callees()[0].Body; fn != b.fn {
		return v.passing(b, fn).total
	}
	return 1
}

// isStartOf reports whether a call starts a goroutine that comes to the barrier.
func isStartOf(call ssa.CallInstruction, b *barrier) bool {
	for fn := range b.begins {
		if isStart(call, fn) {
			return true
		}
	}
	return false
}

// before the outermost function of a stack is called, the barrier has been passed so often.
func (v *Variables) beforeCall(b *barrier, fn *ssa.Function, depth int) int {
	const limit = 10
	if b.begins[fn] {
		return 0
	}
	refs := v.referring(fn)
	if len(refs) != 1 || depth > limit {
		return unknownTimes
	}
	call, ok := refs[0].(*ssa.Call)
	if !ok || call.Call.StaticCallee() != fn {
		return unknownTimes
	}
	p := v.passing(b, call.Parent())
	n := v.until(b, p.at, call.Block(), slices.Index(call.Block().Instrs, ssa.Instruction(call)))
	outer := v.beforeCall(b, call.Parent(), depth+1)
	for first, times := range p.times {
		if times != 0 && inLoop(call.Block(), first) {
			return unknownTimes
		}
	}
	if n == unknownTimes || outer == unknownTimes {
		return unknownTimes
	}
	return n + outer
}

// A round says in which loop a goroutine is that passes a barrier, so many times in each iteration,
// and how often it has passed it before the loop and since the iteration has begun.
type round struct {
	barrier   *barrier
	first     *ssa.BasicBlock
	times, at int
	goroutine int
}

// roundOf returns the round of a goroutine; ok is false if it is at no known one, or in the barrier.
func (v *Variables) roundOf(b *barrier, stack []ssa.Instruction) (r round, ok bool) {
	r = round{barrier: b, at: v.beforeCall(b, stack[len(stack)-1].Parent(), 0)}
	if r.at == unknownTimes {
		return r, false
	}
	for _, at := range stack {
		if at.Parent() == b.fn || !b.above[v.beginnings.calls.Of(at.Parent())] && v.beginnings.calls.Of(at.Parent()) == nil {
			return r, false
		}
		if !b.above[v.beginnings.calls.Of(at.Parent())] {
			continue // it does not come there
		}
		p := v.passing(b, at.Parent())
		n := v.until(b, p.at, at.Block(), slices.Index(at.Block().Instrs, at))
		if n == unknownTimes {
			return r, false
		}
		r.at += n
		for first, times := range p.times {
			switch {
			case times == 0 || !inLoop(at.Block(), first):
			case times == unknownTimes || r.first != nil:
				return r, false
			default:
				r.first, r.times = first, times
			}
		}
	}
	return r, r.first != nil
}

// rounds returns what is known of the variables of loops of goroutines with stacks, by goroutine.
// Excluded says why no run has goroutines at all of these places at once, if it is so.
func (v *Variables) rounds(stacks [][]ssa.Instruction) (same []map[ssa.Value]fragment.Round, excluded string) {
	if len(stacks) < 2 {
		return nil, ""
	}
	for _, b := range v.barriers() {
		in := make(map[*ssa.BasicBlock][]round)
		for i, stack := range stacks {
			if r, ok := v.roundOf(b, stack); ok {
				r.goroutine = i
				in[r.first] = append(in[r.first], r)
			}
		}
		for first, list := range in {
			last := slices.MaxFunc(list, func(r, other round) int { return r.at - other.at })
			if slices.ContainsFunc(list, func(r round) bool { return (last.at-r.at)%r.times != 0 }) {
				return nil, fmt.Sprintf("goroutines cannot be at both: %s lets them go on together", b.fn.Name())
			}
			if len(list) == 1 {
				continue
			}
			if same == nil {
				same = make([]map[ssa.Value]fragment.Round, len(stacks))
			}
			for _, instr := range first.Instrs {
				phi, ok := instr.(*ssa.Phi)
				if !ok {
					break
				}
				if _, step, ok := induction(phi); ok {
					equate(same, phi, step, last, list)
				}
			}
		}
	}
	return same, ""
}

// equate notes what a variable of a loop, to which each iteration adds a step, is in goroutines of
// which all have passed the barrier equally often: who has passed it less often in its iteration
// than the last one has begun more iterations. Nothing is noted if another barrier has said
// something of the variable.
func equate(same []map[ssa.Value]fragment.Round, phi *ssa.Phi, step int64, last round, list []round) {
	name := phi.Comment
	if name == "" {
		name = phi.Name()
	}
	name = strings.Join([]string{phi.Parent().Name(), "in all: " + name}, " ")
	rounds := make([]fragment.Round, len(list))
	for i, r := range list {
		_, known := same[r.goroutine][phi]
		rounds[i] = fragment.Round{Name: name, Add: int64((last.at-r.at)/r.times) * step}
		if known || int64(int32(rounds[i].Add)) != rounds[i].Add {
			return
		}
	}
	for i, r := range list {
		if same[r.goroutine] == nil {
			same[r.goroutine] = make(map[ssa.Value]fragment.Round)
		}
		same[r.goroutine][phi] = rounds[i]
	}
}
