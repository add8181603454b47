package stateful

import (
	"bytes"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/vmtest"

	"golang.org/x/tools/go/ssa"
)

// loadPrograms returns what makes a machine at the start of a function of a package.
func loadPrograms(t testing.TB, dir string) (boot func(name string) *vm.Machine) {
	t.Helper()
	r := vmtest.Load(t, load.Config{Dir: dir, Patterns: []string{"."}})
	root := r.Packages[0]
	prog := compile.NewProgram(r.Prog, r.Sizes, func(p *ssa.Package) bool { return p == root.SSA }, r.Standard)
	return func(name string) *vm.Machine {
		return vmtest.Boot(t, prog, vmtest.Function(root.SSA, name), run.Settings{}, nil)
	}
}

// step makes the next run of a search, and reports whether there was one.
func step(t testing.TB, m *vm.Machine, s strategy.Strategy) bool {
	t.Helper()
	job, err := s.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if job == nil {
		return false
	}
	trace, err := m.Run(t.Context(), job.Plan, job.Scheduler)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Learn(t.Context(), job, trace, m.Arena); err != nil {
		t.Fatal(err)
	}
	return true
}

// savedOf returns what is saved of a search of a program after each of its first runs.
func savedOf(t testing.TB, name string, runs int) (saved [][]byte) {
	m := loadPrograms(t, programs)(name)
	s := New(Options{Names: m.Names, ForgetKnowledge: true, Rename: true})
	for range runs {
		if !step(t, m, s) {
			break
		}
		saved = append(saved, s.Save())
	}
	return saved
}

// TestForever breaks searches off after each of their runs. Goroutines that may go round for ever
// are known to the search that goes on, although it does not know the states on their way.
func TestForever(t *testing.T) {
	boot := loadPrograms(t, "testdata/forever")
	for _, name := range []string{"lock", "ended"} {
		for i, o := range []Options{
			{},
			{ForgetKnowledge: true, Rename: true, Alike: true, Ahead: true, ForgetUses: true, ForgetAccesses: true, AddsCommute: true},
		} {
			m := boot(name)
			o.Names = m.Names
			whole := New(o)
			for runs := 1; step(t, m, whole); runs++ {
				if runs == 1000 {
					t.Fatal("the search does not end")
				}
				saved := whole.Save()
				if saved == nil {
					continue
				}
				rest := New(o)
				if err := rest.Restore(saved); err != nil {
					t.Fatal(err)
				}
				for n := 0; step(t, m, rest); n++ {
					if n == 1000 {
						t.Fatalf("%s: the search that goes on after %d runs does not end", name, runs)
					}
				}
				if open := rest.Status().Open; !slices.Contains(open, goesRound) {
					t.Errorf("%s, options %d: broken off after %d runs, the search ends with %q", name, i, runs, open)
				}
			}
			if open := whole.Status().Open; !slices.Contains(open, goesRound) {
				t.Errorf("%s, options %d: the search ends with %q", name, i, open)
			}
		}
	}
}

// TestSaved checks that what is read is what was written, also with goroutines numbered in another order.
func TestSaved(t *testing.T) {
	list := savedOf(t, "passedOnSecond", 20)
	if len(list) < 3 {
		t.Fatalf("%d runs", len(list))
	}
	for _, saved := range list {
		names := run.NewNames()
		names.Child(names.Child(0, 5), 2)
		s := New(Options{Names: names})
		if err := s.Restore(saved); err != nil {
			t.Fatal(err)
		}
		if again := s.Save(); !bytes.Equal(again, saved) {
			t.Errorf("it is written again as\n%q\nwant\n%q", again, saved)
		}
		if err := New(Options{Names: names}).Restore(saved[:len(saved)-1]); err == nil {
			t.Error("no error for a part of it")
		}
	}
}

// FuzzRestore reads what may not be a search.
func FuzzRestore(f *testing.F) {
	for _, saved := range savedOf(f, "passedOnSecond", 5) {
		f.Add(saved)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<12 {
			return // names of goroutines make room for their siblings
		}
		s := New(Options{Names: run.NewNames()})
		if err := s.Restore(data); err != nil {
			return
		}
		if err := New(Options{Names: run.NewNames()}).Restore(s.Save()); err != nil {
			t.Errorf("what is written again cannot be read: %v", err)
		}
	})
}
