package oracle

import (
	"errors"
	"maps"
	"slices"
)

// naive runs a program in every way, one after another, without a set of
// visited states. It goes through the statements as a tree, has the wait
// queues of Go's runtime, and decides happens-before, races and interferences
// from the events of a whole run.
type naive struct {
	p      *Program
	inputs []int
	runs   int
	limit  int

	ends   map[string]bool
	degree map[Branch]int
	race   bool
}

var errTooManyRuns = errors.New("too many runs")

// enumerateNaively is to give what Enumerate gives.
func enumerateNaively(p *Program, limit int) (*Result, error) {
	p.Number()
	n := &naive{p: p, limit: limit, ends: map[string]bool{}, degree: map[Branch]int{}}
	var err error
	p.EachInput(func(v []int) {
		n.inputs = v
		if err == nil {
			r := newRun(n)
			r.settle(0)
			err = n.all(r)
		}
	})
	return &Result{Outcomes: slices.Sorted(maps.Keys(n.ends)), Degree: n.degree, Race: n.race}, err
}

func (n *naive) all(r *naiveRun) error {
	type choice struct{ g, alt int }
	var choices []choice
	for g := range r.gs {
		for alt := range r.ways(g) {
			choices = append(choices, choice{g, alt})
		}
	}
	later := r.finalizers()
	later = append(later, r.pass(len(choices)+len(later))...)
	if len(choices)+len(later) == 0 && r.failed == "" {
		if c := r.copy(); c.collect() { // nothing else can happen
			later = append(later, c)
		}
	}
	for _, next := range later {
		if err := n.all(next); err != nil {
			return err
		}
	}
	if len(choices)+len(later) == 0 {
		if n.runs++; n.runs > n.limit {
			return errTooManyRuns
		}
		r.finish()
		return nil
	}
	for _, c := range choices {
		next := r.copy()
		next.do(c.g, c.alt)
		if err := n.all(next); err != nil {
			return err
		}
	}
	return nil
}

// A run is one run so far. The pasts of an event are sets of events, itself included.
// target returns the statements of the target.
func (n *naive) target() []Stmt {
	if n.p.Logs {
		return append(slices.Clip(n.p.Bodies[0]), Stmt{Op: finish})
	}
	return n.p.Bodies[0]
}

type naiveRun struct {
	*naive
	gs     []thread
	plains []written
	atoms  []written
	mutex  []mutex
	rw     []rwMutex
	groups []group
	chans  []queue
	timers []naiveTimer
	naiveTime
	naiveHeap
	naiveBubble

	events   []event
	degree   int
	failed   string
	failing  int
	reported []int
	over     bool // the target is done, in a program with Logs
}

type event struct {
	body          int
	past, byOrder uint64 // happens-before; by program order and spawns alone
	plain         int    // variable accessed, or -1
	write         bool
	due           int // of what was early: when
}

type thread struct {
	started, waiting bool
	alone            bool // it was the only one at the begin or when time passed, and has started none since
	frames           []frame
	phase            int    // of a WLock
	last, lastOrder  uint64 // past of its next event
	locals           [slots]int
	refs             []int // the nodes that it holds on to
	shown            []Shown
}

type frame struct {
	list []Stmt
	at   int
}

type written struct {
	value int
	by    int // event, -1 initially
}

type mutex struct {
	locked bool
	past   uint64
}

// An rwMutex is as in package sync: a writer holds the lock of writers, then
// announces itself, then waits for the readers that were there.
type rwMutex struct {
	writers       bool // the lock of writers is held
	announced     bool
	held          bool
	readers       int
	past, reading uint64
}

type group struct {
	count int
	past  uint64
}

type queue struct {
	closed    bool
	by        int // event of the close
	buffer    []written
	received  []uint64 // pasts of all receives from the buffer, in order
	sent      int
	receivers []waiter
	senders   []waiter
}

// A waiter is a goroutine in a wait queue, with the case it waits in.
type waiter struct{ g, alt, value int }

func newRun(n *naive) *naiveRun {
	r := &naiveRun{
		naive: n, gs: make([]thread, len(n.p.Bodies)),
		mutex: make([]mutex, n.p.Locks), rw: make([]rwMutex, n.p.RWs), groups: make([]group, n.p.Groups), chans: make([]queue, len(n.p.Chans)),
		timers: make([]naiveTimer, n.p.Timers), naiveHeap: newNaiveHeap(n.p),
	}
	for range n.p.Plains + len(n.p.Nodes) {
		r.plains = append(r.plains, written{0, -1})
	}
	for range n.p.Atoms {
		r.atoms = append(r.atoms, written{0, -1})
	}
	r.gs[0] = thread{started: true, alone: true, frames: []frame{{n.target(), 0}}}
	return r
}

