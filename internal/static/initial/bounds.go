package initial

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/protection"
)

// bounds returns between which numbers package variables and fields are when goroutines have
// stacks. Those whose lock none of the goroutines may hold are where they are while nobody holds
// it. Those that only the goroutine writes in which a target begins are what it has made them
// before it comes to where it is, or, if it is none of these, before it has started another one.
func (v *Variables) bounds(stacks [][]ssa.Instruction, opts Options) (list []fragment.Bound) {
	var all []protection.Bound
	v.fields.ofAnyContext(func() { all = v.protection.Bounds(structs{v.fields}) }) // who makes variables here is asked below
	for i := range all {
		b := &all[i]
		if b.Set && slices.ContainsFunc(stacks, func(stack []ssa.Instruction) bool {
			return slices.ContainsFunc(stack, func(at ssa.Instruction) bool { return makesOne(at.Parent(), b.Struct) })
		}) {
			continue
		}
		is := b.Within()
		if !opts.NoSynchronisation {
			is = v.anytime(b, stacks)
		}
		if !opts.NoDefinitions {
			is = v.reaching(b, stacks, is)
		}
		if is.Least > is.Most || is == b.Within() {
			continue
		}
		list = append(list, fragment.Bound{
			Variable: b.Variable, Field: fragment.Field{Struct: b.Struct, Fields: b.Fields}, Range: fragment.Range{Least: is.Least, Most: is.Most},
		})
	}
	return list
}

// within returns bounds with other ones put in, which are of variables and fields that may have bounds already.
func within(list, others []fragment.Bound) []fragment.Bound {
	for _, o := range others {
		i := slices.IndexFunc(list, func(b fragment.Bound) bool {
			return b.Variable == o.Variable &&
				(o.Variable != nil || types.Identical(b.Field.Struct, o.Field.Struct) && slices.Equal(b.Field.Fields, o.Field.Fields))
		})
		if i < 0 {
			list = append(list, o)
			continue
		}
		list[i].Range = fragment.Range{Least: max(list[i].Range.Least, o.Range.Least), Most: min(list[i].Range.Most, o.Range.Most)}
	}
	return list
}

// relations returns what is true of numbers together when goroutines have stacks of which none may hold their lock.
func (v *Variables) relations(stacks [][]ssa.Instruction) (list []fragment.Relation) {
	for _, r := range v.protection.Relations(structs{v.fields}) {
		if slices.ContainsFunc(stacks, func(stack []ssa.Instruction) bool { return v.protection.MayHold(r.Terms[0].Bound, stack) }) {
			continue
		}
		known := fragment.Relation{Modulo: r.Modulo}
		for _, t := range r.Terms {
			known.Terms = append(known.Terms, fragment.Term{
				Variable: t.Bound.Variable,
				Field:    fragment.Field{Struct: t.Bound.Struct, Fields: t.Bound.Fields}, Minus: t.Minus,
			})
		}
		list = append(list, known)
	}
	return list
}

// anytime is between which numbers a variable is when goroutines have stacks, whatever has been executed before.
func (v *Variables) anytime(b *protection.Bound, stacks [][]ssa.Instruction) protection.Interval {
	if slices.ContainsFunc(stacks, func(stack []ssa.Instruction) bool { return v.protection.MayHold(b, stack) }) {
		return b.Ever
	}
	return b.Free
}

// reaching returns those of some numbers that a variable may have been set to when goroutines have stacks.
func (v *Variables) reaching(b *protection.Bound, stacks [][]ssa.Instruction, is protection.Interval) protection.Interval {
	first := false
	var other []*callgraph.Node
	for _, stack := range stacks {
		outermost := stack[len(stack)-1].Parent()
		switch {
		case v.beginnings.isFirst(outermost):
			first = true
			is = is.Meet(v.protection.At(b, stack[0]))
		case v.beginnings.isOther(outermost):
			other = append(other, v.beginnings.calls.Of(outermost))
		}
	}
	if first {
		return is
	}
	for _, n := range other {
		is = is.Meet(v.protection.BegunWith(b, func(s *callgraph.Site) bool { return v.leadsTo(s, n) }))
	}
	return is
}

// leadsTo reports whether a goroutine that is started at a site may come to a function, or start
// one that does, and so on. What only the goroutine executes in which a target begins, no other one
// does.
func (v *Variables) leadsTo(s *callgraph.Site, n *callgraph.Node) bool {
	above := v.above[n]
	if above == nil {
		above = map[*callgraph.Node]bool{n: true}
		for work := []*callgraph.Node{n}; len(work) > 0; {
			n := work[len(work)-1]
			work = work[:len(work)-1]
			confined := v.isConfined(n)
			for _, s := range n.Callers() {
				if v.beginnings.other[s.Caller] && !above[s.Caller] && !(confined && s.Instr == nil) {
					above[s.Caller] = true
					work = append(work, s.Caller)
				}
			}
		}
		v.above[n] = above
	}
	return slices.ContainsFunc(s.Callees(), func(c *callgraph.Node) bool { return above[c] })
}

// isConfined reports whether all that is done with a function is that it is called where it is
// named, or that a goroutine begins with it. So the machine does not call it.
func (v *Variables) isConfined(n *callgraph.Node) bool {
	if n.Body == nil || n.Body.Signature.Recv() != nil || slices.Contains(v.beginnings.calls.Given(), n) || v.beginnings.calls.Root(n) {
		return false
	}
	refs := v.referring(n.Body)
	return len(refs) > 0 && !slices.ContainsFunc(refs, func(ref ssa.Instruction) bool {
		call, ok := ref.(ssa.CallInstruction)
		switch {
		case !ok:
			return true
		case call.Common().StaticCallee() == n.Body:
			return slices.ContainsFunc(call.Common().Args, func(x ssa.Value) bool { return isFunction(x, n.Body) })
		}
		return !isStart(call, n.Body)
	})
}

// makesOne reports whether a function makes a variable with a struct.
func makesOne(fn *ssa.Function, strct types.Type) bool {
	return anyOf(fn, func(instr ssa.Instruction) bool {
		alloc, ok := instr.(*ssa.Alloc)
		return ok && code.HasPart(alloc.Type().Underlying().(*types.Pointer).Elem(), func(t types.Type) bool { return types.Identical(t, strct) })
	})
}

// structs are the protection.Structs of a program.
type structs struct{ fields *fields }

// Known implements [protection.Structs]. What package reflect or the machine may have a pointer to, they may write.
func (s structs) Known(strct types.Type) bool {
	name := s.fields.nameOf(strct)
	if name == "" || s.fields.isCopied(strct) {
		return false
	}
	objects, known := s.fields.objects[name]
	if !known {
		objects = s.fields.objectsOf(strct)
		s.fields.objects[name] = objects
	}
	for _, o := range objects {
		if o.Exposed {
			return false
		}
	}
	return true
}

// MadeWith implements [protection.Structs].
func (s structs) MadeWith(strct types.Type, path []int) bool {
	for _, at := range s.fields.order {
		if types.Identical(at.Struct, strct) && slices.Equal(at.Fields, path) {
			return s.fields.madeWith(at)
		}
	}
	return false
}

var _ protection.Structs = structs{}
