package reflection

import (
	"go/types"
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/collect"
	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/typecode"
	"github.com/everyway-go/everyway/schedule"
)

// collectPrimitives returns the primitives of packages runtime and weak that concern garbage
// collection.
func (r *reflection) collectPrimitives() []exec.Primitive {
	list := []exec.Primitive{
		setsCollectable("runtime.setFinalizer", r.setFinalizer),
		setsCollectable("runtime.addCleanup", addCleanup),
		setsCollectable("runtime.stopCleanup", stopCleanup),
		setsCollectable("weak.register", registerWeak),
		{
			Name:        "weak.value",
			DependsOn:   state.OnNothing,
			MayOnlyRead: true,
			// Only collections change a weak pointer, and they are ordered with everything.
			Transitions: func(c *exec.Call, to []run.Transition) []run.Transition {
				return append(to, run.Transition{Op: schedule.Read, Object: weakID(c.Window[0].P), Cells: 1, Partner: -1, Enabled: true})
			},
			Run: func(c *exec.Call) {
				handle := c.Window[0].P
				c.Machine.Record(c.Goroutine, run.Event{Op: schedule.Read, Object: weakID(handle), Other: -1})
				if !isWeak(handle) {
					c.Machine.ObserveNothing()
					return
				}
				c.Machine.Observe(c.Goroutine, handle, 0, 1)
				c.Window[0] = handle.Cells[0]
			},
		},
		{Name: "unique.hide", Run: hide},
		{Name: "runtime.KeepAlive", Shadows: true, Run: keepAlive},
		{Name: "runtime.nextFinalizer", Run: nextFinalizer},
		mayOnlyRead(ordered("runtime.mayCollect", schedule.AtomicRead, run.CollectorObject, func(c *exec.Call) {
			c.Machine.ObserveNoGarbage(c.Goroutine)
			c.Set(0, c.Machine.Called)
			c.SetBool(1, len(c.Machine.Collectables) > 0)
		})),
		mayOnlyRead(orderedCells("runtime.hasPools", schedule.AtomicRead, run.PoolsObject, allPools, func(c *exec.Call) {
			c.Machine.ObserveNoGarbage(c.Goroutine)
			c.SetBool(0, collect.HasPools(&c.Machine.State))
		})),
		orderedCells("sync.addPool", schedule.AtomicUpdate, run.PoolsObject, onePool, func(c *exec.Call) {
			collect.AddPool(&c.Machine.State, c.Window[0])
		}),
		mayOnlyRead(ordered("runtime.collect", schedule.Collect, run.GoroutinesObject, collectNow)),
	}
	for _, pkg := range []string{"runtime", "weak", "sync"} {
		list = append(list, exec.Primitive{Name: pkg + ".trusted", Run: func(c *exec.Call) {
			// The innermost frame is that of the function which the caller calls.
			n := len(c.Goroutine.Frames) - 2
			c.SetBool(0, n >= 0 && c.Goroutine.Frames[n].Func.Standard)
		}})
	}
	return list
}

// ordered returns a primitive that is always possible, as an operation on an object of the
// machine.
func ordered(name string, op schedule.Op, on run.ObjectID, do func(c *exec.Call)) exec.Primitive {
	return orderedCells(name, op, on, func(*exec.Call) (offset, cells int32) { return 0, 1 }, do)
}

// orderedCells is ordered for an operation on some cells of the object.
func orderedCells(name string, op schedule.Op, on run.ObjectID, of func(c *exec.Call) (offset, cells int32), do func(c *exec.Call)) exec.Primitive {
	return exec.Primitive{
		Name:      name,
		DependsOn: state.OnNothing,
		Transitions: func(c *exec.Call, to []run.Transition) []run.Transition {
			offset, cells := of(c)
			return append(to, run.Transition{Op: op, Object: on, Offset: offset, Cells: cells, Partner: -1, Enabled: true})
		},
		Run: func(c *exec.Call) {
			offset, _ := of(c)
			c.Machine.Record(c.Goroutine, run.Event{Op: op, Object: on, Offset: offset, Other: -1})
			do(c)
		},
	}
}

// poolCells is the number of cells of the object that stands for the pools in use. Each pool has
// one of them: pools come into use in any order, and collections that look whether there are any do
// so in any order, but one of these is ordered with one of those. That two pools have the same cell
// only makes them ordered for nothing.
const poolCells = 64

// allPools returns the cells of all pools.
func allPools(*exec.Call) (offset, cells int32) { return 0, poolCells }

// onePool returns the cell of the pool that is the argument. It follows from the name of the pool,
// which is the same in all runs.
func onePool(c *exec.Call) (offset, cells int32) {
	store := c.Window[0]
	hash := uint64(store.P.ID.Count)*31 + store.N
	for g := store.P.ID.Goroutine; g >= 0; g = c.Machine.Names.Parent(g) {
		hash = hash*31 + uint64(c.Machine.Names.Place(g))
	}
	return int32(hash % poolCells), 1
}

