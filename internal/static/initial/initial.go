package initial

import (
	"context"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/static"
)

// New returns the context in which goroutines have stacks, those of fragment.Context.
func New(ctx context.Context, a *static.Analysis, stacks [][]ssa.Instruction, opts Options) (*fragment.Context, error) {
	definitions, err := a.Definitions(ctx)
	if err != nil {
		return nil, err
	}
	c := &fragment.Context{
		Stacks: stacks, NotNil: make(map[ssa.Value]bool), Same: make(map[ssa.Value]*ssa.Const), Ranges: make(map[ssa.Value]fragment.Range),
		AtLeast:       make(map[*ssa.Phi]ssa.Value),
		NoDefinitions: opts.NoDefinitions,
	}
	to, err := a.PointsTo(ctx)
	if err != nil {
		return nil, err
	}
	vars := opts.Variables
	if vars == nil {
		if vars, err = NewVariables(ctx, a); err != nil {
			return nil, err
		}
	}
	known := vars.fields
	known.stacks = stacks
	presumes := false
	if !opts.NoDefinitions {
		v, m := values{definitions, isNotNil}, memory{definitions, known, vars.beginnings, vars.protection}
		c.Set = known.notNil(v)
		v.isNotNil = known.isNotNil(known.among(c.Set))
		for _, stack := range stacks {
			var memory []fragment.Memory
			for i, at := range stack {
				frame := m.of(stack, i)
				v.describe(c, at.Parent())
				presumes = v.describeCaptured(&frame, at, opts.Presume) || presumes
				presumes = opts.Presume && v.presume(c, &frame, at.Parent()) || presumes
				memory = append(memory, frame)
			}
			c.Memory = append(c.Memory, memory)
		}
		if opts.Presume {
			more := known.presumed(v, c.Set)
			c.Set = append(c.Set, more...)
			presumes = presumes || len(more) > 0
		}
	}
	if c.Locks, err = locks(ctx, a, stacks); err != nil {
		return nil, err
	}
	if opts.NoSynchronisation {
		for _, held := range c.Locks {
			for i := range held {
				held[i].Least = 0
			}
		}
	}
	c.Uses, c.Debts = vars.synchronisation(stacks)
	if opts.NoSynchronisation {
		c.Debts, c.Uses.Others, c.Uses.Waited = nil, true, vars.conds(stacks)
	}
	var counted census
	if !opts.NoSynchronisation {
		counted = vars.census(stacks)
		c.Zero = counted.fields
		c.Open, c.Guarded = vars.open(stacks)
		c.Rounds, c.Excluded = vars.rounds(stacks)
	}
	c.Bounds = within(vars.bounds(stacks, opts), counted.bounds)
	if !opts.NoSynchronisation {
		c.Relations = vars.relations(stacks)
	}
	inputs, assumes := vars.of(stacks, counted.variables)
	assumes = append(assumes, counted.assumes...)
	c.Variables = inputs
	if !opts.NoDefinitions {
		c.Structures = vars.structures(stacks, inputs)
	}
	c.Pointers = pointersOf(to, stacks, inputs, vars.operationsFrom(stacks), vars.beginnings.makesOne)
	c.Order, c.Unmade = orderOf(c)
	if c.Uses.Conds {
		c.Conditions = known.conditions()
		for i, stack := range stacks {
			if fragment.Waits(stack) {
				c.Locks[i] = withoutWaiter(c.Locks[i], c.Conditions, stack)
			}
		}
	}
	if c.Excluded == "" {
		c.Excluded = excluded(a.Calls(), c)
	}
	c.Awaited = vars.awaited(opts.Others)
	c.Assumes = append(assumes, assumptions(a, c)...)
	if presumes {
		c.Assumes = append(c.Assumes, presumed)
	}
	return c, nil
}
