package lockset

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/bitset"
	"github.com/everyway-go/everyway/internal/code/ssaform"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/control"
	"github.com/everyway-go/everyway/internal/static/pointsto"
)

// A Held is a lock that a goroutine holds, or may hold, in the middle of functions.
type Held struct {
	// Frame is the index in the stack of the function in which Path names the lock, as things are
	// there. Path has no Root if it is not known which lock it is: then it is one of Locks.
	Frame int
	Path  Path
	Locks []pointsto.Label
	// By are the calls that may have taken it. There are none if all that is known is that it is held.
	By []*callgraph.Site
	// Sure says that it is held whatever has happened.
	Sure bool
	// Inherited says that callers of the outermost function of the stack have taken it.
	Inherited bool
}

// Held returns what a goroutine holds whose frames are at instructions, innermost first, all but
// the first of which are calls. Of the outermost function, every caller is a possible one.
func (r *Result) Held(stack []ssa.Instruction) []Held {
	h := holding{Result: r, stack: stack}
	outermost := len(stack) - 1
	for frame := outermost; frame >= 0; frame-- {
		n := r.graph.Of(stack[frame].Parent())
		if n == nil || n.Body == nil {
			return nil
		}
		var now state
		if frame == outermost {
			h.begin(n, frame)
			now = h.start(n, stack[frame])
		} else {
			now = h.enter(n, frame, stack[frame], stack[frame+1])
		}
		h.at(n, frame, now, stack[frame])
	}
	return h.list()
}

// A holding collects what is held, frame by frame from the outermost one on.
type holding struct {
	*Result
	stack     []ssa.Instruction
	now       state
	entry     bitset.Set // what may be held when the outermost function is called, by states
	outermost *callgraph.Node
	named     map[int]lockName // acquisitions whose locks have names
	// taken are those acquisitions that are in force since before the outermost function was called.
	taken map[int]int32
	above []lockName        // what is held for sure and has a name in a frame further out only
	given map[lockName]bool // what every caller of the outermost function holds
	// passed is what is held for sure when the function of a frame is called, under the names that it has there.
	passed map[lockName]bool
}

// A lockName names a lock in a frame, by the number of a path.
type lockName struct {
	frame int
	path  int32
}

// begin sets what is known of the locks that are held when the outermost function is called.
func (h *holding) begin(n *callgraph.Node, frame int) {
	h.outermost, h.entry = n, h.funcs[n.ID].entry.may
	h.named, h.given, h.passed = make(map[int]lockName), make(map[lockName]bool), make(map[lockName]bool)
	for _, p := range h.funcs[n.ID].entry.must {
		h.given[lockName{frame, p}], h.passed[lockName{frame, p}] = true, true
	}
	h.taken = h.inherits(n)
	for i, p := range h.taken {
		if p >= 0 {
			h.named[i] = lockName{frame, p}
		}
	}
}

// start returns what is held at an instruction of the outermost function. Of what may be held when
// the function is called, that is left out which no caller that there can be has taken: the
// function may take it itself, later.
func (h *holding) start(n *callgraph.Node, at ssa.Instruction) state {
	f := &h.funcs[n.ID]
	into := state{may: bitset.New(len(h.acquisitions)), must: slices.Clone(f.entry.must), reached: true}
	for i := range h.taken {
		into.may.Add(i)
	}
	if f.states == nil {
		return into
	}
	_, states := h.run(n, into, nil)
	return h.beforeIn(n, into, states, at)
}

// nameIn returns the path under which a function knows the lock of an acquisition, -1 if it does
// not. Inherited are those that it knew when it was called.
func (r *Result) nameIn(n *callgraph.Node, now *state, i int, inherited map[int]int32) int32 {
	if a := r.acquisitions[i]; a.site.Caller == n && !now.old.Has(i) {
		if a.path.Root == nil {
			return -1
		}
		return a.number
	}
	if p, ok := inherited[i]; ok {
		return p
	}
	return r.helped(n, now, i)
}

// helped returns the path of a lock that a function holds for sure and that a call of another one
// has taken, of which the acquisition is; -1 if there are several such calls.
func (r *Result) helped(n *callgraph.Node, now *state, i int) int32 {
	found := int32(-1)
	for _, s := range n.Sites {
		if s.Mode != callgraph.Call || r.of[s] != nil {
			continue
		}
		for _, c := range s.Callees() {
			f := &r.funcs[c.ID]
			if !f.exit.may.Has(i) {
				continue
			}
			if found >= 0 || len(f.exit.must) != 1 || control.Leads(s.Instr.Block(), s.Instr.Block()) {
				return -1
			}
			q, ok := up(r.paths.list[f.exit.must[0]], s, c)
			if !ok {
				return -1
			}
			if found = r.paths.number(q); !now.must.has(found) {
				return -1
			}
		}
	}
	return found
}

