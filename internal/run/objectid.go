package run

// An ObjectID names an object: the goroutine that allocated it and that
// goroutine's count of allocations. It means the same object in different
// interleavings of the same path. An object that no goroutine allocates has a
// negative Goroutine, such as GlobalObjects.
type ObjectID struct {
	Goroutine int32 // index in Names
	Count     int32
}

// countBits is the number of bits of a count of allocations, and of an offset, in the number of a pointer.
const countBits = 24

// The counts of arrays behind slices and strings that are inputs, and of variables in interfaces
// that are. No pointer of the input leads to these, so their numbers are not among those that the
// value of an input can be.
const (
	FirstInputArray = 1 << 21
	LastInputArray  = 1<<22 - 1
)

// FirstInputFunc is the first of the numbers that stand for functions of the program, where other
// numbers stand for objects that are inputs.
const FirstInputFunc = 1 << 20

// isInput reports whether the value of an input can lead to the object.
func (id ObjectID) isInput() bool {
	return id.Goroutine == InputObjects && (id.Count < FirstInputArray || id.Count > LastInputArray)
}

// PointerCode returns the number that stands for a pointer to a cell of the object in events,
// conditions and inputs. That of an object that is an input is small, as it is the value of an
// input.
func (id ObjectID) PointerCode(offset uint64) uint64 {
	if id.isInput() {
		return offset<<countBits | uint64(id.Count)
	}
	return id.Address() | offset&(1<<countBits-1)
}

// Address returns the PointerCode of the first cell of the object, unless an input can lead to it.
func (id ObjectID) Address() uint64 {
	return uint64(uint16(id.Goroutine)+1<<12)<<(2*countBits) | uint64(uint32(id.Count)&(1<<countBits-1))<<countBits
}

// Pointee is the inverse of PointerCode: it returns the object that a pointer points to and the offset.
func Pointee(code uint64) (id ObjectID, offset int) {
	count, low := int32(code>>countBits&(1<<countBits-1)), int(code&(1<<countBits-1))
	if code>>(2*countBits) == 0 {
		return ObjectID{Goroutine: InputObjects, Count: int32(low)}, int(count)
	}
	return ObjectID{Goroutine: int32(int16(uint16(code>>(2*countBits)) - 1<<12)), Count: count}, low
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
