package fingerprint

import (
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// addPools adds the pools that a collection would change, when all else has been added. Of one that only the collector
// still knows it counts that there is one, and not what is in it, if nothing there can be reached in another way: no
// goroutine will come to it again, and nothing in it will ever have a finalizer, a cleanup or a weak pointer, since
// a state that has one has no fingerprint. So whether a collection keeps it makes no difference.
func (p *Printer) addPools() {
	for i, list := range [...][]heap.Word{p.Pools, p.OldPools} {
		from, at := name{uint64(tagRun), 0}, uint64(atPools)*uint64(i+1)
		h := begin(tagPools)
		h.addInt(i)
		h.addInt(len(list))
		p.all.add(h)
		counted := make([]bool, len(list))
		for next := p.nextPool(list, counted); next >= 0; next = p.nextPool(list, counted) {
			counted[next] = true
			p.source = p.everybody()
			h := begin(tagPools)
			h.addInt(i)
			h.addInt(next)
			p.addWord(&h, list[next], expr.None, from, at+uint64(next))
			p.all.add(h)
			p.addObjects() // which may reach what is in others
		}
	}
}

// nextPool returns the index of the first pool in a list that counts and is not counted yet, and -1 if there is none.
func (p *Printer) nextPool(list []heap.Word, counted []bool) int {
	for i := range list {
		if !counted[i] && !p.isSeparate(list[i].P) {
			return i
		}
	}
	return -1
}

// isSeparate reports whether neither an object nor anything that it reaches has been reached, or may be. Types and
// functions without variables do not count: they have no finalizers, and all who use them share them.
func (p *Printer) isSeparate(o *heap.Object) bool {
	queue, queued := []*heap.Object{o}, map[*heap.Object]bool{o: true}
	for i := 0; i < len(queue); i++ {
		o := queue[i]
		switch {
		case o.Kind == heap.TypeObject, o.Kind == heap.ClosureObject && len(o.Cells) == 0:
			continue
		case o.Kind == heap.HostObject, o.Kind == heap.WeakObject, o.Sym != nil, p.isReached(o):
			return false
		}
		for k := range o.Cells {
			if next := o.Cells[k].P; next != nil && !queued[next] {
				queued[next] = true
				queue = append(queue, next)
			}
		}
	}
	return true
}
