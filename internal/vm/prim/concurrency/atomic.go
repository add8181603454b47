package concurrency

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
	"github.com/everyway-go/everyway/schedule"
)

// Atomic operations. An operation on a cell synchronises with those whose effect it
// observes: it acquires the clock of the cell's last write and, if it writes, releases its
// own to the cell.

// An atomicType is a type for which package sync/atomic has functions.
type atomicType struct {
	suffix string
	kind   code.Kind
}

var atomicTypes = [...]atomicType{
	{"Int32", code.Int32}, {"Int64", code.Int64},
	{"Uint32", code.Uint32}, {"Uint64", code.Uint64}, {"Uintptr", code.Uint64},
	{"Pointer", code.Pointer},
}

// atomicPrimitives returns the primitives of package sync/atomic.
func atomicPrimitives() []exec.Primitive {
	var list []exec.Primitive
	add := func(name string, transitions func(*exec.Call, []run.Transition) []run.Transition, run func(*exec.Call)) {
		list = append(list, exec.Primitive{
			Name: "sync/atomic." + name, Transitions: transitions, DependsOn: state.OnCell, Run: run,
			Shadows: true,
		})
	}
	learns := func() { list[len(list)-1].Learns = true }
	mayOnlyRead := func() { list[len(list)-1].MayOnlyRead = true }
	for _, t := range atomicTypes {
		k := t.kind
		add("Load"+t.suffix, atomicTransitions(schedule.AtomicRead), func(c *exec.Call) { atomicLoad(c, k) })
		learns()
		mayOnlyRead()
		list[len(list)-1].Hides = func(*exec.Call) bool { return true }
		add("Store"+t.suffix, atomicTransitions(schedule.AtomicWrite), func(c *exec.Call) { atomicStore(c, k) })
		add("Swap"+t.suffix, atomicTransitions(schedule.AtomicUpdate), func(c *exec.Call) {
			x := operandArg(c, 1)
			old, _ := atomicUpdate(c, k, func(symbolic.Operand) symbolic.Operand { return x })
			setOperand(c, old)
		})
		learns()
		add("CompareAndSwap"+t.suffix, func(c *exec.Call, to []run.Transition) []run.Transition {
			return compareTransition(c, k, to)
		}, func(c *exec.Call) { compareAndSwap(c, k) })
		learns()
		mayOnlyRead()
		if k == code.Pointer {
			continue
		}
		add("Add"+t.suffix, addTransition, func(c *exec.Call) { atomicAdd(c, k) })
		learns()
		list[len(list)-1].Hides = func(c *exec.Call) bool { return c.Machine.Plan.Visible.HideAdds && mayCommute(c) }
		for _, b := range []struct {
			name string
			op   code.Op
		}{{"And", code.And}, {"Or", code.Or}} {
			add(b.name+t.suffix, atomicTransitions(schedule.AtomicUpdate), func(c *exec.Call) {
				x := operandArg(c, 1)
				old, _ := atomicUpdate(c, k, func(old symbolic.Operand) symbolic.Operand { return symbolic.Arith(c.Machine.Arena, b.op, k, old, x) })
				setOperand(c, old)
			})
			learns()
		}
	}
	return list
}

// atomicTransitions returns a function that computes the transition of an operation on
// the cell of the first argument. If that is a nil pointer, the operation only panics.
func atomicTransitions(op schedule.Op) func(c *exec.Call, to []run.Transition) []run.Transition {
	return func(c *exec.Call, to []run.Transition) []run.Transition {
		l := c.CellAt(0)
		if l.Object == nil {
			return append(to, run.Transition{Op: schedule.NoOp, Object: run.NoObject, Partner: -1, Enabled: true})
		}
		to = appendOperation(to, l, op, true)
		to[len(to)-1].State = state.WordState(l.Object.Word(l.Offset))
		return to
	}
}

// compareTransition appends the transition of a CompareAndSwap. If the cell has another
// value than expected it is a read. If symbolic values are involved it counts as an
// update, since the result is not known before the operation is carried out.
func compareTransition(c *exec.Call, k code.Kind, to []run.Transition) []run.Transition {
	n := len(to)
	to = atomicTransitions(schedule.AtomicUpdate)(c, to)
	t, l := &to[n], c.CellAt(0)
	if l.Object == nil || l.Object.Sym != nil && l.Object.Sym[l.Offset] != expr.None || c.Shadow(1) != expr.None {
		return to
	}
	was, want := l.Object.Word(l.Offset).Canonical(k), c.Window[1]
	t.Compares, t.State, t.Delta = true, state.WordState(was), state.WordState(want)
	if was != want {
		t.Op = schedule.AtomicRead
	}
	return to
}

