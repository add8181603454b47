package program

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/schedule"
)

// LoadRecorded loads the program that a run was recorded in, seen from dir, and
// finds its target.
func LoadRecorded(ctx context.Context, dir string, r *schedule.Run) (*Program, *load.Target, error) {
	return loadRecorded(ctx, dir, r, false)
}

// LoadRecordedNamed is LoadRecorded for a run whose variables are to be shown: functions of the program's
// code have code.Variables. Only one machine at a time may run it.
func LoadRecordedNamed(ctx context.Context, dir string, r *schedule.Run) (*Program, *load.Target, error) {
	return loadRecorded(ctx, dir, r, true)
}

func loadRecorded(ctx context.Context, dir string, r *schedule.Run, names bool) (*Program, *load.Target, error) {
	function := r.Kind == load.TargetFunc.String()
	flags := append(slices.Clip(r.Options.Flags), "-tags="+strings.Join(r.Options.Tags, ","))
	patterns := []string{cmp.Or(r.Binary, r.Package)}
	if len(r.Files) > 0 {
		patterns = nil
		for _, name := range r.Files {
			patterns = append(patterns, inRoot(FindRoot(dir), name))
		}
	}
	cfg, err := LoadConfig(ctx, dir, patterns, flags, !function)
	if err != nil {
		return nil, nil, err
	}
	cfg.Names = names
	p, err := LoadGenerated(ctx, cfg, readGenerated(FindRoot(dir), cfg.Toolchain.GOROOT, r.Options.Generated))
	if err != nil {
		return nil, nil, err
	}
	p.Args = r.Options.Args
	t, err := p.Recorded(r)
	return p, t, err
}

// Recorded returns the target of a recorded run.
func (p *Program) Recorded(r *schedule.Run) (t *load.Target, err error) {
	targets := p.Targets()
	if r.Kind == load.TargetParallel.String() {
		return p.recordedParallel(targets, r)
	}
	if r.Kind == load.TargetContext.String() {
		return p.recordedContext(r)
	}
	if r.Kind == load.TargetFunc.String() {
		if targets, err = p.Funcs(r.Target); err != nil {
			return nil, err
		}
	}
	for i := range targets {
		if t := &targets[i]; t.Package.Path == r.Package && t.Name == r.Target && t.Kind.String() == r.Kind {
			if err := addGlobals(t, r.Options.Globals); err != nil {
				return nil, err
			}
			return t, nil
		}
	}
	return nil, fmt.Errorf("no %s %s in package %s", r.Kind, r.Target, r.Package)
}
