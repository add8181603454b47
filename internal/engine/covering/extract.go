package covering

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// An extraction makes the nodes of a schedule of the events of a run.
type extraction struct {
	*machine
	trace  *run.Trace
	policy *policy
	nodes  []cover.Node
	// of is the number of a goroutine in the epoch, by its number in the run.
	of    map[int32]int
	first map[int]int         // by goroutine of the epoch: the node that has started it
	last  map[object]int      // node that has used an object last
	node  map[int]int         // by event, its node
	spawn map[int32]string    // by goroutine of the run: the position at which it was started
	wakes map[int32]run.Event // by goroutine of the run: its event of waking, of which the lock is still to come
	opens map[int32]bool      // by goroutine of the run: it has begun to wait for a condition, and the lock is still to be unlocked
	err   error
}

// An object is what is synchronised on.
type object struct {
	id     run.ObjectID
	offset int32
}

// extract returns the operations of the epoch of a run, and the numbers of its goroutines there.
func (m *machine) extract(trace *run.Trace, p *policy) *extraction {
	begin := &p.first
	x := &extraction{
		machine: m, trace: trace, policy: p, of: maps.Clone(begin.of), first: make(map[int]int), last: make(map[object]int), node: make(map[int]int),
		spawn: make(map[int32]string), wakes: make(map[int32]run.Event), opens: make(map[int32]bool),
	}
	maps.Copy(x.spawn, begin.spawn)
	maps.Copy(x.wakes, begin.wakes)
	maps.Copy(x.opens, begin.opens)
	passings, events := p.at, trace.Events
	if p.dying {
		events = events[:p.events]
	}
	for i := begin.event; i < len(events); i++ {
		for len(passings) > 0 && passings[0].event <= i {
			x.pass(passings[0])
			passings = passings[1:]
		}
		x.event(i, &events[i])
	}
	for _, p := range passings {
		x.pass(p)
	}
	return x
}

// pass adds the node of a marker that a goroutine passes.
func (x *extraction) pass(p passing) {
	pos := x.position(p.site)
	if mk := x.marker[p.site]; mk != nil {
		pos = x.program.Position(x.target, mk.Pos)
	}
	x.add(cover.Node{Position: pos, Bypass: true, Child: -1, From: -1}, p.goroutine, nil)
}

// position returns the position of a site.
func (m *machine) position(id run.SiteID) string {
	_, pos := m.vm.Site(id)
	return m.program.Position(m.target, pos)
}

// place returns the position of the operation of an event: that of the call, or of the defer statement.
func (x *extraction) place(i int, e *run.Event) string {
	f := x.vm.Funcs[e.Caller.Func]
	if f == nil || e.Called < 0 && f.Body != nil {
		return x.position(e.Caller)
	}
	if _, ok := x.instr(e.Caller).(*ssa.Call); ok {
		return x.position(e.Caller)
	}
	if site, ok := x.policy.deferredAt(e.Goroutine, i); ok {
		if d, ok := x.instr(x.origin(site)).(*ssa.Defer); ok {
			return x.program.Position(x.target, d.Call.Pos())
		}
	}
	return x.position(e.Caller)
}

// isOperation reports whether events of an operation can be nodes.
func isOperation(op schedule.Op) bool {
	switch op {
	case schedule.Lock, schedule.Unlock, schedule.RLock, schedule.RUnlock, schedule.TryFail, schedule.Send, schedule.Recv, schedule.RecvClosed,
		schedule.Close, schedule.LenChan, schedule.SelectDefault, schedule.WaitGroupAdd, schedule.WaitGroupWait, schedule.CondWait, schedule.CondWake,
		schedule.CondSignal, schedule.AtomicRead, schedule.AtomicWrite, schedule.AtomicUpdate, schedule.Spawn:
		return true
	}
	return false
}

// libraryOrders reports whether goroutines of a run have synchronised with each other in the standard library.
func (m *machine) libraryOrders(trace *run.Trace) bool {
	by := make(map[object]int32)
	for i := range trace.Events {
		e := &trace.Events[i]
		if !isOperation(e.Op) || m.vm.Standard(e.Caller) || e.Called < 0 || m.isSync(e.Called) {
			continue
		}
		o := object{e.Object, e.Offset}
		if g, ok := by[o]; ok && g != e.Goroutine {
			return true
		}
		by[o] = e.Goroutine
	}
	return false
}

// synchronises reports whether an event is one of an operation of the program, and where that is.
func (x *extraction) synchronises(i int, e *run.Event) (pos string, ok bool) {
	if !isOperation(e.Op) {
		return "", false
	}
	if x.vm.Standard(e.Caller) {
		// In a goroutine that the standard library has started: by WaitGroup.Go.
		if name, _ := x.vm.Site(e.Caller); strings.HasPrefix(name, "sync.") {
			return x.spawn[e.Goroutine], true
		}
		return "", false
	}
	if e.Called >= 0 && !x.isSync(e.Called) {
		if e.Op == schedule.Spawn {
			x.fail("%s: the standard library starts a goroutine there", x.position(e.Caller))
		}
		return "", false
	}
	return x.place(i, e), true
}

