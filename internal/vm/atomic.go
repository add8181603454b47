package vm

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
	"github.com/everyway-go/everyway/schedule"
)

// Atomic operations. An operation on a cell synchronises with those whose effect
// it observes: it acquires the clock of the cell's last write and, if it writes,
// leaves its own there.

// An atomicType is a type that package sync/atomic has functions for.
type atomicType struct {
	suffix string
	kind   code.Kind
}

var atomicTypes = [...]atomicType{
	{"Int32", code.Int32}, {"Int64", code.Int64},
	{"Uint32", code.Uint32}, {"Uint64", code.Uint64}, {"Uintptr", code.Uint64},
	{"Pointer", code.Pointer},
}

// atomicPrimitives lists the primitives of package sync/atomic.
func atomicPrimitives() []primitive {
	var list []primitive
	add := func(name string, options func(*call, []run.Transition) []run.Transition, run func(*call)) {
		list = append(list, primitive{name: "sync/atomic." + name, options: options, looksAt: state.OnCell, run: run, shadows: true})
	}
	mayOnlyRead := func() { list[len(list)-1].mayOnlyRead = true }
	for _, t := range atomicTypes {
		k := t.kind
		add("Load"+t.suffix, atomicOptions(schedule.AtomicRead), func(c *call) { atomicLoad(c, k) })
		mayOnlyRead()
		add("Store"+t.suffix, atomicOptions(schedule.AtomicWrite), func(c *call) { atomicStore(c, k) })
		add("Swap"+t.suffix, atomicOptions(schedule.AtomicUpdate), func(c *call) {
			x := operandArg(c, 1)
			old, _ := atomicUpdate(c, k, func(symbolic.Operand) symbolic.Operand { return x })
			setOperand(c, 0, old)
		})
		add("CompareAndSwap"+t.suffix, func(c *call, to []run.Transition) []run.Transition {
			return compareOption(c, k, to)
		}, func(c *call) { compareAndSwap(c, k) })
		mayOnlyRead()
		if k == code.Pointer {
			continue
		}
		add("Add"+t.suffix, atomicOptions(schedule.AtomicUpdate), func(c *call) {
			x := operandArg(c, 1)
			_, sum := atomicUpdate(c, k, func(old symbolic.Operand) symbolic.Operand { return symbolic.Arith(c.m.Arena, code.Add, k, old, x) })
			setOperand(c, 0, sum)
		})
		for _, b := range []struct {
			name string
			op   code.Op
		}{{"And", code.And}, {"Or", code.Or}} {
			add(b.name+t.suffix, atomicOptions(schedule.AtomicUpdate), func(c *call) {
				x := operandArg(c, 1)
				old, _ := atomicUpdate(c, k, func(old symbolic.Operand) symbolic.Operand { return symbolic.Arith(c.m.Arena, b.op, k, old, x) })
				setOperand(c, 0, old)
			})
		}
	}
	return list
}

// atomicOptions returns the options of an operation on the cell of the first
// argument; a nil pointer makes one that panics.
func atomicOptions(op schedule.Op) func(c *call, to []run.Transition) []run.Transition {
	return func(c *call, to []run.Transition) []run.Transition {
		l := c.cellAt(0)
		if l.Object == nil {
			return append(to, run.Transition{Op: schedule.NoOp, Object: run.NoObject, Partner: -1, Enabled: true})
		}
		to = appendOperation(to, l, op, true)
		to[len(to)-1].State = state.WordState(l.Object.Word(l.Offset))
		return to
	}
}

// compareOption returns the option of a CompareAndSwap. It reads when the cell
// has another value than expected. Of symbolic values nobody knows before it is
// done: they count as swapped.
func compareOption(c *call, k code.Kind, to []run.Transition) []run.Transition {
	n := len(to)
	to = atomicOptions(schedule.AtomicUpdate)(c, to)
	o, l := &to[n], c.cellAt(0)
	if l.Object == nil || l.Object.Sym != nil && l.Object.Sym[l.Offset] != expr.None || c.shadow(1) != expr.None {
		return to
	}
	was, want := l.Object.Word(l.Offset).Canonical(k), c.window[1]
	o.Compares, o.State, o.Delta = true, state.WordState(was), state.WordState(want)
	if was != want {
		o.Op = schedule.AtomicRead
	}
	return to
}

// operandArg returns argument word i.
func operandArg(c *call, i int) symbolic.Operand {
	return symbolic.Operand{Word: c.window[i], Sym: c.shadow(i)}
}

// setOperand makes x result word i.
func setOperand(c *call, i int, x symbolic.Operand) {
	c.window[i] = x.Word
	c.setShadow(i, x.Sym)
}

