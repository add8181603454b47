package kinds

import "github.com/everyway-go/everyway/internal/oracle"

// Programs with functions of sync.OnceFunc and sync.OnceValue, which several goroutines call, and
// which may panic or exit: then whoever calls them later panics.

// keep draws the functions.
func (g *generator) keep() {
	p := g.p
	p.Onces = 1 + g.IntN(2)
	g.exits = make([]bool, p.Onces)
	for k := range p.Onces {
		var list []oracle.Stmt
		for range 1 + g.IntN(2) {
			list = append(list, g.kept(k)...)
		}
		silence(list)
		p.Kept = append(p.Kept, oracle.Kept{Func: list, Value: !g.one(3)})
	}
}

// kept draws a part of a function.
func (g *generator) kept(k int) []oracle.Stmt {
	p, r := g.p, g.IntN(2)
	switch n := g.IntN(8); {
	case n <= 1:
		return append([]oracle.Stmt{{Op: oracle.Load, Dst: r}}, g.decide(r, []oracle.Stmt{{Op: oracle.Panic}})...)
	case n == 2:
		return []oracle.Stmt{{Op: oracle.Panic}}
	case n == 3:
		g.exits[k] = true
		return append([]oracle.Stmt{{Op: oracle.Load, Dst: r}}, g.decide(r, []oracle.Stmt{{Op: oracle.Exit}})...)
	case n == 4 && len(p.Chans) > 0:
		return []oracle.Stmt{{Op: oracle.Recv, Dst: r}}
	case n == 5:
		return []oracle.Stmt{{Op: oracle.Lock}, g.atomically(0, r), {Op: oracle.Unlock}}
	case n == 6 && p.Plains > 0:
		return []oracle.Stmt{{Op: oracle.Set, X: g.operand()}}
	}
	return []oracle.Stmt{g.atomically(0, r)}
}

// calling draws calls of the functions, whose panics are recovered, and what decides what these do.
func (g *generator) calling(depth int) []oracle.Stmt {
	p, r := g.p, g.IntN(oracle.Locals)
	switch n := g.IntN(8); {
	case n <= 4:
		k := g.IntN(p.Onces)
		if g.exits[k] && g.body == 0 {
			break // the test would not end
		}
		in := []oracle.Stmt{{Op: oracle.CallOnce, Obj: k, Dst: r, Show: p.Kept[k].Value}}
		if g.one(3) {
			in = insert(in, g.IntN(2), g.atomically(0, r))
		}
		panics := (r + 1) % oracle.Locals
		list := []oracle.Stmt{{Op: oracle.Try, Dst: panics, Then: in, Show: true}}
		if depth == 0 && g.one(2) {
			list = append(list, g.decide(panics, g.calling(1))...)
		}
		return list
	case n == 5 && len(p.Chans) > 0:
		return []oracle.Stmt{{Op: oracle.Send, X: g.operand()}}
	case n == 6 && p.Plains > 0:
		return []oracle.Stmt{{Op: oracle.Get, Dst: r, Show: true}}
	}
	return []oracle.Stmt{g.atomically(0, r)}
}
