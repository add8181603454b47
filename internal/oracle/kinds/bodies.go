package kinds

import "github.com/everyway-go/everyway/internal/oracle"

// A starting is a way in which the target starts the other bodies.
type starting uint8

const (
	first     starting = iota // before it does anything else
	scattered                 // each of them after it may have done something
	byGroup                   // before anything else, by WaitGroup.Go
)

// bodies draws n bodies and the target, which starts them, and often waits for them.
func (g *generator) bodies(n int, draw func(body int) []oracle.Stmt) {
	g.drawJoined()
	how := scattered
	if g.Copies {
		how = first
	}
	g.goroutines(n, how, draw)
}

// drawJoined draws whether the target waits for the others at its end. If they are copies, it always does.
func (g *generator) drawJoined() { g.joined = g.Copies || !g.one(3) }

// goroutines draws n bodies, which are copies if the configuration says so, and the target, which
// starts them. If it waits for them, it shows then what there is in the variables.
func (g *generator) goroutines(n int, how starting, draw func(body int) []oracle.Stmt) {
	p := g.p
	p.Bodies = make([][]oracle.Stmt, 1+n)
	if g.Copies {
		p.Copies = n
	}
	if g.joined {
		p.Groups = max(p.Groups, 1)
	}
	for b := range p.Bodies {
		if b > 1 && g.Copies {
			p.Bodies[b] = p.Bodies[1]
			continue
		}
		g.body = b
		list := draw(b)
		switch {
		case b == 0:
			list = g.target(list, n, how)
		case g.joined:
			list = g.finishing(list, how)
		}
		if b > 0 && g.Copies {
			silence(list)
		}
		p.Bodies[b] = list
	}
}

// target returns what the target does, in which it starts n bodies and waits for them.
func (g *generator) target(list []oracle.Stmt, n int, how starting) []oracle.Stmt {
	for other := n; other > 0; other-- {
		at, spawn := 0, oracle.Stmt{Op: oracle.Spawn, Obj: other}
		switch how {
		case scattered:
			at = g.IntN(2)
		case byGroup:
			spawn.Y = oracle.Expr{Const: 1}
		}
		list = insert(list, at, spawn)
		if how == byGroup {
			list = insert(list, at, oracle.Stmt{Op: oracle.GroupAdd, X: oracle.Expr{Const: 1}, Implied: true})
		}
	}
	if !g.joined {
		return list
	}
	if how != byGroup {
		list = insert(list, 0, oracle.Stmt{Op: oracle.GroupAdd, X: oracle.Expr{Const: n}})
	}
	list = append(list, oracle.Stmt{Op: oracle.GroupWait})
	for i := range g.p.Atoms {
		list = append(list, oracle.Stmt{Op: oracle.Load, Obj: i, Show: true})
	}
	for i := range g.p.Plains {
		list = append(list, oracle.Stmt{Op: oracle.Get, Obj: i, Show: true})
	}
	return list
}

// mayLeave reports whether bodies may end before they come to their ends, by a panic or an exit.
func (g *generator) mayLeave() bool {
	return g.Family == Recoveries || g.Family == Exits || g.Family == Functions
}

// finishing returns what a body does for which the target waits, also if it may panic.
func (g *generator) finishing(list []oracle.Stmt, how starting) []oracle.Stmt {
	done := oracle.Stmt{Op: oracle.GroupDone, Implied: how == byGroup}
	if g.mayLeave() {
		return []oracle.Stmt{{Op: oracle.Ensure, Then: list, Else: []oracle.Stmt{done}}}
	}
	return append(list, done)
}
