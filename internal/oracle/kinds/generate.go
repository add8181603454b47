package kinds

import (
	"math/rand/v2"
	"slices"

	"github.com/everyway-go/everyway/internal/oracle"
	"github.com/everyway-go/everyway/internal/oracle/maploop"
)

// logs inserts statements that write to the log.
func (g *generator) logs() {
	p := g.p
	p.Logs = true
	for b := range p.Bodies {
		if p.Original(b) != b {
			p.Bodies[b] = p.Bodies[1]
			continue
		}
		for range g.IntN(3) {
			list := &p.Bodies[b]
			for len(*list) > 0 {
				s := &(*list)[g.IntN(len(*list))]
				if s.Op != oracle.If && s.Op != oracle.Once || g.one(2) {
					break
				}
				if list = &s.Then; g.one(2) {
					list = &s.Else
				}
			}
			*list = insert(*list, g.IntN(len(*list)+1), oracle.Stmt{Op: oracle.Log})
		}
	}
}

// maxOps is the number of operations of a goroutine, not counting those with
// which the target waits for the others at its end.
const maxOps = 6

// mostBodies bounds the number of goroutines of a program, but for those of closes.go and leads.go.
const mostBodies = 5

type generator struct {
	*rand.Rand
	Config
	p     *oracle.Program
	kinds []oracle.StmtOp // what may be drawn, the likelier the more often it is in the list
	body  int             // being drawn
	todo  []int           // bodies not yet spawned
	set   [oracle.Locals]bool
	ops   int // left for the body
	// careful programs release what they lock, close once and panic seldom, so
	// that there are programs that hold.
	careful   bool
	joined    bool                  // the target waits for the others at its end
	held      []bool                // the locks whose sections are being drawn
	inRW      bool                  // and whether one of the read-write mutex is
	timed     int                   // operations that wait for time
	inHand    [oracle.MaxNodes]bool // the nodes that the body has at hand
	called    bool                  // the body is a finalizer or a cleanup
	collected int                   // collections
	reset     bool                  // an alarm has been reset
	exits     []bool                // with Family Functions: those that may exit
	made      int                   // with Family Pointers: by the body
	descent                         // with Family Contexts
}

// one reports true once in n times.
func (g *generator) one(n int) bool { return g.IntN(n) == 0 }