// mayOnlyRead returns p with MayOnlyRead set.
func mayOnlyRead(p exec.Primitive) exec.Primitive {
	p.MayOnlyRead = true
	return p
}

// isWeak reports whether o is the handle of a weak pointer. A nil pointer has none, nor do
// those that the standard library makes.
func isWeak(o *heap.Object) bool { return o != nil && o.Kind == heap.WeakObject }

// weakID returns the name of the handle of a weak pointer, NoObject if it has none.
func weakID(o *heap.Object) run.ObjectID {
	if !isWeak(o) {
		return run.NoObject
	}
	return o.ID
}

// keepAlive lets go of its argument: a collection can come before that, and after it.
func keepAlive(c *exec.Call) {
	if g := c.Goroutine; g.Phase == 0 && c.Machine.PauseBefore(g) {
		g.Phase = 1
	} else {
		g.Phase = 0
		c.Machine.PauseAfter(g)
	}
}

// setsCollectable is ordered for a primitive that changes what there is to be collected.
func setsCollectable(name string, set func(c *exec.Call)) exec.Primitive {
	return ordered(name, schedule.AtomicUpdate, run.CollectorObject, func(c *exec.Call) {
		c.Machine.Trace.Bounds.Add(run.Collection)
		c.Machine.SetMulti(true) // a collection may start goroutines
		set(c)
		c.Goroutine.Tick()
	})
}

// addCollectable adds x, which happens after what the goroutine has done so far. What
// initialisers do happens before everything.
func addCollectable(c *exec.Call, x state.Collectable) {
	if c.Machine.Heap.Recording() {
		x.Clock.Assign(&c.Goroutine.Clock)
	}
	c.Machine.Collectables = append(c.Machine.Collectables, x)
}

// neverCollected reports whether gc never collects o: it is a package variable or has no
// size.
func neverCollected(c *exec.Call, o *heap.Object) bool {
	return o.ID.Goroutine < 0 && o.ID.Goroutine != run.InputObjects || o == c.Machine.ZeroSized
}

// frameWords is the number of words of a finalizerFrame.
const frameWords = 16

// setFinalizer(obj, finalizer any, run func())
func (r *reflection) setFinalizer(c *exec.Call) {
	m, g, fail := c.Machine, c.Goroutine, func(why string) { c.Machine.Fatal(c.Goroutine, "runtime.SetFinalizer: "+why) }
	if c.Window[0].P == nil {
		fail("first argument is nil")
		return
	}
	objType, obj := c.Window[0].P.Desc, c.Window[1]
	pointer, ok := objType.Go.Underlying().(*types.Pointer)
	if !ok {
		fail("first argument is " + code.TypeString(objType.Go) + ", not pointer")
		return
	}
	if obj.P == nil {
		fail("nil elem type!")
		return
	}
	if obj.N != 0 {
		fail("pointer not at beginning of allocated block")
		return
	}
	is := func(x state.Collectable) bool { return x.Kind == state.Finalizer && x.Object == obj.P }
	if c.Window[2].P == nil {
		m.Collectables = slices.DeleteFunc(slices.Clone(m.Collectables), is)
		return
	}
	fnType, fn, run := c.Window[2].P.Desc, c.Window[3].P, c.Window[4].P
	sig, ok := fnType.Go.Underlying().(*types.Signature)
	if !ok {
		fail("second argument is " + code.TypeString(fnType.Go) + ", not a function")
		return
	}
	cannot := "cannot pass " + code.TypeString(objType.Go) + " to finalizer " + code.TypeString(fnType.Go)
	if sig.Variadic() {
		fail(cannot + " because dotdotdot")
		return
	}
	if sig.Params().Len() != 1 || !takes(sig.Params().At(0).Type(), objType.Go, pointer) {
		fail(cannot)
		return
	}
	frame := typecode.FrameType(m.Program, sig)
	if frame.Words > frameWords {
		m.Unsupported(g, "a finalizer with many results")
		return
	}
	if slices.ContainsFunc(m.Collectables, is) {
		fail("finalizer already set")
		return
	}
	if neverCollected(c, obj.P) {
		return
	}
	args := []heap.Word{obj}
	if types.IsInterface(sig.Params().At(0).Type()) {
		args = []heap.Word{c.Window[0], obj}
	}
	caller := m.FuncValue(r.typeFunc(c, fnType, 0, func(w *typecode.Writer) *code.Func { return w.Caller(sig) }))
	addCollectable(c, state.Collectable{Kind: state.Finalizer, Object: obj.P, Func: fn, Caller: caller, Runner: run, Args: args})
}

