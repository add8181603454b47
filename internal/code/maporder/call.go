package maporder

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// call reports whether a call does nothing that prevents the iterations from commuting.
func (l *loop) call(in *ssa.Call) bool {
	if b, ok := in.Call.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "close":
			// Twice the same channel panics in every order.
			l.closes = true
			return true
		case "delete":
			return l.maps.delete(l, in)
		case "len":
			switch t := in.Call.Args[0].Type().Underlying().(type) {
			case *types.Map:
				l.maps.reads = append(l.maps.reads, t)
			case *types.Chan:
				return false // other goroutines may use it meanwhile
			}
			return true
		case "append", "copy":
			from := in.Call.Args[1].Type().Underlying()
			if s, ok := from.(*types.Slice); ok && isAggregate(s.Elem()) {
				l.cells.calls = true // it reads what fields have
			}
			return l.isNew(in.Call.Args[0])
		}
		return pureBuiltin(b)
	}
	if fails(&in.Call) {
		return true
	}
	p := purity{bodies: l.bodies}
	if !p.call(&in.Call, 0) {
		return false
	}
	l.cells.calls = true
	l.maps.reads = append(l.maps.reads, p.maps...)
	return true
}

// pureBuiltin reports whether a built-in function does nothing but compute.
func pureBuiltin(b *ssa.Builtin) bool {
	switch b.Name() {
	case "cap", "complex", "imag", "len", "max", "min", "real", "ssa:wrapnilchk", "String", "StringData", "SliceData":
		return true
	}
	return false
}

// maxDepth and maxInstrs bound the functions that are read to see whether they do nothing but
// compute.
const (
	maxDepth  = 4
	maxInstrs = 300
)

// A purity finds functions that do nothing but compute: they read memory and write to objects
// that they have made.
type purity struct {
	bodies Bodies
	maps   []*types.Map // types of the maps that they read
	instrs int
}

// call reports whether a call does nothing but compute.
func (p *purity) call(c *ssa.CallCommon, depth int) bool {
	if b, ok := c.Value.(*ssa.Builtin); ok {
		return pureBuiltin(b)
	}
	fn, ok := c.Value.(*ssa.Function)
	if !ok || depth == maxDepth {
		return false
	}
	body, err := p.bodies(fn)
	if err != nil || body == nil {
		return false
	}
	if len(body.Blocks) == 0 {
		return body.Pkg != nil && primitives[body.Pkg.Pkg.Path()]
	}
	if body.Recover != nil {
		return false
	}
	for _, b := range body.Blocks {
		if p.instrs += len(b.Instrs); p.instrs > maxInstrs {
			return false
		}
		for _, in := range b.Instrs {
			if !p.instr(in, depth) {
				return false
			}
		}
	}
	return true
}

// primitives are the packages whose functions without a body do nothing but compute.
var primitives = map[string]bool{"internal/bytealg": true, "math": true, "math/bits": true}

// instr reports whether an instruction of a function does nothing but compute.
func (p *purity) instr(in ssa.Instruction, depth int) bool {
	switch in := in.(type) {
	case *ssa.Call:
		if b, ok := in.Call.Value.(*ssa.Builtin); ok && b.Name() == "len" {
			if _, ok := in.Call.Args[0].Type().Underlying().(*types.Chan); ok {
				return false // other goroutines may use it meanwhile
			}
			p.read(in.Call.Args[0].Type())
		}
		return p.call(&in.Call, depth+1)
	case *ssa.Lookup:
		p.read(in.X.Type())
		return true
	case *ssa.Range:
		// The function may depend on the order of a map.
		_, ok := in.X.Type().Underlying().(*types.Map)
		return !ok
	case *ssa.UnOp:
		return in.Op != token.ARROW
	case *ssa.Store:
		switch base(in.Addr).(type) {
		case *ssa.Alloc, *ssa.MakeSlice:
			return true
		}
		return false
	case *ssa.Return, *ssa.Panic:
		return true
	}
	return computes(in)
}

// read notes that a value is read, which may be a map.
func (p *purity) read(t types.Type) {
	if t, ok := t.Underlying().(*types.Map); ok {
		p.maps = append(p.maps, t)
	}
}

// base returns the value that the address of a part of an object is computed from.
func base(addr ssa.Value) ssa.Value {
	for {
		switch v := addr.(type) {
		case *ssa.FieldAddr:
			addr = v.X
		case *ssa.IndexAddr:
			if _, ok := v.X.Type().Underlying().(*types.Pointer); !ok {
				return baseOfSlice(v.X)
			}
			addr = v.X
		default:
			return addr
		}
	}
}

// baseOfSlice is base for the elements of a slice.
func baseOfSlice(s ssa.Value) ssa.Value {
	for {
		switch v := s.(type) {
		case *ssa.ChangeType:
			s = v.X
		case *ssa.Slice:
			if _, ok := v.X.Type().Underlying().(*types.Pointer); ok {
				return base(v.X)
			}
			s = v.X
		default:
			return s
		}
	}
}

// isNew reports whether a slice has no elements that were there before the iteration.
func (l *loop) isNew(s ssa.Value) bool { return l.isNewSlice(s, make(map[ssa.Value]bool)) }

// isNewSlice is isNew. It takes the values that are being looked at for new ones.
func (l *loop) isNewSlice(s ssa.Value, looking map[ssa.Value]bool) bool {
	s = baseOfSlice(s)
	if looking[s] {
		return true
	}
	looking[s] = true
	switch v := s.(type) {
	case *ssa.Const:
		return true
	case *ssa.Alloc:
		return l.contains(v)
	case *ssa.MakeSlice:
		return l.contains(v)
	case *ssa.Call:
		b, ok := v.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "append" && l.contains(v) && l.isNewSlice(v.Call.Args[0], looking)
	case *ssa.Phi:
		if v.Block() == l.head || !l.contains(v) {
			return false
		}
		for _, e := range v.Edges {
			if !l.isNewSlice(e, looking) {
				return false
			}
		}
		return true
	}
	return false
}
