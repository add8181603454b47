package state

import "github.com/everyway-go/everyway/internal/vm/heap"

// An Inherited is a lock that a goroutine holds which began in the middle of functions, and that
// was taken by a caller that is not known. It is unlocked when the outermost function returns, as
// that caller would do sooner or later.
type Inherited struct {
	At       heap.Location
	Readers  bool // it is held for reading
	RWWriter bool // it is an RWMutex that is held for writing
}

// A Taken is a lock that a goroutine holds that is being prepared.
type Taken struct {
	Inherited
	Given bool // it has been inherited
	For   int  // the number of the goroutine, from 1 on; 0 stands for the next one
}
