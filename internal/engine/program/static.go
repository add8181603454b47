package program

import (
	"go/ast"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/static"
	"github.com/everyway-go/everyway/internal/vm"
)

// Static says what there is to analyse of targets of one test binary, at least one: what any of them can reach.
func (p *Program) Static(targets ...*load.Target) (static.Config, error) {
	primitives := vm.AllPrimitives()
	cfg := static.Config{
		Code: p.NewCode(nil), Fset: p.Fset,
		Primitive: primitives.Has, Visible: primitives.Visible,
	}
	if runtime := p.Package("runtime"); runtime != nil {
		cfg.Roots = append(cfg.Roots, runtime.SSA.Func("init")) // which every program contains
	}
	var single *load.Target
	if len(targets) == 1 {
		single = targets[0]
	}
	if single != nil && single.Context != nil {
		cfg.Draws = true
		targets = nil
		for i := range single.Context.Within {
			targets = append(targets, &single.Context.Within[i])
		}
	}
	for i, t := range targets {
		cfg.Inputs = append(cfg.Inputs, t.Globals...)
		cfg.Draws = cfg.Draws || drawsAny(t)
		e, err := p.Entry(t)
		if err != nil {
			return static.Config{}, err
		}
		if i == 0 {
			for _, pkg := range e.Inits {
				if init := pkg.Func("init"); init != nil {
					cfg.Roots = append(cfg.Roots, init)
				}
			}
		}
		cfg.Roots = append(cfg.Roots, e.Func)
		for _, arg := range e.Args {
			switch arg := arg.(type) {
			case *ssa.Function:
				cfg.Values = append(cfg.Values, arg)
			case []*ssa.Function:
				cfg.Values = append(cfg.Values, arg...)
			}
		}
	}
	var files []*ast.File
	for _, pkg := range p.All {
		files = append(files, pkg.Files...)
	}
	cfg.Files = files
	return cfg, nil
}
