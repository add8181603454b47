package kinds

import "github.com/everyway-go/everyway/internal/oracle"

// Programs whose target has subtests, most of which are parallel, and things that are cleaned up
// after the tests. A goroutine may be beside them.

// subtests makes subtests of the goroutines that the target starts.
func (g *generator) subtests() {
	p := g.p
	p.Subtests = true
	beside := g.one(3)
	for i := range p.Bodies[0] {
		s := &p.Bodies[0][i]
		if s.Op != oracle.Spawn || beside && s.Obj == 1 {
			continue
		}
		s.Op = oracle.RunSub
		list := p.Bodies[s.Obj]
		if !g.one(4) {
			at := 0
			if g.one(3) {
				at = g.IntN(len(list) + 1)
			}
			list = insert(list, at, oracle.Stmt{Op: oracle.Parallel})
		}
		p.Bodies[s.Obj] = g.cleaning(s.Obj, list)
	}
	list := g.cleaning(0, p.Bodies[0])
	var end []oracle.Stmt
	for i := range p.Atoms {
		end = append(end, oracle.Stmt{Op: oracle.Load, Obj: i, Show: true})
	}
	for i := range p.Plains {
		end = append(end, oracle.Stmt{Op: oracle.Get, Obj: i, Show: true})
	}
	p.Bodies[0] = insert(list, 0, oracle.Stmt{Op: oracle.CleanUp, Then: end})
}

// cleaning inserts what is to be cleaned up after the test of a body, or nothing.
func (g *generator) cleaning(b int, list []oracle.Stmt) []oracle.Stmt {
	g.body = b
	for range g.IntN(3) {
		list = insert(list, g.IntN(len(list)+1), oracle.Stmt{Op: oracle.CleanUp, Then: g.load(1)})
	}
	return list
}
