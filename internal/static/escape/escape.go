package escape

import (
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/pointsto"
)

// A Result says which objects are shared.
type Result struct {
	pointers *pointsto.Result
	shared   *pointsto.Walk
	why      map[*pointsto.Object]string // of those that are
}

// Of finds the shared objects. The graph is the one that pointers was made with.
func Of(g *callgraph.Graph, pointers *pointsto.Result) *Result {
	r := &Result{pointers: pointers, shared: pointers.NewWalk(), why: make(map[*pointsto.Object]string)}
	var work []*pointsto.Object
	found := func(o *pointsto.Object, why string) {
		r.why[o] = why
		work = append(work, o)
	}
	add := func(objects iter.Seq[*pointsto.Object], why string) {
		for o := range objects {
			found(o, why)
		}
	}
	for _, o := range pointers.Objects() {
		switch {
		case o.Global == nil && !o.Exposed || !r.shared.Add(o):
		case o.Global != nil:
			found(o, "is a package variable")
		default:
			found(o, "is exposed")
		}
	}
	captured := func(fn *callgraph.Node, why string) {
		if fn.Body == nil {
			return
		}
		for _, v := range fn.Body.FreeVars {
			add(r.shared.From(v), why)
		}
	}
	for _, n := range g.Nodes {
		for _, s := range n.Sites {
			switch s.Mode {
			case callgraph.Go:
				why := "is passed to a goroutine in " + n.Name
				call := s.Instr.Common()
				for _, arg := range call.Args {
					add(r.shared.From(arg), why)
				}
				add(r.shared.From(call.Value), why)
				for _, c := range s.Callees() {
					captured(c, why)
				}
			case callgraph.Outside:
				for _, c := range s.Callees() {
					if !g.Root(c) {
						captured(c, "is captured by a function that the machine calls")
					}
				}
			}
		}
	}
	for len(work) > 0 {
		o := work[0]
		work = work[1:]
		why := "is reached from " + o.String()
		add(r.shared.In(o), why)
		if o.Func != nil {
			captured(o.Func, why)
		}
	}
	return r
}

// Shared reports whether goroutines other than the one that has made it may have a pointer to an object.
func (r *Result) Shared(o *pointsto.Object) bool { return r.shared.Has(o) }

// Why says why an object is shared; it is empty if it is not.
func (r *Result) Why(o *pointsto.Object) string { return r.why[o] }

// Accesses reports whether an instruction may access memory that is shared, itself and not through a call.
func (r *Result) Accesses(instr ssa.Instruction) bool {
	return slices.ContainsFunc(accessed(instr), r.MayPoint)
}

// MayPoint reports whether a value may point to an object that is shared.
func (r *Result) MayPoint(v ssa.Value) bool {
	for l := range r.pointers.Each(v) {
		if r.Shared(l.Object) {
			return true
		}
	}
	return false
}

// accessed returns the operands of an instruction that are the address of memory, a map, or a channel that it accesses.
func accessed(instr ssa.Instruction) (list []ssa.Value) {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		return []ssa.Value{instr.X}
	case *ssa.Store:
		return []ssa.Value{instr.Addr}
	case *ssa.MapUpdate:
		return []ssa.Value{instr.Map}
	case *ssa.Lookup:
		return []ssa.Value{instr.X}
	case *ssa.Range:
		return []ssa.Value{instr.X}
	case *ssa.Next:
		if r, ok := instr.Iter.(*ssa.Range); ok {
			return []ssa.Value{r.X}
		}
	case *ssa.Send:
		return []ssa.Value{instr.Chan}
	case *ssa.Select:
		for _, s := range instr.States {
			list = append(list, s.Chan)
		}
	case ssa.CallInstruction:
		if _, ok := instr.Common().Value.(*ssa.Builtin); ok {
			return instr.Common().Args
		}
	}
	return list
}

// Print writes the objects that the instructions of a function make, and why they are shared.
func (r *Result) Print(w io.Writer, n *callgraph.Node) (int64, error) {
	var out strings.Builder
	fmt.Fprintf(&out, "%s:\n", n.Name)
	for _, o := range r.pointers.Objects() {
		if n.Body == nil || o.Instr == nil || o.Instr.Parent() != n.Body {
			continue
		}
		if why := r.Why(o); why != "" {
			fmt.Fprintf(&out, "\t%s %s\n", o, why)
		} else {
			fmt.Fprintf(&out, "\t%s is not shared\n", o)
		}
	}
	k, err := io.WriteString(w, out.String())
	return int64(k), err
}
