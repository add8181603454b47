package static_test

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/static/lockset"
	"github.com/everyway-go/everyway/internal/static/pointsto"
	"github.com/everyway-go/everyway/internal/static/reaching"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/schedule"
)

// checkEvents checks the accesses to memory of a run.
func (c *comparison) checkEvents(trace *run.Trace) {
	r, err := c.a.PointsTo(c.t.Context())
	if err != nil {
		c.t.Fatal(err)
	}
	origins := c.origins()
	held := make(map[int32]map[place]int) // by goroutine
	users := make(map[run.ObjectID]int32) // the first goroutine that has used an object
	definitions, err := c.a.Definitions(c.t.Context())
	if err != nil {
		c.t.Fatal(err)
	}
	for i := range trace.Events {
		e := &trace.Events[i]
		instr, at := c.instr(e.Site)
		if (e.Op == schedule.Read || e.Op == schedule.Write) && instr != nil {
			c.checkLocks(instr, at, held[e.Goroutine], origins)
		}
		if e.Op == schedule.Read && e.Other >= 0 && reaching.Read(instr) != nil && !r.Summarised(c.a.Calls().Of(instr.Parent())) {
			c.checkRead(definitions, instr, at, &trace.Events[e.Other])
		}
		lock := place{e.Object, e.Offset}
		switch e.Op {
		case schedule.Lock, schedule.RLock:
			if held[e.Goroutine] == nil {
				held[e.Goroutine] = make(map[place]int)
			}
			held[e.Goroutine][lock]++
		case schedule.Unlock, schedule.RUnlock:
			// Another goroutine may unlock, too.
			for g := range held {
				if held[g][lock] > 0 && (g == e.Goroutine || held[e.Goroutine][lock] == 0) {
					if held[g][lock]--; held[g][lock] == 0 {
						delete(held[g], lock)
					}
					break
				}
			}
		}
		addr := address(instr, e.Op)
		if addr == nil || r.Summarised(c.a.Calls().Of(instr.Parent())) {
			continue
		}
		c.accesses++
		from := origins[e.Object]
		c.checkShared(e, from.made, users)
		c.checkPointing(r, addr, from, e.Offset, at)
	}
}

// An origin is where an object of a run comes from: what has made it, or which package variable it
// is. Neither is known of the objects of the machine itself.
type origin struct {
	made   ssa.Instruction
	global *ssa.Global
	object *heap.Object
}

func (o origin) known() bool { return o.made != nil || o.global != nil }

func (o origin) String() string {
	if o.global != nil {
		return "package variable " + o.global.String()
	}
	return fmt.Sprintf("what %v of %v has made", o.made, o.made.Parent())
}

// origins returns where the objects of the last run come from.
func (c *comparison) origins() map[run.ObjectID]origin {
	list := make(map[run.ObjectID]origin)
	for _, o := range c.m.Allocated {
		if instr, _ := c.instr(o.Site); instr != nil {
			list[o.Object.ID] = origin{made: instr, object: o.Object}
		}
	}
	for g, o := range c.m.Globals {
		if o.ID.Goroutine == run.GlobalObjects {
			list[o.ID] = origin{global: g, object: o}
		}
	}
	return list
}

// is reports whether a label is of an object, or may be, as it is not known where one of them comes from.
func (o origin) is(l pointsto.Label) bool {
	return o.made != nil && l.Instr == o.made || o.global != nil && l.Global == o.global
}

// slot returns the slot of a label's object at which a word of an object is. It is false if the
// objects are not laid out alike, as maps are not, or what is made in several ways at one
// instruction.
func (o origin) slot(l pointsto.Label, word int32) (int, bool) {
	t := o.object.Type
	switch {
	case t == nil || !types.Identical(t.Go, l.Type):
		return 0, false
	case o.object.Kind == heap.Variable && l.Kind == pointsto.Variable:
		return code.SlotAt(t, int(word)), true
	case o.object.Kind == heap.Array && l.Kind == pointsto.Array && t.Words > 0:
		return code.SlotAt(t, int(word)%t.Words), true
	}
	return 0, false
}

