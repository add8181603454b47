package oracle

import "encoding/binary"

// MaxBodies bounds the number of goroutines of a program: the sizes of masks and clocks.
const MaxBodies = 7

// A set is a set of bodies.
type set uint8

func (s set) has(body int) bool { return s>>body&1 != 0 }

// A clock is a vector clock: how many steps of each body happened before. The last element is
// the latest time at which something that was early went on before.
type clock [MaxBodies + 1]uint8

const early = MaxBodies // index of the last element of a clock

func (c *clock) join(d *clock) {
	for i := range c {
		c[i] = max(c[i], d[i])
	}
}

// A state is where a program is between two steps. The fields marked with a
// tracking mode are kept up always and belong to the identity of the state in
// that mode only.
type state struct {
	bodies   []bodyState
	plains   []cell
	atoms    []cell
	locks    []lockState
	rws      []rwState
	groups   []groupState
	chans    []chanState
	timers   []timerState
	time     timeState
	nodes    []nodeState
	onces    []onceState
	conds    []set // the bodies that wait
	contexts []contextState
	// finalizing is the body that was called as a finalizer last, nobody at first.
	finalizing int
	// failed tells of the step that ended the run.
	failed   string
	failing  int // its body
	errors   uint64
	over     bool // the target is done, in a program with Logs
	released bool // the function of the target is, and the parallel subtests go on
}

// A bodyState is the state of a goroutine.
type bodyState struct {
	pc      int // notStarted before the Spawn
	locals  [slots]int
	saved   [slots]int // those outside of the Kept that it is in
	history []byte     // outcomes: results shown, in order
	clock   clock      // races
	// announced is set at a WLock, a Settle or a CondWait when others know that it waits.
	announced bool
	// due is when a sleeping body wakes, or one that has been handed to time.AfterFunc
	// starts; never if it does neither.
	due  int
	seen int // what who reads the clock sees then
	// parked is the number of the quiescent point at which it was first found waiting
	// on a channel, 0 if it may not have come there yet; parked.go.
	parked uint8
	// woken is the case that a close has chosen for a parked one, plus 1. It is 1 for one that a
	// condition variable has let go on.
	woken    uint8
	holds    [MaxNodes]uint8 // how often it holds on to each node
	leaving  string          // with which panic it leaves what it is in, or exits, "" if it does not
	stage    uint8           // of a statement about a context
	walks    []walk          // through the children of contexts that it cancels, one in the other
	parallel bool            // a subtest that has called Parallel
	alone    bool            // it was the only one at the begin or when time passed, and has started none since
}

const notStarted = -1

// A cell holds a value that can be read.
type cell struct {
	value int
	// local holds the bodies for which the write of the value is their own or
	// was handed down at their spawn: reading it is not an interference (degrees).
	local set
	// The clock of an atomic variable is that of the write of its value; of a
	// value in a channel, that of its sender (races).
	clock clock
	// When a plain variable was last written and read by each body (races).
	wrote, read clock
}

type lockState struct {
	locked bool
	clock  clock
}

type rwState struct {
	readers         int
	writer          bool  // a writer has announced itself, or is in
	held            bool  // it is in
	clock, readings clock // of the writers' and the readers' releases
}

type groupState struct {
	count int
	clock clock
	// The latest Adds that raised the counter from zero, and Waits, of each body (races).
	begins, waits clock
}

// A onceState is the state of a sync.Once.
type onceState struct {
	by    int // the body that does what is to be done, nobody if none does
	done  bool
	clock clock
	// Of a Kept: what it has returned, or that it has not.
	value    int
	panicked bool
}

type chanState struct {
	closed cell // value 1 when closed
	buffer []cell
	slots  []clock // of the receive that freed each slot, a ring; next is where the next send goes
	next   int
}

func newState(p *Program) *state {
	s := &state{
		bodies:   make([]bodyState, len(p.Bodies)),
		plains:   make([]cell, p.Plains),
		atoms:    make([]cell, p.Atoms),
		locks:    make([]lockState, p.Locks),
		rws:      make([]rwState, p.RWs),
		groups:   make([]groupState, p.Groups),
		chans:    make([]chanState, len(p.Chans)),
		timers:   make([]timerState, p.Timers),
		nodes:    make([]nodeState, len(p.Nodes)),
		onces:    make([]onceState, p.Onces),
		conds:    make([]set, p.Conds),
		contexts: make([]contextState, len(p.Contexts)),

		finalizing: nobody,
	}
	for k := range s.nodes {
		s.nodes[k].holder.value = 1
	}
	for i := range s.onces {
		s.onces[i].by = nobody
	}
	for i := range s.contexts {
		s.contexts[i].walker, s.contexts[i].deadline = nobody, never
	}
	for i := range s.bodies {
		s.bodies[i].due = never
		if i > 0 {
			s.bodies[i].pc = notStarted
		}
	}
	s.bodies[0].alone = true
	for i := range s.timers {
		s.timers[i].due = never
	}
	const everybody = ^set(0)
	for i := range s.plains {
		s.plains[i].local = everybody
	}
	for i := range s.atoms {
		s.atoms[i].local = everybody
	}
	for i, n := range p.Chans {
		s.chans[i].slots = make([]clock, max(n, 0))
	}
	return s
}

