package hyperconcolic

import (
	"context"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
)

// TestForeignItems gives the search items of another program, as a damaged file may hold them:
// their runs are blocked and the search continues.
func TestForeignItems(t *testing.T) {
	step := func(g int32) decision { return decision{goroutine: g, partner: -1} }
	for _, c := range []struct {
		name string
		item item
	}{
		{"no such goroutine", item{kind: revisited, head: []decision{step(3)}, edges: []edge{{winner: 0}}}},
		{"nothing to postpone", item{kind: revisited, head: []decision{step(0), step(1)}, edges: []edge{{position: 0, winner: 1, goroutine: 3}}}},
		{"a value where there is none", item{kind: valued, head: []decision{{kind: run.Value, goroutine: 1, alt: 1, partner: -1}}}},
		{"too many decisions", item{kind: revisited, head: []decision{step(0), step(0), step(0)}, edges: []edge{{winner: 2, goroutine: 1}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			names := run.NewNames()
			names.Child(0, 3) // 1, 2 and 3
			s := New(Options{Names: names})
			s.Export()
			if err := s.Import([]strategy.Item{encode(&c.item, names)}); err != nil {
				t.Fatal(err)
			}
			m := &toy{arena: expr.NewArena(), gs: [][]toyOp{{write(0)}, {write(0)}}}
			job, err := s.Next(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			trace := m.run(job.Plan, job.Scheduler)
			if err := s.Learn(context.Background(), job, trace, m.arena); err != nil {
				t.Fatal(err)
			}
			if st := s.Status(); st.Blocked != 1 || !st.Finished {
				t.Errorf("status %+v, want one blocked run", st)
			}
		})
	}
}
