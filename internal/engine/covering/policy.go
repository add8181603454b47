package covering

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// A policy schedules the goroutines of an epoch: it continues a goroutine as long as it can, unless
// another one has waited longer for a lock, and ends the run when all that could go on are at
// markers at which they have to end, or when function main has returned.
type policy struct {
	vm      *vm.Machine
	unroll  int
	ahead   int    // elements in the buffer of a channel
	least   uint64 // instructions of a goroutine
	machine *machine
	epoch   int            // the number of the one that the run is in
	shorts  map[int32]bool // of goroutines at markers, see isShort
	passed  map[int32]int
	begun   map[int32]uint64 // instructions of the run when the goroutine has begun its stretch
	length  map[int32]uint64
	last    int32 // the goroutine that has gone on last
	acted   int32 // likewise, other than from a pause
	steps   int
	since   map[int32]int // by goroutines, when they have gone on last in the epoch
	at      []passing
	// dying says that the process is about to end by a panic, after so many events: what deferred
	// calls do meanwhile is no part of the schedule. The run ends there, unless it is to be whole.
	dying, whole bool
	events       int
	panics       int32 // the goroutine that does, if the process is dying
	// border is called where an epoch ends, with the trace so far. It reports whether the run goes
	// on with the next one.
	border func(trace *run.Trace) bool
	// begins has the goroutines that begin the epoch at a marker, which they leave without passing it.
	begins map[int32]bool
	first  segment // of the run, with which the epoch begins
	// deferred are the steps of the run so far in calls that were deferred.
	deferred []deferred
	// outcomes has those of decisions in the epoch, by their names. Others are as they come; with
	// draws, they are inputs of the run.
	outcomes map[string]uint64
	draws    bool
	// alive has the process not end early, as far as what ends it is left out of the slice.
	alive   bool
	times   map[coming]int
	had     map[outcome]bool // of decisions in the epoch, their last outcomes
	numbers map[int32]int    // of goroutines that were started in the epoch
	roots   map[string]cover.Root
	noted   func(name string, holds bool) // is told of each, unless it is nil
}

// A coming is that of a goroutine to a decision.
type coming struct {
	goroutine int
	at        *decision
}

// A deferred is a step of a goroutine in a call that was deferred.
type deferred struct {
	event     int // number of events before it
	goroutine int32
	site      run.SiteID // of the defer statement
}

// A segment is where an epoch begins in a run.
type segment struct {
	event int           // the first of its events
	input int           // the first of its inputs
	races int           // the first of its data races
	of    map[int32]int // the numbers of goroutines in the epoch, by their numbers in the run
	spawn map[int32]string
	wakes map[int32]run.Event
	opens map[int32]bool
}

// cross is called at the end of an epoch. It reports whether the run goes on with the next one: it
// does not if function main has returned.
func (p *policy) cross(trace *run.Trace) bool {
	if p.vm.Goroutines[0].Status == state.Ended || p.border == nil || !p.border(trace) {
		return false
	}
	p.vm.BeginAnew()
	clear(p.shorts)
	clear(p.passed)
	clear(p.length)
	clear(p.since)
	clear(p.times)
	clear(p.had)
	clear(p.numbers)
	p.at = p.at[:0]
	now := trace.Instructions + p.vm.Spent()
	if p.last >= 0 {
		p.begun[p.last] = now
	}
	for _, g := range p.vm.Live {
		if g.At == state.AtStop && g.Status == state.Parked {
			p.begins[g.ID] = true
		}
	}
	return true
}

// A passing is that of a goroutine at a marker.
type passing struct {
	goroutine int32
	site      run.SiteID
	event     int // number of events before it
}

func (m *machine) newPolicy() *policy {
	return &policy{
		times: make(map[coming]int), had: make(map[outcome]bool), numbers: make(map[int32]int), roots: make(map[string]cover.Root),
		vm: m.vm, unroll: m.cfg.Unroll, ahead: m.cfg.Ahead, least: m.cfg.MinLength, machine: m, shorts: make(map[int32]bool),
		passed: make(map[int32]int), begun: make(map[int32]uint64), length: make(map[int32]uint64), since: make(map[int32]int), last: -1, acted: -1,
		begins: make(map[int32]bool), first: segment{of: map[int32]int{0: 0}},
	}
}

// passes reports whether a goroutine goes on from a marker in the same epoch.
func (p *policy) passes(t *run.Transition) bool {
	return p.begins[t.Goroutine] || p.passed[t.Goroutine] < p.unroll || p.least > 0 && p.isShort(t.Goroutine)
}

// isShort reports whether a goroutine that is at a marker goes on since it has not executed enough
// instructions in the epoch. How many these are is no matter of the slice. So what the first run
// has done that came there by some nodes, others do that come there by the same: what they do then
// follows from their conditions and decisions, as it is to.
func (p *policy) isShort(goroutine int32) bool {
	if short, ok := p.shorts[goroutine]; ok {
		return short
	}
	length := p.length[goroutine]
	if p.last == goroutine {
		length += p.vm.Trace.Instructions + p.vm.Spent() - p.begun[goroutine]
	}
	short := length < p.least
	m := p.machine
	if x := m.extract(p.vm.Trace, p); !p.dying && x.err == nil {
		if n, ok := x.of[goroutine]; ok {
			key := arrivalKey(p.epoch, n, x.nodes)
			was, known := m.shorts[key]
			if short = short && !m.settled[p.epoch]; known {
				short = was
			}
			m.shorts[key] = short
		}
	}
	p.shorts[goroutine] = short
	return short
}