func (s *state) clone() *state {
	c := *s
	c.bodies = append([]bodyState(nil), s.bodies...)
	for i := range c.bodies {
		h := c.bodies[i].history
		c.bodies[i].history = h[:len(h):len(h)]
		c.bodies[i].walks = append([]walk(nil), c.bodies[i].walks...)
	}
	c.plains = append([]cell(nil), s.plains...)
	c.atoms = append([]cell(nil), s.atoms...)
	c.locks = append([]lockState(nil), s.locks...)
	c.rws = append([]rwState(nil), s.rws...)
	c.groups = append([]groupState(nil), s.groups...)
	c.chans = append([]chanState(nil), s.chans...)
	c.timers = append([]timerState(nil), s.timers...)
	c.nodes = append([]nodeState(nil), s.nodes...)
	c.onces = append([]onceState(nil), s.onces...)
	c.conds = append([]set(nil), s.conds...)
	c.contexts = append([]contextState(nil), s.contexts...)
	for i := range c.chans {
		c.chans[i].buffer = append([]cell(nil), c.chans[i].buffer...)
		c.chans[i].slots = append([]clock(nil), c.chans[i].slots...)
	}
	return &c
}

// A tracking mode says which part of the past belongs to a state.
type tracking uint8

const (
	degrees  tracking = iota // for which bodies each value is local
	outcomes                 // what each body has shown
	races                    // happens-before
)

// key appends the identity of s to b.
func (s *state) key(b []byte, t tracking) []byte {
	putClock := func(c *clock) {
		if t == races {
			b = append(b, c[:]...)
		} else {
			b = append(b, c[early])
		}
	}
	putCell := func(c *cell) {
		b = binary.AppendVarint(b, int64(c.value))
		if t == degrees {
			b = append(b, byte(c.local))
		}
		putClock(&c.clock)
		putClock(&c.wrote)
		putClock(&c.read)
	}
	for i := range s.bodies {
		g := &s.bodies[i]
		b = append(b, byte(g.pc), flag(g.announced), g.parked, g.woken, flag(g.alone), flag(g.parallel))
		b = append(b, g.holds[:]...)
		b = append(b, byte(len(g.leaving)))
		b = append(b, g.leaving...)
		b = append(b, g.stage, byte(len(g.walks)))
		for _, w := range g.walks {
			b = append(b, w.context, byte(w.left))
		}
		b = binary.AppendVarint(b, int64(g.due))
		b = binary.AppendVarint(b, int64(g.seen))
		for _, v := range g.locals {
			b = binary.AppendVarint(b, int64(v))
		}
		for _, v := range g.saved {
			b = binary.AppendVarint(b, int64(v))
		}
		if t == outcomes {
			b = append(b, byte(len(g.history)))
			b = append(b, g.history...)
		}
		putClock(&g.clock)
	}
	for i := range s.plains {
		putCell(&s.plains[i])
	}
	for i := range s.atoms {
		putCell(&s.atoms[i])
	}
	for i := range s.locks {
		b = append(b, flag(s.locks[i].locked))
		putClock(&s.locks[i].clock)
	}
	for i := range s.rws {
		w := &s.rws[i]
		b = append(b, byte(w.readers), flag(w.writer), flag(w.held))
		putClock(&w.clock)
		putClock(&w.readings)
	}
	for i := range s.groups {
		b = binary.AppendVarint(b, int64(s.groups[i].count))
		putClock(&s.groups[i].clock)
		putClock(&s.groups[i].begins)
		putClock(&s.groups[i].waits)
	}
	for i := range s.chans {
		c := &s.chans[i]
		putCell(&c.closed)
		b = append(b, byte(len(c.buffer)))
		for j := range c.buffer {
			putCell(&c.buffer[j])
		}
		if t == races {
			for j := range c.slots {
				putClock(&c.slots[(c.next+j)%len(c.slots)])
			}
		}
	}
	for i := range s.timers {
		b = binary.AppendVarint(b, int64(s.timers[i].due))
		b = binary.AppendVarint(b, int64(s.timers[i].seen))
		b = append(b, flag(s.timers[i].full), flag(s.timers[i].awaited), s.timers[i].looked, byte(s.timers[i].period))
		if t := &s.timers[i]; t.due != never || t.full {
			b = append(b, byte(t.by), byte(t.turn), byte(t.units), byte(t.left))
		}
		putClock(&s.timers[i].clock)
	}
	for i := range s.nodes {
		n := &s.nodes[i]
		putCell(&n.holder)
		putCell(&n.variable)
		b = append(b, flag(n.collected), flag(n.cancelled), flag(n.queued))
	}
	for i := range s.onces {
		b = append(b, byte(s.onces[i].by), flag(s.onces[i].done), flag(s.onces[i].panicked), byte(s.onces[i].value))
		putClock(&s.onces[i].clock)
	}
	for _, waiting := range s.conds {
		b = append(b, byte(waiting))
	}
	for i := range s.contexts {
		c := &s.contexts[i]
		b = append(b, byte(c.err), byte(c.cause), flag(c.expires), flag(c.called), byte(c.walker), byte(c.children))
		b = binary.AppendVarint(b, int64(c.deadline))
		if t == races {
			b = append(b, flag(c.made), flag(c.shared))
			for _, of := range []*clock{&c.lock, &c.making, &c.erring, &c.calling} {
				putClock(of)
			}
		}
	}
	b = append(b, byte(s.finalizing))
	for _, v := range []int{s.time.clock, s.time.seen, s.time.from, s.time.start} {
		b = binary.AppendVarint(b, int64(v))
	}
	b = append(binary.AppendUvarint(b, s.errors), flag(s.over), flag(s.released))
	b = append(b, byte(s.failing))
	return append(b, s.failed...)
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}
