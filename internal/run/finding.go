package run

// A Finding is something wrong with the run.
type Finding struct {
	Kind      FindingKind
	Message   string // as Go prints it, without the goroutine dump
	Goroutine int32
	Site      SiteID
	Stack     []Frame
	Other     *Finding // the other access of a race, …
}

// A FindingKind classifies findings.
type FindingKind uint8

// The kinds of findings.
const (
	Panic FindingKind = iota
	TestFailure
	FatalError // misuse of a primitive: unlock of unlocked mutex, concurrent map writes, …
	Deadlock
	Leak
	Race
	Livelock // goroutines run for ever and get nowhere
)

// A Frame is a line of a call stack.
type Frame struct {
	Func string
	Site SiteID
}

var findingNames = [...]string{
	Panic: "panic", TestFailure: "test failure", FatalError: "fatal error",
	Deadlock: "deadlock", Leak: "leak", Race: "data race", Livelock: "livelock",
}

// String returns the kind's name as reports and run files have it.
func (k FindingKind) String() string { return findingNames[k] }
