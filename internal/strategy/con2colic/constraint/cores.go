package constraint

import (
	"github.com/everyway-go/everyway/internal/dependence"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/forest"
)

// A conjunct names a conjunct of a data constraint: scenarios that have one of that name have
// the same conjunct.
type conjunct struct {
	origin
	write forest.NodeID // of interfereOrigin
}

// A core is conjuncts that cannot be true together: an unsatisfiable core of a data constraint.
// A scenario that has all of them is not realizable, for the same reason.
type core []conjunct

// cores are the cores that were found.
type cores struct {
	by      map[forest.NodeID][]core // by latest
	present map[conjunct]bool        // scratch of find
}

// latest returns the branch of x that was found last.
func (x core) latest() forest.NodeID {
	n := forest.NodeID(0)
	for _, c := range x {
		if c.kind == branchOrigin {
			n = max(n, c.node)
		}
	}
	return n
}

// name returns the name of conjunct i of d.
func (d *data) name(v *view, i int) conjunct {
	c := conjunct{origin: d.origins[i]}
	if c.kind == interfereOrigin {
		c.write = v.s.Source(c.node, c.part)
	}
	return c
}

// add adds a core of d, the data constraint of the scenario in v: the conjuncts of the given
// indexes.
func (k *cores) add(d *data, v *view, conjuncts []int) {
	var x core
	for _, i := range conjuncts {
		c := d.name(v, i)
		if c.kind == localOrigin && !dependence.IsRead(v.f.At(c.node).Op) {
			return // what a receive takes without interference depends on the whole scenario
		}
		x = append(x, c)
	}
	n := x.latest()
	if n == 0 {
		return
	}
	if k.by == nil {
		k.by, k.present = map[forest.NodeID][]core{}, map[conjunct]bool{}
	}
	k.by[n] = append(k.by[n], x)
}

// find returns a core that d, the data constraint of the scenario in v, contains, nil if none
// is known.
func (k *cores) find(d *data, v *view) core {
	ready := false
	for i := range d.origins {
		if d.origins[i].kind != branchOrigin {
			continue
		}
		for _, x := range k.by[d.origins[i].node] {
			if !ready {
				clear(k.present)
				for j := range d.origins {
					k.present[d.name(v, j)] = true
				}
				ready = true
			}
			if k.holds(x) {
				return x
			}
		}
	}
	return nil
}

// holds reports whether all conjuncts of x are present.
func (k *cores) holds(x core) bool {
	for _, c := range x {
		if !k.present[c] {
			return false
		}
	}
	return true
}

// localReads returns the local reads among the conjuncts of x.
func (x core) localReads() []forest.Cause {
	var list []forest.Cause
	for _, c := range x {
		if c.kind == localOrigin {
			list = append(list, forest.Cause{Node: c.node, Part: c.part})
		}
	}
	return list
}
