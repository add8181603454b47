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
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
)

// A suite is a Go package made of programs, loaded and compiled, and the machine that
// runs all of them.
type suite struct {
	programs []*Program
	lines    map[int]Line
	file     *token.File
	loaded   *load.Result
	code     *code.Program
	targets  []*load.Target // by program
	machine  *vm.Machine
	output   bytes.Buffer
	// The first placed branches of code.Program.Branches, by program.
	branches [][]placedBranch
	placed   int
	// The sites in the functions that have been placed, by program.
	sites     []map[run.SiteID]bool
	funcsDone map[int]bool
}

// A placedBranch is a branch and its index in code.Program.Branches.
type placedBranch struct {
	index int
	Branch
}

// loadSuite writes the programs as a test package and loads it.
func loadSuite(t *testing.T, programs []*Program) *suite {
	t.Helper()
	dir := t.TempDir()
	s := &suite{
		programs: programs, targets: make([]*load.Target, len(programs)), branches: make([][]placedBranch, len(programs)),
		sites: make([]map[run.SiteID]bool, len(programs)), funcsDone: map[int]bool{},
	}
	var text []byte
	text, s.lines = Source("oracle", programs)
	for name, data := range map[string][]byte{"oracle_test.go": text, "go.mod": []byte("module oracle\n\ngo 1.26\n")} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s.loaded = vmtest.Load(t, load.Config{Dir: dir, Tests: true})
	s.file = s.loaded.Fset.File(s.loaded.Packages[0].Files[0].Package)
	root := s.loaded.Packages[0].SSA
	s.code = compile.NewProgram(s.loaded.Prog, s.loaded.Sizes, func(p *ssa.Package) bool { return p == root }, s.loaded.Standard)
	for _, target := range s.loaded.Targets() {
		var i int
		if _, err := fmt.Sscanf(strings.TrimLeft(target.Name, "TestFuzP"), "%d", &i); err != nil {
			t.Fatalf("target %s: %v", target.Name, err)
		}
		s.targets[i] = &target
	}
	settings := run.Settings{Limits: run.Limits{Instructions: 1e6, Cells: 1 << 20, Depth: 1000, Goroutines: 100, Decisions: 1000}}
	s.machine = vmtest.Boot(t, s.code, vmtest.Target(s.loaded, s.targets[0]), settings, &s.output)
	return s
}

// A player runs one program of a suite.
type player struct {
	*suite
	program int
}

// player returns a player of a program. It is of use until another one is made: they
// share the machine.
func (s *suite) player(t *testing.T, program int) *player {
	t.Helper()
	if err := s.machine.Retarget(vmtest.Target(s.loaded, s.targets[program])); err != nil {
		t.Fatalf("starting %s: %v", s.targets[program].Name, err)
	}
	return &player{suite: s, program: program}
}

// place returns the statement at a site.
func (p *player) place(site run.SiteID) (Line, bool) {
	_, pos := p.machine.Site(site)
	line, ok := p.at(pos)
	return line, ok && line.Program == p.program
}

// at returns the statement at a position.
func (s *suite) at(pos token.Pos) (Line, bool) {
	if n := int(pos) - s.file.Base(); n < 0 || n > s.file.Size() {
		return Line{}, false
	}
	line, ok := s.lines[s.file.Line(pos)]
	return line, ok
}

// covered adds the branches of the program in a bit set of a trace to into.
func (p *player) covered(into map[Branch]bool, bits []uint64) {
	p.placeBranches()
	for _, b := range p.branches[p.program] {
		if i := b.index; i/64 < len(bits) && bits[i/64]>>(i%64)&1 != 0 {
			into[b.Branch] = true
		}
	}
}

// placeBranches finds the statements of the branches that have been compiled.
func (s *suite) placeBranches() {
	for ; s.placed < len(s.code.Branches); s.placed++ {
		b := &s.code.Branches[s.placed]
		if line, ok := s.at(b.Pos); ok && s.programs[line.Program].op(line.Stmt) == If {
			s.branches[line.Program] = append(s.branches[line.Program], placedBranch{s.placed, Branch{line.Stmt, b.Then}})
		}
	}
}

// op returns what the statement with the ID does.
func (p *Program) op(id int) (op StmtOp) {
	p.each(func(_ int, s *Stmt) {
		if s.ID == id {
			op = s.Op
		}
	})
	return op
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