// atomicCell returns the cell that the first argument points to. It is false, and
// the goroutine panics, when that is nil.
func atomicCell(c *call) (heap.Location, bool) {
	l := c.cellAt(0)
	if sym := c.shadow(0); sym != expr.None {
		c.m.ConcretizeWord(c.g, c.window[0], code.Pointer, sym)
	}
	if l.Object == nil {
		return l, c.m.panicNil(c.g)
	}
	return l, true
}

// observeCell reads the cell l, whose shadow is s, and drafts the event of doing so,
// which lacks what is written.
func observeCell(c *call, l heap.Location, s *race.Cell, k code.Kind, op schedule.Op) (old symbolic.Operand) {
	m := c.m
	old.Word = l.Object.Word(l.Offset).Canonical(k)
	if l.Object.Sym != nil {
		old.Sym = symbolic.Fit(m.Arena, l.Object.Sym[l.Offset], k)
	}
	fresh := expr.None
	if m.Plan.ReadSymbols {
		fresh = m.FreshSymbols(c.g, 1, func(int) code.Kind { return k })[0]
		old.Sym = fresh
	}
	if m.Plan.Record {
		m.Events.Draft = run.Event{
			Op: op, Object: l.Object.ID, Offset: int32(l.Offset),
			Read: old.Word.Number(k), ReadKind: uint8(k), ReadSym: fresh, Other: s.Wrote - 1,
		}
	}
	c.g.Acquire(&m.Races.Sync(s).Clock)
	return old
}

// replaceCell stores x in the cell l, whose shadow is s, and records the drafted event.
func replaceCell(c *call, l heap.Location, s *race.Cell, k code.Kind, x symbolic.Operand) {
	m := c.m
	m.Heap.Dirty(l.Object, l.Offset, 1)
	l.Object.Cells[l.Offset] = x.Word
	if l.Object.Sym != nil || x.Sym != expr.None {
		l.Object.SetShadows(l.Offset, 1, []expr.ID{x.Sym})
	}
	if m.Plan.Record {
		e := &m.Events.Draft
		e.Wrote, e.WroteKind, e.WroteSym = x.Word.Number(k), uint8(k), x.Sym
	}
	s.Wrote = m.RecordDraft(c.g) + 1
	c.g.ReleaseOnly(&m.Races.Sync(s).Clock)
}

func atomicLoad(c *call, k code.Kind) {
	l, ok := atomicCell(c)
	if !ok {
		return
	}
	s := c.m.CellOf(l)
	old := observeCell(c, l, s, k, schedule.AtomicRead)
	c.m.TouchAtomic(c.g, l.Object.Race, s, false)
	c.m.Observe(c.g, l.Object, l.Offset, 1)
	c.m.RecordDraft(c.g)
	setOperand(c, 0, old)
}

func atomicStore(c *call, k code.Kind) {
	l, ok := atomicCell(c)
	if !ok {
		return
	}
	s := c.m.CellOf(l)
	c.m.TouchAtomic(c.g, l.Object.Race, s, true)
	if c.m.Plan.Record {
		c.m.Events.Draft = run.Event{Op: schedule.AtomicWrite, Object: l.Object.ID, Offset: int32(l.Offset)}
	}
	replaceCell(c, l, s, k, operandArg(c, 1))
}

// atomicUpdate replaces the cell's value old by what update makes of it. Both
// are zero when the goroutine panics.
func atomicUpdate(c *call, k code.Kind, update func(old symbolic.Operand) symbolic.Operand) (old, x symbolic.Operand) {
	l, ok := atomicCell(c)
	if !ok {
		return old, x
	}
	s := c.m.CellOf(l)
	old = observeCell(c, l, s, k, schedule.AtomicUpdate)
	c.m.TouchAtomic(c.g, l.Object.Race, s, true)
	x = update(old)
	replaceCell(c, l, s, k, x)
	return old, x
}

// compareAndSwap branches on whether the cell has the value expected. When it
// does not, the operation only reads.
func compareAndSwap(c *call, k code.Kind) {
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
	s := c.m.CellOf(l)
	old := observeCell(c, l, s, k, op)
	c.m.TouchAtomic(c.g, l.Object.Race, s, same)
	if same {
		replaceCell(c, l, s, k, x)
	} else {
		c.m.ObserveUntil(c.g, state.UntilEqual, l, k, want.Word, old.Sym != expr.None || want.Sym != expr.None)
		c.m.RecordDraft(c.g)
	}
	if old.Sym != expr.None || want.Sym != expr.None {
		eq := c.m.Arena.Eq(old.Expr(c.m.Arena, k), want.Expr(c.m.Arena, k))
		c.m.Hold(c.g, eq, same, run.Jump)
	}
	setOperand(c, 0, symbolic.Operand{Word: heap.BoolWord(same)})
}
