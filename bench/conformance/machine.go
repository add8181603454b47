package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/golib"
)

// limits bound a program in the machine.
var limits = vm.Limits{Instructions: 1 << 31, Cells: 1 << 27, Depth: 1 << 21, Goroutines: 1 << 17}

// machineTime bounds a program in the machine.
const machineTime = time.Minute

// loaded is a set of programs that were loaded together.
type loaded struct {
	*load.Result
	packages map[*program]*load.Package
	wrong    map[*program]string // those that could not be loaded
}

// load loads the programs together, so that what they import is loaded once.
func (w workspace) load(ctx context.Context, programs []*program) (*loaded, error) {
	overlay, err := golib.Overlay(runtime.GOROOT())
	if err != nil {
		return nil, fmt.Errorf("preparing the models of the standard library: %w", err)
	}
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
		l.Result, err = load.Load(ctx, load.Config{Dir: string(w), Patterns: patterns, Overlay: overlay})
		if err == nil {
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

// run runs a program in the machine, under one schedule.
func (l *loaded) run(ctx context.Context, p *program) (e ending) {
	if why := l.wrong[p]; why != "" {
		return ending{how: "loading: " + why}
	}
	ctx, cancel := context.WithTimeout(ctx, machineTime)
	defer cancel()
	var out bytes.Buffer
	defer func() {
		if r := recover(); r != nil {
			e = ending{output: out.String(), how: fmt.Sprintf("the machine itself panics: %v", r)}
		}
	}()
	m := vm.New(code.NewProgram(l.Prog, l.Sizes, nil, nil), expr.NewArena(), vm.NewNames(), limits)
	m.Output = &out
	pkg := l.packages[p].SSA
	pkg.Build()
	trace, err := m.Boot(ctx, vm.Entry{Inits: []*ssa.Package{pkg}, Func: pkg.Func("main")})
	if err == nil {
		trace, err = m.Run(ctx, &vm.Plan{}, &vm.Fair{})
	}
	e.output = out.String()
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		e.how = "takes too long"
	case err != nil:
		e.how = err.Error()
	case trace.Outcome == vm.Finished:
		e.ok = true
	default:
		e.how = fmt.Sprintf("%v: %s", trace.Outcome, trace.Message)
		if len(trace.Findings) > 0 {
			e.how = trace.Findings[0].Message
		}
	}
	return e
}
