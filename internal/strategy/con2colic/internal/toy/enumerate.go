package toy

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
)

// Unreachable is the degree of what no run reaches.
const Unreachable = -1

// Enumerate runs p with every input in every interleaving, and returns the
// least number of interferences in a run that reaches each side of each branch:
// element 2*ID for the false side of branch ID, 2*ID+1 for the true side. It
// gives up, with ok false, if there are more than limit states.
func Enumerate(p *Program, limit int) (degrees []int, ok bool) {
	degrees = make([]int, 2*p.Branches())
	for i := range degrees {
		degrees[i] = Unreachable
	}
	n := 1
	for range p.Inputs {
		n *= int(p.Domain)
	}
	for i := range n {
		inputs := make([]value, len(p.Inputs))
		for k, rest := 0, i; k < len(inputs); k++ {
			inputs[k].n = uint8(rest % int(p.Domain))
			rest /= int(p.Domain)
		}
		if limit -= enumerate(p, inputs, degrees, limit); limit <= 0 {
			return nil, false
		}
	}
	return degrees, true
}

// enumerate visits the states that are reached with the inputs, those with the
// fewest interferences first, and returns how many there are.
func enumerate(p *Program, inputs []value, degrees []int, limit int) int {
	degree := 0
	seen := map[string]bool{}
	cover := func(branch int, taken bool) {
		d := &degrees[2*branch+pick(taken, 1, 0)]
		if *d == Unreachable || degree < *d {
			*d = degree
		}
	}
	start := newState(p, inputs)
	start.cover = cover
	start.advanceAll()
	for level := []*state{start}; len(level) > 0; degree++ {
		var next []*state
		for len(level) > 0 {
			s := level[len(level)-1]
			level = level[:len(level)-1]
			key := s.key()
			if seen[key] || s.failed {
				continue
			}
			seen[key] = true
			if len(seen) > limit {
				return len(seen)
			}
			var all []transition
			for _, t := range s.ts {
				all = s.transitions(all, t)
			}
			for _, w := range all {
				if !w.Enabled {
					continue
				}
				c := s.clone()
				w.t = c.ts[w.t.slot]
				if w.partner != nil {
					w.partner = c.ts[w.partner.slot]
				}
				// The branches after the step are covered with its interferences.
				cost := c.step(w)
				degree += cost
				c.advanceAll()
				degree -= cost
				if cost == 0 {
					level = append(level, c)
				} else {
					next = append(next, c)
				}
			}
		}
		level = next
	}
	return len(seen)
}

// key encodes what the further steps from s depend on.
func (s *state) key() string {
	b := make([]byte, 0, 256)
	put := func(xs ...int) {
		for _, x := range xs {
			b = binary.AppendVarint(b, int64(x))
		}
	}
	truth := func(x bool) int { return pick(x, 1, 0) }
	for _, c := range s.cells {
		put(int(c.n), int(c.foreign))
	}
	for _, l := range s.locks {
		put(truth(l.writer), l.readers)
	}
	for _, c := range s.chans {
		put(truth(c.closed), int(c.by.foreign), len(c.queue))
		for _, m := range c.queue {
			put(int(m.n), int(m.foreign))
		}
	}
	put(s.groups...)
	for _, c := range s.conds {
		put(len(c.waiting), len(c.notified))
		for _, w := range c.waiting {
			put(int(w))
		}
		for _, w := range c.notified {
			put(int(w))
		}
	}
	for _, t := range s.ts {
		st := t.at()
		put(truth(t.ended), int(t.phase), len(t.stack))
		if st != nil {
			put(int(st.site))
		}
		for _, f := range t.stack {
			put(f.pc)
		}
		for _, l := range t.locals {
			put(int(l.n))
		}
	}
	return string(b)
}

func sortAccesses(seen map[run.Access]bool) []run.Access {
	var list []run.Access
	for a := range seen {
		list = append(list, a)
	}
	slices.SortFunc(list, func(x, y run.Access) int {
		return cmp.Or(cmp.Compare(x.Object.Count, y.Object.Count), cmp.Compare(x.Goroutine, y.Goroutine),
			pick(x.Wrote, 1, 0)-pick(y.Wrote, 1, 0))
	})
	return list
}
