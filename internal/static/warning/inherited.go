package warning

import (
	"maps"

	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/pointsto"
)

// labels are locks: the parts of objects that they are.
type labels map[pointsto.Label]bool

// inheritance knows which locks all callers of a function hold, also if the function has no name
// for them: of a list that is used under the lock of its owner, the functions of the list are not
// given the owner.
type inheritance struct {
	of       map[*callgraph.Node]labels // a function that is not there has not been called
	releases map[*callgraph.Node]labels
}

// inherit finds out which locks are held when functions are called. What is not known of any caller
// is held; each call takes away what is not held there, until nothing changes. A function that may
// unlock a lock, be it of another object of the same kind, passes on only what it certainly holds
// itself.
func (f *Finder) inherit() {
	f.inherited = inheritance{of: make(map[*callgraph.Node]labels), releases: make(map[*callgraph.Node]labels)}
	work := []*callgraph.Node{f.Calls.Machine}
	queued := map[*callgraph.Node]bool{f.Calls.Machine: true}
	f.inherited.of[f.Calls.Machine] = labels{}
	for len(work) > 0 {
		n := work[0]
		work = work[1:]
		queued[n] = false
		throughout := f.inheritedBy(n)
		for _, s := range n.Sites {
			var held labels
			for _, c := range s.Callees() {
				if !f.live[c] {
					continue
				}
				if held == nil {
					held = f.heldAt(n, s, throughout)
				}
				if f.inherited.limit(c, held) && !queued[c] {
					queued[c] = true
					work = append(work, c)
				}
			}
		}
	}
}

// limit notes that a function is called with some locks held, and reports whether it is known to have fewer now.
func (h *inheritance) limit(c *callgraph.Node, held labels) bool {
	was, called := h.of[c]
	if !called {
		h.of[c] = maps.Clone(held)
		return true
	}
	before := len(was)
	maps.DeleteFunc(was, func(l pointsto.Label, _ bool) bool { return !held[l] })
	return len(was) < before
}

// heldAt returns the locks that are held at a call in a function, with those that are held
// throughout it: none if that is in a new goroutine, or made by the machine.
func (f *Finder) heldAt(n *callgraph.Node, s *callgraph.Site, throughout labels) labels {
	if s.Instr == nil || s.Mode == callgraph.Go || s.Mode == callgraph.Outside || n.Body == nil {
		return labels{}
	}
	if s.Mode != callgraph.Call {
		return throughout // a deferred call is made later
	}
	held := throughout
	for _, p := range f.Locks.Must(s.Instr) {
		// Of a lock that may be one of several, it is not known which is held.
		of := f.Locks.Labels(p)
		if len(of) != 1 || held[of[0]] {
			continue
		}
		if len(held) == len(throughout) {
			held = maps.Clone(throughout)
		}
		held[of[0]] = true
	}
	return held
}

// inheritedBy returns the locks that are held throughout a function since all its callers hold them.
func (f *Finder) inheritedBy(n *callgraph.Node) labels {
	held := labels{}
	if len(f.inherited.of[n]) == 0 {
		return held // what it releases, which takes long to find out, makes no difference
	}
	releases, known := f.inherited.releases[n]
	if !known {
		releases = labels{}
		for _, l := range f.Locks.Releases(n) {
			releases[l] = true
		}
		f.inherited.releases[n] = releases
	}
	for l := range f.inherited.of[n] {
		if !releases[l] {
			held[l] = true
		}
	}
	return held
}
