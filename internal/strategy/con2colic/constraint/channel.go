package constraint

import (
	"github.com/everyway-go/everyway/internal/strategy/con2colic/forest"
	"github.com/everyway-go/everyway/schedule"
)

// channel adds the order of a channel's elements: they are received in the order in which
// they were sent, and a closed channel yields its zero value after all of them.
func (t *clauses) channel(g *group) {
	f := t.v.f
	type pair struct{ send, recv forest.NodeID }
	var pairs []pair
	matched := func(s forest.NodeID) bool {
		for _, p := range pairs {
			if p.send == s {
				return true
			}
		}
		return false
	}
	for _, r := range g.nodes {
		if !isReceive(f.At(r).Op) {
			continue
		}
		s, local, missing := t.v.source(r, 0)
		if missing {
			t.unless(forest.Cause{Node: r})
			for _, n := range t.v.takers(r) {
				t.unless(forest.Cause{Node: n})
			}
			t.add()
			continue
		}
		if !local && t.event(s) != t.event(r) {
			t.before(s, r)
			t.add()
		}
		if f.At(r).Op == schedule.Recv && s != 0 {
			pairs = append(pairs, pair{s, r})
		}
	}
	unbuffered := f.Location(g.loc).Capacity == 0
	for _, s := range g.nodes {
		e := f.At(s)
		switch e.Op {
		case schedule.Send:
			if matched(s) {
				continue
			}
			if unbuffered {
				t.unless(forest.Cause{Node: s})
				t.add()
			}
			for _, p := range pairs { // what is sent before is received before
				t.unless(forest.Cause{Node: p.recv})
				for _, q := range pairs {
					if q != p {
						t.untaken(s, q.recv)
					}
				}
				t.before(p.send, s)
				t.add()
			}
		case schedule.Close:
			for _, n := range g.nodes {
				if f.At(n).Op == schedule.Send {
					t.before(n, s)
					t.add()
				}
			}
		case schedule.RecvClosed:
			for _, n := range g.nodes {
				if f.At(n).Op == schedule.Send && !matched(n) {
					t.unless(forest.Cause{Node: s})
					t.add()
				}
			}
			for _, p := range pairs {
				t.before(p.recv, s)
				t.add()
			}
		}
	}
	for i, p := range pairs {
		for _, q := range pairs[:i] {
			if p.send == q.send {
				for _, r := range [...]forest.NodeID{p.recv, q.recv} {
					if t.v.s.Source(r, 0) == 0 {
						t.unless(forest.Cause{Node: r})
						t.unless(forest.Cause{Node: r, Part: forest.OwnSend})
					}
				}
				t.add()
				continue
			}
			t.fifo(p.send, p.recv, q.send, q.recv)
			t.fifo(q.send, q.recv, p.send, p.recv)
		}
	}
}

// untaken makes the clause being built hold only while the receive r does not take what send
// s sent.
func (t *clauses) untaken(s, r forest.NodeID) {
	switch {
	case t.v.s.Source(r, 0) != 0:
	case t.v.f.Before(s, r):
		t.unless(forest.Cause{Node: r, Part: forest.OwnSend})
	default:
		t.unless(forest.Cause{Node: r})
	}
}

// fifo demands that if send s comes before s2, receive r comes before r2. That may be lifted
// if the receives are local.
func (t *clauses) fifo(s, r, s2, r2 forest.NodeID) {
	t.unlessLocal(r)
	t.unlessLocal(r2)
	t.before(s2, s)
	t.before(r, r2)
	t.add()
}

func isReceive(op schedule.Op) bool {
	return op == schedule.Recv || op == schedule.RecvClosed
}