func (x *extraction) fail(format string, args ...any) {
	if x.err == nil {
		x.err = &UnsupportedError{[]string{fmt.Sprintf(format, args...)}}
	}
}

// isSync reports whether a function is one of package sync or sync/atomic.
func (m *machine) isSync(id int32) bool {
	is, ok := m.calls[id]
	if !ok {
		f := m.vm.Funcs[id]
		is = f != nil && (strings.HasPrefix(f.Name, "sync.") || strings.HasPrefix(f.Name, "sync/atomic."))
		m.calls[id] = is
	}
	return is
}

// once reports whether an event is one of Once.Do.
func (m *machine) once(e *run.Event) bool {
	return e.Called >= 0 && m.vm.Funcs[e.Called] != nil && m.vm.Funcs[e.Called].Name == "sync.(*Once).Do"
}

// event adds the node of an event, if it has one.
func (x *extraction) event(i int, e *run.Event) {
	pos, ok := x.synchronises(i, e)
	if !ok {
		return
	}
	op := e.Op
	n := cover.Node{Op: op, Position: pos, Child: -1, From: -1}
	also := []object{{e.Object, e.Offset}}
	switch {
	case x.once(e):
		switch {
		case op == schedule.AtomicWrite:
			n.Op = schedule.Once
		case op == schedule.AtomicRead && e.Read != 0:
			n.Op = schedule.OnceSeen
		default:
			return
		}
	case op == schedule.CondWait:
		x.opens[e.Goroutine] = true
	case op == schedule.Unlock && x.opens[e.Goroutine], op == schedule.RUnlock && x.opens[e.Goroutine]:
		// The lock of the condition: the node is that of CondWait, which comes just before.
		delete(x.opens, e.Goroutine)
		if at := x.lastOf(e.Goroutine, schedule.CondWait); at >= 0 {
			x.touch(at, also)
		}
		return
	case op == schedule.CondWake:
		x.wakes[e.Goroutine] = *e
		x.node[i] = -1
		return
	case op == schedule.Lock || op == schedule.RLock:
		if w, ok := x.wakes[e.Goroutine]; ok {
			delete(x.wakes, e.Goroutine)
			n.Op = schedule.CondWake
			also = append(also, object{w.Object, w.Offset})
			if from, ok := x.node[int(w.Other)]; ok && w.Other >= 0 {
				n.From = from
			}
		}
	case op == schedule.Recv:
		if from, ok := x.node[int(e.Other)]; ok && e.Other >= 0 {
			n.From = from
		}
	case op == schedule.Spawn:
		n.Child = len(x.of)
		x.of[e.Other] = n.Child
		x.spawn[e.Other] = pos
		also = nil
	}
	if e.Select {
		n.Alt = int(e.Alt)
	}
	if op == schedule.SelectDefault {
		n.Alt = -1
	}
	x.node[i] = x.add(n, e.Goroutine, also)
	if n.Child >= 0 {
		x.first[n.Child] = x.node[i]
	}
}

// lastOf returns the last node of a goroutine, if it is of an operation, and otherwise -1.
func (x *extraction) lastOf(goroutine int32, op schedule.Op) int {
	g := x.of[goroutine]
	for i := len(x.nodes) - 1; i >= 0; i-- {
		if x.nodes[i].Goroutine == g {
			if x.nodes[i].Op == op {
				return i
			}
			return -1
		}
	}
	return -1
}

// add adds a node, after those that have used its objects before and, if it is the first of its
// goroutine, after the one that has started that.
func (x *extraction) add(n cover.Node, goroutine int32, objects []object) int {
	g, ok := x.of[goroutine]
	if !ok {
		x.fail("%s: a goroutine synchronises that the program has not started", n.Position)
		return -1
	}
	n.Goroutine = g
	i := len(x.nodes)
	x.nodes = append(x.nodes, n)
	if from, ok := x.first[g]; ok {
		x.after(i, from)
		delete(x.first, g)
	}
	if n.From >= 0 {
		x.after(i, n.From)
	}
	x.touch(i, objects)
	return i
}

// touch orders a node after those that have used some objects before.
func (x *extraction) touch(i int, objects []object) {
	for _, o := range objects {
		if last, ok := x.last[o]; ok {
			x.after(i, last)
		}
		x.last[o] = i
	}
}

// after orders a node after another one.
func (x *extraction) after(i, earlier int) {
	n := &x.nodes[i]
	if earlier == i || x.nodes[earlier].Goroutine == n.Goroutine {
		return
	}
	if at, found := slices.BinarySearch(n.After, earlier); !found {
		n.After = slices.Insert(n.After, at, earlier)
	}
}

