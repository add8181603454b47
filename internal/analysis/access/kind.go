package access

import "github.com/everyway-go/everyway/schedule"

// A Kind says how an operation accesses memory.
type Kind uint8

// The kinds of accesses.
const (
	None        Kind = iota // no access
	PlainRead               // read
	PlainWrite              // write
	AtomicRead              // atomic read
	AtomicWrite             // atomic write
)

// Kinds is the number of kinds.
const Kinds = 5

// KindOf returns how an operation accesses memory. Locks and the like are no accesses here.
func KindOf(op schedule.Op) Kind {
	switch op {
	case schedule.Read:
		return PlainRead
	case schedule.Write:
		return PlainWrite
	case schedule.AtomicRead:
		return AtomicRead
	case schedule.AtomicWrite, schedule.AtomicUpdate:
		return AtomicWrite
	}
	return None
}

// IsWrite reports whether an access writes.
func (k Kind) IsWrite() bool { return k == PlainWrite || k == AtomicWrite }

// IsAtomic reports whether an access is atomic.
func (k Kind) IsAtomic() bool { return k >= AtomicRead }

// Conflict reports whether two accesses to one cell, by two goroutines, can be a data race.
func Conflict(a, b Kind) bool {
	return a != None && b != None && (a.IsWrite() || b.IsWrite()) && !(a.IsAtomic() && b.IsAtomic())
}