// operandArg returns argument word i with its symbolic value.
func operandArg(c *exec.Call, i int) symbolic.Operand {
	return symbolic.Operand{Word: c.Window[i], Sym: c.Shadow(i)}
}

// setOperand makes x the result, of one word.
func setOperand(c *exec.Call, x symbolic.Operand) {
	c.Window[0] = x.Word
	c.SetShadow(0, x.Sym)
}

// atomicCell returns the cell to which the first argument points. If that is nil, the
// goroutine panics and the result is false.
func atomicCell(c *exec.Call) (heap.Location, bool) {
	l := c.CellAt(0)
	if sym := c.Shadow(0); sym != expr.None {
		c.Machine.ConcretizeWord(c.Goroutine, c.Window[0], code.Pointer, sym)
	}
	if l.Object == nil {
		return l, c.Machine.PanicNil(c.Goroutine)
	}
	return l, true
}

// acquireCell orders the writes of the cell l, whose history is s, before what the goroutine does next.
func acquireCell(c *exec.Call, l heap.Location, s *race.Cell) {
	c.Goroutine.Acquire(&c.Machine.SyncOf(l, s).Clock)
}

// releaseCell orders what the goroutine has done before what those do who acquire the cell l next.
func releaseCell(c *exec.Call, l heap.Location, s *race.Cell) {
	c.Goroutine.ReleaseOnly(&c.Machine.SyncOf(l, s).Clock)
}

// readCell reads the cell l, whose history is s, and drafts the event of the operation,
// except for what it writes.
func readCell(c *exec.Call, l heap.Location, s *race.Cell, k code.Kind, op schedule.Op) (old symbolic.Operand) {
	m := c.Machine
	old.Word = l.Object.Word(l.Offset).Canonical(k)
	if l.Object.Sym != nil {
		old.Sym = symbolic.Fit(m.Arena, l.Object.Sym[l.Offset], k)
	}
	fresh := expr.None
	if m.Plan.ReadSymbols {
		fresh = m.FreshSymbols(c.Goroutine, 1, func(int) code.Kind { return k })[0]
		old.Sym = fresh
	}
	if m.Plan.Record {
		m.Events.Draft = run.Event{
			Op: op, Object: l.Object.ID, Offset: int32(l.Offset),
			Read: old.Word.Number(k), ReadKind: uint8(k), ReadSym: fresh, Other: s.WriteEvent - 1,
		}
	}
	return old
}

// writeCell stores x in the cell l, whose history is s, and records the drafted event.
func writeCell(c *exec.Call, l heap.Location, s *race.Cell, k code.Kind, x symbolic.Operand) {
	m := c.Machine
	m.Heap.Dirty(l.Object, l.Offset, 1)
	l.Object.Cells[l.Offset] = x.Word
	if l.Object.Sym != nil || x.Sym != expr.None {
		l.Object.SetShadows(l.Offset, 1, []expr.ID{x.Sym})
	}
	if m.Plan.Record {
		e := &m.Events.Draft
		e.Wrote, e.WroteKind, e.WroteSym = x.Word.Number(k), uint8(k), x.Sym
	}
	s.WriteEvent = m.RecordDraft(c.Goroutine) + 1
}

// atomicLoad carries out a Load.
func atomicLoad(c *exec.Call, k code.Kind) {
	l, ok := atomicCell(c)
	if !ok {
		return
	}
	s := c.Machine.CellOf(l)
	old := readCell(c, l, s, k, schedule.AtomicRead)
	if !c.Hidden {
		c.Machine.BeforeAtomic(c.Goroutine, l, s, true)
		acquireCell(c, l, s)
		c.Machine.TouchAtomic(c.Goroutine, l, s, false)
		c.Machine.Observe(c.Goroutine, l.Object, l.Offset, 1)
	} else {
		if !c.Machine.HideLoad(c.Goroutine, s) {
			acquireCell(c, l, s)
		}
		c.Machine.TouchHiddenLoad(c.Goroutine, l, s)
		c.Machine.ObserveHidden(c.Goroutine, l)
	}
	c.Machine.RecordDraft(c.Goroutine)
	setOperand(c, old)
}

// atomicStore carries out a Store.
func atomicStore(c *exec.Call, k code.Kind) {
	l, ok := atomicCell(c)
	if !ok {
		return
	}
	s := c.Machine.CellOf(l)
	c.Machine.BeforeAtomic(c.Goroutine, l, s, false)
	c.Machine.TouchAtomic(c.Goroutine, l, s, true)
	if c.Machine.Plan.Record {
		c.Machine.Events.Draft = run.Event{Op: schedule.AtomicWrite, Object: l.Object.ID, Offset: int32(l.Offset)}
	}
	writeCell(c, l, s, k, operandArg(c, 1))
	releaseCell(c, l, s)
}

