package toy

import (
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A value is a number and, in recorded runs, its symbolic expression.
type value struct {
	n   uint8
	sym expr.ID
}

// A set is a set of threads, by slot.
type set uint32

func (s set) has(t *thread) bool { return s>>t.slot&1 != 0 }

// A state is a state of a run: plain data that can be copied.
type state struct {
	p      *Program
	inputs []value
	cells  []cell
	locks  []lock
	chans  []channel
	groups []int
	conds  []cond
	ts     []*thread
	failed bool
	rec    *recorder // nil in the enumerator
	cover  func(branch int, taken bool)
}

// A cell is the state of a shared variable.
type cell struct {
	value
	foreign set   // threads for which a read of the value is an interference
	event   int32 // that wrote the value, -1
}

type lock struct {
	writer  bool
	readers int
	event   int32 // that locked it
}

type channel struct {
	queue  []message
	closed bool
	by     message // who closed it
}

type message struct {
	value
	foreign set
	event   int32
}

type cond struct {
	waiting  []int32 // slots
	notified []int32
}

// A thread is a goroutine.
type thread struct {
	slot   int32
	id     int32 // goroutine number, in recorded runs
	locals [Locals]value
	stack  []frame
	phase  int8 // of a CondWait
	ended  bool
	events int32
	spawns int32
	// fresh says that the thread has not come to its first visible operation.
	fresh bool
}

type frame struct {
	body []Stmt
	pc   int
}

func newState(p *Program, inputs []value) *state {
	s := &state{
		p: p, inputs: inputs,
		cells:  make([]cell, len(p.Cells)),
		locks:  make([]lock, p.Locks),
		chans:  make([]channel, len(p.Chans)),
		groups: make([]int, p.Groups),
		conds:  make([]cond, p.Conds),
	}
	for i, c := range p.Cells {
		s.cells[i] = cell{value: value{n: c.Init}, event: -1}
	}
	s.start(0, nil)
	return s
}

func (s *state) clone() *state {
	c := *s
	c.cells = append([]cell(nil), s.cells...)
	c.locks = append([]lock(nil), s.locks...)
	c.chans = append([]channel(nil), s.chans...)
	for i := range c.chans {
		c.chans[i].queue = append([]message(nil), c.chans[i].queue...)
	}
	c.groups = append([]int(nil), s.groups...)
	c.conds = append([]cond(nil), s.conds...)
	for i := range c.conds {
		c.conds[i].waiting = append([]int32(nil), c.conds[i].waiting...)
		c.conds[i].notified = append([]int32(nil), c.conds[i].notified...)
	}
	c.ts = make([]*thread, len(s.ts))
	for i, t := range s.ts {
		d := *t
		d.stack = append([]frame(nil), t.stack...)
		c.ts[i] = &d
	}
	return &c
}

// start adds a thread that runs function f.
func (s *state) start(f int, parent *thread) *thread {
	t := &thread{slot: int32(len(s.ts)), stack: []frame{{body: s.p.Funcs[f]}}, fresh: true}
	if parent != nil {
		t.locals = parent.locals
	}
	s.ts = append(s.ts, t)
	if parent != nil {
		s.inherit(parent, t)
	}
	return t
}

// inherit makes reads that are no interference for the parent none for its child.
func (s *state) inherit(parent, child *thread) {
	down := func(foreign *set) {
		if !foreign.has(parent) {
			*foreign &^= 1 << child.slot
		}
	}
	for i := range s.cells {
		down(&s.cells[i].foreign)
	}
	for i := range s.chans {
		down(&s.chans[i].by.foreign)
		for k := range s.chans[i].queue {
			down(&s.chans[i].queue[k].foreign)
		}
	}
}

// others returns all threads except t, also those that have not started.
func others(t *thread) set { return ^(set(1) << t.slot) }

// at returns the statement that t is at, nil if it has ended.
func (t *thread) at() *Stmt {
	for len(t.stack) > 0 {
		f := &t.stack[len(t.stack)-1]
		if f.pc < len(f.body) {
			return &f.body[f.pc]
		}
		t.stack = t.stack[:len(t.stack)-1]
	}
	return nil
}

func (t *thread) advance() { t.stack[len(t.stack)-1].pc++ }

func (s *state) advanceAll() {
	for again := true; again && !s.failed; {
		again = false
		for _, t := range s.ts {
			if !s.failed && s.advanceToVisible(t) {
				again = true
			}
		}
	}
}

// advanceToVisible runs t to its next visible operation. It reports whether it did anything.
func (s *state) advanceToVisible(t *thread) bool {
	ran := t.fresh
	t.fresh = false
	for !t.ended && !s.failed {
		st := t.at()
		if st == nil {
			t.ended = true
			if s.rec != nil {
				s.rec.event(t, run.Event{Op: schedule.End, Object: run.NoObject})
			}
			return true
		}
		if s.visible(st) {
			return ran
		}
		ran = true
		t.advance()
		s.invisible(t, st)
	}
	return ran
}

// visible reports whether st is a visible operation. A Choose is one in the enumerator, which tries
// all values.
func (s *state) visible(st *Stmt) bool {
	switch st.Op {
	case Set, If, Spawn:
		return false
	case Choose:
		return s.rec == nil
	case Load, Store:
		return s.rec == nil || !s.p.Cells[st.Obj].Plain || s.rec.plan.Visible.Objects[cellObject(st.Obj)]
	}
	return true
}

func (s *state) invisible(t *thread, st *Stmt) {
	switch st.Op {
	case Set:
		t.locals[st.Dst] = s.eval(t, &st.X)
	case If:
		c := s.eval(t, &st.X)
		taken := c.n != 0
		s.cover(st.ID, taken)
		if s.rec != nil {
			s.rec.branch(t, st, c.sym, taken, run.Jump)
		}
		if body := pick(taken, st.Then, st.Else); len(body) > 0 {
			t.stack = append(t.stack, frame{body: body})
		}
	case Spawn:
		n := s.start(st.Obj, t)
		if s.rec != nil {
			s.rec.spawned(t, n, st)
		}
	case Choose:
		t.locals[st.Dst] = value{n: uint8(s.rec.choose(t, st, st.X.N))}
	case Load: // plain and not a visible operation
		s.rec.access(t, cellObject(st.Obj), false)
		t.locals[st.Dst] = s.cells[st.Obj].value
	case Store:
		s.rec.access(t, cellObject(st.Obj), true)
		s.cells[st.Obj].value = s.eval(t, &st.X)
	}
}

func pick[T any](c bool, x, y T) T {
	if c {
		return x
	}
	return y
}

func (s *state) fail(t *thread, st *Stmt) {
	s.failed = true
	if s.rec != nil {
		s.rec.event(t, run.Event{Op: schedule.Fail, Object: run.NoObject, Site: site(st)})
	}
}

// eval computes x. A truth value is 0 or 1.
func (s *state) eval(t *thread, x *Expr) value {
	switch x.Kind {
	case Const:
		return value{n: uint8(x.N)}
	case Local:
		return t.locals[x.N]
	case Input:
		return s.inputs[x.N]
	}
	a, b := s.eval(t, x.X), s.eval(t, x.Y)
	var r value
	switch x.Kind {
	case Plus:
		r.n = a.n + b.n
	case Minus:
		r.n = a.n - b.n
	case Times:
		r.n = a.n * b.n
	case Equal:
		r.n = pick[uint8](a.n == b.n, 1, 0)
	case Less:
		r.n = pick[uint8](a.n < b.n, 1, 0)
	}
	if s.rec != nil && (a.sym != 0 || b.sym != 0) {
		r.sym = s.rec.combine(x.Kind, a, b)
	}
	return r
}

// A transition is a run.Transition with its threads.
type transition struct {
	run.Transition
	t           *thread
	partner     *thread
	partnerCase int // the partner's case
}

// transitions appends the transitions of t: one for each case and partner.
func (s *state) transitions(to []transition, t *thread) []transition {
	st := t.at()
	if t.ended || st == nil {
		return to
	}
	o := run.Transition{
		Decision: run.Decision{Goroutine: t.id},
		Object:   run.NoObject, Partner: -1, Cells: 1, Site: site(st), Enabled: true,
	}
	one := func(op schedule.Op, object run.ObjectID, enabled bool) []transition {
		o.Op, o.Object, o.Enabled = op, object, enabled
		return append(to, transition{Transition: o, t: t})
	}
	switch st.Op {
	case Load:
		return one(pick(s.p.Cells[st.Obj].Plain, schedule.Read, schedule.AtomicRead), cellObject(st.Obj), true)
	case Store:
		return one(pick(s.p.Cells[st.Obj].Plain, schedule.Write, schedule.AtomicWrite), cellObject(st.Obj), true)
	case Add, Swap:
		return one(schedule.AtomicUpdate, cellObject(st.Obj), true)
	case Lock, TryLock:
		free := !s.locks[st.Obj].writer && s.locks[st.Obj].readers == 0
		to = one(schedule.Lock, lockObject(st.Obj), free)
		if st.Op == TryLock {
			to = one(schedule.TryFail, lockObject(st.Obj), !free)
		}
		return to
	case RLock:
		return one(schedule.RLock, lockObject(st.Obj), !s.locks[st.Obj].writer)
	case Unlock:
		return one(schedule.Unlock, lockObject(st.Obj), true)
	case RUnlock:
		return one(schedule.RUnlock, lockObject(st.Obj), true)
	case Fail:
		return one(schedule.Fail, run.NoObject, true)
	case Close:
		return one(schedule.Close, chanObject(st.Obj), true)
	case GroupAdd:
		return one(schedule.WaitGroupAdd, groupObject(st.Obj), true)
	case GroupWait:
		return one(schedule.WaitGroupWait, groupObject(st.Obj), s.groups[st.Obj] == 0)
	case CondWait:
		switch t.phase {
		case 0:
			return one(schedule.CondWait, condObject(st.Obj), true)
		case 1:
			return one(schedule.Unlock, lockObject(st.Obj), true)
		case 2:
			return one(schedule.CondWake, condObject(st.Obj), slices.Contains(s.conds[st.Obj].notified, t.slot))
		default:
			free := !s.locks[st.Obj].writer && s.locks[st.Obj].readers == 0
			return one(schedule.Lock, lockObject(st.Obj), free)
		}
	case CondSignal:
		o.Op, o.Object = schedule.CondSignal, condObject(st.Obj)
		for i, w := range s.conds[st.Obj].waiting {
			o.Alt = int32(i)
			o.Partner = s.ts[w].id
			to = append(to, transition{Transition: o, t: t, partner: s.ts[w]})
		}
		if len(s.conds[st.Obj].waiting) == 0 {
			to = append(to, transition{Transition: o, t: t})
		}
		return to
	case Broadcast:
		return one(schedule.CondSignal, condObject(st.Obj), true)
	case Choose:
		for i := range st.X.N {
			o.Alt = int32(i)
			to = append(to, transition{Transition: o, t: t})
		}
		return to
	case Send, Recv, Select:
		return s.communications(to, t, st, o)
	}
	panic("toy: statement without transitions")
}

// cases returns the communications of st.
func (st *Stmt) cases() []Case {
	switch st.Op {
	case Send:
		return []Case{{Send: true, Chan: st.Obj, X: st.X}}
	case Recv:
		return []Case{{Chan: st.Obj, Dst: st.Dst}}
	case Select:
		return st.Cases
	}
	return nil
}

func (s *state) communications(to []transition, t *thread, st *Stmt, o run.Transition) []transition {
	ready := false
	o.Select = st.Op == Select
	for i, c := range st.cases() {
		ch := &s.chans[c.Chan]
		capacity := s.p.Chans[c.Chan]
		o.Op, o.Object = pick(c.Send, schedule.Send, schedule.Recv), chanObject(c.Chan)
		o.Alt, o.Partner, o.Enabled = int32(i), -1, false
		w := transition{Transition: o, t: t}
		switch {
		case !c.Send:
			w.Enabled = len(ch.queue) > 0 || ch.closed
			if w.Enabled && len(ch.queue) == 0 {
				w.Op = schedule.RecvClosed
			}
		case ch.closed || len(ch.queue) < capacity:
			w.Enabled = true
		case capacity == 0:
			found := false
			for _, p := range s.ts {
				if p == t || p.ended || p.at() == nil || !s.mayWait(st) && !s.mayWait(p.at()) {
					continue
				}
				for k, theirs := range p.at().cases() {
					if !theirs.Send && theirs.Chan == c.Chan {
						found = true
						v := w
						v.partner, v.partnerCase = p, k
						v.Partner, v.Enabled = p.id, true
						v.Alt = int32(i) | int32(k)<<8 | (p.slot+1)<<16
						to = append(to, v)
					}
				}
			}
			// A partner that waits at its receive may as well not have come there yet: the
			// default is possible nevertheless.
			if found {
				continue
			}
		}
		ready = ready || w.Enabled
		to = append(to, w)
	}
	if st.Op == Select && st.Default {
		o.Op, o.Object, o.Alt, o.Partner = schedule.SelectDefault, run.NoObject, -1, -1
		o.Enabled = !ready
		to = append(to, transition{Transition: o, t: t})
	}
	return to
}

// mayWait reports whether a goroutine at st may have waited there for a partner: it does not wait
// if there is a default or another case that is ready.
func (s *state) mayWait(st *Stmt) bool {
	if st.Op == Select && st.Default {
		return false
	}
	for _, c := range st.cases() {
		ch := &s.chans[c.Chan]
		if ch.closed || c.Send && len(ch.queue) < s.p.Chans[c.Chan] || !c.Send && len(ch.queue) > 0 {
			return false
		}
	}
	return true
}

// step carries out w and returns the number of its interferences.
func (s *state) step(w transition) int {
	t := w.t
	st := t.at()
	if st.Op != CondWait {
		t.advance()
	}
	switch st.Op {
	case Load, Store, Add, Swap:
		return s.access(t, st)
	case Lock, TryLock, Unlock, RLock, RUnlock:
		return s.lock(t, st, w.Op)
	case Close:
		ch := &s.chans[st.Obj]
		if ch.closed {
			s.fail(t, st)
			return 0
		}
		ch.closed = true
		ch.by = message{foreign: others(t), event: s.note(t, st, run.Event{Op: schedule.Close, Object: chanObject(st.Obj)})}
	case GroupAdd:
		delta := int(int8(st.X.N))
		before := s.groups[st.Obj]
		s.groups[st.Obj] += delta
		s.note(t, st, run.Event{
			Op: schedule.WaitGroupAdd, Object: groupObject(st.Obj), Read: uint64(before),
			Wrote: uint64(before + delta),
		})
		if s.groups[st.Obj] < 0 {
			s.fail(t, st)
			return 0
		}
	case GroupWait:
		s.note(t, st, run.Event{Op: schedule.WaitGroupWait, Object: groupObject(st.Obj)})
	case CondWait:
		s.wait(t, st)
	case CondSignal, Broadcast:
		c := &s.conds[st.Obj]
		if st.Op == Broadcast {
			c.notified = append(c.notified, c.waiting...)
			c.waiting = nil
		} else if w.partner != nil {
			c.notified = append(c.notified, w.partner.slot)
			c.waiting = without(c.waiting, w.partner.slot)
		}
		s.note(t, st, run.Event{Op: schedule.CondSignal, Object: condObject(st.Obj), Alt: pick[int32](st.Op == Broadcast, -1, 0)})
	case Fail:
		s.fail(t, st)
	case Choose:
		t.locals[st.Dst] = value{n: uint8(w.Alt)}
	case Send, Recv, Select:
		return s.communicate(w, st)
	}
	return 0
}

func (s *state) note(t *thread, st *Stmt, e run.Event) int32 {
	if s.rec == nil {
		return -1
	}
	e.Site = site(st)
	return s.rec.event(t, e)
}

func (s *state) access(t *thread, st *Stmt) int {
	c := &s.cells[st.Obj]
	old := *c
	cost := pick(c.foreign.has(t), 1, 0)
	plain := s.p.Cells[st.Obj].Plain
	e := run.Event{Object: cellObject(st.Obj), Read: uint64(c.n), Other: c.event}
	got := c.value
	if s.rec != nil {
		s.rec.access(t, e.Object, st.Op != Load)
		if st.Op != Store {
			got.sym = s.rec.readSymbol(t)
			e.ReadSym = got.sym
		}
	}
	var put value
	wrote := true
	switch st.Op {
	case Load:
		e.Op = pick(plain, schedule.Read, schedule.AtomicRead)
		wrote = false
		t.locals[st.Dst] = got
	case Store:
		e.Op = pick(plain, schedule.Write, schedule.AtomicWrite)
		e.Read, e.Other = 0, 0
		put = s.eval(t, &st.X)
		cost = 0
	case Add:
		e.Op = schedule.AtomicUpdate
		x := s.eval(t, &st.X)
		put.n = got.n + x.n
		if s.rec != nil {
			put.sym = s.rec.combine(Plus, got, x)
		}
		t.locals[st.Dst] = put
	case Swap:
		x := s.eval(t, &st.X)
		if wrote = got.n == x.n; wrote {
			e.Op = schedule.AtomicUpdate
			put = s.eval(t, &st.Y)
		} else {
			e.Op = schedule.AtomicRead
		}
	}
	if wrote {
		e.Wrote, e.WroteSym = uint64(put.n), put.sym
		*c = cell{value: put, foreign: others(t)}
	}
	c.event = pick(wrote, s.note(t, st, e), old.event)
	if st.Op == Load || st.Op == Swap && !wrote {
		c.event = old.event
	}
	if st.Op == Swap {
		x := s.eval(t, &st.X)
		if s.rec != nil {
			s.rec.branch(t, st, s.rec.combine(Equal, got, x), wrote, run.Check)
		}
		t.locals[st.Dst] = value{n: pick[uint8](wrote, 1, 0)}
	}
	return cost
}

func (s *state) lock(t *thread, st *Stmt, op schedule.Op) int {
	l := &s.locks[st.Obj]
	e := run.Event{Op: op, Object: lockObject(st.Obj)}
	switch op {
	case schedule.TryFail:
		e.Other = l.event
		s.note(t, st, e)
		t.locals[st.Dst] = value{}
		return 0
	case schedule.Lock, schedule.RLock:
		if op == schedule.Lock {
			l.writer = true
		} else {
			l.readers++
		}
		l.event = s.note(t, st, e)
		if st.Op == TryLock {
			t.locals[st.Dst] = value{n: 1}
		}
	case schedule.Unlock:
		if !l.writer {
			s.fail(t, st)
			return 0
		}
		l.writer = false
		s.note(t, st, e)
	case schedule.RUnlock:
		if l.readers == 0 {
			s.fail(t, st)
			return 0
		}
		l.readers--
		s.note(t, st, e)
	}
	return 0
}

// wait takes the next of the four steps of a CondWait.
func (s *state) wait(t *thread, st *Stmt) {
	c := &s.conds[st.Obj]
	t.phase++
	switch t.phase {
	case 1:
		c.waiting = append(c.waiting, t.slot)
		s.note(t, st, run.Event{Op: schedule.CondWait, Object: condObject(st.Obj)})
	case 2:
		s.lock(t, st, schedule.Unlock)
	case 3:
		c.notified = without(c.notified, t.slot)
		s.note(t, st, run.Event{Op: schedule.CondWake, Object: condObject(st.Obj)})
	default:
		s.lock(t, st, schedule.Lock)
		t.phase = 0
		t.advance()
	}
}

func (s *state) communicate(w transition, st *Stmt) int {
	t := w.t
	chosen := func(t *thread, st *Stmt, i int) {
		if st.Op == Select {
			t.locals[st.Dst] = value{n: uint8(i)}
		}
	}
	if w.Op == schedule.SelectDefault {
		chosen(t, st, len(st.Cases))
		s.note(t, st, run.Event{Op: schedule.SelectDefault, Object: run.NoObject, Alt: -1, Select: true})
		return 0
	}
	own := int(w.Alt & 255)
	c := st.cases()[own]
	ch := &s.chans[c.Chan]
	e := run.Event{Op: schedule.Send, Object: chanObject(c.Chan), Alt: int32(own), Select: st.Op == Select}
	if !c.Send {
		var m message
		if len(ch.queue) > 0 {
			m = ch.queue[0]
			ch.queue = ch.queue[1:]
			e.Op = schedule.Recv
		} else {
			m = ch.by
			m.n = Closed
			e.Op = schedule.RecvClosed
		}
		return s.receive(t, st, own, m, e)
	}
	if ch.closed {
		s.fail(t, st)
		return 0
	}
	v := s.eval(t, &c.X)
	e.Wrote, e.WroteSym = uint64(v.n), v.sym
	m := message{value: v, foreign: others(t), event: s.note(t, st, e)}
	chosen(t, st, own)
	if w.partner == nil {
		ch.queue = append(ch.queue, m)
		return 0
	}
	p := w.partner
	pst := p.at()
	p.advance()
	return s.receive(p, pst, w.partnerCase, m, run.Event{
		Op: schedule.Recv, Object: e.Object, Alt: int32(w.partnerCase), Select: pst.Op == Select,
	})
}

// receive makes t receive m by its case i.
func (s *state) receive(t *thread, st *Stmt, i int, m message, e run.Event) int {
	e.Read, e.Other = uint64(m.n), m.event
	got := value{n: m.n}
	if s.rec != nil && e.Op == schedule.Recv {
		got.sym = s.rec.readSymbol(t)
		e.ReadSym = got.sym
	}
	s.note(t, st, e)
	t.locals[st.cases()[i].Dst] = got
	if st.Op == Select {
		t.locals[st.Dst] = value{n: uint8(i)}
	}
	return pick(m.foreign.has(t), 1, 0)
}

func without(s []int32, x int32) []int32 {
	var r []int32
	for _, y := range s {
		if x != y {
			r = append(r, y)
		}
	}
	return r
}

// The objects of a program differ in their allocation counts.
func cellObject(i int) run.ObjectID  { return run.ObjectID{Goroutine: -1, Count: int32(i)} }
func lockObject(i int) run.ObjectID  { return run.ObjectID{Goroutine: -1, Count: int32(100 + i)} }
func chanObject(i int) run.ObjectID  { return run.ObjectID{Goroutine: -1, Count: int32(200 + i)} }
func groupObject(i int) run.ObjectID { return run.ObjectID{Goroutine: -1, Count: int32(300 + i)} }
func condObject(i int) run.ObjectID  { return run.ObjectID{Goroutine: -1, Count: int32(400 + i)} }

func site(st *Stmt) run.SiteID { return run.SiteID{Instr: st.site} }
