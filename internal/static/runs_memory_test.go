package static_test

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/static/lockset"
	"github.com/everyway-go/everyway/internal/static/pointsto"
	"github.com/everyway-go/everyway/internal/static/reaching"
	"github.com/everyway-go/everyway/schedule"
)

// checkEvents checks the accesses to memory of a run.
func (c *comparison) checkEvents(trace *run.Trace) {
	r, err := c.a.PointsTo(c.t.Context())
	if err != nil {
		c.t.Fatal(err)
	}
	made := make(map[run.ObjectID]ssa.Instruction) // what has allocated an object
	for _, o := range c.m.Allocated {
		if instr, _ := c.instr(o.Site); instr != nil {
			made[o.Object.ID] = instr
		}
	}
	globals := make(map[run.ObjectID]*ssa.Global)
	for g, o := range c.m.Globals {
		if o.ID.Goroutine == run.GlobalObjects {
			globals[o.ID] = g
		}
	}
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
			c.checkLocks(instr, at, held[e.Goroutine], made, globals)
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
					held[g][lock]--
					break
				}
			}
		}
		addr := address(instr, e.Op)
		if addr == nil || r.Summarised(c.a.Calls().Of(instr.Parent())) {
			continue
		}
		c.accesses++
		c.checkShared(e, made[e.Object], users)
		checkObject(c, r, addr, made[e.Object], globals[e.Object], at)
	}
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
func (c *comparison) checkLocks(instr ssa.Instruction, at string, held map[place]int, made map[run.ObjectID]ssa.Instruction, globals map[run.ObjectID]*ssa.Global) {
	locks := c.locksAt(instr)
	is := func(p place, l pointsto.Label) bool {
		return made[p.object] != nil && l.Instr == made[p.object] || globals[p.object] != nil && l.Global == globals[p.object] ||
			made[p.object] == nil && globals[p.object] == nil || l.Kind == pointsto.Unknown
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
			c.errorf("%s: a lock is held that %v and %v have made, and may not be", at, made[p.object], globals[p.object])
		}
	}
	for p, n := range held {
		if n > 0 && !slices.ContainsFunc(locks.held, func(h lockset.Held) bool {
			return slices.ContainsFunc(h.Locks, func(l pointsto.Label) bool { return is(p, l) })
		}) {
			c.errorf("%s: a lock is held that %v and %v have made, and is not among those of a goroutine that begins there", at, made[p.object], globals[p.object])
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
	l.held = locks.Held([]ssa.Instruction{instr}, c.a.Library)
	for _, path := range locks.Must(instr) {
		l.must[path] = locks.Labels(path)
	}
	c.heldAt[instr] = l
	return l
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

// A pointing is an address that points to what an instruction has made, or to a package variable.
type pointing struct {
	addr   ssa.Value
	made   ssa.Instruction
	global *ssa.Global
}

// checkObject checks that a pointer may point to an object, of which it is known what made it.
func checkObject(c *comparison, r *pointsto.Result, addr ssa.Value, made ssa.Instruction, global *ssa.Global, at string) {
	to := pointing{addr, made, global}
	if made == nil && global == nil || c.pointings[to] {
		return
	}
	c.pointings[to] = true
	labels := r.Of(addr)
	unknown := false
	for _, l := range labels {
		if made != nil && l.Instr == made || global != nil && l.Global == global {
			return
		}
		unknown = unknown || l.Kind == pointsto.Unknown
	}
	if unknown {
		for _, o := range r.Objects() {
			if o.Exposed && (made != nil && o.Instr == made || global != nil && o.Global == global || o.Kind == pointsto.Unknown) {
				return
			}
		}
	}
	what := "a package variable"
	if made != nil {
		what = made.String() + " of " + made.Parent().String()
	} else {
		what += " " + global.String()
	}
	c.errorf("%s: %s points to what %s has made, and may only point to %v", at, addr.Name(), what, labels)
}