// atomicUpdate replaces the value old of the cell by x, the result of update. It returns
// zero values if the goroutine panics.
func atomicUpdate(c *exec.Call, k code.Kind, update func(old symbolic.Operand) symbolic.Operand) (old, x symbolic.Operand) {
	l, ok := atomicCell(c)
	if !ok {
		return old, x
	}
	s := c.Machine.CellOf(l)
	old = readCell(c, l, s, k, schedule.AtomicUpdate)
	c.Machine.BeforeAtomic(c.Goroutine, l, s, false)
	acquireCell(c, l, s)
	c.Machine.TouchAtomic(c.Goroutine, l, s, true)
	x = update(old)
	writeCell(c, l, s, k, x)
	releaseCell(c, l, s)
	return old, x
}

// addTransition appends the transition of an Add.
func addTransition(c *exec.Call, to []run.Transition) []run.Transition {
	n := len(to)
	to = atomicTransitions(schedule.AtomicUpdate)(c, to)
	to[n].Commutes = to[n].Op == schedule.AtomicUpdate && commutes(c)
	return to
}

// atomicAdd carries out an Add. One that commutes with others learns nothing of them, and does not
// hide what they know: who reads the sum learns from all.
func atomicAdd(c *exec.Call, k code.Kind) {
	x := operandArg(c, 1)
	add := func(old symbolic.Operand) symbolic.Operand {
		return symbolic.Arith(c.Machine.Arena, code.Add, k, old, x)
	}
	if !commutes(c) {
		_, sum := atomicUpdate(c, k, add)
		setOperand(c, sum)
		return
	}
	l, ok := atomicCell(c)
	if !ok {
		return
	}
	c.Machine.Trace.Added = true
	s := c.Machine.CellOf(l)
	old := readCell(c, l, s, k, schedule.AtomicUpdate)
	if c.Hidden {
		c.Machine.TouchHiddenAdd(c.Goroutine, l, s)
	} else {
		c.Machine.TouchAdd(c.Goroutine, l, s)
	}
	sum := add(old)
	writeCell(c, l, s, k, sum)
	c.Goroutine.Release(&c.Machine.SyncOf(l, s).Clock)
	setOperand(c, sum)
}

// commutes reports whether the Add of a call commutes with others on the same variable, by Plan.AddsCommute.
func commutes(c *exec.Call) bool { return c.Machine.Plan.AddsCommute && mayCommute(c) }

// mayCommute reports whether the Add of a call commutes with others on the same variable if a plan
// says that they do: nothing is done with its result but to return it, and nothing with the result
// of the last function that does so.
func mayCommute(c *exec.Call) bool {
	g := c.Goroutine
	if g.Bubble != nil {
		return false
	}
	called := c.Func.SSA
	for i := len(g.Frames) - 1; i >= 0; i-- {
		f := &g.Frames[i]
		in := &f.Func.Code[f.PC]
		if in.Op != code.Call || in.K != code.ModeCall || f.Func.Callees[in.B] != called {
			return false // as for one that is deferred, or called by package reflect
		}
		how := f.Func.ResultUses[f.PC]
		if how != code.Returned || f.Mode != state.Called {
			return how == code.Unused || how == code.Returned && (f.Mode == state.DeferredCall || f.Mode == state.PanicDeferred)
		}
		called = f.Func.SSA
	}
	return false
}

// compareAndSwap carries out a CompareAndSwap. It branches on whether the cell has the
// expected value; if it has not, the operation only reads.
func compareAndSwap(c *exec.Call, k code.Kind) {
	l, ok := atomicCell(c)
	if !ok {
		return
	}
	want, x := operandArg(c, 1), operandArg(c, 2)
	same := l.Object.Word(l.Offset).Canonical(k) == want.Word
	op := schedule.AtomicRead
	if same {
		op = schedule.AtomicUpdate
	}
	s := c.Machine.CellOf(l)
	old := readCell(c, l, s, k, op)
	c.Machine.BeforeAtomic(c.Goroutine, l, s, false)
	acquireCell(c, l, s)
	c.Machine.TouchAtomic(c.Goroutine, l, s, same)
	if same {
		writeCell(c, l, s, k, x)
		releaseCell(c, l, s)
	} else {
		c.Machine.ObserveUntil(c.Goroutine, state.UntilEqual, l, k, want.Word, old.Sym != expr.None || want.Sym != expr.None)
		c.Machine.RecordDraft(c.Goroutine)
	}
	if old.Sym != expr.None || want.Sym != expr.None {
		eq := c.Machine.Arena.Eq(old.Expr(c.Machine.Arena, k), want.Expr(c.Machine.Arena, k))
		c.Machine.AddCondition(c.Goroutine, eq, same, run.Jump)
	}
	setOperand(c, symbolic.Operand{Word: heap.BoolWord(same)})
}