// objects draws the shared objects. A program has few kinds of them, so that
// its goroutines meet.
func (g *generator) objects() {
	p := g.p
	if g.Init || g.one(4) || g.Meets {
		p.Inputs = nil
	} else {
		for i := range 1 + g.IntN(2) {
			p.Inputs = append(p.Inputs, oracle.Input{
				Name: []string{"a", "b"}[i],
				Type: []string{"int", "uint8", "int16", "uint32"}[g.IntN(4)],
				Size: 2 + g.IntN(2),
			})
		}
	}
	add := func(n int, ops ...oracle.StmtOp) {
		for range n {
			g.kinds = append(g.kinds, ops...)
		}
	}
	if g.Nodes {
		for range 1 + g.IntN(oracle.MaxNodes) {
			p.Nodes = append(p.Nodes, oracle.Node{Next: -1, Kind: oracle.NodeKind(g.IntN(3))})
		}
		if n := len(p.Nodes); n > 1 {
			p.Nodes[0].Next = g.IntN(n+1) - 1
			p.Nodes[1].Next = g.IntN(n+1) - 1
		}
		add(3, oracle.Drop, oracle.Hold, oracle.Collect, oracle.Peek)
		add(2, oracle.Upgrade, oracle.NodeSet)
		add(1, oracle.Cancel, oracle.NodeGet)
	}
	if g.Meets {
		p.Chans = []int{0, 0, 0}[:1+g.IntN(3)]
		if g.one(6) || g.Others && g.one(3) {
			p.Chans[len(p.Chans)-1] = 1
		}
		add(4, oracle.Send, oracle.Recv)
		if g.one(2) {
			add(1, oracle.Select)
		}
		if g.one(3) {
			add(1, oracle.Close)
		}
		if g.one(3) {
			p.Atoms = 1
			add(1, oracle.Load, oracle.Store)
		}
		if g.one(4) {
			p.Locks = 1
			add(1, oracle.Lock)
		}
		if g.one(4) && g.Bubble {
			add(1, oracle.Settle)
		}
		g.joined = g.one(4)
		return
	}
	for len(g.kinds) == 0 || g.Nodes && g.one(3) {
		if g.one(2) || p.Mode == oracle.Racy {
			p.Plains = 1 + g.IntN(2)
			if g.Fields {
				p.Plains++
			}
			p.Locks = 1 + g.IntN(2)
			add(2, oracle.Get, oracle.Set)
		}
		if g.one(3) {
			p.Locks = 1 + g.IntN(2)
			add(2, oracle.Lock)
			add(1, oracle.TryLock)
		}
		if g.one(4) {
			p.RWs = 1
			add(2, oracle.RLock, oracle.WLock)
		}
		if g.Counts {
			p.Atoms = 1 + g.IntN(2)
			add(1, oracle.Load, oracle.Load, oracle.Store, oracle.Swap)
			add(6, oracle.Add)
		} else if g.one(2) {
			p.Atoms = 1 + g.IntN(2)
			add(1, oracle.Load, oracle.Load, oracle.Store, oracle.Add, oracle.Swap)
		}
		if g.one(2) {
			for range 1 + g.IntN(2) {
				c := g.IntN(3)
				if g.one(10) {
					c = oracle.NilChan
				}
				p.Chans = append(p.Chans, c)
			}
			add(2, oracle.Send, oracle.Recv)
			add(1, oracle.Select, oracle.Close)
		}
		if g.one(4) {
			p.Groups = 1
			add(1, oracle.GroupDone, oracle.GroupWait)
		}
	}
	if g.Time {
		p.Timers = g.IntN(3)
		add(2, oracle.Sleep)
		if g.Clock {
			add(1, oracle.Since)
		}
		if p.Timers > 0 {
			add(1, oracle.Reset, oracle.Stop, oracle.Fired, oracle.Fired)
		}
	}
	if g.Maps {
		add(2, oracle.Range)
	}
	if g.Bubble {
		add(2, oracle.Settle)
	}
	g.careful = !g.one(4)
	g.joined = g.one(2) || g.Nodes && g.one(2)
}

func (g *generator) program() {
	p := g.p
	if g.Copies {
		g.copies()
		return
	}
	n := 2 + g.IntN(2)
	if g.Meets {
		n = 4 + g.IntN(2)
	}
	for k := range p.Nodes {
		if p.Nodes[k].Kind != oracle.Weak { // a finalizer or cleanup is a body, too
			n = min(n, mostBodies-2-k)
		}
	}
	p.Bodies = make([][]oracle.Stmt, n)
	for b := 1; b < n; b++ {
		g.todo = append(g.todo, b)
	}
	var first []oracle.Stmt
	if g.Time {
		first = append(first, oracle.Stmt{Op: oracle.Now})
	}
	if p.Groups > 0 {
		first = append(first, oracle.Stmt{Op: oracle.GroupAdd, Obj: 0, X: oracle.Expr{Const: 1 + g.IntN(n)}})
	}
	join := p.Groups
	if g.joined {
		p.Groups++
		first = append(first, oracle.Stmt{Op: oracle.GroupAdd, Obj: join, X: oracle.Expr{Const: n - 1}})
	}
	g.draw(0)
	for b := 1; b < n; b++ {
		// A body that no other has spawned by now is spawned by the target.
		for len(g.todo) > 0 && g.todo[0] <= b {
			p.Bodies[0] = insert(p.Bodies[0], g.IntN(len(p.Bodies[0])+1), g.spawn())
		}
		g.draw(b)
		if g.joined {
			p.Bodies[b] = append(p.Bodies[b], oracle.Stmt{Op: oracle.GroupDone, Obj: join})
		}
	}
	g.called = true
	for k := range p.Nodes {
		if node := &p.Nodes[k]; node.Kind != oracle.Weak {
			node.Body = len(p.Bodies)
			p.Bodies = append(p.Bodies, nil)
			g.inHand[k] = true
			g.draw(node.Body)
			g.inHand[k] = false
			if node.Kind == oracle.Finalized && g.one(4) {
				list := p.Bodies[node.Body]
				p.Bodies[node.Body] = insert(list, g.IntN(len(list)+1), oracle.Stmt{Op: oracle.Revive, Obj: k})
			}
		}
	}
	p.Bodies[0] = append(first, p.Bodies[0]...)
	if g.joined {
		end := []oracle.Stmt{{Op: oracle.GroupWait, Obj: join}}
		for i := range p.Plains {
			end = append(end, oracle.Stmt{Op: oracle.Get, Obj: i, Show: true})
		}
		for i := range p.Atoms {
			end = append(end, oracle.Stmt{Op: oracle.Load, Obj: i, Show: true})
		}
		p.Bodies[0] = append(p.Bodies[0], end...)
	}
}

