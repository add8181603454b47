// Package cover keeps a program to input-covering schedules: its goroutines carry out operations of synchronisation in the order
// of a schedule, which is chosen for the state at the beginning of each epoch (Bergan, Avoiding State-Space Explosion in
// Multithreaded Programs with Input-Covering Schedules and Symbolic Execution, 2014, section 3.6.2).
//
// The program calls it at each operation and at each marker. A goroutine that comes to an operation which is not the next one of its
// schedule has left the set of schedules, and so has a state for which there is no schedule: the program is
// stopped, or runs on freely, as it was built.
package cover

import (
	goroutines "debug" // a directory that exists, in which the assembler can run
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"unsafe"
)

// A goroutine is one of the program's.
type goroutine struct {
	number int32 // in the epoch
	nodes  []node
	next   int32            // of the nodes
	values []unsafe.Pointer // to variables, by slots
	chosen *node            // of a select
	// pending is what is left to do when a communication is done, nil if there is none.
	pending func()
	exits   bool // it calls runtime.Goexit
	main    bool // it runs function main
}

// A progress is how far a goroutine has come in the epoch.
type progress struct {
	done     atomic.Int32 // nodes
	sleepers atomic.Int32 // goroutines that wait for it
	mu       sync.Mutex
	more     sync.Cond
	_        [64]byte
}

var (
	started atomic.Bool // function main has begun
	free    atomic.Bool // the schedules do not matter any more

	mu         sync.Mutex // for what follows
	over       = sync.Cond{L: &mu}
	current    *plan
	currentIn  int32        // epoch
	live       []*goroutine // by their numbers in the epoch; nil when they have ended
	arrived    int
	generation int // epochs so far
	said       bool

	choosing chooser
	log      *os.File // of the epochs, if EVERYWAY_COVER names one
	// done are the nodes that are done in the epoch, in their order, if there is a log: each is noted when its operation has been carried out, and before what comes after it.
	done   []after
	noting sync.Mutex // for done

	// offers are those of the epoch, an *offer by the node, an after, of the send.
	offers sync.Map

	steps [most]progress

	globals [slots + 1]unsafe.Pointer
)

func init() {
	for i := range steps {
		steps[i].more.L = &steps[i].mu
	}
}

// spins is how often a goroutine looks whether its turn has come before it sleeps.
const spins = 20

// await returns when a node of another goroutine is done, or the schedules do not matter any more.
func await(a *after) {
	p := &steps[a.goroutine]
	for i := range spins {
		if p.done.Load() > a.node {
			return
		}
		if i > spins/2 {
			runtime.Gosched()
		}
	}
	p.mu.Lock()
	p.sleepers.Add(1)
	for p.done.Load() <= a.node && !free.Load() {
		p.more.Wait()
	}
	p.sleepers.Add(-1)
	p.mu.Unlock()
}

// finish says that the next node of the goroutine is done.
func (g *goroutine) finish() {
	if log != nil {
		noting.Lock()
		done = append(done, after{g.number, g.next})
		noting.Unlock()
	}
	g.next++
	p := &steps[g.number]
	p.done.Store(g.next)
	if p.sleepers.Load() > 0 {
		p.mu.Lock()
		p.more.Broadcast()
		p.mu.Unlock()
	}
}

// at reports whether a site has a place.
func at(id, place int32) bool {
	if place < 0 || id < 0 {
		return true
	}
	for _, p := range sites[id].places {
		if p == place {
			return true
		}
	}
	return false
}

// comes reports whether the next node of the goroutine in this epoch is one of some kinds at a site.
func (g *goroutine) comes(id int32, kinds uint64) bool {
	if g.next >= int32(len(g.nodes)) {
		return false
	}
	n := &g.nodes[g.next]
	return n.kind != bypass && 1<<n.kind&kinds != 0 && at(id, n.place)
}

// take returns the next node of the goroutine when its turn has come, which is one of some kinds at a site. It reports false if the
// schedules do not matter any more.
func (g *goroutine) take(id int32, kinds uint64) (*node, bool) {
	for {
		if free.Load() {
			return nil, false
		}
		if g.next < int32(len(g.nodes)) {
			break
		}
		if g.dies() {
			return nil, false
		}
		g.arrive(blocked, id)
	}
	if !g.comes(id, kinds) {
		g.leave(id)
		return nil, false
	}
	n := &g.nodes[g.next]
	for i := range n.after {
		await(&n.after[i])
	}
	return n, !free.Load()
}