// arrivalKey returns what tells that a goroutine of an epoch has come to a marker from how it may
// have come there otherwise: the nodes up to its last one.
func arrivalKey(epoch, goroutine int, nodes []cover.Node) string {
	last := len(nodes)
	for last > 0 && nodes[last-1].Goroutine != goroutine {
		last--
	}
	h := sha256.New()
	fmt.Fprintln(h, epoch, goroutine)
	for i := range nodes[:last] {
		fmt.Fprintln(h, nodes[i].Operation())
	}
	return string(h.Sum(nil))
}

// recallShorts has what the schedules of a set from before say of where goroutines have gone on
// from markers in the epochs that are searched.
func (s *Search) recallShorts() {
	for i, e := range s.set.Epochs {
		s.settled[i] = e.Ready
		for _, sc := range e.Schedules {
			for k, n := range sc.Nodes {
				if n.Bypass {
					s.shorts[arrivalKey(i, n.Goroutine, sc.Nodes[:k])] = true
				}
			}
		}
	}
}

// Choose implements [run.Scheduler].
func (p *policy) Choose(pt *run.SchedulingPoint) int {
	if pt.Kind != run.Step {
		return run.NonPreemptive{}.Choose(pt)
	}
	for i := range pt.Enabled {
		// How long a goroutine computes is no matter of the slice, and the machine has it pause
		// after a while: it goes on first of all, also one that has only been started. One that
		// panics does what it has deferred, and ends the process.
		t := &pt.Enabled[i]
		if t.Goroutine >= 0 && (p.vm.Goroutines[t.Goroutine].At == state.AtPause || len(p.vm.Goroutines[t.Goroutine].Panics) > 0) {
			return i
		}
	}
	for {
		var index, ahead []int
		ends := false // some goroutine is at a marker, and begins another epoch
		for i := range pt.Enabled {
			switch t := &pt.Enabled[i]; {
			case t.IsStop() && !p.passes(t):
				ends = true
			case p.isAhead(t):
				ahead = append(ahead, i)
			default:
				index = append(index, i)
			}
		}
		if len(index) == 0 && !ends {
			index = ahead
		}
		// Goroutines that sleep wake up at any time. They are not known to wait for each other: in
		// a program that is kept to the schedule, time makes no difference to who waits first.
		if slices.ContainsFunc(index, func(i int) bool { return pt.Enabled[i].Op != schedule.TimePass }) {
			index = slices.DeleteFunc(index, func(i int) bool { return pt.Enabled[i].Op == schedule.TimePass })
		}
		if len(index) > 0 {
			slices.SortStableFunc(index, func(i, k int) int { return p.compare(&pt.Enabled[i], &pt.Enabled[k]) })
			rest := *pt
			rest.Enabled = nil
			for _, i := range index {
				rest.Enabled = append(rest.Enabled, pt.Enabled[i])
			}
			rest.Last = p.acted
			if len(p.since) == 0 {
				rest.Last = -1
			}
			return index[p.fair(rest.Enabled, run.NonPreemptive{}.Choose(&rest))]
		}
		if !p.cross(p.vm.Trace) {
			return -1
		}
	}
}

// isAhead reports whether a goroutine has sent ahead as far as it may while others go on.
func (p *policy) isAhead(t *run.Transition) bool {
	return p.ahead > 0 && t.Op == schedule.Send && t.Delta > 0 && t.State >= int64(p.ahead)
}

// fair returns the index of the transition that is taken when one is chosen. Of goroutines that may
// lock, that one goes on that has waited longest: otherwise one that is woken at a barrier would
// lock after another one, which has woken it, has come to the next barrier, and would wait for what
// that computes in a program that is kept to the schedule.
func (p *policy) fair(enabled []run.Transition, chosen int) int {
	locks := func(t *run.Transition) bool {
		return t.Op == schedule.Lock || t.Op == schedule.RLock || t.Op == schedule.CondWake
	}
	if c := &enabled[chosen]; c.Op == schedule.CondSignal && c.Partner >= 0 {
		// So is woken, too, so that a pool of workers shares what there is to do in an epoch.
		for i := range enabled {
			if t := &enabled[i]; t.Goroutine == c.Goroutine && t.Op == c.Op && t.Partner >= 0 &&
				p.since[t.Partner] < p.since[enabled[chosen].Partner] {
				chosen = i
			}
		}
		return chosen
	}
	if !locks(&enabled[chosen]) {
		return chosen
	}
	for i := range enabled {
		if t := &enabled[i]; locks(t) && p.since[t.Goroutine] < p.since[enabled[chosen].Goroutine] {
			chosen = i
		}
	}
	return chosen
}

