package recording

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/schedule"
)

// Options say how a recording becomes a schedule.
type Options struct {
	Program string // that has recorded, with debug information
	GOROOT  string
	Root    string // of the module: files below it are named relative to it
}

// Summary says what is in a schedule, and what is not.
type Summary struct {
	Goroutines int
	Full       bool  // the file did not suffice for the whole run
	Others     int   // goroutines that the test has not started, directly or through others, and that are left out
	Cut        error // if it is not nil, the schedule ends where this happened
}

// ErrNothing says that a recording has no test that has begun.
var ErrNothing = errors.New("the program has not begun a test")

// WriteSchedule writes a recording of a test as a schedule. Goroutine 0 is the test's. The table is that of the writer.
func (f *File) WriteSchedule(to *schedule.Writer, table *schedule.Table, o Options) (Summary, error) {
	symbols, err := readSymbols(o.Program)
	if err != nil {
		return Summary{}, err
	}
	w := &converter{file: f, to: to, table: table, options: o, symbols: symbols, state: schedule.NewState(table), locations: map[*frame]schedule.LocationID{}, outside: map[identity]bool{}, others: map[uint64]bool{}}
	if err := w.findTest(); err != nil {
		return Summary{}, err
	}
	w.begin()
	found := survey{}
	err = f.merge(mainGoroutine, func(g uint64, r *record) error {
		w.follow(g, r)
		_, ok := w.goroutines[g]
		switch {
		case ok && (r.kind == everywayRead || r.kind == everywayWrite):
			object, at := w.memory.at(r.addr)
			found.note(object, span{at, at + r.size}, g, r.kind == everywayWrite)
		case ok && r.kind >= everywayAtomicRead && r.kind < everywayDefault: // plain accesses may race with it
			object, at := w.memory.at(r.addr)
			found.note(object, span{at, at + 1}, g, r.kind == everywayAtomicWrite || r.kind == everywayAtomicUpdate)
		case !ok && !w.timers[g] && (isCommunication(r.kind) || r.kind == everywayCase && r.addr != 0):
			w.outside[w.place(r.addr, channelIdentity)] = true
		}
		return nil
	})
	if err != nil {
		return Summary{}, err
	}
	w.shared = found.shared()
	w.begin()
	w.emit(0, &schedule.Event{Op: schedule.Start}, nil)
	err = f.merge(mainGoroutine, w.write)
	switch {
	case errors.Is(err, errCut):
		err = nil
	case err == nil && !f.Full:
		err = w.writeIntentions()
	}
	return Summary{Goroutines: w.state.Goroutines(), Full: f.Full, Others: len(w.others), Cut: w.cut}, err
}

// mainGoroutine is the one that the runtime starts first.
const mainGoroutine = 1

// A converter makes a schedule of a recording.
type converter struct {
	file    *File
	to      *schedule.Writer
	table   *schedule.Table
	options Options
	symbols *symbols
	state   *schedule.State
	test    uint64 // goroutine
	// Numbers of places. A frame is where the symbols have it.
	locations map[*frame]schedule.LocationID
	shared    map[int][]span

	memory     memory
	goroutines map[uint64]schedule.GoroutineID // that the test has started, and itself
	fired      map[uint64]uint64               // of a goroutine of timers, the timer that runs
	timers     map[uint64]bool                 // goroutines of timers, and of threads that have not called back yet
	events     []int64                         // of Timers and of each goroutine, so far
	names      []string                        // of the goroutines, as everyway's machine has them
	forks      []int                           // how many goroutines each has started
	objects    map[identity]schedule.ObjectID
	outside    map[identity]bool // channels that other goroutines use
	channels   map[identity]channel
	intentions map[uint64]*intention
	done       map[uint64]bool // Onces that have been there before the test, by address, whose function has run in it
	others     map[uint64]bool // goroutines, other than the main one, that the test has not started
	cut        error
}

// An identity is what an object of a schedule is.
type identity struct {
	object int
	at     uint64 // of what is not memory
	kind   identityKind
}

type identityKind uint8

const (
	memoryIdentity identityKind = iota
	channelIdentity
	timerIdentity
	edgeIdentity // a release that something acquires
)

// begin begins a pass over the recording.
func (w *converter) begin() {
	w.memory = memory{pages: map[uint64][]object{}}
	w.goroutines = map[uint64]schedule.GoroutineID{w.test: 0}
	w.fired, w.timers = map[uint64]uint64{}, map[uint64]bool{}
	w.events, w.names, w.forks = make([]int64, 2), []string{"0"}, []int{0}
	w.objects, w.channels, w.done = map[identity]schedule.ObjectID{}, map[identity]channel{}, map[uint64]bool{}
	w.intentions = map[uint64]*intention{}
	for _, id := range w.file.timers() {
		w.timers[id] = true
	}
}

