package oracle

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
)

// Classes counts the classes of runs of p that a search has to tell apart: the
// paths, by branches taken, results of swaps and values shown, times the
// interleavings of each, up to the order of independent steps. Steps on the
// same object are dependent but for reads among themselves, the Dones of a wait
// group, and its Waits. Of a run in which a body failed, only the past of the
// failure counts.
//
// It gives up with ErrTooLarge after limit classes of beginnings of runs.
func Classes(p *Program, limit int) (int, error) {
	p.number()
	code := flatten(p)
	ends := map[string]bool{}
	var err error
	p.inputs(func(values []int) {
		if err != nil {
			return
		}
		c := &classifier{
			execution: &execution{p: p, code: code, inputs: slices.Clone(values)},
			seen:      map[string]bool{}, ends: map[string]bool{}, limit: limit,
		}
		c.covered = func(b Branch) { c.branches = append(c.branches, b) }
		s := c.start()
		err = c.visit(s, c.begin(s))
		maps.Copy(ends, c.ends)
	})
	if err != nil {
		return 0, err
	}
	return len(ends), nil
}

// A classifier visits the classes of beginnings of runs for one input.
type classifier struct {
	*execution
	branches   []Branch // taken in the step being made
	seen, ends map[string]bool
	limit      int
}

// A past identifies the class of a beginning of a run. An event is a hash of
// what it did and of the events it depends on.
type past struct {
	last    [maxBodies]uint64 // event of each body
	objects map[object][]use
}

// An object is named by one of its operations and its index.
type object struct {
	kind  StmtOp
	index int
}

// A use is an event's way of using an object.
type use struct {
	how   manner
	event uint64
}

// A manner is how an object is used.
type manner uint8

const (
	reads manner = iota
	writes
	counts // Dones
)

// dependent reports whether the order of two uses of an object matters.
func dependent(a, b manner) bool { return a == writes || b == writes || a != b }

func (c *classifier) begin(s *state) *past {
	p := &past{objects: map[object][]use{}}
	p.last[0] = c.event(s, s, step{partner: nobody}, nil, nil)
	return p
}

func (c *classifier) visit(s *state, p *past) error {
	var buf []byte
	for _, e := range p.last {
		buf = binary.LittleEndian.AppendUint64(buf, e)
	}
	if c.seen[string(buf)] {
		return nil
	}
	c.seen[string(buf)] = true
	if len(c.seen) > c.limit {
		return ErrTooLarge
	}
	steps := c.steps(nil, s)
	if s.failed != "" {
		c.ends[fmt.Sprint(s.failing, p.last[s.failing])] = true
	} else if len(steps) == 0 {
		c.ends[string(buf)] = true
	}
	for _, t := range steps {
		uses := c.uses(s, t)
		next := s.clone()
		c.branches = c.branches[:0]
		c.take(next, t)
		if err := c.visit(next, c.extend(p, s, next, t, uses)); err != nil {
			return err
		}
	}
	return nil
}

// extend returns the past after step t from s to next.
func (c *classifier) extend(p *past, s, next *state, t step, uses map[object]manner) *past {
	q := &past{last: p.last, objects: maps.Clone(p.objects)}
	before := []uint64{p.last[t.body]}
	if t.partner != nobody {
		before = append(before, p.last[t.partner])
	}
	var after []uint64
	for o, how := range uses {
		for _, u := range p.objects[o] {
			if dependent(u.how, how) {
				after = append(after, u.event)
			}
		}
	}
	slices.Sort(after)
	e := c.event(s, next, t, before, slices.Compact(after))
	q.last[t.body] = e
	if t.partner != nobody {
		q.last[t.partner] = e
	}
	for b := range next.bodies {
		if next.bodies[b].pc != notStarted && s.bodies[b].pc == notStarted {
			q.last[b] = e
		}
	}
	for o, how := range uses {
		list := p.objects[o]
		if how == writes {
			list = nil // what comes later depends on them through e
		}
		q.objects[o] = append(list[:len(list):len(list)], use{how, e})
	}
	return q
}

// event identifies step t from s to next, after other events.
func (c *classifier) event(s, next *state, t step, before, after []uint64) uint64 {
	h := fnv.New64a()
	word := func(v uint64) {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], v)
		h.Write(b[:])
	}
	word(uint64(t.body))
	word(uint64(t.alt))
	word(uint64(t.partner + 1))
	word(uint64(t.partnerAlt))
	for _, list := range [][]uint64{before, after} {
		word(uint64(len(list)))
		for _, e := range list {
			word(e)
		}
	}
	for _, b := range c.branches {
		fmt.Fprint(h, b)
	}
	for b := range next.bodies {
		new := next.bodies[b].history
		if s != next {
			new = new[len(s.bodies[b].history):]
		}
		h.Write(new)
	}
	if st := c.at(s, t.body); st != nil && (st.Op == Swap || st.Op == TryLock) {
		word(uint64(next.bodies[t.body].locals[st.Dst]))
	}
	return h.Sum64()
}

// uses returns the objects that step t from s uses, and how.
func (c *classifier) uses(s *state, t step) map[object]manner {
	st := c.at(s, t.body)
	one := func(kind StmtOp, how manner) map[object]manner {
		return map[object]manner{{kind, st.Obj}: how}
	}
	switch st.Op {
	case Get:
		return one(Get, reads)
	case Set:
		return one(Get, writes)
	case Load:
		return one(Load, reads)
	case Swap:
		if s.atoms[st.Obj].value != st.X.value(&s.bodies[t.body].locals, c.inputs) {
			return one(Load, reads)
		}
		return one(Load, writes)
	case Store, Add:
		return one(Load, writes)
	case TryLock:
		if s.locks[st.Obj].locked {
			return one(Lock, reads)
		}
		return one(Lock, writes)
	case Lock, Unlock:
		return one(Lock, writes)
	case RLock, RUnlock:
		return one(WLock, reads)
	case WLock, WUnlock:
		return one(WLock, writes)
	case Send, Recv, Close:
		return one(Send, writes)
	case GroupAdd:
		return one(GroupAdd, writes)
	case GroupDone:
		return one(GroupAdd, counts)
	case GroupWait:
		return one(GroupAdd, reads)
	case Select:
		if t.alt < len(st.Case) {
			return map[object]manner{{Send, st.Case[t.alt].Chan}: writes}
		}
		all := map[object]manner{}
		for i := range st.Case {
			all[object{Send, st.Case[i].Chan}] = reads
		}
		return all
	}
	return nil
}
