package kinds

import (
	"slices"

	"github.com/everyway-go/everyway/internal/oracle"
)

// A Family is a family of dense programs: few goroutines, of which each does a few things of one
// kind, to the same few objects.
type Family uint8

// The families.
const (
	NoFamily   Family = iota
	Recoveries        // panics that are recovered, deferred calls and goroutines that exit
	Spins             // loops that wait for an atomic variable, a lock or a channel
	Elements          // elements of an array at indices that depend on inputs, or on what others have done
	Bits              // the operations of atomic variables, which often decide who accesses a variable
	Readers           // a read-write mutex, which is often tried
	Lengths           // the number of values in channels, which decides who receives
	Groups            // a wait group that is used again, while others may wait
	Alarms            // calls of time.AfterFunc, whose timers are stopped and reset
	Tables            // a sync.Map
	Deletions         // a sync.Map whose entries are deleted, and stored again
	Functions         // what sync.OnceFunc and sync.OnceValue return, which may panic or exit; see functions.go
	Exits             // goroutines that exit, or recover from a panic, while they hold a lock or do what a sync.Once does
	Loads             // loads of atomic variables that others store to before or after, mostly ordered by a lock or a channel
	Sums              // additions to atomic variables whose results nobody reads, and what depends on the sums
	Contexts          // trees of contexts; see contexts.go
	Buffers           // two condition variables of one lock, as bounded buffers have them
	Subtests          // parallel subtests, and what is cleaned up after them; see subtests.go
	Replies           // channels that are sent on channels, for replies; see requests.go
	Pointers          // atomic pointers to cells that are linked, as in a stack without locks; see pointers.go
	Conditions        // condition variables that are waited for in loops, and often signalled by timers
)

// dense draws a program of a family.
func (g *generator) dense() {
	for {
		*g.p = oracle.Program{Seed: g.p.Seed, Mode: g.p.Mode, Stall: g.p.Stall, Parks: g.p.Parks, Bubble: g.p.Bubble}
		g.timed, g.descent = 0, descent{}
		if g.family(); g.p.Number() <= oracle.MaxStatements {
			return
		}
	}
}

// family draws a program of the family, which may have too many statements.
func (g *generator) family() {
	p := g.p
	p.Locks, p.Atoms = 1, 1
	if g.Family == Elements || g.one(3) {
		p.Inputs = []oracle.Input{{Name: "a", Type: []string{"int", "uint8", "int16"}[g.IntN(3)], Size: 2 + g.IntN(2)}}
	}
	switch g.Family {
	case Recoveries:
		p.Chans = []int{g.IntN(2), g.IntN(2)}[:1+g.IntN(2)]
		p.Onces = g.IntN(2)
	case Spins:
		p.Atoms = 2
		if g.one(3) {
			p.Chans = []int{g.IntN(2)}
		}
	case Elements:
		p.Elements, p.Plains = true, 2<<g.IntN(2)
		if g.one(4) {
			p.Inputs = append(p.Inputs, oracle.Input{Name: "b", Type: "int", Size: 2})
		}
	case Bits:
		p.Atoms = 1 + g.IntN(2)
		if p.Mode == oracle.Racy {
			p.Plains = 1
		}
	case Readers:
		p.RWs = 1
		if p.Mode == oracle.Racy && g.one(2) {
			p.Plains = 1
		}
	case Lengths:
		p.Chans = []int{1 + g.IntN(2), g.IntN(3)}[:1+g.IntN(2)]
	case Functions:
		if g.one(3) {
			p.Chans = []int{g.IntN(2)}
		}
		if p.Mode == oracle.Racy {
			p.Plains = 1
		}
		g.keep()
	case Groups:
		p.Reused = true
	case Tables:
		p.Tabled, p.Atoms = true, 1+g.IntN(2)
	case Deletions:
		p.Tabled, p.Atoms = true, 1+g.IntN(2)
		if p.Mode == oracle.Racy {
			p.Plains = 1
		}
	case Alarms:
		p.Alarms = 1
		if g.one(3) {
			p.Chans = []int{g.IntN(2)}
		}
	case Exits:
		p.Onces, p.RWs = g.IntN(2), g.IntN(2)
		if p.Mode == oracle.Racy {
			p.Plains = 1
		}
	case Loads, Sums, Subtests:
		p.Atoms = 1 + g.IntN(2)
		if g.one(2) {
			p.Chans = []int{g.IntN(2)}
		}
		if p.Mode == oracle.Racy {
			p.Plains = 1
		}
	case Pointers:
		p.Atoms = 1 + g.IntN(2)
		if g.one(3) {
			p.Chans = []int{g.IntN(2)}
		}
	case Replies:
		if p.Mode == oracle.Racy {
			p.Plains = 1
		}
	case Contexts:
		if g.one(2) {
			p.Chans = []int{g.IntN(2)}
		}
		if p.Mode == oracle.Racy && !g.Time { // see oracle/cancellation.go
			p.Plains = 1
		}
	case Conditions:
		p.Conds = 1
	case Buffers:
		p.Conds = 2
	}
	n := 2 + g.IntN(2)
	switch {
	case g.Family == Alarms:
		n -= g.IntN(2)
	case g.Family == Contexts && g.Time, g.Family == Spins, g.Family == Elements, g.Family == Pointers, g.Family == Recoveries && g.one(2):
		n = 2
	}
	p.Groups, g.reset = 2, false
	if g.Family == Replies {
		g.requests(n)
	}
	g.drawJoined()
	g.joined = g.joined && g.Family != Subtests
	how := first
	if g.joined && !g.Copies && g.Family != Alarms && !g.mayLeave() && g.one(3) {
		how = byGroup
	}
	var begin []oracle.Stmt
	g.goroutines(n, how, func(b int) []oracle.Stmt {
		if g.Family == Contexts {
			if b == 0 {
				begin = g.descend()
			}
			return g.descending()
		}
		var list []oracle.Stmt
		if b == 0 && !g.one(2) {
			return nil
		}
		g.made = 0
		pieces := 1 + g.IntN(2)
		if g.Family == Replies {
			pieces++
		}
		for k := range pieces {
			if k > 0 && g.Family == Elements {
				break // there are too many states
			}
			list = append(list, g.piece(0)...)
		}
		return list
	})
	switch g.Family {
	case Alarms:
		g.alarm()
	case Pointers:
		g.points()
	case Subtests:
		g.subtests()
	case Contexts:
		p.Bodies[0] = slices.Concat(begin, p.Bodies[0])
		p.Bodies = append(p.Bodies, g.later...)
	}
}

