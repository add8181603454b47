package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/oracle"
	"github.com/everyway-go/everyway/internal/oracle/kinds"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/golib"
)

// A suite is a set of loaded targets.
type suite struct {
	loaded  *load.Result
	code    *code.Program
	targets []load.Target
}

func loadSuite(ctx context.Context, dir string, patterns ...string) (*suite, error) {
	loaded, err := golib.Load(ctx, load.Config{Dir: dir, Patterns: patterns, Tests: true})
	if err != nil {
		return nil, fmt.Errorf("loading the programs: %w", err)
	}
	program := compile.NewProgram(loaded.Prog, loaded.Sizes,
		func(p *ssa.Package) bool { return loaded.Of(p) != nil && !loaded.Standard(p) }, loaded.Standard)
	return &suite{loaded: loaded, code: program, targets: loaded.Targets()}, nil
}

// loadGenerated loads programs that package oracle generates.
func loadGenerated(ctx context.Context, n int) (*suite, error) {
	var programs []*oracle.Program
	for seed := uint64(0); len(programs) < n; seed++ {
		programs = append(programs, kinds.Generate(seed/2, kinds.Config{Mode: oracle.Mode(seed % 2)}))
	}
	dir, err := os.MkdirTemp("", "random")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	text, _ := oracle.Source("generated", programs)
	for name, data := range map[string][]byte{"generated_test.go": text, "go.mod": []byte("module generated\n\ngo 1.26\n")} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			return nil, err
		}
	}
	return loadSuite(ctx, dir)
}

// loadFailing loads the programs of the repository that have a bug.
func loadFailing(ctx context.Context) (*suite, error) {
	mains, err := filepath.Glob("bench/con2colic/testdata/*/main.go")
	if err != nil {
		return nil, err
	}
	patterns := []string{"./examples/addall", "./examples/bluetooth"}
	for _, file := range mains {
		patterns = append(patterns, "./"+filepath.Dir(file))
	}
	return loadSuite(ctx, ".", patterns...)
}

// A target is a machine that stands at the start of one.
type target struct {
	*load.Target
	machine *vm.Machine
	output  bytes.Buffer
	seeds   []run.Input // those that it adds
}

// starts are the functions of the model of package testing that start a target.
var starts = map[load.TargetKind]string{load.TargetTest: "everywayTest", load.TargetFuzz: "everywayFuzz"}

func (s *suite) start(ctx context.Context, i int) (*target, error) {
	t := &target{Target: &s.targets[i]}
	t.machine = vm.New(s.code, expr.NewArena(), run.NewNames(), run.Settings{Limits: run.Limits{Instructions: 1e7, Memory: 16 << 20, Depth: 10000, Goroutines: 1000, Decisions: 10000}, MaxLen: 8})
	t.machine.Output = &t.output
	entry := vm.Entry{Inits: []*ssa.Package{t.Package.SSA}, Func: t.Func}
	if t.Kind != load.TargetMain {
		testing := s.loaded.Package("testing").SSA
		entry.Inits = append([]*ssa.Package{testing}, entry.Inits...)
		entry.Func, entry.Args = testing.Func(starts[t.Kind]), []any{t.Name, t.Func}
	}
	if _, err := t.machine.Boot(ctx, entry); err != nil {
		return nil, fmt.Errorf("booting %s: %w", t.name(), err)
	}
	trace, err := t.machine.Run(ctx, &run.Plan{}, run.NonPreemptive{})
	if err != nil {
		return nil, fmt.Errorf("running %s: %w", t.name(), err)
	}
	t.seeds = trace.Seeds
	return t, nil
}

func (t *target) name() string {
	if t.Kind == load.TargetMain {
		return path.Base(t.Package.Path)
	}
	return t.Name
}

// search makes the runs that st asks for until each is false.
func (t *target) search(ctx context.Context, st strategy.Strategy, each func(*run.Trace) bool) error {
	for {
		job, err := st.Next(ctx)
		if err != nil || job == nil {
			return err
		}
		t.output.Reset()
		trace, err := t.machine.Run(ctx, job.Plan, job.Scheduler)
		if err != nil {
			return fmt.Errorf("running %s: %w", t.name(), err)
		}
		if !each(trace) {
			return nil
		}
		if err := st.Learn(ctx, job, trace, t.machine.Arena); err != nil {
			return err
		}
	}
}

// fails reports whether a run has a finding.
func (t *target) fails(trace *run.Trace) bool {
	if t.Kind == load.TargetMain {
		return len(check.Judgement{Program: true}.Findings(trace)) > 0
	}
	return len(check.Judge(trace)) > 0
}

// end describes the end of a run: the findings, and what each goroutine printed,
// whose lines begin with its number.
func (t *target) end(trace *run.Trace) string {
	lines := strings.Split(t.output.String(), "\n")
	goroutine := func(line string) string {
		if words := strings.Fields(line); len(words) > 1 {
			return words[1]
		}
		return ""
	}
	slices.SortStableFunc(lines, func(a, b string) int { return strings.Compare(goroutine(a), goroutine(b)) })
	for _, f := range check.Judge(trace) {
		lines = append(lines, fmt.Sprint(f.Kind, f.Site, f.Message))
	}
	for i := range trace.TestFailures {
		lines = append(lines, fmt.Sprint(trace.TestFailures[i].Site, trace.TestFailures[i].Message))
	}
	if s := trace.Stuck; s != nil {
		for i := range s.Goroutines {
			lines = append(lines, fmt.Sprint(s.Goroutines[i].Site, s.Goroutines[i].For))
		}
	}
	return strings.Join(lines, "\n")
}
