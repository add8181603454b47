package forest

import (
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A NodeID names a node of a forest; 0 is none.
type NodeID int32

// A Label is what distinguishes the children of a node.
type Label struct {
	Goroutine int32
	Op        schedule.Op
	Select    bool  // a case of a select
	Alt       int32 // the case, the value of a Choice, else 0
	Object    run.ObjectID
	Offset    int32
	Cells     int32 // number of locations from Offset on
	Site      run.SiteID
	Cond      expr.ID // of Branch and Assume
	Child     int32   // the goroutine that a Spawn starts
	// From is, for an opaque read, the write of another goroutine that it takes its value
	// from, 0 if there is no interference.
	From NodeID
}

// A Node is an event of a goroutine.
type Node struct {
	Label
	Parent      NodeID
	FirstChild  NodeID
	NextSibling NodeID // next child of Parent
	lastChild   NodeID
	numChildren int32
	Start       NodeID // first event of the goroutine
	Index       int32  // in the goroutine's events of a run; -1 for the root
	depth       int32  // number of ancestors
	jump        NodeID // an ancestor further up: see Forest.Child

	Loc   LocID             // of the first part
	Kind  run.ConditionKind // of Branch
	Side  int8              // of Branch: 1 if the code's condition was true, else 0
	Delta int64             // of WaitGroupAdd
	// Seen says that a run has shown the event. A node that is not seen was inferred: a
	// dangling node.
	Seen bool
	// Opaque says that the event reads a value without a symbol: of a map, or of floating
	// point. What the goroutine does after it may depend on the value without a branch that
	// shows this. So opaque reads with different sources are different events: see
	// Label.From.
	Opaque     bool
	OpaquePart int32 // the first part of an opaque read that has no symbol
	// part is the index in Forest.parts of the first of the node's parts; there are Cells.
	part int32
}

// A Part is what an event does on one of its locations.
type Part struct {
	Loc LocID
	// What a seen event read and wrote. The value written is WroteSym, or Wrote if that is
	// None.
	ReadSym  expr.ID
	WroteSym expr.ID
	Wrote    uint64
	Known    bool // WroteSym and Wrote are known
	// Local is, for a read of memory, the write that it takes its value from unless another
	// goroutine interferes: the nearest ancestor that writes there, 0 for the initial value.
	Local NodeID
}

// A ReadName names a part of a read by the reading goroutine and the event's index there.
// Nodes that are alternatives to each other share their read symbols.
type ReadName struct {
	Goroutine int32
	Index     int32 // -1: the variable is no read symbol
	Part      int32
}
