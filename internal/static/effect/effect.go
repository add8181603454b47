package effect

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/bitset"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/escape"
	"github.com/everyway-go/everyway/internal/static/pointsto"
	"github.com/everyway-go/everyway/internal/static/reaching"
)

// Effects are what functions do to shared memory.
type Effects struct{ reads, writes bitset.Set } // by the number of a part of an object

// Meet reports whether one of two functions may write what the other one uses.
func (e *Effects) Meet(f *Effects) bool {
	return meets(e.writes, f.writes) || meets(e.writes, f.reads) || meets(e.reads, f.writes)
}

func meets(a, b bitset.Set) bool {
	for i := range min(len(a), len(b)) {
		if a[i]&b[i] != 0 {
			return true
		}
	}
	return false
}

// A Finder finds the effects of functions.
type Finder struct {
	pointers *pointsto.Result
	shared   *escape.Result
	library  func(*ssa.Function) bool
	numbers  map[pointsto.Label]int // of parts of objects
	own      map[*callgraph.Node]*Effects
}

// NewFinder returns a finder that does not look at functions of the library.
func NewFinder(pointers *pointsto.Result, shared *escape.Result, library func(*ssa.Function) bool) *Finder {
	return &Finder{pointers, shared, library, make(map[pointsto.Label]int), make(map[*callgraph.Node]*Effects)}
}

// Of returns the effects of functions, which are those of one call graph, and of what they call,
// other than in a new goroutine.
func (f *Finder) Of(functions ...*callgraph.Node) *Effects {
	all := &Effects{}
	seen := make(map[*callgraph.Node]bool)
	for work := functions; len(work) > 0; {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[n] || n.Body == nil || f.library(n.Func) {
			continue
		}
		seen[n] = true
		own := f.ofBody(n)
		all.reads.AddAll(own.reads)
		all.writes.AddAll(own.writes)
		for _, s := range n.Sites {
			if s.Mode != callgraph.Go {
				work = append(work, s.Callees()...)
			}
		}
	}
	return all
}

// ofBody returns the effects of the body of a function.
func (f *Finder) ofBody(n *callgraph.Node) *Effects {
	e := f.own[n]
	if e != nil {
		return e
	}
	e = &Effects{}
	f.own[n] = e
	for _, b := range n.Body.Blocks {
		for _, instr := range b.Instrs {
			if addr := reaching.Read(instr); addr != nil {
				f.add(&e.reads, addr)
			}
			switch instr := instr.(type) {
			case *ssa.Store:
				f.add(&e.writes, instr.Addr)
			case *ssa.MapUpdate:
				f.add(&e.writes, instr.Map)
			case *ssa.Send:
				f.add(&e.writes, instr.Chan)
			case *ssa.Select:
				for _, c := range instr.States {
					f.add(&e.writes, c.Chan)
				}
			case ssa.CallInstruction:
				f.addCall(e, instr.Common())
			}
		}
	}
	return e
}

// addCall adds the effects of a call of a builtin function, or of one of package sync.
func (f *Finder) addCall(e *Effects, call *ssa.CallCommon) {
	switch callee := call.Value.(type) {
	case *ssa.Builtin:
		switch callee.Name() {
		case "delete", "clear", "copy", "close":
			f.add(&e.writes, call.Args[0])
		}
	case *ssa.Function:
		recv := callee.Signature.Recv()
		if recv == nil || callee.Pkg == nil || len(call.Args) == 0 {
			return
		}
		switch callee.Pkg.Pkg.Path() {
		case "sync", "sync/atomic":
			if _, ok := recv.Type().Underlying().(*types.Pointer); ok {
				f.add(&e.writes, call.Args[0])
			}
		}
	}
}

// add adds the parts of shared objects to which a pointer may point.
func (f *Finder) add(to *bitset.Set, pointer ssa.Value) {
	for l := range f.pointers.Each(pointer) {
		if !f.shared.Shared(l.Object) {
			continue
		}
		n, ok := f.numbers[l]
		if !ok {
			n = len(f.numbers)
			f.numbers[l] = n
		}
		to.Grow(n + 1)
		to.Add(n)
	}
}
