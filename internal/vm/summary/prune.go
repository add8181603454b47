package summary

import (
	"slices"

	"github.com/everyway-go/everyway/internal/code"
)

// values returns the values that an exit needs.
func (e *Exit) values() (list []int32) {
	if e == nil {
		return nil
	}
	for i := range e.Frames {
		for _, r := range e.Frames[i].Regs {
			list = append(list, r.Value)
		}
	}
	for _, w := range e.Writes {
		list = append(list, w.To, w.Value)
	}
	return list
}

// uses returns the values that the end of a node needs, apart from its exit.
func (n *Node) uses() []int32 {
	switch n.End {
	case Branch:
		if n.Jump.Op > code.JmpIfNot && n.Jump.Op < code.JmpEqI {
			return []int32{n.Jump.A, n.Jump.B}
		}
		return []int32{n.Jump.A}
	case Nil, Shape:
		return []int32{n.On}
	}
	return nil
}

// values returns the values that a step needs, apart from its exit, and those that it yields.
func (s *Step) values() (uses, defines []int32) {
	in := &s.In
	run := func(first int32) (list []int32) {
		for i := range int32(in.K) {
			list = append(list, first+i)
		}
		return list
	}
	switch s.Kind {
	case Compute:
		return [][]int32{nil, {in.B}, {in.B, in.C}}[reads(in.Op)], []int32{in.A}
	case Constant:
		return nil, run(in.A)
	case Divisor, Count:
		return []int32{in.C}, nil
	case Point, Fix:
		if in.A < 0 {
			return []int32{in.B}, nil
		}
		return []int32{in.B}, []int32{in.A}
	case Length, Again:
		return []int32{in.B}, nil
	case Load:
		return []int32{in.B}, run(in.A)
	case Store:
		return append(run(in.B), in.A), nil
	case New:
		return nil, []int32{in.A}
	}
	return nil, nil
}

// A liveness is a set of values that are needed.
type liveness []bool

// use adds values.
func (l liveness) use(values []int32) {
	for _, v := range values {
		l[v] = true
	}
}

// prune removes what computes values that nothing needs from n and what follows. Afterwards, the
// set is what is needed before n.
func (n *Node) prune(l liveness) {
	for _, next := range n.Next {
		if next != nil {
			one := make(liveness, len(l))
			next.prune(one)
			for v, needed := range one {
				l[v] = l[v] || needed
			}
		}
	}
	l.use(n.Exit.values())
	l.use(n.uses())
	kept := n.Steps[:0:0]
	for _, s := range slices.Backward(n.Steps) {
		uses, defines := s.values()
		needed := slices.ContainsFunc(defines, func(v int32) bool { return l[v] })
		switch {
		case needed:
		case s.Kind == Compute, s.Kind == Constant:
			continue
		case s.Kind == Load:
			s.Kind, s.In.A = Again, 0
		}
		for _, v := range defines {
			l[v] = false
		}
		l.use(uses)
		l.use(s.Exit.values())
		kept = append(kept, s)
	}
	slices.Reverse(kept)
	n.Steps = kept
}
