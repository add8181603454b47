package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/golib"
)

// A session runs the targets of one package, from one boot of the machine.
type session struct {
	options
	program *program.Program
	code    *code.Program
	machine *vm.Machine // nil when it has to be booted again
}

// runMachine runs the tests of a package in the machine.
func runMachine(ctx context.Context, name string, o options, reasons *reasons) (outcomes, error) {
	overlay := make(map[string][]byte)
	for _, file := range reasons.files[name] {
		overlay[filepath.Join(runtime.GOROOT(), "src", name, file)] = []byte("//go:build ignore\n\npackage ignored\n")
	}
	r, err := golib.Load(ctx, load.Config{Patterns: []string{name}, Tests: true, Overlay: overlay})
	if err != nil {
		if o.verbose {
			fmt.Println(err)
		}
		return outcomes{Error: line("loading: " + err.Error())}, nil
	}
	s := &session{
		options: o,
		program: &program.Program{Result: r, Toolchain: &load.Toolchain{GOROOT: runtime.GOROOT()}},
		code: compile.NewProgram(r.Prog, r.Sizes, nil, func(p *ssa.Package) bool {
			of := r.Of(p)
			return of != nil && of.Path != name && of.Path != name+"_test"
		}),
	}
	all := outcomes{Tests: make(map[string]outcome)}
	for _, target := range r.Targets() {
		if target.Kind == load.TargetBenchmark || target.Kind == load.TargetMain || !o.match.MatchString(target.Name) {
			continue
		}
		out := s.run(ctx, &target)
		if o.verbose {
			fmt.Printf("%s.%s: %s %s\n", name, target.Name, out.Status, out.Why)
		}
		all.Tests[target.Name] = out
	}
	return all, ctx.Err()
}

// limits bound a test, beside its instructions. Cells count when they are allocated, and the
// host frees those that are not used any more.
var limits = run.Limits{Memory: 32 << 30, Depth: 1 << 20, Goroutines: 1 << 17}

// boot boots a machine at the start of a target, unless there is one that can go there.
func (s *session) boot(ctx context.Context, target *load.Target) error {
	entry, err := s.program.Entry(target)
	if err != nil {
		return err
	}
	if s.machine != nil {
		return s.machine.Retarget(entry)
	}
	limits := limits
	limits.Instructions = s.instructions
	m := vm.New(s.code, expr.NewArena(), run.NewNames(), run.Settings{
		Limits: limits, MaxLen: 1 << 16, Short: s.short, Concrete: true,
		Verbose: true, // as go test -json has it
	})
	m.Output = io.Discard
	if s.verbose {
		m.Output = os.Stdout
	}
	m.Root = runtime.GOROOT()
	m.Files = os.DirFS(m.Root)
	dir, err := filepath.Rel(m.Root, target.Package.Dir)
	if err != nil {
		return err
	}
	m.Dir = filepath.ToSlash(dir)
	for _, p := range s.program.Packages {
		if p != target.Package {
			entry.Inits = append(entry.Inits, p.SSA)
		}
	}
	if _, err := m.Boot(ctx, entry); err != nil {
		return err
	}
	s.machine = m
	return nil
}

// run runs a target under one schedule: a fuzz test once without input, and once for each
// of its seeds.
func (s *session) run(ctx context.Context, target *load.Target) (out outcome) {
	ctx, cancel := context.WithTimeout(ctx, s.time)
	defer cancel()
	defer func() {
		if r := recover(); r != nil {
			s.machine = nil
			out = outcome{fail, line(fmt.Sprintf("the machine itself panics: %v", r))}
		}
	}()
	if err := s.boot(ctx, target); err != nil {
		return outcome{fail, s.why(err)}
	}
	plans := []run.Input{nil}
	for i := 0; i < len(plans); i++ {
		trace, err := s.machine.Run(ctx, &run.Plan{Input: plans[i]}, new(run.Fair))
		if err != nil {
			return outcome{fail, s.why(err)}
		}
		if why := failure(trace); why != "" {
			return outcome{fail, line(why)}
		}
		if trace.Skipped {
			return outcome{Status: skip}
		}
		if i == 0 {
			plans = append(plans, trace.Seeds...)
		}
	}
	return outcome{Status: pass}
}

// why says what err means for a test.
func (s *session) why(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Sprintf("takes more than %v", s.time)
	}
	return line(err.Error())
}

// failure says what makes a run a failure natively, "" for nothing. Leaks and races do
// not: they are listed by those who look for them.
func failure(t *run.Trace) string {
	for _, f := range slices.Concat(t.TestFailures, t.Unjudged) { // came before what ended the run
		return string(check.TestFailure) + ": " + f.Message
	}
	for _, f := range check.Judge(t) {
		if check.Of(f.Kind).Native {
			return string(f.Kind) + ": " + f.Message
		}
	}
	if t.Outcome != run.Finished {
		return t.Outcome.String() + ": " + t.Message
	}
	return ""
}

// line returns the beginning of s as a single line.
func line(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	const width = 200
	if r := []rune(s); len(r) > width {
		s = string(r[:width]) + "…"
	}
	return s
}