// copies draws a program whose goroutines are the same.
func (g *generator) copies() {
	p := g.p
	n := 3
	if g.one(4) {
		n++
	}
	p.Copies = n - 1
	if g.Others {
		n += 1 + g.IntN(mostBodies-n)
	}
	p.Bodies = make([][]oracle.Stmt, n)
	var first []oracle.Stmt
	if p.Groups > 0 {
		first = append(first, oracle.Stmt{Op: oracle.GroupAdd, Obj: 0, X: oracle.Expr{Const: 1 + g.IntN(n)}})
	}
	first = append(first, oracle.Stmt{Op: oracle.GroupAdd, Obj: p.Groups, X: oracle.Expr{Const: n - 1}})
	end := []oracle.Stmt{{Op: oracle.GroupWait, Obj: p.Groups}}
	done := oracle.Stmt{Op: oracle.GroupDone, Obj: p.Groups}
	g.draw(0)
	g.draw(1)
	silence(p.Bodies[1])
	p.Bodies[1] = append(p.Bodies[1], done)
	at := g.IntN(len(p.Bodies[0]) + 1)
	for b := 1; b <= p.Copies; b++ {
		p.Bodies[b] = p.Bodies[1]
		p.Bodies[0] = insert(p.Bodies[0], at, oracle.Stmt{Op: oracle.Spawn, Obj: b})
		if at++; g.one(3) {
			at += g.IntN(len(p.Bodies[0]) + 1 - at)
		}
	}
	for b := p.Copies + 1; b < n; b++ {
		g.draw(b)
		p.Bodies[b] = append(p.Bodies[b], done)
		p.Bodies[0] = insert(p.Bodies[0], g.IntN(len(p.Bodies[0])+1), oracle.Stmt{Op: oracle.Spawn, Obj: b})
	}
	p.Groups++
	for i := range p.Plains {
		end = append(end, oracle.Stmt{Op: oracle.Get, Obj: i, Show: true})
	}
	for i := range p.Atoms {
		end = append(end, oracle.Stmt{Op: oracle.Load, Obj: i, Show: true})
	}
	p.Bodies[0] = slices.Concat(first, p.Bodies[0], end)
}

// silence has statements show nothing.
func silence(list []oracle.Stmt) {
	for i := range list {
		list[i].Show = false
		silence(list[i].Then)
		silence(list[i].Else)
	}
}

