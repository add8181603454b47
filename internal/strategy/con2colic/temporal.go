package con2colic

import (
	"github.com/everyway-go/everyway/internal/solve/order"
	"github.com/everyway-go/everyway/schedule"
)

// A temporalConstraint is TC(I) of figure 5: the order of the events of a
// scenario. Its events are the visible operations on locations that more than
// one goroutine of the scenario uses, and Spawns; others are free to come when
// their goroutine does. Both sides of a rendezvous are one event.
//
// What program order and spawns (PO, FC), interferences (WRC_interfere) and the
// order of a channel's elements demand holds for good. The rest is under
// selectors, since extending the scenario may lift it: that no other write comes
// between a local read and its write (WRC_local), that a lock is not taken while
// another goroutine holds it for the rest of the scenario (LC_2), and what the
// simulation in enabled.go finds to block an operation.
type temporalConstraint struct {
	v      *view
	order  *order.Order
	at     [][]int32 // event of each node of each path of v, -1
	events []event

	// By location, for those that are shared: the nodes on it.
	slots  []int32 // by locID: index in groups, -1
	groups []group
	user   []int32 // by locID: scratch of share

	selectors   []order.Lit
	causes      []cause // of the selectors
	selectorFor map[cause]order.Lit
	clause      []order.Lit
	true        bool // the clause in the making holds anyway

	sim simulation
}

// A cause is what a core names: a read that takes its value from its own
// goroutine, or the operation that is blocked.
type cause struct {
	node nodeID
	part int32 // of the read, or ownSend, or otherCases
}

// otherCases as the part of a cause says that another case of the select is ready,
// so that it does not wait for a partner in this one.
const otherCases = -2

// ownSend as the part of a cause says that a receive takes the first of what its
// own goroutine has sent, which another receive takes too: it has to take another.
const ownSend = -1

// An event is a node, or the two sides of a rendezvous: node sends, partner
// receives.
type event struct {
	node, partner nodeID
}

// A group is the events on one location.
type group struct {
	loc   locID
	nodes []nodeID // path by path
}

// build makes the constraint of the scenario in v.
func (t *temporalConstraint) build(v *view) {
	t.v = v
	t.selectors, t.causes = t.selectors[:0], t.causes[:0]
	t.selectorFor = map[cause]order.Lit{}
	t.share()
	t.number()
	t.order = order.NewOrder(len(t.events))
	t.programOrder()
	for i := range t.groups {
		g := &t.groups[i]
		t.cells(g)
		t.locks(g)
		t.channel(g)
	}
	for _, p := range v.s.patterns {
		t.exclude(p)
	}
}

// share finds the locations that more than one goroutine uses.
func (t *temporalConstraint) share() {
	f := t.v.f
	for len(t.slots) < len(f.locs) {
		t.slots = append(t.slots, -1)
		t.user = append(t.user, 0)
	}
	for i := range t.slots {
		t.slots[i], t.user[i] = -1, -1
	}
	t.groups = t.groups[:0]
	use := func(l locID, g int32) {
		if l == 0 || t.slots[l] >= 0 {
			return
		}
		if t.user[l] >= 0 && t.user[l] != g {
			t.slots[l] = int32(len(t.groups))
			t.groups = append(t.groups, group{loc: l})
			return
		}
		t.user[l] = g
	}
	for i := range t.v.paths {
		for _, n := range t.v.paths[i].nodes {
			e := f.at(n)
			for _, p := range f.partsOf(n) {
				use(p.loc, e.goroutine)
			}
			if e.op == schedule.SelectDefault {
				for _, l := range f.locsOf(cause{node: n}) {
					use(l, e.goroutine)
				}
			}
		}
	}
	// Whether a select waits for a partner depends on its other cases.
	for _, e := range t.v.s.edges {
		if t.rendezvous(e.read) {
			for _, n := range [...]nodeID{e.read, e.write} {
				for _, l := range f.locsOf(cause{n, otherCases}) {
					use(l, -2)
				}
			}
		}
	}
	// Whether the sink can be carried out is always asked.
	for _, l := range f.locsOf(cause{node: t.v.s.sink}) {
		use(l, -2)
	}
}

// number gives events to the nodes of shared locations and to Spawns.
func (t *temporalConstraint) number() {
	f := t.v.f
	t.events = t.events[:0]
	for len(t.at) < len(t.v.paths) {
		t.at = append(t.at, nil)
	}
	for i := range t.v.paths {
		at := t.at[i][:0]
		for _, n := range t.v.paths[i].nodes {
			e := f.at(n)
			shared := false
			for _, p := range f.partsOf(n) {
				if t.slots[p.loc] >= 0 {
					shared = true
					g := &t.groups[t.slots[p.loc]]
					g.nodes = append(g.nodes, n)
				}
			}
			id := int32(-1)
			if shared || e.op == schedule.Spawn || e.op == schedule.SelectDefault {
				if !t.rendezvous(n) {
					id = int32(len(t.events))
					t.events = append(t.events, event{node: n})
				}
			}
			at = append(at, id)
		}
		t.at[i] = at
	}
	for _, e := range t.v.s.edges {
		if t.rendezvous(e.read) {
			id := t.event(e.write)
			r := f.at(e.read)
			t.at[t.v.of[r.goroutine]][r.index] = int32(id)
			t.events[id].partner = e.read
		}
	}
}

