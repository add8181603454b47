package place

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/ssaform"
	"github.com/everyway-go/everyway/internal/static/callgraph"
)

// A Site is where the code of an instruction of SSA is.
type Site struct {
	Func     *code.Func
	Instr    int32
	Inverted bool // of a branch: it jumps if the condition does not hold
}

// SiteOf returns where the code of an instruction of SSA begins in a program: of a branch, its
// jump. It is false if it has no code.
func SiteOf(p *code.Program, calls *callgraph.Graph, instr ssa.Instruction) (Site, bool) {
	n := calls.Of(instr.Parent())
	if n == nil || n.Func == nil {
		return Site{}, false
	}
	f := p.Func(n.Func)
	if f.Body != instr.Parent() {
		return Site{}, false
	}
	if b := f.Body.Blocks[0]; instr == b.Instrs[0] {
		if _, ok := instr.(*ssa.If); !ok {
			return Site{Func: f}, true // the start of the function
		}
	}
	list := f.Compiled(instr)
	if _, ok := instr.(*ssa.If); ok {
		for _, i := range list {
			if _, target := f.Code[i].Flow(); target >= 0 && f.Code[i].Op != code.Jmp && f.Origin(i) == i {
				_, inverted := slices.BinarySearch(f.Inverted, int32(i))
				return Site{f, int32(i), inverted}, true
			}
		}
		return Site{}, false
	}
	if len(list) > 0 {
		return Site{Func: f, Instr: int32(slices.Min(list))}, true
	}
	// Another instruction does its work: the next one of the block that has code.
	b := instr.Block()
	for _, next := range b.Instrs[slices.Index(b.Instrs, instr)+1:] {
		if list := f.Compiled(next); len(list) > 0 {
			return Site{Func: f, Instr: int32(slices.Min(list))}, true
		}
	}
	return Site{}, false
}

// EntryOf returns where the code begins that an instruction of SSA, and those after it in its
// block, have in a program: a load may come where its value is used, after the code of others. It
// is false if there is none.
func EntryOf(p *code.Program, calls *callgraph.Graph, instr ssa.Instruction) (entry Site, ok bool) {
	b := instr.Block()
	for _, next := range b.Instrs[slices.Index(b.Instrs, instr):] {
		if s, found := SiteOf(p, calls, next); found && (!ok || s.Instr < entry.Instr) {
			entry, ok = s, true
		}
	}
	return entry, ok
}

// SitesOf returns where the code of an instruction of SSA is in a program. There are none if it has none of its own.
func SitesOf(p *code.Program, calls *callgraph.Graph, instr ssa.Instruction) []Site {
	n := calls.Of(instr.Parent())
	if n == nil || n.Func == nil {
		return nil
	}
	f := p.Func(n.Func)
	if f.Body != instr.Parent() {
		return nil
	}
	var list []Site
	for _, i := range f.Compiled(instr) {
		list = append(list, Site{Func: f, Instr: int32(i)})
	}
	return list
}

// PackageOf returns the package of a function's source, nil if there is none.
func PackageOf(fn *ssa.Function) *types.Package {
	fn = ssaform.Outermost(fn)
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	if fn.Pkg != nil {
		return fn.Pkg.Pkg
	}
	if obj := fn.Object(); obj != nil {
		return obj.Pkg()
	}
	return nil
}
