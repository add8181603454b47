package schedule

// The binary encoding says of an event first its context, which is its operation, its location, and
// which of its optional parts there are. Contexts are numbered as they appear, and the one that
// followed last time, in the same goroutine, is expected to follow again: if it does, it takes no
// room. The numbers in an event are differences to those of the last event of its context, since a
// loop counts.

// A contextKey identifies a context.
type contextKey struct {
	op       Op
	shape    shape
	location LocationID
}

// A shape says which optional parts an event has.
type shape uint16

// The bits of a shape. Those below are the kind of the value.
const (
	valueBits   shape = 1<<4 - 1
	resultBit   shape = 1 << 4
	leftBit     shape = 1 << 5
	caseBit     shape = 1 << 6
	childBit    shape = 1 << 7
	timeBit     shape = 1 << 8
	dependsBit  shape = 1 << 9
	offsetBit   shape = 1 << 10 // the offset is not 0
	tryBit      shape = 1 << 11
	casesBit    shape = 1 << 12
	impliedBit  shape = 1 << 13
	noteBit     shape = 1 << 14 // there are notes
	annotations       = timeBit | dependsBit | tryBit | impliedBit | noteBit
)

// maxContexts is how many contexts there are at most. Then they are numbered anew.
const maxContexts = 1 << 20

// A context is a context with the last event that has it.
type context struct {
	contextKey
	next   uint32 // the context that has followed in the same goroutine; 0 if there is none
	object ObjectID
	offset int64
	bits   uint64
	number int64
	name   NameID
}

// shapeOf returns the shape of an event.
func shapeOf(e *Event) shape {
	s := shape(e.Value.Kind) & valueBits
	if e.Result != 0 {
		s |= resultBit
	}
	if e.Left != 0 {
		s |= leftBit
	}
	if e.Case != NoCase {
		s |= caseBit
	}
	if e.Child != NoGoroutine {
		s |= childBit
	}
	if e.Offset != 0 {
		s |= offsetBit
	}
	if len(e.Cases) > 0 {
		s |= casesBit
	}
	s &= optional[e.Op]
	if e.plain() {
		return s
	}
	if e.Time != 0 {
		s |= timeBit
	}
	if len(e.Depends) > 0 {
		s |= dependsBit
	}
	if e.Try {
		s |= tryBit
	}
	if e.Implied {
		s |= impliedBit
	}
	if e.notes() != 0 {
		s |= noteBit
	}
	return s
}

// plain reports whether an event has none of the parts that few events have: lists, cases, and
// annotations other than a location.
func (e *Event) plain() bool {
	return e.Time|e.Source == 0 && len(e.List)|len(e.Depends)|len(e.Cases) == 0 && !e.Try && !e.Implied &&
		e.ReadAs == Value{} && e.WroteAs == Value{} && !concerns[e.Op] && !names[e.Op] && e.Op != New
}

// The notes of an event are annotations that are rare: in the binary encoding, a number whose
// bits say which of them there are stands before them.
type notes uint8

const (
	cellNote      notes = 1 << iota // of the operations in concerns
	nameNote                        // of the operations in names
	allocatorNote                   // of New
	valuesNote
	sourceNote

	allNotes = 1<<iota - 1
)

// notes returns which notes e has.
func (e *Event) notes() (n notes) {
	if e.Object != 0 && concerns[e.Op] {
		n |= cellNote
	}
	if e.Name != 0 && names[e.Op] {
		n |= nameNote
	}
	if e.Allocator != 0 && e.Op == New {
		n |= allocatorNote
	}
	if e.ReadAs.Kind != NoValue || e.WroteAs.Kind != NoValue {
		n |= valuesNote
	}
	if e.Source != 0 {
		n |= sourceNote
	}
	return n
}

// notesOf returns which notes an event of operation op can have.
func notesOf(op Op) notes {
	n := valuesNote | sourceNote
	if concerns[op] {
		n |= cellNote
	}
	if names[op] {
		n |= nameNote
	}
	if op == New {
		n |= allocatorNote
	}
	return n
}

// optional holds the shape that has all the optional parts of each operation.
var optional = func() (list [NumOps]shape) {
	bits := map[operand]shape{
		cellOperand: offsetBit, valueOperand: valueBits, resultOperand: resultBit, leftOperand: leftBit,
		caseOperand: caseBit, childOperand: childBit, newChild: childBit,
	}
	for op := range list {
		for _, o := range forms[op].operands {
			list[op] |= bits[o]
		}
	}
	for _, op := range [...]Op{Send, Recv, RecvClosed, SelectDefault} {
		list[op] |= casesBit
	}
	return list
}()

// zigzag maps numbers of small magnitude to small numbers.
func zigzag(n int64) uint64 { return uint64(n)<<1 ^ uint64(n>>63) }

// zagzig is the inverse of zigzag.
func zagzig(u uint64) int64 { return int64(u>>1) ^ -int64(u&1) }

// The number of a context stands after these in the first number of a record.
const (
	expectedContext = iota
	newContext
	newName
	newLocation
	forgetContexts
	endOfSchedule
	firstContext
)

// The lowest bits of the first number of a case.
const (
	receivesCase = iota
	sendsCase
	defaultCase
	otherCase // whose operation follows
)

// binaryMagic begins a schedule in the binary encoding.
const binaryMagic = "\xf5everyway\n"
