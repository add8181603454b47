package forest

import (
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A NodeID names a node of a forest; 0 is none.
type NodeID int32

// A Label is what tells the nodes with one parent apart.
type Label struct {
	Goroutine int32
	Op        schedule.Op
	Select    bool  // a case of a select
	Alt       int32 // the case, the value of a Choice, else 0
	Object    run.ObjectID
	Offset    int32
	Cells     int32 // from offset on
	Site      run.SiteID
	Cond      expr.ID // of Branch and Assume
	Child     int32   // the goroutine that a Spawn starts
	// From is, for an opaque read, the write of another goroutine that it takes
	// its value from; 0 for what it takes without interference.
	From NodeID
}

// A Node is an event of a goroutine.
type Node struct {
	Label
	Parent      NodeID
	jump        NodeID // an ancestor further up, for skipping
	FirstChild  NodeID // child
	NextSibling NodeID // next child of the parent
	Start       NodeID // first event of the goroutine
	depth       int32  // number of ancestors
	Index       int32  // in the goroutine's events of a run; -1 for the root

	Loc  LocID             // of the first part
	Kind run.ConditionKind // of Branch
	Side int8              // of Branch: 1 when the code's condition was true, else 0
	// Seen is set when a run has shown the event; a node that is not seen was
	// inferred: a dangling node.
	Seen bool
	// Opaque says that the event reads a value without a symbol: of a map, or of
	// floating point. What the goroutine does after it may depend on the value
	// without a branch on it to tell, so that the source of the value is part
	// of what tells the event from others.
	Opaque     bool
	OpaquePart int32 // the first part of an opaque read that has no symbol
	Delta      int64 // of WaitGroupAdd
	// part is the index in forest.parts of the first cell that the event is on;
	// there are cells of them.
	part int32
}

// A Part is what an event does to one cell, or to what it is on.
type Part struct {
	Loc LocID
	// What a seen event read and wrote. The value written is wroteSym, or wrote
	// when that is None.
	ReadSym  expr.ID
	WroteSym expr.ID
	Wrote    uint64
	Known    bool // wroteSym and wrote are known
	// Local is the write that a read takes its value from unless another
	// goroutine interferes: the nearest ancestor that writes the cell, 0 for
	// the initial value. Receives are treated apart, see [view.localFeed].
	Local NodeID
}

// A ReadName names a cell of a read by the reading goroutine and the event's
// index there: read symbols are shared by the nodes that are alternatives to
// each other.
type ReadName struct {
	Goroutine int32
	Index     int32 // -1: the variable is no read symbol
	Part      int32
}
