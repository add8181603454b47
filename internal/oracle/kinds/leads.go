package kinds

import "github.com/everyway-go/everyway/internal/oracle"

// Programs in which the first goroutine that comes adds to a wait group, and others wait until it
// is done, as callers of golang.org/x/sync/singleflight do. It takes what it has added from the
// wait group itself, or has others do so that have learned of it: from a channel, or since it has
// started them.
//
// Whoever waits has seen, under a lock, that somebody has added. Each wait group is added to in one
// section of the lock, so that no Add and Wait are unordered. Several Adds may be open at once, and
// there may be too few Dones, or too many.

// mostLeaders bounds the goroutines that may add, each to a wait group of its own, unless they are copies.
const mostLeaders = 3

// leads draws such a program.
func (g *generator) leads() {
	for {
		*g.p = oracle.Program{Seed: g.p.Seed, Mode: g.p.Mode}
		if g.lead(); g.p.Number() <= oracle.MaxStatements {
			return
		}
	}
}

// lead draws a program, which may have too many statements.
func (g *generator) lead() {
	p := g.p
	p.Locks, p.Atoms = 1, 2
	if p.Mode == oracle.Racy {
		p.Plains = 1
	}
	n := 2 + g.IntN(mostLeaders-1)
	p.Groups = n
	if g.one(2) {
		p.Chans = []int{g.IntN(2)}
	}
	if g.one(3) {
		p.Copies, p.Groups = n, 1
	}
	p.Bodies = make([][]oracle.Stmt, 1+n)
	for b := 1; b <= n; b++ {
		if b > 1 && p.Copies > 0 {
			p.Bodies[b] = p.Bodies[1]
			continue
		}
		p.Bodies[b] = g.leader(b)
	}
	if len(p.Bodies) < oracle.MaxBodies && g.one(2) {
		p.Bodies = append(p.Bodies, g.outsider())
		n++
		b := len(p.Bodies) - 1
		p.Bodies[n], p.Bodies[b] = p.Bodies[b], p.Bodies[n]
		for i := range p.Bodies {
			renumber(p.Bodies[i], n, b)
		}
	}
	var list []oracle.Stmt
	if p.Copies == 0 && g.one(4) {
		list = append(list, oracle.Stmt{Op: oracle.Store, Obj: 0, X: oracle.Expr{Const: -1}}) // nobody leads until it is reset
	}
	for b := 1; b <= n; b++ {
		list = append(list, oracle.Stmt{Op: oracle.Spawn, Obj: b})
	}
	if len(p.Chans) > 0 && g.one(2) {
		list = append(list, oracle.Stmt{Op: oracle.Send, X: oracle.Expr{Const: -1}})
	}
	if len(p.Chans) > 0 && g.one(2) {
		r := g.IntN(oracle.Locals)
		list = append(list, oracle.Stmt{Op: oracle.Recv, Obj: 0, Dst: r})
		list = append(list, g.done(r)...)
	}
	switch k := g.IntN(3); {
	case k == 0 && p.Copies == 0:
		list = append(list, oracle.Stmt{Op: oracle.Store, Obj: 0})
	case k <= 1:
		list = append(list, g.waits(0, 0)...)
	}
	p.Bodies[0] = list
}

// outsider draws a goroutine that takes from a wait group, whether it has learned of an Add or not.
func (g *generator) outsider() []oracle.Stmt {
	done := oracle.Stmt{Op: oracle.GroupDone, Obj: g.IntN(g.p.Groups)}
	list := []oracle.Stmt{{Op: oracle.Lock}, {Op: oracle.Unlock}}
	switch g.IntN(4) {
	case 0:
		list = []oracle.Stmt{{Op: oracle.Load, Obj: 1, Dst: 0}}
	case 1:
		return []oracle.Stmt{{Op: oracle.Lock}, done, {Op: oracle.Unlock}}
	}
	if len(g.p.Chans) > 0 && g.one(2) {
		list = append(list, oracle.Stmt{Op: oracle.Recv, Dst: 1})
	}
	return append(list, done)
}

// renumber has statements that start one of two bodies start the other one.
func renumber(list []oracle.Stmt, a, b int) {
	for i := range list {
		if s := &list[i]; s.Op == oracle.Spawn && (s.Obj == a || s.Obj == b) {
			s.Obj = a + b - s.Obj
		}
		renumber(list[i].Then, a, b)
		renumber(list[i].Else, a, b)
	}
}

