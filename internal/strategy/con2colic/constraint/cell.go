package constraint

import (
	"github.com/everyway-go/everyway/internal/dependence"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/forest"
)

// cells adds WRC of figure 5 for a memory cell: each read comes after its write, with no other
// write between. For an atomic read-modify-write the same says that no write comes between
// its two halves.
func (t *clauses) cells(g *group) {
	f := t.v.f
	for _, r := range g.nodes {
		if !dependence.IsRead(f.At(r).Op) {
			continue
		}
		part := f.Location(g.loc).Offset - f.At(r).Offset
		u, local, _ := t.v.source(r, part)
		if !local {
			t.before(u, r)
			t.add()
		}
		for _, n := range g.nodes {
			if n == u || n == r || !dependence.IsWrite(f.At(n).Op) {
				continue
			}
			if local {
				t.unless(forest.Cause{Node: r, Part: part})
			}
			if u != 0 {
				t.before(n, u)
			}
			t.before(r, n)
			t.add()
		}
	}
}
