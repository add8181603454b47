package run

// A Bound is a limit within which the runs of a search are all there are. A verdict
// "holds" names the bounds that made a difference to some run.
type Bound uint8

// The bounds.
const (
	// WholeReads: a read from a connection returned all that had been written, where a
	// network could have delivered it in pieces.
	WholeReads Bound = iota
	// Unbroken: a connection was used that could have broken.
	Unbroken
	// FewPieces: a read from a connection returned one of a few pieces of what had been
	// written, of many.
	FewPieces
	// OutsideSignals: the program has asked for signals, of which more could have come.
	OutsideSignals
	// MapAdditions: an iteration over a map did not visit an entry that was made meanwhile,
	// because it had visited many of them.
	MapAdditions
	// RangeEarlier: sync.Map.Range could have shown an earlier state of a key.
	RangeEarlier
	// StacksRead: the program has looked at the stacks of all goroutines.
	StacksRead
	// Addresses: the program has used the address of an object as a number.
	Addresses
	// InitChoices: package initialisers made choices that are the same in every run: the
	// order of a map, a random number.
	InitChoices
	// Collection: the program has set finalizers or cleanups, or made weak pointers.
	// Objects could have been collected at other times.
	Collection
	// ClockPolls: a goroutine that had read the clock many times waited for time to pass,
	// while others could run.
	ClockPolls
	// ReadingValues: the program has computed with what it read on the clock other than by
	// sums, differences and comparisons, or shown it. The reading has only one value then.
	ReadingValues
	// Processors: the program has asked how many processors there are.
	Processors
	// RunsCut: goroutines went on to take steps after the target had returned, and the run
	// was cut short.
	RunsCut
	// WritersAtOnce: RWMutex.TryLock has taken a lock that others could use. Natively it also fails while somebody is
	// in a call of Lock, Unlock or TryLock and keeps readers out no more, or not yet.
	WritersAtOnce
)

// Bounds is a set of bounds.
type Bounds uint32

// Add adds b to the set.
func (s *Bounds) Add(b Bound) { *s |= 1 << b }

// Has reports whether b is in the set.
func (s Bounds) Has(b Bound) bool { return s>>b&1 != 0 }

// boundNames says in a verdict what each bound is.
var boundNames = [...]string{
	WholeReads:     "connections that bring at once what was written",
	Unbroken:       "connections that do not break (-network)",
	FewPieces:      "reads of more than 8 bytes that bring one byte, a half, all but one byte, or all",
	OutsideSignals: "no more signals from outside than -signals says",
	MapAdditions:   "iterations over a map that visit at most 4 of the entries made meanwhile",
	RangeEarlier:   "sync.Map.Range that shows each key as it is when the key is visited",
	StacksRead:     "stacks of other goroutines that are between operations on shared state are not shown",
	Addresses:      "addresses in the order of allocation",
	InitChoices:    "package initialisers that find maps in one order and draw the same random numbers",
	Collection:     "garbage collection at runtime.GC and when nothing else can happen",
	ClockPolls:     "goroutines that read the clock 64 times without waiting then wait for time to pass",
	Processors:     "4 processors, or as many as -processors says",
	RunsCut:        "steps that end soon after the target has returned, where goroutines run on",
	WritersAtOnce:  "calls of RWMutex.TryLock that fail only while somebody holds the lock or waits for it",
	ReadingValues:  "one value of each clock reading that is formatted, multiplied or the like",
}

// Names returns what the bounds in the set are, as verdicts name them.
func (s Bounds) Names() []string {
	var list []string
	for b, name := range boundNames {
		if s.Has(Bound(b)) {
			list = append(list, name)
		}
	}
	return list
}

// A PlacedBound is a bound, as those of Bounds are, that a verdict names together with the
// places in the program that it comes from.
type PlacedBound struct {
	Name string // one of the constants below, or a bound of shapes
	Site SiteID // NoSite if it does not come from one place
}

// The names of placed bounds.
const (
	// OneNumber: a random number was used in a way in which only one value of it was tried.
	OneNumber = "one value of a random number that is hashed, multiplied, formatted or the like"
	// OneLater: a run has drawn very many random numbers.
	OneLater = "one value of each random number after the first 256 of a run"
	// OneKey: a long random key was drawn.
	OneKey = "one value of a random key of more than 8 bytes"
	// OneHashSeed and OneMapSeed: the seed of a hash was drawn, or that of sync.Map's.
	OneHashSeed = "one seed of hash/maphash"
	OneMapSeed  = "one seed of the hash of sync.Map"
	// OneNetNumber: package net has drawn a number.
	OneNetNumber = "one random number of package net"
)
