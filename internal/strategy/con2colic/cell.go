package con2colic

// cells adds WRC for a memory cell: each read comes after its write, and no
// other write between. For an atomic read-modify-write the same says that no
// write comes between its two halves.
func (t *clauses) cells(g *group) {
	f := t.v.f
	for _, r := range g.nodes {
		if !readsCell(f.at(r).op) {
			continue
		}
		part := f.locAt(g.loc).offset - f.at(r).offset
		u, local, _ := t.v.source(r, part)
		if !local {
			t.before(u, r)
			t.add()
		}
		for _, n := range g.nodes {
			if n == u || n == r || !writes(f.at(n).op) {
				continue
			}
			if local {
				t.unless(cause{r, part})
			}
			if u != 0 {
				t.before(n, u)
			}
			t.before(r, n)
			t.add()
		}
	}
}
