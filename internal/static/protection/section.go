package protection

import (
	"go/token"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/control"
	"github.com/everyway-go/everyway/internal/static/lockset"
)

// A section goes through a function with what the critical sections in it make of the numbers of a
// group, in one of the variables that have the lock.
type section struct {
	*bounding
	g     *group
	n     *callgraph.Node
	graph *control.Graph
	name  lockset.Path // of the variable that has the numbers; for package variables it is that of the lock
	lock  lockset.Path
	whole bool // what the function makes of them as a whole is asked, with the lock held when it is called
	ended []outcome
	fails bool // that is not known
}

// A progress is how far a critical section has come on some paths to a place.
type progress struct {
	held      bool // the goroutine has the lock, and what it has done since is known
	inherited bool // it has had it since the function was called
	outcome
	regs map[ssa.Value]sum // what has been loaded, or computed of that
}

// maxProgress bounds in how many ways a section can have come to a place.
const maxProgress = 16

// sectionsOf goes through a function of the group.
func (b *bounding) sectionsOf(g *group, n *callgraph.Node) {
	if b.Control(n.Body) == nil {
		return
	}
	for _, name := range b.namesIn(g, n) {
		b.newSection(g, n, name).run()
	}
}

func (b *bounding) newSection(g *group, n *callgraph.Node, name lockset.Path) *section {
	x := &section{bounding: b, g: g, n: n, graph: b.Control(n.Body), name: name, lock: g.cells[0].guard.global}
	if x.lock.Root == nil {
		x.lock = lockset.Path{Root: name.Root, Fields: name.Fields + g.cells[0].guard.fields}
	}
	return x
}

