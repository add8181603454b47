package static

import (
	"context"
	"fmt"

	"github.com/everyway-go/everyway/internal/bitset"
	"github.com/everyway-go/everyway/internal/cache"
	"github.com/everyway-go/everyway/internal/static/callgraph"
)

// A narrowing says which calls of a call graph are left when it is narrowed by what pointers may point to, as it is
// kept in the cache.
type narrowing struct {
	Callees int // of the whole graph
	Left    bitset.Set
}

// Narrowed returns the call graph without the calls that no pointer allows. It is kept in the cache of the configuration, if
// there is one, so that pointers need not be analysed again for the same code.
func (a *Analysis) Narrowed(ctx context.Context) (*callgraph.Graph, error) {
	if a.narrowed != nil {
		return a.narrowed, nil
	}
	var kept narrowing
	all := callees(a.calls)
	hash := cache.NewHash("narrowed call graph")
	hash.Key(a.cfg.Key)
	key := hash.Sum()
	if a.pointers == nil && a.cfg.Key != (cache.Key{}) && a.cfg.Cache.Get(key, &kept) && kept.Callees == all {
		a.narrowed = narrow(a.calls, kept.Left)
		return a.narrowed, nil
	}
	pointers, err := a.PointsTo(ctx)
	if err != nil {
		return nil, err
	}
	a.narrowed = pointers.Calls()
	if a.cfg.Key == (cache.Key{}) || a.cfg.Cache.Off() {
		return a.narrowed, nil
	}
	kept = narrowing{Callees: all, Left: bitset.New(all)}
	i := 0
	for _, n := range a.calls.Nodes {
		for _, s := range n.Sites {
			for _, c := range s.Callees() {
				if pointers.MayCall(s, c) {
					kept.Left.Add(i)
				}
				i++
			}
		}
	}
	if err := a.cfg.Cache.Put(key, kept); err != nil {
		return nil, fmt.Errorf("keeping the call graph: %w", err)
	}
	return a.narrowed, nil
}

// callees counts the callees of all sites.
func callees(g *callgraph.Graph) (count int) {
	for _, n := range g.Nodes {
		for _, s := range n.Sites {
			count += len(s.Callees())
		}
	}
	return count
}

// narrow returns the graph with the calls that are in a set, where callees are counted in the order of nodes and sites.
func narrow(g *callgraph.Graph, left bitset.Set) *callgraph.Graph {
	first := make(map[*callgraph.Site]int)
	i := 0
	for _, n := range g.Nodes {
		for _, s := range n.Sites {
			first[s] = i
			i += len(s.Callees())
		}
	}
	return g.Narrow(func(s *callgraph.Site, callee *callgraph.Node) bool {
		for j, c := range s.Callees() {
			if c == callee {
				return left.Has(first[s] + j)
			}
		}
		return false
	})
}
