package kinds

import (
	"slices"

	"github.com/everyway-go/everyway/internal/oracle"
)

// twice has goroutines do some things at one of two places: on both sides of a condition, of which
// one may go on with something else.
func (g *generator) twice() {
	for b, list := range g.p.Bodies {
		if g.p.Original(b) != b || len(list) == 0 || g.one(3) {
			continue
		}
		for range 1 + g.IntN(2) {
			from := g.IntN(len(list))
			to := from + 1
			for to < len(list) && to-from < 4 && !g.one(3) {
				to++
			}
			if part := list[from:to]; !slices.ContainsFunc(part, isOnce) {
				x := localOf(g.IntN(oracle.Locals))
				both := oracle.Stmt{Op: oracle.If, X: x, Rel: oracle.Rel(g.IntN(2)), Y: oracle.Expr{Const: g.IntN(2)}, Then: slices.Clone(part), Else: slices.Clone(part), Twice: true}
				if r := g.IntN(oracle.Locals); g.one(2) {
					then := oracle.Stmt{Op: oracle.Note, Dst: r, Show: true}
					if g.p.Atoms > 0 && g.one(2) {
						then = g.atomically(g.IntN(g.p.Atoms), r)
					}
					if both.Else = append(both.Else, then); b > 0 && b <= g.p.Copies {
						silence(both.Else)
					}
				}
				list = slices.Concat(list[:from], []oracle.Stmt{both}, list[to:])
			}
		}
		g.p.Bodies[b] = list
	}
}

// isOnce reports whether a statement is at one place only, as what starts goroutines or has sides is.
func isOnce(s oracle.Stmt) bool {
	return s.Implied || s.Op == oracle.Spawn || s.Op == oracle.After || s.Op == oracle.Range || s.Op == oracle.If || len(s.Then)+len(s.Else)+len(s.Case) > 0
}
