package pointsto

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/static/callgraph"
)

// call makes the constraints of a site.
func (s *solver) call(site *callgraph.Site) {
	if site.Instr == nil {
		return // of the machine: see Solve
	}
	call := site.Instr.Common()
	switch {
	case call.IsInvoke():
		s.constrain(s.value(call.Value), &invocation{site})
	case site.Static():
		s.connect(site, site.Callees()[0], 0, nil)
	default:
		s.constrain(s.value(call.Value), &dynamicCall{site})
	}
}

// A dynamicCall calls the functions that a node points to.
type dynamicCall struct{ site *callgraph.Site }

func (c *dynamicCall) apply(s *solver, added set) {
	for slot := range added.all() {
		switch o := s.object(slot); {
		case o.Kind == Func && o.Func != nil:
			if s.may(c.site, o.Func) {
				s.connect(c.site, o.Func, 0, nil)
			}
		case o.Kind == Unknown && o.Type == nil:
			s.connectUnknown(c.site)
		}
	}
}

// An invocation calls a method of the values in the interfaces that a node stands for.
type invocation struct{ site *callgraph.Site }

func (c *invocation) apply(s *solver, added set) {
	m := c.site.Instr.Common().Method
	for slot := range added.all() {
		o := s.object(slot)
		if o.Kind != Box {
			continue
		}
		if n := s.method(o.Type, m); n != nil && s.may(c.site, n) {
			s.connect(c.site, n, o.base, o.layout)
		}
	}
}

// may reports whether a site may call a function, as far as its type says.
func (s *solver) may(site *callgraph.Site, n *callgraph.Node) bool {
	return site.May(n)
}

// connect passes the arguments of a call to a function, and its results back. The receiver is that
// of a call through an interface.
func (s *solver) connect(site *callgraph.Site, n *callgraph.Node, receiver int32, of *layout) {
	called := s.callees[site]
	if called == nil {
		called = make(map[*callgraph.Node]bool)
		s.callees[site] = called
	}
	first := !called[n]
	called[n] = true
	s.reachFunc(n)
	f := s.function(n)
	params, results := f.params, f.results
	if n.Func == nil { // a function value that the machine has written
		s.connectUnknown(site)
		return
	}
	if of != nil {
		if len(params) > 0 {
			s.copyBlock(receiver, params[0], of)
			params = params[1:]
		}
	}
	if !first {
		return
	}
	call := site.Instr.Common()
	for i, arg := range call.Args {
		if i < len(params) {
			s.copyBlock(s.value(arg), params[i], s.layouts.of(arg.Type()))
		}
	}
	if v := site.Instr.Value(); v != nil {
		s.copyResults(results, n, v)
	}
}

// copyResults copies the results of a function to the value of a call.
func (s *solver) copyResults(results int32, n *callgraph.Node, v *ssa.Call) {
	s.copyBlock(results, s.value(v), s.layouts.of(n.Func.Signature.Results()))
}

// connectUnknown is a call of a function of the machine of which nothing is known.
func (s *solver) connectUnknown(site *callgraph.Site) {
	s.unknown[site] = true
	for _, arg := range site.Instr.Common().Args {
		s.expose(s.value(arg), s.layouts.of(arg.Type()))
	}
	if v := site.Instr.Value(); v != nil {
		s.fill(s.value(v), s.layouts.of(v.Type()))
	}
}

// method returns the function that a call of m runs if the dynamic type is t, nil if there is none
// in the call graph.
func (s *solver) method(t types.Type, m *types.Func) *callgraph.Node {
	key := methodKey{t, m}
	if n, ok := s.methods[key]; ok {
		return n
	}
	var n *callgraph.Node
	if sel := s.code.SSA.MethodSets.MethodSet(t).Lookup(m.Pkg(), m.Name()); sel != nil {
		n = s.graph.Of(s.code.MethodFunc(code.MethodEntry{Sel: sel}))
	}
	s.methods[key] = n
	return n
}

type methodKey struct {
	typ    types.Type
	method *types.Func
}

// methodsOf returns the methods of a type that are in the call graph.
func (s *solver) methodsOf(t types.Type) []*callgraph.Node {
	var list []*callgraph.Node
	for sel := range s.code.SSA.MethodSets.MethodSet(t).Methods() {
		if n := s.method(t, sel.Obj().(*types.Func)); n != nil {
			list = append(list, n)
		}
	}
	return list
}
