package oracle

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/golib"
)

// A suite is a Go package made of programs, loaded and compiled.
type suite struct {
	programs []*Program
	lines    map[int]Line
	file     string
	loaded   *load.Result
	code     *code.Program
	targets  []*load.Target // by program
}

// loadSuite writes the programs as a test package and loads it.
func loadSuite(t *testing.T, programs []*Program) *suite {
	t.Helper()
	dir := t.TempDir()
	s := &suite{programs: programs, file: filepath.Join(dir, "oracle_test.go"), targets: make([]*load.Target, len(programs))}
	var text []byte
	text, s.lines = Source("oracle", programs)
	for name, data := range map[string][]byte{s.file: text, filepath.Join(dir, "go.mod"): []byte("module oracle\n\ngo 1.26\n")} {
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var err error
	if s.loaded, err = golib.Load(t.Context(), load.Config{Dir: dir, Tests: true}); err != nil {
		t.Fatal(err)
	}
	root := s.loaded.Packages[0].SSA
	s.code = compile.NewProgram(s.loaded.Prog, s.loaded.Sizes, func(p *ssa.Package) bool { return p == root }, s.loaded.Standard)
	for _, target := range s.loaded.Targets() {
		var i int
		if _, err := fmt.Sscanf(strings.TrimLeft(target.Name, "TestFuzP"), "%d", &i); err != nil {
			t.Fatalf("target %s: %v", target.Name, err)
		}
		s.targets[i] = &target
	}
	return s
}

// A player runs one program of a suite.
type player struct {
	*suite
	program int
	machine *vm.Machine
	output  bytes.Buffer
	ops     map[int]StmtOp // by Stmt.ID
	// branches are those of the program among the first placed of the code's.
	branches []placedBranch
	placed   int
}

// A placedBranch is a branch and its index in code.Program.Branches.
type placedBranch struct {
	index int
	Branch
}

func (s *suite) player(t *testing.T, program int) *player {
	t.Helper()
	p := &player{suite: s, program: program, ops: map[int]StmtOp{}}
	s.programs[program].each(func(_ int, s *Stmt) { p.ops[s.ID] = s.Op })
	p.machine = vm.New(s.code, expr.NewArena(), run.NewNames(), run.Settings{Limits: run.Limits{Instructions: 1e6, Cells: 1 << 20, Depth: 1000, Goroutines: 100, Decisions: 1000}})
	p.machine.Output = &p.output
	target := s.targets[program]
	start := "everywayTest"
	if target.Kind == load.TargetFuzz {
		start = "everywayFuzz"
	}
	trace, err := p.machine.Boot(t.Context(), vm.Entry{
		Inits: []*ssa.Package{s.loaded.Packages[0].SSA},
		Func:  s.loaded.Prog.ImportedPackage("testing").Func(start),
		Args:  []any{target.Name, target.Func},
	})
	if err != nil {
		t.Fatalf("booting %s: %v", target.Name, err)
	}
	if trace.Outcome != run.Finished {
		t.Fatalf("booting %s: %v: %s", target.Name, trace.Outcome, trace.Message)
	}
	return p
}

// place returns the statement at a site.
func (p *player) place(site run.SiteID) (Line, bool) {
	_, pos := p.machine.Site(site)
	return p.at(pos)
}

func (p *player) at(pos token.Pos) (Line, bool) {
	position := p.loaded.Fset.Position(pos)
	if position.Filename != p.file {
		return Line{}, false
	}
	line, ok := p.lines[position.Line]
	return line, ok && line.Program == p.program
}

// covered adds the branches of the program in a bit set of a trace to into.
func (p *player) covered(into map[Branch]bool, bits []uint64) {
	for ; p.placed < len(p.code.Branches); p.placed++ { // there are more when more has been compiled
		b := &p.code.Branches[p.placed]
		if line, ok := p.at(b.Pos); ok && p.ops[line.Stmt] == If {
			p.branches = append(p.branches, placedBranch{p.placed, Branch{line.Stmt, b.Then}})
		}
	}
	for _, b := range p.branches {
		if i := b.index; i/64 < len(bits) && bits[i/64]>>(i%64)&1 != 0 {
			into[b.Branch] = true
		}
	}
}

// found is what a search has seen.
type found struct {
	outcomes map[string]bool
	covered  map[Branch]bool
	race     bool
	runs     int // all of them
	complete int // since the search last began anew, those of inputs in the domain that came to their end
	status   strategy.Status
}

// search lets st search the program to its end.
func (p *player) search(ctx context.Context, st strategy.Strategy, limit int) (*found, error) {
	f := &found{outcomes: map[string]bool{}, covered: map[Branch]bool{}}
	sites := 0
	for {
		job, err := st.Next(context.Background())
		if err != nil {
			return nil, err
		}
		if job == nil {
			f.status = st.Status()
			return f, nil
		}
		if f.runs++; f.runs > limit {
			return nil, fmt.Errorf("the search does not end after %d runs", limit)
		}
		if n := len(job.Plan.Visible.Sites); n != sites { // a race was seen
			f.complete, sites = 0, n
		}
		p.output.Reset()
		trace, err := p.machine.Run(ctx, job.Plan, job.Scheduler)
		if err != nil {
			return nil, err
		}
		if err := p.take(f, trace); err != nil {
			return nil, err
		}
		if err := st.Learn(ctx, job, trace, p.machine.Arena); err != nil {
			return nil, err
		}
	}
}

// take adds a run to what was found.
func (p *player) take(f *found, trace *run.Trace) error {
	p.covered(f.covered, trace.Covered)
	o := Outcome{}
	bodyOf := map[int]int{}
	p.programs[p.program].each(func(body int, s *Stmt) { bodyOf[s.ID] = body })
	f.race = f.race || len(trace.Unordered) > 0
	for i := range trace.TestFailures {
		failure := &trace.TestFailures[i]
		line, ok := p.placeOf(&failure.StackTrace)
		if !ok {
			return fmt.Errorf("a test failure in no statement: %s", failure.Message)
		}
		o.Errors = append(o.Errors, line.Stmt)
	}
	switch failure := cmp.Or(trace.Panic, trace.FatalError); {
	case failure != nil:
		line, ok := p.placeOf(&failure.StackTrace)
		if !ok {
			return fmt.Errorf("a failure in no statement: %s", failure.Message)
		}
		o.Failing = bodyOf[line.Stmt]
		message, _, _ := strings.Cut(failure.Message, "\n")
		o.Failure, _, _ = strings.Cut(message, " [recovered")
	case trace.Stuck != nil && trace.Stuck.Returned:
		o.Failure = Leak
	case slices.ContainsFunc(check.Judge(trace), func(f check.Finding) bool { return f.Kind == check.Deadlock }):
		o.Failure = Deadlock
	}
	switch trace.Outcome {
	case run.Stopped:
		return nil
	case run.Finished, run.Failed:
	default:
		return fmt.Errorf("a run was %v: %s", trace.Outcome, trace.Message)
	}
	begun := false
	for line := range strings.Lines(p.output.String()) {
		var program int
		var s Shown
		switch n, _ := fmt.Sscan(line, &program, &s.Body, &s.Stmt, &s.Value); n {
		case 0: // what t.Error logs
		case 1:
			begun = true
		case 4:
			o.Shown = append(o.Shown, s)
		default:
			return fmt.Errorf("output %q", line)
		}
	}
	if !begun { // the input is outside the domain
		if o.Failure != "" {
			return fmt.Errorf("outside the domain: %s", o.Failure)
		}
		return nil
	}
	f.complete++
	f.outcomes[o.Canonical(p.programs[p.program])] = true
	return nil
}

// placeOf returns the statement that a stack trace is about: the innermost one of
// its stack.
func (p *player) placeOf(f *run.StackTrace) (Line, bool) {
	if line, ok := p.place(f.Site); ok {
		return line, true
	}
	for _, frame := range f.Frames {
		if line, ok := p.place(frame.Site); ok {
			return line, true
		}
	}
	return Line{}, false
}
