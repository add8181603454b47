package lockset

import (
	"context"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/bitset"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/control"
	"github.com/everyway-go/everyway/internal/static/pointsto"
)

// A Result says which locks are held where.
type Result struct {
	graph        *callgraph.Graph
	flow         func(*ssa.Function) *control.Graph
	pointers     *pointsto.Result
	library      func(*ssa.Function) bool
	acquisitions []*lockSite
	ends         []*lockSite
	of           map[*callgraph.Site]*lockSite
	rooted       map[ssa.Value][]int // acquisitions by the root of their path
	paths        pathTable
	ended        []answers  // by the number of a path: which ends may be of it
	funcs        []function // by callgraph.Node.ID
	// active says, by callgraph.Node.ID, that what is held changes in a function: it locks or unlocks itself, or calls
	// what does and leaves it at that.
	active []bool
	// inherited has, for functions of which that was asked, what inherits returns.
	inherited map[*callgraph.Node]map[int]int32
}

// A function is what is known of a function.
type function struct {
	entry state
	// The effect of a call.
	exit     state      // what is held at a return, if nothing is held at the entry
	effect   bool       // some time, that was something
	released bitset.Set // ends that may be reached
	gained   bitset.Set // acquisitions that may be reached
	states   []state    // at the beginning of nodes, by control.Node.ID; nil for a function that is not active
}

// Solve analyses the functions of a graph. Flow returns the control flow of a function.
//
// Library reports whether a function is one of the standard library. These unlock what they have
// locked when they return, whether that can be seen or not: [Result.Held] makes use of it.
func Solve(ctx context.Context, g *callgraph.Graph, flow func(*ssa.Function) *control.Graph, pointers *pointsto.Result, library func(*ssa.Function) bool) (*Result, error) {
	r := &Result{
		graph: g, flow: flow, pointers: pointers, library: library, funcs: make([]function, len(g.Nodes)),
		inherited: make(map[*callgraph.Node]map[int]int32),
	}
	r.acquisitions, r.ends, r.of = lockSites(g, &r.paths)
	r.rooted = make(map[ssa.Value][]int)
	for i, a := range r.acquisitions {
		if a.path.Root != nil {
			r.rooted[a.path.Root] = append(r.rooted[a.path.Root], i)
		}
	}
	r.reach()
	if err := r.summarise(ctx); err != nil {
		return nil, err
	}
	return r, r.enter(ctx)
}

// reach sets what functions may reach: acquisitions and releases.
func (r *Result) reach() {
	r.active = make([]bool, len(r.graph.Nodes))
	var work []*callgraph.Node
	queued := make([]bool, len(r.graph.Nodes))
	for _, n := range r.graph.Nodes {
		f := &r.funcs[n.ID]
		f.gained, f.released = bitset.New(len(r.acquisitions)), bitset.New(len(r.ends))
		for _, s := range n.Sites {
			switch l := r.of[s]; {
			case l == nil:
			case l.op == releases:
				f.released.Add(l.slot)
			default:
				f.gained.Add(l.slot)
			}
		}
		if f.gained.Count()+f.released.Count() > 0 {
			work = append(work, n)
			queued[n.ID] = true
			r.active[n.ID] = true
		}
	}
	for len(work) > 0 {
		n := work[0]
		work = work[1:]
		queued[n.ID] = false
		f := &r.funcs[n.ID]
		for _, s := range n.Callers() {
			if s.Mode == callgraph.Go || r.of[s] != nil || waits(s) {
				continue
			}
			c := &r.funcs[s.Caller.ID]
			before := c.gained.Count() + c.released.Count()
			c.gained.AddAll(f.gained)
			c.released.AddAll(f.released)
			if c.gained.Count()+c.released.Count() != before && !queued[s.Caller.ID] {
				queued[s.Caller.ID] = true
				work = append(work, s.Caller)
			}
		}
	}
}

// summarise finds out what calls do to the locks that are held, callees first, until nothing changes.
func (r *Result) summarise(ctx context.Context) error {
	return r.iterate(ctx, func(n *callgraph.Node) []*callgraph.Node {
		f := &r.funcs[n.ID]
		r.active[n.ID] = true
		exit, _ := r.run(n, state{reached: true}, nil)
		if !f.exit.join(exit) || f.exit.may.Count()+len(f.exit.must)+len(f.exit.freed) == 0 && !f.effect {
			return nil
		}
		f.effect = true // its callers have taken it into account
		var callers []*callgraph.Node
		for _, s := range n.Callers() {
			callers = append(callers, s.Caller)
		}
		return callers
	}, func(n *callgraph.Node) bool { return r.active[n.ID] })
}

