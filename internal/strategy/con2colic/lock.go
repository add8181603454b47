package con2colic

import "github.com/everyway-go/everyway/schedule"

// A block is what a goroutine does from acquiring a lock to releasing it.
type block struct {
	acquire, release nodeID // release 0: not released in the scenario
	shared           bool   // readers may overlap
}

// locks adds LC_1 and LC_2, and for a TryLock that fails that a lock that
// another goroutine holds is why.
func (t *clauses) locks(g *group) {
	f := t.v.f
	var blocks []block
	regular := true
	for _, n := range g.nodes {
		e := f.at(n)
		switch e.op {
		case schedule.Lock, schedule.RLock:
			blocks = append(blocks, block{acquire: n, shared: e.op == schedule.RLock})
		case schedule.Unlock, schedule.RUnlock:
			if !release(f, blocks, n) {
				regular = false
			}
		}
	}
	for _, n := range g.nodes {
		if op := f.at(n).op; op == schedule.TryFail || op == schedule.LockIntent {
			t.tryFail(n, blocks)
		}
	}
	if !regular {
		return // a goroutine unlocks what another locked: left to the simulation
	}
	for i := range blocks {
		for j := range i {
			t.exclusive(&blocks[i], &blocks[j])
		}
	}
}

// release ends the latest open block of n's goroutine that n can release.
func release(f *forest, blocks []block, n nodeID) bool {
	for i := len(blocks) - 1; i >= 0; i-- {
		b := &blocks[i]
		if f.at(b.acquire).goroutine == f.at(n).goroutine && b.release == 0 && b.shared == (f.at(n).op == schedule.RUnlock) {
			b.release = n
			return true
		}
	}
	return false
}

// exclusive demands that two blocks do not overlap.
func (t *clauses) exclusive(a, b *block) {
	if a.shared && b.shared || t.v.f.at(a.acquire).goroutine == t.v.f.at(b.acquire).goroutine {
		return
	}
	if a.release == 0 {
		t.unless(cause{node: a.acquire})
	}
	if b.release == 0 {
		t.unless(cause{node: b.acquire})
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
func (t *clauses) tryFail(n nodeID, blocks []block) {
	a, local, missing := t.v.source(n, 0)
	if missing {
		t.unless(cause{node: n})
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
				t.unless(cause{node: n})
			}
			t.before(n, b.release)
			t.add()
		}
	}
}
