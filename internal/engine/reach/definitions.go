package reach

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/place"
	"github.com/everyway-go/everyway/internal/static/reaching"
	"github.com/everyway-go/everyway/internal/strategy"
)

// A store is an instruction that writes what others read: memory, a map, or a channel.
type store struct {
	instr ssa.Instruction
	addr  ssa.Value
}

// findStores lists the stores of the program's own functions.
func (g *Goal) findStores() []store {
	var list []store
	for _, n := range g.known.own {
		for _, b := range n.Body.Blocks {
			for _, instr := range b.Instrs {
				if addr := written(instr); addr != nil && !initialises(store{instr, addr}) {
					list = append(list, store{instr, addr})
				}
			}
		}
	}
	return list
}

// written returns the address, the map or the channel that an instruction writes to, nil if it writes to none itself.
func written(instr ssa.Instruction) ssa.Value {
	switch instr := instr.(type) {
	case *ssa.Store:
		return instr.Addr
	case *ssa.MapUpdate:
		return instr.Map
	case *ssa.Send:
		return instr.Chan
	case *ssa.Call:
		if callee := instr.Call.StaticCallee(); callee != nil && isAtomic(callee) && !isAtomicRead(callee) && len(instr.Call.Args) > 0 {
			return instr.Call.Args[0]
		}
		if b, ok := instr.Call.Value.(*ssa.Builtin); ok {
			switch b.Name() {
			case "delete", "close", "clear", "copy":
				return instr.Call.Args[0]
			}
		}
	}
	return nil
}

// isWrite reports whether an instruction writes what others read.
func isWrite(instr ssa.Instruction) bool { return written(instr) != nil }

// isAtomic reports whether a function is one of package sync/atomic.
func isAtomic(fn *ssa.Function) bool {
	pkg := place.PackageOf(fn)
	return pkg != nil && pkg.Path() == "sync/atomic"
}

// isAtomicRead reports whether a function of package sync/atomic only reads.
func isAtomicRead(fn *ssa.Function) bool {
	name := fn.Name()
	return len(name) >= 4 && name[:4] == "Load"
}

// A slice is what the value of a condition is computed from (a backward slice over registers): the
// instructions that read memory, and those that compute variables that are not in memory.
type slice struct {
	goal  *Goal
	whole bool // through calls, too
	reads []read
	local []ssa.Instruction
	seen  map[ssa.Value]bool
	deps  map[*ssa.If]bool
	limit int
}

// A read is an instruction that reads what is at an address, in a map, or from a channel.
type read struct {
	instr ssa.Instruction
	addr  ssa.Value
}

// maxSlice bounds the values of a slice.
const maxSlice = 2000

// slice returns the slice of what a branch asks, or a check.
func (g *Goal) slice(at ssa.Instruction, whole bool) *slice {
	s := &slice{goal: g, whole: whole, seen: make(map[ssa.Value]bool), deps: make(map[*ssa.If]bool), limit: maxSlice}
	if branch, ok := at.(*ssa.If); ok {
		s.deps[branch] = true
	}
	for _, v := range asked(at) {
		if _, channel := v.Type().Underlying().(*types.Chan); channel {
			s.reads = append(s.reads, read{at, v}) // whether it is closed
		}
		s.value(v)
	}
	return s
}

// asked returns the values on which the outcome of a branch depends, or that of the check that an
// instruction makes; none if it makes none.
func asked(instr ssa.Instruction) []ssa.Value {
	var list []ssa.Value
	switch instr := instr.(type) {
	case *ssa.If:
		list = []ssa.Value{instr.Cond}
	case *ssa.IndexAddr:
		list = []ssa.Value{instr.Index, instr.X}
	case *ssa.Index:
		list = []ssa.Value{instr.Index, instr.X}
	case *ssa.Lookup:
		list = []ssa.Value{instr.Index, instr.X}
	case *ssa.Slice:
		list = []ssa.Value{instr.X, instr.Low, instr.High, instr.Max}
	case *ssa.SliceToArrayPointer:
		list = []ssa.Value{instr.X}
	case *ssa.BinOp:
		list = []ssa.Value{instr.Y}
	case *ssa.TypeAssert:
		list = []ssa.Value{instr.X}
	case *ssa.FieldAddr:
		list = []ssa.Value{instr.X}
	case *ssa.UnOp:
		list = []ssa.Value{instr.X}
	case *ssa.Store:
		list = []ssa.Value{instr.Addr}
	case *ssa.MapUpdate:
		list = []ssa.Value{instr.Map}
	case *ssa.Send:
		list = []ssa.Value{instr.Chan}
	case *ssa.Call:
		if instr.Call.IsInvoke() {
			list = []ssa.Value{instr.Call.Value}
		} else if b, ok := instr.Call.Value.(*ssa.Builtin); ok && b.Name() == "close" {
			list = instr.Call.Args
		}
	}
	return slices.DeleteFunc(list, func(v ssa.Value) bool { return v == nil })
}