// end returns how a run of an epoch has ended, or false if it was cut short or the process has ended early.
func (m *machine) end(trace *run.Trace, p *policy, of map[int32]int) (end cover.End, ok bool) {
	if !p.dying && (trace.Exit != nil || m.exits(trace)) && m.endsMain() {
		return cover.End{Kind: cover.Exit}, true
	}
	if p.dying || trace.Outcome == run.Failed && trace.Stuck == nil || trace.Exit != nil || m.exits(trace) {
		return end, false
	}
	if m.vm.Goroutines[0].Status == state.Ended || trace.Outcome == run.Finished {
		return cover.End{Kind: cover.Exit}, true
	}
	if trace.Outcome != run.Stopped && trace.Stuck == nil {
		return end, false
	}
	return m.places(of), true
}

// exits reports whether a run has been ended by a call of os.Exit with the status zero. It is
// early, whatever the status: no branch before it is in the slice because of the other side, on
// which the program goes on.
func (m *machine) exits(trace *run.Trace) bool {
	return trace.Outcome == run.Finished && trace.Stuck == nil && m.vm.Goroutines[0].Status != state.Ended
}

// endsMain reports whether a run has been ended by a call, such as that of os.Exit, that function
// main makes in the place of returning: it does so whatever is not in the slice.
func (m *machine) endsMain() bool {
	if m.target.Kind != load.TargetMain || m.cfg.Without.Prefixes {
		return false
	}
	exits := false
	for _, g := range m.vm.Goroutines {
		if g.ID != 0 && slices.ContainsFunc(g.Frames, func(f state.Frame) bool { return f.Func.Func.Name == "os.Exit" }) {
			return false // it may be that one
		}
	}
	g := m.vm.Goroutines[0]
	for _, f := range m.vm.StackOf(g, len(g.Frames)) { // innermost first
		exits = exits || m.vm.Funcs[f.Site.Func].Func.Name == "os.Exit"
		if m.vm.Standard(f.Site) {
			continue
		}
		instr := m.instr(f.Site)
		return exits && instr != nil && instr.Parent().Pkg != nil &&
			instr.Parent() == instr.Parent().Pkg.Func("main") && m.slice.Final(instr)
	}
	return false
}

// endsBy returns the number of the goroutine that a run has ended with, -1 if it is none of the program's.
func (m *machine) endsBy(trace *run.Trace, p *policy, of map[int32]int) int {
	by := int32(-1)
	switch {
	case p.dying:
		by = p.panics
	case trace.Panic != nil:
		by = trace.Panic.Goroutine
	case trace.FatalError != nil:
		by = trace.FatalError.Goroutine
	case trace.Exit != nil:
		by = trace.Exit.Goroutine
	case m.exits(trace) && len(trace.Events) > 0:
		by = trace.Events[len(trace.Events)-1].Goroutine
	}
	if n, ok := of[by]; ok {
		return n
	}
	return -1
}

// places returns where goroutines are at the end of an epoch, or where they are stuck, by their numbers.
func (m *machine) places(of map[int32]int) cover.End {
	end := cover.End{Kind: cover.Deadlock, Goroutines: make([]cover.Start, len(of))}
	for i := range end.Goroutines {
		end.Goroutines[i].Kind = cover.Ended
	}
	for _, g := range m.vm.Goroutines {
		at, known := of[g.ID]
		if !known {
			continue // one of the standard library
		}
		s := &end.Goroutines[at]
		switch {
		case g.Status == state.Ended:
			s.Kind = cover.Ended
		case g.At == state.AtStop && g.Status == state.Parked:
			s.Kind, end.Kind = cover.Marked, cover.NewEpoch
		default:
			s.Kind = cover.Blocked
		}
		if s.Kind != cover.Ended {
			s.Stack = m.stack(g)
		}
	}
	return end
}

// stack returns where a goroutine is, and the calls that have led there, outside of the standard library.
func (m *machine) stack(g *state.Goroutine) []string {
	var list []string
	for i, f := range m.vm.StackOf(g, len(g.Frames)) {
		if m.vm.Standard(f.Site) {
			continue
		}
		pos := m.position(f.Site)
		if i == 0 && g.At == state.AtStop {
			if mk := m.marker[m.origin(f.Site)]; mk != nil {
				pos = m.program.Position(m.target, mk.Pos)
			}
		}
		list = append(list, pos)
	}
	return list
}

// origin returns the site of which another one is a copy: the head of a loop may have been compiled twice.
func (m *machine) origin(id run.SiteID) run.SiteID {
	return run.SiteID{Func: id.Func, Instr: int32(m.vm.Funcs[id.Func].Func.Origin(int(id.Instr)))}
}
