package stateful

import (
	"bytes"
	"testing"

	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/vmtest"

	"golang.org/x/tools/go/ssa"
)

// savedOf returns what is saved of a search of a program after each of its first runs.
func savedOf(t testing.TB, name string, runs int) (saved [][]byte) {
	r := vmtest.Load(t, load.Config{Dir: programs, Patterns: []string{"."}})
	root := r.Packages[0]
	prog := compile.NewProgram(r.Prog, r.Sizes, func(p *ssa.Package) bool { return p == root.SSA }, r.Standard)
	m := vm.New(prog, expr.NewArena(), run.NewNames(), run.Settings{})
	if _, err := m.Boot(t.Context(), vmtest.Function(root.SSA, name)); err != nil {
		t.Fatal(err)
	}
	s := New(Options{Names: m.Names, ForgetKnowledge: true, Rename: true})
	for range runs {
		job, err := s.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if job == nil {
			break
		}
		trace, err := m.Run(t.Context(), job.Plan, job.Scheduler)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Learn(t.Context(), job, trace, m.Arena); err != nil {
			t.Fatal(err)
		}
		saved = append(saved, s.Save())
	}
	return saved
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
