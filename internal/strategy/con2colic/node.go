package con2colic

import (
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A nodeID names a node of a forest; 0 is none.
type nodeID int32

// A label is what tells the nodes with one parent apart.
type label struct {
	goroutine int32
	op        schedule.Op
	selects   bool  // a case of a select
	alt       int32 // the case, the value of a Choice, else 0
	object    run.ObjectID
	offset    int32
	cells     int32 // from offset on
	site      run.SiteID
	cond      expr.ID // of Branch and Assume
	child     int32   // the goroutine that a Spawn starts
	// from is, for an opaque read, the write of another goroutine that it takes
	// its value from; 0 for what it takes without interference.
	from nodeID
}

// A node is an event of a goroutine.
type node struct {
	label
	parent  nodeID
	jump    nodeID // an ancestor further up, for skipping
	first   nodeID // child
	sibling nodeID // next child of the parent
	start   nodeID // first event of the goroutine
	depth   int32  // number of ancestors
	index   int32  // in the goroutine's events of a run; -1 for the root

	loc  locID             // of the first part
	kind run.ConditionKind // of Branch
	side int8              // of Branch: 1 when the code's condition was true, else 0
	// seen is set when a run has shown the event; a node that is not seen was
	// inferred: a dangling node.
	seen bool
	// opaque says that the event reads a value without a symbol: of a map, or of
	// floating point. What the goroutine does after it may depend on the value
	// without a branch on it to tell, so that the source of the value is part
	// of what tells the event from others.
	opaque     bool
	opaquePart int32 // the first part of an opaque read that has no symbol
	delta      int64 // of WaitGroupAdd
	// part is the index in forest.parts of the first cell that the event is on;
	// there are cells of them.
	part int32
}

// A part is what an event does to one cell, or to what it is on.
type part struct {
	loc locID
	// What a seen event read and wrote. The value written is wroteSym, or wrote
	// when that is None.
	readSym  expr.ID
	wroteSym expr.ID
	wrote    uint64
	known    bool // wroteSym and wrote are known
	// local is the write that a read takes its value from unless another
	// goroutine interferes: the nearest ancestor that writes the cell, 0 for
	// the initial value. Receives are treated apart, see [view.localFeed].
	local nodeID
}

// A readName names a cell of a read by the reading goroutine and the event's
// index there: read symbols are shared by the nodes that are alternatives to
// each other.
type readName struct {
	goroutine int32
	index     int32 // -1: the variable is no read symbol
	part      int32
}
