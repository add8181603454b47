package run

// An ObjectID names an object: the goroutine that allocated it and that
// goroutine's count of allocations. It means the same object in different
// interleavings of the same path. An object that no goroutine allocates has a
// negative Goroutine, such as GlobalObjects.
type ObjectID struct {
	Goroutine int32 // index in Names
	Count     int32
}

// An Allocation is what objects have in common of one type that one function has allocated, or one cell
// of each of them.
type Allocation struct {
	Type int32 // its number in the program, or -1
	Func int32 // its number in the machine, or 0
	Cell int32 // 1 + the offset of the cell, 0 for the objects as a whole
}

// The goroutines of objects that no goroutine allocates.
const (
	GlobalObjects   = -1 // global variables
	ConstantObjects = -2 // constant strings, function values and types, which are never written
	InputObjects    = -4 // inputs, by their numbers (package shape)
	HiddenObjects   = -3 // parts of other objects to which the program has no pointer, such as the tables of maps
)

// Objects that stand for state of the machine rather than of the program.
var (
	NoObject         = ObjectID{Goroutine: -1, Count: -1} // no object at all
	ClockObject      = ObjectID{Goroutine: -1, Count: -2} // the virtual time
	GoroutinesObject = ObjectID{Goroutine: -1, Count: -3} // the number of goroutines
	CollectorObject  = ObjectID{Goroutine: -1, Count: -4} // the finalizers, cleanups and weak pointers
	GoalObject       = ObjectID{Goroutine: -1, Count: -6} // where goroutines are on the way to the places of a goal
	PoolsObject      = ObjectID{Goroutine: -1, Count: -5} // the pools that a collection empties
)

// NoSite is the site of an event that no instruction causes.
var NoSite = SiteID{Func: -1, Instr: -1}
