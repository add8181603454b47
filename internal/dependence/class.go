package dependence

// A Class says which orders are looked at.
type Class struct {
	Locks  Locks
	Reads  Reads
	Writes bool // to a cell stay in their order
}

// The classes, from the narrowest to the widest.
var (
	Strict = Class{Locks: StrictLocks, Reads: AllReads, Writes: true}
	Said   = Class{Locks: FreeLocks, Reads: AllReads}
	Huang  = Class{Locks: FreeLocks, Reads: BranchReads}
	Blind  = Class{Locks: FreeLocks, Reads: AnyReads}
	Loose  = Class{Locks: AnyLocks, Reads: AnyReads}
)

// Locks says how critical sections are ordered.
type Locks uint8

// How critical sections are ordered.
const (
	AnyLocks    Locks = iota // not at all
	FreeLocks                // sections that exclude each other do not overlap
	StrictLocks              // and stay in their order
)

// Reads says what a read has to see.
type Reads uint8

// What a read has to see.
const (
	AnyReads    Reads = iota // anything
	BranchReads              // the same value, if a branch that is kept can depend on it
	AllReads                 // the same value
)
