package protection

import (
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/ssaform"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/control"
	"github.com/everyway-go/everyway/internal/static/lockset"
)

// A flow goes through a function with what is known of a cell, in each of the variables that the function names.
type flow struct {
	*bounding
	c            *cell
	n            *callgraph.Node
	graph        *control.Graph
	names        []lockset.Path // of the variables that have the cell, or the lock
	of           map[lockset.Path]int
	loads        map[ssa.Value]Interval // what has been loaded from the cell
	loadings     map[ssa.Value]int      // how often
	loaded       bool                   // a load has become more than it was when others may have computed with it
	defersUnlock bool                   // it defers a call that may unlock the guard

	course *course         // of which the flow is a part; nil if it is none
	until  ssa.Instruction // where it is asked what the variable is, which is there
	there  Interval
}

// A content is what is known of the cell in a variable: between which numbers it is, and which
// registers have the number. It is kept if the goroutine holds the lock; else others may change it
// at any time, and nothing is known.
type content struct {
	kept bool
	is   Interval
	regs []ssa.Value
}

func newFlow(b *bounding, c *cell, n *callgraph.Node) *flow {
	f := &flow{
		bounding: b, c: c, n: n, graph: b.Control(n.Body), of: make(map[lockset.Path]int),
		loads: make(map[ssa.Value]Interval), loadings: make(map[ssa.Value]int),
	}
	if c.guard.global.Root != nil {
		f.add(c.guard.global) // stands for the variables that the function does not name
	}
	for _, block := range n.Body.Blocks {
		for _, instr := range block.Instrs {
			switch instr := instr.(type) {
			case *ssa.Store:
				f.name(instr.Addr)
			case *ssa.UnOp:
				f.name(instr.X)
			case *ssa.Call:
				if len(instr.Call.Args) > 0 && !instr.Call.IsInvoke() {
					if path, ok := f.lockIn(instr.Call.Args[0]); ok {
						f.add(path)
					}
				}
			}
		}
	}
	if c.bound.Locked {
		f.defersUnlock = slices.ContainsFunc(n.Sites, func(s *callgraph.Site) bool { return b.defersUnlock(c, s) })
	}
	return f
}

// name returns which of the variables an address is of the cell of, and whether it is of any.
func (f *flow) name(addr ssa.Value) (int, bool) {
	key, base, fields, ok := keyOf(addr)
	if !ok || f.cells[key] != f.c {
		return 0, false
	}
	path := pathOf(base)
	if f.c.guard.global.Root == nil {
		for _, i := range fields[:f.c.upTo] {
			path.Fields += strconv.Itoa(i) + "."
		}
	}
	return f.add(path), true
}

func (f *flow) add(path lockset.Path) int {
	i, ok := f.of[path]
	if !ok {
		i = len(f.names)
		f.of[path] = i
		f.names = append(f.names, path)
	}
	return i
}

// lockIn returns what has the lock at an address, if that is a guard of the cell in it.
func (f *flow) lockIn(addr ssa.Value) (lockset.Path, bool) {
	g := f.c.guard
	if !f.c.bound.Locked || g.strct == nil {
		return lockset.Path{}, false
	}
	path := pathOf(addr)
	for _, c := range containers(addr) {
		at := pathOf(c)
		if rest, ok := strings.CutPrefix(path.Fields, at.Fields); ok && rest == g.fields && types.Identical(pointed(c), g.strct) {
			return at, true
		}
	}
	return lockset.Path{}, false
}