// initialise lets an initialiser do the first part of the program. A goroutine is started
// there before anything else can be seen: what is done until then is not part of runs.
func (g *generator) initialise() {
	list := g.p.Bodies[0]
	starts := func(s oracle.Stmt) bool { return s.Op == oracle.Spawn || s.Op == oracle.After }
	at := slices.IndexFunc(list, starts)
	quiet := slices.IndexFunc(list, func(s oracle.Stmt) bool { return s.Op != oracle.GroupAdd && s.Op != oracle.Now })
	first := list[at]
	copy(list[quiet+1:at+1], list[quiet:at])
	list[quiet] = first
	g.p.Init = quiet + 1 + g.IntN(len(list)-quiet)
}

func insert(list []oracle.Stmt, at int, s oracle.Stmt) []oracle.Stmt {
	list = append(list, oracle.Stmt{})
	copy(list[at+1:], list[at:])
	list[at] = s
	return list
}

func (g *generator) spawn() oracle.Stmt {
	s := oracle.Stmt{Op: oracle.Spawn, Obj: g.todo[0]}
	if g.Time && g.one(4) {
		s.Op, s.X = oracle.After, g.duration()
	}
	g.todo = g.todo[1:]
	return s
}

// draw makes body b.
func (g *generator) draw(b int) {
	g.body = b
	if g.ops = 2 + g.IntN(maxOps-1); g.called || g.Meets {
		if g.ops = 1 + g.IntN(2); g.Others && b == 0 {
			g.ops += g.IntN(3)
		}
	}
	g.set = [oracle.Locals]bool{}
	g.inRW = false
	g.held = make([]bool, g.p.Locks)
	var list []oracle.Stmt
	for g.ops > 0 {
		list = append(list, g.stmts(0)...)
	}
	g.p.Bodies[b] = list
}

