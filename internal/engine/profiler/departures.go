package profiler

import (
	"sort"
	"sync"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
)

// Departures knows of all runs of a phase of a search what they had decided, and which conditions on
// inputs they had met, up to each of their points. So it can tell where a run departs from all those before
// it. If runs are seen as the paths of a tree, a node with n children is where n-1 runs depart, whatever
// their order. The workers of a search share one.
type Departures struct {
	mu   sync.Mutex
	seen map[uint64]struct{} // hashes of beginnings of runs
}

// NewDepartures returns what knows no run.
func NewDepartures() *Departures { return &Departures{seen: map[uint64]struct{}{}} }

// maxBeginnings bounds the beginnings that are known, to some 40 MB. When there are more they are forgotten.
const maxBeginnings = 1 << 20

// Forget forgets all runs.
func (d *Departures) Forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	clear(d.seen)
}

// add adds a run of which hashes has those of its beginnings, shortest first. It returns how many of them
// were there before, and whether there was any run.
func (d *Departures) add(hashes []uint64) (common int, any bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	any = len(d.seen) > 0
	// If a beginning is known so are those that it begins with.
	common = sort.Search(len(hashes), func(i int) bool {
		_, known := d.seen[hashes[i]]
		return !known
	})
	if len(d.seen)+len(hashes)-common > maxBeginnings {
		clear(d.seen)
	}
	for _, h := range hashes[common:] {
		d.seen[h] = struct{}{}
	}
	return common, any
}

// An element is a decision or a condition of a run: that with an index in Trace.Decisions or Trace.Path.
type element struct {
	index     int
	condition bool
}

// elements returns the decisions and the conditions of a run in their order.
func elements(t *run.Trace, to []element) []element {
	path := 0
	for i := range len(t.Decisions) + 1 {
		for path < len(t.Path) && int(t.Path[path].Decision) <= i {
			if t.Path[path].Kind != run.Assumed {
				to = append(to, element{path, true})
			}
			path++
		}
		if i < len(t.Decisions) {
			to = append(to, element{i, false})
		}
	}
	return to
}

// beginnings returns the hashes of the beginnings of a run with these elements, shortest first. Its
// expressions live in an arena.
func beginnings(t *run.Trace, in *expr.Arena, of []element, to []uint64) []uint64 {
	h := uint64(14695981039346656037)
	mix := func(x uint64) {
		h = (h ^ x) * 1099511628211
		h ^= h >> 32
	}
	for _, e := range of {
		if e.condition {
			c := &t.Path[e.index]
			mix(in.Hash(c.Cond))
			mix(uint64(c.Kind) + 1)
		} else {
			d := t.Decisions[e.index]
			mix(uint64(uint32(d.Goroutine))<<32 | uint64(uint32(d.Alt)))
			mix(uint64(d.Kind) << 8)
		}
		to = append(to, h)
	}
	return to
}
