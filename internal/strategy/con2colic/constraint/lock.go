package constraint

import (
	"github.com/everyway-go/everyway/internal/dependence"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/forest"
	"github.com/everyway-go/everyway/schedule"
)

// A block is the lock block of the paper: what a goroutine does from acquiring a lock to
// releasing it.
type block struct {
	acquire, release forest.NodeID // release 0: not released in the scenario
	shared           bool          // readers may overlap
}

// locks adds LC_1 and LC_2 of figure 5 for a lock, and for a TryLock that fails that another
// goroutine holds the lock.
func (t *clauses) locks(g *group) {
	f := t.v.f
	var blocks []block
	regular := true
	for _, n := range g.nodes {
		e := f.At(n)
		switch e.Op {
		case schedule.Lock, schedule.RLock:
			blocks = append(blocks, block{acquire: n, shared: e.Op == schedule.RLock})
		case schedule.Unlock, schedule.RUnlock:
			if !release(f, blocks, n) {
				regular = false
			}
		}
	}
	for _, n := range g.nodes {
		if op := f.At(n).Op; op == schedule.TryFail || op == schedule.LockIntent {
			t.tryFail(n, blocks)
		}
	}
	if !regular {
		return // a goroutine releases what another acquired: the simulation deals with that
	}
	for i := range blocks {
		for j := range i {
			t.exclusive(&blocks[i], &blocks[j])
		}
	}
}

// release ends the latest block of n's goroutine that n can release. It is false if there is
// none.
func release(f *forest.Forest, blocks []block, n forest.NodeID) bool {
	for i := len(blocks) - 1; i >= 0; i-- {
		b := &blocks[i]
		if f.At(b.acquire).Goroutine == f.At(n).Goroutine && b.release == 0 && b.shared == (f.At(n).Op == schedule.RUnlock) {
			b.release = n
			return true
		}
	}
	return false
}

// exclusive demands that two blocks do not overlap.
func (t *clauses) exclusive(a, b *block) {
	if !dependence.Exclude(a.shared, b.shared) || t.v.f.At(a.acquire).Goroutine == t.v.f.At(b.acquire).Goroutine {
		return
	}
	if a.release == 0 {
		t.unless(forest.Cause{Node: a.acquire})
	}
	if b.release == 0 {
		t.unless(forest.Cause{Node: b.acquire})
	}
	if a.release != 0 {
		t.before(a.release, b.acquire)
	}
	if b.release != 0 {
		t.before(b.release, a.acquire)
	}
	t.add()
}

// tryFail demands that n, a TryLock that fails or a writer that has to wait for
// readers, comes while its source holds the lock.
func (t *clauses) tryFail(n forest.NodeID, blocks []block) {
	a, local, missing := t.v.source(n, 0)
	if missing {
		t.unless(forest.Cause{Node: n})
		t.add()
		return
	}
	if !local {
		t.before(a, n)
		t.add()
	}
	for i := range blocks {
		if b := &blocks[i]; b.acquire == a && b.release != 0 {
			if local {
				t.unless(forest.Cause{Node: n})
			}
			t.before(n, b.release)
			t.add()
		}
	}
}
