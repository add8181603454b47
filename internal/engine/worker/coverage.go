package worker

import (
	"slices"

	"github.com/everyway-go/everyway/internal/bitset"
	"github.com/everyway-go/everyway/internal/code"
)

// A Coverage says which branches were taken, by the name of their function.
// Unlike the numbers that a machine gives to branches, which follow from what
// it has compiled when, it means the same to every worker and every process.
// Functions of which no branch was taken are not in it.
type Coverage map[string]*funcCoverage

// A funcCoverage is the coverage of a function.
type funcCoverage struct {
	Branches int        `json:"branches"`
	Taken    bitset.Set `json:"taken"` // of the function's branches, in their order
	// Blocks are the blocks of statements that were executed, by their numbers in load.Result.Blocks.
	Blocks []int `json:"blocks,omitempty"`
}

// of returns the coverage of function fn, which has n branches.
func (c Coverage) of(fn string, n int) *funcCoverage {
	f := c[fn]
	if f == nil {
		f = &funcCoverage{Branches: n, Taken: bitset.New(n)}
		c[fn] = f
	}
	return f
}

// merge adds what other covers.
func (c Coverage) merge(other Coverage) {
	for fn, from := range other {
		to := c[fn]
		if to == nil {
			to = &funcCoverage{Branches: from.Branches}
			c[fn] = to
		}
		to.Taken.AddAll(from.Taken)
		if len(from.Blocks) > 0 {
			to.Blocks = slices.Concat(to.Blocks, from.Blocks)
			slices.Sort(to.Blocks)
			to.Blocks = slices.Compact(to.Blocks)
		}
	}
}

// Blocks returns the numbers of the blocks of statements that were executed, in order.
func (c Coverage) Blocks() []int {
	var all []int
	for _, f := range c {
		all = append(all, f.Blocks...)
	}
	slices.Sort(all)
	return slices.Compact(all) // generic functions have the same ones
}

// Count returns the number of branches and how many of them were taken.
func (c Coverage) Count() (branches, taken int) {
	for _, f := range c {
		if n := f.Taken.Count(); n > 0 { // otherwise it is there for its blocks
			branches += f.Branches
			taken += n
		}
	}
	return branches, taken
}

// A coverer turns the bit sets of a machine's traces into coverage. It reports each branch
// once, until forget is called.
type coverer struct {
	code  *code.Program
	at    []branchPlace // by the program's number of the branch
	taken bitset.Set    // of the program's branches: since the last collect
	known bitset.Set    // those that collect has reported
}

// A branchPlace says which branch, or block, of which function a branch of a program is.
type branchPlace struct {
	fn    *branchFunc
	index int // of the next branch, if it is a block
	block int // as in code.Branch
}

type branchFunc struct {
	name     string
	of       *code.Func
	branches int
}

// note notes the coverage of a run.
func (c *coverer) note(taken bitset.Set) { c.taken.AddAll(taken) }

// noteBlocks notes the blocks of statements in the coverage of package initialisers, whose branches do not
// count.
func (c *coverer) noteBlocks(taken bitset.Set) {
	for branch := range taken.All() {
		if c.code.Branches[branch].Block > 0 {
			c.taken.Grow(branch + 1)
			c.taken.Add(branch)
		}
	}
}

// collect adds to dst the branches that were noted since the last call and not reported
// before, and returns it. A nil dst is made when it is needed.
func (c *coverer) collect(dst Coverage) Coverage {
	for branch := range c.taken.Without(c.known) {
		p := c.place(branch)
		if dst == nil {
			dst = Coverage{}
		}
		if f := dst.of(p.fn.name, p.fn.branches); p.block > 0 {
			f.Blocks = append(f.Blocks, p.block-1)
		} else {
			f.Taken.Add(p.index)
		}
	}
	c.known.AddAll(c.taken)
	clear(c.taken)
	return dst
}

// forget has later calls of collect report all branches again.
func (c *coverer) forget() { clear(c.known) }

// place returns the place of a branch. The branches of a function are compiled
// together and have consecutive numbers.
func (c *coverer) place(branch int) branchPlace {
	for i := len(c.at); i < len(c.code.Branches); i++ {
		b := c.code.Branches[i]
		p := branchPlace{block: b.Block}
		if i == 0 || c.at[i-1].fn.of != b.Func {
			p.fn = &branchFunc{name: branchFuncName(b.Func), of: b.Func}
		} else {
			p.fn = c.at[i-1].fn
			p.index = p.fn.branches
		}
		if p.block == 0 {
			p.fn.branches++
		}
		c.at = append(c.at, p)
	}
	return c.at[branch]
}

// branchFuncName names a function apart from other instances of its generic
// function.
func branchFuncName(f *code.Func) string {
	if f.SSA == nil {
		return f.Name
	}
	return f.SSA.String()
}

// CollectCoverage adds to dst the branches that the worker's runs have taken since the last
// call and that it has not reported before, and returns dst, made if it was nil.
func (w *Worker) CollectCoverage(dst Coverage) Coverage { return w.coverer.collect(dst) }

// ForgetCoverage has CollectCoverage report all branches again that are taken from now on.
func (w *Worker) ForgetCoverage() { w.coverer.forget() }
