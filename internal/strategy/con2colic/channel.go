package con2colic

import "github.com/everyway-go/everyway/schedule"

// channel adds what the order of a channel's elements demands: elements are
// received in the order in which they were sent, and a closed channel yields
// its zero value when all have been.
func (t *clauses) channel(g *group) {
	f := t.v.f
	type pair struct{ send, recv nodeID }
	var pairs []pair
	matched := func(s nodeID) bool {
		for _, p := range pairs {
			if p.send == s {
				return true
			}
		}
		return false
	}
	for _, r := range g.nodes {
		if !isReceive(f.at(r).op) {
			continue
		}
		s, local, missing := t.v.source(r, 0)
		if missing {
			t.unless(cause{node: r})
			for _, n := range t.v.takers(r) {
				t.unless(cause{node: n})
			}
			t.add()
			continue
		}
		if !local && t.event(s) != t.event(r) {
			t.before(s, r)
			t.add()
		}
		if f.at(r).op == schedule.Recv && s != 0 {
			pairs = append(pairs, pair{s, r})
		}
	}
	unbuffered := f.locAt(g.loc).capacity == 0
	for _, s := range g.nodes {
		e := f.at(s)
		switch e.op {
		case schedule.Send:
			if matched(s) {
				continue
			}
			if unbuffered {
				t.unless(cause{node: s})
				t.add()
			}
			for _, p := range pairs { // what is sent before is received before
				t.unless(cause{node: p.recv})
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
				if f.at(n).op == schedule.Send {
					t.before(n, s)
					t.add()
				}
			}
		case schedule.RecvClosed:
			for _, n := range g.nodes {
				if f.at(n).op == schedule.Send && !matched(n) {
					t.unless(cause{node: s})
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
				for _, r := range [...]nodeID{p.recv, q.recv} {
					if t.v.s.source(r, 0) == 0 {
						t.unless(cause{node: r})
						t.unless(cause{r, ownSend})
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

// untaken makes the clause in the making hold only while the receive r does not
// take what send s sent.
func (t *clauses) untaken(s, r nodeID) {
	switch {
	case t.v.s.source(r, 0) != 0:
	case t.v.f.before(s, r):
		t.unless(cause{r, ownSend})
	default:
		t.unless(cause{node: r})
	}
}

// fifo demands that if send s comes before s2, receive r comes before r2. That
// may be lifted when the receives are local.
func (t *clauses) fifo(s, r, s2, r2 nodeID) {
	t.unlessLocal(r)
	t.unlessLocal(r2)
	t.before(s2, s)
	t.before(r, r2)
	t.add()
}

func isReceive(op schedule.Op) bool {
	return op == schedule.Recv || op == schedule.RecvClosed
}
