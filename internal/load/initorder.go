package load

import (
	"container/heap"
	"go/types"
	"slices"
)

// InitOrder returns the packages of a program, roots and all that they import, in the order
// in which they are initialised: always the first one, by import path, of which all imports
// have been.
func InitOrder(roots ...*types.Package) []*types.Package {
	importers := make(map[*types.Package][]*types.Package)
	waits := make(map[*types.Package]int) // how many imports are not in the list yet
	var ready byPath
	var add func(p *types.Package)
	add = func(p *types.Package) {
		if _, ok := waits[p]; ok {
			return
		}
		waits[p] = len(p.Imports())
		for _, imp := range p.Imports() {
			importers[imp] = append(importers[imp], p)
			add(imp)
		}
		if len(p.Imports()) == 0 {
			ready = append(ready, p)
		}
	}
	for _, p := range roots {
		add(p)
	}
	heap.Init(&ready)
	var list []*types.Package
	for len(ready) > 0 {
		p := heap.Pop(&ready).(*types.Package)
		list = append(list, p)
		for _, q := range importers[p] {
			if waits[q]--; waits[q] == 0 {
				heap.Push(&ready, q)
			}
		}
	}
	return list
}

// byPath is a heap of packages.
type byPath []*types.Package

func (h byPath) Len() int           { return len(h) }
func (h byPath) Less(i, j int) bool { return h[i].Path() < h[j].Path() }
func (h byPath) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *byPath) Push(x any)        { *h = append(*h, x.(*types.Package)) }
func (h *byPath) Pop() any {
	last := len(*h) - 1
	p := (*h)[last]
	*h = slices.Delete(*h, last, last+1)
	return p
}