// value adds what v is computed from.
func (s *slice) value(v ssa.Value) {
	if v == nil || s.seen[v] || s.limit == 0 {
		return
	}
	s.seen[v] = true
	s.limit--
	switch v := v.(type) {
	case *ssa.Const, *ssa.Global, *ssa.Function, *ssa.Builtin, *ssa.Alloc:
		return
	case *ssa.Phi:
		for i, e := range v.Edges {
			if instr, ok := e.(ssa.Instruction); ok {
				if _, phi := e.(*ssa.Phi); !phi && instr.Parent() == v.Parent() && reads(instr) == nil {
					s.local = append(s.local, instr)
				}
			}
			s.value(e)
			s.way(v.Block().Preds[i])
		}
		return
	case *ssa.Parameter:
		s.parameter(v)
		return
	case *ssa.FreeVar:
		return // the address of a variable, or a value that does not change
	case *ssa.Call:
		s.call(v)
		return
	}
	instr, ok := v.(ssa.Instruction)
	if !ok {
		return
	}
	if addr := reads(instr); addr != nil {
		s.reads = append(s.reads, read{instr, addr})
		s.index(addr)
		return
	}
	for _, op := range instr.Operands(nil) {
		s.value(*op)
	}
}

// index adds what decides which element an address is that of.
func (s *slice) index(addr ssa.Value) {
	if e, ok := addr.(*ssa.IndexAddr); ok {
		s.value(e.Index)
	}
}

// way adds the conditions on which it depends whether a block is reached.
func (s *slice) way(b *ssa.BasicBlock) {
	for _, d := range s.goal.dependences(b.Instrs[len(b.Instrs)-1]) {
		if !s.deps[d.branch] {
			s.deps[d.branch] = true
			s.value(d.branch.Cond)
		}
	}
	if branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok && !s.deps[branch] {
		s.deps[branch] = true
		s.value(branch.Cond)
	}
}

// parameter adds what callers pass.
func (s *slice) parameter(p *ssa.Parameter) {
	n := s.goal.calls.Of(p.Parent())
	if !s.whole || n == nil {
		return
	}
	i := slices.Index(p.Parent().Params, p)
	for _, site := range n.Callers() {
		if site.Instr == nil || site.Caller.Body == nil || !s.goal.known.isOwn[site.Caller.Body] {
			continue
		}
		call := site.Instr.Common()
		args := call.Args
		if call.IsInvoke() {
			args = append([]ssa.Value{call.Value}, args...)
		}
		if i < len(args) {
			s.value(args[i])
		}
	}
}

// call adds what the results of a call are computed from.
func (s *slice) call(call *ssa.Call) {
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		for _, arg := range call.Call.Args {
			s.value(arg)
			if _, isChan := arg.Type().Underlying().(*types.Chan); isChan && (b.Name() == "len" || b.Name() == "cap") {
				s.reads = append(s.reads, read{call, arg})
			}
			if _, isMap := arg.Type().Underlying().(*types.Map); isMap && b.Name() == "len" {
				s.reads = append(s.reads, read{call, arg})
			}
		}
		return
	}
	if callee := call.Call.StaticCallee(); callee != nil && isAtomic(callee) && len(call.Call.Args) > 0 {
		s.reads = append(s.reads, read{call, call.Call.Args[0]})
		return
	}
	n := s.goal.calls.Of(call.Parent())
	site := n.SiteOf(call)
	if !s.whole || site == nil {
		return
	}
	for _, callee := range site.Callees() {
		if callee.Body == nil || !s.goal.known.isOwn[callee.Body] {
			if site.Static() {
				for _, arg := range call.Call.Args {
					s.value(arg)
				}
			}
			continue
		}
		s.results(callee)
	}
}

