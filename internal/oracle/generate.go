package oracle

import (
	"math/rand/v2"
	"slices"

	"github.com/everyway-go/everyway/internal/oracle/maploop"
)

// A Config says what programs have in them.
type Config struct {
	Mode  Mode
	Time  bool // sleepers and timers
	Clock bool // with Time, readings of the clock too
	Stall int  // Program.Stall
	Parks bool // Program.Parks
	Maps  bool // loops over maps that change meanwhile
	Nodes bool // nodes that are collected
	// Bubble is Program.Bubble. There are no nodes then, which are collected outside of
	// bubbles, and nothing is done by initialisers.
	Bubble bool
	Copies bool // Program.Copies
	Fields bool // Program.Fields
	Meets  bool // many goroutines, each of which communicates a few times, nearly always on channels without a buffer
	Counts bool // atomic variables, to which goroutines often add without looking at the sum
	Others bool // with Copies and Meets: goroutines beside the copies, and often a channel with a buffer
	Init   bool // an initialiser of the package does the first part, and there are no inputs
	// Closes says that goroutines wait at channels that are closed; see closes.go. The rest does not count then, but for Mode.
	Closes bool
	// Logs says that goroutines write to the log of the test, also when it may be done. Nothing is done by initialisers then.
	Logs bool
	// Leads says that goroutines wait for the one that has come first; see leads.go. The rest does not count then, but for Mode.
	Leads bool
	// Polls says that goroutines look whether a timer has fired; see polls.go. The rest does not count then, but for Mode, Stall and Parks.
	Polls bool
	// Contends says that goroutines contend for locks; see locks.go. The rest does not count then, but for Mode.
	Contends bool
	// Selects says that goroutines are at selects with channels in common, and with Time each with a timer as well; see selects.go. The rest does not count then, but
	// for Mode, Stall and Parks.
	Selects bool
	// Overwrites says that goroutines overwrite what others have written; see overwrites.go. The rest does not count then, but for Mode.
	Overwrites bool
	// Family is the one of dense programs; see dense.go. The rest does not count then, but for Mode, Time, Copies, Stall and Parks.
	Family Family
}

// Generate draws a program. The same seed and configuration give the same program.
func Generate(seed uint64, cfg Config) *Program {
	g := &generator{
		Rand:   rand.New(rand.NewPCG(seed, uint64(cfg.Mode))),
		p:      &Program{Seed: seed, Mode: cfg.Mode, Stall: cfg.Stall, Parks: cfg.Parks, Bubble: cfg.Bubble, Fields: cfg.Fields},
		Config: cfg,
	}
	switch {
	case g.Family != NoFamily:
		g.dense()
	case g.Closes:
		g.closes()
	case g.Leads:
		g.leads()
	case g.Overwrites:
		g.overwrites()
	case g.Polls:
		g.polls()
	case g.Contends:
		g.contends()
	case g.Selects:
		g.selects()
	default:
		g.any()
	}
	g.p.number()
	return g.p
}

// any draws a program with all that the configuration says.
func (g *generator) any() {
	g.objects()
	g.program()
	if g.Init {
		g.initialise()
	}
	if g.Logs {
		g.logs()
	}
}

// bodies draws n bodies and the target, which starts them, and often waits for them. If they are copies, it always does, and shows what they have added up.
func (g *generator) bodies(n int, draw func(body int) []Stmt) {
	p := g.p
	p.Bodies = make([][]Stmt, 1+n)
	if g.Copies {
		p.Copies = n
	}
	g.joined = g.Copies || !g.one(3)
	for b := range p.Bodies {
		if b > 1 && g.Copies {
			p.Bodies[b] = p.Bodies[1]
			continue
		}
		list := draw(b)
		for other := n; b == 0 && other > 0; other-- {
			at := 0
			if !g.Copies {
				at = g.IntN(2)
			}
			list = insert(list, at, Stmt{Op: Spawn, Obj: other})
		}
		if b > 0 && g.Copies {
			silence(list)
		}
		if g.joined {
			p.Groups = 1
			if b > 0 {
				list = append(list, Stmt{Op: GroupDone})
			} else {
				list = append(insert(list, 0, Stmt{Op: GroupAdd, X: Expr{Const: n}}), Stmt{Op: GroupWait}, Stmt{Op: Load, Show: true})
			}
		}
		p.Bodies[b] = list
	}
}

