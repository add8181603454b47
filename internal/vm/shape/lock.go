package shape

import (
	"fmt"
	"go/types"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// In a search that begins in the middle of functions, goroutines may hold locks of which nothing is
// known but in what they are, and where. Those in an object are held or not from when the object is
// chosen on.

// unknownLock names one of the locks of the goroutines of a context that may be held.
type unknownLock struct{ goroutine, index int }

// holdUnknown makes it an input whether goroutines hold the locks in an object that has just been chosen.
func (h *Heap) holdUnknown(g *state.Goroutine, o *object, name string) {
	for i, mid := range h.m.Middles {
		for k := range mid.Unknown {
			u := &mid.Unknown[k]
			for _, l := range locksIn(nil, o.typ, "", 0) {
				if h.m.Over {
					return
				}
				if !h.held[unknownLock{i, k}] && matches(u, o.typ, &l) {
					h.holdOne(g, unknownLock{i, k}, o, name+l.path, &l)
				}
			}
		}
	}
}

// matches reports whether a lock in a variable of type t may be one that a goroutine may hold.
func matches(u *code.UnknownLock, t *code.Type, l *lockIn) bool {
	if u.Read && !l.read {
		return false
	}
	return slices.ContainsFunc(u.Parts, func(p code.LockPart) bool {
		return p.Type == t && (p.Path == l.path || strings.HasPrefix(p.Path, l.path+".") || p.Path == "" && l.off == 0)
	})
}

// holdOne makes it an input whether a goroutine holds a lock.
func (h *Heap) holdOne(g *state.Goroutine, id unknownLock, o *object, name string, l *lockIn) {
	u := &h.m.Middles[id.goroutine].Unknown[id.index]
	if len(h.m.Middles) > 1 {
		name = fmt.Sprintf("%s is held by goroutine %d", name, id.goroutine+1)
	} else {
		name += " is held"
	}
	x := h.m.DrawChoice(name)
	if x.Sym != expr.None {
		h.m.Equate(g, x.Sym, x.N)
	}
	if h.m.Over || x.N == 0 {
		return
	}
	h.m.AddBound(run.NoSite, "of the locks that callers have taken, one of each call that locks")
	h.held = maps.Clone(h.held)
	if h.held == nil {
		h.held = make(map[unknownLock]bool)
	}
	h.held[id] = true
	if !h.m.TakeFor(id.goroutine, heap.Location{Object: o.Object, Offset: l.off}, u.Read, u.Inherited) {
		h.reject()
		return
	}
	if l.once >= 0 {
		h.notDone(g, heap.Location{Object: o.Object, Offset: l.once})
	}
}

// notDone makes it a condition that a sync.Once is not done, of which a goroutine holds the lock:
// it is calling the function.
func (h *Heap) notDone(g *state.Goroutine, l heap.Location) {
	done := l.Load() != 0
	if sym := l.Object.ShadowAt(l.Offset, 1); len(sym) > 0 && sym[0] != expr.None {
		a := h.m.Arena
		h.check(g, a.Eq(sym[0], a.Const(0, a.Width(sym[0]))), !done)
	} else if done {
		h.reject()
	}
}

// reject ends a run whose input is none.
func (h *Heap) reject() {
	h.m.Trace.Skipped = true
	h.m.Stop(run.Finished, "")
}

// A lockIn is a lock in a value.
type lockIn struct {
	path string // the fields that lead to it
	off  int
	read bool // it is an RWMutex
	once int  // offset of the number of the sync.Once in which it is that says whether it is done, -1 if it is in none
}

// locksIn appends to list the locks in a value of type t.
func locksIn(list []lockIn, t *code.Type, path string, off int) []lockIn {
	switch syncType(t) {
	case "Mutex", "RWMutex":
		return append(list, lockIn{path, off, syncType(t) == "RWMutex", -1})
	}
	switch t.Shape {
	case code.ShapeStruct:
		n := len(list)
		for i := range t.Fields {
			f := &t.Fields[i]
			list = locksIn(list, f.Type, path+"."+f.Name, off+f.Offset)
		}
		if syncType(t) == "Once" {
			for i := n; i < len(list); i++ {
				list[i].once = off + DoneOf(t)
			}
		}
	case code.ShapeArray:
		for i := range int(t.Len) {
			n := len(list)
			if list = locksIn(list, t.Elem, path+"[]", off+i*t.Elem.Words); len(list) == n {
				break
			}
		}
	}
	return list
}

// syncType returns the name of a type of package sync, "" for another one.
func syncType(t *code.Type) string {
	named, ok := types.Unalias(t.Go).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != "sync" {
		return ""
	}
	return named.Obj().Name()
}

// DoneOf returns where in a sync.Once the number is that says whether it is done.
func DoneOf(t *code.Type) int {
	for i := range t.Fields {
		if f := &t.Fields[i]; f.Name == "done" {
			last := &f.Type.Fields[len(f.Type.Fields)-1]
			return f.Offset + last.Offset
		}
	}
	return 0
}

// In a search that begins in the middle of functions, the lock of a condition is a part of the
// struct that the condition is in, if that is known (fragment.Condition), or an input.

// A lockWord is the lock of a condition.
type lockWord struct {
	at  heap.Location
	typ *code.Type // of a pointer to it; nil if it is not known
}

// A lockPlace is where in a content the lock of a condition is.
type lockPlace struct {
	cond    int // where the condition is, if it is in the content
	locker  int // where that has its lock
	lock    int
	typ     *code.Type // of a pointer to the lock
	pointer int        // index of the variable that leads to the condition, -1 if it is in the content
}

// knowLocks notes where the locks of the conditions in a struct are, which is at an offset in the content.
func (f *filling) knowLocks(t *code.Type, at int) {
	for _, c := range f.m.Conditions[t] {
		if !c.Pointer {
			f.locks = append(f.locks, lockPlace{at + c.At, at + c.At + c.Locker, at + c.Lock, c.LockType, -1})
		}
	}
}

// knowPointees does that for the conditions to which pointers in a struct of a name lead.
func (f *filling) knowPointees(t *code.Type, name string, at int) {
	for _, c := range f.m.Conditions[t] {
		if !c.Pointer {
			continue
		}
		if i, ok := f.index[f.m.InputPrefix+name+c.Path]; ok {
			f.locks = append(f.locks, lockPlace{-1, -1, at + c.Lock, c.LockType, i})
		}
	}
}

// knowGuarded notes of the channels of a struct that they are open as long as a sync.Once of it has not been done.
func (f *filling) knowGuarded(t *code.Type, name string, at int) {
	for _, g := range f.m.Guarded[t] {
		if i, ok := f.index[f.m.InputPrefix+name+g.Channel]; ok {
			f.vars[i].done = &doneWord{f.words[at+g.Done].N, f.syms[at+g.Done]}
		}
	}
}

// A doneWord is the number of a sync.Once that says whether it is done, with a symbolic value or none.
type doneWord struct {
	n   uint64
	sym expr.ID
}

// knowDone makes it a condition that a sync.Once is done, if the channel that it guards is closed.
func (h *Heap) knowDone(g *state.Goroutine, w *doneWord, channel *heap.Object) {
	switch {
	case channel.Kind != heap.ChanObject || channel.Cells[state.ChanClosed].N == 0:
	case w.sym != expr.None:
		a := h.m.Arena
		h.check(g, a.Not(a.Eq(w.sym, a.Const(0, a.Width(w.sym)))), w.n != 0)
	case w.n == 0:
		h.reject()
	}
}

// placeLocks sets the locks of conditions in a content that is stored at a location.
func (f *filling) placeLocks(at heap.Location) {
	for _, p := range f.locks {
		lock := lockWord{heap.Location{Object: at.Object, Offset: at.Offset + p.lock}, p.typ}
		if p.pointer >= 0 {
			f.vars[p.pointer].lock = lock
		} else {
			f.setLock(p.locker, lock)
		}
	}
}

// setLock sets the lock of a condition that is at an offset.
func (f *filling) setLock(at int, lock lockWord) {
	f.words[at], f.words[at+1] = f.m.TypeWord(lock.typ), heap.Word{P: lock.at.Object, N: uint64(lock.at.Offset)}
	f.syms[at], f.syms[at+1] = expr.None, expr.None
}

// condition draws a condition. Its lock is nil, a Mutex or an RWMutex, unless it is known.
func (f *filling) condition(t *code.Type, name string, at int) {
	if slices.ContainsFunc(f.locks, func(p lockPlace) bool { return p.cond == at }) || f.lock.typ != nil {
		return
	}
	locker := t.Fields[slices.IndexFunc(t.Fields, func(field code.Field) bool { return field.Name == "L" })]
	var all []alternative
	for _, kind := range []string{"Mutex", "RWMutex"} {
		lock := types.Unalias(t.Go).(*types.Named).Obj().Pkg().Scope().Lookup(kind)
		typ := f.m.Program.Type(types.NewPointer(lock.Type()))
		all = append(all, alternative{typ: typ, name: code.TypeString(typ.Go)})
	}
	region := f.region(at + locker.Offset)
	f.dynamicAmong(all, name+".L", at+locker.Offset, func(int) fragment.Region { return region })
}

// LockerOf returns where in a sync.Cond its lock is.
func LockerOf(t *code.Type) int {
	for i := range t.Fields {
		if t.Fields[i].Name == "L" {
			return t.Fields[i].Offset
		}
	}
	return 0
}

// In a search that begins in the middle of functions, a wait group counts those of the goroutines
// that have still to call Done, as far as that is known (fragment.Debt), and others, whose number
// is an input.

// maxOthers is how many others a wait group counts at most: none, one or several is all that makes
// a difference to who waits.
const maxOthers = 2

// counter draws how many others the wait group of a name counts.
func (f *filling) counter(name string) symbolic.Operand {
	name += " counts others"
	x := f.m.DrawUpTo(name, code.Int64, maxOthers, 0)
	f.m.AddBound(run.NoSite, fmt.Sprintf("wait groups that count at most %d others than the goroutines here", maxOthers))
	name = f.m.InputPrefix + name
	f.add(variable{name: name, sym: x.Sym, index: len(f.vars), input: f.inputOf(name), number: true, depth: f.depth})
	if x.Sym != expr.None {
		f.assumed(f.m.Arena.Ule(x.Sym, f.m.Arena.Const(maxOthers, 64)))
	}
	return x
}

// DrawWaiters draws how many others wait at a condition of a name, a package variable, of which all else is as it was.
func (h *Heap) DrawWaiters(g *state.Goroutine, o *heap.Object, name string) {
	x := h.waiters(g, name)
	h.m.Heap.Store(o, waitersOf(o.Type), []heap.Word{x.Word}, []expr.ID{x.Sym})
}

// waiters draws how many others wait at the condition of a name, where nothing is known of others (fragment.Uses).
func (h *Heap) waiters(g *state.Goroutine, name string) symbolic.Operand {
	x := h.m.DrawUpTo(name+" has others waiting", code.Int32, math.MaxInt32, 0)
	if x.Sym != expr.None {
		h.m.AddCondition(g, h.m.Arena.Ule(x.Sym, h.m.Arena.Const(math.MaxInt32, 32)), true, run.Assumed)
	}
	return x
}

// waitersOf returns where in a sync.Cond is how many others wait.
func waitersOf(t *code.Type) int {
	for i := range t.Fields {
		if t.Fields[i].Name == "notify" {
			return t.Fields[i].Offset
		}
	}
	return 0
}

// CountIn makes a wait group, whose counter is at a location, count one more goroutine.
func (h *Heap) CountIn(l heap.Location) {
	sym := expr.None
	if s := l.Object.ShadowAt(l.Offset, 1); s != nil {
		sym = h.m.Arena.Add(s[0], h.m.Arena.Const(1, 64))
	}
	h.m.Heap.Store(l.Object, l.Offset, []heap.Word{{N: l.Load() + 1}}, []expr.ID{sym})
}

// counterOf returns where in a sync.WaitGroup its counter is.
func counterOf(t *code.Type) int {
	for i := range t.Fields {
		if t.Fields[i].Name == "state" {
			return t.Fields[i].Offset
		}
	}
	return 0
}
