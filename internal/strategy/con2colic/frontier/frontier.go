package frontier

import "github.com/everyway-go/everyway/internal/strategy/con2colic/forest"

// Options are the settings of a frontier. The last three are the optimisations of section
// 7.5 of the paper.
type Options struct {
	MaxDegree  int  // candidates of a higher degree are dropped
	UnsatCore  bool // causes come from unsatisfiable cores; a wait is extended only if that may satisfy it
	Duplicates bool // drop candidates that were pushed before and occurrences that others subsume
	Priority   bool // candidates with an uncovered sink come first
}

// A Frontier holds the candidates that are to be checked, W of algorithm 1 of the paper, and
// those that were found not to be realizable, UN.
type Frontier struct {
	f       *forest.Forest
	options Options
	covered map[forest.Outcome]bool

	work []worklist              // W, by degree
	seen map[uint64][]*Candidate // candidates that were pushed, by hash

	nodes []nodeState // by NodeID
	locs  []locState  // by LocID
	merge forest.Merge
}

// A nodeState is what a frontier knows of a node.
type nodeState struct {
	// occurrences are those that were found, except those subsumed by one found before.
	occurrences []forest.Occurrence
	producer    bool // the occurrences are among the producers on the node's locations
}

// A locState is what a frontier knows of a location.
type locState struct {
	producers []forest.Occurrence // of events that others may read from or wait for
	obstacles []obstacle          // that an event on the location may remove
	opaque    []opaqueRead
	joins     []*join // of waits for which candidates were extended
}

// An opaqueRead is an opaque read and an occurrence of the event before it.
type opaqueRead struct {
	node  forest.NodeID // as it is without interference
	after forest.Occurrence
}

// New returns an empty frontier. A sink is uncovered if its outcome is not in covered, to
// which the caller adds what runs show.
func New(f *forest.Forest, covered map[forest.Outcome]bool, o Options) *Frontier {
	return &Frontier{
		f: f, options: o, covered: covered,
		work: make([]worklist, o.MaxDegree+1),
		seen: map[uint64][]*Candidate{},
	}
}

func (x *Frontier) node(n forest.NodeID) *nodeState {
	for int(n) >= len(x.nodes) {
		x.nodes = append(x.nodes, nodeState{})
	}
	return &x.nodes[n]
}

func (x *Frontier) loc(l forest.LocID) *locState {
	for int(l) >= len(x.locs) {
		x.locs = append(x.locs, locState{})
	}
	return &x.locs[l]
}

// Push adds a candidate for s unless there was one before.
func (x *Frontier) Push(s *forest.Scenario) { x.pushCandidate(&Candidate{Scenario: s}) }

func (x *Frontier) pushCandidate(c *Candidate) {
	if c.Degree > x.options.MaxDegree {
		return
	}
	if x.options.Duplicates {
		for _, d := range x.seen[c.Hash] {
			if c.Equal(d.Scenario) {
				if d.relax(c) && d.popped {
					x.Requeue(d)
				}
				return
			}
		}
		x.seen[c.Hash] = append(x.seen[c.Hash], c)
	}
	x.work[c.Degree].push(c)
}

// Requeue adds c, which was popped, again.
func (x *Frontier) Requeue(c *Candidate) {
	c.popped = false
	x.work[c.Degree].push(c)
}

// Pop removes and returns the next candidate, one of the lowest degree. It returns nil if
// there is none.
func (x *Frontier) Pop() *Candidate {
	uncovered := func(c *Candidate) bool {
		return !x.options.Priority || !x.covered[x.f.Outcome(c.Sink)]
	}
	for k := range x.work {
		if c := x.work[k].pop(uncovered); c != nil {
			c.popped = true
			return c
		}
	}
	return nil
}

// LowestDegree returns the lowest degree of a candidate. It is false if there is none.
func (x *Frontier) LowestDegree() (k int, ok bool) {
	for k := range x.work {
		if !x.work[k].empty() {
			return k, true
		}
	}
	return 0, false
}
