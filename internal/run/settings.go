package run

import (
	"cmp"
	"math"
	"time"
)

// AnyStall is a Settings.Stall without limit.
const AnyStall time.Duration = math.MaxInt64

// Settings are what a run depends on besides its plan. They are the same for all runs of
// a search.
type Settings struct {
	Limits Limits
	// Stall is how long goroutines that could run can be kept waiting while time passes: a
	// computation can be slower than a time-out. If it is 0, time passes only when nothing
	// else can happen; if it is AnyStall, without limit.
	Stall  time.Duration
	MaxLen int // length of the longest string or slice that is drawn as an input
	// MaxObjects is how many objects of a type are inputs, at most, and MaxChain how many
	// pointers, one behind the other, lead to one.
	MaxObjects, MaxChain int
	// Signals is how many signals come from outside, at most, of those that the program asks
	// for.
	Signals int
	// Processors is how many the program is told there are; 0 means DefaultProcessors.
	Processors int
	Network    Network
	// Short and Verbose are what testing.Short and testing.Verbose report.
	Short, Verbose bool
	// Run and Skip say which subtests are run, as the flags -run and -skip of go test do. They
	// are empty if all are.
	Run, Skip string
	// Concrete says that inputs have no symbolic values. It is for callers that run a
	// program without searching.
	Concrete bool
	// GoesOn says that a run goes on when its main goroutine can never be woken again, as long as others do.
	GoesOn bool
	// Goal is the state in which runs end; nil for none.
	Goal *Goal
}

// DefaultProcessors is how many processors a program is told there are, unless Settings say it.
const DefaultProcessors = 4

// A Network says what can happen to what is sent over a connection.
type Network string

// The networks.
const (
	// Whole is a network that delivers at once all that was written. It is the zero value.
	Whole Network = ""
	// Pieces is a network that delivers data in order, but in any pieces.
	Pieces Network = "pieces"
	// Breaks is like Pieces, and a connection can break.
	Breaks Network = "breaks"
)

// Valid reports whether there is such a network.
func (n Network) Valid() bool { return n == Whole || n == Pieces || n == Breaks }

// Limits bound a run. A run that exceeds one ends with outcome Bounded. Zero means that
// there is no limit.
type Limits struct {
	Instructions uint64 // executed in one run; package initialisers may take a multiple of it, once
	Memory       int64  // in bytes, in use at the same time
	Depth        int    // frames of one goroutine
	Goroutines   int    // alive at the same time
	Decisions    int    // of one run
}

// Or returns l with the limits of other where l has none.
func (l Limits) Or(other Limits) Limits {
	return Limits{
		Instructions: cmp.Or(l.Instructions, other.Instructions),
		Memory:       cmp.Or(l.Memory, other.Memory),
		Depth:        cmp.Or(l.Depth, other.Depth),
		Goroutines:   cmp.Or(l.Goroutines, other.Goroutines),
		Decisions:    cmp.Or(l.Decisions, other.Decisions),
	}
}