func (r *naiveRun) copy() *naiveRun {
	c := *r
	c.gs = slices.Clone(r.gs)
	for i := range c.gs {
		c.gs[i].frames = slices.Clone(c.gs[i].frames)
		c.gs[i].shown = slices.Clone(c.gs[i].shown)
	}
	c.plains, c.atoms, c.mutex, c.groups = slices.Clone(r.plains), slices.Clone(r.atoms), slices.Clone(r.mutex), slices.Clone(r.groups)
	c.rw, c.chans = slices.Clone(r.rw), slices.Clone(r.chans)
	for i := range c.chans {
		q := &c.chans[i]
		q.buffer, q.received = slices.Clone(q.buffer), slices.Clone(q.received)
		q.receivers, q.senders = slices.Clone(q.receivers), slices.Clone(q.senders)
	}
	c.naiveHeap = r.naiveHeap.copy()
	c.timers, c.pending = slices.Clone(r.timers), slices.Clone(r.pending)
	for i := range c.timers {
		c.timers[i].receivers = slices.Clone(c.timers[i].receivers)
	}
	c.events, c.reported = slices.Clone(r.events), slices.Clone(r.reported)
	return &c
}

// next returns the statement thread g is at, nil at its end.
func (r *naiveRun) next(g int) *Stmt {
	f := r.gs[g].frames
	if !r.gs[g].started || len(f) == 0 {
		return nil
	}
	return &f[len(f)-1].list[f[len(f)-1].at]
}

// settle drops finished lists and does what nobody can see.
func (r *naiveRun) settle(g int) {
	for {
		t := &r.gs[g]
		if len(t.frames) == 0 {
			return
		}
		top := &t.frames[len(t.frames)-1]
		if top.at == len(top.list) {
			t.frames = t.frames[:len(t.frames)-1]
			continue
		}
		s := &top.list[top.at]
		switch s.Op {
		case If:
			top.at++
			taken := s.Rel.holds(s.X.value(&t.locals, r.inputs), s.Y.value(&t.locals, r.inputs))
			b := Branch{s.ID, taken}
			if d, ok := r.naive.degree[b]; !ok || r.degree < d {
				r.naive.degree[b] = r.degree
			}
			if taken {
				t.frames = append(t.frames, frame{s.Then, 0})
			} else {
				t.frames = append(t.frames, frame{s.Else, 0})
			}
		case Spawn:
			top.at++
			t.alone = false
			r.gs[s.Obj] = thread{started: true, frames: []frame{{r.p.Bodies[s.Obj], 0}}, last: t.last, lastOrder: t.lastOrder}
			r.settle(s.Obj)
		case Error:
			top.at++
			r.reported = append(r.reported, s.ID)
		case Note:
			top.at++
			t.shown = append(t.shown, Shown{g, s.ID, t.locals[s.Dst]})
		default:
			return
		}
	}
}

// immediate reports whether a communication can go on at once.
func (r *naiveRun) immediate(of Case) bool {
	if of.Timer {
		return r.timers[of.Chan].full || r.isPast(of.Chan)
	}
	send, c := of.Send, of.Chan
	q := &r.chans[c]
	switch {
	case r.p.Chans[c] == NilChan:
		return false
	case q.closed:
		return true
	case send:
		return len(q.receivers) > 0 || len(q.buffer) < r.p.Chans[c]
	default:
		return len(q.senders) > 0 || len(q.buffer) > 0
	}
}

// ways returns in how many ways thread g can go on; starting to wait is one.
func (r *naiveRun) ways(g int) int {
	s := r.next(g)
	if s == nil || r.gs[g].waiting || r.failed != "" {
		return 0
	}
	switch s.Op {
	case Lock:
		if r.mutex[s.Obj].locked {
			return 0
		}
	case RLock:
		if r.rw[s.Obj].announced {
			return 0
		}
	case WLock:
		m := &r.rw[s.Obj]
		if t := &r.gs[g]; t.phase == 0 && m.writers || t.phase == 2 && m.readers > 0 {
			return 0
		}
	case GroupWait:
		if r.groups[s.Obj].count != 0 {
			return 0
		}
	case Select:
		if n := len(r.readyCases(s)); n > 0 || !s.Default || !r.firesFirst(g, s) {
			return max(1, n)
		}
		return 0
	case Range:
		return len(visits(s))
	}
	return 1 + r.moves(s)
}

