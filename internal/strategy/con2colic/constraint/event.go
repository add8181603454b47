package constraint

import (
	"github.com/everyway-go/everyway/internal/strategy/con2colic/forest"
	"github.com/everyway-go/everyway/schedule"
)

// An Event is a node, or the two sides of a rendezvous: Node sends, Partner receives.
type Event struct {
	Node, Partner forest.NodeID
}

// An Order is an order of the events of a scenario: a solution of its temporal constraint.
type Order struct {
	Events []Event
	Wakes  map[forest.NodeID]int32 // by CondSignal, the goroutine to wake
}

// A group is the nodes on one location.
type group struct {
	loc   forest.LocID
	nodes []forest.NodeID // path by path
}

// events are the events of a scenario that its temporal constraint orders: the visible
// operations on locations that more than one goroutine of the scenario uses, and Spawns.
// The others may come whenever their goroutine does them.
type events struct {
	v    *view
	list []Event
	at   [][]int32 // by path of v and node there: index in list, -1 if there is none

	groups  []group // of the locations that are shared
	groupOf []int32 // by LocID: index in groups, -1 if the location is not shared
	user    []int32 // by LocID: scratch of share
}

// start finds the events of the scenario in v.
func (t *events) start(v *view) {
	t.v = v
	t.share()
	t.number()
}

// share finds the locations that more than one goroutine uses.
func (t *events) share() {
	f := t.v.f
	for len(t.groupOf) < f.NumLocs() {
		t.groupOf = append(t.groupOf, -1)
		t.user = append(t.user, 0)
	}
	for i := range t.groupOf {
		t.groupOf[i], t.user[i] = -1, -1
	}
	t.groups = t.groups[:0]
	use := func(l forest.LocID, g int32) {
		if l == 0 || t.groupOf[l] >= 0 {
			return
		}
		if t.user[l] >= 0 && t.user[l] != g {
			t.groupOf[l] = int32(len(t.groups))
			t.groups = append(t.groups, group{loc: l})
			return
		}
		t.user[l] = g
	}
	for i := range t.v.paths {
		for _, n := range t.v.paths[i].nodes {
			e := f.At(n)
			for _, p := range f.Parts(n) {
				use(p.Loc, e.Goroutine)
			}
			if e.Op == schedule.SelectDefault {
				for _, l := range f.LocationsOf(forest.Cause{Node: n}) {
					use(l, e.Goroutine)
				}
			}
		}
	}
	// Whether a select waits for a partner depends on its other cases.
	for _, e := range t.v.s.Edges {
		if t.rendezvous(e.Read) {
			for _, n := range [...]forest.NodeID{e.Read, e.Write} {
				for _, l := range f.LocationsOf(forest.Cause{Node: n, Part: forest.OtherCases}) {
					use(l, -2)
				}
			}
		}
	}
	// The sink has to be possible in any case.
	for _, l := range f.LocationsOf(forest.Cause{Node: t.v.s.Sink}) {
		use(l, -2)
	}
}

// number makes events of the nodes on shared locations and of Spawns.
func (t *events) number() {
	f := t.v.f
	t.list = t.list[:0]
	for len(t.at) < len(t.v.paths) {
		t.at = append(t.at, nil)
	}
	for i := range t.v.paths {
		at := t.at[i][:0]
		for _, n := range t.v.paths[i].nodes {
			e := f.At(n)
			shared := false
			for _, p := range f.Parts(n) {
				if t.groupOf[p.Loc] >= 0 {
					shared = true
					g := &t.groups[t.groupOf[p.Loc]]
					g.nodes = append(g.nodes, n)
				}
			}
			id := int32(-1)
			if shared || e.Op == schedule.Spawn || e.Op == schedule.SelectDefault {
				if !t.rendezvous(n) {
					id = int32(len(t.list))
					t.list = append(t.list, Event{Node: n})
				}
			}
			at = append(at, id)
		}
		t.at[i] = at
	}
	for _, e := range t.v.s.Edges {
		if t.rendezvous(e.Read) {
			id := t.event(e.Write)
			r := f.At(e.Read)
			t.at[t.v.of[r.Goroutine]][r.Index] = int32(id)
			t.list[id].Partner = e.Read
		}
	}
}

// rendezvous reports whether n receives by an edge from a channel without a buffer: it is one
// event with the send.
func (t *events) rendezvous(n forest.NodeID) bool {
	f := t.v.f
	return f.At(n).Op == schedule.Recv && f.Location(f.At(n).Loc).Capacity == 0 && t.v.s.Source(n, 0) != 0
}

// event returns the index in list of the event of n, a negative number if there is none.
func (t *events) event(n forest.NodeID) int {
	e := t.v.f.At(n)
	return int(t.at[t.v.of[e.Goroutine]][e.Index])
}
