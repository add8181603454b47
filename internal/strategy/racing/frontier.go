package racing

import (
	"encoding/binary"
	"hash/fnv"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
)

// An item leads to a run in which a goroutine is alone first.
type item struct {
	focus int32
	// The input is that of a run but for the outcome of a condition, or just that input if index is negative.
	of    *origin
	index int
	tried []uint64 // at a condition of kind run.Concretized, besides the value in the run
}

// A rank says when an item is taken.
type rank uint8

// The ranks.
const (
	urgent  rank = iota // it is one of two goroutines in a shape that was made for both
	novel               // its condition has not had that outcome in any run
	single              // it leads to another path of the goroutine
	entry               // it leads to another state in which the goroutines begin
	similar             // as single, where the goroutine has come to the condition in the same way in an object graph of that shape
	after               // it leads to another path of a goroutine that runs after the first one
	ranks
)

// A frontier holds the items.
type frontier struct {
	items   [ranks][]item
	turn    int
	seen    map[uint64]bool // what leads to items, and what leads to similar ones
	reached map[outcome]bool
	full    bool
}

// An outcome is a side of a branch.
type outcome struct {
	site    run.SiteID
	negated bool
}

// Of so many items of ranks single and entry, one is of rank entry: each of these leads to several of rank single.
const entryTurns = 4

// maxItems bounds the items of a rank.
const maxItems = 1 << 17

func newFrontier() *frontier {
	return &frontier{seen: make(map[uint64]bool), reached: make(map[outcome]bool)}
}

func (f *frontier) push(r rank, it item) {
	if len(f.items[r]) >= maxItems {
		f.full = true
		return
	}
	f.items[r] = append(f.items[r], it)
}

// pop returns the next item, false if there is none. Those of ranks single and entry come in turns (entryTurns).
func (f *frontier) pop() (it item, ok bool) {
	f.turn++
	first := single
	if f.turn%entryTurns == 0 {
		first = entry
	}
	for _, r := range []rank{urgent, novel, first, single, entry, similar, after} {
		if list := f.items[r]; len(list) > 0 {
			it, f.items[r] = list[0], list[1:]
			return it, true
		}
	}
	return item{}, false
}

// empty reports whether there are no items.
func (f *frontier) empty() bool {
	for _, list := range f.items {
		if len(list) > 0 {
			return false
		}
	}
	return true
}

// first reports whether a sum has not been seen before, and notes that it has.
func (f *frontier) first(sum uint64) bool {
	was := f.seen[sum]
	f.seen[sum] = true
	return !was
}

// addFlips adds the items to which the other outcomes of the conditions of a run lead, in which the
// path p is that of the focus. It is nil if the focus did not run. So many conditions as begin says
// come before goroutines run concurrently.
func (f *frontier) addFlips(a *expr.Arena, o *origin, p *path, focus int32, begin int) {
	all, own := newChain(0), newChain(uint64(o.shape), uint64(focus))
	for i := range o.conditions {
		f.reached[outcome{o.conditions[i].site, o.conditions[i].negated}] = true
	}
	for i := range o.conditions {
		c := &o.conditions[i]
		sum := a.Hash(c.holds)
		isOwn := p != nil && i >= p.first && i < p.last && c.goroutine == focus
		if c.kind != run.Assumed {
			not := a.Hash(a.Not(c.holds))
			r := entry
			switch {
			case isOwn && f.first(own.with(not)):
				r = single
			case isOwn:
				r = similar
			case i >= begin:
				r = after
			}
			it := item{focus: focus, of: o, index: i}
			if r <= entry && c.kind == run.Jump && !f.reached[outcome{c.site, !c.negated}] {
				r = novel
			}
			key := all.with(not)
			if isOwn || r == after {
				key = all.with(not, uint64(focus)+1)
			}
			if f.first(key) {
				f.push(r, it)
			}
		}
		all = all.and(sum)
		if isOwn {
			own = own.and(sum)
		}
	}
}

// A chain is the hash of a sequence.
type chain uint64

func newChain(of ...uint64) chain { return chain(1).and(of...) }

func (c chain) and(list ...uint64) chain {
	h := fnv.New64a()
	b := binary.LittleEndian.AppendUint64(nil, uint64(c))
	for _, x := range list {
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	h.Write(b)
	return chain(h.Sum64())
}

func (c chain) text(s string) chain {
	for _, b := range []byte(s) {
		c = c*1099511628211 ^ chain(b)
	}
	return c
}

func (c chain) with(list ...uint64) uint64 { return uint64(c.and(list...)) }
