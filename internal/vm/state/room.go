package state

import (
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// A Room is the array of a slice that is an input, which may have one capacity or another.
type Room struct {
	Object *heap.Object
	Words  int     // of an element
	Small  int64   // the smaller capacity
	Ample  bool    // the array has the larger capacity in this run
	Sym    expr.ID // the input variable that is true if it has
}