// enter finds out what is held when functions are entered, callers first, until nothing changes.
func (r *Result) enter(ctx context.Context) error {
	for _, n := range r.graph.Nodes {
		if n.Func == nil {
			continue
		}
		for _, s := range n.Callers() {
			if s.Mode == callgraph.Outside || s.Mode == callgraph.Go || s.Caller.Body == nil {
				r.funcs[n.ID].entry.join(state{reached: true})
			}
		}
	}
	return r.iterate(ctx, func(n *callgraph.Node) []*callgraph.Node {
		f := &r.funcs[n.ID]
		if !f.entry.reached {
			return nil
		}
		var next []*callgraph.Node
		call := func(s *callgraph.Site, at state) {
			for _, c := range s.Callees() {
				if c.Body == nil || operations[c.Name] != 0 {
					continue
				}
				into := state{may: at.may, reached: true}
				for _, p := range at.must {
					if q, ok := down(r.paths.list[p], s, c); ok {
						into.must.add(r.paths.number(q))
					}
				}
				if r.funcs[c.ID].entry.join(into) {
					next = append(next, c)
				}
			}
		}
		if !r.active[n.ID] {
			// All that may change is that what is called releases a lock of a caller.
			r.loseAll(&f.entry, f.released)
			for _, s := range n.Sites {
				if s.Mode != callgraph.Go {
					call(s, f.entry)
				}
			}
			return next
		}
		_, f.states = r.run(n, f.entry, call)
		return next
	}, func(n *callgraph.Node) bool { return n.Body != nil })
}

// iterate calls visit for functions until there are none left that it has returned.
func (r *Result) iterate(ctx context.Context, visit func(*callgraph.Node) []*callgraph.Node, first func(*callgraph.Node) bool) error {
	var work []*callgraph.Node
	queued := make([]bool, len(r.graph.Nodes))
	add := func(n *callgraph.Node) {
		if n.Body != nil && operations[n.Name] == 0 && !queued[n.ID] {
			queued[n.ID] = true
			work = append(work, n)
		}
	}
	for _, n := range r.graph.Nodes {
		if first(n) {
			add(n)
		}
	}
	for steps := 0; len(work) > 0; steps++ {
		if steps%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		n := work[0]
		work = work[1:]
		queued[n.ID] = false
		for _, c := range visit(n) {
			add(c)
		}
	}
	return nil
}

// run follows what is held through the code of a function, and returns what is at its returns and, by number, at the
// beginning of its nodes. It calls call, if that is not nil, with what is held at each site that may run its
// callees in the same goroutine, when all is known.
func (r *Result) run(n *callgraph.Node, entry state, call func(*callgraph.Site, state)) (exit state, at []state) {
	g := r.flow(n.Body)
	at = make([]state, len(g.Nodes))
	at[g.Start.ID] = entry.clone()
	at[g.Start.ID].deferred, at[g.Start.ID].freed = nil, nil
	for i := range entry.may.All() { // of an earlier call of the function
		if r.acquisitions[i].site.Caller == n {
			at[g.Start.ID].old.Grow(i + 1)
			at[g.Start.ID].old.Add(i)
		}
	}
	work := []*control.Node{g.Start}
	queued := make([]bool, len(g.Nodes))
	visit := func(v *control.Node, call func(*callgraph.Site, state)) state {
		now := at[v.ID].clone()
		for _, instr := range v.Instrs {
			r.step(n, entry, &now, instr, call)
		}
		return now
	}
	for len(work) > 0 {
		v := work[0]
		work = work[1:]
		queued[v.ID] = false
		out := visit(v, nil)
		for i, s := range v.Succs {
			if i >= len(v.Succs)-v.Pseudo {
				continue
			}
			to := out
			if s == g.Recover && (v == g.Start || v.Abrupt) {
				to = r.recovered(n, entry)
			}
			if at[s.ID].join(to) && !queued[s.ID] {
				queued[s.ID] = true
				work = append(work, s)
			}
		}
	}
	for _, v := range g.Nodes {
		if !at[v.ID].reached {
			continue
		}
		out := at[v.ID]
		if call != nil || returns(v) {
			out = visit(v, call)
		}
		if returns(v) {
			exit.join(out)
		}
	}
	return exit, at
}

func returns(v *control.Node) bool {
	if len(v.Instrs) == 0 {
		return false
	}
	_, ok := v.Instrs[len(v.Instrs)-1].(*ssa.Return)
	return ok
}

// recovered returns what may be held when a function goes on after a panic, whose deferred calls have run.
func (r *Result) recovered(n *callgraph.Node, entry state) state {
	s := state{may: slices.Clone(entry.may), reached: true}
	s.may.AddAll(r.funcs[n.ID].gained)
	return s
}

// step changes a state by what an instruction does.
func (r *Result) step(n *callgraph.Node, entry state, s *state, instr ssa.Instruction, call func(*callgraph.Site, state)) {
	if v, ok := instr.(ssa.Value); ok {
		r.redefine(s, v)
	}
	switch instr := instr.(type) {
	case *ssa.Call:
		if site := r.graph.Site(instr); site != nil {
			if call != nil {
				call(site, *s)
			}
			r.apply(s, site, true)
		}
	case *ssa.Defer:
		if site := r.graph.Site(instr); site != nil && instr.DeferStack == nil {
			s.deferred.add(site, true)
			if call != nil {
				call(site, r.recovered(n, entry)) // when a panic runs it
			}
		}
	case *ssa.RunDefers:
		for _, site := range r.graph.Deferred(n) {
			sure, ok := s.deferred.of(site)
			if !ok && site.Caller == n {
				continue // not on this way
			}
			if call != nil {
				call(site, *s)
			}
			r.apply(s, site, ok && sure)
		}
	}
}

