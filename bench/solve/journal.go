package main

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve"
)

// A query is one that a search made.
type query struct {
	conj  []expr.ID
	near  map[expr.ID]uint64 // values to prefer for variables, nil for none
	model bool               // wanted
}

// The sample of a search: at most so many blocks of so many queries in a row. Another
// solver keeps what two queries in a row have in common, so single ones would not be
// like a search.
const (
	blockSize = 20
	maxBlocks = 40
)

// journal keeps a sample of the queries of a search that is spread evenly over it: every
// stride-th block.
type journal struct {
	arena  *expr.Arena
	copier expr.Copier
	met    int // queries of the search
	stride int
	blocks [][]query
}

func newJournal() *journal { return &journal{arena: expr.NewArena(), stride: 1} }

// note is solve.Options.Observe.
func (j *journal) note(a *expr.Arena, asked solve.Query) {
	block := j.met / blockSize
	first := j.met%blockSize == 0
	j.met++
	if block%j.stride != 0 {
		return
	}
	if first && len(j.blocks) == maxBlocks {
		for i := range maxBlocks / 2 {
			j.blocks[i] = j.blocks[2*i]
		}
		j.blocks = j.blocks[:maxBlocks/2]
		if j.stride *= 2; block%j.stride != 0 {
			return
		}
	}
	if first {
		j.blocks = append(j.blocks, nil)
	}
	if j.copier.From != a {
		j.copier = expr.Copier{To: j.arena, From: a}
	}
	j.copier.Restart() // searches release what they have built
	q := query{conj: make([]expr.ID, len(asked.Conj)), model: asked.Model}
	var vars []expr.ID
	for i, x := range asked.Conj {
		q.conj[i] = j.copier.Copy(x)
		vars = a.Vars(vars, x)
	}
	if asked.Hint != nil {
		q.near = make(map[expr.ID]uint64)
		slices.Sort(vars)
		for _, v := range slices.Compact(vars) {
			q.near[j.copier.Copy(v)] = asked.Hint(v)
		}
	}
	last := len(j.blocks) - 1
	j.blocks[last] = append(j.blocks[last], q)
}

// spread returns the indexes of blocks in an order of which each beginning is spread over
// all of them: that of the indexes with their bits reversed.
func (j *journal) spread() []int {
	order := make([]int, len(j.blocks))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(x, y int) int { return cmp.Compare(bits.Reverse(uint(x)), bits.Reverse(uint(y))) })
	return order
}

// check asks the built-in solver.
func (q *query) check(ctx context.Context, s *solve.Solver) (solve.Result, error) {
	if !q.model {
		return s.Satisfiable(ctx, q.conj)
	}
	var hint func(expr.ID) uint64
	if q.near != nil {
		hint = func(v expr.ID) uint64 { return q.near[v] }
	}
	r, _, err := s.CheckNear(ctx, q.conj, hint)
	return r, err
}
