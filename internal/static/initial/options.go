package initial

import "github.com/everyway-go/everyway/internal/static/callgraph"

// Options say what is not made use of, so that what it is worth can be measured. The zero Options
// make use of all that is known. Whatever is left out, the context has the same states and more;
// with Presume it may have fewer.
type Options struct {
	// NoDefinitions leaves out what is known of values (Bergan's reaching definitions): registers,
	// branches that every path takes in the same way, what callers pass, and memory.
	NoDefinitions bool
	// NoSynchronisation leaves out what is known of synchronisation (his synchronisation
	// invariants): that locks are held for sure, and that nobody but the goroutines of the context
	// holds one or waits at a condition. What may be held still may be, and one lock is held by one
	// goroutine at most.
	NoSynchronisation bool
	// Presume takes for granted that what the code uses, and does not compare with nil, is not nil,
	// which the context then says. No conclusion about all runs may rest on it.
	Presume bool
	// Variables are of the same analysis, and known from other contexts; nil if there are none.
	Variables *Variables
	// Others reports whether another goroutine than those of the context may run a function. If it
	// is nil, there are no others.
	Others func(*callgraph.Node) bool
}
