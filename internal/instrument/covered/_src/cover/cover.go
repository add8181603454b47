// Package cover keeps a program to input-covering schedules: its goroutines carry out operations of synchronisation in the order
// of a schedule, which is chosen for the state at the beginning of each epoch (Bergan, Avoiding State-Space Explosion in
// Multithreaded Programs with Input-Covering Schedules and Symbolic Execution, 2014, section 3.6.2).
//
// Where something is decided as the program runs, an epoch has several schedules at first. They are the same up to where a goroutine comes to the first decision: goroutines do what they have in
// common, and wait for decisions then.
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
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"
)

// A goroutine is one of the program's.
type goroutine struct {
	number int32            // in the epoch
	nodes  []node           // as far as they are known
	next   int32            // of the nodes
	times  map[int32]int32  // by decisions, how often it has come there in the epoch
	values []unsafe.Pointer // to variables, by slots
	chosen *node            // of a select
	// pending is what is left to do when a communication is done, nil if there is none.
	pending func()
	exits   bool // it calls runtime.Goexit
	main    bool // it runs function main
}

func init() {
	if processors > 0 {
		runtime.GOMAXPROCS(processors)
	}
}

// Processors returns a function to call instead of runtime.NumCPU.
func Processors(func() int) func() int { return func() int { return processors } }

