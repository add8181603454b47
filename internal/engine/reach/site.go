package reach

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/static/callgraph"
)

// A codeSite is where the code of an instruction of SSA is.
type codeSite struct {
	fn       *code.Func
	instr    int32
	inverted bool // of a branch: it jumps if the condition does not hold
}

// siteOf returns where the code of an instruction of SSA begins in a program: of a branch, its jump. It is false if it has no code.
func siteOf(p *code.Program, calls *callgraph.Graph, instr ssa.Instruction) (codeSite, bool) {
	n := calls.Of(instr.Parent())
	if n == nil || n.Func == nil {
		return codeSite{}, false
	}
	f := p.Func(n.Func)
	if f.Body != instr.Parent() {
		return codeSite{}, false
	}
	if b := f.Body.Blocks[0]; instr == b.Instrs[0] {
		if _, ok := instr.(*ssa.If); !ok {
			return codeSite{fn: f}, true // the start of the function
		}
	}
	list := f.Compiled(instr)
	if _, ok := instr.(*ssa.If); ok {
		for _, i := range list {
			if _, target := f.Code[i].Flow(); target >= 0 && f.Code[i].Op != code.Jmp && f.Origin(i) == i {
				_, inverted := slices.BinarySearch(f.Inverted, int32(i))
				return codeSite{f, int32(i), inverted}, true
			}
		}
		return codeSite{}, false
	}
	if len(list) > 0 {
		return codeSite{fn: f, instr: int32(slices.Min(list))}, true
	}
	// Another instruction does its work: the next one of the block that has code.
	b := instr.Block()
	for _, next := range b.Instrs[slices.Index(b.Instrs, instr)+1:] {
		if list := f.Compiled(next); len(list) > 0 {
			return codeSite{fn: f, instr: int32(slices.Min(list))}, true
		}
	}
	return codeSite{}, false
}

// packageOf returns the package of a function's source, nil if there is none.
func packageOf(fn *ssa.Function) *types.Package {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
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
