package reach

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/static"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/escape"
	"github.com/everyway-go/everyway/internal/static/pointsto"
)

// An Analysis is what static analysis knows of some targets of one test binary, for the goals of
// all of them. Most of it is about the standard library, and what tests of a package have in
// common. It may be used by several goroutines.
type Analysis struct {
	program  *program.Program
	mu       *sync.Mutex // of all goals
	analysis *static.Analysis
	pointers *pointsto.Result
	calls    *callgraph.Graph // that pointers allow
	shared   *escape.Result
}

// Analyse analyses what some targets of one test binary reach.
func Analyse(ctx context.Context, p *program.Program, targets ...*load.Target) (*Analysis, error) {
	name := targets[0].Name
	if len(targets) > 1 {
		name = targets[0].Package.Path
	}
	a := &Analysis{program: p, mu: new(sync.Mutex)}
	err := a.run(ctx, targets)
	if err != nil {
		return nil, fmt.Errorf("analysing %s: %w", name, err)
	}
	return a, nil
}

func (a *Analysis) run(ctx context.Context, targets []*load.Target) error {
	cfg, err := a.program.Static(targets...)
	if err != nil {
		return err
	}
	if a.analysis, err = static.New(ctx, cfg); err != nil {
		return err
	}
	if a.pointers, err = a.analysis.PointsTo(ctx); err != nil {
		return err
	}
	a.calls = a.pointers.Calls()
	a.shared, err = a.analysis.Shared(ctx)
	return err
}

// part returns the calls that a target makes, which is one of those that were analysed.
func (a *Analysis) part(target *load.Target) (*callgraph.Graph, error) {
	cfg, err := a.program.Static(target)
	if err != nil {
		return nil, err
	}
	return a.calls.Part(cfg.Roots, append([]*ssa.Function{target.Func}, cfg.Values...)), nil
}