// redefine changes a state by giving a register a new value: what is reached through it is another lock now.
func (r *Result) redefine(s *state, v ssa.Value) {
	other := func(p int32) bool { return r.paths.list[p].Root == v }
	s.must.removeIf(other)
	s.freed.removeIf(other)
	if len(s.may) == 0 {
		return
	}
	for _, i := range r.rooted[v] {
		if s.may.Has(i) {
			s.old.Grow(i + 1)
			s.old.Add(i)
		}
	}
}

// apply changes a state by a call. If it is not sure that the call is made, what it releases may still
// be held.
func (r *Result) apply(s *state, site *callgraph.Site, sure bool) {
	if l := r.of[site]; l != nil {
		switch {
		case l.op == releases:
			r.release(s, l, sure)
			return
		case l.op == tries:
			s.may.Grow(l.slot + 1)
			s.may.Add(l.slot)
			return
		case l.sure:
			s.may.Grow(l.slot + 1)
			s.may.Add(l.slot)
			if sure && l.path.Root != nil {
				s.must.add(l.number)
				s.freed.remove(l.number)
			}
			return
		}
		s.may.Grow(l.slot + 1)
		s.may.Add(l.slot)
	}
	if waits(site) {
		return
	}
	var gains, frees paths // by all callees
	var gained bitset.Set
	first := true
	for _, c := range site.Callees() {
		f := &r.funcs[c.ID]
		if c.Body == nil || !r.active[c.ID] || operations[c.Name] != 0 {
			gains, frees, first = nil, nil, false
			r.loseAll(s, f.released)
			continue
		}
		if !f.exit.reached {
			continue // it does not return, as far as is known yet
		}
		gained.AddAll(f.exit.may)
		gains = r.both(gains, first, f.exit.must, site, c)
		frees = r.both(frees, first, f.exit.freed, site, c)
		first = false
		r.loseAll(s, f.released)
	}
	if sure {
		for _, p := range frees {
			r.free(s, p)
		}
	}
	s.may.AddAll(gained)
	if sure {
		for _, p := range gains {
			s.must.add(p)
			s.freed.remove(p)
		}
	}
}

// both returns those paths that are in a set and, as paths of a callee, in another one; all of that if any is true.
func (r *Result) both(set paths, any bool, of paths, site *callgraph.Site, callee *callgraph.Node) (in paths) {
	if !any && len(set) == 0 {
		return nil
	}
	for _, p := range of {
		if q, ok := up(r.paths.list[p], site, callee); ok {
			if number := r.paths.number(q); any || set.has(number) {
				in.add(number)
			}
		}
	}
	return in
}

// release changes a state by an unlock.
func (r *Result) release(s *state, l *lockSite, sure bool) {
	s.must.removeIf(func(p int32) bool { return r.mayEnd(p, l) })
	if sure && l.sure && l.path.Root != nil {
		r.free(s, l.number)
	}
}

// free takes the lock with a path from what may be held.
func (r *Result) free(s *state, p int32) {
	own := s.must.has(p)
	for i := range s.may.All() {
		if r.acquisitions[i].number != p {
			continue
		}
		own = true
		_, global := r.paths.list[p].Root.(*ssa.Global)
		if global || !s.old.Has(i) {
			s.may.Remove(i)
			s.old.Remove(i)
		}
	}
	s.must.remove(p)
	if !own {
		s.freed.add(p) // it was held at the entry
	}
}

// loseAll takes from what must be held what one of some ends may release.
func (r *Result) loseAll(s *state, ends bitset.Set) {
	s.must.removeIf(func(p int32) bool {
		for i := range ends.All() {
			if r.mayEnd(p, r.ends[i]) {
				return true
			}
		}
		return false
	})
}

// answers are those to a question about numbers, as far as it has been asked.
type answers struct{ asked, yes bitset.Set }

// mayEnd reports whether an unlock may be of the lock with a path.
func (r *Result) mayEnd(p int32, end *lockSite) bool {
	if end.number == p {
		return true
	}
	for int(p) >= len(r.ended) {
		r.ended = append(r.ended, answers{})
	}
	a := &r.ended[p]
	if !a.asked.Has(end.slot) {
		a.asked.Grow(end.slot + 1)
		a.asked.Add(end.slot)
		path := r.paths.list[p]
		if r.pointers.MayField(path.Root, path.FieldNumbers(), end.addr) {
			a.yes.Grow(end.slot + 1)
			a.yes.Add(end.slot)
		}
	}
	return a.yes.Has(end.slot)
}