// dies reports whether the program is to end with what the goroutine does next, which is carried out when the others have done what they do before.
func (g *goroutine) dies() bool {
	if current.kind != dies || g.number != current.by {
		return false
	}
	for i, list := range current.nodes {
		if int32(i) != g.number && len(list) > 0 {
			await(&after{int32(i), int32(len(list)) - 1})
		}
	}
	return true
}

// step takes a node and says that it is done, for an operation that another one has carried out or does.
func (g *goroutine) step(id int32, kinds uint64) bool {
	if _, ok := g.take(id, kinds); !ok {
		return false
	}
	g.finish()
	return true
}

// arrive has the goroutine end the epoch. It returns when the next one has begun, or the schedules do not matter any more.
func (g *goroutine) arrive(kind uint8, id int32) {
	mu.Lock()
	defer mu.Unlock()
	if free.Load() {
		return
	}
	if current.kind == exits {
		if g.main {
			g.leaves(id) // it is to end the program
			return
		}
	} else if current.kind == dies {
		// Another goroutine is to end the program.
	} else if e := &current.ends[g.number]; e.kind != kind || kind != ended && !at(id, e.place) {
		g.leaves(id)
		return
	}
	mine := generation
	arrived++
	if kind == ended {
		live[g.number] = nil
	}
	if arrived == len(current.nodes) {
		turnOver()
	}
	for kind != ended && generation == mine && !free.Load() {
		over.Wait()
	}
}

// turnOver begins the next epoch. All goroutines are where the last one ends.
func turnOver() {
	switch current.kind {
	case exits, dies:
		return // function main is to end the program, or a panic
	case deadlocks:
		uncovered("the schedule deadlocks: " + current.when)
		return
	}
	next := current.next
	e := &epochs[next]
	list := make([]*goroutine, e.goroutines)
	for k, number := range current.numbers {
		if number >= 0 {
			list[number] = live[k]
		}
	}
	begin(next, list)
}

// begin begins an epoch with goroutines in their order, or in another one of those that are alike.
func begin(next int32, list []*goroutine) {
	e := &epochs[next]
	currentIn = next
	c := &choosing
	c.epoch, c.goroutines, c.evaluated = e, list, 0
	chosen := int32(none)
	permute(e.alike, list, func() bool {
		chosen = c.choose()
		return chosen != none
	})
	if chosen == none {
		live = list
		var b []byte
		for i := range e.plans {
			b = append(b, "\neveryway: there is a schedule for "...)
			b = append(b, e.plans[i].when...)
		}
		uncovered("there is no schedule for the state" + values(c) + string(b))
		return
	}
	current = &e.plans[chosen]
	live = make([]*goroutine, len(current.nodes))
	copy(live, list)
	for i := range live {
		steps[i].done.Store(0)
	}
	offers.Clear()
	for k, g := range list {
		g.number, g.nodes, g.next = int32(k), current.nodes[k], 0
	}
	arrived = 0
	generation++
	if log != nil {
		writeOrder()
		log.WriteString("epoch " + strconv.Itoa(int(next)) + " schedule " + strconv.Itoa(int(chosen)) + " terms " + strconv.Itoa(c.evaluated) + "\n")
	}
	over.Broadcast()
}

// writeOrder writes the order in which the nodes of the epoch were done: goroutine and node of each.
func writeOrder() {
	noting.Lock()
	defer noting.Unlock()
	if len(done) == 0 {
		return
	}
	b := []byte("order")
	for _, a := range done {
		b = append(strconv.AppendInt(append(b, ' '), int64(a.goroutine), 10), '.')
		b = strconv.AppendInt(b, int64(a.node), 10)
	}
	log.Write(append(b, '\n'))
	done = done[:0]
}

// values returns the inputs that conditions have asked for, for people.
func values(c *chooser) string {
	s := ""
	for i := range c.have {
		if c.have[i] {
			in := &c.epoch.inputs[i]
			s += ", " + in.name + " = " + strconv.FormatInt(signed(c.values[i], in.width), 10)
		}
	}
	return s
}

