package oracle

import "slices"

// Smaller returns the programs that are made from p by leaving out a statement, or by
// replacing an If by a part of it.
func (p *Program) Smaller() (all []*Program) {
	for b := range p.Bodies {
		if p.Original(b) != b {
			continue
		}
		for i, list := range smaller(p.Bodies[b]) {
			q := *p
			q.Bodies = make([][]Stmt, len(p.Bodies))
			for k := range p.Bodies {
				q.Bodies[k] = cloned(p.Bodies[k])
			}
			q.Bodies[b] = cloned(list)
			q.Kept = slices.Clone(p.Kept)
			for k := range q.Kept {
				q.Kept[k].Func = cloned(q.Kept[k].Func)
			}
			for k := 2; k <= p.Copies; k++ {
				q.Bodies[k] = q.Bodies[1]
			}
			if b == 0 && i < p.Init {
				q.Init--
			}
			if p.Init > 0 && q.Init == 0 || p.Timed() && !q.Timed() || !q.derives() || !q.recovers() {
				continue // others need what is missing
			}
			if p.waits() > q.waits() && q.reportsElsewhere() {
				continue // the test would be over
			}
			q.Number()
			all = append(all, &q)
		}
	}
	return all
}

// derives reports whether all contexts that are used are made.
func (p *Program) derives() bool {
	used, made := make([]bool, len(p.Contexts)), make([]bool, len(p.Contexts))
	p.Each(func(_ int, s *Stmt) {
		switch s.Op {
		case Derive:
			made[s.Obj] = true
			if parent := p.Contexts[s.Obj].Parent; parent != NoParent {
				used[parent] = true
			}
		case CancelContext, ErrOf, CauseOf, Withdraw:
			used[s.Obj] = true
		}
		for _, c := range cases(s) {
			if k, ok := p.contextOf(c.Chan); ok && !c.Timer {
				used[k] = true
			}
		}
	})
	for k := range used {
		if used[k] && !made[k] {
			return false
		}
	}
	return true
}

// recovers reports whether panics of all calls of a Kept are recovered.
func (p *Program) recovers() bool {
	outside := false
	var walk func([]Stmt)
	walk = func(list []Stmt) {
		for i := range list {
			outside = outside || list[i].Op == CallOnce
			if list[i].Op != Try {
				walk(list[i].Then)
				walk(list[i].Else)
			}
		}
	}
	for _, list := range p.Bodies {
		walk(list)
	}
	return !outside
}

// waits counts the operations on wait groups.
func (p *Program) waits() int {
	n := 0
	p.Each(func(_ int, s *Stmt) {
		switch s.Op {
		case GroupAdd, GroupDone, GroupWait:
			n++
		}
	})
	return n
}

// reportsElsewhere reports whether another body than the target's reports errors.
func (p *Program) reportsElsewhere() bool {
	reports := false
	p.Each(func(body int, s *Stmt) { reports = reports || s.Op == Error && body > 0 })
	return reports
}

// cloned returns a copy of a list, with copies of the lists in it.
func cloned(list []Stmt) []Stmt {
	list = slices.Clone(list)
	for i := range list {
		list[i].Then, list[i].Else = cloned(list[i].Then), cloned(list[i].Else)
	}
	return list
}

// smaller returns the lists with a statement less; number i lacks the one at i in the list.
func smaller(list []Stmt) (all [][]Stmt) {
	replaced := func(i int, by ...Stmt) []Stmt { return slices.Concat(list[:i], by, list[i+1:]) }
	for i := range list {
		if s := &list[i]; !s.Implied && (s.Op != Spawn || s.Y.Const == 0) {
			all = append(all, replaced(i))
		}
	}
	for i := range list {
		s := list[i]
		if s.Op == If || s.Op == Once || s.Op == Try || s.Op == Ensure {
			all = append(all, replaced(i, s.Then...))
		}
		if s.Op == While {
			continue // it might do nothing, for ever
		}
		for _, then := range smaller(s.Then) {
			less := s
			less.Then = then
			all = append(all, replaced(i, less))
		}
		for _, other := range smaller(s.Else) {
			less := s
			less.Else = other
			all = append(all, replaced(i, less))
		}
	}
	return all
}