// results adds what a function returns.
func (s *slice) results(n *callgraph.Node) {
	for _, b := range n.Body.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		for _, v := range ret.Results {
			s.value(v)
		}
		s.way(b)
	}
}

// reads returns the address, the map or the channel that an instruction reads from, nil if it reads from none itself.
func reads(instr ssa.Instruction) ssa.Value {
	if op, ok := instr.(*ssa.UnOp); ok && op.Op == token.ARROW {
		return op.X
	}
	return reaching.Read(instr)
}

// Definitions implements strategy.Guide.
func (g *Guide) Definitions(l strategy.Location) []strategy.Location {
	defer g.lock()()
	if list, ok := g.known.defined[l]; ok {
		return list
	}
	var defs []ssa.Instruction
	if branch, ok := g.instr(l).(*ssa.If); ok {
		if fn := g.analysis.Reaching(branch.Parent()); fn != nil {
			for _, r := range g.slice(branch, false).reads {
				before, _ := fn.Before(r.instr, r.addr)
				for _, d := range before {
					if isWrite(d) {
						defs = append(defs, d)
					}
				}
			}
		}
	}
	list := g.locations(defs)
	g.known.defined[l] = list
	return list
}

// Reads implements strategy.Guide.
func (g *Guide) Reads(l strategy.Location) []strategy.Location {
	defer g.lock()()
	at := g.instr(l)
	if len(asked(at)) == 0 {
		return nil
	}
	list, known := g.known.reads[l]
	if !known {
		var instrs []ssa.Instruction
		for _, r := range g.slice(at, true).reads {
			if g.known.isOwn[r.instr.Parent()] {
				instrs = append(instrs, r.instr)
			}
		}
		list = g.locations(instrs)
		g.known.reads[l] = list
	}
	return list
}

// Redefinitions implements strategy.Guide.
func (g *Guide) Redefinitions(l strategy.Location) []strategy.Location {
	defer g.lock()()
	if list, ok := g.known.redefined[l]; ok {
		return list
	}
	var defs []ssa.Instruction
	if at := g.instr(l); len(asked(at)) > 0 {
		s := g.slice(at, true)
		aliases := g.aliases()
		for _, w := range g.known.stores {
			if slices.ContainsFunc(s.reads, func(r read) bool { return mayMeet(aliases, r, w) }) {
				defs = append(defs, w.instr)
			}
		}
		for _, instr := range s.local {
			if _, n, _ := g.node(instr); n != nil {
				defs = append(defs, instr)
			}
		}
	}
	list := g.locations(defs)
	g.known.redefined[l] = list
	return list
}

// mayMeet reports whether a store may write what is read.
func mayMeet(aliases reaching.Aliases, r read, w store) bool {
	channel := func(v ssa.Value) bool { _, ok := v.Type().Underlying().(*types.Chan); return ok }
	if channel(r.addr) != channel(w.addr) {
		return false
	}
	if channel(r.addr) {
		return types.Identical(r.addr.Type().Underlying().(*types.Chan).Elem(), w.addr.Type().Underlying().(*types.Chan).Elem())
	}
	if isField(r.addr) && isVariable(w.addr) || isVariable(r.addr) && isField(w.addr) {
		return false
	}
	return aliases.May(r.addr, w.addr)
}

// isField reports whether an address is that of a field.
func isField(addr ssa.Value) bool { _, ok := addr.(*ssa.FieldAddr); return ok }

// isVariable reports whether an address is that of a whole variable.
func isVariable(addr ssa.Value) bool {
	switch addr.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FreeVar:
		return true
	}
	return false
}

// initialises reports whether a store gives a variable its first value: it comes directly after the
// variable was made. Nothing that waits for another value waits for that.
func initialises(w store) bool {
	made, ok := reaching.Root(w.addr).(*ssa.Alloc)
	return ok && made.Block() == w.instr.Block()
}