// has reports whether a word of an object is one of those slots that begin at a label.
func (o origin) has(l pointsto.Label, slots int, word int32) (has, byField bool) {
	if !o.is(l) {
		return false, false
	}
	slot, known := o.slot(l, word)
	return !known || l.Slot <= slot && slot < l.Slot+slots, known
}

// checkRead checks that what an instruction has read may have been written where it has been.
func (c *comparison) checkRead(definitions *reaching.Program, instr ssa.Instruction, at string, by *run.Event) {
	writer, where := c.instr(by.Site)
	if writer == nil || reaching.Written(writer) == nil && !isAlloc(writer) {
		return // by the machine
	}
	c.reads++
	if c.readsSeen[[2]ssa.Instruction{instr, writer}] {
		return
	}
	c.readsSeen[[2]ssa.Instruction{instr, writer}] = true
	defs, other := definitions.Reads(instr)
	if slices.Contains(defs, writer) || other && isAlloc(writer) {
		return
	}
	if n := c.a.Calls().Of(writer.Parent()); other && strings.Contains(n.Name, "reflect") {
		return // code that is not seen through
	}
	c.errorf("%s: %v has read what %v at %s wrote, and may only read %v (or others: %t)", at, instr, writer, where, defs, other)
}

func isAlloc(instr ssa.Instruction) bool {
	_, ok := instr.(*ssa.Alloc)
	return ok
}

// checkShared checks that an object which several goroutines use is shared.
func (c *comparison) checkShared(e *run.Event, made ssa.Instruction, users map[run.ObjectID]int32) {
	user, used := users[e.Object]
	if !used {
		users[e.Object] = e.Goroutine
	}
	if !used || user == e.Goroutine || made == nil {
		return
	}
	shared, err := c.a.Shared(c.t.Context())
	if err != nil {
		c.t.Fatal(err)
	}
	r, _ := c.a.PointsTo(c.t.Context()) // has succeeded
	if c.objects == nil {
		c.objects = make(map[ssa.Instruction][]*pointsto.Object)
		for _, o := range r.Objects() {
			if o.Instr != nil {
				c.objects[o.Instr] = append(c.objects[o.Instr], o)
			}
		}
	}
	c.shared++
	list := c.objects[made]
	if len(list) > 0 && !slices.ContainsFunc(list, shared.Shared) {
		c.errorf("two goroutines use what %v of %s has made, which is not shared", made, made.Parent())
	}
}

// A place is a cell of an object.
type place struct {
	object run.ObjectID
	offset int32
}

// checkLocks checks the locks that a goroutine holds at an instruction.
func (c *comparison) checkLocks(instr ssa.Instruction, at string, held map[place]int, origins map[run.ObjectID]origin) {
	locks := c.locksAt(instr)
	is := func(p place, l pointsto.Label) bool {
		from := origins[p.object]
		if !from.known() || l.Kind == pointsto.Unknown {
			return true
		}
		is, byField := from.has(l, lockSlots(c.a.Code().Type(l.Type), l.Slot), p.offset)
		if byField {
			c.lockFields++
		}
		return is
	}
	some := false
	for p, n := range held {
		if n == 0 {
			continue
		}
		some = true
		c.locks++
		if !slices.ContainsFunc(locks.may, func(a lockset.Acquisition) bool {
			return slices.ContainsFunc(a.Locks, func(l pointsto.Label) bool { return is(p, l) })
		}) {
			c.errorf("%s: a lock of %v is held, and may not be", at, origins[p.object])
		}
	}
	for p, n := range held {
		if n > 0 && !slices.ContainsFunc(locks.held, func(h lockset.Held) bool {
			return slices.ContainsFunc(h.Locks, func(l pointsto.Label) bool { return is(p, l) })
		}) {
			c.errorf("%s: a lock of %v is held, and is not among those of a goroutine that begins there", at, origins[p.object])
		}
	}
	for _, h := range locks.held {
		if _, must := locks.must[h.Path]; h.Sure && !must {
			c.errorf("%s: %v is held where a goroutine begins, and need not be", at, h.Path)
		}
	}
	for path, labels := range locks.must {
		found := false
		for p, n := range held {
			found = found || n > 0 && slices.ContainsFunc(labels, func(l pointsto.Label) bool { return is(p, l) })
		}
		if !found {
			c.errorf("%s: %v must be held, and is not (some are: %t)", at, path, some)
		}
	}
}

