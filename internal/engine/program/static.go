package program

import (
	"fmt"
	"go/ast"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/cache"
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
		targets = nil
		for i := range single.Context.Within {
			targets = append(targets, &single.Context.Within[i])
		}
	}
	for i, t := range targets {
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
	if single != nil {
		if err := p.setKey(&cfg, single); err != nil {
			return static.Config{}, err
		}
	}
	var files []*ast.File
	for _, pkg := range p.All {
		files = append(files, pkg.Files...)
	}
	cfg.Files = files
	return cfg, nil
}

// setKey sets the hash of what the analysis of a target follows from: its code, with the models and the toolchain, and
// the analysis.
func (p *Program) setKey(cfg *static.Config, t *load.Target) error {
	build, err := p.Build(t)
	if err != nil {
		return err
	}
	executable, err := cache.Executable()
	if err != nil {
		return fmt.Errorf("hashing the analysis: %w", err)
	}
	h := cache.NewHash("static")
	h.Text(build)
	h.Key(executable)
	for _, name := range TargetNames(t) {
		h.Text(name)
	}
	cfg.Key = h.Sum()
	return nil
}