// alarm adds what an alarm does, which shows nothing, since it may do it twice.
func (g *generator) alarm() {
	p := g.p
	var list []oracle.Stmt
	for range 1 + g.IntN(2) {
		s := g.atomically(0, g.IntN(oracle.Locals))
		if len(p.Chans) > 0 && g.one(3) {
			s = oracle.Stmt{Op: oracle.Send, X: g.operand()}
		}
		list = append(list, s)
	}
	silence(list)
	p.Bodies[0] = insert(p.Bodies[0], 0, oracle.Stmt{Op: oracle.After, Obj: len(p.Bodies), X: oracle.Expr{Const: 1 + g.IntN(2)}})
	p.Bodies = append(p.Bodies, list, list)
}

// alarming draws something that is done to the alarm, or when it may come.
func (g *generator) alarming(depth int) []oracle.Stmt {
	p, r := g.p, g.IntN(oracle.Locals)
	b := len(p.Bodies)
	switch g.IntN(7) {
	case 0, 1:
		if g.timed++; g.timed <= maxTimed {
			return []oracle.Stmt{{Op: oracle.Sleep, X: oracle.Expr{Const: 1 + g.IntN(2)}}}
		}
	case 2, 3:
		s := []oracle.Stmt{{Op: oracle.StopCall, Obj: b, Dst: r, Show: true}}
		if depth == 0 && g.one(2) {
			s = append(s, g.decide(r, g.alarming(1))...)
		}
		return s
	case 4:
		if !g.reset {
			g.reset = true
			return []oracle.Stmt{{Op: oracle.ResetCall, Obj: b, X: oracle.Expr{Const: g.IntN(3)}, Dst: r, Show: true}}
		}
	case 5:
		if len(p.Chans) > 0 {
			c := oracle.Case{Send: g.one(3), X: g.operand(), Dst: r}
			return []oracle.Stmt{{Op: oracle.Select, Case: []oracle.Case{c}, Default: g.one(3), Dst: g.IntN(oracle.Locals), Show: true}}
		}
	}
	return []oracle.Stmt{g.atomically(0, r)}
}

