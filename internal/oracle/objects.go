package oracle

// A Context is a context, or a function that is called when a context is cancelled, which package
// context treats as a child of that.
type Context struct {
	Kind   ContextKind
	Parent int // one of the contexts, or NoParent
	Units  int // Expires: of time, after which it does
	// Body is what a Calls does, or, for an Expires, the body that only has the Expire of the
	// context: that of the goroutine of its timer.
	Body int
}

// NoParent is the parent of a context that is derived from context.Background.
const NoParent = -1

// A ContextKind says which function of package context makes a context.
type ContextKind uint8

// The kinds of contexts.
const (
	Cancels ContextKind = iota // WithCancel
	Causes                     // WithCancelCause
	Expires                    // WithTimeout
	Calls                      // AfterFunc
)

// A Kept is a function that is called once, and whose result is kept. It has local variables of its
// own, and shows nothing.
type Kept struct {
	Func  []Stmt
	Value bool // it returns its first local variable: else nothing
}

// A Node is an object that may be collected.
type Node struct {
	Next int // the node that it points to, -1 if there is none
	Kind NodeKind
	Body int // its finalizer or cleanup
}

// A NodeKind says what happens when a node is collected.
type NodeKind uint8

// The kinds of nodes.
const (
	Weak NodeKind = iota // the weak pointer becomes nil, as those of all kinds
	Finalized
	Cleaned
)

// MaxNodes bounds the number of nodes.
const MaxNodes = 2
