// Package control holds the goroutines of an instrumented program to a schedule.
//
// The schedule is a sequence of segments, each of one goroutine. A goroutine that comes to the
// first step of its segment waits until those before it are done. A segment is done when its
// goroutine comes to a later one, or has ended, or is blocked while nothing else can run. Steps
// that the schedule does not name are not held up.
//
// Nothing here synchronizes for the race detector: each function disables that of its goroutine.
package control

import (
	"bytes"
	shadow "container" // a directory that exists, in which the assembler can run
	"context"
	clock "debug" // another
	"internal/race"
	"os"
	"runtime"
	"runtime/pprof"
	"strconv"
	"sync/atomic"
	"time"
	"unsafe"
)

// slow is how slowly time passes before the schedule is at its end, as a shift: goroutines are held up
// that would not be without control, and timers must not fire meanwhile.
const slow = 8

// A step is the n-th arrival of a goroutine at a point.
type step struct{ goroutine, point, n, value int32 }

// A draw is a random number that a goroutine gets. Those of a goroutine are in their order.
type draw struct {
	goroutine int32
	value     uint64
}

// labels has the profiler's labels of each goroutine of the schedule, which goroutines inherit
// from the one that starts them; it does not change once the program runs.
var labels = prepare()

var (
	arrivals [len(names)][points]int32
	done     [len(names)]atomic.Int32  // the segments of a goroutine below this number are done
	ids      [len(names)]atomic.Uint64 // the number that the runtime gives to the goroutine
	waiting  [len(names)]atomic.Bool
	current  atomic.Int32 // segment
	late     atomic.Int32 // arrivals at segments that had been given up
	entered  atomic.Bool
	returned atomic.Bool
	choosing [len(names)]int32       // the case that a select of the goroutine is to take, and 2 more: 1 stands for default
	forced   [len(names)]atomic.Bool // the goroutine is in such a select
	timed    bool                    // time passes by the schedule
	last     = lastSegment()         // the number of segments that are kept to
)

func lastSegment() int {
	n, _ := strconv.Atoi(os.Getenv("EVERYWAY_SEGMENTS"))
	if n == 0 {
		return len(segments)
	}
	return min(n, len(segments))
}

//go:linkname getLabel runtime/pprof.runtime_getProfLabel
func getLabel() unsafe.Pointer

//go:linkname setLabel runtime/pprof.runtime_setProfLabel
func setLabel(unsafe.Pointer)

// prepare starts watch, too. That watch comes behind the initialisation of what it uses is known to
// the race detector.
func prepare() [len(names)]unsafe.Pointer {
	list := makeLabels()
	timed = clocked && clock.Start(slow)
	// patience is the number of looks at what is blocked before it is taken to stay so, and stuck
	// the one in the end, with 0 for ever.
	patience, _ := strconv.Atoi(os.Getenv("EVERYWAY_PATIENCE"))
	stuck, _ := strconv.Atoi(os.Getenv("EVERYWAY_STUCK"))
	go watch(patience, stuck)
	return list
}

func makeLabels() [len(names)]unsafe.Pointer {
	race.Disable()
	defer race.Enable()
	var list [len(names)]unsafe.Pointer
	before := getLabel()
	for i, name := range names {
		if name == "0" {
			continue // which has no labels
		}
		pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), pprof.Labels("everyway", name)))
		list[i] = getLabel()
	}
	setLabel(before)
	return list
}

// self returns the number of the goroutine that runs, -1 if the schedule does not name it.
//
//go:norace
func self() int32 {
	label := getLabel()
	for i := range labels {
		if labels[i] == label {
			if ids[i].Load() == 0 {
				ids[i].Store(number())
			}
			return int32(i)
		}
	}
	return -1
}

//go:norace
func number() uint64 {
	var buf [64]byte
	text := buf[:runtime.Stack(buf[:], false)]
	return numberOf(text)
}

//go:norace
func numberOf(text []byte) (n uint64) {
	const prefix = len("goroutine ")
	for i := prefix; i < len(text) && '0' <= text[i] && text[i] <= '9'; i++ {
		n = n*10 + uint64(text[i]-'0')
	}
	return n
}

