package kinds

import (
	"slices"

	"github.com/everyway-go/everyway/internal/oracle"
)

// Programs in which goroutines send channels of their own to others, which answer there, or close
// them, or pass on what they do not answer.

// requests adds the channels to a program with n goroutines.
func (g *generator) requests(n int) {
	p := g.p
	p.Requests = true
	if g.one(3) {
		p.Chans = []int{g.IntN(2)}
	}
	p.Chans = append(p.Chans, g.IntN(3), oracle.NilChan)
	own := 1
	if g.one(3) {
		own = 0
	}
	p.Chans = slices.Concat(p.Chans, slices.Repeat([]int{own}, 1+n))
}

// requesting draws a request, an answer, or what may come between.
func (g *generator) requesting(depth int) []oracle.Stmt {
	p, r := g.p, g.IntN(oracle.Locals)
	switch n := g.IntN(5); {
	case n == 0 && p.Request() > 0:
		if g.one(2) {
			return []oracle.Stmt{{Op: oracle.Send, X: g.operand()}}
		}
		return g.perhapsThen(oracle.Stmt{Op: oracle.Recv, Dst: r, Show: true}, depth)
	case n == 1 && p.Plains > 0:
		if g.one(2) {
			return []oracle.Stmt{{Op: oracle.Set, X: g.operand()}}
		}
		return []oracle.Stmt{{Op: oracle.Get, Dst: r, Show: true}}
	case n <= 1:
		return []oracle.Stmt{g.atomically(0, r)}
	}
	asks := g.body%2 == 0
	if g.Copies || g.one(4) {
		asks = g.one(2)
	}
	if asks {
		return g.asking(depth)
	}
	return g.answering(depth)
}

// asking draws a request, and often what is done with the answer.
func (g *generator) asking(depth int) []oracle.Stmt {
	r, q := g.IntN(oracle.Locals), g.p.Request()
	own := oracle.Expr{Kind: oracle.Own}
	request := oracle.Stmt{Op: oracle.Send, Obj: q, X: own}
	switch g.IntN(6) {
	case 0, 1:
		return append([]oracle.Stmt{request}, g.perhapsThen(oracle.Stmt{Op: oracle.Recv, Obj: oracle.OwnChan, Dst: r, Show: true}, depth)...)
	case 2:
		return []oracle.Stmt{request}
	case 3:
		return []oracle.Stmt{request, g.trying(oracle.Case{Chan: oracle.OwnChan, Dst: r})}
	case 4:
		return g.perhapsThen(g.trying(oracle.Case{Send: true, Chan: q, X: own}), depth)
	default:
		last := oracle.Stmt{Op: oracle.Close, Obj: oracle.OwnChan}
		if g.body == 0 && depth == 0 {
			last.Obj = q
		}
		return []oracle.Stmt{request, last}
	}
}

// answering draws who receives a request, and what is done about it.
func (g *generator) answering(depth int) []oracle.Stmt {
	r, q := g.IntN(oracle.Locals), g.p.Request()
	receive := oracle.Stmt{Op: oracle.Recv, Obj: q, Dst: oracle.Ref}
	answer := oracle.Case{Send: true, Chan: oracle.RefChan, X: g.operand()}
	switch g.IntN(5) {
	case 0, 1:
		return []oracle.Stmt{receive, {Op: oracle.Send, Obj: oracle.RefChan, X: answer.X}}
	case 2:
		return []oracle.Stmt{receive, g.trying(answer)}
	case 3:
		return append(g.perhapsThen(g.trying(oracle.Case{Chan: q, Dst: oracle.Ref}), depth), g.trying(answer))
	default: // it takes part in what it was asked for by another one
		return []oracle.Stmt{receive, g.trying(oracle.Case{Chan: oracle.RefChan, Dst: r})}
	}
}

// trying draws a select with a communication.
func (g *generator) trying(c oracle.Case) oracle.Stmt {
	r := g.IntN(oracle.Locals)
	s := oracle.Stmt{Op: oracle.Select, Case: []oracle.Case{c}, Default: g.one(2), Dst: (r + 1) % oracle.Locals, Show: true}
	if g.p.Request() > 0 && g.one(2) {
		s.Case = append(s.Case, oracle.Case{Send: g.one(2), X: g.operand(), Dst: r})
	}
	return s
}
