package synchronisation

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/pointsto"
)

// A primitiveCall is a call of functions with which atomic operations and locks are made, of which
// the slice has no code.
type primitiveCall struct {
	call    ssa.CallInstruction
	callees []*callgraph.Node // those that are such functions, or wrappers of these
	// addresses lead to what they may read and write: arguments, what method values have captured
	// and, if a method is called through an interface, what the interface may have been made of.
	addresses []ssa.Value
	to        []pointsto.Pointees // of the addresses, for a call in Slice.atomics
	// bound are the variables that method values have captured.
	bound []ssa.Value
}

// primitiveCall returns what a call gives to functions with which atomic operations and locks are
// made. There are no callees if it calls none.
func (s *Slice) primitiveCall(call ssa.CallInstruction) primitiveCall {
	p := primitiveCall{call: call}
	site := s.ops.calls.Site(call)
	if site == nil {
		return p
	}
	for _, n := range site.Callees() {
		if n.Func == nil || !primitivePackage(n.Func) {
			continue
		}
		p.callees = append(p.callees, n)
		if n.Body == nil {
			continue
		}
		for _, v := range n.Body.FreeVars {
			p.address(v)
			p.bound = append(p.bound, v)
		}
		if call.Common().IsInvoke() {
			s.receivers(&p, n)
		}
	}
	if len(p.callees) == 0 {
		return p
	}
	for _, arg := range call.Common().Args {
		p.address(arg)
	}
	return p
}

// receivers adds what a method may be given that is called through an interface. What a promoted
// one passes on to the method that it is may be anything that this one is given.
func (s *Slice) receivers(p *primitiveCall, n *callgraph.Node) {
	if n.Func.Synthetic != "" && n.Func.Origin() == nil {
		for _, site := range n.Sites {
			for _, callee := range site.Callees() {
				if callee.Body != nil && len(callee.Body.Params) > 0 {
					p.address(callee.Body.Params[0])
				}
			}
		}
		return
	}
	in := s.pointers.Pointees(p.call.Common().Value)
	for _, box := range s.made {
		if types.Identical(box.X.Type(), n.Body.Params[0].Type()) && s.pointers.Pointees(box).May(in) {
			p.address(box.X)
		}
	}
}

// address adds an address, if a value is one.
func (p *primitiveCall) address(v ssa.Value) {
	if _, ok := v.Type().Underlying().(*types.Pointer); ok {
		p.addresses = append(p.addresses, v)
	}
}

// given adds what a call gives to functions with which atomic operations and locks are made.
func (s *Slice) given(p primitiveCall) {
	for _, arg := range p.call.Common().Args {
		s.value(arg)
	}
	for _, v := range p.bound {
		s.value(v)
	}
	if !s.ops.calls.Site(p.call).Static() {
		s.value(p.call.Common().Value)
	}
}
