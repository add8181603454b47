package layout

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// A Memory knows the layout of the variables of a program, and holds views.
type Memory struct {
	program *code.Program
	arena   *expr.Arena
	fit     map[fitKey]bool        // what Fits has found out
	offsets map[*code.Type][]int64 // of the fields of structs
	// views are not rewound: what one stands for follows from its key.
	views map[viewKey]*heap.Object
}

// NewMemory returns a memory without views. Symbolic values are those of an arena.
func NewMemory(program *code.Program, arena *expr.Arena) Memory {
	return Memory{program, arena, make(map[fitKey]bool), make(map[*code.Type][]int64), make(map[viewKey]*heap.Object)}
}

// HasViews reports whether there may be pointers to views.
func (m *Memory) HasViews() bool { return len(m.views) > 0 }

// An Accessor is a goroutine that accesses memory.
type Accessor interface {
	// Number returns a pointer as a number.
	Number(p heap.Word) heap.Word
	// Pointer returns a number as a pointer. If there is none, the run ends.
	Pointer(n uint64) (heap.Word, bool)
	// Unsupported ends the run because something is not supported, and returns false.
	Unsupported(what string) bool
	// Standard reports whether the goroutine is in the standard library.
	Standard() bool
}
