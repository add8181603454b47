package ownership

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/ssaform"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/reaching"
)

// A function finds out what a call of one does to components.
//
// A component is named by an atom: the value that leads there first, or an instruction that makes a
// variable. One that is executed again names another one.
type function struct {
	*proof
	node  *callgraph.Node
	atoms []atom
	index map[atomKey]int
	known map[ssa.Value][]int // the atoms of values, as far as they have been found
	asked map[ssa.Value]bool  // since the last time that all instructions were looked at
	grown bool                // some value has got more of them since
}

// An atom is a component.
type atom struct {
	parent int             // another one that it may be joined with, itself if there is none
	param  int             // the index of the parameter, -1 for others
	rooted bool            // it may have a root when it is first seen
	at     ssa.Instruction // defines it, nil for what is there from the beginning of the call
}

// An atomKey names an atom: by a value, and the index of a result if it is a call of several, or -1
// for a component that the call joins with others.
type atomKey struct {
	of    any
	index int
}

// summary looks at all instructions.
func (f *function) summary() *summary {
	f.index, f.known = make(map[atomKey]int), make(map[ssa.Value][]int)
	s := &summary{}
	for f.grown = true; f.grown; { // a phi may be asked for while it is looked for
		f.grown, f.asked = false, make(map[ssa.Value]bool)
		f.results(s, f.instructions())
	}
	f.judge(s)
	return s
}

// instructions looks at all instructions once. It returns those that return.
func (f *function) instructions() (returns []*ssa.Return) {
	for _, b := range f.node.Body.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Store:
				if f.edges.in(instr.Val.Type()) {
					f.join(f.atomsOf(instr.Addr), f.atomsOf(instr.Val))
				}
			case *ssa.MapUpdate:
				for _, v := range []ssa.Value{instr.Key, instr.Value} {
					if f.edges.in(v.Type()) {
						f.join(f.atomsOf(instr.Map), f.atomsOf(v))
					}
				}
			case *ssa.ChangeType:
				_, isPointer := instr.Type().Underlying().(*types.Pointer)
				from, to := elem(instr.X.Type()), elem(instr.Type())
				if isPointer && (f.edges.in(from) != f.edges.in(to) || f.edges.rooted(from) != f.edges.rooted(to)) {
					f.failed = true // variables have two types
				}
			case ssa.CallInstruction:
				f.call(instr)
			case *ssa.Return:
				returns = append(returns, instr)
			}
		}
	}
	return returns
}

// results notes to which components what is returned leads.
func (f *function) results(s *summary, returns []*ssa.Return) {
	signature := f.node.Body.Signature.Results()
	if signature.Len() == 0 || !slices.ContainsFunc(slices.Collect(signature.Variables()), func(v *types.Var) bool { return leads(v.Type()) }) {
		return
	}
	of := make([]map[int]bool, signature.Len()) // the joined atoms
	for i := range of {
		of[i] = make(map[int]bool)
		for _, ret := range returns {
			for _, a := range f.atomsOf(ret.Results[i]) {
				of[i][a] = true
			}
		}
	}
	s.results = make([]result, len(of))
	groups := make([]map[int]bool, len(of))
	for i, list := range of {
		r := &s.results[i]
		groups[i] = make(map[int]bool)
		for a := range list {
			g := f.find(a)
			joined := false
			for b := range f.atoms {
				if f.find(b) != g {
					continue
				}
				if k := f.atoms[b].param; k >= 0 {
					if r.of == nil {
						r.of = make(map[int]bool)
					}
					r.of[k], joined = true, true
				} else if f.atoms[b].rooted {
					r.rooted, joined = true, true
				}
			}
			if !joined {
				r.fresh = true
				groups[i][g] = true
			}
		}
	}
	for i := range groups {
		for k := range i {
			for g := range groups[i] {
				if groups[k][g] {
					if s.together == nil {
						s.together = make(map[[2]int]bool)
					}
					s.together[[2]int{k, i}] = true
				}
			}
		}
	}
}

// judge looks at what is joined: whether two may have a root, and which parameters are.
func (f *function) judge(s *summary) {
	groups := make(map[int][]int)
	for a := range f.atoms {
		groups[f.find(a)] = append(groups[f.find(a)], a)
	}
	for _, group := range groups {
		if len(group) == 1 {
			continue
		}
		var roots, params []int
		for _, a := range group {
			switch {
			case f.atoms[a].param >= 0:
				params = append(params, f.atoms[a].param)
			case f.atoms[a].rooted:
				roots = append(roots, a)
			}
		}
		if len(roots) > 1 || len(roots) == 1 && f.isStale(roots[0], group) {
			f.failed = true
		}
		for i, k := range params {
			if len(roots) > 0 {
				if s.outside == nil {
					s.outside = make(map[int]bool)
				}
				s.outside[k] = true
			}
			for _, l := range params[:i] {
				if s.joined == nil {
					s.joined = make(map[[2]int]bool)
				}
				s.joined[[2]int{min(k, l), max(k, l)}] = true
			}
		}
	}
}