// namesIn returns the variables with the numbers of a group that a function names.
func (b *bounding) namesIn(g *group, n *callgraph.Node) []lockset.Path {
	lock := g.cells[0].guard.global
	if g.cells[0].bound.Struct == nil {
		return []lockset.Path{lock}
	}
	var list []lockset.Path
	for _, c := range g.cells {
		for _, name := range newFlow(b, c, n).names {
			if name != lock && !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	return list
}

// run goes through the function until nothing changes.
func (x *section) run() {
	in := make([][]*progress, len(x.graph.Nodes))
	visits := make([]int, len(x.graph.Nodes))
	var work []*control.Node
	enter := func(n *control.Node, list []*progress) {
		changed := in[n.ID] == nil
		for _, p := range list {
			next, more := x.add(in[n.ID], p)
			in[n.ID], changed = next, changed || more
		}
		if changed {
			work = append(work, n)
		}
	}
	start := x.begin(x.whole || slices.Contains(x.exclusive(x.n.Body.Blocks[0].Instrs[0]), x.lock))
	start.inherited = start.held
	enter(x.graph.Start, []*progress{start})
	if x.graph.Recover != nil {
		enter(x.graph.Recover, []*progress{x.begin(false)})
	}
	const limit = 400
	for len(work) > 0 {
		n := work[0]
		work = work[1:]
		if visits[n.ID]++; visits[n.ID] > limit {
			x.giveUp()
			return
		}
		var now []*progress
		for _, p := range in[n.ID] {
			now = append(now, p.clone())
		}
		for _, instr := range n.Instrs {
			now = x.step(now, instr)
		}
		var branch *ssa.BinOp
		if len(n.Instrs) > 0 && !n.Abrupt {
			if end, ok := n.Instrs[len(n.Instrs)-1].(*ssa.If); ok {
				branch, _ = end.Cond.(*ssa.BinOp)
			}
		}
		for i, next := range n.Succs {
			side := now
			if branch != nil && i < 2 && n.Succs[0] != n.Succs[1] {
				side = x.branch(now, branch, i == 0)
			}
			if len(side) > 0 {
				enter(next, side)
			}
		}
	}
}

// giveUp says that nothing is known of the numbers.
func (x *section) giveUp() {
	for i := range x.g.wild {
		x.g.wild[i] = true
	}
	x.fails = true
}

// begin returns the progress of a critical section that begins, or of none.
func (x *section) begin(held bool) *progress {
	p := &progress{held: held, regs: make(map[ssa.Value]sum)}
	for i, c := range x.g.cells {
		is := sum{ok: true}
		is.of[i] = 1
		p.now = append(p.now, is)
		was := c.bound.Free
		if x.whole || was.isNone() {
			was = c.bound.Ever
		}
		p.was = append(p.was, was)
	}
	return p
}

func (p *progress) clone() *progress {
	next := *p
	next.now, next.was, next.regs = slices.Clone(p.now), slices.Clone(p.was), maps.Clone(p.regs)
	return &next
}

// changes reports whether a number may be another one than when the section began.
func (p *progress) changes(i int) bool {
	is := sum{ok: true}
	is.of[i] = 1
	return p.now[i] != is
}

// add adds a progress to those at a place, and reports whether there is more.
func (x *section) add(list []*progress, p *progress) ([]*progress, bool) {
	for _, q := range list {
		if q.held != p.held || q.inherited != p.inherited || p.held && !slices.Equal(q.now, p.now) {
			continue
		}
		if !p.held {
			return list, false
		}
		changed := false
		for i := range q.was {
			if joined := q.was[i].join(p.was[i]); joined != q.was[i] {
				q.was[i], changed = joined, true
			}
		}
		for v, is := range q.regs {
			if p.regs[v] != is {
				delete(q.regs, v)
				changed = true
			}
		}
		return list, changed
	}
	if len(list) < maxProgress {
		return append(list, p.clone()), true
	}
	x.giveUp()
	return list, false
}

// end notes what a section has made of the numbers, when others may lock.
func (x *section) end(list []*progress) {
	for _, p := range list {
		switch {
		case !p.held:
		case p.inherited: // with what the caller has done
			x.taint(p)
		default:
			x.note(&x.g.ends, p.outcome)
		}
	}
}

// taint says that what a section has changed is not known.
func (x *section) taint(p *progress) {
	for i := range p.now {
		if p.changes(i) {
			x.g.wild[i], x.fails = true, true
		}
	}
}

func (x *section) note(list *[]outcome, o outcome) {
	for i := range o.now {
		x.g.wraps[i] = x.g.wraps[i] || o.now[i].wraps
	}
	if !slices.ContainsFunc(*list, func(p outcome) bool { return slices.Equal(p.now, o.now) && slices.Equal(p.was, o.was) }) {
		*list = append(*list, outcome{slices.Clone(o.now), slices.Clone(o.was)})
	}
}

// release ends sections, and what comes is none.
func (x *section) release(list []*progress) []*progress {
	x.end(list)
	return []*progress{x.begin(false)}
}

// cellAt returns which number of the group an address is of, and whether it is that of the variable.
func (x *section) cellAt(addr ssa.Value) (i int, same, ok bool) {
	key, base, _, ok := keyOf(addr)
	if !ok {
		return 0, false, false
	}
	i = slices.Index(x.g.cells, x.cells[key])
	return i, key.global != nil || pathOf(base) == x.name, i >= 0
}

// step carries out an instruction.
func (x *section) step(list []*progress, instr ssa.Instruction) []*progress {
	if v, ok := instr.(ssa.Value); ok {
		for _, p := range list {
			delete(p.regs, v)
		}
		if v == x.name.Root { // it is another variable now
			for _, p := range list {
				if p.held {
					x.taint(p)
				}
			}
			list = []*progress{x.begin(false)}
		}
	}
	switch instr := instr.(type) {
	case *ssa.Store:
		if i, same, ok := x.cellAt(instr.Addr); ok {
			x.store(list, i, same, instr)
			return list
		}
	case *ssa.UnOp:
		if i, same, ok := x.cellAt(instr.X); ok && instr.Op == token.MUL {
			for _, p := range list {
				if p.held && same && p.now[i].ok {
					p.regs[instr] = p.now[i]
				}
			}
			return list
		}
	case *ssa.BinOp:
		list = x.remainder(list, instr)
	case *ssa.RunDefers:
		return x.runDefers(list)
	case *ssa.Call:
		return x.call(list, instr)
	case *ssa.Return:
		for _, p := range list {
			switch {
			case p.held && p.inherited:
				x.note(&x.ended, p.outcome)
			case p.held:
				x.taint(p)
			default:
				x.fails = true
			}
		}
	}
	if x.unwinds() && mayPanic(instr) {
		x.end(list)
	}
	return list
}

// unwinds reports whether what panics may unlock the lock.
func (x *section) unwinds() bool {
	return slices.ContainsFunc(x.g.cells, func(c *cell) bool { return c.unwinds })
}

func (x *section) store(list []*progress, i int, same bool, store *ssa.Store) {
	alone := x.isAlone(store)
	for _, p := range list {
		switch {
		case !p.held:
			x.g.wild[i] = x.g.wild[i] || !alone
		case same:
			p.now[i] = x.sumOf(p, store.Val, 0)
		case !alone: // it may be the same variable
			p.now[i] = sum{}
		}
	}
}

// sumOf returns what a value is.
func (x *section) sumOf(p *progress, v ssa.Value, depth int) sum {
	if k, ok := number(v); ok && isNumber(v.Type()) {
		return sum{ok: true, c: k}.plus(sum{ok: true}, 1)
	}
	if s, ok := p.regs[v]; ok {
		return s
	}
	const limit = 10
	if depth > limit {
		return sum{}
	}
	switch v := v.(type) {
	case *ssa.ChangeType:
		return x.sumOf(p, v.X, depth+1)
	case *ssa.BinOp:
		times := int64(1)
		switch v.Op {
		case token.ADD:
		case token.SUB:
			times = -1
		default:
			return sum{}
		}
		within, ok := all(v.Type())
		if !ok {
			return sum{}
		}
		s := x.sumOf(p, v.X, depth+1).plus(x.sumOf(p, v.Y, depth+1), times)
		s.wraps = s.ok && (s.wraps || !within.has(s.between(p.was)))
		return s
	}
	return sum{}
}

// remainder carries out a division whose result is that with a known quotient, in each of the ways that there are.
func (x *section) remainder(list []*progress, op *ssa.BinOp) []*progress {
	by, ok := number(op.Y)
	switch {
	case !ok:
		return list
	case op.Op == token.REM && by > 0:
	case op.Op == token.AND && by > 0 && by&(by+1) == 0:
		by++
	default:
		return list
	}
	var next []*progress
	for _, p := range list {
		s := x.sumOf(p, op.X, 0)
		is := s.between(p.was)
		const quotients = 4
		if !p.held || !s.ok || s.wraps || is.Least < 0 || is.Most/by >= quotients || len(next) >= maxProgress {
			next = append(next, p)
			continue
		}
		for q := is.Least / by; q <= is.Most/by; q++ {
			part := p.clone()
			less := s.plus(sum{ok: true, c: q * by}, -1)
			if part.refine(less, token.GEQ) && part.refine(less.plus(sum{ok: true, c: by}, -1), token.LSS) {
				part.regs[op] = less
				next = append(next, part)
			}
		}
	}
	return next
}

// refine notes that a comparison of a sum with 0 is true. It reports whether that can be.
func (p *progress) refine(s sum, op token.Token) bool {
	if k, ok := s.constant(); ok {
		return !refine(op, Interval{k, k}, Interval{}).isNone()
	}
	at := -1
	for i, k := range s.of {
		switch {
		case k == 0:
		case at >= 0 || k != 1 && k != -1:
			return true
		default:
			at = i
		}
	}
	if at < 0 {
		return true
	}
	is, op0 := Interval{-s.c, -s.c}, op
	if s.of[at] < 0 {
		is, op0 = Interval{s.c, s.c}, mirrored[op]
	}
	p.was[at] = refine(op0, p.was[at], is)
	return !p.was[at].isNone()
}

// branch returns how a section goes on if a comparison is true, or is not.
func (x *section) branch(list []*progress, cond *ssa.BinOp, is bool) []*progress {
	op := cond.Op
	if negated[op] == 0 || !isNumber(cond.X.Type()) {
		return list
	}
	if !is {
		op = negated[op]
	}
	var next []*progress
	for _, p := range list {
		a, b := x.sumOf(p, cond.X, 0), x.sumOf(p, cond.Y, 0)
		p = p.clone()
		if d := a.plus(b, -1); !p.held || !d.ok || d.wraps || p.refine(d, op) {
			next = append(next, p)
		}
	}
	return next
}

// runDefers makes the calls that the function has deferred.
func (x *section) runDefers(list []*progress) []*progress {
	unlocks := false
	for _, s := range x.n.Sites {
		if s.Mode == callgraph.Defer {
			x.written(list, s.Instr)
			unlocks = unlocks || x.defersUnlock(x.g.cells[0], s)
		}
	}
	if unlocks {
		return x.release(list)
	}
	if x.unwinds() {
		x.end(list)
	}
	return list
}

// written notes what a call may write.
func (x *section) written(list []*progress, call ssa.CallInstruction) {
	for i, c := range x.g.cells {
		if !slices.ContainsFunc(c.stores, func(s *ssa.Store) bool { return x.Definitions.Writes(call, s.Addr) }) {
			continue
		}
		for _, p := range list {
			p.now[i] = sum{}
		}
	}
}

// call is a call of a function.
func (x *section) call(list []*progress, call *ssa.Call) []*progress {
	if _, builtin := call.Call.Value.(*ssa.Builtin); builtin {
		if x.unwinds() && mayPanic(call) {
			x.end(list)
		}
		return list
	}
	var callee *callgraph.Node
	if s := x.Calls.Site(call); s != nil && len(x.callees(s)) == 1 {
		callee = x.callees(s)[0]
		mine := len(call.Call.Args) > 0 && !call.Call.IsInvoke() && pathOf(call.Call.Args[0]) == x.lock
		switch name := callee.Name; {
		case locks[name] || name == readLock:
			if mine {
				for _, p := range list {
					if p.held { // who locks what it has waits for ever
						x.taint(p)
					}
				}
				return []*progress{x.begin(true)}
			}
			return list
		case name == readUnlock || unlocks[name]:
			if mine || x.unlocks(x.g.cells[0], call) {
				return x.release(list)
			}
			return list
		case name == conditionWait:
			x.end(list)
			var next []*progress
			for _, p := range list {
				next, _ = x.add(next, x.begin(p.held))
			}
			return next
		case quiet[name]:
			return list
		}
	}
	if x.unwinds() {
		x.end(list)
	}
	if x.unlocks(x.g.cells[0], call) {
		x.written(list, call)
		return x.release(list)
	}
	if next, ok := x.called(list, call, callee); ok {
		return next
	}
	x.written(list, call)
	return list
}

// called makes of the numbers what a function makes of them that is called with the lock held. It
// is false if that is not known.
func (x *section) called(list []*progress, call *ssa.Call, callee *callgraph.Node) (next []*progress, ok bool) {
	if callee == nil || callee.Body == nil || call.Call.IsInvoke() || call.Call.StaticCallee() != callee.Body ||
		!slices.ContainsFunc(list, func(p *progress) bool { return p.held }) {
		return nil, false
	}
	name := x.name
	if x.g.cells[0].bound.Struct != nil {
		at := slices.IndexFunc(call.Call.Args, func(arg ssa.Value) bool { return pathOf(arg) == x.name })
		if at < 0 || at >= len(callee.Body.Params) {
			return nil, false
		}
		name = lockset.Path{Root: callee.Body.Params[at]}
	}
	for _, p := range list {
		if !p.held {
			next, _ = x.add(next, p)
			continue
		}
		ends, known := x.wholeOf(callee, name)
		if !known {
			return nil, false
		}
		for _, end := range ends {
			q := p.clone()
			for i, s := range end.now {
				q.now[i] = p.apply(s)
			}
			if len(next) == maxProgress {
				return nil, false
			}
			next, _ = x.add(next, q)
		}
	}
	return next, true
}

// apply returns a sum of numbers as they are now.
func (p *progress) apply(s sum) sum {
	if !s.ok {
		return sum{}
	}
	r := sum{ok: true, wraps: s.wraps, c: s.c}
	for i, k := range s.of {
		if k != 0 {
			r = r.plus(p.now[i], int64(k))
		}
	}
	return r
}

// wholeOf returns what a function makes of the numbers in a variable of which its caller has the
// lock, and whether that is known.
func (x *section) wholeOf(n *callgraph.Node, name lockset.Path) ([]outcome, bool) {
	if x.Control(n.Body) == nil || !x.Own(n.Body) {
		return nil, false
	}
	if ends, known := x.g.whole[called{n.Body, name}]; known {
		return ends, ends != nil
	}
	x.g.whole[called{n.Body, name}] = nil // while it is looked at
	y := x.newSection(x.g, n, name)
	y.whole = true
	if y.run(); !y.fails && len(y.ended) > 0 {
		x.g.whole[called{n.Body, name}] = y.ended
	}
	return x.g.whole[called{n.Body, name}], x.g.whole[called{n.Body, name}] != nil
}
