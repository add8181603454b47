package engine

import (
	"github.com/everyway-go/everyway/internal/bitset"
	"github.com/everyway-go/everyway/internal/code"
)

// A coverage says which branches were taken, by the name of their function.
// Unlike the numbers that a machine gives to branches, which follow from what
// it has compiled when, it means the same to every worker and every process.
// Functions of which no branch was taken are not in it.
type coverage map[string]*funcCoverage

// A funcCoverage is the coverage of a function.
type funcCoverage struct {
	Branches int        `json:"branches"`
	Taken    bitset.Set `json:"taken"` // of the function's branches, in their order
}

// add marks branch i of n in function fn as taken.
func (c coverage) add(fn string, i, n int) {
	f := c[fn]
	if f == nil {
		f = &funcCoverage{Branches: n, Taken: bitset.New(n)}
		c[fn] = f
	}
	f.Taken.Add(i)
}

// merge adds what other covers.
func (c coverage) merge(other coverage) {
	for fn, from := range other {
		to := c[fn]
		if to == nil {
			to = &funcCoverage{Branches: from.Branches}
			c[fn] = to
		}
		to.Taken.AddAll(from.Taken)
	}
}

// count returns the number of branches and how many of them were taken.
func (c coverage) count() (branches, taken int) {
	for _, f := range c {
		branches += f.Branches
		taken += f.Taken.Count()
	}
	return branches, taken
}

// A coverer turns the bit sets of a machine's traces into coverage. What it has
// told once it does not tell again, until forget is called.
type coverer struct {
	code  *code.Program
	at    []branchPlace // by the program's number of the branch
	taken bitset.Set    // of the program's branches: since the last collect
	told  bitset.Set    // those that collect has told
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

// note takes in the coverage of a run.
func (c *coverer) note(taken bitset.Set) { c.taken.AddAll(taken) }

// collect adds to dst what has been taken in since the last call and was not
// told before, and returns it. A nil dst is made when it is needed.
func (c *coverer) collect(dst coverage) coverage {
	for branch := range c.taken.Without(c.told) {
		p := c.place(branch)
		if dst == nil {
			dst = coverage{}
		}
		dst.add(p.fn.name, p.index, p.fn.branches)
	}
	c.told.AddAll(c.taken)
	clear(c.taken)
	return dst
}

// forget has later calls of collect tell everything again.
func (c *coverer) forget() { clear(c.told) }

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