// isStale reports whether an atom is defined in a loop, and others of its group need not be defined
// again when it is: they may be joined with several of it.
func (f *function) isStale(root int, group []int) bool {
	at := f.atoms[root].at
	return at != nil && f.isInLoop(at.Block()) && slices.ContainsFunc(group, func(a int) bool {
		other := f.atoms[a].at
		return a != root && (other == nil || !ssaform.Dominates(at, other))
	})
}

// call joins what a call joins.
func (f *function) call(instr ssa.CallInstruction) {
	common := instr.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append", "copy":
			if s, ok := common.Args[0].Type().Underlying().(*types.Slice); ok && len(common.Args) > 1 && f.edges.in(s.Elem()) {
				f.join(f.atomsOf(common.Args[0]), f.atomsOf(common.Args[1]))
				if v := instr.Value(); v != nil && b.Name() == "append" {
					f.join(f.atomsOf(v), f.atomsOf(common.Args[1]))
				}
			}
		}
		return
	}
	site := f.cfg.Calls.Site(instr)
	if site == nil {
		return
	}
	for _, callee := range site.Callees() {
		s := f.summaries[callee]
		if s == nil {
			continue
		}
		for pair := range s.joined {
			f.join(f.argument(instr, callee, pair[0]), f.argument(instr, callee, pair[1]))
		}
		for i := range s.outside {
			f.join(f.argument(instr, callee, i), []int{f.atom(atomKey{instr, -1}, atom{param: -1, rooted: true, at: instr})})
		}
		if v := instr.Value(); v != nil {
			for pair := range s.together {
				f.join([]int{f.made(v, pair[0])}, []int{f.made(v, pair[1])})
			}
		}
	}
}

// argument returns the atoms of what a call passes as a parameter.
func (f *function) argument(instr ssa.CallInstruction, callee *callgraph.Node, i int) []int {
	common := instr.Common()
	if common.IsInvoke() {
		if i == 0 {
			return f.atomsOf(common.Value)
		}
		i--
	}
	if len(callee.Body.Params) != len(common.Args)+btoi(common.IsInvoke()) {
		f.failed = true
		return nil
	}
	return f.atomsOf(common.Args[i])
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// result returns the atoms of a result of a call.
func (f *function) result(call *ssa.Call, i int) (list []int) {
	site := f.cfg.Calls.Site(call)
	if site == nil || len(site.Callees()) == 0 {
		return f.unknown(call, i)
	}
	made := false // or unknown
	for _, callee := range site.Callees() {
		if callee.Body == nil { // a function of the machine, which may return what it is given
			for _, arg := range call.Call.Args {
				list = append(list, f.atomsOf(arg)...)
			}
			made = true
			continue
		}
		s := f.summaries[callee]
		if s == nil || i >= len(s.results) {
			continue // what is not known yet
		}
		r := &s.results[i]
		for k := range r.of {
			list = append(list, f.argument(call, callee, k)...)
		}
		made = made || r.rooted || r.fresh
	}
	if made {
		list = append(list, f.made(call, i))
	}
	return list
}

// made returns the atom of a result of a call that is new, or of which nothing is known.
func (f *function) made(call *ssa.Call, i int) int {
	rooted := false
	for _, callee := range f.cfg.Calls.Site(call).Callees() {
		s := f.summaries[callee]
		rooted = rooted || callee.Body == nil || s != nil && i < len(s.results) && s.results[i].rooted
	}
	return f.atom(atomKey{call, i}, atom{param: -1, rooted: rooted, at: call})
}

// unknown returns the atom of a value, or of a result of a call, of which nothing is known.
func (f *function) unknown(v ssa.Value, i int) []int {
	a := atom{param: -1, rooted: true}
	if instr, ok := v.(ssa.Instruction); ok {
		a.at = instr
	}
	return []int{f.atom(atomKey{v, i}, a)}
}

// fresh returns the atom of what an instruction makes, a variable of type t.
func (f *function) fresh(v ssa.Value, t types.Type) []int {
	return []int{f.atom(atomKey{v, 0}, atom{param: -1, rooted: f.edges.rooted(t), at: v.(ssa.Instruction)})}
}

func (f *function) atom(key atomKey, a atom) int {
	i, known := f.index[key]
	if !known {
		i = len(f.atoms)
		f.index[key] = i
		a.parent = i
		f.atoms = append(f.atoms, a)
	}
	return i
}

func (f *function) find(a int) int {
	for f.atoms[a].parent != a {
		a = f.atoms[a].parent
	}
	return a
}

// join joins each of the components of one list with each of another one.
func (f *function) join(list, others []int) {
	for _, a := range list {
		for _, b := range others {
			if x, y := f.find(a), f.find(b); x != y {
				f.atoms[max(x, y)].parent = min(x, y)
			}
		}
	}
}

// leads reports whether a value of type t can lead to a variable.
func leads(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Signature:
		return false // what a closure has captured are parameters of which nothing is known
	case *types.Struct:
		for f := range u.Fields() {
			if leads(f.Type()) {
				return true
			}
		}
		return false
	case *types.Array:
		return leads(u.Elem())
	}
	return true
}

