package run

import (
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/schedule"
)

// An Event is something that a goroutine did and that another goroutine could notice, or
// a step in the life of a goroutine, such as its start, its end, or a branch that it took.
type Event struct {
	Goroutine int32 // index in Names; -1 for timers
	Index     int32 // in the goroutine, from 0
	Op        schedule.Op
	Object    ObjectID
	Offset    int32
	Cells     int32 // number of cells from Offset on: Read, Write; else 1
	Site      SiteID
	Caller    SiteID // innermost call site outside the standard library that led to it
	Called    int32  // function of the standard library that was called there, by its number in the machine; -1 if the code at Caller did it itself
	Own       SiteID // innermost call site in the main module that led to it, or Caller; set if Plan.RecordPlain is
	Alt       int32  // select case, -1 for the default; Choice: the value; Branch: 1 for the true side; CondSignal: -1 for a Broadcast; else 0
	Other     int32  // Spawn: the new goroutine. Recv, AtomicRead, Read, …: index in Trace.Events of the event that wrote the value read, -1 for the initial value; else -1
	Select    bool   // the operation is a case of a select
	Try       bool   // Lock, RLock: of a TryLock, which would not have waited
	// Extra is what a schedule says besides: of a Send, Recv, RecvClosed, Close and LenChan the
	// capacity of the channel, of a Lock the LockKind, of a CondSignal that wakes
	// a goroutine 1 + its index in Names, and of a WaitGroupWait that had to wait 1.
	Extra int32

	// Read is the value read (or received), Wrote the value written (or sent). A pointer
	// is given as the number that heap.Word.PointerCode computes from object and offset.
	// ReadKind and WroteKind are code.Kinds. Of a value of several words the first is
	// here and the others are in Rest.
	Read, Wrote         uint64
	ReadKind, WroteKind uint8
	ReadSym             expr.ID // the fresh symbol of the read
	WroteSym            expr.ID // symbolic value written, None when concrete
	Cond                expr.ID // Branch, Assume: holds in this run
	// Rest holds the words of a multi-word value after the first.
	Rest []EventWord
	// Cases are those of the select, the default case last, if Plan.RecordPlain is set.
	Cases *[]Case
}

// A Case is an operation that a goroutine can do next: of a select, or another one that waits.
type Case struct {
	Op     schedule.Op
	Object ObjectID // the object operated on; NoObject if there is none, or the channel is nil
	Offset int32    // first cell in the object
	// Capacity is that of the channel.
	Capacity int32
}

// An Unfinished says what a goroutine that has not ended is about to do when its run is over.
type Unfinished struct {
	Goroutine int32
	Caller    SiteID // as that of an Event
	Cases     []Case // several are those of a select; none if it waits for nothing that can happen
}

// An EventWord is a word, other than the first, of a value that was read or written.
type EventWord struct {
	Value uint64
	Kind  uint8   // a code.Kind
	Sym   expr.ID // read: the fresh symbol; written: the symbolic value; None when concrete
}
