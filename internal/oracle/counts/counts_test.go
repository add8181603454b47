package counts

import (
	"testing"

	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/exhaustive"
)

// Rows with more executions than this are not for every run of the tests.
const (
	shortLimit = 300
	longLimit  = 10000
)

// TestExhaustive checks that exhaustive search ends as many executions as there
// are classes. It begins others that it discards, too many in some programs.
func TestExhaustive(t *testing.T) {
	testTable(t, func() strategy.Strategy { return exhaustive.New(exhaustive.Options{}) }, false)
}

// testTable compares what a strategy does with the table. An optimal one begins
// no execution that it does not end; of another one only the searches count that
// end before long.
func testTable(t *testing.T, start func() strategy.Strategy, optimal bool) {
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
			for _, row := range p.Rows {
				if row.Executions > largest {
					continue
				}
				m, err := s.Machine(t.Context(), p.Name, row.N)
				if err != nil {
					t.Fatal(err)
				}
				limit := 2*row.Executions + 1000
				if !optimal {
					limit = 10000
				}
				c, err := Search(t.Context(), m, start(), limit)
				if err != nil {
					t.Fatal(err)
				}
				if !optimal && !c.Status.Finished {
					continue
				}
				rows++
				executions += c.Executions
				if c.Executions != row.Executions || c.Failing > 0 || !c.Status.Exhausted {
					t.Errorf("%s(%d): %d executions, want %d; %d failing; exhausted %v, open %q",
						p.Name, row.N, c.Executions, row.Executions, c.Failing, c.Status.Exhausted, c.Status.Open)
				}
				if optimal && (c.Discarded > 0 || c.Status.Redundant > 0 || c.Status.Blocked > 0) {
					t.Errorf("%s(%d): %d runs discarded, %d redundant, %d blocked", p.Name, row.N, c.Discarded, c.Status.Redundant, c.Status.Blocked)
				}
			}
		})
	}
	t.Logf("%d rows, %d executions", rows, executions)
	if rows == 0 {
		t.Error("no row was compared")
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
	if _, err := Search(b.Context(), m, exhaustive.New(exhaustive.Options{}), b.N); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
}
