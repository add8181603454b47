package random

import (
	"maps"
	"math/rand/v2"

	"github.com/everyway-go/everyway/internal/bitset"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy/random/mutate"
)

// A corpus holds the inputs to be mutated: the empty one, the seeds, and those that covered
// something new.
type corpus struct {
	mutator *mutate.Mutator
	entries []*entry
	seeds   int        // number of entries that are the empty input and the seeds
	covered bitset.Set // run.Trace.Covered of all runs
}

// An entry is an input of a corpus.
type entry struct {
	input run.Input
	runs  [maxDepth]int // number of runs by PCT, by depth-1
	age   int           // of the promise when they were counted
}

func newCorpus(seeds []run.Input, maxLen int) *corpus {
	c := &corpus{mutator: mutate.New(maxLen), entries: []*entry{{input: run.Input{}}}, seeds: 1 + len(seeds)}
	for _, in := range seeds {
		c.entries = append(c.entries, &entry{input: maps.Clone(in)})
	}
	return c
}

// given returns entry n if it is the empty input or a seed, else nil.
func (c *corpus) given(n int) *entry {
	if n >= c.seeds {
		return nil
	}
	return c.entries[n]
}

// pick draws an entry: the newest with probability 1/2, else any.
func (c *corpus) pick(r *rand.Rand) *entry {
	if r.IntN(2) == 0 {
		return c.entries[len(c.entries)-1]
	}
	return c.entries[r.IntN(len(c.entries))]
}

// learn adds what a run drew and covered. It adds the input of the run to the corpus, unless it is
// there, if it covered something new.
func (c *corpus) learn(trace *run.Trace, from *expr.Arena, known bool) {
	c.mutator.Learn(trace.Inputs)
	c.mutator.LearnPath(trace.Path, from)
	fresh := false
	for range bitset.Set(trace.Covered).Without(c.covered) {
		fresh = true
		break
	}
	c.covered.AddAll(trace.Covered)
	if !fresh || known {
		return
	}
	input := run.Input{}
	for _, v := range trace.Inputs {
		input[v.Name] = v.Value
	}
	c.entries = append(c.entries, &entry{input: input})
}
