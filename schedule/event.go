package schedule

import "slices"

// An Event is a step of a schedule: an operation of a goroutine, with what it operated on.
// Which of the fields after Index have a meaning depends on Op: docs/format.md lists them
// for each operation. The others are ignored by a [Writer] and have their zero values when a
// [Reader] returns the event.
type Event struct {
	Op        Op
	Goroutine GoroutineID // Timers for what no goroutine does
	Index     int64       // among the events of the goroutine, from 0

	Object ObjectID    // operated on
	Offset int64       // of the cell in the object
	Child  GoroutineID // started, waited for or woken; of New, the one that allocated the object
	Value  Value       // read, received, written or sent; the value of a constant or of an input
	Wrote  uint64      // AtomicUpdate: the bits written, of the kind of Value
	Result Local       // that the event defines
	Left   Local       // the operand, or what is written or sent or branched on
	Right  Local       // the second operand
	List   []Local     // the arguments of a function; valid until the next event is read
	Case   int32       // of the select, from 0; NoCase if there is none
	Number int64       // see the operation
	Count  int64       // New: which of the allocations of Child or, without one, which global variable, from 1; 0 if that is not known
	Kind   ObjectKind  // New: the kind of the object
	Lock   LockKind    // Lock: the kind of the lock
	Name   NameID      // of an object, an input, an operator or a function; a message

	// Annotations. They say more of an event than its operation does, and may be ignored.

	Location LocationID // where in the program
	Time     int64      // when, in nanoseconds of some clock; 0 if that is not known
	Try      bool       // Lock, RLock: the lock was free; if it had not been, the goroutine would have gone on without it
	Depends  []Local    // on which values it depends what is operated on; valid until the next event is read
	// Implied says that the event is no step of its own. It belongs to the access before it in its
	// goroutine, which has several cells, or it stands for what was there before the first step.
	Implied bool
	// Allocator is the goroutine that has allocated what a New introduces, as its Count-th object,
	// if no event has started that goroutine so far.
	Allocator NameID
	// ReadAs and WroteAs are the values that were read and written, where Value and Wrote do not
	// have them because the events before do not explain them.
	ReadAs, WroteAs Value
	// Source is 1 + the Order of the event that the value read came from, or -1 if it came from
	// none, where that is not what a State computes; otherwise it is 0.
	Source int64

	// Cases are those of the select of which the event is one, the default case last, or, of
	// Pending, the operations that the goroutine is about to do. They are valid until the next event is read.
	Cases []Case

	// What a State computes. It is not part of a file.

	Order int64 // among all events, from 0
	// From is the Order of the event that this one got its value from, or for which it had to
	// wait: the write of a read, the send of a receive, the close of a receive from a closed
	// channel, the signal of a wake, the go of a start, the end of a join. It is -1 if there is
	// none, or it is not known.
	From int64
}

// Clone returns a copy of e that stays valid when the next event is read.
func (e *Event) Clone() Event {
	c := *e
	c.List, c.Depends, c.Cases = slices.Clone(e.List), slices.Clone(e.Depends), slices.Clone(e.Cases)
	return c
}

// A GoroutineID is the number of a goroutine: 0 is the one with which a schedule begins, and
// the others are numbered in the order in which they are started.
type GoroutineID int32

const (
	// Timers takes the place of a goroutine where a timer, or the passing of time, takes a step.
	Timers GoroutineID = -1
	// NoGoroutine says that an operation starts or wakes no goroutine.
	NoGoroutine GoroutineID = -1
	// AllGoroutines says that an operation wakes all goroutines that wait.
	AllGoroutines GoroutineID = -2
)

// An ObjectID is the number of an object, from 1, in the order of the events New. It is 0
// where there is no object.
type ObjectID int32

// A Cell is a part of an object that is read and written as a whole. Locks and other things
// that consist of memory are cells, too.
type Cell struct {
	Object ObjectID
	Offset int64
}

// concerns holds the operations that have no object but may concern one: their Object and
// Offset are an annotation.
var concerns = [NumOps]bool{Fail: true, Sleep: true, TimePass: true, Collect: true}

// names holds the operations of which Name is an annotation: of TimerFire it is the name of the
// goroutine that is started, and of TimePass that of one that could run and is kept waiting.
var names = [NumOps]bool{TimerFire: true, TimePass: true}

// Cell returns the cell that is operated on.
func (e *Event) Cell() Cell { return Cell{e.Object, e.Offset} }

// A Local is a symbolic value: the number of the event that defines it, among all those that
// define one, from 1. It never changes. It is 0 where a value is not known symbolically.
type Local int32

// NoCase is the Case of a communication that is not of a select.
const NoCase int32 = -1
