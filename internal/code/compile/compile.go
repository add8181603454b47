package compile

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/compile/evalorder"
	"github.com/everyway-go/everyway/internal/code/compile/regalloc"
)

// NewProgram returns a Program for prog whose functions this package compiles. The
// arguments are those of [code.NewProgram].
func NewProgram(prog *ssa.Program, sizes types.Sizes, covered, standard func(*ssa.Package) bool) *code.Program {
	return code.NewProgram(prog, sizes, covered, standard, compile)
}

// compile is a code.Compiler.
func compile(p *code.Program, f *code.Func, body *ssa.Function) error {
	_, err := emit(p, f, body)
	return err
}

// emit is compile. It returns the emitter, which knows where the values are.
func emit(p *code.Program, f *code.Func, body *ssa.Function) (e *emitter, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case limitError:
			err = r
		default:
			panic(fmt.Sprintf("compile: %s: %v", f.Name, r))
		}
	}()
	order := evalorder.New(body)
	blocks := newBlocks(body, order)
	values := classify(p, blocks, order)
	e = &emitter{
		assembler: newAssembler(f),
		values:    values,
		blocks:    blocks,
		covered:   p.Covered(f.SSA),
	}
	e.needs = values.needs(blocks)
	e.regs = regalloc.Allocate(e.needs)
	e.function()
	if p.References != nil {
		f.Variables = e.variables(p.References.Of(body))
	}
	return e, nil
}