// find returns the value of the next arrival of g at the point, -1 if there is none.
//
//go:norace
func find(steps []step, g, point int32) int32 {
	n := arrivals[g][point]
	arrivals[g][point]++
	for i := range steps {
		if s := &steps[i]; s.goroutine == g && s.point == point && s.n == n {
			return s.value
		}
	}
	return -1
}

// At is before a step.
//
//go:norace
func At(point int32) {
	race.Disable()
	defer race.Enable()
	g := self()
	if g < 0 {
		return
	}
	segment := find(begins, g, point)
	if segment < 0 {
		return
	}
	if done[g].Load() < segment {
		done[g].Store(segment)
	}
	if current.Load() > segment {
		late.Add(1)
	}
	waiting[g].Store(true)
	for wait, looks := time.Microsecond, 0; ; looks++ {
		advance()
		c := current.Load()
		if c >= segment || int(c) >= last {
			break
		}
		// One whose segment is next looks often, at first, so that many segments can follow each other fast.
		longest := min(time.Duration(segment-c)*50*time.Microsecond, 10*time.Millisecond)
		if looks > 100 {
			longest = max(longest, time.Millisecond)
		}
		wait = min(2*wait, longest)
		clock.Pause(wait)
	}
	waiting[g].Store(false)
}

// After is behind a step: its segment is done.
//
//go:norace
func After(point int32) {
	race.Disable()
	defer race.Enable()
	g := self()
	if g < 0 {
		return
	}
	if segment := find(ends, g, point); segment >= 0 && done[g].Load() <= segment {
		done[g].Store(segment + 1)
		advance()
	}
}

// Value is a step between the computation of a value and its use.
func Value[T any](point int32, v T) T {
	At(point)
	return v
}

// Function returns f, so that the compiler does not know what is called.
//
//go:noinline
func Function[T any](f T) T { return f }

// Call0 and the functions below call f, with a line for the race detector: it knows them, and so
// where they are called.
//
//go:noinline
func Call0[R any](f func() R) R { return f() }

//go:noinline
func Call1[A, R any](f func(A) R, a A) R { return f(a) }

//go:noinline
func Call2[A, B, R any](f func(A, B) R, a A, b B) R { return f(a, b) }

//go:noinline
func Call3[A, B, C, R any](f func(A, B, C) R, a A, b B, c C) R { return f(a, b, c) }

//go:noinline
func Do0(f func()) { f() }

//go:noinline
func Do1[A any](f func(A), a A) { f(a) }

//go:noinline
func Do2[A, B any](f func(A, B), a A, b B) { f(a, b) }

// Random returns what f, a function that returns a random number below n, has returned in the run of the schedule.
func Random[T ~int | ~int32 | ~int64 | ~uint | ~uint32 | ~uint64](f func(T) T, n T) T {
	v := f(n)
	if n == 1 {
		return v // was no random number
	}
	return T(random(uint64(n), uint64(v)))
}

var drawn [len(names)]int32

// random returns the goroutine's next random number, v if the schedule has none, or none below n.
//
//go:norace
func random(n, v uint64) uint64 {
	race.Disable()
	defer race.Enable()
	g := self()
	if g < 0 {
		return v
	}
	k := drawn[g]
	drawn[g]++
	for i := range randoms {
		if r := &randoms[i]; r.goroutine == g {
			if k == 0 && r.value < n {
				return r.value
			}
			k--
		}
	}
	return v
}

// True is a step before a condition.
func True(point int32) bool {
	At(point)
	return true
}

// Spawn is before a statement that starts a goroutine, which inherits its name.
//
//go:norace
func Spawn(point int32) unsafe.Pointer {
	race.Disable()
	defer race.Enable()
	before := getLabel()
	if g := self(); g >= 0 {
		if child := find(spawns, g, point); child >= 0 {
			setLabel(labels[child])
		} else {
			setLabel(unsafe.Pointer(&unnamed))
		}
	}
	return before
}

// Callback gives f, which a timer calls, its name each time.
//
//go:norace
func Callback(point int32, f func()) func() {
	race.Disable()
	defer race.Enable()
	g := self()
	if g < 0 {
		return f
	}
	n := arrivals[g][point]
	arrivals[g][point]++
	calls := new(atomic.Int32)
	return func() {
		call := calls.Add(1)
		for i := range callbacks {
			s := &callbacks[i]
			if s.goroutine != g || s.point != point || s.n != n {
				continue
			}
			if call--; call == 0 {
				setLabel(labels[s.value])
				break
			}
		}
		f()
	}
}

