package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"

	"github.com/everyway-go/everyway/internal/vm"
)

// A report is how a program fared in the machine. Each text is empty when all is well.
type report struct {
	Differs   string `json:",omitempty"` // how it ends otherwise than natively
	Repeats   string `json:",omitempty"` // how the same plan gave another trace or state
	Schedules int    `json:",omitempty"` // random schedules under which it ran
	Scheduled string `json:",omitempty"` // how it ended under one of them
	// Instructions of the run that was compared.
	Instructions uint64
}

// A trial says what a program has to stand.
type trial struct {
	bounds
	cuts      int // runs that are broken off at a random place and undone
	schedules int // random schedules, for a program with go statements
}

// recordedUpTo is the number of instructions up to which runs are compared event by
// event. Longer ones are compared by decisions, output and state: their events would
// fill the memory.
const recordedUpTo = 1 << 27

// of runs p, loaded with others in l, and compares it with its native ending.
func (t trial) of(ctx context.Context, l *loaded, p *program, native ending) (r report) {
	ctx, cancel := context.WithTimeout(ctx, t.time)
	defer cancel()
	defer func() {
		if err := recover(); err != nil {
			r.Differs = line(fmt.Sprintf("the machine itself panics: %v %s", err, debug.Stack()))
		}
	}()
	proc := l.start(ctx, p, t.bounds)
	counting := &counted{Context: ctx, left: -1}
	end, trace := proc.run(counting, &vm.Plan{}, &patient{Scheduler: new(vm.Fair)})
	if r.Differs = compare(end, native); r.Differs != "" || trace == nil {
		return r
	}
	r.Instructions = trace.Instructions
	plan := &vm.Plan{Prefix: slices.Clone(trace.Decisions), Record: r.Instructions <= recordedUpTo}
	if t.cuts > 0 {
		r.Repeats = t.repeat(ctx, l, p, proc, plan, -1-counting.left)
	}
	if p.spawns && t.schedules > 0 && p.varies == "" {
		r.Schedules, r.Scheduled = t.schedule(ctx, proc, native)
	}
	return r
}

// repeat carries out a plan that was found by looking at the context so many times:
// in proc, before and after runs that were broken off, and in a machine of its own. It
// says how they differ.
func (t trial) repeat(ctx context.Context, l *loaded, p *program, proc *process, plan *vm.Plan, looks int) string {
	rng := rand.New(rand.NewPCG(uint64(looks), uint64(len(plan.Prefix))))
	once := func(proc *process) (string, error) {
		end, trace := proc.run(ctx, plan, &patient{Scheduler: vm.RunOn{}})
		if trace == nil {
			return "", fmt.Errorf("%s", end.How)
		}
		d, err := proc.digest(end, trace)
		return fmt.Sprintf("%x", d), err
	}
	want, err := once(proc)
	if err != nil {
		return line("the same plan again: " + err.Error())
	}
	for range t.cuts {
		cut := &counted{Context: ctx, left: 1 + rng.IntN(max(looks, 1))}
		prefix := &vm.Plan{Prefix: plan.Prefix[:rng.IntN(len(plan.Prefix)+1)], Record: plan.Record}
		proc.run(cut, prefix, cutter{})
		got, err := once(proc)
		switch {
		case err != nil:
			return line("the same plan after a rewind: " + err.Error())
		case got != want:
			return "trace or state differ after a rewind"
		}
	}
	switch got, err := once(l.start(ctx, p, t.bounds)); {
	case err != nil:
		return line("the same plan in a new machine: " + err.Error())
	case got != want:
		return "trace or state differ in a new machine"
	}
	return ""
}

// schedule runs the program under random schedules. It returns how many there were
// and how it ended otherwise than natively under the last one.
func (t trial) schedule(ctx context.Context, proc *process, native ending) (n int, differs string) {
	for n < t.schedules {
		n++
		end, _ := proc.run(ctx, &vm.Plan{}, &patient{Scheduler: vm.Random(uint64(n))})
		if why := compare(end, native); why != "" {
			return n, line(fmt.Sprintf("seed %d: %s", n, why))
		}
	}
	return n, ""
}

// A counted context is done when it has been asked so often; never, of its own, when
// left is negative from the start.
type counted struct {
	context.Context
	left int
}

// Err implements [context.Context].
func (c *counted) Err() error {
	if c.left--; c.left == 0 {
		return context.Canceled
	}
	return c.Context.Err()
}

// A cutter breaks a run off at the first choice.
type cutter struct{}

// Choose implements [vm.Scheduler].
func (cutter) Choose(*vm.Point) int { return -1 }
