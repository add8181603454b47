package shape

import (
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// A Heap is the symbolic heap of a run. It is a part of the state that a checkpoint keeps: it is
// copied before it changes for the first time since one.
type Heap struct {
	m        *exec.Interpreter
	interval uint32 // checkpoint interval in which it was made or copied

	objects []*object           // those that have been chosen, in this order
	waiting []*object           // those that pointers have as their values and that have not been chosen when these were drawn
	vars    []variable          // in the order in which they were drawn
	index   map[string]int      // of vars, by name
	roots   map[string]*filling // what has been drawn under a name
	elems   []*code.Type        // of the slices
	arrays  int32               // number of arrays behind strings and slices
	open    int                 // number of vars that have not been chosen

	types    map[*code.Type][]alternative // the results of alternatives, shared with copies
	funcs    map[*code.Type][]function    // the results of functions, likewise
	stores   map[*ssa.Function][]store    // the results of predicateStores, likewise
	links    []backLink                   // the hints of the program
	choosing bool                         // the conditions that are added are those of a choice
	held     map[unknownLock]bool         // those that are held; not changed in place
	tests    map[string]heap.Word         // pointers to what package testing makes, by the names of its types; not changed
}

// An object is a variable that is an input, or that will be if it is used.
type object struct {
	*heap.Object
	typ    *code.Type
	ref    bool            // it is a map, channel or function of the type, not a variable
	raw    uint64          // the value of the pointers to it in the plan
	number int32           // from 1 on in the order in which the objects are chosen, 0 if it has not been
	first  int             // index of the pointer by which it was chosen
	before int             // number of variables that had been drawn by then
	calls  []call          // of a function, in order
	was    contents        // what it had when sym.Assume was called, or when it became an input
	opened bool            // the program has made it, and its pointers are inputs
	region fragment.Region // in which it is; only with Interpreter.Pointers
	depth  int             // if it is opened, the number of pointers that lead to it, one after the other
}

// A variable is an input that is chosen when it is used: a pointer, a map, a channel or a function,
// the length of a slice, or the dynamic type of an interface, or the state of something that
// goroutines synchronise with.
type variable struct {
	name     string
	sym      expr.ID
	index    int        // in vars
	input    int        // index in the inputs of the trace
	elem     *code.Type // of the pointer, or the type of the map, channel or function; nil otherwise
	ref      bool       // it is a map, channel or function
	slice    *slice     // of the length; nil otherwise
	iface    *iface     // of the dynamic type; nil otherwise
	number   bool       // it is a number, as the counter of a wait group
	lock     lockWord   // of the condition to which it leads, if that is known
	done     *doneWord  // of the sync.Once without which the channel to which it leads is not closed; nil if there is none
	target   heap.Word
	object   *object // to which or into which the pointer points, if it had not been chosen when the pointer was drawn
	depth    int     // number of pointers that lead to a new object to which this one points
	chosen   bool
	region   fragment.Region // to which it leads, of pointers
	pointers *fragment.Pointers
	absent   uint64 // the value of a pointer if the plan has none
	edge     edge   // that it is, of structures
}

// A slice is an array whose elements are made inputs when its length is chosen.
type slice struct {
	*heap.Object
	elem   *code.Type
	name   string          // of the slice
	slices int             // number of slices in which it is an element, one in the other
	region fragment.Region // of the array
	edge   edge            // that the slice is
}

// Of returns the symbolic heap of the run of m.
func Of(m *exec.Interpreter) *Heap {
	if h, ok := m.InputHeap.(*Heap); ok {
		return h.own()
	}
	h := &Heap{
		m: m, interval: m.Heap.Interval(), index: map[string]int{}, roots: map[string]*filling{},
		types: map[*code.Type][]alternative{}, funcs: map[*code.Type][]function{},
		stores: map[*ssa.Function][]store{},
	}
	m.InputHeap = h
	return h
}

// own returns the heap to be changed: a copy if there has been a checkpoint since it was made.
func (h *Heap) own() *Heap {
	if h.interval == h.m.Heap.Interval() {
		return h
	}
	c := *h
	c.interval = h.m.Heap.Interval()
	copies := make(map[*object]*object, len(h.objects)+len(h.waiting))
	replaced := func(list []*object) []*object {
		list = slices.Clone(list)
		for i, o := range list {
			if copies[o] == nil {
				again := *o
				copies[o] = &again
			}
			list[i] = copies[o]
		}
		return list
	}
	c.objects, c.waiting = replaced(h.objects), replaced(h.waiting)
	c.vars, c.index, c.roots = slices.Clone(h.vars), maps.Clone(h.index), maps.Clone(h.roots)
	for i := range c.vars {
		if v := &c.vars[i]; v.object != nil {
			v.object = copies[v.object]
		}
	}
	h.m.InputHeap = &c
	return &c
}

// Restore implements state.InputHeap.
func (h *Heap) Restore() {
	for i, o := range h.waiting {
		o.ID.Count = h.count(o, i)
	}
	for i := range h.vars {
		h.record(&h.vars[i])
	}
}

// count returns the count of an object that is waiting at an index: that of its number, or one that
// no object has that has been chosen.
func (h *Heap) count(o *object, index int) int32 {
	if o.number > 0 {
		return o.number
	}
	return unchosen + int32(index)
}

// The counts of objects that are inputs, which are also their numbers unless they are arrays.
const (
	firstArray = run.FirstInputArray    // of arrays behind strings and slices
	unchosen   = run.LastInputArray + 1 // of objects that have not been chosen
)

// record sets the value of a pointer in the trace.
func (h *Heap) record(v *variable) {
	if v.elem != nil {
		h.m.Trace.Inputs[v.input].Value = h.valueOf(v.target)
	}
}

// codeOf returns the code of a pointer to the object with a number.
func codeOf(number int32, off int) uint64 {
	o := heap.Object{ID: run.ObjectID{Goroutine: run.InputObjects, Count: number}}
	return heap.Word{P: &o, N: uint64(off)}.PointerCode()
}

// decode is the inverse of codeOf. It returns 0 if value is no code of an object that has a number.
func decode(value uint64) (number int32, off int) {
	id, off := heap.Pointee(value)
	if id.Goroutine != run.InputObjects || id.Count >= firstArray {
		return 0, 0
	}
	return id.Count, off
}

// Open implements state.InputHeap.
func (h *Heap) Open() bool { return h.open > 0 }

// Finish implements state.InputHeap. Objects that have not been chosen get the numbers after the others.
func (h *Heap) Finish() {
	next := int32(len(h.objects))
	numbers := make(map[*object]int32)
	for _, name := range slices.Sorted(maps.Keys(h.index)) {
		v := &h.vars[h.index[name]]
		if v.elem == nil {
			continue
		}
		value := h.valueOf(v.target)
		if o := v.object; o != nil && o.number == 0 {
			if numbers[o] == 0 {
				next++
				numbers[o] = next
			}
			value = codeOf(numbers[o], int(v.target.N))
		}
		h.m.Trace.Inputs[v.input].Value = value
	}
	if len(h.vars) > 0 {
		h.m.Trace.Shape = h.canonical()
	}
	h.narrow()
}

// knownNil reports whether it is a condition of the path that a pointer is nil.
func (h *Heap) knownNil(v *variable) bool {
	if v.sym == expr.None {
		return false
	}
	a := h.m.Arena
	isNil := a.Eq(v.sym, a.Const(0, a.Width(v.sym)))
	return h.m.Events.Known[state.KnownCondition{Slot: 0, Cond: isNil}]
}