// findTest finds the goroutine of the test.
func (w *converter) findTest() error {
	s := w.file.stream(mainGoroutine)
	for ; s.ok; s.advance() {
		if s.next.kind != everywayFork {
			continue
		}
		frames, err := w.symbols.at(s.next.callers[0])
		if err != nil {
			return err
		}
		if len(frames) > 0 && frames[0].function == "testing.(*T).Run" {
			w.test = s.next.arg
			return nil
		}
	}
	if s.err != nil {
		return s.err
	}
	return ErrNothing
}

// follow notes what a record says of memory and of goroutines.
func (w *converter) follow(g uint64, r *record) {
	switch r.kind {
	case everywayAlloc:
		w.memory.allocate(r.addr, r.arg)
	case everywayTimerRuns:
		w.fired[g] = r.addr
	case everywayFork:
		parent, ok := w.goroutines[g]
		if !ok && !w.timers[g] {
			return
		}
		name := ""
		if ok {
			w.forks[parent]++
			name = fmt.Sprintf("%s.%d", w.names[parent], w.forks[parent])
		}
		w.start(r.arg, name)
	case everywayCalledBack:
		if w.timers[g] {
			delete(w.timers, g)
			w.start(g, "")
		}
	}
}

// start notes that a goroutine is there from now on.
func (w *converter) start(g uint64, name string) {
	w.goroutines[g] = schedule.GoroutineID(len(w.goroutines))
	w.events, w.names, w.forks = append(w.events, 0), append(w.names, name), append(w.forks, 0)
}

var errCut = errors.New("cut")

// write writes a record.
func (w *converter) write(g uint64, r *record) error {
	waits := w.timers[g]
	w.follow(g, r)
	id, ok := w.goroutines[g]
	switch {
	case r.kind == everywayCalledBack:
		if !waits {
			return nil // it is not the first time
		}
		return w.startBy(g, id)
	case w.timers[g]:
		return w.fire(g, r)
	case !ok:
		if g != mainGoroutine && (r.kind == everywayRead || r.kind == everywayWrite) {
			w.others[g] = true
		}
		return nil
	}
	if w.intend(g, r) {
		return nil
	}
	if r.kind >= everywayFork {
		defer delete(w.intentions, g)
	}
	if isCommunication(r.kind) {
		return w.communicate(g, id, r)
	}
	switch r.kind {
	case everywayAlloc:
		return nil
	case everywayDefault:
		return w.takeDefault(g, id, r)
	case everywayRead, everywayWrite:
		return w.access(id, r)
	case everywayFork:
		child := w.goroutines[r.arg]
		f, err := w.frame(r)
		if err != nil {
			return err
		}
		name, err := w.table.NameID(w.names[child])
		if err != nil {
			return err
		}
		if err := w.emit(id, &schedule.Event{Op: schedule.Spawn, Child: child, Name: name}, f); err != nil {
			return err
		}
		return w.emit(child, &schedule.Event{Op: schedule.Start}, nil)
	case everywayEnd:
		return w.emit(id, &schedule.Event{Op: schedule.End}, nil)
	case everywayTimerSet:
		return w.setTimer(id, r)
	}
	return w.synchronise(id, r)
}

// access writes a plain access, as one to each part that goroutines share.
func (w *converter) access(g schedule.GoroutineID, r *record) error {
	op := schedule.Read
	if r.kind == everywayWrite {
		op = schedule.Write
	}
	object, at := w.memory.at(r.addr)
	for _, part := range within(w.shared[object], span{at, at + r.size}) {
		e := &schedule.Event{Op: op, Offset: int64(part.from)}
		if err := w.operate(g, e, identity{object: object}, 0, r); err != nil {
			return err
		}
	}
	return nil
}

func isCommunication(kind int) bool {
	return kind == everywaySend || kind == everywayReceive || kind == everywayReceiveClosed || kind == everywayClose || kind == everywayFails
}

// communicate writes an operation on a channel.
func (w *converter) communicate(g uint64, id schedule.GoroutineID, r *record) error {
	if own, err := w.isOwn(r); own || err != nil {
		return err
	}
	on := w.place(r.addr, channelIdentity)
	if w.outside[on] || on.object == 0 && !w.isKnown(on, r.kind) {
		return nil
	}
	op := map[int]schedule.Op{
		everywaySend: schedule.Send, everywayReceive: schedule.Recv, everywayReceiveClosed: schedule.RecvClosed, everywayClose: schedule.Close,
		everywayFails: schedule.Fail,
	}[r.kind]
	e := &schedule.Event{Op: op, Case: schedule.NoCase}
	if op != schedule.Close && op != schedule.Fail {
		var err error
		if e.Cases, e.Case, err = w.cases(g, id, op, on); err != nil {
			return err
		}
	}
	return w.operate(id, e, on, int64(r.arg), r)
}