// run goes through the function until nothing changes.
func (f *flow) run() {
	in := make([][]content, len(f.graph.Nodes))
	visits := make([]int, len(f.graph.Nodes))
	var work []*control.Node
	enter := func(n *control.Node, now []content) {
		was := in[n.ID]
		if was == nil {
			in[n.ID] = clone(now)
			work = append(work, n)
			return
		}
		changed := false
		for i := range was {
			next := f.join(was[i], now[i], visits[n.ID] > 4)
			if next.kept != was[i].kept || next.is != was[i].is || len(next.regs) != len(was[i].regs) {
				was[i], changed = next, true
			}
		}
		if changed {
			work = append(work, n)
		}
	}
	start := make([]content, len(f.names))
	var held []lockset.Path
	for _, block := range f.n.Body.Blocks[:1] {
		held = f.exclusive(block.Instrs[0])
	}
	for i, name := range f.names {
		start[i] = content{is: f.c.bound.Ever, kept: f.holds(held, name)}
		if f.course != nil {
			start[i] = content{is: f.course.entry[f.n], kept: true}
		}
	}
	enter(f.graph.Start, start)
	if f.graph.Recover != nil {
		for i := range start {
			start[i] = content{is: f.c.bound.Ever, kept: f.course != nil}
		}
		enter(f.graph.Recover, start)
	}
	for len(work) > 0 || f.loaded {
		if len(work) == 0 { // what was computed from a load may be more than it was
			f.loaded = false
			for _, n := range f.graph.Nodes {
				if in[n.ID] != nil {
					work = append(work, n)
				}
			}
			continue
		}
		n := work[0]
		work = work[1:]
		visits[n.ID]++
		now := clone(in[n.ID])
		for _, instr := range n.Instrs {
			f.step(now, instr)
		}
		var branch *ssa.BinOp
		if len(n.Instrs) > 0 && !n.Abrupt {
			if end, ok := n.Instrs[len(n.Instrs)-1].(*ssa.If); ok {
				branch, _ = end.Cond.(*ssa.BinOp)
			}
		}
		for i, next := range n.Succs {
			if branch == nil || i > 1 || n.Succs[0] == n.Succs[1] {
				enter(next, now)
				continue
			}
			if side, possible := f.branch(now, branch, i == 0); possible {
				enter(next, side)
			}
		}
	}
}

func clone(list []content) []content {
	list = slices.Clone(list)
	for i := range list {
		list[i].regs = slices.Clone(list[i].regs)
	}
	return list
}

// holds reports whether the lock of a variable of a name is among some that are held.
func (f *flow) holds(held []lockset.Path, name lockset.Path) bool {
	if !f.c.bound.Locked {
		return false
	}
	path := f.c.guard.global
	if path.Root == nil {
		path = lockset.Path{Root: name.Root, Fields: name.Fields + f.c.guard.fields}
	}
	return slices.Contains(held, path)
}

// join returns what is known of a content that is one of two.
func (f *flow) join(a, b content, widens bool) content {
	if !a.kept || !b.kept {
		return content{is: f.c.bound.Ever}
	}
	next := content{
		kept: true, is: a.is.join(b.is),
		regs: slices.DeleteFunc(slices.Clone(a.regs), func(v ssa.Value) bool { return !slices.Contains(b.regs, v) }),
	}
	if widens && !a.is.isNone() {
		next.is = widen(a.is, next.is, f.ends, f.c.within)
	}
	return next
}

// step changes what is known by an instruction.
func (f *flow) step(now []content, instr ssa.Instruction) {
	if f.course != nil && instr == f.until {
		f.there = f.there.join(now[0].is)
	}
	switch instr := instr.(type) {
	case *ssa.Store:
		if i, ok := f.name(instr.Addr); ok {
			f.store(now, i, instr)
			return
		}
	case *ssa.UnOp:
		if i, ok := f.name(instr.X); ok {
			f.load(now, i, instr)
			return
		}
	case *ssa.RunDefers:
		if f.course == nil {
			f.runDefers(now)
			return
		}
	case *ssa.Call:
		if f.course == nil {
			f.call(now, instr)
			return
		}
	}
	if f.course != nil {
		f.stepIn(&now[0], instr)
	}
	if v, ok := instr.(ssa.Value); ok { // in a loop, it is another number now
		for i := range now {
			now[i].regs = slices.DeleteFunc(now[i].regs, func(r ssa.Value) bool { return r == v })
		}
	}
	if f.c.unwinds && f.course == nil && mayPanic(instr) {
		f.letGo(now)
	}
}

// mayPanic reports whether an instruction may panic. The address of a field does not if that of one
// of the same variable has been taken before.
func mayPanic(instr ssa.Instruction) bool {
	if addr, ok := instr.(*ssa.FieldAddr); ok {
		return control.MayPanic(addr) && !hasField(addr)
	}
	if load, ok := instr.(*ssa.UnOp); ok {
		if _, global := pathOf(load.X).Root.(*ssa.Global); global {
			return false
		}
	}
	if store, ok := instr.(*ssa.Store); ok {
		if _, global := pathOf(store.Addr).Root.(*ssa.Global); global {
			return false
		}
	}
	return control.MayPanic(instr)
}