// scatter decides the order in which the goroutines go on that a broadcast wakes: those that have
// numbers far apart follow each other, beginning behind the one that wakes them. What they do next,
// they do at the same time in a program that is kept to the schedule, and goroutines with numbers
// that are close often work on data that are close, so that their processors would wait for each
// other's caches.
func (p *policy) scatter(broadcast *run.Transition) {
	var woken []int32
	var since []int
	for _, g := range p.vm.Live {
		if l := g.Cond; l.Object != nil && l.Object.ID == broadcast.Object && int32(l.Offset) == broadcast.Offset && !g.Notified {
			woken = append(woken, g.ID)
			since = append(since, p.since[g.ID])
		}
	}
	slices.Sort(since) // which they have among them from now on
	for i, g := range p.apart(append(woken, broadcast.Goroutine))[1:] {
		p.since[g] = since[i]
	}
}

// apart returns goroutines, of which the last one comes first, so that neighbours in their order
// are far from each other: 3, 0, 4, 1, 5, 2 for 0, 1, 2, 4, 5, 3.
func (p *policy) apart(goroutines []int32) []int32 {
	first := goroutines[len(goroutines)-1]
	sorted := slices.SortedFunc(slices.Values(goroutines), p.compareGoroutines)
	half := (len(sorted) + 1) / 2
	var list []int32
	for i, g := range sorted[:half] {
		list = append(list, g)
		if half+i < len(sorted) {
			list = append(list, sorted[half+i])
		}
	}
	at := slices.Index(list, first)
	return slices.Concat(list[at:], list[:at])
}

// compare compares transitions by the numbers of their goroutines in the epoch, and then by those
// of their partners, such as which one is woken, so that what is chosen does not depend on how a
// run has come to the epoch. Goroutines that are started in it follow in the order in which they
// are.
func (p *policy) compare(s, t *run.Transition) int {
	return cmp.Or(p.compareGoroutines(s.Goroutine, t.Goroutine), p.compareGoroutines(s.Partner, t.Partner))
}

func (p *policy) compareGoroutines(g, h int32) int {
	key := func(id int32) (kind, number int) {
		n, known := p.first.of[id]
		switch {
		case known:
			return 0, n
		case id >= 0:
			return 1, int(id)
		}
		return 2, 0 // the clock, or none
	}
	k, n := key(g)
	l, m := key(h)
	return cmp.Or(cmp.Compare(k, l), cmp.Compare(n, m))
}

// Stepping implements [run.Watcher].
func (p *policy) Stepping(t *run.Transition, trace *run.Trace) bool {
	if p.vm.Goroutines[0].Status == state.Ended {
		return false
	}
	if t.Goroutine >= 0 {
		p.noteDeferred(p.vm.Goroutines[t.Goroutine], trace)
	}
	if t.Goroutine >= 0 && len(p.vm.Goroutines[t.Goroutine].Panics) > 0 {
		if !p.dying {
			p.dying, p.events, p.panics = true, len(trace.Events), t.Goroutine
		}
		return p.whole
	}
	now := trace.Instructions + p.vm.Spent()
	if p.last >= 0 {
		p.length[p.last] += now - p.begun[p.last]
	}
	p.last = t.Goroutine
	if p.last < 0 || p.vm.Goroutines[p.last].At != state.AtPause {
		p.acted = p.last
		if p.last < 0 || t.Op != schedule.CondWake { // which has still to lock
			p.steps++
			p.since[p.last] = p.steps
		}
	}
	if p.last >= 0 {
		p.begun[p.last] = now
	}
	if t.Op == schedule.CondSignal && t.Partner < 0 {
		p.scatter(t)
	}
	if !t.IsStop() {
		return true
	}
	if !p.passes(t) && !p.cross(trace) {
		return false
	}
	delete(p.shorts, t.Goroutine)
	if p.begins[t.Goroutine] {
		delete(p.begins, t.Goroutine)
		return true
	}
	p.passed[t.Goroutine]++
	if p.dying {
		return true
	}
	p.at = append(p.at, passing{t.Goroutine, t.Site, len(trace.Events)})
	return true
}

// noteDeferred notes the step that a goroutine is about to take, if the program has deferred the call in which it is.
func (p *policy) noteDeferred(g *state.Goroutine, trace *run.Trace) {
	for i := len(g.Frames) - 1; i >= 0; i-- {
		if f := g.Frames[i].Func; f.Standard || f.Body == nil { // what is made of a builtin function has none
			continue
		}
		if site, ok := g.DeferredAt(i); ok {
			p.deferred = append(p.deferred, deferred{len(trace.Events), g.ID, site})
		}
		return
	}
}

// deferredAt returns where the call was deferred in which a goroutine has taken its last step before an event.
func (p *policy) deferredAt(goroutine int32, event int) (run.SiteID, bool) {
	for i := len(p.deferred) - 1; i >= 0; i-- {
		if d := &p.deferred[i]; d.goroutine == goroutine && d.event <= event {
			return d.site, true
		}
	}
	return run.NoSite, false
}