// logs inserts statements that write to the log.
func (g *generator) logs() {
	p := g.p
	p.Logs = true
	for b := range p.Bodies {
		if p.original(b) != b {
			p.Bodies[b] = p.Bodies[1]
			continue
		}
		for range g.IntN(3) {
			list := &p.Bodies[b]
			for len(*list) > 0 {
				s := &(*list)[g.IntN(len(*list))]
				if s.Op != If && s.Op != Once || g.one(2) {
					break
				}
				if list = &s.Then; g.one(2) {
					list = &s.Else
				}
			}
			*list = insert(*list, g.IntN(len(*list)+1), Stmt{Op: Log})
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
	p     *Program
	kinds []StmtOp // what may be drawn, the likelier the more often it is in the list
	body  int      // being drawn
	todo  []int    // bodies not yet spawned
	set   [Locals]bool
	ops   int // left for the body
	// careful programs release what they lock, close once and panic seldom, so
	// that there are programs that hold.
	careful   bool
	joined    bool           // the target waits for the others at its end
	held      []bool         // the locks whose sections are being drawn
	inRW      bool           // and whether one of the read-write mutex is
	timed     int            // operations that wait for time
	inHand    [maxNodes]bool // the nodes that the body has at hand
	called    bool           // the body is a finalizer or a cleanup
	collected int            // collections
	reset     bool           // an alarm has been reset
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
			p.Inputs = append(p.Inputs, Input{
				Name: []string{"a", "b"}[i],
				Type: []string{"int", "uint8", "int16", "uint32"}[g.IntN(4)],
				Size: 2 + g.IntN(2),
			})
		}
	}
	add := func(n int, ops ...StmtOp) {
		for range n {
			g.kinds = append(g.kinds, ops...)
		}
	}
	if g.Nodes {
		for range 1 + g.IntN(maxNodes) {
			p.Nodes = append(p.Nodes, Node{Next: -1, Kind: NodeKind(g.IntN(3))})
		}
		if n := len(p.Nodes); n > 1 {
			p.Nodes[0].Next = g.IntN(n+1) - 1
			p.Nodes[1].Next = g.IntN(n+1) - 1
		}
		add(3, Drop, Hold, Collect, Peek)
		add(2, Upgrade, NodeSet)
		add(1, Cancel, NodeGet)
	}
	if g.Meets {
		p.Chans = []int{0, 0, 0}[:1+g.IntN(3)]
		if g.one(6) || g.Others && g.one(3) {
			p.Chans[len(p.Chans)-1] = 1
		}
		add(4, Send, Recv)
		if g.one(2) {
			add(1, Select)
		}
		if g.one(3) {
			add(1, Close)
		}
		if g.one(3) {
			p.Atoms = 1
			add(1, Load, Store)
		}
		if g.one(4) {
			p.Locks = 1
			add(1, Lock)
		}
		if g.one(4) && g.Bubble {
			add(1, Settle)
		}
		g.joined = g.one(4)
		return
	}
	for len(g.kinds) == 0 || g.Nodes && g.one(3) {
		if g.one(2) || p.Mode == Racy {
			p.Plains = 1 + g.IntN(2)
			if g.Fields {
				p.Plains++
			}
			p.Locks = 1 + g.IntN(2)
			add(2, Get, Set)
		}
		if g.one(3) {
			p.Locks = 1 + g.IntN(2)
			add(2, Lock)
			add(1, TryLock)
		}
		if g.one(4) {
			p.RWs = 1
			add(2, RLock, WLock)
		}
		if g.Counts {
			p.Atoms = 1 + g.IntN(2)
			add(1, Load, Load, Store, Swap)
			add(6, Add)
		} else if g.one(2) {
			p.Atoms = 1 + g.IntN(2)
			add(1, Load, Load, Store, Add, Swap)
		}
		if g.one(2) {
			for range 1 + g.IntN(2) {
				c := g.IntN(3)
				if g.one(10) {
					c = NilChan
				}
				p.Chans = append(p.Chans, c)
			}
			add(2, Send, Recv)
			add(1, Select, Close)
		}
		if g.one(4) {
			p.Groups = 1
			add(1, GroupDone, GroupWait)
		}
	}
	if g.Time {
		p.Timers = g.IntN(3)
		add(2, Sleep)
		if g.Clock {
			add(1, Since)
		}
		if p.Timers > 0 {
			add(1, Reset, Stop, Fired, Fired)
		}
	}
	if g.Maps {
		add(2, Range)
	}
	if g.Bubble {
		add(2, Settle)
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
		if p.Nodes[k].Kind != Weak { // a finalizer or cleanup is a body, too
			n = min(n, mostBodies-2-k)
		}
	}
	p.Bodies = make([][]Stmt, n)
	for b := 1; b < n; b++ {
		g.todo = append(g.todo, b)
	}
	var first []Stmt
	if g.Time {
		first = append(first, Stmt{Op: Now})
	}
	if p.Groups > 0 {
		first = append(first, Stmt{Op: GroupAdd, Obj: 0, X: Expr{Const: 1 + g.IntN(n)}})
	}
	join := p.Groups
	if g.joined {
		p.Groups++
		first = append(first, Stmt{Op: GroupAdd, Obj: join, X: Expr{Const: n - 1}})
	}
	g.draw(0)
	for b := 1; b < n; b++ {
		// A body that no other has spawned by now is spawned by the target.
		for len(g.todo) > 0 && g.todo[0] <= b {
			p.Bodies[0] = insert(p.Bodies[0], g.IntN(len(p.Bodies[0])+1), g.spawn())
		}
		g.draw(b)
		if g.joined {
			p.Bodies[b] = append(p.Bodies[b], Stmt{Op: GroupDone, Obj: join})
		}
	}
	g.called = true
	for k := range p.Nodes {
		if node := &p.Nodes[k]; node.Kind != Weak {
			node.Body = len(p.Bodies)
			p.Bodies = append(p.Bodies, nil)
			g.inHand[k] = true
			g.draw(node.Body)
			g.inHand[k] = false
			if node.Kind == Finalized && g.one(4) {
				list := p.Bodies[node.Body]
				p.Bodies[node.Body] = insert(list, g.IntN(len(list)+1), Stmt{Op: Revive, Obj: k})
			}
		}
	}
	p.Bodies[0] = append(first, p.Bodies[0]...)
	if g.joined {
		end := []Stmt{{Op: GroupWait, Obj: join}}
		for i := range p.Plains {
			end = append(end, Stmt{Op: Get, Obj: i, Show: true})
		}
		for i := range p.Atoms {
			end = append(end, Stmt{Op: Load, Obj: i, Show: true})
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
	p.Bodies = make([][]Stmt, n)
	var first []Stmt
	if p.Groups > 0 {
		first = append(first, Stmt{Op: GroupAdd, Obj: 0, X: Expr{Const: 1 + g.IntN(n)}})
	}
	first = append(first, Stmt{Op: GroupAdd, Obj: p.Groups, X: Expr{Const: n - 1}})
	end := []Stmt{{Op: GroupWait, Obj: p.Groups}}
	done := Stmt{Op: GroupDone, Obj: p.Groups}
	g.draw(0)
	g.draw(1)
	silence(p.Bodies[1])
	p.Bodies[1] = append(p.Bodies[1], done)
	at := g.IntN(len(p.Bodies[0]) + 1)
	for b := 1; b <= p.Copies; b++ {
		p.Bodies[b] = p.Bodies[1]
		p.Bodies[0] = insert(p.Bodies[0], at, Stmt{Op: Spawn, Obj: b})
		if at++; g.one(3) {
			at += g.IntN(len(p.Bodies[0]) + 1 - at)
		}
	}
	for b := p.Copies + 1; b < n; b++ {
		g.draw(b)
		p.Bodies[b] = append(p.Bodies[b], done)
		p.Bodies[0] = insert(p.Bodies[0], g.IntN(len(p.Bodies[0])+1), Stmt{Op: Spawn, Obj: b})
	}
	p.Groups++
	for i := range p.Plains {
		end = append(end, Stmt{Op: Get, Obj: i, Show: true})
	}
	for i := range p.Atoms {
		end = append(end, Stmt{Op: Load, Obj: i, Show: true})
	}
	p.Bodies[0] = slices.Concat(first, p.Bodies[0], end)
}

// silence has statements show nothing.
func silence(list []Stmt) {
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
	starts := func(s Stmt) bool { return s.Op == Spawn || s.Op == After }
	at := slices.IndexFunc(list, starts)
	quiet := slices.IndexFunc(list, func(s Stmt) bool { return s.Op != GroupAdd && s.Op != Now })
	first := list[at]
	copy(list[quiet+1:at+1], list[quiet:at])
	list[quiet] = first
	g.p.Init = quiet + 1 + g.IntN(len(list)-quiet)
}

func insert(list []Stmt, at int, s Stmt) []Stmt {
	list = append(list, Stmt{})
	copy(list[at+1:], list[at:])
	list[at] = s
	return list
}

func (g *generator) spawn() Stmt {
	s := Stmt{Op: Spawn, Obj: g.todo[0]}
	if g.Time && g.one(4) {
		s.Op, s.X = After, g.duration()
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
	g.set = [Locals]bool{}
	g.inRW = false
	g.held = make([]bool, g.p.Locks)
	var list []Stmt
	for g.ops > 0 {
		list = append(list, g.stmts(0)...)
	}
	g.p.Bodies[b] = list
}

// stmts draws one statement, or several that belong together.
func (g *generator) stmts(depth int) []Stmt {
	if len(g.todo) > 0 && depth == 0 && g.one(3) {
		return []Stmt{g.spawn()}
	}
	if depth < 2 && g.one(3) {
		if x, y, rel, ok := g.condition(); ok {
			s := Stmt{Op: If, X: x, Y: y, Rel: rel, Then: g.block(depth + 1)}
			if g.one(3) {
				s.Else = g.block(depth + 1)
			}
			return []Stmt{s}
		}
	}
	p := g.p
	s := Stmt{Op: g.kinds[g.IntN(len(g.kinds))]}
	switch s.Op {
	case Get, Set:
		s.Obj = g.IntN(p.Plains)
		return g.plain(s, depth)
	case Lock:
		s.Obj = g.IntN(p.Locks)
		return g.section(s.Obj, depth, nil)
	case TryLock:
		s.Obj = g.IntN(p.Locks)
		g.result(&s)
		g.ops -= 2
		then := []Stmt{{Op: Unlock, Obj: s.Obj}}
		if was := g.held[s.Obj]; !was && g.ops > 0 {
			g.held[s.Obj] = true
			then = append(g.stmts(2), then...)
			g.held[s.Obj] = was
		}
		return []Stmt{s, {Op: If, X: Expr{Kind: Local, Index: s.Dst}, Rel: Equal, Y: Expr{Const: 1}, Then: then}}
	case RLock, WLock:
		return g.rwSection(s.Op, depth)
	case Load:
		s.Obj = g.IntN(p.Atoms)
		g.result(&s)
	case Store:
		s.Obj = g.IntN(p.Atoms)
		s.X = g.expr()
	case Add:
		s.Obj, s.X = g.IntN(p.Atoms), g.expr()
		if s.Unread = g.Counts && !g.one(4); !s.Unread {
			g.result(&s)
		}
	case Swap:
		s.Obj, s.X, s.Y = g.IntN(p.Atoms), g.expr(), g.expr()
		g.result(&s)
	case Send, Recv:
		s.Obj = g.IntN(len(p.Chans))
		if s.Op == Send {
			s.X = g.expr()
		}
		if g.careful && !g.one(3) { // do not block
			c := Case{Send: s.Op == Send, Chan: s.Obj, X: s.X}
			if !c.Send {
				c.Dst = g.IntN(Locals)
				g.set[c.Dst] = true
			}
			s = Stmt{Op: Select, Case: []Case{c}, Default: true}
			g.result(&s)
			for !c.Send && s.Dst == c.Dst {
				g.result(&s)
			}
			break
		}
		if s.Op == Recv {
			g.result(&s)
		}
	case Close:
		s.Obj = g.IntN(len(p.Chans))
		if g.careful && (g.body != 0 || p.Chans[s.Obj] == NilChan || depth > 0 || !g.one(3)) {
			s = Stmt{Op: Recv, Obj: s.Obj}
			g.result(&s)
		}
	case Select:
		for range 1 + g.IntN(2) {
			c := Case{Send: g.one(2), Chan: g.IntN(len(p.Chans))}
			if g.Parks && len(s.Case) > 0 && s.Case[0].Chan == c.Chan {
				continue // it would be open which case a close wakes
			}
			if c.Send {
				c.X = g.expr()
			} else {
				c.Dst = g.IntN(Locals)
				g.set[c.Dst] = true
			}
			s.Case = append(s.Case, c)
		}
		if p.Timers > 0 && g.one(2) {
			c := Case{Timer: true, Chan: g.IntN(p.Timers), Dst: g.IntN(Locals)}
			g.set[c.Dst] = true
			s.Case = append(s.Case, c)
		}
		s.Default = g.careful && !g.one(4) || g.one(2)
		g.result(&s)
	case Sleep:
		s.X = g.duration()
		if g.timed++; g.timed > maxTimed {
			if s = (Stmt{Op: Note, Dst: g.IntN(Locals), Show: true}); g.Clock {
				s.Op, s.X = Since, g.duration()
			}
		}
	case Settle:
		if g.careful && g.body != 0 { // two at once are a panic
			s.Op, s.X = Since, g.duration()
			g.result(&s)
		}
	case Since:
		s.X = g.duration()
		g.result(&s)
	case Reset, Stop:
		s.Obj, s.X = g.IntN(p.Timers), g.duration()
		if g.timed++; g.timed > maxTimed {
			s.Op = Stop
		}
		g.result(&s)
	case Fired:
		s.Obj = g.IntN(p.Timers)
		g.result(&s)
		if g.timed++; g.timed <= maxTimed && !g.one(4) {
			// The time-out of a select, often.
			set := Stmt{Op: Reset, Obj: s.Obj, X: g.duration(), Dst: g.IntN(Locals)}
			c := Case{Timer: true, Chan: s.Obj, Dst: s.Dst}
			if len(p.Chans) > 0 && !g.one(4) {
				other := Case{Chan: g.IntN(len(p.Chans)), Dst: g.IntN(Locals)}
				s = Stmt{Op: Select, Case: []Case{other, c}}
				g.result(&s)
			}
			g.ops--
			return append([]Stmt{set}, g.follow(s, depth)...)
		}
		s = Stmt{Op: Select, Case: []Case{{Timer: true, Chan: s.Obj, Dst: s.Dst}}, Default: true}
		g.result(&s)
	case Range:
		s.X, s.Y = Expr{Const: 1 + g.IntN(maploop.MaxKeys)}, Expr{Const: g.IntN(4)}
		s.Dst, s.Show = g.IntN(Locals), true
		if g.one(2) {
			s.X.Const, s.Loop = 2+g.IntN(2), 1+g.IntN(len(maploop.Bodies))
		}
	case GroupDone, GroupWait:
		s.Obj = 0
	case Collect:
		if g.collected++; g.collected > maxCollected {
			s.Op = Peek
			return g.node(s, depth)
		}
		list := []Stmt{s}
		if g.one(2) {
			list = append(g.node(Stmt{Op: Drop}, depth), list...)
		}
		if g.one(2) {
			list = append(list, g.node(Stmt{Op: Peek}, depth)...)
		}
		g.ops--
		return list
	case Drop, Hold, Upgrade, Peek, NodeGet, NodeSet, Cancel:
		return g.node(s, depth)
	}
	g.ops--
	return g.follow(s, depth)
}

// node draws a statement about a node, if need be with one that holds on to it.
func (g *generator) node(s Stmt, depth int) []Stmt {
	s.Obj = g.IntN(len(g.p.Nodes))
	node := g.p.Nodes[s.Obj]
	g.ops--
	if s.Op == Cancel && (node.Kind == Weak || node.Kind == Cleaned && g.called) {
		s.Op = Peek
	}
	switch {
	case s.Op == Drop, s.Op == Cancel && node.Kind == Cleaned:
		return []Stmt{s}
	case s.Op == Peek:
		g.result(&s)
		return g.follow(s, depth)
	case g.inHand[s.Obj] && (s.Op == Hold || s.Op == Upgrade):
		return nil
	}
	switch s.Op {
	case NodeGet:
		g.result(&s)
	case NodeSet:
		s.X = g.expr()
	}
	if g.inHand[s.Obj] {
		return []Stmt{s}
	}
	hold := Stmt{Op: Hold, Obj: s.Obj}
	if s.Op == Upgrade || s.Op != Hold && g.one(3) {
		hold.Op = Upgrade
	}
	if s.Op != Hold && s.Op != Upgrade {
		hold.Then = []Stmt{s}
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
	return []Stmt{hold}
}

// maxTimed bounds the operations of a program that wait for time: when the target has
// returned, the machine cuts off what goes on for long.
const maxTimed = 4

// maxCollected bounds the collections of a program, each of which is ordered with everything.
const maxCollected = 2

func (g *generator) duration() Expr { return Expr{Const: g.IntN(4)} }

// follow returns s, often with an If on its result.
func (g *generator) follow(s Stmt, depth int) []Stmt {
	switch s.Op {
	case Get, Load, Add, Swap, Recv, Select, Since, Reset, Stop, Fired, Peek:
		if depth < 2 && !s.Unread && g.one(2) {
			return []Stmt{s, {
				Op: If, X: Expr{Kind: Local, Index: s.Dst}, Y: Expr{Const: g.IntN(3)}, Rel: Rel(g.IntN(3)),
				Then: g.block(depth + 1),
			}}
		}
	}
	return []Stmt{s}
}

// plain draws an access to a plain variable, in Guarded mode under its lock.
func (g *generator) plain(s Stmt, depth int) []Stmt {
	if s.Op == Set {
		s.X = g.expr()
	} else {
		g.result(&s)
	}
	lock := s.Obj % g.p.Locks
	if g.held[lock] || g.p.Mode == Racy && !g.one(3) {
		g.ops--
		return g.follow(s, depth)
	}
	return g.section(lock, depth, g.follow(s, depth+1))
}

// section draws a critical section around list.
func (g *generator) section(lock, depth int, list []Stmt) []Stmt {
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
	out := append([]Stmt{{Op: Lock, Obj: lock}}, list...)
	if g.careful || !g.one(6) {
		out = append(out, Stmt{Op: Unlock, Obj: lock})
	}
	return out
}

// rwSection draws a critical section of a read-write mutex.
func (g *generator) rwSection(lock StmtOp, depth int) []Stmt {
	g.ops -= 2
	if g.inRW && g.careful {
		return nil
	}
	was := g.inRW
	g.inRW = true
	list := []Stmt{{Op: lock}}
	for g.ops > 0 && g.one(2) {
		list = append(list, g.stmts(depth+1)...)
	}
	g.inRW = was
	unlock := RUnlock
	if lock == WLock != (!g.careful && g.one(8)) {
		unlock = WUnlock
	}
	return append(list, Stmt{Op: unlock})
}

// block draws what an If does: often it fails, else it is a statement.
func (g *generator) block(depth int) []Stmt {
	if g.one(3) && (!g.careful || g.one(3)) {
		if !g.Init && !g.called && g.one(2) && (g.body == 0 || g.joined) { // else t may be done, or not begun
			return []Stmt{{Op: Error}}
		}
		return []Stmt{{Op: Panic}}
	}
	for g.ops > 0 {
		if list := g.stmts(depth); len(list) > 0 {
			return list
		}
	}
	return []Stmt{{Op: Note, Dst: g.IntN(Locals), Show: true}}
}

// condition draws a comparison that is not one of constants.
func (g *generator) condition() (x, y Expr, rel Rel, ok bool) {
	for range 8 {
		if x = g.expr(); x.Kind == Const || x.Kind == Arg && g.one(2) {
			continue
		}
		y = g.expr()
		if y.Kind == x.Kind && y.Index == x.Index {
			y = Expr{Const: x.Const + g.IntN(3)}
		}
		return x, y, Rel(g.IntN(3)), true
	}
	return x, y, 0, false
}

func (g *generator) expr() Expr {
	switch g.IntN(3) {
	case 0:
		if len(g.p.Inputs) > 0 {
			return Expr{Kind: Arg, Index: g.IntN(len(g.p.Inputs)), Const: g.IntN(2)}
		}
	case 1:
		if i := g.IntN(Locals); g.set[i] {
			return Expr{Kind: Local, Index: i, Const: g.IntN(2)}
		}
	}
	return Expr{Const: g.IntN(3)}
}

// result chooses where the result of s goes.
func (g *generator) result(s *Stmt) {
	s.Dst = g.IntN(Locals)
	g.set[s.Dst] = true
	s.Show = !g.one(3)
}
