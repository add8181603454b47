// Package objects makes objects that are reached, or not, from a goroutine that is blocked.
package objects

// A node is an object; the variables below say where its pointers are when the goroutine of
// a function is blocked.
type node struct {
	name string
	next *node
}

// made has all nodes, and pairs of nodes that refer to each other.
var made []*node

func make1(name string) *node {
	n := &node{name: name}
	made = append(made, n)
	return n
}

func block() { <-(chan int)(nil) }

// Registers: kept is needed after the call.
func Registers() string {
	kept, dropped := make1("kept"), make1("dropped")
	dropped.next = make1("behind a dropped one")
	kept.next = make1("kept behind another")
	kept.next.next = kept
	block()
	return kept.name
}

// Arguments: those of the call at which the goroutine is blocked are not needed by the caller.
func Arguments() {
	hold(make1("kept"), make1("dropped"))
}

func hold(kept, _ *node) string {
	block()
	return kept.name
}

// Closures: a closure has what it captures until it has loaded it.
func Closures() {
	kept, called, dropped := make1("kept"), make1("kept by the call"), make1("dropped")
	later := func() string { return kept.name }
	func() {
		_ = dropped.name
		block()
		_ = called.name
	}()
	later()
}

// Deferred calls have their functions and arguments.
func Deferred() {
	kept, argument := make1("kept"), make1("kept as an argument")
	defer func() { _ = kept.name }()
	defer func(*node) {}(argument)
	make1("dropped")
	block()
}

// Panicking: the value of a panic is kept while the deferred calls run.
func Panicking() {
	defer block()
	panic(make1("kept"))
}

// Buffered: the elements that a channel holds are kept, and not those that it has held.
func Buffered() {
	c := make(chan *node, 3)
	c <- make1("dropped")
	c <- make1("kept")
	<-c
	c <- make1("kept, too")
	block()
	<-c
}

// Maps: what has been deleted is not kept.
func Maps() {
	m := map[*node]*node{}
	gone := make1("dropped")
	for range 20 {
		m[make1("kept")] = make1("kept as a value")
	}
	m[gone] = make1("dropped")
	delete(m, gone)
	block()
	clear(m)
}

// Interfaces, slices and pointers into objects.
func Values() {
	var x any = make1("kept")
	s := []*node{make1("kept in an array"), make1("kept beside it")}[1:]
	into := &make1("kept as a whole").name
	block()
	_, _, _ = x.(*node).name, s[0].name, *into
}