// takes reports whether a finalizer with a parameter of type param can be called with a
// pointer of type obj.
func takes(param, obj types.Type, pointer *types.Pointer) bool {
	if p, ok := param.Underlying().(*types.Pointer); ok {
		_, named := types.Unalias(param).(*types.Named)
		_, objNamed := types.Unalias(obj).(*types.Named)
		return types.Identical(param, obj) || (!named || !objNamed) && types.Identical(p.Elem(), pointer.Elem())
	}
	iface, ok := param.Underlying().(*types.Interface)
	return ok && types.Implements(obj, iface)
}

// addCleanup(ptr unsafe.Pointer, fn func()) uint64
func addCleanup(c *exec.Call) {
	m, o := c.Machine, c.Window[0].P
	m.Cleanups++
	if !neverCollected(c, o) {
		addCollectable(c, state.Collectable{Kind: state.Cleanup, Object: o, Func: c.Window[1].P, ID: m.Cleanups})
	}
	c.Set(0, m.Cleanups)
}

// stopCleanup(id uint64)
func stopCleanup(c *exec.Call) {
	id := c.Window[0].N
	c.Machine.Collectables = slices.DeleteFunc(slices.Clone(c.Machine.Collectables), func(x state.Collectable) bool {
		return x.Kind == state.Cleanup && x.ID == id
	})
}

// newHandle returns a new object that holds p and does not keep its object alive, nil if a
// limit was exceeded.
func newHandle(c *exec.Call, p heap.Word) *heap.Object {
	m := c.Machine
	handle := m.NewCells(c.Goroutine, m.Program.Type(types.Typ[types.UnsafePointer]), heap.WeakObject, 1)
	if handle != nil {
		handle.Cells[0] = p
	}
	return handle
}

// hide(ptr unsafe.Pointer) *unsafe.Pointer
func hide(c *exec.Call) {
	if handle := newHandle(c, c.Window[0]); handle != nil {
		c.Window[0] = heap.Word{P: handle}
	}
}

// registerWeak(ptr unsafe.Pointer) (handle unsafe.Pointer)
func registerWeak(c *exec.Call) {
	m, p := c.Machine, c.Window[0]
	for i := range m.Collectables {
		if x := &m.Collectables[i]; x.Kind == state.WeakPointer && x.Object == p.P && x.Offset == int(p.N) {
			c.Window[0] = heap.Word{P: x.Handle}
			return
		}
	}
	handle := newHandle(c, p)
	if handle == nil {
		return
	}
	addCollectable(c, state.Collectable{Kind: state.WeakPointer, Object: p.P, Offset: int(p.N), Handle: handle})
	c.Window[0] = heap.Word{P: handle}
}

// nextFinalizer(frame *finalizerFrame) (call func(fn, frame unsafe.Pointer), fn unsafe.Pointer)
func nextFinalizer(c *exec.Call) {
	m, g, frame := c.Machine, c.Goroutine, c.Window[0]
	n := len(m.Finalizing)
	if n == 0 {
		m.Finalized = race.Clock{}
		m.Finalized.Join(&g.Clock)
		c.Window[0], c.Window[1] = heap.Word{}, heap.Word{}
		return
	}
	i, ok := m.ChooseValue(g, n)
	if !ok {
		return
	}
	x := m.Finalizing[i]
	m.Finalizing = slices.Concat(m.Finalizing[:i], m.Finalizing[i+1:])
	g.Clock.Join(&x.Clock)
	m.Heap.Store(frame.P, int(frame.N), x.Args, nil)
	c.Window[0], c.Window[1] = heap.Word{P: x.Caller}, heap.Word{P: x.Func}
}

// collectNow makes a collection, if as many have been made as its argument says. An object that
// shares a block of memory with others may be kept.
func collectNow(c *exec.Call) {
	m := c.Machine
	if !m.Heap.Recording() {
		return // initialisers keep what they have made
	}
	if c.Window[0].N != m.Called {
		return
	}
	m.Trace.Collected = m.Trace.Collected || len(m.Goroutines) > 1 && len(m.Collectables) > 0
	dead := collect.Dead(&m.State, 1)
	if len(dead) == 0 && !collect.HasPools(&m.State) {
		m.ObserveNoGarbage(c.Goroutine)
		return
	}
	if slices.ContainsFunc(dead, func(i int) bool { return collect.MayKeep(&m.Collectables[i]) }) {
		keep, ok := m.ChooseValue(c.Goroutine, 2)
		if !ok {
			return
		}
		if keep == 1 {
			dead = collect.Keep(&m.State, dead)
		}
	}
	m.Called++
	collect.Collect(&m.State, c.Goroutine, dead, 1)
}