// stmts draws one statement, or several that belong together.
func (g *generator) stmts(depth int) []oracle.Stmt {
	if len(g.todo) > 0 && depth == 0 && g.one(3) {
		return []oracle.Stmt{g.spawn()}
	}
	if depth < 2 && g.one(3) {
		if x, y, rel, ok := g.condition(); ok {
			s := oracle.Stmt{Op: oracle.If, X: x, Y: y, Rel: rel, Then: g.block(depth + 1)}
			if g.one(3) {
				s.Else = g.block(depth + 1)
			}
			return []oracle.Stmt{s}
		}
	}
	p := g.p
	s := oracle.Stmt{Op: g.kinds[g.IntN(len(g.kinds))]}
	switch s.Op {
	case oracle.Get, oracle.Set:
		s.Obj = g.IntN(p.Plains)
		return g.plain(s, depth)
	case oracle.Lock:
		s.Obj = g.IntN(p.Locks)
		return g.section(s.Obj, depth, nil)
	case oracle.TryLock:
		s.Obj = g.IntN(p.Locks)
		g.result(&s)
		g.ops -= 2
		then := []oracle.Stmt{{Op: oracle.Unlock, Obj: s.Obj}}
		if was := g.held[s.Obj]; !was && g.ops > 0 {
			g.held[s.Obj] = true
			then = append(g.stmts(2), then...)
			g.held[s.Obj] = was
		}
		return []oracle.Stmt{s, {Op: oracle.If, X: oracle.Expr{Kind: oracle.Local, Index: s.Dst}, Rel: oracle.Equal, Y: oracle.Expr{Const: 1}, Then: then}}
	case oracle.RLock, oracle.WLock:
		return g.rwSection(s.Op, depth)
	case oracle.Load:
		s.Obj = g.IntN(p.Atoms)
		g.result(&s)
	case oracle.Store:
		s.Obj = g.IntN(p.Atoms)
		s.X = g.expr()
	case oracle.Add:
		s.Obj, s.X = g.IntN(p.Atoms), g.expr()
		if s.Unread = g.Counts && !g.one(4); !s.Unread {
			g.result(&s)
		}
	case oracle.Swap:
		s.Obj, s.X, s.Y = g.IntN(p.Atoms), g.expr(), g.expr()
		g.result(&s)
	case oracle.Send, oracle.Recv:
		s.Obj = g.IntN(len(p.Chans))
		if s.Op == oracle.Send {
			s.X = g.expr()
		}
		if g.careful && !g.one(3) { // do not block
			c := oracle.Case{Send: s.Op == oracle.Send, Chan: s.Obj, X: s.X}
			if !c.Send {
				c.Dst = g.IntN(oracle.Locals)
				g.set[c.Dst] = true
			}
			s = oracle.Stmt{Op: oracle.Select, Case: []oracle.Case{c}, Default: true}
			g.result(&s)
			for !c.Send && s.Dst == c.Dst {
				g.result(&s)
			}
			break
		}
		if s.Op == oracle.Recv {
			g.result(&s)
		}
	case oracle.Close:
		s.Obj = g.IntN(len(p.Chans))
		if g.careful && (g.body != 0 || p.Chans[s.Obj] == oracle.NilChan || depth > 0 || !g.one(3)) {
			s = oracle.Stmt{Op: oracle.Recv, Obj: s.Obj}
			g.result(&s)
		}
	case oracle.Select:
		for range 1 + g.IntN(2) {
			c := oracle.Case{Send: g.one(2), Chan: g.IntN(len(p.Chans))}
			if g.Parks && len(s.Case) > 0 && s.Case[0].Chan == c.Chan {
				continue // it would be open which case a close wakes
			}
			if c.Send {
				c.X = g.expr()
			} else {
				c.Dst = g.IntN(oracle.Locals)
				g.set[c.Dst] = true
			}
			s.Case = append(s.Case, c)
		}
		if p.Timers > 0 && g.one(2) {
			c := oracle.Case{Timer: true, Chan: g.IntN(p.Timers), Dst: g.IntN(oracle.Locals)}
			g.set[c.Dst] = true
			s.Case = append(s.Case, c)
		}
		s.Default = g.careful && !g.one(4) || g.one(2)
		g.result(&s)
	case oracle.Sleep:
		s.X = g.duration()
		if g.timed++; g.timed > maxTimed {
			if s = (oracle.Stmt{Op: oracle.Note, Dst: g.IntN(oracle.Locals), Show: true}); g.Clock {
				s.Op, s.X = oracle.Since, g.duration()
			}
		}
	case oracle.Settle:
		if g.careful && g.body != 0 { // two at once are a panic
			s.Op, s.X = oracle.Since, g.duration()
			g.result(&s)
		}
	case oracle.Since:
		s.X = g.duration()
		g.result(&s)
	case oracle.Reset, oracle.Stop:
		s.Obj, s.X = g.IntN(p.Timers), g.duration()
		if g.timed++; g.timed > maxTimed {
			s.Op = oracle.Stop
		}
		g.result(&s)
	case oracle.Fired:
		s.Obj = g.IntN(p.Timers)
		g.result(&s)
		if g.timed++; g.timed <= maxTimed && !g.one(4) {
			// The time-out of a select, often.
			set := oracle.Stmt{Op: oracle.Reset, Obj: s.Obj, X: g.duration(), Dst: g.IntN(oracle.Locals)}
			c := oracle.Case{Timer: true, Chan: s.Obj, Dst: s.Dst}
			if len(p.Chans) > 0 && !g.one(4) {
				other := oracle.Case{Chan: g.IntN(len(p.Chans)), Dst: g.IntN(oracle.Locals)}
				s = oracle.Stmt{Op: oracle.Select, Case: []oracle.Case{other, c}}
				g.result(&s)
			}
			g.ops--
			return append([]oracle.Stmt{set}, g.follow(s, depth)...)
		}
		s = oracle.Stmt{Op: oracle.Select, Case: []oracle.Case{{Timer: true, Chan: s.Obj, Dst: s.Dst}}, Default: true}
		g.result(&s)
	case oracle.Range:
		s.X, s.Y = oracle.Expr{Const: 1 + g.IntN(maploop.MaxKeys)}, oracle.Expr{Const: g.IntN(4)}
		s.Dst, s.Show = g.IntN(oracle.Locals), true
		if g.one(2) {
			s.X.Const, s.Loop = 2+g.IntN(2), 1+g.IntN(len(maploop.Bodies))
		}
	case oracle.GroupDone, oracle.GroupWait:
		s.Obj = 0
	case oracle.Collect:
		if g.collected++; g.collected > maxCollected {
			s.Op = oracle.Peek
			return g.node(s, depth)
		}
		list := []oracle.Stmt{s}
		if g.one(2) {
			list = append(g.node(oracle.Stmt{Op: oracle.Drop}, depth), list...)
		}
		if g.one(2) {
			list = append(list, g.node(oracle.Stmt{Op: oracle.Peek}, depth)...)
		}
		g.ops--
		return list
	case oracle.Drop, oracle.Hold, oracle.Upgrade, oracle.Peek, oracle.NodeGet, oracle.NodeSet, oracle.Cancel:
		return g.node(s, depth)
	}
	g.ops--
	return g.follow(s, depth)
}