// regrouping draws a use of a wait group that others use.
func (g *generator) regrouping() []oracle.Stmt {
	r := g.IntN(oracle.Locals)
	switch g.IntN(7) {
	case 0:
		return []oracle.Stmt{{Op: oracle.GroupAdd, Obj: 1, X: oracle.Expr{Const: 1 + g.IntN(2)}}, g.atomically(0, r), {Op: oracle.GroupDone, Obj: 1}}
	case 1:
		return []oracle.Stmt{{Op: oracle.GroupAdd, Obj: 1, X: oracle.Expr{Const: 1}}}
	case 2:
		return []oracle.Stmt{{Op: oracle.Try, Dst: r, Then: []oracle.Stmt{{Op: oracle.GroupDone, Obj: 1}}, Show: true}}
	case 3:
		return []oracle.Stmt{{Op: oracle.GroupWait, Obj: 1}, g.atomically(0, r)}
	case 4:
		return []oracle.Stmt{{Op: oracle.Lock}, {Op: oracle.Load, Dst: r}, {Op: oracle.If, X: localOf(r), Then: []oracle.Stmt{{Op: oracle.Store, X: oracle.Expr{Const: 1}}, {Op: oracle.GroupAdd, Obj: 1, X: oracle.Expr{Const: 1}}}, Else: []oracle.Stmt{{Op: oracle.GroupDone, Obj: 1}}}, {Op: oracle.Unlock}}
	case 5:
		return []oracle.Stmt{{Op: oracle.GroupDone, Obj: 1}}
	}
	return []oracle.Stmt{g.atomically(0, r)}
}

// piece draws a few statements that belong together, below so many others.
func (g *generator) piece(depth int) []oracle.Stmt {
	switch g.Family {
	case Recoveries:
		return g.recovery(depth)
	case Spins:
		return g.spin()
	case Elements:
		return g.elements(depth)
	case Bits:
		return g.bits(depth)
	case Readers:
		return g.reading(depth)
	case Lengths:
		return g.lengths(depth)
	case Groups:
		return g.regrouping()
	case Alarms:
		return g.alarming(depth)
	case Tables, Deletions:
		return g.bits(depth)
	case Functions:
		return g.calling(depth)
	case Replies:
		return g.requesting(depth)
	case Pointers:
		return g.pointing(depth)
	case Contexts:
		return g.cancelling(depth)
	case Exits:
		return g.exit(depth)
	case Loads, Subtests:
		return g.load(depth)
	case Sums:
		return g.sum(depth)
	default:
		return g.awaiting()
	}
}

// localOf returns an expression for a local variable.
func localOf(i int) oracle.Expr { return oracle.Expr{Kind: oracle.Local, Index: i} }

// decide draws an If on a local variable, or on an input.
func (g *generator) decide(r int, then []oracle.Stmt) []oracle.Stmt {
	x := localOf(r)
	if len(g.p.Inputs) > 0 && g.one(3) {
		x = oracle.Expr{Kind: oracle.Arg, Index: g.IntN(len(g.p.Inputs))}
	}
	return []oracle.Stmt{{Op: oracle.If, X: x, Rel: oracle.Rel(g.IntN(2)), Y: oracle.Expr{Const: g.IntN(2)}, Then: then}}
}

// perhapsThen draws what a statement decides, or nothing.
func (g *generator) perhapsThen(s oracle.Stmt, depth int) []oracle.Stmt {
	if depth > 0 || g.one(2) {
		return []oracle.Stmt{s}
	}
	return append([]oracle.Stmt{s}, g.decide(s.Dst, g.piece(depth+1))...)
}

// operand draws one.
func (g *generator) operand() oracle.Expr {
	if len(g.p.Inputs) > 0 && g.one(3) {
		return oracle.Expr{Kind: oracle.Arg, Index: g.IntN(len(g.p.Inputs))}
	}
	return oracle.Expr{Const: g.IntN(3)}
}

