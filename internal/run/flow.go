package run

// A Flow is what a run has done that decides which of its accesses race, in order: who has learned of what,
// and who has accessed what. [Plan].ForgetKnowledge makes the machine record it.
type Flow struct{ Steps []FlowStep }

// A FlowStep is an element of a Flow.
type FlowStep struct {
	Op   FlowOp
	Kind AccessKind // of Accessed
	// Indexed says that the access is to one of the Cells, at an index that depends on inputs. What
	// is in the others then depends on what was there before.
	Indexed bool
	// Cells is, of Accessed, the number of cells, and Of what has allocated the object, for its first cell.
	Cells int32
	Of    Allocation
	// To is whose clock changes, or who accesses memory.
	To Holder
	// From is whose clock the other one is joined with, or replaced by. Of Accessed it is the first of the cells.
	From Holder
}

// A FlowOp says what a FlowStep does.
type FlowOp uint8

// The FlowOps.
const (
	Joined   FlowOp = iota // the clock of To has been joined with that of From
	Replaced               // it has been replaced by that of From
	Accessed               // To has accessed memory
	Lost                   // an access to memory that has no name
)

// A Holder names a vector clock: that of a goroutine or a timer, or one that has been left for others to
// acquire. What happens before a step is what the clock of its goroutine covers.
type Holder struct {
	Kind HolderKind
	// Object is what has the clock. Its Goroutine is, of a goroutine, its number and, of a timer, that of the
	// goroutine that has set it. The Count is 0 then.
	Object ObjectID
	// Index is the offset of a cell, the index of an element, or the number of timers that the goroutine
	// had set before the timer.
	Index int32
}

// A HolderKind says what has a clock.
type HolderKind uint8

// The kinds of Holders.
const (
	NoHolder        HolderKind = iota // a clock without a name
	GoroutineHolder                   // a goroutine
	WakeupHolder                      // a goroutine that has been notified: what whoever notified it knows
	TimerHolder                       // a timer
	CellHolder                        // a lock, another primitive, or a cell that is accessed atomically
	ReadersHolder                     // the readers of a lock
	CloseHolder                       // the end of a channel
	ElementHolder                     // an element of the buffer of a channel
)

// HasGoroutine reports whether Object is a goroutine.
func (h Holder) HasGoroutine() bool { return GoroutineHolder <= h.Kind && h.Kind <= TimerHolder }

// An AccessKind says how memory is accessed, as far as that decides with what an access can race.
type AccessKind uint8

// The kinds of accesses.
const (
	PlainWrite AccessKind = iota
	PlainRead
	AtomicRead // one that is a visible operation
	AtomicWrite
	GroupWait    // a Wait of a wait group; among earlier accesses, one that had to wait
	GroupAdd     // an Add that raises the counter of a wait group from zero
	IndexedRead  // a read at an index that depends on inputs
	IndexedWrite // a write at one
	CountAdd     // an Add, with Plan.AddsCommute
	CountWait    // a Wait, with Plan.AddsCommute
	HiddenRead   // an atomic read that is no visible operation (Visible.HideAtomics)
	HiddenAdd    // an addition to an atomic variable that is none
	BeforeAtomic // a visible atomic operation that may depend on the sum of hidden additions, before its goroutine learns what those know that have made them
	Use          // by a lock or another primitive

	NumAccessKinds = iota
)

// An AccessKinds is a set of AccessKinds.
type AccessKinds uint16

// Of returns the set that contains k.
func (k AccessKind) Of() AccessKinds { return 1 << k }

// Races returns the kinds of later accesses with which an access of kind k races, or of which it matters
// otherwise whether they are ordered with it.
func (k AccessKind) Races() AccessKinds { return races[k] }

const (
	writes AccessKinds = 1<<PlainWrite | 1<<AtomicWrite | 1<<HiddenAdd
	reads  AccessKinds = 1<<PlainRead | 1<<AtomicRead | 1<<HiddenRead | 1<<Use
)

var races = [...]AccessKinds{
	PlainWrite:   writes | reads,
	PlainRead:    writes,
	AtomicRead:   1 << PlainWrite,
	AtomicWrite:  1<<PlainWrite | 1<<PlainRead | 1<<HiddenRead,
	GroupWait:    1 << GroupAdd,
	GroupAdd:     1 << GroupWait,
	IndexedRead:  writes,
	IndexedWrite: writes | reads,
	CountAdd:     1 << CountWait,
	CountWait:    1 << CountAdd,
	HiddenRead:   writes | 1<<Use,
	HiddenAdd:    1<<PlainWrite | 1<<PlainRead | 1<<HiddenRead | 1<<BeforeAtomic | 1<<Use,
	BeforeAtomic: 1 << HiddenAdd,
	Use:          1<<PlainWrite | 1<<HiddenRead | 1<<HiddenAdd,
}

// A Knowledge says who knows of which access in a state of a run. It is what Plan.ForgetKnowledge leaves out
// of fingerprints.
type Knowledge struct {
	Holders []Holder
	// Accesses are those with which later ones can race: not all goroutines and timers that can reach the
	// object know of them.
	Accesses []EarlierAccess
	// Once has the kinds of those of which it only counts that there are some.
	Once []KindOfAccess
	// Goroutines are those that have not ended, as in a Naming.
	Goroutines []NamedGoroutine
	// Hash is the same for states with the same fingerprint in which the same is known.
	Hash Fingerprint
}

// An Interest says what counts of accesses of a kind to what has been allocated in one place.
type Interest uint8

const (
	Ignored Interest = iota // nothing
	Once                    // whether there are some of which not all know
	Listed                  // who knows of which
)

// DistinctCells is the largest Cell of an Allocation of which the Interest can be another one than
// that of the cells after it.
const DistinctCells = 64

// A KindOfAccess is a kind of accesses to cells that have been allocated alike.
type KindOfAccess struct {
	Of   Allocation
	Kind AccessKind
}

// An EarlierAccess is an access that the run has made.
type EarlierAccess struct {
	Object ObjectID
	Offset int32 // of the cell, -1 if it may be any
	Kind   AccessKind
	Of     Allocation // of the cell, or of the object as a whole
	Known  []uint64   // who knows of it, a bit for each of Knowledge.Holders
}
