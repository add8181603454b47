package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/golib"
)

// bounds bound a program in the machine.
type bounds struct {
	instructions uint64
	time         time.Duration
}

// loaded is a set of programs that were loaded together.
type loaded struct {
	*load.Result
	packages map[*program]*load.Package
	wrong    map[*program]string // those that could not be loaded
}

// load loads the programs together, so that what they import is loaded once.
func (w workspace) load(ctx context.Context, programs []*program) (*loaded, error) {
	l := &loaded{packages: make(map[*program]*load.Package), wrong: make(map[*program]string)}
	for {
		var patterns []string
		for _, p := range programs {
			if l.wrong[p] == "" {
				patterns = append(patterns, w.dir(p))
			}
		}
		if len(patterns) == 0 {
			return l, nil
		}
		var err error
		if l.Result, err = golib.Load(ctx, load.Config{Dir: string(w), Patterns: patterns}); err == nil {
			break
		}
		if !l.blame(w, programs, err) {
			return nil, fmt.Errorf("loading the programs: %w", err)
		}
	}
	byDir := make(map[string]*load.Package)
	for _, p := range l.Packages {
		byDir[p.Dir] = p
	}
	for _, p := range programs {
		if l.wrong[p] == "" {
			l.packages[p] = byDir[w.dir(p)]
		}
	}
	return l, nil
}

// blame notes the programs that do not compile, if it is they that err is about.
func (l *loaded) blame(w workspace, programs []*program, err error) bool {
	var compile *load.CompileError
	if !errors.As(err, &compile) {
		return false
	}
	found := false
	for _, line := range compile.Lines {
		for _, p := range programs {
			if dir := w.dir(p); l.wrong[p] == "" && strings.Contains(line, dir[len(w)+1:]+"/") {
				l.wrong[p] = line
				found = true
			}
		}
	}
	return found
}

// A process is a program in a machine of its own.
type process struct {
	m   *vm.Machine
	out bytes.Buffer
	// boot is what initialisers have printed.
	boot string
	// failed is how the program ended before its main function began; nil when it
	// did begin.
	failed *ending
}

// start returns p in a new machine, at the start of its main function.
func (l *loaded) start(ctx context.Context, p *program, b bounds) *process {
	if why := l.wrong[p]; why != "" {
		return &process{failed: &ending{Code: none, How: "loading: " + why}}
	}
	limits := run.Limits{Instructions: b.instructions, Memory: 16 << 30, Depth: 1 << 22, Goroutines: 1 << 17}
	t := &process{m: vm.New(compile.NewProgram(l.Prog, l.Sizes, nil, nil), expr.NewArena(), run.NewNames(), run.Settings{
		Limits: limits, Stall: run.AnyStall, // vmtest.Patient has timers wait
	})}
	t.m.Output = &t.out
	t.m.Args = p.args
	pkg := l.packages[p].SSA
	pkg.Build()
	trace, err := t.m.Boot(ctx, vm.Entry{Inits: []*ssa.Package{pkg}, Func: pkg.Func("main")})
	switch {
	case errors.Is(err, vm.ErrBoot):
		t.failed = new(endingOf(trace, t.out.String()))
	case err != nil:
		t.failed = new(ending{Code: none, How: err.Error()})
	}
	t.boot = t.out.String()
	return t
}

// run carries out a plan. The trace is nil when the program did not come to its end.
func (t *process) run(ctx context.Context, plan *run.Plan, sched run.Scheduler) (ending, *run.Trace) {
	if t.failed != nil {
		return *t.failed, nil
	}
	t.out.Reset()
	t.out.WriteString(t.boot)
	trace, err := t.m.Run(ctx, plan, sched)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return ending{Code: none, How: "takes too long"}, nil
	case err != nil:
		return ending{Code: none, How: err.Error()}, nil
	}
	return endingOf(trace, t.out.String()), trace
}

// endingOf returns how the run ended that gave trace and printed output.
func endingOf(trace *run.Trace, output string) ending {
	switch {
	case trace.Outcome == run.Finished, trace.Outcome == run.Stopped: // by vmtest.Patient
		return ending{Output: output}
	case trace.Outcome == run.Failed && trace.Exit != nil:
		return ending{Output: output, Code: trace.Exit.Status}
	}
	found := check.Judge(trace)
	if trace.Outcome != run.Failed || len(found) == 0 {
		return ending{Output: output, Code: none, How: fmt.Sprintf("%v: %s", trace.Outcome, trace.Message)}
	}
	for _, f := range found {
		if check.Of(f.Kind).Native {
			return ending{Output: output + f.Message + "\n", Code: 2}
		}
	}
	return ending{Output: output, Code: none, How: found[0].Message}
}