// load draws loads of atomic variables, and what changes these, most of them in sections of a lock
// or ordered by a channel.
func (g *generator) load(depth int) []oracle.Stmt {
	p, r := g.p, g.IntN(oracle.Locals)
	obj := g.IntN(p.Atoms)
	load := oracle.Stmt{Op: oracle.Load, Obj: obj, Dst: r, Show: !g.one(3)}
	change := g.changing(obj)
	section := func(list ...oracle.Stmt) []oracle.Stmt {
		list = insert(list, 0, oracle.Stmt{Op: oracle.Lock})
		return append(list, oracle.Stmt{Op: oracle.Unlock})
	}
	then := func() []oracle.Stmt {
		if depth > 0 || g.one(2) {
			return nil
		}
		return g.decide(r, g.load(depth+1))
	}
	switch k := g.IntN(12); {
	case k <= 1:
		return append(section(load), then()...)
	case k == 2:
		return section(change)
	case k == 3:
		return append(section(load, g.changing(obj)), then()...)
	case k == 4:
		return append(section(append([]oracle.Stmt{load}, g.decide(r, []oracle.Stmt{change})...)...), then()...)
	case k == 5: // a load outside of a section, which may race
		return append([]oracle.Stmt{load}, then()...)
	case k == 6: // looked at, and again in the section
		again := load
		again.Dst = (r + 1) % oracle.Locals
		return append([]oracle.Stmt{load}, g.decide(r, section(append([]oracle.Stmt{again}, g.decide(again.Dst, []oracle.Stmt{change})...)...))...)
	case k == 7: // an update by comparison
		swap := oracle.Stmt{Op: oracle.Swap, Obj: obj, X: localOf(r), Y: oracle.Expr{Kind: oracle.Local, Index: r, Const: 1}, Dst: (r + 1) % oracle.Locals, Show: true}
		if g.one(2) {
			return section(load, swap)
		}
		return []oracle.Stmt{load, swap}
	case k == 8 && len(p.Chans) > 0: // published by a channel
		return []oracle.Stmt{change, {Op: oracle.Send, X: g.operand()}}
	case k == 9 && len(p.Chans) > 0:
		return append([]oracle.Stmt{{Op: oracle.Recv, Dst: (r + 1) % oracle.Locals}, load}, then()...)
	case k == 10 && depth == 0 && p.Plains == 0: // a loop that waits; beside a race it is not known what it waits for
		wait := []oracle.Stmt{load}
		if g.one(2) {
			wait = insert(wait, 0, oracle.Stmt{Op: oracle.Yield})
		}
		wait[len(wait)-1].Show = false
		return append([]oracle.Stmt{wait[len(wait)-1]}, oracle.Stmt{Op: oracle.While, X: localOf(r), Y: oracle.Expr{Const: 0}, Then: wait})
	case k == 11 && p.Plains > 0:
		access := oracle.Stmt{Op: oracle.Get, Dst: r, Show: true}
		if g.one(2) {
			access = oracle.Stmt{Op: oracle.Set, X: g.operand()}
		}
		if g.one(3) {
			return []oracle.Stmt{access}
		}
		return append([]oracle.Stmt{load}, g.decide(r, []oracle.Stmt{access})...)
	}
	return []oracle.Stmt{change}
}

// changing draws what changes an atomic variable.
func (g *generator) changing(obj int) oracle.Stmt {
	for {
		if s := g.atomically(obj, g.IntN(oracle.Locals)); s.Op != oracle.Load {
			return s
		}
	}
}

// sum draws additions to atomic variables whose results nobody reads, and what depends on the sums:
// some of it is ordered with them by a lock or a channel.
func (g *generator) sum(depth int) []oracle.Stmt {
	p, r := g.p, g.IntN(oracle.Locals)
	obj := g.IntN(p.Atoms)
	add := oracle.Stmt{Op: oracle.Add, Obj: obj, X: oracle.Expr{Const: 1 + g.IntN(2)}, Unread: true}
	load := oracle.Stmt{Op: oracle.Load, Obj: obj, Dst: r, Show: true}
	section := func(list ...oracle.Stmt) []oracle.Stmt {
		list = insert(list, 0, oracle.Stmt{Op: oracle.Lock})
		return append(list, oracle.Stmt{Op: oracle.Unlock})
	}
	then := func(list []oracle.Stmt) []oracle.Stmt {
		if depth > 0 || g.one(2) {
			return list
		}
		return append(list, g.decide(r, g.sum(depth+1))...)
	}
	switch k := g.IntN(12); {
	case k <= 2:
		return section(add)
	case k == 3: // before the section, or after it
		return append([]oracle.Stmt{add}, section(g.changing(obj))...)
	case k == 4:
		return append(section(load), add)
	case k == 5:
		return then(section(load))
	case k == 6:
		return then([]oracle.Stmt{load})
	case k == 7:
		return then(section(g.changing(obj)))
	case k == 8:
		return then([]oracle.Stmt{g.changing(obj)})
	case k == 9 && len(p.Chans) > 0:
		return []oracle.Stmt{add, {Op: oracle.Send, X: g.operand()}}
	case k == 10 && len(p.Chans) > 0:
		return then([]oracle.Stmt{{Op: oracle.Recv, Dst: (r + 1) % oracle.Locals}, load})
	case k == 11 && p.Plains > 0:
		return then([]oracle.Stmt{load, {Op: oracle.Set, X: g.operand()}})
	}
	return []oracle.Stmt{add}
}

