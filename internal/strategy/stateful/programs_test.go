package stateful

import (
	"fmt"
	"go/ast"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/vmtest"

	"golang.org/x/tools/go/ssa"
)

// programs is where the programs are in which it matters who knows of which access.
const programs = "../../vm/testdata/concurrent/protection"

// TestPrograms compares what searches find that leave something out of states with what one finds that does not.
func TestPrograms(t *testing.T) {
	r := vmtest.Load(t, load.Config{Dir: programs, Patterns: []string{"."}})
	root := r.Packages[0]
	prog := compile.NewProgram(r.Prog, r.Sizes, func(p *ssa.Package) bool { return p == root.SSA }, r.Standard)
	var names []string
	for _, file := range root.Files {
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Type.Params.NumFields() == 0 && fn.Type.Results.NumFields() == 0 {
				names = append(names, fn.Name.Name)
			}
		}
	}
	slices.Sort(names)
	racy := 0
	for _, name := range sample.From(names, len(names), 24) {
		t.Run(name, func(t *testing.T) {
			search := func(o Options) string {
				m := vm.New(prog, expr.NewArena(), run.NewNames(), run.Settings{})
				if _, err := m.Boot(t.Context(), vmtest.Function(root.SSA, name)); err != nil {
					t.Fatal(err)
				}
				found, _ := findings(t, m, o)
				return found
			}
			want := search(Options{})
			t.Log(want)
			if strings.Contains(want, "race") {
				racy++
			}
			for _, o := range []Options{
				{ForgetKnowledge: true},
				{ForgetKnowledge: true, Rename: true},
				{ForgetKnowledge: true, Rename: true, Alike: true, Ahead: true, ForgetUses: true, ForgetAccesses: true, AddsCommute: true},
				{Rename: true, Alike: true, Ahead: true, ForgetUses: true, ForgetAccesses: true, AddsCommute: true},
			} {
				if got := search(o); got != want {
					t.Errorf("%+v: found\n%s\nwant\n%s", o, got, want)
				}
			}
		})
	}
	if racy == 0 {
		t.Error("no program has a race")
	}
}

// programsOf loads a package with a text, and returns what boots a machine for one of its functions.
func programsOf(t *testing.T, text string) func(name string) *vm.Machine {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module programs\ngo 1.24\n", "programs.go": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := vmtest.Load(t, load.Config{Dir: dir, Patterns: []string{"."}})
	root := r.Packages[0]
	prog := compile.NewProgram(r.Prog, r.Sizes, func(p *ssa.Package) bool { return p == root.SSA }, r.Standard)
	return func(name string) *vm.Machine {
		t.Helper()
		m := vm.New(prog, expr.NewArena(), run.NewNames(), run.Settings{})
		if _, err := m.Boot(t.Context(), vmtest.Function(root.SSA, name)); err != nil {
			t.Fatal(err)
		}
		return m
	}
}

// findings returns what a search finds in all runs until the first race, and what is open when it
// ends: a race makes it begin again, with other states. It also returns the number of runs.
func findings(t *testing.T, m *vm.Machine, o Options) (string, int) {
	t.Helper()
	return collect(t, m, o, 20_000, false, func(trace *run.Trace, found map[string]bool) (race bool) {
		if trace.Outcome != run.Stopped {
			found[trace.Outcome.String()+fmt.Sprint(trace.Panic != nil, trace.FatalError != nil, trace.Stuck != nil, len(trace.ClosedSends))] = true
		}
		return len(trace.Unordered) > 0
	})
}

// collect returns what is found in the runs of a search, fewer than most, and what is open when it
// ends, or that there is a race, which ends it. It also returns the number of runs. If restores is
// set, other instances of the search go on after the first run, the second, the fourth and so on.
func collect(t *testing.T, m *vm.Machine, o Options, most int, restores bool, find func(trace *run.Trace, found map[string]bool) (race bool)) (string, int) {
	t.Helper()
	o.Names = m.Names
	s := New(o)
	found := map[string]bool{}
	for runs := range most {
		job, err := s.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if job == nil {
			return fmt.Sprint(slices.Sorted(maps.Keys(found)), s.Status().Open, s.Status().Exhausted), runs
		}
		trace, err := m.Run(t.Context(), job.Plan, job.Scheduler)
		if err != nil {
			t.Fatal(err)
		}
		if find(trace, found) {
			return "a race", runs
		}
		if err := s.Learn(t.Context(), job, trace, m.Arena); err != nil {
			t.Fatal(err)
		}
		if !restores || runs&(runs+1) != 0 {
			continue
		}
		if saved := s.Save(); saved != nil {
			s = New(o)
			if err := s.Restore(saved); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Fatal("the search does not end")
	return "", 0
}
