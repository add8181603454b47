package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/verdict"
)

// A binary is the tests of one test binary that are searched. When each has been searched by
// itself, those that call T.Parallel and share variables are searched together.
type binary struct {
	all load.Target // the tests, together

	mu    sync.Mutex
	left  int             // tests that have not been searched
	fails map[string]bool // tests that fail by themselves, by testID
}

// testID names a test in its binary, which may have two of one name.
func testID(t *load.Target) string { return t.Package.Path + "." + t.Name }

// binaries returns the binaries of which targets has tests that may have to be searched
// together, by load.Package.Binary.
func binaries(prog *program.Program, targets []load.Target) map[string]*binary {
	list := make(map[string]*binary)
	for _, all := range prog.ParallelTests(targets) {
		list[all.Package.Binary()] = &binary{all: all, left: len(all.Tests), fails: map[string]bool{}}
	}
	return list
}

// searched notes the result of a target. It reports whether that was the last test of b.
func (b *binary) searched(target *load.Target, r *verdict.Result) bool {
	if b == nil || target.Kind != load.TargetTest {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left--
	if r.Verdict == verdict.Fails {
		b.fails[testID(target)] = true
	}
	return b.left == 0
}

// A group is tests of which each shares variables with another.
type group struct {
	load.Target
	open     []string // why holds cannot be claimed of it
	searched bool     // it is to be searched
}

// groups returns the groups of a binary's tests. A test that fails by itself is left out of
// its group, since it would hide what the others do, and would be reported again.
func (b *binary) groups(ctx context.Context, cores cores, prog *program.Program, cfg Config) ([]group, error) {
	if err := cores.take(ctx); err != nil {
		return nil, nil // interrupted
	}
	defer cores.release()
	limited, cancel := context.WithTimeout(ctx, cfg.Budget)
	defer cancel()
	components, err := b.components(limited, prog, cfg)
	switch unsupported := (*worker.UnsupportedError)(nil); {
	case ctx.Err() != nil, errors.As(err, &unsupported): // which each of the tests has said
		return nil, nil
	case limited.Err() != nil:
		why := fmt.Sprintf("the budget of %v is spent before it is known which of the tests share variables", cfg.Budget)
		return []group{{Target: b.all, open: []string{why}}}, nil
	case err != nil:
		return nil, fmt.Errorf("looking for tests that share variables: %w", err)
	}
	var list []group
	for _, tests := range components {
		var fail []string
		rest := slices.DeleteFunc(slices.Clone(tests), func(t load.Target) bool {
			fails := b.fails[testID(&t)]
			if fails {
				fail = append(fail, t.Name)
			}
			return fails
		})
		g := group{Target: program.Together(tests)}
		if len(rest) > 1 {
			g.Target, g.searched = program.Together(rest), true
		}
		if len(fail) > 0 {
			g.open = []string{"left out, because they fail by themselves: " + strings.Join(fail, ", ")}
		}
		list = append(list, g)
	}
	return list, nil
}

// components returns the sets of at least two tests that call T.Parallel and that can notice
// each other, directly, through others or through goroutines that were there before.
func (b *binary) components(ctx context.Context, prog *program.Program, cfg Config) ([][]load.Target, error) {
	w, err := worker.New(ctx, prog, &b.all, cfg.worker(), run.NewNames(), func([]byte) {})
	if err != nil {
		return nil, err
	}
	var tests []load.Target
	var footprints []*worker.Footprints
	for i := range b.all.Tests {
		f, err := w.Footprints(ctx, i)
		if err != nil {
			return nil, err
		}
		if f.Parallel {
			tests = append(tests, b.all.Tests[i])
			footprints = append(footprints, f)
		}
	}
	var list [][]load.Target
	for _, set := range worker.Meeting(footprints) {
		var component []load.Target
		for _, i := range set {
			component = append(component, tests[i])
		}
		list = append(list, component)
	}
	return list, nil
}

// searchGroups searches the tests of b that share variables, together.
func (b *binary) searchGroups(ctx context.Context, cores cores, prog *program.Program, cfg Config, mix []phase, obs verdict.Observer) error {
	groups, err := b.groups(ctx, cores, prog, cfg)
	if err != nil {
		return err
	}
	for i := range groups {
		if ctx.Err() != nil {
			return nil
		}
		g := &groups[i]
		if !g.searched {
			g.report(obs)
			cfg.Keeper.Miss(&g.Target)
			continue
		}
		if _, err := searchTarget(ctx, cores, prog, &g.Target, cfg, mix, obs, g.open); err != nil {
			return err
		}
	}
	return nil
}

// report reports a group that is not searched.
func (g *group) report(obs verdict.Observer) {
	r := &verdict.Result{Package: g.Package.Path, Target: g.Name}
	r.Verdict, r.Degree, r.Open = verdict.Open, -1, g.open
	obs.Started(r.Package, r.Target)
	obs.Ended(r)
}
