package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
)

// A report is how a program fared in the machine. Each text is empty when all is well.
type report struct {
	Differs   string `json:",omitempty"` // how it ends otherwise than natively
	Repeats   string `json:",omitempty"` // how the same plan gave another trace or state
	Scheduled string `json:",omitempty"` // how it ended under a random schedule
	Schedules int    `json:",omitempty"` // random schedules under which it ran to its end
	Unchecked bool   `json:",omitempty"` // the same plan was not carried out as often as wanted: there was no time

	Instructions uint64 // of the run that was compared
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
	defer func() {
		if err := recover(); err != nil {
			r.Differs = line(fmt.Sprintf("the machine itself panics: %v %s", err, debug.Stack()))
		}
	}()
	first, cancel := context.WithTimeout(ctx, t.time)
	defer cancel()
	proc := l.start(first, p, t.bounds)
	looking := &vmtest.Interruption{Context: first}
	end, trace := proc.run(looking, &run.Plan{}, &vmtest.Patient{Scheduler: new(run.Fair)})
	if r.Differs = compare(end, native); r.Differs != "" || trace == nil {
		return r
	}
	r.Instructions = trace.Instructions
	plan := &run.Plan{Prefix: slices.Clone(trace.Decisions), Record: r.Instructions <= recordedUpTo}
	t.repeat(ctx, l, p, proc, plan, looking.Calls(), &r)
	if p.spawns && p.varies == "" {
		t.schedule(ctx, proc, native, &r)
	}
	return r
}

// repeat carries out a plan that was found by looking at the context so many times:
// in proc, before and after runs that were broken off, and in a machine of its own.
func (t trial) repeat(ctx context.Context, l *loaded, p *program, proc *process, plan *run.Plan, looks int, r *report) {
	if t.cuts == 0 {
		r.Unchecked = true
		return
	}
	ctx, cancel := context.WithTimeout(ctx, t.time)
	defer cancel()
	want := ""
	once := func(proc *process, when string) bool {
		end, trace := proc.run(ctx, plan, &vmtest.Patient{Scheduler: run.NonPreemptive{}})
		if ctx.Err() != nil {
			r.Unchecked = true
			return false
		}
		got, err := "", error(nil)
		if trace == nil {
			err = errors.New(end.How)
		} else {
			got, err = vmtest.Digest(proc.m, trace, end.Output)
		}
		switch {
		case err != nil:
			r.Repeats = line(fmt.Sprintf("the same plan %s: %v", when, err))
		case want != "" && got != want:
			r.Repeats = fmt.Sprintf("trace or state differ %s", when)
		}
		want = got
		return r.Repeats == ""
	}
	ok := once(proc, "again")
	rng := rand.New(rand.NewPCG(uint64(looks), uint64(len(plan.Prefix))))
	for range t.cuts {
		cut := &vmtest.Interruption{Context: ctx, After: 1 + rng.IntN(max(looks, 1))}
		proc.run(cut, &run.Plan{Prefix: plan.Prefix[:rng.IntN(len(plan.Prefix)+1)], Record: plan.Record}, vmtest.Stop{})
		ok = ok && once(proc, "after a rewind")
	}
	if ok {
		once(l.start(ctx, p, t.bounds), "in a new machine")
	}
}

// schedule runs the program under random schedules, until it ends otherwise than
// natively under one.
func (t trial) schedule(ctx context.Context, proc *process, native ending, r *report) {
	ctx, cancel := context.WithTimeout(ctx, t.time)
	defer cancel()
	for r.Schedules < t.schedules {
		seed := uint64(1 + r.Schedules)
		end, _ := proc.run(ctx, &run.Plan{}, &vmtest.Patient{Scheduler: run.Random(seed)})
		if ctx.Err() != nil {
			return
		}
		r.Schedules++
		if why := compare(end, native); why != "" {
			r.Scheduled = line(fmt.Sprintf("seed %d: %s", seed, why))
			return
		}
	}
}
