package accesses

import (
	"math/rand/v2"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
)

// An access is one that a test has added to a Set.
type access struct {
	origins        []int32
	object, off, n int32
	kind           run.AccessKind
}

// TestSet compares Sets with lists of all accesses that were added, also after they have been
// translated to an earlier state and to other names.
func TestSet(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	kinds := []run.AccessKind{run.PlainWrite, run.PlainRead, run.AtomicRead, run.AtomicWrite}
	for range 300 {
		table := NewTable()
		var holders []run.Holder
		for i := range 6 {
			holders = append(holders, run.Holder{Kind: run.GoroutineHolder, Object: run.ObjectID{Goroutine: int32(i)}})
			table.Holder(holders[i])
		}
		for i := range 4 {
			table.Object(run.ObjectID{Goroutine: 0, Count: int32(i)})
		}
		random := func() Origins {
			var list []int32
			for h := range int32(len(holders)) {
				if r.IntN(3) == 0 {
					list = append(list, h)
				}
			}
			return originsOf(list)
		}
		var set Set
		var all []access
		for range r.IntN(60) {
			o := random()
			a := access{o.list, int32(r.IntN(4)), int32(r.IntN(4)), int32(1 + r.IntN(3)), kinds[r.IntN(len(kinds))]}
			all = append(all, a)
			table.Add(&set, o, a.object, a.off, a.n, a.kind)
		}
		compare(t, r, table, &set, all, holders)

		var before [6]Origins
		for h := range before {
			before[h] = random()
		}
		var earlier Set
		table.Through(&earlier, &set, func(h int32) Origins { return before[h] }, func(object int32) bool { return object != 3 })
		var old []access
		for _, a := range all {
			var o Origins
			for _, h := range a.origins {
				o = Union(o, before[h])
			}
			if a.object != 3 {
				a.origins = o.list
				old = append(old, a)
			}
		}
		compare(t, r, table, &earlier, old, holders)

		other := table.Rename(&earlier, func(h int32) int32 { return 5 - h }, func(object int32) int32 { return object ^ 1 })
		for i := range old {
			var list []int32
			for _, h := range old[i].origins {
				list = append([]int32{5 - h}, list...)
			}
			old[i].origins, old[i].object = list, old[i].object^1
		}
		compare(t, r, table, other, old, holders)
	}
}

// compare compares with which earlier accesses those in a Set race.
func compare(t *testing.T, r *rand.Rand, table *Table, set *Set, all []access, holders []run.Holder) {
	t.Helper()
	for range 20 {
		a := run.EarlierAccess{
			Object: run.ObjectID{Goroutine: 0, Count: int32(r.IntN(4))}, Offset: int32(r.IntN(7)) - 1,
			Kind: run.AccessKind(r.IntN(4)), Known: []uint64{r.Uint64() & r.Uint64()},
		}
		want := false
		for _, b := range all {
			knows := false
			for _, h := range b.origins {
				knows = knows || a.Known[0]>>h&1 != 0
			}
			hit := b.object == a.Object.Count && (a.Offset < 0 || b.off <= a.Offset && a.Offset < b.off+b.n)
			want = want || hit && !knows && a.Kind.Races()&b.kind.Of() != 0
		}
		if got := table.Races(set, &run.Knowledge{Holders: holders, Accesses: []run.EarlierAccess{a}}); got != want {
			t.Fatalf("%d accesses race with %+v: %v, want %v", len(all), a, got, want)
		}
	}
}