// hasFlags reports whether the program was started with the flags that the set says, and no others.
func hasFlags() bool {
	if len(flags) == 0 {
		return true
	}
	rest := os.Args[min(len(os.Args), 1):]
	for _, f := range flags {
		if len(rest) == 0 || rest[0] != f {
			return false
		}
		rest = rest[1:]
	}
	return len(rest) == 0 || rest[0] == "-" || rest[0] == "--" || !strings.HasPrefix(rest[0], "-")
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
	current    *plan        // one of those that the epoch may have
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
	logged bool       // the plan of the epoch

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

// A view is what is known of the plan of an epoch, whose decisions are made one by one: all plans have that that it may be.
type view struct {
	plan   *plan   // one of these
	limits []int32 // by goroutines, how many nodes they have in common; nil if there is one plan
	whole  []bool  // by goroutines, whether these are all, and it ends the epoch in the same way
}

// now is what is known.
var now atomic.Pointer[view]

// nodes returns the nodes of a goroutine that are known, and whether these are all.
func (v *view) nodes(g int32) ([]node, bool) {
	if v.limits == nil {
		return v.plan.nodes[g], true
	}
	return v.plan.nodes[g][:v.limits[g]], v.whole[g]
}

// wait returns when more is known, or the schedules do not matter any more.
func (v *view) wait() {
	mu.Lock()
	for now.Load() == v && !free.Load() {
		over.Wait()
	}
	mu.Unlock()
}

// know returns when it is known what the goroutine does next.
func (g *goroutine) know() {
	for !free.Load() {
		v := now.Load()
		list, whole := v.nodes(g.number)
		g.nodes = list
		if whole || g.next < int32(len(list)) {
			return
		}
		v.wait()
	}
}

// publish says which plans the epoch may have. The lock is held.
func publish(list []int32) {
	e := &epochs[currentIn]
	current = &e.plans[list[0]]
	v := &view{plan: current}
	if len(list) > 1 {
		n := len(current.nodes)
		v.limits, v.whole = make([]int32, n), make([]bool, n)
		for g := range v.limits {
			limit, whole := len(current.nodes[g]), true
			for _, k := range list[1:] {
				p := &e.plans[k]
				if g >= len(p.nodes) {
					limit, whole = 0, false
					break
				}
				whole = whole && len(p.nodes[g]) == len(current.nodes[g]) && endsAlike(p, current, g)
				limit = min(limit, len(p.nodes[g]))
				for i := range limit {
					if !same(&p.nodes[g][i], &current.nodes[g][i]) {
						limit, whole = i, false
						break
					}
				}
			}
			v.limits[g], v.whole[g] = int32(limit), whole
		}
	}
	now.Store(v)
	over.Broadcast()
}

// same reports whether nodes are equal.
func same(a, b *node) bool {
	if a.place != b.place || a.kind != b.kind || a.alt != b.alt || a.child != b.child || a.from != b.from || len(a.after) != len(b.after) {
		return false
	}
	for i := range a.after {
		if a.after[i] != b.after[i] {
			return false
		}
	}
	return true
}

// endsAlike reports whether a goroutine ends the epoch in the same way by two plans.
func endsAlike(p, q *plan, g int) bool {
	if p.kind != q.kind || p.by != q.by {
		return false
	}
	return p.kind == exits || p.kind == dies || p.ends[g] == q.ends[g]
}

// Decide is where a branch is decided by what is no input: its condition holds or not. It returns that.
func Decide(id int32, holds bool) bool {
	g := self(-1)
	if g == nil {
		return holds
	}
	mu.Lock()
	defer mu.Unlock()
	if free.Load() {
		return holds
	}
	if g.times == nil {
		g.times = map[int32]int32{}
	}
	time := g.times[id]
	g.times[id]++
	c := &choosing
	for i := range c.epoch.inputs {
		if in := &c.epoch.inputs[i]; in.kind == decided && in.goroutine == g.number && in.slot == id && in.time == time {
			c.values[i], c.have[i] = bit(holds), true
			list := c.plans(false)
			if len(list) == 0 {
				uncovered("there is no schedule for what was decided" + values(c))
				return holds
			}
			publish(list)
			break
		}
	}
	return holds
}

// Each is a range over a slice, of which it is decided whether it goes on.
func Each[S ~[]E, E any](id int32, list S) func(yield func(int, E) bool) {
	return func(yield func(int, E) bool) {
		for i, x := range list {
			Decide(id, true)
			if !yield(i, x) {
				return
			}
		}
		Decide(id, false)
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
	g.know()
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
		g.know()
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
	v := now.Load()
	if v.plan.kind != dies || g.number != v.plan.by {
		return false
	}
	for v.limits != nil && !free.Load() {
		v.wait()
		v = now.Load()
	}
	for i, list := range v.plan.nodes {
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
	settle()
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

// settle chooses the plan of the epoch that ends. What was not decided makes no difference.
func settle() {
	if v := now.Load(); v.limits != nil {
		if list := choosing.plans(true); len(list) > 0 {
			publish(list[:1])
		}
	}
	if log != nil {
		writeEpoch()
	}
}

// begin begins an epoch with goroutines in their order, or in another one of those that are alike.
func begin(next int32, list []*goroutine) {
	e := &epochs[next]
	currentIn = next
	c := &choosing
	c.epoch, c.goroutines, c.evaluated = e, list, 0
	var chosen []int32
	permute(e.alike, list, func() bool {
		chosen = c.choose()
		return len(chosen) > 0
	})
	if len(chosen) == 0 {
		live = list
		var b []byte
		for i := range e.plans {
			b = append(b, "\neveryway: there is a schedule for "...)
			b = append(b, e.plans[i].when...)
		}
		uncovered("there is no schedule for the state" + values(c) + string(b))
		return
	}
	live = make([]*goroutine, most)
	copy(live, list)
	for i := range live {
		steps[i].done.Store(0)
	}
	offers.Clear()
	for k, g := range list {
		g.number, g.nodes, g.next = int32(k), nil, 0
		clear(g.times)
	}
	arrived = 0
	generation++
	logged = false
	publish(chosen)
	if log != nil && len(chosen) == 1 {
		writeEpoch()
	}
}

// writeEpoch writes which plan the epoch has, once that is known.
func writeEpoch() {
	if v := now.Load(); !logged && v.limits == nil {
		logged = true
		e := &epochs[currentIn]
		for i := range e.plans {
			if &e.plans[i] == v.plan {
				log.WriteString("epoch " + strconv.Itoa(int(currentIn)) + " schedule " + strconv.Itoa(i) + " terms " + strconv.Itoa(choosing.evaluated) + "\n")
			}
		}
	}
	writeOrder()
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
//
//go:nocheckptr
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
	if !hasFlags() {
		uncovered("the program is to be started with " + strings.Join(flags, " ") + ", and with no other flags")
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
	g.know()
	switch p := now.Load().plan; {
	case g.next < int32(len(g.nodes)):
		g.leave(-1)
	case p.kind == dies && g.number != p.by:
		g.arrive(marked, -1) // until another one ends the program
	case p.kind != exits:
		g.leave(-1)
	}
	if log != nil {
		mu.Lock()
		settle()
		mu.Unlock()
	}
}

// Marker is at a marker. It returns true.
func Marker(id int32) bool {
	g := self(id)
	if g != nil {
		g.know()
	}
	switch {
	case g == nil || free.Load():
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
	child.number = int32(n.child)
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
	if g.know(); !free.Load() {
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
