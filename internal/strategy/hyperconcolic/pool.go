package hyperconcolic

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
)

// A pool reuses the memory of items that have been explored: a depth-first search then allocates
// almost nothing.
type pool struct {
	items []*item
	runs  []*runDecisions
	edges [][]edge // of items that had them for themselves
}

// runDecisions are the decisions of a run, and what else the items have in common that it leads to:
// these begin with some of them.
type runDecisions struct {
	list  []decision
	edges []edge
	flips []flip
	given run.Input // of its item
	drawn run.Input // what it has drawn, nil if that is not needed
	// from is of the run that led to this one, nil if there is none. They have at least the
	// first common decisions in common.
	from   *runDecisions
	common int
	users  int // number of unexplored items and of runs that refer to this one
	// base is the portable form, nil before it is needed. The lengths are those of the decisions in it.
	base    *strategy.Base
	lengths lengths
}

// common returns a number of decisions that it has in common with the run of the item was:
// those that both have from the same run. r are the decisions of the run, nil if it led to no
// items.
func (it *item) common(r *runDecisions, was *item) int {
	n := 0
	if r != nil {
		n = len(r.list)
	} else {
		r, n = was.run, len(was.head)
	}
	for ; r != nil; r = r.from {
		if r == it.run {
			return min(n, len(it.head))
		}
		n = min(n, r.common)
	}
	return 0
}

// item returns an empty item.
func (p *pool) item() *item {
	n := len(p.items)
	if n == 0 {
		return &item{}
	}
	it := p.items[n-1]
	p.items = p.items[:n-1]
	return it
}

// noEdges returns an empty list.
func (p *pool) noEdges() []edge {
	n := len(p.edges)
	if n == 0 {
		return nil
	}
	list := p.edges[n-1]
	p.edges = p.edges[:n-1]
	return list
}

// decisions returns a copy of the decisions of the run of an item.
func (p *pool) decisions(of []decision, it *item) *runDecisions {
	n := len(p.runs)
	if n == 0 {
		p.runs = append(p.runs, &runDecisions{})
		n = 1
	}
	r := p.runs[n-1]
	p.runs = p.runs[:n-1]
	r.list = append(r.list[:0], of...)
	r.edges, r.flips = append(r.edges[:0], it.edges...), append(r.flips[:0], it.flips...)
	r.given, r.drawn, r.base = it.input, nil, nil
	r.lengths.forget()
	if r.from, r.common = it.run, min(len(it.head), len(of)); r.from != nil {
		r.from.users++
	}
	return r
}

// release reuses the memory of an item that is not referred to any more.
func (p *pool) release(it *item) {
	for r := it.run; r != nil; r = r.from {
		if r.users--; r.users > 0 {
			break
		}
		r.given, r.drawn, r.base = nil, nil, nil
		clear(r.flips)
		p.runs = append(p.runs, r)
	}
	if it.ownsEdges {
		p.edges = append(p.edges, it.edges[:0])
	}
	*it = item{tail: it.tail[:0]}
	p.items = append(p.items, it)
}