// permute calls try with the goroutines in all orders that differ in those that are alike, the given one first, until it
// reports true.
func permute(alike [][]int32, list []*goroutine, try func() bool) bool {
	if len(alike) == 0 {
		return try()
	}
	return orders(alike[0], list, func() bool { return permute(alike[1:], list, try) })
}

func orders(which []int32, list []*goroutine, try func() bool) bool {
	if len(which) < 2 {
		return try()
	}
	for i := range which {
		list[which[0]], list[which[i]] = list[which[i]], list[which[0]]
		if orders(which[1:], list, try) {
			return true
		}
		list[which[0]], list[which[i]] = list[which[i]], list[which[0]]
	}
	return false
}

// leave is called where a goroutine comes to a place that its schedule does not have next.
func (g *goroutine) leave(id int32) {
	mu.Lock()
	defer mu.Unlock()
	if !free.Load() {
		g.leaves(id)
	}
}

// leaves is leave with the lock held.
func (g *goroutine) leaves(id int32) {
	what := "goroutine " + strconv.Itoa(int(g.number)) + " comes to " + name(id)
	switch {
	case g.next < int32(len(g.nodes)):
		what += ", and not to " + places[max(g.nodes[g.next].place, 0)]
	case current.kind == exits:
		what += ", and is to end the program"
	case current.kind == dies:
		what += ", and another one is to end the program before"
	case current.ends[g.number].place >= 0:
		what += ", and not to " + places[current.ends[g.number].place]
	}
	uncovered(what + ", in the schedule for " + current.when)
}

func name(id int32) string {
	if id < 0 {
		return "its end"
	}
	return sites[id].name
}

// uncovered stops the program, or has it run freely, because the set has no schedule for what it does. The lock is held.
func uncovered(what string) {
	if said {
		return
	}
	said = true
	text := "everyway: epoch " + strconv.Itoa(int(currentIn)) + " (" + epochs[currentIn].name + "): " + what + "\n"
	if !allow {
		os.Stderr.WriteString(text + "everyway: the program is stopped, since it was built with -uncovered stop\n")
		os.Exit(exitCode)
	}
	os.Stderr.WriteString(text + "everyway: the program runs on freely from here, since it was built with -uncovered allow\n")
	free.Store(true)
	over.Broadcast()
	for i := range steps {
		steps[i].mu.Lock()
		steps[i].more.Broadcast()
		steps[i].mu.Unlock()
	}
}

// exitCode is the exit code of a program that is stopped.
const exitCode = 96

// entries are the goroutines by what the runtime knows them by.
var entries [size]struct {
	address atomic.Uintptr
	of      *goroutine
}

// size is that of the table, a power of two.
const size = most * 4

// deleted is the address of an entry that is free again.
const deleted = 1

func hash(address uintptr) int { return int(address>>7*0x9e3779b1>>8) & (size - 1) }

// self returns the goroutine that runs, nil if it is not kept to the schedules.
func self(id int32) *goroutine {
	if !started.Load() || free.Load() {
		return nil
	}
	if g := lookup(); g != nil {
		if !g.exits && panics() {
			return nil // which ends the program
		}
		return g
	}
	mu.Lock()
	defer mu.Unlock()
	if !free.Load() {
		uncovered("a goroutine that the schedules do not know comes to " + name(id))
	}
	return nil
}

// lookup returns the goroutine that runs, nil if it is not known.
func lookup() *goroutine {
	address := goroutines.Current()
	for i, n := hash(address), 0; n < size; i, n = (i+1)&(size-1), n+1 {
		switch entries[i].address.Load() {
		case address:
			return entries[i].of
		case 0:
			return nil
		}
	}
	return nil
}

// panics reports whether the goroutine that runs does what was deferred because of a panic, or of runtime.Goexit.
func panics() bool {
	// The runtime's description has four words before its list of panics: the bounds of the stack, and two guards.
	return *(*uintptr)(unsafe.Pointer(goroutines.Current() + 4*unsafe.Sizeof(uintptr(0)))) != 0
}

// register makes the goroutine that runs known.
func (g *goroutine) register() {
	mu.Lock()
	defer mu.Unlock()
	address := goroutines.Current()
	for i := hash(address); ; i = (i + 1) & (size - 1) {
		if a := entries[i].address.Load(); a == 0 || a == deleted {
			entries[i].of = g
			entries[i].address.Store(address)
			return
		}
	}
}

