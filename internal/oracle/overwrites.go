package oracle

// Programs in which goroutines write to plain variables under a lock, most of which somebody overwrites before anybody reads them, or nobody reads
// at all: whether two states are the same depends on what is read after them.
//
// What is read decides which branches are taken, in the goroutine that has read it or, through other variables, in another one.

// overwrites draws such a program.
func (g *generator) overwrites() {
	for {
		*g.p = Program{Seed: g.p.Seed, Mode: g.p.Mode, Fields: g.one(2)}
		if g.overwrite(); g.p.number() <= maxStatements {
			return
		}
	}
}

// overwrite draws a program, which may have too many statements.
func (g *generator) overwrite() {
	p := g.p
	p.Plains, p.Locks, p.Groups = 2+g.IntN(2), 1, 1
	if g.one(6) {
		p.Inputs = []Input{{Name: "a", Type: "uint8", Size: 2}}
	}
	n := 2
	if g.one(4) {
		n = 3
	}
	if p.Bodies = make([][]Stmt, 1+n); g.one(8) {
		p.Copies = n
	}
	list := []Stmt{{Op: GroupAdd, X: Expr{Const: n}}}
	if g.one(2) { // as long as there is only one goroutine
		list = append(list, Stmt{Op: Set, Obj: g.IntN(p.Plains), X: Expr{Const: 1}})
	}
	for b := 1; b <= n; b++ {
		list = append(list, Stmt{Op: Spawn, Obj: b})
		if b > 1 && p.Copies > 0 {
			p.Bodies[b] = p.Bodies[1]
			continue
		}
		for range 6 - n + g.IntN(2) {
			p.Bodies[b] = append(p.Bodies[b], g.overwriting()...)
		}
		p.Bodies[b] = append(p.Bodies[b], Stmt{Op: GroupDone})
	}
	if list = append(list, Stmt{Op: GroupWait}); g.one(4) {
		list = append(list, Stmt{Op: Set, Obj: g.IntN(p.Plains), X: Expr{Const: 1}})
	}
	// Most orders leave something else in the variables.
	read := g.IntN(p.Plains + 1)
	for x := range read {
		list = append(list, Stmt{Op: Get, Obj: x, Dst: x})
	}
	for i := p.number(); read > 0 && i < maxStatements-10; i += read + 1 {
		then := []Stmt{{Op: Set, X: Expr{Const: 1}}}
		for x := range read {
			then = []Stmt{{Op: If, X: Expr{Kind: Local, Index: x}, Y: Expr{Const: g.IntN(mostWritten + 1)}, Rel: Equal, Then: then}}
		}
		list = append(list, then...)
	}
	p.Bodies[0] = list
}

// mostWritten is the largest number that is written, but for sums.
const mostWritten = 3

// overwriting draws a section of the lock, which writes to a variable.
func (g *generator) overwriting() []Stmt {
	x, r := g.IntN(g.p.Plains), g.IntN(Locals)
	set := Stmt{Op: Set, Obj: x, X: Expr{Const: g.IntN(mostWritten + 1)}}
	if len(g.p.Inputs) > 0 && g.one(4) {
		set.X = Expr{Kind: Arg}
	}
	get := Stmt{Op: Get, Obj: g.IntN(g.p.Plains), Dst: r, Show: g.p.Copies == 0 && g.one(8)}
	list := []Stmt{set}
	switch g.IntN(8) {
	case 0: // what has been read in this section or in an earlier one
		set.X = Expr{Kind: Local, Index: g.IntN(Locals)}
		list = []Stmt{get, set}
	case 1, 2, 3: // a copy, or a sum
		set.X = Expr{Kind: Local, Index: r, Const: g.IntN(2)}
		list = []Stmt{get, set}
	case 4:
		if g.one(8) {
			set = Stmt{Op: Panic}
		}
		list = []Stmt{get, {Op: If, X: Expr{Kind: Local, Index: r}, Y: Expr{Const: g.IntN(mostWritten + 1)}, Rel: Rel(g.IntN(3)), Then: []Stmt{set}}}
	}
	if g.p.Mode == Racy && g.one(16) {
		return list
	}
	return append(append([]Stmt{{Op: Lock}}, list...), Stmt{Op: Unlock})
}