// atomically draws an operation of an atomic variable.
func (g *generator) atomically(obj, dst int) oracle.Stmt {
	ops := []oracle.StmtOp{oracle.Load, oracle.Store, oracle.Swap, oracle.Exchange, oracle.Add, oracle.Add, oracle.And, oracle.Or}
	switch {
	case g.Family == Deletions:
		ops = []oracle.StmtOp{oracle.Load, oracle.Load, oracle.Store, oracle.Swap, oracle.Exchange, oracle.LoadOrStore, oracle.LoadOrStore, oracle.LoadAndDelete, oracle.CompareAndDelete, oracle.Clear}
	case g.p.Tabled:
		ops = ops[:4]
	}
	s := oracle.Stmt{Op: ops[g.IntN(len(ops))], Obj: obj, Dst: dst, X: g.operand()}
	switch s.Op {
	case oracle.Swap:
		s.Y = g.operand()
	case oracle.Add:
		s.X.Const++
		s.Unread = g.one(4)
	case oracle.And, oracle.Or:
		s.X = oracle.Expr{Const: g.IntN(4)}
	case oracle.LoadAndDelete:
		s.Unread = g.one(3)
	}
	s.Show = s.Op != oracle.Store && s.Op != oracle.Clear && !s.Unread && !g.one(3)
	return s
}

// recovery draws what may panic, and be recovered.
func (g *generator) recovery(depth int) []oracle.Stmt {
	p, r := g.p, g.IntN(oracle.Locals)
	inside := func() []oracle.Stmt {
		var list []oracle.Stmt
		for range 1 + g.IntN(2) {
			list = append(list, g.risk(depth)...)
		}
		return list
	}
	switch k := g.IntN(8); {
	case k <= 2:
		return append([]oracle.Stmt{{Op: oracle.Try, Dst: r, Then: inside(), Show: true}}, g.after(r, depth)...)
	case k == 3:
		in := []oracle.Stmt{{Op: oracle.Lock}, {Op: oracle.Ensure, Then: inside(), Else: []oracle.Stmt{{Op: oracle.Unlock}}}}
		if g.one(3) {
			return in
		}
		return append([]oracle.Stmt{{Op: oracle.Try, Dst: r, Then: in, Show: true}}, g.after(r, depth)...)
	case k == 4 && p.Onces > 0:
		return append([]oracle.Stmt{{Op: oracle.Try, Dst: r, Then: []oracle.Stmt{{Op: oracle.Once, Then: inside()}}, Show: true}}, g.after(r, depth)...)
	case k == 5:
		return []oracle.Stmt{{Op: oracle.Ensure, Then: inside(), Else: []oracle.Stmt{{Op: oracle.Add, X: oracle.Expr{Const: 1}, Dst: r, Show: true}}}}
	}
	return inside()
}

// after draws what a body does when it knows whether it has recovered.
func (g *generator) after(r, depth int) []oracle.Stmt {
	if depth > 1 || g.one(2) {
		return nil
	}
	return g.decide(r, g.recovery(depth+1))
}

// risk draws something that may panic.
func (g *generator) risk(depth int) []oracle.Stmt {
	p := g.p
	r, ch := g.IntN(oracle.Locals), g.IntN(len(p.Chans))
	switch g.IntN(11) {
	case 0, 1:
		return []oracle.Stmt{{Op: oracle.Close, Obj: ch}}
	case 2, 3:
		return []oracle.Stmt{{Op: oracle.Send, Obj: ch, X: g.operand()}}
	case 4:
		return []oracle.Stmt{{Op: oracle.Recv, Obj: ch, Dst: r, Show: true}}
	case 5:
		return []oracle.Stmt{{Op: oracle.GroupDone, Obj: 1}}
	case 6:
		return []oracle.Stmt{{Op: oracle.GroupAdd, Obj: 1, X: oracle.Expr{Const: 1}}}
	case 7:
		if g.body > 0 && g.one(2) {
			return g.decide(r, []oracle.Stmt{{Op: oracle.Exit}})
		}
		return g.decide(r, []oracle.Stmt{{Op: oracle.Panic}})
	case 8:
		c := oracle.Case{Send: !g.one(3), Chan: ch, X: g.operand(), Dst: r}
		return []oracle.Stmt{{Op: oracle.Select, Case: []oracle.Case{c}, Default: g.one(2), Dst: (r + 1) % oracle.Locals, Show: true}}
	case 9:
		if depth < 2 {
			return g.recovery(depth + 1)
		}
	}
	return []oracle.Stmt{g.atomically(0, r)}
}