// leader draws a goroutine that leads unless another one does. It adds to wait group b-1, or to the only one.
func (g *generator) leader(b int) []oracle.Stmt {
	p := g.p
	group := min(b, p.Groups) - 1
	leads := []oracle.Stmt{{Op: oracle.Store, Obj: 0, X: oracle.Expr{Const: group + 1}}}
	n := 1
	switch g.IntN(5) {
	case 0:
		n = 2
		leads = append(leads, oracle.Stmt{Op: oracle.GroupAdd, Obj: group, X: oracle.Expr{Const: 2}})
	case 1:
		n = 2
		leads = append(leads, oracle.Stmt{Op: oracle.GroupAdd, Obj: group, X: oracle.Expr{Const: 1}})
		fallthrough
	default:
		leads = append(leads, oracle.Stmt{Op: oracle.GroupAdd, Obj: group, X: oracle.Expr{Const: 1}})
	}
	leads = append(leads, oracle.Stmt{Op: oracle.Unlock})
	if g.one(8) {
		n--
	} else if g.one(8) {
		n++
	}
	work := func() {
		switch k := g.IntN(4); {
		case k == 0 && p.Plains > 0:
			leads = append(leads, oracle.Stmt{Op: oracle.Set, X: oracle.Expr{Const: b}})
		case k <= 1:
			leads = append(leads, oracle.Stmt{Op: oracle.Store, Obj: 1, X: oracle.Expr{Const: b}})
		}
	}
	for range n {
		work()
		switch {
		case len(p.Chans) > 0 && g.one(2):
			leads = append(leads, oracle.Stmt{Op: oracle.Send, X: oracle.Expr{Const: group + 1}})
		case p.Copies == 0 && len(p.Bodies) < oracle.MaxBodies && g.one(3):
			child := len(p.Bodies)
			leads = append(leads, oracle.Stmt{Op: oracle.Spawn, Obj: child})
			list := []oracle.Stmt{{Op: oracle.GroupDone, Obj: group}}
			if p.Plains > 0 && g.one(3) {
				list = append(list, oracle.Stmt{Op: oracle.Set, X: oracle.Expr{Const: b}})
			}
			if g.one(4) {
				list[0] = oracle.Stmt{Op: oracle.Load, Obj: 1, Dst: 0, Show: true}
			}
			p.Bodies = append(p.Bodies, list)
		default:
			leads = append(leads, oracle.Stmt{Op: oracle.GroupDone, Obj: group})
		}
	}
	work()
	if p.Copies == 0 && g.one(2) {
		leads = append(leads, oracle.Stmt{Op: oracle.Lock}, oracle.Stmt{Op: oracle.Store, Obj: 0}, oracle.Stmt{Op: oracle.Unlock})
	}
	r := g.IntN(oracle.Locals)
	return append([]oracle.Stmt{{Op: oracle.Lock}, {Op: oracle.Load, Obj: 0, Dst: r}},
		oracle.Stmt{Op: oracle.If, X: oracle.Expr{Kind: oracle.Local, Index: r}, Rel: oracle.Equal, Then: leads, Else: append([]oracle.Stmt{{Op: oracle.Unlock}}, g.waits(b, r)...)})
}

// waits draws what somebody does who has seen in local variable r who leads; body 0 has not looked yet.
func (g *generator) waits(b, r int) []oracle.Stmt {
	var list []oracle.Stmt
	if b == 0 {
		list = []oracle.Stmt{{Op: oracle.Lock}, {Op: oracle.Load, Obj: 0, Dst: r}, {Op: oracle.Unlock}}
	}
	for group := range g.p.Groups {
		list = append(list, oracle.Stmt{Op: oracle.If, X: oracle.Expr{Kind: oracle.Local, Index: r}, Y: oracle.Expr{Const: group + 1}, Rel: oracle.Equal, Then: []oracle.Stmt{{Op: oracle.GroupWait, Obj: group}}})
	}
	shows := g.p.Copies == 0 || b == 0
	switch r, k := g.IntN(oracle.Locals), g.IntN(4); {
	case k == 0 && g.p.Plains > 0:
		list = append(list, oracle.Stmt{Op: oracle.Get, Dst: r, Show: shows})
	case k <= 1:
		list = append(list, oracle.Stmt{Op: oracle.Load, Obj: 1, Dst: r, Show: shows})
	case k == 2 && len(g.p.Chans) > 0:
		list = append(list, oracle.Stmt{Op: oracle.Recv, Dst: r})
		list = append(list, g.done(r)...)
	}
	return list
}

// done draws Dones of the wait group that local variable r says.
func (g *generator) done(r int) []oracle.Stmt {
	var list []oracle.Stmt
	for group := range g.p.Groups {
		list = append(list, oracle.Stmt{Op: oracle.If, X: oracle.Expr{Kind: oracle.Local, Index: r}, Y: oracle.Expr{Const: group + 1}, Rel: oracle.Equal, Then: []oracle.Stmt{{Op: oracle.GroupDone, Obj: group}}})
	}
	return list
}