// node draws a statement about a node, if need be with one that holds on to it.
func (g *generator) node(s oracle.Stmt, depth int) []oracle.Stmt {
	s.Obj = g.IntN(len(g.p.Nodes))
	node := g.p.Nodes[s.Obj]
	g.ops--
	if s.Op == oracle.Cancel && (node.Kind == oracle.Weak || node.Kind == oracle.Cleaned && g.called) {
		s.Op = oracle.Peek
	}
	switch {
	case s.Op == oracle.Drop, s.Op == oracle.Cancel && node.Kind == oracle.Cleaned:
		return []oracle.Stmt{s}
	case s.Op == oracle.Peek:
		g.result(&s)
		return g.follow(s, depth)
	case g.inHand[s.Obj] && (s.Op == oracle.Hold || s.Op == oracle.Upgrade):
		return nil
	}
	switch s.Op {
	case oracle.NodeGet:
		g.result(&s)
	case oracle.NodeSet:
		s.X = g.expr()
	}
	if g.inHand[s.Obj] {
		return []oracle.Stmt{s}
	}
	hold := oracle.Stmt{Op: oracle.Hold, Obj: s.Obj}
	if s.Op == oracle.Upgrade || s.Op != oracle.Hold && g.one(3) {
		hold.Op = oracle.Upgrade
	}
	if s.Op != oracle.Hold && s.Op != oracle.Upgrade {
		hold.Then = []oracle.Stmt{s}
	}
	g.result(&hold)
	g.inHand[s.Obj] = true
	for g.ops > 0 && g.one(2) {
		hold.Then = append(hold.Then, g.stmts(depth+1)...)
	}
	g.inHand[s.Obj] = false
	if g.one(4) {
		hold.Else = g.block(depth + 1)
	}
	return []oracle.Stmt{hold}
}

// maxTimed bounds the operations of a program that wait for time: when the target has
// returned, the machine cuts off what goes on for long.
const maxTimed = 4

// maxCollected bounds the collections of a program, each of which is ordered with everything.
const maxCollected = 2

func (g *generator) duration() oracle.Expr { return oracle.Expr{Const: g.IntN(4)} }

// follow returns s, often with an If on its result.
func (g *generator) follow(s oracle.Stmt, depth int) []oracle.Stmt {
	switch s.Op {
	case oracle.Get, oracle.Load, oracle.Add, oracle.Swap, oracle.Recv, oracle.Select, oracle.Since, oracle.Reset, oracle.Stop, oracle.Fired, oracle.Peek:
		if depth < 2 && !s.Unread && g.one(2) {
			return []oracle.Stmt{s, {
				Op: oracle.If, X: oracle.Expr{Kind: oracle.Local, Index: s.Dst}, Y: oracle.Expr{Const: g.IntN(3)}, Rel: oracle.Rel(g.IntN(3)),
				Then: g.block(depth + 1),
			}}
		}
	}
	return []oracle.Stmt{s}
}

