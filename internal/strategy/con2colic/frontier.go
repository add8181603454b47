package con2colic

import "github.com/everyway-go/everyway/internal/strategy/con2colic/forest"

// frontierOptions say which candidates a frontier keeps. The last three are the
// optimisations of section 7.5 of the paper.
type frontierOptions struct {
	maxDegree  int
	unsatCore  bool // causes come from unsatisfiable cores, and waits are extended only if that can satisfy them
	duplicates bool // drop candidates that have been seen or that others subsume
	priority   bool // candidates with an uncovered sink first
}

// A frontier holds the candidates that are to be checked, by degree, and extends those
// that were found unrealizable by the events that may change that, those known already
// and those found later. (W and UN of algorithm 1 of the paper, and algorithm 3.)
type frontier struct {
	f       *forest.Forest
	options frontierOptions
	covered map[forest.Outcome]bool

	work []worklist              // W, by degree
	seen map[uint64][]*candidate // candidates that were pushed, by hash

	nodes []nodeState // by nodeID
	locs  []locState  // by locID
	merge forest.Merge
}

// A nodeState is what a frontier knows of a node.
type nodeState struct {
	// occurrences are those that have been found, none of them subsumed by one found
	// before.
	occurrences []forest.Occurrence
	producer    bool // its occurrences are among the producers on its locations
}

// A locState is what a frontier knows of a location.
type locState struct {
	producers    []forest.Occurrence // of events that others may read from or wait for
	unrealizable []unrealizable      // what an event on the location may change
	opaque       []opaqueRead
	joins        []*join // of waits for which candidates were extended
}

// An unrealizable is a candidate that is not realizable, and something that keeps it from
// being so and that an event of another goroutine may change: a local read that has to
// read something else, or an operation that is blocked.
type unrealizable struct {
	*candidate
	forest.Cause
}

// An opaqueRead is a read that is opaque and the occurrence of the event before it.
type opaqueRead struct {
	node  forest.NodeID // as it is without interference
	after forest.Occurrence
}

// newFrontier returns an empty frontier. Candidates whose sink has an outcome in covered
// come after others; the caller adds to covered what runs show.
func newFrontier(f *forest.Forest, covered map[forest.Outcome]bool, o frontierOptions) *frontier {
	return &frontier{
		f: f, options: o, covered: covered,
		work: make([]worklist, o.maxDegree+1),
		seen: map[uint64][]*candidate{},
	}
}

func (x *frontier) node(n forest.NodeID) *nodeState {
	for int(n) >= len(x.nodes) {
		x.nodes = append(x.nodes, nodeState{})
	}
	return &x.nodes[n]
}

func (x *frontier) loc(l forest.LocID) *locState {
	for int(l) >= len(x.locs) {
		x.locs = append(x.locs, locState{})
	}
	return &x.locs[l]
}

// push adds a candidate for s unless there was one before.
func (x *frontier) push(s *forest.Scenario) { x.pushCandidate(&candidate{Scenario: s}) }

func (x *frontier) pushCandidate(c *candidate) {
	if c.Degree > x.options.maxDegree {
		return
	}
	if x.options.duplicates {
		for _, d := range x.seen[c.Hash] {
			if c.Equal(d.Scenario) {
				if d.relax(c) && d.popped {
					x.requeue(d)
				}
				return
			}
		}
		x.seen[c.Hash] = append(x.seen[c.Hash], c)
	}
	x.work[c.Degree].push(c)
}

// requeue adds c, which was popped, again.
func (x *frontier) requeue(c *candidate) {
	c.popped = false
	x.work[c.Degree].push(c)
}

// pop removes and returns the next candidate, one of the lowest degree. It returns nil if
// there is none.
func (x *frontier) pop() *candidate {
	uncovered := func(c *candidate) bool {
		return !x.options.priority || !x.covered[x.f.Outcome(c.Sink)]
	}
	for k := range x.work {
		if c := x.work[k].pop(uncovered); c != nil {
			c.popped = true
			return c
		}
	}
	return nil
}

// degree returns the lowest degree of a candidate. It is false if there is none.
func (x *frontier) degree() (k int, ok bool) {
	for k := range x.work {
		if !x.work[k].empty() {
			return k, true
		}
	}
	return 0, false
}
