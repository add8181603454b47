package m2

import "slices"

// race returns an order of steps of the window after which steps a and b are next.
func (x *window) race(a, b int) (order []int, ok bool) {
	in, ok := x.ideal(a, b)
	if !ok {
		return nil, false
	}
	for _, free := range [...]int{x.thread[a], x.thread[b]} {
		p, ok := x.newPartial(in)
		if !ok {
			return nil, false
		}
		several := p.width > 2 || p.width == 2 && in[free] == 0
		if several {
			p.keepOthers(free)
		}
		if p.close() {
			if order := p.linear(free); p.valid(order) {
				return order, true
			}
		}
		if !several && p.width == 2 {
			break // the other one is as free
		}
	}
	return nil, false
}

// linear returns an order of all steps in which the ones of a thread are as early as others let them be.
func (p *partial) linear(free int) []int {
	done := make([]bool, len(p.steps))
	list := make([]int, 0, len(p.steps))
	var emit func(i int)
	emit = func(i int) {
		n := p.number[i]
		if done[n] {
			return
		}
		done[n] = true
		if p.place[i] > 0 {
			emit(p.previous(i))
		}
		for _, j := range p.before[n] {
			emit(j)
		}
		list = append(list, i)
	}
	for _, i := range p.threads[free][:p.in[free]] {
		emit(i)
	}
	for _, i := range p.steps {
		emit(i)
	}
	return list
}

// valid checks an order: that reads see what they have seen, and critical sections that exclude
// each other do not overlap.
func (p *partial) valid(order []int) bool {
	at := make([]int, len(p.steps)) // by row: the place in the order
	for n, i := range order {
		at[p.number[i]] = n
	}
	for _, c := range p.accesses {
		all := slices.Clone(c.all)
		slices.SortFunc(all, func(i, j int) int { return at[p.number[i]] - at[p.number[j]] })
		last := unwritten
		for _, i := range all {
			if p.Steps[i].Reads() && p.source[i] != last {
				return false
			}
			if p.Steps[i].Writes() {
				last = i
			}
		}
	}
	for _, threads := range p.locks {
		var list []section
		for _, c := range threads {
			list = append(list, c.all...)
		}
		slices.SortFunc(list, func(s, t section) int { return at[p.number[s.Acquire]] - at[p.number[t.Acquire]] })
		end, shared := -1, -1 // of the exclusive sections so far, and of the others
		for _, s := range list {
			begin, until := at[p.number[s.Acquire]], at[p.number[s.Release]]
			if begin < end || !s.Shared && begin < shared {
				return false
			}
			if s.Shared {
				shared = max(shared, until)
			} else {
				end = max(end, until)
			}
		}
	}
	return true
}
