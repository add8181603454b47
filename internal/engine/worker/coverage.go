package worker

import (
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
}

// add marks branch i of n in function fn as taken.
func (c Coverage) add(fn string, i, n int) {
	f := c[fn]
	if f == nil {
		f = &funcCoverage{Branches: n, Taken: bitset.New(n)}
		c[fn] = f
	}
	f.Taken.Add(i)
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
	}
}

// Count returns the number of branches and how many of them were taken.
func (c Coverage) Count() (branches, taken int) {
	for _, f := range c {
		branches += f.Branches
		taken += f.Taken.Count()
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

// A branchPlace says which branch of which function a branch of a program is.
type branchPlace struct {
	fn    *branchFunc
	index int
}

type branchFunc struct {
	name     string
	of       *code.Func
	branches int
}

// note notes the coverage of a run.
func (c *coverer) note(taken bitset.Set) { c.taken.AddAll(taken) }

// collect adds to dst the branches that were noted since the last call and not reported
// before, and returns it. A nil dst is made when it is needed.
func (c *coverer) collect(dst Coverage) Coverage {
	for branch := range c.taken.Without(c.known) {
		p := c.place(branch)
		if dst == nil {
			dst = Coverage{}
		}
		dst.add(p.fn.name, p.index, p.fn.branches)
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
		of := c.code.Branches[i].Func
		if i == 0 || c.at[i-1].fn.of != of {
			c.at = append(c.at, branchPlace{fn: &branchFunc{name: branchFuncName(of), of: of}})
		} else {
			c.at = append(c.at, branchPlace{fn: c.at[i-1].fn, index: c.at[i-1].index + 1})
		}
		c.at[i].fn.branches++
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