// exit draws a section of a lock which may be left without an unlock, or a sync.Once.
func (g *generator) exit(depth int) []oracle.Stmt {
	p, r := g.p, g.IntN(oracle.Locals)
	leave := func(panics bool) []oracle.Stmt {
		how := oracle.Stmt{Op: oracle.Panic}
		if !panics && g.body > 0 {
			how.Op = oracle.Exit
		}
		return g.decide(r, []oracle.Stmt{how})
	}
	inside := func(panics bool) []oracle.Stmt {
		list := []oracle.Stmt{g.atomically(0, r)}
		switch {
		case p.Plains > 0 && g.one(2):
			list = append(list, oracle.Stmt{Op: oracle.Set, X: g.operand()})
		case p.Plains > 0 && g.one(2):
			list = append(list, oracle.Stmt{Op: oracle.Get, Dst: r, Show: true})
		}
		if !g.one(3) && (panics || g.body > 0) {
			list = append(list, leave(panics)...)
		}
		return list
	}
	try := func(list []oracle.Stmt) []oracle.Stmt {
		return []oracle.Stmt{{Op: oracle.Try, Dst: (r + 1) % oracle.Locals, Then: list, Show: true}}
	}
	section := func(lock, unlock oracle.StmtOp, panics bool) []oracle.Stmt {
		list := append([]oracle.Stmt{{Op: lock}}, inside(panics)...)
		if g.one(4) {
			return []oracle.Stmt{list[0], {Op: oracle.Ensure, Then: list[1:], Else: []oracle.Stmt{{Op: unlock}}}}
		}
		return append(list, oracle.Stmt{Op: unlock})
	}
	switch k := g.IntN(9); {
	case k <= 2:
		return section(oracle.Lock, oracle.Unlock, false)
	case k == 3:
		return try(section(oracle.Lock, oracle.Unlock, true))
	case k == 4:
		list := append(inside(false), oracle.Stmt{Op: oracle.Unlock})
		return []oracle.Stmt{{Op: oracle.TryLock, Dst: r, Show: true}, {Op: oracle.If, X: localOf(r), Y: oracle.Expr{Const: 1}, Then: list}}
	case k == 5 && p.RWs > 0:
		return section(oracle.RLock, oracle.RUnlock, false)
	case k == 6 && p.RWs > 0:
		return try(section(oracle.WLock, oracle.WUnlock, true))
	case k == 7 && p.Onces > 0:
		return []oracle.Stmt{{Op: oracle.Once, Then: inside(false)}}
	case k == 8 && depth == 0:
		return try(append(g.exit(1), g.exit(1)...))
	}
	return []oracle.Stmt{g.atomically(0, r)}
}

// spin draws a loop that waits, and what comes after it. What is in a loop shows nothing, so that there are few states.
func (g *generator) spin() []oracle.Stmt {
	p, r := g.p, g.IntN(oracle.Locals)
	again := func(s oracle.Stmt, rel oracle.Rel, y int) []oracle.Stmt {
		s.Dst, s.Show = r, false
		then := []oracle.Stmt{s}
		if g.one(2) {
			then = insert(then, 0, oracle.Stmt{Op: oracle.Yield})
		}
		return []oracle.Stmt{s, {Op: oracle.While, X: localOf(r), Rel: rel, Y: oracle.Expr{Const: y}, Then: then}}
	}
	inside := func() []oracle.Stmt {
		if g.one(3) {
			return nil
		}
		return []oracle.Stmt{g.atomically(1, g.IntN(oracle.Locals))}
	}
	switch k := g.IntN(9); {
	case k <= 1: // a lock
		list := append(again(oracle.Stmt{Op: oracle.Swap, Y: oracle.Expr{Const: 1}}, oracle.Equal, 0), inside()...)
		if g.one(3) {
			return append(list, oracle.Stmt{Op: oracle.Exchange, Dst: g.IntN(oracle.Locals), Show: true})
		}
		return append(list, oracle.Stmt{Op: oracle.Store})
	case k == 2: // an update
		v := (r + 1) % oracle.Locals
		list := again(oracle.Stmt{Op: oracle.Swap, Obj: 1, X: localOf(v), Y: oracle.Expr{Kind: oracle.Local, Index: v, Const: 1}}, oracle.Equal, 0)
		list = insert(list, 0, oracle.Stmt{Op: oracle.Load, Obj: 1, Dst: v})
		list[2].Then = insert(list[2].Then, 0, oracle.Stmt{Op: oracle.Load, Obj: 1, Dst: v})
		return list
	case k <= 4:
		list := append(again(oracle.Stmt{Op: oracle.TryLock}, oracle.Equal, 0), inside()...)
		return append(list, oracle.Stmt{Op: oracle.Unlock})
	case k == 5 && len(p.Chans) > 0:
		c := oracle.Case{Send: g.one(2), X: g.operand(), Dst: (r + 1) % oracle.Locals}
		return again(oracle.Stmt{Op: oracle.Select, Case: []oracle.Case{c}, Default: true}, oracle.Equal, 1)
	case k == 6:
		return append(again(oracle.Stmt{Op: oracle.Load, Obj: g.IntN(2)}, oracle.Rel(g.IntN(3)), g.IntN(2)), inside()...)
	case k == 7 && len(p.Chans) > 0:
		if g.one(3) {
			return []oracle.Stmt{{Op: oracle.Close}}
		}
		return []oracle.Stmt{{Op: oracle.Send, X: g.operand()}}
	}
	return []oracle.Stmt{g.atomically(g.IntN(2), r)}
}