// atomsOf returns the components to which a value may lead, or if it is a struct or an array, those
// to which the edges in it may lead.
func (f *function) atomsOf(v ssa.Value) []int {
	if !leads(v.Type()) {
		return nil
	}
	if f.asked[v] {
		return f.known[v]
	}
	f.asked[v] = true
	was := f.known[v]
	list := slices.Concat(f.look(v), was)
	slices.Sort(list)
	list = slices.Compact(list)
	f.known[v] = list
	f.grown = f.grown || len(list) > len(was)
	return list
}

func (f *function) look(v ssa.Value) []int {
	switch v := v.(type) {
	case *ssa.Const, *ssa.Function, *ssa.Builtin, *ssa.BinOp:
		return nil
	case *ssa.Parameter:
		return []int{f.atom(atomKey{v, 0}, atom{param: slices.Index(v.Parent().Params, v), rooted: true})}
	case *ssa.Alloc:
		return f.fresh(v, elem(v.Type()))
	case *ssa.MakeMap:
		m := v.Type().Underlying().(*types.Map)
		return f.fresh(v, types.NewStruct([]*types.Var{types.NewField(token.NoPos, nil, "k", m.Key(), false), types.NewField(token.NoPos, nil, "e", m.Elem(), false)}, nil))
	case *ssa.MakeSlice:
		return f.fresh(v, v.Type().Underlying().(*types.Slice).Elem())
	case *ssa.MakeChan:
		return f.fresh(v, v.Type().Underlying().(*types.Chan).Elem())
	case *ssa.MakeInterface:
		return f.atomsOf(v.X)
	case *ssa.ChangeType:
		return f.atomsOf(v.X)
	case *ssa.ChangeInterface:
		return f.atomsOf(v.X)
	case *ssa.TypeAssert:
		if !v.CommaOk {
			return f.atomsOf(v.X)
		}
	case *ssa.FieldAddr:
		return f.atomsOf(v.X)
	case *ssa.IndexAddr:
		return f.atomsOf(v.X)
	case *ssa.Slice:
		return f.atomsOf(v.X)
	case *ssa.SliceToArrayPointer:
		return f.atomsOf(v.X)
	case *ssa.Field:
		return f.part(v, v.X)
	case *ssa.Index:
		return f.part(v, v.X)
	case *ssa.Lookup:
		if !v.CommaOk {
			return f.part(v, v.X)
		}
	case *ssa.UnOp:
		if v.Op != token.MUL {
			break
		}
		if value, ok := reaching.Settled(v.X); ok && value.Parent() == v.Parent() && !f.edges.in(v.Type()) {
			return f.atomsOf(value)
		}
		return f.part(v, v.X)
	case *ssa.Extract:
		switch t := v.Tuple.(type) {
		case *ssa.TypeAssert:
			return f.atomsOf(t.X)
		case *ssa.Lookup:
			return f.part(v, t.X)
		case *ssa.Next:
			if r, ok := t.Iter.(*ssa.Range); ok {
				return f.part(v, r.X)
			}
		case *ssa.Call:
			return f.result(t, v.Index)
		}
	case *ssa.Phi:
		return f.phi(v)
	case *ssa.Call:
		b, ok := v.Call.Value.(*ssa.Builtin)
		if !ok {
			return f.result(v, 0)
		}
		switch b.Name() {
		case "append":
			elem := v.Type().Underlying().(*types.Slice).Elem()
			list := f.fresh(v, elem)
			if f.edges.in(elem) {
				f.join(list, f.atomsOf(v.Call.Args[0]))
			}
			return append(list, f.atomsOf(v.Call.Args[0])...)
		case "ssa:wrapnilchk":
			return f.atomsOf(v.Call.Args[0])
		}
	}
	return f.unknown(v, 0)
}

// part returns the components of what is loaded from where a value leads, or is a part of a struct
// or array: that of the value if it is an edge or has some.
func (f *function) part(v, from ssa.Value) []int {
	switch v.Type().Underlying().(type) {
	case *types.Struct, *types.Array:
		return f.atomsOf(from)
	}
	if f.edges.in(v.Type()) {
		return f.atomsOf(from)
	}
	return f.unknown(v, 0)
}

// phi returns the components of all edges of a phi. What was defined in another iteration of a loop
// may be another one with the same name: that is an atom of its own.
//
// Two atoms that may have a root are not joined by that alone. If something joins that of the phi
// with another one, this counts.
func (f *function) phi(v *ssa.Phi) (list []int) {
	for _, x := range v.Edges {
		list = append(list, f.atomsOf(x)...)
	}
	own := func(rooted bool) int {
		return f.atom(atomKey{v, btoi(rooted)}, atom{param: -1, rooted: rooted, at: v})
	}
	for i, a := range list {
		at := f.atoms[a].at
		if at == nil || !f.isInLoop(at.Block()) || at == ssa.Instruction(v) {
			continue
		}
		rooted := f.atoms[a].rooted
		if list[i] = own(rooted); !rooted {
			f.join([]int{list[i]}, []int{a})
		}
	}
	return list
}
