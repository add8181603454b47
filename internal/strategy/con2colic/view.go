package con2colic

import (
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/schedule"
)

// A view lays the paths of a scenario out for a check.
type view struct {
	f     *forest
	s     *scenario
	paths []path  // in the order of s.tips
	of    []int32 // by goroutine: index in paths, -1
}

// A path is the events of a goroutine, the first to its tip.
type path struct {
	goroutine int32
	nodes     []nodeID
}

// show fills the view with s.
func (v *view) show(f *forest, s *scenario) {
	v.f, v.s = f, s
	for i := range v.of {
		v.of[i] = -1
	}
	for len(v.paths) < len(s.tips) {
		v.paths = append(v.paths, path{})
	}
	v.paths = v.paths[:len(s.tips)]
	for i, t := range s.tips {
		p := &v.paths[i]
		n := f.at(t)
		p.goroutine = n.goroutine
		for int(n.goroutine) >= len(v.of) {
			v.of = append(v.of, -1)
		}
		v.of[n.goroutine] = int32(i)
		p.nodes = f.path(p.nodes[:0], t)
	}
}

// node returns the event of goroutine g with the index, or 0.
func (v *view) node(g, index int32) nodeID {
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
func (v *view) read(x expr.ID) (read nodeID, part int32, ok bool) {
	name, ok := v.f.readOf(x)
	if !ok {
		return 0, 0, false
	}
	read = v.node(name.goroutine, name.index)
	if read == 0 || name.part >= v.f.at(read).cells {
		return 0, 0, false
	}
	return read, name.part, true
}

// source returns the event that a part of read takes its value from in the
// scenario, 0 for the initial value or a timer. It is local when no edge gives it.
// For a receive or the like without a source missing is set.
func (v *view) source(read nodeID, part int32) (write nodeID, local, missing bool) {
	if w := v.s.source(read, part); w != 0 {
		return w, false, false
	}
	if n := v.f.at(read); readsCell(n.op) {
		return v.f.partsOf(read)[part].local, true, false
	}
	w := v.localFeed(read)
	n := v.f.at(read)
	return w, true, w == 0 && !(n.op == schedule.Recv && v.f.locAt(n.loc).timer)
}

// localFeed returns the event on the way to a receive or a TryFail, along
// program order and spawns, that it takes its value from when no other
// goroutine interferes: for a receive, the first send that no receive on the way
// has taken. It is 0 when there is none.
func (v *view) localFeed(read nodeID) nodeID {
	f := v.f
	op, loc := f.at(read).op, f.at(read).loc
	var sends []nodeID // from the last to the first
	taken := 0         // receives on the way that took one of sends
	held := 0
	for n := f.at(read).parent; n != 0; n = f.at(n).parent {
		e := f.at(n)
		if e.loc != loc {
			continue
		}
		switch op {
		case schedule.RecvClosed:
			if e.op == schedule.Close {
				return n
			}
		case schedule.TryFail, schedule.LockIntent:
			switch e.op {
			case schedule.Unlock, schedule.RUnlock:
				held--
			case schedule.Lock, schedule.RLock:
				if held++; held > 0 {
					return n
				}
			}
		case schedule.Recv:
			switch e.op {
			case schedule.Send:
				if !v.sentAway(n, read) {
					sends = append(sends, n)
				}
			case schedule.Recv:
				if v.s.source(n, 0) == 0 {
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

// sentAway reports whether a receive other than read takes what send sent, by
// an edge.
func (v *view) sentAway(send, read nodeID) bool {
	for _, e := range v.s.edges {
		if e.write == send && e.read != read {
			return true
		}
	}
	return false
}

// takers returns the receives on the way to the receive r that take what their
// own goroutine, or those above it, have sent: were one of them to take something
// else, there would be more for r.
func (v *view) takers(r nodeID) []nodeID {
	var list []nodeID
	for n := v.f.at(r).parent; n != 0; n = v.f.at(n).parent {
		if e := v.f.at(n); e.op == schedule.Recv && e.loc == v.f.at(r).loc && v.s.source(n, 0) == 0 {
			list = append(list, n)
		}
	}
	return list
}

// ownReceipts reports whether a goroutine receives what it has sent itself.
func (v *view) ownReceipts() bool {
	for i := range v.paths {
		for _, n := range v.paths[i].nodes {
			if v.f.at(n).op == schedule.Recv && v.s.source(n, 0) == 0 && v.localFeed(n) != 0 {
				return true
			}
		}
	}
	return false
}

// causes returns everything that an extension of the scenario may change: all local reads,
// and all operations that others can enable.
func (v *view) causes() []cause {
	var causes []cause
	for i := range v.paths {
		for _, n := range v.paths[i].nodes {
			e := v.f.at(n)
			for k := range e.cells {
				if reads(e.op) && v.s.source(n, k) == 0 {
					causes = append(causes, cause{n, k})
					if e.op == schedule.Recv {
						causes = append(causes, cause{n, ownSend})
					}
				}
			}
			if waits(e.op) {
				causes = append(causes, cause{node: n})
			}
		}
	}
	return causes
}

// waits reports whether operations of op, or others because of them, can be
// blocked, or misused, until another goroutine does something.
func waits(op schedule.Op) bool {
	switch op {
	case schedule.Lock, schedule.RLock, schedule.Send, schedule.WaitGroupWait, schedule.CondWake,
		schedule.SemAcquire, schedule.Sleep, schedule.SelectDefault, schedule.Unlock, schedule.RUnlock, schedule.WaitGroupAdd:
		return true
	}
	return false
}
