package vm

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
)

// An ObjectID names an object: the goroutine that allocated it and that
// goroutine's count of allocations. It means the same object in different
// interleavings of the same path. Globals have goroutine -1.
type ObjectID struct {
	Goroutine int32 // index in Names
	Count     int32
}

// An Object is a unit of memory: a variable, an array behind slices, the bytes
// of a string, a map, a channel, a closure. Exactly one of Cells and Bytes is
// used (Bytes when the type consists of bytes only).
type Object struct {
	Cells []Word
	Bytes []byte
	Sym   []expr.ID // symbolic shadow of each cell; nil while no cell is symbolic

	ID   ObjectID
	Type *code.Type // of the whole object, or of an element when made as a slice
	Kind ObjectKind

	stamp uint32 // checkpoint in which the object was made or fully saved; see undo.go
	pages []uint32
	fn    *function   // closures
	desc  *code.Type  // type objects
	race  *raceShadow // see race.go
}

// An ObjectKind says what an object is.
type ObjectKind uint8

// The kinds of objects.
const (
	Variable ObjectKind = iota
	Array               // behind a slice
	ClosureObject
	MapObject
	ChanObject
	TypeObject
	HostObject // state of a model, in cells
)
