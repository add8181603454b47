package oracle

// Collection. A program has nodes: objects with a variable each, a weak pointer, and perhaps
// a finalizer or a cleanup, which is a body of the program. A package variable, its holder,
// points to each node at first. A node may point to another one.
//
// A collection collects the nodes that nothing can reach: not a holder, not a body that holds
// on to one, not a finalizer that is to be called or has not returned. What a node with a
// finalizer points to is reached, too. Then the weak pointer becomes nil. A cleanup is started
// at once; finalizers run one after the other, in any order. Collections come where the
// program asks for them, and when nothing else can happen.
//
// A body lets go of a node in a step of its own, since a collection can come before and after:
// so it does of one that it has only compared with nil.
// What has been done with the variable of a node before it is collected was done before its
// finalizer or cleanup.

// A nodeState is the state of a node.
type nodeState struct {
	holder    cell // 1 if it points to the node
	variable  cell
	collected bool
	cancelled bool // it has no finalizer or cleanup any more
	queued    bool // its finalizer is to be called
}

// Alternatives of steps of nobody.
const (
	altCollect  = -3  // a collection, because nothing else can happen
	altFinalize = 128 // plus a node: its finalizer is called
)

// collectionSteps appends the steps in which finalizers are called.
func (x *execution) collectionSteps(dst []step, s *state) []step {
	if s.finalizing != nobody && x.at(s, s.finalizing) != nil {
		return dst
	}
	for k := range s.nodes {
		if s.nodes[k].queued {
			dst = append(dst, step{nobody, altFinalize + k, nobody, 0})
		}
	}
	return dst
}

// useNode carries out a statement about a node.
func (x *execution) useNode(s *state, b int, st *Stmt) {
	g, n := &s.bodies[b], &s.nodes[st.Obj]
	switch st.Op {
	case Drop, Revive:
		n.holder = cell{value: int(flag(st.Op == Revive)), clock: g.clock}
	case Hold:
		g.clock.join(&n.holder.clock)
		x.hold(s, b, st, n.holder.value != 0)
	case Upgrade, Peek:
		x.hold(s, b, st, !n.collected)
	case LetGo:
		g.holds[st.Obj]--
	case NodeGet:
		x.get(s, &n.variable, b, st.Dst)
	case NodeSet:
		x.set(s, &n.variable, b, st.X)
	case Cancel:
		n.cancelled = true
	case Collect:
		x.collect(s)
	}
}

// hold lets body b hold on to a node if there is one.
func (x *execution) hold(s *state, b int, st *Stmt, there bool) {
	g := &s.bodies[b]
	g.locals[st.Dst] = int(flag(there))
	g.holds[st.Obj] += flag(there)
}

// collect makes a collection.
func (x *execution) collect(s *state) {
	for k, dead := range x.dead(s) {
		if !dead {
			continue
		}
		n := &s.nodes[k]
		n.collected = true
		n.variable.wrote, n.variable.read = clock{}, clock{}
		switch {
		case n.cancelled:
		case x.p.Nodes[k].Kind == Finalized:
			n.queued = true
		case x.p.Nodes[k].Kind == Cleaned:
			x.begin(s, x.p.Nodes[k].Body, clock{})
		}
	}
}

// finalize calls the finalizer of node k.
func (x *execution) finalize(s *state, k int) {
	s.nodes[k].queued = false
	var after clock
	if s.finalizing != nobody {
		after = s.bodies[s.finalizing].clock
	}
	s.finalizing = x.p.Nodes[k].Body
	x.begin(s, s.finalizing, after)
}

// begin starts body b after what a clock covers.
func (x *execution) begin(s *state, b int, after clock) {
	g := &s.bodies[b]
	g.clock = after
	g.clock[b]++
	g.pc = 0
	x.settle(s, b)
}

// dead returns the nodes that a collection would collect.
func (x *execution) dead(s *state) (dead [MaxNodes]bool) {
	var reached [MaxNodes]bool
	var reach func(k int)
	reach = func(k int) {
		if k >= 0 && !reached[k] {
			reached[k] = true
			reach(x.p.Nodes[k].Next)
		}
	}
	for k := range s.nodes {
		n, node := &s.nodes[k], &x.p.Nodes[k]
		if n.holder.value != 0 || n.queued || node.Kind == Finalized && s.finalizing == node.Body && x.at(s, node.Body) != nil {
			reach(k)
		}
		for b := range s.bodies {
			if s.bodies[b].holds[k] > 0 {
				reach(k)
			}
		}
		if node.Kind == Finalized && !n.cancelled && !n.collected {
			reach(node.Next)
		}
	}
	for k := range s.nodes {
		dead[k] = !reached[k] && !s.nodes[k].collected
	}
	return dead
}