func (g *goroutine) unregister() {
	mu.Lock()
	defer mu.Unlock()
	for i := range entries {
		if a := entries[i].address.Load(); a > deleted && entries[i].of == g {
			entries[i].address.Store(deleted)
		}
	}
}

func newGoroutine() *goroutine { return &goroutine{values: make([]unsafe.Pointer, slots)} }

// Begin is where function main begins.
func Begin() {
	g := newGoroutine()
	g.main = true
	g.register()
	mu.Lock()
	defer mu.Unlock()
	if early {
		uncovered("a goroutine was started while packages were initialised")
	}
	if drawsRandomly && os.Getenv("EVERYWAY_SEED") != "" {
		uncovered("EVERYWAY_SEED is set, so that inputs are not known")
	}
	if free.Load() {
		return
	}
	if name := os.Getenv("EVERYWAY_COVER"); name != "" {
		f, err := os.Create(name)
		if err != nil {
			os.Stderr.WriteString("everyway: " + err.Error() + "\n")
			os.Exit(exitCode)
		}
		log = f
	}
	begin(0, []*goroutine{g})
	started.Store(true)
}

// early says that a goroutine was started before main.
var early bool

// Finish is where function main returns.
func Finish() {
	g := self(-1)
	if g == nil {
		return
	}
	switch {
	case g.next < int32(len(g.nodes)):
		g.leave(-1)
	case current.kind == dies && g.number != current.by:
		g.arrive(marked, -1) // until another one ends the program
	case current.kind != exits:
		g.leave(-1)
	}
	if log != nil {
		writeOrder()
	}
}

// Marker is at a marker. It returns true.
func Marker(id int32) bool {
	g := self(id)
	switch {
	case g == nil:
	case g.next >= int32(len(g.nodes)):
		g.arrive(marked, id)
	case g.nodes[g.next].kind == bypass && at(id, g.nodes[g.next].place):
		n := &g.nodes[g.next]
		for i := range n.after {
			await(&n.after[i])
		}
		g.finish()
	default:
		g.leave(id)
	}
	return true
}

// Set says where a variable of the goroutine is. It returns true.
func Set[T any](slot int32, variable *T) bool {
	if started.Load() && !free.Load() {
		if g := lookup(); g != nil {
			g.values[slot] = unsafe.Pointer(variable)
		}
	}
	return true
}

// Is returns whether a condition of any type holds.
func Is[T ~bool](condition T) bool { return bool(condition) }

// Keep assigns a value to a variable. It returns the value.
func Keep[T any](variable *T, value T) T {
	*variable = value
	return value
}

// Global says where a package variable is. It returns true.
func Global[T any](slot int32, variable *T) bool {
	globals[slot] = unsafe.Pointer(variable)
	return true
}

// Spawn is before a goroutine is started, when its function and its arguments have been evaluated.
func Spawn(id int32) *goroutine {
	if !started.Load() {
		early = true
		return nil
	}
	g := self(id)
	if g == nil {
		return nil
	}
	n, ok := g.take(id, 1<<opSpawn)
	if !ok {
		return nil
	}
	child := newGoroutine()
	mu.Lock()
	child.number, child.nodes = int32(n.child), current.nodes[n.child]
	live[n.child] = child
	mu.Unlock()
	g.finish()
	return child
}

// Start is where a goroutine begins that Spawn has returned.
func (g *goroutine) Start() {
	if g != nil && !free.Load() {
		g.register()
	}
}

// End is where its function has returned.
func (g *goroutine) End() {
	if g == nil {
		return
	}
	if !free.Load() {
		if g.next < int32(len(g.nodes)) {
			g.leave(-1)
		} else {
			g.arrive(ended, -1)
		}
	}
	g.unregister()
}

// Exiting is before a call of runtime.Goexit.
func Exiting() {
	if g := self(-1); g != nil {
		g.exits = true
	}
}

// Exit is deferred where a goroutine begins that Spawn has returned: runtime.Goexit ends it.
func (g *goroutine) Exit() {
	if g != nil && g.exits {
		g.End()
	}
}
