package constraint

import (
	"github.com/everyway-go/everyway/internal/dependence"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/forest"
	"github.com/everyway-go/everyway/schedule"
)

// A view is a scenario with its paths.
type view struct {
	f     *forest.Forest
	s     *forest.Scenario
	paths []path  // in the order of s.Tips
	of    []int32 // by goroutine: index in paths, -1 if there is none
}

// A path is the events of a goroutine in the scenario, from the first to the tip.
type path struct {
	goroutine int32
	nodes     []forest.NodeID
}

// show makes v a view of s.
func (v *view) show(f *forest.Forest, s *forest.Scenario) {
	v.f, v.s = f, s
	for i := range v.of {
		v.of[i] = -1
	}
	for len(v.paths) < len(s.Tips) {
		v.paths = append(v.paths, path{})
	}
	v.paths = v.paths[:len(s.Tips)]
	for i, t := range s.Tips {
		p := &v.paths[i]
		n := f.At(t)
		p.goroutine = n.Goroutine
		for int(n.Goroutine) >= len(v.of) {
			v.of = append(v.of, -1)
		}
		v.of[n.Goroutine] = int32(i)
		p.nodes = f.Path(p.nodes[:0], t)
	}
}

// node returns event index of goroutine g, or 0.
func (v *view) node(g, index int32) forest.NodeID {
	if int(g) >= len(v.of) || v.of[g] < 0 {
		return 0
	}
	p := &v.paths[v.of[g]]
	if int(index) >= len(p.nodes) {
		return 0
	}
	return p.nodes[index]
}

// read returns the read and the part of it that the variable x stands for in the scenario.
// It is false if there is none.
func (v *view) read(x expr.ID) (read forest.NodeID, part int32, ok bool) {
	name, ok := v.f.ReadOf(x)
	if !ok {
		return 0, 0, false
	}
	read = v.node(name.Goroutine, name.Index)
	if read == 0 || name.Part >= v.f.At(read).Cells {
		return 0, 0, false
	}
	return read, name.Part, true
}

// source returns the event that a part of read takes its value from in the scenario, 0 for the
// initial value or a timer. It is local if there is no edge. A receive or the like without a
// source is missing it.
func (v *view) source(read forest.NodeID, part int32) (write forest.NodeID, local, missing bool) {
	if w := v.s.Source(read, part); w != 0 {
		return w, false, false
	}
	if n := v.f.At(read); dependence.IsRead(n.Op) {
		return v.f.Parts(read)[part].Local, true, false
	}
	w := v.localSource(read)
	n := v.f.At(read)
	return w, true, w == 0 && !(n.Op == schedule.Recv && v.f.Location(n.Loc).Timer)
}

// localSource returns the event before the receive or TryFail read, by program order and
// spawns, that it takes its value from if no other goroutine interferes: for a receive, the
// first send that no receive before it takes. It returns 0 if there is none.
func (v *view) localSource(read forest.NodeID) forest.NodeID {
	f := v.f
	op, loc := f.At(read).Op, f.At(read).Loc
	var sends []forest.NodeID // from the last to the first
	taken := 0                // receives that took one of sends
	held := 0
	for n := f.At(read).Parent; n != 0; n = f.At(n).Parent {
		e := f.At(n)
		if e.Loc != loc {
			continue
		}
		switch op {
		case schedule.RecvClosed:
			if e.Op == schedule.Close {
				return n
			}
		case schedule.TryFail, schedule.LockIntent:
			switch e.Op {
			case schedule.Unlock, schedule.RUnlock:
				held--
			case schedule.Lock, schedule.RLock:
				if held++; held > 0 {
					return n
				}
			}
		case schedule.Recv:
			switch e.Op {
			case schedule.Send:
				if !v.sentAway(n, read) {
					sends = append(sends, n)
				}
			case schedule.Recv:
				if v.s.Source(n, 0) == 0 {
					taken++
				}
			}
		}
	}
	if len(sends) > taken {
		return sends[len(sends)-1-taken]
	}
	return 0
}

// sentAway reports whether a receive other than read takes what send sent, by an edge.
func (v *view) sentAway(send, read forest.NodeID) bool {
	for _, e := range v.s.Edges {
		if e.Write == send && e.Read != read {
			return true
		}
	}
	return false
}

// takers returns the receives before the receive r, by program order and spawns, that take
// what was sent before them in that order: if one took something else, there would be more
// elements for r.
func (v *view) takers(r forest.NodeID) []forest.NodeID {
	var list []forest.NodeID
	for n := v.f.At(r).Parent; n != 0; n = v.f.At(n).Parent {
		if e := v.f.At(n); e.Op == schedule.Recv && e.Loc == v.f.At(r).Loc && v.s.Source(n, 0) == 0 {
			list = append(list, n)
		}
	}
	return list
}

// ownReceipts reports whether a goroutine receives what it or an ancestor has sent.
func (v *view) ownReceipts() bool {
	for i := range v.paths {
		for _, n := range v.paths[i].nodes {
			if v.f.At(n).Op == schedule.Recv && v.s.Source(n, 0) == 0 && v.localSource(n) != 0 {
				return true
			}
		}
	}
	return false
}

// causes returns everything that an extension of the scenario may change: all local reads and
// all operations that other goroutines can enable.
func (v *view) causes() []forest.Cause {
	var causes []forest.Cause
	for i := range v.paths {
		for _, n := range v.paths[i].nodes {
			e := v.f.At(n)
			for k := range e.Cells {
				if forest.Reads(e.Op) && v.s.Source(n, k) == 0 {
					causes = append(causes, forest.Cause{Node: n, Part: k})
					if e.Op == schedule.Recv {
						causes = append(causes, forest.Cause{Node: n, Part: forest.OwnSend})
					}
				}
			}
			if waits(e.Op) {
				causes = append(causes, forest.Cause{Node: n})
			}
		}
	}
	return causes
}

// waits reports whether operations of op can be blocked, block others or be misused until
// another goroutine does something.
func waits(op schedule.Op) bool {
	switch op {
	case schedule.Lock, schedule.RLock, schedule.Send, schedule.WaitGroupWait, schedule.CondWake,
		schedule.SemAcquire, schedule.Sleep, schedule.SelectDefault, schedule.Unlock, schedule.RUnlock, schedule.WaitGroupAdd:
		return true
	}
	return false
}