// rendezvous reports whether n receives by an edge what is sent without a
// buffer between: it is one event with the send.
func (t *temporalConstraint) rendezvous(n nodeID) bool {
	f := t.v.f
	return f.at(n).op == schedule.Recv && f.locs[f.at(n).loc].capacity == 0 && t.v.s.source(n, 0) != 0
}

// event returns the event of n.
func (t *temporalConstraint) event(n nodeID) int {
	e := t.v.f.at(n)
	return int(t.at[t.v.of[e.goroutine]][e.index])
}

// programOrder fixes PO and FC.
func (t *temporalConstraint) programOrder() {
	f := t.v.f
	for i := range t.v.paths {
		last := int32(-1)
		if p := f.at(f.at(t.v.s.tips[i]).start).parent; p != 0 {
			last = int32(t.event(p))
		}
		for _, id := range t.at[i] {
			if id < 0 {
				continue
			}
			if last >= 0 && last != id {
				t.order.Fix(int(last), int(id))
			}
			last = id
		}
	}
}

// when makes the clause in the making hold only while extending the scenario
// has not lifted what node n demands.
func (t *temporalConstraint) when(n nodeID) { t.whenPart(cause{node: n}) }

// whenPart is when for a part of a read.
func (t *temporalConstraint) whenPart(n cause) {
	l, ok := t.selectorFor[n]
	if !ok {
		l = t.order.NewSelector()
		t.selectorFor[n] = l
		t.selectors = append(t.selectors, l)
		t.causes = append(t.causes, n)
	}
	t.clause = append(t.clause, l.Not())
}

// either adds "a before b" to the clause in the making.
func (t *temporalConstraint) either(a, b nodeID) {
	f := t.v.f
	i, j := t.event(a), t.event(b)
	switch {
	case i == j || f.before(b, a):
	case f.before(a, b):
		t.true = true
	default:
		t.clause = append(t.clause, t.order.Before(i, j))
	}
}

// add adds the clause in the making and begins another.
func (t *temporalConstraint) add() {
	if !t.true {
		t.order.Add(t.clause...)
	}
	t.clause, t.true = t.clause[:0], false
}

// cells adds WRC for a memory cell: each read comes after its write, and no
// other write between. For an atomic read-modify-write the same says that no
// write comes between its two halves.
func (t *temporalConstraint) cells(g *group) {
	f := t.v.f
	for _, r := range g.nodes {
		if !readsCell(f.at(r).op) {
			continue
		}
		part := f.locs[g.loc].offset - f.at(r).offset
		u, local, _ := t.v.source(r, part)
		if !local {
			t.either(u, r)
			t.add()
		}
		for _, n := range g.nodes {
			if n == u || n == r || !writes(f.at(n).op) {
				continue
			}
			if local {
				t.whenPart(cause{r, part})
			}
			if u != 0 {
				t.either(n, u)
			}
			t.either(r, n)
			t.add()
		}
	}
}

// A block is what a goroutine does from acquiring a lock to releasing it.
type block struct {
	acquire, release nodeID // release 0: not released in the scenario
	shared           bool   // readers may overlap
}

// locks adds LC_1 and LC_2, and for a TryLock that fails that a lock that
// another goroutine holds is why.
func (t *temporalConstraint) locks(g *group) {
	f := t.v.f
	var blocks []block
	regular := true
	for _, n := range g.nodes {
		e := f.at(n)
		switch e.op {
		case schedule.Lock, schedule.RLock:
			blocks = append(blocks, block{acquire: n, shared: e.op == schedule.RLock})
		case schedule.Unlock, schedule.RUnlock:
			if !release(f, blocks, n) {
				regular = false
			}
		}
	}
	for _, n := range g.nodes {
		if op := f.at(n).op; op == schedule.TryFail || op == schedule.LockIntent {
			t.tryFail(n, blocks)
		}
	}
	if !regular {
		return // a goroutine unlocks what another locked: left to the simulation
	}
	for i := range blocks {
		for j := range i {
			t.exclusive(&blocks[i], &blocks[j])
		}
	}
}

// release ends the latest open block of n's goroutine that n can release.
func release(f *forest, blocks []block, n nodeID) bool {
	for i := len(blocks) - 1; i >= 0; i-- {
		b := &blocks[i]
		if f.at(b.acquire).goroutine == f.at(n).goroutine && b.release == 0 && b.shared == (f.at(n).op == schedule.RUnlock) {
			b.release = n
			return true
		}
	}
	return false
}

