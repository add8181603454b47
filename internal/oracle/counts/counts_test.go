package counts

import (
	"testing"

	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
	"github.com/everyway-go/everyway/internal/vm"
)

// Rows with more executions than this are not for every run of the tests.
const (
	shortLimit = 300
	longLimit  = 50000
)

// TestTable checks that the search makes exactly one execution for each class,
// and begins no others.
func TestTable(t *testing.T) {
	s, err := Load(t.Context(), "testdata")
	if err != nil {
		t.Fatal(err)
	}
	largest := longLimit
	if testing.Short() {
		largest = shortLimit
	}
	rows, executions := 0, 0
	for _, p := range Table() {
		t.Run(p.Name, func(t *testing.T) {
			discarded := 0
			for _, row := range p.Rows {
				if row.Executions > largest {
					continue
				}
				m, err := s.Machine(t.Context(), p.Name, row.N)
				if err != nil {
					t.Fatal(err)
				}
				c, err := Search(t.Context(), m, newSearch(m), 30*row.Executions+1000)
				if err != nil {
					t.Fatal(err)
				}
				rows++
				executions += c.Executions
				if c.Executions != row.Executions || c.Failing > 0 || !c.Status.Exhausted {
					t.Errorf("%s(%d): %d executions, want %d; %d failing (%s); exhausted %v, open %q",
						p.Name, row.N, c.Executions, row.Executions, c.Failing, c.Finding, c.Status.Exhausted, c.Status.Open)
				}
				if n := c.Status.Redundant + c.Status.Blocked; n != c.Discarded {
					t.Errorf("%s(%d): %d redundant or blocked runs by its status, %d were discarded", p.Name, row.N, n, c.Discarded)
				}
				discarded += c.Discarded
			}
			if discarded > 0 {
				t.Errorf("%s: %d runs discarded", p.Name, discarded)
			}
		})
	}
	t.Logf("%d rows, %d executions", rows, executions)
}

func newSearch(m *vm.Machine) strategy.Strategy {
	return hyperconcolic.New(hyperconcolic.Options{Names: m.Names})
}

// TestAllocations checks that a search that goes depth first soon allocates nothing.
func TestAllocations(t *testing.T) {
	s, err := Load(t.Context(), "testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"kernel", "circular", "stack"} {
		m, err := s.Machine(t.Context(), name, 9)
		if err != nil {
			t.Fatal(err)
		}
		st := newSearch(m)
		search := func(runs int) {
			if c, err := Search(t.Context(), m, st, runs); err != nil || c.Status.Finished {
				t.Fatalf("%s: %v, finished %v", name, err, c.Status.Finished)
			}
		}
		search(5000) // memory grows to what the search needs
		const runs = 1000
		perSearch := testing.AllocsPerRun(3, func() { search(runs) })
		t.Logf("%s: %g allocations in %d runs", name, perSearch, runs)
		if perSearch > runs/20 { // those of the search itself, and of what still grows
			t.Errorf("%s: %g allocations in %d runs", name, perSearch, runs)
		}
	}
}

// BenchmarkKernel takes the time of a search of a program of 30 steps.
func BenchmarkKernel(b *testing.B) {
	s, err := Load(b.Context(), "testdata")
	if err != nil {
		b.Fatal(err)
	}
	m, err := s.Machine(b.Context(), "kernel", 5)
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	if _, err := Search(b.Context(), m, newSearch(m), b.N); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
}
