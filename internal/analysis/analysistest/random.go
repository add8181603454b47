package analysistest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A Mix is what random schedules consist of.
type Mix struct {
	Goroutines int // besides the first
	Events     int // about how many
	Atomics    bool
	Locks      bool // mutexes, and one that can be held for reading
	MoreLocks  bool // a third lock, and less that is done with memory than with all else
	Tries      bool // some locks are tried, and were free
	Handoffs   bool // of locks, which another goroutine releases
	Channels   bool // one without a buffer, and one with room for a value
	Closes     bool // of the channel with room for a value
	Selects    bool // sends and receives are often cases of a select, which has another one
	WaitGroup  bool
	Conditions bool // one, for which goroutines wait with a lock, if they hold it
	Semaphores bool
	Ends       bool // of some goroutines, and others start then
	Branches   bool // what is read is symbolic, and is branched on
}

// Random returns the events of a random valid schedule, as Find takes them. Memory is o1, with
// cells 0 and 1; locks are its cells 8 and 9, with MoreLocks also 10, a wait group is its cell 7, a condition
// its cell 6 and a semaphore its cell 5.
func Random(r *rand.Rand, m Mix) string {
	s := &random{
		Rand: r, mix: m, memory: [2]int{}, writer: map[int]int{}, readers: map[int][]int{},
		blocked: map[int]bool{}, woken: map[int]bool{}, relocks: map[int]bool{},
	}
	s.emit(0, "new o1 memory 0 - 0 -")
	s.emit(0, "new o2 chan 0 - 0 -")
	s.emit(0, "new o3 chan 1 - 0 -")
	for g := 1; g <= m.Goroutines; g++ {
		s.emit(0, "fork g%d -", g)
		s.emit(g, "begin")
	}
	running := make([]int, m.Goroutines+1)
	for g := range running {
		running[g] = g
	}
	for next := len(running); m.Events > 0; m.Events-- {
		i := r.IntN(len(running))
		if m.Ends && r.IntN(10) == 0 && s.idle(0) && s.idle(running[i]) && i > 0 {
			s.emit(running[i], "end")
			s.emit(0, "fork g%d -", next)
			s.emit(next, "begin")
			running[i] = next
			next++
			continue
		}
		s.step(running[i])
	}
	return s.text.String()
}

// A random is a schedule that grows.
type random struct {
	*rand.Rand
	mix      Mix
	text     strings.Builder
	memory   [2]int
	locals   int
	read     []int         // by goroutine: the symbolic value that it has read last, 0 if none
	writer   map[int]int   // by lock: 1 + the goroutine that holds it
	readers  map[int][]int // of lock 9
	blocked  map[int]bool  // goroutines that have sent on o2
	sent     int           // 1 + the goroutine whose value is in o2
	buffered bool          // there is a value in o3
	closed   bool          // so is o3
	counter  int
	waiting  []int        // goroutines that wait for the condition and have not been woken
	woken    map[int]bool // those that wait and have been
	relocks  map[int]bool // those that take the lock of the condition then
	released int          // how often the semaphore can be acquired
}

func (s *random) emit(g int, format string, args ...any) {
	fmt.Fprintf(&s.text, "g%d %s\n", g, fmt.Sprintf(format, args...))
}

// idle reports whether a goroutine neither waits nor has to go on.
func (s *random) idle(g int) bool {
	return !s.blocked[g] && !slices.Contains(s.waiting, g) && !s.woken[g] && !s.relocks[g]
}

// step adds an event of a goroutine, if the one that is drawn is possible.
func (s *random) step(g int) {
	if s.blocked[g] || slices.Contains(s.waiting, g) {
		return
	}
	if s.woken[g] || s.relocks[g] {
		s.wake(g)
		return
	}
	if s.IntN(6) == 0 && s.synchronize(g) {
		return
	}
	if s.mix.MoreLocks {
		switch n := s.IntN(8); {
		case n == 0 && s.mix.Channels:
			s.communicate(g)
			return
		case n == 1 && s.mix.WaitGroup:
			s.wait(g)
			return
		case n < 6:
			s.lock(g)
			return
		}
	}
	switch n := s.IntN(16); {
	case n < 6:
		s.access(g, "")
	case n < 7 && s.mix.Atomics:
		s.access(g, "atomic")
	case n < 11 && s.mix.Locks:
		s.lock(g)
	case n < 13 && s.mix.Channels:
		s.communicate(g)
	case n < 14 && s.mix.WaitGroup:
		s.wait(g)
	case n < 16 && s.mix.Branches:
		for len(s.read) <= g {
			s.read = append(s.read, 0)
		}
		if v := s.read[g]; v != 0 {
			s.emit(g, "branch v%d true", v)
		}
	}
}

// access reads or writes. Values are few, so that different writes write the same one.
func (s *random) access(g int, how string) {
	c := s.IntN(2)
	if s.IntN(2) == 0 {
		s.memory[c] = s.IntN(2)
		s.emit(g, "%swrite o1.%d i64:%d -", how, c, s.memory[c])
		return
	}
	v := "-"
	if s.mix.Branches && s.IntN(3) > 0 {
		s.locals++
		v = fmt.Sprintf("v%d", s.locals)
		for len(s.read) <= g {
			s.read = append(s.read, 0)
		}
		s.read[g] = s.locals
	}
	s.emit(g, "%sread o1.%d i64:%d %s", how, c, s.memory[c], v)
}

