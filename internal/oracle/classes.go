package oracle

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"iter"
	"maps"
	"slices"
)

// Classes counts the classes of runs of p that a search has to tell apart: the
// paths, by branches taken, results of swaps and values shown, times the
// interleavings of each, up to the order of independent steps; function
// dependent says which are not. Of a run in which a body failed, only the past of
// the failure counts.
//
// It gives up with ErrTooLarge after limit classes of beginnings of runs.
func Classes(p *Program, limit int) (int, error) { return count(p, limit, []naming{nil}) }

// Orbits is Classes up to the names of copies: classes count once that differ only in which of the
// goroutines that are the same does what. What it depends on that one of them has been started does
// not count either, since the target starts one of them before the other.
func Orbits(p *Program, limit int) (int, error) {
	names := []naming{nil}
	for order := range permutations(p.Copies) {
		n := make(naming, len(p.Bodies))
		for b := range n {
			if n[b] = b; 0 < b && b <= p.Copies {
				n[b] = order[b-1] + 1
			}
		}
		names = append(names, n)
	}
	return count(p, limit, names)
}

// permutations yields the orders of the numbers below n.
func permutations(n int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		var extend func(order []int) bool
		extend = func(order []int) bool {
			if len(order) == n {
				return yield(order)
			}
			for i := range n {
				if !slices.Contains(order, i) && !extend(append(slices.Clip(order), i)) {
					return false
				}
			}
			return true
		}
		extend(nil)
	}
}

// A naming has a name for each body. The events of a copy depend on its start only if the naming is
// nil, in which case bodies have their own names.
type naming []int

func (n naming) of(body int) int {
	if n == nil || body == nobody {
		return body
	}
	return n[body]
}

// count counts the classes by their least names: those which the namings after the first one give them, if there are
// any. The first one is nil.
func count(p *Program, limit int, names []naming) (int, error) {
	p.Number()
	code := flatten(p)
	ends := map[string]bool{}
	var err error
	p.EachInput(func(values []int) {
		if err != nil {
			return
		}
		c := &classifier{
			execution: &execution{p: p, code: code, inputs: slices.Clone(values)},
			seen:      map[string]bool{}, ends: map[string]bool{}, limit: limit, names: names,
		}
		c.covered = func(b Branch) { c.branches = append(c.branches, b) }
		s := c.start()
		pasts := make([]*past, len(names))
		for i := range pasts {
			pasts[i] = c.begin(s)
		}
		err = c.visit(s, pasts)
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
	names      []naming
	branches   []Branch // taken in the step being made
	seen, ends map[string]bool
	limit      int
}

// A past identifies the class of a beginning of a run. An event is a hash of
// what it did and of the events it depends on.
type past struct {
	last    [MaxBodies]uint64 // event of each body
	objects map[object][]use
	buffers []transfers // by channel
}

// transfers are the events that put elements into the buffer of a channel and
// those that took them out, in order.
type transfers struct{ sent, received []uint64 }

// An object is named by one of its operations and its index, channels by Send.
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
	reads    manner = iota // a value; also a TryLock that fails, and the Wait of a wait group
	writes                 // what depends on, or changes, all there is to the object
	counts                 // Done
	shares                 // RLock, RUnlock
	sends                  // into a buffer, or to a closed channel
	receives               // out of a buffer
	closes                 // a channel
	drained                // a receive from a channel that is closed and empty
	meets                  // a send and a receive without a buffer between them
	watches                // by selects that meet, unless other communications are ready
	looks                  // the default case of a select
	manners
)

// independent has the pairs of uses of an object whose order does not matter,
// the lesser manner first. A receive does come after the send of what it takes,
// and a send into a full buffer after a receive: those could not be exchanged.
var independent = [manners][manners]bool{
	reads:    {reads: true},
	counts:   {counts: true},
	shares:   {shares: true},
	sends:    {receives: true, drained: true},
	receives: {closes: true},
	drained:  {drained: true, watches: true, looks: true},
	meets:    {meets: true, watches: true, looks: true},
	watches:  {watches: true, looks: true},
	looks:    {looks: true},
}

// dependent reports whether the order of two uses of an object matters.
func dependent(a, b manner) bool { return !independent[min(a, b)][max(a, b)] }

func (c *classifier) begin(s *state) *past {
	p := &past{objects: map[object][]use{}, buffers: make([]transfers, len(c.p.Chans))}
	first := c.event(s, s, step{partner: nobody}, nil, nil, nil)
	for b := range s.bodies {
		if s.bodies[b].pc != notStarted {
			p.last[b] = first
		}
	}
	return p
}

// visit visits the classes that begin with pasts, one for each naming, which lead to s.
func (c *classifier) visit(s *state, pasts []*past) error {
	known := pasts[0].key(nil)
	if c.seen[known] {
		return nil
	}
	c.seen[known] = true
	if len(c.seen) > c.limit {
		return ErrTooLarge
	}
	steps := c.steps(nil, s)
	if s.failed != "" || len(steps) == 0 {
		c.ends[c.least(s, pasts)] = true
	}
	for _, t := range steps {
		uses := c.uses(s, t)
		next := s.clone()
		c.branches = c.branches[:0]
		c.take(next, t)
		extended := make([]*past, len(pasts))
		for i, p := range pasts {
			extended[i] = c.extend(p, c.names[i], s, next, t, uses)
		}
		if err := c.visit(next, extended); err != nil {
			return err
		}
	}
	return nil
}

// least returns the least of the names of the class of runs that end in s.
func (c *classifier) least(s *state, pasts []*past) string {
	least := ""
	for i, p := range pasts {
		if i == 0 && len(pasts) > 1 {
			continue
		}
		name := p.key(c.names[i])
		if s.failed != "" {
			name = fmt.Sprint(c.names[i].of(s.failing), p.last[s.failing])
		}
		if least == "" || name < least {
			least = name
		}
	}
	return least
}

// key returns what identifies p, of which the bodies have names.
func (p *past) key(names naming) string {
	var buf [MaxBodies * 8]byte
	for b, e := range p.last {
		if b < len(names) {
			b = names[b]
		}
		binary.LittleEndian.PutUint64(buf[b*8:], e)
	}
	return string(buf[:])
}

// extend returns the past after step t from s to next.
func (c *classifier) extend(p *past, names naming, s, next *state, t step, uses map[object]manner) *past {
	q := &past{last: p.last, objects: maps.Clone(p.objects), buffers: slices.Clone(p.buffers)}
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
		after = append(after, c.enabling(p, s, o, how)...)
	}
	slices.Sort(after)
	e := c.event(s, next, t, names, before, slices.Compact(after))
	q.last[t.body] = e
	if t.partner != nobody {
		q.last[t.partner] = e
	}
	for b := range next.bodies {
		if next.bodies[b].pc != notStarted && s.bodies[b].pc == notStarted {
			if q.last[b] = e; names != nil && b <= c.p.Copies {
				q.last[b] = started
			}
		}
	}
	for o, how := range uses {
		list := p.objects[o]
		if how == writes {
			list = nil // what comes later depends on them through e
		}
		q.objects[o] = append(slices.Clip(list), use{how, e})
		switch how {
		case sends:
			b := &q.buffers[o.index]
			b.sent = append(slices.Clip(b.sent), e)
		case receives:
			b := &q.buffers[o.index]
			b.received = append(slices.Clip(b.received), e)
		}
	}
	return q
}