// elements draws accesses to elements.
func (g *generator) elements(depth int) []oracle.Stmt {
	p, r := g.p, g.IntN(oracle.Locals)
	index := func() oracle.Expr {
		switch g.IntN(4) {
		case 0:
			return oracle.Expr{Const: g.IntN(p.Plains)}
		case 1:
			return localOf(g.IntN(oracle.Locals))
		}
		return oracle.Expr{Kind: oracle.Arg, Index: g.IntN(len(p.Inputs)), Const: g.IntN(2)}
	}
	value := func() oracle.Expr {
		if g.one(2) {
			return localOf(g.IntN(oracle.Locals))
		}
		return oracle.Expr{Const: 1 + g.IntN(2)}
	}
	var list []oracle.Stmt
	for range 1 + g.IntN(2) {
		if g.one(2) {
			list = append(list, oracle.Stmt{Op: oracle.SetAt, X: index(), Y: value()})
		} else {
			list = append(list, oracle.Stmt{Op: oracle.GetAt, X: index(), Dst: r, Show: !g.one(3)})
		}
	}
	if depth == 0 && g.one(2) {
		list = append(list, g.decide(r, g.elements(1))...)
	}
	if depth == 0 && (p.Mode == oracle.Guarded || g.one(3)) {
		if g.one(4) {
			taken := g.IntN(oracle.Locals)
			list = append(list, oracle.Stmt{Op: oracle.Unlock})
			return []oracle.Stmt{{Op: oracle.TryLock, Dst: taken, Show: true}, {Op: oracle.If, X: localOf(taken), Y: oracle.Expr{Const: 1}, Then: list}}
		}
		list = slices.Concat([]oracle.Stmt{{Op: oracle.Lock}}, list, []oracle.Stmt{{Op: oracle.Unlock}})
	}
	if depth == 0 && g.one(4) {
		list = append(list, g.atomically(0, g.IntN(oracle.Locals)))
	}
	return list
}

// bits draws operations of atomic variables, and what they decide.
func (g *generator) bits(depth int) []oracle.Stmt {
	p, r := g.p, g.IntN(oracle.Locals)
	list := []oracle.Stmt{g.atomically(g.IntN(p.Atoms), r)}
	if depth > 1 || g.one(2) {
		return list
	}
	then := g.bits(depth + 1)
	if p.Plains > 0 && !g.one(3) {
		then = []oracle.Stmt{{Op: oracle.Set, X: g.operand()}}
		if g.one(2) {
			then[0] = oracle.Stmt{Op: oracle.Get, Dst: g.IntN(oracle.Locals), Show: true}
		}
		if g.one(2) {
			then = append(then, g.atomically(g.IntN(p.Atoms), g.IntN(oracle.Locals)))
		}
	}
	return append(list, g.decide(r, then)...)
}