func (r *naiveRun) readyCases(s *Stmt) (ready []int) {
	for i, c := range s.Case {
		if r.immediate(c) {
			ready = append(ready, i)
		}
	}
	return ready
}

// happen adds an event of thread g after the given pasts.
func (r *naiveRun) happen(g int, pasts ...uint64) *event {
	t := &r.gs[g]
	bit := uint64(1) << len(r.events)
	e := event{body: g, past: t.last | bit, byOrder: t.lastOrder | bit, plain: -1}
	for _, p := range pasts {
		e.past |= p
	}
	t.last, t.lastOrder = e.past, e.byOrder
	r.events = append(r.events, e)
	return &r.events[len(r.events)-1]
}

// see counts the reading of what event by wrote, by the thread of event e.
func (r *naiveRun) see(e *event, by int) {
	if by >= 0 && e.byOrder>>by&1 == 0 {
		r.degree++
	}
}

func (r *naiveRun) fail(g int, message string) { r.failed, r.failing = message, g }

// done ends the operation of thread g with a result.
func (r *naiveRun) done(g int, s *Stmt, result int) {
	t := &r.gs[g]
	t.waiting = false
	switch s.Op {
	case Get, Load, Add, Swap, TryLock, Recv, Select, Fired, Reset, Stop, Since, Range, Peek, NodeGet:
		if !s.Unread {
			t.locals[s.Dst] = result
		}
	}
	if s.Show {
		t.shown = append(t.shown, Shown{g, s.ID, t.locals[s.Dst]})
	}
	t.frames[len(t.frames)-1].at++
	r.settle(g)
}