// enabling returns the events that make the next send into a buffer, or receive
// out of it, possible in s. A send to a closed channel is so without any.
func (c *classifier) enabling(p *past, s *state, o object, how manner) []uint64 {
	switch how {
	case receives:
		b := &p.buffers[o.index]
		n := len(b.received)
		return b.sent[n : n+1]
	case sends:
		b := &p.buffers[o.index]
		if n := len(b.sent) - c.p.Chans[o.index]; n >= 0 && s.chans[o.index].closed.value == 0 {
			return b.received[n : n+1]
		}
	}
	return nil
}

// started stands for the start of a copy, whenever that was.
const started = 1

// event identifies step t from s to next, after other events.
func (c *classifier) event(s, next *state, t step, names naming, before, after []uint64) uint64 {
	h := fnv.New64a()
	word := func(v uint64) {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], v)
		h.Write(b[:])
	}
	word(uint64(names.of(t.body)))
	word(uint64(t.alt))
	word(uint64(names.of(t.partner) + 1))
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
	case Log:
		return one(Log, reads)
	case finish:
		return one(Log, writes)
	case Store, Add:
		return one(Load, writes)
	case TryLock:
		if s.locks[st.Obj].locked {
			return one(Lock, reads)
		}
		return one(Lock, writes)
	case Lock, Unlock:
		return one(Lock, writes)
	case RUnlock:
		if s.rws[st.Obj].readers == 0 { // it fails
			return one(WLock, writes)
		}
		return one(WLock, shares)
	case RLock:
		return one(WLock, shares)
	case WLock, WUnlock:
		return one(WLock, writes)
	case Send:
		return c.communication(s, t, true, st.Obj)
	case Recv:
		return c.communication(s, t, false, st.Obj)
	case Close:
		return one(Send, closes)
	case GroupAdd:
		return one(GroupAdd, writes)
	case GroupDone:
		if s.groups[st.Obj].count == 0 { // it fails
			return one(GroupAdd, writes)
		}
		return one(GroupAdd, counts)
	case GroupWait:
		return one(GroupAdd, reads)
	case Select:
		if t.alt < len(st.Case) {
			k := &st.Case[t.alt]
			return c.communication(s, t, k.Send, k.Chan)
		}
		return channels(looks, st)
	}
	return nil
}

// communication returns what step t from s uses: it sends to, or receives from,
// channel ch. Whether two selects can meet there depends on whether one of them
// has a case that is ready, and would not have waited for the other.
func (c *classifier) communication(s *state, t step, send bool, ch int) map[object]manner {
	how := receives
	switch {
	case t.partner != nobody:
		how = meets
		if a, b := c.at(s, t.body), c.at(s, t.partner); a.Op == Select && b.Op == Select {
			return channels(watches, a, b)
		}
	case send: // or it fails, and nothing comes later
		how = sends
	case len(s.chans[ch].buffer) == 0:
		how = drained
	}
	return map[object]manner{{Send, ch}: how}
}

// channels returns uses of the channels of all cases of selects.
func channels(how manner, selects ...*Stmt) map[object]manner {
	all := map[object]manner{}
	for _, st := range selects {
		for i := range st.Case {
			all[object{Send, st.Case[i].Chan}] = how
		}
	}
	return all
}
