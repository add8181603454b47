package warning

import (
	"context"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/pointsto"
)

// An edge says that a lock is taken while another one may be held.
type edge struct {
	held, taken pointsto.Label
	at          ssa.Instruction // takes it
	moved       bool            // in a goroutine that another one has started
	sure        bool            // the other one is held in any case, if the labels stand for the same locks
}

// maxCycle is the most locks in a cycle.
const maxCycle = 4

// maxPaths is how many paths are followed that may become cycles. Where acquisitions may be of any
// of many locks there could be billions, of the same few places.
const maxPaths = 1 << 18

// Deadlocks returns the acquisitions that are in cycles: each is made while a lock may be held that
// the next one takes. There is a bound on the paths that are followed.
func (f *Finder) Deadlocks(ctx context.Context) (Report, error) {
	f.prepare()
	own := make(map[*callgraph.Node]bool)
	for _, n := range f.Own {
		own[n] = true
	}
	edges := make(map[pointsto.Label][]edge)
	inner := make(map[pointsto.Label]bool) // locks that are taken while others are held: those of cycles are
	var from []pointsto.Label
	for _, a := range f.Locks.Acquisitions() {
		if a.Site.Instr == nil || a.Site.Mode != callgraph.Call {
			continue
		}
		in := f.Calls.Of(a.Site.Instr.Parent())
		if !own[in] || !f.live[in] {
			continue
		}
		must := make(map[pointsto.Label]bool)
		for _, p := range f.Locks.Must(a.Site.Instr) {
			for _, l := range f.Locks.Labels(p) {
				must[l] = true
			}
		}
		for _, h := range f.Locks.May(a.Site.Instr) {
			for _, held := range h.Locks {
				for _, taken := range a.Locks {
					if edges[held] == nil {
						from = append(from, held)
					}
					inner[taken] = true
					edges[held] = append(edges[held], edge{held, taken, a.Site.Instr, f.started[in], must[held]})
				}
			}
		}
	}
	var found lines
	var path []edge
	paths := 0
	var follow func(start pointsto.Label)
	follow = func(start pointsto.Label) {
		last := path[len(path)-1]
		if last.taken == start {
			if w, ok := f.cycle(path); ok {
				found.add(w)
			}
			return
		}
		if paths++; paths > maxPaths || len(path) == maxCycle ||
			slices.ContainsFunc(path, func(e edge) bool { return e.held == last.taken }) {
			return
		}
		for _, e := range edges[last.taken] {
			if slices.ContainsFunc(path, func(p edge) bool { return p.at == e.at }) {
				continue // one goroutine is at one place
			}
			path = append(path, e)
			follow(start)
			path = path[:len(path)-1]
		}
	}
	for _, l := range from {
		if err := ctx.Err(); err != nil {
			return Report{}, err
		}
		if !inner[l] {
			continue
		}
		for _, e := range edges[l] {
			path = append(path[:0], e)
			follow(l)
		}
	}
	return Report{Warnings: found.sorted(), Partial: paths > maxPaths}, nil
}

// cycle returns the warning of a cycle, false if one goroutine alone comes to it. An acquisition of
// a lock of the same kind as the one that is held is made by two goroutines, if there may be two:
// by one alone, or by both each with the lock of the other.
func (f *Finder) cycle(path []edge) (Warning, bool) {
	w := Warning{Message: "take locks that the others hold"}
	for _, e := range path {
		if !e.sure {
			w.Rank = 1
		}
	}
	if len(path) == 1 {
		if w.Rank > 0 {
			return w, false // a lock that has been given back, as a rule
		}
		w.Places = append(w.Places, f.place(path[0].at))
		if path[0].moved {
			w.Places = append(w.Places, f.place(path[0].at))
		} else {
			w.Message = "takes a lock that is held already"
		}
		return w, true
	}
	here := 0
	for _, e := range path {
		if !e.moved {
			here++
		}
		w.Places = append(w.Places, f.place(e.at))
	}
	return w, here < len(path)
}
