package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/fault"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/memory"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/verdict"
)

// A binary is the targets of one test binary that are searched. When each of the tests among
// them has been searched by itself, those that call T.Parallel and share variables are
// searched together.
type binary struct {
	together *load.Target // the tests, together; nil if none of them calls T.Parallel
	machines *worker.Machines

	mu      sync.Mutex
	targets int             // that have not been searched
	tests   int             // among them
	fails   map[string]bool // tests that fail by themselves, by targetID
}

// binaries returns the binaries of targets, by load.Package.Binary. When memory is short they
// drop machines that are idle.
func binaries(prog *program.Program, targets []load.Target, budget *memory.Budget, obs verdict.Observer) map[string]*binary {
	list := make(map[string]*binary)
	for i := range targets {
		t := &targets[i]
		b := list[t.Package.Binary()]
		if b == nil {
			b = &binary{machines: newMachines(prog, t, obs), fails: map[string]bool{}}
			budget.OnShort(b.machines.Drop)
			list[t.Package.Binary()] = b
		}
		b.targets++
		if t.Kind == load.TargetTest {
			b.tests++
		}
	}
	for _, together := range prog.ParallelTests(targets) {
		list[together.Package.Binary()].together = &together
	}
	return list
}

// newMachines returns the machines of the test binary of a target.
func newMachines(prog *program.Program, target *load.Target, obs verdict.Observer) *worker.Machines {
	return worker.NewMachines(prog, func(elapsed time.Duration) { obs.Initialised(target.Package.Binary(), elapsed) })
}

// searched notes the result of a target. It reports whether that was the last test of b and
// the tests may have to be searched together.
func (b *binary) searched(target *load.Target, r *verdict.Result) bool {
	if target.Kind != load.TargetTest {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tests--
	if r.Verdict == verdict.Fails {
		b.fails[targetID(target)] = true
	}
	return b.tests == 0 && b.together != nil
}

// begin notes that several tests of b are to be searched together.
func (b *binary) begin() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.targets++
}

// done notes that all is done for a target. After the last one nothing of b is needed.
func (b *binary) done() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.targets--; b.targets == 0 {
		b.machines.Drop()
	}
}

// A group is tests of which each shares variables with another.
type group struct {
	load.Target
	open     []string // why holds cannot be claimed of it
	searched bool     // it is to be searched
}

// groups returns the groups of a binary's tests. A test that fails by itself is left out of
// its group, since it would hide what the others do, and would be reported again.
func (b *binary) groups(ctx context.Context, cfg Config) ([]group, error) {
	limited, cancel := cfg.Clock.WithTimeout(ctx, cfg.Budget)
	defer cancel()
	limited, share := cfg.Memory.Begin(limited)
	defer share.End()
	components, err := b.components(ctx, limited, cfg, share)
	switch unsupported := (*worker.UnsupportedError)(nil); {
	case errors.As(err, &unsupported), ctx.Err() != nil && !isTotalSpent(ctx): // which each of the tests has said
		return nil, nil
	case limited.Err() != nil:
		why := fmt.Sprintf(budgetSpent, cfg.Budget)
		switch exceeded := memory.Exceeded(limited); {
		case ctx.Err() != nil:
			why = stopReason(ctx)
		case exceeded != nil:
			why = exceeded.Error()
		}
		why += " before it is known which of these parallel tests share variables and are to be searched together"
		return []group{{Target: *b.together, open: []string{why}}}, nil
	case err != nil:
		return nil, fmt.Errorf("looking for tests that share variables: %w", err)
	}
	var list []group
	for _, tests := range components {
		var fail []string
		rest := slices.DeleteFunc(slices.Clone(tests), func(t load.Target) bool {
			fails := b.fails[targetID(&t)]
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
// Its runs, but not the initialisation, end when limited does.
func (b *binary) components(ctx, limited context.Context, cfg Config, share *memory.Share) (list [][]load.Target, err error) {
	w, err := b.machines.Worker(ctx, b.together, cfg.worker(share, nil), run.NewNames(), func([]byte) {})
	if err != nil {
		return nil, err
	}
	defer func() {
		if !fault.Is(err) { // after which nobody knows what state the machine is in
			w.Close()
		}
	}()
	defer fault.Catch(&err)
	var tests []load.Target
	var footprints []*worker.Footprints
	for i := range b.together.Tests {
		f, err := w.Footprints(limited, i)
		if err != nil {
			return nil, err
		}
		if f.Parallel {
			tests = append(tests, b.together.Tests[i])
			footprints = append(footprints, f)
		}
	}
	for _, set := range worker.Meeting(footprints) {
		var component []load.Target
		for _, i := range set {
			component = append(component, tests[i])
		}
		list = append(list, component)
	}
	return list, nil
}