// channelFunctions are those by which packages other than the runtime operate on channels.
var channelFunctions = []string{
	"runtime.chansend", "runtime.chansend1", "runtime.chanrecv", "runtime.chanrecv1", "runtime.chanrecv2", "runtime.send", "runtime.recv",
	"runtime.closechan", "runtime.selectgo", "runtime.block", "runtime.selectnbsend", "runtime.selectnbrecv", "runtime.gopark",
	"runtime.reflect_chansend", "runtime.reflect_chanrecv", "runtime.reflect_chanclose", "runtime.reflect_rselect",
}

// isOwn reports whether an operation on a channel is the runtime's own: of its garbage collection.
func (w *converter) isOwn(r *record) (bool, error) {
	for _, pc := range r.callers {
		frames, err := w.symbols.at(pc)
		if err != nil {
			return false, err
		}
		for i := range frames {
			name := frames[i].function
			if !strings.HasPrefix(name, "runtime.") {
				return false, nil
			}
			if !strings.HasPrefix(name, "runtime.everyway") && !slices.Contains(channelFunctions, name) {
				return true, nil
			}
		}
	}
	return false, nil
}

// A channel is what is known of a channel that has been there before the test.
type channel struct {
	values int
	closed bool
}

// isKnown reports whether an operation on a channel that has been there before the test has nothing to do with what
// others did to the channel before.
func (w *converter) isKnown(on identity, kind int) bool {
	c := w.channels[on]
	switch kind {
	case everywaySend:
		c.values++
	case everywayReceive:
		if c.values == 0 {
			return false
		}
		c.values--
	case everywayReceiveClosed, everywayFails:
		return c.closed
	case everywayClose:
		c.closed = true
	}
	w.channels[on] = c
	return true
}

// setTimer writes that a timer begins to run.
func (w *converter) setTimer(g schedule.GoroutineID, r *record) error {
	on, capacity := w.place(r.addr, timerIdentity), int64(0)
	if r.arg != 0 {
		on, capacity = w.place(r.arg, channelIdentity), 1
	}
	return w.operate(g, &schedule.Event{Op: schedule.TimerSet}, on, capacity, r)
}

// place returns the identity of what is at an address, other than memory.
func (w *converter) place(addr uint64, kind identityKind) identity {
	object, at := w.memory.at(addr)
	return identity{object, at, kind}
}

// synchronise writes an operation on a cell of memory.
func (w *converter) synchronise(g schedule.GoroutineID, r *record) error {
	e := &schedule.Event{}
	object, at := w.memory.at(r.addr)
	e.Offset = int64(at)
	on := identity{object: object}
	switch r.kind {
	case everywayAcquire, everywayRelease, everywayMerge:
		e.Op, e.Offset, on = schedule.AtomicRead, 0, identity{object, at, edgeIdentity}
		switch r.kind {
		case everywayRelease:
			e.Op = schedule.AtomicWrite
		case everywayMerge:
			// What acquires it comes after all releases before it, as it would not if this were a
			// write. An update also comes after them itself, so that races of those that release
			// are missed, which are ordered by nothing else.
			e.Op = schedule.AtomicUpdate
		}
	case everywayAtomicRead:
		e.Op = schedule.AtomicRead
	case everywayAtomicWrite:
		e.Op = schedule.AtomicWrite
	case everywayAtomicUpdate:
		e.Op = schedule.AtomicUpdate
	case everywayLock:
		e.Op = schedule.Lock
		if r.arg == 1 {
			e.Lock = schedule.RWMutex
		}
	case everywayUnlock:
		e.Op = schedule.Unlock
	case everywayReadLock:
		e.Op = schedule.RLock
	case everywayReadUnlock:
		e.Op = schedule.RUnlock
	case everywayTryFail:
		e.Op = schedule.TryFail
	case everywayAdd:
		e.Op, e.Number = schedule.WaitGroupAdd, int64(r.arg)
	case everywayWait:
		e.Op, e.Number = schedule.WaitGroupWait, int64(r.arg)
	case everywayCondWait:
		e.Op = schedule.CondWait
	case everywayCondWake:
		e.Op = schedule.CondWake
	case everywaySignal:
		e.Op, e.Child = schedule.CondSignal, schedule.NoGoroutine
	case everywayBroadcast:
		e.Op, e.Child = schedule.CondSignal, schedule.AllGoroutines
	case everywayOnce:
		e.Op = schedule.Once
		w.done[r.addr] = true
	case everywayOnceSeen:
		if object == 0 && !w.done[r.addr] {
			return nil // its function has run before the test
		}
		e.Op = schedule.OnceSeen
	default:
		return fmt.Errorf("a recording with a record of kind %d", r.kind)
	}
	return w.operate(g, e, on, 0, r)
}