// reading draws a section of a read-write mutex.
func (g *generator) reading(depth int) []oracle.Stmt {
	p, r := g.p, g.IntN(oracle.Locals)
	inside := func(write bool) []oracle.Stmt {
		switch k := g.IntN(5); {
		case k == 0:
			return nil
		case k == 1 && depth == 0:
			return g.reading(1)
		case k == 2 && p.Plains > 0 && write:
			return []oracle.Stmt{{Op: oracle.Set, X: g.operand()}}
		case k == 3 && p.Plains > 0:
			return []oracle.Stmt{{Op: oracle.Get, Dst: r, Show: true}}
		}
		return []oracle.Stmt{g.atomically(0, g.IntN(oracle.Locals))}
	}
	try := func(op, unlock oracle.StmtOp) []oracle.Stmt {
		list := append(inside(op == oracle.TryWLock), oracle.Stmt{Op: unlock})
		return []oracle.Stmt{{Op: op, Dst: r, Show: true}, {Op: oracle.If, X: localOf(r), Y: oracle.Expr{Const: 1}, Then: list, Else: inside(false)}}
	}
	switch g.IntN(6) {
	case 0, 1:
		return try(oracle.TryRLock, oracle.RUnlock)
	case 2:
		return try(oracle.TryWLock, oracle.WUnlock)
	case 3:
		return slices.Concat([]oracle.Stmt{{Op: oracle.RLock}}, inside(false), []oracle.Stmt{{Op: oracle.RUnlock}})
	case 4:
		return slices.Concat([]oracle.Stmt{{Op: oracle.WLock}}, inside(true), []oracle.Stmt{{Op: oracle.WUnlock}})
	}
	return inside(false)
}

// lengths draws something that is done to a channel, often if there is a value in it.
func (g *generator) lengths(depth int) []oracle.Stmt {
	p := g.p
	r, ch := g.IntN(oracle.Locals), g.IntN(len(p.Chans))
	act := func() []oracle.Stmt {
		switch g.IntN(8) {
		case 0, 1:
			return []oracle.Stmt{{Op: oracle.Recv, Obj: ch, Dst: g.IntN(oracle.Locals), Show: true}}
		case 2:
			c := oracle.Case{Send: g.one(2), Chan: g.IntN(len(p.Chans)), X: g.operand(), Dst: r}
			return []oracle.Stmt{{Op: oracle.Select, Case: []oracle.Case{c}, Default: !g.one(3), Dst: g.IntN(oracle.Locals), Show: true}}
		case 3:
			if g.body == 0 && depth == 0 {
				return []oracle.Stmt{{Op: oracle.Close, Obj: ch}}
			}
		case 4:
			return []oracle.Stmt{g.atomically(0, g.IntN(oracle.Locals))}
		}
		return []oracle.Stmt{{Op: oracle.Send, Obj: ch, X: g.operand()}}
	}
	if g.one(3) {
		return act()
	}
	list := []oracle.Stmt{{Op: oracle.Len, Obj: ch, Dst: r, Show: g.one(2)}}
	if g.one(5) {
		return list
	}
	then := act()
	if depth == 0 && g.one(3) {
		then = append(then, g.lengths(1)...)
	}
	return append(list, g.decide(r, then)...)
}

// awaiting draws how a condition is waited for, or who makes it hold.
func (g *generator) awaiting() []oracle.Stmt {
	r := g.IntN(oracle.Locals)
	wake := oracle.Stmt{Op: oracle.Broadcast}
	if g.one(2) {
		wake.Op = oracle.Signal
	}
	waitsFor := 0
	if g.p.Conds > 1 {
		wake.Obj, waitsFor = g.IntN(g.p.Conds), g.IntN(g.p.Conds)
	}
	if g.Time && g.one(3) {
		if g.timed++; g.timed <= maxTimed {
			return append([]oracle.Stmt{{Op: oracle.Sleep, X: oracle.Expr{Const: 1 + g.IntN(2)}}}, g.awaiting()...)
		}
	}
	change := g.atomically(0, g.IntN(oracle.Locals))
	switch g.IntN(6) {
	case 0, 1, 2:
		wait := []oracle.Stmt{{Op: oracle.CondWait, Obj: waitsFor}, {Op: oracle.Load, Dst: r}}
		list := []oracle.Stmt{{Op: oracle.Lock}, {Op: oracle.Load, Dst: r}, {Op: oracle.While, X: localOf(r), Rel: oracle.Rel(g.IntN(3)), Y: oracle.Expr{Const: g.IntN(2)}, Then: wait}}
		if g.one(2) {
			list = append(list, change)
		}
		if g.one(3) {
			list = append(list, wake)
		}
		return append(list, oracle.Stmt{Op: oracle.Unlock})
	case 3:
		return []oracle.Stmt{{Op: oracle.Lock}, change, wake, {Op: oracle.Unlock}}
	case 4:
		return []oracle.Stmt{{Op: oracle.Lock}, change, {Op: oracle.Unlock}, wake}
	}
	return []oracle.Stmt{change, wake}
}