// hasField reports whether the address of a field of the same variable has been taken on each path to an instruction.
func hasField(addr *ssa.FieldAddr) bool {
	referrers := addr.X.Referrers()
	return referrers != nil && slices.ContainsFunc(*referrers, func(ref ssa.Instruction) bool {
		other, ok := ref.(*ssa.FieldAddr)
		return ok && other != addr && other.Parent() == addr.Parent() && ssaform.Dominates(other, addr)
	})
}

// letGo adds what is there to what others may find who lock.
func (f *flow) letGo(now []content) {
	for i := range now {
		if now[i].kept {
			f.grow(f.c, true, now[i].is)
		}
	}
}

// store is a store to the cell in a variable.
func (f *flow) store(now []content, i int, store *ssa.Store) {
	v := f.value(now, store.Val, store)
	if f.course == nil {
		f.grow(f.c, false, v)
		if !f.c.bound.Locked || f.isAlone(store) {
			f.grow(f.c, true, v)
		}
	}
	for k := range now {
		switch c := &now[k]; {
		case !c.kept:
			c.is = f.c.bound.Ever
		case k == i:
			c.is, c.regs = v, []ssa.Value{store.Val}
		case f.names[k] == f.c.guard.global: // of those, none
		default: // which may be the same
			c.is, c.regs = c.is.join(v), nil
		}
	}
}

// load is a load from the cell in a variable.
func (f *flow) load(now []content, i int, load *ssa.UnOp) {
	for k := range now {
		now[k].regs = slices.DeleteFunc(now[k].regs, func(r ssa.Value) bool { return r == ssa.Value(load) })
	}
	c := &now[i]
	is := f.c.bound.Ever
	if c.kept {
		is = c.is
		c.regs = append(c.regs, load)
	}
	was, again := f.loads[load]
	if again {
		f.loadings[load]++
		const limit = 4
		switch is = is.join(was); {
		case f.loadings[load] > maxRounds && is != was:
			is = f.c.within
		case f.loadings[load] > limit:
			is = widen(was, is, f.ends, f.c.within)
		}
	}
	f.loads[load] = is
	f.loaded = f.loaded || again && is != was
}

// release unlocks the guard of the i-th variable; if i is less than 0, that of any. If it is not
// known that the goroutine holds it, it may hold it all the same if the function itself unlocks it.
func (f *flow) release(now []content, i int, itself bool) {
	for k := range now {
		if c := &now[k]; k == i || i < 0 {
			switch {
			case c.kept:
				f.grow(f.c, true, c.is)
			case itself:
				f.grow(f.c, true, f.c.bound.Ever)
			}
		}
		now[k] = content{is: f.c.bound.Ever}
	}
	if len(now) == 0 && itself {
		f.grow(f.c, true, f.c.bound.Ever)
	}
}

// runDefers makes the calls that the function has deferred.
func (f *flow) runDefers(now []content) {
	writes := slices.ContainsFunc(f.n.Sites, func(s *callgraph.Site) bool {
		return s.Mode == callgraph.Defer &&
			slices.ContainsFunc(f.c.stores, func(store *ssa.Store) bool { return f.Definitions.Writes(s.Instr, store.Addr) })
	})
	if writes {
		f.letGo(now)
		f.written(now)
		f.letGo(now)
	}
	if f.defersUnlock {
		f.release(now, -1, true)
	}
}

// written notes that something else may have written the cell.
func (f *flow) written(now []content) {
	for i := range now {
		now[i].is, now[i].regs = f.c.bound.Ever, nil
	}
}