// do lets thread g go on in the way alt.
func (r *naiveRun) do(g, alt int) {
	s := r.next(g)
	t := &r.gs[g]
	x, y := s.X.value(&t.locals, r.inputs), s.Y.value(&t.locals, r.inputs)
	last := func() int { return len(r.events) - 1 }
	switch s.Op {
	case Get, NodeGet:
		e := r.happen(g)
		if e.plain = s.Obj; s.Op == NodeGet {
			e.plain += r.p.Plains
		}
		r.see(e, r.plains[e.plain].by)
		r.done(g, s, r.plains[e.plain].value)
	case Set, NodeSet:
		e := r.happen(g)
		if e.plain, e.write = s.Obj, true; s.Op == NodeSet {
			e.plain += r.p.Plains
		}
		r.plains[e.plain] = written{x, last()}
		r.done(g, s, 0)
	case Drop, Revive, Hold, Upgrade, LetGo, Peek, Cancel, Collect:
		r.doNode(g, s)
	case Load, Store, Add, Swap:
		a := &r.atoms[s.Obj]
		var e *event
		if a.by >= 0 && s.Op != Store { // what it sees was before it
			e = r.happen(g, r.events[a.by].past)
		} else {
			e = r.happen(g)
		}
		if s.Op != Store {
			r.see(e, a.by)
		}
		result := a.value
		switch s.Op {
		case Store:
			*a = written{x, last()}
		case Add:
			result += x
			*a = written{result, last()}
		case Swap:
			result = 0
			if a.value == x {
				result = 1
				*a = written{y, last()}
			}
		}
		r.done(g, s, result)
	case Lock, TryLock:
		m := &r.mutex[s.Obj]
		if m.locked { // TryLock
			r.happen(g)
			r.done(g, s, 0)
			return
		}
		m.locked = true
		r.happen(g, m.past)
		r.done(g, s, 1)
	case Unlock:
		m := &r.mutex[s.Obj]
		if !m.locked {
			r.fail(g, "fatal error: sync: unlock of unlocked mutex")
			return
		}
		*m = mutex{past: r.happen(g).past}
		r.done(g, s, 0)
	case RLock:
		r.rw[s.Obj].readers++
		r.happen(g, r.rw[s.Obj].past)
		r.done(g, s, 0)
	case RUnlock:
		m := &r.rw[s.Obj]
		if m.readers == 0 {
			r.fail(g, "fatal error: sync: RUnlock of unlocked RWMutex")
			return
		}
		m.readers--
		m.reading |= r.happen(g).past
		r.done(g, s, 0)
	case WLock:
		m := &r.rw[s.Obj]
		switch t.phase {
		case 0:
			m.writers = true
		case 1:
			m.announced = true
		case 2:
			m.held = true
			r.happen(g, m.past, m.reading)
			t.phase = 0
			r.done(g, s, 0)
			return
		}
		t.phase++
	case WUnlock:
		m := &r.rw[s.Obj]
		if !m.held {
			r.fail(g, "fatal error: sync: Unlock of unlocked RWMutex")
			return
		}
		m.past = r.happen(g).past
		m.writers, m.announced, m.held = false, false, false
		r.done(g, s, 0)
	case Send:
		if r.immediate(Case{Send: true, Chan: s.Obj}) {
			r.send(g, s, 0, s.Obj, x)
		} else {
			r.wait(g, s)
		}
	case Recv:
		if r.immediate(Case{Chan: s.Obj}) {
			r.receive(g, s, 0, s.Obj)
		} else {
			r.wait(g, s)
		}
	case Fired:
		r.timers[s.Obj].awaited = true
		if r.immediate(Case{Timer: true, Chan: s.Obj}) {
			r.receiveTime(g, 0, s.Obj)
		} else {
			r.wait(g, s)
		}
	case Sleep, After, Reset, Stop, Now, Since:
		r.doTimed(g, s, alt)
	case Settle:
		if r.settling > 0 {
			r.fail(g, "panic: wait already in progress")
			return
		}
		r.happen(g)
		t.waiting, r.settling = true, g+1
	case Range:
		r.happen(g)
		r.done(g, s, visits(s)[alt])
	case Close:
		r.close(g, s)
	case Select:
		for _, c := range s.Case {
			if c.Timer && !s.Default {
				r.timers[c.Chan].awaited = true
			}
		}
		ready := r.readyCases(s)
		switch {
		case len(ready) == 0 && s.Default:
			r.finds(r.happen(g), s)
			r.done(g, s, len(s.Case))
		case len(ready) == 0:
			r.wait(g, s)
		default:
			switch c := s.Case[ready[alt]]; {
			case c.Send:
				r.send(g, s, ready[alt], c.Chan, c.X.value(&t.locals, r.inputs))
			case c.Timer:
				r.receiveTime(g, ready[alt], c.Chan)
			default:
				r.receive(g, s, ready[alt], c.Chan)
			}
		}
	case GroupAdd, GroupDone:
		d := -1
		if s.Op == GroupAdd {
			d = s.X.Const
		}
		w := &r.groups[s.Obj]
		w.count += d
		if w.count < 0 {
			r.fail(g, "panic: sync: negative WaitGroup counter")
			return
		}
		if e := r.happen(g); d < 0 {
			w.past |= e.past
		}
		r.done(g, s, 0)
	case GroupWait:
		r.happen(g, r.groups[s.Obj].past)
		r.done(g, s, 0)
	case Panic:
		r.fail(g, "panic: "+failure(s))
	case Log:
		if r.over {
			r.fail(g, LateLog)
			return
		}
		r.done(g, s, 0)
	case finish:
		r.over = true
		r.done(g, s, 0)
	}
}

// wait puts thread g into the queues of its statement.
func (r *naiveRun) wait(g int, s *Stmt) {
	t := &r.gs[g]
	t.waiting = true
	cases := s.Case
	if s.Op != Select {
		cases = []Case{{Send: s.Op == Send, Chan: s.Obj, X: s.X, Timer: s.Op == Fired}}
	}
	for i, c := range cases {
		if c.Timer {
			q := &r.timers[c.Chan]
			q.receivers = append(q.receivers, waiter{g, i, 0})
			continue
		}
		if r.p.Chans[c.Chan] == NilChan {
			continue
		}
		q := &r.chans[c.Chan]
		if c.Send {
			q.senders = append(q.senders, waiter{g, i, c.X.value(&t.locals, r.inputs)})
		} else {
			q.receivers = append(q.receivers, waiter{g, i, 0})
		}
	}
}

// leave takes thread g out of all queues.
func (r *naiveRun) leave(g int) {
	is := func(w waiter) bool { return w.g == g }
	for i := range r.chans {
		r.chans[i].senders = slices.DeleteFunc(r.chans[i].senders, is)
		r.chans[i].receivers = slices.DeleteFunc(r.chans[i].receivers, is)
	}
	for i := range r.timers {
		r.timers[i].receivers = slices.DeleteFunc(r.timers[i].receivers, is)
	}
}

// received ends the receive of thread g in case alt with a value.
func (r *naiveRun) received(g, alt, value int) {
	s := r.next(g)
	if s.Op == Select {
		r.gs[g].locals[s.Case[alt].Dst] = value
		value = alt
	}
	r.done(g, s, value)
}

