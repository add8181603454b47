package kinds

import "github.com/everyway-go/everyway/internal/oracle"

// Programs in which goroutines write to plain variables under a lock, most of which somebody
// overwrites before anybody reads them, or nobody reads at all: whether two states are the same
// depends on what is read after them.
//
// What is read decides which branches are taken, in the goroutine that has read it or, through
// other variables, in another one.

// overwrites draws such a program.
func (g *generator) overwrites() {
	for {
		*g.p = oracle.Program{Seed: g.p.Seed, Mode: g.p.Mode, Fields: g.one(2)}
		if g.overwrite(); g.p.Number() <= oracle.MaxStatements {
			return
		}
	}
}

// overwrite draws a program, which may have too many statements.
func (g *generator) overwrite() {
	p := g.p
	p.Plains, p.Locks, p.Groups = 2+g.IntN(2), 1, 1
	if g.one(6) {
		p.Inputs = []oracle.Input{{Name: "a", Type: "uint8", Size: 2}}
	}
	n := 2
	if g.one(4) {
		n = 3
	}
	if p.Bodies = make([][]oracle.Stmt, 1+n); g.one(8) {
		p.Copies = n
	}
	list := []oracle.Stmt{{Op: oracle.GroupAdd, X: oracle.Expr{Const: n}}}
	if g.one(2) { // as long as there is only one goroutine
		list = append(list, oracle.Stmt{Op: oracle.Set, Obj: g.IntN(p.Plains), X: oracle.Expr{Const: 1}})
	}
	for b := 1; b <= n; b++ {
		list = append(list, oracle.Stmt{Op: oracle.Spawn, Obj: b})
		if b > 1 && p.Copies > 0 {
			p.Bodies[b] = p.Bodies[1]
			continue
		}
		for range 6 - n + g.IntN(2) {
			p.Bodies[b] = append(p.Bodies[b], g.overwriting()...)
		}
		p.Bodies[b] = append(p.Bodies[b], oracle.Stmt{Op: oracle.GroupDone})
	}
	if list = append(list, oracle.Stmt{Op: oracle.GroupWait}); g.one(4) {
		list = append(list, oracle.Stmt{Op: oracle.Set, Obj: g.IntN(p.Plains), X: oracle.Expr{Const: 1}})
	}
	// Most orders leave something else in the variables.
	read := g.IntN(p.Plains + 1)
	for x := range read {
		list = append(list, oracle.Stmt{Op: oracle.Get, Obj: x, Dst: x})
	}
	for i := p.Number(); read > 0 && i < oracle.MaxStatements-10; i += read + 1 {
		then := []oracle.Stmt{{Op: oracle.Set, X: oracle.Expr{Const: 1}}}
		for x := range read {
			then = []oracle.Stmt{{Op: oracle.If, X: oracle.Expr{Kind: oracle.Local, Index: x}, Y: oracle.Expr{Const: g.IntN(mostWritten + 1)}, Rel: oracle.Equal, Then: then}}
		}
		list = append(list, then...)
	}
	p.Bodies[0] = list
}

// mostWritten is the largest number that is written, but for sums.
const mostWritten = 3

// overwriting draws a section of the lock, which writes to a variable.
func (g *generator) overwriting() []oracle.Stmt {
	x, r := g.IntN(g.p.Plains), g.IntN(oracle.Locals)
	set := oracle.Stmt{Op: oracle.Set, Obj: x, X: oracle.Expr{Const: g.IntN(mostWritten + 1)}}
	if len(g.p.Inputs) > 0 && g.one(4) {
		set.X = oracle.Expr{Kind: oracle.Arg}
	}
	get := oracle.Stmt{Op: oracle.Get, Obj: g.IntN(g.p.Plains), Dst: r, Show: g.p.Copies == 0 && g.one(8)}
	list := []oracle.Stmt{set}
	switch g.IntN(8) {
	case 0: // what has been read in this section or in an earlier one
		set.X = oracle.Expr{Kind: oracle.Local, Index: g.IntN(oracle.Locals)}
		list = []oracle.Stmt{get, set}
	case 1, 2, 3: // a copy, or a sum
		set.X = oracle.Expr{Kind: oracle.Local, Index: r, Const: g.IntN(2)}
		list = []oracle.Stmt{get, set}
	case 4:
		if g.one(8) {
			set = oracle.Stmt{Op: oracle.Panic}
		}
		list = []oracle.Stmt{get, {Op: oracle.If, X: oracle.Expr{Kind: oracle.Local, Index: r}, Y: oracle.Expr{Const: g.IntN(mostWritten + 1)}, Rel: oracle.Rel(g.IntN(3)), Then: []oracle.Stmt{set}}}
	}
	if g.p.Mode == oracle.Racy && g.one(16) {
		return list
	}
	return append(append([]oracle.Stmt{{Op: oracle.Lock}}, list...), oracle.Stmt{Op: oracle.Unlock})
}