// lock takes or releases one of the locks.
func (s *random) lock(g int) {
	l := 8 + s.IntN(2)
	if s.mix.MoreLocks {
		l = 8 + s.IntN(3)
	}
	if s.writer[l] == g+1 || s.mix.Handoffs && s.writer[l] != 0 && s.IntN(6) == 0 {
		s.writer[l] = 0
		s.emit(g, "rel o1.%d", l)
		return
	}
	for i, reader := range s.readers[l] {
		if reader == g {
			s.readers[l] = append(s.readers[l][:i:i], s.readers[l][i+1:]...)
			s.emit(g, "rrel o1.%d", l)
			return
		}
	}
	switch {
	case s.writer[l] != 0:
	case l == 9 && s.IntN(2) == 0:
		s.readers[l] = append(s.readers[l], g)
		s.try()
		s.emit(g, "racq o1.%d", l)
	case len(s.readers[l]) == 0:
		s.writer[l] = g + 1
		s.try()
		s.emit(g, "acq o1.%d rwmutex", l)
	}
}

// try says of the next lock that it was tried, if that is drawn.
func (s *random) try() {
	if s.mix.Tries && s.IntN(6) == 0 {
		s.text.WriteString("@try\n")
	}
}

// communicate sends or receives on o2 or o3.
func (s *random) communicate(g int) {
	switch s.IntN(4) {
	case 0:
		if s.sent == 0 {
			s.sent, s.blocked[g] = g+1, true
			s.chosen(g, "send o2", "send o2 - -")
		}
	case 1:
		if s.sent != 0 {
			s.blocked[s.sent-1], s.sent = false, 0
			s.chosen(g, "receive o2", "receive o2 - -")
		}
	case 2:
		if s.mix.Closes && !s.closed && s.IntN(3) == 0 {
			s.closed = true
			s.emit(g, "close o3")
		} else if !s.buffered && !s.closed {
			s.buffered = true
			s.chosen(g, "send o3", "send o3 - -")
		}
	case 3:
		if s.buffered {
			s.buffered = false
			s.chosen(g, "receive o3", "receive o3 - -")
		} else if s.closed {
			s.chosen(g, "receive o3", "receiveclosed o3")
		}
	}
}

// chosen does an operation on a channel, which may be a case of a select.
func (s *random) chosen(g int, is, event string) {
	if !s.mix.Selects || s.IntN(2) == 0 {
		s.emit(g, "%s -", event)
		return
	}
	other := [...]string{"send o2", "receive o2", "send o3", "receive o3"}[s.IntN(4)]
	for other == is {
		other = [...]string{"send o2", "receive o2", "default"}[s.IntN(3)]
	}
	if other == "default" || s.IntN(2) == 0 {
		fmt.Fprintf(&s.text, "@cases <%s %s>\n", is, other)
		s.emit(g, "%s 0", event)
		return
	}
	fmt.Fprintf(&s.text, "@cases <%s %s>\n", other, is)
	s.emit(g, "%s 1", event)
}

// synchronize uses the condition or the semaphore, if the mix has them. It reports whether it did.
func (s *random) synchronize(g int) bool {
	switch n := s.IntN(5); {
	case n < 3 && s.mix.Conditions:
		s.condition(g)
	case n >= 3 && s.mix.Semaphores:
		if s.released > 0 && s.IntN(2) == 0 {
			s.released--
			s.emit(g, "semacq o1.5")
		} else {
			s.released++
			s.emit(g, "semrel o1.5")
		}
	default:
		return false
	}
	return true
}

// condition waits for the condition, or signals.
func (s *random) condition(g int) {
	switch n := s.IntN(4); {
	case n == 0:
		s.emit(g, "signal o1.6 *")
		for _, w := range s.waiting {
			s.woken[w] = true
		}
		s.waiting = nil
	case n == 1 && len(s.waiting) > 0:
		i := s.IntN(len(s.waiting))
		s.emit(g, "signal o1.6 g%d", s.waiting[i])
		s.woken[s.waiting[i]] = true
		s.waiting = slices.Delete(s.waiting, i, i+1)
	case n == 1:
		s.emit(g, "signal o1.6 -")
	default:
		s.emit(g, "condwait o1.6")
		s.waiting = append(s.waiting, g)
		if s.writer[8] == g+1 {
			s.writer[8], s.relocks[g] = 0, true
			s.emit(g, "rel o1.8")
		}
	}
}

// wake wakes a goroutine, or lets it take the lock after that, if the lock is free.
func (s *random) wake(g int) {
	switch {
	case s.woken[g]:
		s.woken[g] = false
		s.emit(g, "condwake o1.6")
	case s.writer[8] == 0 && len(s.readers[8]) == 0:
		s.relocks[g] = false
		s.writer[8] = g + 1
		s.emit(g, "acq o1.8 rwmutex")
	}
}

// wait adds to the wait group, or waits for it.
func (s *random) wait(g int) {
	switch n := s.IntN(3); {
	case n == 0:
		s.counter++
		s.emit(g, "add o1.7 1")
	case n == 1 && s.counter > 0:
		s.counter--
		s.emit(g, "add o1.7 -1")
	case n == 2 && s.counter == 0:
		s.emit(g, "wait o1.7 false")
	}
}