// plain draws an access to a plain variable, in Guarded mode under its lock.
func (g *generator) plain(s oracle.Stmt, depth int) []oracle.Stmt {
	if s.Op == oracle.Set {
		s.X = g.expr()
	} else {
		g.result(&s)
	}
	lock := s.Obj % g.p.Locks
	if g.held[lock] || g.p.Mode == oracle.Racy && !g.one(3) {
		g.ops--
		return g.follow(s, depth)
	}
	return g.section(lock, depth, g.follow(s, depth+1))
}

// section draws a critical section around list.
func (g *generator) section(lock, depth int, list []oracle.Stmt) []oracle.Stmt {
	g.ops -= 2 + len(list)
	was := g.held[lock]
	if was && g.careful {
		return nil
	}
	g.held[lock] = true
	for g.ops > 0 && (len(list) == 0 || g.one(2)) {
		list = append(list, g.stmts(depth+1)...)
	}
	g.held[lock] = was
	out := append([]oracle.Stmt{{Op: oracle.Lock, Obj: lock}}, list...)
	if g.careful || !g.one(6) {
		out = append(out, oracle.Stmt{Op: oracle.Unlock, Obj: lock})
	}
	return out
}

// rwSection draws a critical section of a read-write mutex.
func (g *generator) rwSection(lock oracle.StmtOp, depth int) []oracle.Stmt {
	g.ops -= 2
	if g.inRW && g.careful {
		return nil
	}
	was := g.inRW
	g.inRW = true
	list := []oracle.Stmt{{Op: lock}}
	for g.ops > 0 && g.one(2) {
		list = append(list, g.stmts(depth+1)...)
	}
	g.inRW = was
	unlock := oracle.RUnlock
	if lock == oracle.WLock != (!g.careful && g.one(8)) {
		unlock = oracle.WUnlock
	}
	return append(list, oracle.Stmt{Op: unlock})
}

// block draws what an If does: often it fails, else it is a statement.
func (g *generator) block(depth int) []oracle.Stmt {
	if g.one(3) && (!g.careful || g.one(3)) {
		if !g.Init && !g.called && g.one(2) && (g.body == 0 || g.joined) { // else t may be done, or not begun
			return []oracle.Stmt{{Op: oracle.Error}}
		}
		return []oracle.Stmt{{Op: oracle.Panic}}
	}
	for g.ops > 0 {
		if list := g.stmts(depth); len(list) > 0 {
			return list
		}
	}
	return []oracle.Stmt{{Op: oracle.Note, Dst: g.IntN(oracle.Locals), Show: true}}
}

// condition draws a comparison that is not one of constants.
func (g *generator) condition() (x, y oracle.Expr, rel oracle.Rel, ok bool) {
	for range 8 {
		if x = g.expr(); x.Kind == oracle.Const || x.Kind == oracle.Arg && g.one(2) {
			continue
		}
		y = g.expr()
		if y.Kind == x.Kind && y.Index == x.Index {
			y = oracle.Expr{Const: x.Const + g.IntN(3)}
		}
		return x, y, oracle.Rel(g.IntN(3)), true
	}
	return x, y, 0, false
}

func (g *generator) expr() oracle.Expr {
	switch g.IntN(3) {
	case 0:
		if len(g.p.Inputs) > 0 {
			return oracle.Expr{Kind: oracle.Arg, Index: g.IntN(len(g.p.Inputs)), Const: g.IntN(2)}
		}
	case 1:
		if i := g.IntN(oracle.Locals); g.set[i] {
			return oracle.Expr{Kind: oracle.Local, Index: i, Const: g.IntN(2)}
		}
	}
	return oracle.Expr{Const: g.IntN(3)}
}

// result chooses where the result of s goes.
func (g *generator) result(s *oracle.Stmt) {
	s.Dst = g.IntN(oracle.Locals)
	g.set[s.Dst] = true
	s.Show = !g.one(3)
}