// enter goes on in a function that one of the frame before has called, and returns what is held at
// an instruction in it.
func (h *holding) enter(n *callgraph.Node, frame int, at, call ssa.Instruction) state {
	site := h.graph.Site(call.(ssa.CallInstruction))
	if site == nil {
		return h.before(at)
	}
	into := state{may: slices.Clone(h.now.may), reached: true}
	for _, p := range h.now.must {
		if q, ok := down(h.paths.list[p], site, n); ok {
			number := h.paths.number(q)
			into.must.add(number)
			h.passed[lockName{frame, number}] = true
			if h.given[lockName{frame + 1, p}] {
				h.given[lockName{frame, number}] = true
			}
		} else {
			h.above = append(h.above, lockName{frame + 1, p})
		}
	}
	released := h.funcs[n.ID].released
	h.above = slices.DeleteFunc(h.above, func(l lockName) bool {
		for i := range released.All() {
			if h.mayEnd(l.path, h.ends[i]) {
				return true
			}
		}
		return false
	})
	for i, l := range h.named {
		if l.frame != frame+1 {
			continue
		}
		if q, ok := down(h.paths.list[l.path], site, n); ok {
			h.named[i] = lockName{frame, h.paths.number(q)}
		}
	}
	if h.funcs[n.ID].states == nil {
		h.loseAll(&into, released)
		return into
	}
	_, states := h.run(n, into, nil)
	return h.beforeIn(n, into, states, at)
}

// at notes what is held at an instruction of a frame.
func (h *holding) at(n *callgraph.Node, frame int, now state, at ssa.Instruction) {
	inherited := make(map[int]int32)
	for i, l := range h.named {
		if l.frame == frame {
			inherited[i] = l.path
		}
	}
	for i := range now.may.All() {
		if h.acquisitions[i].site.Caller != n && h.named[i].frame > frame {
			continue // named further out
		}
		p := h.nameIn(n, &now, i, inherited)
		if p >= 0 && defined(h.paths.list[p].Root, at) {
			h.named[i] = lockName{frame, p}
		} else if h.acquisitions[i].site.Caller == n {
			delete(h.named, i)
		}
	}
	now.must = slices.Clone(now.must)
	now.must.removeIf(func(p int32) bool { return !defined(h.paths.list[p].Root, at) })
	h.now = now
}

// defined reports whether a value is what it is on every way to an instruction.
func defined(v ssa.Value, at ssa.Instruction) bool {
	instr, ok := v.(ssa.Instruction)
	if !ok {
		return v != nil
	}
	return ssaform.Dominates(instr, at)
}

// onStack reports whether a function is one in which the goroutine is.
func (h *holding) onStack(n *callgraph.Node) bool {
	return slices.ContainsFunc(h.stack, func(at ssa.Instruction) bool { return h.graph.Of(at.Parent()) == n })
}

// list returns what is held at the end.
func (h *holding) list() []Held {
	var list []Held
	index := make(map[lockName]int)
	add := func(l lockName, sure bool) *Held {
		i, ok := index[l]
		if !ok {
			i = len(list)
			index[l] = i
			p := h.paths.list[l.path]
			list = append(list, Held{Frame: l.frame, Path: p, Locks: h.Labels(p), Sure: sure})
		}
		return &list[i]
	}
	for _, l := range h.above {
		add(l, true)
	}
	for _, p := range h.now.must {
		add(lockName{0, p}, true)
	}
	outer := make(map[*callgraph.Site]bool)
	for i := range h.now.may.All() {
		a := h.acquisition(i)
		_, taken := h.taken[i]
		if taken {
			outer[a.Site] = true
		} else if by := a.Site.Caller; h.entry.Has(i) && !h.funcs[h.outermost.ID].gained.Has(i) || !h.onStack(by) && h.library(by.Func) {
			continue // no caller that there can be has made it, or what has made it has returned
		}
		if l, ok := h.named[i]; ok {
			held := add(l, false)
			held.By = append(held.By, a.Site)
		} else {
			list = append(list, Held{Locks: a.Locks, By: []*callgraph.Site{a.Site}})
		}
	}
	for i := range list {
		list[i].Inherited = slices.ContainsFunc(list[i].By, func(s *callgraph.Site) bool { return outer[s] })
	}
	for l, i := range index {
		list[i].Inherited = list[i].Inherited || h.given[l]
		if list[i].Sure && len(list[i].By) == 0 {
			list[i].By = h.takenIn(l)
		}
	}
	return list
}

// takenIn returns the calls in the function of a frame one of which has taken a lock that is held
// there for sure, nil if something else can have taken it. It is needed where a caller may hold
// what the same call has taken, as that of a function that calls itself: then there is no telling
// from the acquisition alone which of the two locks it is.
func (h *holding) takenIn(l lockName) []*callgraph.Site {
	if h.passed[l] {
		return nil
	}
	var list []*callgraph.Site
	for _, s := range h.graph.Of(h.stack[l.frame].Parent()).Sites {
		if s.Mode != callgraph.Call {
			continue
		}
		if a := h.of[s]; a != nil {
			if a.op != releases && a.number == l.path && h.now.may.Has(a.slot) {
				list = append(list, s)
			}
			continue
		}
		for _, c := range s.Callees() {
			for _, p := range h.funcs[c.ID].exit.must {
				if q, ok := up(h.paths.list[p], s, c); ok && h.paths.number(q) == l.path {
					return nil
				}
			}
		}
	}
	return list
}