// Case returns the channel of a case of a select, nil if the schedule has it take another case. The
// cases ask in their order.
//
//go:norace
func Case[C any](point, index int32, first bool, c C) C {
	race.Disable()
	defer race.Enable()
	g := self()
	if g < 0 {
		return c
	}
	if first {
		choosing[g] = max(0, find(selects, g, point)) // which is 0 if the schedule does not say
		if last < len(segments) && int(current.Load()) >= last {
			choosing[g] = 0 // it is not kept to any more
		}
		forced[g].Store(choosing[g] > 0)
	}
	if choosing[g] > 0 && choosing[g] != index+2 {
		var none C
		return none
	}
	return c
}

// Chosen is where a case of a select begins.
//
//go:norace
func Chosen() {
	race.Disable()
	defer race.Enable()
	if g := self(); g >= 0 {
		forced[g].Store(false)
	}
}

// Hidden says how often the accesses of a statement have been hidden from the race detector, or
// less than 0 how often those of what surrounds it are, which are not meanwhile.
type Hidden int32

// hidden is how often what a goroutine accesses is hidden.
var hidden [len(names)]int32

// Hide hides the accesses of a statement. Those of one goroutine are to be seen, unless that is -1.
//
//go:norace
func Hide(seen int32) (h Hidden) {
	race.Disable()
	defer race.Enable()
	g := self()
	if g < 0 || g != seen {
		if !shadow.Begin() {
			return 0
		}
		if g >= 0 {
			hidden[g]++
		}
		return 1
	}
	for ; hidden[g] > 0; hidden[g]-- {
		shadow.End()
		h--
	}
	return h
}

// Show is called where the statement has been done, or a part of it that is another statement begins.
//
//go:norace
func (h *Hidden) Show() {
	if *h == 0 {
		return
	}
	race.Disable()
	defer race.Enable()
	g := self()
	for ; *h > 0; *h-- {
		shadow.End()
		if g >= 0 {
			hidden[g]--
		}
	}
	for ; *h < 0; *h++ {
		shadow.Begin()
		hidden[g]++
	}
}

var unnamed [8]uint64

// Spawned is behind the statement.
//
//go:norace
func Spawned(before unsafe.Pointer) {
	race.Disable()
	defer race.Enable()
	setLabel(before)
}

//go:norace
func advance() {
	for {
		c := current.Load()
		if int(c) >= last || done[segments[c]].Load() <= c {
			return
		}
		current.CompareAndSwap(c, c+1)
	}
}

// First reports whether it is called for the first time.
//
//go:norace
func First() bool {
	race.Disable()
	defer race.Enable()
	return entered.CompareAndSwap(false, true)
}

// Return is called when the target returns. The process stays until the other goroutines get no
// further, so that it can be seen which are left.
//
//go:norace
func Return() {
	race.Disable()
	defer race.Enable()
	if g := self(); g >= 0 {
		done[g].Store(int32(len(segments)))
		advance()
	}
	me := number()
	quiet := 0
	for range 400 {
		clock.Pause(5 * time.Millisecond)
		if d := look(me); d.running == 0 && d.held == 0 && d.sleeping == 0 {
			quiet++
		} else {
			quiet = 0
		}
		if quiet >= 20 {
			break
		}
	}
	returned.Store(true)
	report("returned")
}

// A dump says what the goroutines of the process do.
type dump struct {
	running, sleeping, held int
	states                  map[uint64]string
}

//go:norace
func stacks() []byte {
	buf := make([]byte, 1<<16)
	for {
		if n := runtime.Stack(buf, true); n < len(buf) {
			return buf[:n]
		}
		buf = make([]byte, 2*len(buf))
	}
}

