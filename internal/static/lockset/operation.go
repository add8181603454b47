package lockset

import (
	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/callgraph"
)

// An operation is what a function does to the lock that is its receiver.
type operation uint8

const (
	acquires operation = 1 + iota
	tries              // may acquire
	releases
)

// operations are the functions that lock and unlock.
var operations = map[string]operation{
	"sync.(*Mutex).Lock":       acquires,
	"sync.(*Mutex).TryLock":    tries,
	"sync.(*Mutex).Unlock":     releases,
	"sync.(*RWMutex).Lock":     acquires,
	"sync.(*RWMutex).RLock":    acquires,
	"sync.(*RWMutex).TryLock":  tries,
	"sync.(*RWMutex).TryRLock": tries,
	"sync.(*RWMutex).Unlock":   releases,
	"sync.(*RWMutex).RUnlock":  releases,
	"sync.(*rlocker).Lock":     acquires,
	"sync.(*rlocker).Unlock":   releases,
}

// conditionWait is a function that unlocks a lock and locks it again before it returns: for those
// that call it, nothing changes.
const conditionWait = "sync.(*Cond).Wait"

// waits reports whether all that a site calls is conditionWait.
func waits(s *callgraph.Site) bool {
	list := s.Callees()
	return len(list) == 1 && list[0].Name == conditionWait
}

// A lockSite is a site that locks or unlocks.
type lockSite struct {
	site *callgraph.Site
	addr ssa.Value // the lock, or the interface that has its address
	path Path      // of the lock; no Root if it is in an interface
	// number is that of the path.
	number int32
	op     operation // the strongest that it may be
	sure   bool      // it calls nothing else
	slot   int       // number among the acquisitions or releases
}

// lockSites returns the sites of a graph that lock or unlock, whose paths get numbers.
func lockSites(g *callgraph.Graph, table *pathTable) (acquisitions, ends []*lockSite, of map[*callgraph.Site]*lockSite) {
	of = make(map[*callgraph.Site]*lockSite)
	for _, n := range g.Nodes {
		if operations[n.Name] != 0 {
			continue // that of a rlocker calls another one
		}
		for _, s := range n.Sites {
			if s.Instr == nil || s.Mode == callgraph.Go {
				continue
			}
			var op operation
			sure := true
			for _, c := range s.Callees() {
				o := operations[c.Name]
				if o == 0 || op != 0 && o != op {
					sure = false
				}
				op = max(op, o)
			}
			if op == 0 {
				continue
			}
			l := &lockSite{site: s, op: op, sure: sure}
			if call := s.Instr.Common(); call.IsInvoke() {
				l.addr = call.Value
			} else if len(call.Args) > 0 {
				l.addr = call.Args[0]
				l.path = pathOf(l.addr)
			} else {
				continue // a method value, whose code is a site of its own
			}
			l.number = table.number(l.path)
			of[s] = l
			if op == releases {
				l.slot = len(ends)
				ends = append(ends, l)
			} else {
				l.slot = len(acquisitions)
				acquisitions = append(acquisitions, l)
			}
		}
	}
	return acquisitions, ends, of
}