// exclusive demands that two blocks do not overlap.
func (t *temporalConstraint) exclusive(a, b *block) {
	if a.shared && b.shared || t.v.f.at(a.acquire).goroutine == t.v.f.at(b.acquire).goroutine {
		return
	}
	if a.release == 0 {
		t.when(a.acquire)
	}
	if b.release == 0 {
		t.when(b.acquire)
	}
	if a.release != 0 {
		t.either(a.release, b.acquire)
	}
	if b.release != 0 {
		t.either(b.release, a.acquire)
	}
	t.add()
}

// tryFail demands that n, a TryLock that fails or a writer that has to wait for
// readers, comes while its source holds the lock.
func (t *temporalConstraint) tryFail(n nodeID, blocks []block) {
	a, local, missing := t.v.source(n, 0)
	if missing {
		t.when(n)
		t.add()
		return
	}
	if !local {
		t.either(a, n)
		t.add()
	}
	for i := range blocks {
		if b := &blocks[i]; b.acquire == a && b.release != 0 {
			if local {
				t.when(n)
			}
			t.either(n, b.release)
			t.add()
		}
	}
}

// channel adds what the order of a channel's elements demands: elements are
// received in the order in which they were sent, and a closed channel yields
// its zero value when all have been.
func (t *temporalConstraint) channel(g *group) {
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
			t.when(r)
			for _, n := range t.v.takers(r) {
				t.when(n)
			}
			t.add()
			continue
		}
		if !local && t.event(s) != t.event(r) {
			t.either(s, r)
			t.add()
		}
		if f.at(r).op == schedule.Recv && s != 0 {
			pairs = append(pairs, pair{s, r})
		}
	}
	unbuffered := f.locs[g.loc].capacity == 0
	for _, s := range g.nodes {
		e := f.at(s)
		switch e.op {
		case schedule.Send:
			if matched(s) {
				continue
			}
			if unbuffered {
				t.when(s)
				t.add()
			}
			for _, p := range pairs { // what is sent before is received before
				t.when(p.recv)
				for _, q := range pairs {
					if q != p {
						t.untaken(s, q.recv)
					}
				}
				t.either(p.send, s)
				t.add()
			}
		case schedule.Close:
			for _, n := range g.nodes {
				if f.at(n).op == schedule.Send {
					t.either(n, s)
					t.add()
				}
			}
		case schedule.RecvClosed:
			for _, n := range g.nodes {
				if f.at(n).op == schedule.Send && !matched(n) {
					t.when(s)
					t.add()
				}
			}
			for _, p := range pairs {
				t.either(p.recv, s)
				t.add()
			}
		}
	}
	for i, p := range pairs {
		for _, q := range pairs[:i] {
			if p.send == q.send {
				for _, r := range [...]nodeID{p.recv, q.recv} {
					if t.v.s.source(r, 0) == 0 {
						t.when(r)
						t.whenPart(cause{r, ownSend})
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
func (t *temporalConstraint) untaken(s, r nodeID) {
	switch {
	case t.v.s.source(r, 0) != 0:
	case t.v.f.before(s, r):
		t.whenPart(cause{r, ownSend})
	default:
		t.when(r)
	}
}

// fifo demands that if send s comes before s2, receive r comes before r2. That
// may be lifted when the receives are local.
func (t *temporalConstraint) fifo(s, r, s2, r2 nodeID) {
	t.local(r)
	t.local(r2)
	t.either(s2, s)
	t.either(r, r2)
	t.add()
}

// local makes the clause in the making hold only while the receive n takes what
// it would take without the other goroutines, if it does.
func (t *temporalConstraint) local(n nodeID) {
	if t.v.s.source(n, 0) == 0 {
		t.when(n)
	}
}

func isReceive(op schedule.Op) bool {
	return op == schedule.Recv || op == schedule.RecvClosed
}

// exclude adds the clause that p's operation is not blocked the way it was.
func (t *temporalConstraint) exclude(p pattern) {
	for _, c := range p.causes {
		t.whenPart(c)
	}
	for _, n := range p.before {
		if t.event(n) >= 0 {
			t.either(p.blocked, n)
		}
	}
	for _, n := range p.after {
		if t.event(n) >= 0 {
			t.either(n, p.blocked)
		}
	}
	for _, o := range p.flips {
		t.either(o.write, o.read)
	}
	t.add()
}

// maxOrders bounds the orders of one scenario's events that are tried until one
// blocks no operation.
const maxOrders = 200

// solve looks for an order. When there is none, causes holds the local reads and
// the operations whose demands cannot be met together. gaveUp says that the
// answer is not known, also because of interrupted.
func (t *temporalConstraint) solve(interrupted func() bool) (linear []int, causes []cause, gaveUp bool) {
	for range maxOrders {
		if interrupted() {
			break
		}
		if t.order.Check(t.selectors...) != order.Sat {
			for _, l := range t.order.Core() {
				for i, s := range t.selectors {
					if s == l {
						causes = append(causes, t.causes[i])
					}
				}
			}
			return nil, causes, false
		}
		linear = t.order.Linear(nil)
		p, blocked := t.sim.run(t, linear)
		if !blocked {
			return linear, nil, false
		}
		t.exclude(p)
	}
	return nil, nil, true
}