//go:norace
func look(me uint64) dump {
	d := dump{states: map[uint64]string{}}
	for _, text := range bytes.Split(stacks(), []byte("\n\n")) {
		first, rest, _ := bytes.Cut(text, []byte("\n"))
		_, state, _ := bytes.Cut(first, []byte("["))
		state = bytes.TrimSuffix(state, []byte("]:"))
		state, _, _ = bytes.Cut(state, []byte(","))
		id := numberOf(first)
		switch {
		case id == me || bytes.Contains(rest, []byte("control.watch(")) || bytes.Contains(rest, []byte("os/signal.")):
			continue
		case bytes.Contains(rest, []byte("everyway/control.At(")):
			d.held++
			d.states[id] = "held"
			continue
		case bytes.Contains(rest, []byte("everyway/control.Return(")):
			continue
		}
		d.states[id] = string(state)
		switch string(state) {
		case "running", "runnable", "syscall", "preempted", "copystack":
			d.running++
		case "sleep":
			d.sleeping++
		}
	}
	return d
}

// watch finds out when a goroutine does not come to the end of its segment.
//
//go:norace
func watch(patience, stuck int) {
	race.Disable()
	me := number()
	parent := os.Getppid()
	quiet, free := 0, 0
	var known [len(names)]uint64 // ids before a look
	for round := 1; ; round++ {
		clock.Pause(2 * time.Millisecond)
		if round%64 == 0 && os.Getppid() != parent {
			os.Exit(98) // nobody waits for what this process shows
		}
		c := current.Load()
		if int(c) >= last {
			if timed {
				timed = false
				clock.Pass(0, 0)
			}
			d := look(me)
			if d.running == 0 && d.sleeping == 0 && d.held == 0 && !returned.Load() {
				free++
			} else {
				free = 0
			}
			if stuck > 0 && free >= stuck && !atReturn() {
				report("stuck")
				os.Exit(97)
			}
			clock.Pause(3 * time.Millisecond)
			continue
		}
		if times[c] > 0 {
			// What happens before has happened if nothing runs, or if what runs goes on for long.
			if d := look(me); d.running > 0 && quiet < 50 {
				quiet++
				continue
			}
			quiet = 0
			if timed {
				clock.Pass(times[c], slow)
				clock.Pause(5 * time.Millisecond) // for timers to fire
			}
			current.CompareAndSwap(c, c+1)
			advance()
			continue
		}
		owner := segments[c]
		for g := range known {
			known[g] = ids[g].Load()
		}
		id := known[owner]
		d := look(me)
		state, alive := d.states[id]
		limit := max(3, patience)
		switch {
		case id != 0 && !alive:
			limit = 0
		case state == "held" && waiting[owner].Load():
			// It goes on as soon as it finds that this is its turn, or is at a later segment of its own.
			advance()
			quiet = 0
			continue
		case state == "held" && d.running == 0:
			limit = 3 // it passes control points again and again, and comes to none of its segments
		case d.running > 0:
			quiet = 0
			continue
		case d.sleeping > 0 && !timed:
			limit = max(50, patience)
		case id == 0:
			limit = max(20, patience)
		}
		if quiet++; quiet < limit {
			continue
		}
		quiet = 0
		if current.CompareAndSwap(c, c+1) {
			advance()
			skip(&known, d)
		}
	}
}

// skip ends the segments that come next, of goroutines that have ended, or are blocked when nothing
// has run that could change that. The numbers of the goroutines are those known before the dump.
//
//go:norace
func skip(known *[len(names)]uint64, d dump) {
	for {
		c := current.Load()
		if int(c) >= last || times[c] > 0 {
			return
		}
		id := known[segments[c]]
		state, alive := d.states[id]
		if id == 0 || alive && (state == "held" || d.running > 0 || d.sleeping > 0) {
			return
		}
		current.CompareAndSwap(c, c+1)
		advance()
	}
}

// atReturn reports whether the target has returned.
//
//go:norace
func atReturn() bool { return bytes.Contains(stacks(), []byte("everyway/control.Return(")) }

//go:norace
func report(what string) {
	c := int(current.Load())
	at := ""
	if c < last {
		at = " at " + names[segments[c]]
	}
	// Goroutines that are blocked because a case is forced would not be blocked otherwise.
	held := ""
	for g := range forced {
		if forced[g].Load() {
			held += "everyway: forced: " + strconv.FormatUint(ids[g].Load(), 10) + "\n"
		}
	}
	os.Stderr.WriteString("\neveryway: " + what + ": " + strconv.Itoa(c) + " of " + strconv.Itoa(last) +
		" segments, " + strconv.Itoa(int(late.Load())) + " late" + at + "\n" + held + string(stacks()) + "\neveryway: end\n")
}