func (r *naiveRun) send(g int, s *Stmt, alt, ch, value int) {
	q := &r.chans[ch]
	if q.closed {
		r.fail(g, "panic: send on closed channel")
		return
	}
	if len(q.receivers) > 0 {
		w := q.receivers[0]
		r.leave(w.g)
		r.hand(g, w.g, q)
		r.done(g, s, alt)
		r.received(w.g, w.alt, value)
		return
	}
	r.put(g, q, r.p.Chans[ch], value)
	r.done(g, s, alt)
}

// put adds a value to the buffer of q.
func (r *naiveRun) put(g int, q *queue, capacity, value int) {
	var freed uint64
	if q.sent >= capacity {
		freed = q.received[q.sent-capacity]
	}
	q.sent++
	r.happen(g, freed)
	q.buffer = append(q.buffer, written{value, len(r.events) - 1})
}

// hand makes the events of a value that goes from one thread to another that
// is there, through the empty buffer of q if it has one.
func (r *naiveRun) hand(from, to int, q *queue) {
	capacity := 0
	for i := range r.chans {
		if q == &r.chans[i] {
			capacity = r.p.Chans[i]
		}
	}
	if capacity > 0 {
		r.put(from, q, capacity, 0)
		r.take(to, q)
		return
	}
	past := r.gs[to].last
	sent := r.happen(from, past).past
	by := len(r.events) - 1
	r.see(r.happen(to, sent), by)
	r.gs[from].last |= r.gs[to].last
}

// take takes a value from the buffer of q.
func (r *naiveRun) take(g int, q *queue) int {
	v := q.buffer[0]
	q.buffer = q.buffer[1:]
	e := r.happen(g, r.events[v.by].past)
	r.see(e, v.by)
	q.received = append(q.received, e.past)
	return v.value
}

func (r *naiveRun) receive(g int, s *Stmt, alt, ch int) {
	q := &r.chans[ch]
	switch {
	case len(q.buffer) > 0:
		v := r.take(g, q)
		if len(q.senders) > 0 { // its value takes the place
			w := q.senders[0]
			r.leave(w.g)
			r.put(w.g, q, r.p.Chans[ch], w.value)
			r.received(g, alt, v)
			r.done(w.g, r.next(w.g), w.alt)
			return
		}
		r.received(g, alt, v)
	case len(q.senders) > 0:
		w := q.senders[0]
		r.leave(w.g)
		r.hand(w.g, g, q)
		r.done(w.g, r.next(w.g), w.alt)
		r.received(g, alt, w.value)
	default: // closed
		r.end(g, alt, q)
	}
}

// end ends the receive of thread g on a closed channel.
func (r *naiveRun) end(g, alt int, q *queue) {
	e := r.happen(g, r.events[q.by].past)
	r.see(e, q.by)
	r.received(g, alt, Closed)
}

func (r *naiveRun) close(g int, s *Stmt) {
	q := &r.chans[s.Obj]
	switch {
	case r.p.Chans[s.Obj] == NilChan:
		r.fail(g, "panic: close of nil channel")
		return
	case q.closed:
		r.fail(g, "panic: close of closed channel")
		return
	}
	r.happen(g)
	q.closed, q.by = true, len(r.events)-1
	receivers, senders := slices.Clone(q.receivers), slices.Clone(q.senders)
	for _, w := range slices.Concat(receivers, senders) {
		r.leave(w.g)
	}
	r.done(g, s, 0)
	for _, w := range receivers {
		r.end(w.g, w.alt, q)
	}
	for _, w := range senders { // the first one ends the run; which is first is open
		r.fail(w.g, "panic: send on closed channel")
		return
	}
}

func (r *naiveRun) finish() {
	for i, e := range r.events {
		for j, f := range r.events[:i] {
			if e.plain >= 0 && e.plain == f.plain && e.body != f.body && (e.write || f.write) && e.past>>j&1 == 0 && !r.acrossCollection(e.plain, j, i) {
				r.race = true
			}
		}
	}
	o := Outcome{Failure: r.failed, Failing: r.failing, Errors: r.reported}
	for g := range r.gs {
		o.Shown = append(o.Shown, r.gs[g].shown...)
		if r.failed == "" && r.next(g) != nil {
			if g == 0 {
				o.Failure = Deadlock
			} else if o.Failure == "" {
				o.Failure = Leak
			}
		}
	}
	if r.p.Bubble && o.Failure != "" && r.failed == "" {
		o.Failure = r.bubbleEnd()
	}
	r.ends[o.Canonical(r.p)] = true
}