// locksBefore are the locks that are held before an instruction.
type locksBefore struct {
	may  []lockset.Acquisition
	must map[lockset.Path][]pointsto.Label
	held []lockset.Held
}

// locksAt returns the locks that are held before an instruction.
func (c *comparison) locksAt(instr ssa.Instruction) *locksBefore {
	if known := c.heldAt[instr]; known != nil {
		return known
	}
	locks, err := c.a.Locks(c.t.Context())
	if err != nil {
		c.t.Fatal(err)
	}
	l := &locksBefore{may: locks.May(instr), must: make(map[lockset.Path][]pointsto.Label)}
	l.held = locks.Held([]ssa.Instruction{instr})
	for _, path := range locks.Must(instr) {
		l.must[path] = locks.Labels(path)
	}
	c.heldAt[instr] = l
	return l
}

// lockSlots returns the number of slots of the lock that begins at a slot of a type.
func lockSlots(t *code.Type, slot int) int {
	if name := t.Go.String(); slot == 0 && (name == "sync.Mutex" || name == "sync.RWMutex") {
		return code.Slots(t)
	}
	switch t.Shape {
	case code.ShapeArray:
		return lockSlots(t.Elem, slot)
	case code.ShapeStruct:
		for i := range t.Fields {
			part := t.Fields[i].Type
			if n := code.Slots(part); slot >= n {
				slot -= n
				continue
			}
			return lockSlots(part, slot)
		}
	}
	return 1 // a lock of package internal/sync, or one that is an unnamed part
}

// address returns the address, or the channel, that an instruction uses in an operation, nil if the
// machine does that in another way.
func address(instr ssa.Instruction, op schedule.Op) ssa.Value {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		if op == schedule.Read || op == schedule.Recv || op == schedule.RecvClosed {
			return instr.X
		}
	case *ssa.Store:
		if op == schedule.Write {
			return instr.Addr
		}
	case *ssa.Send:
		return instr.Chan
	case *ssa.Call:
		if args := instr.Call.Args; len(args) > 0 && (op == schedule.Lock || op == schedule.Unlock || op == schedule.WaitGroupAdd) {
			return args[0]
		}
	}
	return nil
}

// A pointing is an address that points to a word of an object, of which it is known where it comes from.
type pointing struct {
	addr   ssa.Value
	made   ssa.Instruction
	global *ssa.Global
	word   int32
}

// checkPointing checks that a pointer may point to a word of an object: to the part of it that the analysis names.
func (c *comparison) checkPointing(r *pointsto.Result, addr ssa.Value, from origin, word int32, at string) {
	if !from.known() {
		return
	}
	to := pointing{addr, from.made, from.global, word}
	if t := from.object.Type; from.object.Kind == heap.Array && t != nil && t.Words > 0 {
		to.word %= int32(t.Words)
	}
	if c.pointings[to] {
		return
	}
	c.pointings[to] = true
	labels := r.Of(addr)
	slots := c.slots(addr)
	unknown := false
	for _, l := range labels {
		if is, byField := from.has(l, slots, word); is {
			if byField {
				c.fields++
			}
			return
		}
		unknown = unknown || l.Kind == pointsto.Unknown
	}
	if unknown {
		for _, o := range r.Objects() {
			if o.Exposed && (from.is(pointsto.Label{Object: o}) || o.Kind == pointsto.Unknown) {
				return
			}
		}
	}
	c.errorf("%s: %s points to word %d of %v, and may only point to %v", at, addr.Name(), word, from, labels)
}

// slots returns the number of slots to which an access through an address is.
func (c *comparison) slots(addr ssa.Value) int {
	switch t := addr.Type().Underlying().(type) {
	case *types.Pointer:
		return code.Slots(c.a.Code().Type(t.Elem()))
	case *types.Slice:
		return code.Slots(c.a.Code().Type(t.Elem()))
	}
	return 1
}