// call is a call of a function.
func (f *flow) call(now []content, call *ssa.Call) {
	if _, builtin := call.Call.Value.(*ssa.Builtin); builtin {
		if f.c.unwinds && mayPanic(call) {
			f.letGo(now)
		}
		return
	}
	if !f.c.bound.Locked {
		return
	}
	if s := f.Calls.Site(call); s != nil && len(f.callees(s)) == 1 {
		name := f.callees(s)[0].Name
		var of []int
		if len(call.Call.Args) > 0 && !call.Call.IsInvoke() {
			if path, ok := f.lockIn(call.Call.Args[0]); ok {
				of = []int{f.of[path]}
			} else if g := f.c.guard.global; g.Root != nil && pathOf(call.Call.Args[0]) == g {
				for i := range now {
					of = append(of, i)
				}
			}
		}
		switch {
		case locks[name] || name == readLock:
			for _, i := range of {
				now[i] = content{kept: true, is: f.c.bound.Free}
			}
			return
		case name == readUnlock:
			for i := range now { // which nobody has written
				now[i] = content{is: f.c.bound.Ever}
			}
			return
		case unlocks[name]:
			switch {
			case of == nil && !f.unlocks(f.c, call):
			case of == nil || f.c.guard.global.Root != nil:
				f.release(now, -1, true)
			default:
				f.release(now, of[0], true)
			}
			return
		case name == conditionWait:
			was := slices.Clone(now)
			f.release(now, -1, f.holdsAt(f.c, call))
			for i := range now {
				if was[i].kept {
					now[i] = content{kept: true, is: f.c.bound.Free}
				}
			}
			return
		case quiet[name]:
			return
		}
	}
	writes := slices.ContainsFunc(f.c.stores, func(s *ssa.Store) bool { return f.Definitions.Writes(call, s.Addr) })
	if f.c.unwinds {
		f.letGo(now)
		if writes && f.holdsAt(f.c, call) {
			f.grow(f.c, true, f.c.bound.Ever)
		}
	}
	switch {
	case f.unlocks(f.c, call):
		f.release(now, -1, false)
	case writes:
		f.written(now)
	}
}

// readLock and readUnlock are what readers call.
const (
	readLock   = "sync.(*RWMutex).RLock"
	readUnlock = "sync.(*RWMutex).RUnlock"
)

// quiet are functions that neither panic nor do anything to numbers.
var quiet = map[string]bool{"sync.(*Cond).Signal": true, "sync.(*Cond).Broadcast": true}

// branch returns what is known if a comparison is true, or is not. It reports false if it cannot be so.
func (f *flow) branch(now []content, cond *ssa.BinOp, is bool) ([]content, bool) {
	op := cond.Op
	if negated[op] == 0 {
		return now, true
	}
	if !is {
		op = negated[op]
	}
	next := clone(now)
	for i := range next {
		c := &next[i]
		if !c.kept {
			continue
		}
		if slices.Contains(c.regs, cond.X) {
			if c.is = refine(op, c.is, f.value(now, cond.Y, cond)); c.is.isNone() {
				return nil, false
			}
		}
		if slices.Contains(c.regs, cond.Y) {
			if c.is = refine(mirrored[op], c.is, f.value(now, cond.X, cond)); c.is.isNone() {
				return nil, false
			}
		}
	}
	return next, true
}

// value returns between which numbers a value is at an instruction.
func (f *flow) value(now []content, v ssa.Value, at ssa.Instruction) Interval {
	for i := range now {
		if now[i].kept && slices.Contains(now[i].regs, v) {
			return now[i].is
		}
	}
	if is, ok := f.loads[v]; ok {
		return f.dominated(v, is, at)
	}
	within, ok := all(v.Type())
	if op, isOp := v.(*ssa.BinOp); isOp && ok {
		return f.dominated(v, compute(op.Op, f.value(now, op.X, at), f.value(now, op.Y, at), within), at)
	}
	return f.dominated(v, f.valueOf(v, 0), at)
}

// dominated returns an interval without the numbers that a branch on each path to an instruction excludes.
func (f *flow) dominated(v ssa.Value, is Interval, at ssa.Instruction) Interval {
	for b := at.Block(); b != nil && b.Idom() != nil; b = b.Idom() {
		if len(b.Preds) != 1 {
			continue
		}
		from := b.Preds[0]
		branch, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
		if !ok || from.Succs[0] == from.Succs[1] {
			continue
		}
		cond, ok := branch.Cond.(*ssa.BinOp)
		if !ok || negated[cond.Op] == 0 {
			continue
		}
		op := cond.Op
		if from.Succs[0] != b {
			op = negated[op]
		}
		switch v {
		case cond.X:
			is = refine(op, is, f.valueOf(cond.Y, 0))
		case cond.Y:
			is = refine(mirrored[op], is, f.valueOf(cond.X, 0))
		}
	}
	return is
}
