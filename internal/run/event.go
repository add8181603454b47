package run

import (
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/schedule"
)

// An Event is something a goroutine did that another could notice, or a mark
// of the run's structure.
type Event struct {
	Goroutine int32 // index in Names; -1 for timers
	Index     int32 // in the goroutine, from 0
	Op        schedule.Op
	Object    ObjectID
	Offset    int32
	Cells     int32 // number of cells from Offset on: Read, Write; else 1
	Site      SiteID
	Caller    SiteID // innermost place outside the standard library that led to it
	Alt       int32  // select case, -1 for the default; Choice: the value; Branch: 1 for the true side; CondSignal: -1 for a Broadcast; else 0
	Other     int32  // Spawn: the new goroutine. Recv, AtomicRead, Read, …: index in Events of the one that wrote the value read, -1 for the initial value; else -1
	Select    bool   // the operation is a case of a select

	// Read is the value read (received), Wrote the one written (sent). For
	// pointers the number is the machine's code of the object and offset.
	// ReadKind and WroteKind are code.Kinds. Multi-word values give their first word
	// here and the others in Rest.
	Read, Wrote         uint64
	ReadKind, WroteKind uint8
	ReadSym             expr.ID // the fresh symbol of the read
	WroteSym            expr.ID // symbolic value written, None when concrete
	Cond                expr.ID // Branch, Assume: holds in this run
	// Rest describes the further words of a multi-word value.
	Rest []EventWord
}

// An EventWord is a word of a value read or written, but the first.
type EventWord struct {
	Value uint64
	Kind  uint8   // a code.Kind
	Sym   expr.ID // read: the fresh symbol; written: the symbolic value; None when concrete
}