// fire writes what a timer does: it sends, or starts a goroutine.
func (w *converter) fire(g uint64, r *record) error {
	e := &schedule.Event{Op: schedule.TimerFire, Child: schedule.NoGoroutine}
	switch r.kind {
	case everywaySend:
		return w.operate(schedule.Timers, e, w.place(r.addr, channelIdentity), int64(r.arg), nil)
	case everywayFork:
		return w.startBy(w.fired[g], w.goroutines[r.arg])
	}
	return nil
}

// startBy writes that a timer starts a goroutine.
func (w *converter) startBy(timer uint64, child schedule.GoroutineID) error {
	e := &schedule.Event{Op: schedule.TimerFire, Child: child}
	if err := w.operate(schedule.Timers, e, w.place(timer, timerIdentity), 0, nil); err != nil {
		return err
	}
	return w.emit(child, &schedule.Event{Op: schedule.Start}, nil)
}

// operate writes an event on an object, which has a capacity if it is a channel. The object is introduced if it is new.
func (w *converter) operate(g schedule.GoroutineID, e *schedule.Event, on identity, capacity int64, r *record) error {
	f, err := w.frame(r)
	if err != nil {
		return err
	}
	if f != nil && strings.HasPrefix(f.function, "testing.") && on.kind != channelIdentity {
		return nil // which has variables and locks of its own in everyway's machine
	}
	if e.Object, err = w.object(g, on, capacity); err != nil {
		return err
	}
	return w.emit(g, e, f)
}

// object returns the number of an object, which has a capacity if it is a channel. It is introduced if it is new.
func (w *converter) object(g schedule.GoroutineID, on identity, capacity int64) (schedule.ObjectID, error) {
	if id, ok := w.objects[on]; ok {
		return id, nil
	}
	id := schedule.ObjectID(len(w.objects) + 1)
	w.objects[on] = id
	made := &schedule.Event{Op: schedule.New, Object: id, Child: schedule.NoGoroutine}
	switch on.kind {
	case channelIdentity:
		made.Kind, made.Number = schedule.Channel, capacity
	case timerIdentity:
		made.Kind = schedule.TimerObject
	}
	return id, w.emit(g, made, nil)
}

// emit writes an event of a goroutine, at a place if that is known. If it is not possible, the schedule ends before it.
func (w *converter) emit(g schedule.GoroutineID, e *schedule.Event, at *frame) error {
	e.Goroutine = g
	e.Index = w.events[g+1]
	if at != nil {
		var err error
		if e.Location, err = w.location(at); err != nil {
			return err
		}
	}
	if err := w.state.Next(e); err != nil {
		w.cut = err
		return errCut
	}
	w.events[g+1]++
	return w.to.Write(e)
}

// frame returns the place of a record: the innermost one that is not in a package that synchronises. It is nil if it is
// not known, or there is no record.
func (w *converter) frame(r *record) (*frame, error) {
	if r == nil {
		return nil, nil
	}
	places := []uint64{r.pc}
	if r.callers != nil {
		places = r.callers[:]
	}
	for _, pc := range places {
		frames, err := w.symbols.at(pc)
		if err != nil {
			return nil, err
		}
		for i := range frames {
			if f := &frames[i]; !f.synchronises() {
				return f, nil
			}
		}
	}
	return nil, nil
}

// location returns the number of a place.
func (w *converter) location(f *frame) (schedule.LocationID, error) {
	if id, ok := w.locations[f]; ok {
		return id, nil
	}
	file, err := w.table.NameID(w.name(f.file))
	if err != nil {
		return 0, err
	}
	function, err := w.table.NameID(f.function)
	if err != nil {
		return 0, err
	}
	id, err := w.table.LocationID(schedule.Location{File: file, Line: int32(f.line), Func: function})
	w.locations[f] = id
	return id, err
}

// name returns the name of a file in a schedule.
func (w *converter) name(file string) string {
	for _, d := range [...]struct{ dir, as string }{{filepath.Join(w.options.GOROOT, "src"), "$GOROOT/src/"}, {w.options.Root, ""}} {
		if rest, ok := strings.CutPrefix(file, d.dir+string(filepath.Separator)); ok {
			return d.as + filepath.ToSlash(rest)
		}
	}
	return file
}
