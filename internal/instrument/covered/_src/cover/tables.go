package cover

// A node is an operation of a schedule, or a marker that a goroutine passes.
type node struct {
	place int32 // where it is in the source, by its number; -1 if that does not matter
	kind  uint8 // schedule.Op, or bypass
	alt   int16 // case of a select, -1 for default
	child int16 // goroutine that is started
	from  after // what a receive has its value from, if the node of it is at least 0
	after []after
}

// An after is a node of another goroutine: one of its nodes.
type after struct{ goroutine, node int32 }

// The kinds of nodes, which are the operations of package schedule by their numbers there.
const bypass = 255

// An end is how a goroutine ends an epoch.
type end struct {
	kind  uint8
	place int32
}

// The kinds of ends of a goroutine.
const (
	marked = iota
	blocked
	ended
)

// A plan is a schedule.
type plan struct {
	nodes [][]node // by goroutines: those of the epoch, and those that are started in it
	ends  []end    // by goroutines, unless the program ends
	kind  uint8
	next  int32 // epoch
	by    int32 // goroutine with which the program dies
	// numbers are those of the goroutines in the next epoch, -1 if they have ended.
	numbers []int32
	when    string // for people
}

// The kinds of plans, by how they end.
const (
	exits = iota
	goesOn
	deadlocks
	dies // before function main returns
)

// An epoch has plans, and a decision tree that chooses one.
type epoch struct {
	name       string // for people
	goroutines int32
	plans      []plan
	tree       []decision
	root       int32 // as in a decision
	inputs     []input
	// alike are goroutines that are at equal places, and which conditions tell apart.
	alike [][]int32
}

// A decision goes on to another one, or is for a plan, whose number is inverted, or for none.
type decision struct {
	condition int32 // term
	yes, no   int32
}

const none = -1 << 31 // no plan

// An input is a value at the beginning of an epoch.
type input struct {
	kind      uint8
	name      string // of an input of the program
	slot      int32  // of a variable, or the decision
	time      int32  // how often the goroutine has come to the decision before
	goroutine int32  // whose variable it is
	width     uint8
	steps     []pathStep // from the variable to the value
	// ranged says that package sym draws a number that is at most size above low.
	ranged    bool
	low, size uint64
}

// A pathStep leads from the address of a value to that of another one.
type pathStep struct {
	kind    uint8
	n, size int
}

// The kinds of steps.
const (
	offset   = iota // of a field or of an element of an array
	deref           // what a pointer leads to
	element         // of a slice or string
	length          // of one
	buffered        // what is received from a channel after n others
)

// The kinds of inputs.
const (
	drawn = iota // by package sym
	local
	global
	decided // which way a goroutine goes where that is no input; known when it comes there
)

// A term is an expression: an operator of package expr by its number, and earlier terms.
type term struct {
	op      uint8
	width   uint8
	lo      uint8 // of an extract
	of      uint8 // width of the first operand
	a, b, c int32
	value   uint64 // of a constant, and the number of an input of the epoch
}

// A site is a place in the program that takes part: an operation or a marker.
type site struct {
	name   string
	places []int32 // the numbers of its places
}
